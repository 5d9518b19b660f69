/* SPDX-License-Identifier: Apache-2.0 */
/* The verifier of the intermediate form: a lowered kernel is good, and each way to break it is
 * seen. The kernel is lowered anew for each test, which breaks one thing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "driver/pipeline.h"
#include "ir/ir_verify.h"

static const char source_text[] =
    "import warp as wp\n"
    "@wp.struct\n"
    "class Body:\n"
    "    pos: wp.vec3\n"
    "@wp.func\n"
    "def twice(x: float):\n"
    "    if x < 0.0:\n"
    "        return -x\n"
    "    return x * 2.0\n"
    "@wp.kernel\n"
    "def move(bodies: wp.array[Body], out: wp.array[float], n: int):\n"
    "    i = wp.tid()\n"
    "    b = bodies[i]\n"
    "    s = float(0.0)\n"
    "    for k in range(n):\n"
    "        if b.pos[0] > 1.0:\n"
    "            break\n"
    "        s += twice(b.pos[1])\n"
    "    bodies[i].pos[2] = s\n"
    "    out[i] = s\n";

typedef struct work {
    pipeline p;
    ir_module *m;
} work;

static void make(void *arg)
{
    work *w = arg;
    uint32_t n;
    const program *prog = pipeline_load_text(&w->p, "t.py", str_c(source_text));
    assert_non_null(prog);
    const kernel *const *kernels = program_kernels(prog, &n);
    w->m = (ir_module *)(uintptr_t)pipeline_lower(&w->p, prog, kernels[0]).ir;
    assert_non_null(w->m);
}

static int set_up(void **state)
{
    static work w;
    memset(&w, 0, sizeof w);
    *state = &w;
    const pipeline_options o = {0};
    return pipeline_init(&w.p, &o) && mem_try(&w.p.c.mem, make, &w) ? 0 : -1;
}

static int tear_down(void **state)
{
    pipeline_clear(&((work *)*state)->p);
    return 0;
}

typedef struct check {
    work *w;
    const ir_unit *u;
    ir_fault fault;
} check;

static void run_check(void *arg)
{
    check *k = arg;
    (void)ir_check(&k->w->p.c, k->u, false, &k->fault);
}

static void expect(work *w, const ir_unit *u, const char *where, const char *what)
{
    check k = {.w = w, .u = u};
    assert_true(mem_try(&w->p.c.mem, run_check, &k));
    if (!what) {
        assert_null(k.fault.what);
        return;
    }
    assert_non_null(k.fault.what);
    assert_string_equal(k.fault.what, what);
    assert_string_equal(k.fault.where, where);
}

/* The first statement of this form in the list. */
static uint32_t find(const ir_unit *u, const ir_list *list, ir_op op)
{
    uint32_t i = 0;
    while (i < list->n && u->stmts.v[list->v[i].stmt].op != op)
        i++;
    assert_true(i < list->n);
    return i;
}

static ir_stmt *stmt_of(const ir_unit *u, const ir_list *list, ir_op op)
{
    return &u->stmts.v[list->v[find(u, list, op)].stmt];
}

static ir_arg *args_of(const ir_unit *u, ir_op op)
{
    const ir_stmt *s = u->stmts.v;
    while (s->op != op)
        s++;
    return u->args.v + s->args;
}

static void remove_at(ir_list *list, uint32_t i)
{
    memmove(list->v + i, list->v + i + 1, (--list->n - i) * sizeof *list->v);
}

static ir_place *place_of(ir_unit *u, ir_place_kind kind)
{
    uint32_t i = 0;
    while (i < u->places.n && u->places.v[i].kind != kind)
        i++;
    assert_true(i < u->places.n);
    return &u->places.v[i];
}

static void good_form_passes(void **state)
{
    work *w = *state;
    expect(w, w->m->kernel, NULL, NULL);
    assert_int_equal(w->m->funcs.n, 1);
    expect(w, w->m->funcs.v[0], NULL, NULL);
}

static void broken_tables_are_seen(void **state)
{
    work *w = *state;
    ir_unit *u = w->m->kernel;
    const uint32_t declared = u->vars.v[u->declared.v[0]].index;
    u->vars.v[u->declared.v[0]].index = declared + 1;
    expect(w, u, "variable", "it is not what its kind says");
    u->vars.v[u->declared.v[0]].index = declared;
    const type *t = u->vars.v[u->params[0]].type;
    u->vars.v[u->params[0]].type = NULL;
    expect(w, u, "variable", "it has no type");
    u->vars.v[u->params[0]].type = t;
    ir_place *p = place_of(u, IR_PLACE_FIELD);
    const ir_place field = *p;
    p->base = (uint32_t)(p - u->places.v);
    expect(w, u, "place", "its base does not come before it");
    *p = field;
    p->field = sym_c(&w->p.c.syms, "speed");
    expect(w, u, "place", "its base has no such part");
    *p = field;
    p->type = NULL;
    expect(w, u, "place", "it has no type");
    *p = field;
    p = place_of(u, IR_PLACE_ELEMENT);
    const ir_place element = *p;
    p->indices = u->args.n;
    expect(w, u, "place", "its indices are out of range");
    *p = element;
    u->args.v[p->indices] = ir_arg_make(IR_ARG_INT, 0);
    expect(w, u, "place", "an index is no variable");
    u->callees.v[0].native.name.n = 0;
    u->args.v[p->indices] = ir_arg_make(IR_ARG_VAR, u->declared.v[0]);
    expect(w, u, "callee", "it names nothing");
}

