/* What describes a data set and the run that makes it. The bytes depend on the options that
 * describe the set, and not on `jobs`. */
#ifndef WEFT_RECORD_RECORD_OPTIONS_H
#define WEFT_RECORD_RECORD_OPTIONS_H

#include "base/arena.h"
#include "base/packer.h"
#include "gen/gen.h"
#include "gpu/ptx_make.h"
#include "record/messages.h"

/* The last two have a file, or a folder, for each record. */
typedef enum data_format { DATA_JSONL, DATA_FILES, DATA_STANDALONE } data_format;
/* What a record is about: a translation, or a broken kernel and the right one. */
typedef enum data_job { DATA_TRANSLATE, DATA_REPAIR } data_job;
/* What a record looks like: the texts in fields of their own, or a conversation. */
typedef enum data_style { DATA_PAIR, DATA_MESSAGES } data_style;
/* Which pairs are kept, by their gradient: all whose state is known, or proved ones. */
typedef enum data_gradients { DATA_GRADIENTS_ANY, DATA_GRADIENTS_EXACT } data_gradients;

enum {
    DATA_OK = 0,
    DATA_STOPPED = -1, /* the caller's progress function said so */
    DATA_CLOSED = -2,  /* the reader of a pipe went away */
    DATA_REFUSED = -3, /* the folder holds something else, or is in use: see message */
    DATA_BROKEN = -4,  /* a pair cannot be made: see message */
    DATA_MEMORY = -5,
    DATA_EXHAUSTED = -6 /* no new structure is left: see message */
    /* positive: an errno value */
};

struct data_progress;

struct data_piece;
struct data_stats;
struct exclude_set;
/* Where the records of a run come from, if they are not made: in order, and all of them. */
typedef struct data_source {
    int (*next)(void *arg, struct data_piece *piece); /* fills text and ends for `first` and `n` */
    void (*finish)(void *arg, struct data_stats *sums); /* adds the sums but those of sizes */
    void *arg;
} data_source;

typedef struct data_options {
    uint64_t count, seed;
    unsigned devices; /* EMIT_FOR_... */
    gen_category categories[GEN_CATEGORY_COUNT];
    uint32_t ncategories;
    const gen_plan *plan; /* of this seed, these categories and this shape; NULL: not made yet */
    gen_shape shape;
    data_format format;
    data_job job;
    data_style style;
    data_task tasks[TASKS]; /* of conversations, in turn */
    uint32_t ntasks;
    const char *output;   /* a folder; NULL: records go to standard output */
    const char *license;  /* of the card, as the Hub names it; NULL: the usual one */
    uint32_t part, parts; /* this run makes the part-th of `parts` ranges of indexes, from 1 */
    uint64_t shard_rows;  /* rows of a file; 0: as many as suit the devices */
    uint32_t jobs;
    pack_method compress;
    bool no_backward;
    bool no_verify;
    bool cpu_shim; /* DATA_STANDALONE: with cuda_on_cpu.h */
    bool no_dedup;
    uint32_t near;             /* as for near_init, without parts only; 0: near ones are kept */
    const data_source *source; /* NULL: they are made */
    const struct exclude_set *exclude; /* structures that no sample may have; or NULL */
    data_gradients gradients;
    bool with_ptx;            /* statistics of PTX in the metadata; needs: */
    const char *ptx_compiler; /* what makes it, as a word */
    const ptx_tools *ptx;     /* NULL: they are left out */
    bool resume;
    bool timings;
    bool (*progress)(void *arg,
                     const struct data_progress *p); /* called by one thread; false: stop */
    void (*note)(void *arg, const char *text); /* something that the user should know; or NULL */
    void *progress_arg;                        /* for both */
    /* Takes records, one after another and each ending where `ends` says, instead of standard
     * output: DATA_OK, or DATA_STOPPED. Called by the calling thread. */
    int (*take)(void *arg, str text, const uint64_t *ends, uint32_t n);
    void *take_arg;
} data_options;

enum { DATA_PARTS_MAX = 1000000 };
#define DATA_COUNT_MAX UINT64_C(1000000000000)

/* Categories from a list "a,b" (NULL: all), in the order of the table. False: a name is unknown, or
 * there is none (*unknown is empty). */
bool data_choose_categories(data_options *o, const char *list, str *unknown);
/* Tasks of conversations from such a list; needs devices and no_backward. NULL, or what is wrong
 * with *which. */
const char *data_choose_tasks(data_options *o, const char *list, str *which);
/* Difficulties (bit L for level L; 0: all) and lines (0: any) of kernels; needs the categories.
 * False: there are no such kernels in one of them. */
bool data_choose_shape(data_options *o, unsigned levels, uint32_t min_lines, uint32_t max_lines);
/* "jsonl", ...: as --format has it. */
const char *data_format_name(data_format f);
#endif
