/* SPDX-License-Identifier: Apache-2.0 */
/* The patterns of match statements (PEP 634). Example: `case Point(x=0, y=v) | [v, *_]:` becomes
 *
 *     MatchOr([MatchClass(cls=Name Point, patterns=[], kwd_attrs=['x', 'y'],
 *                         kwd_patterns=[MatchValue(Constant 0), MatchAs('v')]),
 *              MatchSequence([MatchAs('v'), MatchStar()])])
 *
 * Names in a pattern are bound, not read; those with a dot are values. */
#include "base/assert.h"
#include "syntax/parse.h"

static node *pattern(parser *p);
static node *maybe_star_pattern(parser *p);

bool parse_is_soft(const parser *p, const char *word)
{
    size_t n = (size_t)(p->tok.e - p->tok.s);
    return p->tok.kind == T_NAME && n == strlen(word) && memcmp(p->tok.s, word, n) == 0;
}

/* ---- literals ---- */

/* n: the Constant of a NUMBER token. */
static bool is_imaginary(const node *n)
{
    WEFT_ASSERT(n->kind == AST_Constant);
    return AST(Constant, n)->value.kind == CONST_IMAGINARY;
}

/* A number without sign. */
static node *number(parser *p)
{
    if (!parse_at(p, T_NUMBER))
        parse_fail(p);
    return parse_atom(p);
}

/* "-1", "1", "-1+2j": a signed number, or a complex one, which is a real part and an imaginary
 * part in this order. The two messages are those of CPython's actions, so they are given at once.
 */
static node *number_literal(parser *p)
{
    pos s = parse_here(p);
    bool minus = parse_accept(p, T_MINUS);
    pos at = parse_here(p);
    /* The place of the whole is that of the sign; errors name the number itself. */
    node *real = number(p), *left = real;
    pos end = p->end;
    if (minus)
        left = NEW(p, UnaryOp, s, .op = OP_USub, .operand = real);
    if (!parse_at(p, T_PLUS) && !parse_at(p, T_MINUS))
        return left;
    if (is_imaginary(real))
        parse_fail_at(p, DIAG_BAD_PATTERN, at, end, "a real number must come first");
    ast_op op = parse_at(p, T_PLUS) ? OP_Add : OP_Sub;
    parse_advance(p);
    at = parse_here(p);
    node *imaginary = number(p);
    if (!is_imaginary(imaginary))
        parse_fail_at(p, DIAG_BAD_PATTERN, at, p->end, "the second part must be imaginary");
    return NEW(p, BinOp, s, .left = left, .op = (uint8_t)op, .right = imaginary);
}

/* None, True and False are compared by identity, hence a class of their own. */
static node *singleton(parser *p, const_kind kind)
{
    pos s = parse_here(p);
    parse_advance(p);
    return NEW(p, MatchSingleton, s, .value = {.kind = kind});
}

/* ---- names ---- */

/* A name that a capture may bind: not "_", and not the start of a dotted name, a class pattern or
 * a keyword pattern. */
static const sym *capture_target(parser *p)
{
    if (parse_is_soft(p, "_"))
        parse_fail(p);
    const sym *name = parse_name(p);
    if (parse_at(p, T_DOT) || parse_at(p, T_LPAR) || parse_at(p, T_EQUAL))
        parse_fail(p);
    return name;
}

/* "a.b.c" */
static node *name_or_attr(parser *p)
{
    pos s = parse_here(p);
    const sym *id = parse_name(p);
    node *n = NEW(p, Name, s, .id = id, .ctx = CTX_Load);
    uint32_t count = 0;
    for (; parse_accept(p, T_DOT); count++) {
        const sym *attr = parse_name(p);
        n = NEW(p, Attribute, s, .value = n, .attr = attr, .ctx = CTX_Load);
    }
    /* `a.b.c...` nests one Attribute per dot, as trailers does. */
    if (count > p->longest)
        p->longest = count;
    return n;
}

/* ---- classes ---- */

/* The arguments of a class pattern. kwd_attrs and kwd_patterns are as long as each other. */
typedef struct class_args {
    VEC(node *) patterns, kwd_patterns;
    VEC(const sym *) kwd_attrs;
} class_args;

