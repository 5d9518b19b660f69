/* The table of builtins that can be executed, and those that are put together of others. */
#include <math.h>

#include "arith/arith.h"

static arith_status product(arith_call *call, const char *name)
{
    (void)name;
    return arith_mul(call);
}

static arith_status quotient(arith_call *call, const char *name)
{
    (void)name;
    return arith_div(call);
}

static arith_status vector(arith_call *call, const char *name)
{
    return arith_vector(call, name);
}

static arith_status give(arith_call *call, const type *t, num x)
{
    call->result = rvalue_num(t, x);
    return ARITH_OK;
}

static bool scalars(const arith_call *call, uint32_t n)
{
    for (uint32_t i = 0; i < call->n; i++)
        if (!call->args[i].type || !type_is_scalar(call->args[i].type))
            return false;
    return call->n == n;
}

static num negated(const type *t, num x, bool lane)
{
    if (type_is_float(t)) /* a scalar is taken from 0.0, so that 0 stays 0 */
        return (num){.f = lane ? -x.f : 0.0 - x.f};
    return num_wrap(t->kind, (num){.i = (int64_t)(0 - (uint64_t)x.i)});
}

static num absolute(const type *t, num x)
{
    if (type_is_float(t))
        return (num){.f = fabs(x.f)};
    return x.i < 0 && t->kind != TYPE_UINT64 ? negated(t, x, false) : x;
}

static num sign(const type *t, num x)
{
    if (type_is_float(t))
        return (num){.f = x.f < 0 ? -1 : 1};
    return (num){.i = x.i < 0 && t->kind != TYPE_UINT64 ? -1 : 1};
}

static arith_status each_lane(arith_call *call, const char *name)
{
    rvalue *v = call->args;
    if (call->n != 1 || !v->type || !type_is_value(v->type))
        return ARITH_MISSING;
    const type *t = type_scalar_of(v->type);
    const bool whole = type_is_scalar(v->type);
    const int n = lane_count(v->type);
    uint8_t *bytes = arena_alloc(call->a, layout_size(v->type));
    const size_t size = layout_size(t);
    for (int i = 0; i < n; i++) {
        num x = lane_get(v, i);
        switch (name[0]) {
        case 'n': x = negated(t, x, !whole); break;
        case 'a': x = absolute(t, x); break;
        case 's': x = sign(t, x); break;
        case 'i': x = num_wrap(t->kind, (num){.i = ~x.i}); break;
        default: break;
        }
        num_store(t->kind, bytes + (size_t)i * size, x);
    }
    call->result =
        whole ? rvalue_num(t, num_load(t->kind, bytes)) : (rvalue){.type = v->type, .bytes = bytes};
    return ARITH_OK;
}

static arith_status truth(arith_call *call, const char *name)
{
    (void)name;
    if (!scalars(call, 1))
        return ARITH_MISSING;
    const bool b = num_truth(call->args[0].type->kind, call->args[0].n);
    return give(call, type_scalar(call->c, TYPE_BOOL), (num){.i = !b});
}

/* Products with a double constant: of a float32 they are rounded once. */
static bool scaled(const char *name, type_kind k, num x, num *out)
{
    const bool degrees = strcmp(name, "degrees") == 0;
    if (!degrees && strcmp(name, "radians") != 0)
        return false;
    *out =
        num_wrap(k, (num){.f = x.f * (degrees ? 57.29577951308232087679 : 0.01745329251994329577)});
    return true;
}

static arith_status of_scalar(arith_call *call, const char *name)
{
    if (!scalars(call, 1))
        return ARITH_MISSING;
    const type *t = call->args[0].type;
    const num x = call->args[0].n;
    const bool is_float = type_is_float(t);
    num r = {0};
    if (strcmp(name, "step") == 0) {
        const bool negative = is_float ? x.f < 0 : t->kind != TYPE_UINT64 && x.i < 0;
        r = num_cast(t->kind, TYPE_INT64, (num){.i = negative});
    } else if (strcmp(name, "nonzero") == 0) {
        r = num_cast(t->kind, TYPE_INT64, (num){.i = num_truth(t->kind, x)});
    } else if (!is_float) {
        return ARITH_MISSING;
    } else if (strcmp(name, "frac") == 0) {
        num_binary(t->kind, SCALAR_SUB, x, (num){.f = trunc(x.f)}, &r);
    } else if (!scaled(name, t->kind, x, &r) && !num_unary(t->kind, name, x, &r)) {
        return ARITH_MISSING;
    }
    return give(call, t, r);
}

