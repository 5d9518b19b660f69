/* SPDX-License-Identifier: Apache-2.0 */
/* The options and the result of dividing or deduplicating a set (split.h). */
#ifndef WEFT_CURATE_SPLIT_SET_H
#define WEFT_CURATE_SPLIT_SET_H

#include "base/packer.h"
#include "curate/dedup.h"
#include "curate/split_keys.h"
#include "curate/split_sources.h"
#include "record/record_options.h"
#include "store/split_ratios.h"

/* What a set that was not made of other sets says of itself (weft collect). */
typedef struct split_account {
    const char *command;           /* in the place of "weft dedup" */
    str skipped;                   /* the text of skipped.jsonl, which the manifest lists */
    str skips;                     /* {"duplicate": 3}: its lines by reason, for stats.json */
    const char *inputs;            /* hash of the files that were read, for the manifest */
    const record_options *records; /* whose fields the card explains */
    str origin, sections;          /* of the card: its first paragraph; sections before the end */
} split_account;

typedef struct split_options {
    const char *const *paths; /* folders of data sets, shards, files of one record */
    uint32_t npaths;
    /* A folder that is empty or not there yet; NULL: records are counted only. */
    const char *output;
    const char *license; /* of the card; NULL: the usual one */
    /* Decides which records stay; they may be any JSON objects. NULL: all stay, and they must be a
     * data set's. */
    dedup *dedup;
    split_ratios ratios;
    bool repack;          /* pack shards by `compress`; else as the input is packed */
    pack_method compress; /* valid with repack */
    uint64_t shard_rows;  /* 0: 25,000 */
    const char *parquet;  /* shards are Parquet with these fields; NULL: lines */
    bool files; /* a file for each record, CATEGORY/ID.json, in place of shards; for one part */
    const split_account *account; /* NULL: the set is made of others */
    bool merge; /* whole sets are joined: with dedup, and the command is weft merge */
    bool (*progress)(void *arg, uint64_t records); /* records of both passes; false: stop */
    void *arg;                                     /* for progress */
} split_options;

/* What one split contains, or as much of it as has been written. */
typedef struct split_part {
    uint64_t rows, bytes; /* of records, unpacked */
    uint64_t shards;
} split_part;

typedef struct split_result {
    split_part part[SPLITS_MAX];
    uint64_t rows, bytes, smallest, largest; /* of what stays */
    warp_release warp; /* whose text the first record has; WARP_ANY: it does not say */
    uint64_t records[GEN_CATEGORY_COUNT], category_bytes[GEN_CATEGORY_COUNT];
    pack_method compress;
    split_sources sources; /* of what stays */
    str license;           /* that all records' columns state; empty: there is none */
    bool licenses_differ;
    split_keys keys;     /* of all records */
    bool bundles;        /* the set consists of programs, in a folder for each split */
    double seconds;      /* for both passes */
    const char *message; /* in the arena */
} split_result;

#endif
