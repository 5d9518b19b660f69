/* weft compile: the kernels of Python files, as text. */
#include <sys/stat.h>

#include "base/format.h"
#include "cli/compile.h"
#include "standalone/standalone.h"

/* Without --emit the device decides. */
static compile_kind kind_of(const cli_args *args)
{
    static const compile_kind by_device[] = {COMPILE_CPP, COMPILE_CU, COMPILE_BOTH};
    const int what = cli_choice(args, OPT_EMIT, -1);
    return what >= 0 ? (compile_kind)what : by_device[cli_choice(args, OPT_DEVICE, 1)];
}

/* An -o that does not exist is a file to be made. */
static bool is_folder(const char *path)
{
    struct stat st;
    return path && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The stages that --dump may name, for a message: "w lowered, r as read, ...". */
static int refuse_stages(const cli_args *args)
{
    char list[512] = "";
    size_t n = 0;
    const char *name;
    char letter;
    for (uint32_t i = 0; (letter = pipeline_stage(i, &name)) && n < sizeof list - 48; i++) {
        const char entry[] = {',', ' ', letter, ':', ' ', 0};
        if (!strstr(list, entry)) /* some run twice */
            n += format_text(list + n, sizeof list - n, "%s%s", entry + (i ? 0 : 2), name);
    }
    return cli_usage_error(args, "--dump takes letters of stages: %s", list);
}

static bool is_stage(char c)
{
    const char *name;
    char letter;
    bool known = false;
    for (uint32_t i = 0; !known && (letter = pipeline_stage(i, &name)); i++)
        known = letter == c;
    return known;
}

static bool are_stages(const char *letters)
{
    for (const char *p = letters; *p; p++)
        if (!is_stage(*p))
            return false;
    return *letters;
}

/* PTX needs a compiler to be found first. */
static int compile_as_asked(compile_job *job)
{
    return job->kind == COMPILE_PTX ? compile_files_to_ptx(job) : compile_files(job);
}

/* Programs go to folders below -o DIR, unless that is a .cu file or standard output. */
static bool wants_folders(const char *path)
{
    const size_t n = path ? strlen(path) : 0;
    return n && strcmp(path, "-") != 0 && (n < 3 || strcmp(path + n - 3, ".cu") != 0);
}

/* Programs open their own files: the job has no output. */
static int compile_programs(compile_job *job, const char *path)
{
    job->programs = path;
    job->out = NULL;
    return compile_files(job);
}

/* --elements, from 1 up; 0 stays for "as it comes". */
static bool read_elements(const cli_args *args, uint64_t *elements)
{
    if (!cli_has(args, OPT_ELEMENTS))
        return true;
    if (!cli_number(args, OPT_ELEMENTS, STANDALONE_ELEMENTS_MAX, elements))
        return false;
    if (!*elements)
        cli_usage_error(args, "--elements is at least 1");
    return *elements > 0;
}

/* Options that do not fit each other are refused before an output is opened. */
int cmd_compile(cli_args *args)
{
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    const int what = cli_choice(args, OPT_EMIT, -1), device = cli_choice(args, OPT_DEVICE, 2);
    if ((what == COMPILE_CPP && device == 1) ||
        ((what == COMPILE_CU || what == COMPILE_PTX || what == COMPILE_STANDALONE) && device == 0))
        return cli_usage_error(args, "--emit %s is not the text of --device %s",
                               cli_get(args, OPT_EMIT), cli_get(args, OPT_DEVICE));
    output out;
    compile_job job = {.args = args, .kind = kind_of(args), .out = &out};
    file_set_init(&job.used, args->arena);
    cli_add_operands(&job.used, args);
    const char *path = cli_get(args, OPT_OUTPUT);
    if (cli_has(args, OPT_CPU_SHIM) && (what != COMPILE_STANDALONE || !wants_folders(path)))
        return cli_usage_error(args, "--cpu-shim is for --emit standalone with a folder: -o DIR");
    job.dump = cli_get(args, OPT_DUMP);
    if (job.dump && what != COMPILE_IR)
        return cli_usage_error(args, "--dump is for --emit ir");
    if (job.dump && !are_stages(job.dump))
        return refuse_stages(args);
    if (!read_elements(args, &job.elements))
        return CLI_USAGE;
    if (what == COMPILE_STANDALONE && wants_folders(path))
        return compile_programs(&job, path);
    if (is_folder(path)) {
        if (job.kind == COMPILE_BOTH || job.kind == COMPILE_NONE)
            return cli_usage_error(args, "into a folder goes what --emit says: cpp, cu, json, ...");
        job.folder = path;
        job.out = NULL;
        return compile_as_asked(&job);
    }
    const int error = output_open(&out, args->arena, path, &job.used);
    if (error)
        return cli_output_failed(path, error);
    return compile_finish(&out, path, compile_as_asked(&job));
}
