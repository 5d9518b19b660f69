/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of the intermediate form as trees: blocks, loops and single statements. Calls are in
 * cuda_read_call.c, adjoints in cuda_adjoint.c, operands in cuda_operand.c. For cuda_reroll.c,
 * which reads the forward list of a unit, and cuda_unit.c, which reads its replay and reverse
 * lists.
 *
 *     CALL %1, @wp::address, %x, %0        ->   %1 = element(x, i)
 *     CALL %5, @wp::load, %1               ->   %5 = load(%1)
 *     CALL %7, @wp::mul, %5, 2.0           ->   t%7 = mul(%5, 2.0)
 *     CALL_VOID @wp::array_store, y, i, t  ->   element(y, i) = t%7
 *     IF %5 ... END                        ->   if %5 { ... }
 *     START, FOR_TEST, ..., STOP           ->   for j in range(begin, end, step) { ... }
 *
 * Warp's loops are labels and gotos around a test. A loop over range() is read as CS_FOR, whose
 * bounds are the three variables that read_range_head finds for the range; any other is a CS_LOOP
 * with a branch that leaves it. Gotos of early returns stay (CS_GOTO) for cuda_structurize. */
#include "cuda/cuda_read.h"

#include "cuda/cuda_adjoint.h"
#include "cuda/cuda_form.h"
#include "cuda/cuda_operand.h"
#include "cuda/cuda_row.h"
#include "cuda/cuda_tile.h"
#include "cuda/cuda_tile_place.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"

/* State of reading one list. The reader stands on the statement `at`. */
typedef struct list_reader {
    cuda_fn *f;
    const ir_list *list;
    uint32_t at;
    uint32_t line_at; /* where the next comment of an adjoint's line stands */
    bool back;        /* the next loop runs backward */
} list_reader;

/* Statement i of the list; NULL: the list is shorter. */
static const ir_stmt *stmt_at(const list_reader *r, uint32_t i)
{
    return i < r->list->n ? &r->f->u->stmts.v[r->list->v[i].stmt] : NULL;
}

/* The statement's operands. */
static const ir_arg *args_of(const list_reader *r, const ir_stmt *s)
{
    return r->f->u->args.v + s->args;
}

/* A literal's value. Bounds of loops over constants are literals. */
static int64_t number_of(const cuda_fn *f, ir_arg a)
{
    WEFT_ASSERT(ir_kind(a) == IR_ARG_LITERAL);
    return (int64_t)f->u->literals.v[ir_index(a)]->i;
}

/* A number as a constant of the type. A fraction as an integer has no form. */
static cx *literal(cuda_fn *f, const value *v, const type *t)
{
    value *k = ARENA_NEW(&f->c->module, value);
    if (!type_is_integer(t))
        *k = value_float(value_has_f(v) ? v->f : (double)v->i);
    else if (!value_has_f(v))
        *k = value_int(v->i);
    else
        cuda_unsupported(f, "this expression");
    cx *e = cx_new(f, CX_CONST, t, 0);
    e->k = k;
    return e;
}

/* "wp::float32(1)": where wp.grad starts. Of a composite all scalars are 1. */
static cx *one(cuda_fn *f, const type *t)
{
    const value k = value_int(1);
    if (type_is_scalar(t))
        return literal(f, &k, t);
    if (!type_is_composite(t)) {
        cuda_unsupported(f, "this expression");
        return cx_number(f, 0);
    }
    const cuda_op composes = t->kind == TYPE_MAT         ? CUDA_OP_MAT
                             : t->kind == TYPE_QUAT      ? CUDA_OP_QUAT
                             : t->kind == TYPE_TRANSFORM ? CUDA_OP_TRANSFORM
                                                         : CUDA_OP_VEC;
    return cx_call1(f, composes, t, literal(f, &k, t->elem));
}

