/* SPDX-License-Identifier: Apache-2.0 */
/* The files of src/compose/library/ as bytes in the program; CMake writes the table. */
#ifndef WEFT_COMPOSE_LIBRARY_FILE_H
#define WEFT_COMPOSE_LIBRARY_FILE_H

#include "base/str.h"

typedef struct library_file {
    const char *name; /* "library/springs.py" */
    const str *text;
} library_file;

enum { LIBRARY_FILES_MAX = 96 };

/* In the order of their names; a row without a name is behind the last. */
extern const library_file library_files[];

#endif
