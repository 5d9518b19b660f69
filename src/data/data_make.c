/* From an index to a record. */
#include "data/data_make.h"

#include <stdio.h>

enum { ATTEMPTS = 16 }; /* samples thrown away before the run is given up */

static void init_generator(void *arg)
{
    data_maker *k = arg;
    k->g = gen_new(&k->p.c.mem);
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
    snprintf(k->message, sizeof k->message, "%s (kernel %.*s of sample %llu)", text,
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

static bool make_one(data_maker *k, uint64_t index)
{
    const data_options *o = k->o;
    stage_clock *clock = k->p.c.clock;
    compiled_kernel compiled;
    data_texts texts;
    gen_category category = o->categories[index % o->ncategories];
    bool good = false;
    for (uint32_t attempt = 0; attempt < ATTEMPTS && !good; attempt++) {
        stage_switch(clock, STAGE_GENERATE);
        gen_make(k->g, o->seed, index, attempt, category, &k->sample);
        stage_switch(clock, STAGE_OTHER);
        good = compile(k, &compiled);
        k->stats->rejected += !good;
    }
    if (!good)
        return false;
    stage_switch(clock, STAGE_RECORD);
    gather(k, &compiled, &texts);
    data_counts counts = {compiled.ir->kernel->declared.n};
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
