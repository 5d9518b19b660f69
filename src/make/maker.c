/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the record of an index: draws candidates until one is good.
 *
 *     (seed, index, attempt)   ->   kernel   ->   texts, proof   ->   a line of JSON, or a program
 *
 * A candidate is good if it compiles, is neither excluded nor known, can be broken (repair pairs)
 * and is proved by execution. A candidate depends on options, seed, index and attempt only, so that
 * any thread and any later run make the same; which one is kept depends on earlier records, too. */
#include "make/maker.h"
#include "base/run_status.h"
#include "make/defect_plant.h"
#include "make/exclude.h"
#include "profile/profile.h"
#include "similar/exclude_set.h"

#include <stdio.h>

#include "record/found_facts.h"
#include "record/grade.h"
#include "record/record_ptx.h"
#include "record/source_counts.h"

enum {
    FAILURES_MAX = 64, /* candidates in a row that are no good, before the run is given up */
    REFUSED_MAX =
        20000 /* good ones of an index that are refused, as earlier records are like them */
};

/* What becomes of a candidate. FAILED: it does not compile, cannot be broken or is not proved. Many
 * in a row mean a bug. REFUSED: it is good but excluded or known. Many mean that the options allow
 * few kernels. */
typedef enum candidate { CANDIDATE_FAILED, CANDIDATE_REFUSED, CANDIDATE_GOOD } candidate;

/* A candidate's texts and proof; they last until the next one. */
typedef struct made_pair {
    compiled_kernel compiled;
    record_texts texts;
    check_result proof;
    standalone_program standalone; /* of a set of programs */
    str plain;                     /* plain CUDA, if it is asked for; plain.p NULL: not yet made */
} made_pair;

/* The pilot run behind the plan costs about as much as a thousand kernels: a run makes it once. */
const gen_plan *make_plan(mem *m, const record_options *o, gen *g)
{
    return gen_plan_new(m, g, o->seed, o->categories, o->ncategories, &o->shape);
}

/* A mistake in a file of src/compose/library/ ends the run with its place: there is no composer. */
static const char *library_mistake(const maker *k)
{
    const library *l = k->o->library ? k->o->library : k->own;
    return l && l->message[0] ? l->message : NULL;
}

static void init_generator(void *arg)
{
    maker *k = arg;
    const library *l = k->o->library ? k->o->library : k->own;
    if (library_mistake(k))
        return;
    WEFT_ASSERT(k->o->ncategories && k->o->ncategories <= GEN_CATEGORY_COUNT);
    k->g = gen_new(&k->p.c.mem);
    if (record_mix_has(&k->o->mix, RECORD_PURPOSE))
        k->composer = composer_new(&k->p.c.mem, l);
    if (k->o->style == RECORD_SCRIPT &&
        !(k->scripter = scripter_new(&k->p.c.mem, l, &k->p.options)))
        mem_fail(&k->p.c.mem);
    if (record_mix_has(&k->o->mix, RECORD_EXERCISE))
        k->plan = k->o->plan ? k->o->plan : make_plan(&k->p.c.mem, k->o, k->g);
    k->checker = check_new(&k->p.c);
    k->structurer = structurer_new(&k->p.c);
    k->hasher.m = &k->p.c.mem;
    sb_init(&k->texts, &k->p.c.mem);
    sb_init(&k->broken, &k->p.c.mem);
    sb_init(&k->tests, &k->p.c.mem);
    sb_init(&k->ptx_text, &k->p.c.mem);
    if (k->o->ptx) /* only Warp's texts have headers that are worth keeping */
        k->ptx = record_format_of(k->o)->programs ? *k->o->ptx
                                                  : ptx_tools_share(k->o->ptx, &k->p.c.perm);
}

/* The repairer has a compiler of its own: a broken source must not touch what the right one left in
 * the pipeline. */
