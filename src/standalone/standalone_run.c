/* SPDX-License-Identifier: Apache-2.0 */
/* What a program has to compute: the forward result from the reference interpreter (or, where it
 * cannot execute the kernel, from the text machine's run of Warp's forward text), gradients from
 * the text machine's run of Warp's backward text, on inputs whose results do not hang on rounding.
 *
 *     inputs, forward, backward, the same from disturbed inputs (measure), mutants (judge)
 *
 * standalone_choose.c chooses the inputs. */
#include "standalone/standalone_internal.h"

#include "interp/interp.h"
#include "textvm/textvm.h"

/* A program that takes more is no example, and makes a data set slow. TEXT: instructions of the
 * text machine in a step of the interpreter. BACKWARD: a backward run takes so many times the steps
 * of a forward one. */
enum { FUEL = SA_FUEL, TEXT = 10, BLOCK = 256, BACKWARD = 3 };

/* Steps that a round of a loop in a builtin takes. */
enum { ROUND = 16 };

/* What runs cost beside the steps of the reference, which take 23 ns where there are no tiles: WAIT
 * steps each time that a lane waits for its block, a step for TEXT_STEPS of the text machine, which
 * has many where 256 lanes do the same, and a step for each number of an array, which is filled,
 * kept and compared. */
enum { WAIT = 3, TEXT_STEPS = 64 };

/* A linear search: kernels have few arrays. */
const sa_column *sa_column_find(const sa_run *r, str path)
{
    for (uint32_t i = 0; i < r->columns.n; i++)
        if (str_eq(str_c(r->columns.v[i].path), path))
            return &r->columns.v[i];
    return NULL;
}

void sa_run_release(sa_run *r)
{
    for (; r; r = r->next)
        arena_clear(&r->own);
}

/* --- one run -------------------------------------------------------------------------------- */

/* The memory of one run. The adjoints mirror the arguments: same paths, same shapes. */
typedef struct state {
    launch_args args, adjoints;
    sa_inputs inputs;
} state;

/* A copy: the next run overwrites the arrays. */
static const uint8_t *items_of(arena *a, const launch_leaf *leaf)
{
    const str items = launch_leaf_items(leaf, a);
    return (const uint8_t *)arena_dup(a, items.p, items.n);
}

/* Keeps the text machine's message; returns `good`. */
static bool take_error(sa_runner *w, bool good, const textvm_error *error)
{
    if (!good) {
        w->error.n = 0;
        sb_c(&w->error, error->text);
    }
    return good;
}

/* Sizes of the launch, and how many there are. wp.launch_tiled, which has a block for each index,
 * appends the number of threads of a block. */
static int launch_sizes(const sa_runner *w, const inputs_plan *plan, int64_t *dim)
{
    memcpy(dim, plan->dim, sizeof plan->dim);
    if (w->k->blocks != CUDA_BLOCKS_TILED || plan->ndim >= LAUNCH_DIMS)
        return plan->ndim;
    dim[plan->ndim] = BLOCK;
    return plan->ndim + 1;
}

/* Steps of one run: more for launches that are longer than usual. */
static uint64_t fuel_of(const inputs_plan *plan)
{
    enum { USUAL = 14 }; /* 2^14 threads */
    int64_t threads = 1;
    for (int d = 0; d < plan->ndim; d++)
        threads *= plan->dim[d];
    return (uint64_t)FUEL * (uint64_t)(1 + (threads - 1) / (1 << USUAL));
}

/* The text machine does not count steps, so a run counts as a quarter of the fuel. */
static bool launch_forward_text(sa_runner *w, const inputs_plan *plan, const state *st)
{
    WEFT_ASSERT(w->forward != NULL);
    textvm_error error = {0};
    textvm_launch launch = {
        .args = st->args.values, .block_dim = BLOCK, .fuel = TEXT * fuel_of(plan)};
    launch.ndim = launch_sizes(w, plan, launch.dim);
    w->steps += FUEL / 4;
    return take_error(w, textvm_run(w->forward, &launch, &error), &error);
}

/* How threads run. Needs: the reference, if not in order. */
typedef enum threads {
    IN_ORDER,
    REVERSED, /* the last one runs first */
    APART,    /* none sees what others store: interp_apart.c */
    SHAKEN    /* in order, by another mathematical library */
} threads;

