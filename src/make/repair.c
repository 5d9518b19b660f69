/* SPDX-License-Identifier: Apache-2.0 */
/* The proof that a kernel is broken as intended: the compiler's first diagnostic must be one that
 * the kind of defect leads to (defect.def), or a run must go out of bounds or depend on the order
 * of threads. An edit that shows otherwise, or not at all, makes no repair pair.
 *
 *     y[i] = wp.sqtr(x[i])   ->   a diagnostic that unknown-function leads to: a pair
 *     y[i + 1] = x[i]        ->   compiles; the run fails with "... is out of bounds": a pair
 *
 * For maker.c, which writes such pairs, and for `weft validate`, which proves them again. */
#include "make/repair.h"

#include "base/diag_text.h"
#include "make/defect_plant.h"

/* "repair" in ASCII: keeps the stream of edits apart from those that make the kernel. */
#define REPAIR_STREAM UINT64_C(0x726570616972)

/* How many candidates of a record are tried with one kind of defect before the next kind, and how
 * far away that is. STEP and DEFECTS have no common divisor, so that all kinds come. */
enum { ATTEMPTS_PER_KIND = 20, STEP = 5 };
_Static_assert(DEFECTS % STEP != 0, "STEP is prime");

/* What lies in the pipeline's memory; may leave by mem_fail. */
static void init_rest(void *arg)
{
    repairer *t = arg;
    t->checker = check_new(&t->p.c);
    sb_init(&t->diagnostic, &t->p.c.mem);
    for (int i = 0; i < 3; i++)
        sb_init(&t->two[i], &t->p.c.mem);
}

bool repairer_init(repairer *t, size_t memory_limit)
{
    const pipeline_options options = {.devices = EMIT_FOR_CPU, .memory_limit = memory_limit};
    *t = (repairer){.checker = NULL};
    return pipeline_init(&t->p, &options) && mem_try(&t->p.c.mem, init_rest, t);
}

void repairer_clear(repairer *t)
{
    pipeline_clear(&t->p);
}

defect_kind repair_kind(uint64_t turn, uint32_t attempt)
{
    return (defect_kind)((turn + (uint64_t)(attempt / ATTEMPTS_PER_KIND) * STEP) % DEFECTS);
}

rng repair_stream(uint64_t seed, uint64_t index, uint32_t attempt)
{
    return rng_stream(seed ^ REPAIR_STREAM ^ (uint64_t)attempt << 48, index);
}

/* Does the first diagnostic show the defect? Only that one counts: others may follow from it. */
static bool put_diagnostics(repairer *t, defect_kind kind)
{
    const ctx *c = &t->p.c;
    if (!c->diags.n || !defect_shown_by(kind, diag_name(c->diags.v[0].id)))
        return false;
    for (uint32_t i = 0; i < c->diags.n; i++)
        diag_put_text(&t->diagnostic, &c->diags.v[i], DIAG_IS_ERROR, false);
    return true;
}

/* Does a run show the defect: by an index out of bounds, or by a result that depends on the order
 * of the threads? The message of the run becomes the diagnostic. */
static bool put_run(repairer *t, const repair_subject *s, const kernel *k)
{
    const check_subject subject = {
        .kernel = k, .launch = s->launch, .args = s->args, .seed = s->seed, .index = s->index};
    const bool race = defect_shown_by(s->kind, "order");
    check_result r;
    if (k->code.nparams != s->nargs || check_source(t->checker, &subject, race, &r))
        return false;
    sb_c(&t->diagnostic, r.detail);
    SB_LIT(&t->diagnostic, "\n");
    return race ? !r.reason : r.reason && strstr(r.detail, "is out of bounds");
}

/* The broken source takes the way of any source: parsed, checked, lowered, and run if all that
 * succeeds. */
static bool is_shown(repairer *t, const repair_subject *s)
{
    WEFT_ASSERT(t->checker && s->kind < DEFECTS);
    pipeline *p = &t->p;
    uint32_t n = 0;
    pipeline_reset(p);
    t->diagnostic.n = 0;
    strbuf *name = &t->diagnostic;
    sb_str(name, s->kernel);
    SB_LIT(name, ".py");
    const char *file = arena_dup(&p->c.module, name->p, name->n);
    name->n = 0;
    const program *prog = pipeline_load_text(p, file, s->source);
    if (!prog)
        return put_diagnostics(t, s->kind);
    const kernel *const *kernels = program_kernels(prog, &n);
    if (n != 1)
        return false;
    const compiled_kernel compiled = pipeline_lower(p, prog, kernels[0]);
    if (p->c.diags.n)
        return put_diagnostics(t, s->kind);
    return compiled.ir && put_run(t, s, kernels[0]);
}

/* Arguments and result of is_shown, which runs in a guard of the repairer's memory. */
typedef struct trial {
    repairer *repairer;
    const repair_subject *subject;
    bool shown;
} trial;

static void run_trial(void *arg)
{
    trial *t = arg;
    t->shown = is_shown(t->repairer, t->subject);
}

/* Memory that runs out here ends in this function, so that the caller may free what it holds before
 * it fails itself. */
bool repair_try(repairer *t, const repair_subject *s, bool *shown)
{
    trial run = {t, s, false};
    const bool ran = mem_try(&t->p.c.mem, run_trial, &run);
    *shown = run.shown;
    return ran;
}

/* A source, by any of the kinds. False: memory ran out. */
static bool try_kinds(repairer *t, repair_subject s, const strbuf *text, const defect_kind *kinds,
                      int n, bool *shown)
{
    s.source = sb_view(text);
    *shown = false;
    for (int i = 0; i < n && !*shown; i++) {
        s.kind = kinds[i];
        if (!repair_try(t, &s, shown))
            return false;
    }
    return true;
}

/* What the planting needs, in a guard of the repairer's memory. */
typedef struct planting {
    repairer *t;
    str source;
    rng *r;
    const defect_kind *kinds;
    bool done;
} planting;

static void plant_two(void *arg)
{
    planting *p = arg;
    strbuf *two = p->t->two;
    two[0].n = two[1].n = two[2].n = 0;
    p->done =
        defect_plant_two(&p->t->p.c.module, p->kinds, p->source, p->r, &two[0], &two[1], &two[2]);
}

void repair_kinds(uint64_t turn, uint32_t attempt, rng *r, defect_kind kinds[2])
{
    kinds[0] = repair_kind(turn, attempt);
    kinds[1] = (defect_kind)((kinds[0] + 1 + rng_below(r, DEFECTS - 1)) % DEFECTS);
}

/* The diagnostic of both is made last, as it stays in t. */
bool repair_plant_two(repairer *t, const repair_subject *s, const defect_kind kinds[2], rng *r,
                      bool *shown)
{
    planting p = {t, s->source, r, kinds, false};
    *shown = false;
    if (!mem_try(&t->p.c.mem, plant_two, &p))
        return false;
    return !p.done || (try_kinds(t, *s, &t->two[1], &kinds[0], 1, shown) &&
                       (!*shown || try_kinds(t, *s, &t->two[2], &kinds[1], 1, shown)) &&
                       (!*shown || try_kinds(t, *s, &t->two[0], kinds, 2, shown)));
}
