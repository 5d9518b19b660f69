/* SPDX-License-Identifier: Apache-2.0 */
/* Elements, rows and slices of vectors, matrices, quaternions and transformations: members where
 * the indices are literals, else a small device function that is made for the case. Negative
 * indices count from the end, as Warp's native code does it.
 *
 *     extract(v, 1) of a vec3            ->   v.y
 *     extract(v, -1)                     ->   v.z
 *     extract(v, i)                      ->   component(v, i)
 *     extract(m, i) of a mat22           ->   row(m, i)
 *     extract(m, 0, 1)                   ->   m.m[0][1]
 *     assign_inplace(a, 1, b), a mat22   ->   set_row_1(a, b)
 *     add_inplace(v, i, x)               ->   add_to_component(v, i, x)
 *
 *     __device__ inline vec2 row(mat22 a, int b)
 *     {
 *         if (b < 0) {
 *             b += 2;
 *         }
 *         return vec2{a.m[b][0], a.m[b][1]};
 *     }
 *
 * Each index is a span of rows or columns: one that is a literal, one that a parameter of the
 * function gives ("dynamic"), or a slice, whose bounds stand in its type. The function's text is
 * written in the language of rules, for these spans, and applied like a rule. */
#include <stdlib.h>

#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_family.h"
#include "cudarule/cudarule_number.h"
#include "cudarule/cudarule_type.h"

enum { LANES_MAX = 256 };

/* What is done with the element, row or slice. */
typedef enum element_op {
    ELEMENT_GET,
    ELEMENT_SET,
    ELEMENT_ADD,
    ELEMENT_SUB,
    ELEMENT_AND,
    ELEMENT_OR,
    ELEMENT_XOR,
    ELEMENT_WITH /* a copy with the value in it */
} element_op;

/* A row for each operation: Warp's builtin, what names of device functions begin with, and the
 * operator between element and value. */
typedef struct element_form {
    const char *name;   /* Warp's */
    const char *prefix; /* of device functions */
    const char *assign; /* between element and value */
} element_form;

static const element_form forms[] = {
    [ELEMENT_GET] = {"extract", "", ""},
    [ELEMENT_SET] = {"assign_inplace", "set_", "="},
    [ELEMENT_ADD] = {"add_inplace", "add_to_", "+="},
    [ELEMENT_SUB] = {"sub_inplace", "sub_from_", "-="},
    [ELEMENT_AND] = {"bit_and_inplace", "and_to_", "&="},
    [ELEMENT_OR] = {"bit_or_inplace", "or_to_", "|="},
    [ELEMENT_XOR] = {"bit_xor_inplace", "xor_to_", "^="},
    [ELEMENT_WITH] = {"assign_copy", "with_", "="},
};

/* What one index takes: `count` elements, `step` apart, from `start` on. Of a dynamic span start is
 * not known, and count is 1. is_slice: the result keeps this dimension. */
typedef struct element_span {
    bool dynamic;
    int start, step, count;
    bool is_slice;
} element_span;

/* What all indices take together. */
typedef struct element_pick {
    element_span row, col;
    bool has_col; /* an index, or whole rows */
    const type *whole, *part;
} element_pick;

/* A literal index within the extent, counted from the front. One that is outside is left to the
 * device function, which reads what Warp's function reads. */
static bool constant_index(const cuda_expr *e, int extent, int *out)
{
    if (!e->is_integer || e->integer < -extent || e->integer >= extent)
        return false;
    *out = (int)(e->integer < 0 ? e->integer + extent : e->integer);
    return *out >= 0 && *out < extent;
}

/* The bounds of a slice as Warp has adjusted them: begin, end and step. */
static bool slice_bounds(const cuda_expr *e, int64_t bounds[3])
{
    if (e->type->known) {
        memcpy(bounds, e->type->dims, 3 * sizeof *bounds);
        return true;
    }
    return false;
}

/* The elements that the slice takes: Python's range(start, stop, step). False: none, or some
 * outside. */
