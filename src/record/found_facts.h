/* SPDX-License-Identifier: Apache-2.0 */
/* What the record of a found kernel says by rule: weft collect writes it, weft validate derives it
 * again.
 *
 *     a kernel of 12 lines with a loop in a loop   ->   nested_loop, difficulty 2, {"tid", "range"}
 *     package app, path a.py, line 9, kernel k, its source   ->   index 345354895927949 */
#ifndef WEFT_RECORD_FOUND_FACTS_H
#define WEFT_RECORD_FOUND_FACTS_H

#include "base/sha256.h"
#include "gen/gen.h"
#include "sema/sema.h"

typedef struct found_facts {
    gen_category category;
    uint8_t level;                      /* metadata.difficulty */
    uint8_t builtins[GEN_BUILTINS_MAX]; /* as gen_sample has them */
    uint32_t nbuiltins;
} found_facts;

/* `tree`: the file that holds this kernel alone. */
found_facts found_facts_of(const node *tree, const code *def);

/* Completes the sample of a composed kernel by what its tree shows: built-in functions, and the
 * types of its arguments, whose names are kept in a. */
void record_see_sample(gen_sample *s, const ast_Module *tree, const kernel *k, arena *a);

/* "array(dtype=vec3f, ndim=2)", as records name types; in a. */
str record_type_text(arena *a, const type *t);

/* Where the kernel of a collected record stands. */
typedef struct record_origin {
    str package, version, path, license, repository;
    str instance, types_from; /* of a generic kernel; else empty */
    uint32_t line;
    str why; /* it was not executed, or not its gradient; empty: both were */
} record_origin;

/* metadata.sha256.provenance: of the fields of metadata.provenance, in their order. */
void found_hash_origin(const record_origin *o, uint8_t digest[SHA256_SIZE]);

/* The record's index: a hash of where the kernel stands and of its own source, below 10^15. So two
 * folders of one name give different ids, and a package that is collected again the same. `own`
 * is metadata.sha256.python_source, as a record need not show the source; `key` is the kernel's
 * name, and `ordinal` the number of kernels of this name and line before it: each call of a
 * function that makes kernels, and each wp.overload, gives one more. */
uint64_t found_index(const record_origin *o, str key, uint32_t ordinal, str own);

/* Where the types of a generic kernel's instance come from, or the arguments of the function that
 * made the kernel: metadata.provenance.types_from. */
typedef enum found_types {
    FOUND_TYPES_NONE,     /* the file alone makes the kernel */
    FOUND_TYPES_OVERLOAD, /* wp.overload */
    FOUND_TYPES_LAUNCH,   /* a launch */
    FOUND_TYPES_CHOSEN,   /* from nowhere: one of them at least was chosen */
    FOUND_TYPES_CALL,     /* a call of the function in code that is not run */
    FOUND_TYPES_DEFAULT,  /* the function's defaults */
    FOUND_TYPES
} found_types;

/* "launch", say; empty: FOUND_TYPES_NONE. */
const char *found_types_name(found_types t);
/* "x: array(ndim=1, dtype=vec3f), s: float32": of an instance the parameters whose types the
 * annotations leave open; empty for other kernels. In a. */
str found_instance(arena *a, const kernel *instance);

#endif
