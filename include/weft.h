/* SPDX-License-Identifier: Apache-2.0 */
/* weft as a library: NVIDIA Warp kernels in Python text to the C++ and CUDA C++ text that Warp's
 * own code generator writes; kernels executed; training pairs made and checked.
 *
 * Nothing here prints, exits, or keeps state outside of a handle. A handle serves one thread at a
 * time, and any number of handles may be used at once. Structs that the caller fills begin with
 * their size: zero a variable of the type, set `size`, and what is to differ from the defaults;
 * what an older caller's struct lacks keeps its default. Structs that weft fills may grow at their
 * end. Functions that free take NULL, too. */
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
typedef struct weft_stop weft_stop;

typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_INPUT_ERRORS = 1, /* the program has errors: see weft_diagnostics */
    WEFT_BAD_ARGUMENT = 2,
    WEFT_IO_ERROR = 3,  /* a file cannot be read or written, or this machine lacks what is needed */
    WEFT_NO_MEMORY = 4, /* the handle holds no result */
    WEFT_FAILED = 5,    /* the task cannot be done: the handle's message says why */
    WEFT_STOPPED = 6    /* a callback or a weft_stop ended the work */
} weft_status;

enum { WEFT_CPU = 1, WEFT_CUDA = 2, WEFT_BLOCK_DIM_MAX = 1024 };

/* --- compiling ------------------------------------------------------------------------------ */

typedef struct weft_options {
    size_t size; /* sizeof(weft_options) */
    /* Where imports are searched, after the file's own folder; text has no folder of its own. */
    const char *const *include_dirs;
    size_t include_dir_count;
    unsigned devices;    /* WEFT_CPU | WEFT_CUDA; 0: both */
    int no_backward;     /* leave adjoints out */
    size_t memory_limit; /* bytes the context may hold; 0: no limit */
    /* Ends the context's work when it is set; must live as long as the context. May be NULL. */
    const weft_stop *stop;
    int timings; /* measure the stages: weft_timings */
    /* Whose text: "1.17", "1.18" or "1.19", or with the patch, "1.18.0". NULL: the newest's. */
    const char *warp;
    int block_dim; /* threads per block, up to WEFT_BLOCK_DIM_MAX; 0: as the module says */
} weft_options;

/* One error or warning. Strings belong to the context until its next compilation. */
typedef struct weft_diagnostic {
    const char *id; /* stable: "undefined-name" */
    const char *message;
    const char *hint;      /* or NULL */
    const char *file;      /* or NULL */
    uint32_t line, column; /* from 1; the column in bytes */
    uint32_t end_line, end_column;
    int warning; /* a remark, which a right program may deserve too */
} weft_diagnostic;

/* So many diagnostics are kept of a call; there may be more errors then. */
enum { WEFT_DIAGNOSTICS_MAX = 100 };

/* One kernel. Strings belong to the context until its next compilation. */
typedef struct weft_kernel {
    const char *name;
    uint32_t line; /* of the first decorator */
    /* From after Warp's fixed header to before the CPU entry points; NULL after errors and for a
     * device that the context is not for. */
    const char *cpu, *cuda;
    size_t cpu_size, cuda_size;
    const weft_diagnostic *error; /* the first; of a generic kernel a warning; or NULL */
} weft_kernel;

/* "0.1.0" */
WEFT_API const char *weft_version(void);
/* A sentence for a status. */
WEFT_API const char *weft_status_text(weft_status status);

/* options may be NULL. The strings it points to must live as long as the context. */
WEFT_API weft_status weft_context_new(const weft_options *options, weft_context **out);
WEFT_API void weft_context_free(weft_context *context);

/* A switch that ends the work of every context made with it: compiling, executing, waiting for a
 * pipe. Those functions then give WEFT_STOPPED within milliseconds, and the context can be used
 * again once the switch is cleared. weft_stop_set and weft_stop_clear may be called in any thread;
 * weft_stop_set also in a signal handler. */
WEFT_API weft_status weft_stop_new(weft_stop **out);
WEFT_API void weft_stop_set(weft_stop *stop);
WEFT_API void weft_stop_clear(weft_stop *stop);
WEFT_API int weft_stop_is_set(const weft_stop *stop);
WEFT_API void weft_stop_free(weft_stop *stop);

/* Compiles all kernels of a file, or of text that messages and comments call `name`. Text is
 * UTF-8 in every function here, also where its first line names another encoding. Errors of one
 * kernel do not stop the others; warnings alone leave WEFT_OK. */
WEFT_API weft_status weft_compile_file(weft_context *context, const char *path);
WEFT_API weft_status weft_compile_text(weft_context *context, const char *name, const char *text,
                                       size_t size);
