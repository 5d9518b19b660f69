/* What `weft compile` and `weft check` share: compiling the files named on the command line. */
#ifndef WEFT_CLI_COMPILE_H
#define WEFT_CLI_COMPILE_H

#include "base/output.h"
#include "cli/cli.h"
#include "cli/diag_text.h"
#include "driver/pipeline.h"

typedef enum compile_kind {
    COMPILE_CPP,
    COMPILE_CU,
    COMPILE_JSON,
    COMPILE_AST,
    COMPILE_IR,
    COMPILE_NONE,
    COMPILE_BOTH /* cpp, then cu */
} compile_kind;

typedef struct compile_job {
    const cli_args *args;
    pipeline p;
    compile_kind kind;
    output *out; /* NULL: COMPILE_NONE */
    const char *const *wanted;
    uint32_t nwanted;
    bool *met; /* of each wanted kernel: was it in some file? */
    diag_form form;
    bool color;
    int status;
} compile_job;

/* Compiles all operands of the command; gives the exit status. */
int compile_files(compile_job *job);

/* compile_write.c: what is written for one file, by kind. */
void compile_write_program(compile_job *job, const program *prog, const char *path);

/* Prints the context's diagnostics and turns them into the job's status. */
void compile_tell(compile_job *job);
bool compile_wants(compile_job *job, const kernel *k);

#endif
