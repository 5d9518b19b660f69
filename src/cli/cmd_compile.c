/* SPDX-License-Identifier: Apache-2.0 */
/* weft compile: writes the kernels of Python files as text of the form that --emit chooses.
 *
 *     compile m.py                        Warp's CUDA text of all kernels, to standard output
 *     compile m.py --device both          the text for the CPU, then that for CUDA
 *     compile a.py b.py --emit json -o D  D/a.json and D/b.json, if D is a folder
 *     compile kernels --emit json         of all Python files in a folder and below
 *     compile m.py --emit standalone -o D D/KERNEL/ for each kernel, each with its own Makefile
 *     compile m.py --emit ptx             the CUDA text, compiled by NVRTC
 *
 * This file reads the options and decides between the four kinds of output; the work is done by
 * compile_operands.c and the files beside it (compile_job.h). */
#include <sys/stat.h>

#include "base/format.h"
#include "cli/compile_job.h"

/* Without --emit the device decides: 0 cpu, 1 cuda (the default), 2 both, as option.def lists them.
 * For PTX the library writes CUDA text, which compile_ptx.c passes on to the compiler. */
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

/* A path that does not exist is a file to be made, unless it ends in a slash. */
static bool is_folder(const char *path)
{
    struct stat st;
    const size_t n = path ? strlen(path) : 0;
    return n && (path[n - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)));
}

/* Lists the stages that --dump may name, each once:
 *
 *     weft: --dump takes letters of stages: w: as lowered, r: as read, s: structurize, ...
 *
 * "--dump ?" is the documented way to print the list: '?' is no stage, so it ends here. */
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

/* Checks --block-dim, which cli_context_new reads; false after a message. */
static bool is_block_dim_good(const cli_args *args)
{
    uint64_t n = 1;
    if (!cli_number(args, OPT_BLOCK_DIM, WEFT_BLOCK_DIM_MAX, &n))
        return false;
    return n || (cli_usage_error(args, "--block-dim is at least 1"), false);
}

/* Reads --dump and --elements; false after a message. `elements` stays 0, the library's default,
 * unless the option is there: hence "--elements 0" is refused. */
static bool read_details(compile_job *job)
{
    uint64_t elements = 0;
    const cli_args *args = job->args;
    job->emit.stages = cli_get(args, OPT_DUMP);
    if (job->emit.stages && !are_stages(job->emit.stages))
        return refuse_stages(args), false;
    if (!is_block_dim_good(args))
        return false;
    if (!cli_number(args, OPT_ELEMENTS, WEFT_ELEMENTS_MAX, &elements))
        return false;
    if (cli_has(args, OPT_ELEMENTS) && !elements)
        return cli_usage_error(args, "--elements is at least 1"), false;
    job->emit.elements = (uint32_t)elements;
    return true;
}

/* For PTX a compiler must be found before the first operand is read. */
static int compile_all(compile_job *job)
{
    return job->form == WEFT_EMIT_PTX ? compile_operands_to_ptx(job) : compile_operands(job);
}

/* For a folder: outputs are opened later, one for each file or, with standalone, for each
 * program. */
static int compile_into(compile_job *job, const char *folder)
{
    WEFT_ASSERT(folder && !job->out);
    if (job->form == WEFT_EMIT_STANDALONE && wants_folders(folder))
        job->programs = folder;
    else
        job->folder = folder;
    return compile_all(job);
}

/* "-" is /dev/stdin, so that an output that is redirected to the same file is found. */
static const char *input_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "/dev/stdin" : path;
}

/* Options that do not fit each other are refused before an output is opened. The operands are added
 * to `used` first, so that an output never replaces an input: "compile m.py -o m.py" ends with a
 * message and status 2. */
static int compile_to(compile_job *job, const char *path)
{
    output out;
    const cli_args *args = job->args;
    job->status = source_files_list(args, &job->sources);
    if (!job->sources.n)
        return job->status;
    for (uint32_t i = 0; i < job->sources.n; i++)
        file_set_add(&job->used, input_of(job->sources.v[i].path));
    if (is_folder(path) && (job->both || job->form == WEFT_EMIT_NONE))
        return cli_usage_error(args, "into a folder goes what --emit says: cpp, cu, json, ...");
    if (is_folder(path) || (job->form == WEFT_EMIT_STANDALONE && wants_folders(path)))
        return compile_into(job, path);
    job->out = &out;
    const int error = output_open(&out, args->arena, path, &job->used);
    if (error)
        return cli_output_failed(path, error);
    return compile_finish(&out, path, compile_all(job));
}

/* Only one of the two may have standard output: the text or the SARIF document. */
static bool has_place_for_sarif(const compile_job *job, const char *path)
{
    return job->form == WEFT_EMIT_NONE || (path && strcmp(path, "-") != 0);
}

int cmd_compile(cli_args *args)
{
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    compile_job job = {.args = args, .emit = {.size = sizeof job.emit}};
    const char *path = cli_get(args, OPT_OUTPUT);
    choose_form(&job);
    if (!read_details(&job))
        return CLI_USAGE;
    cli_diagnostics_init(&job.diagnostics, args);
    if (job.diagnostics.form == DIAG_AS_SARIF && !has_place_for_sarif(&job, path))
        return cli_usage_error(args, "to standard output goes the SARIF document: say by -o where "
                                     "the text goes, or --emit none");
    job.shim_wanted = cli_has(args, OPT_CPU_SHIM);
    wanted_kernels_init(&job.wanted, args);
    job.emit.kernels = job.wanted.names;
    job.emit.kernel_count = job.wanted.n;
    job.emit.found = job.wanted.found;
    file_set_init(&job.used, args->arena);
    return cli_diagnostics_end(&job.diagnostics, compile_to(&job, path));
}
