/* SPDX-License-Identifier: Apache-2.0 */
/* One input as a .npy file. What is read and written again reads back as the same. */
#include "base/npy.h"
#include "fuzz_target.h"

enum { MEMORY_LIMIT = 256 << 20 };

typedef struct npy_input {
    mem mem;
    str text;
} npy_input;

static void round_trip(void *arg)
{
    npy_input *in = arg;
    arena a;
    npy array, again;
    strbuf b;
    arena_init(&a, &in->mem);
    if (npy_read(&a, in->text, &array))
        return;
    sb_init(&b, &in->mem);
    npy_write_header(&b, &array);
    sb_put(&b, (const char *)array.items, array.count * array.width);
    demand(!npy_read(&a, sb_view(&b), &again));
    demand(again.kind == array.kind && again.width == array.width && again.ndim == array.ndim);
    demand(again.count == array.count);
    demand(!array.count || !memcmp(again.items, array.items, array.count * array.width));
}

void fuzz_npy(const uint8_t *data, size_t size)
{
    npy_input in = {.text = {(const char *)data, size}};
    mem_init(&in.mem);
    in.mem.limit = MEMORY_LIMIT;
    demand(mem_try(&in.mem, round_trip, &in));
    mem_clear(&in.mem);
}
