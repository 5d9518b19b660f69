/* SPDX-License-Identifier: Apache-2.0 */
/* The table of builtins (cuda_builtin.def): from a name to a number, and from that to what passes
 * query.
 *
 *     "atomic_add"   ->   CUDA_OP_ATOMIC_ADD   ->   CUDA_OP_ATOMIC
 *     "randf"        ->   CUDA_OP_RANDF        ->   CUDA_OP_CHANGES
 *     "sin"          ->   CUDA_OP_OTHER        ->   (none) */
#include "cuda/cuda_builtin.h"

#include "base/assert.h"

typedef struct builtin_row {
    str name;
    unsigned properties;
} builtin_row;

enum {
    ATOMIC = CUDA_OP_ATOMIC,
    CASTS = CUDA_OP_CASTS,
    COMPOSES = CUDA_OP_COMPOSES,
    NATURAL = CUDA_OP_NATURAL,
    NATURAL_FIRST = CUDA_OP_NATURAL_FIRST,
    PRINTS = CUDA_OP_PRINTS,
    STORES = CUDA_OP_STORES,
    CHANGES = CUDA_OP_CHANGES,
    WRITES = CUDA_OP_WRITES
};

/* By cuda_op; sorted by name from the second row on. */
static const builtin_row rows[CUDA_OPS] = {
    [CUDA_OP_OTHER] = {{"", 0}, 0},
#define BUILTIN(op, name, properties) [CUDA_OP_##op] = {{name, sizeof name - 1}, properties},
#include "cuda/cuda_builtin.def"
#undef BUILTIN
};

/* As strcmp does; a name that another begins with comes first. */
static int compare_names(str a, str b)
{
    const size_t n = a.n < b.n ? a.n : b.n;
    const int order = n ? memcmp(a.p, b.p, n) : 0;
    return order ? order : a.n < b.n ? -1 : a.n > b.n;
}

/* A binary search: the table is sorted, which unit.test_cuda tests row by row. */
cuda_op cuda_op_of(str name)
{
    uint32_t low = CUDA_OP_OTHER + 1, high = CUDA_OPS;
    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        WEFT_ASSERT(mid + 1 == CUDA_OPS || compare_names(rows[mid].name, rows[mid + 1].name) < 0);
        const int order = compare_names(rows[mid].name, name);
        if (!order)
            return (cuda_op)mid;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return CUDA_OP_OTHER;
}

/* A function of the program may have the name of a builtin, so the callee's unit is looked at
 * first. */
cuda_op cuda_op_called(const ir_callee *callee)
{
    return callee->unit ? CUDA_OP_OTHER : cuda_op_of(callee->native.name);
}

str cuda_op_name(cuda_op op)
{
    WEFT_ASSERT(op > CUDA_OP_OTHER && op < CUDA_OPS);
    return rows[op].name;
}

unsigned cuda_op_properties(cuda_op op)
{
    WEFT_ASSERT(op < CUDA_OPS);
    return rows[op].properties;
}
