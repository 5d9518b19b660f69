/* SPDX-License-Identifier: Apache-2.0 */
/* Verification of the trees of src/cuda: each kind of broken tree is found, and what a pass must
 * keep is missed. The trees are those of small kernels, broken by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "cuda/cuda_dump.h"
#include "cuda/cuda_flow.h"
#include "cuda/cuda_read.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unit.h"
#include "cuda/cuda_verify.h"
#include "cudarule/cudarule_call.h"
#include "driver/pipeline.h"

enum { ALL = CUDA_KEEPS_VALUES | CUDA_KEEPS_SUMS | CUDA_KEEPS_ORIGINS | CUDA_KEEPS_READS };

typedef struct work {
    pipeline p;
    const char *source;
    cuda_fn *f;
} work;

static void read_tree(void *arg)
{
    work *w = arg;
    ctx *c = &w->p.c;
    uint32_t n;
    const program *prog = pipeline_load_text(&w->p, "t.py", str_c(w->source));
    assert_non_null(prog);
    const kernel *const *kernels = program_kernels(prog, &n);
    cuda_job *job = ARENA_NEW(&c->module, cuda_job);
    job->c = c;
    job->m = lower_kernel(c, prog, kernels[0]);
    assert_non_null(job->m);
    job->out = ARENA_NEW(&c->module, cuda_kernel);
    job->defs = cuda_defs_make(c, &c->module, NULL, NULL);
    w->f = cuda_fn_new(job, job->m->kernel, false);
    cuda_read_list(w->f, &w->f->u->forward, &w->f->body);
}

static int set_up(void **state)
{
    static work w;
    w = (work){.f = NULL};
    *state = &w;
    return pipeline_init(&w.p, &(pipeline_options){.devices = EMIT_FOR_CUDA}) ? 0 : -1;
}

static int tear_down(void **state)
{
    work *w = *state;
    pipeline_clear(&w->p);
    return 0;
}

#define KERNEL(body)                                                                               \
    "import warp as wp\n"                                                                          \
    "@wp.kernel\n"                                                                                 \
    "def k(a: wp.array(dtype=float), b: wp.array(dtype=float), n: int):\n"                         \
    "    i = wp.tid()\n" body

static const char plain[] = KERNEL("    x = a[i]\n"
                                   "    a[i] = 2.0\n"
                                   "    b[i] = x + 1.0\n");
static const char looped[] = KERNEL("    s = float(0.0)\n"
                                    "    for k in range(n):\n"
                                    "        s = s + a[k]\n"
                                    "        if s > 9.0:\n"
                                    "            break\n"
                                    "    b[i] = s\n");

static cuda_fn *tree_of(void **state, const char *text)
{
    work *w = *state;
    w->source = text;
    assert_true(mem_try(&w->p.c.mem, read_tree, w));
    assert_false(w->f->job->failed);
    return w->f;
}

static cs *find(const cs_list *list, cs_kind kind)
{
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i], *inner = find(&s->body, kind);
        if (s->kind == kind || inner)
            return s->kind == kind ? s : inner;
    }
    return NULL;
}

/* The assignment whose value is of that kind. */
static cs *find_set(const cuda_fn *f, cx_kind kind)
{
    for (uint32_t i = 0; i < f->body.n; i++)
        if (f->body.v[i]->kind == CS_SET && f->body.v[i]->e->kind == kind)
            return f->body.v[i];
    fail_msg("no such assignment");
    return NULL;
}

static uint32_t place_of(const cuda_fn *f, const cs *s)
{
    uint32_t i = 0;
    while (f->body.v[i] != s)
        i++;
    return i;
}

static void assert_fault(cuda_fault fault, const char *want)
{
    char got[256];
    snprintf(got, sizeof got, "%.*s", (int)fault.what.n, fault.what.n ? fault.what.p : "");
    if (!strstr(got, want) || !*got)
        fail_msg("found \"%s\" instead of \"%s\"", got, want);
}

static void assert_found(cuda_fn *f, unsigned state, const char *want)
{
    assert_fault(cuda_check_tree(f, state), want);
}

