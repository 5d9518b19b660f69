/* SPDX-License-Identifier: Apache-2.0 */
/* One input as the C++ of a native snippet: read, and run with a little fuel, on both devices. What
 * its arrays hold besides lies in blocks of their own, so that the sanitizers see each access
 * outside. */
#include "../native/native_fixture.h"
#include "fuzz_target.h"

enum { MEMORY_LIMIT = 64 << 20, FUEL = 20000 };

/* The context is made once: that takes far longer than a small text. */
void fuzz_native(const uint8_t *data, size_t size)
{
    static pipeline p;
    static bool ready;
    const pipeline_options options = {.memory_limit = MEMORY_LIMIT};
    for (int cuda = 0; cuda < 2; cuda++) {
        char said[300] = {0};
        snippet_run s = {.c = &p.c,
                         .text = {(const char *)data, size},
                         .cuda = cuda,
                         .steps = FUEL,
                         .said = said,
                         .size = sizeof said};
        if (!ready)
            demand(pipeline_init(&p, &options));
        ready = true;
        pipeline_reset(&p);
        if (snippet_execute(&s)) {
            demand(said[0]);
            continue;
        }
        demand(p.c.mem.over_limit);
        pipeline_clear(&p);
        ready = false;
    }
}
