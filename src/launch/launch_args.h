/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of a kernel filled for a launch, or their adjoints: structs field by field, arrays
 * of structs by one array for each field. A launch_source has the values: the caller's memory, text
 * of a command line, .npy files. */
#ifndef WEFT_LAUNCH_LAUNCH_ARGS_H
#define WEFT_LAUNCH_LAUNCH_ARGS_H

#include "base/npy.h"
#include "interp/interp.h"

/* What a source has for one path. */
typedef enum launch_found {
    LAUNCH_GIVEN,
    LAUNCH_ABSENT,
    LAUNCH_REFUSED /* there is a wrong value, which the source has reported */
} launch_found;

/* Where values come from. Paths are "a" or "s.field". */
typedef struct launch_source {
    void *arg;
    /* An array of `ndim` dimensions with items of type `item`, in a. */
    launch_found (*array)(void *arg, arena *a, const char *path, const type *item, int ndim,
                          npy *out);
    /* NULL: `array` serves, or a field of all structs of the array that `whole` names. One item for
     * all of them has no dimensions but its own. */
    launch_found (*column)(void *arg, arena *a, const char *path, const char *whole,
                           const type *item, int ndim, npy *out);
    /* A number or composite. */
    launch_found (*value)(void *arg, const char *path, const type *t, rvalue *out);
    /* Reports that a path has no value (text NULL), or what is wrong with the value. */
    void (*wrong)(void *arg, const char *path, const char *text);
} launch_source;

/* An array, or one field of all the items of an array of structs. */
typedef struct launch_leaf {
    const char *path;       /* "a", or "a.box.lo" for a field */
    const array_view *view; /* of the whole array */
    const type *type;       /* a number or composite */
    size_t offset;          /* in an item of the array */
} launch_leaf;

/* A leaf of which all items are alike. */
typedef struct launch_constant {
    launch_leaf leaf;
    const uint8_t *item;
} launch_constant;

/* The values of all parameters, or their adjoints. */
typedef struct launch_args {
    ctx *c;
    arena *a; /* has what is read */
    const launch_source *from;
    arena texts; /* the items of the leaf that is being read */
    VEC(launch_leaf) leaves;
    /* Fields of the array of structs that is being read which have one item for all structs. */
    VEC(launch_constant) constants;
    rvalue *values; /* one for each parameter */
} launch_args;

/* Both are false after a report to the source. What they make lives in a. */
bool launch_args_read(launch_args *r, ctx *c, arena *a, const launch_source *from, const kernel *k);
/* Adjoints like the values of `primal`: what the source has, else zeros. Only arrays of floats are
 * looked up, and they alone become leaves. */
bool launch_args_mirror(launch_args *r, ctx *c, arena *a, const launch_source *from,
                        const kernel *k, const launch_args *primal);
/* The leaf's items in a row, in place or in a, and their size in bytes. */
str launch_leaf_items(const launch_leaf *leaf, arena *a);
/* A type's name, terminated by a zero, in c->module. */
const char *launch_type_name(ctx *c, const type *t);
/* Kind, width and trailing dimensions of a file of such items: 'f', 4 and (3) for vec3. */
npy launch_form(const type *item);
/* NULL, or what is wrong with the array for these items and so many dimensions; in c->module. */
const char *launch_misfit(ctx *c, const npy *a, const type *item, int ndim);

#endif
