/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of snippets that reach memory: elements of arrays, atomics, copies.
 *
 *     wp::address(values, i, j)       a pointer to an element, its indices checked
 *     atomicMax(p, x)                 on what p points to; threads run one after another
 *     wp::atomic_add(values, i, x)
 *     memcpy(&bits, &x, sizeof(x)) */
#include "native/native_internal.h"

/* --- elements */

/* args[0] is the array. A negative index counts from the end. */
static void *eval_element(native_fn *f, nnode *n)
{
    const array_view *v = native_view(f, native_eval(f, n->args[0]));
    const uint32_t ndim = n->nargs - 1;
    if (!v || !v->data || v->ndim != (int)ndim)
        native_fail(f, n, NATIVE_FAULT, "an array has not these dimensions");
    nptr p = {.object = native_object_of(f, v->data), .at = v->offset};
    for (uint32_t k = 0; k < ndim; k++) {
        const int64_t i = native_number(f, n->args[1 + k]).i, size = v->shape[k];
        if (i < -size || i >= size)
            native_fail(f, n, NATIVE_FAULT,
                        "index %lld is out of bounds for dimension %u of array %s, of size %lld",
                        (long long)i, k, v->data->name ? v->data->name : "?", (long long)size);
        p.at += (i < 0 ? i + size : i) * v->strides[k];
    }
    memcpy(n->room, &p, sizeof p);
    return n->room;
}

nnode *native_element(nreader *r, nnode **args, uint32_t n)
{
    if (n < 2 || n > 5 || !native_is_array(args[0]->type))
        native_refuse(r, "such a use of an array");
    nnode *to = native_node(r, eval_element, (ntype){.t = args[0]->type.t->elem, .ptr = true});
    const ntype index = {.t = type_scalar(r->c, TYPE_INT32)};
    for (uint32_t i = 1; i < n; i++)
        args[i] = native_convert(r, args[i], index);
    native_args(r, to, args, n);
    return to;
}

/* --- atomics */

typedef enum atomic_op {
    NA_ADD = SCALAR_ADD,
    NA_SUB = SCALAR_SUB,
    NA_MIN = SCALAR_MIN,
    NA_MAX = SCALAR_MAX,
    NA_AND = SCALAR_AND,
    NA_OR = SCALAR_OR,
    NA_XOR = SCALAR_XOR,
    NA_EXCH,
    NA_CAS
} atomic_op;

/* Sets of kinds. */
enum {
    I32 = 1 << TYPE_INT32,
    U32 = 1 << TYPE_UINT32,
    I64 = 1 << TYPE_INT64,
    U64 = 1 << TYPE_UINT64,
    F16 = 1 << TYPE_FLOAT16,
    F32 = 1 << TYPE_FLOAT32,
    F64 = 1 << TYPE_FLOAT64,
    INTS = I32 | U32 | I64 | U64,
    BITS = I32 | U32 | U64,
    SCALARS = INTS | F32 | F64
};

/* Columns: the name; what it does; the kinds that it exists for, of CUDA's those of CUDA's
 * reference, of Warp's those of which its headers make one; operands behind the pointer. */
static const struct {
    const char *name;
    atomic_op op;
    unsigned kinds;
    uint32_t n;
} atomics[] = {
    {"atomicAdd", NA_ADD, BITS | F16 | F32 | F64, 1},
    {"atomicSub", NA_SUB, I32 | U32, 1},
    {"atomicMin", NA_MIN, INTS, 1},
    {"atomicMax", NA_MAX, INTS, 1},
    {"atomicAnd", NA_AND, BITS, 1},
    {"atomicOr", NA_OR, BITS, 1},
    {"atomicXor", NA_XOR, BITS, 1},
    {"atomicExch", NA_EXCH, BITS | F32, 1},
    {"atomicCAS", NA_CAS, BITS, 2},
    {"wp::atomic_add", NA_ADD, SCALARS | F16, 1},
    {"wp::atomic_sub", NA_SUB, SCALARS | F16, 1},
    {"wp::atomic_min", NA_MIN, SCALARS, 1},
    {"wp::atomic_max", NA_MAX, SCALARS, 1},
    {"wp::atomic_and", NA_AND, BITS, 1},
    {"wp::atomic_or", NA_OR, BITS, 1},
    {"wp::atomic_xor", NA_XOR, BITS, 1},
    {"wp::atomic_exch", NA_EXCH, SCALARS, 1},
    {"wp::atomic_cas", NA_CAS, SCALARS, 2},
};