/* The same of a file's bytes, such as those of standard input: their first lines may name an
 * encoding, as in a file. */
WEFT_API weft_status weft_compile_bytes(weft_context *context, const char *name, const char *bytes,
                                        size_t size);

/* The last compilation's kernels in source order, and its errors. A context of NULL has none, and
 * beyond the last one there is NULL; functions that give a status refuse it (WEFT_BAD_ARGUMENT). */
WEFT_API size_t weft_kernel_count(const weft_context *context);
WEFT_API const weft_kernel *weft_kernel_at(const weft_context *context, size_t index);
/* The names of all kernels of the program that the context compiled, checked or ran last; NULL
 * behind the last. Several of one name are "scale:1", "scale:2": so they are chosen, too. */
WEFT_API const char *weft_kernel_name(const weft_context *context, size_t index);
WEFT_API size_t weft_diagnostic_count(const weft_context *context);
WEFT_API const weft_diagnostic *weft_diagnostic_at(const weft_context *context, size_t index);

/* A kind of diagnostic: its id, its message, in which directives of printf stand for the details
 * ("name '%s' is not defined"), and its hint or NULL. Lives as long as the program. */
typedef struct weft_diagnostic_kind {
    const char *id, *message, *hint;
} weft_diagnostic_kind;
/* All kinds, of which several may have one id; NULL behind the last. */
WEFT_API const weft_diagnostic_kind *weft_diagnostic_kind_at(size_t index);
/* What `weft explain TEXT` prints, until the next call. WEFT_BAD_ARGUMENT: see weft_message. */
WEFT_API weft_status weft_explain(weft_context *context, const char *text, const char **entry,
                                  size_t *size);
/* The signatures of Warp's built-in functions, one for each form, sorted: "sin(x: Float)", ...
 * Replaces what the context compiled; valid until the next call. */
WEFT_API weft_status weft_builtins(weft_context *context, const char *const **signatures,
                                   size_t *count);

/* How a diagnostic is printed. */
enum {
    WEFT_DIAGNOSTIC_COLOR = 1,  /* with a terminal's colours */
    WEFT_DIAGNOSTIC_JSON = 2,   /* as one JSON object */
    WEFT_DIAGNOSTIC_REMARK = 4, /* "warning" whatever it is, instead of "error" */
    WEFT_DIAGNOSTIC_SARIF = 8   /* as one result object of SARIF 2.1.0, without a newline */
};
/* The lines that `weft compile` prints of a diagnostic: place, sentence and id, then the source
 * line with a caret, then the hint. Each ends with a newline. `form` is a sum of the above. Valid
 * until the context's next compilation. WEFT_BAD_ARGUMENT: there is no such diagnostic. */
WEFT_API weft_status weft_diagnostic_text(weft_context *context, size_t index, unsigned form,
                                          const char **text, size_t *size);

/* The files that the context's last call read, in the order of reading: the program, what it
 * imports, arrays of a run. What is no regular file is not listed. Valid until the next call. */
WEFT_API size_t weft_input_count(const weft_context *context);
WEFT_API const char *weft_input_at(const weft_context *context, size_t index);

/* How long each stage of the context's work took, over all calls, if its options ask for that:
 * lines of a name, a tab and seconds. Ends with a zero that is not counted; valid until the next
 * call. */
WEFT_API weft_status weft_timings(weft_context *context, const char **text, size_t *size);

/* The whole module's text for one device (WEFT_CPU or WEFT_CUDA), complete with the header, so that
 * Warp's native headers compile it; kernels with errors are left out. Valid until the next call. */
WEFT_API weft_status weft_module_text(weft_context *context, unsigned device, const char **text,
                                      size_t *size);

/* A CUDA program without Warp: the kernel that is named, or the only one (NULL), of a file or of
 * text, with a host that runs it and compares it with expected values. Replaces what the context
 * compiled; the text is valid until the next call. WEFT_BAD_ARGUMENT: see weft_message. */
WEFT_API weft_status weft_standalone_file(weft_context *context, const char *path,
                                          const char *kernel, const char **cuda, size_t *cuda_size);
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

/* --- what `weft compile` writes --------------------------------------------------------------- */

