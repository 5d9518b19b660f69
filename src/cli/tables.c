/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of options and commands, expanded from their .def files. A command's options are a
 * list of ids, --help first:
 *
 *     COMMAND(stats, "DIR|FILE...", ..., OPT_JSON)   ->   stats_options = {OPT_HELP, OPT_JSON} */
#include "cli/cli.h"

/* "|cpp|cu|...": the choices of --emit, behind a bar that EMIT_CHOICES skips. The forms are those
 * of the library, so that a new one is an option without more work. */
static const char emit_names[] =
#define EMIT_FORM(ID, name, extension, kernel, end) "|" name
#include "base/emit_form.def"
#undef EMIT_FORM
    ;
#define EMIT_CHOICES (emit_names + 1)

/* The same of Warp's releases. */
static const char release_names[] =
#define RELEASE(id, name, version) "|" name
#include "base/warp_release.def"
#undef RELEASE
    ;
#define RELEASES (release_names + 1)

const cli_option cli_options[OPT_COUNT_OF] = {
#define OPTION(id, name, letter, value, choices, help) {name, letter, value, choices, help},
#include "cli/option.def"
#undef OPTION
};

#define COMMAND_AS(id, name, operands, hidden, summary, ...)                                       \
    static const uint8_t id##_options[] = {OPT_HELP, __VA_ARGS__};
#include "cli/command.def"
#undef COMMAND_AS

const cli_command cli_commands[] = {
#define COMMAND_AS(id, name, operands, hidden, summary, ...)                                       \
    {name, operands, hidden, summary, id##_options, sizeof id##_options, cmd_##id},
#include "cli/command.def"
#undef COMMAND_AS
};

const uint32_t cli_ncommands = sizeof cli_commands / sizeof *cli_commands;

const cli_command *cli_find_command(const char *name)
{
    for (uint32_t i = 0; i < cli_ncommands; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}
