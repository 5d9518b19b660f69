/* SPDX-License-Identifier: Apache-2.0 */
/* Elements, rows and slices of composites: which types fit, and which lanes are meant.
 *
 *     v[-1]       of a vec3     lane 2                    a scalar
 *     m[1]        of a mat33    lanes 3, 4, 5             vec3
 *     m[1, 2]     of a mat33    lane 5                    a scalar
 *     m[0:2, 1]   of a mat33    lanes 1, 4                vec2
 *     m[::2, ::2] of a mat33    lanes 0, 2, 6, 8          mat22
 *
 * Reading is "extract", v[i] = x is "assign_inplace" or "assign_copy", v[i] += x "add_inplace".
 *
 * op->param: rows and columns of the whole (one column but for matrices), then what the row's and
 * the column's operand are: INDEX_NONE, or the kind of the index with the number of lanes that it
 * takes. */
#include "arith/linear.h"

enum { INDEX_NONE = -1, INDEX_SLICE = 0xff, INDEX_KIND_BITS = 8, INDICES_MAX = 2 };

/* The rows (or columns) start, start + step, ...: `count` of them. */
typedef struct element_span {
    int start, step, count;
} element_span;

/* The elements that a call's indices choose: every pair of a row and a column. */
typedef struct element_pick {
    element_span row, col;
    int width; /* columns of the whole */
} element_pick;

/* The index at p, whose type_kind is `kind`. */
static int64_t index_value(int kind, const void *p)
{
    switch (kind) {
    case TYPE_INT32: return *(const int32_t *)p;
    case TYPE_INT8: return *(const int8_t *)p;
    case TYPE_UINT8: return *(const uint8_t *)p;
    case TYPE_INT16: return *(const int16_t *)p;
    case TYPE_UINT16: return *(const uint16_t *)p;
    default: return (int32_t) * (const uint32_t *)p; /* wider ones are cut to an int */
    }
}

/* The bounds are those of a slice_t with negative ones already resolved; stop is -1 when a slice
 * runs down to the first: v[2::-1] is 2, -1, -1 and has three elements. s->count is the length that
 * the part's type has. False: out of range, or the slice has another length.
 *
 *     extent 5:   {0, 5, 2}    0, 2, 4           {4, -1, -2}   4, 2, 0
 *                 {3, 3, 1}    none              {2, 9, 1}     false: out of range */
static bool pick_slice(const int32_t bounds[3], int extent, element_span *s)
{
    const int64_t start = bounds[0], stop = bounds[1], step = bounds[2];
    if (start < 0 || start > extent || stop < -1 || stop > extent || step == 0)
        return false;
    const int64_t along = step > 0 ? stop - start : start - stop;
    const int64_t stride = step > 0 ? step : -step;
    const int64_t count = along > 0 ? 1 + (along - 1) / stride : 0;
    if (count != s->count || (count && start == extent))
        return false;
    s->start = (int)start;
    s->step = (int)step;
    return true;
}

/* Decodes one index operand (see the head): a slice, or a number that may be negative. */
static bool pick_span(int32_t param, const void *operand, int extent, element_span *s)
{
    WEFT_ASSERT(extent > 0 && param != INDEX_NONE);
    const int kind = param & INDEX_SLICE;
    *s = (element_span){0, 1, param >> INDEX_KIND_BITS};
    if (kind == INDEX_SLICE)
        return pick_slice(operand, extent, s);
    int64_t i = index_value(kind, operand);
    i += i < 0 ? extent : 0;
    s->start = (int)i;
    return i >= 0 && i < extent;
}

/* False: out of range. Negative indices count from the end. */
static bool pick_elements(const arith_op *op, void *const *operands, element_pick *p)
{
    p->width = op->param[1];
    p->col = (element_span){0, 1, p->width};
    return pick_span(op->param[2], operands[1], op->param[0], &p->row) &&
           (op->param[3] == INDEX_NONE ||
            pick_span(op->param[3], operands[2], op->param[1], &p->col));
}