/* By the reference interpreter, or by the text machine once the reference has failed with "cannot".
 */
static bool launch_forward(sa_runner *w, const inputs_plan *plan, const state *st, threads how)
{
    WEFT_ASSERT(how == IN_ORDER || !w->forward);
    if (w->forward)
        return launch_forward_text(w, plan, st);
    interp_launch launch = {.kernel = w->s->kernel,
                            .args = st->args.values,
                            .block_dim = BLOCK,
                            .fuel = fuel_of(plan),
                            .round_steps = ROUND,
                            .reversed = how == REVERSED,
                            .apart = how == APART,
                            .shaken = how == SHAKEN,
                            .lenient = true};
    launch.ndim = launch_sizes(w, plan, launch.dim);
    w->error.n = 0;
    const bool good = interp_launch_run(w->reference, &launch, &w->error);
    w->waits |= interp_waits(w->reference) > 0;
    w->steps += interp_steps(w->reference) + WAIT * interp_waits(w->reference);
    return good;
}

/* The source of adjoints: what the forward run wrote gets numbers. */
typedef struct seeding {
    sa_run *run;
    launch_source source;
} seeding;

/* Adjoints of what the forward run wrote; others are absent and stay zero. The same numbers fill
 * the program's arrays (sa_column.seed). */
static launch_found give_seed(void *arg, arena *a, const char *path, const type *item, int ndim,
                              npy *out)
{
    const seeding *s = arg;
    const sa_column *col = sa_column_find(s->run, str_c(path));
    if (!col || !col->seeded)
        return LAUNCH_ABSENT;
    const inputs_arg *shape = NULL;
    const code *f = &s->run->inputs.k->code;
    /* A field has the shape of its parameter. */
    const size_t n = strcspn(path, ".");
    for (uint32_t i = 0; i < f->nparams && !shape; i++)
        if (str_eq(sym_str(f->params[i].name), (str){path, n}))
            shape = &s->run->plan.args[i];
    if (!shape)
        return LAUNCH_ABSENT;
    *out = launch_form(item);
    out->ndim = ndim;
    memcpy(out->shape, shape->shape, sizeof shape->shape);
    out->count = col->count;
    out->items = arena_alloc(a, col->count * out->width);
    sa_fill_items(&col->seed, out->items, col->count);
    return LAUNCH_GIVEN;
}

/* Adjoints of values are not seeded. */
static launch_found give_none(void *arg, const char *path, const type *t, rvalue *out)
{
    (void)arg;
    (void)path;
    (void)t;
    (void)out;
    return LAUNCH_ABSENT;
}

/* Messages have no reader here. */
static void ignore(void *arg, const char *path, const char *text)
{
    (void)arg;
    (void)path;
    (void)text;
}

/* The launch of a backward text. */
static textvm_launch backward_launch(const sa_runner *w, const sa_run *r, const state *st)
{
    const bool whole = textvm_is_cuda(w->backward) || textvm_has_tiles(w->backward);
    textvm_launch launch = {.args = st->args.values,
                            .adjoints = st->adjoints.values,
                            .block_dim = whole ? BLOCK : 1,
                            .fuel = TEXT * fuel_of(&r->plan)};
    launch.ndim = launch_sizes(w, &r->plan, launch.dim);
    return launch;
}

/* Runs Warp's backward text on the state that forward left, as in Warp. The adjoints are new arrays
 * with the seeds in them. A CPU text has blocks of one thread. */
static bool launch_backward(sa_runner *w, sa_run *r, state *st)
{
    WEFT_ASSERT(w->backward != NULL);
    seeding seeds = {r, {.array = give_seed, .value = give_none, .wrong = ignore}};
    seeds.source.arg = &seeds;
    if (!launch_args_mirror(&st->adjoints, w->c, &r->own, &seeds.source, w->s->kernel, &st->args)) {
        w->error.n = 0;
        SB_LIT(&w->error, "a parameter has no gradient of its shape");
        return false;
    }
    textvm_error error = {0};
    uint64_t steps = 0;
    textvm_launch launch = backward_launch(w, r, st);
    launch.steps = &steps;
    const bool good = textvm_run(w->backward, &launch, &error);
    w->steps += w->waits ? steps / TEXT_STEPS : 0;
    return take_error(w, good, &error);
}

