/* SPDX-License-Identifier: Apache-2.0 */
/* What `weft compile` says where it writes nothing, so that no silence looks like a result:
 *
 *     compile lib.py -o lib.cu    weft: error: nothing is written: 'lib.py' has no kernel
 *     compile gen.py -o gen.cu    weft: error: nothing is written: kernel 'fill' is generic: ...
 *     compile src -o out/         weft: 2 of 9 files have no kernel to write
 *     compile set.jsonl           weft: error: nothing is written: 'set.jsonl' has no records
 *
 * The status is 1 if nothing at all was made. A file with errors has its own messages and is not
 * counted here, nor is any file with --kernel, which reports a name that no file has. */
#include "cli/compile_job.h"

/* A tree and diagnostics need no kernel. */
static bool needs_kernels(const compile_job *job)
{
    return job->form != WEFT_EMIT_AST && job->form != WEFT_EMIT_NONE;
}

/* Why no kernel was written: what is said of the first, or the first that is said at all. */
static const char *reason(const weft_context *c)
{
    const weft_kernel *k = weft_kernel_at(c, 0);
    const weft_diagnostic *d = k ? k->error : weft_diagnostic_at(c, 0);
    return d ? d->message : NULL;
}

void compile_count_made(compile_job *job, const char *path)
{
    compile_made *m = &job->made;
    arena *a = job->args->arena;
    m->files += job->wrote;
    if (job->wrote || job->wanted.n || !needs_kernels(job))
        return;
    const char *why = reason(job->c);
    if (!m->without++) {
        m->path = path;
        m->why = why ? arena_dup(a, why, strlen(why)) : NULL;
    }
}

void compile_count_empty(compile_job *job, const char *path)
{
    compile_made *m = &job->made;
    m->all++;
    if (job->wanted.n || !needs_kernels(job) || m->without++)
        return;
    m->path = path;
    m->why = arena_printf(job->args->arena, "'%s' has no records", path);
}

static const char *sentence(const compile_job *job)
{
    const compile_made *m = &job->made;
    arena *a = job->args->arena;
    if (m->without > 1)
        return arena_printf(a, "nothing is written: none of %u files has a kernel to write",
                            m->without);
    if (m->why)
        return arena_printf(a, "nothing is written: %s", m->why);
    return arena_printf(a, "nothing is written: '%s' has no kernel", m->path);
}

void compile_report_made(compile_job *job)
{
    const compile_made *m = &job->made;
    if (!m->without || job->status >= CLI_IO || cli_interrupted())
        return;
    if (!m->files && job->status == CLI_OK) {
        cli_show_problem(&job->diagnostics, sentence(job));
        compile_raise(job, CLI_BAD_INPUT);
    } else if (job->folder && !cli_has(job->args, OPT_QUIET) &&
               job->diagnostics.form == DIAG_AS_TEXT) {
        fprintf(stderr, "weft: %u of %u files %s no kernel to write\n", m->without, m->all,
                m->without == 1 ? "has" : "have");
    }
}
