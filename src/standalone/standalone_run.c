/* SPDX-License-Identifier: Apache-2.0 */
/* What a program has to compute: the forward result from the reference interpreter (or, where it
 * cannot execute the kernel, from the text machine's run of Warp's forward text), gradients from
 * the text machine's run of Warp's backward text, on inputs whose results do not hang on rounding.
 *
 *     choose          trials: sizes and ranges of inputs, until a run is finite and stable
 *       try_seeds     several streams of numbers for one trial
 *         run_growing arrays that were too short are made longer
 *           run_once  inputs, forward, backward, and the same from disturbed inputs (measure) */
#include "standalone/standalone_internal.h"

#include "interp/interp.h"
#include "textvm/textvm.h"

/* A program that takes more is no example, and makes a data set slow. TEXT: instructions of the
 * text machine, of which a step of the interpreter has some ten. */
enum { FUEL = 2000000, FUEL_TEXT = 20000000, SEEDS = 4, BLOCK = 256 };

/* Of all runs together; once they are spent, only small integers are tried, which are fewer rounds
 * of loops, for as many again. ROUND: steps that a round of a loop in a builtin takes. */
enum { FUEL_IN_ALL = 4 * FUEL, ROUND = 16 };

/* Arrays that are too short for a kernel without a promise grow. */
enum { GROWTHS = 64, LONGEST = 8192, MOST_ITEMS = 1 << 18 };

/* The executors, and what the trials together have used up. */
typedef struct runner {
    ctx *c;
    const standalone_subject *s;
    interp *reference;
    textvm *backward; /* or NULL */
    textvm *forward;  /* what runs instead of the reference; or NULL */
    textvm *judge;    /* whose mutants judge the inputs; NULL: they are promised, and judged */
    const sa_run *best;
    const inputs_role *roles;
    uint32_t growths;
    uint64_t steps; /* of the reference, in all runs */
    strbuf error;
} runner;

/* A linear search: kernels have few arrays. */
const sa_column *sa_column_find(const sa_run *r, str path)
{
    for (uint32_t i = 0; i < r->columns.n; i++)
        if (str_eq(str_c(r->columns.v[i].path), path))
            return &r->columns.v[i];
    return NULL;
}

/* --- one run -------------------------------------------------------------------------------- */

/* The memory of one run. The adjoints mirror the arguments: same paths, same shapes. */
typedef struct state {
    launch_args args, adjoints;
    sa_inputs inputs;
} state;

/* A copy: the next run overwrites the arrays. */
static const uint8_t *items_of(ctx *c, const launch_leaf *leaf)
{
    const str items = launch_leaf_items(leaf, &c->module);
    return (const uint8_t *)arena_dup(&c->module, items.p, items.n);
}

/* Keeps the text machine's message; returns `good`. */
static bool take_error(runner *w, bool good, const textvm_error *error)
{
    if (!good) {
        w->error.n = 0;
        sb_c(&w->error, error->text);
    }
    return good;
}

/* The text machine does not count steps, so a run counts as a quarter of the fuel. */
static bool launch_forward_text(runner *w, const sa_plan *plan, const state *st)
{
    WEFT_ASSERT(w->forward != NULL);
    textvm_error error = {0};
    textvm_launch launch = {
        .args = st->args.values, .ndim = plan->ndim, .block_dim = BLOCK, .fuel = FUEL_TEXT};
    memcpy(launch.dim, plan->dim, sizeof launch.dim);
    w->steps += FUEL / 4;
    return take_error(w, textvm_run(w->forward, &launch, &error), &error);
}

/* By the reference interpreter, or by the text machine once the reference has failed with "cannot".
 */
