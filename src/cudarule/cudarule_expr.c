/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions in rules. The reader is a recursive descent over the rule's text, which yields the
 * text of CUDA C++ as it goes; there is no tree in between. Operators and calls are builtins of
 * Warp, so that the same rule serves all types that they take:
 *
 *     "a * b + c"    of floats   ->   x * y + z
 *     "a * b + c"    of halfs    ->   the same, where operators of __half round after each step
 *     "dot(a, b)"    of vec3     ->   dot(u, v), which is defined on the way
 *     "sum(a# * b#)" of vec3     ->   u.x * v.x + u.y * v.y + u.z * v.z
 *
 * Besides calls and operators there are
 *
 *     a#                      lane of a composite in each, sum, any, all, lanes
 *     sum(e)                  over all lanes; any(e), all(e) the same with || and &&
 *     least(e), greatest(e)   of the lanes of a vector
 *     lanes(e)                a composite made of e for each lane; with :x after the name, of that
 *                             code's type
 *     a.x a.p                 members; a[i], m[i][j] elements by numbers and variables of type int
 *     T(e)                    conversion, or construction, of a named type (cuda_named_type)
 *     LANES ROWS COLS         of the first composite argument; SWEEPS TINY by the precision
 *
 * A number takes the type of what it meets: "0.5 * a" is 0.5f * x of floats and 0.5 * x of
 * doubles. */
#include "base/ascii.h"
#include "base/assert.h"
#include "base/decimal.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_number.h"
#include "cudarule/cudarule_operator.h"
#include "cudarule/cudarule_reader.h"
#include "cudarule/cudarule_type.h"

/* The type of indices. */
static const type *int_type(const cuda_run *r)
{
    return type_scalar(r->n->c, TYPE_INT32);
}

/* An expression that has a type. */
static cuda_term term(cuda_expr e)
{
    return (cuda_term){.e = e};
}

/* A number without a type becomes a literal of the wanted type's scalar, or of the rule's. */
cuda_expr cuda_typed(cuda_run *r, const cuda_term *t, const type *want)
{
    if (t->e.type)
        return t->e;
    const type *s = want ? type_scalar_of(want) : NULL;
    return cuda_number(r->n, s ? s : r->b->scalar, t->number);
}

/* The type whose lanes a rule without ":x" goes through: the first composite argument, or the
 * result. */
static const type *main_composite(const cuda_run *r)
{
    for (uint32_t i = 0; i < r->b->nargs; i++)
        if (type_is_composite(r->b->args[i]))
            return r->b->args[i];
    return r->b->result;
}

/* Of decompositions: how many rounds, and what counts as zero. Warp 1.19 native/svd.h has the same
 * numbers for floats and doubles. */
static bool precision_constant(const cuda_run *r, str name, cuda_term *t)
{
    const bool is_double = r->b->scalar && r->b->scalar->kind == TYPE_FLOAT64;
    if (str_eq(name, STR("SWEEPS")))
        *t = (cuda_term){.number = is_double ? 8 : 4};
    else if (str_eq(name, STR("TINY")))
        *t = (cuda_term){.number = is_double ? 1e-12 : 1e-6};
    else
        return false;
    return true;
}

/* LANES, ROWS, COLS: numbers of the main composite. */
static bool size_constant(cuda_run *r, str name, cuda_term *t)
{
    const type *m = main_composite(r);
    const type *of = m && type_is_composite(m) ? m : NULL;
    int x;
    if (str_eq(name, STR("LANES")) && of)
        x = cuda_lanes(of);
    else if (str_eq(name, STR("ROWS")) && of)
        x = of->rows;
    else if (str_eq(name, STR("COLS")) && of)
        x = of->cols;
    else
        return false;
    *t = (cuda_term){.number = x};
    return true;
}

/* The type that a code of the pattern stands for: ":R", ":L". */
static const type *code_named(cuda_run *r, char code)
{
    return code == 'R' ? r->b->result : r->b->of[(uint8_t)code];
}

