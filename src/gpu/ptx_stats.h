/* SPDX-License-Identifier: Apache-2.0 */
/* What a text in PTX consists of, kernel by kernel: registers, shared memory, instructions by
 * class. It is counted from the text alone; where there is a ptxas, what it prints is added. Any
 * text may come: one that is no PTX is refused with a line and a reason. For `weft ptx` and
 * metadata.ptx. */
#ifndef WEFT_GPU_PTX_STATS_H
#define WEFT_GPU_PTX_STATS_H

#include "base/str.h"
#include "base/vec.h"

/* What an instruction does, by ptx_opcode.def. */
typedef enum ptx_class {
    PTX_INTEGER,
    PTX_FLOAT,
    PTX_LOGIC,
    PTX_COMPARE,
    PTX_CONVERT,
    PTX_MOVE,
    PTX_MEMORY,
    PTX_ATOMIC,
    PTX_CONTROL,
    PTX_SYNCHRONIZE,
    PTX_OTHER,
    PTX_CLASSES
} ptx_class;

/* Loads and stores without a space are generic. */
typedef enum ptx_space {
    PTX_PARAM,
    PTX_GLOBAL,
    PTX_SHARED,
    PTX_LOCAL,
    PTX_CONST,
    PTX_GENERIC,
    PTX_SPACES
} ptx_space;

/* Virtual registers of one type that a function declares. ptxas assigns machine registers, of which
 * it needs far fewer. */
typedef struct ptx_registers {
    str type; /* "b32", "pred" */
    uint64_t n;
} ptx_registers;

/* A parameter of a function; its type is that of one element where it is an array. */
typedef struct ptx_param {
    str name, type; /* "k_param_0", "u64" */
    uint64_t bytes, align;
} ptx_param;

/* What ptxas prints of a function for one architecture; all but registers in bytes. */
typedef struct ptx_assembled {
    str arch; /* "sm_80" */
    uint64_t registers, stack, spill_stores, spill_loads, shared, constant;
} ptx_assembled;

/* A kernel or device function with a body, and its figures. */
typedef struct ptx_function {
    str name;                     /* as the text has it: mangled, unless it is extern "C" */
    bool is_kernel;               /* else a device function that was not inlined */
    VEC(ptx_registers) registers; /* declared, in the order of the text */
    VEC(ptx_param) params;
    uint64_t param_bytes; /* as they lie in memory */
    uint64_t instructions, of_class[PTX_CLASSES];
    uint64_t loads[PTX_SPACES], stores[PTX_SPACES];
    uint64_t branches, conditional; /* all, and those under a predicate */
    uint64_t calls;
    uint64_t shared, local;       /* bytes; shared: what its body names of the module's too */
    VEC(ptx_assembled) assembled; /* one for each architecture that ptxas was run for */
} ptx_function;

/* A whole text. */
typedef struct ptx_module {
    str version, target; /* "9.0", "sm_80" */
    VEC(ptx_function) functions;
} ptx_module;

/* Everything lives in a or points into the text. NULL, or what is wrong and on which line. */
const char *ptx_read(arena *a, str text, ptx_module *m, uint32_t *line);
/* Adds what `ptxas -v` printed for an architecture to the functions that it names. */
void ptx_add_assembled(arena *a, ptx_module *m, str printed);
/* "saxpy" of "_Z5saxpyfPKfPfi"; other names as they stand. */
str ptx_plain_name(str name);

/* Members of an object: hash, version, target, and an object for each function. */
void ptx_put_module(strbuf *out, str ptx, const ptx_module *m);

#endif
