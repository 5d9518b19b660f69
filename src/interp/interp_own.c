/* SPDX-License-Identifier: Apache-2.0 */
/* Builtins that are no arithmetic: indices of threads, arrays that a kernel makes, expectations,
 * and those without effect (printf). A table at the end of the file names them.
 *
 *     wp.expect_eq(a[i], 1.0) where a[i] is 0.0   ->   "expect_eq: 0.0 is not equal to 1.0" */
#include <stdio.h>

#include "interp/interp_tile.h"

/* Storage for the node's result, made when it first runs. */
static islot *slot_of(interp *in, inode *n)
{
    if (!n->slot)
        n->slot = ARENA_NEW(in->a, islot);
    return n->slot;
}

/* A launch with other dimensions than wp.tid() is unpacked into is an error here. Warp runs it,
 * with zeros for the indices that the launch lacks. */
static const iv *eval_tid(interp *in, inode *n)
{
    const uint32_t expects = ((const icallee *)n->aux)->expects, wanted = expects ? expects : 1;
    const type *t = in->t_int, *types[LAUNCH_DIMS] = {t, t, t, t};
    int32_t index[LAUNCH_DIMS];
    iv items[LAUNCH_DIMS];
    islot *s = slot_of(in, n);
    if ((int)wanted < in->launch->ndim && !in->group) /* the text machine can */
        interp_refuse(in, n->at, "wp.tid() of %u indices where the launch has %d dimensions",
                      wanted, in->launch->ndim);
    if ((int)wanted > in->launch->ndim)
        interp_fail(in, n->at, "wp.tid() is taken as %u indices, but the launch has %d dimensions",
                    wanted, in->launch->ndim);
    WEFT_ASSERT(wanted >= 1 && wanted <= LAUNCH_DIMS);
    if (!expects) {
        interp_set_int(in, s, in->thread_index[0]);
        return &s->v;
    }
    for (uint32_t i = 0; i < wanted; i++) {
        index[i] = (int32_t)in->thread_index[i];
        items[i] = (iv){.type = t, .p = &index[i]};
    }
    if (!n->v.type)
        n->v.type = type_tuple(in->c, types, wanted);
    interp_keep(in, s, &(iv){.type = n->v.type, .p = items});
    return &s->v;
}

/* wp.block_dim(): what the launch says, else 1, as on Warp's CPU device. */
static const iv *eval_block_dim(interp *in, inode *n)
{
    islot *s = slot_of(in, n);
    interp_set_int(in, s, in->launch->block_dim ? in->launch->block_dim : 1);
    return &s->v;
}

/* len(x): the size of an array's first dimension, items of a tuple, components of a vector, rows of
 * a matrix. */
static const iv *eval_len(interp *in, inode *n)
{
    const iv *args[INTERP_ARGS];
    islot *s = slot_of(in, n);
    if (interp_eval_args(in, n, args) != 1 || !args[0]->type)
        interp_refuse(in, n->at, "len of this value");
    const type *t = args[0]->type;
    if (t->kind == TYPE_ARRAY)
        interp_set_int(in, s, (*(const array_view **)args[0]->p)->shape[0]);
    else if (t->kind == TYPE_TUPLE)
        interp_set_int(in, s, t->nitems);
    else if (type_is_composite(t))
        interp_set_int(in, s, t->rows);
    else
        interp_refuse(in, n->at, "len of %.*s", (int)t->pyname.n, t->pyname.p);
    return &s->v;
}

/* print and printf: nothing is printed, but their arguments are evaluated, since that may fail. */
static const iv *eval_ignored(interp *in, inode *n)
{
    const iv *args[INTERP_ARGS];
    interp_eval_args(in, n, args);
    n->v = (iv){0};
    return &n->v;
}

/* Scalar i of a number or composite. */
static num lane_of(const iv *v, int i)
{
    const type *s = type_scalar_of(v->type);
    return num_load(s->kind, (const uint8_t *)v->p + (size_t)i * layout_size(s));
}

/* A value for a message: its components with spaces between them, "?" for what is no number. */
static void put_value(strbuf *b, const iv *v)
{
    const type *s = v->type && type_is_value(v->type) ? type_scalar_of(v->type) : NULL;
    if (!s) {
        SB_LIT(b, "?");
        return;
    }
    for (int i = 0; i < lane_count(v->type); i++) {
        const num x = lane_of(v, i);
        if (i)
            SB_LIT(b, " ");
        if (type_is_float(s))
            sb_float(b, x.f);
        else
            sb_int(b, x.i);
    }
}

