/* SPDX-License-Identifier: Apache-2.0 */
/* Verification of the intermediate form, after lowering. A form that breaks a promise would be
 * printed as text that no compiler takes, or worse, as another program; here it is named while it
 * is at hand:
 *
 *     ir: scale: forward 7: it reads a variable that nothing sets
 *
 * Promised, and checked in this order:
 *   tables      variables, places and callees refer to what exists and comes before them; places
 *               have steps that their base's type allows
 *   operands    as many, and of the kinds, that ir_op.def states; indices are in range
 *   types       a place that is moved, stored to or called with has the type of its target
 *   structure   if/end and start/end of loops are nested, jumps leave loops that they are in, and a
 *               label stands behind the jumps to it, once
 *   effects     what writes memory or returns is not run again by replay or reverse; adjoints are
 *               touched by the reverse list alone
 *   reads       the forward list sets what it reads
 *   replay      is made of the forward list's statements, or of what stands for them
 *
 * Not promised: that a variable is set before it is read. Warp's own order breaks that: a constant
 * that becomes a variable later, as k in `k = 0.1; k2 = k; s += wp.float64(k)`, is set where it is
 * cast. The executors find such reads when they run. Nor that replay sets what it reads. Warp does
 * not replay calls with effects and loops over constants, and reads what they would have set as
 * zero. */
#include "ir/ir_verify.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct checker {
    ctx *c;
    const ir_unit *u;
    bool rolled;        /* the unit comes from lower_rolled */
    bool *set;          /* by variable: the forward list sets it */
    bool *in_order;     /* by statement: it stands in the forward list */
    ir_fault *fault;    /* the first one found; `what` is NULL until then */
    VEC(uint32_t) open; /* blocks that are open, innermost last: loops by number, or OPEN_IF */
} checker;

enum { OPEN_IF = UINT32_MAX };

static const char *const operand_letters[] = {
#define OP(name, operands, pattern) operands,
#define OP_SPECIAL(name, operands)  operands,
#include "ir/ir_op.def"
#undef OP
#undef OP_SPECIAL
};

/* Records the fault unless one is known already. Always false, for `return blame(...)`. */
static bool blame(checker *k, const char *where, uint32_t index, const char *what)
{
    WEFT_ASSERT(where && what);
    if (!k->fault->what)
        *k->fault = (ir_fault){what, where, index};
    return false;
}

/* --- tables --- */

static bool is_var(const checker *k, uint32_t var)
{
    return var < k->u->vars.n;
}

/* Only structs list their fields here; transforms, builtin objects and arrays have some (.p, .data)
 * that other tables hold. */
static bool has_field(const type *t, const sym *name)
{
    t = type_strip_ref(t);
    if (t->kind != TYPE_STRUCT)
        return t->kind == TYPE_TRANSFORM || t->kind == TYPE_NATIVE || t->kind == TYPE_ARRAY ||
               t->kind == TYPE_VEC || t->kind == TYPE_QUAT;
    for (uint32_t i = 0; i < t->st->nfields; i++)
        if (t->st->fields[i].name == name)
            return true;
    return false;
}

/* The variable's index leads back to it: the tables of declared variables and parameters and the
 * table of variables agree. */
static bool check_var(checker *k, uint32_t i)
{
    const ir_unit *u = k->u;
    const ir_var *v = &u->vars.v[i];
    if (!v->type)
        return blame(k, "variable", i, "it has no type");
    bool good = true;
    switch ((ir_var_kind)v->kind) {
    case IR_VAR_DECLARED: good = v->index < u->declared.n && u->declared.v[v->index] == i; break;
    case IR_VAR_PARAM: good = v->index < u->nparams && u->params[v->index] == i; break;
    case IR_VAR_PART: good = v->index < i && has_field(u->vars.v[v->index].type, v->field); break;
    case IR_VAR_PLACE: good = v->index < u->places.n; break;
    case IR_VAR_VIEW: break;
    default: good = false;
    }
    return good || blame(k, "variable", i, "it is not what its kind says");
}