/* Whose lanes: "(" or ":x(" follows. */
static const type *lanes_type(cuda_run *r)
{
    const type *t = main_composite(r);
    if (cuda_accept(r, ":")) {
        t = code_named(r, *r->p);
        r->p++;
    }
    cuda_expect(r, "(");
    return t;
}

/* Lanes with names of their own are written out; others are gone through by loops. */
static bool in_line(const type *t)
{
    return cuda_has_letters(t) || t->kind == TYPE_TRANSFORM;
}

/* The expression at `from` for lane k; -1: for the lane of the surrounding loop. Reads the same
 * text again for each lane. */
static cuda_expr lane_expr(cuda_run *r, const char *from, int k, const type *want)
{
    const int outer = r->lane;
    r->p = from;
    r->lane = k;
    const cuda_term t = cuda_term_read(r);
    r->lane = outer;
    return cuda_typed(r, &t, want);
}

/* "sum", "sum2", ...: a variable of the rule's function that no other one has. */
static str temporary(cuda_run *r, const char *name)
{
    WEFT_ASSERT(!r->in_place);
    r->temps++;
    return r->temps == 1 ? str_c(name)
                         : cuda_text(r->n, "@@", str_c(name), cuda_decimal(r->n, r->temps));
}

/* a op b op c in line, or a loop that adds up in a variable:
 *
 *     sum(a# * b#) of vec2    a.x * b.x + a.y * b.y
 *     sum(a# * b#) of vec6    float sum = 0.0f;
 *                             for (int i = 0; i < 6; i++)
 *                                 sum += a.c[i] * b.c[i];        and the expression is "sum"
 *
 * Sums begin with zero in the loop and with lane 0 in line, which is the same unless lane 0 is
 * -0. */
static cuda_term fold(cuda_run *r, const char *name, const char *op, cuda_prec prec)
{
    const type *t = lanes_type(r);
    const char *from = r->p;
    cuda_expr e = lane_expr(r, from, 0, NULL);
    if (in_line(t) || t->rows * (t->kind == TYPE_MAT ? t->cols : 1) == 1) {
        for (int k = 1; k < cuda_lanes(t); k++) {
            const cuda_expr next = lane_expr(r, from, k, NULL);
            const str text = cuda_text(r->n, "@ @ @", cuda_operand(r->n, &e, prec), str_c(op),
                                       cuda_operand(r->n, &next, (cuda_prec)(prec + 1)));
            e = cuda_expr_of(text, e.type, prec);
            if (prec == CUDA_ADD && e.type->kind >= TYPE_INT8 && e.type->kind <= TYPE_UINT16)
                e = cuda_narrowed(r->n, e.type, &e);
        }
        cuda_expect(r, ")");
        return term(e);
    }
    const str sum = temporary(r, name);
    const bool adds = prec == CUDA_ADD;
    cuda_put_line(r, cuda_text(r->n, "@ @ = @", cuda_type_name(r->n, e.type), sum,
                               adds ? cuda_number(r->n, e.type, 0).text
                                    : (prec == CUDA_OR ? STR("false") : STR("true"))));
    cuda_codes *const outer = r->out;
    cuda_put_loops(r, t, 0);
    const cuda_expr next = lane_expr(r, from, -1, NULL);
    cuda_put_line(r, adds ? cuda_text(r->n, "@ += @", sum, next.text)
                          : cuda_text(r->n, "@ = @ @ @", sum, sum, str_c(op),
                                      cuda_operand(r->n, &next, (cuda_prec)(prec + 1))));
    r->out = outer;
    cuda_expect(r, ")");
    return term(cuda_expr_of(sum, e.type, CUDA_PRIMARY));
}