/* All lanes are equal; a NaN equals nothing.
 *
 *     vec2(1, 2), vec2(1, 2)     true          vec2(nan, 0), the same     false */
static bool equal_values(const iv *a, const iv *b)
{
    const bool is_float = type_is_float(type_scalar_of(a->type));
    for (int i = 0; i < lane_count(a->type); i++) {
        const num x = lane_of(a, i), y = lane_of(b, i);
        if (is_float ? x.f != y.f : x.i != y.i)
            return false;
    }
    return true;
}

/* Whether no component differs by more than the tolerance. A difference of NaN is within it, since
 * neither comparison holds. */
static bool near_values(const iv *a, const iv *b, double tolerance)
{
    const type *s = type_scalar_of(a->type);
    for (int i = 0; i < lane_count(a->type); i++) {
        const num apart = num_binary(s->kind, SCALAR_SUB, lane_of(a, i), lane_of(b, i));
        if (apart.f > tolerance || -apart.f > tolerance)
            return false;
    }
    return true;
}

/* Ends the run with both values in the message. */
static _Noreturn void fail_expectation(interp *in, const inode *n, const char *name,
                                       const char *relation, const iv *const *args)
{
    strbuf b;
    sb_init(&b, &in->c->mem);
    put_value(&b, args[0]);
    sb_c(&b, relation);
    put_value(&b, args[1]);
    const char *text = arena_dup(&in->thread, b.p, b.n);
    sb_clear(&b);
    interp_fail(in, n->at, "%s: %s", name, text);
}

/* expect_eq, expect_neq and expect_near end the run when they do not hold; Warp only prints. */
static const iv *eval_expect(interp *in, inode *n)
{
    const icallee *callee = n->aux;
    const iv *args[INTERP_ARGS];
    const uint32_t count = interp_eval_args(in, n, args);
    const bool is_near = strcmp(callee->name, "expect_near") == 0;
    const bool wants_equal = strcmp(callee->name, "expect_eq") == 0;
    if (count < 2 || count > 2u + is_near || !args[0]->type || args[0]->type != args[1]->type ||
        !type_is_value(args[0]->type) || (is_near && !type_is_float(type_scalar_of(args[0]->type))))
        interp_cannot(in, n->at, callee->name, args, count);
    if (is_near) {
        const type_kind k = type_scalar_of(args[0]->type)->kind;
        if (count == 3 && args[2]->type != type_scalar_of(args[0]->type))
            interp_cannot(in, n->at, callee->name, args, count);
        const double tolerance = count == 3 ? lane_of(args[2], 0).f : value_rounded(k, 1e-6);
        if (!near_values(args[0], args[1], tolerance) && !in->launch->lenient)
            fail_expectation(in, n, callee->name, " is not near ", args);
    } else if (equal_values(args[0], args[1]) != wants_equal && !in->launch->lenient) {
        fail_expectation(in, n, callee->name, wants_equal ? " is not equal to " : " is equal to ",
                         args);
    }
    n->v = (iv){0};
    return &n->v;
}

/* wp.zeros' argument `shape`, by name or else the first. */
static const iv *shape_argument(const inode *n, const iv *const *args, uint32_t count)
{
    const icallee *callee = n->aux;
    WEFT_ASSERT(count > 0 && callee->nnames <= count);
    for (uint32_t i = 0; i < callee->nnames; i++)
        if (strcmp(callee->names[i]->s, "shape") == 0)
            return args[count - callee->nnames + i];
    return args[0];
}

/* The array type that Warp's resolution gives wp.zeros with these arguments. */
static const type *fixed_type(interp *in, inode *n, const iv *const *args, uint32_t count)
{
    const arena_mark mark = arena_save(&in->c->scratch);
    call_plan plan = {0};
    const bool ok = interp_resolve(in, n, args, count, &plan) && plan.result == RESULT_VARS;
    const type *t = ok ? plan.result_types[0] : NULL;
    arena_rewind(&in->c->scratch, mark);
    if (!t || t->kind != TYPE_ARRAY || t->ndim > LAUNCH_DIMS)
        interp_cannot(in, n->at, "zeros", args, count);
    return t;
}

