/* SPDX-License-Identifier: Apache-2.0 */
/* One input as a record: whatever it says, there is a verdict. */
#include <stdlib.h>

#include "fuzz_target.h"
#include "validate/validate_work.h"

typedef struct input {
    validate_piece *piece;
    str text;
} input;

static void add_line(void *arg)
{
    const input *in = arg;
    validate_piece *piece = in->piece;
    piece->lines[piece->n++] = (validate_line){.path = "input",
                                               .kind = LINE_READER_PLAIN,
                                               .number = 1,
                                               .n = in->text.n,
                                               .bytes = in->text.n + 1};
    sb_str(&piece->text, in->text);
}

/* The worker keeps its compiler from one input to the next: making it takes far longer than a small
 * record. */
void fuzz_validate(const uint8_t *data, size_t size)
{
    static const validate_options options = {.checks = VALIDATE_ALL};
    static validate_worker worker;
    static validate_piece piece;
    if (!worker.o) {
        validate_piece_init(&piece);
        validate_worker_init(&worker, &options);
    }
    input in = {&piece, {(const char *)data, size}};
    validate_piece_reset(&piece);
    if (!mem_try(&piece.mem, add_line, &in) || !validate_worker_run(&worker, &piece))
        abort();
    for (uint32_t i = 0; i < piece.findings.n; i++)
        if (!piece.findings.v[i].reason.n || piece.findings.v[i].check >= VALIDATE_CHECKS)
            abort();
}