/* min(min(a, b), c) in line, or a loop that begins with lane 0. */
static cuda_term extremum(cuda_run *r, const char *name)
{
    const type *t = lanes_type(r);
    const char *from = r->p;
    cuda_expr e = lane_expr(r, from, 0, NULL);
    if (in_line(t)) {
        for (int k = 1; k < cuda_lanes(t); k++)
            e = r->n->resolver->call(r->n, str_c(name), NULL,
                                     (cuda_expr[]){e, lane_expr(r, from, k, NULL)}, 2);
        cuda_expect(r, ")");
        return term(e);
    }
    const cuda_expr best = cuda_expr_of(temporary(r, "best"), e.type, CUDA_PRIMARY);
    cuda_put_line(r, cuda_text(r->n, "@ @ = @", cuda_type_name(r->n, e.type), best.text, e.text));
    cuda_codes *const outer = r->out;
    cuda_put_loops(r, t, 1);
    const cuda_expr next = lane_expr(r, from, -1, NULL);
    const cuda_expr better =
        r->n->resolver->call(r->n, str_c(name), NULL, (cuda_expr[]){best, next}, 2);
    cuda_put_line(r, cuda_text(r->n, "@ = @", best.text, better.text));
    r->out = outer;
    cuda_expect(r, ")");
    return term(best);
}

/* T{e0, e1, e2}, or a variable r that a loop fills, which is then the expression. */
static cuda_term lanes(cuda_run *r)
{
    const type *t = lanes_type(r);
    const char *from = r->p;
    const str name = cuda_type_name(r->n, t);
    if (!cuda_has_letters(t)) {
        const str made = temporary(r, "r");
        cuda_put_line(r, cuda_text(r->n, "@ @", name, made));
        if (t->kind == TYPE_TRANSFORM) {
            for (int k = 0; k < 7; k++)
                cuda_put_line(r, cuda_text(r->n, "@@ = @", made, cuda_lane(r->n, t, k),
                                           lane_expr(r, from, k, t->elem).text));
        } else {
            cuda_codes *const outer = r->out;
            cuda_put_loops(r, t, 0);
            cuda_put_line(r, cuda_text(r->n, "@@ = @", made, cuda_lane_in_loop(r->n, t),
                                       lane_expr(r, from, -1, t->elem).text));
            r->out = outer;
        }
        cuda_expect(r, ")");
        return term(cuda_expr_of(made, t, CUDA_PRIMARY));
    }
    cuda_expr items[4];
    const int n = cuda_lanes(t);
    WEFT_ASSERT(n <= 4);
    for (int k = 0; k < n; k++)
        items[k] = lane_expr(r, from, k, t->elem);
    cuda_expect(r, ")");
    return term(cuda_braces(r->n, t, name, STR(""), items, (uint32_t)n));
}

/* Reads up to and with ")". */
static uint32_t arguments(cuda_run *r, cuda_term *args)
{
    uint32_t n = 0;
    while (!cuda_accept(r, ")")) {
        WEFT_ASSERT(n < CUDA_ARGS_MAX);
        args[n++] = cuda_term_read(r);
        cuda_accept(r, ",");
    }
    return n;
}

/* Numbers take the scalar type of the first argument that has one. */
static uint32_t typed_arguments(cuda_run *r, const type *want, cuda_expr *out)
{
    cuda_term args[CUDA_ARGS_MAX];
    const uint32_t n = arguments(r, args);
    for (uint32_t i = 0; i < n && !want; i++)
        if (args[i].e.type && type_is_value(args[i].e.type))
            want = args[i].e.type;
    for (uint32_t i = 0; i < n; i++)
        out[i] = cuda_typed(r, &args[i], want);
    return n;
}