/* The views of a new array like that, of so many bytes, and of its tangent. */
static own_view *fixed_room(interp *in, const array_view *like, size_t size)
{
    own_view *o = ARENA_NEW(in->a, own_view);
    array_data *data = ARENA_ARRAY(in->a, array_data, 2);
    for (int i = 0; i < 2; i++)
        data[i] = (array_data){.name = "zeros", .bytes = arena_zero(in->a, size), .size = size};
    o->view = o->tangent = *like;
    o->view.data = &data[0];
    o->tangent.data = &data[1];
    o->at = &o->view;
    o->tangent_at = &o->tangent;
    return o;
}

/* A new array of this shape, an integer or a tuple of integers. Its last dimension is dense. `most`
 * is what is left of INTERP_FIXED for the sizes of further dimensions, so their product cannot
 * overflow. */
static own_view *fixed_array(interp *in, const node *at, const type *t, const iv *shape)
{
    const bool many = shape->type && shape->type->kind == TYPE_TUPLE;
    const iv *sizes = many ? shape->p : shape;
    array_view v = {.elem = t->elem, .ndim = t->ndim};
    int64_t stride = (int64_t)layout_size(t->elem), most = INTERP_FIXED;
    if (t->ndim != (many ? (int)shape->type->nitems : 1))
        interp_refuse(in, at, "zeros of this shape");
    for (int i = t->ndim; i-- > 0; stride *= v.shape[i], most /= v.shape[i] ? v.shape[i] : 1) {
        v.shape[i] = interp_integer(in, at, &sizes[i]);
        v.strides[i] = stride;
        if (v.shape[i] < 0 || v.shape[i] > most)
            interp_refuse(in, at, "zeros of so many elements");
    }
    return fixed_room(in, &v, (size_t)stride);
}

/* wp.zeros(shape, dtype): an array of fixed size. Warp needs a constant shape, so the node makes
 * the array once, and clears it each time that it is evaluated. */
static const iv *eval_zeros(interp *in, inode *n)
{
    const iv *args[INTERP_ARGS];
    const uint32_t count = interp_eval_args(in, n, args);
    islot *s = slot_of(in, n);
    if (!s->array) {
        if (!count)
            interp_cannot(in, n->at, "zeros", args, count);
        const type *t = fixed_type(in, n, args, count);
        s->array = fixed_array(in, n->at, t, shape_argument(n, args, count));
        s->v = (iv){.type = t, .p = &s->array->at};
    }
    memset(s->array->view.data->bytes, 0, s->array->view.data->size);
    memset(s->array->tangent.data->bytes, 0, s->array->tangent.data->size);
    s->v.t = in->dual ? &s->array->tangent_at : NULL;
    return &s->v;
}

/* A name given to a name is a copy, and such an array holds what is copied: Warp 1.19 emit_Assign.
 */
const iv *interp_eval_copied(interp *in, inode *n)
{
    const iv *v = interp_eval(in, n->kid[0]);
    if (interp_is_tile(v))
        return interp_tile_copied(in, n, v);
    if (!v->type || v->type->kind != TYPE_ARRAY || v->type->array_class != ARRAY_FIXED)
        return v;
    const array_view *from = *(const array_view **)v->p;
    const array_view *tangent = v->t ? *(const array_view **)v->t : NULL;
    islot *s = slot_of(in, n);
    if (!s->array || s->v.type != v->type)
        s->array = fixed_room(in, from, from->data->size);
    memcpy(s->array->view.data->bytes, from->data->bytes, from->data->size);
    if (tangent)
        memcpy(s->array->tangent.data->bytes, tangent->data->bytes, from->data->size);
    s->v = (iv){.type = v->type, .p = &s->array->at, .t = tangent ? &s->array->tangent_at : NULL};
    return &s->v;
}

/* lower_bound(array, value) or (array, begin, end, value): Warp 1.19 native/array.h. The search
 * ends at the last element, so a value above all gives size - 1, unlike C++'s lower_bound. */
static const iv *eval_lower_bound(interp *in, inode *n)
{
    const iv *args[INTERP_ARGS];
    const uint32_t count = interp_eval_args(in, n, args);
    islot *s = slot_of(in, n);
    if ((count != 2 && count != 4) || !args[0]->type || args[0]->type->kind != TYPE_ARRAY ||
        !args[count - 1]->type || !type_is_scalar(args[count - 1]->type))
        interp_cannot(in, n->at, "lower_bound", args, count);
    const type_kind k = args[count - 1]->type->kind;
    const num wanted = num_load(k, args[count - 1]->p);
    int64_t low = count == 4 ? interp_integer(in, n->at, args[1]) : 0;
    int64_t high = count == 4 ? interp_integer(in, n->at, args[2])
                              : (*(const array_view **)args[0]->p)->shape[0];
    high--;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        int32_t at = (int32_t)middle;
        const iv index = {.type = type_scalar(in->c, TYPE_INT32), .p = &at}, *indices = &index;
        const iv e = interp_element(in, n->at, args[0], &indices, 1);
        if (num_compare("<", e.type->kind, num_load(e.type->kind, e.p), k, wanted))
            low = middle + 1;
        else
            high = middle;
    }
    interp_set_int(in, s, low);
    return &s->v;
}

