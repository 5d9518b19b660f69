/* SPDX-License-Identifier: Apache-2.0 */
/* Shared libraries that are looked for at run time: weft is built and works without them. */
#ifndef WEFT_BASE_DYNLIB_H
#define WEFT_BASE_DYNLIB_H

#include <stdbool.h>

typedef struct dynlib {
    void *handle;    /* NULL: not loaded */
    const char *why; /* why it cannot be, in the loader's words, until the next dynlib_open; NULL:
                      * there is none of that name */
} dynlib;

/* A path, or a bare name that the system's loader looks for. False: there is none, or it is no
 * library for this machine. A file that was cut short is refused: the loader would die of it. */
bool dynlib_open(dynlib *lib, const char *path);
/* *function is a pointer to a function; false: the library has no such one. */
bool dynlib_find(const dynlib *lib, const char *name, void *function);
void dynlib_close(dynlib *lib);

#endif
