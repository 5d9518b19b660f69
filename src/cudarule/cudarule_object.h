/* SPDX-License-Identifier: Apache-2.0 */
/* Hash grids, BVHs, meshes, volumes and textures in plain CUDA C++: blocks of the .cuh files of
 * assets/. They are definitions of the program that needs them.
 *
 *     hash_grid_query(grid, p, r)   ->   the call, and structs HashGrid and HashGridQuery,
 *                                        functions hash_grid_query, grid_coordinate, ...
 *
 * Blocks call each other by name, so the program must not have those names itself
 * (cuda_object_names). A kernel's uint64 is the address of the object on the device; a texture
 * is passed itself. */
#ifndef WEFT_CUDARULE_OBJECT_H
#define WEFT_CUDARULE_OBJECT_H

#include "cudarule/cudarule_text.h"

/* Is it a builtin of an object that has a block, by its native name? Among them "query_step": goes
 * on to a query's next element, and tells whether there is one. */
bool cuda_is_object_call(str native);
/* CUDA_NONE: it is none, or of other types. */
cuda_expr cuda_object_call(cuda_defs *n, str native, const type *result, const cuda_expr *args,
                           uint32_t nargs);
/* The name of a query's type or of a result's; empty: it has no form. */
str cuda_object_type(cuda_defs *n, const type *t);

typedef void cuda_name_fn(void *arg, str name);
/* Calls fn with the names of all blocks. */
void cuda_object_names(cuda_name_fn *fn, void *arg);

/* Objects that a kernel's text uses, as a set of bits. */
enum {
    CUDA_OBJECT_GRID = 1,
    CUDA_OBJECT_BVH = 2,
    CUDA_OBJECT_MESH = 4,
    CUDA_OBJECT_VOLUME = 8,
    CUDA_OBJECT_TEXTURE = 16,
    CUDA_OBJECT_LEVELS = 32 /* of detail, of textures */
};
unsigned cuda_objects_used(cuda_defs *n);

#endif
