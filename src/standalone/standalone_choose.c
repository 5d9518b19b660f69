/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of inputs: trials of sizes and ranges, until the runs that are kept tell.
 *
 *     choose          trials, from those that the parameters' roles suggest to guessed ones
 *       try_seeds     several streams of numbers for one trial
 *         run_growing arrays that were too short are made longer
 *           sa_run_once, keep
 *
 * Without a promise a program may hold several runs. The first is finite and stable and kills most
 * mutants; each further one kills some that were still alive: a flag passed by value has one value
 * in one run, for instance. */
#include "standalone/standalone_internal.h"

/* WORTH: a further run kills one of so many mutants that are alive. LATER: trials after the runs
 * tell, for the few mutants that are left. MIXED: trials of try_mixed; MIXED_MORE: if the runs
 * nearly tell; AFTER: if they tell. */
enum { SEEDS = 4, RUNS = 5, RUNS_AT_MOST = 12, WORTH = 5, LATER = 6 };
enum { MIXED = 128, MIXED_MORE = 512, AFTER = 12 };

/* Of all runs together; once they are spent, only small integers are tried, which are fewer rounds
 * of loops, for as many again. Those of try_mixed have their own. */
enum { FUEL_IN_ALL = 8 * SA_FUEL, FUEL_MIXED = 12 * SA_FUEL };

/* Where lanes wait for each other, trials that bring nothing better end their kind: so many in a
 * row that take so much fuel together. */
enum { IDLE = 12, FUEL_IDLE = 4 * SA_FUEL };

/* Arrays that are too short for a kernel without a promise grow: so often in all trials of a kind,
 * and in one of try_mixed. */
enum { GROWTHS = 256, GROWTHS_MIXED = 64 };

/* The runs chosen so far and the best one that may become the first. */
typedef struct choice {
    sa_runner *w;
    sa_run *first, *last; /* chosen; first: also the best run while none is chosen */
    bool any;             /* *first holds a run */
    bool done;
    bool greedy;    /* a run that kills any mutant is kept, until the runs tell */
    bool raced;     /* results of some run hang on the order of threads */
    uint32_t later; /* runs since those chosen tell */
    uint64_t fuel;  /* of trials that vary each parameter on its own: steps in all runs */
    uint32_t idle;  /* runs since the last one that was kept, */
    uint64_t since; /* and the steps in all runs before them */
    const char **why;
} choice;

/* Runs are counted from here on. */
static void begin_idle(choice *ch)
{
    ch->idle = 0;
    ch->since = ch->w->steps;
}

/* --- what is kept ---------------------------------------------------------------------------- */

static void copy_run(sa_run *to, const sa_run *from)
{
    *to = *from;
    to->inputs.plan = &to->plan; /* the copy must not refer to the run that goes */
    to->inputs.a = &to->own;
}

/* An empty run, in the memory of one that was not kept. */
static sa_run new_run(sa_runner *w, const inputs_plan *plan, uint32_t seed, double tolerance)
{
    const uint32_t n = w->s->kernel->code.nparams;
    sa_run r = {.own = w->spare, .plan = *plan, .seed = seed, .tolerance = tolerance};
    arena_init(&w->spare, &w->c->mem);
    r.plan.args = ARENA_ARRAY(&r.own, inputs_arg, n + 1); /* grow() changes them */
    if (n)
        memcpy(r.plan.args, plan->args, n * sizeof *plan->args);
    return r;
}

/* One run's memory is enough for the next. */
static void drop_run(sa_runner *w, sa_run *r)
{
    arena_clear(&w->spare);
    arena_reset(&r->own);
    w->spare = r->own;
    arena_init(&r->own, &w->c->mem);
}

static uint32_t killed_by(const sa_run *r)
{
    return sa_killed(&r->mutants, &r->adjoint_mutants);
}

/* Do the runs chosen tell? */
static bool runs_tell(const sa_runner *w)
{
    return sa_tell(&w->mutants, &w->adjoint_mutants);
}