/* One argument; positional patterns come before keyword patterns. */
static void class_arg(parser *p, class_args *args)
{
    arena *a = &p->c->module;
    /* The only place where two tokens decide: `x=p` is a keyword pattern, `x` a capture. */
    if (parse_at(p, T_NAME) && lex_peek(&p->lx) == T_EQUAL) {
        /* CPython takes this "_" for a positional pattern and then stumbles over "=". */
        if (args->patterns.n && !args->kwd_attrs.n && parse_is_soft(p, "_"))
            parse_fail(p);
        VEC_PUSH(a, &args->kwd_attrs, parse_name(p));
        parse_advance(p);
        VEC_PUSH(a, &args->kwd_patterns, pattern(p));
        return;
    }
    if (args->kwd_attrs.n)
        parse_fail(p);
    VEC_PUSH(a, &args->patterns, pattern(p));
}

/* "cls(p, attr=q)", the current token being the bracket. */
static node *class_pattern(parser *p, node *cls, pos s)
{
    class_args args = {0};
    parse_expect(p, T_LPAR);
    while (!parse_at(p, T_RPAR)) {
        class_arg(p, &args);
        if (!parse_accept(p, T_COMMA))
            break;
    }
    parse_expect(p, T_RPAR);
    WEFT_ASSERT(args.kwd_attrs.n == args.kwd_patterns.n);
    return NEW(p, MatchClass, s, .cls = cls, .patterns = {args.patterns.v, args.patterns.n},
               .kwd_attrs = {args.kwd_attrs.v, args.kwd_attrs.n},
               .kwd_patterns = {args.kwd_patterns.v, args.kwd_patterns.n});
}

/* "_" matches anything, "a.b" is a value, "a(...)" a class pattern, "a" a capture. */
static node *name_pattern(parser *p)
{
    pos s = parse_here(p);
    if (parse_is_soft(p, "_")) {
        parse_advance(p);
        return NEW(p, MatchAs, s, .pattern = NULL, .name = NULL);
    }
    node *n = name_or_attr(p);
    if (parse_at(p, T_LPAR))
        return class_pattern(p, n, s);
    /* A keyword pattern is read by class_arg alone. */
    if (parse_at(p, T_EQUAL))
        parse_fail(p);
    if (n->kind == AST_Attribute)
        return NEW(p, MatchValue, s, .value = n);
    return NEW(p, MatchAs, s, .pattern = NULL, .name = AST(Name, n)->id);
}

/* ---- sequences and mappings ---- */

/* Patterns from first on, up to the closing token (")", "]" or the ":" of the case) or the guard's
 * `if`. */
static node_list sequence_rest(parser *p, node *first, token_kind close)
{
    uint32_t mark = p->nodes.n;
    parse_push(p, first);
    while (parse_accept(p, T_COMMA) && !parse_at(p, close) && !parse_at(p, T_IF))
        parse_push(p, maybe_star_pattern(p));
    return parse_list(p, mark);
}

/* "[a, *b]"; an empty list is a pattern too. */
static node *list_pattern(parser *p)
{
    pos s = parse_here(p);
    node_list patterns = {0};
    parse_advance(p);
    if (!parse_at(p, T_RSQB))
        patterns = sequence_rest(p, maybe_star_pattern(p), T_RSQB);
    parse_expect(p, T_RSQB);
    return NEW(p, MatchSequence, s, .patterns = patterns);
}

/* "()" and "(a,)" are sequences, "(a)" is the pattern a. */
static node *group_pattern(parser *p)
{
    pos s = parse_here(p);
    parse_advance(p);
    if (parse_accept(p, T_RPAR))
        return NEW(p, MatchSequence, s, .patterns = {0});
    node *first = maybe_star_pattern(p);
    if (!parse_at(p, T_COMMA)) {
        /* `(*a)` is no pattern, `(*a,)` is a sequence. */
        if (first->kind == AST_MatchStar)
            parse_fail(p);
        parse_expect(p, T_RPAR);
        return first;
    }
    node_list patterns = sequence_rest(p, first, T_RPAR);
    parse_expect(p, T_RPAR);
    return NEW(p, MatchSequence, s, .patterns = patterns);
}

/* A key is a literal or a dotted name; a bare name would be a capture. */
static node *mapping_key(parser *p)
{
    switch (p->tok.kind) {
    case T_NUMBER:
    case T_MINUS: return number_literal(p);
    case T_STRING:
    case T_NONE:
    case T_TRUE:
    case T_FALSE: return parse_atom(p);
    default: break;
    }
    node *n = name_or_attr(p);
    if (n->kind != AST_Attribute)
        parse_fail(p);
    return n;
}