/* A word before "(": a form of this language, a type, or a builtin. */
static cuda_term call(cuda_run *r, str name)
{
    cuda_expr args[CUDA_ARGS_MAX];
    if (str_eq(name, STR("sum")))
        return fold(r, "sum", "+", CUDA_ADD);
    if (str_eq(name, STR("any")))
        return fold(r, "any", "||", CUDA_OR);
    if (str_eq(name, STR("all")))
        return fold(r, "all", "&&", CUDA_AND);
    if (str_eq(name, STR("least")) || str_eq(name, STR("greatest")))
        return extremum(r, name.p[0] == 'l' ? "min" : "max");
    if (str_eq(name, STR("lanes")))
        return lanes(r);
    cuda_expect(r, "(");
    const type *t = cuda_named_type(r, name);
    const uint32_t n = typed_arguments(r, t, args);
    const cuda_expr e = t ? r->n->resolver->construct(r->n, t, args, n)
                          : r->n->resolver->call(r->n, name, NULL, args, n);
    WEFT_ASSERT(e.prec != CUDA_NO_FORM);
    return term(e);
}

/* A number's sign is part of it; other expressions are negated by the builtin. */
static cuda_term negated(cuda_run *r, cuda_term t)
{
    if (!t.e.type)
        return (cuda_term){.number = -t.number};
    return term(r->n->resolver->call(r->n, STR("neg"), NULL, &t.e, 1));
}

/* "(x)" of a placeholder: the operand stands in parentheses unless it is a name, a call or the
 * like. Rules use it where the operand stands beside && or ?:. */
static cuda_expr parenthesized(cuda_defs *n, const cuda_expr *x)
{
    return cuda_expr_of(cuda_operand(n, x, CUDA_POSTFIX), x->type, CUDA_PRIMARY);
}

/* A number, an expression in parentheses, a variable, a constant of the rule, or a call. */
static cuda_term primary(cuda_run *r)
{
    cuda_skip_space(r);
    if (ascii_is_digit(*r->p) || (*r->p == '.' && ascii_is_digit(r->p[1]))) {
        const char *end;
        const double x = decimal_read_double(r->p, &end);
        r->p = end;
        return (cuda_term){.number = x};
    }
    if (cuda_accept(r, "(")) {
        const cuda_term t = cuda_term_read(r);
        cuda_expect(r, ")");
        return t.e.operand ? term(parenthesized(r->n, &t.e)) : t;
    }
    const str name = cuda_word(r);
    WEFT_ASSERT(name.n);
    cuda_term t;
    const cuda_var *v = cuda_var_find(r, name);
    if (v)
        return term(v->e);
    if (size_constant(r, name, &t) || precision_constant(r, name, &t))
        return t;
    if (str_eq(name, STR("true")) || str_eq(name, STR("false")))
        return term(cuda_expr_of(name, type_scalar(r->n->c, TYPE_BOOL), CUDA_PRIMARY));
    return call(r, name);
}

/* a[i] and m[i][j]. Constant indices of letters give members, others the builtin `extract`. Local
 * arrays of a rule ("float level[4];") are indexed as in C. */
static cuda_term indexed(cuda_run *r, cuda_term t, const cuda_var *v)
{
    cuda_expect(r, "[");
    const cuda_term at = cuda_term_read(r);
    const cuda_expr i = cuda_typed(r, &at, int_type(r));
    cuda_expect(r, "]");
    if (v && v->is_array)
        return term(
            cuda_expr_of(cuda_text(r->n, "@[@]", t.e.text, i.text), t.e.type, CUDA_POSTFIX));
    const type *of = t.e.type;
    if (of->kind != TYPE_MAT) {
        if (!at.e.type)
            return term(cuda_lane_of(r->n, &t.e, (int)at.number));
        if (!cuda_has_letters(of))
            return term(
                cuda_expr_of(cuda_text(r->n, "@.c[@]", cuda_before_member(r->n, &t.e), i.text),
                             of->elem, CUDA_POSTFIX));
        return term(r->n->resolver->call(r->n, STR("extract"), of->elem, (cuda_expr[]){t.e, i}, 2));
    }
    cuda_expect(r, "[");
    const cuda_term second = cuda_term_read(r);
    const cuda_expr j = cuda_typed(r, &second, int_type(r));
    cuda_expect(r, "]");
    const str base = cuda_before_member(r->n, &t.e);
    return term(
        cuda_expr_of(cuda_text(r->n, "@.m[@][@]", base, i.text, j.text), of->elem, CUDA_POSTFIX));
}

