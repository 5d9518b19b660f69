/* SPDX-License-Identifier: Apache-2.0 */
/* Deterministic mode, the option `deterministic` of modules: Warp 1.19 DeterministicCodegen. Atomic
 * updates go to buffers that the launch adds up in a fixed order. A kernel that uses an atomic's
 * result runs twice: a first pass counts, and leaves out all other effects; the second does them.
 *
 *     wp.atomic_add(y, i, x)       DET_SCATTER det, det0, offset(%y, %i), %x, {the atomic}
 *     n = wp.atomic_add(c, 0, 1)   DET_COUNTER %n, det, det0, offset(%c, %0), %1, {the atomic}
 *     y[i] = x                     with a counter: DET_STORE det, %y, %i, %x
 *     x = y[i], in reverse         DET_SCATTER det, det1, offset(adj %y, %i), adj %2, {its adjoint}
 *
 * This file knows which array a variable stands for, as Warp's does (a parameter, fields of one, or
 * rows of those), and keeps the lists of the unit: arrays whose updates wait, and other accesses,
 * which Warp refuses where they meet such an update. lower_det_atomic.c makes the statements,
 * lower_det_call.c takes the lists of functions to their callers. */
#include "ir/lower.h"

det_effect det_effect_by_name(const char *name)
{
    static const struct {
        const char *name;
        det_effect effect;
    } rows[] = {
#define DET_BUILTIN(name, what) {name, DET_##what},
#include "ir/deterministic.def"
#undef DET_BUILTIN
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].effect;
    return DET_NONE;
}

det_effect det_effect_of(const builtin *b)
{
    return det_effect_by_name(builtin_name(b)->s);
}

_Noreturn void det_refuse(lower *l, span at, const char *why)
{
    diag_error(l->c, at, DIAG_DET_ORDER, why);
    lower_fail(l);
}

_Noreturn void det_unsupported(lower *l, span at, const char *what)
{
    diag_error(l->c, at, DIAG_DET_FORM, what);
    lower_fail(l);
}

/* Before the body is lowered. */
void det_begin(lower *l)
{
    if (l->job->out->options.deterministic <= 0)
        return;
    l->u->det = ARENA_NEW(&l->c->ir, ir_det);
    l->u->det->has_consumed_atomic = det_scan_consumed(l);
    l->u->det->has_side_effect = l->u->func && det_scan_effect(l);
}

static bool has_counter(const ir_det *det)
{
    for (uint32_t i = 0; i < det->targets.n; i++)
        if (det->targets.v[i].is_counter)
            return true;
    return false;
}

/* Warp 1.19 end_build: the counting pass of a kernel leaves effects out, so it has no results of
 * theirs. */
void det_end(lower *l)
{
    const ir_det *det = l->u->det;
    if (!det || l->u->func || !det->used_effect || !has_counter(det))
        return;
    det_refuse(l, det->used_effect_at,
               arena_printf(&l->c->ir,
                            "the result of %s is used beside that of atomic_add, which is counted "
                            "in a pass without effects",
                            det->used_effect));
}

bool det_guards(const lower *l)
{
    const ir_det *det = l->u->det;
    return det && (det->has_consumed_atomic || det->has_side_effect || has_counter(det));
}

ir_arg det_context(lower *l)
{
    l->u->det->needs_context = true;
    return arg_det(0);
}

/* --- arrays --- */

static bool same_label(ir_det_label a, ir_det_label b)
{
    return a.name == b.name && (a.name || a.number == b.number);
}

static bool same_path(const sym *const *a, uint32_t na, const sym *const *b, uint32_t nb)
{
    for (uint32_t i = 0; na == nb && i < na; i++)
        if (a[i] != b[i])
            return false;
    return na == nb;
}

static bool same_array(const ir_det_array *a, const ir_det_array *b)
{
    return a->adjoint == b->adjoint && same_label(a->root, b->root) &&
           same_path(a->path, a->npath, b->path, b->npath);
}

