/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the statements of the reverse list. Adjoints of memory, moves and simple operators become
 * sums (cuda_adjoint_form.c); those of other builtins come from the rules (cuda_adjoint_call.c);
 * calls of functions, fields and slots are read here. As `--emit ir` prints the list (--dump w) and
 * the tree (--dump r), of "v = x[i]; y[i] = wp.sin(v) * v":
 *
 *     ADJ_CALL adj @wp::sin, %2, adj %2, adj %6     ->  adj_v%14 += `cosf($0) * $1`(v%4, adj_%18)
 *     ADJ_CALL adj @wp::copy, %3, adj %1, adj %2    ->  adj_%13 += adj_v%14; adj_v%14 = zero()
 *     ADJ_CALL adj @wp::address, %x, %0,            ->  atomic_add(element(adj_x%10, i%2), adj_%13)
 *              adj %x, adj %0, adj %1
 *
 * Variable i of the unit has its adjoint at index u->vars.n + i of cuda_fn.vars; further variables
 * follow behind those.
 *
 * The formulas are those of Warp 1.19's native/array.h, builtin.h, vec.h and mat.h. No statement is
 * made for an adjoint that is constant, integral or inactive (cuda_activity.c); wp.grad's calls
 * take inactive ones, too. */
#include "cuda/cuda_adjoint.h"

#include "base/assert.h"
#include "cuda/cuda_form.h"
#include "cuda/cuda_operand.h"
#include "cuda/cuda_row.h"
#include "cuda/cuda_tile.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

/* Can the operand have an adjoint at all? */
static bool has_adjoint(const cuda_fn *f, ir_arg a)
{
    const ir_var *v = &f->u->vars.v[ir_index(a)];
    return !v->constant && !cuda_is_integral(v->type);
}

/* Can it, and does its adjoint come to anything? */
static bool is_wanted(const cuda_fn *f, ir_arg a)
{
    return has_adjoint(f, a) && f->active[ir_index(a)];
}

cx *cuda_wanted(const adj_reader *r, uint32_t i)
{
    WEFT_ASSERT(i < r->nadj);
    const ir_arg a = r->adj[i];
    if (ir_is_callee(a) || !(r->all ? has_adjoint(r->f, a) : is_wanted(r->f, a)))
        return NULL;
    return cuda_operand_place(r->f, a);
}

/* A variable of a reference type is a place: its value is loaded like that of memory. */
cx *cuda_value_of(cuda_fn *f, cx *place)
{
    return place->kind == CX_VAR && f->vars.v[place->var].type->kind != TYPE_REF
               ? place
               : cx_unary(f, CX_LOAD, place->type, place);
}

cx *cuda_value_at(const adj_reader *r, uint32_t i)
{
    WEFT_ASSERT(i < r->nargs);
    return cuda_operand_value(r->f, r->args[i]);
}

/* Member i of a place, or of the value that is loaded from one; NULL: it has no adjoint. */
cx *cuda_member_of(cuda_fn *f, cx *e, uint32_t i)
{
    const type *t = e->type,
               *member = type_is_hit(t) ? t->native->fields[i].type : t->st->fields[i].type;
    const sym *name = type_is_hit(t) ? t->native->fields[i].name : t->st->fields[i].name;
    if (cuda_is_integral(member))
        return NULL;
    cx *part = cx_unary(f, CX_FIELD, member, e->kind == CX_LOAD ? e->args[0] : e);
    part->name = sym_str(name);
    return part;
}

/* A contribution is a product of values and one adjoint, so the first variable behind those of the
 * unit is the one. Operands are searched from the last one on, where formulas have the adjoint. */
uint32_t cuda_adjoint_in(const cuda_fn *f, const cx *e)
{
    uint32_t found = CUDA_NO_VAR;
    if (e->kind == CX_LOAD || e->kind == CX_VAR) {
        found = cx_place_root(f, e->kind == CX_VAR ? e : e->args[0]);
        return found != CUDA_NO_VAR && found >= f->u->vars.n ? found : CUDA_NO_VAR;
    }
    for (uint32_t i = e->nargs; i-- > 0 && found == CUDA_NO_VAR;)
        found = cuda_adjoint_in(f, e->args[i]);
    return found;
}

/* A struct is summed up member by member, since C has no sum of structs. Members without an adjoint
 * (ints) are left out; members that are arrays are no part of values here. */