/* a.x, a.p, a.q. */
static cuda_term member(cuda_run *r, cuda_term t)
{
    const str name = cuda_word(r);
    static const char letters[] = "xyzw";
    const type *of = t.e.type, *part = of->elem;
    const char *letter = name.n == 1 && cuda_has_letters(of) ? strchr(letters, name.p[0]) : NULL;
    if (letter)
        return term(cuda_lane_of(r->n, &t.e, (int)(letter - letters)));
    if (of->kind == TYPE_TRANSFORM)
        part = name.p[0] == 'p' ? type_vec(r->n->c, of->elem, 3) : type_quat(r->n->c, of->elem);
    return term(cuda_expr_of(cuda_text(r->n, "@.@", cuda_before_member(r->n, &t.e), name), part,
                             CUDA_POSTFIX));
}

/* A primary and what follows it without a blank: members, indices, '#'. */
static cuda_term postfix(cuda_run *r)
{
    cuda_skip_space(r);
    const char *from = r->p;
    const str word = cuda_word(r);
    const cuda_var *v = word.n ? cuda_var_find(r, word) : NULL;
    r->p = from;
    cuda_term t = primary(r);
    for (;;) {
        if (*r->p == '.') {
            r->p++;
            t = member(r, t);
        } else if (*r->p == '[') {
            t = indexed(r, t, v);
        } else if (*r->p == '#') {
            r->p++;
            if (type_is_composite(t.e.type))
                t = term(cuda_lane_of(r->n, &t.e, r->lane));
        } else {
            return t;
        }
        v = NULL;
    }
}

/* Signs bind closer than any infix operator. */
static cuda_term unary(cuda_run *r)
{
    if (cuda_accept(r, "-"))
        return negated(r, unary(r));
    if (cuda_accept(r, "!")) {
        const cuda_term t = unary(r);
        return term(cuda_not(r->n, &t.e));
    }
    if (cuda_accept(r, "~")) {
        const cuda_term t = unary(r);
        return term(r->n->resolver->call(r->n, STR("invert"), NULL, &t.e, 1));
    }
    return postfix(r);
}

/* An infix operator: its symbol, the builtin that it stands for, and how closely it binds (higher
 * is closer), as in C. */
typedef struct infix {
    const char *symbol, *name; /* name NULL: a comparison, or && and || */
    int level;
} infix;

/* Longer symbols first. */
static const infix infixes[] = {
    {"||", NULL, 1},     {"&&", NULL, 2},     {"==", NULL, 6},    {"!=", NULL, 6},
    {"<<", "lshift", 8}, {">>", "rshift", 8}, {"<=", NULL, 7},    {">=", NULL, 7},
    {"<", NULL, 7},      {">", NULL, 7},      {"|", "bit_or", 3}, {"^", "bit_xor", 4},
    {"&", "bit_and", 5}, {"+", "add", 9},     {"-", "sub", 9},    {"*", "mul", 10},
    {"/", "div", 10},    {"%", "mod", 10},
};

/* The operator at r->p, which is then behind it; NULL: none that binds at least so. "+=" is no
 * operator of an expression. */
static const infix *infix_next(cuda_run *r, int least)
{
    cuda_skip_space(r);
    for (size_t i = 0; i < sizeof infixes / sizeof *infixes; i++) {
        if (*r->p != infixes[i].symbol[0])
            continue;
        const size_t n = strlen(infixes[i].symbol);
        if (strncmp(r->p, infixes[i].symbol, n) != 0)
            continue;
        if (infixes[i].level < least || (infixes[i].name && r->p[n] == '='))
            return NULL;
        r->p += n;
        return &infixes[i];
    }
    return NULL;
}

