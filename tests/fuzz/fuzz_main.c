/* SPDX-License-Identifier: Apache-2.0 */
/* The entry points of libFuzzer: the target, which the build names by FUZZ_TARGET, and for texts a
 * mutator that changes lines and words as wholes, so that much of what it makes still parses. */
#include <ctype.h>
#include <string.h>

#include "fuzz_target.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FUZZ_TARGET(data, size);
    return 0;
}

typedef struct piece {
    size_t from, end;
} piece;

typedef struct dice {
    uint64_t state;
} dice;

static size_t roll(dice *d, size_t n)
{
    d->state = d->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return n ? (size_t)(d->state >> 33) % n : 0;
}

/* The line around a random place, with its end. */
static piece random_line(dice *d, const uint8_t *data, size_t size)
{
    piece p = {roll(d, size), 0};
    p.end = p.from;
    while (p.from > 0 && data[p.from - 1] != '\n')
        p.from--;
    while (p.end < size && data[p.end] != '\n')
        p.end++;
    p.end += p.end < size;
    return p;
}

static int is_word(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '.';
}

/* A name, a dotted name, a number, or one other character. */
static piece random_word(dice *d, const uint8_t *data, size_t size)
{
    piece p = {roll(d, size), 0};
    while (p.from + 1 < size && isspace(data[p.from]))
        p.from++;
    p.end = p.from + 1;
    if (!is_word(data[p.from]))
        return p;
    while (p.from > 0 && is_word(data[p.from - 1]))
        p.from--;
    while (p.end < size && is_word(data[p.end]))
        p.end++;
    return p;
}

/* Puts a copy of `what` in the place of `where`. */
static size_t put(uint8_t *data, size_t size, size_t max, piece where, piece what)
{
    uint8_t copy[256];
    const size_t n = what.end - what.from, gone = where.end - where.from;
    if (n > sizeof copy || size - gone + n > max || size - gone + n == 0)
        return size;
    memcpy(copy, data + what.from, n);
    memmove(data + where.from + n, data + where.end, size - where.end);
    memcpy(data + where.from, copy, n);
    return size - gone + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    dice d = {seed};
    for (size_t i = 1 + roll(&d, 3); i > 0 && size; i--) {
        const piece line = random_line(&d, data, size), word = random_word(&d, data, size);
        const piece none = {line.from, line.from};
        switch (roll(&d, 6)) {
        case 0: size = put(data, size, max, none, random_line(&d, data, size)); break;
        case 1: size = put(data, size, max, line, (piece){line.from, line.from}); break;
        case 2: size = put(data, size, max, line, random_line(&d, data, size)); break;
        case 3:
        case 4: size = put(data, size, max, word, random_word(&d, data, size)); break;
        default: size = LLVMFuzzerMutate(data, size, max);
        }
    }
    return size ? size : LLVMFuzzerMutate(data, size, max);
}
