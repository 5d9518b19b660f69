/* SPDX-License-Identifier: Apache-2.0 */
/* One input as a Python file whose kernels become CUDA programs of their own, within 512 MB. */
#include "driver/pipeline.h"
#include "fuzz_target.h"
#include "standalone/standalone.h"

enum { MEMORY_LIMIT = 512 << 20, KERNELS_MAX = 3 };

typedef struct python_input {
    pipeline p;
    str text;
} python_input;

static void make_one(pipeline *p, const program *prog, const kernel *k)
{
    ctx *c = &p->c;
    compiled_kernel compiled = pipeline_lower(p, prog, k);
    strbuf backward;
    standalone_program made;
    if (!compiled.ir)
        return;
    sb_init(&backward, &c->mem);
    if (compiled.ir->options.enable_backward) {
        pipeline_emit(p, &compiled);
        emit_record_backward(&backward, &compiled.text[EMIT_CUDA]);
    }
    const standalone_subject s = {.program = prog,
                                  .kernel = k,
                                  .ir = compiled.ir,
                                  .backward = sb_view(&backward),
                                  .file = STR("input.py"),
                                  .name = k->key};
    const uint32_t before = c->diags.n;
    const bool good = standalone_make(c, &s, &made);
    demand(good ? made.cu.n > 0 && made.makefile.n > 0 : c->diags.n > before);
    sb_clear(&backward);
}

static void work(void *arg)
{
    python_input *in = arg;
    const program *prog = pipeline_load_text(&in->p, "input.py", in->text);
    uint32_t n;
    if (!prog)
        return;
    const kernel *const *kernels = program_kernels(prog, &n);
    for (uint32_t i = 0; i < n && i < KERNELS_MAX; i++)
        make_one(&in->p, prog, kernels[i]);
}

void fuzz_standalone(const uint8_t *data, size_t size)
{
    static char none[] = "";
    const pipeline_options o = {.memory_limit = MEMORY_LIMIT};
    python_input in = {.text = {size ? (const char *)data : none, size}};
    demand(pipeline_init(&in.p, &o));
    mem_try(&in.p.c.mem, work, &in);
    pipeline_clear(&in.p);
}