/* "{key: pattern, **rest}". Nothing may follow rest but a comma. */
static node *mapping_pattern(parser *p)
{
    pos s = parse_here(p);
    arena *a = &p->c->module;
    VEC(node *) keys = {0}, patterns = {0};
    const sym *rest = NULL;
    parse_advance(p);
    while (!parse_at(p, T_RBRACE) && !rest) {
        /* The loop ends after it, since rest is set. */
        if (parse_accept(p, T_DOUBLESTAR)) {
            rest = capture_target(p);
        } else {
            VEC_PUSH(a, &keys, mapping_key(p));
            parse_expect(p, T_COLON);
            VEC_PUSH(a, &patterns, pattern(p));
        }
        if (!parse_accept(p, T_COMMA))
            break;
    }
    parse_expect(p, T_RBRACE);
    WEFT_ASSERT(keys.n == patterns.n);
    return NEW(p, MatchMapping, s, .keys = {keys.v, keys.n}, .patterns = {patterns.v, patterns.n},
               .rest = rest);
}

/* ---- all of them ---- */

/* A pattern that needs no brackets as an operand of "|". The first token decides. */
static node *closed_pattern(parser *p)
{
    pos s = parse_here(p);
    switch (p->tok.kind) {
    case T_NUMBER:
    case T_MINUS: {
        node *value = number_literal(p);
        return NEW(p, MatchValue, s, .value = value);
    }
    /* f-strings are accepted here as CPython's grammar does; its compiler refuses them. */
    case T_STRING: {
        node *value = parse_strings(p);
        return NEW(p, MatchValue, s, .value = value);
    }
    case T_NONE: return singleton(p, CONST_NONE);
    case T_TRUE: return singleton(p, CONST_TRUE);
    case T_FALSE: return singleton(p, CONST_FALSE);
    case T_NAME: return name_pattern(p);
    case T_LPAR: return group_pattern(p);
    case T_LSQB: return list_pattern(p);
    case T_LBRACE: return mapping_pattern(p);
    default: parse_fail(p);
    }
}

/* "a | b | c" in one MatchOr. */
static node *or_pattern(parser *p)
{
    pos s = parse_here(p);
    node *first = closed_pattern(p);
    if (!parse_at(p, T_VBAR))
        return first;
    uint32_t mark = p->nodes.n;
    parse_push(p, first);
    while (parse_accept(p, T_VBAR))
        parse_push(p, closed_pattern(p));
    node_list patterns = parse_list(p, mark);
    return NEW(p, MatchOr, s, .patterns = patterns);
}

/* "a | b as c". Five of CPython's rules lie between two nested patterns. */
static node *pattern(parser *p)
{
    pos s = parse_here(p);
    parse_enter(p, 5);
    node *inner = or_pattern(p);
    parse_leave(p, 5);
    if (!parse_accept(p, T_AS))
        return inner;
    const sym *name = capture_target(p);
    return NEW(p, MatchAs, s, .pattern = inner, .name = name);
}

/* A pattern, or "*name" of a sequence; "*_" binds nothing. */
static node *maybe_star_pattern(parser *p)
{
    pos s = parse_here(p);
    if (!parse_accept(p, T_STAR))
        return pattern(p);
    const sym *name = NULL;
    if (parse_is_soft(p, "_"))
        parse_advance(p);
    else
        name = capture_target(p);
    return NEW(p, MatchStar, s, .name = name);
}

/* What stands after `case`: one pattern, or a sequence without brackets. */
static node *patterns(parser *p)
{
    pos s = parse_here(p);
    node *first = maybe_star_pattern(p);
    if (!parse_at(p, T_COMMA)) {
        if (first->kind == AST_MatchStar)
            parse_fail(p);
        return first;
    }
    node_list list = sequence_rest(p, first, T_COLON);
    return NEW(p, MatchSequence, s, .patterns = list);
}

/* "case pattern if guard:" and its block. */
node *parse_pattern_case(parser *p)
{
    pos s = parse_here(p);
    if (!parse_is_soft(p, "case"))
        parse_fail(p);
    parse_advance(p);
    node *pat = patterns(p);
    node *guard = parse_accept(p, T_IF) ? parse_named_expression(p) : NULL;
    parse_expect(p, T_COLON);
    node_list body = parse_block(p);
    return NEW(p, match_case, s, .pattern = pat, .guard = guard, .body = body);
}