/* What a MOVE or STORE takes: a place, a literal of the target's type, or a value. */
static cx *moved_value(cuda_fn *f, ir_arg from, const type *t)
{
    switch (ir_kind(from)) {
    case IR_ARG_PLACE: return cuda_operand_place(f, from);
    case IR_ARG_LITERAL: return literal(f, f->u->literals.v[ir_index(from)], t);
    default: return cuda_operand_value(f, from);
    }
}

/* A reference to part of a variable is that part: what is written through it is written to the
 * variable, which passes have to see. True: the reference has become the part's label, and no
 * statement is needed. A reference to memory stays a variable of reference type. */
static bool names_part(cuda_fn *f, const ir_arg *a)
{
    if (ir_kind(a[0]) != IR_ARG_VAR || f->u->vars.v[ir_index(a[0])].type->kind != TYPE_REF)
        return false;
    cx *part = moved_value(f, a[1], f->u->vars.v[ir_index(a[0])].type);
    if ((part->kind != CX_FIELD && part->kind != CX_COMPONENT) ||
        cx_place_root(f, part) == CUDA_NO_VAR)
        return false;
    f->named[ir_index(a[0])] = part;
    return true;
}

/* a < b < c is one statement with two operators; it is an `and` of two comparisons here. The first
 * operand and the operator come before the second; later ones repeat what they compare. */
static void read_compare(cuda_fn *f, const ir_stmt *s, cs_list *out)
{
    const ir_arg *a = f->u->args.v + s->args;
    WEFT_ASSERT(s->nargs >= 4 && (s->nargs - 1u) % 3 == 0);
    const uint32_t n = (s->nargs - 1u) / 3;
    const type *t = type_scalar(f->c, TYPE_BOOL);
    cx *all = NULL;
    for (uint32_t i = 0, at = 2; i < n; i++) {
        cx *left = cuda_operand_value(f, i ? a[at + 1] : a[1]);
        cx *right = cuda_operand_value(f, i ? a[at + 2] : a[at + 1]);
        cx *e = cx_binary(f, CX_COMPARE, t, left, right);
        e->name = ir_compare_symbol(a[at]);
        all = all ? cx_binary(f, CX_AND, t, all, e) : e;
        at += i ? 3 : 2;
    }
    cs_set(f, out, cuda_operand_place(f, a[0]), all);
}

/* An element of an array by n indices. Reports arrays of other kinds. */
static cx *element(cuda_fn *f, cx *array, const ir_arg *idx, uint32_t n)
{
    cx *e = cx_new(f, CX_ELEMENT, array->type->elem ? array->type->elem : array->type, n + 1);
    e->args[0] = array;
    for (uint32_t i = 0; i < n; i++)
        e->args[i + 1] = cuda_operand_value(f, idx[i]);
    if (!cuda_has_elements(array->type))
        cuda_unsupported(f, "an array of another kind than wp.array");
    return e;
}

/* Statements about part of an array's element: a pointer to it, a store, an atomic addition. A row
 * of a matrix is set lane by lane (cuda_row.c). */
static void read_slot(cuda_fn *f, const ir_stmt *s, cs_list *out)
{
    const ir_arg *a = f->u->args.v + s->args;
    if (s->op == IR_SLOT_PTR) {
        cx *e = element(f, cuda_operand_place(f, a[1]), a + 3, s->nargs - 3u);
        cs_set(f, out, cuda_operand_place(f, a[0]), cuda_slot_place(f, e, a[2]));
    } else if (s->op == IR_SLOT_STORE || s->op == IR_SLOT_SET) {
        cx *e = element(f, cuda_operand_place(f, a[0]), a + 3, s->nargs - 3u);
        cx *place = cuda_slot_place(f, e, a[1]), *x = cuda_operand_value(f, a[2]);
        if (cuda_is_row(place))
            cuda_set_row(f, out, place, x, '=');
        else
            cs_set(f, out, place, x);
    } else {
        cx *e = element(f, cuda_operand_place(f, a[1]), a + 4, s->nargs - 4u);
        cx *place = cuda_slot_place(f, e, a[3]);
        const cuda_op op = cuda_op_of(ir_update_name(a[0]));
        if (cuda_is_row(place)) {
            cuda_atomic_row(f, out, place, cuda_operand_value(f, a[2]), op);
            return;
        }
        cs_put(f, out, CS_CALL)->e = cx_atomic(f, op, place, cuda_operand_value(f, a[2]));
    }
}

