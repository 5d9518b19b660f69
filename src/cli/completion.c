/* SPDX-License-Identifier: Apache-2.0 */
/* Completion scripts for bash, zsh and fish, made from the tables of commands and options: what
 * `weft help --completion SHELL` prints, and `cmake --install` puts where the shells look.
 *
 *     weft com<Tab>                ->   weft compile
 *     weft compile --em<Tab>       ->   weft compile --emit
 *     weft compile --emit st<Tab>  ->   weft compile --emit standalone
 *     weft list cat<Tab>           ->   weft list categories */
#include "cli/completion.h"

#include <stdio.h>

/* The values of an option, "a|b|c", with spaces between them. */
static void put_choices(const char *choices)
{
    for (; *choices; choices++)
        putchar(*choices == '|' ? ' ' : *choices);
}

static void put_commands(void)
{
    const char *space = "";
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (!cli_commands[i].hidden) {
            printf("%s%s", space, cli_commands[i].name);
            space = " ";
        }
}

/* Are the operands words of a list: "categories|builtins|... [WORD]", or commands? */
static bool has_words(const cli_command *cmd)
{
    return (*cmd->operands >= 'a' && *cmd->operands <= 'z') || cmd->run == cmd_help;
}

static void put_words(const cli_command *cmd)
{
    const size_t n = strcspn(cmd->operands, " ");
    if (cmd->run == cmd_help)
        put_commands();
    for (size_t i = 0; i < n && cmd->run != cmd_help; i++)
        putchar(cmd->operands[i] == '|' ? ' ' : cmd->operands[i]);
}

/* The first clause of a help text, inside single quotes; `escaped` are characters that the shell
 * reads in there and takes with a backslash before them. */
static void put_clause(const char *help, const char *escaped)
{
    for (; *help && *help != ';'; help++) {
        if (*help == '\'')
            fputs("'\\''", stdout);
        else
            printf(strchr(escaped, *help) ? "\\%c" : "%c", *help);
    }
}

/* --- bash ------------------------------------------------------------------------------------ */

/* A case for each option of the command that takes a value from a list. */
static void put_bash_values(const cli_command *cmd)
{
    for (uint32_t j = 0; j < cmd->noptions; j++) {
        const cli_option *o = &cli_options[cmd->options[j]];
        if (!o->choices)
            continue;
        printf("    %s:--%s) COMPREPLY=($(compgen -W \"", cmd->name, o->name);
        put_choices(o->choices);
        fputs("\" -- \"$cur\")); return ;;\n", stdout);
    }
}

/* compile) options="--help ..." words="" ;; */
static void put_bash_command(const cli_command *cmd)
{
    printf("    %s) options=\"", cmd->name);
    for (uint32_t j = 0; j < cmd->noptions; j++)
        printf("%s--%s", j ? " " : "", cli_options[cmd->options[j]].name);
    fputs("\" words=\"", stdout);
    if (has_words(cmd))
        put_words(cmd);
    fputs("\" ;;\n", stdout);
}

static void print_bash(void)
{
    fputs("# bash completion for weft\n_weft()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"",
          stdout);
    put_commands();
    fputs(" --help --version\" -- \"$cur\"))\n        return\n    fi\n"
          "    case ${COMP_WORDS[1]}:$prev in\n",
          stdout);
    for (uint32_t i = 0; i < cli_ncommands; i++)
        put_bash_values(&cli_commands[i]);
    fputs("    esac\n    local options= words=\n    case ${COMP_WORDS[1]} in\n", stdout);
    for (uint32_t i = 0; i < cli_ncommands; i++)
        put_bash_command(&cli_commands[i]);
    fputs("    esac\n    case $cur in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")); return ;;\n    esac\n"
          "    if [ -n \"$words\" ]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    else\n        COMPREPLY=($(compgen -f -- \"$cur\"))\n    fi\n}\n"
          "complete -o filenames -F _weft weft\n",
          stdout);
}

/* --- zsh ------------------------------------------------------------------------------------- */

/* '--emit[whose text]:WHAT:(cpp cu)': see _arguments in zshcompsys(1). */
static void put_zsh_option(const cli_option *o)
{
    fputs(" \\\n        ", stdout);
    if (o->letter)
        printf("'(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
    else
        printf("'*--%s[", o->name);
    put_clause(o->help, "[]");
    putchar(']');
    if (o->value) {
        fputs(":", stdout);
        put_clause(o->value, ":[]");
        fputs(o->choices ? ":(" : ":_files", stdout);
        if (o->choices) {
            put_choices(o->choices);
            putchar(')');
        }
    }
    putchar('\'');
}

static void print_zsh(void)
{
    fputs("#compdef weft\n_weft()\n{\n    local -a commands=(", stdout);
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (!cli_commands[i].hidden) {
            printf("\n        '%s:", cli_commands[i].name);
            put_clause(cli_commands[i].summary, ":");
            putchar('\'');
        }
    fputs("\n        '--help:print help' '--version:print the version'\n    )\n"
          "    if (( CURRENT == 2 )); then\n        _describe command commands\n"
          "        return\n    fi\n    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n",
          stdout);
    for (uint32_t i = 0; i < cli_ncommands; i++) {
        printf("    %s) _arguments -s", cli_commands[i].name);
        for (uint32_t j = 0; j < cli_commands[i].noptions; j++)
            put_zsh_option(&cli_options[cli_commands[i].options[j]]);
        fputs(" \\\n        '*:operand:", stdout);
        fputs(has_words(&cli_commands[i]) ? "(" : "_files", stdout);
        if (has_words(&cli_commands[i])) {
            put_words(&cli_commands[i]);
            putchar(')');
        }
        fputs("' ;;\n", stdout);
    }
    fputs("    esac\n}\n_weft \"$@\"\n", stdout);
}

/* --- fish ------------------------------------------------------------------------------------ */

static void put_fish_option(const char *command, const cli_option *o)
{
    printf("complete -c weft -n '__fish_seen_subcommand_from %s' -l %s", command, o->name);
    if (o->letter)
        printf(" -s %c", o->letter);
    if (o->choices) {
        fputs(" -x -a '", stdout);
        put_choices(o->choices);
        putchar('\'');
    } else if (o->value) {
        fputs(" -r", stdout);
    }
    fputs(" -d '", stdout);
    put_clause(o->help, "");
    fputs("'\n", stdout);
}

static void print_fish(void)
{
    fputs("# fish completion for weft\n"
          "complete -c weft -n __fish_use_subcommand -l help -s h -d 'print help'\n"
          "complete -c weft -n __fish_use_subcommand -l version -s V -d 'print the version'\n",
          stdout);
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (!cli_commands[i].hidden) {
            printf("complete -c weft -n __fish_use_subcommand -f -a %s -d '", cli_commands[i].name);
            put_clause(cli_commands[i].summary, "");
            fputs("'\n", stdout);
        }
    for (uint32_t i = 0; i < cli_ncommands; i++) {
        const cli_command *cmd = &cli_commands[i];
        for (uint32_t j = 0; j < cmd->noptions; j++)
            put_fish_option(cmd->name, &cli_options[cmd->options[j]]);
        if (has_words(cmd)) {
            printf("complete -c weft -n '__fish_seen_subcommand_from %s' -f -a '", cmd->name);
            put_words(cmd);
            fputs("'\n", stdout);
        }
    }
}

void completion_print(int shell)
{
    static void (*const print[])(void) = {print_bash, print_zsh, print_fish};
    print[shell]();
}