/* Arrays that the plan leaves out. Their leaves stay, which are empty. */
static void take_away(const sa_run *r, uint32_t nparams, launch_args *args)
{
    for (uint32_t i = 0; i < nparams; i++) {
        if (!r->plan.args[i].absent)
            continue;
        array_view *view = ARENA_NEW(args->a, array_view);
        *view = *args->values[i].array;
        view->data = NULL;
        args->values[i].array = view;
    }
}

/* Fresh parameters from the run's seed: each run starts from the same memory. False: the error says
 * why. */
static bool read_inputs(sa_runner *w, sa_run *r, state *st, bool disturbed)
{
    sa_inputs_init(&st->inputs, w->c, &r->own, w->s->kernel, w->k->objects, &r->plan, r->seed);
    st->inputs.source.arg = &st->inputs;
    st->inputs.disturbed = disturbed;
    if (launch_args_read(&st->args, w->c, &r->own, &st->inputs.source, w->s->kernel)) {
        sa_objects_make(w->c, &w->objects, r, &st->args);
        take_away(r, w->s->kernel->code.nparams, &st->args);
        return true;
    }
    w->error.n = 0;
    SB_LIT(&w->error, "a parameter cannot be filled");
    return false;
}

/* --- what came out --------------------------------------------------------------------------- */

/* The arrays before the launch, one column for each leaf. */
static void add_columns(sa_run *r, const state *st)
{
    WEFT_ASSERT(r->columns.n == 0);
    for (uint32_t i = 0; i < st->args.leaves.n; i++) {
        const launch_leaf *leaf = &st->args.leaves.v[i];
        const type *scalar = type_scalar_of(leaf->type);
        const size_t width = layout_size(scalar);
        const str items = launch_leaf_items(leaf, &r->own);
        sa_column col = {.path = leaf->path,
                         .type = leaf->type,
                         .scalar = (type_kind)scalar->kind,
                         .count = items.n / width,
                         .offset = leaf->offset};
        col.before = (const uint8_t *)arena_dup(&r->own, items.p, items.n);
        VEC_PUSH(&r->own, &r->columns, col);
    }
}

/* Inputs that are not finite, which a kernel that tests for them may pass on. */
static unsigned specials_given(const sa_run *r)
{
    for (uint32_t i = 0; i < r->inputs.fills.n; i++)
        if (r->inputs.fills.v[i].odd)
            return SA_NAN | SA_INFINITY;
    return 0;
}

/* The arrays after the launch. Streams of seeds count down from the end of the run's range, those
 * of inputs up from its start. */
static void take_results(const sa_runner *w, sa_run *r, const state *st)
{
    WEFT_ASSERT(r->columns.n == st->args.leaves.n);
    const unsigned given = specials_given(r);
    for (uint32_t i = 0; i < r->columns.n; i++) {
        sa_column *col = &r->columns.v[i];
        const size_t size = col->count * layout_size(type_scalar_of(col->type));
        col->after = items_of(&r->own, &st->args.leaves.v[i]);
        col->changed = memcmp(col->before, col->after, size) != 0;
        col->sample.end = col->count;
        col->sample.all = col->scalar < TYPE_FLOAT16 && !w->has_floats;
        if (col->count)
            col->sample.step =
                sa_column_step_of(col->count, size / col->count, col->before, col->after);
        /* Integers have no adjoint, and what is not written only passes seeds on. */
        col->seeded = col->changed && col->scalar >= TYPE_FLOAT16;
        if (col->seeded)
            col->seed = sa_fill_adjoint(col->path, col->scalar,
                                        (r->seed + 1) * SA_STREAMS - 1 - i % SA_STREAMS);
        col->odd = !sa_is_finite(col, col->after, w->specials | given);
        r->finite_results &= !col->odd;
    }
    r->finite = r->finite_results;
}

sa_column *sa_column_of(sa_run *r, const launch_leaf *leaf)
{
    for (uint32_t i = 0; i < r->columns.n; i++)
        if (strcmp(r->columns.v[i].path, leaf->path) == 0)
            return &r->columns.v[i];
    return NULL;
}

const uint8_t *sa_gradient_before(arena *a, const sa_column *col)
{
    uint8_t *items = arena_zero(a, col->count * layout_size(type_scalar_of(col->type)));
    if (col->seeded)
        sa_fill_items(&col->seed, items, col->count);
    return items;
}