/* Warp's Var.label. What is an expression of its own has a label that no parameter has. */
static ir_det_label label_of(const lower *l, uint32_t v)
{
    const ir_var *var = &l->u->vars.v[v];
    if (var->kind == IR_VAR_PARAM)
        return (ir_det_label){.name = l->code->params[var->index].name};
    return (ir_det_label){.number = var->kind == IR_VAR_DECLARED ? var->index : UINT32_MAX};
}

/* The path a followed by b. */
static const sym *const *join(lower *l, const sym *const *a, uint32_t na, const sym *const *b,
                              uint32_t nb)
{
    const sym **all = ARENA_ARRAY(&l->c->ir, const sym *, na + nb + 1);
    for (uint32_t i = 0; i < na; i++)
        all[i] = a[i];
    for (uint32_t i = 0; i < nb; i++)
        all[na + i] = b[i];
    return all;
}

ir_det_array det_below(lower *l, ir_det_array a, const sym *const *path, uint32_t npath)
{
    a.path = join(l, a.path, a.npath, path, npath);
    a.npath += npath;
    return a;
}

/* What is known of v, to be changed. */
static det_origin *origin_of(lower *l, uint32_t v)
{
    det_origin *o = ARENA_NEW(&l->c->ir, det_origin);
    if (info_of(l, v)->det)
        *o = *info_of(l, v)->det;
    else
        *o = (det_origin){.view_of = NO_VAR, .row_of = NO_VAR};
    info_of(l, v)->det = o;
    return o;
}

/* The array that the variable is noted to belong to, else the variable itself. */
static ir_det_array base_of(lower *l, uint32_t v)
{
    const det_origin *o = info_of(l, v)->det;
    return o && o->has_array ? o->array : (ir_det_array){.root = label_of(l, v)};
}

/* Warp 1.19 apply_struct_array_field_metadata: a field of a struct that is a copy of another. */
static void take_fields(lower *l, det_origin *out, const det_origin *from, const sym *field)
{
    det_field *rest = ARENA_ARRAY(&l->c->ir, det_field, from->nfields + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < from->nfields; i++) {
        const det_field *f = &from->fields[i];
        if (f->path[0] != field)
            continue;
        if (f->npath == 1) {
            out->has_array = true;
            out->array = f->array;
            out->type = f->type;
        } else {
            rest[n] = *f;
            rest[n].path++;
            rest[n++].npath--;
        }
    }
    if (n) {
        out->fields = rest;
        out->nfields = n;
    }
}

/* Warp 1.19 propagate_attribute_reference. */
void det_track_field(lower *l, uint32_t out, uint32_t aggregate, const sym *field, const type *t)
{
    if (!l->u->det)
        return;
    det_origin *o = origin_of(l, out);
    o->has_array = true;
    o->array = det_below(l, base_of(l, aggregate), &field, 1);
    o->type = t->kind == TYPE_ARRAY ? t : NULL;
    const det_origin *from = info_of(l, aggregate)->det;
    if (from)
        take_fields(l, o, from, field);
}

/* Warp 1.19 track_view. */
void det_track_view(lower *l, uint32_t out, uint32_t array, const uint32_t *idx, uint32_t n)
{
    if (!l->u->det)
        return;
    det_origin *o = origin_of(l, out);
    o->view_of = array;
    o->view = idx;
    o->nview = n;
    for (uint32_t i = 0; i < n; i++)
        if (!type_is_integer(var_value_type(l, idx[i])))
            return;
    o->row_of = array;
    const det_origin *from = info_of(l, array)->det;
    if (from && from->has_adjoint) {
        o->has_adjoint = true;
        o->adjoint = from->adjoint;
    }
}

/* Warp 1.19 _deterministic_target_info. */
bool det_array_of(lower *l, uint32_t v, ir_det_array *out, const type **t)
{
    const det_origin *o = info_of(l, v)->det;
    *t = o && o->type ? o->type : var_value_type(l, v);
    if (o && o->has_adjoint) {
        *out = o->array;
        out->root = o->adjoint;
        out->adjoint = true;
        return true;
    }
    if (o && o->has_array) {
        *out = o->array;
        return true;
    }
    *out = (ir_det_array){.root = label_of(l, v)};
    return var_type(l, v)->kind != TYPE_REF;
}

