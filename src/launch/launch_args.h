/* The parameters of a kernel filled for a launch, or their adjoints: structs field by field, arrays
 * of structs by one array for each field. Where the values come from is the caller's matter. */
#ifndef WEFT_LAUNCH_LAUNCH_ARGS_H
#define WEFT_LAUNCH_LAUNCH_ARGS_H

#include "base/npy.h"
#include "interp/interp.h"

/* What was given for one name. */
typedef enum launch_found {
    LAUNCH_GIVEN,
    LAUNCH_ABSENT,
    LAUNCH_REFUSED /* after the source told why */
} launch_found;

/* Where values come from. Paths are "a" or "s.field". */
typedef struct launch_source {
    void *arg;
    /* An array of `ndim` dimensions with items of type `item`, in a. */
    launch_found (*array)(void *arg, arena *a, const char *path, const type *item, int ndim,
                          npy *out);
    /* A number or composite. */
    launch_found (*value)(void *arg, const char *path, const type *t, rvalue *out);
    /* Tells that nothing is given for a path (text NULL), or what is wrong with it. */
    void (*wrong)(void *arg, const char *path, const char *text);
} launch_source;

/* An array, or one field of all the items of an array of structs. */
typedef struct launch_leaf {
    const char *path;
    const array_view *view;
    const type *type; /* a number or composite */
    size_t offset;    /* in an item of the array */
} launch_leaf;

/* The values of all parameters, or their adjoints. */
typedef struct launch_args {
    ctx *c;
    const launch_source *from;
    arena texts; /* the items of the leaf that is being read */
    VEC(launch_leaf) leaves;
    rvalue *values; /* one for each parameter */
} launch_args;

/* Both are false after the source was told what is wrong. They live in c->module. */
bool launch_args_read(launch_args *r, ctx *c, const launch_source *from, const kernel *k);
/* Adjoints like the values of `primal`: what the source has, else zeros. Only arrays of floats are
 * asked for, and they alone become leaves. */
bool launch_args_mirror(launch_args *r, ctx *c, const launch_source *from, const kernel *k,
                        const launch_args *primal);
/* The leaf's items in a row, in place or in a, and their size in bytes. */
str launch_leaf_items(const launch_leaf *leaf, arena *a);
/* A type's name, terminated by a zero, in c->module. */
const char *launch_type_name(ctx *c, const type *t);
/* Kind, width and trailing dimensions of a file of such items: 'f', 4 and (3) for vec3. */
npy launch_form(const type *item);
/* NULL, or what is wrong with the array for these items and so many dimensions; in c->module. */
const char *launch_misfit(ctx *c, const npy *a, const type *item, int ndim);

#endif