bool maker_init(maker *k, const record_options *o)
{
    *k = (maker){.o = o};
    const pipeline_options options = {.devices = o->devices,
                                      .no_backward = o->no_backward,
                                      .warp = o->warp,
                                      .timings = o->timings};
    if (!pipeline_init(&k->p, &options))
        return false;
    if (o->job == RECORD_REPAIR && !repairer_init(&k->repairer, 0))
        return false;
    if (record_mix_has(&o->mix, RECORD_PURPOSE) && !o->library && !(k->own = library_new()))
        return false;
    return mem_try(&k->p.c.mem, init_generator, k);
}

void maker_clear(maker *k)
{
    ptx_tools_drop_headers(&k->ptx);
    if (k->o->job == RECORD_REPAIR)
        repairer_clear(&k->repairer);
    scripter_free(k->scripter);
    library_free(k->own);
    pipeline_clear(&k->p);
}

/* Why the last candidate failed, in case that none is good: "...  (kernel k of sample 7)". */
static void keep_message(maker *k, const char *text)
{
    snprintf(k->message, sizeof k->message, "%.300s (kernel %.*s of sample %llu)", text,
             (int)k->sample.kernel.n, k->sample.kernel.p, (unsigned long long)k->from);
}

/* What comments in the text call the source: KERNEL.py. In the module's arena. */
static const char *source_name(pipeline *p, str name)
{
    char *file = arena_alloc(&p->c.module, name.n + sizeof ".py");
    memcpy(file, name.p, name.n);
    memcpy(file + name.n, ".py", sizeof ".py");
    return file;
}

/* Compiles the sample: its program, structure, counts and texts, those of the last of its kernels.
 * False when it does not compile, which is a bug of the generator: candidates are meant to be right
 * by construction. */
static bool compile(maker *k, uint32_t nkernels, compiled_kernel *out)
{
    pipeline *p = &k->p;
    pipeline_reset(p);
    uint32_t n = 0;
    const program *prog = pipeline_load_text(p, source_name(p, k->sample.kernel), k->sample.source);
    const kernel *const *kernels = prog ? program_kernels(prog, &n) : NULL;
    if (n != nkernels) {
        keep_message(k, p->c.diags.n ? p->c.diags.v[0].text : "no kernel");
        return false;
    }
    const kernel *last = kernels[n - 1];
    k->program = prog;
    k->neach =
        structure_of_all(k->structurer, program_tree(prog), &k->structure, k->each, SCRIPT_KERNELS);
    const source_counts counts = source_counts_of(last->code.def);
    k->sample.statements = counts.statements;
    k->sample.branches = counts.branches;
    k->sample.loop_depth = counts.loop_depth;
    if (k->kind == RECORD_PURPOSE)
        record_see_sample(&k->sample, program_tree(prog), last, &p->c.module);
    *out = pipeline_lower(p, prog, last);
    if (!out->ir) {
        keep_message(k, out->error ? out->error->text : "not lowered");
        return false;
    }
    pipeline_emit(p, out);
    return true;
}

/* Forward and backward texts of a record, one after another in k->texts. Their ends are noted
 * first, since appending may move the buffer. */
static void gather(maker *k, const compiled_kernel *c, record_texts *t)
{
    size_t ends[EMIT_DEVICES][2] = {{0}};
    strbuf *b = &k->texts;
    b->n = 0;
    for (int d = 0; d < EMIT_DEVICES; d++) {
        if (!(k->o->devices & 1u << d))
            continue;
        emit_record_forward(b, &c->text[d]);
        ends[d][0] = b->n;
        if (c->ir->options.enable_backward)
            emit_record_backward(b, &c->text[d]);
        ends[d][1] = b->n;
    }
    size_t at = 0; /* a text that is left out has no end of its own, and stays empty */
    for (int d = 0; d < EMIT_DEVICES; d++) {
        t->forward[d] = (str){b->p + at, ends[d][0] > at ? ends[d][0] - at : 0};
        at = ends[d][0] > at ? ends[d][0] : at;
        t->backward[d] = (str){b->p + at, ends[d][1] > at ? ends[d][1] - at : 0};
        at = ends[d][1] > at ? ends[d][1] : at;
    }
}

/* --- proof --------------------------------------------------------------------------------- */