static void set_gradient_step(const sa_runner *w, sa_run *r, sa_column *col)
{
    const size_t width = layout_size(type_scalar_of(col->type));
    col->gradient_sample.end = col->count;
    if (col->count)
        col->gradient_sample.step = sa_column_step_of(
            col->count, width, w->s->launch.n ? NULL : sa_gradient_before(&r->own, col),
            col->gradient);
}

/* How many numbers of gradients the backward run has changed. */
static size_t count_gradients(sa_run *r, const state *st)
{
    size_t n = 0;
    for (uint32_t i = 0; i < st->adjoints.leaves.n; i++) {
        const sa_column *col = sa_column_of(r, &st->adjoints.leaves.v[i]);
        const size_t width = col ? layout_size(type_scalar_of(col->type)) : 0;
        if (!col || !col->count)
            continue;
        const uint8_t *from = sa_gradient_before(&r->own, col),
                      *to = items_of(&r->own, &st->adjoints.leaves.v[i]);
        for (size_t k = 0; k < col->count; k++)
            n += memcmp(from + k * width, to + k * width, width) != 0;
    }
    return n;
}

/* Has the backward run left only finite numbers? */
static bool finite_gradients(sa_run *r, const state *st)
{
    for (uint32_t i = 0; i < st->adjoints.leaves.n; i++) {
        const sa_column *col = sa_column_of(r, &st->adjoints.leaves.v[i]);
        if (col && !sa_is_finite(col, items_of(&r->own, &st->adjoints.leaves.v[i]), 0))
            return false;
    }
    return true;
}

/* What the backward run left in the adjoints. */
static void take_gradients(sa_runner *w, sa_run *r, const state *st)
{
    r->finite = r->finite_results;
    for (uint32_t i = 0; i < st->adjoints.leaves.n; i++) {
        sa_column *col = sa_column_of(r, &st->adjoints.leaves.v[i]);
        if (!col)
            continue;
        col->gradient = items_of(&r->own, &st->adjoints.leaves.v[i]);
        set_gradient_step(w, r, col);
        col->odd_gradient = !sa_is_finite(col, col->gradient, 0);
        r->finite &= !col->odd_gradient;
    }
}

/* The largest finite number, in magnitude; 0 of integers. */
static double largest_of(const sa_column *col, const uint8_t *items)
{
    const size_t width = layout_size(type_scalar_of(col->type));
    double largest = 0;
    for (size_t i = 0; col->scalar >= TYPE_FLOAT16 && i < col->count; i++) {
        const double x = __builtin_fabs(num_load(col->scalar, items + i * width).f);
        largest = x > largest && x < __builtin_inf() ? x : largest;
    }
    return largest;
}

/* The largest error of `to` against `from`, by the measure of tolerance.h; `to` NULL: infinite. */
static double moved(const sa_column *col, const uint8_t *from, const uint8_t *to, double floor)
{
    const size_t width = layout_size(type_scalar_of(col->type));
    double most = to ? 0 : __builtin_inf();
    for (size_t i = 0; to && i < col->count; i++) {
        const num want = num_load(col->scalar, from + i * width);
        const double error =
            tolerance_error(col->scalar, want, num_load(col->scalar, to + i * width), floor);
        most = error > most ? error : most;
    }
    return most;
}

/* What is allowed to floats of a column, and whether it hangs on rounding: `disturbed` is what came
 * out of inputs a last place off. Errors below the floor are relative to it and not to the number.
 * Without a promise it is raised for a column of large numbers, a few of which are what is left of
 * larger ones: of 2000.1 - 2000 only roundings remain. */
static sa_limit limit_of(const sa_runner *w, const sa_run *r, const sa_column *col,
                         const uint8_t *items, const uint8_t *disturbed)
{
    enum { SHARE_FIRST = 256, SHARE_LAST = 16 };
    const bool is_float = col->scalar >= TYPE_FLOAT16;
    const double largest = largest_of(col, items);
    double floor = tolerance_floor(largest);
    tolerance_limit most =
        tolerance_widen(is_float ? r->tolerance : 0, moved(col, items, disturbed, floor), floor);
    for (int share = SHARE_FIRST;
         most.hangs && is_float && disturbed && !w->s->launch.n && share >= SHARE_LAST;
         share /= SHARE_LAST) {
        const double higher = largest / share;
        if (higher <= floor)
            continue;
        const tolerance_limit other =
            tolerance_widen(r->tolerance, moved(col, items, disturbed, higher), higher);
        if (!other.hangs) {
            most = other;
            floor = higher;
        }
    }
    return (sa_limit){most.tolerance, floor, most.hangs};
}

