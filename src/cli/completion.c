/* SPDX-License-Identifier: Apache-2.0 */
/* Completion scripts for bash, zsh and fish, made from the tables of commands and options: what
 * `weft help --completion SHELL` prints, and `cmake --install` puts where the shells look.
 *
 *     weft com<Tab>                ->   weft compile
 *     weft compile --em<Tab>       ->   weft compile --emit
 *     weft compile --emit st<Tab>  ->   weft compile --emit standalone */
#include "cli/completion.h"

#include <stdio.h>

/* The values of an option, "a|b|c", with spaces between them. */
static void put_choices(const char *choices)
{
    for (; *choices; choices++)
        putchar(*choices == '|' ? ' ' : *choices);
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

/* A case for each command, and one for each option that takes a value from a list. */
static void print_bash(void)
{
    fputs("# bash completion for weft\n_weft()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"",
          stdout);
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (!cli_commands[i].hidden)
            printf("%s ", cli_commands[i].name);
    fputs("--help --version\" -- \"$cur\"))\n        return\n    fi\n    case $prev in\n", stdout);
    for (uint32_t i = 0; i < OPT_COUNT_OF; i++)
        if (cli_options[i].choices) {
            printf("    --%s) COMPREPLY=($(compgen -W \"", cli_options[i].name);
            put_choices(cli_options[i].choices);
            fputs("\" -- \"$cur\")); return ;;\n", stdout);
        }
    fputs("    esac\n    local options=\n    case ${COMP_WORDS[1]} in\n", stdout);
    for (uint32_t i = 0; i < cli_ncommands; i++) {
        printf("    %s) options=\"", cli_commands[i].name);
        for (uint32_t j = 0; j < cli_commands[i].noptions; j++)
            printf("%s--%s", j ? " " : "", cli_options[cli_commands[i].options[j]].name);
        fputs("\" ;;\n", stdout);
    }
    fputs("    esac\n    case $cur in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
          "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n    esac\n}\n"
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
    fputs("\n    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
          "        return\n    fi\n    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n",
          stdout);
    for (uint32_t i = 0; i < cli_ncommands; i++) {
        printf("    %s) _arguments -s", cli_commands[i].name);
        for (uint32_t j = 0; j < cli_commands[i].noptions; j++)
            put_zsh_option(&cli_options[cli_commands[i].options[j]]);
        fputs(" \\\n        '*:operand:_files' ;;\n", stdout);
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
    fputs("# fish completion for weft\n", stdout);
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (!cli_commands[i].hidden) {
            printf("complete -c weft -n __fish_use_subcommand -f -a %s -d '", cli_commands[i].name);
            put_clause(cli_commands[i].summary, "");
            fputs("'\n", stdout);
        }
    for (uint32_t i = 0; i < cli_ncommands; i++)
        for (uint32_t j = 0; j < cli_commands[i].noptions; j++)
            put_fish_option(cli_commands[i].name, &cli_options[cli_commands[i].options[j]]);
}

void completion_print(int shell)
{
    static void (*const print[])(void) = {print_bash, print_zsh, print_fish};
    print[shell]();
}
