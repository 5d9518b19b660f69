/* SPDX-License-Identifier: Apache-2.0 */
/* Growable arrays that live in an arena. Example:
 *
 *     VEC(int) v = {0};
 *     VEC_PUSH(a, &v, 7);       v.v[0] is 7, v.n is 1
 *
 * Outgrown storage stays in the arena until its reset. Elements move when the array grows, so
 * pointers to them do not last. */
#ifndef WEFT_BASE_VEC_H
#define WEFT_BASE_VEC_H

#include "base/arena.h"

/* The type of an array of T. Two arrays of the same T have different types: name one by typedef to
 * pass it to functions. */
#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *v;                                                                                      \
        uint32_t n, cap;                                                                           \
    }

/* Appends x, which is evaluated after the array has grown. */
#define VEC_PUSH(a, vec, x)                                                                        \
    do {                                                                                           \
        if ((vec)->n == (vec)->cap)                                                                \
            (vec)->v = vec_grow((a), (vec)->v, sizeof *(vec)->v, (vec)->n, &(vec)->cap);           \
        (vec)->v[(vec)->n++] = (x);                                                                \
    } while (0)

/* A copy of the n elements of `old` with twice the room; *cap is updated. */
static inline void *vec_grow(arena *a, const void *old, size_t size, uint32_t n, uint32_t *cap)
{
    if (*cap > UINT32_MAX / 2)
        mem_fail(a->m);
    *cap = *cap ? *cap * 2 : 8;
    void *v = arena_alloc(a, mem_mul(a->m, size, *cap));
    if (n)
        memcpy(v, old, size * n);
    return v;
}

#endif