static bool launch_forward(runner *w, const sa_plan *plan, const state *st)
{
    if (w->forward)
        return launch_forward_text(w, plan, st);
    interp_launch launch = {.kernel = w->s->kernel,
                            .args = st->args.values,
                            .ndim = plan->ndim,
                            .block_dim = BLOCK,
                            .fuel = FUEL,
                            .round_steps = ROUND,
                            .lenient = true};
    memcpy(launch.dim, plan->dim, sizeof launch.dim);
    w->error.n = 0;
    const bool good = interp_launch_run(w->reference, &launch, &w->error);
    w->steps += interp_steps(w->reference);
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
    const sa_arg *shape = NULL;
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

/* Runs Warp's backward text on the state that forward left, as in Warp. The adjoints are new arrays
 * with the seeds in them. A CPU text has blocks of one thread. */
static bool launch_backward(runner *w, sa_run *r, state *st)
{
    WEFT_ASSERT(w->backward != NULL);
    seeding seeds = {r, {.array = give_seed, .value = give_none, .wrong = ignore}};
    seeds.source.arg = &seeds;
    if (!launch_args_mirror(&st->adjoints, w->c, &seeds.source, w->s->kernel, &st->args))
        return false;
    textvm_error error = {0};
    textvm_launch launch = {.args = st->args.values,
                            .adjoints = st->adjoints.values,
                            .ndim = r->plan.ndim,
                            .block_dim = textvm_is_cuda(w->backward) ? BLOCK : 1,
                            .fuel = FUEL_TEXT};
    memcpy(launch.dim, r->plan.dim, sizeof launch.dim);
    return take_error(w, textvm_run(w->backward, &launch, &error), &error);
}

/* Fresh parameters from the run's seed: each run starts from the same memory. False: the error says
 * why. */
static bool read_inputs(runner *w, sa_run *r, state *st, bool disturbed)
{
    sa_inputs_init(&st->inputs, w->c, w->s->kernel, &r->plan, r->seed);
    st->inputs.source.arg = &st->inputs;
    st->inputs.disturbed = disturbed;
    if (launch_args_read(&st->args, w->c, &st->inputs.source, w->s->kernel))
        return true;
    w->error.n = 0;
    SB_LIT(&w->error, "a parameter cannot be filled");
    return false;
}

/* --- what came out --------------------------------------------------------------------------- */

/* The arrays before the launch, one column for each leaf. */
static void add_columns(runner *w, sa_run *r, const state *st)
{
    WEFT_ASSERT(r->columns.n == 0);
    for (uint32_t i = 0; i < st->args.leaves.n; i++) {
        const launch_leaf *leaf = &st->args.leaves.v[i];
        const type *scalar = type_scalar_of(leaf->type);
        const size_t width = layout_size(scalar);
        const str items = launch_leaf_items(leaf, &w->c->module);
        sa_column col = {.path = leaf->path,
                         .type = leaf->type,
                         .scalar = (type_kind)scalar->kind,
                         .count = items.n / width,
                         .offset = leaf->offset};
        col.before = (const uint8_t *)arena_dup(&w->c->module, items.p, items.n);
        VEC_PUSH(&w->c->module, &r->columns, col);
    }
}

/* Of several runs, keep prefers one without infinities and NaNs. */
static bool all_finite(const sa_column *col, const uint8_t *items)
{
    const size_t width = layout_size(type_scalar_of(col->type));
    for (size_t i = 0; col->scalar >= TYPE_FLOAT16 && i < col->count; i++) {
        const double x = num_load(col->scalar, items + i * width).f;
        if (!(__builtin_fabs(x) < __builtin_inf()))
            return false;
    }
    return true;
}

/* The arrays after the launch. Streams of seeds count down from the end of the run's range, those
 * of inputs up from its start. */
static void take_results(runner *w, sa_run *r, const state *st)
{
    WEFT_ASSERT(r->columns.n == st->args.leaves.n);
    for (uint32_t i = 0; i < r->columns.n; i++) {
        sa_column *col = &r->columns.v[i];
        const size_t size = col->count * layout_size(type_scalar_of(col->type));
        col->after = items_of(w->c, &st->args.leaves.v[i]);
        col->changed = memcmp(col->before, col->after, size) != 0;
        /* Integers have no adjoint, and what is not written only passes seeds on. */
        col->seeded = col->changed && col->scalar >= TYPE_FLOAT16;
        if (col->seeded)
            col->seed = sa_fill_adjoint(col->path, col->scalar,
                                        (r->seed + 1) * SA_STREAMS - 1 - i % SA_STREAMS);
        r->finite &= all_finite(col, col->after);
    }
}

/* The column of a leaf of the adjoints: those of floats only. */
static sa_column *column_of(sa_run *r, const launch_leaf *leaf)
{
    for (uint32_t i = 0; i < r->columns.n; i++)
        if (strcmp(r->columns.v[i].path, leaf->path) == 0)
            return &r->columns.v[i];
    return NULL;
}

/* What the backward run left in the adjoints. */
static void take_gradients(runner *w, sa_run *r, const state *st)
{
    for (uint32_t i = 0; i < st->adjoints.leaves.n; i++) {
        sa_column *col = column_of(r, &st->adjoints.leaves.v[i]);
        if (!col)
            continue;
        col->gradient = items_of(w->c, &st->adjoints.leaves.v[i]);
        r->finite &= all_finite(col, col->gradient);
    }
}

/* Errors below it are relative to it and not to the number: a share of the largest number there,
 * integers aside (tolerance.h). */
static double floor_of(const sa_column *col, const uint8_t *items)
{
    const size_t width = layout_size(type_scalar_of(col->type));
    double largest = 0;
    for (size_t i = 0; col->scalar >= TYPE_FLOAT16 && i < col->count; i++) {
        const double x = __builtin_fabs(num_load(col->scalar, items + i * width).f);
        largest = x > largest && x < __builtin_inf() ? x : largest;
    }
    return tolerance_floor(largest);
}

/* The largest error of `to` against `from`, by the measure of tolerance.h. */
static double moved(const sa_column *col, const uint8_t *from, const uint8_t *to)
{
    const size_t width = layout_size(type_scalar_of(col->type));
    const double floor = floor_of(col, from);
    double most = 0;
    for (size_t i = 0; i < col->count; i++) {
        const num want = num_load(col->scalar, from + i * width);
        const double error =
            tolerance_error(col->scalar, want, num_load(col->scalar, to + i * width), floor);
        most = error > most ? error : most;
    }
    return most;
}

/* What is allowed to floats of a column, and where it hangs on rounding. */
static sa_limit limit_of(const sa_run *r, const sa_column *col, const uint8_t *items, double moved)
{
    const bool is_float = col->scalar >= TYPE_FLOAT16;
    const double floor = floor_of(col, items);
    const tolerance_limit most = tolerance_widen(is_float ? r->tolerance : 0, moved, floor);
    return (sa_limit){most.tolerance, floor, most.hangs};
}

/* Sets the limits: the same launch from inputs that are a last place off. How far a column moves is
 * what rounding may cost; beyond the widest tolerance it "hangs": a program on another machine may
 * fail without a fault. What starts elsewhere ends elsewhere: that is no fault where an array, or a
 * part of it, is not written. Sets r->stable too. */
static void measure(runner *w, sa_run *r)
{
    state st = {0};
    bool ends = read_inputs(w, r, &st, true) && launch_forward(w, &r->plan, &st);
    for (uint32_t i = 0; i < r->columns.n; i++) {
        sa_column *col = &r->columns.v[i];
        const double by =
            /* A launch that fails from disturbed inputs moves everything. */
            ends ? moved(col, col->after, items_of(w->c, &st.args.leaves.v[i])) : __builtin_inf();
        col->limit = limit_of(r, col, col->after, by);
    }
    ends = ends && (!w->backward || launch_backward(w, r, &st));
    for (uint32_t i = 0; ends && w->backward && i < st.adjoints.leaves.n; i++) {
        sa_column *col = column_of(r, &st.adjoints.leaves.v[i]);
        if (col && col->gradient)
            col->gradient_limit =
                limit_of(r, col, col->gradient,
                         moved(col, col->gradient, items_of(w->c, &st.adjoints.leaves.v[i])));
    }
    /* One column that hangs on rounding is enough. */
    r->stable = ends;
    for (uint32_t i = 0; i < r->columns.n; i++)
        r->stable &= !r->columns.v[i].limit.hangs && !r->columns.v[i].gradient_limit.hangs;
}

/* Has the reference failed because it cannot execute something, and can the text machine? The
 * runner stays with the text machine then. */
static bool turn_to_text(runner *w)
{
    textvm_error error = {0};
    if (w->forward || !w->s->forward.n || interp_ended(w->reference) != INTERP_CANNOT)
        return false;
    w->forward = textvm_read(w->c, &w->c->module, w->s->forward, &error);
    return w->forward != NULL;
}

/* A second attempt needs fresh inputs, since the first may have written some. */
static bool run_forward(runner *w, sa_run *r, state *st)
{
    return launch_forward(w, &r->plan, st) ||
           (turn_to_text(w) && read_inputs(w, r, st, false) && launch_forward(w, &r->plan, st));
}

/* Survivors with which a run is no better than the best one so far. */
static uint32_t survivors_of_best(const runner *w, const sa_run *r)
{
    const sa_run *best = w->best;
    const bool alike = best && best->finite + best->stable >= r->finite + r->stable;
    return alike && best->verdict.judged ? best->verdict.mutants - best->verdict.killed : 0;
}

/* Do the inputs tell a changed kernel from the right one? A mutant may take some times the steps of
 * the kernel, the text machine's being about a tenth of the reference's. */
static void judge(runner *w, sa_run *r, const state *st)
{
    if (!w->judge || w->forward == w->judge)
        return;
    textvm_launch launch = {.args = st->args.values,
                            .ndim = r->plan.ndim,
                            .block_dim = BLOCK,
                            .fuel = 100 * interp_steps(w->reference) + 100000,
                            .unset_is_zero = true};
    memcpy(launch.dim, r->plan.dim, sizeof launch.dim);
    r->verdict = sa_judge(w->c, w->judge, &launch, r, &st->args, survivors_of_best(w, r));
    w->steps += r->verdict.mutants * interp_steps(w->reference);
}

typedef enum run_end { RUN_GOOD, RUN_BAD, RUN_IMPOSSIBLE } run_end;

/* Inputs, forward, backward, then the same from disturbed inputs. RUN_IMPOSSIBLE: the parameters
 * cannot be filled. */
static run_end run_once(runner *w, sa_run *r, bool inputs_only)
{
    /* In the arena, for what the run keeps refers into it. */
    state *st = ARENA_NEW(&w->c->module, state);
    r->finite = true;
    if (!read_inputs(w, r, st, false))
        return RUN_IMPOSSIBLE;
    add_columns(w, r, st);
    const bool good = !inputs_only && run_forward(w, r, st);
    r->inputs = st->inputs;
    r->args = st->args.values;
    if (!good)
        return RUN_BAD;
    /* The text machine does not report negative indices, so they are assumed. */
    r->negative |= w->forward || interp_met_negative(w->reference);
    take_results(w, r, st);
    if (w->backward) {
        if (!launch_backward(w, r, st))
            return RUN_BAD;
        take_gradients(w, r, st);
    }
    measure(w, r);
    judge(w, r, st);
    r->good = true;
    return RUN_GOOD;
}

/* --- choice ---------------------------------------------------------------------------------- */

/* Is it the better run? Finite and stable ones come first, then those whose inputs tell more. */
static bool is_better(const sa_run *r, const sa_run *best)
{
    const int worth = r->finite + r->stable, best_worth = best->finite + best->stable;
    const inputs_verdict *v = &r->verdict, *w = &best->verdict;
    if (worth != best_worth || v->abandoned)
        return worth > best_worth;
    return v->judged > w->judged ||
           (v->judged && (uint64_t)v->killed * w->mutants > (uint64_t)w->killed * v->mutants);
}

/* Good enough to stop at? Else *best, if it is the better one. */
static bool keep(runner *w, const sa_run *r, sa_run *best, bool *any)
{
    if (!*any || is_better(r, best)) {
        *best = *r;
        /* The copy must not refer to the plan of the run that goes. */
        best->inputs.plan = &best->plan;
    }
    *any = true;
    w->best = best;
    return r->finite && r->stable && (!w->judge || inputs_tell(&r->verdict));
}

/* The first reason is kept, with the path cut to the file: programs are the same wherever they are
 * made. */
static void keep_reason(runner *w, const char **why, const char *text)
{
    const char *path = w->s->kernel->code.src->path, *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    if (strncmp(text, path, strlen(path)) == 0) /* programs are the same wherever they are made */
        text += folder;
    if (!*why)
        *why = arena_dup(&w->c->module, text, strlen(text));
}

/* Makes the array longer beyond which the reference has just gone, so that the next attempt may end
 * well. False: that is no help, or a promise fixes the sizes. An index of -3 needs three items,
 * since it counts from the end. */
static bool grow(runner *w, sa_plan *p)
{
    const interp_outside o = interp_met_outside(w->reference);
    const code *f = &w->s->kernel->code;
    if (!o.array || w->s->launch.n || w->growths++ >= GROWTHS)
        return false;
    for (uint32_t i = 0; i < f->nparams; i++) {
        sa_arg *a = &p->args[i];
        const type *t = f->params[i].type;
        if (!str_eq(sym_str(f->params[i].name), (str){o.array, strcspn(o.array, ".")}))
            continue;
        /* An index of a row counts dimensions from its own first one. */
        const int above = t->kind == TYPE_ARRAY && t->ndim > o.ndim ? t->ndim - o.ndim : 0;
        int64_t *size = &a->shape[above + (int)o.dim], items = 1;
        const int64_t least = o.index < 0 ? -o.index : o.index + 1;
        *size = least > 2 * *size ? least : 2 * *size;
        for (int d = 0; d < (t->kind == TYPE_ARRAY ? t->ndim : o.ndim); d++)
            items *= a->shape[d];
        return *size <= LONGEST && items <= MOST_ITEMS;
    }
    return false;
}

/* With longer arrays as long as that helps. Each attempt starts from an empty run with the grown
 * plan. */
static bool run_growing(runner *w, sa_run *r)
{
    for (;;) {
        const sa_run fresh = {.plan = r->plan, .seed = r->seed, .tolerance = r->tolerance};
        const run_end end = run_once(w, r, false);
        if (end != RUN_BAD || !grow(w, &r->plan))
            return end == RUN_GOOD;
        const sa_plan plan = r->plan;
        *r = fresh;
        r->plan = plan;
    }
}

/* Is there fuel for another run? Small integers get as much again. */
static bool may_try(const runner *w, const sa_trial *trial)
{
    return w->steps < (trial->small_ints ? 2 : 1) * (uint64_t)FUEL_IN_ALL;
}

/* Up to SEEDS streams of numbers for one trial. True: no better run is to be hoped for. A run that
 * fails ends the trial, since other numbers seldom help. */
static bool try_seeds(runner *w, sa_trial *trial, sa_run *best, bool *any, const char **why)
{
    sa_plan plan;
    if (!sa_plan_make(w->c, w->s, trial, &plan)) {
        keep_reason(w, why, "the shapes that it was promised do not fit its parameters");
        return false;
    }
    for (uint32_t seed = 0; seed < SEEDS && may_try(w, trial); seed++) {
        trial->seed = seed;
        if (seed && trial->roles && !sa_plan_make(w->c, w->s, trial, &plan))
            return false;
        sa_run r = {.seed = seed, .tolerance = best->tolerance, .plan = plan};
        if (!run_growing(w, &r)) {
            keep_reason(w, why, sb_cstr(&w->error));
            return false;
        }
        if (keep(w, &r, best, any))
            return true;
        /* What has grown stays so for the next seed. */
        plan = r.plan;
    }
    return false;
}

/* Trials from large to small, and where nothing is promised, with each mix of shapes and ranges.
 * Stops at the first run that is finite and stable; else the best one counts. Without a promise
 * trial i has the size i / 8, and the bits of i select the rest:
 *
 *     1  small integers        2  positive floats        4  arrays as long in each dimension */
static bool choose(runner *w, sa_run *best, const char **why)
{
    bool any = false, done = false;
    const bool promised = w->s->launch.n > 0;
    for (uint32_t i = 0; i < (promised ? 0u : 4u) && !done; i++) {
        sa_trial trial = {.size = i / 2, .positive = i & 1, .roles = w->roles};
        if (may_try(w, &trial))
            done = try_seeds(w, &trial, best, &any, why);
    }
    for (uint32_t i = 0; i < (promised ? 3u : 24u) && !done; i++) {
        sa_trial trial = {.size = promised ? i : i / 8,
                          .square = !promised && i % 8 & 4,
                          .small_ints = !promised && i % 8 & 1,
                          .positive = !promised && i % 8 & 2};
        if ((!trial.square || trial.size > 0) && may_try(w, &trial))
            done = try_seeds(w, &trial, best, &any, why);
    }
    return any;
}

/* The inputs alone, where no run is good: the program has arrays of some size, compares nothing,
 * and wants an argument before it launches anything. */
static bool take_inputs(runner *w, sa_run *out)
{
    const sa_trial trial = {.size = 0};
    *out = (sa_run){.tolerance = out->tolerance};
    return sa_plan_make(w->c, w->s, &trial, &out->plan) && run_once(w, out, true) != RUN_IMPOSSIBLE;
}

/* Where gradients cannot be had, the forward run alone: the program then has no expected gradients,
 * and its head names the reason. A promise has to be kept whole. */
static bool choose_forward(runner *w, sa_run *out)
{
    const char *none = NULL;
    if (w->s->launch.n || !w->s->backward.n)
        return false;
    w->backward = NULL;
    w->best = NULL;
    w->growths = 0;
    return choose(w, out, &none);
}

/* `text` is the CUDA text, for the tolerance. The result may be a run without gradients, or inputs
 * alone (out->good false); *why has the reason. */
bool sa_run_choose(ctx *c, const standalone_subject *s, str text, sa_run *out, const char **why)
{
    runner w = {.c = c, .s = s};
    textvm_error error = {0};
    *why = NULL;
    *out = (sa_run){.tolerance = tolerance_of(text, tolerance_least(s->ir))};
    sb_init(&w.error, &c->mem);
    w.reference = interp_new(c, s->kernel);
    w.roles = s->launch.n ? NULL : inputs_roles(&c->module, s->ir->kernel);
    if (s->backward.n)
        w.backward = textvm_read(c, &c->module, s->backward, &error);
    if (s->mutated.n && !s->launch.n)
        w.judge = textvm_read(c, &c->module, s->mutated, &error);
    bool good = false;
    if (s->backward.n && !w.backward)
        keep_reason(&w, why, error.text);
    else
        good = choose(&w, out, why);
    if (good)
        *why = NULL;
    else
        good = choose_forward(&w, out) || take_inputs(&w, out);
    sb_clear(&w.error);
    return good;
}