/* The lane of the whole at which element k of the part is; k counts by rows. No division for one
 * row, the usual case.
 *
 *     m[0:2, 1] of a mat33: row {0, 1, 2}, col {1, 1, 1}, width 3     k = 0, 1   ->   lanes 1, 4 */
static inline int element_at(const element_pick *p, int k)
{
    WEFT_ASSERT(k >= 0 && p->row.count > 0 && p->col.count > 0);
    const int i = p->row.count == 1 ? 0 : k / p->col.count, j = k - i * p->col.count;
    return (p->row.start + i * p->row.step) * p->width + p->col.start + j * p->col.step;
}

/* The same elements in rising order: 2, 1, 0 becomes 0, 1, 2. */
static inline void rise(element_span *s)
{
    WEFT_ASSERT(s->step != 0);
    if (s->step > 0)
        return;
    s->start += (s->count - 1) * s->step;
    s->step = -s->step;
}

#define ARITH_BODY "arith/body_elements.h"
#include "arith/arith_each_float.h"
#include "arith/arith_each_integer.h"
#undef ARITH_BODY
#define ARITH_BODY "arith/body_element_bits.h"
#include "arith/arith_each_integer.h"
#undef ARITH_BODY

/* All operations are linear in the whole and the value: the tangent is the function again, with the
 * operands 0 and `last` and the results replaced by their tangents; indices stay. */
static arith_status run_on_tangents(const arith_op *op, void *const *operands, uint32_t last)
{
    void *moved[INDICES_MAX + 3];
    const uint32_t all = op->n + op->nresults;
    WEFT_ASSERT(all <= INDICES_MAX + 3 && last < op->n);
    for (uint32_t i = 0; i < all; i++)
        moved[i] = operands[i == 0 || i == last || i >= op->n ? all + i : i];
    return op->run(op, moved);
}

/* extract(whole, indices): the tangent of the whole is read by the same indices. */
static arith_status extract_tangent(const arith_op *op, void *const *operands)
{
    return run_on_tangents(op, operands, 0);
}

/* Argument n - 1 is the value that the elements get; its tangent goes the same way. */
static arith_status change_tangent(const arith_op *op, void *const *operands)
{
    return run_on_tangents(op, operands, op->n - 1);
}

/* A slice, or an integer of any width. */
static bool is_index(const type *t)
{
    return t->kind == TYPE_SLICE || type_is_integer(t);
}

/* The kind of an index, and above its 8 bits the number of lanes that it takes.
 *
 *     int32, one lane      TYPE_INT32 | 1 << 8
 *     slice of 3 lanes     0xff | 3 << 8 */
static int32_t index_param(const type *t, int count)
{
    WEFT_ASSERT(count >= 0 && count < 1 << 23);
    const int kind = t->kind == TYPE_SLICE ? INDEX_SLICE : (int)t->kind;
    return kind | count << INDEX_KIND_BITS;
}

/* The type of the elements that indices[n] take from a whole. Lengths of slices are those of
 * `part`. NULL: these indices do not fit.
 *
 *     mat33, (int)             vec3         mat33, (slice, int) with part vec2    vec2
 *     mat33, (int, int)        a scalar     mat33, (slice, slice), part mat22     mat22 */
static const type *part_type(ctx *c, const type *whole, const type *const *indices, uint32_t n,
                             const type *part, int32_t counts[2])
{
    WEFT_ASSERT(n > 0 && type_is_composite(whole));
    const bool is_mat = whole->kind == TYPE_MAT;
    const bool rows = indices[0]->kind == TYPE_SLICE;
    const bool cols = is_mat && (n == 1 || indices[1]->kind == TYPE_SLICE);
    if (n > (is_mat ? 2u : 1u) || ((rows || (cols && n == 2)) && !part))
        return NULL;
    if ((rows || cols) && part && !type_is_composite(part))
        return NULL;
    counts[0] = rows ? part->rows : 1;
    counts[1] = !cols ? 1 : n == 1 ? whole->cols : rows ? part->cols : part->rows;
    if (rows && cols)
        return type_mat(c, whole->elem, counts[0], counts[1]);
    return rows || cols ? type_vec(c, whole->elem, counts[rows ? 0 : 1]) : whole->elem;
}