/* The step's base has parts of this kind. */
static bool is_step(const checker *k, const ir_place *p)
{
    const ir_place *base = &k->u->places.v[p->base];
    const type *t = base->type;
    if (base->kind == IR_PLACE_ADDRESS || base->kind == IR_PLACE_GUARDED || !t)
        return false;
    switch ((ir_place_kind)p->kind) {
    case IR_PLACE_FIELD: return p->field && has_field(t, p->field);
    case IR_PLACE_ELEMENT: return t->kind == TYPE_ARRAY && p->nindices == t->ndim;
    case IR_PLACE_VIEW: return t->kind == TYPE_ARRAY && p->nindices && p->nindices <= t->ndim;
    case IR_PLACE_COMPONENT:
    case IR_PLACE_ITEM_AT:
        return type_is_composite(t) && p->nindices && p->nindices <= (t->kind == TYPE_MAT ? 2 : 1);
    case IR_PLACE_ADDRESS: return true;
    case IR_PLACE_OFFSET: return base->type->kind == TYPE_ARRAY && p->nindices;
    case IR_PLACE_GUARDED: return !ir_place_is_root(base);
    default: return false;
    }
}

static bool check_place(checker *k, uint32_t i)
{
    const ir_unit *u = k->u;
    const ir_place *p = &u->places.v[i];
    if (!p->type)
        return blame(k, "place", i, "it has no type");
    if (ir_place_is_root(p))
        return p->kind == IR_PLACE_ITEM || is_var(k, p->base) ||
               blame(k, "place", i, "it begins at no variable");
    if (p->base >= i)
        return blame(k, "place", i, "its base does not come before it");
    if (!is_step(k, p))
        return blame(k, "place", i, "its base has no such part");
    if (p->indices > u->args.n || p->nindices > u->args.n - p->indices)
        return blame(k, "place", i, "its indices are out of range");
    for (uint32_t n = 0; n < p->nindices; n++) {
        const ir_arg a = u->args.v[p->indices + n];
        if (ir_kind(a) != IR_ARG_VAR || !is_var(k, ir_index(a)))
            return blame(k, "place", i, "an index is no variable");
    }
    return true;
}

static bool check_tables(checker *k)
{
    const ir_unit *u = k->u;
    for (uint32_t i = 0; i < u->vars.n; i++)
        if (!check_var(k, i))
            return false;
    for (uint32_t i = 0; i < u->places.n; i++)
        if (!check_place(k, i))
            return false;
    for (uint32_t i = 0; i < u->callees.n; i++)
        if (!u->callees.v[i].native.name.n ||
            (u->callees.v[i].unit && u->callees.v[i].unit->func != u->callees.v[i].func))
            return blame(k, "callee", i, "it names nothing");
    for (uint32_t i = 0; i < u->nreturns; i++)
        if (!is_var(k, u->returns[i]))
            return blame(k, "return", i, "it is no variable");
    return true;
}

/* --- operands --- */

static bool in_range(const checker *k, ir_arg a)
{
    const uint32_t i = ir_index(a);
    switch (ir_kind(a)) {
    case IR_ARG_VAR:
    case IR_ARG_ADJ:
    case IR_ARG_ADJ_PTR: return is_var(k, i);
    case IR_ARG_PLACE: return i < k->u->places.n;
    case IR_ARG_CALLEE:
    case IR_ARG_CALLEE_ADJ:
    case IR_ARG_CALLEE_ADJ_PTR:
    case IR_ARG_CALLEE_REPLAY: return i < k->u->callees.n;
    case IR_ARG_LITERAL: return i < k->u->literals.n;
    case IR_ARG_TYPE: return i < k->u->types.n;
    case IR_ARG_FIELD: return i < k->u->fields.n;
    case IR_ARG_TEXT: return i < k->u->texts.n;
    case IR_ARG_COMPARE: return i < OP_COUNT;
    case IR_ARG_UPDATE: return i <= IR_UPDATE_XOR;
    case IR_ARG_STMT: return i < k->u->stmts.n;
    case IR_ARG_DET: return k->u->det && i <= k->u->det->targets.n;
    case IR_ARG_LOOP:
    case IR_ARG_INT: return true;
    }
    return false;
}

