/* SPDX-License-Identifier: Apache-2.0 */
/* The names that --kernel and --instance give, over all files of a command: which of them were
 * found, and what else there was, for the hint behind the message of those that were not.
 *
 *     compile a.py b.py --kernel scal   ->   weft: error: no kernel is called 'scal'
 *                                                hint: did you mean 'scale'? */
#ifndef WEFT_CLI_WANTED_KERNELS_H
#define WEFT_CLI_WANTED_KERNELS_H

#include "base/vec.h"
#include "cli/cli.h"

typedef struct wanted_kernels {
    arena *a;
    const char *const *names; /* for weft_emit_options and weft_check_options */
    size_t n;
    int *found; /* likewise; one flag for each name, set when a file has such a kernel */
    VEC(const char *) seen;       /* all kernels of all files; none where no name is given */
    const char *const *instances; /* of --instance */
    size_t ninstances;
    /* One flag for each, set when a file has its name; NULL: there is one file, where a name that
     * it lacks is an error in its place. */
    int *instance_found;
} wanted_kernels;

void wanted_kernels_init(wanted_kernels *w, const cli_args *args);
/* Makes the instances with all programs of the context. */
void wanted_kernels_set(const wanted_kernels *w, weft_context *c);
/* After each file: notes the kernels that its program has. May be called within the library. */
void wanted_kernels_note(wanted_kernels *w, const weft_context *c);
/* After all files: prints an error for each name that none of them had; gives their number. */
size_t wanted_kernels_missing(const wanted_kernels *w);

#endif