/* Do they come near it, so that more trials are worth their time? */
static bool nearly_tell(const sa_runner *w)
{
    const uint32_t n = w->mutants.n + w->adjoint_mutants.n;
    return n && sa_killed(&w->mutants, &w->adjoint_mutants) * 100 >= n * 85;
}

/* How many mutants the runs chosen leave alive. */
static uint32_t left_alive(const sa_runner *w)
{
    return sa_alive(&w->mutants, &w->adjoint_mutants);
}

static void take_mutants(sa_runner *w, const sa_run *r)
{
    w->mutants = r->mutants;
    w->adjoint_mutants = r->adjoint_mutants;
}

/* Is it the better run? Finite and stable ones come first, then those whose inputs tell more. */
static bool is_better(const sa_run *r, const sa_run *best)
{
    const int worth = sa_worth(r), best_worth = sa_worth(best);
    if (worth != best_worth || r->abandoned)
        return worth > best_worth;
    return r->judged > best->judged || (r->judged && killed_by(r) > killed_by(best));
}

/* The best run becomes the first one, and only mutants that it leaves alive count from now on. */
static void choose_first(choice *ch)
{
    sa_runner *w = ch->w;
    if (w->chosen || !ch->any || !w->judge)
        return;
    WEFT_ASSERT(ch->first->finite && ch->first->stable && ch->first->judged);
    take_mutants(w, ch->first);
    w->chosen = 1;
    ch->last = ch->first;
    ch->done = left_alive(w) == 0;
}

/* Is it the launch of one thread, or one block with tiles, of a kernel whose results hang on the
 * order of threads in other launches? It shows nothing of the threads' indexes. */
static bool shows_no_index(const choice *ch, const sa_run *r)
{
    const sa_runner *w = ch->w;
    const inputs_plan *p = &r->plan;
    const bool tiles = w->inputs.tile_extent > 0;
    int64_t threads = 1;
    for (int d = 0; d < p->ndim; d++)
        threads *=
            tiles && w->inputs.blocks == CUDA_BLOCKS_LANES && d == p->ndim - 1 ? 1 : p->dim[d];
    return ch->raced && !w->inputs.alone && threads == 1 && sa_reads_tid(w->s->ir);
}

/* A run beside those chosen: does it kill enough of what they leave alive? True: it is kept. */
static bool consider_further(choice *ch, const sa_run *r)
{
    sa_runner *w = ch->w;
    ch->later += runs_tell(w);
    ch->done = ch->later >= LATER;
    if (!r->judged || !r->finite || !r->stable || shows_no_index(ch, r))
        return false;
    const uint32_t alive = left_alive(w),
                   killed = killed_by(r) - sa_killed(&w->mutants, &w->adjoint_mutants);
    if (!killed || ((!ch->greedy || runs_tell(w)) && killed * WORTH < alive))
        return false;
    sa_run *kept = ARENA_NEW(&w->c->module, sa_run);
    copy_run(kept, r);
    ch->last->next = kept;
    ch->last = kept;
    take_mutants(w, r);
    w->chosen++;
    ch->done |= w->chosen == (ch->greedy ? RUNS_AT_MOST : RUNS) || left_alive(w) == 0;
    return true;
}

/* A run that may become the first one; of it and the best so far the better one stays. True: it is
 * the new one. */
static bool consider_first(choice *ch, sa_run *r)
{
    if (ch->any && (!is_better(r, ch->first) || shows_no_index(ch, r))) {
        drop_run(ch->w, r);
        return false;
    }
    if (ch->any)
        drop_run(ch->w, ch->first);
    copy_run(ch->first, r);
    ch->any = true;
    return true;
}

/* Keeps a run that ended well where it is of use, else takes its memory; sets ch->done where no
 * better one is needed. A first run is chosen at once where it kills two of three mutants. */
static void keep(choice *ch, sa_run *r)
{
    sa_runner *w = ch->w;
    ch->idle++;
    ch->raced |= sa_run_races(r);
    if (w->chosen) {
        if (consider_further(ch, r))
            begin_idle(ch);
        else
            drop_run(w, r);
        return;
    }
    if (consider_first(ch, r))
        begin_idle(ch);
    w->best = ch->first;
    const sa_run *best = ch->first;
    if (!best->finite || !best->stable)
        return;
    if (!w->judge)
        ch->done = true;
    else if (best->judged && best->mutants.killed * 3 >= best->mutants.n * 2)
        choose_first(ch);
}