/* Members: a pointer to one becomes the place itself. */
static void read_field(cuda_fn *f, const ir_stmt *s, cs_list *out)
{
    const ir_arg *a = f->u->args.v + s->args;
    cx *base = cuda_operand_place(f, a[s->op == IR_FIELD_SET ? 0 : 1]);
    const sym *field = f->u->fields.v[ir_index(a[s->op == IR_FIELD_SET ? 1 : 2])];
    if (s->op == IR_FIELD_PTR_CAST || s->op == IR_FIELD_PTR_REF_CAST)
        cuda_unsupported(f, "a pointer kept in a struct");
    cx *place = cuda_member(f, base, sym_str(field));
    if (s->op == IR_FIELD_SET)
        cs_set(f, out, place, cuda_operand_value(f, a[2]));
    else
        cs_set(f, out, cuda_operand_place(f, a[0]), place);
}

/* The message is dropped: assert() prints its condition. */
static void read_assert(cuda_fn *f, const ir_stmt *s, cs_list *out)
{
    const ir_arg *a = f->u->args.v + s->args;
    cs *x = cs_put(f, out, CS_ASSERT);
    x->e = cuda_operand_value(f, a[1]);
}

/* The result of a function with one is returned; several are variables that the caller passes by
 * reference (SET_RET). */
static void read_return(cuda_fn *f, const ir_stmt *s, cs_list *out)
{
    const ir_arg *a = f->u->args.v + s->args;
    if (s->op == IR_SET_RET) {
        cs_set(f, out, cx_var(f, cuda_result_var(f, ir_index(a[0]))), cuda_operand_value(f, a[1]));
        return;
    }
    cs *x = cs_put(f, out, CS_RETURN);
    if (s->op == IR_RETURN_VALUE)
        x->e = cuda_operand_value(f, a[0]);
    else if (s->op == IR_RETURN_NOTHING)
        x->e = cx_new(f, CX_ZERO, f->u->vars.v[f->u->returns[0]].type, 0);
}

/* A statement that neither opens nor closes a block. Forward ones are here; cuda_read_adjoint reads
 * the others, and what it has no rule for has no plain form. */
