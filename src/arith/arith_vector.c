/* Vectors, matrices, quaternions and transformations, with the order of operations of warp/native
 * vec.h, mat.h, quat.h and spatial.h of Warp 1.19. */
#include <math.h>

#include "arith/arith.h"

enum { LANES_MAX = 64 };

/* The scalars of a composite, unpacked. */
typedef struct lanes {
    int n;
    num v[LANES_MAX];
} lanes;

static bool unpack(const rvalue *v, lanes *out)
{
    if (!v->type || !type_is_value(v->type) || lane_count(v->type) > LANES_MAX)
        return false;
    const int n = lane_count(v->type);
    out->n = n;
    out->v[0] = lane_get(v, 0);
    for (int i = 1; i < n; i++)
        out->v[i] = lane_get(v, i);
    return true;
}

static arith_status give(arith_call *call, const type *t, const num *v)
{
    if (type_is_scalar(t)) {
        call->result = rvalue_num(t, v[0]);
        return ARITH_OK;
    }
    const int n = lane_count(t);
    const type_kind k = t->elem->kind;
    const size_t size = layout_size(t);
    uint8_t *bytes = arena_alloc(call->a, size);
    for (int i = 0; i < n; i++)
        num_store(k, bytes + (size_t)i * (size / (size_t)n), v[i]);
    call->result = (rvalue){.type = t, .bytes = bytes};
    return ARITH_OK;
}

/* One operation of scalars; integers divided by zero are found by the callers. */
static num op2(type_kind k, scalar_op op, num a, num b)
{
    num r;
    num_binary(k, op, a, b, &r);
    return r;
}

static num add(type_kind k, num a, num b)
{
    return op2(k, SCALAR_ADD, a, b);
}

static num sub(type_kind k, num a, num b)
{
    return op2(k, SCALAR_SUB, a, b);
}

static num mul(type_kind k, num a, num b)
{
    return op2(k, SCALAR_MUL, a, b);
}

static num literal(type_kind k, double x)
{
    return num_cast(k, TYPE_FLOAT64, (num){.f = x});
}

static bool unpack_two(const arith_call *call, lanes *a, lanes *b)
{
    return call->n == 2 && unpack(&call->args[0], a) && unpack(&call->args[1], b) &&
           type_scalar_of(call->args[0].type) == type_scalar_of(call->args[1].type);
}

/* Each lane with the lane at its place, or with the one scalar there is. */
static arith_status by_lanes(arith_call *call, scalar_op op, const lanes *a, const lanes *b)
{
    const bool left = a->n >= b->n;
    const type *t = call->args[left ? 0 : 1].type;
    num r[LANES_MAX];
    for (int i = 0; i < (left ? a : b)->n; i++) {
        const arith_status status = num_binary(type_scalar_of(t)->kind, op, a->v[a->n == 1 ? 0 : i],
                                               b->v[b->n == 1 ? 0 : i], &r[i]);
        if (status != ARITH_OK)
            return status;
    }
    return give(call, t, r);
}

static arith_status reduce(arith_call *call, scalar_op op)
{
    lanes a;
    if (!unpack(&call->args[0], &a))
        return ARITH_MISSING;
    const type *t = type_scalar_of(call->args[0].type);
    num r = a.v[0];
    for (int i = 1; i < a.n; i++)
        r = op2(t->kind, op, r, a.v[i]);
    return give(call, t, &r);
}

arith_status arith_elementwise(arith_call *call, scalar_op op)
{
    lanes a, b;
    if (call->n == 1 && (op == SCALAR_MIN || op == SCALAR_MAX))
        return reduce(call, op);
    if (!unpack_two(call, &a, &b) || a.n != b.n)
        return ARITH_MISSING;
    return by_lanes(call, op, &a, &b);
}

arith_status arith_div(arith_call *call)
{
    lanes a, b;
    if (!unpack_two(call, &a, &b) || (a.n != 1 && b.n != 1))
        return ARITH_MISSING;
    return by_lanes(call, SCALAR_DIV, &a, &b);
}

/* Warp's muladd: fused for float32 and float64 only. */
static num muladd(type_kind k, num a, num b, num c)
{
    if (k == TYPE_FLOAT32)
        return (num){.f = (double)fmaf((float)a.f, (float)b.f, (float)c.f)};
    if (k == TYPE_FLOAT64)
        return (num){.f = fma(a.f, b.f, c.f)};
    return add(k, c, mul(k, a, b));
}

