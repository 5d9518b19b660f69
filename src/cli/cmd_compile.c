/* SPDX-License-Identifier: Apache-2.0 */
/* weft compile: writes the kernels of Python files as text of the form that --emit chooses.
 *
 *     compile m.py                        Warp's CUDA text of all kernels, to standard output
 *     compile m.py --device both          the text for the CPU, then that for CUDA
 *     compile a.py b.py --emit json -o D  D/a.json and D/b.json
 *     compile kernels --emit json         of all Python files in a folder and below
 *     compile m.py --emit standalone -o D D/KERNEL/ for each kernel, each with its own Makefile
 *     compile m.py --emit ptx             the CUDA text, compiled by NVRTC
 *     compile SET --emit standalone -o D  D/ID_KERNEL/ for each record of a data set
 *
 * This file reads the options and decides between the four kinds of output; the work is done by
 * compile_operands.c and the files beside it (compile_job.h). */
#include <sys/stat.h>

#include "cli/compile_job.h"

/* "json" of "texts/k.json"; NULL: there is none, as in ".out" and "v1.0/out". */
static const char *extension_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot > name && dot[1] ? dot + 1 : NULL;
}

/* The form of files with the extension of `path`; -1: there is none. "k.json" -> WEFT_EMIT_JSON */
static int form_of_path(const char *path)
{
    const char *given = path ? extension_of(path) : NULL, *extension;
    for (int i = 0; given && (extension = weft_emit_extension(i)); i++)
        if (strcmp(given, extension) == 0)
            return i; /* of cu and standalone the first */
    return -1;
}

/* Without --emit the device decides: 0 cpu, 1 cuda, 2 both, as option.def lists them; without both
 * the extension of the output, else it is cuda. For PTX the library writes CUDA text, which
 * compile_ptx.c passes on to the compiler. */
static void choose_form(compile_job *job)
{
    const int device = cli_choice(job->args, OPT_DEVICE, 1);
    job->form = weft_emit_form(cli_get(job->args, OPT_EMIT));
    if (job->form < 0 && !cli_has(job->args, OPT_DEVICE))
        job->form = form_of_path(cli_get(job->args, OPT_OUTPUT));
    job->both = job->form < 0 && device == 2;
    if (job->form < 0)
        job->form = device == 1 ? WEFT_EMIT_CU : WEFT_EMIT_CPP;
    WEFT_ASSERT(weft_emit_name(job->form)); /* cli_parse has checked the choice */
    job->emit.form = job->form == WEFT_EMIT_PTX ? WEFT_EMIT_CU : job->form;
}

/* One rule for all forms and any number of files. A path that is not there yet is a folder to be
 * made if it ends in a slash or has no extension, and a file otherwise:
 *
 *     -o texts, -o texts/     texts/a.cu, texts/b.cu
 *     -o texts.cu             one file, of all operands
 *
 * A link that leads nowhere yet is a file. */
static bool is_folder(const char *path)
{
    struct stat st;
    const size_t n = path ? strlen(path) : 0;
    if (!n || strcmp(path, "-") == 0)
        return false;
    if (path[n - 1] == '/')
        return true;
    if (stat(path, &st) == 0)
        return S_ISDIR(st.st_mode);
    return lstat(path, &st) != 0 && !extension_of(path);
}

/* "--dump ?" prints the stages that --dump may name, each once: "w  as lowered" and so on. */
static int list_stages(const cli_args *args)
{
    char seen[64] = "";
    const char *name;
    char letter;
    strbuf b;
    sb_init(&b, args->arena->m);
    for (size_t i = 0; (letter = weft_emit_stage(i, &name)); i++) {
        const size_t n = strlen(seen);
        if (strchr(seen, letter) || n + 1 == sizeof seen) /* some run twice */
            continue;
        seen[n] = letter;
        sb_printf(&b, "%c  %s\n", letter, name);
    }
    const int written = cli_print(args, sb_view(&b));
    sb_clear(&b);
    return written;
}

static bool is_stage(char c)
{
    char letter;
    bool known = false;
    for (size_t i = 0; !known && (letter = weft_emit_stage(i, NULL)); i++)
        known = letter == c;
    return known;
}

/* False after a message. */
static bool check_stages(const cli_args *args, const char *letters)
{
    const char *p = letters;
    while (*p && is_stage(*p))
        p++;
    if (*letters && !*p)
        return true;
    cli_usage_error(args,
                    *p ? "--dump has no stage '%.1s': 'weft compile --dump ?' lists them"
                       : "--dump wants letters of stages%.1s: 'weft compile --dump ?' lists "
                         "them",
                    p);
    return false;
}

/* Reads --dump and --elements; false after a message. `elements` stays 0, the library's default,
 * unless the option is there: hence "--elements 0" is refused. */
static bool read_details(compile_job *job)
{
    uint64_t elements = 0;
    const cli_args *args = job->args;
    job->emit.stages = cli_get(args, OPT_DUMP);
    if (job->emit.stages && !check_stages(args, job->emit.stages))
        return false;
    if (job->emit.stages && job->form != WEFT_EMIT_IR)
        return cli_usage_error(args, "--dump is for --emit ir"), false;
    if (!cli_check_block_dim(args))
        return false;
    if (!cli_number(args, OPT_ELEMENTS, WEFT_ELEMENTS_MAX, &elements))
        return false;
    if (cli_has(args, OPT_ELEMENTS) && !elements)
        return cli_usage_error(args, "--elements is at least 1"), false;
    job->emit.elements = (uint32_t)elements;
    return true;
}

/* Options that need a folder, or no folder; false after a message. */
static bool check_output(const compile_job *job, const char *path)
{
    const bool folder = is_folder(path);
    if (job->form == WEFT_EMIT_AST && cli_has(job->args, OPT_KERNEL))
        return cli_usage_error(job->args, "--emit ast prints the tree of a whole file: leave "
                                          "--kernel out"),
               false;
    if (path && !*path)
        return cli_usage_error(job->args, "--output wants a file, a folder or '-'"), false;
    if (folder && job->both)
        return cli_usage_error(job->args, "both texts go to one file or to standard output: for a "
                                          "folder say --emit cpp, cu or json"),
               false;
    if (!folder && cli_has(job->args, OPT_CPU_SHIM))
        return cli_usage_error(job->args,
                               "--cpu-shim is for --emit standalone with a folder: -o DIR"),
               false;
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
    if (job->form == WEFT_EMIT_STANDALONE)
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
    job->sources.takes_sets = true;
    job->status = source_files_list(args, &job->sources);
    if (!job->sources.n)
        return job->status;
    for (uint32_t i = 0; i < job->sources.n; i++)
        file_set_add(&job->used, input_of(job->sources.v[i].path));
    if (is_folder(path))
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
    if (cli_has(args, OPT_DUMP) && strcmp(cli_get(args, OPT_DUMP), "?") == 0)
        return list_stages(args);
    if (!args->noperands)
        return cli_usage_error(args, "no file given");
    compile_job job = {.args = args, .emit = {.size = sizeof job.emit}};
    const char *path = cli_get(args, OPT_OUTPUT);
    choose_form(&job);
    if (!read_details(&job) || !check_output(&job, path))
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
