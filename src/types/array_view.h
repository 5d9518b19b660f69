/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of a launch: their bytes, and what a kernel sees of them.
 *
 *     x[2:, 1]   of a float32 array of shape (4, 3)   ->   offset 28, shape 2, stride 12 */
#ifndef WEFT_TYPES_ARRAY_VIEW_H
#define WEFT_TYPES_ARRAY_VIEW_H

#include "types/type.h"

/* The storage of an array: `size` bytes, shared by all views of it. */
typedef struct array_data {
    const char *name; /* for messages */
    uint8_t *bytes;
    size_t size;
    bool read_only; /* an array of a mesh: a run that stores to it fails */
} array_data;

/* A view of an array: element (i, j, ...) lies at offset + i * strides[0] + j * strides[1] + ... */
typedef struct array_view {
    const array_data *data;
    const type *elem;
    int ndim;
    int64_t shape[4], strides[4]; /* strides in bytes */
    int64_t offset;
} array_view;

#endif