/* The forms of --emit. */
enum {
    WEFT_EMIT_CPP = 0,  /* the module's C++ text for the CPU, complete with the header */
    WEFT_EMIT_CU = 1,   /* the module's CUDA text */
    WEFT_EMIT_JSON = 2, /* for each kernel a line with its texts and its error */
    WEFT_EMIT_AST = 3,  /* the syntax tree as Python's ast.dump prints it */
    WEFT_EMIT_IR = 4,   /* weft's intermediate form, for reading by people */
    WEFT_EMIT_PTX = 5,  /* of the program alone: weft_emit_file refuses it; see weft_ptx_text */
    WEFT_EMIT_NONE = 6, /* nothing: the kernels are only checked */
    WEFT_EMIT_STANDALONE = 7 /* CUDA programs without Warp, one for each kernel */
};
/* "cpp" and so on; NULL: there is no such form. */
WEFT_API const char *weft_emit_name(int form);
/* The form of a name, or -1. */
WEFT_API int weft_emit_form(const char *name);
/* Of files that hold such text: "cpp"; NULL: there is no such form. */
WEFT_API const char *weft_emit_extension(int form);
/* The stages that WEFT_EMIT_IR may show, by letter: the letter of stage `index` and in *name what
 * it is ("as lowered"); 0 behind the last. Some letters come twice. */
WEFT_API char weft_emit_stage(size_t index, const char **name);

/* About how many numbers the arrays of a standalone program have at most. */
enum { WEFT_ELEMENTS_MAX = 65536 };

/* A CUDA program of its own. All texts end with a zero that is not counted, and live until the
 * callback returns. */
typedef struct weft_program {
    const char *name; /* of its files: NAME.py, NAME.cu */
    const char *python, *cuda, *makefile, *metadata;
    size_t python_size, cuda_size, makefile_size, metadata_size;
} weft_program;

typedef struct weft_emit_options {
    size_t size; /* sizeof(weft_emit_options) */
    int form;    /* WEFT_EMIT_... */
    /* Only the kernels of these names; 0: all. */
    const char *const *kernels;
    size_t kernel_count;
    int *found; /* NULL, or kernel_count numbers: 1 is put where the program has the kernel */
    const char *stages; /* WEFT_EMIT_IR: letters of the stages to show; NULL: "w", as lowered */
    uint32_t elements;  /* WEFT_EMIT_STANDALONE: numbers of an array, about; 0: some 280 */
    /* Takes the text, in pieces; it is not terminated by a zero. Other than 0 stops. NULL: nothing
     * is written. */
    int (*write)(void *arg, const char *text, size_t size);
    /* WEFT_EMIT_STANDALONE: takes the programs instead of `write`, which can only take one kernel
     * of a program. Other than 0 stops. weft_input_at may be called within. */
    int (*program)(void *arg, const weft_program *program);
    /* With `program`: gives the name for a kernel's files, proposed the kernel's own; what it
     * returns lives until `program` returns. NULL: the proposed name. */
    const char *(*name)(void *arg, const char *proposed);
    void *arg;
} weft_emit_options;

/* Compiles a Python file ("-": standard input), or text that messages call `name`, and writes it in
 * one form. Kernels with errors are left out; the context lists the others without their texts.
 * WEFT_BAD_ARGUMENT: weft_message. */
WEFT_API weft_status weft_emit_file(weft_context *context, const char *path,
                                    const weft_emit_options *options);
WEFT_API weft_status weft_emit_text(weft_context *context, const char *name, const char *text,
                                    size_t size, const weft_emit_options *options);

/* --- what `weft check` finds ------------------------------------------------------------------ */

/* What weft_check has checked and found, over any number of calls. */
typedef struct weft_check_counts {
    size_t size;             /* sizeof(weft_check_counts) */
    uint64_t files, records; /* files that hold records are not counted */
    uint64_t kernels;        /* of Python programs and of CUDA text */
    uint64_t errors, warnings;
} weft_check_counts;

/* Whether Warp's gradient of a kernel is right. */
enum {
    WEFT_GRADIENT_RIGHT = 0,
    WEFT_GRADIENT_WRONG = 1,
    WEFT_GRADIENT_NONDIFFERENTIABLE = 2,
    WEFT_GRADIENT_NOT_EXECUTED = 3, /* not judged */
    WEFT_GRADIENT_CUSTOM = 4        /* one that the kernel's author wrote is not the derivative */
};
/* "right" and so on; NULL: there is no such verdict. */
WEFT_API const char *weft_gradient_name(int verdict);

/* What was found of one kernel. Texts are valid until the callback returns. */
typedef struct weft_gradient {
    size_t size;      /* sizeof(weft_gradient) */
    const char *file; /* of the kernel */
    const char *kernel;
    uint32_t line;   /* of its first decorator */
    int verdict;     /* WEFT_GRADIENT_... */
    const char *why; /* a sentence; "" where there is nothing to say */
    /* Of a wrong one: the class of its cause, or "", and where that stands; line 0: unknown. */
    const char *class_name, *variable, *cause_file;
    uint32_t cause_line, cause_column;
    /* One derivative that is wrong, d output / d input, of a launch of dim[0] x ... threads: as
     * Warp has it, and the true one. dim_count 0: there is none. */
    size_t dim_count;
    int64_t dim[4];
    const char *input, *output; /* elements: "x[3]", "v[0, 2][1]" */
    double warp, truth;
    const char *arguments; /* of the launch, an object in JSON; NULL: they are too many */
} weft_gradient;

