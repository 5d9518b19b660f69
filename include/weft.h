/* weft as a library: NVIDIA Warp kernels in Python text to the C++ and CUDA C++ text that Warp's
 * own code generator writes; kernels executed; training pairs made and checked.
 *
 * Nothing here prints, exits, or keeps state outside of a handle. A handle serves one thread at a
 * time, and any number of handles may be used at once. Structs that the caller fills begin with
 * their size: zero a variable of the type, set `size`, and what is to differ from the defaults;
 * what an older caller's struct lacks keeps its default. Structs that weft fills may grow at their
 * end. */
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
    WEFT_IO_ERROR = 3,  /* a file cannot be read */
    WEFT_NO_MEMORY = 4, /* the handle holds no result */
    WEFT_FAILED = 5,    /* what was asked for cannot be done: the handle's message says why */
    WEFT_STOPPED = 6    /* a callback said so */
} weft_status;

enum { WEFT_CPU = 1, WEFT_CUDA = 2 };

/* --- compiling ------------------------------------------------------------------------------ */

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

/* A CUDA program without Warp: the kernel that is named, or the only one (NULL), of a program's
 * text, with a host that runs it and compares it with expected values. Replaces what the context
 * compiled; the text is valid until the next call. WEFT_BAD_ARGUMENT: see weft_message. */
WEFT_API weft_status weft_standalone_text(weft_context *context, const char *name, const char *text,
                                          size_t size, const char *kernel, const char **cuda,
                                          size_t *cuda_size);
/* cuda_on_cpu.h, with which a C++ compiler builds such a program without CUDA. */
WEFT_API weft_status weft_standalone_shim(weft_context *context, const char **text, size_t *size);
/* Static checks of any CUDA text, without a toolkit. What is found is among the diagnostics,
 * remarks that a right program may deserve too (ids no-bounds-guard and the like):
 * WEFT_INPUT_ERRORS then. */
WEFT_API weft_status weft_check_cuda(weft_context *context, const char *name, const char *text,
                                     size_t size);

/* --- PTX ------------------------------------------------------------------------------------- */

typedef struct weft_ptx_options {
    size_t size;      /* sizeof(weft_ptx_options) */
    const char *arch; /* "sm_90"; NULL: sm_75 */
    /* Folders of Python packages (.../site-packages) in which NVRTC, Warp's and CUDA's headers are
     * looked for first. */
    const char *const *package_dirs;
    size_t package_dir_count;
    const char *warp_include; /* Warp's native headers; NULL: those that are found */
} weft_ptx_options;

/* CUDA text, plain or in Warp's dialect, to PTX, as `weft ptx` does: by NVRTC, found when it is
 * needed, else by nvcc. *statistics is a JSON object: the compiler, and what each kernel consists
 * of. Both are terminated by a zero that is not counted, and valid until the context's next use;
 * what it compiled before is forgotten. WEFT_INPUT_ERRORS: the compiler refuses the text, see
 * weft_diagnostic_at; WEFT_BAD_ARGUMENT (an unknown architecture), WEFT_FAILED (nothing here
 * compiles such text): see weft_message. options may be NULL. */
WEFT_API weft_status weft_ptx_text(weft_context *context, const char *name, const char *text,
                                   size_t size, const weft_ptx_options *options, const char **ptx,
                                   size_t *ptx_size, const char **statistics,
                                   size_t *statistics_size);
/* The statistics of PTX that is there already; needs no compiler. WEFT_INPUT_ERRORS: it is none. */
WEFT_API weft_status weft_ptx_statistics(weft_context *context, const char *name, const char *ptx,
                                         size_t size, const char **statistics,
                                         size_t *statistics_size);

/* --- executing ------------------------------------------------------------------------------ */

/* A value of a parameter, an array, or one field of a struct or of all structs of an array. */
typedef struct weft_argument {
    size_t size;      /* sizeof(weft_argument) */
    const char *name; /* "x", or "p.mass" for a field */
    /* Type of an item, as NumPy writes it, in the machine's byte order: "b1", "i1" to "i8", "u1" to
     * "u8", "f2", "f4", "f8"; "u2" for bfloat16's bits. A number that is no array may also be an
     * "i8", "u8" or "f8" that fits the parameter. */
    const char *dtype;
    /* In C order; items that are vectors or matrices have them as last dimensions. */
    int ndim;
    const int64_t *shape;
    void *data; /* arrays are read, and written back when all went well */
    /* NULL, or with `gradients` the adjoint of an array of floats, of the same type and shape: it
     * is read before the backward pass, and written back. */
    void *gradient;
    /* NULL, or set to whether `gradient` was written: whether the argument is an array of floats.
     * With NULL, a gradient of anything else is an error. */
    int *has_gradient;
} weft_argument;

enum { WEFT_REFERENCE = 0, WEFT_TEXT_CPU = 1, WEFT_TEXT_CUDA = 2 };

