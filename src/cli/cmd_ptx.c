/* weft ptx: CUDA text compiled to PTX, and what it consists of, kernel by kernel. */
#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "base/c_locale.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/ptx_job.h"
#include "record/record_ptx.h"

void ptx_job_fail(ptx_job *job, int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    cli_verror(fmt, ap);
    va_end(ap);
    if (status > job->status)
        job->status = status;
    job->stopped = job->stopped || status == CLI_IO;
}

/* --- what is told ---------------------------------------------------------------------------- */

/* Once, before the first text: the table's title, or the JSON object's begin. */
static void put_head(ptx_job *job, bool compiled)
{
    strbuf *out = &job->out.text;
    if (job->any || job->ptx_out)
        return;
    job->any = true;
    if (!job->json) {
        if (!job->quiet)
            ptx_put_table_head(out);
        return;
    }
    SB_LIT(out, "{\"warp_headers\": ");
    json_string_or_null(out, compiled ? job->tools.warp_version : NULL);
    SB_LIT(out, ", \"texts\": [");
}

/* Where a text comes from; null for what it does not have. */
static void put_place(strbuf *out, const ptx_item *item, bool first)
{
    sb_c(out, first ? "\n{\"file\": " : ",\n{\"file\": ");
    json_string(out, str_c(item->file));
    SB_LIT(out, ", \"line\": ");
    if (item->line)
        sb_uint(out, item->line);
    else
        SB_LIT(out, "null");
    SB_LIT(out, ", \"id\": ");
    if (item->id.n)
        json_string(out, item->id);
    else
        SB_LIT(out, "null");
    SB_LIT(out, ", \"part\": ");
    json_string_or_null(out, item->part);
    SB_LIT(out, ", \"compiler\": ");
    json_string_or_null(out, item->compiler);
}

/* The figures of a text's functions, as lines or as a JSON object. */
static void tell_good(ptx_job *job, const ptx_item *item, str ptx, const ptx_module *m)
{
    strbuf *out = &job->out.text;
    if (job->ptx_out)
        return;
    if (job->json) {
        put_place(out, item, job->good + job->bad == 0);
        SB_LIT(out, ", ");
        ptx_put_module(out, ptx, m);
        SB_LIT(out, ", \"error\": null}");
    } else if (!job->quiet) {
        for (uint32_t i = 0; i < m->functions.n; i++)
            ptx_put_table_line(out, &m->functions.v[i], m->target);
    }
    job->stopped = output_flush(&job->out) != 0 || job->stopped;
}

/* What the compiler says goes to stderr, and into the JSON object. */
static void tell_bad(ptx_job *job, const ptx_item *item, const char *what, str log)
{
    while (log.n && log.p[log.n - 1] == '\n')
        log.n--;
    if (job->json) {
        put_place(&job->out.text, item, job->good + job->bad == 0);
        SB_LIT(&job->out.text, ", \"error\": ");
        json_string(&job->out.text, log);
        SB_LIT(&job->out.text, "}");
    }
    if (item->line)
        fprintf(stderr, "weft: error: %s:%llu: %.*s: %s: %s:\n", item->file,
                (unsigned long long)item->line, (int)item->id.n, item->id.n ? item->id.p : "",
                item->part ? item->part : "", what);
    else
        fprintf(stderr, "weft: error: %s: %s:\n", item->file, what);
    fprintf(stderr, "%.*s\n", (int)log.n, log.n ? log.p : "");
    if (job->status < CLI_BAD_INPUT)
        job->status = CLI_BAD_INPUT;
    job->bad++;
}

/* --- one text -------------------------------------------------------------------------------- */

/* To standard output, to the file, or as NAME.ARCH.ptx into the folder. False: it could not be
 * written. */
static bool keep_ptx(ptx_job *job, const ptx_item *item, str ptx, const char *target)
{
    if (job->ptx_out) {
        sb_str(&job->out.text, ptx);
        return true;
    }
    const char *path = job->file;
    if (job->folder)
        path = path_join(&job->work, job->folder,
                         str_c(arena_printf(&job->work, "%s.%s.ptx", item->name, target)));
    const int error = path ? output_put(&job->work, path, ptx, &job->used) : 0;
    const int status = cli_output_failed(path, error);
    if (status > job->status)
        job->status = status;
    job->stopped = job->stopped || status >= CLI_IO;
    return !error;
}

/* "sm_80" of the text itself; false: not for ptxas. */
static bool arch_of(const ptx_module *m, ptx_arch *arch)
{
    uint32_t n;
    str unknown;
    ptx_arch list[PTX_ARCHS_MAX];
    char target[PTX_ARCH_NAME + 4] = {0};
    if (m->target.n >= sizeof target)
        return false;
    memcpy(target, m->target.p, m->target.n);
    if (!ptx_read_archs(target, list, &n, &unknown))
        return false;
    *arch = list[0];
    return true;
}

/* Reads the PTX, asks ptxas, tells. A text that ptxas alone refuses is told with its words. */
static void finish_ptx(ptx_job *job, const ptx_item *item, str ptx, const ptx_arch *wanted)
{
    ptx_module m;
    ptx_arch arch;
    uint32_t line;
    str log;
    const char *wrong = ptx_read(&job->work, ptx, &m, &line);
    if (wrong) {
        tell_bad(job, item, "PTX",
                 str_c(arena_printf(&job->work, "%s:%u: error: %s", item->file, line, wrong)));
        return;
    }
    const bool known = wanted ? (arch = *wanted, true) : arch_of(&m, &arch);
    if (job->assemble && job->tools.ptxas && known &&
        !ptx_assemble(&job->tools, &job->work, ptx, &arch, &m, &log)) {
        tell_bad(job, item, "ptxas", log);
        return;
    }
    if (wanted && !keep_ptx(job, item, ptx, arena_printf(&job->work, "sm_%s", wanted->name)))
        return;
    tell_good(job, item, ptx, &m);
    job->good++;
}

