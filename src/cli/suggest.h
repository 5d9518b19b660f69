/* Hints behind the messages about words that nothing on the command line knows: commands, options,
 * values, kernels.
 *
 *     --emti   ->       hint: did you mean '--emit'? */
#ifndef WEFT_CLI_SUGGEST_H
#define WEFT_CLI_SUGGEST_H

#include "base/nearest.h"
#include "cli/cli.h"

/* The word that is meant, of those offered one by one. They must live as long as this. */
typedef struct suggestion {
    nearest near;
    const char *begun; /* the last that begins with the word */
    uint32_t nbegun;
} suggestion;

void suggestion_init(suggestion *s, const char *word);
void suggestion_offer(suggestion *s, const char *word);
/* NULL: none is near enough. */
const char *suggestion_best(const suggestion *s);
/* Prints the hint, if there is a best one; `before` stands before it ("--"). */
void suggestion_show(const suggestion *s, const char *before);

/* "    hint: " and a printf-like sentence, on stderr. */
void cli_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* For a command that does not exist, an option that the command does not have ("--emti=cu", "-emit"),
 * and a value that is none of the choices ("a|b|c"). */
void suggest_command(const char *word);
void suggest_option(const cli_args *a, const char *word);
void suggest_choice(const cli_args *a, const char *choices, const char *word);

#endif