static void read_simple(cuda_fn *f, const ir_stmt *s, cs_list *out)
{
    const ir_arg *a = f->u->args.v + s->args;
    switch ((ir_op)s->op) {
    case IR_LINE: f->job->line = ir_index(a[2]) - f->u->first_line + f->u->code->first_line; return;
    case IR_ADJ_LINE: return;
    case IR_CALL:
    case IR_CALL_LIST:
    case IR_CALL_VOID:
    case IR_CALL_VOID_LIST: cuda_read_call(f, s, out); return;
    case IR_MOVE: {
        if (names_part(f, a))
            return;
        cx *to = cuda_operand_place(f, a[0]);
        cs_set(f, out, to, moved_value(f, a[1], to->type));
        return;
    }
    case IR_ONE: {
        cx *to = cuda_operand_place(f, a[0]);
        cs_set(f, out, to, one(f, f->u->types.v[ir_index(a[1])]));
        return;
    }
    case IR_ADDRESS_OF: cuda_unsupported(f, "this expression"); return;
    case IR_STORE_REF:
        cs_set(f, out, cuda_operand_place(f, a[0]), cuda_operand_value(f, a[1]));
        return;
    case IR_COMPARE: read_compare(f, s, out); return;
    case IR_AND:
    case IR_OR: {
        cx *to = cuda_operand_place(f, a[0]);
        cs_set(f, out, to,
               cx_binary(f, s->op == IR_AND ? CX_AND : CX_OR, to->type, to,
                         cuda_operand_value(f, a[1])));
        return;
    }
    case IR_ASSERT: read_assert(f, s, out); return;
    case IR_FIELD_PTR:
    case IR_FIELD_PTR_CAST:
    case IR_FIELD_PTR_REF:
    case IR_FIELD_PTR_REF_CAST:
    case IR_FIELD_SET: read_field(f, s, out); return;
    case IR_SLOT_PTR:
    case IR_SLOT_STORE:
    case IR_SLOT_SET:
    case IR_SLOT_ATOMIC: read_slot(f, s, out); return;
    case IR_RETURN:
    case IR_RETURN_VALUE:
    case IR_RETURN_NOTHING:
    case IR_SET_RET: read_return(f, s, out); return;
    case IR_GOTO_LABEL:
    case IR_LABEL:
        cs_put(f, out, s->op == IR_LABEL ? CS_LABEL : CS_GOTO)->label = ir_index(a[0]);
        return;
    default:
        if (!cuda_read_adjoint(f, s, out))
            cuda_unsupported(f, "a statement about tiles or pointers");
    }
}

static void read_until(list_reader *r, cs_list *out, ir_op stop, uint32_t label);

/* Warp has no else: it tests the negation behind the first branch. cuda_structurize joins the two.
 *
 *     IF %5 ... END  IF_NOT %5 ... END    ->    if %5 { ... }  if not(%5) { ... } */
static void read_if(list_reader *r, const ir_stmt *s, cs_list *out)
{
    cuda_fn *f = r->f;
    cs *x = cs_put(f, out, CS_IF);
    x->e = cuda_operand_value(f, args_of(r, s)[0]);
    if (s->op == IR_IF_NOT)
        x->e = cx_unary(f, CX_NOT, x->e->type, x->e);
    r->at++;
    read_until(r, &x->body, IR_END, 0);
}

/* A loop over range(...): its bounds stand in three variables. Consumes the test and the call that
 * sets the counter. The reverse list says with ITER_REVERSE that the next loop runs backward;
 * reversed(range()) in the source turns it once more. */
static void read_range_head(list_reader *r, cs *loop, const ir_stmt *test)
{
    cuda_fn *f = r->f;
    const uint32_t iter = ir_index(args_of(r, test)[0]), first = f->range[iter];
    const ir_stmt *next = stmt_at(r, r->at + 1);
    if (first == CUDA_NO_VAR || !next || next->op != IR_CALL) {
        cuda_unsupported(f, "a loop over something else than range()");
        return;
    }
    loop->var = ir_index(args_of(r, next)[0]);
    loop->start = cx_var(f, first);
    loop->stop = cx_var(f, first + 1);
    loop->step = cx_var(f, first + 2);
    loop->back = r->back;
    loop->reverse = r->back != f->reversed[iter];
    r->back = false;
    r->at += 2;
}

/* Is the loop one over a query? */
static bool is_query(const cuda_fn *f, const ir_stmt *test)
{
    return f->u->vars.v[ir_index(f->u->args.v[test->args])].type->kind == TYPE_NATIVE;
}

/* A loop over a range of constants; the statement before it set the counter. Consumes that
 * statement, the test, and the two that move and step the counter. The counter's variable is the
 * loop's: what set it before is dropped from `out`. */