typedef struct weft_check_options {
    size_t size; /* sizeof(weft_check_options) */
    /* Of Python programs: as in weft_emit_options. */
    const char *const *kernels;
    size_t kernel_count;
    int *found;
    /* Called after each file and record, whose diagnostics the context has then; other than 0 ends
     * the check. This and the other functions may be NULL. */
    int (*checked)(void *arg, weft_context *context);
    void (*message)(void *arg, int kind, const char *text); /* WEFT_ERROR: what cannot be read */
    void *arg;
    weft_check_counts *counts; /* NULL, or what was checked is added to them */
    /* How far it is, for each file, record and folder that was looked into. */
    void (*progress)(void *arg, uint64_t checked, uint64_t folders);
    /* Executes Warp's backward pass of each kernel of Python programs, beside the rest, and
     * compares it with the derivative: an error, wrong-gradient, where it is wrong. Other than 0
     * ends the check. */
    int (*gradient)(void *arg, const weft_gradient *found);
} weft_check_options;

/* Checks what a path names: a Python program ("-": standard input); CUDA text (.cu, .cuh), also
 * against the metadata.json beside it; all of these in a folder and below; or the CUDA texts of the
 * records of a data set. Returns the worst that was found: WEFT_IO_ERROR, WEFT_INPUT_ERRORS (not
 * for warnings alone), WEFT_OK. */
WEFT_API weft_status weft_check(weft_context *context, const char *path,
                                const weft_check_options *options);

/* --- PTX ------------------------------------------------------------------------------------- */

typedef struct weft_ptx_options {
    size_t size;      /* sizeof(weft_ptx_options) */
    const char *arch; /* "sm_90"; NULL: sm_75 */
    /* Folders of Python packages (.../site-packages) in which NVRTC, Warp's and CUDA's headers are
     * looked for first. */
    const char *const *package_dirs;
    size_t package_dir_count;
    const char *warp_include; /* Warp's native headers; NULL: those that are found */
    int assemble; /* weft_ptx_paths: also asks ptxas, where it is installed, which may refuse PTX */
} weft_ptx_options;

/* How many architectures a list names ("sm_75,sm_90": 2); 0: it is no such list. */
WEFT_API size_t weft_ptx_arch_count(const char *list);
/* Whether this machine compiles Warp's dialect to PTX. WEFT_FAILED, and for another arch than one
 * WEFT_BAD_ARGUMENT: see weft_message. */
WEFT_API weft_status weft_ptx_available(weft_context *context, const weft_ptx_options *options);

/* CUDA text, plain or in Warp's dialect, to PTX, as `weft ptx` does: by NVRTC, found when it is
 * needed, else by nvcc. *statistics is a JSON object: the compiler, and what each kernel consists
 * of. Both are terminated by a zero that is not counted, and valid until the context's next use;
 * what it compiled before is forgotten. WEFT_INPUT_ERRORS: the compiler refuses the text, see
 * weft_diagnostic_at, and weft_message for all that it printed; WEFT_BAD_ARGUMENT (an unknown
 * architecture), WEFT_FAILED (nothing here compiles such text): see weft_message. options may be
 * NULL. WEFT_STOPPED: SIGINT or SIGTERM came, which the calling thread gets when NVRTC ends. */
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
    /* NULL, or the value as text instead of the five members above: a number ("1.5", "true"), the
     * numbers of a vector or matrix ("[1, 2, 3]"), a file ("@in.npy"), an array of zeros, ones or
     * random numbers ("zeros:64", "ones:64x3", "random:SEED:64": floats from 0 to 1, integers below
     * 100). A field of an array of structs also takes one value for all of them, and the array as
     * a whole "zeros:64" and the like. It is not written back; see weft_save. */
    const char *text;
    const char *gradient_text; /* NULL, or likewise the adjoint: "@seed.npy" or "zeros:64" */
    /* NULL, or the items are "i8", "u8" or "f8" whatever the array's are, for a caller that does
     * not know the parameter's type. They are converted if they fit; the adjoint is "f8". *numbers
     * becomes what is written back: 'f' (double), 'i' (int64_t), 'u' (uint64_t) or 'b' (int64_t, 0
     * or 1); or 0: no item of the array has changed, and nothing is written. */
    char *numbers;
} weft_argument;

