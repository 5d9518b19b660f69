/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of string literals. Adjacent tokens make one node: `"a" "b"` is the Constant "ab", and `"a"
 * f"{x}"` is a JoinedStr of "a" and the field x. Bytes and text do not mix: `"a" b"b"` is an
 * error. Called by parse_atom and by the patterns of match statements. */
#include "syntax/strings.h"

#include "base/assert.h"

/* Prefix letters and the text between the quotes of one token. The lexer has checked both; a token
 * of six or more characters that begins with two equal quotes and a third has triple quotes (""
 * alone is an empty string, not the start of one). */
static string_part take_apart(const token *t)
{
    WEFT_ASSERT(t->kind == T_STRING && t->e - t->s >= 2);
    string_part part = {.tok = *t};
    const char *s = t->s;
    for (; *s != '"' && *s != '\''; s++) {
        char c = *s | 0x20;
        part.raw |= c == 'r';
        part.bytes |= c == 'b';
        part.fstring |= c == 'f';
    }
    size_t quotes = t->e - s >= 6 && s[1] == *s && s[2] == *s ? 3 : 1;
    part.s = s + quotes;
    part.e = t->e - quotes;
    return part;
}

/* Capacity doubles, in the scratch arena: outgrown buffers stay there until the parser ends. */
void string_add(parser *p, string_run *run, const char *s, size_t n)
{
    if (!n)
        return;
    run->has_text = true;
    arena *a = &p->c->scratch;
    WEFT_ASSERT(run->text.n <= run->text.cap);
    if (run->text.cap - run->text.n < n) {
        /* Text of more than 2 GiB fails as memory does. */
        if (n > UINT32_MAX / 2 - run->text.n)
            mem_fail(a->m);
        uint32_t cap = (run->text.n + (uint32_t)n) * 2;
        char *v = arena_alloc(a, cap);
        if (run->text.n)
            memcpy(v, run->text.v, run->text.n);
        run->text.v = v;
        run->text.cap = cap;
    }
    memcpy(run->text.v + run->text.n, s, n);
    run->text.n += (uint32_t)n;
}

/* A Constant that has the place of the whole run, as in CPython, although its text may be a piece
 * of it. */
static node *run_node(parser *p, const string_run *run, constant value)
{
    node *n = NEW(p, Constant, run->start, .value = value, .kind = run->kind);
    n->end_line = run->end.line;
    n->end_col = run->end.col;
    return n;
}

/* An empty text becomes a Constant "", not NULL. */
node *string_constant(parser *p, string_run *run)
{
    str text = {arena_dup(&p->c->module, run->text.n ? run->text.v : "", run->text.n), run->text.n};
    run->text.n = 0;
    run->has_text = false;
    const_kind kind = run->bytes ? CONST_BYTES : CONST_STR;
    return run_node(p, run, (constant){.kind = kind, .text = text});
}

/* Bytes literals hold ASCII characters only; others need escapes. */
static void check_bytes(parser *p, const string_part *part)
{
    for (const char *s = part->s; s < part->e; s++)
        if ((unsigned char)*s >= 128)
            parse_fail_at(p, DIAG_BYTES_NOT_ASCII, (pos){part->tok.line, part->tok.col},
                          (pos){part->tok.end_line, part->tok.end_col}, NULL);
}

/* Consumes the tokens behind the first, which is consumed already, and makes a run of all. `kind`
 * is "u" if the first token has the prefix u: CPython keeps it in Constant.kind. */
static string_run collect(parser *p, const token *first)
{
    string_run run = {.start = {first->line, first->col}};
    VEC(string_part) parts = {0};
    string_part part = take_apart(first);
    for (;;) {
        VEC_PUSH(&p->c->scratch, &parts, part);
        run.fstring |= part.fstring;
        if (!parse_at(p, T_STRING))
            break;
        part = take_apart(&p->tok);
        parse_advance(p);
    }
    WEFT_ASSERT(parts.n > 0);
    run.parts = parts.v;
    run.n = parts.n;
    run.end = p->end;
    run.bytes = run.parts[0].bytes;
    if (*first->s == 'u') {
        if (!p->kind_u) {
            p->kind_u = ARENA_NEW(&p->c->module, str);
            *p->kind_u = STR("u");
        }
        run.kind = p->kind_u;
    }
    return run;
}

/* The usual case, a single literal without prefix and escapes: its text stays in the source and is
 * not copied. NULL: the literal is not so simple. */
static node *plain(parser *p, const token *t)
{
    if (*t->s != '"' && *t->s != '\'')
        return NULL;
    string_part part = take_apart(t);
    str text = {part.s, (size_t)(part.e - part.s)};
    if (memchr(text.p, '\\', text.n))
        return NULL;
    pos start = {t->line, t->col};
    return NEW(p, Constant, start, .value = {.kind = CONST_STR, .text = text}, .kind = NULL);
}

node *string_joined(parser *p, const string_run *run, node_list values)
{
    node *n = NEW(p, JoinedStr, run->start, .values = values);
    n->end_line = run->end.line;
    n->end_col = run->end.col;
    return n;
}

/* Literal text and fields alternate on the node stack; text that is left at the end becomes the
 * last Constant. */
static node *joined(parser *p, string_run *run)
{
    uint32_t mark = p->nodes.n;
    for (uint32_t i = 0; i < run->n; i++) {
        const string_part *part = &run->parts[i];
        if (part->fstring)
            string_fstring(p, run, part);
        else
            string_unescape(p, run, part, part->s, part->e);
    }
    if (run->has_text)
        parse_push(p, string_constant(p, run));
    return string_joined(p, run, parse_list(p, mark));
}

node *parse_strings(parser *p)
{
    WEFT_ASSERT(parse_at(p, T_STRING));
    token first = p->tok;
    parse_advance(p);
    if (!parse_at(p, T_STRING)) {
        node *n = plain(p, &first);
        if (n)
            return n;
    }
    string_run run = collect(p, &first);
    for (uint32_t i = 0; i < run.n; i++) {
        if (run.parts[i].bytes)
            check_bytes(p, &run.parts[i]);
        /* The message is placed at the token behind the run, as CPython's. */
        if (run.parts[i].bytes != run.bytes)
            parse_fail_at(p, DIAG_MIXED_BYTES, parse_here(p), parse_here(p), NULL);
    }
    if (run.fstring)
        return joined(p, &run);
    for (uint32_t i = 0; i < run.n; i++)
        string_unescape(p, &run, &run.parts[i], run.parts[i].s, run.parts[i].e);
    return string_constant(p, &run);
}