static arith_status bits(arith_call *call, const char *name)
{
    (void)name;
    if (!scalars(call, 1) || !type_is_integer(call->args[0].type))
        return ARITH_MISSING;
    uint64_t x = (uint64_t)call->args[0].n.i;
    const size_t size = layout_size(call->args[0].type);
    if (size < 8)
        x &= ((uint64_t)1 << (8 * size)) - 1;
    return give(call, type_scalar(call->c, TYPE_INT32), (num){.i = __builtin_popcountll(x)});
}

/* isfinite: all lanes are; isnan, isinf: some lane is. */
static arith_status class_of(arith_call *call, const char *name)
{
    const rvalue *v = call->args;
    if (call->n != 1 || !v->type || !type_is_value(v->type) ||
        !type_is_float(type_scalar_of(v->type)))
        return ARITH_MISSING;
    bool all_finite = true, some_nan = false, some_inf = false;
    for (int i = 0; i < lane_count(v->type); i++) {
        const double x = lane_get(v, i).f;
        all_finite = all_finite && isfinite(x);
        some_nan = some_nan || isnan(x);
        some_inf = some_inf || isinf(x);
    }
    const bool r = name[2] == 'f' ? all_finite : name[3] == 'a' ? some_nan : some_inf;
    return give(call, type_scalar(call->c, TYPE_BOOL), (num){.i = r});
}

static num op2(type_kind k, scalar_op op, num a, num b)
{
    num r;
    num_binary(k, op, a, b, &r);
    return r;
}

static num clamped(type_kind k, num x, num low, num high)
{
    return op2(k, SCALAR_MIN, op2(k, SCALAR_MAX, low, x), high);
}

static arith_status clamp(arith_call *call, const char *name)
{
    (void)name;
    const rvalue *v = call->args;
    if (!scalars(call, 3) || v[0].type != v[1].type || v[0].type != v[2].type)
        return ARITH_MISSING;
    return give(call, v[0].type, clamped(v[0].type->kind, v[0].n, v[1].n, v[2].n));
}

static arith_status where(arith_call *call, const char *name)
{
    (void)name;
    const rvalue *v = call->args;
    if (call->n != 3 || !v[0].type || !type_is_scalar(v[0].type) || !v[1].type)
        return ARITH_MISSING;
    call->result = v[num_truth(v[0].type->kind, v[0].n) ? 1 : 2];
    return ARITH_OK;
}

static arith_status lerp(arith_call *call, const char *name)
{
    (void)name;
    const rvalue *v = call->args;
    if (!scalars(call, 3) || !type_is_float(v[0].type))
        return ARITH_MISSING;
    const type_kind k = v[0].type->kind;
    const num left = op2(k, SCALAR_MUL, v[0].n, op2(k, SCALAR_SUB, (num){.f = 1}, v[2].n));
    return give(call, v[0].type, op2(k, SCALAR_ADD, left, op2(k, SCALAR_MUL, v[1].n, v[2].n)));
}

static arith_status smoothstep(arith_call *call, const char *name)
{
    (void)name;
    const rvalue *v = call->args;
    if (!scalars(call, 3) || !type_is_float(v[0].type))
        return ARITH_MISSING;
    const type_kind k = v[0].type->kind;
    num x =
        op2(k, SCALAR_DIV, op2(k, SCALAR_SUB, v[2].n, v[0].n), op2(k, SCALAR_SUB, v[1].n, v[0].n));
    x = clamped(k, x, (num){.f = 0}, (num){.f = 1});
    const num rest = op2(k, SCALAR_SUB, (num){.f = 3}, op2(k, SCALAR_MUL, (num){.f = 2}, x));
    return give(call, v[0].type, op2(k, SCALAR_MUL, op2(k, SCALAR_MUL, x, x), rest));
}

static arith_status cast(arith_call *call, const char *name)
{
    const type_kind k = name[0] == 'i' ? TYPE_INT32 : name[0] == 'f' ? TYPE_FLOAT32 : TYPE_BOOL;
    return arith_construct(call, type_scalar(call->c, k));
}

static arith_status copy(arith_call *call, const char *name)
{
    (void)name;
    call->result = call->args[0];
    return call->n == 1 ? ARITH_OK : ARITH_MISSING;
}

arith_status arith_builtin(arith_call *call, const char *name)
{
#define ELEMENTWISE(builtin_name, op)                                                              \
    if (strcmp(name, #builtin_name) == 0)                                                          \
        return arith_elementwise(call, op);
#define ARITH(builtin_name, how)                                                                   \
    if (strcmp(name, #builtin_name) == 0)                                                          \
        return how(call, name);
#include "arith/arith.def"
#undef ELEMENTWISE
#undef ARITH
    return ARITH_MISSING;
}

bool arith_advances_state(const char *name)
{
    return (strncmp(name, "rand", 4) == 0 && strcmp(name, "rand_init") != 0) ||
           strncmp(name, "sample_", 7) == 0;
}