/* An array that a run writes to a .npy file. */
typedef struct weft_save {
    size_t size;      /* sizeof(weft_save) */
    const char *name; /* of an array, or a field of an array of structs; as text, of all fields */
    const char *path; /* "-": standard output */
    int gradient;     /* its adjoint, after the backward pass */
    int text;         /* as text for people instead: "x = [0.0, 0.5]" and a newline */
} weft_save;

/* A CUDA device: the first that CUDA_VISIBLE_DEVICES leaves, with NVRTC that compiles for it. */
typedef struct weft_device weft_device;

/* package_dirs as in weft_ptx_options. WEFT_IO_ERROR: there is no device, or no NVRTC; then there
 * is a handle as well, for its message. */
WEFT_API weft_status weft_device_new(const char *const *package_dirs, size_t package_dir_count,
                                     weft_device **out);
WEFT_API const char *weft_device_message(const weft_device *device);
WEFT_API void weft_device_free(weft_device *device);

/* An array of which the device's numbers are not the reference's. */
typedef struct weft_difference {
    const char *array;
    int gradient;           /* it is the array's adjoint */
    size_t index;           /* of the first number that differs; vectors have several numbers */
    double expected, found; /* that number by the reference, and by the device */
    size_t numbers, wrong;  /* in the array, and those that differ */
    double error;           /* the largest, as a part of the number */
    double tolerance;       /* the largest that is allowed */
    int unsteady;           /* a change of the inputs in their last place changes as much */
    const char *text;       /* all this as a sentence without a full stop */
} weft_difference;

/* Why a run ended as it did: more than its status says. */
enum {
    WEFT_FAULT_NONE = 0,
    WEFT_FAULT_KERNEL = 1,   /* no kernel has this name, or there is none */
    WEFT_FAULT_KERNELS = 2,  /* there are several kernels, and none or a name of several is given */
    WEFT_FAULT_MISSING = 3,  /* the parameter `name` has no value */
    WEFT_FAULT_ARGUMENT = 4, /* the kernel has no parameter, or no array of floats, for `index` */
    WEFT_FAULT_SAVE = 5,     /* the kernel has no array, or none of floats, for saves[index] */
    WEFT_FAULT_VALUE = 6,    /* the value of `name` cannot be read or does not fit */
    WEFT_FAULT_FUEL = 7,     /* a pass took more steps than it may */
    WEFT_FAULT_THREAD = 8,   /* a thread cannot go on: an index is out of bounds, say */
    WEFT_FAULT_DEVICE = 9,   /* the device failed */
    WEFT_FAULT_OUTPUT = 10   /* a file cannot be written */
};

/* A parameter of a kernel, or a field of one that is a struct or an array of structs. */
typedef struct weft_parameter {
    const char *name, *type; /* "x", "array(ndim=1, dtype=vec3f)" */
    const char *example;     /* a text of such a value: "zeros:8x3", "1.0" */
    int given;               /* the run has an argument of this name, or of its fields */
    int field;               /* of an array of structs, which stands before it in the list */
} weft_parameter;

/* What came of a run. Strings and differences are valid until the context's next use. */
typedef struct weft_run_result {
    size_t size;                        /* sizeof(weft_run_result) */
    const char *kernel;                 /* its name; NULL: it was not found */
    int fault;                          /* WEFT_FAULT_NONE, ... */
    int gradient;                       /* of a fault: it concerns an adjoint */
    size_t index;                       /* in the arguments, or the saves */
    const char *name;                   /* of a parameter, or a field of one; or NULL */
    const weft_difference *differences; /* of a run on a device, by array */
    size_t difference_count;
    double error;                  /* the largest of all arrays */
    float forward_ms, backward_ms; /* milliseconds that each pass took on the device */
    /* What the kernel takes, after WEFT_FAULT_MISSING and _ARGUMENT; after _SAVE, its arrays. */
    const weft_parameter *parameters;
    size_t parameter_count;
    double seconds; /* that the passes took */
    int unreadable; /* of WEFT_FAULT_VALUE: the argument's text is no value: "two", "zeros:-1" */
    int prints;     /* the kernel has calls of print or printf, whose output is not shown */
} weft_run_result;

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
    /* Files are written when all went well: every one whole, and all of them or none. */
    const weft_save *saves;
    size_t save_count;
    /* NULL, or runs the kernel there after `executor`, on the same inputs. The results are then the
     * device's; where they differ, the run is WEFT_OK and the result says so. */
    weft_device *device;
    /* NULL, or called when all went well and nothing is written yet. */
    void (*begin)(void *arg);
    void *arg;
    weft_run_result *result; /* filled whatever the status is; or NULL */
    /* NULL, or called now and then, in this thread, with the threads of all passes that ran. */
    void (*progress)(void *arg, uint64_t done, uint64_t total);
    int block_dim; /* threads of a block; 0: as the context and the module say. Not with `device` */
} weft_run_options;