/* No gradient is compared. */
static void leave_gradients(sa_run *r)
{
    r->finite = r->finite_results;
    for (uint32_t i = 0; i < r->columns.n; i++) {
        r->columns.v[i].gradient = NULL;
        r->columns.v[i].odd_gradient = false;
        r->columns.v[i].gradient_limit = (sa_limit){0};
    }
}

/* Updates that get lost, `n[0] = n[0] + 1`, are the same in either order, and others where threads
 * run at once. */
static void measure_apart(sa_runner *w, sa_run *r)
{
    state st = {0};
    if (!read_inputs(w, r, &st, false) || !launch_forward(w, &r->plan, &st, APART) ||
        !interp_kept_apart(w->reference))
        return;
    for (uint32_t i = 0; i < r->columns.n; i++)
        sa_take_apart(r, &r->columns.v[i], items_of(&r->own, &st.args.leaves.v[i]));
}

/* Which columns depend on the order of threads; the text machine has one order only. Such a run is
 * not stable: one whose results are the same in any order is better. Of several threads that have
 * stored to one element, Warp's backward pass gives the gradient to the first that it runs, so none
 * is compared. */
static void measure_order(sa_runner *w, sa_run *r, const uint8_t *const *disturbed)
{
    state st = {0};
    if (w->forward)
        return;
    const bool ends = read_inputs(w, r, &st, false) && launch_forward(w, &r->plan, &st, REVERSED);
    for (uint32_t i = 0; i < r->columns.n; i++) {
        sa_column *col = &r->columns.v[i];
        sa_take_order(r, col, ends ? items_of(&r->own, &st.args.leaves.v[i]) : NULL, disturbed[i]);
    }
    measure_apart(w, r);
    if (sa_run_races(r)) {
        r->stable = false;
        leave_gradients(r);
    }
}

/* Integers that are made of floats may hang on the last place of sin or exp, which libraries round
 * each in its way, though no input is a float: `int(wp.cos(float(i)) * 1.0e6)`. */
static void measure_shaken(sa_runner *w, sa_run *r)
{
    state st = {0};
    bool any = false;
    for (uint32_t i = 0; i < r->columns.n; i++)
        any |= r->columns.v[i].scalar < TYPE_FLOAT16 && r->columns.v[i].changed;
    if (!any || w->forward || !w->has_floats || !read_inputs(w, r, &st, false) ||
        !launch_forward(w, &r->plan, &st, SHAKEN))
        return;
    for (uint32_t i = 0; i < r->columns.n; i++) {
        sa_column *col = &r->columns.v[i];
        const size_t size = col->count * layout_size(type_scalar_of(col->type));
        if (col->scalar < TYPE_FLOAT16 && size &&
            memcmp(col->after, items_of(&r->own, &st.args.leaves.v[i]), size) != 0) {
            col->limit.hangs = true;
            r->stable = false;
        }
    }
}

/* Sets the limits: the same launch from inputs that are a last place off. How far a column moves is
 * what rounding may cost; beyond the widest tolerance it "hangs": a program on another machine may
 * fail without a fault. What starts elsewhere ends elsewhere: that is no fault where an array, or a
 * part of it, is not written. Sets r->stable too. */
