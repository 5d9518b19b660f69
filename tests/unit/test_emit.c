/* SPDX-License-Identifier: Apache-2.0 */
/* The statement printer: every pattern is cut and printed, operands by their kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "emit/emitter.h"

/* A unit with the variables 0..9, one called "x" and one that is what x refers to. */
typedef struct fixture {
    ctx c;
    emitter *e;
    ir_unit u;
    code code;
    param params[80];
    uint32_t x, whole;
    strbuf out;
} fixture;

/* A parameter of this name. */
static uint32_t param_named(fixture *f, const char *name)
{
    const uint32_t i = f->code.nparams++;
    f->params[i].name = sym_c(&f->c.syms, name);
    const type *t = type_scalar(&f->c, TYPE_FLOAT32);
    return ir_add_var(&f->c, &f->u, (ir_var){.kind = IR_VAR_PARAM, .type = t, .index = i});
}

static void make(void *arg)
{
    fixture *f = arg;
    ctx_init(&f->c);
    types_init(&f->c);
    f->e = emitter_new(&f->c);
    sb_init(&f->out, &f->c.mem);
    const type *t = type_scalar(&f->c, TYPE_FLOAT32);
    f->code.params = f->params;
    f->u.code = &f->code;
    for (int i = 0; i < 10; i++)
        ir_declare(&f->c, &f->u, t, NULL);
    f->x = param_named(f, "x");
    const ir_place deref = {.kind = IR_PLACE_DEREF, .base = f->x, .type = t};
    f->whole = ir_add_var(
        &f->c, &f->u,
        (ir_var){.kind = IR_VAR_PLACE, .type = t, .index = ir_add_place(&f->c, &f->u, deref)});
}

static int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    mem_init(&f.c.mem);
    *state = &f;
    return mem_try(&f.c.mem, make, &f) ? 0 : 1;
}

static int tear_down(void **state)
{
    ctx_clear(&((fixture *)*state)->c);
    return 0;
}

static ir_arg var(uint32_t i)
{
    return ir_arg_make(IR_ARG_VAR, i);
}

static ir_arg adj(uint32_t i)
{
    return ir_arg_make(IR_ARG_ADJ, i);
}

static ir_arg place(uint32_t i)
{
    return ir_arg_make(IR_ARG_PLACE, i);
}

/* A function of the program. */
static ir_arg callee_as(fixture *f, ir_arg_kind kind, const char *name)
{
    const ir_callee callee = {.native = {.name = str_c(name)}};
    return ir_arg_make(kind, ir_add_callee(&f->c, &f->u, callee));
}

static ir_arg callee(fixture *f, const char *name)
{
    return callee_as(f, IR_ARG_CALLEE, name);
}

static ir_arg compare(ast_op op)
{
    return ir_arg_make(IR_ARG_COMPARE, op);
}

static ir_arg text(fixture *f, const char *s)
{
    return ir_arg_text(&f->c, &f->u, str_c(s));
}

/* Member x of the element that the statement is about. */
static ir_arg place_x(fixture *f)
{
    const type *t = type_scalar(&f->c, TYPE_FLOAT32);
    const uint32_t item = ir_add_place(&f->c, &f->u, (ir_place){.kind = IR_PLACE_ITEM, .type = t});
    const ir_place x = {
        .kind = IR_PLACE_FIELD, .base = item, .field = sym_c(&f->c.syms, "x"), .type = t};
    return ir_arg_make(IR_ARG_PLACE, ir_add_place(&f->c, &f->u, x));
}

static void expect(fixture *f, ir_op op, const ir_arg *args, uint32_t n, const char *wanted)
{
    const uint32_t s = ir_add_stmt(&f->c, &f->u, op, args, n);
    f->out.n = 0;
    emit_name_vars(f->e, &f->u);
    emit_stmt(f->e, &f->out, &f->u, &f->u.stmts.v[s]);
    assert_string_equal(sb_cstr(&f->out), wanted);
}