static void test_good(void **state)
{
    assert_int_equal(cuda_check_tree(tree_of(state, plain), 0).what.n, 0);
    cuda_fn *f = tree_of(state, looped);
    assert_int_equal(cuda_check_tree(f, CUDA_STRUCTURED).what.n, 0);
    const cuda_flow *flow = cuda_flow_of(f);
    assert_int_equal(cuda_compare_flow(f, flow, flow, ALL).what.n, 0);
}

/* --- lists and statements --- */

static void test_statement_twice(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    cs_push(f, &f->body, f->body.v[0]);
    assert_found(f, 0, "stands in two places");
}

static void test_statement_within_itself(void **state)
{
    cuda_fn *f = tree_of(state, looped);
    cs *loop = find(&f->body, CS_FOR);
    cs_push(f, &loop->body, loop);
    assert_found(f, 0, "within itself");
}

static void test_hole(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    f->body.v[1] = NULL;
    assert_found(f, 0, "a hole");
    f = tree_of(state, plain);
    f->body.n = f->body.cap + 1;
    assert_found(f, 0, "longer than its room");
}

static void test_parts(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    f->body.v[0]->e = NULL;
    assert_found(f, 0, "operand is missing");
    f = tree_of(state, plain);
    f->body.v[0]->kind = CS_BREAK;
    f->body.v[0]->to = NULL;
    assert_found(f, 0, "a jump out of no loop");
    f = tree_of(state, looped);
    find(&f->body, CS_FOR)->stop = NULL;
    assert_found(f, 0, "operand is missing");
    f = tree_of(state, plain);
    f->body.v[0]->kind = CS_RETURN;
    assert_found(f, 0, "a place that nothing is assigned to");
    f = tree_of(state, plain);
    f->body.v[0]->add = f->body.v[0]->sub = true;
    assert_found(f, 0, "adds and subtracts");
}

static void test_labels(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    cs_put(f, &f->body, CS_LABEL);
    assert_int_equal(cuda_check_tree(f, 0).what.n, 0);
    assert_found(f, CUDA_STRUCTURED, "a jump to a label");
}

/* --- expressions and types --- */

static void test_operands(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    find_set(f, CX_LOAD)->e->nargs = 0;
    assert_found(f, 0, "too few or too many operands");
    f = tree_of(state, plain);
    cs *sum = find_set(f, CX_CALL);
    sum->e->args[0] = sum->e;
    assert_found(f, 0, "within itself");
    f = tree_of(state, plain);
    find_set(f, CX_CALL)->e->args[1] = NULL;
    assert_found(f, 0, "operand is missing");
    f = tree_of(state, plain);
    find_set(f, CX_ELEMENT)->e->nargs = 3;
    find_set(f, CX_ELEMENT)->e->args = (cx *[]){cx_var(f, 0), cx_number(f, 0), cx_number(f, 0)};
    assert_found(f, 0, "too few or too many indices");
}

static void test_variables(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    find_set(f, CX_CALL)->e->args[0] = cx_var(f, 0);
    find_set(f, CX_CALL)->e->args[0]->var = f->vars.n;
    assert_found(f, 0, "a variable that does not exist");
    f = tree_of(state, plain);
    const uint32_t gone = cv_new(f, cuda_int(f), STR("gone"));
    f->vars.v[gone].same = 0;
    find_set(f, CX_CALL)->e->args[0] = cx_var(f, gone);
    assert_found(f, 0, "coalesced away");
}

static void test_types(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    cs *sum = find_set(f, CX_CALL);
    sum->e->type = type_vec(f->c, sum->e->type, 3);
    assert_found(f, 0, "an assignment of another type");
    f = tree_of(state, plain);
    find_set(f, CX_LOAD)->e->args[0] = cx_number(f, 1);
    assert_found(f, 0, "a load from what is no place");
    f = tree_of(state, looped);
    cs *branch = find(&f->body, CS_IF);
    branch->e = cx_new(f, CX_ZERO, type_vec(f->c, type_scalar(f->c, TYPE_FLOAT32), 3), 0);
    assert_found(f, 0, "a condition that is no bool");
    f = tree_of(state, plain);
    find_set(f, CX_ELEMENT)->e->args[0] = cx_number(f, 1);
    assert_found(f, 0, "an element of what is no array");
}