/* The first reason is kept, with the path before it cut to the file: programs are the same wherever
 * they are made.
 *
 *     /home/me/k.py:12: kernel ...   ->   k.py:12: kernel ... */
static void keep_reason(sa_runner *w, const char **why, const char *text)
{
    const char *end = strchr(text, ':');
    for (const char *p = text; end && p < end; p++)
        text = *p == '/' ? p + 1 : text;
    if (!*why)
        *why = arena_dup(&w->c->module, text, strlen(text));
}

/* Makes the array longer beyond which the reference has just gone. False: that is no help, or a
 * promise fixes the sizes. */
static bool grow(sa_runner *w, inputs_plan *p)
{
    const interp_outside o = interp_met_outside(w->reference);
    return o.array && !w->s->launch.n && w->growths++ < GROWTHS &&
           inputs_plan_grow(&w->inputs, &o, p);
}

/* With longer arrays as long as that helps. Each attempt starts from an empty run with the grown
 * plan. */
static bool run_growing(sa_runner *w, sa_run *r)
{
    for (;;) {
        const sa_run_end end = sa_run_once(w, r, false);
        if (end != SA_RUN_BAD || !grow(w, &r->plan))
            return end == SA_RUN_GOOD;
        sa_run next = new_run(w, &r->plan, r->seed, r->tolerance);
        drop_run(w, r);
        *r = next;
    }
}

/* --- trials ---------------------------------------------------------------------------------- */

/* Have many costly runs been of no use? While there is none whose numbers are finite, more are
 * tried. */
static bool is_idle(const choice *ch)
{
    const bool finite = ch->any && ch->first->finite;
    return ch->w->waits && ch->idle >= IDLE &&
           ch->w->steps - ch->since > (finite ? FUEL_IDLE : 2 * FUEL_IDLE);
}

/* Is there fuel for another run? Small integers get as much again. */
static bool may_try(const choice *ch, const inputs_trial *trial)
{
    const uint64_t shares = trial->small_ints ? 2 : 1;
    return !ch->done && !is_idle(ch) &&
           ch->w->steps < (trial->mix ? ch->fuel : shares * FUEL_IN_ALL);
}

/* Streams of numbers from..to - 1 for one trial. A run that fails ends the trial, since other
 * numbers seldom help; then it returns false. */
static bool try_seeds(choice *ch, inputs_trial *trial, uint32_t from, uint32_t to)
{
    inputs_plan plan;
    sa_runner *w = ch->w;
    for (uint32_t seed = from; seed < to && may_try(ch, trial); seed++) {
        trial->seed = seed;
        if ((seed == from || trial->roles) && !sa_plan_make(w, trial, &plan)) {
            keep_reason(w, ch->why, "the shapes that it was promised do not fit its parameters");
            return false;
        }
        sa_run r = new_run(w, &plan, seed, ch->first->tolerance);
        if (!run_growing(w, &r)) {
            keep_reason(w, ch->why, sb_cstr(&w->error));
            drop_run(w, &r);
            return false;
        }
        if (w->s->kernel->code.nparams) /* what has grown stays so for the next seed */
            memcpy(plan.args, r.plan.args, w->s->kernel->code.nparams * sizeof *plan.args);
        keep(ch, &r);
    }
    return true;
}

/* Trials by the roles of the parameters, in two rounds. */
static void try_roles(choice *ch)
{
    enum { ROUNDS = 2 };
    inputs_trial trials[INPUTS_TRIALS];
    const uint32_t n = inputs_trials(&ch->w->inputs, trials);
    bool failed[INPUTS_TRIALS] = {false};
    begin_idle(ch);
    for (uint32_t k = 0; k < ROUNDS * n; k++) {
        const uint32_t i = k % n, round = k / n * SEEDS / ROUNDS;
        if (!failed[i])
            failed[i] = !try_seeds(ch, &trials[i], round, round + SEEDS / ROUNDS);
    }
}

