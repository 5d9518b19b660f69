/* SPDX-License-Identifier: Apache-2.0 */
/* From Python text to Warp's text: the passes in order, over one context. For everything that
 * compiles: the public interface, the makers and checkers of records, `weft validate`.
 *
 *     pipeline_init(&p, &options);
 *     mem_try(&p.c.mem, work, &p):   prog = pipeline_load(&p, "k.py");
 *                                    k = pipeline_lower(&p, prog, kernel);
 *                                    pipeline_emit(&p, &k);   k.text[EMIT_CUDA].all
 *     pipeline_clear(&p); */
#ifndef WEFT_DRIVER_PIPELINE_H
#define WEFT_DRIVER_PIPELINE_H

#include "emit/emit.h"

typedef struct pipeline_options {
    program_options program; /* what programs are loaded with */
    unsigned devices;        /* EMIT_FOR_... */
    bool no_backward;        /* as if every kernel said enable_backward=False */
    int block_dim;           /* threads per block, whatever the modules say; 0: as they say */
    bool timings;            /* measure the stages */
    size_t keep_text;        /* trees of files stay for the next program, up to this many bytes */
    size_t memory_limit;     /* bytes; 0: none */
    warp_release warp;       /* whose text; WARP_ANY: the default's */
    const atomic_bool *stop; /* once it is set, work ends as if memory ran out; or NULL */
} pipeline_options;

/* A context ready to compile one program after another. Not shared between threads. */
typedef struct pipeline {
    ctx c;
    emitter *emitter;
    pipeline_options options;
    stage_clock clock;
    sym_mark names; /* symbols that no program brought */
} pipeline;

/* What became of one kernel. */
typedef struct compiled_kernel {
    const kernel *kernel;
    const ir_module *ir;          /* NULL after errors */
    const diag *error;            /* the first; NULL without errors */
    emit_text text[EMIT_DEVICES]; /* until the next kernel is emitted */
    uint32_t nerrors;             /* of its own: what was lowered after the first counts, too */
} compiled_kernel;

/* False: memory ran out. Every other function here must run inside mem_try(&p->c.mem, ...). */
bool pipeline_init(pipeline *p, const pipeline_options *o);
void pipeline_clear(pipeline *p);
/* Forgets the last program: its diagnostics, symbols and types. */
void pipeline_reset(pipeline *p);

/* Diagnostics are in p->c.diags. NULL: the file cannot be read or parsed. */
const program *pipeline_load(pipeline *p, const char *path);
const program *pipeline_load_text(pipeline *p, const char *name, str text);
/* Checks and lowers a kernel; its errors are added to p->c.diags. */
compiled_kernel pipeline_lower(pipeline *p, const program *prog, const kernel *k);
/* Gives back the memory of every k->ir so far: a program of many large kernels then takes the
 * memory of its largest one. */
void pipeline_forget(pipeline *p);
/* The same for callers who want its errors alone. A kernel that is wrong with its module's block
 * size, and right with one that the file states for launches, has none. */
compiled_kernel pipeline_check(pipeline *p, const program *prog, const kernel *k);
/* Letter i of pipeline_dump and the name of its stage; 0: there are no more. Some run twice. */
char pipeline_stage(uint32_t i, const char **name);
/* Appends what the stages whose letters are given make of a lowered kernel, for reading by people.
 * Where it has no plain CUDA text, that is an error in p->c.diags. */
void pipeline_dump(pipeline *p, const program *prog, const compiled_kernel *k, const char *letters,
                   strbuf *out);
/* Fills k->text, for a kernel without errors. */
void pipeline_emit(pipeline *p, compiled_kernel *k);
/* The text of all these kernels as one module. */
str pipeline_emit_module(pipeline *p, const ir_module *const *kernels, uint32_t n,
                         emit_device device);

#endif
