/* SPDX-License-Identifier: Apache-2.0 */
/* Comments: those of the Python source, which stand in the text where their statements do. A
 * comment of a line of its own comes before the statement that follows; one behind code goes behind
 * the statement, or before it where the line gets too long:
 *
 *     i = wp.tid()  # the body                   // the body
 *     # halve it                          ->     // halve it
 *     y[i] = weight(b, i) * 0.5  # store         y[i] = weight(b, i) * 0.5f;  // store
 *
 * The comments come from the lines of the source, as the syntax tree has none. Docstrings become
 * comments before kernels and functions. */
#include "base/assert.h"
#include "cuda/cuda_print.h"

enum { COLUMNS = 100, STEP = 4 };

/* What compilers warn of in a comment: signs of control, of the direction of writing (U+200E,
 * U+202A to U+202E, U+2066 to U+2069), and trigraphs. 0: the byte is good, else how many are not.
 */
static size_t odd_bytes(str s)
{
    const unsigned char *p = (const unsigned char *)s.p;
    WEFT_ASSERT(s.n > 0);
    if (*p < ' ' || *p == 0x7f)
        return 1;
    if (s.n >= 3 && p[0] == 0xe2 &&
        ((p[1] == 0x80 && (p[2] & 0xfe) == 0x8e) ||
         (p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
         (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9)))
        return 3;
    return s.n >= 3 && p[0] == '?' && p[1] == '?' && strchr("=/'()!<>-", p[2]) ? 1 : 0;
}

/* One line of a comment. Each byte that a compiler would warn of becomes a blank. */
static void put_words(strbuf *b, str s, const char *indent)
{
    sb_c(b, indent);
    SB_LIT(b, "// ");
    for (size_t i = 0; i < s.n;) {
        const size_t odd = odd_bytes((str){s.p + i, s.n - i});
        sb_char(b, odd ? ' ' : s.p[i]);
        i += odd ? odd : 1;
    }
}

/* Lines of a comment: the text's own, without indent and empty ends. What would go on in the next
 * line, a backslash at the end, is followed by a point. */
void cuda_put_comment(strbuf *b, str text, const char *indent)
{
    size_t i = 0;
    while (i < text.n) {
        while (i < text.n && (text.p[i] == ' ' || text.p[i] == '\t'))
            i++;
        size_t end = i;
        while (end < text.n && text.p[end] != '\n' && text.p[end] != '\r')
            end++;
        size_t last = end;
        while (last > i && (text.p[last - 1] == ' ' || text.p[last - 1] == '\t'))
            last--;
        if (last > i)
            put_words(b, (str){text.p + i, last - i}, indent);
        else if (end < text.n)
            sb_printf(b, "%s//", indent);
        if (last > i && text.p[last - 1] == '\\')
            SB_LIT(b, " .");
        if (last > i || end < text.n)
            SB_LIT(b, "\n");
        i = end + 1;
    }
}

/* Without white space at both ends. */
static str trimmed(str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\n' || s.p[0] == '\t' || s.p[0] == '\r'))
        s = (str){s.p + 1, s.n - 1};
    while (s.n && strchr(" \n\t\r", s.p[s.n - 1]))
        s.n--;
    return s;
}

/* As Python has it: a string that is the first statement. */
str cuda_docstring(const code *c)
{
    const node_list body = c->def->body;
    if (!body.n || body.v[0]->kind != AST_Expr)
        return STR("");
    const node *first = AST(Expr, body.v[0])->value;
    if (first->kind != AST_Constant || AST(Constant, first)->value.kind != CONST_STR)
        return STR("");
    return trimmed(AST(Constant, first)->value.text);
}

/* The source line, counted from 1, without white space at both ends. */
static str line_of(const source *src, uint32_t line)
{
    WEFT_ASSERT(line >= 1 && line <= src->nlines);
    const uint32_t from = src->lines[line - 1];
    const size_t to = line < src->nlines ? src->lines[line] : src->text.n;
    str s = {src->text.p + from, to - from};
    while (s.n && strchr(" \t\r\n", s.p[s.n - 1]))
        s.n--;
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = (str){s.p + 1, s.n - 1};
    return s;
}

/* Is it a comment that can be passed on? One that ends with a backslash would swallow the next line
 * of C++, and odd bytes would be warned of. */
static bool is_comment(str line)
{
    if (line.n < 2 || line.p[0] != '#' || line.p[line.n - 1] == '\\')
        return false;
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] != '\t' && odd_bytes((str){line.p + i, line.n - i}))
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

/* The comment behind a line's code; empty: it has none. Strings are skipped, as they may contain a
 * "#"; lines with triple quotes are left alone, as such a string may begin on another line. */
static str comment_behind(str line)
{
    char quote = 0;
    if (!line.n || line.p[0] == '#' || str_contains(line, STR("\"\"\"")) ||
        str_contains(line, STR("'''")))
        return STR("");
    for (size_t i = 0; i < line.n; i++) {
        const char c = line.p[i];
        if (quote && c == '\\')
            i++;
        else if (quote && c == quote)
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
        else if (!quote && c == '#')
            return is_comment((str){line.p + i, line.n - i})
                       ? comment_text((str){line.p + i, line.n - i})
                       : STR("");
    }
    return STR("");
}

/* A comment on a line of its own. */
static void put_note(strbuf *out, uint32_t indent, str text)
{
    if (!text.n)
        return;
    sb_repeat(out, ' ', STEP * indent);
    SB_LIT(out, "// ");
    sb_str(out, text);
    sb_char(out, '\n');
}

/* Comments of the source lines behind `from` and before `to`; gives `to`. Of code, only the line
 * that queries the thread's index has no statement of its own, so the comment behind it is put
 * here. */
uint32_t cuda_put_comments(cuda_fn *f, strbuf *out, uint32_t indent, uint32_t from, uint32_t to)
{
    const source *src = f->u->code->src;
    if (!src->lines || to > src->nlines)
        return to;
    for (uint32_t i = from + 1; i < to; i++) {
        const str line = line_of(src, i);
        if (is_comment(line))
            put_note(out, indent, comment_text(line));
        else if (str_contains(line, STR(".tid()")))
            put_note(out, indent, comment_behind(line));
    }
    return to;
}

/* The comment behind the code of the source line; empty: there is none, or no source. */
str cuda_trailing_comment(const cuda_fn *f, uint32_t line)
{
    const source *src = f->u->code->src;
    return src->lines && line && line <= src->nlines ? comment_behind(line_of(src, line)) : STR("");
}

/* Puts the comment behind the statement that the text has from `start` on, if that is one line and
 * there is room, else before it. */
void cuda_put_trailing(strbuf *out, size_t start, uint32_t indent, str note)
{
    WEFT_ASSERT(start <= out->n);
    if (!note.n || out->n == start)
        return;
    const size_t width = out->n - start + note.n + 4;
    if (width <= COLUMNS && !memchr(out->p + start, '\n', out->n - start - 1)) {
        out->n--;
        SB_LIT(out, "  // ");
        sb_str(out, note);
        sb_char(out, '\n');
        return;
    }
    /* No room: the comment goes on a line before the statement. */
    const str text = {out->p + start, out->n - start};
    strbuf b;
    sb_init(&b, out->m);
    put_note(&b, indent, note);
    sb_str(&b, text);
    out->n = start;
    sb_str(out, sb_view(&b));
    sb_clear(&b);
}