/* Once for each architecture; the first that does not compile ends the text. */
static void compile_text(ptx_job *job, ptx_item *item)
{
    const char *why = NULL;
    const ptx_source src = record_ptx_source(&job->work, item->file, item->text);
    if (!ptx_tools_can(&job->tools, &job->work, src.dialect, &why)) {
        ptx_job_fail(job, CLI_IO, "%s", why);
        return;
    }
    item->compiler = ptx_compiler_of(&job->tools, &job->work, &src);
    put_head(job, true);
    for (uint32_t i = 0; i < job->narchs && !job->stopped; i++) {
        const nvrtc_result r = ptx_make(&job->tools, &job->work, &src, &job->archs[i]);
        if (!r.good) {
            tell_bad(job, item, item->compiler, r.log);
            return;
        }
        if (r.log.n && !job->quiet)
            fprintf(stderr, "%.*s\n", (int)r.log.n, r.log.p);
        finish_ptx(job, item, r.ptx, &job->archs[i]);
        job->stopped = job->stopped || cli_interrupted();
    }
}

/* PTX is only read; CUDA text is compiled first. */
void ptx_job_text(ptx_job *job, ptx_item *item)
{
    if (item->is_ptx) {
        put_head(job, false);
        finish_ptx(job, item, item->text, NULL);
    } else {
        compile_text(job, item);
    }
    job->stopped = job->stopped || cli_interrupted();
}

/* --- the command ----------------------------------------------------------------------------- */

/* The JSON object is whole however the command ended, if it was begun. */
static void put_end(ptx_job *job)
{
    typedef unsigned long long big;
    strbuf *out = &job->out.text;
    const bool complete = job->status <= CLI_BAD_INPUT;
    if (job->ptx_out || (!complete && !(job->json && job->any)))
        return;
    if (job->json) {
        put_head(job, false);
        sb_printf(out, "%s], \"good\": %llu, \"bad\": %llu, \"complete\": %s}\n",
                  job->good + job->bad ? "\n" : "", (big)job->good, (big)job->bad,
                  complete ? "true" : "false");
    } else if (!job->quiet) {
        sb_printf(out, "%llu good, %llu bad\n", (big)job->good, (big)job->bad);
    }
}

static int finish(ptx_job *job)
{
    if (cli_interrupted())
        job->status = CLI_INTERRUPTED;
    put_end(job);
    const bool keep = job->status == CLI_OK || (job->status == CLI_BAD_INPUT && !job->ptx_out);
    const int error = output_close(&job->out, keep);
    const int written = cli_output_failed(NULL, error);
    return written ? written : job->status;
}

/* Where the PTX goes: nowhere, to standard output, to one file, or into a folder. */
static int choose_output(ptx_job *job)
{
    const cli_args *a = job->args;
    const char *path = cli_get(a, OPT_OUTPUT);
    struct stat st;
    if (!path)
        return CLI_OK;
    const bool is_one = a->noperands == 1 && job->narchs == 1 && stat(a->operands[0], &st) == 0 &&
                        !S_ISDIR(st.st_mode) && strstr(a->operands[0], ".json") == NULL;
    if (strcmp(path, "-") == 0) {
        job->ptx_out = true;
        if (!is_one || job->json)
            return cli_usage_error(a, "to standard output goes the PTX of one text for one "
                                      "architecture, and no JSON");
        return CLI_OK;
    }
    const bool is_there = stat(path, &st) == 0, is_dir = is_there && S_ISDIR(st.st_mode);
    if (is_one && !is_dir) {
        job->file = path;
        return CLI_OK;
    }
    job->folder = path;
    const int error = is_dir ? 0 : is_there ? ENOTDIR : make_folders(a->arena, path);
    if (error)
        cli_error("cannot make the folder '%s': %s", path, error_text(error));
    return error ? CLI_IO : CLI_OK;
}

typedef struct guarded {
    ptx_job *job;
    bool done;
} guarded;

/* What takes memory, so that the tools are closed if it runs out. */
static void run_guarded(void *arg)
{
    guarded *g = arg;
    const cli_args *a = g->job->args;
    uint32_t nsites;
    const char *const *sites = cli_all(a, OPT_INCLUDE, &nsites);
    ptx_tools_open(&g->job->tools, a->arena, sites, nsites, cli_get(a, OPT_WARP_INCLUDE));
    ptx_job_operands(g->job);
    g->done = true;
}

int cmd_ptx(cli_args *args)
{
    ptx_job job = {.args = args,
                   .json = cli_has(args, OPT_JSON),
                   .quiet = cli_has(args, OPT_QUIET),
                   .assemble = !cli_has(args, OPT_NO_PTXAS)};
    const char *list = cli_get(args, OPT_ARCH);
    str unknown;
    if (!args->noperands)
        return cli_usage_error(args, "no file or folder given");
    if (!ptx_read_archs(list ? list : PTX_DEFAULT_ARCH, job.archs, &job.narchs, &unknown))
        return cli_usage_error(args, "--arch is a list of architectures (sm_75,sm_90), not '%.*s'",
                               (int)unknown.n, unknown.p);
    const int status = choose_output(&job);
    if (status)
        return status;
    arena_init(&job.work, args->arena->m);
    file_set_init(&job.used, args->arena);
    output_open(&job.out, args->arena, NULL, NULL);
    guarded g = {&job, false};
    const bool enough = mem_try(args->arena->m, run_guarded, &g);
    ptx_tools_close(&job.tools);
    operand_walk_close(&job.walk);
    if (!enough)
        mem_fail(args->arena->m);
    return finish(&job);
}
