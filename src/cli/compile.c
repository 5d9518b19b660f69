/* Compiles the files of a command line one after the other: load, lower, write, tell the errors. */
#include "cli/compile.h"

#include <errno.h>
#include <unistd.h>

#include "base/c_locale.h"
#include "base/file.h"
#include "lint/lint.h"
#include "syntax/parser.h"

void compile_raise(compile_job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

diag_severity compile_severity(const compile_job *job, const diag *d)
{
    const bool remark = d->id == DIAG_GENERIC_KERNEL ? !job->nwanted : lint_is_remark(d->id);
    return remark ? DIAG_IS_WARNING : DIAG_IS_ERROR;
}

/* Raises the status for errors; --quiet hides remarks only. */
static void tell_one(compile_job *job, strbuf *b, const diag *d)
{
    const diag_severity severity = compile_severity(job, d);
    if (severity == DIAG_IS_ERROR)
        compile_raise(job, d->id == DIAG_CANNOT_READ ? CLI_IO : CLI_BAD_INPUT);
    else if (cli_has(job->args, OPT_QUIET))
        return;
    if (job->form == DIAG_AS_JSON) {
        diag_put_json(b, d, severity);
        sb_char(b, '\n');
    } else {
        diag_put_text(b, d, severity, job->color);
    }
}

void compile_tell(compile_job *job)
{
    const ctx *c = &job->p.c;
    strbuf b;
    sb_init(&b, &job->p.c.mem);
    for (uint32_t i = 0; i < c->diags.n; i++)
        tell_one(job, &b, &c->diags.v[i]);
    if (c->diags.n == DIAG_MAX && job->form == DIAG_AS_TEXT)
        sb_printf(&b, "weft: error: %d errors: others are not shown [too-many-errors]\n", DIAG_MAX);
    if (b.n)
        fwrite(b.p, 1, b.n, stderr);
    sb_clear(&b);
}

bool compile_wants(compile_job *job, const kernel *k)
{
    bool wanted = job->nwanted == 0;
    for (uint32_t i = 0; i < job->nwanted; i++) {
        if (str_eq(k->key, str_c(job->wanted[i])) || strcmp(k->code.name->s, job->wanted[i]) == 0)
            wanted = job->met[i] = true;
    }
    return wanted;
}

bool compile_read(compile_job *job, const char *path, source *src)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    src->path = is_stdin ? "<stdin>" : path;
    const int error = file_read(&job->p.c.module, is_stdin ? "/dev/stdin" : path, &src->text);
    if (error)
        diag_error(&job->p.c, (span){0}, DIAG_CANNOT_READ, src->path, error_text(error));
    return !error;
}

/* Trees of large files are many times their text: written out piece by piece. */
static void write_piece(void *out, strbuf *text)
{
    (void)text;
    (void)output_flush(out);
}

static void write_ast(compile_job *job, const char *path)
{
    source *src = ARENA_NEW(&job->p.c.module, source); /* diagnostics point to it */
    const ast_Module *tree = compile_read(job, path, src) ? parse_module(&job->p.c, src) : NULL;
    if (!tree)
        return;
    ast_dump_module(&job->out->text, tree, write_piece, job->out);
    sb_char(&job->out->text, '\n');
}

/* Standard input has no path to read again: it is loaded as text. */
static const program *load(compile_job *job, const char *path)
{
    source src = {0};
    if (strcmp(path, "-") != 0)
        return pipeline_load(&job->p, path);
    return compile_read(job, path, &src) ? pipeline_load_text(&job->p, src.path, src.text) : NULL;
}

/* The pipeline is reset after each file: memory stays that of one. */
void compile_file(compile_job *job, const char *path)
{
    if (job->kind == COMPILE_AST) {
        write_ast(job, path);
    } else {
        const program *prog = load(job, path);
        if (prog && job->kind == COMPILE_STANDALONE)
            compile_write_standalone(job, prog);
        else if (prog)
            compile_write_program(job, prog, path);
    }
    compile_tell(job);
    pipeline_reset(&job->p);
}

/* After errors there is a file only if something was good. */
int compile_finish(output *out, const char *path, int status)
{
    const bool any = status == CLI_OK || out->any || out->text.n;
    const int error = output_close(out, status != CLI_INTERRUPTED && status != CLI_IO && any);
    if (!error)
        return status;
    const int failed = cli_output_failed(path, error);
    return status == CLI_INTERRUPTED ? status : failed;
}