/* Fills s for elements of args[0] by `n` indices after it; part NULL: to be found. */
static bool match_part(const arith_request *q, uint32_t n, const type *part, linear_shape *s)
{
    const type *whole = q->args[0];
    int32_t counts[2];
    if (!type_is_composite(whole))
        return false;
    for (uint32_t i = 1; i <= n; i++)
        if (!is_index(q->args[i]))
            return false;
    const type *t = part_type(q->c, whole, q->args + 1, n, part, counts);
    if (!t || (part && part != t))
        return false;
    *s = (linear_shape){.elem = whole->elem, .result = t};
    s->param[0] = whole->rows;
    s->param[1] = whole->kind == TYPE_MAT ? whole->cols : 1;
    s->param[2] = index_param(q->args[1], counts[0]);
    s->param[3] = n == 2 ? index_param(q->args[2], counts[1]) : INDEX_NONE;
    return true;
}

/* extract(whole, i) or extract(whole, i, j). With slices the caller has to give the result's
 * type, since their lengths are not in the types of the arguments. */
static bool match_extract(const arith_request *q, linear_shape *s)
{
    return (q->n == 2 || q->n == 3) &&
           match_part(q, q->n - 1, q->nresults == 1 ? q->results[0] : NULL, s);
}

/* NAME_inplace(whole, i, value) or (whole, i, j, value): the value's type gives the lengths of
 * slices. */
static bool match_change(const arith_request *q, linear_shape *s)
{
    if ((q->n != 3 && q->n != 4) || !match_part(q, q->n - 2, q->args[q->n - 1], s))
        return false;
    s->result = NULL;
    return true;
}

/* assign_copy has the same arguments, and the changed whole as its result. */
static bool match_changed(const arith_request *q, linear_shape *s)
{
    if (!match_change(q, s))
        return false;
    s->result = q->args[0];
    return true;
}

/* bool is kept in a byte, and has no adjoint. */
#define ELEMENTS(name, tan, adj)                                                                   \
    [TYPE_BOOL] = {name##_u8, NULL, NULL},                                                         \
    LINEAR_INTEGERS(name, adj), [TYPE_FLOAT16] = {name##_f16, tan, adj##_f16},                     \
    [TYPE_BFLOAT16] = {name##_bf16, tan, adj##_bf16},                                              \
    [TYPE_FLOAT32] = {name##_f32, tan, adj##_f32}, [TYPE_FLOAT64] = {name##_f64, tan, adj##_f64}

/* Warp never clears the adjoint of what an assignment replaces. */
const linear_form linear_elements[] = {
    {"add_inplace", match_change, {ELEMENTS(add_inplace, change_tangent, adj_add_inplace)}, false},
    {"assign_copy", match_changed, {ELEMENTS(assign_copy, change_tangent, adj_assign_copy)}, false},
    {"assign_inplace",
     match_change,
     {ELEMENTS(assign_inplace, change_tangent, adj_add_inplace)},
     true},
    {"bit_and_inplace", match_change, {LINEAR_INTEGERS_FLAT(bit_and_inplace)}, false},
    {"bit_or_inplace", match_change, {LINEAR_INTEGERS_FLAT(bit_or_inplace)}, false},
    {"bit_xor_inplace", match_change, {LINEAR_INTEGERS_FLAT(bit_xor_inplace)}, false},
    {"extract", match_extract, {ELEMENTS(extract, extract_tangent, adj_extract)}, false},
    {"sub_inplace", match_change, {ELEMENTS(sub_inplace, change_tangent, adj_sub_inplace)}, false},
    {0},
};
