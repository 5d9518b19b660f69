/* SPDX-License-Identifier: Apache-2.0 */
/* F-strings, read as CPython 3.11 does it: from the text of the string token, each expression by a
 * parser of its own over a copy of its text in parentheses. What an expression may hold since
 * Python 3.12 (PEP 701) it may hold here: quotes, backslashes in strings, comments, line ends.
 * Called by strings.c. Example: `f"{n + 1:>{w}} km"` becomes
 *
 *     JoinedStr([FormattedValue(value=BinOp(n + 1), conversion=-1,
 *                               format_spec=JoinedStr(['>', FormattedValue(w)])),
 *                Constant(' km')])
 *
 * First the end of an expression is found by counting brackets and skipping strings, then the text
 * up to there is parsed. Literal text and FormattedValue nodes have the place of the whole run of
 * strings; nodes inside an expression have their own. */
#include "base/assert.h"
#include "syntax/peg.h"
#include "syntax/strings.h"

/* The state of reading one f-string token. Format specifications are read by the same functions,
 * one level deeper. */
typedef struct fstring {
    parser *p;
    string_run *run;         /* the run that the token belongs to: text and places */
    const string_part *part; /* the token; s stays below part->e */
    const char *s;           /* next byte */
    int depth;               /* 0: the string itself, 1: a format specification, ... */
    parser *sub;             /* reads one expression after the other */
    lex_stacks *stacks;      /* of sub's lexer */
    const char *seen;        /* lines are counted up to here */
    const char *line_start;  /* of the line of seen, or the token's start */
    uint32_t line;
} fstring;

/* Fields within one another's format specifications: CPython 3.12 has three, 3.11 two. */
enum { SPEC_DEPTH = 3 };

static void fields(fstring *f);

/* CPython gives these errors no place of their own; they stand at the token behind the strings, as
 * there. */
_Noreturn static void fail(const fstring *f, const char *what)
{
    parse_fail_at(f->p, DIAG_BAD_FSTRING, parse_here(f->p), parse_here(f->p), what);
}

/* ---- literal text ---- */

/* Skips an escape whose backslash is consumed. Only "\N{...}" matters, since its braces are no
 * field. True: the escaped character was skipped too; else the caller reads it. */
static bool skip_escape(fstring *f)
{
    const char *e = f->part->e;
    if (*f->s != 'N')
        return false;
    f->s++;
    if (f->s < e && *f->s++ == '{')
        while (f->s < e && *f->s++ != '}')
            ;
    return true;
}

/* Reads text up to a field's "{", the end, or (in a format specification) "}", and appends it to
 * the run with escapes resolved. True: it ended with a doubled brace, of which one is text, and
 * more text follows. Inside a format specification braces cannot be doubled: `{x:}}}` ends the
 * field at the first one. */
static bool literal(fstring *f)
{
    const char *e = f->part->e, *start = f->s;
    bool doubled = false;
    while (f->s < e) {
        char c = *f->s++;
        if (!f->part->raw && c == '\\' && f->s < e) {
            if (skip_escape(f))
                continue;
            c = *f->s++;
        }
        if (c != '{' && c != '}')
            continue;
        if (f->depth == 0 && f->s < e && *f->s == c) {
            doubled = true;
            break;
        }
        if (f->depth == 0 && c == '}')
            fail(f, "a single '}' must be doubled");
        f->s--;
        break;
    }
    WEFT_ASSERT(start <= f->s && f->s <= e);
    string_unescape(f->p, f->run, f->part, start, f->s);
    f->s += doubled;
    return doubled;
}

/* ---- the expression's extent ---- */

/* Opening brackets that are not closed yet, outermost first. */
typedef struct nesting {
    char open[LEX_MAX_PARENS];
    int n;
} nesting;

/* Moves f->s behind the string literal that begins there. In its text brackets and "!" mean
 * nothing; the lexer of the expression reads it again and reports what is wrong inside. */
static void skip_string(fstring *f, const char *from)
{
    const char *end = lex_string_end(from, f->s, f->part->e);
    if (!end)
        fail(f, "a string in an expression is not closed");
    f->s = end;
}

/* A comment ends with its line, so the expression has to go on in another one. */
static void skip_comment(fstring *f)
{
    const char *end = memchr(f->s, '\n', (size_t)(f->part->e - f->s));
    if (!end)
        fail(f, "an expression cannot end with a comment");
    f->s = end;
}