/* FOLDER/NAME.EXTENSION for the file FOLDERS/NAME.py */
static const char *path_in_folder(compile_job *job, const char *path)
{
    static const char *const extensions[] = {"cpp", "cu", "json", "ast", "ir", "ptx"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const size_t n = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    const size_t room = strlen(job->folder) + n + 8;
    char *out = arena_alloc(job->args->arena, room);
    snprintf(out, room, "%s/%.*s.%s", job->folder, (int)n, name, extensions[job->kind]);
    return out;
}

/* The file's own status decides whether its output is kept; the job's is the worst of all. */
static void compile_into_folder(compile_job *job, const char *path)
{
    const char *to = path_in_folder(job, path);
    const int before = job->status,
              error = output_open(&job->file, job->args->arena, to, &job->used);
    if (error) {
        compile_raise(job, cli_output_failed(to, error));
        return;
    }
    job->out = &job->file;
    job->status = CLI_OK;
    compile_file(job, path);
    job->out = NULL;
    job->status = compile_finish(&job->file, to, cli_interrupted() ? CLI_INTERRUPTED : job->status);
    compile_raise(job, before);
}

/* A --kernel that no file had; not after a read error, where it may be in the missing file. */
static void tell_missing_kernels(compile_job *job)
{
    for (uint32_t i = 0; i < job->nwanted; i++)
        if (!job->met[i] && job->status < CLI_IO) {
            cli_error("no kernel is called '%s'", job->wanted[i]);
            compile_raise(job, CLI_BAD_INPUT);
        }
}

/* Under mem_try: the operands in order, until an interrupt or an output that fails. */
static void compile_all(void *arg)
{
    compile_job *job = arg;
    const cli_args *args = job->args;
    for (uint32_t i = 0; i < args->noperands; i++) {
        if (cli_interrupted())
            return;
        const work_stage before = stage_switch(job->p.c.clock, STAGE_OTHER);
        if (job->kind == COMPILE_NONE)
            check_operand(job, args->operands[i]);
        else if (job->folder)
            compile_into_folder(job, args->operands[i]);
        else
            compile_file(job, args->operands[i]);
        stage_switch(job->p.c.clock, STAGE_WRITE);
        if (job->out && output_flush(job->out))
            return;
        stage_switch(job->p.c.clock, before);
    }
    tell_missing_kernels(job);
}

static void report_timings(void *arg)
{
    compile_job *job = arg;
    strbuf b;
    sb_init(&b, &job->p.c.mem);
    stage_report(&job->p.clock, &b);
    fwrite(b.p, 1, b.n, stderr);
}

/* What all kinds of output share. */
static void read_options(compile_job *job, pipeline_options *o)
{
    const cli_args *a = job->args;
    uint32_t n;
    o->dirs = cli_all(a, OPT_INCLUDE, &n);
    o->ndirs = n;
    o->memory_limit = (size_t)MEMORY_MEBIBYTES * MEBIBYTE;
    o->stop = cli_stop_flag();
    o->no_backward = cli_has(a, OPT_NO_BACKWARD);
    o->timings = cli_has(a, OPT_TIMINGS);
    job->wanted = cli_all(a, OPT_KERNEL, &job->nwanted);
    job->met = arena_zero(a->arena, job->nwanted + 1);
    job->form = (diag_form)cli_choice(a, OPT_DIAGNOSTICS, DIAG_AS_TEXT);
    job->color = job->form == DIAG_AS_TEXT && diag_wants_color(STDERR_FILENO);
    static const unsigned devices[] = {EMIT_FOR_CPU, EMIT_FOR_CUDA, EMIT_FOR_BOTH};
    o->devices = devices[cli_choice(a, OPT_DEVICE, 2)];
}

/* Inside a guard of the arguments' memory, which outputs use too. */
static void compile_guarded(void *arg)
{
    compile_job *job = arg;
    pipeline_options options = {0};
    read_options(job, &options);
    const bool enough = pipeline_init(&job->p, &options);
    job->p.c.mem.waiting = cli_waiting;
    job->p.c.files = job->used.a ? &job->used : NULL; /* `weft check` writes nothing */
    if (!enough || !mem_try(&job->p.c.mem, compile_all, job))
        mem_fail(job->args->arena->m);
}

/* One guard for the arguments' memory and one for the pipeline's: either may run out. */
int compile_files(compile_job *job)
{
    if (!mem_try(job->args->arena->m, compile_guarded, job)) {
        if (!cli_interrupted())
            cli_error("out of memory: a program takes %d MiB at most", MEMORY_MEBIBYTES);
        job->status = CLI_IO;
        if (job->out == &job->file)
            output_close(job->out, false);
    }
    if (cli_interrupted())
        job->status = CLI_INTERRUPTED;
    if (job->p.options.timings && job->status != CLI_INTERRUPTED)
        mem_try(&job->p.c.mem, report_timings, job);
    operand_walk_close(&job->walk);
    pipeline_clear(&job->p);
    return job->status;
}
