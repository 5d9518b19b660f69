/* What the files of the public interface (include/weft.h) share: the context behind its handle, and
 * how structs of callers of any version are read and filled. */
#ifndef WEFT_API_API_H
#define WEFT_API_API_H

#include "base/assert.h"
#include "base/file_set.h"
#include "driver/pipeline.h"
#include "weft.h"

struct weft_context {
    mem owner; /* of this struct */
    pipeline p;
    unsigned devices;
    bool names_kernels; /* the call names kernels: a generic one among them is an error */
    weft_kernel *kernels;
    const ir_module **modules; /* of the kernels without errors */
    size_t nkernels, nmodules;
    weft_diagnostic *diagnostics;
    size_t ndiagnostics;
    file_set inputs;     /* what the last call read, in the module arena */
    const char *message; /* of the last call, in the module arena; "": none */
};

/* n zeroed bytes of a fresh owner, or NULL. */
void *api_new(mem *owner, size_t n);
/* Fills the n bytes at `to` from a caller's struct, which begins with its size; what it lacks
 * becomes zero. False: its size cannot be right. */
bool api_take_options(void *to, size_t n, const void *given);
/* Fills the caller's struct of `size` bytes, its first member aside, from ours of n bytes. */
void api_give(void *out, size_t size, const void *ours, size_t n);
/* How many threads: those asked for, or one for each core. */
uint32_t api_jobs(uint32_t wanted);

/* weft.c. Runs fn(arg), which sets *status, on an emptied context. Gives *status; or
 * WEFT_NO_MEMORY, after which the context is empty. WEFT_STOPPED in place of both if the context's
 * weft_stop ended it. */
weft_status api_try(weft_context *c, void (*fn)(void *), void *arg, const weft_status *status);
/* Loads a file, or text by a name, of which copies are kept as long as what comes of it. */
const program *api_load(weft_context *c, const char *path, const char *name, str text);
/* weft_diagnostic.c: fills the context's list of diagnostics, and gives the status that follows. */
weft_status api_take_diagnostics(weft_context *c);
weft_diagnostic api_diagnostic(const weft_context *c, const diag *d);

/* weft_stop.c */
void api_watch_stop(mem *m, const weft_stop *stop);

#endif