typedef struct weft_run_options {
    size_t size;        /* sizeof(weft_run_options) */
    const char *kernel; /* NULL: the only one */
    int ndim;           /* of the launch, 1 to 4 */
    int64_t dim[4];
    const weft_argument *arguments;
    size_t argument_count;
    int gradients; /* the backward pass, too, on the state that the kernel left */
    /* What executes: the interpreter of the Python source, or a machine that reads the emitted text
     * of the CPU or of CUDA. A backward pass is always one of text. */
    int executor;
    uint64_t fuel; /* steps of a pass at most; 0: 20,000,000; UINT64_MAX: no limit */
} weft_run_options;

/* Executes one kernel of a file, or of text that messages call `name`. What the context compiled
 * before is forgotten. WEFT_INPUT_ERRORS: the source has errors, see weft_diagnostic_at;
 * WEFT_BAD_ARGUMENT, WEFT_FAILED (an index out of bounds, say): see weft_message. Unless it gives
 * WEFT_OK, nothing of the caller's has changed. */
WEFT_API weft_status weft_run_file(weft_context *context, const char *path,
                                   const weft_run_options *options);
WEFT_API weft_status weft_run_text(weft_context *context, const char *name, const char *text,
                                   size_t size, const weft_run_options *options);
/* What the last run had to say; "" if nothing. Valid until the context's next use. */
WEFT_API const char *weft_message(const weft_context *context);

/* --- generating ----------------------------------------------------------------------------- */

typedef struct weft_generator weft_generator;

/* As the options of `weft generate`, with its defaults. */
typedef struct weft_generate_options {
    size_t size; /* sizeof(weft_generate_options) */
    uint64_t count, seed;
    unsigned devices;       /* WEFT_CPU | WEFT_CUDA; 0: CUDA */
    const char *categories; /* "loop,vector"; NULL: all */
    int no_verify;          /* pairs are not executed */
    int no_backward;
    int exact_gradients;  /* only pairs whose gradient is proved */
    uint32_t part, parts; /* the part-th of `parts` parts, from 1; 0, 0: all */
    uint32_t jobs; /* threads; 0: as many as there are cores. The records do not depend on it */
    unsigned difficulties;         /* bit L for difficulty L, 1 to 5; 0: all */
    uint32_t min_lines, max_lines; /* of a kernel; 0: any */
    int messages;                  /* conversations about pairs instead of pairs */
    int no_dedup;                  /* pairs may share a structure */
    int repair;                    /* broken kernels and the right ones instead of pairs */
    const char *tasks;             /* of conversations: "forward,backward"; NULL: all */
    /* No pair shares a structure with the kernels in these Python and JSON files, and folders of
     * them; they are read by weft_generator_new. */
    const char *const *exclude;
    size_t exclude_count;
    /* Refuses what is near to a record before it: the least similarity that counts as near, from
     * 0.5 to 1. 0: only equal structures are refused. Not for parts. */
    double near;
} weft_generate_options;

/* Records one after another: those that `weft generate --output -` writes with these options. Work
 * begins with the first call of weft_generator_next. After WEFT_BAD_ARGUMENT and WEFT_IO_ERROR
 * there is a generator as well, for its message. After WEFT_OK the message tells the first of what
 * to exclude that could not be parsed, if there is any. */
WEFT_API weft_status weft_generator_new(const weft_generate_options *options, weft_generator **out);
/* The next record's JSON, without a newline, until the next call; *json is NULL at the end, and
 * after an error. It is not terminated by a zero. After a fork, the child cannot go on with a
 * generator that its parent began: WEFT_BAD_ARGUMENT. */
WEFT_API weft_status weft_generator_next(weft_generator *generator, const char **json,
                                         size_t *size);
WEFT_API const char *weft_generator_message(const weft_generator *generator);
/* Stops its threads; at any time. generator may be NULL. */
WEFT_API void weft_generator_free(weft_generator *generator);

/* --- validating ----------------------------------------------------------------------------- */

/* One thing that is wrong with a data set. Strings live until the callback returns. */
typedef struct weft_problem {
    const char *file;
    uint64_t line;     /* from 1; 0: the whole file */
    const char *id;    /* of the record; "" if it is not known */
    const char *check; /* "schema", "hash", ... */
    const char *reason;
} weft_problem;

typedef struct weft_validate_options {
    size_t size;        /* sizeof(weft_validate_options) */
    const char *checks; /* "hash,text"; NULL: all */
    uint32_t jobs;      /* threads; 0: as many as there are cores */
    /* Called in the calling thread; other than 0 stops. Each may be NULL. */
    int (*problem)(void *arg, const weft_problem *problem);
    int (*progress)(void *arg, uint64_t records); /* now and then */
    void *arg;
} weft_validate_options;

typedef struct weft_validation {
    size_t size; /* sizeof(weft_validation) */
    uint64_t records, ok, files, bytes, problems;
    char message[256]; /* why it could not be done; or "" */
} weft_validation;

/* `weft validate`: folders of data sets, shards, files of one record. WEFT_OK: read to the end;
 * problems may have been found. */
WEFT_API weft_status weft_validate(const char *const *paths, size_t count,
                                   const weft_validate_options *options, weft_validation *out);

#ifdef __cplusplus
}
#endif

#endif