static void measure(sa_runner *w, sa_run *r)
{
    state st = {0};
    const uint8_t **disturbed = ARENA_ARRAY(&r->own, const uint8_t *, r->columns.n + 1);
    bool ends = read_inputs(w, r, &st, true) && launch_forward(w, &r->plan, &st, IN_ORDER);
    for (uint32_t i = 0; i < r->columns.n; i++) {
        sa_column *col = &r->columns.v[i];
        /* A launch that fails from disturbed inputs moves everything. */
        disturbed[i] = ends ? items_of(&r->own, &st.args.leaves.v[i]) : NULL;
        col->limit = limit_of(w, r, col, col->after, disturbed[i]);
    }
    const bool backward = w->backward && !r->forward_only && !r->failed;
    if (ends && r->afresh)
        ends = read_inputs(w, r, &st, true);
    ends = ends && (!backward || launch_backward(w, r, &st));
    for (uint32_t i = 0; ends && backward && i < st.adjoints.leaves.n; i++) {
        sa_column *col = sa_column_of(r, &st.adjoints.leaves.v[i]);
        if (col && col->gradient && !col->odd_gradient)
            col->gradient_limit =
                limit_of(w, r, col, col->gradient, items_of(&r->own, &st.adjoints.leaves.v[i]));
    }
    /* One column that hangs on rounding is enough. */
    r->stable = ends;
    for (uint32_t i = 0; i < r->columns.n; i++)
        r->stable &= !r->columns.v[i].limit.hangs && !r->columns.v[i].gradient_limit.hangs;
    measure_shaken(w, r);
    measure_order(w, r, disturbed);
}

/* Has the reference failed because it cannot execute something, and can the text machine? The
 * runner stays with the text machine then. */
static bool turn_to_text(sa_runner *w)
{
    textvm_error error = {0};
    if (w->forward || !w->s->forward.n || interp_ended(w->reference) != INTERP_CANNOT)
        return false;
    w->forward = textvm_read(w->c, &w->c->module, w->s->forward, &error);
    return w->forward != NULL;
}

/* A second attempt needs fresh inputs, since the first may have written some. */
static bool run_forward(sa_runner *w, sa_run *r, state *st)
{
    return launch_forward(w, &r->plan, st, IN_ORDER) ||
           (turn_to_text(w) && read_inputs(w, r, st, false) &&
            launch_forward(w, &r->plan, st, IN_ORDER));
}

/* Survivors with which a run is no better than the best one so far; 0: any number is. */
static uint32_t survivors_of_best(const sa_runner *w, const sa_run *r)
{
    const sa_run *best = w->best;
    const bool alike = best && sa_worth(best) >= sa_worth(r);
    return alike && best->judged ? best->mutants.n - best->mutants.killed : 0;
}

/* The same of the backward text. Its mutants are drawn here, as many as such a run can pay. */
static void judge_gradients(sa_runner *w, sa_run *r, const state *st, uint64_t steps)
{
    enum { MOST = 80, LEAST = 16 };
    if (!w->adjoints_drawn) {
        const uint64_t pays = 4 * FUEL / (BACKWARD * (steps + 1));
        inputs_draw(w->backward,
                    (uint32_t)(pays > MOST    ? MOST
                               : pays < LEAST ? LEAST
                                              : pays),
                    &w->adjoint_mutants);
        w->adjoints_drawn = true;
        r->adjoint_mutants = w->adjoint_mutants;
    }
    textvm_launch launch = backward_launch(w, r, st);
    launch.fuel = BACKWARD * TEXT * fuel_of(&r->plan);
    launch.unset_is_zero = true;
    const inputs_verdict v =
        sa_judge(w->c, w->backward, &launch, r, &st->args, &st->adjoints, 0, &r->adjoint_mutants);
    w->steps += BACKWARD * v.run * steps + (w->waits ? v.steps / TEXT_STEPS : 0);
}

/* Do the inputs tell a changed kernel from the right one? Beside other runs only mutants count that
 * those have left alive. The fuel is that of any run, for a tile costs the reference few steps and
 * the text machine one for each element. */
static void judge(sa_runner *w, sa_run *r, const state *st)
{
    const uint64_t steps = w->forward ? FUEL / 10 : interp_steps(w->reference);
    if (!w->judge || (w->chosen && !(r->finite && r->stable)))
        return;
    textvm_launch launch = {.args = st->args.values,
                            .block_dim = BLOCK,
                            .fuel = TEXT * fuel_of(&r->plan),
                            .unset_is_zero = true};
    launch.ndim = launch_sizes(w, &r->plan, launch.dim);
    r->mutants = w->mutants;
    r->adjoint_mutants = w->adjoint_mutants;
    const inputs_verdict v = sa_judge(w->c, w->judge, &launch, r, &st->args, NULL,
                                      w->chosen ? 0 : survivors_of_best(w, r), &r->mutants);
    r->judged = v.judged;
    r->abandoned = v.abandoned;
    w->steps += v.run * steps + (w->waits ? v.steps / TEXT_STEPS : 0);
    const bool backward = w->backward && !w->lenient && !r->forward_only;
    if (v.judged && !v.abandoned && backward && r->finite && r->stable)
        judge_gradients(w, r, st, steps);
}

