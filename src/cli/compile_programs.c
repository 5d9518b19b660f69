/* SPDX-License-Identifier: Apache-2.0 */
/* weft compile --emit standalone -o DIR: each kernel's program in a folder of its own.
 *
 *     two kernels k, one saxpy   ->   DIR/k/, DIR/k_2/, DIR/saxpy/ */
#include "base/file.h"
#include "cli/compile_job.h"

/* False: the message is written and the status raised. */
static bool put_file(compile_job *job, const char *folder, const char *name, str text)
{
    arena *a = job->args->arena;
    const char *path = path_join(a, folder, str_c(name));
    const int error = output_put(a, path, text, &job->used);
    compile_raise(job, cli_output_failed(path, error));
    return !error;
}

static bool put_folder(compile_job *job, const char *folder)
{
    const int error = make_folders(job->args->arena, folder);
    compile_raise(job, cli_output_failed(folder, error));
    return !error;
}

/* FOLDER/NAME/ with NAME.py, NAME.cu, Makefile, metadata.json and, if wanted, cuda_on_cpu.h. What
 * the program was read from is not replaced. */
static void put_program(void *arg, const void *given, size_t n)
{
    compile_job *job = arg;
    const weft_program *p = given;
    arena *a = job->args->arena;
    const char *place = job->record ? arena_printf(a, "%s_%s", job->record, p->name) : p->name;
    const char *folder = path_join(a, job->programs, str_c(place));
    WEFT_ASSERT(job->programs && *p->name);
    (void)n;
    compile_add_inputs(job);
    if (!put_folder(job, folder) ||
        !put_file(job, folder, arena_printf(a, "%s.py", p->name),
                  (str){p->python, p->python_size}) ||
        !put_file(job, folder, arena_printf(a, "%s.cu", p->name), (str){p->cuda, p->cuda_size}) ||
        !put_file(job, folder, "Makefile", (str){p->makefile, p->makefile_size}) ||
        !put_file(job, folder, "metadata.json", (str){p->metadata, p->metadata_size}))
        return;
    if (job->shim.n)
        put_file(job, folder, "cuda_on_cpu.h", job->shim);
    job->wrote = true;
}

/* weft_emit_options.program. A program that cannot be written raises the status and does not keep
 * the others from being written. */
int compile_put_program(void *arg, const weft_program *program)
{
    compile_job *job = arg;
    reporter_guarded(job, put_program, program, 1);
    return job->reporter.no_memory;
}

static bool is_taken(const compile_job *job, const char *name)
{
    for (uint32_t i = 0; i < job->names.n; i++)
        if (strcmp(job->names.v[i], name) == 0)
            return true;
    return false;
}

/* The kernel's name; the second kernel of that name gets NAME_2. */
static void choose_name(void *arg, const void *proposed, size_t n)
{
    compile_job *job = arg;
    arena *a = job->args->arena;
    WEFT_ASSERT(n && ((const char *)proposed)[n] == 0);
    const char *name = arena_dup(a, proposed, n);
    for (uint32_t number = 2; is_taken(job, name); number++)
        name = arena_printf(a, "%s_%u", (const char *)proposed, number);
    VEC_PUSH(a, &job->names, name);
}

/* weft_emit_options.name. The name lives in the arena, as long as the program. After memory ran out
 * any name serves, since nothing more is written. */
const char *compile_name_program(void *arg, const char *proposed)
{
    compile_job *job = arg;
    reporter_guarded(job, choose_name, proposed, strlen(proposed));
    WEFT_ASSERT(job->reporter.no_memory || job->names.n);
    return job->reporter.no_memory ? proposed : job->names.v[job->names.n - 1];
}
