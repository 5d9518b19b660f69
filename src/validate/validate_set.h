/* SPDX-License-Identifier: Apache-2.0 */
/* What is checked across records: a folder's manifest and statistics, the order and completeness of
 * its records, duplicates, balance. Only the calling thread comes here, record by record in order.
 *
 *     validate_set_open      each path: its manifest, its files (validate_files.c, _manifest.c)
 *     validate_set_record    each record, in order (validate_set.c)
 *     validate_set_finish    each set: shards, missing records, balance
 *     validate_stats         each set: stats.json against what was counted
 *
 * A set of 4 records from which one was removed gives, among others:
 *
 *     bad/data/train-00000-of-00001.jsonl: schema: rows: the manifest says 4, there are 3
 *     bad/manifest.json: 7-000000002: schema: this record is missing
 *     bad/stats.json: schema: records: it says 4, there are 3 */
#ifndef WEFT_VALIDATE_VALIDATE_SET_H
#define WEFT_VALIDATE_VALIDATE_SET_H

#include "store/dataset_files.h"
#include "store/split_ratios.h"
#include "store/stats.h"
#include "validate/validate_work.h"

/* A file of records. */
typedef struct validate_file {
    const char *path;
    line_reader_kind kind;
    uint32_t set;         /* its number in validate_state.sets */
    int shard;            /* of the set's manifest; -1: none */
    uint64_t first, rows; /* lines of all files before it; its own */
    const char *trouble;  /* what is wrong behind its last line; or NULL */
} validate_file;

/* What the manifest says of a shard, or of a category's folder, and what was found. */
typedef struct validate_shard {
    const char *path;
    str name; /* as the manifest has it: "data/train-00000-of-00001.jsonl", or "loop" */
    uint64_t rows, bytes, found_rows, found_bytes; /* stated, and counted while reading */
    char sha256[SHA256_HEX];                       /* stated */
    sha256 hash;                                   /* of what is read */
    bool there;                                    /* the file or folder exists */
} validate_shard;
typedef VEC(validate_shard) validate_shards;

typedef struct validate_gap {
    uint64_t from, to; /* indexes that have not come, `to` excluded */
} validate_gap;

/* Records that the card counts in one row. */
typedef struct validate_source_row {
    str row; /* "| warp-lang | 1.19.0 | Apache-2.0 |" */
    uint64_t records;
} validate_source_row;

/* A folder, or all files that are named on their own. */
typedef struct validate_set {
    const char *folder;          /* NULL: files on their own */
    const char *manifest;        /* its path; NULL: there is none that can be read */
    uint64_t seed, first, rows;  /* by the manifest: indexes from `first` on */
    str command;                 /* by the manifest: "weft generate --count 4 --seed 7 ..." */
    bool is_files;               /* a file for each record */
    bool is_bundles;             /* a program for each record */
    bool has_shim;               /* by the command, cuda_on_cpu.h is there */
    split_ratios ratios;         /* of a split; none: it is no split */
    unsigned devices;            /* 0: not known yet */
    warp_release warp;           /* of the texts; WARP_ANY: not known yet */
    bool backward;               /* with devices, */
    bool backward_open;          /* unless all records so far may be without in any set */
    bool is_repair;              /* with devices, or by the command */
    bool is_single;              /* by the command, no structure is there twice */
    bool keeps_twins;            /* by the command (--no-dedup), a source may be there twice */
    bool is_messages, is_script; /* with devices, or by the command */
    bool no_tests;               /* by the command */
    uint64_t license_key;        /* of the records' column, by the command or the first record */
    bool licenses_differ;        /* of a set of sets: records state several */
    uint64_t shape_key;          /* of the first record that has one */
    bool is_commanded;           /* devices, backward and categories are those of the command */
    gen_category categories[GEN_CATEGORY_COUNT]; /* index i has number i % ncategories */
    uint32_t ncategories;                        /* 0: there is no command that names them */
    validate_shards shards;                      /* as the manifest lists them */
    /* By the command of a collected set: EMIT_FOR_..., 0: it is none; and what it left out. */
    unsigned collected_for;
    bool no_backward, no_verify;
    bool has_collected; /* a record of a found kernel was met */
    uint64_t split_rows[SPLITS_MAX], split_bytes[SPLITS_MAX]; /* found, of each split */
    double stated_bytes[SPLITS_MAX];                          /* by the manifest; -1: none */
    validate_shards beside;                                   /* "files": what lies beside data */
    VEC(validate_source_row) sources;                         /* of found kernels */
    uint64_t next;                                            /* index that should come next */
    bool waits; /* a record that jumped ahead waits for what follows it */
    validate_line jumped;
    VEC(validate_gap) gaps;
    bool disordered;   /* too many gaps: given up */
    store_stats found; /* records, bytes, smallest and largest only */
} validate_set;

