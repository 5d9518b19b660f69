/* SPDX-License-Identifier: Apache-2.0 */
/* closest_point_edge_edge(p1, q1, p2, q2, epsilon) of float32: vec3f(s, t, distance).
 *
 *     (0,0,0) (1,0,0), (0.25,1,-1) (0.25,1,1)   ->   (0.25, 0.5, 1)
 *
 * body_edges.h has the value and its tangent; here is Warp's adjoint. */
#include "arith/arith_family.h"

/* a b - c d: with float32, the error of the second product is added, as in Warp. */
static float diff_product_f32(float a, float b, float c, float d)
{
    const float cd = c * d;
    return fmaf(a, b, -cd) + fmaf(-c, d, cd);
}

static num_dual diff_product_dual(num_dual a, num_dual b, num_dual c, num_dual d)
{
    return sub_dual(mul_dual(a, b), mul_dual(c, d));
}

#define ARITH_BODY "arith/body_edges.h"
#include "arith/arith_float32.h"
#undef ARITH_BODY

/* What the results follow from: t alone (edge 1 is a point), s alone, s with t at the end of edge
 * 2, both, t with s taken as constant (nearly parallel edges). */
typedef enum edge_case {
    EDGES_POINTS,
    EDGES_T,
    EDGES_S,
    EDGES_S_END,
    EDGES_BOTH,
    EDGES_PARALLEL
} edge_case;

/* The values again: s, t, s or t before it was clamped. */
typedef struct edge_values {
    edge_case of;
    float s, t, free, denom;
} edge_values;

static edge_values values_between(const edges_f32 *x)
{
    edge_values v = {.of = EDGES_PARALLEL, .denom = diff_product_f32(x->a, x->e, x->b, x->b)};
    if (v.denom > 0) {
        v.free = diff_product_f32(x->b, x->f, x->c, x->e) / v.denom;
        v.s = clamp01_f32(v.free);
        if (v.denom > 1.0e-6f * x->a * x->e)
            v.of = EDGES_BOTH;
    }
    v.t = (x->b * v.s + x->f) / x->e;
    if (v.t < 0 || v.t > 1) {
        v.of = v.t < 0 ? EDGES_S : EDGES_S_END;
        v.t = v.t < 0 ? 0 : 1;
        v.free = (v.of == EDGES_S ? -x->c : x->b - x->c) / x->a;
        v.s = clamp01_f32(v.free);
    }
    return v;
}

static edge_values values_of(const edges_f32 *x, float epsilon)
{
    edge_values v = {.of = EDGES_POINTS};
    const bool point1 = x->a <= epsilon, point2 = x->e <= epsilon;
    if (!point1 && !point2)
        return values_between(x);
    if (point1 && !point2) {
        v.of = EDGES_T;
        v.free = x->f / x->e;
        v.t = clamp01_f32(v.free);
    } else if (!point1) {
        v.of = EDGES_S;
        v.free = -x->c / x->a;
        v.s = clamp01_f32(v.free);
    }
    return v;
}

/* The adjoints of the products from those of s and t; `adj` has them in the members of their names.
 */
static void adjoint_of_products(const edges_f32 *x, const edge_values *v, float s, float t,
                                edges_f32 *adj)
{
    const bool inside = v->free >= 0 && v->free < 1; /* as adj_clamp */
    if (v->of == EDGES_BOTH || v->of == EDGES_PARALLEL) {
        adj->b += t * v->s / x->e;
        adj->f += t / x->e;
        adj->e += -t * v->t / x->e;
        s += t * x->b / x->e;
    }
    if (!inside || v->of == EDGES_PARALLEL || v->of == EDGES_POINTS)
        return;
    if (v->of == EDGES_T) {
        adj->f += t / x->e;
        adj->e += -t * v->free / x->e;
    } else if (v->of == EDGES_BOTH) {
        const float by_num = s / v->denom, by_denom = -s * v->free / v->denom;
        adj->b += by_num * x->f;
        adj->f += by_num * x->b;
        adj->c -= by_num * x->e;
        adj->e -= by_num * x->c;
        adj->a += by_denom * x->e;
        adj->e += by_denom * x->a;
        adj->b -= 2.0f * by_denom * x->b;
    } else {
        if (v->of == EDGES_S_END)
            adj->b += s / x->a;
        adj->c += -s / x->a;
        adj->a += -s * v->free / x->a;
    }
}

/* Warp 1.19 native/intersect.h adj_closest_point_edge_edge, sum by sum; epsilon has no adjoint. */
static arith_status adj_edges(const arith_op *op, void *const *operands)
{
    const edges_f32 x = edges_of_f32(op, operands);
    const edge_values v = values_of(&x, load_f32(operands[4], 0));
    const void *given = operands[2 * op->n + 1];
    float gap[3], pull[3] = {0, 0, 0}, square;
    for (int k = 0; k < 3; k++)
        gap[k] =
            (load_f32(operands[2], k) + v.t * x.d2[k]) - (load_f32(operands[0], k) + v.s * x.d1[k]);
    square = dot3_f32(gap, gap);
    const float distance = sqrtf(square);
    for (int k = 0; k < 3 && distance > 0; k++)
        pull[k] = (load_f32(given, 2) / distance) * gap[k];
    edges_f32 adj = {0};
    const float along2 = dot3_f32(x.d2, pull), along1 = -dot3_f32(x.d1, pull);
    adjoint_of_products(&x, &v, along1 + load_f32(given, 0), along2 + load_f32(given, 1), &adj);
    for (int k = 0; k < 3; k++) {
        const float d1 =
            -v.s * pull[k] + (2.0f * adj.a * x.d1[k] + adj.b * x.d2[k] + adj.c * x.r[k]);
        const float d2 =
            v.t * pull[k] + (2.0f * adj.e * x.d2[k] + adj.b * x.d1[k] + adj.f * x.r[k]);
        const float r = adj.c * x.d1[k] + adj.f * x.d2[k];
        adj_add_f32(op, operands, 0, k, -pull[k]);
        adj_add_f32(op, operands, 2, k, pull[k]);
        adj_add_f32(op, operands, 1, k, d1);
        adj_add_f32(op, operands, 0, k, -d1);
        adj_add_f32(op, operands, 3, k, d2);
        adj_add_f32(op, operands, 2, k, -d2);
        adj_add_f32(op, operands, 0, k, r);
        adj_add_f32(op, operands, 2, k, -r);
    }
    return ARITH_OK;
}

static bool find_edges(const arith_request *q, arith_op *op)
{
    const type *f = type_scalar(q->c, TYPE_FLOAT32), *point = type_vec(q->c, f, 3);
    if (q->n != 5 || q->args[4] != f)
        return false;
    for (int i = 0; i < 4; i++)
        if (q->args[i] != point)
            return false;
    *op = (arith_op){.run = op_edges_f32, .tangent = op_edges_f32_d, .adjoint = adj_edges};
    return arith_set_types(q, op, point);
}

static const arith_row rows[] = {{"closest_point_edge_edge", find_edges}};

const arith_family arith_edges = {rows, sizeof rows / sizeof *rows};