/* A trial with so many threads that comparisons of several dimensions with numbers of the source
 * end both ways at once, where all other trials do not tell. Its fuel is apart. */
static void try_far(choice *ch)
{
    enum { THREADS = 5 << 16 };
    inputs_trial trial = {.roles = true, .reach = true, .threads = THREADS};
    if (!inputs_reaches(&ch->w->inputs))
        return;
    ch->greedy = true;
    ch->done = ch->w->chosen == RUNS_AT_MOST;
    ch->w->growths = 0;
    ch->w->steps = 0;
    begin_idle(ch);
    (void)try_seeds(ch, &trial, 0, 1);
}

/* Trials in which each parameter is varied on its own, with numbers of its own, where no run is
 * good or those chosen do not tell yet. Where some run hung on the order of threads, every second
 * trial has indexes apart. Where the runs tell, a few more that cost little may kill what is left.
 */
static void try_mixed(choice *ch)
{
    const sa_runner *w = ch->w;
    const bool told = runs_tell(w);
    bool costly = false; /* then no large launches */
    ch->greedy = !told;
    ch->later = 0;
    ch->done = w->chosen == (told ? RUNS : RUNS_AT_MOST) || (w->chosen && left_alive(w) == 0);
    ch->fuel = w->steps + FUEL_MIXED;
    begin_idle(ch);
    for (uint32_t mix = 1; mix <= (told ? AFTER : nearly_tell(w) ? MIXED_MORE : MIXED); mix++) {
        inputs_trial trial = inputs_mixed_trial(&w->inputs, mix, costly);
        trial.apart = ch->raced && mix % 2;
        const uint64_t steps = w->steps;
        if ((told && w->steps > SA_FUEL) || (!told && runs_tell(w)))
            return;
        ch->w->growths = GROWTHS - GROWTHS_MIXED;
        (void)try_seeds(ch, &trial, mix, mix + 1);
        costly |= w->steps - steps > FUEL_MIXED / 32;
    }
}

/* Where no run is chosen: trials from large to small, and where nothing is promised, with each mix
 * of shapes and ranges. Without a promise trial i has the size i / 8, and the bits of i select the
 * rest:
 *
 *     1  small integers        2  positive floats        4  arrays as long in each dimension */
static void try_guesses(choice *ch)
{
    const bool promised = ch->w->s->launch.n > 0;
    begin_idle(ch);
    for (uint32_t i = 0; i < (promised ? 3u : 24u) && !ch->done; i++) {
        inputs_trial trial = {.size = promised ? i : i / 8,
                              .square = !promised && i % 8 & 4,
                              .small_ints = !promised && i % 8 & 1,
                              .positive = !promised && i % 8 & 2};
        if (!trial.square || trial.size > 0)
            (void)try_seeds(ch, &trial, 0, SEEDS);
    }
}

/* The best run becomes the first one, if it can be judged. False: it is already, or cannot be. */
static bool take_best(choice *ch)
{
    const sa_run *r = ch->first;
    if (!ch->any || ch->w->chosen || !ch->w->judge || !r->finite || !r->stable || !r->judged)
        return false;
    choose_first(ch);
    return true;
}

/* No trial has finite gradients: they are left out where they are not finite, and the best run may
 * be chosen. False: it has nothing to leave out. */
static bool settle(choice *ch)
{
    sa_runner *w = ch->w;
    sa_run *r = ch->first;
    if (!ch->any || r->finite || !w->backward)
        return false;
    WEFT_ASSERT(!w->chosen && !r->next);
    w->lenient = true;
    w->steps = w->growths = 0;
    ch->done = false;
    sa_leave_not_finite(r);
    return r->finite;
}

static void begin_again(choice *ch)
{
    ch->done = false;
    ch->w->steps = ch->w->growths = 0;
    begin_idle(ch);
}

/* Results hang on the order of threads: then indexes are all different, so that no two threads
 * store to one element. Other integers are many or few. Each size has fuel of its own. */