static bool slice_span(const cuda_expr *e, int extent, element_span *s)
{
    WEFT_ASSERT(e->type->kind == TYPE_SLICE && extent > 0);
    int64_t bounds[3];
    if (!slice_bounds(e, bounds) || bounds[2] == 0)
        return false;
    const int64_t step = bounds[2];
    int64_t start = bounds[0], stop = bounds[1];
    if (start == SLICE_BEGIN)
        start = step > 0 ? 0 : extent - 1;
    if (stop == SLICE_END)
        stop = step > 0 ? extent : -1;
    const int64_t along = step > 0 ? stop - start : start - stop;
    const int64_t stride = step > 0 ? step : -step;
    const int64_t count = along > 0 ? 1 + (along - 1) / stride : 0;
    *s = (element_span){false, (int)start, (int)step, (int)count, true};
    return count > 0 && start >= 0 && start < extent && start + step * (count - 1) >= 0 &&
           start + step * (count - 1) < extent;
}

/* False: the index is neither an integer nor a slice that is known. */
static bool span_of(const cuda_expr *e, int extent, element_span *s)
{
    if (!e->type)
        return false;
    if (e->type->kind == TYPE_SLICE)
        return slice_span(e, extent, s);
    if (!type_is_integer(e->type))
        return false;
    *s = (element_span){true, 0, 1, 1, false};
    if (constant_index(e, extent, &s->start))
        s->dynamic = false;
    return true;
}

/* A matrix of two slices, a vector of one, else a scalar. */
static const type *part_type(cuda_defs *n, const element_pick *p)
{
    const type *elem = p->whole->elem;
    const bool rows = p->row.is_slice, cols = p->col.is_slice;
    if (rows && cols)
        return type_mat(n->c, elem, p->row.count, p->col.count);
    return rows   ? type_vec(n->c, elem, p->row.count)
           : cols ? type_vec(n->c, elem, p->col.count)
                  : elem;
}

/* Fills p for the whole args[0] and the indices behind it. False: there is no form. A missing
 * second index of a matrix takes all columns. */
static bool pick(cuda_defs *n, const cuda_expr *args, uint32_t nindices, element_pick *p)
{
    const type *t = args[0].type;
    if (!t || !type_is_composite(t) || nindices < 1 || nindices > (t->kind == TYPE_MAT ? 2u : 1u))
        return false;
    *p = (element_pick){.whole = t, .has_col = t->kind == TYPE_MAT};
    p->col = (element_span){false, 0, 1, p->has_col ? t->cols : 1, p->has_col};
    if (!span_of(&args[1], t->rows, &p->row) ||
        (nindices == 2 && !span_of(&args[2], t->cols, &p->col)))
        return false;
    p->part = part_type(n, p);
    if (p->has_col && !type_is_composite(p->part)) /* both or none, for one function's sake */
        p->row.dynamic = p->col.dynamic = p->row.dynamic || p->col.dynamic;
    return p->row.count * p->col.count <= LANES_MAX;
}

/* The span's part of a function's name: "i", "2", "all", "0_to_2", "0_to_4_by_2", "5_to_1_back_2".
 * Different spans have different names within one type. */
static str span_name(cuda_defs *n, const element_span *s, int extent)
{
    if (s->dynamic)
        return STR("i");
    const str start = cuda_decimal(n, s->start);
    if (s->count == 1)
        return start;
    if (s->count == extent && s->step == 1)
        return STR("all");
    const str to =
        cuda_text(n, "@_to_@", start, cuda_decimal(n, s->start + s->step * (s->count - 1)));
    if (s->step == 1)
        return to;
    return cuda_text(n, s->step < 0 ? "@_back_@" : "@_by_@", to, cuda_decimal(n, abs(s->step)));
}

/* "component", "row", "column", or the slices by their bounds. */
static str part_name(cuda_defs *n, const element_pick *p)
{
    const bool all_cols =
        p->has_col && p->col.is_slice && p->col.count == p->whole->cols && p->col.step == 1;
    if (p->row.dynamic && (!p->has_col || p->col.dynamic))
        return STR("component");
    if (!p->row.is_slice && all_cols)
        return p->row.dynamic ? STR("row") : cuda_text(n, "row_@", cuda_decimal(n, p->row.start));
    const str rows = span_name(n, &p->row, p->whole->rows);
    if (!p->has_col)
        return cuda_text(n, "slice_@", rows);
    return cuda_text(n, "block_@_@", rows, span_name(n, &p->col, p->whole->cols));
}

/* In a rule's text, the parameter that holds the dynamic index of rows or columns. */
static str index_name(const element_pick *p, bool col)
{
    return col && p->row.dynamic ? STR("c") : STR("b");
}

