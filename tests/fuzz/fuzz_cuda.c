/* SPDX-License-Identifier: Apache-2.0 */
/* One input as CUDA text, as PTX, and as what ptxas prints. */
#include "fuzz_target.h"
#include "gpu/ptx_stats.h"
#include "lint/lint.h"

enum { MEMORY_LIMIT = 256 << 20 };

typedef struct cuda_input {
    ctx c;
    source src;
} cuda_input;

static uint32_t lines_of(str text)
{
    uint32_t n = 1;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

static void read_ptx(cuda_input *in)
{
    const str text = in->src.text;
    ptx_module m = {0};
    strbuf b;
    uint32_t line = 0;
    sb_init(&b, &in->c.mem);
    const char *wrong = ptx_read(&in->c.module, text, &m, &line);
    demand(!wrong || line <= lines_of(text));
    ptx_add_assembled(&in->c.module, &m, text);
    if (!wrong)
        ptx_put_module(&b, text, &m);
    sb_clear(&b);
}

static void work(void *arg)
{
    cuda_input *in = arg;
    ctx_init(&in->c);
    const bool good = lint_cuda(&in->c, &in->src, NULL, 0, NULL);
    demand(good == !in->c.diags.n);
    for (uint32_t i = 0; i < in->c.diags.n; i++)
        demand(in->c.diags.v[i].text[0] != 0);
    read_ptx(in);
}

void fuzz_cuda(const uint8_t *data, size_t size)
{
    static char none[] = "";
    cuda_input in = {.src = {.path = "input.cu"}};
    in.src.text = (str){size ? (const char *)data : none, size};
    mem_init(&in.c.mem);
    in.c.mem.limit = MEMORY_LIMIT;
    demand(mem_try(&in.c.mem, work, &in));
    mem_clear(&in.c.mem);
}