/* The kinds that a letter of ir_op.def allows, as a set. */
static uint32_t allowed(char letter)
{
#define K(name) (1u << IR_ARG_##name)
    switch (letter) {
    case 'd':
    case 'v': return K(VAR);
    case 'a': return K(ADJ);
    case 'x': return K(VAR) | K(ADJ);
    case 'm': return K(VAR) | K(PLACE) | K(LITERAL);
    case 'P': return K(PLACE);
    case 'q': return K(VAR) | K(PLACE);
    case 'A': return K(ADJ) | K(PLACE);
    case 'r': return K(VAR) | K(CALLEE) | K(DET);
    case 'b':
        return K(VAR) | K(CALLEE) | K(DET) | K(ADJ) | K(ADJ_PTR) | K(CALLEE_ADJ) |
               K(CALLEE_ADJ_PTR);
    case 'k': return K(CALLEE) | K(CALLEE_ADJ) | K(CALLEE_REPLAY);
    case 'C': return K(CALLEE_ADJ);
    case 'n': return K(LITERAL);
    case 't': return K(TYPE);
    case 'f': return K(FIELD);
    case 'l': return K(LOOP);
    case 'o': return K(COMPARE);
    case 'e': return K(COMPARE) | K(VAR);
    case 'u': return K(UPDATE);
    case 'S': return K(STMT);
    case 'D': return K(DET);
    case 's': return K(TEXT);
    case 'i': return K(INT);
    default: return 0;
    }
#undef K
}

/* Walks operands and letters side by side. Before '*' the letter stays: it takes all the rest, none
 * included. */
static bool check_operands(checker *k, uint32_t i)
{
    const ir_stmt *s = &k->u->stmts.v[i];
    if (s->op >= IR_OP_COUNT)
        return blame(k, "statement", i, "there is no such form");
    if (s->args > k->u->args.n || s->nargs > k->u->args.n - s->args)
        return blame(k, "statement", i, "its operands are out of range");
    const char *p = operand_letters[s->op];
    for (uint32_t n = 0; n < s->nargs; n++) {
        const ir_arg a = k->u->args.v[s->args + n];
        if (!*p)
            return blame(k, "statement", i, "it has too many operands");
        if (!in_range(k, a))
            return blame(k, "statement", i, "an operand is out of range");
        if (!(allowed(*p) >> ir_kind(a) & 1) || (ir_kind(a) == IR_ARG_STMT && ir_index(a) >= i))
            return blame(k, "statement", i, "an operand is of a wrong kind");
        if (*p == 'd' && k->u->vars.v[ir_index(a)].constant)
            return blame(k, "statement", i, "it sets a constant");
        p += p[1] != '*';
    }
    return !*p || p[1] == '*' || blame(k, "statement", i, "it has too few operands");
}

/* --- types --- */

/* The type of a variable, an adjoint or a place; NULL for all other operands. */
static const type *type_of(const checker *k, ir_arg a)
{
    if (ir_kind(a) == IR_ARG_PLACE)
        return k->u->places.v[ir_index(a)].type;
    return ir_kind(a) == IR_ARG_VAR || ir_kind(a) == IR_ARG_ADJ ? k->u->vars.v[ir_index(a)].type
                                                                : NULL;
}

/* Is `to` a reference to what is at the place? */
static bool refers_to(const checker *k, ir_arg to, ir_arg place)
{
    const type *t = type_of(k, to);
    return t->kind == TYPE_REF && type_equal(t->elem, type_of(k, place));
}

/* The operands that a call of a program's function passes: its parameters but for functions, then
 * its results if there are several. */
