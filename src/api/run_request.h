/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of weft_run_file share: run_memory.c makes values of the caller's memory,
 * run_text.c values of text and of .npy files, run_save.c files of arrays; weft_run.c puts them
 * together. */
#ifndef WEFT_API_RUN_REQUEST_H
#define WEFT_API_RUN_REQUEST_H

#include "api/api.h"
#include "launch/device.h"
#include "launch/launch_args.h"
#include "launch/launch_exec.h"

/* The arguments as one pass reads them: their values, or their adjoints. Everything lives in the
 * context's module arena, until its next use. */
typedef struct run_set {
    struct run_request *r;
    bool adjoint;
    bool *used; /* one for each argument: a parameter has taken it */
    arena file; /* the text of the file that is being read */
    launch_source source;
    launch_args values;
} run_set;

/* One call of weft_run_file or weft_run_text. */
typedef struct run_request {
    weft_context *c;
    const char *path; /* of the program; NULL: name and text */
    const char *name;
    str text;
    weft_run_options o;
    weft_argument *args; /* o.arguments, of this version's size */
    weft_save *saves;    /* likewise o.saves */
    run_set set[2];      /* values, adjoints; the second only with o.gradients */
    launch_job job;
    weft_run_result result;
    weft_status status;
} run_request;

/* Ends the request with a status, a fault (WEFT_FAULT_...) and a message. Gives false. */
bool run_refuse(run_request *r, weft_status status, int fault, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for the value of a parameter or field: "argument 'x': ..." */
bool run_refuse_value(run_set *s, weft_status status, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for a text that is no value at all, whatever the shape. */
bool run_refuse_text(run_set *s, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* run_memory.c. Fills the set from the arguments; false after run_refuse. Adjoints are made like
 * the values of `primal`: what is given, else zeros. */
bool run_set_read(run_request *r, run_set *s, const kernel *k);
bool run_set_mirror(run_request *r, run_set *s, const kernel *k, const run_set *primal);
/* Where the arrays of a set are, each in a row and in order of its leaves, before anything of the
 * caller's is written. */
const str *run_set_items(const run_set *s);
/* Copies them into the memory of the arguments that have some. */
void run_set_give_back(run_set *s, const str *items);

/* run_text.c. A number or composite from "1.5", "[1, 2]" or "@FILE.npy". */
bool run_text_value(run_set *s, const char *path, const type *t, const char *text, rvalue *out);
/* "@FILE.npy", "[1, 2]" or a rule of run_fill.c as an array of items of type `item`, in a. */
bool run_text_array(run_set *s, arena *a, const char *path, const char *text, const type *item,
                    int ndim, npy *out);
/* The text of a file, in s->file, which the caller resets. */
bool run_read_file(run_set *s, const char *path, const char *file, str *out);
/* An array of any shape and items from a file of NumPy. */
bool run_read_npy(run_set *s, arena *a, const char *path, const char *file, npy *out);
/* The same for a field of all structs of an array: by the text of the field, which may also be one
 * item for all, or by the rule of the `whole` array. */
bool run_text_column(run_set *s, arena *a, const char *path, const char *text, bool whole,
                     const type *item, int ndim, npy *out);

/* How an array of the type is written, of the launch's size: "zeros:8x3" for vec3 and dim 8. */
const char *run_example(const run_request *r, const type *item, int ndim, const npy *given);

/* run_parameters.c. Puts what the kernel takes into the result. */
void run_list_parameters(run_request *r, const kernel *k);

/* run_fill.c. Does the text begin as "zeros:", "ones:" or "random:"? */
bool run_is_fill(const char *text);
/* Such an array in a, of the shape that it names; `whole`: of so many items of the type. */
bool run_fill_array(run_set *s, arena *a, const char *path, const char *text, const type *item,
                    bool whole, npy *out);

/* run_geometry.c. "mesh:...", "hashgrid:...", "volume:...", "@FILE.obj": an object made from
 * files, whose id is the value of a uint64. */
bool run_is_geometry(const char *text);
bool run_text_geometry(run_set *s, const char *path, const type *t, const char *text, rvalue *out);

/* An option of an object's text, "voxel=", and where its value goes. */
typedef struct run_option {
    const char *name;
    const char **to; /* NULL until it is given */
} run_option;
/* Takes "FIRST,voxel=0.1,origin=[0,0,1]" apart. `what`: "a volume: voxel= and origin=", for the
 * report of a part that is no option, or is given twice. */
bool run_text_options(run_set *s, const char *path, const char *text, const run_option *options,
                      size_t n, const char *what, const char **first);

/* run_texture.c. The value of a texture; those of an array. */
bool run_text_texture(run_set *s, const char *path, const type *t, const char *text, rvalue *out);
bool run_text_textures(run_set *s, arena *a, const char *path, const char *text, const type *item,
                       npy *out);

/* run_volume.c. The scalar type of a file's items. */
type_kind run_item_kind(const npy *a);
/* What stands behind "volume:" and "indexvolume:". */
bool run_text_volume(run_set *s, const char *path, const char *text, uint64_t *out);
bool run_text_index_volume(run_set *s, const char *path, const char *text, uint64_t *out);

/* run_save.c. Does the kernel have the arrays that are to be saved: those of values, or those of
 * adjoints? */
bool run_saves_check(run_request *r, const kernel *k, bool gradients);
/* Writes all files, or none; false after run_refuse. */
bool run_saves_write(run_request *r);

/* weft_device.c: the device behind the handle, ready for the calling thread; NULL, and *why, if
 * nothing runs on it (any more). */
device *api_device(weft_device *d, const char **why);
/* Makes it give back what a run left there, also one that failed; it can be used again unless it is
 * lost. */
void api_device_release(weft_device *d);

#endif
