/* SPDX-License-Identifier: Apache-2.0 */
/* Help texts and the manual page, both made from the option and command tables. A row of
 * option.def becomes
 *
 *       --ratios A,B[,C]    percent of train and test, or of train, validation and test; 100 in
 *                           all
 *
 * Choices stand before the help: "zstd|gzip: compress the files of JSON lines". */
#include "cli/completion.h"
#include "cli/suggest.h"

enum { HELP_INDENT = 26, HELP_WIDTH = 96 }; /* columns */

/* Prints `text` folded at HELP_WIDTH; the first line begins at column `at`, where the caller
 * stands, and the others are indented to it. A word that is too long for a line is not broken. */
static void print_folded(FILE *out, const char *text, size_t at)
{
    WEFT_ASSERT(at < HELP_WIDTH);
    for (size_t col = at; *text; text += strspn(text, " ")) {
        const size_t n = strcspn(text, " ");
        if (col > at && col + 1 + n > HELP_WIDTH) {
            fprintf(out, "\n%*s", (int)at, "");
            col = at;
        } else if (col > at) {
            fputc(' ', out);
            col++;
        }
        fwrite(text, 1, n, out);
        col += n;
        text += n;
    }
    fputc('\n', out);
}

/* The option and its value on the left, the help from HELP_INDENT on, in a line of its own if the
 * left side is too wide. Options without a letter are indented so that all "--" are in one column.
 * */
static void print_option(FILE *out, const cli_option *o)
{
    char left[80], letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->value ? " " : "",
             o->value ? o->value : "");
    fprintf(out, "%-*s", HELP_INDENT, left);
    if (strlen(left) >= HELP_INDENT)
        fprintf(out, "\n%*s", HELP_INDENT, "");
    char help[1024];
    const int n = snprintf(help, sizeof help, "%s%s%s", o->choices ? o->choices : "",
                           o->choices ? ": " : "", o->help);
    WEFT_ASSERT(n > 0 && (size_t)n < sizeof help); /* else the text would be cut */
    (void)n;
    print_folded(out, help, HELP_INDENT);
}

/* Examples of a command, in the order of its help page. */
static const struct {
    int (*command)(struct cli_args *args);
    const char *words;
} examples[] = {
#define EXAMPLE(command, words) {cmd_##command, words},
#include "cli/example.def"
#undef EXAMPLE
};

void cli_print_help(FILE *out, const cli_command *cmd)
{
    fprintf(out, "usage: weft %s%s%s%s\n\n%s\n\noptions:\n", cmd->name,
            cmd->noptions > 1 ? " [option...]" : "", *cmd->operands ? " " : "", cmd->operands,
            cmd->summary);
    for (uint32_t i = 0; i < cmd->noptions; i++)
        print_option(out, &cli_options[cmd->options[i]]);
    fputs("\nexamples:\n", out);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (examples[i].command == cmd->run)
            fprintf(out, "  weft %s %s\n", cmd->name, examples[i].words);
}

void cli_print_overview(FILE *out)
{
    fputs(
        "usage: weft COMMAND [option...] [operand...]\n\n"
        "Compiles NVIDIA Warp kernels natively: Python text in, Warp's C++ and CUDA text out; and\n"
        "makes, checks and measures training data: pairs of kernels and their texts.\n\n"
        "commands:\n",
        out);
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (!cli_commands[i].hidden)
            fprintf(out, "  %-14s%s\n", cli_commands[i].name, cli_commands[i].summary);
    fputs("\n'weft help COMMAND' explains one; 'weft --version' prints the version.\n"
          "exit status: 0 fine, 1 errors in the input or a failed check, 2 wrong usage,\n"
          "             3 I/O or memory failure, 130 interrupted\n",
          out);
}

/* troff: a leading dot or quote and backslashes and hyphens are special. */
static void man_text(const char *s)
{
    if (*s == '.' || *s == '\'')
        fputs("\\&", stdout);
    for (; *s; s++)
        if (*s == '-' || *s == '\\')
            printf(*s == '-' ? "\\-" : "\\e");
        else
            putchar(*s);
}

static void man_option(const cli_option *o)
{
    fputs(".TP\n.B ", stdout);
    if (o->letter)
        printf("\\-%c, ", o->letter);
    fputs("\\-\\-", stdout);
    man_text(o->name);
    if (o->value)
        printf(" \\fI%s\\fR", o->value);
    putchar('\n');
    if (o->choices) {
        man_text(o->choices);
        fputs(": ", stdout);
    }
    man_text(o->help);
    putchar('\n');
}

static void print_man(void)
{
    puts(".TH WEFT 1 \"\" \"weft " WEFT_VERSION "\"\n.SH NAME\n"
         "weft \\- compile NVIDIA Warp kernels and make training pairs of them\n.SH SYNOPSIS");
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (!cli_commands[i].hidden) {
            printf("%s.B weft %s\n[option...] ", i ? ".br\n" : "", cli_commands[i].name);
            man_text(cli_commands[i].operands);
            putchar('\n');
        }
    puts(".br\n.B weft\n\\-\\-version | \\-\\-help\n.SH COMMANDS");
    for (uint32_t i = 0; i < cli_ncommands; i++) {
        const cli_command *cmd = &cli_commands[i];
        if (cmd->hidden)
            continue;
        printf(".SS weft %s\n", cmd->name);
        man_text(cmd->summary);
        putchar('\n');
        for (uint32_t j = 0; j < cmd->noptions; j++)
            man_option(&cli_options[cmd->options[j]]);
    }
    puts(".SH EXIT STATUS\n0 fine; 1 errors in the input or a failed check; 2 wrong usage;\n"
         "3 I/O or memory failure; 130 interrupted.\n.SH ENVIRONMENT\n.TP\n.B NO_COLOR\n"
         "If set and not empty, diagnostics are printed without colours.");
}

int cmd_help(cli_args *args)
{
    if (cli_has(args, OPT_MAN)) {
        print_man();
        return CLI_OK;
    }
    if (cli_has(args, OPT_COMPLETION)) {
        completion_print(cli_choice(args, OPT_COMPLETION, 0));
        return CLI_OK;
    }
    if (args->noperands > 1)
        return cli_usage_error(args, "one command at a time");
    if (!args->noperands) {
        cli_print_overview(stdout);
        return CLI_OK;
    }
    const cli_command *cmd = cli_find_command(args->operands[0]);
    if (!cmd) {
        cli_usage_error(NULL, "unknown command '%s'", args->operands[0]);
        suggest_command(args->operands[0]);
        return CLI_USAGE;
    }
    cli_print_help(stdout, cmd);
    return CLI_OK;
}