static bool check_call(checker *k, const ir_stmt *s, const ir_arg *a)
{
    const bool result = s->op == IR_CALL || s->op == IR_CALL_LIST;
    const ir_callee *f = &k->u->callees.v[ir_index(a[result])];
    if (!f->unit || ir_kind(a[result]) != IR_ARG_CALLEE)
        return true;
    uint32_t n = result + 1;
    for (uint32_t i = 0; i < f->unit->nparams; i++) {
        const type *t = f->unit->vars.v[f->unit->params[i]].type;
        if (t->kind == TYPE_FUNCTION || t->kind == TYPE_CALLABLE)
            continue;
        if (n >= s->nargs || ir_kind(a[n]) != IR_ARG_VAR)
            return false;
        const type *got = type_of(k, a[n++]);
        if ((t->kind == TYPE_REF) != (got->kind == TYPE_REF))
            return false;
    }
    while (n < s->nargs && ir_kind(a[n]) == IR_ARG_DET)
        n++;
    return result || s->nargs == n + (f->unit->nreturns > 1 ? f->unit->nreturns : 0) ||
           f->func->snippet || f->func->code.returns;
}

/* Only forms whose operands determine each other. Calls of builtins are not checked: overload
 * resolution chose them by these types. */
static bool check_types(checker *k, uint32_t i)
{
    WEFT_ASSERT(i < k->u->stmts.n);
    const ir_stmt *s = &k->u->stmts.v[i];
    const ir_arg *a = k->u->args.v + s->args;
    bool good = true;
    switch ((ir_op)s->op) {
    case IR_MOVE:
        if (ir_kind(a[1]) == IR_ARG_PLACE)
            good = refers_to(k, a[0], a[1]);
        else if (ir_kind(a[1]) == IR_ARG_LITERAL)
            good = type_is_scalar(type_of(k, a[0]));
        break;
    case IR_SLOT_PTR: good = refers_to(k, a[0], a[2]); break;
    case IR_SLOT_STORE:
    case IR_SLOT_SET: good = type_equal(type_of(k, a[1]), type_of(k, a[2])); break;
    case IR_SLOT_ATOMIC: good = type_equal(type_of(k, a[3]), type_of(k, a[2])); break;
    case IR_STORE_REF: {
        const type *t = type_of(k, a[0]);
        good = t->kind == TYPE_REF && type_equal(t->elem, type_of(k, a[1]));
        break;
    }
    case IR_FIELD_SET: good = has_field(type_of(k, a[0]), k->u->fields.v[ir_index(a[1])]); break;
    case IR_FIELD_PTR:
    case IR_FIELD_PTR_REF:
        good = type_of(k, a[0])->kind == TYPE_REF &&
               has_field(type_of(k, a[1]), k->u->fields.v[ir_index(a[2])]);
        break;
    case IR_COMPARE:
    case IR_AND:
    case IR_OR: good = type_of(k, a[0])->kind == TYPE_BOOL; break;
    case IR_CALL:
    case IR_CALL_LIST:
    case IR_CALL_VOID: good = check_call(k, s, a); break;
    case IR_RETURN_VALUE: good = k->u->nreturns == 1; break;
    case IR_SET_RET: good = ir_index(a[0]) < k->u->nreturns; break;
    default: break;
    }
    return good || blame(k, "statement", i, "types of operands do not fit");
}

/* --- lists --- */

static const ir_stmt *stmt_at(const checker *k, const ir_list *list, uint32_t i)
{
    WEFT_ASSERT(i < list->n);
    return &k->u->stmts.v[list->v[i].stmt];
}

/* Is the loop among the open blocks, at any depth? `break` may stand in an `if` of the loop. */
static bool is_open(const checker *k, uint32_t loop)
{
    for (uint32_t i = 0; i < k->open.n; i++)
        if (k->open.v[i] == loop)
            return true;
    return false;
}

/* Statements that begin a block. */
static bool opens(const ir_stmt *s)
{
    return s->op == IR_IF || s->op == IR_IF_NOT || s->op == IR_START;
}

/* The loop that the statement names; false: none. */
static bool loop_of(const checker *k, const ir_stmt *s, uint32_t *loop)
{
    for (uint32_t i = 0; i < s->nargs; i++) {
        const ir_arg a = k->u->args.v[s->args + i];
        if (ir_kind(a) == IR_ARG_LOOP) {
            *loop = ir_index(a);
            return true;
        }
    }
    return false;
}

