/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the operands of `weft compile` one after another: the library writes, the text is
 * gathered for the output, diagnostics are printed.
 *
 *     compile a.py b.py --emit json -o DIR   ->   DIR/a.json, DIR/b.json
 *     compile kernels --emit json -o DIR     ->   DIR/a.json, DIR/sub/b.json, ... */
#include <errno.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/compile_job.h"

void compile_raise(compile_job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

void compile_out_of_memory(void)
{
    cli_error("out of memory: a program takes %d MiB at most", MEMORY_MEBIBYTES);
}

void compile_add_inputs(compile_job *job)
{
    const size_t n = weft_input_count(job->c);
    for (size_t i = 0; i < n; i++)
        file_set_add(&job->used, weft_input_at(job->c, i));
}

/* --- one program ----------------------------------------------------------------------------- */

static void append(void *arg, const void *text, size_t n)
{
    const compile_job *job = arg;
    WEFT_ASSERT(job->to && n);
    sb_put(job->to, text, n);
}

/* A module's header alone: there is no kernel in it. */
static bool is_empty_module(const compile_job *job)
{
    return (job->emit.form == WEFT_EMIT_CPP || job->emit.form == WEFT_EMIT_CU) &&
           !weft_kernel_count(job->c);
}

/* weft_emit_options.write. Text is appended to the output's buffer, which output_flush writes in
 * large pieces; a write that fails is remembered there and reported when the output is closed. A
 * result other than 0 ends the compilation. */
static int gather(void *arg, const char *text, size_t n)
{
    compile_job *job = arg;
    if (is_empty_module(job))
        return 0;
    reporter_guarded(job, append, text, n);
    job->wrote = true;
    if (job->out && job->to == &job->out->text)
        (void)output_flush(job->out);
    return job->reporter.no_memory;
}

/* A program without kernels, or whose kernels all have errors, has no PTX: nothing is
 * compiled for it. */
static void write_ptx(compile_job *job, const char *path)
{
    const size_t n = weft_kernel_count(job->c);
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any = any || !weft_kernel_at(job->c, i)->error;
    if (any && job->cuda.n)
        compile_write_ptx(job, sb_view(&job->cuda), path);
}

/* --device both: after the CPU text, which weft_emit_file has written, the CUDA text of the same
 * kernels, which the context still holds. */
static void write_other_device(compile_job *job)
{
    const char *text;
    size_t size;
    const weft_status status = weft_module_text(job->c, WEFT_CUDA, &text, &size);
    if (status == WEFT_OK)
        sb_put(job->to, text, size);
    else
        job->reporter.no_memory = job->reporter.no_memory || status == WEFT_NO_MEMORY;
}

/* After weft_emit_file: the rest of the text, messages, the status. WEFT_STOPPED does not count
 * here, since compile_operands makes CLI_INTERRUPTED of the flag itself. The one WEFT_BAD_ARGUMENT
 * that operands can cause is a second kernel where one program is wanted; the message says what to
 * do. False: memory ran out. */
static bool finish_program(compile_job *job, const char *path, weft_status status)
{
    if (status == WEFT_NO_MEMORY)
        return false;
    reporter_rethrow(&job->reporter);
    if (status != WEFT_OK || weft_diagnostic_count(job->c))
        reporter_end(&job->reporter);
    compile_add_inputs(job);
    wanted_kernels_note(&job->wanted, job->c);
    WEFT_ASSERT(!job->both || job->emit.form == WEFT_EMIT_CPP);
    if (job->form == WEFT_EMIT_PTX)
        write_ptx(job, path);
    else if (job->both && job->wrote)
        write_other_device(job);
    if (status == WEFT_BAD_ARGUMENT)
        cli_error("%s with --kernel, or a folder with -o", weft_message(job->c));
    compile_raise(job, status == WEFT_STOPPED ? CLI_OK : cli_status(status));
    if (status == WEFT_OK)
        compile_count_made(job, path);
    cli_show_diagnostics(&job->diagnostics, job->c);
    return !job->reporter.no_memory;
}

/* One operand, into whatever output is open; NULL with `programs`, which opens files of its own. */
static void compile_program(compile_job *job, const char *path)
{
    job->to = job->form == WEFT_EMIT_PTX ? &job->cuda : job->out ? &job->out->text : NULL;
    job->cuda.n = 0;
    job->wrote = false;
    job->made.all++;
    const weft_status status =
        job->record ? weft_emit_text(job->c, path, job->text.p, job->text.n, &job->emit)
                    : weft_emit_file(job->c, path, &job->emit);
    if (!finish_program(job, path, status))
        mem_fail(job->args->arena->m);
}

/* --- outputs --------------------------------------------------------------------------------- */

/* The file is kept only if something was written: a program with one good and one bad kernel has a
 * text, one without kernels or with errors only leaves the file of that name as it was. */
int compile_finish(output *out, const char *path, int status)
{
    const bool any = out->any || out->text.n;
    const int error = output_close(out, status != CLI_INTERRUPTED && status != CLI_IO && any);
    if (!error)
        return status;
    const int failed = cli_output_failed(path, error);
    return status == CLI_INTERRUPTED ? status : failed;
}

/* FOLDER/NAME.EXTENSION for SOME/WHERE/NAME.py, FOLDER/sub/NAME.EXTENSION for DIR/sub/NAME.py of
 * the operand DIR. Two files of one name collide, which output_open refuses as a path that is
 * taken. */
static const char *path_in_folder(compile_job *job, const source_file *file)
{
    WEFT_ASSERT(job->folder && *weft_emit_extension(job->form));
    const char *name = job->record ? job->record : file->path + file->start;
    const char *slash = strrchr(name, '/');
    const char *dot = strrchr(name, '.'), *first = slash ? slash + 1 : name;
    const size_t n = dot && dot > first && !job->record ? (size_t)(dot - name) : strlen(name);
    arena *a = job->args->arena;
    const char *file_name =
        arena_printf(a, "%.*s.%s", (int)n, name, weft_emit_extension(job->form));
    return path_join(a, job->folder, str_c(file_name));
}

/* The file's own status decides whether its output is kept; the job's is the worst of all. */
static void compile_into_folder(compile_job *job, const source_file *file)
{
    WEFT_ASSERT(!job->out); /* the file before is closed */
    const char *to = path_in_folder(job, file);
    const int before = job->status,
              error = output_open(&job->file, job->args->arena, to, &job->used);
    if (error) {
        reporter_end(&job->reporter);
        compile_raise(job, cli_output_failed(to, error));
        return;
    }
    job->out = &job->file;
    job->status = CLI_OK;
    compile_program(job, file->path);
    job->out = NULL;
    job->status = compile_finish(&job->file, to, cli_interrupted() ? CLI_INTERRUPTED : job->status);
    compile_raise(job, before);
}

/* --- all operands ---------------------------------------------------------------------------- */

/* The text is the context's until its next use, and needed beside each program. */
static void read_shim(compile_job *job)
{
    const char *text;
    size_t size;
    if (weft_standalone_shim(job->c, &text, &size) != WEFT_OK)
        mem_fail(job->args->arena->m);
    job->shim = (str){arena_dup(job->args->arena, text, size), size};
}

/* May a bar stand on the terminal? Not where the text itself goes to it, nor for programs and PTX,
 * which print messages of their own. */
static bool is_quiet_output(const compile_job *job)
{
    return job->sources.n > 1 && !job->programs && job->form != WEFT_EMIT_PTX &&
           (job->folder || job->form == WEFT_EMIT_NONE || !isatty(STDOUT_FILENO));
}

bool compile_one(compile_job *job, const source_file *file)
{
    if (job->folder)
        compile_into_folder(job, file);
    else
        compile_program(job, file->path);
    return !job->out || output_flush(job->out) == 0;
}

/* Under mem_try: the operands in order, until an interrupt or an output that fails. A kernel that
 * no file had is not reported after a failure, where it may be in a file that was not read. */
static void compile_all(void *arg)
{
    compile_job *job = arg;
    if (job->shim_wanted)
        read_shim(job);
    for (uint32_t i = 0; i < job->sources.n; i++) {
        if (cli_interrupted())
            return;
        if (is_quiet_output(job))
            reporter_sources(&job->reporter, i, job->sources.n);
        if (job->sources.v[i].is_set)
            compile_set(job, job->sources.v[i].path);
        else if (!compile_one(job, &job->sources.v[i]))
            return;
    }
    reporter_end(&job->reporter);
    if (job->status < CLI_IO && wanted_kernels_missing(&job->wanted))
        compile_raise(job, CLI_BAD_INPUT);
    compile_report_made(job);
}

/* mem_try may have been left while a file of the folder was open: its temporary file is removed. An
 * interrupt ends work in the same way, and is not reported as a lack of memory. */
static void end_without_memory(compile_job *job)
{
    reporter_end(&job->reporter);
    if (!cli_interrupted())
        compile_out_of_memory();
    job->status = CLI_IO;
    if (job->out == &job->file)
        output_close(job->out, false);
}

/* Both devices unless --device chooses: a line of --emit json then holds both texts. */
static weft_status new_context(compile_job *job)
{
    static const unsigned devices[] = {WEFT_CPU, WEFT_CUDA, WEFT_CPU | WEFT_CUDA};
    const weft_status status =
        cli_context_new(job->args, devices[cli_choice(job->args, OPT_DEVICE, 2)], &job->c);
    if (status == WEFT_OK)
        wanted_kernels_set(&job->wanted, job->c);
    return status;
}

/* What the library calls while it compiles. */
static void set_functions(compile_job *job)
{
    job->emit.write = gather;
    job->emit.program = job->programs ? compile_put_program : NULL;
    job->emit.name = compile_name_program;
    job->emit.arg = job;
}

/* The job's outputs and options are set; its context is made and freed here. */
int compile_operands(compile_job *job)
{
    reporter_init(&job->reporter, job->args);
    set_functions(job);
    sb_init(&job->cuda, job->args->arena->m);
    if (new_context(job) != WEFT_OK || !mem_try(job->args->arena->m, compile_all, job))
        end_without_memory(job);
    reporter_end(&job->reporter);
    if (cli_interrupted())
        job->status = CLI_INTERRUPTED;
    if (job->c && job->status != CLI_INTERRUPTED)
        cli_show_timings(job->c);
    sb_clear(&job->cuda);
    weft_context_free(job->c);
    return job->status;
}