/* Counts a candidate that is thrown away: `reason` is a stats_rejection or, below those, one of
 * check_pair's reasons. */
static void reject(maker *k, uint32_t reason, const char *text)
{
    WEFT_ASSERT(reason < STATS_REJECTIONS);
    k->stats->rejected[reason]++;
    keep_message(k, text);
}

/* Counts what only a bug in weft explains: in its compiler, its executors or its generator. The
 * first one is kept word for word, and `weft generate` prints it. */
static void suspect(maker *k, uint32_t attempt, const check_result *r)
{
    store_stats *s = k->stats;
    if (!s->suspects++)
        snprintf(s->suspect, sizeof s->suspect, "sample %llu, attempt %u (seed %llu): %s: %.300s",
                 (unsigned long long)k->from, attempt, (unsigned long long)k->o->seed, r->reason,
                 r->detail);
}

/* break_sample with two defects. */
static bool break_twice(maker *k, const repair_subject *subject, uint64_t turn, uint32_t attempt)
{
    bool shown;
    defect_kind kinds[2];
    rng r = repair_stream(k->o->seed, subject->index, attempt);
    repair_kinds(turn, attempt, &r, kinds);
    if (!repair_plant_two(&k->repairer, subject, kinds, &r, &shown))
        mem_fail(&k->p.c.mem);
    k->broken.n = 0;
    sb_str(&k->broken, sb_view(&k->repairer.two[0]));
    k->defect = (record_defect){.kind = kinds[0],
                                .broken = sb_view(&k->broken),
                                .diagnostic = sb_view(&k->repairer.diagnostic),
                                .two = true,
                                .second = kinds[1]};
    return shown;
}

/* Breaks the sample; false: it has no place for the wanted defect, or the defect does not show. */
static bool break_sample(maker *k, uint64_t index, uint32_t attempt)
{
    WEFT_ASSERT(k->o->ncategories && k->sample.nargs <= GEN_ARGS_MAX);
    const gen_sample *s = &k->sample;
    const defect_kind kind = repair_kind(index / k->o->ncategories, attempt);
    rng r = repair_stream(k->o->seed, index, attempt);
    check_arg args[GEN_ARGS_MAX];
    for (uint32_t i = 0; i < s->nargs; i++)
        args[i] = (check_arg){s->args[i].shape, s->args[i].mag, s->args[i].values};
    repair_subject subject = {.kind = kind,
                              .source = s->source,
                              .kernel = s->kernel,
                              .launch = s->launch,
                              .args = args,
                              .nargs = s->nargs,
                              .seed = k->o->seed,
                              .index = index};
    if (record_repair_task(k->o, index) == TASK_REPAIR_TWO)
        return break_twice(k, &subject, index / k->o->ncategories, attempt);
    k->broken.n = 0;
    if (!defect_plant(&k->p.c.module, kind, s->source, &r, &k->broken))
        return false;
    subject.source = sb_view(&k->broken);
    bool shown;
    if (!repair_try(&k->repairer, &subject, &shown))
        mem_fail(&k->p.c.mem);
    k->defect = (record_defect){.kind = kind,
                                .broken = sb_view(&k->broken),
                                .diagnostic = sb_view(&k->repairer.diagnostic)};
    return shown;
}

/* Two of three kernels with a purpose whose gradient is wrong in Warp are drawn once more, so that
 * sets have some of these and nine of ten gradients are right: 5.0 % would be wrong, and 2.4 % are
 * (3,000 kernels of seed 808). */
static bool is_redrawn(const maker *k, uint32_t attempt, const check_result *r)
{
    return r->status == CHECK_WARP_DIFFERS && k->kind == RECORD_PURPOSE && attempt == 0 &&
           k->from / k->o->ncategories % 3 != 0;
}

/* Executes the pair (check/check.h); false: it is thrown away. Reading what was never set is the
 * one failure that the generator may cause without a bug: Warp leaves such values undefined. */