#define EXPECT(f, op, wanted, ...)                                                                 \
    expect(f, IR_##op, (ir_arg[]){__VA_ARGS__},                                                    \
           (uint32_t)(sizeof((ir_arg[]){__VA_ARGS__}) / sizeof(ir_arg)), wanted)

static void prints_operands(void **state)
{
    fixture *f = *state;
    EXPECT(f, MOVE, "var_3 = var_x;", var(3), var(f->x));
    EXPECT(f, ACCUMULATE, "adj_x += adj_9;", adj(f->x), adj(9));
    EXPECT(f, MOVE, "var_0 = *(var_x);", var(0), var(f->whole));
    EXPECT(f, STORE_REF, "*var_1 = adj_2;", var(1), adj(2));
    EXPECT(f, LABEL, "label12:;", ir_arg_make(IR_ARG_INT, 12));
    EXPECT(f, START, "start_for_3:;", ir_arg_make(IR_ARG_LOOP, 6));
    EXPECT(f, GOTO_STOP, "goto end_while_4;", ir_arg_make(IR_ARG_LOOP, 9));
    EXPECT(f, RANGE_TEST, "if (var_0 >= -2) goto end_for_3;", var(0), compare(OP_GtE),
           ir_arg_literal(&f->c, &f->u, value_int(-2)), ir_arg_make(IR_ARG_LOOP, 6));
    const type *t = type_scalar(&f->c, TYPE_FLOAT32);
    EXPECT(f, ONE, "var_0 = wp::float32(1);", var(0), ir_arg_type(&f->c, &f->u, t));
    EXPECT(f, ASSERT, "assert(((void)\"x == \\\"a\\\"\",var_1));", text(f, "x == \"a\""), var(1));
}

/* The text is padded to 80 columns less the indentation, counted in code points. */
static void prints_lines(void **state)
{
    fixture *f = *state;
    char wanted[200];
    snprintf(wanted, sizeof wanted, "// %-72s       <L 7>", "a = b");
    EXPECT(f, LINE, wanted, text(f, "a = b"), ir_arg_make(IR_ARG_INT, 2),
           ir_arg_make(IR_ARG_INT, 7));
    snprintf(wanted, sizeof wanted, "// adj: %-81s  <L 7>", "\xc3\xa4 = b");
    EXPECT(f, ADJ_LINE, wanted, text(f, "\xc3\xa4 = b"), ir_arg_make(IR_ARG_INT, 0),
           ir_arg_make(IR_ARG_INT, 7));
}

static void prints_the_rest_of_the_operands(void **state)
{
    fixture *f = *state;
    EXPECT(f, CALL, "var_0 = f(var_1, var_2, var_3);", var(0), callee(f, "f"), var(1), var(2),
           var(3));
    EXPECT(f, CALL, "var_0 = f(var_1);", var(0), callee(f, "f"), var(1));
    EXPECT(f, CALL, "var_0 = f();", var(0), callee(f, "f"));
    EXPECT(f, CALL_VOID, "replay_f(var_1);", callee_as(f, IR_ARG_CALLEE_REPLAY, "f"), var(1));
    EXPECT(f, ADJ_CALL, "adj_f(var_1, adj_1);", callee_as(f, IR_ARG_CALLEE_ADJ, "f"), var(1),
           adj(1));
    EXPECT(f, CALL_VOID_LIST, "f({var_1, var_2});", callee(f, "f"), var(1), var(2));
    EXPECT(f, SLOT_PTR, "var_0 = &(wp::index(var_1, var_2, var_3).x);", var(0), var(1), place_x(f),
           var(2), var(3));
}

/* Labels and texts of any length, in a builder without room. */
static void prints_long_operands(void **state)
{
    fixture *f = *state;
    static char label[301], wanted[1000];
    for (uint32_t n = 1; n < 300; n += n < 50 ? 1 : 17) {
        memset(label, 'q', n);
        label[n] = 0;
        const uint32_t v = param_named(f, label);
        sb_clear(&f->out);
        snprintf(wanted, sizeof wanted, "var_%s += adj_2;", label);
        EXPECT(f, ACCUMULATE, wanted, var(v), adj(2));
        sb_clear(&f->out);
        snprintf(wanted, sizeof wanted, "%s(var_%s);", label, label);
        EXPECT(f, CALL_VOID, wanted, callee(f, label), var(v));
    }
}

