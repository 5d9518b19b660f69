/* SPDX-License-Identifier: Apache-2.0 */
/* Hints behind the messages about words that nothing on the command line knows: commands, options,
 * values, kernels.
 *
 *     --emti   ->       hint: did you mean '--emit'? */
#ifndef WEFT_CLI_SUGGEST_H
#define WEFT_CLI_SUGGEST_H

#include "base/nearest.h"
#include "cli/cli.h"

/* For a command that does not exist, an option that the command does not have ("--emti=cu",
 * "-emit"), and a value that is none of the choices ("a|b|c"). */
void suggest_command(const char *word);
/* An option before any command: only --version and --help stand there. */
void suggest_global(const char *word);
void suggest_option(const cli_args *a, const char *word);
void suggest_choice(const cli_args *a, const char *choices, const char *word);
/* For a kernel or parameter (`what`) that has none of the n names, or that was not named (word is
 * NULL): the nearest, or the names that there are. */
void suggest_name(const char *what, const char *const *names, size_t n, const char *word);
/* The same for kernels, whose names may stand several times in the list; and that there are none.
 * The arena is for this call alone. */
void suggest_kernel(arena *a, const char *const *names, size_t n, const char *word);
/* "did you mean 'a', 'b' or 'c'?"; nothing if none was found. */
void suggest_few(const nearest_few *f);

#endif
