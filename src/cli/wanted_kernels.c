/* SPDX-License-Identifier: Apache-2.0 */
/* Names of kernels that the user wants, and those that the files have: see wanted_kernels.h. */
#include "cli/wanted_kernels.h"

#include <string.h>

#include "base/folder_walk.h"
#include "cli/suggest.h"
#include "weft_program.h"

void wanted_kernels_init(wanted_kernels *w, const cli_args *args)
{
    uint32_t n;
    *w = (wanted_kernels){.a = args->arena};
    w->names = cli_all(args, OPT_KERNEL, &n);
    w->n = n;
    w->found = arena_zero(w->a, ((size_t)n + 1) * sizeof(int));
    w->instances = cli_all(args, OPT_INSTANCE, &n);
    w->ninstances = n;
    bool folder = false;
    if (args->noperands == 1)
        (void)path_is_folder(args->operands[0], &folder); /* reading it says what is wrong */
    if (folder || args->noperands > 1)
        w->instance_found = arena_zero(w->a, ((size_t)n + 1) * sizeof(int));
}

void wanted_kernels_set(const wanted_kernels *w, weft_context *c)
{
    (void)weft_set_instances(c, w->instances, w->ninstances, w->instance_found);
}

/* For mem_try: a context and where its names go. */
typedef struct note {
    wanted_kernels *w;
    const weft_context *c;
} note;

static void add_names(void *arg)
{
    note *n = arg;
    wanted_kernels *w = n->w;
    const char *name;
    for (size_t i = 0; (name = weft_kernel_name(n->c, i)); i++)
        VEC_PUSH(w->a, &w->seen, arena_dup(w->a, name, strlen(name)));
}

/* Names serve a hint only: where memory is short they are left out. */
void wanted_kernels_note(wanted_kernels *w, const weft_context *c)
{
    note n = {w, c};
    if (w->n)
        (void)mem_try(w->a->m, add_names, &n);
}

size_t wanted_kernels_missing(const wanted_kernels *w)
{
    size_t missing = 0;
    for (size_t i = 0; i < w->n; i++)
        if (!w->found[i]) {
            cli_error("no kernel is called '%s'", w->names[i]);
            suggest_kernel(w->a, w->seen.v, w->seen.n, w->names[i]);
            missing++;
        }
    for (size_t i = 0; w->instance_found && i < w->ninstances; i++)
        if (!w->instance_found[i]) {
            cli_error("no file has what --instance '%s' names", w->instances[i]);
            missing++;
        }
    return missing;
}