/* Is a run beside those chosen of no use? None that is not finite is kept, nor one that kills none
 * of the mutants they leave alive, judged by the narrowest limits: others do not kill more. That
 * saves the further launches of measure. */
static bool is_useless(sa_runner *w, sa_run *r, const state *st)
{
    if (!w->waits || !w->chosen || !w->judge || !r->finite)
        return w->waits && w->chosen && w->judge;
    r->stable = true;
    for (uint32_t i = 0; i < r->columns.n; i++) {
        sa_column *col = &r->columns.v[i];
        col->limit = limit_of(w, r, col, col->after, col->after);
        if (col->gradient && !col->odd_gradient)
            col->gradient_limit = limit_of(w, r, col, col->gradient, col->gradient);
    }
    judge(w, r, st);
    return r->judged && sa_killed(&r->mutants, &r->adjoint_mutants) ==
                            sa_killed(&w->mutants, &w->adjoint_mutants);
}

static bool writes_any(const sa_run *r)
{
    for (uint32_t i = 0; i < r->columns.n; i++)
        if (r->columns.v[i].changed)
            return true;
    return false;
}

static bool stores_to_volumes(const sa_run *r)
{
    for (uint32_t i = 0; i < r->objects.n; i++)
        if (r->objects.v[i].stored)
            return true;
    return false;
}

/* Backward runs on what forward left, as in Warp, or on the inputs where it then does more, or
 * alone leaves finite numbers: a kernel that has moved all particles out of the ground finds none
 * there. A promise is kept in Warp's way. False: the backward run fails. */
static bool run_backward(sa_runner *w, sa_run *r, state *st)
{
    if (!launch_backward(w, r, st))
        return false;
    take_gradients(w, r, st);
    if (w->s->launch.n || !writes_any(r) || stores_to_volumes(r))
        return true;
    const size_t changed = count_gradients(r, st);
    const bool finite = finite_gradients(r, st);
    sa_reset(r, &st->args);
    if (!launch_backward(w, r, st))
        return true;
    const bool finite_now = finite_gradients(r, st);
    if (finite_now > finite || (finite_now == finite && count_gradients(r, st) > changed)) {
        r->afresh = true;
        take_gradients(w, r, st);
    }
    return true;
}

/* Inputs, forward, backward, then the same from disturbed inputs. */
sa_run_end sa_run_once(sa_runner *w, sa_run *r, bool inputs_only)
{
    /* In the run's arena, for what the run keeps refers into it. */
    state *st = ARENA_NEW(&r->own, state);
    r->finite = r->finite_results = true;
    if (!read_inputs(w, r, st, false))
        return SA_RUN_IMPOSSIBLE;
    add_columns(r, st);
    for (uint32_t i = 0; w->waits && i < r->columns.n; i++)
        w->steps += r->columns.v[i].count;
    const bool good = !inputs_only && run_forward(w, r, st);
    r->inputs = st->inputs;
    r->args = st->args.values;
    if (!good)
        return SA_RUN_BAD;
    /* The text machine does not report negative indices, so they are assumed. */
    r->negative |= w->forward || interp_met_negative(w->reference);
    take_results(w, r, st);
    const bool backward = !w->backward || run_backward(w, r, st);
    if (!backward && !w->lost)
        w->lost = arena_dup(&w->c->module, sb_cstr(&w->error), w->error.n);
    w->lacks_gradients |= r->finite_results && !(backward && r->finite);
    if (w->lenient && backward)
        sa_leave_not_finite(r);
    /* Beside runs with gradients one without them is of use: `wp.where(m == 0.0, 0.0, 1.0 / m)` is
     * finite, its gradient is not. */
    r->forward_only = w->backward && w->chosen && r->finite_results && !(backward && r->finite);
    r->failed = !backward;
    if (r->forward_only || (w->lenient && r->failed && r->finite_results))
        leave_gradients(r);
    else if (!backward)
        return SA_RUN_BAD;
    r->good = true;
    if (is_useless(w, r, st))
        return SA_RUN_GOOD;
    measure(w, r);
    judge(w, r, st);
    return SA_RUN_GOOD;
}
