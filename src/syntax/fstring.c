/* F-strings as CPython 3.11 reads them: from the text of the string token, each expression by a
 * parser of its own over a copy of its text in parentheses. Literal text and FormattedValue nodes
 * have the place of the whole run of strings; nodes inside an expression have their own. */
#include "syntax/peg.h"
#include "syntax/strings.h"

typedef struct fstring {
    parser *p;
    string_run *run;
    const string_part *part;
    const char *s; /* next byte */
    int depth;     /* 0: the string itself, 1: a format specification, ... */
    parser *sub;   /* reads one expression after the other */
    lex_stacks *stacks;
    const char *seen;       /* lines are counted up to here */
    const char *line_start; /* of the line of seen, or the token's start */
    uint32_t line;
} fstring;

static void fields(fstring *f);

_Noreturn static void fail(const fstring *f, const char *what)
{
    parse_fail_at(f->p, DIAG_BAD_FSTRING, parse_here(f->p), parse_here(f->p), what);
}

/* ---- literal text ---- */

/* Skips an escape, the backslash being consumed; "\N{...}" hides its braces. True: the escaped
 * character was skipped too. */
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

/* Reads text up to a field's "{", the end, or (in a format specification) "}". True: it ended with
 * a doubled brace, and more text follows. */
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
    string_unescape(f->p, f->run, f->part, start, f->s);
    f->s += doubled;
    return doubled;
}

/* ---- the expression's extent ---- */

typedef struct nesting {
    char open[LEX_MAX_PARENS];
    int n;
} nesting;

/* Moves f->s behind the string literal that begins there. */
static void skip_string(fstring *f)
{
    const char *e = f->part->e;
    char q = *f->s;
    bool triple = f->s + 2 < e && f->s[1] == q && f->s[2] == q;
    for (f->s += triple ? 3 : 1; f->s < e; f->s++) {
        if (*f->s == '\\')
            fail(f, "an expression cannot contain a backslash");
        if (*f->s != q)
            continue;
        if (!triple) {
            f->s++;
            return;
        }
        if (f->s + 2 < e && f->s[1] == q && f->s[2] == q) {
            f->s += 3;
            return;
        }
    }
    fail(f, "a string in an expression is not closed");
}

/* Keeps the stack of open brackets of an expression; brackets must match in kind. */
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

/* Does the expression end at f->s? Skips the first half of "!=", "==", "<=" and ">=". */
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

/* Moves f->s to the end of the expression without parsing it. CPython 3.11 forbids backslashes and
 * comments in it. */
static void skip_expression(fstring *f)
{
    nesting nested = {.n = 0};
    while (f->s < f->part->e) {
        char c = *f->s;
        if (c == '\\')
            fail(f, "an expression cannot contain a backslash");
        if (c == '"' || c == '\'') {
            skip_string(f);
            continue;
        }
        if (c == '#')
            fail(f, "an expression cannot contain '#'");
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

/* Where the copy of the text from "{" on begins, for its first line. */
static void place(fstring *f, const char *brace, uint32_t *line, uint32_t *shift)
{
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

/* Runs the parser sub, whose lexer is set, for p. */
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

/* Parses the text from the one after brace up to f->s. */
static node *expression(fstring *f, const char *brace)
{
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

static void need_more(const fstring *f)
{
    if (f->s >= f->part->e)
        fail(f, "'}' is missing");
}

/* 's', 'r' or 'a' after "!"; -1: there is none. */
static int conversion(fstring *f)
{
    if (*f->s != '!')
        return -1;
    f->s++;
    need_more(f);
    char c = *f->s++;
    if (c != 's' && c != 'r' && c != 'a')
        fail(f, "the conversion must be 's', 'r' or 'a'");
    need_more(f);
    return c;
}

/* The JoinedStr of the values since mark and of the text left over. CPython gives both the place of
 * the f-string's own token, not of the whole run. */
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

/* ":spec", a JoinedStr of its own that may hold fields; NULL: there is none. */
static node *format_spec(fstring *f)
{
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

/* "{expression = !r :spec}", the brace at f->s. */
static void field(fstring *f)
{
    parser *p = f->p;
    if (f->depth >= 2)
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

/* Text and fields up to the end of the string, or to the "}" that ends a format specification. */
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

void string_fstring(parser *p, string_run *run, const string_part *part)
{
    fstring f = {.p = p, .run = run, .part = part, .s = part->s};
    f.line = part->tok.line;
    f.line_start = f.seen = part->tok.s;
    f.sub = arena_alloc(&p->c->scratch, sizeof *f.sub);
    f.stacks = arena_alloc(&p->c->scratch, sizeof *f.stacks);
    fields(&f);
}