/* Executes one kernel of a file ("-": standard input) or of text that messages call `name`. The
 * context forgets what it compiled before. Of arguments of one name the last counts. Reasons: by
 * weft_diagnostic_at after WEFT_INPUT_ERRORS, else by weft_message. Failures change no memory. */
WEFT_API weft_status weft_run_file(weft_context *context, const char *path,
                                   const weft_run_options *options);
WEFT_API weft_status weft_run_text(weft_context *context, const char *name, const char *text,
                                   size_t size, const weft_run_options *options);
/* What the last run had to say; "" if nothing. Valid until the context's next use. */
WEFT_API const char *weft_message(const weft_context *context);

/* --- callbacks of longer tasks -------------------------------------------------------------- */

/* One thing that is wrong with a data set. Strings live until the callback returns. */
typedef struct weft_problem {
    const char *file;
    uint64_t line;     /* from 1; 0: the whole file */
    const char *id;    /* of the record; "" if it is not known */
    const char *check; /* "schema", "hash", ...; "" where none is named */
    const char *reason;
} weft_problem;

/* So much of something: records of a category, candidates refused for a reason. */
typedef struct weft_count {
    const char *name;
    uint64_t records, bytes;
} weft_count;

/* How far a task is. May grow at its end. */
typedef struct weft_progress {
    uint64_t done, total; /* records; total is 0 where it is not known */
    uint64_t kept;        /* of `done`, what an earlier run had made */
    /* Of a run: candidates that were executed, and that did not pass. */
    uint64_t verified, failed;
    const weft_count *refused; /* candidates, by reason */
    size_t refused_count;
} weft_progress;

enum {
    WEFT_ERROR = 1,  /* why the task ends */
    WEFT_USAGE = 2,  /* the same: an option is wrong, or two do not go together */
    WEFT_NOTE = 3,   /* something to know */
    WEFT_CAUTION = 4 /* something to know even where notes are not wanted */
};

/* How a task reports while it works, in its caller's thread. Each function may be NULL. */
typedef struct weft_callbacks {
    size_t size; /* sizeof(weft_callbacks) */
    /* A sentence without a full stop, or lines. `kind` is one of the above. */
    void (*message)(void *arg, int kind, const char *text);
    int (*problem)(void *arg, const weft_problem *problem);    /* other than 0 stops the task */
    int (*progress)(void *arg, const weft_progress *progress); /* now and then; the same */
    /* All input is read, and nothing is written yet. */
    void (*begin)(void *arg);
    void *arg;
    /* While a pipe, standard input or the reader of standard output is waited for; other than 0
     * ends the wait, and the task with WEFT_IO_ERROR. */
    int (*waiting)(void *arg);
    /* A file that will be read, for a caller that must not write over it. Only for tasks that say
     * so. */
    void (*input)(void *arg, const char *path);
} weft_callbacks;

/* --- PTX of files and data sets -------------------------------------------------------------- */

/* What ptxas says of a function for one architecture. */
typedef struct weft_ptx_assembled {
    const char *arch; /* "sm_80" */
    uint64_t registers, spilled_bytes;
} weft_ptx_assembled;

/* What a function in PTX consists of. */
typedef struct weft_ptx_function {
    const char *name;               /* "saxpy" also where the PTX has C++'s "_Z5saxpyfPKfPfi" */
    int is_kernel;                  /* else a device function that was not inlined */
    uint64_t registers, predicates; /* declared; ptxas needs fewer */
    uint64_t instructions;          /* all, and those of some classes: */
    uint64_t integer_instructions, float_instructions, memory_instructions, atomic_instructions;
    uint64_t branches, global_loads, global_stores;
    uint64_t shared_bytes, local_bytes, parameter_bytes;
    const weft_ptx_assembled *assembled;
    size_t assembled_count;
} weft_ptx_function;

/* What became of one text for one architecture; lives until the callback returns. May grow. */
typedef struct weft_ptx_result {
    const char *file;
    uint64_t line;            /* of a record; 0: the file is the text */
    const char *id;           /* of a record; or NULL */
    const char *part;         /* of a record: "forward" or "backward"; else NULL */
    const char *name;         /* for a file of the PTX: "saxpy", "0-000000001.forward" */
    const char *arch;         /* "sm_90"; NULL: the text is PTX, and nothing was compiled */
    const char *compiler;     /* "NVRTC 12.9"; NULL: nothing was compiled */
    const char *warp_version; /* of Warp's native headers; NULL: there are none, or not needed */
    const char *remarks;      /* what the compiler printed about a text that it takes; or NULL */
    /* NULL: all went well. Else who refuses the text, the compiler, "PTX" (it cannot be read) or
     * "ptxas", and what was printed about it. */
    const char *refused_by, *log;
    const char *ptx; /* NULL: refused */
    size_t ptx_size;
    const char *target; /* that the PTX names */
    const weft_ptx_function *functions;
    size_t function_count;
    const char *json; /* the figures as members of a JSON object; more than those above */
    size_t json_size;
} weft_ptx_result;