static bool prove(maker *k, uint32_t attempt, const compiled_kernel *c, const record_texts *t,
                  check_result *r)
{
    for (uint32_t i = 0; i < k->sample.nargs; i++)
        k->args[i] =
            (check_arg){k->sample.args[i].shape, k->sample.args[i].mag, k->sample.args[i].values};
    check_subject *s = &k->subject;
    *s = (check_subject){.kernel = c->kernel,
                         .launch = k->sample.launch,
                         .args = k->args,
                         .seed = k->o->seed,
                         .index = k->from,
                         .adequate_only = true};
    memcpy(s->forward, t->forward, sizeof s->forward);
    memcpy(s->backward, t->backward, sizeof s->backward);
    check_pair(k->checker, s, r);
    if (r->status == CHECK_FAILED && check_reason_find(r->reason) != CHECK_REASON_UNINITIALISED)
        suspect(k, attempt, r);
    if (r->reason)
        reject(k, check_reason_find(r->reason), r->detail);
    else if (!check_is_adequate(r))
        reject(k, STATS_REJECT_INADEQUATE, "the inputs do not tell it from its mutants");
    else if (k->o->gradients == RECORD_GRADIENTS_EXACT && r->status != CHECK_EXACT)
        reject(k, STATS_REJECT_GRADIENT, "its gradient is not proved");
    else if (is_redrawn(k, attempt, r))
        reject(k, STATS_REJECT_GRADIENT, "its gradient is wrong in Warp");
    else
        return true;
    return false;
}

/* Makes a program of its own; one that has nothing to compare with is no sample, nor is one that
 * another machine's rounding may fail. */
static bool make_program(maker *k, made_pair *pair)
{
    check_arg args[GEN_ARGS_MAX];
    const gen_sample *sample = &k->sample;
    for (uint32_t i = 0; i < sample->nargs; i++)
        args[i] = (check_arg){sample->args[i].shape, sample->args[i].mag, sample->args[i].values};
    const check_result *proof = k->o->no_verify ? NULL : &pair->proof;
    const standalone_subject s = {
        .program = k->program,
        .kernel = pair->compiled.kernel,
        .ir = pair->compiled.ir,
        .launch = sample->launch,
        .args = args,
        .backward = pair->texts.backward[EMIT_CUDA],
        .differs = proof ? proof->class : NULL,
        .file = str_c(source_name(&k->p, sample->kernel)),
        .name = sample->kernel,
    };
    const ctx *c = &k->p.c;
    const standalone_program *made = &pair->standalone;
    if (standalone_make(&k->p.c, &s, &pair->standalone) && made->expected && !made->hangs &&
        made->finite)
        return true;
    const char *why = made->hangs                       ? "its results hang on rounding"
                      : made->expected && !made->finite ? "its results are not finite"
                                                        : made->why_none;
    reject(k, STATS_REJECT_STANDALONE,
           c->diags.n ? c->diags.v[0].text
           : why      ? why
                      : "it changes nothing that can be compared");
    return false;
}

/* What a kernel with a purpose is to be like, within the sizes that the options allow. */
static profile_wish wish_of(const record_options *o, const gen_request *q)
{
    const gen_shape *shape = &o->shape, any = gen_shape_any();
    profile_wish w = profile_draw(o->profile ? o->profile : profile_default(), q->seed, q->index);
    if (shape->levels != any.levels)
        w.levels = shape->levels;
    if (shape->min_lines != any.min_lines || shape->max_lines != any.max_lines)
        profile_limit_lines(&w, shape->min_lines, shape->max_lines);
    return w;
}

/* False: no candidate has the size or the category. */
static bool draw_sample(maker *k, gen_request *q)
{
    gen_choose(&k->o->shape, q);
    k->kind = record_kind_at(k->o, q->index);
    if (k->kind == RECORD_PURPOSE) {
        const gen_shape *shape = &k->o->shape;
        const gen_sample *s = &k->sample;
        k->wish = wish_of(k->o, q);
        q->wish = &k->wish;
        return compose(k->composer, q, &k->sample) && shape->levels & 1u << s->level &&
               s->kernel_lines >= shape->min_lines && s->kernel_lines <= shape->max_lines;
    }
    gen_aim(k->plan, q);
    return gen_make(k->g, q, &k->sample);
}