static void try_apart(choice *ch)
{
    for (uint32_t i = 0; i < 6 && !ch->done; i++) {
        ch->w->steps = i % 2 ? ch->w->steps : 0;
        inputs_trial apart = {.roles = true, .apart = true, .size = i / 2, .alike = i % 2};
        (void)try_seeds(ch, &apart, 0, SEEDS);
    }
}

/* No run is chosen since all hang on the order of threads. Where different indexes are no help, a
 * launch has one thread. Kernels that walk through a whole array are launched so. */
static void try_ordered(choice *ch)
{
    sa_runner *w = ch->w;
    begin_again(ch);
    try_apart(ch);
    take_best(ch);
    w->inputs.alone = !w->chosen;
    for (int rounds = 0; rounds < 2 && !ch->done; rounds++) { /* the second beside the first */
        begin_again(ch);
        try_roles(ch);
        take_best(ch);
    }
}

/* The runs chosen do not tell, and those that hang on the order of threads were left out. */
static void try_more_ordered(choice *ch)
{
    ch->greedy = true;
    begin_again(ch);
    ch->done = ch->w->chosen == RUNS_AT_MOST;
    try_apart(ch);
    if (runs_tell(ch->w) || ch->w->inputs.alone)
        return;
    ch->w->inputs.alone = true;
    try_mixed(ch);
}

/* Stops at the first run that is finite and stable, and without a promise at runs that tell; else
 * the best one counts. */
static bool choose(sa_runner *w, sa_run *out, const char **why)
{
    choice ch = {.w = w, .first = out, .why = why};
    if (!w->s->launch.n)
        try_roles(&ch);
    if (take_best(&ch))
        try_roles(&ch); /* now for runs beside it */
    if (!w->waits || !w->chosen)
        try_guesses(&ch);
    if (ch.any && !w->chosen && !w->s->launch.n && sa_run_races(out))
        try_ordered(&ch);
    if (!w->s->launch.n && (w->chosen || !ch.any || !out->finite))
        try_mixed(&ch);
    take_best(&ch);
    if (settle(&ch) && take_best(&ch))
        try_roles(&ch);
    if (w->chosen && !runs_tell(w))
        try_far(&ch);
    if (w->chosen && !runs_tell(w) && ch.raced && !w->s->launch.n)
        try_more_ordered(&ch);
    if (w->chosen) { /* what all runs together tell */
        out->mutants = w->mutants;
        out->adjoint_mutants = w->adjoint_mutants;
    }
    return ch.any;
}

/* Runs with finite gradients may be poor: where Warp's backward pass fails, or is infinite, as soon
 * as the kernel does something, only those that do nothing are left. Then runs that tell more are
 * taken, and gradients that are not finite are left out, as settle does. `drawn`: the mutants, all
 * alive. */
static void choose_lenient(sa_runner *w, const inputs_mutants *drawn, sa_run *out)
{
    const char *none = NULL;
    sa_run found = {.tolerance = out->tolerance};
    if (!w->backward || !w->chosen || !w->lacks_gradients || inputs_tell(&out->mutants))
        return;
    arena_init(&found.own, &w->c->mem);
    w->lenient = true;
    w->mutants = *drawn;
    w->adjoint_mutants.n = w->adjoint_mutants.killed = 0;
    w->best = NULL;
    w->chosen = w->growths = 0;
    w->steps = 0;
    if (choose(w, &found, &none) && w->chosen && found.mutants.killed > out->mutants.killed) {
        sa_run_release(out);
        copy_run(out, &found);
    } else {
        w->lenient = false;
        sa_run_release(&found);
    }
}

/* The inputs alone, where no run is good: the program has arrays of some size, compares nothing,
 * and wants an argument before it launches anything. */
static bool take_inputs(sa_runner *w, sa_run *out)
{
    const inputs_trial trial = {.size = 0};
    inputs_plan plan;
    if (!sa_plan_make(w, &trial, &plan))
        return false;
    *out = new_run(w, &plan, 0, out->tolerance);
    return sa_run_once(w, out, true) != SA_RUN_IMPOSSIBLE;
}

