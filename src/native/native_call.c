/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in snippets.
 *
 *     wp::dot(a, b)                an operation of src/arith, by the types of the arguments
 *     wp::address(values, i)       a pointer to an element, its indices checked
 *     atomicMax(p, x)              on what p points to; threads run one after another
 *     sqrtf(x), __popc(x)          rows of native_call.def */
#include <math.h>

#include "native/native_internal.h"

/* --- C's and CUDA's functions of numbers */

typedef num bits_fn(const num *x);

/* C's fmax and fmin leave NaN out. */
static num larger(const num *x)
{
    return isnan(x[0].f) || x[1].f > x[0].f ? x[1] : x[0];
}

static num smaller(const num *x)
{
    return isnan(x[0].f) || x[1].f < x[0].f ? x[1] : x[0];
}

static num fused_f32(const num *x)
{
    return (num){.f = (double)fmaf((float)x[0].f, (float)x[1].f, (float)x[2].f)};
}

static num fused_f64(const num *x)
{
    return (num){.f = fma(x[0].f, x[1].f, x[2].f)};
}

/* Rounded once: a double has more than twice the digits, and none of these is a tie. */
static num rsqrt_f32(const num *x)
{
    return (num){.f = (double)(float)(1.0 / sqrt(x[0].f))};
}

static num reciprocal_f32(const num *x)
{
    return (num){.f = (double)(1.0f / (float)x[0].f)};
}

static num float_bits(const num *x)
{
    uint8_t bytes[4];
    num_store(TYPE_FLOAT32, bytes, x[0]);
    return num_load(TYPE_INT32, bytes);
}

static num bits_float(const num *x)
{
    uint8_t bytes[4];
    num_store(TYPE_INT32, bytes, x[0]);
    return num_load(TYPE_FLOAT32, bytes);
}

static num double_bits(const num *x)
{
    uint8_t bytes[8];
    num_store(TYPE_FLOAT64, bytes, x[0]);
    return num_load(TYPE_INT64, bytes);
}

static num bits_double(const num *x)
{
    uint8_t bytes[8];
    num_store(TYPE_INT64, bytes, x[0]);
    return num_load(TYPE_FLOAT64, bytes);
}

static num ones(const num *x)
{
    return (num){.i = __builtin_popcountll((uint64_t)x[0].i)};
}

static num trailing(const num *x)
{
    return (num){.i = x[0].i ? __builtin_ctzll((uint64_t)x[0].i) : 64};
}

static num first_one(const num *x)
{
    return (num){.i = x[0].i ? __builtin_ctzll((uint64_t)x[0].i) + 1 : 0};
}

static num leading_64(const num *x)
{
    return (num){.i = x[0].i ? __builtin_clzll((uint64_t)x[0].i) : 64};
}

static num leading_32(const num *x)
{
    return (num){.i = leading_64(x).i - 32};
}

static num reversed_64(const num *x)
{
    uint64_t y = 0;
    for (int i = 0; i < 64; i++)
        y |= ((uint64_t)x[0].i >> i & 1) << (63 - i);
    return (num){.i = (int64_t)y};
}

static num reversed_32(const num *x)
{
    return (num){.i = (int64_t)((uint64_t)reversed_64(x).i >> 32)};
}

static num high_u32(const num *x)
{
    return (num){.i = (int64_t)((uint64_t)x[0].i * (uint64_t)x[1].i >> 32)};
}

static num high_i32(const num *x)
{
    return (num){.i = (x[0].i * x[1].i) >> 32};
}

static num nearest_i32(const num *x)
{
    return num_cast(TYPE_INT32, TYPE_FLOAT64, (num){.f = nearbyint(x[0].f)});
}

static num floor_i32(const num *x)
{
    return num_cast(TYPE_INT32, TYPE_FLOAT64, (num){.f = floor(x[0].f)});
}

static const struct {
    const char *name, *op;
    type_kind kind;
    uint32_t n;
} math[] = {
#define MATH(name, op, kind, n) {name, op, TYPE_##kind, n},
#define BITS(name, fn, result, kind, n)
#include "native/native_call.def"
#undef MATH
#undef BITS
};

typedef struct bits_row {
    const char *name;
    bits_fn *run;
    type_kind result, kind;
    uint32_t n;
} bits_row;

static const bits_row bits[] = {
#define MATH(name, op, kind, n)
#define BITS(name, fn, result, kind, n) {name, fn, TYPE_##result, TYPE_##kind, n},
#include "native/native_call.def"
#undef MATH
#undef BITS
};

