/* SPDX-License-Identifier: Apache-2.0 */
/* One script, from a request to its text: kernels, proofs, values, a run, main(). */
#include "compose/script_internal.h"

static void init_rest(void *arg)
{
    scripter *s = arg;
    mem *m = &s->p.c.mem;
    s->checker = check_new(&s->p.c);
    strbuf *all[] = {&s->prompt, &s->source, &s->main, &s->cuda};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sb_init(all[i], m);
    for (int d = 0; d < EMIT_DEVICES; d++) {
        sb_init(&s->forward[d], m);
        sb_init(&s->backward[d], m);
    }
}

scripter *scripter_new(mem *m, const library *l, const pipeline_options *o)
{
    scripter *s = mem_alloc(m, sizeof *s);
    memset(s, 0, sizeof *s);
    if (!pipeline_init(&s->p, o))
        return NULL;
    s->l = l;
    if (mem_try(&s->p.c.mem, init_rest, s))
        return s;
    pipeline_clear(&s->p);
    return NULL;
}

void scripter_free(scripter *s)
{
    if (s)
        pipeline_clear(&s->p);
}

static void describe(scripter *s)
{
    script *out = s->out;
    const script_kernel *last = &s->kernels[s->nkernels - 1];
    uint32_t lines = 0;
    for (uint32_t i = 0; i < s->nkernels; i++) {
        out->kernels[i] = s->kernels[i].is.kernel;
        out->is[i] = &s->kernels[i].is;
        lines += s->kernels[i].is.kernel_lines;
        if (!i || s->kernels[i].is.kernel_lines > out->longest)
            out->longest = s->kernels[i].is.kernel_lines;
    }
    out->nkernels = s->nkernels;
    out->sample = last->is;
    out->sample.source = sb_view(&s->source);
    out->sample.prompt = sb_view(&s->c->prompt);
    out->sample.category = s->q->category;
    out->sample.lines = str_count(out->sample.source, '\n');
    out->sample.level = gen_level_of(lines);
    for (int d = 0; d < EMIT_DEVICES; d++) {
        out->forward[d] = sb_view(&s->forward[d]);
        out->backward[d] = sb_view(&s->backward[d]);
    }
    out->cuda_source = sb_view(&s->cuda);
    out->has_tape = s->leaf != NO_VAR;
    out->has_loss = s->kernels[s->nkernels - 1].p.field == NULL;
}

static void make(void *arg)
{
    scripter *s = arg;
    if (!s->c)
        s->c = composer_new(&s->p.c.mem, s->l);
    s->end = SCRIPT_GOOD;
    if (!script_draw(s) || !script_prove(s))
        return;
    script_choose_sizes(s);
    script_fill(s);
    if (!script_run(s))
        return;
    script_write_main(s);
    describe(s);
}

script_end script_make(scripter *s, const gen_request *q, script *out, const char **why)
{
    memset(&out->proof, 0, sizeof out->proof);
    s->q = q;
    s->out = out;
    s->why = NULL;
    const bool good = mem_try(&s->p.c.mem, make, s);
    *why = good ? s->why : "out of memory";
    return good ? s->end : SCRIPT_MEMORY;
}