/* Made once for a candidate, since it is the dearest of its texts. */
static str plain_cuda(maker *k, uint64_t index, made_pair *pair)
{
    if (k->o->style == RECORD_SCRIPT)
        return k->script.cuda_source;
    const compiled_kernel *c = &pair->compiled;
    const bool backward = c->ir->options.enable_backward;
    if (!pair->plain.p) /* without a backward pass it was lowered with other options */
        pair->plain =
            record_needs_plain(k->o, index, &k->sample, &pair->texts, false)
                ? cuda_plain_source(&k->p.c, k->program, c->kernel, backward ? c->ir : NULL)
                : STR("");
    WEFT_ASSERT(pair->plain.p);
    return pair->plain;
}

/* Has the record more tokens than are wanted? */
static bool is_long(maker *k, uint64_t index, made_pair *pair)
{
    if (!k->o->max_tokens)
        return false;
    const record_counts counts = {.defect = k->o->job == RECORD_REPAIR ? &k->defect : NULL,
                                  .cuda_source = plain_cuda(k, index, pair)};
    return record_measure(&k->p.c.mem, k->o, index, &k->sample, &pair->texts, &counts) >
           k->o->max_tokens;
}

static candidate refuse_long(maker *k)
{
    reject(k, STATS_REJECT_LONG, "it has more tokens than are wanted");
    return CANDIDATE_REFUSED;
}

/* Makes and proves a script. */
static candidate attempt_script(maker *k, const gen_request *q, made_pair *pair)
{
    const char *why;
    const gen_shape *shape = &k->o->shape;
    const script_end end = script_make(k->scripter, q, &k->script, &why);
    script *s = &k->script;
    if (end == SCRIPT_MEMORY)
        mem_fail(&k->p.c.mem);
    k->kind = RECORD_PURPOSE;
    k->sample = (gen_sample){.kernel = STR("main"), .category = q->category};
    if (end == SCRIPT_GOOD)
        k->sample = s->sample;
    const bool gradient =
        k->o->gradients != RECORD_GRADIENTS_EXACT || s->proof.status == CHECK_EXACT;
    if (end == SCRIPT_UNPROVED && s->proof.status == CHECK_FAILED &&
        check_reason_find(s->proof.reason) != CHECK_REASON_UNINITIALISED)
        suspect(k, q->attempt, &s->proof);
    if (end == SCRIPT_BROKEN)
        reject(k, STATS_REJECT_COMPILE, why);
    else if (end == SCRIPT_NONE)
        reject(k, STATS_REJECT_SIZE, why);
    else if (end != SCRIPT_GOOD)
        reject(k, s->proof.reason ? check_reason_find(s->proof.reason) : STATS_REJECT_INADEQUATE,
               why);
    else if (!(shape->levels & 1u << s->sample.level) || s->longest < shape->min_lines ||
             s->longest > shape->max_lines)
        reject(k, STATS_REJECT_SIZE, "no candidate has the size that was requested");
    else if (!gradient)
        reject(k, STATS_REJECT_GRADIENT, "its gradient is not proved");
    else if (!compile(k, s->nkernels, &pair->compiled))
        k->stats->rejected[STATS_REJECT_COMPILE]++;
    else
        return CANDIDATE_GOOD;
    return CANDIDATE_FAILED;
}

/* A good script takes its texts and its proof from its maker. */
static candidate take_script(maker *k, const gen_request *q, made_pair *pair)
{
    const candidate c = attempt_script(k, q, pair);
    if (c != CANDIDATE_GOOD)
        return c;
    memcpy(pair->texts.forward, k->script.forward, sizeof pair->texts.forward);
    memcpy(pair->texts.backward, k->script.backward, sizeof pair->texts.backward);
    pair->proof = k->script.proof;
    const uint32_t own = k->neach - k->script.has_loss; /* all scripts share their losses */
    for (uint32_t i = 0; k->o->exclude && i < own; i++)
        if (exclude_has(k->o->exclude, k->each[i])) {
            reject(k, STATS_REJECT_EXCLUDED, "a kernel's structure is excluded");
            return CANDIDATE_REFUSED;
        }
    return is_long(k, q->index, pair) ? refuse_long(k) : c;
}

