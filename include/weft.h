/* weft as a library: NVIDIA Warp kernels in Python text to the C++ and CUDA C++ text that Warp's
 * own code generator writes. Nothing here prints, exits or keeps state outside of a context; a
 * context serves one thread at a time, and any number of contexts may be used at once. */
#ifndef WEFT_H
#define WEFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

typedef struct weft_context weft_context;

typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_INPUT_ERRORS = 1, /* the program has errors: see weft_diagnostics */
    WEFT_BAD_ARGUMENT = 2,
    WEFT_IO_ERROR = 3, /* the file cannot be read: see weft_diagnostics */
    WEFT_NO_MEMORY = 4 /* the context holds no result */
} weft_status;

enum { WEFT_CPU = 1, WEFT_CUDA = 2 };

/* Zero a variable of this type, set `size`, and what is to differ from the defaults. */
typedef struct weft_options {
    size_t size;                     /* sizeof(weft_options) */
    const char *const *include_dirs; /* where imports are searched, after the file's own folder */
    size_t include_dir_count;
    unsigned devices;    /* WEFT_CPU | WEFT_CUDA; 0: both */
    int no_backward;     /* leave adjoints out */
    size_t memory_limit; /* bytes the context may hold; 0: no limit */
} weft_options;

/* One error. Strings belong to the context until its next compilation. */
typedef struct weft_diagnostic {
    const char *id; /* stable: "undefined-name" */
    const char *message;
    const char *hint;      /* or NULL */
    const char *file;      /* or NULL */
    uint32_t line, column; /* from 1; the column in bytes */
    uint32_t end_line, end_column;
} weft_diagnostic;

/* One kernel. Strings belong to the context until its next compilation. */
typedef struct weft_kernel {
    const char *name;
    uint32_t line; /* of the first decorator */
    /* From after Warp's fixed header to before the CPU entry points; NULL after errors and for a
     * device that was not asked for. */
    const char *cpu, *cuda;
    size_t cpu_size, cuda_size;
    const weft_diagnostic *error; /* the first, or NULL */
} weft_kernel;

/* "0.1.0" */
WEFT_API const char *weft_version(void);
/* A sentence for a status. */
WEFT_API const char *weft_status_text(weft_status status);

/* options may be NULL. The strings it points to must live as long as the context. */
WEFT_API weft_status weft_context_new(const weft_options *options, weft_context **out);
/* context may be NULL. */
WEFT_API void weft_context_free(weft_context *context);

/* Compiles all kernels of a file, or of text that messages and comments call `name`. Errors of one
 * kernel do not stop the others. */
WEFT_API weft_status weft_compile_file(weft_context *context, const char *path);
WEFT_API weft_status weft_compile_text(weft_context *context, const char *name, const char *text,
                                       size_t size);

/* The last compilation's kernels in source order, and its errors. */
WEFT_API size_t weft_kernel_count(const weft_context *context);
WEFT_API const weft_kernel *weft_kernel_at(const weft_context *context, size_t index);
WEFT_API size_t weft_diagnostic_count(const weft_context *context);
WEFT_API const weft_diagnostic *weft_diagnostic_at(const weft_context *context, size_t index);

/* The whole module's text for one device (WEFT_CPU or WEFT_CUDA), complete with the header, so that
 * Warp's native headers compile it; kernels with errors are left out. Valid until the next call. */
WEFT_API weft_status weft_module_text(weft_context *context, unsigned device, const char **text,
                                      size_t *size);

#ifdef __cplusplus
}
#endif

#endif