static arith_status mat_mat(arith_call *call, const lanes *a, const lanes *b)
{
    const type *ta = call->args[0].type, *tb = call->args[1].type;
    if (ta->cols != tb->rows || ta->rows * tb->cols > LANES_MAX)
        return ARITH_MISSING;
    num r[LANES_MAX];
    for (int i = 0; i < ta->rows; i++)
        for (int j = 0; j < tb->cols; j++) {
            num sum = {0};
            for (int k = 0; k < ta->cols; k++)
                sum = muladd(ta->elem->kind, a->v[i * ta->cols + k], b->v[k * tb->cols + j], sum);
            r[i * tb->cols + j] = sum;
        }
    return give(call, type_mat(call->c, ta->elem, ta->rows, tb->cols), r);
}

/* m * v; or v * m, which is the same with rows and columns exchanged. */
static arith_status mat_vec(arith_call *call, const type *m, const lanes *a, const lanes *v,
                            bool transposed)
{
    const int n = transposed ? m->cols : m->rows, inner = transposed ? m->rows : m->cols;
    const type_kind k = m->elem->kind;
    if (inner != v->n)
        return ARITH_MISSING;
    num r[LANES_MAX];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < inner; j++) {
            const num p = mul(k, a->v[transposed ? j * m->cols + i : i * m->cols + j], v->v[j]);
            r[i] = j ? add(k, r[i], p) : p;
        }
    return give(call, type_vec(call->c, m->elem, n), r);
}

static void quat_product(type_kind k, const num *a, const num *b, num *r)
{
    enum { X, Y, Z, W };
    static const uint8_t next[] = {Y, Z, X};
    for (int i = X; i <= Z; i++) {
        const int j = next[i], l = next[j];
        num s = add(k, mul(k, a[W], b[i]), mul(k, b[W], a[i]));
        s = add(k, s, mul(k, a[j], b[l]));
        r[i] = sub(k, s, mul(k, b[j], a[l]));
    }
    num s = sub(k, mul(k, a[W], b[W]), mul(k, a[X], b[X]));
    s = sub(k, s, mul(k, a[Y], b[Y]));
    r[W] = sub(k, s, mul(k, a[Z], b[Z]));
}

static num dot(type_kind k, const num *a, const num *b, int n)
{
    num r = mul(k, a[0], b[0]);
    for (int i = 1; i < n; i++)
        r = add(k, r, mul(k, a[i], b[i]));
    return r;
}

static void cross(type_kind k, const num *a, const num *b, num *r)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        r[i] = sub(k, mul(k, a[j], b[l]), mul(k, a[l], b[j]));
    }
}

static void quat_rotate(type_kind k, const num *q, const num *x, bool inverse, num *r)
{
    const num two = literal(k, 2);
    const num c = sub(k, mul(k, mul(k, two, q[3]), q[3]), literal(k, 1));
    const num d = mul(k, two, dot(k, q, x, 3));
    num across[3];
    cross(k, q, x, across);
    for (int i = 0; i < 3; i++) {
        const num s = add(k, mul(k, x[i], c), mul(k, q[i], d));
        const num t = mul(k, mul(k, across[i], q[3]), two);
        r[i] = op2(k, inverse ? SCALAR_SUB : SCALAR_ADD, s, t);
    }
}

static arith_status transform_product(arith_call *call, const lanes *a, const lanes *b)
{
    const type *t = call->args[0].type;
    num r[7];
    quat_rotate(t->elem->kind, a->v + 3, b->v, false, r);
    for (int i = 0; i < 3; i++)
        r[i] = add(t->elem->kind, r[i], a->v[i]);
    quat_product(t->elem->kind, a->v + 3, b->v + 3, r + 3);
    return give(call, t, r);
}