static gen_request request_of(const record_options *o, uint64_t index, uint32_t attempt)
{
    return (gen_request){.seed = o->seed,
                         .index = index,
                         .attempt = attempt,
                         .category = o->categories[index % o->ncategories]};
}

/* Compiles and proves one candidate for a record. The cheap tests come first: proving takes most of
 * the time. */
static candidate attempt_one(maker *k, uint64_t index, uint32_t attempt, made_pair *pair)
{
    const record_options *o = k->o;
    stage_clock *clock = k->p.c.clock;
    stage_switch(clock, STAGE_GENERATE);
    pair->plain = (str){NULL, 0};
    gen_request q = request_of(o, index, attempt);
    if (o->style == RECORD_SCRIPT)
        return take_script(k, &q, pair);
    const bool sized = draw_sample(k, &q);
    stage_switch(clock, STAGE_OTHER);
    if (!sized) {
        reject(k, STATS_REJECT_SIZE,
               k->kind == RECORD_PURPOSE
                   ? "no candidate has the size that was requested; kernels with a purpose have "
                     "mostly 15 to 40 lines, those of --kind exercise from 3 to 80"
                   : "no candidate has the size that was requested");
        return CANDIDATE_FAILED;
    }
    if (!compile(k, 1, &pair->compiled)) {
        k->stats->rejected[STATS_REJECT_COMPILE]++;
        return CANDIDATE_FAILED;
    }
    if (o->exclude && exclude_has(o->exclude, k->structure.structure)) {
        reject(k, STATS_REJECT_EXCLUDED, "its structure is excluded");
        return CANDIDATE_REFUSED;
    }
    if (k->o->job == RECORD_REPAIR && !break_sample(k, index, attempt)) {
        reject(k, STATS_REJECT_DEFECT, "it cannot be broken in the way that is wanted");
        return CANDIDATE_FAILED;
    }
    stage_switch(clock, STAGE_RECORD);
    gather(k, &pair->compiled, &pair->texts);
    if (is_long(k, index, pair))
        return refuse_long(k);
    stage_switch(clock, STAGE_VERIFY);
    if (!o->no_verify && !prove(k, attempt, &pair->compiled, &pair->texts, &pair->proof))
        return CANDIDATE_FAILED;
    stage_switch(clock, STAGE_RECORD);
    if (record_format_of(o)->programs && !make_program(k, pair))
        return CANDIDATE_FAILED;
    return CANDIDATE_GOOD;
}

/* Why a candidate that is like an earlier record is refused. That hangs on the number of such
 * refusals alone, so that a merge of parts counts as a whole run does. An equal structure is near
 * as well. */
static stats_rejection likeness(const record_options *o, const maker_made *made)
{
    return o->near && made->alike < record_near_tries(o) ? STATS_REJECT_NEAR
                                                         : STATS_REJECT_DUPLICATE;
}

stats_rejection maker_known_refuses(maker_known *known, const record_options *o,
                                    const maker_made *made)
{
    const stats_rejection why = likeness(o, made);
    const bool refused = why == STATS_REJECT_NEAR ? near_has(&known->near, &made->near)
                                                  : seen_has(&known->seen, made->structure);
    return refused ? why : STATS_REJECTIONS;
}

void maker_known_add(maker_known *known, const record_options *o, const maker_made *made)
{
    seen_add(&known->seen, made->structure);
    if (o->near)
        near_add(&known->near, &made->near);
}

void maker_known_init(maker_known *known, const record_options *o, mem *m)
{
    seen_init(&known->seen, m);
    if (o->near)
        near_init(&known->near, m, o->near);
}

void maker_known_clear(maker_known *known, const record_options *o)
{
    seen_clear(&known->seen);
    if (o->near)
        near_clear(&known->near);
}