/* Blocks nest, and a statement that names a loop stands in it. */
static bool check_nesting(checker *k, const char *where, const ir_list *list)
{
    WEFT_ASSERT(list->n == 0 || list->v);
    k->open.n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const ir_stmt *s = stmt_at(k, list, i);
        uint32_t loop = OPEN_IF;
        const bool names = loop_of(k, s, &loop);
        if (opens(s)) {
            if (names && is_open(k, loop))
                return blame(k, where, i, "a loop starts within itself");
            VEC_PUSH(&k->c->ir, &k->open, loop);
        } else if (s->op == IR_END || s->op == IR_STOP) {
            if (!k->open.n || k->open.v[--k->open.n] != loop)
                return blame(k, where, i, "it ends what is not the innermost block");
        } else if (names && !is_open(k, loop)) {
            return blame(k, where, i, "it jumps to a loop that it is not in");
        }
    }
    return !k->open.n || blame(k, where, list->n, "a block does not end");
}

/* Statements that leave the function. */
static bool returns(const ir_stmt *s)
{
    return s->op == IR_RETURN || s->op == IR_RETURN_VALUE || s->op == IR_RETURN_NOTHING;
}

/* Forms that Warp writes in the backward function alone. */
static bool is_reverse_only(const ir_stmt *s)
{
    switch ((ir_op)s->op) {
    case IR_ADJ_LINE:
    case IR_ADJ_CALL:
    case IR_ADJ_CALL_LIST:
    case IR_NAME_VIEW:
    case IR_ADJ_FIELD_ADD:
    case IR_ADJ_FIELD_SET:
    case IR_ADJ_FIELD_SET_CAST:
    case IR_ADJ_FIELD_CLEAR:
    case IR_ADJ_FIELD_TAKE:
    case IR_ADJ_SLOT:
    case IR_ADJ_TAKE_RET:
    case IR_ADJ_TAKE_RET_I:
    case IR_LABEL:
    case IR_ITER_REVERSE:
    case IR_TAB_GOTO_START:
    case IR_TAB_RANGE_TEST:
    case IR_TAB_MOVE:
    case IR_TAB_RANGE_STEP_BACK:
    case IR_TAB_CLEAR:
    case IR_TAB_TILE_CLEAR:
    case IR_TILE_CLEAR: return true;
    default: return false;
    }
}

static bool touches_adjoint(const checker *k, const ir_stmt *s)
{
    for (uint32_t i = 0; i < s->nargs; i++) {
        const ir_arg_kind kind = ir_kind(k->u->args.v[s->args + i]);
        if (kind == IR_ARG_ADJ || kind == IR_ARG_ADJ_PTR)
            return true;
    }
    return is_reverse_only(s);
}

/* Stores and returns stand in the replay as comments or not at all: the backward function must
 * neither store twice nor end early. */
static bool check_effects(checker *k, const char *where, const ir_list *list)
{
    const bool forward = list == &k->u->forward, reverse = list == &k->u->reverse;
    for (uint32_t i = 0; i < list->n; i++) {
        const ir_stmt *s = stmt_at(k, list, i);
        const bool commented = list->v[i].commented;
        if (forward && (commented || s->op == IR_GOTO_LABEL))
            return blame(k, where, i, "the forward list has what is for replay");
        if (!reverse && touches_adjoint(k, s))
            return blame(k, where, i, "an adjoint is touched before the reverse list");
        if (!forward && !commented &&
            (returns(s) || s->op == IR_SLOT_STORE || s->op == IR_SLOT_ATOMIC))
            return blame(k, where, i, "what has an effect runs again");
    }
    return true;
}

