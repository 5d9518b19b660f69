/* What the files of the public interface (include/weft.h) share: the context behind its handle, and
 * how structs of callers of any version are read and filled. */
#ifndef WEFT_API_API_H
#define WEFT_API_API_H

#include "base/assert.h"
#include "driver/pipeline.h"
#include "weft.h"

struct weft_context {
    mem owner; /* of this struct */
    pipeline p;
    unsigned devices;
    weft_kernel *kernels;
    const ir_module **modules; /* of the kernels without errors */
    size_t nkernels, nmodules;
    weft_diagnostic *diagnostics;
    size_t ndiagnostics;
    char message[600]; /* of the last run */
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

/* weft.c: forgets what the context compiled. */
void api_forget(weft_context *c);
/* Loads a file, or text by a name, of which copies are kept as long as what comes of it. */
const program *api_load(weft_context *c, const char *path, const char *name, str text);
/* Fills the context's list of diagnostics, and gives the status that follows. */
weft_status api_take_diagnostics(weft_context *c);

#endif