static void *eval_bits(native_fn *f, nnode *n)
{
    const bits_row *row = n->what;
    num x[3];
    WEFT_ASSERT(row->n <= 3);
    for (uint32_t i = 0; i < row->n; i++)
        x[i] = native_number(f, n->args[i]);
    num_store(row->result, n->room, num_wrap(row->result, row->run(x)));
    return n->room;
}

/* --- operations of src/arith */

static void *eval_arith(native_fn *f, nnode *n)
{
    native_step(f, n);
    for (uint32_t i = 0; i < n->nargs; i++)
        n->operands[i] = native_eval(f, n->args[i]);
    n->operands[n->nargs] = n->room;
    switch (n->arith.run(&n->arith, n->operands)) {
    case ARITH_OK: return n->room;
    case ARITH_CONVERSION:
    case ARITH_SHIFT:
    case ARITH_NAN_SIGN:
        native_fail(f, n, NATIVE_UNSPECIFIED, "C++ leaves open what %s gives", n->arith.name);
    case ARITH_DIVIDES_BY_ZERO: native_fail(f, n, NATIVE_FAULT, "an integer is divided by zero");
    default: native_fail(f, n, NATIVE_FAULT, "%s fails", n->arith.name);
    }
}

nnode *native_arith(nreader *r, const char *name, const type *constructs, nnode **args, uint32_t n)
{
    const type **types = ARENA_ARRAY(r->a, const type *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        types[i] = args[i]->type.t;
        if (args[i]->type.ptr || !types[i] || !type_is_value(types[i]))
            return NULL;
    }
    const arith_request q = {
        .c = r->c, .a = r->a, .name = name, .constructs = constructs, .args = types, .n = n};
    arith_op op = {0};
    if (!arith_find(&q, &op) || op.nresults != 1 || op.in_place || op.sets_last ||
        op.changes_second || op.has_effect || op.n != n)
        return NULL;
    nnode *node = native_node(r, eval_arith, (ntype){op.types[n], false});
    node->arith = op;
    node->nargs = n;
    node->args = ARENA_ARRAY(r->a, nnode *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        node->args[i] = args[i];
    node->operands = ARENA_ARRAY(r->a, void *, n + 1);
    return node;
}

/* T(...): of a scalar a cast; a vector's components are converted as C++ does. */
nnode *native_construct(nreader *r, const type *t, nnode **args, uint32_t n)
{
    if (!t)
        native_refuse(r, "a value of this type");
    if (type_is_scalar(t)) {
        if (n > 1)
            native_refuse(r, "a number made of several");
        if (n)
            return native_convert(r, args[0], (ntype){t, false});
        return native_node(r, native_eval_room, (ntype){t, false});
    }
    if (!type_is_composite(t))
        native_refuse(r, "a value of this type");
    if (n == 1 && args[0]->type.t == t && !args[0]->type.ptr)
        return args[0];
    for (uint32_t i = 0; i < n; i++)
        if (native_is_scalar(args[i]->type))
            args[i] = native_convert(r, args[i], (ntype){t->elem, false});
    nnode *node =
        n ? native_arith(r, NULL, t, args, n) : native_node(r, native_eval_room, (ntype){t, false});
    if (!node)
        native_refuse(r, "this constructor of %.*s", (int)t->pyname.n, t->pyname.p);
    return node;
}

/* --- arrays, pointers */

/* The address of an element: args[0] is the array. A negative index counts from the end. */
static void *eval_element(native_fn *f, nnode *n)
{
    const array_view *v;
    memcpy(&v, native_eval(f, n->args[0]), sizeof v);
    const uint32_t ndim = n->nargs - 1;
    if (!v || !v->data || v->ndim != (int)ndim)
        native_fail(f, n, NATIVE_FAULT, "an array has not these dimensions");
    int64_t at = v->offset;
    for (uint32_t k = 0; k < ndim; k++) {
        const int64_t i = native_number(f, n->args[1 + k]).i, size = v->shape[k];
        if (i < -size || i >= size)
            native_fail(f, n, NATIVE_FAULT,
                        "index %lld is out of bounds for dimension %u of array %s, of size %lld",
                        (long long)i, k, v->data->name ? v->data->name : "?", (long long)size);
        at += (i < 0 ? i + size : i) * v->strides[k];
    }
    *(nptr *)n->room =
        (nptr){v->data->bytes + at, v->data->bytes, v->data->bytes + v->data->size, v->data};
    return n->room;
}

static nnode *element(nreader *r, nnode **args, uint32_t n)
{
    if (n < 2 || n > 5 || args[0]->type.ptr || !args[0]->type.t ||
        args[0]->type.t->kind != TYPE_ARRAY)
        native_refuse(r, "such a use of an array");
    nnode *to = native_node(r, eval_element, (ntype){args[0]->type.t->elem, true});
    const ntype index = {type_scalar(r->c, TYPE_INT32), false};
    to->args = ARENA_ARRAY(r->a, nnode *, n);
    to->nargs = n;
    to->args[0] = args[0];
    for (uint32_t i = 1; i < n; i++)
        to->args[i] = native_convert(r, args[i], index);
    return to;
}

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

/* Columns: the names of CUDA and of Warp; what it does; operands behind the pointer. */
static const struct {
    const char *cuda, *warp;
    atomic_op op;
    uint32_t n;
} atomics[] = {
    {"atomicAdd", "wp::atomic_add", NA_ADD, 1}, {"atomicSub", "wp::atomic_sub", NA_SUB, 1},
    {"atomicMin", "wp::atomic_min", NA_MIN, 1}, {"atomicMax", "wp::atomic_max", NA_MAX, 1},
    {"atomicAnd", "wp::atomic_and", NA_AND, 1}, {"atomicOr", "wp::atomic_or", NA_OR, 1},
    {"atomicXor", "wp::atomic_xor", NA_XOR, 1}, {"atomicExch", "wp::atomic_exch", NA_EXCH, 1},
    {"atomicCAS", "wp::atomic_cas", NA_CAS, 2},
};

/* The value before. */
static void *eval_atomic(native_fn *f, nnode *n)
{
    const type_kind k = (type_kind)n->type.t->kind;
    const nptr p = *(const nptr *)native_eval(f, n->args[0]);
    const num x = native_number(f, n->args[1]);
    const num y = n->nargs > 2 ? native_number(f, n->args[2]) : x;
    uint8_t *at = native_access(f, n, &p, n->type.t, true);
    const num old = num_load(k, at);
    num now = y;
    if (n->op < NA_EXCH)
        now = num_binary(k, (scalar_op)n->op, old, x);
    else if (n->op == NA_CAS && (type_is_float(n->type.t) ? old.f != x.f : old.i != x.i))
        now = old;
    num_store(k, at, now);
    num_store(k, n->room, old);
    return n->room;
}

static nnode *atomic(nreader *r, size_t row, nnode **args, uint32_t n)
{
    nnode *p = args[0];
    const uint32_t more = atomics[row].n;
    if (n > more && !p->type.ptr && p->type.t && p->type.t->kind == TYPE_ARRAY)
        p = element(r, args, n - more);
    else if (n != more + 1)
        native_refuse(r, "this call of %s", atomics[row].cuda);
    if (!p->type.ptr || !p->type.t || !type_is_scalar(p->type.t))
        native_refuse(r, "an atomic operation on this");
    nnode *to = native_node(r, eval_atomic, (ntype){p->type.t, false});
    to->args = ARENA_ARRAY(r->a, nnode *, 3);
    to->nargs = 1 + more;
    to->args[0] = p;
    for (uint32_t i = 0; i < more; i++)
        to->args[1 + i] = native_convert(r, args[n - more + i], to->type);
    to->op = (int)atomics[row].op;
    return to;
}

static void *eval_nothing(native_fn *f, nnode *n)
{
    (void)f;
    return n->room;
}

/* memcpy(to, from, n) */
static void *eval_copy(native_fn *f, nnode *n)
{
    nptr to = *(const nptr *)native_eval(f, n->args[0]);
    nptr from = *(const nptr *)native_eval(f, n->args[1]);
    const type *byte = type_scalar(f->c, TYPE_UINT8);
    const int64_t size = native_number(f, n->args[2]).i;
    if (size < 0 || size > 1 << 20)
        native_fail(f, n, NATIVE_FAULT, "a copy of %lld bytes", (long long)size);
    for (int64_t i = 0; i < size; i++) {
        native_step(f, n);
        const uint8_t *a = native_access(f, n, &from, byte, false);
        uint8_t *b = native_access(f, n, &to, byte, true);
        *b = *a;
        from.at++;
        to.at++;
    }
    return n->room;
}

static nnode *copy(nreader *r, nnode **args, uint32_t n)
{
    if (n != 3 || !args[0]->type.ptr || !args[1]->type.ptr)
        native_refuse(r, "this memcpy");
    nnode *to = native_node(r, eval_copy, (ntype){NULL, false});
    to->nargs = 3;
    to->args = ARENA_ARRAY(r->a, nnode *, 3);
    to->args[0] = args[0];
    to->args[1] = args[1];
    to->args[2] = native_convert(r, args[2], (ntype){type_scalar(r->c, TYPE_INT64), false});
    return to;
}

/* *p of wp::load(p); *p = x of wp::store(p, x). */
static nnode *through(nreader *r, nnode **args, uint32_t n, bool stores)
{
    if (n != (stores ? 2u : 1u) || !args[0]->type.ptr || !args[0]->type.t)
        native_refuse(r, "this access");
    nnode *place = native_node(r, native_eval_deref, (ntype){args[0]->type.t, false});
    place->kid[0] = args[0];
    place->place = true;
    if (!stores)
        return place;
    nnode *to = native_node(r, native_eval_assign, place->type);
    to->kid[0] = native_to_place(r, place);
    to->kid[1] = native_convert(r, args[1], place->type);
    return to;
}

/* --- which it is */

static nnode *of_numbers(nreader *r, str name, nnode **args, uint32_t n)
{
    for (size_t i = 0; i < sizeof math / sizeof *math; i++) {
        if (!str_eq(name, str_c(math[i].name)) || math[i].n != n)
            continue;
        const ntype t = {type_scalar(r->c, math[i].kind), false};
        const bool single = t.t->kind == TYPE_FLOAT64 && args[0]->type.t && !args[0]->type.ptr &&
                            args[0]->type.t->kind == TYPE_FLOAT32;
        /* C++ has the overload for float under the same name */
        for (uint32_t k = 0; k < n; k++)
            if (!single || args[k]->type.t->kind != TYPE_FLOAT32)
                args[k] = native_convert(r, args[k], t);
        return native_arith(r, math[i].op, NULL, args, n);
    }
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        if (!str_eq(name, str_c(bits[i].name)) || bits[i].n != n)
            continue;
        nnode *to = native_node(r, eval_bits, (ntype){type_scalar(r->c, bits[i].result), false});
        to->what = &bits[i];
        to->args = ARENA_ARRAY(r->a, nnode *, n);
        to->nargs = n;
        for (uint32_t k = 0; k < n; k++)
            to->args[k] =
                native_convert(r, args[k], (ntype){type_scalar(r->c, bits[i].kind), false});
        return to;
    }
    return NULL;
}