/* What v is a view of, by whatever indices. */
static uint32_t without_any_views(lower *l, uint32_t v)
{
    while (info_of(l, v)->det && info_of(l, v)->det->view_of != NO_VAR)
        v = info_of(l, v)->det->view_of;
    return v;
}

uint32_t det_without_views(lower *l, uint32_t v, det_indices *idx)
{
    uint32_t base = v;
    uint32_t n = 0;
    for (const det_origin *o; (o = info_of(l, base)->det) && o->row_of != NO_VAR; base = o->row_of)
        n += o->nview;
    for (uint32_t i = 0; i < n; i++)
        VEC_PUSH(&l->c->ir, idx, NO_VAR);
    for (const det_origin *o; (o = info_of(l, v)->det) && o->row_of != NO_VAR; v = o->row_of)
        for (uint32_t i = o->nview; i-- > 0;)
            idx->v[--n] = o->view[i];
    return base;
}

/* Warp 1.19 track_array_reference. */
void det_track_element(lower *l, uint32_t out, uint32_t array)
{
    ir_det_array a;
    const type *t;
    if (!l->u->det || !det_array_of(l, without_any_views(l, array), &a, &t) ||
        t->kind != TYPE_ARRAY)
        return;
    det_origin *o = origin_of(l, out);
    o->has_array = true;
    o->array = a;
    o->array.adjoint = false;
    o->type = t;
    o->has_adjoint = a.adjoint;
    o->adjoint = a.root;
}

static bool is_param(const lower *l, uint32_t v)
{
    return l->u->vars.v[v].kind == IR_VAR_PARAM;
}

/* Warp 1.19 propagate_array_alias_metadata. */
static void track_array_alias(lower *l, uint32_t out, uint32_t from)
{
    const det_origin *known = info_of(l, from)->det;
    if (known)
        *origin_of(l, out) = *known;
    const det_origin *now = info_of(l, out)->det;
    if ((now && (now->has_array || now->row_of != NO_VAR || now->has_adjoint)) ||
        !is_param(l, from))
        return;
    det_origin *o = origin_of(l, out);
    o->has_array = true;
    o->array = (ir_det_array){.root = label_of(l, from)};
    o->type = var_value_type(l, from);
}

typedef VEC(det_field) det_fields;

/* The arrays of a struct, inner structs' too, with the path that leads to each. */
static void list_arrays(lower *l, const type *t, const sym *const *path, uint32_t npath,
                        det_fields *out)
{
    for (uint32_t i = 0; i < t->st->nfields; i++) {
        const struct_field *f = &t->st->fields[i];
        const sym *const *to = join(l, path, npath, &f->name, 1);
        if (f->type->kind == TYPE_ARRAY)
            VEC_PUSH(&l->c->ir, out,
                     ((det_field){.path = to, .npath = npath + 1, .type = f->type}));
        else if (f->type->kind == TYPE_STRUCT)
            list_arrays(l, f->type, to, npath + 1, out);
    }
}

/* Warp 1.19 propagate_struct_array_alias_metadata. */
static void track_struct_alias(lower *l, uint32_t out, uint32_t from)
{
    const det_origin *known = info_of(l, from)->det;
    const bool based = (known && known->has_array) || is_param(l, from);
    const ir_det_array base = base_of(l, from);
    det_fields all = {0}, kept = {0};
    list_arrays(l, var_value_type(l, out), NULL, 0, &all);
    for (uint32_t i = 0; i < all.n; i++) {
        det_field f = all.v[i];
        const det_field *inherited = NULL;
        for (uint32_t k = 0; known && k < known->nfields && !inherited; k++)
            if (same_path(known->fields[k].path, known->fields[k].npath, f.path, f.npath))
                inherited = &known->fields[k];
        if (inherited) {
            f = *inherited;
        } else if (based) {
            f.array = det_below(l, base, f.path, f.npath);
        } else {
            continue;
        }
        VEC_PUSH(&l->c->ir, &kept, f);
    }
    if (!kept.n)
        return;
    det_origin *o = origin_of(l, out);
    o->fields = kept.v;
    o->nfields = kept.n;
}