/* attempt_one, and then whether an earlier record is like the candidate, which *made describes
 * then. That comes last: whether a thread finds it here or make_dedup.c later, only good candidates
 * are counted as duplicates. */
static candidate attempt_new(maker *k, uint64_t index, maker_made *made, made_pair *pair)
{
    const candidate c = attempt_one(k, index, made->attempt, pair);
    if (c != CANDIDATE_GOOD)
        return c;
    made->structure = k->structure.structure;
    if (k->o->near)
        minhash_of(&k->hasher, &k->structure, &made->near);
    const stats_rejection why =
        k->known ? maker_known_refuses(k->known, k->o, made) : STATS_REJECTIONS;
    if (why == STATS_REJECTIONS)
        return c;
    k->stats->rejected[why]++;
    made->alike++;
    return CANDIDATE_REFUSED;
}

/* False: the compiler of PTX refuses a text that was proved. */
static bool make_ptx(maker *k, uint64_t index, const made_pair *pair)
{
    const char *why = NULL;
    k->ptx_text.n = 0;
    if (!k->o->ptx)
        return true;
    arena *a = &k->p.c.module;
    if (record_format_of(k->o)->programs
            ? record_put_program_ptx(&k->ptx_text, a, &k->ptx, &pair->standalone, &why)
            : record_put_ptx(&k->ptx_text, a, &k->ptx, &pair->texts, &why))
        return true;
    snprintf(k->message, sizeof k->message, "sample %llu: %s", (unsigned long long)index, why);
    return false;
}

/* Tests of the pair that was proved last, which the checker still has. */
static void make_tests(maker *k, record_counts *counts)
{
    k->tests.n = 0;
    if (!counts->proof || k->o->no_tests) {
        SB_LIT(&k->tests, "[]");
        counts->no_tests = k->o->no_tests ? GRADE_NO_TESTS : GRADE_NOT_RUN;
    } else if (k->o->style == RECORD_SCRIPT) {
        SB_LIT(&k->tests, "[]");
        counts->no_tests = GRADE_SCRIPT;
    } else {
        counts->no_tests = check_put_tests(k->checker, &k->tests);
    }
    counts->tests = sb_view(&k->tests);
}

/* Writes the pair that was made last as a record, and adds it to the sums; false, with a message:
 * see make_ptx. */
static bool put_record(maker *k, uint64_t index, uint32_t attempt, made_pair *pair)
{
    stage_clock *clock = k->p.c.clock;
    stage_switch(clock, STAGE_RECORD);
    if (!make_ptx(k, index, pair))
        return false;
    record_counts counts = {pair->compiled.ir->kernel->declared.n,
                            k->o->no_verify ? NULL : &pair->proof,
                            k->structure.structure,
                            k->structure.family,
                            attempt,
                            k->o->job == RECORD_REPAIR ? &k->defect : NULL,
                            sb_view(&k->ptx_text),
                            NULL,
                            STR(""),
                            k->kind,
                            STR(""),
                            NULL,
                            k->script.kernels,
                            k->script.nkernels,
                            check_tile_block(pair->compiled.ir)};
    const size_t begin = k->out->n;
    counts.cuda_source = plain_cuda(k, index, pair);
    if (record_mix_has(&k->o->mix, RECORD_PURPOSE) && !record_format_of(k->o)->programs)
        make_tests(k, &counts);
    if (record_format_of(k->o)->programs)
        record_put_program(k->out, k->o, index, &k->sample, &pair->standalone, &counts);
    else
        record_put(k->out, k->o, index, &k->sample, &pair->texts, &counts);
    if (k->kind == RECORD_EXERCISE)
        gen_read_tree(k->g, program_tree(k->program), k->sample.loop_depth);
    stats_add(k->stats, &k->sample, &counts, k->out->n - begin);
    stage_switch(clock, STAGE_OTHER);
    return true;
}