/* Of a call of weft_ptx_paths. */
typedef struct weft_ptx_counts {
    size_t size;        /* sizeof(weft_ptx_counts) */
    uint64_t good, bad; /* texts; for several architectures each of them counts as a good one */
} weft_ptx_counts;

/* `weft ptx`: compiles what paths name, each in turn: CUDA text, PTX, which is only read ("-":
 * standard input), all .cu and .ptx files in a folder and below, the CUDA texts of the records of a
 * data set. options->arch may be a list here. `result` is called for each text and architecture;
 * other than 0 stops. The callbacks' `input` is called before the first. WEFT_INPUT_ERRORS: a text
 * was refused; WEFT_IO_ERROR: a file cannot be read, or nothing here compiles such text. */
WEFT_API weft_status weft_ptx_paths(const char *const *paths, size_t count,
                                    const weft_ptx_options *options,
                                    const weft_callbacks *callbacks,
                                    int (*result)(void *arg, const weft_ptx_result *result),
                                    weft_ptx_counts *counts);

/* --- generating ----------------------------------------------------------------------------- */

typedef struct weft_generator weft_generator;

/* As the options of `weft generate`, with its defaults. */
typedef struct weft_generate_options {
    size_t size; /* sizeof(weft_generate_options) */
    uint64_t count, seed;
    unsigned devices;           /* WEFT_CPU | WEFT_CUDA; 0: CUDA */
    const char *categories;     /* "loop,vector"; NULL: all */
    int no_verify, no_backward; /* pairs are not executed; they have no adjoints */
    int exact_gradients;        /* only pairs whose gradient is proved */
    uint32_t part, parts;       /* the part-th of `parts` parts, from 1; 0, 0: all */
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
     * 0.5 to 1, or WEFT_NEAR_KEPT: only equal structures are refused. 0: 0.9 where kernels with a
     * purpose are made, but after eight refusals a record may be near, and the same as
     * WEFT_NEAR_KEPT where only exercises are. */
    double near;
    /* For weft_generate, which writes a data set; a generator takes none of them. */
    const char *output; /* the folder; NULL: records go to `write` */
    int (*write)(void *arg, const char *records, size_t size); /* other than 0 stops the run */
    void *write_arg;
    int format;          /* WEFT_JSONL, ...; WEFT_PARQUET: by the Python that WEFT_PYTHON names */
    int compress;        /* WEFT_PLAIN, ... */
    uint64_t shard_rows; /* pairs in a file; 0: as many as suit the devices */
    const char *license; /* of the card, as the Hub writes it; NULL: apache-2.0 */
    int resume;          /* go on with a run that was stopped */
    int cpu_shim;        /* with WEFT_STANDALONE: also cuda_on_cpu.h */
    int with_ptx;        /* statistics of PTX in the metadata */
    const char *ptx_compiler;        /* the only one that may make it: "NVRTC-12.9"; NULL: any */
    const char *const *package_dirs; /* as in weft_ptx_options */
    size_t package_dir_count;
    const char *warp_include;
    int timings;         /* weft_generated.timings */
    const char *warp;    /* whose text, as in weft_options */
    int purpose;         /* only kernels that are composed of known computations: no exercises */
    const char *mix;     /* shares of both, not with `purpose`; NULL: "purpose=9,exercise=1" */
    int no_tests;        /* with `purpose`: records have no tests */
    int scripts;         /* whole scripts of several kernels instead of pairs; makes no exercises */
    uint64_t max_tokens; /* of a text of a pair, or of a conversation, estimated; 0: any number */
    /* A file that weft_profile wrote, whose figures kernels with a purpose follow; NULL: those of
     * kernels that people wrote. */
    const char *profile;
} weft_generate_options;

enum { WEFT_JSONL = 0, WEFT_FILES = 1, WEFT_STANDALONE = 2, WEFT_PARQUET = 3 };
enum { WEFT_NEAR_KEPT = -1 }; /* of `near` */
enum { WEFT_PLAIN = 0, WEFT_ZSTD = 1, WEFT_GZIP = 2 };
enum { WEFT_LINES_MIN = 3, WEFT_LINES_MAX = 80 }; /* of a kernel */