/* Index k of the span as it stands in the text. */
static str index_text(cuda_defs *n, const element_pick *p, bool col, int k)
{
    const element_span *s = col ? &p->col : &p->row;
    return s->dynamic ? index_name(p, col) : cuda_decimal(n, s->start + s->step * k);
}

/* Lane k of the part in the variable `of`: "a[1][b]". */
static str part_lane(cuda_defs *n, const element_pick *p, const char *of, int k)
{
    const int i = k / p->col.count, j = k % p->col.count;
    const str row = index_text(n, p, false, i);
    if (!p->has_col)
        return cuda_text(n, "@[@]", str_c(of), row);
    return cuda_text(n, "@[@][@]", str_c(of), row, index_text(n, p, true, j));
}

/* Lane k of the value that stands in variable v. */
static str value_lane(cuda_defs *n, const element_pick *p, str v, int k)
{
    if (!type_is_composite(p->part))
        return v;
    if (p->part->kind == TYPE_MAT)
        return cuda_text(n, "@[@][@]", v, cuda_decimal(n, k / p->col.count),
                         cuda_decimal(n, k % p->col.count));
    return cuda_text(n, "@[@]", v, cuda_decimal(n, k));
}

/* "if (b < 0) b += 3; ": a dynamic index that counts from the end. */
static str wrap(cuda_defs *n, const element_pick *p, bool col)
{
    const element_span *s = col ? &p->col : &p->row;
    if (!s->dynamic)
        return STR("");
    const str name = index_name(p, col);
    return cuda_text(n, "if (@ < 0) @ += @; ", name, name,
                     cuda_decimal(n, col ? p->whole->cols : p->whole->rows));
}

/* Members x, y, z, w cannot be indexed; a dynamic index chooses among them. */
static bool by_letters(const element_pick *p)
{
    return p->row.dynamic && !p->has_col &&
           (cuda_has_letters(p->whole) || p->whole->kind == TYPE_TRANSFORM);
}

/* A chain of choices, in which the last member stands for all other indices. */
static str letters_text(cuda_defs *n, const element_pick *p, const element_form *f, str value)
{
    const bool get = f == &forms[ELEMENT_GET];
    str text = get ? STR("return ") : STR("");
    for (int k = 0; k < p->whole->rows; k++) {
        const str at = cuda_decimal(n, k);
        const bool last = k + 1 == p->whole->rows;
        if (get)
            text = last ? cuda_text(n, "@a[@];", text, at)
                        : cuda_text(n, "@b == @ ? a[@] : ", text, at, at);
        else
            text = last ? cuda_text(n, "@a[@] @ @;", text, at, str_c(f->assign), value)
                        : cuda_text(n, "@if (b == @) a[@] @ @; else ", text, at, at,
                                    str_c(f->assign), value);
    }
    return text;
}

/* "return a[b];", or the result made of its lanes. */
static str get_text(cuda_defs *n, const element_pick *p)
{
    const int count = p->row.count * p->col.count;
    if (!type_is_composite(p->part))
        return cuda_text(n, "return @;", part_lane(n, p, "a", 0));
    str items = STR("");
    for (int k = 0; k < count; k++)
        items = cuda_text(n, k ? "@, @" : "@@", items, part_lane(n, p, "a", k));
    return cuda_text(n, "return R(@);", items);
}

/* A statement for each lane: "a[1][0] = b[0];a[1][1] = b[1];". */
static str change_text(cuda_defs *n, const element_pick *p, const element_form *f, str value)
{
    str text = STR("");
    for (int k = 0; k < p->row.count * p->col.count; k++)
        text = cuda_text(n, "@@ @ @;", text, part_lane(n, p, "a", k), str_c(f->assign),
                         value_lane(n, p, value, k));
    return text;
}

/* The function's body in the language of rules. */
static str function_text(cuda_defs *n, const element_pick *p, element_op op, str value)
{
    const element_form *f = &forms[op];
    const str wraps = cuda_text(n, "@@", wrap(n, p, false), wrap(n, p, true));
    const str work = by_letters(p)       ? letters_text(n, p, f, value)
                     : op == ELEMENT_GET ? get_text(n, p)
                                         : change_text(n, p, f, value);
    return cuda_text(n, op == ELEMENT_WITH ? "@@return a;" : "@@", wraps, work);
}

