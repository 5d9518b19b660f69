/* SPDX-License-Identifier: Apache-2.0 */
/* One input through parsing, evaluation, lowering and emission, within 512 MB. */
#include "fuzz_target.h"

#include <string.h>

#include "weft.h"

enum { MEMORY_LIMIT = 512 << 20 };

/* Checks them all; returns how many are errors and not warnings. */
static size_t check_diagnostics(const weft_context *c)
{
    size_t errors = 0;
    for (size_t i = 0; i < weft_diagnostic_count(c); i++) {
        const weft_diagnostic *d = weft_diagnostic_at(c, i);
        demand(d->id && d->message && strlen(d->message) > 0);
        demand(!d->file || (d->line > 0 && d->column > 0));
        errors += !d->warning;
    }
    return errors;
}

static void check_kernels(const weft_context *c)
{
    for (size_t i = 0; i < weft_kernel_count(c); i++) {
        const weft_kernel *k = weft_kernel_at(c, i);
        demand(k->name != NULL);
        demand(k->error ? !k->cpu && !k->cuda : k->cpu && k->cuda);
        demand(!k->cpu || strlen(k->cpu) == k->cpu_size);
        demand(!k->cuda || strlen(k->cuda) == k->cuda_size);
    }
}

void fuzz_compile(const uint8_t *data, size_t size)
{
    const weft_options o = {.size = sizeof o, .memory_limit = MEMORY_LIMIT};
    weft_context *c;
    const char *text;
    size_t n;
    demand(weft_context_new(&o, &c) == WEFT_OK);
    const weft_status s = weft_compile_text(c, "input.py", (const char *)data, size);
    demand(s == WEFT_OK || s == WEFT_INPUT_ERRORS || s == WEFT_NO_MEMORY);
    demand((check_diagnostics(c) > 0) == (s == WEFT_INPUT_ERRORS));
    check_kernels(c);
    for (unsigned device = WEFT_CPU; device <= WEFT_CUDA; device++)
        demand(weft_module_text(c, device, &text, &n) != WEFT_BAD_ARGUMENT);
    weft_context_free(c);
}
