/* Making a data set: pairs are generated and compiled by threads, and written in order. The bytes
 * depend on the options that describe the set, and not on `jobs`. */
#ifndef WEFT_DATA_DATA_H
#define WEFT_DATA_DATA_H

#include "base/arena.h"
#include "base/packer.h"
#include "base/stage.h"
#include "check/check.h"
#include "data/exclude.h"
#include "data/messages.h"
#include "gen/gen.h"
#include "gpu/ptx_make.h"

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

typedef struct data_progress data_progress;

struct data_piece;
struct data_stats;
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
    uint32_t near;              /* as for near_init, without parts only; 0: near ones are kept */
    const data_source *source;  /* NULL: they are made */
    const exclude_set *exclude; /* structures that no sample may have; or NULL */
    data_gradients gradients;
    bool with_ptx;            /* statistics of PTX in the metadata; needs: */
    const char *ptx_compiler; /* what makes it, as a word */
    const ptx_tools *ptx;     /* NULL: they are left out */
    bool resume;
    bool timings;
    bool (*progress)(void *arg, const data_progress *p); /* called by one thread; false: stop */
    void (*note)(void *arg, const char *text); /* something that the user should know; or NULL */
    void *progress_arg;                        /* for both */
    /* Takes records, one after another and each ending where `ends` says, instead of standard
     * output: DATA_OK, or DATA_STOPPED. Called by the calling thread. */
    int (*take)(void *arg, str text, const uint64_t *ends, uint32_t n);
    void *take_arg;
} data_options;

enum {
    DATA_LINES_MAX = 128,
    DATA_ARGS_MAX = GEN_ARGS_MAX + 1,
    DATA_DEPTH_MAX = 8,
    DATA_BUILTINS_MAX = 256
};

/* Why a sample was thrown away and made anew. */
typedef enum data_rejection {
    DATA_REJECT_COMPILE = CHECK_REASONS, /* those before are check_reasons */
    DATA_REJECT_INADEQUATE,
    DATA_REJECT_GRADIENT,
    DATA_REJECT_SIZE,
    DATA_REJECT_EXCLUDED,
    DATA_REJECT_DUPLICATE,  /* an earlier sample has its structure */
    DATA_REJECT_NEAR,       /* one is near to it */
    DATA_REJECT_STANDALONE, /* no program of its own can be made of it, or none that checks itself
                             */
    DATA_REJECT_DEFECT,     /* it cannot be broken in the way that is wanted */
    DATA_REJECTIONS
} data_rejection;
const char *data_rejection_name(uint32_t r);

/* Sums over records; one for each thread's piece, added up in order. */
typedef struct data_stats {
#define STAT(name, dimensions, how) uint64_t name dimensions;
#include "data/stat.def"
#undef STAT
    char suspect[512]; /* the first of the suspects */
} data_stats;

typedef struct data_result {
    data_stats stats;
    uint64_t first, rows, bytes; /* range of indexes; bytes of all records */
    uint64_t kept;               /* rows that an earlier run had written */
    bool was_there;              /* the whole data set was: nothing is known of it but its range */
    double seconds;
    const char *sample;  /* path of the first record's file; NULL on a stream */
    const char *message; /* why the run was refused; in the arena */
    char failed[1024];   /* the file that an errno value is about; empty: standard output */
    stage_clock clock;   /* all threads together, with `timings` */
} data_result;

/* Pairs done so far, those of an earlier run included. */
struct data_progress {
    uint64_t done;
    const data_result *result;
};

/* DATA_OK, another of the above, or an errno value. Strings of *r live in a. */
int data_run(arena *a, const data_options *o, data_result *r);

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
/* The command that makes this set, without what does not change its bytes. */
void data_put_command(strbuf *b, const data_options *o);

#endif