/* && beside || gets parentheses, as compilers ask with -Wparentheses. */
static cuda_expr logical(cuda_run *r, const infix *op, const cuda_expr *a, const cuda_expr *b)
{
    const bool is_or = op->symbol[0] == '|';
    const cuda_prec prec = is_or ? CUDA_OR : CUDA_AND;
    const cuda_prec left = is_or && a->prec == CUDA_AND ? CUDA_BIT_OR : prec;
    return cuda_expr_of(cuda_text(r->n, "@ @ @", cuda_operand(r->n, a, left), str_c(op->symbol),
                                  cuda_operand(r->n, b, CUDA_BIT_OR)),
                        type_scalar(r->n->c, TYPE_BOOL), prec);
}

/* Numbers that meet are computed in double. */
static double computed(char op, double a, double b)
{
    WEFT_ASSERT(strchr("+-*/", op));
    return op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : a / b;
}

/* x - 1 of a placeholder: if the caller's operand is a number in the end, the difference is
 * printed. So the adjoint of pow(x, 3.0) has pow(x, 2.0). */
static cuda_expr less_one(cuda_defs *n, const cuda_expr *x)
{
    const cuda_hole h = {x->operand - 1, CUDA_ADD, CUDA_WHOLE, x->type};
    return cuda_expr_of(cuda_hole_text(n, h), x->type, CUDA_ADD);
}

/* The result of an operator. */
static cuda_term combined(cuda_run *r, const infix *op, const cuda_term *a, const cuda_term *b)
{
    if (!a->e.type && !b->e.type)
        return (cuda_term){.number = computed(op->symbol[0], a->number, b->number)};
    const cuda_expr x = cuda_typed(r, a, b->e.type), y = cuda_typed(r, b, a->e.type);
    if (op->level <= 2)
        return term(logical(r, op, &x, &y));
    const bool is_wide = x.type->kind == TYPE_FLOAT32 || x.type->kind == TYPE_FLOAT64;
    if (x.operand && is_wide && op->symbol[0] == '-' && !b->e.type && b->number == 1)
        return term(less_one(r->n, &x));
    if (!op->name)
        return term(cuda_compare(r->n, str_c(op->symbol), &x, &y));
    const cuda_expr e = r->n->resolver->call(r->n, str_c(op->name), NULL, (cuda_expr[]){x, y}, 2);
    WEFT_ASSERT(e.prec != CUDA_NO_FORM);
    return term(e);
}

/* Precedence climbing: reads operators that bind at least `least`. The right operand is read one
 * level higher, so that operators of one level group from the left. */
static cuda_term infix_read(cuda_run *r, int least)
{
    cuda_term a = unary(r);
    for (const infix *op; (op = infix_next(r, least));) {
        const cuda_term b = infix_read(r, op->level + 1);
        a = combined(r, op, &a, &b);
    }
    return a;
}

/* An expression, a choice c ? a : b included. */
cuda_term cuda_term_read(cuda_run *r)
{
    const cuda_term c = infix_read(r, 1);
    if (!cuda_accept(r, "?"))
        return c;
    const cuda_term a = cuda_term_read(r);
    cuda_expect(r, ":");
    const cuda_term b = cuda_term_read(r);
    const cuda_expr x = cuda_typed(r, &a, b.e.type), y = cuda_typed(r, &b, a.e.type);
    const str text = cuda_text(r->n, "@ ? @ : @", cuda_operand(r->n, &c.e, CUDA_OR),
                               cuda_operand(r->n, &x, CUDA_OR), cuda_operand(r->n, &y, CUDA_COND));
    const cuda_expr choice = cuda_expr_of(text, x.type, CUDA_COND);
    const bool narrow = x.type->kind >= TYPE_INT8 && x.type->kind <= TYPE_UINT16;
    if (narrow && (!a.e.type || !b.e.type)) /* C computes it in int */
        return term(cuda_narrowed(r->n, x.type, &choice));
    return term(choice);
}