/* Opens or closes the bracket c; brackets must match in kind. */
static void nest(fstring *f, nesting *nest, char c)
{
    if (c == '(' || c == '[' || c == '{') {
        if (nest->n >= LEX_MAX_PARENS)
            fail(f, "too many nested brackets");
        nest->open[nest->n++] = c;
        return;
    }
    if (!nest->n)
        fail(f, "a closing bracket has no opening one");
    char open = nest->open[--nest->n];
    if (!((open == '(' && c == ')') || (open == '[' && c == ']') || (open == '{' && c == '}')))
        fail(f, "a closing bracket does not match the opening one");
}

/* Does the expression end at f->s, outside brackets? It ends at "!", ":", "}" or "=", but not at
 * the comparisons "!=", "==", "<=" and ">=": of those the first half is skipped. */
static bool ends_here(fstring *f)
{
    char c = *f->s;
    if (!strchr("!:}=<>", c))
        return false;
    bool eq = f->s + 1 < f->part->e && f->s[1] == '=';
    if (eq && strchr("!=<>", c)) {
        f->s++;
        return false;
    }
    return c != '<' && c != '>';
}

/* Moves f->s to the end of the expression without parsing it. A backslash outside of strings joins
 * lines, as elsewhere. */
static void skip_expression(fstring *f)
{
    nesting nested = {.n = 0};
    const char *from = f->s;
    while (f->s < f->part->e) {
        char c = *f->s;
        if (c == '\\' && f->s[1] != '\n')
            fail(f, "an expression cannot contain a backslash");
        if (c == '"' || c == '\'') {
            skip_string(f, from);
            from = f->s;
            continue;
        }
        if (c == '#')
            skip_comment(f);
        if (!nested.n && ends_here(f))
            return;
        c = *f->s; /* ends_here may have moved */
        if (c && strchr("()[]{}", c))
            nest(f, &nested, c);
        f->s++;
    }
    if (nested.n)
        fail(f, "a bracket is not closed");
}

/* ---- the expression ---- */

/* The line and the column in the file of brace, from which on the text is copied. Lines are
 * counted onwards from the place of the previous field, so a string with n fields is read once,
 * not n times. A column in the token's first line is relative to the token. */
static void place(fstring *f, const char *brace, uint32_t *line, uint32_t *shift)
{
    WEFT_ASSERT(f->seen <= brace && brace < f->part->e);
    const token *t = &f->part->tok;
    for (const char *nl; (nl = memchr(f->seen, '\n', (size_t)(brace - f->seen)));) {
        f->seen = f->line_start = nl + 1;
        f->line++;
    }
    f->seen = brace;
    *line = f->line;
    *shift = (uint32_t)(brace - f->line_start);
    if (*line == t->line)
        *shift += t->col;
}