arith_status arith_mul(arith_call *call)
{
    lanes a, b;
    if (!unpack_two(call, &a, &b))
        return ARITH_MISSING;
    const type *ta = call->args[0].type, *tb = call->args[1].type;
    if (type_is_scalar(ta) || type_is_scalar(tb))
        return by_lanes(call, SCALAR_MUL, &a, &b);
    if (ta->kind == TYPE_MAT && tb->kind == TYPE_MAT)
        return mat_mat(call, &a, &b);
    if (ta->kind == TYPE_MAT && tb->kind == TYPE_VEC)
        return mat_vec(call, ta, &a, &b, false);
    if (ta->kind == TYPE_VEC && tb->kind == TYPE_MAT)
        return mat_vec(call, tb, &b, &a, true);
    if (ta->kind == TYPE_TRANSFORM && tb->kind == TYPE_TRANSFORM)
        return transform_product(call, &a, &b);
    if (ta->kind != TYPE_QUAT || tb->kind != TYPE_QUAT)
        return ARITH_MISSING;
    num r[4];
    quat_product(ta->elem->kind, a.v, b.v, r);
    return give(call, ta, r);
}

static num length(type_kind k, const lanes *a)
{
    num r = dot(k, a->v, a->v, a->n);
    num_unary(k, "sqrt", r, &r);
    return r;
}

static arith_status normalize(arith_call *call, lanes *a)
{
    const type *t = call->args[0].type;
    const type_kind k = t->elem->kind;
    const num l = length(k, a);
    const bool is_quat = t->kind == TYPE_QUAT, positive = l.f > 0;
    const num inverse = op2(k, SCALAR_DIV, literal(k, 1), l);
    for (int i = 0; i < a->n; i++) {
        if (!positive)
            a->v[i] = literal(k, is_quat && i == 3);
        else
            a->v[i] = is_quat ? mul(k, a->v[i], inverse) : op2(k, SCALAR_DIV, a->v[i], l);
    }
    return give(call, t, a->v);
}

static arith_status transpose(arith_call *call, const lanes *a)
{
    const type *t = call->args[0].type;
    num r[LANES_MAX];
    for (int i = 0; i < t->rows; i++)
        for (int j = 0; j < t->cols; j++)
            r[j * t->rows + i] = a->v[i * t->cols + j];
    return give(call, type_mat(call->c, t->elem, t->cols, t->rows), r);
}

static arith_status outer(arith_call *call, const lanes *a, const lanes *b)
{
    const type *elem = call->args[0].type->elem;
    num r[LANES_MAX];
    if (a->n * b->n > LANES_MAX)
        return ARITH_MISSING;
    for (int i = 0; i < a->n * b->n; i++)
        r[i] = mul(elem->kind, a->v[i / b->n], b->v[i % b->n]);
    return give(call, type_mat(call->c, elem, a->n, b->n), r);
}

static arith_status determinant(arith_call *call, const lanes *a)
{
    const type *t = call->args[0].type;
    const type_kind k = t->elem->kind;
    const num *v = a->v;
    num r;
    if (a->n == 4) {
        r = sub(k, mul(k, v[0], v[3]), mul(k, v[2], v[1]));
    } else if (a->n == 9) {
        num across[3];
        cross(k, v + 3, v + 6, across);
        r = dot(k, v, across, 3);
    } else {
        return ARITH_MISSING;
    }
    return give(call, t->elem, &r);
}

static arith_status trace(arith_call *call, const lanes *a)
{
    const type *t = call->args[0].type;
    num r = a->v[0];
    for (int i = 1; i < t->rows; i++)
        r = add(t->elem->kind, r, a->v[i * t->cols + i]);
    return give(call, t->elem, &r);
}

static arith_status of_matrix(arith_call *call, const char *name, const lanes *a)
{
    if (strcmp(name, "transpose") == 0)
        return transpose(call, a);
    if (strcmp(name, "determinant") == 0)
        return determinant(call, a);
    return strcmp(name, "trace") == 0 ? trace(call, a) : ARITH_MISSING;
}

static arith_status of_one(arith_call *call, const char *name, lanes *a)
{
    const type *t = call->args[0].type;
    if (type_is_scalar(t))
        return ARITH_MISSING;
    const type_kind k = t->elem->kind;
    if (t->kind == TYPE_MAT)
        return of_matrix(call, name, a);
    if (strcmp(name, "transform_get_translation") == 0)
        return give(call, type_vec(call->c, t->elem, 3), a->v);
    if (strcmp(name, "transform_get_rotation") == 0)
        return give(call, type_quat(call->c, t->elem), a->v + 3);
    num r = dot(k, a->v, a->v, a->n);
    if (strcmp(name, "length_sq") == 0)
        return give(call, t->elem, &r);
    r = length(k, a);
    if (strcmp(name, "length") == 0)
        return give(call, t->elem, &r);
    if (strcmp(name, "normalize") == 0)
        return normalize(call, a);
    if (strcmp(name, "quat_inverse") != 0)
        return ARITH_MISSING;
    for (int i = 0; i < 3; i++)
        a->v[i].f = -a->v[i].f;
    return give(call, t, a->v);
}

