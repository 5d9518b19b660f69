/* SPDX-License-Identifier: Apache-2.0 */
/* weft as a library: data sets joined, divided, read, counted and shown. A part of weft.h, which
 * includes it, and whose rules hold here too. */
#ifndef WEFT_SETS_H
#define WEFT_SETS_H

#ifndef WEFT_H
#error "include weft.h"
#endif

typedef struct weft_merge_options {
    size_t size;                /* sizeof(weft_merge_options) */
    const char *output;         /* the folder: empty, or not there yet */
    const char *const *exclude; /* what the parts were made with, if they were */
    size_t exclude_count;
    uint64_t memory_mb;              /* megabytes to sort with; 0: 256 */
    const char *const *package_dirs; /* for parts with PTX: as in weft_ptx_options */
    size_t package_dir_count;
    const char *warp_include;
} weft_merge_options;

/* `weft merge`: the folders of a run's parts, in any order, to what one machine would have made.
 * WEFT_INPUT_ERRORS: a part is damaged; WEFT_BAD_ARGUMENT: they are not the parts of one run, or
 * the output cannot be taken. `made` as in weft_generate. */
WEFT_API weft_status weft_merge(const char *const *folders, size_t count,
                                const weft_merge_options *options, const weft_callbacks *callbacks,
                                void (*made)(void *arg, const weft_generated *made));

/* Of weft_split and weft_dedup. */
typedef struct weft_subset_options {
    size_t size;        /* sizeof(weft_subset_options) */
    const char *output; /* the folder: empty, or not there yet; NULL: records are only counted */
    const char *ratios; /* weft_split: of the splits, "90,5,5" or "0.9,0.05,0.05" */
    double near;        /* weft_dedup: as in weft_generate_options */
    int compress;       /* WEFT_PLAIN, ..., if `repack`; else as the input is */
    int repack;
    uint64_t shard_rows; /* records in a file; 0: 25,000 */
    const char *license; /* of the card; NULL: apache-2.0 */
} weft_subset_options;

typedef struct weft_subset {
    size_t size;      /* sizeof(weft_subset) */
    uint64_t records; /* read */
    uint64_t left;    /* written, or what would be */
    double seconds;
    uint64_t duplicates, nears, unread; /* weft_dedup */
    /* weft_split: train, validation and test. */
    struct {
        const char *name; /* lives as long as the program */
        uint64_t records, bytes;
    } parts[3];
    uint32_t part_count;
    char json[512]; /* weft_dedup: the same figures as one JSON object */
} weft_subset;

/* `weft split` and `weft dedup`: folders of data sets, shards, files of one record. After a failure
 * nothing of the output is left. WEFT_INPUT_ERRORS: a set is damaged; WEFT_BAD_ARGUMENT: options,
 * or the output cannot be taken. */
WEFT_API weft_status weft_split(const char *const *paths, size_t count,
                                const weft_subset_options *options, const weft_callbacks *callbacks,
                                weft_subset *out);
WEFT_API weft_status weft_dedup(const char *const *paths, size_t count,
                                const weft_subset_options *options, const weft_callbacks *callbacks,
                                weft_subset *out);

/* A record as it stands in its set. Lives until the callback returns. */
typedef struct weft_record {
    const char *file;
    uint64_t line;    /* from 1 */
    const char *json; /* one object; not terminated by a zero */
    size_t json_size;
} weft_record;

/* The records of data sets in their order, whatever their layout. `record` gets the callbacks'
 * `arg`; other than 0 ends the reading: WEFT_STOPPED. WEFT_INPUT_ERRORS: a set is damaged. */
WEFT_API weft_status weft_records(const char *const *paths, size_t count,
                                  const weft_callbacks *callbacks,
                                  int (*record)(void *arg, const weft_record *record));
/* `weft stats`: what data sets consist of, as a table or as members of a JSON object, to `write` in
 * one call. Damaged records go to the callbacks' `problem`: WEFT_INPUT_ERRORS then. */
WEFT_API weft_status weft_stats(const char *const *paths, size_t count, int json,
                                const weft_callbacks *callbacks,
                                void (*write)(void *arg, const char *text, size_t size));
/* `weft stats --profile`: what kernels are like in Python files, folders, installed packages and
 * data sets, as a table or as the JSON that weft_generate_options.profile names, to `write` in one
 * call. package_dirs: where packages are searched first. Files that cannot be parsed go to the
 * callbacks' `problem`: WEFT_INPUT_ERRORS then. */
WEFT_API weft_status weft_profile(const char *const *paths, size_t count,
                                  const char *const *package_dirs, size_t package_dir_count,
                                  int json, const weft_callbacks *callbacks,
                                  void (*write)(void *arg, const char *text, size_t size));
typedef struct weft_report_options {
    size_t size;     /* sizeof(weft_report_options) */
    int measure;     /* the first samples of the set are made again: the page says how fast */
    int32_t samples; /* records that the page shows, up to 10,000; 0: 20; WEFT_REPORT_NO_SAMPLES */
} weft_report_options;

enum { WEFT_REPORT_NO_SAMPLES = -1 };

/* `weft report`: the same as one HTML page, if there is a record. options: NULL is all zero. */
WEFT_API weft_status weft_report(const char *path, const weft_report_options *options,
                                 const weft_callbacks *callbacks,
                                 void (*write)(void *arg, const char *page, size_t size));

#endif
