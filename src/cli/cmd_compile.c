/* weft compile: the kernels of Python files, as text. */
#include <sys/stat.h>

#include "base/format.h"
#include "cli/compile_job.h"

/* Without --emit the device decides. */
static void choose_form(compile_job *job)
{
    const int device = cli_choice(job->args, OPT_DEVICE, 1);
    job->form = weft_emit_form(cli_get(job->args, OPT_EMIT));
    job->both = job->form < 0 && device == 2;
    if (job->form < 0)
        job->form = device == 1 ? WEFT_EMIT_CU : WEFT_EMIT_CPP;
    WEFT_ASSERT(weft_emit_name(job->form)); /* cli_parse has checked the choice */
    job->emit.form = job->form == WEFT_EMIT_PTX ? WEFT_EMIT_CU : job->form;
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
    for (size_t i = 0; (letter = weft_emit_stage(i, &name)) && n < sizeof list - 48; i++) {
        const char entry[] = {',', ' ', letter, ':', ' ', 0};
        if (!strstr(list, entry)) /* some run twice */
            n += format_text(list + n, sizeof list - n, "%s%s", entry + (i ? 0 : 2), name);
    }
    return cli_usage_error(args, "--dump takes letters of stages: %s", list);
}

static bool is_stage(char c)
{
    char letter;
    bool known = false;
    for (size_t i = 0; !known && (letter = weft_emit_stage(i, NULL)); i++)
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

/* Programs go to folders below -o DIR, unless that is a .cu file or standard output. */
static bool wants_folders(const char *path)
{
    const size_t n = path ? strlen(path) : 0;
    return n && strcmp(path, "-") != 0 && (n < 3 || strcmp(path + n - 3, ".cu") != 0);
}

/* --dump and --elements. False after a message. */
static bool read_details(compile_job *job)
{
    uint64_t elements = 0;
    const cli_args *args = job->args;
    job->emit.stages = cli_get(args, OPT_DUMP);
    if (job->emit.stages && !are_stages(job->emit.stages))
        return refuse_stages(args), false;
    if (!cli_number(args, OPT_ELEMENTS, WEFT_ELEMENTS_MAX, &elements))
        return false;
    if (cli_has(args, OPT_ELEMENTS) && !elements)
        return cli_usage_error(args, "--elements is at least 1"), false;
    job->emit.elements = (uint32_t)elements;
    return true;
}

/* PTX needs a compiler to be found first. */
static int compile_all(compile_job *job)
{
    return job->form == WEFT_EMIT_PTX ? compile_operands_to_ptx(job) : compile_operands(job);
}

/* Outputs that are opened later, for each file or program. */
static int compile_into(compile_job *job, const char *folder)
{
    if (job->form == WEFT_EMIT_STANDALONE && wants_folders(folder))
        job->programs = folder;
    else
        job->folder = folder;
    return compile_all(job);
}

/* Options that do not fit each other are refused before an output is opened. */
int cmd_compile(cli_args *args)
{
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    output out;
    compile_job job = {.args = args, .emit = {.size = sizeof job.emit}};
    const char *path = cli_get(args, OPT_OUTPUT);
    choose_form(&job);
    if (!read_details(&job))
        return CLI_USAGE;
    job.shim_wanted = cli_has(args, OPT_CPU_SHIM);
    job.emit.found = compile_wanted_kernels(args, &job.emit.kernels, &job.emit.kernel_count);
    file_set_init(&job.used, args->arena);
    cli_add_operands(&job.used, args);
    if (is_folder(path) && (job.both || job.form == WEFT_EMIT_NONE))
        return cli_usage_error(args, "into a folder goes what --emit says: cpp, cu, json, ...");
    if (is_folder(path) || (job.form == WEFT_EMIT_STANDALONE && wants_folders(path)))
        return compile_into(&job, path);
    job.out = &out;
    const int error = output_open(&out, args->arena, path, &job.used);
    if (error)
        return cli_output_failed(path, error);
    return compile_finish(&out, path, compile_all(&job));
}