/* Places, and variables that are parts of others. */
static void prints_places(void **state)
{
    fixture *f = *state;
    const ir_arg idx = var(2);
    const sym *pos = sym_c(&f->c.syms, "pos");
    const uint32_t part = ir_add_var(
        &f->c, &f->u, (ir_var){.kind = IR_VAR_PART, .index = f->x, .field = pos, .type = NULL});
    EXPECT(f, ACCUMULATE, "var_x.pos += adj_x.pos;", var(part), adj(part));
    const uint32_t at = f->u.args.n;
    VEC_PUSH(&f->c.module, &f->u.args, idx);
    const type *t = type_scalar(&f->c, TYPE_FLOAT32);
    uint32_t p = ir_add_place(&f->c, &f->u, (ir_place){.kind = IR_PLACE_ADJ, .base = f->x});
    const ir_place element = {
        .kind = IR_PLACE_ELEMENT, .base = p, .indices = at, .nindices = 1, .type = t};
    p = ir_add_place(&f->c, &f->u, element);
    EXPECT(f, MOVE, "var_0 = (*wp::address(adj_x, var_2));", var(0), place(p));
    const uint32_t pointer =
        ir_add_place(&f->c, &f->u, (ir_place){.kind = IR_PLACE_ADDRESS, .base = p});
    EXPECT(f, MOVE, "var_0 = wp::address(adj_x, var_2);", var(0), place(pointer));
    p = ir_add_place(&f->c, &f->u, (ir_place){.kind = IR_PLACE_FIELD, .base = p, .field = pos});
    EXPECT(f, MOVE, "var_0 = ((*wp::address(adj_x, var_2))).pos;", var(0), place(p));
    p = ir_add_place(&f->c, &f->u, (ir_place){.kind = IR_PLACE_GUARDED, .base = p, .type = t});
    EXPECT(f, MOVE,
           "var_0 = ([&]() -> wp::float32 { auto slot_adj_0 = adj_x; if (!slot_adj_0.data) "
           "return {}; auto slot_adj_1 = (*wp::address(slot_adj_0, var_2)); auto slot_adj_2 = "
           "(slot_adj_1).pos; return slot_adj_2; }());",
           var(0), place(p));
}

static void prints_comparisons(void **state)
{
    fixture *f = *state;
    EXPECT(f, COMPARE, "var_0 = (var_1 < var_2);", var(0), var(1), compare(OP_Lt), var(2));
    EXPECT(f, COMPARE, "var_0 = ((var_1 < var_2) && (var_3 >= var_4));", var(0), var(1),
           compare(OP_Lt), var(2), compare(OP_GtE), var(3), var(4));
}

static void prints_adjoints_of_lists(void **state)
{
    fixture *f = *state;
    EXPECT(f, ADJ_CALL_LIST, "g({var_1, var_2}, {&adj_1, &adj_2}, adj_3);", callee(f, "g"),
           ir_arg_make(IR_ARG_INT, 2), var(1), var(2), ir_arg_make(IR_ARG_ADJ_PTR, 1),
           ir_arg_make(IR_ARG_ADJ_PTR, 2), adj(3));
}

/* Every pattern ends, and its pieces together are the pattern without the operands. */
static void cuts_every_pattern(void **state)
{
    const fixture *f = *state;
    for (int op = 0; op < IR_OP_COUNT; op++) {
        int n = 0;
        while (f->e->pieces[op][n].operand != PIECE_END) {
            assert_in_range(f->e->pieces[op][n].operand, 0, 9);
            assert_true(++n < PIECES_PER_OP);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(prints_operands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(prints_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(prints_the_rest_of_the_operands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(prints_long_operands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(prints_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(prints_comparisons, set_up, tear_down),
        cmocka_unit_test_setup_teardown(prints_adjoints_of_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cuts_every_pattern, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
