/* SPDX-License-Identifier: Apache-2.0 */
/* Highlighting: a scanner of words, numbers, strings and comments, with the keywords of Python and
 * of the C++ that Warp writes. It has no grammar, so it shows any text, damaged ones included.
 *
 *         r, c = wp.tid()
 *
 *     ->  <span class="ln" data-l="6">    r, c = <span class="f">wp.tid</span>()
 *         </span>
 *
 * The script of the page (assets/report.js) finds the lines of emitted text that belong to a line
 * of the source by data-l; links() below finds the numbers.
 *
 * Classes of tokens, which assets/report.css colours: k keyword, f function of Warp, t other name
 * of Warp, n name that is called, a adjoint variable, m number, s string, c comment, l mark of a
 * line, d decorator or directive, g gap before a mark. */
#include "report/report_code.h"

#include "base/ascii.h"
#include "base/vec.h"
#include "report/html.h"

/* One line being scanned; `at` is the offset of the next byte. */
typedef struct scan {
    strbuf *b;
    code_language language;
    str line;
    size_t at;
    char quote; /* of Python's string over several lines; 0: none */
} scan;

/* Each between two spaces, so that is_keyword needs no other table. Those of CUDA include words of
 * Warp's headers (CUDA_CALLABLE) and CUDA's built-in variables (blockIdx). */
static const char *const keywords[CODE_LANGUAGES] = {
    [CODE_PYTHON] =
        " and as assert async await break class continue def del elif else except finally for from "
        "global if import in is lambda nonlocal not or pass raise return try while with yield True "
        "False None match case ",
    [CODE_CUDA] =
        " auto bool break case char const constexpr continue default do double else enum extern "
        "float for goto if inline int long namespace return short signed size_t sizeof static "
        "static_cast struct switch template this true false typedef typename union unsigned using "
        "void while __global__ __device__ __shared__ __host__ CUDA_CALLABLE WP_API blockIdx "
        "blockDim threadIdx gridDim ",
    [CODE_PLAIN] = " "};

/* Bytes of UTF-8 sequences count as letters: Python's names may have any. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

/* The byte so far ahead; 0 at the end of the line, which starts no token. */
static char peek(const scan *s, size_t ahead)
{
    return s->at + ahead < s->line.n ? s->line.p[s->at + ahead] : 0;
}

static str rest_of(const scan *s)
{
    return (str){s->line.p + s->at, s->line.n - s->at};
}

/* Puts the next n bytes as a token of this class; NULL: without one. */
static void put(scan *s, const char *kind, size_t n)
{
    WEFT_ASSERT(n && s->at + n <= s->line.n);
    if (kind) {
        SB_LIT(s->b, "<span class=\"");
        sb_c(s->b, kind);
        SB_LIT(s->b, "\">");
    }
    html_text(s->b, (str){s->line.p + s->at, n});
    if (kind)
        SB_LIT(s->b, "</span>");
    s->at += n;
}

/* --- tokens -------------------------------------------------------------------------------- */

/* Keywords stand between spaces in one string. */
static bool is_keyword(const scan *s, str word)
{
    const char *list = keywords[s->language];
    for (const char *p = list; (p = strchr(p, ' ')) && p[1];) {
        p++;
        if (strncmp(p, word.p, word.n) == 0 && p[word.n] == ' ')
            return true;
    }
    return false;
}

/* The length of wp.sin or wp::sin where the word of n bytes here is "wp" and a name follows it;
 * else n, the length of the word alone. */
static size_t qualified(const scan *s, size_t n)
{
    WEFT_ASSERT(n && s->at + n <= s->line.n);
    const size_t gap = s->language == CODE_PYTHON ? 1 : 2;
    const char *const mark = s->language == CODE_PYTHON ? "." : "::";
    if (n != 2 || memcmp(s->line.p + s->at, "wp", 2) != 0 || s->at + n + gap >= s->line.n ||
        memcmp(s->line.p + s->at + n, mark, gap) != 0 || !is_letter(peek(s, n + gap)))
        return n;
    n += gap;
    while (is_letter(peek(s, n)) || ascii_is_digit(peek(s, n)))
        n++;
    return n;
}

/* A word by what it is: a name of Warp (f where it is called, else t), a keyword, an adjoint
 * variable, another name that is called, or plain text. A keyword wins over a call: `if (` in
 * C++. */
static void put_word(scan *s)
{
    size_t n = 0;
    while (is_letter(peek(s, n)) || ascii_is_digit(peek(s, n)))
        n++;
    const str word = {s->line.p + s->at, n};
    const size_t all = qualified(s, n);
    if (all > n)
        put(s, peek(s, all) == '(' ? "f" : "t", all);
    else if (is_keyword(s, word))
        put(s, "k", n);
    else if (s->language == CODE_CUDA && str_starts(word, "adj_"))
        put(s, "a", n);
    else if (peek(s, n) == '(')
        put(s, "n", n);
    else
        put(s, NULL, n);
}

