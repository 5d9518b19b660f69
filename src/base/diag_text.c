/* SPDX-License-Identifier: Apache-2.0 */
/* Printing diagnostics for people (diag_put_text) and for programs (diag_put_json, diag_put_sarif).
 * Example of the first, for `x = 0b12`:
 *
 *     b.py:1:8: error: invalid binary (digit '2') literal [bad-number]
 *         x = 0b12
 *                ^
 *
 * The source line is cut around the caret when it is long; characters that a terminal would obey
 * (escape sequences) are replaced by "?", since a source may come from anywhere. */
#include "base/diag_text.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/json.h"

enum {
    LINE_WIDTH = 100,
    TAB_WIDTH = 8
}; /* columns of a source line that are shown; between tab stops */

/* A NO_COLOR that is not empty or TERM=dumb turns colours off; pipes and files never get them. */
bool diag_wants_color(int fd)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no && *no) && isatty(fd) && term && strcmp(term, "dumb") != 0;
}

/* The text of line `number`, without its end; p is NULL if there is none. */
static str line_text(const source *src, uint32_t number)
{
    WEFT_ASSERT(number > 0);
    const char *p = src->text.p, *end = p + src->text.n;
    /* Without the table of lines (a file that is not UTF-8) lines are counted. */
    if (src->lines) {
        if (number > src->nlines)
            return (str){NULL, 0};
        p += src->lines[number - 1];
    } else {
        for (uint32_t i = 1; i < number && p; i++) {
            p = memchr(p, '\n', (size_t)(end - p));
            p = p ? p + 1 : NULL;
        }
    }
    if (!p || p > end)
        return (str){NULL, 0};
    size_t n = 0;
    while (p + n < end && p[n] != '\n' && p[n] != '\r')
        n++;
    return (str){p, n};
}

/* Bytes of the character at p; a broken one counts as one byte. */
static size_t char_length(const char *p, size_t n)
{
    WEFT_ASSERT(n > 0);
    const unsigned char c = (unsigned char)*p;
    const size_t len = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
    if (len > n)
        return 1;
    for (size_t i = 1; i < len; i++)
        if (((unsigned char)p[i] & 0xc0) != 0x80)
            return 1;
    return len;
}

/* The code point of a sequence that char_length accepted; a broken byte stands for itself. */
static uint32_t char_code(const char *p, size_t len)
{
    const unsigned char *u = (const unsigned char *)p;
    uint32_t code = len == 1 ? u[0] : u[0] & (0xffu >> (len + 1));
    for (size_t i = 1; i < len; i++)
        code = code << 6 | (u[i] & 0x3f);
    return code;
}

