/* SPDX-License-Identifier: Apache-2.0 */
/* What describes a data set and the run that makes it. The bytes depend on the options that
 * describe the set, and not on `jobs`. */
#ifndef WEFT_RECORD_RECORD_OPTIONS_H
#define WEFT_RECORD_RECORD_OPTIONS_H

#include "base/arena.h"
#include "base/packer.h"
#include "gen/gen.h"
#include "gpu/ptx_make.h"
#include "record/messages.h"
#include "record/record_mix.h"

/* How a data set lies on the disk. */
typedef enum record_format {
#define FORMAT(ID, name, programs, shards, data, functions, next, next_cpu) RECORD_FORMAT_##ID,
#include "record/record_format.def"
#undef FORMAT
    RECORD_FORMATS
} record_format;
/* What a record is about: a translation, or a broken kernel and the right one. */
typedef enum record_job { RECORD_TRANSLATE, RECORD_REPAIR } record_job;
/* What a record looks like: the texts in fields of their own, a conversation, or, in such fields, a
 * whole script with several kernels. */
typedef enum record_style { RECORD_PAIR, RECORD_MESSAGES, RECORD_SCRIPT } record_style;
/* Which pairs are kept, by their gradient: all whose state is known, or proved ones. */
typedef enum record_gradients { RECORD_GRADIENTS_ANY, RECORD_GRADIENTS_EXACT } record_gradients;

struct make_progress;
struct profile;
struct library;

struct make_piece;
struct store_stats;
struct exclude_set;
/* Where the records of a run come from, if they are not made: in order, and all of them. */
typedef struct make_source {
    int (*next)(void *arg, struct make_piece *piece); /* fills text and ends for `first` and `n` */
    void (*finish)(void *arg, struct store_stats *sums); /* adds the sums but those of sizes */
    void *arg;
} make_source;

/* One run. A set's identity is count, seed, devices, categories, shape, format, job, style, tasks
 * and the switches below that change bytes: those that store_command.c writes. */
typedef struct record_options {
    uint64_t count, seed;
    unsigned devices;  /* EMIT_FOR_... */
    warp_release warp; /* whose text; WARP_ANY: the default's */
    gen_category categories[GEN_CATEGORY_COUNT];
    uint32_t ncategories;
    const gen_plan *plan; /* of this seed, these categories and this shape; NULL: not made yet */
    const struct library *library; /* of kernels with a purpose; NULL: not read yet */
    gen_shape shape;
    record_format format;
    record_job job;
    record_mix mix;                /* of kinds of kernels */
    const struct profile *profile; /* that kernels with a purpose follow; NULL: the default one */
    record_style style;
    record_task tasks[TASKS]; /* of conversations, in turn */
    uint32_t ntasks;
    bool tasks_named;     /* by the caller; else all that suit */
    const char *output;   /* a folder; NULL: records go to standard output */
    const char *license;  /* of the card, as the Hub names it; NULL: the usual one */
    uint32_t part, parts; /* this run makes the part-th of `parts` ranges of indexes, from 1 */
    uint64_t shard_rows;  /* rows of a file; 0: as many as suit the devices */
    uint32_t jobs;
    pack_method compress;
    bool no_backward;
    bool no_verify;
    bool no_tests;       /* composed records are written without tests */
    uint64_t max_tokens; /* of a text of a pair, or of a conversation; 0: any number */
    bool collected;      /* records have a provenance */
    bool cpu_shim;       /* of programs: with cuda_on_cpu.h */
    bool no_dedup;
    uint32_t near;             /* as for near_init; 0: near ones are kept */
    bool near_named;           /* by the caller; else some that are hard to avoid are kept */
    const make_source *source; /* NULL: they are made */
    const struct exclude_set *exclude; /* structures that no sample may have; or NULL */
    record_gradients gradients;
    bool with_ptx;            /* statistics of PTX in the metadata; needs: */
    const char *ptx_compiler; /* what makes it, as a word */
    const ptx_tools *ptx;     /* NULL: they are left out */
    bool resume;
    bool timings;
    bool (*progress)(void *arg,
                     const struct make_progress *p); /* called by one thread; false: stop */
    void (*message)(void *arg, const char *text);    /* a sentence for the user; or NULL */
    void *progress_arg;                              /* for both */
    /* Takes records, one after another and each ending where `ends` says, instead of standard
     * output: STATUS_OK, or STATUS_STOPPED. Called by the calling thread. */
    int (*take)(void *arg, str text, const uint64_t *ends, uint32_t n);
    void *take_arg;
} record_options;

enum { RECORD_PARTS_MAX = 1000000 };
#define RECORD_LICENSE   "apache-2.0" /* where none is given */
#define RECORD_COUNT_MAX UINT64_C(1000000000000)

enum {
    RECORD_NEAR = 900000,  /* in millionths, for kernels with a purpose where no value is named; */
    RECORD_NEAR_TRIES = 24 /* then so many candidates of an index are refused, and one is kept */
};

/* So many candidates of an index are refused for being near to an earlier record. */
static inline uint32_t record_near_tries(const record_options *o)
{
    return o->near_named ? UINT32_MAX : RECORD_NEAR_TRIES;
}

/* Where no similarity is named. Needs the mix and no_dedup. */
static inline uint32_t record_near_of(const record_options *o)
{
    return record_mix_has(&o->mix, RECORD_PURPOSE) && !o->no_dedup ? RECORD_NEAR : 0;
}

/* The kind of a sample of the run. */
static inline record_kind record_kind_at(const record_options *o, uint64_t index)
{
    return record_mix_at(&o->mix, o->seed, index);
}

/* What of these options does not go together, in a sentence; NULL: nothing. */
const char *record_conflict(const record_options *o);
/* Is it an id as the Hub writes licences: "cc0-1.0"? */
bool record_is_license(const char *id);
/* Categories from a list "a,b" (NULL: all), in the order of the table. False: a name is unknown, or
 * there is none (*unknown is empty). */
bool record_choose_categories(record_options *o, const char *list, str *unknown);
/* Do all tasks of the run need a kernel with a purpose? */
bool record_tasks_want_purpose(const record_options *o);
/* Leaves out the categories whose kernels with a purpose have none of the levels, unless they were
 * named: what is wrong then, or with the lines of exercises of a level. Needs: the mix and the
 * shape. */
const char *record_fit_categories(arena *a, record_options *o, bool named);
/* Tasks of conversations from such a list; needs devices and no_backward. NULL, or what is wrong
 * with *which: behind its name, if it is a task's. */
const char *record_choose_tasks(record_options *o, const char *list, str *which);
/* Difficulties (bit L for level L; 0: all) and lines (0: any) of kernels; needs the categories.
 * NULL, or why there are no such kernels, in a sentence in a. */
const char *record_choose_shape(arena *a, record_options *o, unsigned levels, uint32_t min_lines,
                                uint32_t max_lines);

typedef struct record_format_row {
    const char *name;            /* as --format has it */
    bool programs;               /* records are programs of their own */
    bool shards;                 /* of many records each; else a record has a place of its own */
    const char *data;            /* where records lie in the folder */
    const char *next, *next_cpu; /* as in record_format.def */
} record_format_row;

const record_format_row *record_format_of(const record_options *o);
/* False: no format has this name. */
bool record_format_find(str name, record_format *f);

#endif