static void test_outputs(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    cs *s = cs_put(f, &f->body, CS_CALL);
    s->e = cx_binary(f, CX_CALL, NULL, cx_number(f, 1), cx_var(f, 2));
    s->e->name = STR("svd2");
    uint32_t outputs[] = {2};
    s->outputs = outputs;
    s->noutputs = 1;
    assert_int_equal(cuda_check_tree(f, 0).what.n, 0);
    outputs[0] = 3;
    assert_found(f, 0, "an output that the call is not given");
}

/* --- what the state says --- */

static void test_counters(void **state)
{
    cuda_fn *f = tree_of(state, looped);
    const cs *loop = find(&f->body, CS_FOR);
    assert_int_equal(cuda_check_tree(f, CUDA_OWN_COUNTERS).what.n, 0);
    cs *s = cs_set(f, &f->body, cx_var(f, cv_new(f, cuda_int(f), STR("t"))), cx_var(f, loop->var));
    cs_put(f, &f->body, CS_RETURN)->e = s->to;
    assert_found(f, CUDA_OWN_COUNTERS, "read behind its loop");
    f = tree_of(state, looped);
    cs *inner = find(&f->body, CS_FOR);
    cs_set(f, &inner->body, cx_var(f, inner->var), cx_number(f, 0));
    assert_found(f, CUDA_OWN_COUNTERS, "a counter that the loop's body changes");
}

/* All passes have run. */
static cuda_fn *declared_tree(void **state, const char *text)
{
    cuda_fn *f = tree_of(state, text);
    cuda_simplify(f);
    cuda_run_passes(f);
    assert_int_equal(cuda_check_tree(f, CUDA_DECLARED | CUDA_MARKED).what.n, 0);
    return f;
}

static cs *first_declaration(const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i]->declares && list->v[i]->kind == CS_SET)
            return list->v[i];
    fail_msg("nothing is declared");
    return NULL;
}

static void test_declarations(void **state)
{
    cuda_fn *f = declared_tree(state, looped);
    first_declaration(&f->body)->declares = false;
    assert_found(f, CUDA_DECLARED, "set that has no declaration");
    f = declared_tree(state, looped);
    cs *s = first_declaration(&f->body);
    VEC_PUSH(&f->c->module, &find(&f->body, CS_FOR)->decls, s->to->var);
    assert_found(f, CUDA_DECLARED, "a second declaration");
    f = declared_tree(state, looped);
    f->vars.v[find(&f->body, CS_FOR)->var].name =
        f->vars.v[first_declaration(&f->body)->to->var].name;
    assert_found(f, CUDA_DECLARED, "a name that an outer variable has");
    f = declared_tree(state, looped);
    s = first_declaration(&f->body);
    s->declares = false;
    VEC_PUSH(&f->c->module, &find(&f->body, CS_FOR)->body.v[0]->decls, s->to->var);
    assert_found(f, CUDA_DECLARED, "within a loop of what its next pass reads");
}

static void test_bookkeeping(void **state)
{
    cuda_fn *f = declared_tree(state, looped);
    f->vars.v[first_declaration(&f->body)->to->var].uses++;
    assert_found(f, CUDA_DECLARED, "counted wrongly");
    f = declared_tree(state, looped);
    f->vars.v[first_declaration(&f->body)->to->var].mentioned = false;
    assert_found(f, CUDA_MARKED, "used and not marked");
}

/* --- what a pass must keep --- */

static void move(cuda_fn *f, uint32_t from, uint32_t to)
{
    cs *s = f->body.v[from];
    cs_remove_at(&f->body, from);
    cs_push(f, &f->body, s);
    memmove(f->body.v + to + 1, f->body.v + to, (f->body.n - to - 1) * sizeof *f->body.v);
    f->body.v[to] = s;
}

static void test_load_behind_store(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    const cuda_flow *before = cuda_flow_of(f);
    const uint32_t load = place_of(f, find_set(f, CX_LOAD));
    uint32_t store = load;
    while (f->body.v[store]->to->kind != CX_ELEMENT)
        store++;
    move(f, store, load);
    assert_fault(cuda_compare_flow(f, before, cuda_flow_of(f), 0), "changed places");
}

