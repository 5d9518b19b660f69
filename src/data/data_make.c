/* From an index to a record. */
#include "data/data_make.h"

#include <stdio.h>

enum { ATTEMPTS = 64 }; /* samples thrown away before the run is given up */

static void init_generator(void *arg)
{
    data_maker *k = arg;
    k->g = gen_new(&k->p.c.mem);
    k->checker = check_new(&k->p.c);
    k->structurer = structurer_new(&k->p.c);
    sb_init(&k->texts, &k->p.c.mem);
}

bool maker_init(data_maker *k, const data_options *o)
{
    *k = (data_maker){.o = o};
    const pipeline_options options = {
        .devices = o->devices, .no_backward = o->no_backward, .timings = o->timings};
    if (!pipeline_init(&k->p, &options))
        return false;
    return mem_try(&k->p.c.mem, init_generator, k);
}

void maker_clear(data_maker *k)
{
    pipeline_clear(&k->p);
}

static void keep_message(data_maker *k, const char *text)
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

/* The kernel's text; false when it does not compile. */
static bool compile(data_maker *k, compiled_kernel *out)
{
    pipeline *p = &k->p;
    pipeline_reset(p);
    uint32_t n = 0;
    const program *prog = pipeline_load_text(p, source_name(p, k->sample.kernel), k->sample.source);
    const kernel *const *kernels = prog ? program_kernels(prog, &n) : NULL;
    if (n != 1) {
        keep_message(k, p->c.diags.n ? p->c.diags.v[0].text : "no kernel");
        return false;
    }
    structure_of(k->structurer, program_tree(prog), &k->structure);
    *out = pipeline_lower(p, prog, kernels[0]);
    if (!out->ir) {
        keep_message(k, out->error ? out->error->text : "not lowered");
        return false;
    }
    pipeline_emit(p, out);
    return true;
}

/* Forward and backward texts of a record, one after another in k->texts. */
static void gather(data_maker *k, const compiled_kernel *c, data_texts *t)
{
    size_t ends[EMIT_DEVICES][2] = {{0}};
    strbuf *b = &k->texts;
    b->n = 0;
    for (int d = 0; d < EMIT_DEVICES; d++) {
        if (!(k->o->devices & 1u << d))
            continue;
        emit_record_forward(b, &c->text[d]);
        ends[d][0] = b->n;
        if (!k->o->no_backward)
            emit_record_backward(b, &c->text[d]);
        ends[d][1] = b->n;
    }
    size_t at = 0;
    for (int d = 0; d < EMIT_DEVICES; d++) {
        t->forward[d] = (str){b->p + at, ends[d][0] > at ? ends[d][0] - at : 0};
        at = ends[d][0] > at ? ends[d][0] : at;
        t->backward[d] = (str){b->p + at, ends[d][1] > at ? ends[d][1] - at : 0};
        at = ends[d][1] > at ? ends[d][1] : at;
    }
}

/* --- proof --------------------------------------------------------------------------------- */

static void reject(data_maker *k, uint32_t reason, const char *text)
{
    k->stats->rejected[reason]++;
    keep_message(k, text);
}

/* What only a bug in weft explains: its compiler, its executors or its generator. */
static void suspect(data_maker *k, uint32_t attempt, const check_result *r)
{
    data_stats *s = k->stats;
    if (!s->suspects++)
        snprintf(s->suspect, sizeof s->suspect, "sample %llu, attempt %u (seed %llu): %s: %.300s",
                 (unsigned long long)k->from, attempt, (unsigned long long)k->o->seed, r->reason,
                 r->detail);
}

/* Executes the pair; false: it is not fit to be kept. */
static bool prove(data_maker *k, uint32_t attempt, const compiled_kernel *c, const data_texts *t,
                  check_result *r)
{
    check_arg args[GEN_ARGS_MAX];
    for (uint32_t i = 0; i < k->sample.nargs; i++)
        args[i] = (check_arg){k->sample.args[i].shape, k->sample.args[i].mag};
    check_subject s = {.kernel = c->kernel,
                       .launch = k->sample.launch,
                       .args = args,
                       .seed = k->o->seed,
                       .index = k->from,
                       .adequate_only = true};
    memcpy(s.forward, t->forward, sizeof s.forward);
    memcpy(s.backward, t->backward, sizeof s.backward);
    check_pair(k->checker, &s, r);
    if (r->status == CHECK_FAILED && check_reason_find(r->reason) != CHECK_REASON_UNINITIALISED)
        suspect(k, attempt, r);
    if (r->reason)
        reject(k, check_reason_find(r->reason), r->detail);
    else if (!check_is_adequate(r))
        reject(k, DATA_REJECT_INADEQUATE, "the inputs do not tell it from its mutants");
    else if (k->o->gradients == DATA_GRADIENTS_EXACT && r->status != CHECK_EXACT)
        reject(k, DATA_REJECT_GRADIENT, "its gradient is not proved");
    else
        return true;
    return false;
}

/* One candidate for a record; false: it is thrown away. */
static bool attempt_one(data_maker *k, uint64_t index, uint32_t attempt, gen_category category,
                        compiled_kernel *compiled, data_texts *texts, check_result *proof)
{
    stage_clock *clock = k->p.c.clock;
    stage_switch(clock, STAGE_GENERATE);
    gen_request q = {.seed = k->o->seed, .index = index, .attempt = attempt, .category = category};
    gen_choose(&k->o->shape, &q);
    const bool sized = gen_make(k->g, &q, &k->sample);
    stage_switch(clock, STAGE_OTHER);
    if (!sized) {
        reject(k, DATA_REJECT_SIZE, "no candidate has the size asked for");
        return false;
    }
    if (!compile(k, compiled)) {
        k->stats->rejected[DATA_REJECT_COMPILE]++;
        return false;
    }
    stage_switch(clock, STAGE_RECORD);
    gather(k, compiled, texts);
    if (k->o->no_verify)
        return true;
    stage_switch(clock, STAGE_VERIFY);
    return prove(k, attempt, compiled, texts, proof);
}

static bool make_one(data_maker *k, uint64_t index)
{
    const data_options *o = k->o;
    stage_clock *clock = k->p.c.clock;
    compiled_kernel compiled;
    data_texts texts;
    check_result proof;
    gen_category category = o->categories[index % o->ncategories];
    bool good = false;
    for (uint32_t attempt = 0; attempt < ATTEMPTS && !good; attempt++)
        good = attempt_one(k, index, attempt, category, &compiled, &texts, &proof);
    if (!good)
        return false;
    stage_switch(clock, STAGE_RECORD);
    data_counts counts = {compiled.ir->kernel->declared.n, o->no_verify ? NULL : &proof,
                          &k->structure};
    size_t begin = k->out->n;
    record_put(k->out, o, index, &k->sample, &texts, &counts);
    stats_add(k->stats, &k->sample, &counts, k->out->n - begin);
    stage_switch(clock, STAGE_OTHER);
    return true;
}

int maker_make(data_maker *k)
{
    uint64_t *end = k->ends;
    for (; k->from < k->to; k->from++) {
        if (!make_one(k, k->from))
            return DATA_BROKEN;
        if (end)
            *end++ = k->out->n;
    }
    return DATA_OK;
}