/* Indices are passed as int; narrower integers convert by themselves. */
static cuda_expr as_int(cuda_defs *n, const cuda_expr *e)
{
    const type *t = type_scalar(n->c, TYPE_INT32);
    return e->type->kind < TYPE_INT32 ? *e : cuda_cast(n, t, e);
}

/* A call of the device function. Its parameters: the whole (by reference if it is changed), an int
 * for each dynamic index, the value. */
static cuda_expr by_function(cuda_defs *n, const element_pick *p, element_op op,
                             const cuda_expr *whole, const cuda_expr *indices, uint32_t nindices,
                             const cuda_expr *value)
{
    cuda_expr args[4] = {*whole};
    cuda_binding b = {.scalar = p->whole->elem, .nargs = 1};
    args[0].type = p->whole;
    b.by_reference[0] = op != ELEMENT_GET && op != ELEMENT_WITH;
    for (uint32_t i = 0; i < nindices; i++)
        if (i ? p->col.dynamic : p->row.dynamic) {
            args[b.nargs] = as_int(n, &indices[i]);
            args[b.nargs++].type = type_scalar(n->c, TYPE_INT32);
        }
    const str value_name = cuda_arg_name(b.nargs);
    if (value)
        args[b.nargs++] = *value;
    for (uint32_t i = 0; i < b.nargs; i++)
        b.args[i] = args[i].type;
    b.by_value[0] = op == ELEMENT_WITH;
    b.result = op == ELEMENT_GET ? p->part : op == ELEMENT_WITH ? p->whole : NULL;
    const str name = cuda_text(n, "@@", str_c(forms[op].prefix), part_name(n, p));
    const cuda_rule rule = {.name = name.p, .text = function_text(n, p, op, value_name).p};
    return cuda_apply(n, &rule, &b, args);
}

/* The one member that constant indices name: no function is needed. */
static bool one_member(const element_pick *p)
{
    return !p->row.dynamic && !p->col.dynamic && !type_is_composite(p->part);
}

/* The one member of constant indices. */
static cuda_expr member(cuda_defs *n, const element_pick *p, const cuda_expr *whole)
{
    WEFT_ASSERT(one_member(p));
    const int k =
        p->row.start * (p->has_col ? p->whole->cols : 1) + (p->has_col ? p->col.start : 0);
    cuda_expr e = *whole;
    e.type = p->whole;
    return cuda_lane_of(n, &e, k);
}

/* At most eight lanes: taken() calls it for four. */
static cuda_expr listed(cuda_defs *n, const element_pick *p, const cuda_expr *whole)
{
    cuda_expr lanes[8];
    WEFT_ASSERT(p->row.count * p->col.count <= 8);
    const uint32_t count = (uint32_t)(p->row.count * p->col.count);
    for (uint32_t k = 0; k < count; k++) {
        const int i = p->row.start + p->row.step * (int)(k / (uint32_t)p->col.count);
        const int j = p->col.start + p->col.step * (int)(k % (uint32_t)p->col.count);
        lanes[k] = cuda_lane_of(n, whole, i * (p->has_col ? p->whole->cols : 1) + j);
    }
    return cuda_construct(n, p->part, lanes, count);
}

/* An assignment to one member, or a call that changes or copies the whole. */
static cuda_expr changed(cuda_defs *n, const element_pick *p, element_op op, const cuda_expr *args,
                         uint32_t nindices, const cuda_expr *value)
{
    if (!one_member(p) || op == ELEMENT_WITH)
        return by_function(n, p, op, &args[0], args + 1, nindices, value);
    const cuda_expr at = member(n, p, &args[0]);
    return cuda_expr_of(cuda_text(n, "@ @ @", at.text, str_c(forms[op].assign), value->text), NULL,
                        CUDA_ASSIGN);
}

/* A member, the lanes of a constant slice, or a call. */
static cuda_expr taken(cuda_defs *n, const element_pick *p, const cuda_expr *args,
                       uint32_t nindices)
{
    if (one_member(p))
        return member(n, p, &args[0]);
    if (!p->row.dynamic && !p->col.dynamic && cuda_is_short(n, &args[0]) &&
        p->row.count * p->col.count <= 4)
        return listed(n, p, &args[0]);
    return by_function(n, p, ELEMENT_GET, &args[0], args + 1, nindices, NULL);
}

/* Which operation the builtin is; false: none on elements. */
static bool op_of(str name, element_op *op)
{
    for (int i = ELEMENT_GET; i <= ELEMENT_WITH; i++)
        if (str_eq(name, str_c(forms[i].name))) {
            *op = (element_op)i;
            return true;
        }
    return false;
}

