/* SPDX-License-Identifier: Apache-2.0 */
/* Operators of scalars of one type. Warp computes in the type itself, C in int at least, so results
 * of narrow integers are converted back.
 *
 *     add(a, b) of ints             ->   a + b
 *     add(a, b) of signed chars     ->   (signed char)(a + b)
 *     mul(a + b, c)                 ->   (a + b) * c
 *     neg(-a)                       ->   -(-a)
 *     pos(a)                        ->   a
 *
 * Also for rules, whose operators are these builtins, and for overloaded operators of composites,
 * whose symbols and precedences are the same (cuda_symbol). */
#include "cudarule/cudarule_operator.h"

#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_number.h"

/* A row: Warp's name, CUDA's symbol, operands, precedence, and whether it takes integers and
 * floats. */
typedef struct operator_form {
    const char *name, *symbol;
    uint32_t nargs;
    cuda_prec prec;
    bool integers, floats;
} operator_form;

/* Warp's name, CUDA's symbol, operands, precedence, whether it takes integers and floats. */
static const operator_form forms[] = {
    {"add", "+", 2, CUDA_ADD, true, true},          {"approx_div", "/", 2, CUDA_MUL, false, true},
    {"bit_and", "&", 2, CUDA_BIT_AND, true, false}, {"bit_or", "|", 2, CUDA_BIT_OR, true, false},
    {"bit_xor", "^", 2, CUDA_BIT_XOR, true, false}, {"div", "/", 2, CUDA_MUL, true, true},
    {"div_approx", "/", 2, CUDA_MUL, false, true},  {"invert", "~", 1, CUDA_UNARY, true, false},
    {"lshift", "<<", 2, CUDA_SHIFT, true, false},   {"mod", "%", 2, CUDA_MUL, true, false},
    {"mul", "*", 2, CUDA_MUL, true, true},          {"neg", "-", 1, CUDA_UNARY, true, true},
    {"pos", "+", 1, CUDA_UNARY, true, true},        {"rshift", ">>", 2, CUDA_SHIFT, true, false},
    {"sub", "-", 2, CUDA_ADD, true, true},
};

/* The operator's row by name and number of operands: "-" is two of them. */
static const operator_form *form_find(str name, uint32_t nargs)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].nargs == nargs && str_eq(name, str_c(forms[i].name)))
            return &forms[i];
    return NULL;
}

/* "==" is no builtin of scalars here, but an operator that composites overload. */
const char *cuda_symbol(str name, uint32_t nargs)
{
    const operator_form *f = form_find(name, nargs);
    return f ? f->symbol : str_eq(name, STR("==")) ? "==" : NULL;
}

cuda_prec cuda_symbol_prec(const char *symbol, uint32_t nargs)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].nargs == nargs && strcmp(symbol, forms[i].symbol) == 0)
            return forms[i].prec;
    return CUDA_EQUAL;
}

/* Does C compute the type in int? */
static bool is_narrow(const type *t)
{
    return t->kind >= TYPE_INT8 && t->kind <= TYPE_UINT16;
}

/* Operands that bind as closely stand without parentheses on the left only: a - b - c, a - (b - c).
 * g++ warns without parentheses where operators of bits and shifts meet others (-Wparentheses). */
static cuda_expr binary(cuda_defs *n, const operator_form *f, const cuda_expr *a,
                        const cuda_expr *b)
{
    WEFT_ASSERT(f->nargs == 2);
    const bool bits = f->prec <= CUDA_SHIFT;
    const cuda_prec left = bits && a->prec != f->prec ? CUDA_UNARY : f->prec;
    const cuda_prec right = bits ? CUDA_UNARY : (cuda_prec)(f->prec + 1);
    const str text = cuda_text(n, "@ @ @", cuda_operand(n, a, left), str_c(f->symbol),
                               cuda_operand(n, b, right));
    return cuda_expr_of(text, a->type, f->prec);
}

/* A minus sign before another one needs parentheses: "--" is a different operator. */
static cuda_expr unary(cuda_defs *n, const operator_form *f, const cuda_expr *a)
{
    WEFT_ASSERT(f->nargs == 1);
    if (f->symbol[0] == '+')
        return *a;
    const str x = cuda_operand(n, a, a->operand ? CUDA_POSTFIX : CUDA_UNARY);
    const bool minus = f->symbol[0] == '-';
    const char *pattern = minus && cuda_begins_with_minus(a) ? "@(@)" : "@@";
    cuda_expr e = cuda_expr_of(cuda_text(n, pattern, str_c(f->symbol), x), a->type, CUDA_UNARY);
    e.negates = minus ? cuda_kept(n, a) : NULL;
    return e;
}

/* cuda_in_parentheses finds a in the result, so that "if (!(...))" can be turned around. */
cuda_expr cuda_not(cuda_defs *n, const cuda_expr *a)
{
    const str x = cuda_operand(n, a, a->operand ? CUDA_POSTFIX : CUDA_UNARY);
    cuda_expr e = cuda_expr_of(cuda_text(n, "!@", x), type_scalar(n->c, TYPE_BOOL), CUDA_UNARY);
    e.inverts = cuda_kept(n, a);
    return e;
}

/* CUDA_NONE: no operator, or operands that are no scalars of one type. */
cuda_expr cuda_operator(cuda_defs *n, str name, const cuda_expr *args, uint32_t nargs)
{
    const operator_form *f = form_find(name, nargs);
    const type *t = args[0].type;
    if (!f || !type_is_scalar(t) || (nargs == 2 && !type_equal(t, args[1].type)) ||
        !(type_is_float(t) ? f->floats : f->integers && type_is_integer(t)))
        return CUDA_NONE;
    const cuda_expr e = nargs == 2 ? binary(n, f, &args[0], &args[1]) : unary(n, f, &args[0]);
    const bool unchanged = nargs == 1 && f->symbol[0] == '+';
    return is_narrow(t) && !unchanged ? cuda_narrowed(n, t, &e) : e;
}

/* Comparisons beside comparisons stand in parentheses, as compilers ask. */
cuda_expr cuda_compare(cuda_defs *n, str op, const cuda_expr *a, const cuda_expr *b)
{
    const cuda_prec prec = op.p[0] == '=' || op.p[0] == '!' ? CUDA_EQUAL : CUDA_COMPARE;
    return cuda_expr_of(
        cuda_text(n, "@ @ @", cuda_operand(n, a, CUDA_SHIFT), op, cuda_operand(n, b, CUDA_SHIFT)),
        type_scalar(n->c, TYPE_BOOL), prec);
}