void cuda_accumulate(const adj_reader *r, cx *to, cx *e, bool minus)
{
    if (!to || !e)
        return;
    const uint32_t members = type_is_hit(to->type)           ? to->type->native->nfields
                             : to->type->kind == TYPE_STRUCT ? to->type->st->nfields
                                                             : 0;
    for (uint32_t i = 0; i < members; i++) {
        cx *part = cuda_member_of(r->f, to, i);
        if (part)
            cuda_accumulate(r, part, cuda_value_of(r->f, cuda_member_of(r->f, e, i)), minus);
    }
    if (members || to->type->kind == TYPE_STRUCT)
        return;
    cs *s = cs_set(r->f, r->out, to, e);
    s->add = !minus;
    s->sub = minus;
    s->from = cuda_adjoint_in(r->f, e);
}

/* The adjoint is used up: it becomes zero. A row of a matrix is no place of its own, so its
 * components are set. */
void cuda_clear_adjoint(const adj_reader *r, cx *to)
{
    if (to && cuda_is_row(to))
        cuda_set_row(r->f, r->out, to, cx_new(r->f, CX_ZERO, to->type, 0), '=');
    else if (to)
        cs_set(r->f, r->out, to, cx_new(r->f, CX_ZERO, to->type, 0));
}

/* Not the arrays of a mesh (wp.mesh_get), which standalone programs make themselves. */
bool cuda_has_gradient(const cuda_fn *f, const cx *array)
{
    const cx *view = array->kind == CX_VAR ? f->vars.v[array->var].view : NULL;
    if (view || array->kind == CX_VIEW)
        return cuda_has_gradient(f, view ? view : array->args[0]);
    return array->kind != CX_FIELD || array->args[0]->type->kind != TYPE_NATIVE;
}

/* The gradient's memory for that of an array: the same indices at the adjoint's pointer. A view
 * leads to the array that it is a view of.
 *
 *     element(view(x, 1), i)   ->   element(view(adj_x, 1), i) */
cx *cuda_gradient_place(cuda_fn *f, const cx *place)
{
    if (place->kind == CX_VAR) {
        const cv *v = &f->vars.v[place->var];
        if (v->view)
            return cuda_gradient_place(f, v->view);
        if (!v->param || place->var >= f->u->vars.n)
            cuda_unsupported(f, "the gradient of an array that was copied");
        /* The modulus lets the place be one of gradients already. */
        return cx_var(f, f->u->vars.n + place->var % f->u->vars.n);
    }
    if (place->kind != CX_ELEMENT && place->kind != CX_VIEW && place->kind != CX_FIELD &&
        place->kind != CX_COMPONENT) {
        cuda_unsupported(f, "the gradient of such an array");
        return cx_number(f, 0);
    }
    cx *e = cx_new(f, (cx_kind)place->kind, place->type, place->nargs);
    e->name = place->name;
    memcpy(e->args, place->args, place->nargs * sizeof *e->args);
    e->args[0] = cuda_gradient_place(f, place->args[0]);
    return e;
}

/* A struct that is made of its fields: each operand's adjoint gets that of its field. */
static void adj_struct(const adj_reader *r, const type *t)
{
    cx *from = cuda_wanted(r, r->nadj - 1);
    WEFT_ASSERT(r->nargs <= t->st->nfields);
    for (uint32_t i = 0; from && i < r->nargs; i++) {
        cx *part = cx_unary(r->f, CX_FIELD, t->st->fields[i].type, from);
        part->name = sym_str(t->st->fields[i].name);
        if (!cuda_is_integral(part->type))
            cuda_accumulate(r, cuda_wanted(r, i), cuda_value_of(r->f, part), false);
    }
}

/* A call of the adjoint of a program's function. Operands: values of the parameters, then the
 * adjoint of each operand and result that has one. Of arrays the gradient's pointer is passed, of
 * other values a reference, through which the function adds.
 *
 *     v = f(s, w)   ->   adj f(s, w, adj_s, adj_w, adj_v) changes adj_s, adj_w
 *
 * Warp's adjoint of a native snippet without one of its own does nothing. */