/* CUDA_NONE: no builtin about elements, or indices that have no form. */
cuda_expr cuda_element(cuda_defs *n, str name, const type *result, const cuda_expr *args,
                       uint32_t nargs)
{
    element_op op;
    element_pick p;
    (void)result;
    if (!op_of(name, &op) || nargs < (op == ELEMENT_GET ? 2 : 3))
        return CUDA_NONE;
    const uint32_t nindices = nargs - (op == ELEMENT_GET ? 1 : 2);
    if (!pick(n, args, nindices, &p))
        return CUDA_NONE;
    if (op == ELEMENT_GET)
        return taken(n, &p, args, nindices);
    return changed(n, &p, op, args, nindices, &args[nargs - 1]);
}

/* to += e, or to -= e; nothing if the adjoint is not wanted. */
static void accumulate(const cuda_adjoint *q, const cuda_expr *to, bool minus, cuda_expr e)
{
    cuda_expr target = *to;
    target.type = e.type;
    if (!to->text.n)
        return;
    if (type_is_composite(e.type)) /* has to be defined */
        cuda_rule_call(q->n, minus ? STR("-=") : STR("+="), NULL, (cuda_expr[]){target, e}, 2);
    cuda_add_sum(q->n, q->out, to, &e, minus);
}

/* Warp goes through the elements of a reversed slice in rising order in the adjoint of a copy, so
 * that sums round as they do there. */
static element_span rising(element_span s)
{
    if (s.step > 0)
        return s;
    return (element_span){s.dynamic, s.start + s.step * (s.count - 1), -s.step, s.count,
                          s.is_slice};
}

/* The adjoint of assign_copy(a, i, b): b's grows by the element of d, and a's by d with zero
 * there. */
static void copy_adjoint(const cuda_adjoint *q, element_pick p, uint32_t nindices)
{
    cuda_defs *n = q->n;
    p.row = rising(p.row);
    p.col = rising(p.col);
    cuda_expr args[3] = {*q->adj_result};
    for (uint32_t i = 1; i <= nindices; i++)
        args[i] = q->args[i];
    args[0].type = p.whole;
    accumulate(q, &q->adj_args[q->nargs - 1], false, taken(n, &p, args, nindices));
    const cuda_expr zero = cuda_construct(n, p.part, NULL, 0);
    if (q->adj_args[0].text.n)
        accumulate(q, &q->adj_args[0], false, changed(n, &p, ELEMENT_WITH, args, nindices, &zero));
}

/* The element of an adjoint grows by the adjoint of the result. */
static void add_to_element(const cuda_adjoint *q, const element_pick *p, const cuda_expr *args,
                           uint32_t nindices)
{
    if (one_member(p)) {
        const cuda_expr at = member(q->n, p, &args[0]);
        cuda_add_sum(q->n, q->out, &at, q->adj_result, false);
    } else {
        cuda_add_line(q->n, q->out,
                      changed(q->n, p, ELEMENT_ADD, args, nindices, q->adj_result).text);
    }
}

/* Of extract: the element of the whole's adjoint grows. Of an assignment: the value's adjoint takes
 * from the element's, which keeps what it has, as in Warp's adj_assign_inplace. */
bool cuda_element_adjoint(const cuda_adjoint *q)
{
    element_op op;
    element_pick p;
    if (!op_of(q->name, &op))
        return false;
    const uint32_t nindices = q->nargs - (op == ELEMENT_GET ? 1 : 2);
    if (!pick(q->n, q->args, nindices, &p))
        return false;
    cuda_expr args[3] = {q->adj_args[0]};
    args[0].type = p.whole;
    args[0].prec = CUDA_POSTFIX;
    for (uint32_t i = 1; i <= nindices; i++)
        args[i] = q->args[i];
    if (op == ELEMENT_WITH) {
        copy_adjoint(q, p, nindices);
    } else if (op == ELEMENT_GET) {
        if (q->adj_args[0].text.n)
            add_to_element(q, &p, args, nindices);
    } else if (q->adj_args[q->nargs - 1].text.n && q->adj_args[0].text.n) {
        accumulate(q, &q->adj_args[q->nargs - 1], op == ELEMENT_SUB,
                   taken(q->n, &p, args, nindices));
    }
    return true;
}