/* Digits, letters and dots: 0x1f, 1e-05f, 3u. A sign belongs to it behind an e, but not in a
 * hexadecimal number. */
static void put_number(scan *s)
{
    size_t n = 0;
    while (is_letter(peek(s, n)) || ascii_is_digit(peek(s, n)) || peek(s, n) == '.' ||
           ((peek(s, n) == '+' || peek(s, n) == '-') && (peek(s, n - 1) | 0x20) == 'e' &&
            !(peek(s, 0) == '0' && (peek(s, 1) | 0x20) == 'x')))
        n++;
    put(s, "m", n);
}

/* The length of a string up to its closing quotes, or to the end of the line. The first n bytes,
 * its opening quotes, are passed over; *closed reports which of the two it was. */
static size_t string_end(const scan *s, size_t n, char quote, bool triple, bool *closed)
{
    for (*closed = false; s->at + n < s->line.n && !*closed; n++) {
        if (peek(s, n) == '\\') {
            n++;
            continue;
        }
        if (peek(s, n) == quote &&
            (!triple || (peek(s, n + 1) == quote && peek(s, n + 2) == quote)))
            *closed = true;
    }
    n += *closed && triple ? 2 : 0;
    return n < s->line.n - s->at ? n : s->line.n - s->at;
}

/* A string from its opening quotes on. One with three quotes in Python may go on after the line:
 * s->quote then makes put_string_rest continue it. */
static void put_string(scan *s)
{
    const char quote = peek(s, 0);
    const bool triple = s->language == CODE_PYTHON && peek(s, 1) == quote && peek(s, 2) == quote;
    bool closed;
    const size_t n = string_end(s, triple ? 3 : 1, quote, triple, &closed);
    if (triple && !closed)
        s->quote = quote;
    put(s, "s", n);
}

/* The rest of a string that began on an earlier line. */
static void put_string_rest(scan *s)
{
    WEFT_ASSERT(s->quote && s->at < s->line.n);
    bool closed;
    const size_t n = string_end(s, 0, s->quote, true, &closed);
    if (closed)
        s->quote = 0;
    put(s, "s", n);
}

/* A comment up to the end of the line. Warp pads its own with spaces up to the mark:
 *
 *     // x = 1                                     <L 7>
 *
 * The padding, which is too wide for a pane, and the mark are tokens of their own: the style makes
 * the first narrow, and what is copied from the page still has it. */
static void put_comment(scan *s)
{
    str rest = rest_of(s);
    size_t mark = rest.n;
    while (mark && !str_starts((str){rest.p + mark, rest.n - mark}, "<L "))
        mark--;
    size_t end = mark;
    while (end && rest.p[end - 1] == ' ')
        end--;
    if (s->language != CODE_CUDA || !mark) {
        put(s, "c", rest.n);
        return;
    }
    put(s, "c", end);
    if (mark > end)
        put(s, "g", mark - end);
    put(s, "l", rest.n - mark);
}

/* One token, at least one byte, so the caller's loop ends. */
static void put_token(scan *s)
{
    WEFT_ASSERT(s->at < s->line.n);
    const char c = peek(s, 0);
    const bool python = s->language == CODE_PYTHON;
    if (s->language == CODE_PLAIN)
        put(s, NULL, s->line.n - s->at);
    else if (python && c == '#')
        put_comment(s);
    else if (s->language == CODE_CUDA && c == '/' && peek(s, 1) == '/')
        put_comment(s);
    else if (c == '"' || c == '\'')
        put_string(s);
    else if (is_letter(c))
        put_word(s);
    else if (ascii_is_digit(c) || (c == '.' && ascii_is_digit(peek(s, 1))))
        put_number(s);
    else if (python && c == '@')
        put(s, "d", s->line.n - s->at);
    else if (s->language == CODE_CUDA && c == '#')
        put(s, "d", s->line.n - s->at);
    else
        put(s, NULL, 1);
}

/* --- which line of the source -------------------------------------------------------------- */

typedef VEC(str) code_lines;

/* The lines without their ends. They point into the text. */
static code_lines split(arena *a, str text)
{
    code_lines lines = {0};
    while (text.n) {
        const char *end = memchr(text.p, '\n', text.n);
        const size_t n = end ? (size_t)(end - text.p) : text.n;
        const str line = {text.p, n};
        VEC_PUSH(a, &lines, line);
        text = (str){text.p + n + (end != NULL), text.n - n - (end != NULL)};
    }
    return lines;
}