/* The two values of x as one variable, as coalescing would have it; then the second comes first. */
static void test_read_behind_write(void **state)
{
    cuda_fn *f = tree_of(state, KERNEL("    x = a[i]\n"
                                       "    y = x + 1.0\n"
                                       "    x = b[i]\n"
                                       "    b[i] = x * y\n"));
    uint32_t set[2], n = 0, var;
    for (uint32_t i = 0; i < f->body.n; i++)
        if (cs_overwrites(f->body.v[i], &var) && str_eq(f->vars.v[var].hint, STR("x")))
            set[n++] = i;
    assert_int_equal(n, 2);
    const uint32_t first = f->body.v[set[0]]->to->var, second = f->body.v[set[1]]->to->var;
    for (uint32_t i = 0; i < f->body.n; i++)
        cs_rename(f, f->body.v[i], second, first);
    const cuda_flow *before = cuda_flow_of(f);
    move(f, set[0] + 1, set[1]); /* y = x + 1.0 */
    assert_fault(cuda_compare_flow(f, before, cuda_flow_of(f), ALL), "as it did not");
}

static void test_read_before_set(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    const cuda_flow *before = cuda_flow_of(f);
    cs *sum = find_set(f, CX_CALL);
    uint32_t x;
    assert_true(cx_is_var(sum->e->args[0], &x));
    for (uint32_t i = 0; i < f->body.n; i++)
        if (f->body.v[i]->to->kind == CX_VAR && f->body.v[i]->to->var == x)
            cs_remove_at(&f->body, i--);
    assert_fault(cuda_compare_flow(f, before, cuda_flow_of(f), ALL), "before it is set");
}

static void test_lost_and_repeated(void **state)
{
    cuda_fn *f = tree_of(state, plain);
    const cuda_flow *before = cuda_flow_of(f);
    cs *store = f->body.v[f->body.n - 1];
    cs_remove_at(&f->body, f->body.n - 1);
    const cuda_flow *after = cuda_flow_of(f);
    assert_fault(cuda_compare_flow(f, before, after, ALL), "is gone");
    assert_int_equal(cuda_compare_flow(f, before, after, 0).what.n, 0);
    cs_push(f, &f->body, store);
    cs *again = cs_put(f, &f->body, CS_SET);
    *again = *store;
    assert_fault(cuda_compare_flow(f, before, cuda_flow_of(f), ALL), "runs more than once");
}

/* x = a[k] left the loop in which a is written. */
static void test_out_of_loop(void **state)
{
    cuda_fn *f = tree_of(state, KERNEL("    for k in range(n):\n"
                                       "        b[k] = a[i]\n"
                                       "        a[i] = 1.0\n"));
    const cuda_flow *before = cuda_flow_of(f);
    cs *loop = find(&f->body, CS_FOR);
    cs_list *body = &loop->body;
    uint32_t i = 0;
    while (body->v[i]->kind != CS_SET || body->v[i]->e->kind != CX_LOAD)
        i++;
    cs *load = body->v[i];
    cs_remove_at(body, i);
    f->body.v[f->body.n - 1] = load;
    cs_push(f, &f->body, loop);
    assert_fault(cuda_compare_flow(f, before, cuda_flow_of(f), 0), "a loop with something");
}

static void test_dump(void **state)
{
    cuda_fn *f = tree_of(state, looped);
    strbuf b;
    sb_init(&b, &f->c->mem);
    cuda_dump_tree(f, find(&f->body, CS_IF), &b);
    assert_non_null(strstr(sb_cstr(&b), ">>     if "));
    assert_non_null(strstr(sb_cstr(&b), "for k%"));
    assert_non_null(strstr(sb_cstr(&b), "break"));
    sb_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_good, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_statement_twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_statement_within_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_labels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_operands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_types, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_outputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_counters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_declarations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bookkeeping, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_load_behind_store, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_read_behind_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_read_before_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lost_and_repeated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_out_of_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dump, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
