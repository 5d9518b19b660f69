/* SPDX-License-Identifier: Apache-2.0 */
/* weft list: what the options and programs of a user may name, one in a line.
 *
 *     weft list                   ->   categories    kinds of kernels that generate makes, ...
 *     weft list categories        ->   arithmetic, conditional, ...
 *     weft list builtins clamp    ->   clamp(x: Scalar, low: Scalar, high: Scalar)
 *     weft list diagnostics       ->   undefined-name              name '...' is not defined
 *     weft list tasks             ->   text-to-warp         from the task in words to a Warp kernel
 *     weft list formats           ->   compile --emit cu     CUDA text of the module, ... */
#include <string.h>

#include "cli/cli_context.h"
#include "cli/cli_output.h"
#include "cli/reporter.h"
#include "cli/suggest.h"

/* One call. */
typedef struct list_job {
    const cli_args *args;
    const char *word; /* only lines with this; "": all */
    nearest_few near; /* names that resemble the word */
    bool any;         /* something was found */
    strbuf out;
    strbuf line; /* in work */
} list_job;

/* `name` is what a mistyped word is compared with; it may go on with " ..." or "(...)". */
static void end_line(list_job *job, const char *name)
{
    const char *line = sb_cstr(&job->line);
    nearest_few_offer(&job->near, (str){name, strcspn(name, " (")});
    if (strstr(line, job->word)) {
        job->any = true;
        sb_str(&job->out, sb_view(&job->line));
        SB_LIT(&job->out, "\n");
    }
    job->line.n = 0;
}

static int list_categories(list_job *job)
{
    const char *name;
    for (size_t i = 0; (name = weft_category_name(i)); i++) {
        sb_c(&job->line, name);
        end_line(job, name);
    }
    return CLI_OK;
}

static int list_builtins(list_job *job)
{
    weft_context *c;
    const char *const *all;
    size_t n = 0;
    weft_status status = cli_context_new(job->args, WEFT_CPU, &c);
    if (status == WEFT_OK)
        status = weft_builtins(c, &all, &n);
    for (size_t i = 0; i < n; i++) {
        sb_c(&job->line, all[i]);
        end_line(job, all[i]);
    }
    weft_context_free(c);
    if (status == WEFT_NO_MEMORY)
        cli_error("out of memory");
    return cli_status(status);
}

/* Kinds that differ in their hints alone stand side by side: one line. */
static int list_diagnostics(list_job *job)
{
    const weft_diagnostic_kind *kind, *last = NULL;
    for (size_t i = 0; (kind = weft_diagnostic_kind_at(i)); last = kind, i++) {
        if (last && strcmp(last->id, kind->id) == 0 && strcmp(last->message, kind->message) == 0)
            continue;
        sb_printf(&job->line, "%-26s ", kind->id);
        cli_put_pattern(&job->line, kind->message);
        end_line(job, kind->id);
    }
    return CLI_OK;
}

/* A row of format.def. */
typedef struct format_row {
    uint8_t option; /* cli_option_id */
    const char *command, *name, *what;
} format_row;

static const format_row formats[] = {
#define FORMAT(option, command, name, what) {OPT_##option, command, name, what},
#include "cli/format.def"
#undef FORMAT
};

static int list_formats(list_job *job)
{
    enum { INDENT = 30 }; /* columns before what a form is */
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const format_row *f = &formats[i];
        sb_printf(&job->line, "%s --%s %s", f->command, cli_options[f->option].name, f->name);
        sb_repeat(&job->line, ' ', job->line.n < INDENT ? INDENT - job->line.n : 1);
        sb_c(&job->line, f->what);
        end_line(job, f->name);
    }
    return CLI_OK;
}

static int list_tasks(list_job *job)
{
    const char *name;
    for (size_t i = 0; (name = weft_task_name(i)); i++) {
        sb_printf(&job->line, "%-20s %s", name, weft_task_what(i));
        end_line(job, name);
    }
    return CLI_OK;
}

/* --- the command ----------------------------------------------------------------------------- */

/* What can be listed, in the order of the usage line. */
static const struct {
    const char *name, *what;
    int (*list)(list_job *job);
} lists[] = {{"categories", "kinds of kernels, for generate --categories", list_categories},
             {"builtins", "functions that kernels can call, with their parameters", list_builtins},
             {"diagnostics", "what weft reports, for explain ID", list_diagnostics},
             {"formats", "forms of output, by command and option", list_formats},
             {"tasks", "what conversations are about, for generate --tasks", list_tasks}};

/* Of `weft list` alone. */
static int list_lists(list_job *job)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        sb_printf(&job->line, "%-14s%s", lists[i].name, lists[i].what);
        end_line(job, lists[i].name);
    }
    return CLI_OK;
}

static const char list_names[] = "categories|builtins|diagnostics|formats|tasks";

static int print_list(list_job *job, const char *name, int (*list)(list_job *job))
{
    sb_init(&job->out, job->args->arena->m);
    sb_init(&job->line, job->args->arena->m);
    nearest_few_init(&job->near, job->args->arena, str_c(job->word));
    const int listed = list(job);
    int written = listed ? listed : cli_print(job->args, sb_view(&job->out));
    if (!written && !job->any) {
        cli_error("none of the %s contains '%s'", name, job->word);
        suggest_few(&job->near);
        written = CLI_BAD_INPUT;
    }
    sb_clear(&job->line);
    sb_clear(&job->out);
    return written;
}

int cmd_list(cli_args *args)
{
    list_job job = {.args = args, .word = args->noperands > 1 ? args->operands[1] : ""};
    if (args->noperands > 2)
        return cli_usage_error(args, "one word at a time, but '%s' and '%s' are given",
                               args->operands[1], args->operands[2]);
    if (!args->noperands)
        return print_list(&job, "lists", list_lists);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].name, args->operands[0]) == 0)
            return print_list(&job, lists[i].name, lists[i].list);
    cli_usage_error(
        args, "'%s' is no list: there are categories, builtins, diagnostics, formats and tasks",
        args->operands[0]);
    suggest_choice(args, list_names, args->operands[0]);
    return CLI_USAGE;
}