void cuda_adjoint_user(const adj_reader *r, const ir_unit *callee)
{
    cuda_fn *f = r->f;
    if (callee->func->snippet && !callee->func->adj_snippet)
        return;
    cs *s = cs_put(f, r->out, CS_CALL);
    cx *e = s->e = cx_new(f, CX_USER, NULL, r->nargs + r->nadj);
    e->callee = callee;
    e->adjoint = true;
    uint32_t n = 0, inputs = 0;
    for (uint32_t i = 0; i < callee->nparams; i++) {
        const type *t = callee->vars.v[callee->params[i]].type;
        inputs += t->kind != TYPE_FUNCTION && t->kind != TYPE_CALLABLE;
    }
    for (uint32_t i = 0; i < inputs && i < r->nargs; i++)
        e->args[n++] = cuda_value_at(r, i);
    const uint32_t values = n;
    for (uint32_t i = 0; i < r->nadj; i++) {
        if (ir_is_callee(r->adj[i]))
            continue;
        const type *t = type_strip_ref(f->u->vars.v[ir_index(r->adj[i])].type);
        if (t->kind == TYPE_ARRAY && !cuda_is_integral(t->elem))
            e->args[n++] = cuda_gradient_place(f, cuda_operand_place(f, r->args[i]));
        else if (!cuda_is_integral(t))
            e->args[n++] = cuda_operand_place(f, r->adj[i]);
    }
    WEFT_ASSERT(n <= e->nargs);
    e->nargs = n;
    cuda_drop_unused(f, e);
    s->outputs = ARENA_ARRAY(&f->c->module, uint32_t, n + 1);
    s->updates = true;
    /* The function takes adjoints of results by value, so it changes only those before them; a
     * snippet takes all by reference. */
    const uint32_t by_value = cuda_snippet_result(callee) ? 0 : cuda_count_results(e);
    for (uint32_t i = values; i < n - by_value; i++) {
        const uint32_t v = cx_place_root(f, e->args[i]);
        if (v != CUDA_NO_VAR && e->args[i]->type->kind != TYPE_ARRAY)
            s->outputs[s->noutputs++] = v;
    }
}

static void read_call(const adj_reader *r)
{
    const type *st = r->callee->native.constructs;
    if (r->callee->unit) {
        cuda_adjoint_user(r, r->callee->unit);
        return;
    }
    if (st && st->kind == TYPE_STRUCT) {
        adj_struct(r, st);
        return;
    }
    if (!cuda_adjoint_form(r))
        cuda_adjoint_call(r);
}

static void name_callee(adj_reader *r, ir_arg callee)
{
    r->callee = cuda_callee(r->f, callee);
    r->name = r->callee->native.name;
    r->op = cuda_op_called(r->callee);
}

/* Splits the operands into values and adjoints. Initializer lists state how many values there are
 * ("ADJ_CALL_LIST @vec_t, 3, ..."); otherwise the first adjoint ends them. */
static void split_operands(cuda_fn *f, const ir_stmt *s, adj_reader *r)
{
    const ir_arg *a = f->u->args.v + s->args;
    uint32_t from = 1, n;
    if (s->op == IR_ADJ_CALL_LIST) {
        r->nargs = ir_index(a[1]);
        from = 2;
        n = r->nargs;
    } else {
        for (n = 0; from + n < s->nargs && ir_kind(a[from + n]) != IR_ARG_ADJ &&
                    ir_kind(a[from + n]) != IR_ARG_CALLEE_ADJ;
             n++)
            ;
        r->nargs = n;
    }
    r->args = a + from;
    r->adj = a + from + n;
    r->nadj = s->nargs - from - n;
    r->list = s->op == IR_ADJ_CALL_LIST;
    WEFT_ASSERT(from + n <= s->nargs);
}

/* x[i].part op= v, which Warp does in one step: v's adjoint gets the gradient of the part, and only
 * a plain store clears it. Operands: how, the array, one that is not needed here, v's adjoint, the
 * part, the indices. */
static void read_slot(adj_reader *r, const ir_stmt *s)
{
    cuda_fn *f = r->f;
    const ir_arg *a = f->u->args.v + s->args;
    WEFT_ASSERT(s->nargs > 4);
    const ir_update how = (ir_update)ir_index(a[0]);
    r->adj = a + 3;
    r->nadj = 1;
    cx *array = cuda_operand_place(f, a[1]);
    if (cuda_is_integral(array->type->elem))
        return;
    cx *e = cx_new(f, CX_ELEMENT, array->type->elem, s->nargs - 4u);
    e->args[0] = array;
    for (uint32_t i = 5; i < s->nargs; i++)
        e->args[i - 4] = cuda_operand_value(f, a[i]);
    cx *place = cuda_slot_place(f, e, a[4]);
    if (cuda_is_integral(place->type))
        return;
    cx *gradient = cuda_gradient_place(f, place);
    cuda_accumulate(r, cuda_wanted(r, 0), cx_unary(f, CX_LOAD, gradient->type, gradient),
                    how == IR_UPDATE_SUB);
    if (how == IR_UPDATE_STORE)
        cuda_clear_adjoint(r, gradient);
}

