/* SPDX-License-Identifier: Apache-2.0 */
/* Line breaks. The printers write one line for each statement, of any length; this is the last step
 * before a text goes into a file. Lines over 100 columns are broken at a blank, and what follows is
 * indented by one step more:
 *
 *     const float sum = x[x_stride + i] + x[1 + i * x_stride * 2] + x[1 + x_stride * 2 + 1]
 *         + y[(y_n - 1) + i * -1] + y[8 + -2] + y[0] + y[i * 2]
 *
 * Lines with a string and comments stay as they are. A line without a good place stays too long. */
#include "base/assert.h"
#include "cuda/cuda_print.h"

enum { COLUMNS = 100, STEP = 4 };

/* How loosely the operator at p binds, 5 the loosest; 0: there is no operator. */
static int looseness(const char *p)
{
    const bool twice = p[1] == p[0];
    if (p[1] != ' ' && !twice && p[1] != '=')
        return 0;
    switch (*p) {
    case '?':
    case ':': return 5;
    case '&':
    case '|': return 4;
    case '<':
    case '>':
    case '=':
    case '!': return p[1] == '=' ? 3 : 0;
    case '+':
    case '-': return 2;
    case '*':
    case '/':
    case '%': return 1;
    default: return 0;
    }
}

/* Where a line that is too long is best broken: behind a comma or before an operation, within as
 * few brackets as can be, there at the loosest, and of these the last that fits. 0: nowhere.
 * `whole`: what stands behind a "=" and fits into one line is best kept together. */
static size_t break_of(str line, size_t from, size_t room, size_t whole)
{
    size_t best = 0;
    int depth = 0, least = 1000;
    for (size_t i = 1; i + 2 < line.n && i < room; i++) {
        const char c = line.p[i];
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (c != ' ')
            continue;
        const bool comma = line.p[i - 1] == ',';
        const bool assigned = line.p[i - 1] == '=' && i > 2 && strchr(" +-*/", line.p[i - 2]) &&
                              !depth && line.n - i <= whole;
        const int loose = comma ? 9 : assigned ? 1 : i < from ? 0 : looseness(line.p + i + 1);
        const int cost = 10 * depth - loose + (assigned ? 10 : 0);
        if (!loose || (i < from && !assigned) || cost > least)
            continue;
        best = i;
        least = cost;
    }
    return best;
}

/* One line, broken as often as it has to be. The first piece must reach 24 columns behind its
 * indent, so that no piece is very short; beyond 60 columns of indent nothing is broken. */
static void put_line(strbuf *out, str line)
{
    size_t indent = 0;
    while (indent < line.n && line.p[indent] == ' ')
        indent++;
    const bool kept = memchr(line.p, '"', line.n) || (line.n > indent && line.p[indent] == '/');
    const size_t inner = indent + STEP;
    for (bool first = true; !kept && indent <= 60 && line.n + (first ? 0 : inner) > COLUMNS;
         first = false) {
        const size_t at = break_of(line, first ? indent + 24 : 24,
                                   first ? COLUMNS : COLUMNS - inner, first ? COLUMNS - inner : 0);
        if (!at)
            break;
        WEFT_ASSERT(at + 1 < line.n && line.p[at] == ' ');
        sb_put(out, line.p, at);
        sb_char(out, '\n');
        sb_repeat(out, ' ', inner);
        line = (str){line.p + at + 1, line.n - at - 1};
    }
    sb_str(out, line);
    sb_char(out, '\n');
}

/* Breaks each line of the text that is too long. */
void cuda_break_lines(str text, strbuf *out)
{
    for (size_t at = 0; at < text.n;) {
        const char *end = memchr(text.p + at, '\n', text.n - at);
        const size_t n = end ? (size_t)(end - text.p) - at : text.n - at;
        put_line(out, (str){text.p + at, n});
        at += n + 1;
    }
}
