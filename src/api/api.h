/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the public interface (include/weft.h) share: the context behind its handle, and
 * how structs of callers of any version are read and filled.
 *
 * Every struct of weft.h begins with its size, as the caller's compiler knew it. A caller built
 * against an older weft.h has a shorter struct, say weft_merge_options up to memory_mb:
 *
 *     {.size = 40, ...}   ->   our struct of 64 bytes, of which the last 24 are zero: the defaults
 *
 * A call that fails for lack of memory longjmps to api_try (or mem_try), which gives everything
 * back; no call may leave through a caller's function that way. */
#ifndef WEFT_API_API_H
#define WEFT_API_API_H

#include "base/assert.h"
#include "base/file_set.h"
#include "base/str_map.h"
#include "driver/pipeline.h"
#include "weft.h"
#include "weft_program.h"

typedef struct standalone_program standalone_program; /* standalone/standalone.h */

/* One context serves any number of calls, one at a time. What a call returns (kernels, diagnostics,
 * texts) lives in the module arena of the pipeline until the next call, which api_forget empties.
 * */
struct weft_context {
    mem owner; /* of this struct */
    pipeline p;
    pipeline *gradients;  /* weft_gradient.c: compiles a program again for each kernel; or NULL */
    unsigned devices;     /* as the options say; a call may change p.options.devices for itself */
    bool names_kernels;   /* the call names kernels: a generic one among them is an error */
    weft_kernel *kernels; /* of the last call, in the order of the source */
    const ir_module **modules; /* of the kernels without errors, of those of one name the last */
    size_t nkernels, nmodules;
    const char **names; /* of all kernels of the last program, asked for or not */
    size_t nnames;
    weft_diagnostic *diagnostics; /* in step with p.c.diags */
    size_t ndiagnostics;
    file_set inputs;     /* what the last call read, in the module arena */
    arena paths;         /* of weft_check: what it finds in folders and data sets */
    const char *message; /* of the last call, in the module arena; "": none */
};

/* n zeroed bytes of a fresh owner, for a handle; NULL: no memory. */
void *api_new(mem *owner, size_t n);
/* Fills the n bytes at `to` from a caller's struct, which begins with its size; what it lacks
 * becomes zero. False: its size cannot be right. */
bool api_take_options(void *to, size_t n, const void *given);
/* Fills the caller's struct of `size` bytes, its first member aside, from ours of n bytes. */
void api_give(void *out, size_t size, const void *ours, size_t n);
/* How many threads: `wanted`, or one for each core if it is 0. */
uint32_t api_jobs(uint32_t wanted);

/* weft.c. Runs fn(arg), which sets *status, on an emptied context. Gives *status; or
 * WEFT_NO_MEMORY, after which the context is empty. WEFT_STOPPED in place of both if the context's
 * weft_stop ended it. */
weft_status api_try(weft_context *c, void (*fn)(void *), void *arg, const weft_status *status);
/* The same within fn: forgets what the context compiled, for the next of many files. */
void api_forget(weft_context *c);
/* Is the file not of another kind, by its name? Reports one that is. */
bool api_is_python(weft_context *c, const char *path);
/* Loads a file, or text by a name, of which copies are kept as long as what comes of it. */
const program *api_load(weft_context *c, const char *path, const char *name, str text);
/* Keeps the names of all kernels of a program. */
void api_name_kernels(weft_context *c, const kernel *const *kernels, uint32_t n);
/* Makes room for the lists of n kernels. */
void api_list_kernels(weft_context *c, uint32_t n);
/* Adds a kernel to them; `texts`: with its texts, which are copied. */
void api_add_kernel(weft_context *c, const compiled_kernel *k, bool texts);
/* Gives back the modules so far, for callers who need each kernel's alone. */
void api_forget_modules(weft_context *c);
/* Ends the lists: kernels of one name get others among the modules. */
void api_close_kernels(weft_context *c);

/* weft_emit.c: lowers the wanted kernels of a Python file, or of a text that is called `path`, for
 * its errors. `checked` is called with each of them after that, unless it is NULL; false ends the
 * call. */
typedef bool api_kernel_fn(void *arg, uint32_t index, compiled_kernel *k);
weft_status api_check_python(weft_context *c, const char *path, const str *text,
                             const weft_emit_options *options, api_kernel_fn *checked, void *arg);

/* weft_gradient.c: judges Warp's gradient of a compiled kernel, number `index` of a program from a
 * file, or of `text`; a wrong one becomes an error among the context's. Hands it to `found` and
 * returns what that returns. */
int api_check_gradient(weft_context *c, uint32_t index, compiled_kernel *k, const str *text,
                       int (*found)(void *arg, const weft_gradient *g), void *arg);
/* Frees what it keeps for the next call. */
void api_close_gradients(weft_context *c);

/* weft_standalone.c: the program of its own of a lowered kernel; `name` is that of its files.
 * False: it has none, which is among the context's errors. */
bool api_make_program(weft_context *c, const program *prog, compiled_kernel *k, str name,
                      uint32_t elements, standalone_program *out);
/* weft_diagnostic.c: fills the context's list of diagnostics, and gives the status that follows. */
weft_status api_take_diagnostics(weft_context *c);
/* The same, but warnings alone are no errors. */
weft_status api_take_errors(weft_context *c);
/* The kernel of this name, or without a name the only one. NULL: the context's message says why,
 * and *fault is one of
 *
 *     no kernel is called 'scale'              WEFT_FAULT_KERNEL
 *     there are several kernels: name one      WEFT_FAULT_KERNELS
 *     2 kernels are called 'scale', ...        WEFT_FAULT_KERNELS */
const kernel *api_find_kernel(weft_context *c, const program *prog, const char *name, int *fault);
weft_diagnostic api_diagnostic(const weft_context *c, const diag *d);

/* weft_stop.c */
void api_watch_stop(mem *m, const weft_stop *stop);

#endif