static arith_status axis_angle(arith_call *call, const lanes *axis, num angle)
{
    const type *elem = call->args[1].type;
    const type_kind k = elem->kind;
    const num half = mul(k, angle, literal(k, 0.5));
    num s, r[4];
    num_unary(k, "sin", half, &s);
    num_unary(k, "cos", half, &r[3]);
    for (int i = 0; i < 3; i++)
        r[i] = mul(k, axis->v[i], s);
    return give(call, type_quat(call->c, elem), r);
}

static arith_status of_two(arith_call *call, const char *name, const lanes *a, const lanes *b)
{
    const type *t = call->args[0].type;
    const type_kind k = type_scalar_of(t)->kind;
    num r[4];
    if (strcmp(name, "quat_from_axis_angle") == 0)
        return axis_angle(call, a, b->v[0]);
    if (strcmp(name, "outer") == 0)
        return t->kind == TYPE_VEC && b->n > 1 ? outer(call, a, b) : ARITH_MISSING;
    if (strcmp(name, "dot") == 0 && a->n == b->n && !type_is_scalar(t)) {
        r[0] = dot(k, a->v, b->v, a->n);
        if (t->kind == TYPE_VEC && a->n > 3) /* the sum starts from 0 */
            r[0] = add(k, literal(k, 0), r[0]);
        return give(call, t->elem, r);
    }
    if (strcmp(name, "ddot") == 0 && a->n == b->n && t->kind == TYPE_MAT) {
        r[0] = literal(k, 0);
        for (int i = 0; i < a->n; i++)
            r[0] = muladd(k, a->v[i], b->v[i], r[0]);
        return give(call, t->elem, r);
    }
    if (strcmp(name, "cross") == 0) {
        cross(k, a->v, b->v, r);
        return give(call, t, r);
    }
    const type *vec = type_vec(call->c, type_scalar_of(t), 3);
    const bool inverse = strcmp(name, "quat_rotate_inv") == 0;
    if (inverse || strcmp(name, "quat_rotate") == 0) {
        quat_rotate(k, a->v, b->v, inverse, r);
        return give(call, vec, r);
    }
    const bool point = strcmp(name, "transform_point") == 0;
    if (t->kind != TYPE_TRANSFORM || (!point && strcmp(name, "transform_vector") != 0))
        return ARITH_MISSING;
    quat_rotate(k, a->v + 3, b->v, false, r);
    for (int i = 0; point && i < 3; i++)
        r[i] = add(k, a->v[i], r[i]);
    return give(call, vec, r);
}

arith_status arith_vector(arith_call *call, const char *name)
{
    lanes a, b;
    if (call->n == 1 && unpack(&call->args[0], &a))
        return of_one(call, name, &a);
    return unpack_two(call, &a, &b) ? of_two(call, name, &a, &b) : ARITH_MISSING;
}

arith_status arith_construct(arith_call *call, const type *t)
{
    num v[LANES_MAX] = {{0}};
    const type *elem = type_scalar_of(t);
    int n = 0;
    if (!elem || lane_count(t) > LANES_MAX)
        return ARITH_MISSING;
    for (uint32_t i = 0; i < call->n; i++) {
        lanes part;
        if (!unpack(&call->args[i], &part) || n + part.n > lane_count(t))
            return ARITH_MISSING;
        for (int j = 0; j < part.n; j++)
            v[n++] = num_cast(elem->kind, type_scalar_of(call->args[i].type)->kind, part.v[j]);
    }
    if (n == 1 && (t->kind == TYPE_VEC || t->kind == TYPE_MAT))
        for (; n < lane_count(t); n++)
            v[n] = v[0];
    if (n == 0 && t->kind == TYPE_TRANSFORM)
        return ARITH_MISSING;
    return n == 0 || n == lane_count(t) ? give(call, t, v) : ARITH_MISSING;
}