/* Jumps to the label: they stand before it, in the replay or the reverse list. */
static bool is_jumped_to(const checker *k, ir_arg label, uint32_t before)
{
    const ir_list *lists[] = {&k->u->replay, &k->u->reverse};
    for (int l = 0; l < 2; l++)
        for (uint32_t i = 0; i < (l ? before : lists[l]->n); i++) {
            const ir_stmt *s = stmt_at(k, lists[l], i);
            if (s->op == IR_GOTO_LABEL && k->u->args.v[s->args] == label)
                return true;
        }
    return false;
}

/* Every return makes one label in the reverse list, where its adjoint begins, and one jump in the
 * replay. A loop's reverse list contains its replay, so a jump may stand there instead. */
static bool check_labels(checker *k)
{
    const ir_list *list = &k->u->reverse;
    uint32_t jumps = 0, labels = 0;
    for (uint32_t i = 0; i < k->u->replay.n; i++)
        jumps += stmt_at(k, &k->u->replay, i)->op == IR_GOTO_LABEL;
    for (uint32_t i = 0; i < list->n; i++) {
        const ir_stmt *s = stmt_at(k, list, i);
        jumps += s->op == IR_GOTO_LABEL;
        if (s->op != IR_LABEL)
            continue;
        labels++;
        if (!is_jumped_to(k, k->u->args.v[s->args], i))
            return blame(k, "reverse", i, "nothing jumps to the label");
        for (uint32_t n = 0; n < i; n++)
            if (stmt_at(k, list, n)->op == IR_LABEL &&
                k->u->args.v[stmt_at(k, list, n)->args] == k->u->args.v[s->args])
                return blame(k, "reverse", i, "the label stands there twice");
    }
    return k->rolled || jumps <= labels || blame(k, "reverse", list->n, "a label is missing");
}

/* --- reads --- */

/* Parameters, places and constants have a value from the start. */
static bool is_set(const checker *k, uint32_t var)
{
    WEFT_ASSERT(is_var(k, var));
    const ir_unit *u = k->u;
    var = ir_whole_var(u, var);
    return u->vars.v[var].kind != IR_VAR_DECLARED || u->vars.v[var].constant || k->set[var];
}

/* An adjoint has storage from the start, so places that begin at one need nothing. */
static bool place_is_set(const checker *k, uint32_t place)
{
    const ir_place *p = &k->u->places.v[place];
    for (; !ir_place_is_root(p); p = &k->u->places.v[p->base])
        for (uint32_t i = 0; i < p->nindices; i++)
            if (!is_set(k, ir_index(k->u->args.v[p->indices + i])))
                return false;
    return p->kind == IR_PLACE_ITEM || p->kind == IR_PLACE_ADJ || p->kind == IR_PLACE_ADJ_DEREF ||
           is_set(k, p->base);
}

/* Whatever a call without a result takes it may set. */
static bool sets_all(const ir_stmt *s)
{
    return s->op == IR_CALL_VOID || s->op == IR_CALL_VOID_LIST || s->op == IR_CLEAR;
}

/* all: what the statement may set, too. */
static void note_sets(checker *k, const ir_stmt *s, bool all)
{
    const char *p = operand_letters[s->op];
    for (uint32_t n = 0; n < s->nargs; n++, p += p[1] != '*') {
        const ir_arg a = k->u->args.v[s->args + n];
        if (ir_kind(a) == IR_ARG_VAR && (*p == 'd' || (all && sets_all(s))))
            k->set[ir_index(a)] = true;
        if (ir_kind(a) == IR_ARG_STMT)
            note_sets(k, &k->u->stmts.v[ir_index(a)], all);
    }
}

static bool reads_what_is_set(checker *k, const ir_stmt *s)
{
    const char *p = operand_letters[s->op];
    for (uint32_t n = 0; n < s->nargs; n++, p += p[1] != '*') {
        const ir_arg a = k->u->args.v[s->args + n];
        if (*p == 'd' || sets_all(s))
            continue;
        if (ir_kind(a) == IR_ARG_VAR && !is_set(k, ir_index(a)) && s->op != IR_FIELD_SET)
            return false;
        if (ir_kind(a) == IR_ARG_PLACE && !place_is_set(k, ir_index(a)))
            return false;
    }
    return true;
}

