/* What `weft ptx` shares between its parts: operands to texts (ptx_operand.c), texts to PTX and
 * what is told of it (cmd_ptx.c). */
#ifndef WEFT_CLI_PTX_JOB_H
#define WEFT_CLI_PTX_JOB_H

#include "cli/cli.h"
#include "cli/cli_output.h"
#include "cli/operand_walk.h"
#include "gpu/ptx_make.h"

/* One text on its way. */
typedef struct ptx_item {
    const char *file;     /* as the user named it, or found below what was named */
    uint64_t line;        /* of a record; 0: the file is the text */
    str id;               /* of a record */
    const char *part;     /* "forward", "backward"; NULL: the whole */
    const char *name;     /* of its output, without the architecture */
    const char *compiler; /* that was asked; NULL: none */
    str text;
    bool is_ptx; /* nothing to compile */
} ptx_item;

typedef struct ptx_job {
    const cli_args *args;
    arena work; /* of the text in work, on its own mem's blocks */
    operand_walk walk;
    ptx_tools tools;
    ptx_arch archs[PTX_ARCHS_MAX];
    uint32_t narchs;
    output out;         /* the table, JSON, or the one PTX */
    bool json, ptx_out; /* what goes there */
    bool quiet, assemble, any, stopped;
    file_set used;      /* what is read, and where the PTX goes */
    const char *folder; /* of the PTX; NULL: it is not kept */
    const char *file;   /* its file, when there is one */
    uint64_t good, bad;
    int status;
} ptx_job;

/* Goes through all operands; calls ptx_job_text for each text. */
void ptx_job_operands(ptx_job *job);
/* Compiles, counts and tells one text. */
void ptx_job_text(ptx_job *job, ptx_item *item);
/* "weft: error: " and a message; the command's status will be at least this. */
void ptx_job_fail(ptx_job *job, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