/* min, max and abs without a scope are CUDA's: of the arguments' common type. */
static nnode *extremum(nreader *r, str name, nnode **args, uint32_t n)
{
    const bool std = name.n > 5 && memcmp(name.p, "std::", 5) == 0;
    const str s = std ? (str){name.p + 5, name.n - 5} : name;
    const bool two = str_eq(s, STR("min")) || str_eq(s, STR("max"));
    if (!(two && n == 2) && !(str_eq(s, STR("abs")) && n == 1))
        return NULL;
    for (uint32_t k = 0; k < n; k++)
        if (!native_is_scalar(args[k]->type))
            return NULL;
    const type *t = args[0]->type.t;
    for (uint32_t k = 1; k < n; k++)
        if (args[k]->type.t->kind > t->kind)
            t = args[k]->type.t;
    for (uint32_t k = 0; k < n; k++)
        args[k] = native_convert(r, args[k], (ntype){t, false});
    return native_arith(r, s.p[0] == 'a' ? "abs" : s.p[1] == 'i' ? "min" : "max", NULL, args, n);
}

/* Behind the name; the arguments follow. */
nnode *native_call(nreader *r, str name, uint32_t line)
{
    nnode *args[NATIVE_ARGS], *to = NULL;
    uint32_t n = 0;
    (void)line;
    native_expect(r, "(");
    if (str_eq(name, STR("printf"))) { /* nothing is printed */
        for (uint32_t open = 1; open;) {
            if (native_peek(r, 0)->kind == NT_END)
                native_refuse(r, "this end");
            open += native_is(r, "(");
            open -= native_is(r, ")");
            r->at++;
        }
        return native_node(r, eval_nothing, (ntype){NULL, false});
    }
    while (!native_accept(r, ")")) {
        if (n == NATIVE_ARGS)
            native_refuse(r, "so many arguments");
        args[n++] = native_assignment(r);
        if (!native_is(r, ")"))
            native_expect(r, ",");
    }
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++)
        if (n && (str_eq(name, str_c(atomics[i].cuda)) || str_eq(name, str_c(atomics[i].warp))))
            return atomic(r, i, args, n);
    if (str_eq(name, STR("wp::address")))
        return element(r, args, n);
    if (str_eq(name, STR("wp::load")) || str_eq(name, STR("wp::store")))
        return through(r, args, n, name.p[4] == 's');
    if (str_eq(name, STR("memcpy")) || str_eq(name, STR("std::memcpy")))
        return copy(r, args, n);
    if (n)
        to = of_numbers(r, name, args, n);
    if (!to && n)
        to = extremum(r, name, args, n);
    if (!to && str_starts(name, "wp::"))
        to = native_arith(r, arena_dup(r->a, name.p + 4, name.n - 4), NULL, args, n);
    if (!to)
        native_refuse(r, "'%.*s'", (int)(name.n < 60 ? name.n : 60), name.p);
    return to;
}