/* The first pass notes whatever the list sets anywhere: a loop reads at its start what its end
 * wrote, so the order of the list is no order of time. The second adds what calls without a result
 * may set, and checks each read against both. */
static bool check_forward(checker *k)
{
    const ir_list *list = &k->u->forward;
    for (uint32_t i = 0; i < list->n; i++) {
        k->in_order[list->v[i].stmt] = true;
        note_sets(k, stmt_at(k, list, i), false);
    }
    for (uint32_t i = 0; i < list->n; i++) {
        if (!reads_what_is_set(k, stmt_at(k, list, i)))
            return blame(k, "forward", i, "it reads a variable that nothing sets");
        note_sets(k, stmt_at(k, list, i), true);
    }
    return true;
}

/* Deterministic stores replay as plain ones, for the backward pass runs once. */
static bool is_replay_of_another(const checker *k, const ir_stmt *s)
{
    if (s->op == IR_DET_SKIPPED || (k->u->det && s->op == IR_CALL_VOID))
        return true;
    if (s->op == IR_GOTO_LABEL || (k->rolled && (s->op == IR_GOTO_START || s->op == IR_STOP)))
        return true;
    const bool result = s->op == IR_CALL || s->op == IR_CALL_LIST;
    return s->nargs > result && ir_kind(k->u->args.v[s->args + result]) == IR_ARG_CALLEE_REPLAY;
}

static bool check_replay(checker *k)
{
    const ir_list *list = &k->u->replay;
    for (uint32_t i = 0; i < list->n; i++)
        if (!k->in_order[list->v[i].stmt] && !is_replay_of_another(k, stmt_at(k, list, i)))
            return blame(k, "replay", i, "the forward list has no such statement");
    return true;
}

/* Statements of all lists exist before any of them is looked at. */
static bool check_lists(checker *k)
{
    const ir_unit *u = k->u;
    const ir_list *lists[] = {&u->forward, &u->replay, &u->reverse};
    static const char *const names[] = {"forward", "replay", "reverse"};
    for (int l = 0; l < 3; l++)
        for (uint32_t i = 0; i < lists[l]->n; i++)
            if (lists[l]->v[i].stmt >= u->stmts.n)
                return blame(k, names[l], i, "it is no statement");
    for (int l = 0; l < 3; l++)
        if (!check_nesting(k, names[l], lists[l]) || !check_effects(k, names[l], lists[l]))
            return false;
    return check_labels(k) && check_forward(k) && check_replay(k);
}

/* Tables first: everything after them may use an index without looking. */
bool ir_check(ctx *c, const ir_unit *u, bool rolled, ir_fault *fault)
{
    *fault = (ir_fault){0};
    checker k = {.c = c, .u = u, .rolled = rolled, .fault = fault};
    k.set = arena_zero(&c->ir, u->vars.n + 1);
    k.in_order = arena_zero(&c->ir, u->stmts.n + 1);
    if (!check_tables(&k))
        return false;
    for (uint32_t i = 0; i < u->stmts.n; i++)
        if (!check_operands(&k, i) || !check_types(&k, i))
            return false;
    return check_lists(&k);
}

#ifdef WEFT_DEBUG
static void verify_unit(ctx *c, const ir_module *m, const ir_unit *u, bool rolled)
{
    ir_fault fault;
    if ((u->func && u->func->snippet) || ir_check(c, u, rolled, &fault))
        return;
    strbuf b;
    sb_init(&b, &c->mem);
    ir_dump(c, &b, m);
    const str name = u->kernel ? u->kernel->key : u->func->native_name;
    fprintf(stderr, "%s\nir: %.*s: %s %u: %s\n", sb_cstr(&b), (int)name.n, name.p, fault.where,
            fault.index, fault.what);
    abort();
}

void ir_verify(ctx *c, const ir_module *m, bool rolled)
{
    for (uint32_t i = 0; i < m->funcs.n; i++)
        verify_unit(c, m, m->funcs.v[i], rolled);
    verify_unit(c, m, m->kernel, rolled);
}
#endif