static void read_constant_head(list_reader *r, cs *loop, const ir_stmt *test, cs_list *out)
{
    cuda_fn *f = r->f;
    const ir_stmt *move = stmt_at(r, r->at + 1), *step = stmt_at(r, r->at + 2);
    const bool back = test->op == IR_TAB_RANGE_TEST;
    const cs *init = out->n >= 2 ? out->v[out->n - 2] : NULL; /* the loop is the last */
    if (!move || !step || !init || init->kind != CS_SET || init->e->kind != CX_CONST) {
        cuda_unsupported(f, "this loop");
        return;
    }
    int64_t by = number_of(f, args_of(r, step)[1]);
    const int64_t from = (int64_t)init->e->k->i, bound = number_of(f, args_of(r, test)[2]);
    loop->var = ir_index(args_of(r, move)[0]);
    loop->reverse = loop->back = back;
    loop->step = cx_number(f, by);
    /* backward it runs from the last value down to the first, which is the bound */
    loop->start = cx_number(f, back ? bound : from);
    loop->stop = cx_number(f, back ? from + by : bound);
    out->v[out->n - 2] = loop;
    out->n--;
    r->at += 3;
}

/* Labels of for loops are even, those of while loops odd (lower_loop.c). The test of a while loop
 * is a branch in the body that breaks (read_one), since it may need statements before it. */
static void read_loop(list_reader *r, const ir_stmt *s, cs_list *out)
{
    cuda_fn *f = r->f;
    const uint32_t label = ir_index(args_of(r, s)[0]);
    const bool is_for = !(label & 1);
    cs *loop = cs_put(f, out, is_for ? CS_FOR : CS_LOOP);
    r->at++;
    const ir_stmt *test = stmt_at(r, r->at);
    if (is_for && test && test->op == IR_FOR_TEST && is_query(f, test)) {
        loop->kind = CS_LOOP; /* in the reverse list it runs as it does forward */
        r->back = false;
        r->at++;
        cuda_query_loop(f, cuda_operand_place(f, args_of(r, test)[0]), &loop->body);
    } else if (is_for && test && test->op == IR_FOR_TEST)
        read_range_head(r, loop, test);
    else if (is_for && test && (test->op == IR_RANGE_TEST || test->op == IR_TAB_RANGE_TEST))
        read_constant_head(r, loop, test, out);
    else if (is_for)
        cuda_unsupported(f, "this loop");
    read_until(r, &loop->body, IR_STOP, label);
}

/* What a block does with tiles. Adjoints set gradients. */
enum {
    TILES_READ = 1,
    TILES_SET = 2,
    TILES_MEET = 4 /* has other operations than `t[i]`, which threads may reach on their own */
};

static unsigned tiles_of_statement(const list_reader *r, const ir_stmt *s)
{
    const str name = cuda_called_name(r->f->u, s);
    if (!cuda_is_tile_call(name))
        return 0;
    return TILES_READ | (s->op == IR_ADJ_CALL || cuda_sets_tile(name) ? TILES_SET : 0u) |
           (str_eq(name, STR("tile_extract")) ? 0u : TILES_MEET);
}

/* Of the block that the reader stands on. A loop ends at its own label. */
static unsigned tiles_of(const list_reader *r)
{
    const ir_stmt *first = stmt_at(r, r->at);
    const bool loop = first->op == IR_START;
    unsigned all = 0;
    for (uint32_t i = r->at + 1, open = 1; open && i < r->list->n; i++) {
        const ir_stmt *s = stmt_at(r, i);
        if (loop)
            open = s->op != IR_STOP || args_of(r, s)[0] != args_of(r, first)[0];
        else if (s->op == IR_IF || s->op == IR_IF_NOT)
            open++;
        else if (s->op == IR_END)
            open--;
        all |= tiles_of_statement(r, s);
    }
    return all;
}

/* A branch or loop. If it sets tiles, the threads wait for each other at both of its ends
 * (cuda_tile_place.h), the second time behind a branch that some threads may not take; before one
 * that only reads them, where they have been set. A constant loop's counter is set right before the
 * loop, which has to stay so. */
