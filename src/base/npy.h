/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npy files: one array each. Read: versions 1 to 3, either byte order, C or Fortran
 * order, any rank up to NPY_DIMS. Written: version 1, little-endian, C order. Example: numpy.save
 * of numpy.zeros((2, 3), "float32") is read as kind 'f', width 4, shape {2, 3}, count 6. */
#ifndef WEFT_BASE_NPY_H
#define WEFT_BASE_NPY_H

#include "base/arena.h"
#include "base/str.h"

enum { NPY_DIMS = 8 };

typedef struct npy {
    char kind;    /* 'b' bool, 'i', 'u', 'f' */
    size_t width; /* bytes of an item: 1, 2, 4 or 8 */
    int ndim;     /* 0: one item */
    int64_t shape[NPY_DIMS];
    size_t count;   /* items */
    uint8_t *items; /* little-endian, C order */
} npy;

/* Parses a file's text. Returns NULL, or what is wrong with it. Items are copied to a, aligned to
 * 8. */
const char *npy_read(arena *a, str text, npy *out);
/* Appends what stands before the items in a file. */
void npy_write_header(strbuf *b, const npy *array);

#endif
