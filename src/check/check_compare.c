/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two states of a launch's arrays bit for bit.
 *
 *     expected   y = {2, 4, 6}      values   y = {2, 4, 7}
 *     check_states_differ           slot y, lane 2, was 6, is 7, error 0.077
 *
 * No tolerance is needed: both executors run threads in the same linear order, so sums of atomics
 * agree too, and they share the arithmetic of values. Any NaN equals any other, since C leaves the
 * bits of a NaN open. The first difference is kept for messages. */
#include "check/check_internal.h"

/* One scalar of each state. */
static bool lanes_equal(type_kind kind, const uint8_t *a, const uint8_t *b, size_t width)
{
    if (memcmp(a, b, width) == 0)
        return true;
    if (kind < TYPE_FLOAT16)
        return false;
    const double x = num_load(kind, a).f, y = num_load(kind, b).f;
    return x != x && y != y;
}

/* x - y| relative to |x| + |y|: 1 at most, also for infinities and NaNs; 0 for two zeros. */
static double relative(double x, double y)
{
    const double d = x > y ? x - y : y - x, size = __builtin_fabs(x) + __builtin_fabs(y);
    if (!(size < __builtin_inf()))
        return 1.0;
    return size > 0 ? d / size : d > 0;
}

static double as_double(type_kind kind, const uint8_t *p)
{
    const num x = num_load(kind, p);
    return kind >= TYPE_FLOAT16 ? x.f : (double)x.i;
}

/* Adds a slot's differences to *out, which holds the first one already or none. */
static bool slot_differs(const check_slot *s, const uint8_t *a, const uint8_t *b,
                         check_difference *out)
{
    WEFT_ASSERT(s->elem != NULL);
    const type_kind kind = (type_kind)s->scalar;
    const size_t width = layout_size(type_scalar_of(s->elem));
    bool differs = false;
    for (size_t i = 0; i < s->lanes; i++) {
        const size_t at = check_lane(s, width, i);
        const uint8_t *p = a + at, *q = b + at;
        if (lanes_equal(kind, p, q, width))
            continue;
        const double x = as_double(kind, p), y = as_double(kind, q), error = relative(x, y);
        if (!out->slot)
            *out = (check_difference){.slot = s, .lane = i, .was = x, .is = y};
        out->error = error > out->error ? error : out->error;
        out->exact |= kind < TYPE_FLOAT16;
        differs = true;
    }
    return differs;
}

bool check_slot_same(const check_slot *s, const uint8_t *a, const uint8_t *b)
{
    const size_t width = layout_size(type_scalar_of(s->elem));
    if (!s->stride)
        return memcmp(a + s->at, b + s->at, s->lanes * width) == 0;
    for (size_t i = 0; i < s->lanes; i += s->run) {
        const size_t at = check_lane(s, width, i);
        if (memcmp(a + at, b + at, s->run * width) != 0)
            return false;
    }
    return true;
}

/* The first difference and the largest error. Padding may differ, so memcmp only proves equality.
 */
check_difference check_states_differ(const check_inputs *in, const uint8_t *a, const uint8_t *b)
{
    check_difference d = {0};
    if (memcmp(a, b, in->size) != 0)
        for (uint32_t i = 0; i < in->nslots; i++)
            slot_differs(&in->slots[i], a, b, &d);
    return d;
}

/* The same as a yes or no, which stops at the first slot that differs. */
bool check_states_equal(const check_inputs *in, const uint8_t *a, const uint8_t *b)
{
    check_difference d = {0};
    if (memcmp(a, b, in->size) == 0)
        return true;
    for (uint32_t i = 0; i < in->nslots; i++)
        if (slot_differs(&in->slots[i], a, b, &d))
            return false;
    return true;
}
