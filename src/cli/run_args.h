/* The arguments of `weft run`: texts and .npy files as values of a kernel's parameters. */
#ifndef WEFT_CLI_RUN_ARGS_H
#define WEFT_CLI_RUN_ARGS_H

#include "cli/cli.h"
#include "interp/interp.h"

/* An array that a parameter, or a field of one, was given. */
typedef struct run_array {
    const char *path; /* "a" or "s.field" */
    const array_view *view;
} run_array;

typedef struct run_args {
    const cli_args *args;
    ctx *c;
    VEC(run_array) arrays;
    int status; /* CLI_OK, or that of the first error */
} run_args;

/* Fills values[k->code.nparams]; false after a message. */
bool run_args_read(run_args *r, const kernel *k, rvalue *values);
/* Writes what --save names; gives the status. Names are checked first, by run_args_check. */
bool run_args_check(run_args *r);
int run_args_save(run_args *r);

#endif
