/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the file of `weft run DIR --kernel NAME`. Each file is compiled for that kernel, without
 * output; what is wrong with the others does not matter.
 *
 *     DIR/a.py with the kernel scale, DIR/sub/b.py with step   ->   "DIR/a.py" for scale
 *     scale in both   ->   weft: error: 2 files have a kernel 'scale'
 *                              hint: name one of them: DIR/a.py, DIR/sub/b.py */
#include "cli/run_folder.h"

#include "cli/cli_context.h"
#include "cli/source_files.h"
#include "cli/wanted_kernels.h"

/* One search. */
typedef struct kernel_search {
    const cli_args *args;
    wanted_kernels wanted;
    source_files sources;
    VEC(const char *) having; /* the files with the kernel */
} kernel_search;

/* False: the search ends, by lack of memory or an interrupt. */
static bool look_into(kernel_search *s, weft_context *c, const char *path)
{
    s->wanted.found[0] = 0;
    const weft_emit_options o = {.size = sizeof o,
                                 .form = WEFT_EMIT_NONE,
                                 .kernels = s->wanted.names,
                                 .kernel_count = 1,
                                 .found = s->wanted.found};
    const weft_status status = weft_emit_file(c, path, &o);
    wanted_kernels_note(&s->wanted, c);
    if (s->wanted.found[0])
        VEC_PUSH(s->args->arena, &s->having, path);
    return status != WEFT_NO_MEMORY && !cli_interrupted();
}

static const char *refuse_several(const kernel_search *s)
{
    cli_error("%u files have a kernel '%s'", s->having.n, s->wanted.names[0]);
    fputs("    hint: name one of them: ", stderr);
    for (uint32_t i = 0; i < s->having.n; i++)
        fprintf(stderr, "%s%s", i ? ", " : "", s->having.v[i]);
    fputc('\n', stderr);
    return NULL;
}

/* The answer, once all files are searched. */
static const char *choose(kernel_search *s, int *status)
{
    *status = CLI_BAD_INPUT;
    s->wanted.found[0] = s->having.n > 0;
    if (s->having.n > 1)
        return refuse_several(s);
    return wanted_kernels_missing(&s->wanted) ? NULL : s->having.v[0];
}

const char *run_find_file(const cli_args *args, int *status)
{
    kernel_search s = {.args = args};
    weft_context *c;
    bool good = true;
    if (!cli_has(args, OPT_KERNEL)) {
        *status = cli_usage_error(args, "'%s' is a folder: name the kernel by --kernel",
                                  args->operands[0]);
        return NULL;
    }
    wanted_kernels_init(&s.wanted, args);
    s.wanted.names += s.wanted.n - 1; /* the last one counts, as of a single file */
    s.wanted.n = 1;
    *status = source_files_list(args, &s.sources);
    if (*status)
        return NULL;
    if (cli_context_new(args, WEFT_CPU, &c) != WEFT_OK)
        mem_fail(args->arena->m);
    wanted_kernels_set(&s.wanted, c);
    for (uint32_t i = 0; i < s.sources.n && good; i++)
        good = look_into(&s, c, s.sources.v[i].path);
    weft_context_free(c);
    if (good)
        return choose(&s, status);
    *status = cli_interrupted() ? CLI_INTERRUPTED : CLI_IO;
    if (!cli_interrupted())
        cli_error("out of memory");
    return NULL;
}
