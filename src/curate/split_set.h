/* A set that is divided: what is asked for, and what came of it. */
#ifndef WEFT_CURATE_SPLIT_SET_H
#define WEFT_CURATE_SPLIT_SET_H

#include "base/packer.h"
#include "curate/dedup.h"
#include "record/record_options.h"
#include "store/split_ratios.h"

typedef struct split_options {
    const char *const *paths; /* folders of data sets, shards, files of one record */
    uint32_t npaths;
    const char
        *output; /* a folder that is empty or not there yet; NULL: records are counted only */
    const char *license; /* of the card; NULL: the usual one */
    dedup *dedup;        /* tells which records stay, of any JSON objects; NULL: all, and they are
                              a data set's */
    split_ratios ratios;
    bool repack; /* by `compress`; else as the input is */
    pack_method compress;
    uint64_t shard_rows; /* 0: 25,000 */
    bool (*progress)(void *arg, uint64_t records);
    void *arg;
} split_options;

typedef struct split_part {
    uint64_t rows, bytes; /* of records, unpacked */
    uint64_t shards;
} split_part;

typedef struct split_result {
    split_part part[SPLITS_MAX];
    uint64_t rows, bytes, smallest, largest; /* of what stays */
    uint64_t records[GEN_CATEGORY_COUNT], category_bytes[GEN_CATEGORY_COUNT];
    pack_method compress;
    bool bundles; /* programs, in folders of splits */
    double seconds;
    const char *message; /* in the arena */
} split_result;

#endif
