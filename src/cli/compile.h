/* What `weft compile` and `weft check` share: compiling the files named on the command line. */
#ifndef WEFT_CLI_COMPILE_H
#define WEFT_CLI_COMPILE_H

#include "base/diag_text.h"
#include "cli/cli.h"
#include "cli/cli_output.h"
#include "driver/pipeline.h"
#include "gpu/ptx_make.h"
#include "store/operand_walk.h"

typedef enum compile_kind {
    COMPILE_CPP,
    COMPILE_CU,
    COMPILE_JSON,
    COMPILE_AST,
    COMPILE_IR,
    COMPILE_PTX,
    COMPILE_NONE,
    COMPILE_STANDALONE,
    COMPILE_BOTH /* cpp, then cu */
} compile_kind;

typedef struct compile_job {
    const cli_args *args;
    pipeline p;
    compile_kind kind;
    output *out;          /* NULL: COMPILE_NONE */
    output file;          /* the current one when there is a folder */
    file_set used;        /* what is read, and where the outputs go */
    const char *folder;   /* -o names a folder: each file's text goes to a file of its own there */
    const char *dump;     /* COMPILE_IR: letters of the stages to show; NULL: as lowered */
    uint64_t elements;    /* COMPILE_STANDALONE: of a launch; 0: as it comes */
    const char *programs; /* COMPILE_STANDALONE: the folder that they go to; NULL: job->out */
    VEC(str) folders;     /* their names so far */
    const char *const *wanted;
    uint32_t nwanted;
    const ptx_tools *tools; /* for COMPILE_PTX */
    const ptx_arch *arch;
    bool *met;         /* of each wanted kernel: was it in some file? */
    operand_walk walk; /* COMPILE_NONE */
    diag_form form;
    bool color;
    int status;
} compile_job;

/* Compiles all operands of the command; gives the exit status. */
int compile_files(compile_job *job);
/* The status becomes the larger of both. */
void compile_raise(compile_job *job, int status);
/* Closes *out, and throws its file away unless the status says that it is good; gives the status
 * that follows. */
int compile_finish(output *out, const char *path, int status);

/* One file: loads, lowers, writes, tells the errors. */
void compile_file(compile_job *job, const char *path);
/* The text behind an operand, "-" being standard input; false: told in the context. */
bool compile_read(compile_job *job, const char *path, source *src);

/* check_operand.c: what is wrong with a Python file, CUDA text, all of these in a folder, or the
 * CUDA texts of records. */
void check_operand(compile_job *job, const char *path);

/* compile_write.c: what is written for one file, by kind. */
void compile_write_program(compile_job *job, const program *prog, const char *path);

/* compile_ptx.c: writes a module's CUDA text as PTX, or tells what the compiler says of it. */
void compile_write_ptx(compile_job *job, str cuda, const char *path);
/* `weft compile --emit ptx`: finds what compiles, compiles all operands; gives the exit status. */
int compile_files_to_ptx(compile_job *job);

/* compile_standalone.c: a program of its own for each kernel, in a folder of its own below
 * job->programs; or the text of one kernel's. */
void compile_write_standalone(compile_job *job, const program *prog);

/* Prints the context's diagnostics and turns them into the job's status. */
void compile_tell(compile_job *job);
/* A generic kernel has no text of its own; only who asks for it by name gets an error. */
diag_severity compile_severity(const compile_job *job, const diag *d);
bool compile_wants(compile_job *job, const kernel *k);

#endif