/* Cells that a terminal gives a character: East Asian wide ones and emoji two, marks none. */
static size_t cell_width(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        uint8_t width;
    } ranges[] = {{0x300, 0x36f, 0},     {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},
                  {0xfe00, 0xfe0f, 0},   {0x1100, 0x115f, 2},   {0x2e80, 0x303e, 2},
                  {0x3041, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},
                  {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},
                  {0x1f300, 0x1f64f, 2}, {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return ranges[i].width;
    return 1;
}

/* A character of a source line as it is printed. */
typedef struct cell {
    size_t bytes, width;
    bool plain; /* may be printed as it is */
} cell;

static cell cell_at(str line, size_t at, size_t column)
{
    const char *p = line.p + at;
    const size_t len = char_length(p, line.n - at);
    const unsigned char c = (unsigned char)*p;
    if (c == '\t')
        return (cell){1, TAB_WIDTH - column % TAB_WIDTH, false};
    /* A byte that is no character, or a control character, is replaced. */
    if (len == 1)
        return (cell){1, 1, c >= 0x20 && c < 0x7f};
    const uint32_t code = char_code(p, len);
    /* U+0080 to U+009F are control characters too. */
    return (cell){len, cell_width(code), code >= 0xa0};
}

/* Terminal columns that the first `end` bytes of the line take, tabs expanded. */
static size_t columns_before(str line, size_t end)
{
    size_t column = 0;
    for (size_t at = 0; at < end && at < line.n;) {
        const cell x = cell_at(line, at, column);
        column += x.width;
        at += x.bytes;
    }
    return column;
}

/* Prints what of the line falls into columns [from, to). */
static void put_line(strbuf *out, str line, size_t from, size_t to)
{
    size_t column = 0;
    for (size_t at = 0; at < line.n && column < to;) {
        const cell x = cell_at(line, at, column);
        if (column >= from && column + x.width <= to) {
            if (x.plain)
                sb_put(out, line.p + at, x.bytes);
            else if (line.p[at] == '\t')
                sb_repeat(out, ' ', x.width);
            else
                sb_char(out, '?');
        }
        column += x.width;
        at += x.bytes;
    }
}

/* "^~~~" under columns [column, column + width). */
static void put_caret(strbuf *out, size_t column, size_t width, bool color)
{
    sb_repeat(out, ' ', column);
    if (color)
        SB_LIT(out, "\033[1;32m");
    sb_char(out, '^');
    sb_repeat(out, '~', width > 1 ? width - 1 : 0);
    if (color)
        SB_LIT(out, "\033[0m");
    sb_char(out, '\n');
}

/* The source line and a caret. A long line is cut so that the caret stays in sight; dots mark each
 * cut. An error of several lines gets a caret at its start only. */
static void put_source(strbuf *out, const span *at, bool color)
{
    const str line = line_text(at->src, at->line);
    if (!line.p)
        return;
    const size_t caret = columns_before(line, at->col), all = columns_before(line, line.n);
    const bool one_line = at->end_line == at->line && at->end_col > at->col;
    size_t end = one_line ? columns_before(line, at->end_col) : caret + 1, from = 0;
    /* The cut line begins half a line before the caret. */
    if (all > LINE_WIDTH && caret > LINE_WIDTH / 2)
        from = caret - LINE_WIDTH / 2;
    const size_t to = all - from > LINE_WIDTH ? from + LINE_WIDTH : all;
    SB_LIT(out, "    ");
    if (from)
        SB_LIT(out, "...");
    put_line(out, line, from, to);
    sb_c(out, to < all ? "...\n" : "\n");
    /* The mark ends where the line is cut. */
    if (end > to)
        end = to;
    put_caret(out, (from ? 7u : 4u) + caret - from, end > caret ? end - caret : 1, color);
}

/* The column of a byte in characters, from 1. */
static uint32_t character_at(const source *src, uint32_t number, uint32_t col)
{
    const str line = line_text(src, number);
    uint32_t n = 1;
    if (!line.p)
        return col + 1;
    for (size_t i = 0; i < col && i < line.n; n++)
        i += char_length(line.p + i, line.n - i);
    return n;
}

static uint32_t character_column(const span *at)
{
    return character_at(at->src, at->line, at->col);
}

/* By diag_severity. */
static const char *const severities[] = {"error", "warning"};

/* Errors without a place (an option, a file that cannot be read) begin with "weft: ". */
void diag_put_text(strbuf *out, const diag *d, diag_severity severity, bool color)
{
    if (color)
        SB_LIT(out, "\033[1m");
    if (d->at.src) {
        sb_c(out, d->at.src->path);
        sb_printf(out, ":%u:%u: ", d->at.line, character_column(&d->at));
    } else {
        SB_LIT(out, "weft: ");
    }
    if (color)
        sb_c(out, severity == DIAG_IS_ERROR ? "\033[1;31m" : "\033[1;35m");
    sb_c(out, severities[severity]);
    sb_c(out, color ? ": \033[0m" : ": ");
    sb_c(out, d->text);
    sb_printf(out, " [%s]\n", diag_name(d->id));
    /* Line 0: the file as a whole. */
    if (d->at.src && d->at.line)
        put_source(out, &d->at, color);
    if (d->hint)
        sb_printf(out, "    hint: %s\n", d->hint);
}

/* No key is ever left out: what does not apply is null. */
void diag_put_json(strbuf *out, const diag *d, diag_severity severity)
{
    sb_char(out, '{');
    json_key(out, "file", true);
    json_string_or_null(out, d->at.src ? d->at.src->path : NULL);
    if (d->at.src)
        sb_printf(out, ", \"line\": %u, \"column\": %u, \"end_line\": %u", d->at.line,
                  character_column(&d->at), d->at.end_line ? d->at.end_line : d->at.line);
    else
        SB_LIT(out, ", \"line\": null, \"column\": null, \"end_line\": null");
    json_key(out, "severity", false);
    json_string(out, str_c(severities[severity]));
    json_key(out, "id", false);
    json_string(out, str_c(diag_name(d->id)));
    json_key(out, "message", false);
    json_string(out, str_c(d->text));
    json_key(out, "hint", false);
    json_string_or_null(out, d->hint);
    sb_char(out, '}');
}

/* A path as a URI: relative ones stay so, for the reader knows the folder. What a URI reserves is
 * escaped, the slashes aside. */
static void put_uri(strbuf *out, const char *path)
{
    SB_LIT(out, "\"");
    if (*path == '/')
        SB_LIT(out, "file://");
    for (; *path; path++) {
        const unsigned char c = (unsigned char)*path;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || strchr("-._~/", c);
        if (plain)
            sb_char(out, (char)c);
        else
            sb_printf(out, "%%%02X", c);
    }
    SB_LIT(out, "\"");
}

/* SARIF's end column is behind the last character, as ours is. */
static void put_region(strbuf *out, const span *at)
{
    const uint32_t start = character_column(at), end_line = at->end_line ? at->end_line : at->line;
    const uint32_t end = character_at(at->src, end_line, at->end_col);
    sb_printf(out, ", \"region\": {\"startLine\": %u, \"startColumn\": %u, \"endLine\": %u",
              at->line, start, end_line);
    if (end_line > at->line || end > start)
        sb_printf(out, ", \"endColumn\": %u", end);
    SB_LIT(out, "}");
}

/* SARIF has no field for a hint, which follows in a line of its own. */
static void put_message(strbuf *out, const diag *d)
{
    strbuf text;
    sb_init(&text, out->m);
    sb_c(&text, d->text);
    if (d->hint) {
        sb_c(&text, "\nhint: ");
        sb_c(&text, d->hint);
    }
    json_string(out, sb_view(&text));
    sb_clear(&text);
}

void diag_put_sarif(strbuf *out, const diag *d, diag_severity severity)
{
    SB_LIT(out, "{\"ruleId\": ");
    json_string(out, str_c(diag_name(d->id)));
    json_key(out, "level", false);
    json_string(out, str_c(severities[severity]));
    SB_LIT(out, ", \"message\": {\"text\": ");
    put_message(out, d);
    SB_LIT(out, "}");
    if (d->at.src) {
        SB_LIT(out, ", \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
        put_uri(out, d->at.src->path);
        SB_LIT(out, "}");
        if (d->at.line)
            put_region(out, &d->at);
        SB_LIT(out, "}}]");
    }
    SB_LIT(out, "}");
}