static void read_block(list_reader *r, const ir_stmt *s, cs_list *out)
{
    cuda_fn *f = r->f;
    const unsigned tiles = f->tiles ? tiles_of(r) : 0;
    const bool sets = tiles & TILES_SET, loop = s->op == IR_START;
    const uint32_t n = out->n;
    if (tiles)
        cuda_tile_settle(f, out, sets);
    if (out->n > n && n && loop) {
        cs *wait = out->v[n];
        out->v[n] = out->v[n - 1];
        out->v[n - 1] = wait;
    }
    f->loops += loop;
    if (loop)
        read_loop(r, s, out);
    else
        read_if(r, s, out);
    f->loops -= loop;
    if (sets && out->n)
        cuda_tile_settle(f, loop || (tiles & TILES_MEET) ? &out->v[out->n - 1]->body : out, true);
}

/* A statement, or all of a block. Afterwards its operands count as defined: count_outputs
 * (cuda_read_call.c) takes trailing operands that nothing has set for results. */
static void read_one(list_reader *r, const ir_stmt *s, cs_list *out)
{
    cuda_fn *f = r->f;
    switch ((ir_op)s->op) {
    case IR_IF:
    case IR_IF_NOT:
    case IR_START: read_block(r, s, out); return;
    case IR_GOTO_START:
    case IR_TAB_GOTO_START: {
        const ir_stmt *next = stmt_at(r, r->at + 1);
        if (!next || next->op != IR_STOP) {
            cuda_tile_leave(f, out);
            cs_put(f, out, CS_CONTINUE);
        }
        return;
    }
    case IR_GOTO_STOP:
        cuda_tile_leave(f, out);
        cs_put(f, out, CS_BREAK);
        return;
    case IR_WHILE_TEST: {
        cs *x = cs_put(f, out, CS_IF);
        cx *c = cuda_operand_value(f, args_of(r, s)[0]);
        x->e = cx_unary(f, CX_NOT, c->type, c);
        cs_put(f, &x->body, CS_BREAK);
        return;
    }
    case IR_ITER_REVERSE: r->back = true; return;
    default: read_simple(f, s, out); break;
    }
    const ir_arg *a = args_of(r, s);
    for (uint32_t i = 0; i < s->nargs; i++)
        if (ir_kind(a[i]) == IR_ARG_VAR)
            f->defined[ir_index(a[i])] = 1;
}

/* The line of an adjoint statement stands behind it, in an ADJ_LINE. Looks ahead for it, for
 * errors. */
static void note_adjoint_line(list_reader *r)
{
    cuda_job *job = r->f->job;
    if (r->at < r->line_at)
        return;
    const ir_stmt *next = stmt_at(r, r->at);
    for (r->line_at = r->at; next && next->op != IR_ADJ_LINE; next = stmt_at(r, r->line_at))
        r->line_at++;
    job->adj_line =
        next ? ir_index(args_of(r, next)[2]) - r->f->u->first_line + r->f->u->code->first_line : 0;
}

/* Reads on to `stop`; the reader then stands on it, so that the caller's step leaves it. The STOP
 * of another loop's label is a jump within the list and no end. Stops after an error. A commented
 * statement is one that replay does not repeat: a store, an atomic operation. */
static void read_until(list_reader *r, cs_list *out, ir_op stop, uint32_t label)
{
    for (; r->at < r->list->n && !r->f->job->failed; r->at++) {
        const ir_stmt *s = stmt_at(r, r->at);
        if (r->list->v[r->at].commented)
            continue;
        if (s->op == stop && (stop != IR_STOP || ir_index(args_of(r, s)[0]) == label))
            return;
        note_adjoint_line(r);
        read_one(r, s, out);
    }
}

/* Appends the list's statements to `out`. */
void cuda_read_list(cuda_fn *f, const ir_list *list, cs_list *out)
{
    list_reader r = {.f = f, .list = list};
    read_until(&r, out, IR_OP_COUNT, 0);
    f->job->adj_line = 0;
}
