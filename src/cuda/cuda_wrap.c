/* Text as it stands in a file: long lines broken, and the comments of the Python source. */
#include "cuda/cuda_tree.h"

enum { COLUMNS = 100, STEP = 4 };

/* How loosely the operator at p binds; 0: there is none. */
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
        sb_put(out, line.p, at);
        sb_char(out, '\n');
        sb_repeat(out, ' ', inner);
        line = (str){line.p + at + 1, line.n - at - 1};
    }
    sb_str(out, line);
    sb_char(out, '\n');
}

void cuda_wrap(str text, strbuf *out)
{
    for (size_t at = 0; at < text.n;) {
        const char *end = memchr(text.p + at, '\n', text.n - at);
        const size_t n = end ? (size_t)(end - text.p) - at : text.n - at;
        put_line(out, (str){text.p + at, n});
        at += n + 1;
    }
}

/* --- comments -------------------------------------------------------------------------------- */

static str line_of(const source *src, uint32_t line)
{
    const uint32_t from = src->lines[line - 1];
    const size_t to = line < src->nlines ? src->lines[line] : src->text.n;
    str s = {src->text.p + from, to - from};
    while (s.n && strchr(" \t\r\n", s.p[s.n - 1]))
        s.n--;
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = (str){s.p + 1, s.n - 1};
    return s;
}

/* Signs of control, of the direction of writing (U+200E, U+202A to U+202E, U+2066 to U+2069), and
 * what begins a trigraph: compilers warn of them. */
static bool is_odd(str line, size_t i)
{
    const unsigned char *p = (const unsigned char *)line.p + i;
    if ((*p < ' ' && *p != '\t') || *p == 0x7f)
        return true;
    if (i + 1 < line.n && p[0] == '?' && p[1] == '?')
        return true;
    return i + 2 < line.n && p[0] == 0xe2 &&
           ((p[1] == 0x80 && ((p[2] & 0xfe) == 0x8e || (p[2] >= 0xaa && p[2] <= 0xae))) ||
            (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

static bool is_comment(str line)
{
    if (line.n < 2 || line.p[0] != '#' || line.p[line.n - 1] == '\\')
        return false;
    for (size_t i = 0; i < line.n; i++)
        if (is_odd(line, i))
            return false;
    return true;
}

/* What a comment says behind its "#". */
static str comment_text(str line)
{
    while (line.n && line.p[0] == '#')
        line = (str){line.p + 1, line.n - 1};
    while (line.n && line.p[0] == ' ')
        line = (str){line.p + 1, line.n - 1};
    return line;
}

uint32_t cuda_put_notes(cuda_fn *f, strbuf *out, uint32_t indent, uint32_t from, uint32_t to)
{
    const source *src = f->u->code->src;
    if (!src->lines || to > src->nlines)
        return to;
    for (uint32_t i = from + 1; i < to; i++) {
        const str line = line_of(src, i), text = comment_text(line);
        if (!is_comment(line) || !text.n)
            continue;
        sb_repeat(out, ' ', STEP * indent);
        SB_LIT(out, "// ");
        sb_str(out, text);
        sb_char(out, '\n');
    }
    return to;
}