static str trimmed(str line)
{
    while (line.n && (*line.p == ' ' || *line.p == '\t'))
        line = (str){line.p + 1, line.n - 1};
    return line;
}

/* n of "// y = 2.0 * x       <L 7>", a comment of Warp's text; 0: the line is none. At most six
 * digits, so n cannot overflow. */
static uint32_t mark_of(str line)
{
    uint32_t n = 0;
    if (!str_starts(trimmed(line), "//") || !line.n || line.p[line.n - 1] != '>')
        return 0;
    size_t at = line.n - 1;
    while (at && ascii_is_digit(line.p[at - 1]))
        at--;
    if (at < 3 || memcmp(line.p + at - 3, "<L ", 3) != 0 || line.n - 1 - at > 6)
        return 0;
    for (; at + 1 < line.n; at++)
        n = n * 10 + (uint32_t)(line.p[at] - '0');
    return n;
}

/* A statement of the adjoint: its comment follows it. */
static bool is_adjoint(str line)
{
    line = trimmed(line);
    return str_starts(line, "wp::adj_") || str_starts(line, "adj_");
}

/* For each line of a text the line of the Python source that it belongs to; 0: none. Warp writes a
 * comment with the mark before the statements of a line, but "// adj:" comments after them:
 *
 *     // y = 2.0 * x       <L 7>      7
 *     var_3 = wp::mul(var_1, var_2);  7
 *     wp::adj_mul(...);               7, by a second pass from the end
 *     // adj: y = 2.0 * x  <L 7>      7
 *
 * Functions, their declarations and the heads of loops that run backwards belong to no line. */
static const uint32_t *links(arena *a, const code_lines *lines, code_language language)
{
    uint32_t *of = arena_zero(a, (lines->n + 1) * sizeof *of), now = 0;
    for (uint32_t i = 0; i < lines->n; i++) {
        const str line = lines->v[i];
        const uint32_t mark = language == CODE_CUDA ? mark_of(line) : 0;
        if (language == CODE_PYTHON)
            now = i + 1;
        else if (mark)
            now = mark;
        else if (str_starts(trimmed(line), "//---") || (line.n && !strchr(" \t}", *line.p)))
            now = 0;
        of[i] = language == CODE_PLAIN ? 0 : now;
        if (str_starts(trimmed(line), "// adj:"))
            now = 0;
    }
    now = 0;
    for (uint32_t i = lines->n; i-- > 0 && language == CODE_CUDA;) {
        if (str_starts(trimmed(lines->v[i]), "// adj:"))
            now = mark_of(lines->v[i]);
        else if (is_adjoint(lines->v[i]))
            of[i] = now;
    }
    return of;
}

/* The language behind a line of a conversation that begins with ```, a fence of Markdown: within a
 * block it ends the block, else it opens one whose language the fence names. */
static code_language fenced(code_language now, str line)
{
    return now != CODE_PLAIN               ? CODE_PLAIN
           : str_starts(line, "```python") ? CODE_PYTHON
           : str_starts(line, "```c")      ? CODE_CUDA /* cuda, cpp, c++ */
                                           : CODE_PLAIN;
}

/* What is copied from the page is the text, byte for byte: each newline stands within its line's
 * span, and the empty lines at the beginning, which Warp's text has, are there and not shown. A
 * plain text, a turn of a conversation, changes its language at each fence. */
void code_put(strbuf *b, arena *scratch, str text, code_language language)
{
    const arena_mark mark = arena_save(scratch);
    const code_lines lines = split(scratch, text);
    const uint32_t *of = links(scratch, &lines, language);
    scan s = {.b = b, .language = language};
    uint32_t i = 0;
    for (; language == CODE_CUDA && i < lines.n && !lines.v[i].n; i++)
        SB_LIT(b, "<span class=\"ln\" hidden>\n</span>");
    for (; i < lines.n; i++) {
        if (of[i])
            sb_printf(b, "<span class=\"ln\" data-l=\"%u\">", of[i]);
        else
            SB_LIT(b, "<span class=\"ln\">");
        s.line = lines.v[i];
        s.at = 0;
        if (language == CODE_PLAIN && str_starts(s.line, "```")) {
            s.language = fenced(s.language, s.line);
            s.quote = 0;
            put(&s, "c", s.line.n);
        }
        while (s.at < s.line.n)
            if (s.quote)
                put_string_rest(&s);
            else
                put_token(&s);
        sb_c(b, i + 1 < lines.n || text.p[text.n - 1] == '\n' ? "\n</span>" : "</span>");
    }
    arena_rewind(scratch, mark);
}