/* Fingerprints and the place where each was met first: open addressing. */
typedef struct key_slot {
    uint64_t key, at; /* at: counted from 1; 0: free */
} key_slot;
typedef struct key_set {
    key_slot *slots;
    uint64_t n, size; /* keys; slots, a power of two */
} key_set;

/* One validation, from paths to the last problem. */
typedef struct validate_state {
    const validate_options *o;
    validate_result *r;
    arena *a;
    VEC(validate_file) files;        /* in the order in which they are read */
    VEC(validate_set) sets;          /* in the order of the paths */
    key_set ids, bodies, structures; /* of all sets: what was met so far */
    strbuf text;                     /* a reason in the making */
    bool is_bad;                     /* the record in work has a problem */
    int status;                      /* as validate_run returns it; not 0: stop */
    validate_queue *queue;
    const json_value *json; /* of the manifest or stats.json in work */
    line_reader reader;
} validate_state;

/* Reports what stands in v->text and empties it; reports nothing if the check was not chosen. */
void validate_report(validate_state *v, const char *file, uint64_t line, str id,
                     validate_check check);
/* The same, chosen or not: what cannot be read at all is never passed over. */
void validate_report_always(validate_state *v, const char *file, uint64_t line, str id,
                            validate_check check);

/* validate_files.c: the files behind a path, with the set's manifest. 0 or an errno value. */
int validate_set_open(validate_state *v, const char *path);

/* validate_programs.c: the folders of a set of programs: those that the manifest names are there,
 * and no others; and what stands beside them. 0 or an errno value. */
int validate_set_add_bundles(validate_state *v, uint32_t set);
int validate_set_check_beside(validate_state *v, const validate_set *s);

/* validate_manifest.c */
/* Reads the folder's manifest, if it is there; what is wrong with it is reported. 0 or an errno
 * value. */
int validate_manifest(validate_state *v, validate_set *s);
/* Reads "shards" into s->shards; needs: s->rows. Then: "files", what lies beside the data, into
 * s->beside. False: the reason is in v->text. */
bool validate_manifest_shards(validate_state *v, validate_set *s, const json_value *array);
bool validate_manifest_beside(validate_state *v, validate_set *s, const json_value *array);
/* stats.json against what was found. */
int validate_stats(validate_state *v, const validate_set *s);
/* Shards against what was read of them: when all has been read. */
void validate_manifest_finish(validate_state *v, validate_set *s);

/* validate_split.c */
/* Is it the manifest of `weft split` or `weft dedup`, by its schema? */
bool validate_is_split(const json_value *json);
/* Reads such a manifest into *s. False: the reason is in v->text. */
bool validate_split_manifest(validate_state *v, validate_set *s, const json_value *json);
/* Does the record stand in the split of its family? Fills v->text if it does not. */
bool validate_split_agrees(validate_state *v, const validate_set *s, const validate_line *line);

/* Counts a record for its split. */
void validate_split_count(validate_set *s, int shard, uint64_t bytes);
/* Does the manifest give as many bytes for each split as were found? Then: does "splits" of
 * stats.json say what was found? False: the reason is in
 * v->text. */
bool validate_split_bytes(validate_state *v, const validate_set *s);
bool validate_splits_agree(validate_state *v, const validate_set *s, const json_value *splits);

/* validate_card.c */
/* Counts the source of a found kernel. */
void validate_card_count(validate_state *v, validate_set *s, str row);
/* README.md of a set with found kernels: whose they are, and what its splits hold; and the files
 * that the manifest lists beside the shards. 0 or an errno value. */
int validate_card(validate_state *v, const validate_set *s);
/* Does "skipped" of a collected set's stats.json count the lines of skipped.jsonl? False: the
 * reason is in v->text. */
bool validate_skipped_agree(validate_state *v, const validate_set *s, const json_value *skipped);

/* validate_set.c */
/* One record after the other, in order. */
void validate_set_record(validate_state *v, const validate_line *line);
/* Order, missing records, balance: when all has been read. */
void validate_set_finish(validate_state *v, validate_set *s);

#endif
