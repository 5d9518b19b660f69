/* SPDX-License-Identifier: Apache-2.0 */
/* Operators of snippets, run: pointers, casts, arithmetic. Types have been settled while reading:
 * both sides of an arithmetic operator have the type of its result. */
#include "native/native_internal.h"

void *native_eval_room(native_fn *f, nnode *n)
{
    (void)f;
    return n->room;
}

/* --- pointers */

static nptr pointer(native_fn *f, nnode *n)
{
    nptr p;
    memcpy(&p, native_eval(f, n), sizeof p);
    return p;
}

/* Pointer + integer. */
void *native_eval_moved(native_fn *f, nnode *n)
{
    nptr p = pointer(f, n->kid[0]);
    const int64_t k = native_number(f, n->kid[1]).i;
    const int64_t by = n->op == '-' ? (int64_t)(0 - (uint64_t)k) : k;
    p = native_moved(f, n, p, by, layout_size(n->type.t));
    memcpy(n->room, &p, sizeof p);
    return n->room;
}

void *native_eval_same_address(native_fn *f, nnode *n)
{
    const nptr a = pointer(f, n->kid[0]), b = pointer(f, n->kid[1]);
    const bool same = a.object == b.object && a.at == b.at;
    num_store(TYPE_BOOL, n->room, (num){.i = same == (n->op == NOP_EQ)});
    return n->room;
}

void *native_eval_not_null(native_fn *f, nnode *n)
{
    num_store(TYPE_BOOL, n->room, (num){.i = pointer(f, n->kid[0]).object != 0});
    return n->room;
}

/* The same value under another type: a pointer to another type. */
void *native_eval_same(native_fn *f, nnode *n)
{
    return native_eval(f, n->kid[0]);
}

/* A cast between scalars. */
void *native_eval_cast(native_fn *f, nnode *n)
{
    const type_kind from = (type_kind)n->kid[0]->type.t->kind, to = (type_kind)n->type.t->kind;
    const num x = native_number(f, n->kid[0]);
    if (to != TYPE_BOOL && !num_fits(to, from, x))
        native_fail(f, n, NATIVE_UNSPECIFIED, "conversion out of range in native code");
    num_store(to, n->room,
              to == TYPE_BOOL ? (num){.i = num_truth(from, x)} : num_cast(to, from, x));
    return n->room;
}

/* --- the order of evaluation */

void *native_eval_comma(native_fn *f, nnode *n)
{
    if (n->kid[0]->find)
        native_find(f, n->kid[0]);
    else
        native_eval(f, n->kid[0]);
    return native_eval(f, n->kid[1]);
}

void *native_eval_choice(native_fn *f, nnode *n)
{
    return native_eval(f, native_number(f, n->kid[0]).i ? n->kid[1] : n->kid[2]);
}

void *native_eval_both(native_fn *f, nnode *n)
{
    bool x = native_number(f, n->kid[0]).i != 0;
    if (x == (n->op == '&'))
        x = native_number(f, n->kid[1]).i != 0;
    num_store(TYPE_BOOL, n->room, (num){.i = x});
    return n->room;
}

/* --- arithmetic */

void *native_eval_unary(native_fn *f, nnode *n)
{
    const type_kind k = (type_kind)n->type.t->kind;
    num x = native_number(f, n->kid[0]);
    if (n->op == '!')
        x.i = !x.i;
    else if (n->op == '~')
        x = num_wrap(k, (num){.i = ~x.i});
    else if (n->op == '-' && type_is_float(n->type.t))
        x.f = -x.f;
    else if (n->op == '-')
        x = num_binary(k, SCALAR_SUB, (num){.i = 0}, x);
    num_store(k, n->room, x);
    return n->room;
}

void *native_eval_compare(native_fn *f, nnode *n)
{
    const type_kind k = (type_kind)n->kid[0]->type.t->kind;
    const num a = native_number(f, n->kid[0]), b = native_number(f, n->kid[1]);
    const char *op = n->op == NOP_LE   ? "<="
                     : n->op == NOP_GE ? ">="
                     : n->op == NOP_EQ ? "=="
                     : n->op == NOP_NE ? "!="
                     : n->op == '<'    ? "<"
                                       : ">";
    num_store(TYPE_BOOL, n->room, (num){.i = num_compare(op, k, a, k, b)});
    return n->room;
}

static num divided(native_fn *f, const nnode *n, num a, num b)
{
    const type_kind k = (type_kind)n->type.t->kind;
    const bool is_unsigned = k == TYPE_UINT32 || k == TYPE_UINT64;
    if (!b.i)
        native_fail(f, n, NATIVE_FAULT, "an integer is divided by zero");
    if (!is_unsigned && b.i == -1) {
        if (a.i == (k == TYPE_INT32 ? INT32_MIN : INT64_MIN))
            native_fail(f, n, NATIVE_FAULT, "the smallest integer is divided by -1");
        return (num){.i = n->op == '/' ? -a.i : 0};
    }
    if (is_unsigned)
        return (num){.i = (int64_t)(n->op == '/' ? (uint64_t)a.i / (uint64_t)b.i
                                                 : (uint64_t)a.i % (uint64_t)b.i)};
    return (num){.i = n->op == '/' ? a.i / b.i : a.i % b.i};
}

static num shifted(native_fn *f, const nnode *n, num a, num b)
{
    const type_kind k = (type_kind)n->type.t->kind;
    const int64_t bits = k == TYPE_INT32 || k == TYPE_UINT32 ? 32 : 64;
    if (b.i < 0 || b.i >= bits)
        native_fail(f, n, NATIVE_UNSPECIFIED, "shift out of range: by %lld bits", (long long)b.i);
    if (n->op == NOP_SHL)
        return num_wrap(k, (num){.i = (int64_t)((uint64_t)a.i << b.i)});
    return (num){.i = k == TYPE_UINT64 ? (int64_t)((uint64_t)a.i >> b.i) : a.i >> b.i};
}

static num of_floats(type_kind k, int op, double a, double b)
{
    const double x = op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : a / b;
    return num_wrap(k, (num){.f = x});
}

void *native_eval_binary(native_fn *f, nnode *n)
{
    const type_kind k = (type_kind)n->type.t->kind;
    const num a = native_number(f, n->kid[0]), b = native_number(f, n->kid[1]);
    num x;
    if (type_is_float(n->type.t))
        x = of_floats(k, n->op, a.f, b.f);
    else if (n->op == '*')
        x = num_wrap(k, (num){.i = (int64_t)((uint64_t)a.i * (uint64_t)b.i)});
    else if (n->op == '/' || n->op == '%')
        x = divided(f, n, a, b);
    else if (n->op == NOP_SHL || n->op == NOP_SHR)
        x = shifted(f, n, a, b);
    else
        x = num_binary(k,
                       n->op == '+'   ? SCALAR_ADD
                       : n->op == '-' ? SCALAR_SUB
                       : n->op == '&' ? SCALAR_AND
                       : n->op == '|' ? SCALAR_OR
                                      : SCALAR_XOR,
                       a, b);
    num_store(k, n->room, x);
    return n->room;
}