/* Good candidates came, but all were refused: the options allow too few, which is no bug. */
static int exhausted(maker *k, uint64_t index)
{
    const record_options *o = k->o;
    snprintf(k->message, sizeof k->message,
             "sample %llu (%s) finds no structure that is new: the options allow too few. Ask for "
             "fewer pairs (--count), for more categories, levels or sizes (--categories, "
             "--difficulty, --min-lines, --max-lines), or refuse less (--no-dedup, --near, "
             "--exclude, --max-tokens)",
             (unsigned long long)index, gen_category_name(o->categories[index % o->ncategories]));
    return STATUS_EXHAUSTED;
}

/* Tries candidates from made->attempt on, writes the first good one and fills *made. Ends after
 * FAILURES_MAX failures in a row, and after REFUSED_MAX refusals of this index, those of earlier
 * calls included. */
static int make_one(maker *k, uint64_t index, maker_made *made)
{
    WEFT_ASSERT(made->alike <= made->refused && made->refused <= made->attempt);
    made_pair pair;
    uint32_t failures = 0;
    for (; failures < FAILURES_MAX && made->refused < REFUSED_MAX; made->attempt++) {
        const candidate c = attempt_new(k, index, made, &pair);
        failures = c == CANDIDATE_FAILED ? failures + 1 : 0;
        made->refused += c == CANDIDATE_REFUSED;
        if (c == CANDIDATE_GOOD)
            return put_record(k, index, made->attempt, &pair) ? STATUS_OK : STATUS_BROKEN;
    }
    return failures == FAILURES_MAX ? STATUS_BROKEN : exhausted(k, index);
}

/* k->from is the index in work, for messages, and stays at the one that failed. */
int maker_make(maker *k)
{
    WEFT_ASSERT(k->from <= k->to && k->out && k->stats);
    if (library_mistake(k)) {
        snprintf(k->message, sizeof k->message, "%s", library_mistake(k));
        return STATUS_BROKEN;
    }
    uint64_t *end = k->ends;
    maker_made *to = k->made;
    for (; k->from < k->to; k->from++) {
        maker_made made = {.attempt = 0};
        const int status = make_one(k, k->from, &made);
        if (status != STATUS_OK)
            return status;
        if (end)
            *end++ = k->out->n;
        if (to)
            *to++ = made;
    }
    return STATUS_OK;
}

bool maker_repeat(maker *k, uint64_t index, uint32_t attempt)
{
    made_pair pair;
    k->from = index;
    if (attempt_one(k, index, attempt, &pair) != CANDIDATE_GOOD)
        return false;
    return put_record(k, index, attempt, &pair);
}

bool maker_recount(maker *k, uint64_t index, uint32_t attempt)
{
    made_pair pair;
    maker_made made = {.attempt = 0};
    k->from = index;
    for (; made.attempt < attempt; made.attempt++)
        if (attempt_one(k, index, made.attempt, &pair) == CANDIDATE_GOOD) {
            k->stats->rejected[likeness(k->o, &made)]++;
            made.alike++;
        }
    return maker_repeat(k, index, attempt);
}

int maker_settle(maker *k, uint64_t index, maker_made *made)
{
    *made = (maker_made){.attempt = 0};
    k->from = index;
    return make_one(k, index, made);
}

/* A script has to be made for it. */
bool maker_sketch(maker *k, uint64_t index, uint32_t attempt, minhash *out)
{
    made_pair pair;
    gen_request q = request_of(k->o, index, attempt);
    k->from = index;
    if (k->o->style == RECORD_SCRIPT ? attempt_one(k, index, attempt, &pair) != CANDIDATE_GOOD
                                     : !draw_sample(k, &q) || !compile(k, 1, &pair.compiled))
        return false;
    minhash_of(&k->hasher, &k->structure, out);
    return true;
}

int maker_refuse(maker *k, uint64_t index, maker_made *made, stats_rejection why)
{
    WEFT_ASSERT(why == STATS_REJECT_DUPLICATE || why == STATS_REJECT_NEAR);
    k->from = index;
    k->stats->rejected[why]++;
    made->attempt++;
    made->refused++;
    made->alike++;
    return make_one(k, index, made);
}