/* What a run has made. Strings live until the callback returns. May grow at its end. */
typedef struct weft_generated {
    uint64_t rows, bytes; /* of all records */
    uint64_t kept;        /* rows that an earlier run had written */
    int was_there;        /* the whole set was: nothing was made; `rows` and `bytes` are known */
    double seconds;
    const weft_count *categories; /* with records */
    size_t category_count;
    const weft_count *proofs; /* records, by the state of their proof */
    size_t proof_count;
    uint64_t mutants, killed;
    const weft_count *refused; /* candidates that were made anew, by reason */
    size_t refused_count;
    uint64_t suspects;   /* candidates that failed in a way that points to a bug in weft */
    const char *suspect; /* the first of them */
    const char *sample;  /* path of the first record's file, or NULL */
    const char *timings; /* a line for each stage, with the option `timings`; or NULL */
    uint64_t moved;      /* of weft_merge: pairs made anew, as another part had their structure */
    int shards;          /* files hold many records each; else each record has a place of its own */
    const char *next;    /* what to do with such a set, for a user; NULL: it is loaded as a whole */
    const char *first;   /* the id of the first record, or NULL */
    const weft_count *kinds; /* records, by what their kernels are: "purpose", "exercise" */
    size_t kind_count;
} weft_generated;

/* `weft generate`: makes a data set in a folder, or hands records to `write`. `made`, or NULL, is
 * called at the end of a run that went well. WEFT_BAD_ARGUMENT: options, or a folder that holds
 * something else; WEFT_FAILED: no candidate was good, or no structure is left; WEFT_STOPPED: what
 * is in whole files is kept. */
WEFT_API weft_status weft_generate(const weft_generate_options *options,
                                   const weft_callbacks *callbacks,
                                   void (*made)(void *arg, const weft_generated *made));
/* Reads a number as the command line takes it: "1000", "1e3", "10k", "2.5M". WEFT_BAD_ARGUMENT: it
 * is no whole number, or one of more than 64 bits. */
WEFT_API weft_status weft_read_number(const char *text, uint64_t *out);
/* The names of all categories, in their order; NULL behind the last. */
WEFT_API const char *weft_category_name(size_t index);
/* The tasks of weft_generate_options.tasks in order, and what each asks for; NULL behind the last.
 */
WEFT_API const char *weft_task_name(size_t index);
WEFT_API const char *weft_task_what(size_t index);

/* The fields of the records that these options give, as JSON for `write`: a list of
 * {"name": "id", "type": "string"}. Types are string, int, signed, float (or null), bool, names (a
 * list of strings), ints, struct, and list (of structs); the last two have "fields", such a list.
 * options NULL: every field that any record may have. */
WEFT_API weft_status weft_record_fields(const weft_generate_options *options,
                                        const weft_callbacks *callbacks,
                                        void (*write)(void *arg, const char *text, size_t size));

/* Records one after another: those that `weft generate --output -` writes with these options. Work
 * begins with the first call of weft_generator_next. After WEFT_BAD_ARGUMENT and WEFT_IO_ERROR
 * there is a generator as well, for its message. After WEFT_OK the message names the first of what
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

typedef struct weft_validate_options {
    size_t size;        /* sizeof(weft_validate_options) */
    const char *checks; /* "hash,text"; NULL: all */
    uint32_t jobs;      /* threads; 0: as many as there are cores */
    /* Called in the calling thread; other than 0 stops. Each may be NULL. */
    int (*problem)(void *arg, const weft_problem *problem);
    int (*progress)(void *arg, uint64_t records); /* now and then */
    void *arg;
    /* Kernels also run on a CUDA device, forward and backward: one thread then. */
    int device;
    const char *const *package_dirs; /* for `device`: as in weft_ptx_options */
    size_t package_dir_count;
    void (*message)(void *arg, int kind, const char *text); /* as in weft_callbacks */
} weft_validate_options;

typedef struct weft_validation {
    size_t size; /* sizeof(weft_validation) */
    uint64_t records, ok, files, bytes, problems;
    char message[256]; /* why it could not be done; or "" */
    double seconds;
    /* Of each check, in order: what was found. */
    struct {
        const char *name, *what; /* live as long as the program */
        uint64_t problems;
        int done; /* it was chosen */
    } checks[16];
    uint32_t check_count;
    char lost[512]; /* why nothing more ran on the device; or "" */
} weft_validation;

/* `weft validate`: folders of data sets, shards, files of one record. WEFT_OK: read to the end;
 * problems may have been found. */
WEFT_API weft_status weft_validate(const char *const *paths, size_t count,
                                   const weft_validate_options *options, weft_validation *out);

#include "weft_sets.h"

#ifdef __cplusplus
}
#endif

#endif
