/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzzers and the replay driver run on one input. Each aborts where an interface breaks a
 * promise. */
#ifndef WEFT_TESTS_FUZZ_TARGET_H
#define WEFT_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A broken promise is named, and the input that broke it is kept. */
#define demand(promise)                                                                            \
    ((promise) ? (void)0                                                                           \
               : (fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #promise), abort()))

typedef void fuzz_target(const uint8_t *data, size_t size);

/* A Python file without imports from the disk, compiled for both devices. */
fuzz_target fuzz_compile;
/* A record of a data set as a line of JSON, with all checks of a record. */
fuzz_target fuzz_validate;
/* Text of the emitted dialect, read and run with a little fuel. */
fuzz_target fuzz_text;
/* The C++ of a native snippet, read and run with a little fuel. */
fuzz_target fuzz_native;
/* A .npy file, read, and written again if it could be read. */
fuzz_target fuzz_npy;
/* CUDA text for the static checks, PTX for its statistics. */
fuzz_target fuzz_cuda;
/* A Python file whose first kernels become CUDA programs of their own. */
fuzz_target fuzz_standalone;

#endif
