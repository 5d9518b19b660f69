/* SPDX-License-Identifier: Apache-2.0 */
/* The patterns of match statements, as CPython 3.11's compile.c checks them. Example:
 *
 *     match p:
 *         case (x, x):      'x' is bound twice
 *         case x:           matches everything, so nothing may follow
 *         case [x] | y:     alternatives that bind different names
 *
 * The names that a pattern binds are a set in the table of scoping_names.c, with a number of its
 * own, and a list. */
#include "base/assert.h"
#include "syntax/scoping.h"

enum { MAX_BEFORE_STAR = 255 };

/* A pattern, or an alternative of one: what it binds so far. */
typedef struct captures {
    uint32_t set;
    bool may_match_all; /* the pattern at hand: nothing follows it */
    VEC(const sym *) names;
} captures;

static void check(scoping_walk *w, captures *c, const node *n);

static captures new_captures(scoping_walk *w, bool may_match_all)
{
    return (captures){.set = w->nscopes++, .may_match_all = may_match_all};
}

/* pattern_helper_store_name */
static void bind(scoping_walk *w, captures *c, const sym *name, const node *at)
{
    if (!name)
        return;
    scoping_check_target(w, name, at);
    if (scoping_add_flags(w, c->set, name, NAME_ASSIGNED))
        scoping_refuse(w, PASS_COMPILE, at, 0, DIAG_PATTERN_NAME, name->s, NULL);
    else
        VEC_PUSH(&w->c->scratch, &c->names, name);
}

/* compiler_pattern_subpattern: a part of a pattern may match everything. */
static void check_parts(scoping_walk *w, captures *c, node_list parts)
{
    const bool before = c->may_match_all;
    c->may_match_all = true;
    for (uint32_t i = 0; i < parts.n; i++)
        check(w, c, parts.v[i]);
    c->may_match_all = before;
}

/* compiler_pattern_sequence. `*_` is skipped, so its place does not matter. */
static void check_sequence(scoping_walk *w, captures *c, const ast_MatchSequence *n)
{
    bool seen = false;
    for (uint32_t i = 0; i < n->patterns.n; i++) {
        if (n->patterns.v[i]->kind != AST_MatchStar)
            continue;
        if (seen)
            SCOPING_REFUSE(w, &n->base, PATTERN_STARS);
        else if (i > MAX_BEFORE_STAR && AST(MatchStar, n->patterns.v[i])->name)
            SCOPING_REFUSE(w, &n->base, LATE_STAR);
        seen = true;
    }
    check_parts(w, c, n->patterns);
}

/* ---- keys ---- */

/* A float that is a whole number is written as one, so that 1.0 has the text of 1. */
static void put_float(strbuf *b, double f)
{
    if (f > -1e18 && f < 1e18 && (double)(int64_t)f == f)
        sb_int(b, (int64_t)f);
    else
        sb_float(b, f);
}

/* A number that is not imaginary: an integer, a float or a bool. */
static void put_real(strbuf *b, const constant *k, bool minus)
{
    if (k->kind == CONST_FLOAT)
        put_float(b, minus ? -k->f : k->f);
    else if (k->kind == CONST_INT)
        sb_int128(b, minus ? -k->i : k->i);
    else if (k->kind == CONST_BIGINT)
        sb_c(b, minus ? "-" : ""), sb_str(b, k->text);
    else
        sb_int(b, k->kind == CONST_TRUE);
}

static void put_constant(strbuf *b, const constant *k, bool minus)
{
    switch (k->kind) {
    case CONST_NONE: sb_c(b, "None"); return;
    case CONST_STR: sb_char(b, 's'), sb_str(b, k->text); return;
    case CONST_BYTES: sb_char(b, 'b'), sb_str(b, k->text); return;
    case CONST_IMAGINARY:
        sb_char(b, '0');
        if (k->f != 0)
            sb_char(b, ','), put_float(b, minus ? -k->f : k->f);
        return;
    default: put_real(b, k, minus); return;
    }
}

/* Appends the text of a key, the same for keys that are equal: 1, 1.0 and True, or 2+0j and 2.
 * False: it is no constant. The grammar has literals, -1 and 1+2j. */
static bool put_key(strbuf *b, const node *n)
{
    if (n->kind == AST_Constant) {
        put_constant(b, &AST(Constant, n)->value, false);
        return true;
    }
    if (n->kind == AST_UnaryOp && AST(UnaryOp, n)->operand->kind == AST_Constant) {
        put_constant(b, &AST(Constant, AST(UnaryOp, n)->operand)->value, true);
        return true;
    }
    if (n->kind != AST_BinOp || AST(BinOp, n)->right->kind != AST_Constant)
        return false;
    const double f = AST(Constant, AST(BinOp, n)->right)->value.f;
    if (!put_key(b, AST(BinOp, n)->left))
        return false;
    if (f != 0)
        sb_char(b, ','), put_float(b, AST(BinOp, n)->op == OP_Sub ? -f : f);
    return true;
}