void det_track_alias(lower *l, uint32_t out, uint32_t from)
{
    if (!l->u->det || out == from)
        return;
    const type *t = var_type(l, out);
    if (t->kind == TYPE_ARRAY)
        track_array_alias(l, out, from);
    else if (type_strip_ref(t)->kind == TYPE_STRUCT && var_value_type(l, from)->kind == TYPE_STRUCT)
        track_struct_alias(l, out, from);
}

/* Is some step of the place a view? */
static bool goes_through_view(const lower *l, uint32_t place)
{
    const ir_place *p = &l->u->places.v[place];
    for (; !ir_place_is_root(p); p = &l->u->places.v[p->base])
        if (p->kind == IR_PLACE_VIEW)
            return true;
    return false;
}

/* Warp 1.19 make_adjoint_target_var: out is the gradients of `from`. */
void det_track_adjoint(lower *l, span at, uint32_t out, uint32_t from)
{
    if (!l->u->det || var_value_type(l, from)->kind != TYPE_ARRAY)
        return;
    const det_origin *known = info_of(l, from)->det;
    const uint32_t place = info_of(l, from)->origin;
    if (known && known->view_of != NO_VAR)
        det_unsupported(l, at, "wp.adjoint of a view");
    if (!known || !known->has_array) {
        if (place != NO_PLACE && goes_through_view(l, place))
            return;
        det_origin *o = origin_of(l, out);
        o->has_adjoint = true;
        o->adjoint = label_of(l, from);
        return;
    }
    det_origin *o = origin_of(l, out);
    o->array = known->array;
    o->type = var_value_type(l, from);
    o->has_adjoint = true;
    o->adjoint = known->array.root;
}

uint32_t det_param(lower *l, const ir_det_array *a)
{
    uint32_t v = NO_VAR;
    for (uint32_t i = 0; i < l->u->nparams && v == NO_VAR && a->root.name; i++)
        if (l->code->params[i].name == a->root.name)
            v = l->u->params[i];
    for (uint32_t i = 0; i < a->npath && v != NO_VAR; i++) {
        const struct_field *f = find_field(var_type(l, v), a->path[i]);
        v = f ? add_part(l, v, f) : NO_VAR;
    }
    return v;
}

/* --- what the unit does to arrays --- */

/* "s.pos", "the gradients of x": for messages. */
static const char *array_name(lower *l, const ir_det_array *a)
{
    strbuf b;
    sb_init(&b, &l->c->mem);
    sb_c(&b, a->adjoint ? "the gradients of '" : "'");
    if (a->root.name)
        sb_str(&b, sym_str(a->root.name));
    else
        SB_LIT(&b, "a local array");
    for (uint32_t i = 0; i < a->npath; i++) {
        sb_char(&b, '.');
        sb_str(&b, sym_str(a->path[i]));
    }
    sb_char(&b, '\'');
    sb_char(&b, '\0');
    return finish_text(l, &b).p;
}

static _Noreturn void refuse_meeting(lower *l, span at, const ir_det_array *a, const char *what)
{
    det_refuse(l, at,
               arena_printf(&l->c->ir, "%s has updates that wait, and is also %s", array_name(l, a),
                            what));
}

static const ir_det_target *find_target(const ir_det *det, const ir_det_array *a, bool counter)
{
    for (uint32_t i = 0; i < det->targets.n; i++) {
        const ir_det_target *t = &det->targets.v[i];
        if (t->is_counter == counter && same_array(&t->array, a))
            return t;
    }
    return NULL;
}

static bool has_access(const ir_det *det, ir_det_access_kind kind, const ir_det_array *a)
{
    for (uint32_t i = 0; i < det->accesses.n; i++)
        if (det->accesses.v[i].kind == kind && same_array(&det->accesses.v[i].array, a))
            return true;
    return false;
}

static const char *const access_words[] = {[IR_DET_ACCESS_LOAD] = "read",
                                           [IR_DET_ACCESS_STORE] = "written",
                                           [IR_DET_ACCESS_ATOMIC] = "updated by another atomic"};

