/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of `weft compile` share. cmd_compile.c reads the options and decides where the
 * text goes, compile_operands.c takes the operands one after another, compile_records.c those that
 * are data sets, compile_made.c says of which nothing was made, compile_programs.c and
 * compile_ptx.c write what the library does not write itself. The text goes one of three ways:
 *
 *     out                one file or standard output for all operands
 *     folder, out=&file  FOLDER/NAME.EXTENSION for each file, FOLDER/ID.EXTENSION for each record
 *     programs           PROGRAMS/KERNEL/ for each kernel, PROGRAMS/ID_KERNEL/ for that of a
 *                        record, by compile_put_program */
#ifndef WEFT_CLI_COMPILE_JOB_H
#define WEFT_CLI_COMPILE_JOB_H

#include "base/str_map.h"
#include "cli/cli_context.h"
#include "cli/cli_output.h"
#include "cli/reporter.h"
#include "cli/source_files.h"
#include "cli/wanted_kernels.h"

/* Of which files something was written. */
typedef struct compile_made {
    uint32_t all;            /* files and records that were compiled */
    uint32_t files, without; /* of which something was written; which have no kernel to write */
    const char *path;        /* the first of those without; NULL: there is none */
    const char *why;         /* what was said of it; NULL: it has no kernel */
} compile_made;

/* One `weft compile`, from the options to the exit status. */
typedef struct compile_job {
    reporter reporter; /* first: callbacks that take memory begin with it */
    const cli_args *args;
    weft_context *c;
    weft_emit_options emit; /* its functions get the job */
    wanted_kernels wanted;  /* of --kernel */
    source_files sources;   /* what the operands name */
    int form;               /* of --emit; emit.form, but for PTX */
    bool both;              /* after the text for the CPU that for CUDA */
    output *out;            /* where the text goes; NULL: nothing is written, or a file for each */
    output file;            /* of the operand in work, when there is a folder */
    strbuf *to;             /* what the library writes is appended to this: out->text, or cuda */
    str text;               /* of the record in work; p is NULL: a file is read */
    const char *record;     /* what names it; NULL: it is a file */
    bool any_record;        /* of the data set in work */
    str_map records;        /* the names of records so far, and the last number behind each */
    bool wrote;             /* something was written of the operand in work */
    compile_made made;
    strbuf cuda;          /* for PTX: the text to compile */
    file_set used;        /* what is read, and where the outputs go */
    const char *folder;   /* -o names a folder: each file's text goes to a file of its own there */
    const char *programs; /* the folder of the programs; NULL: they go to `out` */
    VEC(const char *) names; /* of programs so far */
    bool shim_wanted;        /* cuda_on_cpu.h goes beside each program */
    str shim;                /* its text */
    weft_context *ptx;       /* for PTX: what compiles the CUDA text */
    cli_diagnostics diagnostics;
    int status; /* the largest so far */
} compile_job;

/* Compiles all operands; gives the exit status. */
int compile_operands(compile_job *job);
/* The status becomes the larger of both. */
void compile_raise(compile_job *job, int status);
/* Closes *out, and throws its file away unless the status says that it is good; gives the status
 * that follows. */
int compile_finish(output *out, const char *path, int status);
/* Adds the files that the context has read in its present call: none may be written. */
void compile_add_inputs(compile_job *job);

/* A Python file, or the record in work, into whatever output there is. False: an output failed,
 * which ends the command. */
bool compile_one(compile_job *job, const source_file *file);
/* compile_records.c: the records of a data set. */
void compile_set(compile_job *job, const char *path);

/* compile_made.c. Counts the file that was compiled last. */
void compile_count_made(compile_job *job, const char *path);
/* Counts a data set without records. */
void compile_count_empty(compile_job *job, const char *path);
/* At the end: nothing made is an error, and files without kernels beside others are noted. */
void compile_report_made(compile_job *job);

/* compile_programs.c: for weft_emit_options, with job->programs. */
int compile_put_program(void *job, const weft_program *program);
const char *compile_name_program(void *job, const char *proposed);

/* compile_ptx.c: writes a module's CUDA text as PTX, or prints what the compiler says of it. */
void compile_write_ptx(compile_job *job, str cuda, const char *path);
/* `weft compile --emit ptx`: finds what compiles, compiles all operands; gives the exit status. */
int compile_operands_to_ptx(compile_job *job);

/* The message of a program that takes too much memory. */
void compile_out_of_memory(void);

#endif
