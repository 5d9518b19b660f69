/* SPDX-License-Identifier: Apache-2.0 */
/* What one kernel is like, found in its syntax tree alone: no import is followed and no type is
 * known. The same questions are asked of kernels that people wrote and of those that weft makes.
 *
 *     @wp.kernel
 *     def gather(ids: wp.array(dtype=int), x: wp.array(dtype=float), y: wp.array(dtype=float)):
 *         i = wp.tid()
 *         y[i] = x[ids[i]]          ->  GATHER; lines 4, statements 2, arguments 3 */
#ifndef WEFT_PROFILE_PROFILE_KERNEL_H
#define WEFT_PROFILE_PROFILE_KERNEL_H

#include "base/arena.h"
#include "syntax/ast.h"

typedef enum profile_feature {
#define FEATURE(ID, name, what)          PROFILE_##ID,
#define CALLED(ID, name, what, prefixes) PROFILE_##ID,
#include "profile/profile_feature.def"
#undef FEATURE
#undef CALLED
    PROFILE_FEATURES
} profile_feature;
_Static_assert(PROFILE_FEATURES <= 64, "a bit each");

typedef enum profile_number {
#define NUMBER(ID, name, what) PROFILE_##ID,
#include "profile/profile_number.def"
#undef NUMBER
    PROFILE_NUMBERS
} profile_number;

typedef struct profile_facts {
    uint64_t features; /* a bit each */
    uint32_t numbers[PROFILE_NUMBERS];
} profile_facts;

static inline bool profile_has(const profile_facts *f, profile_feature k)
{
    return f->features >> k & 1;
}

/* "gather", and what it means; "lines". */
const char *profile_feature_name(profile_feature f);
bool profile_feature_find(str name, profile_feature *f);
const char *profile_feature_what(profile_feature f);
const char *profile_number_name(profile_number n);
const char *profile_number_what(profile_number n);

/* What a file calls Warp: "wp", "warp", or another name; NULL: it does not import it. */
const sym *profile_warp_name(const ast_Module *tree);
/* The facts of a kernel. */
void profile_kernel(const ast_FunctionDef *f, const sym *warp, profile_facts *out);
/* What stands for others in a template that is no whole kernel: names of functions that are no
 * functions, and those of them that take an index: at(place, index), scatter(index, value). */
typedef struct profile_template {
    const sym *warp;
    const sym *const *words;
    uint32_t nwords;
    const sym *at, *scatter, *count;
    const sym *const *arrays; /* what is subscripted as an array */
    uint32_t narrays;
} profile_template;

/* The facts of statements of a template; `lines` are those that they take, arguments are none. */
void profile_part(const profile_template *t, const node *const *body, uint32_t n,
                  profile_facts *out);
/* Calls `found` for every kernel of the file, also those within functions and classes. */
void profile_each(const ast_Module *tree, void (*found)(void *arg, const ast_FunctionDef *kernel),
                  void *arg);

#endif
