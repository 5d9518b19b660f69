/* What the fuzzer and the replay driver run on one input. */
#ifndef WEFT_TESTS_FUZZ_COMPILE_H
#define WEFT_TESTS_FUZZ_COMPILE_H

#include <stddef.h>
#include <stdint.h>

/* Compiles `data` as a Python file without imports from the disk, and writes the modules of both
 * devices. Aborts where the interface breaks a promise. */
void fuzz_compile(const uint8_t *data, size_t size);

#endif
