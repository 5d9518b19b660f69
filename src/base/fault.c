/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what may fail, and picks the one that does; in debug builds only. A test
 * (tests/limits/allocation_check.py) reads the counts of one run, then repeats it with each number
 * in turn, so that every failure path is run:
 *
 *     WEFT_FAIL_COUNTS=n.txt weft compile k.py     writes "188 29", say
 *     WEFT_FAIL_ALLOCATION=17 weft compile k.py    "out of memory", status 3
 */
#include "base/fault.h"

#ifdef WEFT_DEBUG
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/decimal.h"

static _Atomic uint64_t counts[FAULT_KIND_COUNT]; /* of the whole process */

/* stdio and not base/io.h: these calls must not count. */
/* The last thing that the process does. A file that cannot be opened is ignored. */
static void write_counts(void)
{
    const char *path = getenv("WEFT_FAIL_COUNTS");
    FILE *to = path ? fopen(path, "w") : NULL;
    if (!to)
        return;
    fprintf(to, "%" PRIu64 " %" PRIu64 "\n", counts[FAULT_ALLOCATION], counts[FAULT_IO]);
    fclose(to);
}

bool fault_is_due(fault_kind kind)
{
    WEFT_ASSERT(kind < FAULT_KIND_COUNT);
    static const char *const names[] = {
        [FAULT_ALLOCATION] = "WEFT_FAIL_ALLOCATION", [FAULT_IO] = "WEFT_FAIL_IO"};
    const uint64_t n = ++counts[kind];
    if (n == 1) /* of each kind: to write the same twice does no harm */
        atexit(write_counts);
    const char *named = getenv(names[kind]);
    uint64_t number;
    return named && decimal_read_uint(named, &named, &number) && n == number;
}
#else
typedef int fault_is_for_debug_builds; /* no translation unit is empty */
#endif