static void check_key(scoping_walk *w, uint32_t set, strbuf *text, const node *key, const node *at)
{
    text->n = 0;
    if (!put_key(text, key)) {
        if (key->kind != AST_Attribute)
            SCOPING_REFUSE(w, key, PATTERN_VALUE);
        return;
    }
    const sym *s = sym_intern(&w->c->syms, sb_view(text).p, text->n);
    if (scoping_add_flags(w, set, s, NAME_USED))
        SCOPING_REFUSE(w, at, PATTERN_KEY);
}

/* compiler_pattern_mapping */
static void check_mapping(scoping_walk *w, captures *c, const ast_MatchMapping *n)
{
    const uint32_t set = w->nscopes++;
    strbuf text;
    sb_init(&text, &w->c->mem);
    for (uint32_t i = 0; i < n->keys.n; i++)
        check_key(w, set, &text, n->keys.v[i], &n->base);
    sb_clear(&text);
    check_parts(w, c, n->patterns);
    bind(w, c, n->rest, &n->base);
}

/* ---- other patterns ---- */

/* compiler_pattern_class, validate_kwd_attrs */
static void check_class(scoping_walk *w, captures *c, const ast_MatchClass *n)
{
    const uint32_t set = w->nscopes++;
    for (uint32_t i = 0; i < n->kwd_attrs.n; i++) {
        const sym *attr = n->kwd_attrs.v[i];
        const node *at = n->kwd_patterns.v[i];
        scoping_check_target(w, attr, at);
        if (scoping_add_flags(w, set, attr, NAME_USED))
            scoping_refuse(w, PASS_COMPILE, at, 0, DIAG_PATTERN_ATTRIBUTE, attr->s, NULL);
    }
    check_parts(w, c, n->patterns);
    check_parts(w, c, n->kwd_patterns);
}

/* compiler_pattern_value. -1 and 1+2j are constants to CPython's compiler. */
static void check_value(scoping_walk *w, const ast_MatchValue *n)
{
    if (n->value->kind == AST_JoinedStr)
        SCOPING_REFUSE(w, &n->base, PATTERN_VALUE);
}

/* compiler_pattern_as */
static void check_as(scoping_walk *w, captures *c, const ast_MatchAs *n)
{
    if (n->pattern)
        check(w, c, n->pattern);
    else if (!c->may_match_all)
        scoping_refuse(w, PASS_COMPILE, &n->base, 0, DIAG_UNREACHABLE_CASE,
                       n->name ? n->name->s : "_", NULL);
    bind(w, c, n->name, &n->base);
}

/* Do two alternatives bind the same names? */
static bool bind_same(const scoping_walk *w, const captures *a, const captures *b)
{
    if (a->names.n != b->names.n)
        return false;
    for (uint32_t i = 0; i < b->names.n; i++)
        if (!scoping_flags(w, a->set, b->names.v[i]))
            return false;
    return true;
}

/* compiler_pattern_or: only the last alternative may match everything, if the whole may. */
static void check_or(scoping_walk *w, captures *c, const ast_MatchOr *n)
{
    captures first = {0};
    for (uint32_t i = 0; i < n->patterns.n; i++) {
        const bool is_last = i + 1 == n->patterns.n;
        captures k = new_captures(w, is_last && c->may_match_all);
        check(w, &k, n->patterns.v[i]);
        if (!i)
            first = k;
        else if (!bind_same(w, &first, &k))
            SCOPING_REFUSE(w, &n->base, PATTERN_ALTERNATIVES);
    }
    for (uint32_t i = 0; i < first.names.n; i++)
        bind(w, c, first.names.v[i], &n->base);
}

static void check(scoping_walk *w, captures *c, const node *n)
{
    switch (n->kind) {
    case AST_MatchValue: check_value(w, AST(MatchValue, n)); return;
    case AST_MatchSequence: check_sequence(w, c, AST(MatchSequence, n)); return;
    case AST_MatchMapping: check_mapping(w, c, AST(MatchMapping, n)); return;
    case AST_MatchClass: check_class(w, c, AST(MatchClass, n)); return;
    case AST_MatchStar: bind(w, c, AST(MatchStar, n)->name, n); return;
    case AST_MatchAs: check_as(w, c, AST(MatchAs, n)); return;
    case AST_MatchOr: check_or(w, c, AST(MatchOr, n)); return;
    default: WEFT_ASSERT(n->kind == AST_MatchSingleton); return;
    }
}

/* compiler_match_inner: a case without guard that matches everything must be the last. */
void scoping_check_patterns(scoping_walk *w, const ast_Match *m)
{
    for (uint32_t i = 0; i < m->cases.n; i++) {
        const ast_match_case *k = AST(match_case, m->cases.v[i]);
        captures c = new_captures(w, k->guard || i + 1 == m->cases.n);
        check(w, &c, k->pattern);
    }
}
