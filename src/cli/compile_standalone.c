/* weft compile --emit standalone: programs of their own, in folders or one as text. */
#include <errno.h>

#include "base/file.h"
#include "cli/compile.h"
#include "record/record_program.h"

/* False: the message is written and the status raised. */
static bool put_file(compile_job *job, const char *folder, str name, str text)
{
    arena *a = &job->p.c.module;
    const char *path = path_join(a, folder, name);
    const int error = output_put(a, path, text, &job->used);
    compile_raise(job, cli_output_failed(path, error));
    return !error;
}

static bool put_folder(compile_job *job, const char *folder)
{
    const int error = make_folders(&job->p.c.module, folder);
    compile_raise(job, cli_output_failed(folder, error));
    return !error;
}

static str with_extension(arena *a, str name, const char *extension)
{
    const size_t n = strlen(extension);
    char *file = arena_alloc(a, name.n + n + 1);
    memcpy(file, name.p, name.n);
    memcpy(file + name.n, extension, n + 1);
    return (str){file, name.n + n};
}

/* FOLDER/NAME/ with NAME.py, NAME.cu, Makefile, metadata.json and, if wanted, cuda_on_cpu.h. */
static void put_program(compile_job *job, const kernel *k, str name, const standalone_program *p)
{
    arena *a = &job->p.c.module;
    const char *folder = path_join(a, job->programs, name);
    strbuf b;
    if (!put_folder(job, folder) ||
        !put_file(job, folder, with_extension(a, name, ".py"), k->code.src->text) ||
        !put_file(job, folder, with_extension(a, name, ".cu"), p->cu) ||
        !put_file(job, folder, STR("Makefile"), p->makefile))
        return;
    sb_init(&b, &job->p.c.mem);
    const record_program facts = {.name = name, .python = k->code.src->text, .p = p};
    record_program_put_compiled(&b, &facts, k);
    const bool good = put_file(job, folder, STR("metadata.json"), sb_view(&b));
    b.n = 0;
    if (good && cli_has(job->args, OPT_CPU_SHIM)) {
        standalone_put_shim(&b);
        put_file(job, folder, STR(STANDALONE_SHIM), sb_view(&b));
    }
    sb_clear(&b);
}

/* Makefile has targets of its own; keys of kernels hold no letters but ASCII's. */
static str program_name(arena *a, str key)
{
    static const char *const targets[] = {"all", "cpu", "run", "clean", "Makefile"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (str_eq(key, str_c(targets[i])))
            return with_extension(a, key, "_");
    return key.n ? key : STR("kernel");
}

/* The kernel's name; a second kernel of that name is NAME_2. */
static str folder_name(compile_job *job, str key)
{
    arena *a = job->args->arena;
    const str name = program_name(a, key);
    str free = name;
    bool taken = true;
    for (uint32_t number = 2; taken; number++) {
        taken = false;
        for (uint32_t i = 0; i < job->folders.n && !taken; i++)
            taken = str_eq(job->folders.v[i], free);
        if (taken) {
            char digits[16];
            snprintf(digits, sizeof digits, "_%u", number);
            free = with_extension(a, name, digits);
        }
    }
    free.p = arena_dup(a, free.p, free.n);
    VEC_PUSH(a, &job->folders, free);
    return free;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Lowers one kernel, makes its program, writes it. Errors stay in the context. */
static void write_one(compile_job *job, const program *prog, const kernel *k)
{
    ctx *c = &job->p.c;
    compiled_kernel compiled = pipeline_lower(&job->p, prog, k);
    strbuf b, forward;
    standalone_program p;
    if (!compiled.ir)
        return;
    sb_init(&b, &c->mem);
    sb_init(&forward, &c->mem);
    pipeline_emit(&job->p, &compiled);
    emit_whole_forward(&forward, &compiled.text[EMIT_CUDA]);
    if (!job->p.options.no_backward && compiled.ir->options.enable_backward)
        emit_record_backward(&b, &compiled.text[EMIT_CUDA]);
    const str name = job->programs ? folder_name(job, k->key) : k->key;
    const standalone_subject s = {.program = prog,
                                  .kernel = k,
                                  .ir = compiled.ir,
                                  .backward = sb_view(&b),
                                  .forward = sb_view(&forward),
                                  .file = str_c(base_name(k->code.src->path)),
                                  .name = name,
                                  .elements = (uint32_t)job->elements};
    if (standalone_make(c, &s, &p)) {
        if (job->programs)
            put_program(job, k, name, &p);
        else
            sb_str(&job->out->text, p.cu);
    }
    sb_clear(&b);
    sb_clear(&forward);
}

void compile_write_standalone(compile_job *job, const program *prog)
{
    uint32_t n, wanted = 0;
    const kernel *const *kernels = program_kernels(prog, &n);
    for (uint32_t i = 0; i < n && !cli_interrupted(); i++) {
        if (!compile_wants(job, kernels[i]))
            continue;
        if (wanted++ && !job->programs) {
            cli_error("a program holds one kernel: name it with --kernel, or a folder with -o");
            compile_raise(job, CLI_USAGE);
            return;
        }
        write_one(job, prog, kernels[i]);
    }
}
