/* SPDX-License-Identifier: Apache-2.0 */
/* Operators of snippets, run: places, pointers, arithmetic, assignments. Types have been settled
 * while reading: both sides of an arithmetic operator have the type of its result. */
#include "native/native_internal.h"

void *native_eval_room(native_fn *f, nnode *n)
{
    (void)f;
    return n->room;
}

void *native_eval_var(native_fn *f, nnode *n)
{
    if (n->writes)
        n->var->set = true;
    else if (!n->var->set)
        native_fail(f, n, NATIVE_FAULT, "%.*s is read before it has a value", (int)n->var->name.n,
                    n->var->name.p);
    return n->var->at;
}

/* A local array as a pointer to its first element. */
void *native_eval_decayed(native_fn *f, nnode *n)
{
    (void)f;
    nvar *v = n->var;
    *(nptr *)n->room = (nptr){v->at, v->at, v->at + v->size, NULL};
    return n->room;
}

/* The data of an array. */
void *native_eval_data(native_fn *f, nnode *n)
{
    const array_view *v;
    memcpy(&v, native_eval(f, n->kid[0]), sizeof v);
    nptr p = {0};
    if (v && v->data)
        p = (nptr){v->data->bytes + v->offset, v->data->bytes, v->data->bytes + v->data->size,
                   v->data};
    *(nptr *)n->room = p;
    return n->room;
}

/* shape[k], strides[k]: `op` is 's' or 't'. */
void *native_eval_extent(native_fn *f, nnode *n)
{
    const array_view *v;
    memcpy(&v, native_eval(f, n->kid[0]), sizeof v);
    const num k = native_number(f, n->kid[1]);
    if (k.i < 0 || k.i > 3)
        native_fail(f, n, NATIVE_FAULT, "an array has four extents");
    int64_t x = 0;
    if (v && k.i < v->ndim)
        x = n->op == 's' ? v->shape[k.i] : v->strides[k.i];
    num_store(TYPE_INT32, n->room, (num){.i = x});
    return n->room;
}

void *native_eval_deref(native_fn *f, nnode *n)
{
    nptr p = *(const nptr *)native_eval(f, n->kid[0]);
    if (n->kid[1])
        p.at = (uint8_t *)((uintptr_t)p.at +
                           (uintptr_t)native_number(f, n->kid[1]).i * layout_size(n->type.t));
    return native_access(f, n, &p, n->type.t, n->writes);
}

/* A component of a composite; `offset`: bytes of one, `op`: how many there are. */
void *native_eval_component(native_fn *f, nnode *n)
{
    const int64_t k = native_number(f, n->kid[1]).i;
    uint8_t *at = native_eval(f, n->kid[0]);
    if (k < 0 || k >= n->op)
        native_fail(f, n, NATIVE_FAULT, "component %lld is out of bounds: there are %d",
                    (long long)k, n->op);
    return at + (size_t)k * n->offset;
}

void *native_eval_member(native_fn *f, nnode *n)
{
    return (uint8_t *)native_eval(f, n->kid[0]) + n->offset;
}

void *native_eval_address(native_fn *f, nnode *n)
{
    uint8_t *at = native_eval(f, n->kid[0]);
    const nnode *of = n->kid[0];
    while (of->kid[0] && (of->eval == native_eval_component || of->eval == native_eval_member))
        of = of->kid[0];
    nptr p = {at, at, at + native_size(n->kid[0]->type), NULL};
    if (of->eval == native_eval_deref) { /* of an element: the pointer's own bounds hold */
        p = *(const nptr *)of->kid[0]->room;
        p.at = at;
    }
    *(nptr *)n->room = p;
    return n->room;
}

/* Pointer + integer. */
void *native_eval_moved(native_fn *f, nnode *n)
{
    nptr p = *(const nptr *)native_eval(f, n->kid[0]);
    const int64_t k = native_number(f, n->kid[1]).i;
    const uintptr_t by = (uintptr_t)k * layout_size(n->type.t);
    p.at = (uint8_t *)((uintptr_t)p.at + (n->op == '-' ? 0 - by : by));
    *(nptr *)n->room = p;
    return n->room;
}

void *native_eval_same_address(native_fn *f, nnode *n)
{
    const uint8_t *a = ((const nptr *)native_eval(f, n->kid[0]))->at;
    const uint8_t *b = ((const nptr *)native_eval(f, n->kid[1]))->at;
    num_store(TYPE_BOOL, n->room, (num){.i = (a == b) == (n->op == NOP_EQ)});
    return n->room;
}

void *native_eval_not_null(native_fn *f, nnode *n)
{
    const nptr *p = native_eval(f, n->kid[0]);
    num_store(TYPE_BOOL, n->room, (num){.i = p->at != NULL});
    return n->room;
}

/* What the kid points to, as another type: reinterpret_cast<T &>(place). */
void *native_eval_as(native_fn *f, nnode *n)
{
    uint8_t *at = native_eval(f, n->kid[0]);
    if ((uintptr_t)at % layout_align(n->type.t))
        native_fail(f, n, NATIVE_FAULT, "an access that is not aligned");
    return at;
}

/* The same value under another type: a pointer to another type. */
void *native_eval_same(native_fn *f, nnode *n)
{
    return native_eval(f, n->kid[0]);
}

void *native_eval_comma(native_fn *f, nnode *n)
{
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

/* kid[0]: the place, kid[1]: the value, kid[2]: NULL, or what holds the place meanwhile. op 'p':
 * the result is the value before. */
void *native_eval_assign(native_fn *f, nnode *n)
{
    const size_t size = native_size(n->kid[0]->type);
    uint8_t *to;
    if (n->kid[2]) {
        to = native_eval(f, n->kid[0]);
        n->kid[2]->room = to;
        if (n->op == 'p')
            memcpy(n->room, to, size);
        memmove(to, native_eval(f, n->kid[1]), size);
        return n->op == 'p' ? n->room : to;
    }
    const void *from = native_eval(f, n->kid[1]);
    if (!n->kid[1]->place) { /* it may be computed anew while the place is found */
        to = native_eval(f, n->kid[0]);
        memmove(to, from, size);
        return to;
    }
    memcpy(n->room, from, size);
    to = native_eval(f, n->kid[0]);
    memcpy(to, n->room, size);
    return to;
}
