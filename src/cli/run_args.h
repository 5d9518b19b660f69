/* The arguments of `weft run`: texts and .npy files as values of a kernel's parameters, their
 * adjoints, and the files that are written afterwards. */
#ifndef WEFT_CLI_RUN_ARGS_H
#define WEFT_CLI_RUN_ARGS_H

#include "cli/cli.h"
#include "launch/launch_args.h"

/* The values of all parameters, or their adjoints. */
typedef struct run_args {
    const cli_args *args;
    ctx *c;
    cli_option_id from, to; /* the options that give and save them: --arg and --save, or
                               --adjoint and --save-grad */
    const char *const *given;
    uint32_t ngiven;
    bool *used;  /* one for each of `given` */
    arena texts; /* the file that is being read */
    launch_source source;
    launch_args set;
    int status; /* CLI_OK, or that of the first error */
} run_args;

/* Each is false after a message; r->status tells the rest. run_args_read needs c, from and to. */
bool run_args_read(run_args *r, const kernel *k);
/* Adjoints like the values of `primal`: given by option, else zeros. */
bool run_args_mirror(run_args *r, const kernel *k, const run_args *primal);
/* run_save.c */
/* Can what --save names be saved? */
bool run_args_check_saves(run_args *r);
/* Writes all the files, or none; gives the status. */
int run_args_save(const run_args *const *sets, uint32_t n);
/* Is no file named twice? */
bool run_saves_differ(const cli_args *args);

/* run_value.c */
bool run_refuse(run_args *r, int status, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* A number or composite from "1.5", "[1,2]" or "@FILE.npy". */
bool run_value_read(run_args *r, const char *path, const type *t, const char *text, rvalue *out);
/* "@FILE.npy" or "zeros:SHAPE" as an array of items of type `item`; it goes to a. */
bool run_npy_read(run_args *r, arena *a, const char *path, const char *text, const type *item,
                  int ndim, npy *out);

#endif