/* The operation that combines the old element and the value; NULL: the value alone is stored
 * (atomic_exch, atomic_cas). */
static const char *joining(const char *name)
{
    static const char *const names[][2] = {
        {"atomic_add", "add"},     {"atomic_sub", "sub"},     {"atomic_min", "min"},
        {"atomic_max", "max"},     {"atomic_and", "bit_and"}, {"atomic_or", "bit_or"},
        {"atomic_xor", "bit_xor"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

/* OP(old, v), by a site of the node as in interp_apply. */
static const iv *joined(interp *in, inode *n, const char *op, const iv *old, const iv *v)
{
    const iv *args[2] = {old, v};
    site *s = n->site;
    while (s && !interp_site_fits(s, args, 2))
        s = s->next;
    if (!s) {
        const type *types[2] = {old->type, v->type};
        const arith_request q = {.c = in->c, .a = in->a, .name = op, .args = types, .n = 2};
        s = interp_site_new(in, n, args, 2);
        if (!interp_find_op(in, s, &q)) {
            n->site = s->next;
            interp_cannot(in, n->at, op, args, 2);
        }
    }
    return interp_run_site(in, n, s, args);
}

/* Scalars of one type, by C++'s ==. */
static bool equal_numbers(const iv *a, const iv *b)
{
    const type_kind k = a->type->kind;
    return num_compare("==", k, num_load(k, a->p), k, num_load(k, b->p));
}

/* atomic_OP(array, indices..., value) gives the element's old value. atomic_cas has two values, and
 * stores the second if the element equals the first. Threads run one at a time, so nothing here
 * needs to be atomic. */
static const iv *eval_atomic(interp *in, inode *n)
{
    const icallee *callee = n->aux;
    const iv *args[INTERP_ARGS];
    const uint32_t count = interp_eval_args(in, n, args);
    const char *name = builtin_name(callee->builtin)->s;
    const bool cas = strcmp(name, "atomic_cas") == 0;
    const uint32_t nvalues = cas ? 2 : 1;
    if (count < 2 + nvalues || !args[0]->type || args[0]->type->kind != TYPE_ARRAY ||
        !args[count - 1]->type)
        interp_cannot(in, n->at, name, args, count);
    interp_check_store(in, n->at, args[0]);
    const iv place = interp_element(in, n->at, args[0], args + 1, count - 1 - nvalues);
    islot *old = slot_of(in, n);
    interp_keep(in, old, &place);
    const iv *v = args[count - 1];
    if (!joining(name)) /* by these threads wait for each other */
        interp_share_stores(in);
    if (cas) {
        if (!type_is_scalar(place.type) || args[count - 2]->type != place.type)
            interp_cannot(in, n->at, name, args, count);
        if (!equal_numbers(&old->v, args[count - 2]))
            return &old->v;
    }
    const char *op = joining(name);
    if (!op && (v->t || place.t))
        in->wrong_adjoint = name; /* Warp 1.19's adj_atomic_cas and adj_atomic_exch do nothing */
    interp_store_atomic(in, n->at, &place, op ? joined(in, n, op, &old->v, v) : v);
    return &old->v;
}

/* Atomics are all of them here, whatever their operation: they are stores to an element. */
inode_fn *interp_own_builtin(const char *name)
{
    static const struct {
        const char *name;
        inode_fn *eval;
    } own[] = {
        {"tid", eval_tid},           {"block_dim", eval_block_dim},
        {"len", eval_len},           {"print", eval_ignored},
        {"printf", eval_ignored},    {"expect_eq", eval_expect},
        {"expect_neq", eval_expect}, {"expect_near", eval_expect},
        {"zeros", eval_zeros},       {"lower_bound", eval_lower_bound},
    };
    if (strncmp(name, "atomic_", 7) == 0)
        return eval_atomic;
    if (interp_is_tile_builtin(name))
        return interp_tile_builtin(name);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i].name) == 0)
            return own[i].eval;
    return NULL;
}
