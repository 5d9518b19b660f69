/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of characters: which begin or continue a name (isidentifier of Python's str), which repr
 * prints as they are (isprintable). Example: U+00B7 (middle dot) continues a name but does not
 * begin one. Each class is a sorted table of ranges that is searched by halves; ASCII is answered
 * without a table. */
#include "base/assert.h"
#include "syntax/unicode.h"

/* Both ends are included; ranges of a table ascend and do not touch. */
typedef struct range {
    uint32_t first, last;
} range;

#define UNI_RANGE(first, last) {first, last},
static const range start_ranges[] = {
#include "syntax/unicode_start.def"
};
static const range continue_ranges[] = {
#include "syntax/unicode_continue.def"
};
static const range print_ranges[] = {
#include "syntax/unicode_print.def"
};
#undef UNI_RANGE

/* Is c in a range of the table? Invariant: if so, the range is in table[low..high). */
static bool find(const range *table, size_t n, uint32_t c)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (c < table[mid].first)
            high = mid;
        else if (c > table[mid].last)
            low = mid + 1;
        else
            return true;
    }
    return false;
}

#define COUNT(table) (sizeof(table) / sizeof *(table))

bool unicode_is_printable(uint32_t c)
{
    if (c < 0x80)
        return c >= 32 && c < 127;
    return find(print_ranges, COUNT(print_ranges), c);
}

bool unicode_begins_name(uint32_t c)
{
    WEFT_ASSERT(c <= 0x10ffff);
    if (c < 0x80)
        return c == '_' || (c | 32) - 'a' < 26;
    return find(start_ranges, COUNT(start_ranges), c);
}

bool unicode_continues_name(uint32_t c)
{
    if (c < 0x80)
        return unicode_begins_name(c) || c - '0' < 10;
    return find(continue_ranges, COUNT(continue_ranges), c);
}