/* Where gradients cannot be had, the forward run alone: the program then has no expected gradients,
 * and its head names the reason. A promise has to be kept whole. */
static bool choose_forward(sa_runner *w, sa_run *out)
{
    const char *none = NULL;
    if (w->s->launch.n || !w->s->backward.n)
        return false;
    w->backward = NULL;
    w->adjoint_mutants.n = w->adjoint_mutants.killed = 0;
    w->best = NULL;
    w->growths = 0;
    return choose(w, out, &none);
}

/* Why some gradients, or all, have no expected values: "those of x that ..."; NULL: all have. */
static const char *why_lenient(const sa_runner *w, const sa_run *r)
{
    const char *which = sa_not_finite(w->c, r, true);
    if (which)
        return sa_form(w->c,
                       "those of $ that Warp's own backward pass gives are NaN or infinite on all "
                       "inputs tried",
                       str_c(which))
            .p;
    return w->lost ? sa_form(w->c, "Warp's own backward pass fails on inputs that tell: $",
                             str_c(w->lost))
                         .p
                   : NULL;
}

/* The program's text has the arrays by their plan: runs that are kept ran with those shapes. */
static void verify_runs(const sa_runner *w, const sa_run *r)
{
    const code *f = &w->s->kernel->code;
    for (; r && r->args; r = r->next)
        for (uint32_t i = 0; i < f->nparams; i++) {
            const array_view *view =
                f->params[i].type->kind == TYPE_ARRAY ? r->args[i].array : NULL;
            for (int d = 0; view && view->data && d < view->ndim; d++)
                WEFT_ASSERT(view->shape[d] == r->plan.args[i].shape[d]);
        }
}

static void init_inputs(sa_runner *w)
{
    inputs_kernel_init(&w->inputs, &w->c->module, w->s->ir, w->s->kernel);
    w->inputs.blocks = w->k->blocks;
    w->inputs.tile_extent = w->k->tile_extent;
    w->inputs.elements = w->s->elements;
}

/* `text` is the CUDA text of k, for the tolerance. The result may be a run without gradients, or
 * inputs alone (out->good false); *why has the reason. */
bool sa_run_choose(ctx *c, const standalone_subject *s, const cuda_kernel *k, str text, sa_run *out,
                   const char **why)
{
    sa_runner w = {.c = c,
                   .s = s,
                   .k = k,
                   .specials = sa_specials_of(s->ir),
                   .has_floats = sa_has_floats(s->ir)};
    textvm_error error = {0};
    *why = NULL;
    *out = (sa_run){.tolerance = tolerance_of(text, tolerance_least(s->ir))};
    arena_init(&out->own, &c->mem);
    arena_init(&w.spare, &c->mem);
    sb_init(&w.error, &c->mem);
    w.reference = interp_new(c, s->kernel);
    if (!s->launch.n)
        init_inputs(&w);
    const bool known = !k->objects || sa_objects_find(c, s, &w.objects);
    if (!known)
        keep_reason(&w, why, "the id of a mesh, tree, grid or volume is one of a struct's numbers");
    if (s->backward.n)
        w.backward = textvm_read(c, &c->module, s->backward, &error);
    bool good = false;
    if (s->backward.n && !w.backward)
        keep_reason(&w, why, error.text);
    if (s->mutated.n && !s->launch.n)
        w.judge = textvm_read(c, &c->module, s->mutated, &error);
    if (w.judge)
        inputs_draw(w.judge, INPUTS_MUTANTS, &w.mutants);
    const inputs_mutants drawn = w.mutants;
    if (known && (!s->backward.n || w.backward))
        good = choose(&w, out, why);
    if (good)
        choose_lenient(&w, &drawn, out);
    if (good)
        *why = w.lenient ? why_lenient(&w, out) : NULL;
    else
        good = (known && choose_forward(&w, out)) || take_inputs(&w, out);
    if (w.backward && out->adjoint_mutants.n)
        sa_count_alike(w.backward, out);
    verify_runs(&w, out);
    sb_clear(&w.error);
    arena_clear(&w.spare);
    return good;
}