/* `{}` and `{ }` are errors. */
static void check_not_blank(const fstring *f, const char *s)
{
    while (s < f->s && (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\f'))
        s++;
    if (s == f->s)
        fail(f, "an expression is missing");
}

/* Runs the parser sub, whose lexer is set, on behalf of p. An error in the expression is worked
 * out at once, by the grammar of expressions, and becomes p's error; the rest of the file cannot
 * change it. What p must keep of sub: the node stack, which may have moved, and the measures of
 * depth. */
static node *parse_apart(parser *p, parser *sub)
{
    const lexer start = sub->lx;
    jmp_buf here;
    sub->fail = &here;
    if (setjmp(here)) {
        p->error = diagnose_failure(sub, &start, PEG_fstring);
        longjmp(*p->fail, 1);
    }
    lex_next(&sub->lx, &sub->tok);
    node *value = parse_star_expressions(sub);
    memcpy(&p->nodes, &sub->nodes, sizeof p->nodes);
    p->longest = sub->longest;
    p->highest = sub->highest;
    p->legacy |= sub->legacy;
    p->kind_u = sub->kind_u;
    return value;
}

/* Parses the text from the one after brace up to f->s. The copy has "(" in place of the brace and
 * ")" and a line end behind it, so line ends inside are white space, as in CPython. Columns of its
 * first line are shifted to the file's. */
static node *expression(fstring *f, const char *brace)
{
    WEFT_ASSERT(*brace == '{' && brace < f->s);
    parser *p = f->p;
    check_not_blank(f, brace + 1);
    size_t n = (size_t)(f->s - brace);
    char *copy = arena_alloc(&p->c->module, n + 3);
    memcpy(copy, brace, n);
    copy[0] = '(';
    memcpy(copy + n, ")\n", 3);
    parser *sub = f->sub;
    *sub = *p;
    lex_init(&sub->lx, (str){copy, n + 2}, f->stacks, &p->c->syms);
    place(f, brace, &sub->lx.line, &sub->lx.first_shift);
    sub->lx.first_line = sub->lx.line;
    sub->lx.at_bol = false;
    return parse_apart(p, sub);
}

/* Fails if the string ends inside a field. */
static void need_more(const fstring *f)
{
    if (f->s >= f->part->e)
        fail(f, "'}' is missing");
}

/* Reads 's', 'r' or 'a' after "!" and returns it, the value of FormattedValue.conversion; -1:
 * there is none. */
static int conversion(fstring *f)
{
    if (*f->s != '!')
        return -1;
    f->s++;
    need_more(f);
    char c = *f->s++;
    if (c != 's' && c != 'r' && c != 'a')
        fail(f, "the conversion must be 's', 'r' or 'a'");
    while (f->s < f->part->e && strchr(" \t\n", *f->s)) /* since Python 3.12 */
        f->s++;
    need_more(f);
    return c;
}

/* Makes the JoinedStr of a format specification: the values since mark and the text that is left
 * over. CPython gives it and its text the place of the f-string's own token, not of the whole run,
 * and no "u" as their kind; the run's fields are changed for that and restored. */
static node *end_spec(fstring *f, uint32_t mark)
{
    string_run *run = f->run, outer = *run;
    const token *t = &f->part->tok;
    run->start = (pos){t->line, t->col};
    run->end = (pos){t->end_line, t->end_col};
    run->kind = NULL;
    if (run->has_text)
        parse_push(f->p, string_constant(f->p, run));
    node_list values = parse_list(f->p, mark);
    node *n = string_joined(f->p, run, values);
    run->start = outer.start;
    run->end = outer.end;
    run->kind = outer.kind;
    return n;
}

/* ":spec", a JoinedStr of its own that may hold fields; NULL: there is none. `f"{x:}"` has one
 * without values. */
static node *format_spec(fstring *f)
{
    WEFT_ASSERT(f->depth < SPEC_DEPTH);
    if (*f->s != ':')
        return NULL;
    f->s++;
    need_more(f);
    uint32_t mark = f->p->nodes.n;
    f->depth++;
    fields(f);
    f->depth--;
    return end_spec(f, mark);
}

/* "{expression = !r :spec}", the brace at f->s. With "=" the expression's own text is added to the
 * literal text before it, and !r is the default: `f"{x=}"` is 'x=' followed by repr(x).
 * Format specifications have fields, too. */
static void field(fstring *f)
{
    parser *p = f->p;
    if (f->depth >= SPEC_DEPTH)
        fail(f, "expressions are nested too deeply");
    const char *brace = f->s++;
    skip_expression(f);
    need_more(f);
    node *value = expression(f, brace);
    bool debug = *f->s == '=';
    if (debug) {
        f->s++;
        while (f->s < f->part->e && strchr(" \t\n\r\v\f", *f->s))
            f->s++;
        need_more(f);
        string_add(p, f->run, brace + 1, (size_t)(f->s - brace - 1));
    }
    if (f->run->has_text)
        parse_push(p, string_constant(p, f->run));
    int conv = conversion(f);
    node *spec = format_spec(f);
    if (f->s >= f->part->e || *f->s != '}')
        fail(f, "'}' is missing");
    f->s++;
    if (debug && !spec && conv < 0)
        conv = 'r';
    node *n = NEW(p, FormattedValue, f->run->start, .value = value, .conversion = conv,
                  .format_spec = spec);
    n->end_line = f->run->end.line;
    n->end_col = f->run->end.col;
    parse_push(p, n);
}

/* Reads text and fields up to the end of the string, or to the "}" that ends a format
 * specification, which stays. Finished values go to the node stack, text that is not finished
 * stays in the run. */
static void fields(fstring *f)
{
    for (;;) {
        if (literal(f))
            continue;
        if (f->s >= f->part->e || *f->s == '}')
            break;
        field(f);
    }
    if (f->depth && (f->s >= f->part->e || *f->s != '}'))
        fail(f, "'}' is missing");
}

/* The parser and stacks of the expressions are in the scratch arena until the file is parsed. */
void string_fstring(parser *p, string_run *run, const string_part *part)
{
    WEFT_ASSERT(part->fstring && part->s <= part->e);
    fstring f = {.p = p, .run = run, .part = part, .s = part->s};
    f.line = part->tok.line;
    f.line_start = f.seen = part->tok.s;
    f.sub = arena_alloc(&p->c->scratch, sizeof *f.sub);
    f.stacks = arena_alloc(&p->c->scratch, sizeof *f.stacks);
    fields(&f);
}