/* Notes an access, which must not meet an update that waits. */
void det_note_access(lower *l, span at, const ir_det_access *x)
{
    ir_det *det = l->u->det;
    const ir_det_target *counter = find_target(det, &x->array, true);
    const ir_det_target *scatter = find_target(det, &x->array, false);
    const bool waits = (counter && (counter->in_forward || x->kind == IR_DET_ACCESS_ATOMIC)) ||
                       (scatter && scatter->in_forward);
    if (waits && !(x->kind == IR_DET_ACCESS_STORE && is_custom_gradient(l)))
        refuse_meeting(l, at, &x->array, access_words[x->kind]);
    if (!has_access(det, x->kind, &x->array))
        VEC_PUSH(&l->c->ir, &det->accesses, *x);
}

void det_note_store(lower *l, span at, uint32_t array)
{
    ir_det_access x = {.kind = IR_DET_ACCESS_STORE};
    const type *t;
    if (l->u->det && det_array_of(l, without_any_views(l, array), &x.array, &t) &&
        t->kind == TYPE_ARRAY)
        det_note_access(l, at, &x);
}

void det_note_atomic(lower *l, span at, uint32_t array)
{
    ir_det_access x = {.kind = IR_DET_ACCESS_ATOMIC};
    const type *t;
    if (!is_custom_gradient(l) && det_array_of(l, array, &x.array, &t))
        det_note_access(l, at, &x);
}

static void note_load(lower *l, span at, uint32_t v)
{
    ir_det_access x = {.kind = IR_DET_ACCESS_LOAD};
    const type *t;
    if (det_array_of(l, v, &x.array, &t) && t->kind == TYPE_ARRAY)
        det_note_access(l, at, &x);
}

void det_note_call(lower *l, const call_request *r)
{
    const det_effect effect = l->u->det ? det_effect_of(r->fn) : DET_NONE;
    if (effect < DET_EFFECT_ATOMIC || is_custom_gradient(l))
        return;
    if (!r->nargs || r->args[0].kind != ARG_VAR)
        det_unsupported(l, r->at, "an array given by name");
    const uint32_t array = r->args[0].var;
    if (effect == DET_EFFECT_ATOMIC)
        det_note_atomic(l, r->at, array);
    else if (effect == DET_EFFECT_STORE)
        det_note_store(l, r->at, array);
    else if (r->fn != l->names->b_load || var_value_type(l, array)->kind != TYPE_ARRAY)
        note_load(l, r->at, array);
}

/* Warp 1.19 get_or_create_scatter_target and get_or_create_counter_target. */
ir_arg det_target(lower *l, span at, const ir_det_target *t)
{
    ir_det *det = l->u->det;
    for (ir_det_access_kind kind = IR_DET_ACCESS_LOAD;
         t->in_forward && kind <= IR_DET_ACCESS_ATOMIC; kind++)
        if (has_access(det, kind, &t->array))
            refuse_meeting(l, at, &t->array, access_words[kind]);
    if (t->is_counter && has_access(det, IR_DET_ACCESS_ATOMIC, &t->array))
        refuse_meeting(l, at, &t->array, access_words[IR_DET_ACCESS_ATOMIC]);
    if (find_target(det, &t->array, !t->is_counter))
        det_refuse(l, at,
                   arena_printf(&l->c->ir, "%s is both added to and counted with",
                                array_name(l, &t->array)));
    for (uint32_t i = 0; i < det->targets.n; i++) {
        ir_det_target *old = &det->targets.v[i];
        if (!same_array(&old->array, &t->array))
            continue;
        if (!t->is_counter && (old->reduction != t->reduction || old->value != t->value))
            det_refuse(l, at,
                       arena_printf(&l->c->ir, "%s has atomic updates of two kinds",
                                    array_name(l, &t->array)));
        old->in_forward |= t->in_forward;
        return arg_det(i + 1);
    }
    if (!t->array.root.name && (!t->array.adjoint || t->array.root.number == UINT32_MAX))
        det_unsupported(l, at, "atomic updates of a local array");
    VEC_PUSH(&l->c->ir, &det->targets, *t);
    return arg_det(det->targets.n);
}