/* Statements about adj.field and the adjoint beside it:
 *
 *     ADJ_FIELD_ADD    adj_s.p += adj_v          ADJ_FIELD_CLEAR  adj_s.p = 0
 *     ADJ_FIELD_SET    adj_s.p = adj_v           ADJ_FIELD_TAKE   adj_v += adj_s.p */
static void read_field(adj_reader *r, const ir_stmt *s)
{
    cuda_fn *f = r->f;
    const ir_arg *a = f->u->args.v + s->args;
    const bool take = s->op == IR_ADJ_FIELD_TAKE;
    cx *base = cuda_operand_place(f, a[take ? 1 : 0]);
    const sym *field = f->u->fields.v[ir_index(a[take ? 2 : 1])];
    if (base->type->kind == TYPE_ARRAY)
        return; /* of a shape, which is integral */
    cx *place = cuda_member(f, base, sym_str(field));
    if (cuda_is_integral(place->type))
        return;
    r->adj = a + (take ? 0 : 2);
    r->nadj = 1;
    cx *other = s->op == IR_ADJ_FIELD_CLEAR ? NULL : cuda_wanted(r, 0);
    if (s->op == IR_ADJ_FIELD_CLEAR)
        cuda_clear_adjoint(r, place);
    else if (take)
        cuda_accumulate(r, other, cuda_value_of(f, place), false);
    else if (other && s->op == IR_ADJ_FIELD_ADD)
        cuda_accumulate(r, place, cuda_value_of(f, other), false);
    else if (other)
        cs_set(f, r->out, place, cuda_value_of(f, other));
}

/* The variable through which the adjoint of result i is passed in: behind the variables and their
 * adjoints come the results, then the adjoints of the results. */
static cx *result_in(cuda_fn *f, uint32_t i)
{
    WEFT_ASSERT(i < f->u->nreturns);
    return cx_var(f, 2 * f->u->vars.n + f->u->nreturns + i);
}

bool cuda_read_adjoint(cuda_fn *f, const ir_stmt *s, cs_list *out)
{
    const ir_arg *a = f->u->args.v + s->args;
    adj_reader r = {.f = f, .out = out, .adj = a, .nadj = s->nargs};
    switch ((ir_op)s->op) {
    case IR_ADJ_CALL:
    case IR_ADJ_CALL_LIST:
        name_callee(&r, a[0]);
        if (cuda_sets_element(f->u, s))
            r.name = STR("tile_set");
        split_operands(f, s, &r);
        read_call(&r);
        return true;
    case IR_CLEAR:
    case IR_TAB_CLEAR:
        r.all = ir_kind(a[0]) == IR_ARG_VAR; /* where wp.grad gathers */
        cuda_clear_adjoint(&r, cuda_wanted(&r, 0));
        return true;
    case IR_TILE_CLEAR:
    case IR_TAB_TILE_CLEAR:
        if (!f->tiles)
            return false;
        cuda_tile_clear(&r);
        return true;
    case IR_ACCUMULATE: {
        cx *from = is_wanted(f, a[1]) ? cuda_operand_place(f, a[1]) : NULL;
        if (from)
            cuda_accumulate(&r, cuda_wanted(&r, 0), cuda_value_of(f, from), false);
        return true;
    }
    case IR_ADJ_FIELD_ADD:
    case IR_ADJ_FIELD_SET:
    case IR_ADJ_FIELD_SET_CAST:
    case IR_ADJ_FIELD_CLEAR:
    case IR_ADJ_FIELD_TAKE: read_field(&r, s); return true;
    case IR_ADJ_SLOT: read_slot(&r, s); return true;
    case IR_ADJ_TAKE_RET:
        cuda_accumulate(&r, cuda_wanted(&r, 0), result_in(f, 0), false);
        return true;
    case IR_ADJ_TAKE_RET_I:
        cuda_accumulate(&r, cuda_wanted(&r, 0), result_in(f, ir_index(a[1])), false);
        return true;
    default: return false;
    }
}

/* "adj_f(values, results' values if it takes them, gradients, seeds)" among forward statements, as
 * wp.grad(f)(...) makes it. Values and adjoints are as many each. */
void cuda_read_grad(cuda_fn *f, const ir_stmt *s, cs_list *out)
{
    const ir_arg *a = f->u->args.v + s->args;
    WEFT_ASSERT(s->op == IR_CALL_VOID && ir_kind(a[0]) == IR_ARG_CALLEE_ADJ);
    adj_reader r = {.f = f, .out = out, .all = true, .args = a + 1};
    name_callee(&r, a[0]);
    r.nargs = (s->nargs - 1u) / 2;
    r.adj = r.args + r.nargs;
    r.nadj = s->nargs - 1u - r.nargs;
    read_call(&r);
}
