/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of the library for commands, their diagnostics, and timings on stderr. With
 * --diagnostics json a diagnostic is one line, here cut at the end:
 *
 *     {"file": "bad.py", "line": 5, "column": 12, "end_line": 5, "severity": "error", "id": ... */
#include "cli/cli_context.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "cli/reporter.h"
#include "weft_program.h"

/* It is no error: a search path may serve several machines. */
void cli_warn_missing_folders(const cli_args *args)
{
    uint32_t n;
    const char *const *dirs = cli_all(args, OPT_INCLUDE, &n);
    struct stat st;
    for (uint32_t i = 0; i < n && !cli_has(args, OPT_QUIET); i++)
        if (io_stat(dirs[i], &st) < 0 || !S_ISDIR(st.st_mode))
            fprintf(stderr, "weft: warning: -I %s: there is no such folder\n", dirs[i]);
}

bool cli_check_block_dim(const cli_args *args)
{
    uint64_t n = 1;
    if (!cli_number(args, OPT_BLOCK_DIM, WEFT_BLOCK_DIM_MAX, &n))
        return false;
    return n || (cli_usage_error(args, "--block-dim is at least 1"), false);
}

weft_status cli_context_new(const cli_args *args, unsigned devices, weft_context **out)
{
    return cli_context_for(args, devices, cli_get(args, OPT_WARP), out);
}

weft_status cli_context_for(const cli_args *args, unsigned devices, const char *warp,
                            weft_context **out)
{
    uint32_t n;
    uint64_t block_dim = 0;
    if (!cli_number(args, OPT_BLOCK_DIM, WEFT_BLOCK_DIM_MAX, &block_dim))
        return WEFT_BAD_ARGUMENT;
    const char *const *dirs = cli_all(args, OPT_INCLUDE, &n);
    if (cli_choice(args, OPT_DIAGNOSTICS, DIAG_AS_TEXT) == DIAG_AS_TEXT)
        cli_warn_missing_folders(args);
    const weft_options o = {.size = sizeof o,
                            .include_dirs = dirs,
                            .include_dir_count = n,
                            .devices = devices,
                            .no_backward = cli_has(args, OPT_NO_BACKWARD),
                            .memory_limit = (size_t)MEMORY_MEBIBYTES * MEBIBYTE,
                            .stop = cli_stop(),
                            .timings = cli_has(args, OPT_TIMINGS),
                            .warp = warp,
                            .block_dim = (int)block_dim};
    const weft_status status = weft_context_new(&o, out);
    const char *const *definitions = cli_all(args, OPT_DEFINE, &n);
    return status == WEFT_OK ? weft_set_environment(*out, definitions, n) : status;
}

void cli_diagnostics_init(cli_diagnostics *d, const cli_args *args)
{
    *d = (cli_diagnostics){.args = args};
    d->form = (diag_form)cli_choice(args, OPT_DIAGNOSTICS, DIAG_AS_TEXT);
    sarif_init(&d->sarif, args->arena);
}

/* A diagnostic's text is made on demand and takes memory, so it can fail: printing then ends, as it
 * does after an interrupt. The context keeps a limited number of diagnostics; a line for people
 * says so, JSON holds nothing but diagnostics. */
static void print_diagnostics(const cli_args *args, weft_context *c, bool json)
{
    const unsigned form = json                              ? WEFT_DIAGNOSTIC_JSON
                          : diag_wants_color(STDERR_FILENO) ? WEFT_DIAGNOSTIC_COLOR
                                                            : 0u;
    const size_t n = weft_diagnostic_count(c);
    for (size_t i = 0; i < n; i++) {
        const char *text;
        size_t size;
        if (cli_has(args, OPT_QUIET) && weft_diagnostic_at(c, i)->warning)
            continue;
        if (weft_diagnostic_text(c, i, form, &text, &size) != WEFT_OK)
            return;
        fwrite(text, 1, size, stderr);
    }
    if (n == WEFT_DIAGNOSTICS_MAX && !json)
        fprintf(stderr, "weft: error: %d errors: others are not shown [too-many-errors]\n",
                WEFT_DIAGNOSTICS_MAX);
}

void cli_show_diagnostics(cli_diagnostics *d, weft_context *c)
{
    if (d->form == DIAG_AS_SARIF)
        sarif_add(&d->sarif, c, cli_has(d->args, OPT_QUIET));
    else
        print_diagnostics(d->args, c, d->form == DIAG_AS_JSON);
}

void cli_show_problem(cli_diagnostics *d, const char *sentence)
{
    if (d->form == DIAG_AS_SARIF)
        sarif_note(&d->sarif, sentence);
    else
        cli_error("%s", sentence);
}

/* The document is whole, whatever was found. */
int cli_diagnostics_end(cli_diagnostics *d, int status)
{
    strbuf b;
    int written = CLI_OK;
    sb_init(&b, d->args->arena->m);
    if (d->form == DIAG_AS_SARIF && status != CLI_INTERRUPTED) {
        sarif_put(&d->sarif, &b);
        written = cli_print(d->args, sb_view(&b));
    }
    sb_clear(&b);
    sarif_clear(&d->sarif);
    return written ? written : status;
}

void cli_show_timings(weft_context *c)
{
    const char *text;
    size_t size;
    if (weft_timings(c, &text, &size) == WEFT_OK)
        fwrite(text, 1, size, stderr);
}
