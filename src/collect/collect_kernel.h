/* SPDX-License-Identifier: Apache-2.0 */
/* One file's kernels made into records, by one thread's compilers.
 *
 *     kernel_maker_file(&k, &file, &found);
 *     found.items: of each kernel its record, or why there is none */
#ifndef WEFT_COLLECT_COLLECT_KERNEL_H
#define WEFT_COLLECT_COLLECT_KERNEL_H

#include "check/check.h"
#include "collect/call_site.h"
#include "collect/files.h"
#include "driver/pipeline.h"
#include "record/record_write.h"
#include "similar/minhash.h"
#include "similar/structure.h"

/* Why a kernel is no record: the kinds that are counted. */
typedef enum collect_skip {
#define SKIP(ID, name) COLLECT_SKIP_##ID,
#include "collect/collect_skip.def"
#undef SKIP
    COLLECT_SKIPS
} collect_skip;

/* A kernel of a file. */
typedef struct collected_kernel {
    str kernel;
    uint32_t line;
    uint32_t ordinal;  /* among the kernels of this name and line */
    collect_skip skip; /* COLLECT_SKIP_NONE: it is a record */
    str why;
    str instance, types_from; /* of a generic kernel, for the record */
    str license;              /* of all that the source was copied from */
    str record;               /* a line of JSON */
    fingerprint structure;
    minhash near;        /* valid if asked for */
    check_status status; /* CHECK_STATUSES: not run */
} collected_kernel;

typedef struct collected_file {
    mem mem; /* of all below */
    arena a;
    VEC(collected_kernel) items;
    bool unread; /* the file, or a licence, could not be read, though it may be */
    bool ready;
} collected_file;

typedef struct kernel_maker {
    const record_options *o;
    const char *licenses; /* as collect_options has it */
    other_files others;
    pipeline whole, alone; /* compile the file, and the kernel's own source */
    checker *checker;
    structurer *structurer;
    minhasher hasher;
    strbuf source, texts, expected;
    /* In work. */
    const collect_file *file;
    const program *prog;
    collected_file *out;
    bool unproved;  /* the kernel is not executed: its proof took too much memory */
    uint32_t known; /* kernels of factories that are in `out` from an earlier attempt at the file */
    uint32_t large; /* the place in `out` of a kernel that takes too much memory to compile */
} kernel_maker;

/* Borrowed for as long as the maker lives. */
typedef struct kernel_maker_options {
    const record_options *record;
    const char *licenses; /* see collect_options */
    const collect_files *files;
    const char *const *dirs;
    size_t ndirs;
    const atomic_bool *stop; /* once it is set, the file in work ends as if memory ran out */
} kernel_maker_options;
/* False: memory ran out. */
bool kernel_maker_init(kernel_maker *k, const kernel_maker_options *by);
void kernel_maker_clear(kernel_maker *k);
/* False: memory ran out; out->mem may hold a part. */
bool kernel_maker_file(kernel_maker *k, const collect_file *file, collected_file *out);

#endif