static void broken_operands_are_seen(void **state)
{
    work *w = *state;
    ir_unit *u = w->m->kernel;
    ir_stmt *s = stmt_of(u, &u->forward, IR_FOR_TEST);
    const ir_stmt good = *s;
    ir_arg *a = u->args.v + s->args;
    const ir_arg first = a[0];
    a[0] = ir_arg_make(IR_ARG_VAR, u->vars.n);
    expect(w, u, "statement", "an operand is out of range");
    a[0] = ir_arg_make(IR_ARG_INT, 0);
    expect(w, u, "statement", "an operand is of a wrong kind");
    a[0] = first;
    s->nargs = 1;
    expect(w, u, "statement", "it has too few operands");
    s->nargs = 3;
    expect(w, u, "statement", "it has too many operands");
    *s = good;
    s->args = u->args.n;
    expect(w, u, "statement", "its operands are out of range");
    *s = good;
    s->op = IR_OP_COUNT;
    expect(w, u, "statement", "there is no such form");
    *s = good;
    uint32_t fixed = 0;
    while (!u->vars.v[fixed].constant)
        fixed++;
    args_of(u, IR_COMPARE)[0] = ir_arg_make(IR_ARG_VAR, fixed);
    expect(w, u, "statement", "it sets a constant");
}

static void wrong_types_are_seen(void **state)
{
    work *w = *state;
    ir_unit *u = w->m->kernel;
    ir_arg *a = args_of(u, IR_COMPARE);
    const type *bool_type = u->vars.v[ir_index(a[0])].type;
    u->vars.v[ir_index(a[0])].type = type_scalar(&w->p.c, TYPE_INT32);
    expect(w, u, "statement", "types of operands do not fit");
    u->vars.v[ir_index(a[0])].type = bool_type;
    a = args_of(u, IR_SLOT_STORE);
    a[2] = ir_arg_make(IR_ARG_VAR, u->params[2]);
    expect(w, u, "statement", "types of operands do not fit");
}

static void unbalanced_blocks_are_seen(void **state)
{
    work *w = *state;
    ir_unit *u = w->m->kernel;
    const ir_list forward = u->forward;
    const uint32_t end = find(u, &u->forward, IR_END), stop = find(u, &u->forward, IR_STOP);
    const ir_entry entry = u->forward.v[end];
    u->forward.v[end] = u->forward.v[stop];
    expect(w, u, "forward", "it ends what is not the innermost block");
    u->forward.v[end] = entry;
    u->forward.n = stop;
    expect(w, u, "forward", "a block does not end");
    u->forward = forward;
    u->args.v[stmt_of(u, &u->forward, IR_GOTO_STOP)->args] = ir_arg_make(IR_ARG_LOOP, 98);
    expect(w, u, "forward", "it jumps to a loop that it is not in");
}

static void loops_within_themselves_are_seen(void **state)
{
    work *w = *state;
    ir_unit *u = w->m->kernel;
    const uint32_t start = find(u, &u->forward, IR_START);
    u->forward.v[find(u, &u->forward, IR_IF)] = u->forward.v[start];
    expect(w, u, "forward", "a loop starts within itself");
}

static void wrong_effects_are_seen(void **state)
{
    work *w = *state;
    ir_unit *u = w->m->kernel;
    const uint32_t store = find(u, &u->replay, IR_SLOT_STORE);
    u->replay.v[store].commented = false;
    expect(w, u, "replay", "what has an effect runs again");
    u->replay.v[store].commented = true;
    u->forward.v[store].commented = true;
    expect(w, u, "forward", "the forward list has what is for replay");
    u->forward.v[store].commented = false;
    const uint32_t line = find(u, &u->forward, IR_LINE);
    u->forward.v[line] = u->reverse.v[find(u, &u->reverse, IR_ADJ_LINE)];
    expect(w, u, "forward", "an adjoint is touched before the reverse list");
}

static void lost_labels_are_seen(void **state)
{
    work *w = *state;
    ir_unit *u = w->m->funcs.v[0];
    const uint32_t label = find(u, &u->reverse, IR_LABEL);
    const ir_entry entry = u->reverse.v[label];
    u->reverse.v[find(u, &u->reverse, IR_ADJ_LINE)] = entry;
    expect(w, u, "reverse", "the label stands there twice");
    const ir_list reverse = u->reverse;
    const uint32_t jump = find(u, &u->replay, IR_GOTO_LABEL);
    const ir_entry kept = u->replay.v[jump];
    for (uint32_t i = 0; i < u->reverse.n; i++)
        if (u->stmts.v[u->reverse.v[i].stmt].op == IR_LABEL)
            remove_at(&u->reverse, i--);
    expect(w, u, "reverse", "a label is missing");
    u->reverse.n = 1;
    u->reverse.v[0] = entry;
    u->replay.v[jump] = u->replay.v[0];
    u->args.v[u->stmts.v[entry.stmt].args] = ir_arg_make(IR_ARG_INT, 977);
    expect(w, u, "reverse", "nothing jumps to the label");
    u->reverse = reverse;
    u->replay.v[jump] = kept;
}

static void reads_of_nothing_are_seen(void **state)
{
    work *w = *state;
    ir_unit *u = w->m->kernel;
    remove_at(&u->forward, find(u, &u->forward, IR_CALL)); /* i = wp.tid() */
    expect(w, u, "forward", "it reads a variable that nothing sets");
}

static void replay_of_nothing_is_seen(void **state)
{
    work *w = *state;
    ir_unit *u = w->m->kernel;
    remove_at(&u->forward, find(u, &u->forward, IR_LINE));
    expect(w, u, "replay", "the forward list has no such statement");
    u->replay.v[0].stmt = u->stmts.n;
    expect(w, u, "replay", "it is no statement");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(good_form_passes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_tables_are_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_operands_are_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_types_are_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unbalanced_blocks_are_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loops_within_themselves_are_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_effects_are_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lost_labels_are_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_of_nothing_are_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(replay_of_nothing_is_seen, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