static nptr pointer(native_fn *f, nnode *n)
{
    nptr p;
    WEFT_ASSERT(n->type.ptr);
    memcpy(&p, native_eval(f, n), sizeof p);
    return p;
}

/* Does memory hold what is expected? On CUDA the bits of floats are compared. */
static bool holds(const native_fn *f, const type *t, num old, num expected)
{
    uint8_t a[8] = {0}, b[8] = {0};
    num_store((type_kind)t->kind, a, old);
    num_store((type_kind)t->kind, b, expected);
    if (type_is_float(t) && !f->cuda)
        return old.f == expected.f;
    return memcmp(a, b, sizeof a) == 0;
}

/* The value before. */
static void *eval_atomic(native_fn *f, nnode *n)
{
    const type_kind k = (type_kind)n->type.t->kind;
    const nptr p = pointer(f, n->args[0]);
    const num x = native_number(f, n->args[1]);
    const num y = n->nargs > 2 ? native_number(f, n->args[2]) : x;
    uint8_t bytes[8];
    native_load(f, n, p, n->type, n->room);
    const num old = num_load(k, n->room);
    num now = y;
    if (n->op < NA_EXCH)
        now = num_binary(k, (scalar_op)n->op, old, x);
    else if (n->op == NA_CAS && !holds(f, n->type.t, old, x))
        return n->room;
    num_store(k, bytes, now);
    native_store(f, n, p, n->type, bytes);
    return n->room;
}

/* atomicAdd(p, x), or wp::atomic_add(array, i, j, x). */
static nnode *atomic(nreader *r, size_t row, nnode **args, uint32_t n)
{
    const uint32_t more = atomics[row].n;
    nnode *all[3] = {n ? args[0] : NULL, NULL, NULL};
    if (n > more + 1 && native_is_array(args[0]->type) && str_starts(str_c(atomics[row].name), "w"))
        all[0] = native_element(r, args, n - more);
    else if (n != more + 1)
        native_refuse(r, "this call of %s", atomics[row].name);
    const ntype p = all[0]->type;
    if (!p.ptr || !p.t || !type_is_scalar(p.t) || !(atomics[row].kinds & 1u << p.t->kind))
        native_refuse(r, "%s of this", atomics[row].name);
    nnode *to = native_node(r, eval_atomic, (ntype){.t = p.t});
    for (uint32_t i = 0; i < more; i++)
        all[1 + i] = native_convert(r, args[n - more + i], to->type);
    native_args(r, to, all, 1 + more);
    to->op = (int)atomics[row].op;
    return to;
}

/* --- copies */

/* memcpy(to, from, n) */
static void *eval_copy(native_fn *f, nnode *n)
{
    const nptr to = pointer(f, n->args[0]), from = pointer(f, n->args[1]);
    const int64_t size = native_number(f, n->args[2]).i;
    if (size < 0)
        native_fail(f, n, NATIVE_FAULT, "a copy of so many bytes");
    native_copy(f, n, to, from, (size_t)size);
    return NULL;
}

/* Pointers point to plain values, so that no address is copied. */
static nnode *copy(nreader *r, nnode **args, uint32_t n)
{
    if (n != 3)
        native_refuse(r, "this memcpy");
    for (int i = 0; i < 2; i++) {
        if (native_is_array(args[i]->type))
            args[i] = native_member_data(r, args[i]);
        if (!args[i]->type.ptr || !native_is_plain(args[i]->type.t))
            native_refuse(r, "this memcpy");
    }
    nnode *to = native_node(r, eval_copy, (ntype){0});
    args[2] = native_convert(r, args[2], (ntype){.t = type_scalar(r->c, TYPE_INT64)});
    native_args(r, to, args, 3);
    return to;
}

/* *p of wp::load(p); *p = x of wp::store(p, x). */
static nnode *through(nreader *r, nnode **args, uint32_t n, bool stores)
{
    if (n != (stores ? 2u : 1u) || !args[0]->type.ptr)
        native_refuse(r, "this access");
    nnode *place = native_dereferenced(r, args[0]);
    return stores ? native_assigned(r, place, args[1]) : native_value(r, place);
}

nnode *native_memory_call(nreader *r, str name, nnode **args, uint32_t n)
{
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++)
        if (str_eq(name, str_c(atomics[i].name)))
            return atomic(r, i, args, n);
    if (str_eq(name, STR("wp::load")) || str_eq(name, STR("wp::store")))
        return through(r, args, n, str_eq(name, STR("wp::store")));
    if (str_eq(name, STR("memcpy")) || str_eq(name, STR("std::memcpy")))
        return copy(r, args, n);
    return NULL;
}
