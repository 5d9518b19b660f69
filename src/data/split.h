/* A data set divided for training: each record goes where the hash of its family says. So no family
 * crosses a border, and no record moves when the set grows or comes in another order. */
#ifndef WEFT_DATA_SPLIT_H
#define WEFT_DATA_SPLIT_H

#include "base/packer.h"
#include "data/data.h"
#include "data/weed.h"

enum { SPLITS_MAX = 3 };

/* Shares of train and test, or of train, validation and test; or all is train. */
typedef struct split_ratios {
    uint32_t n;
    uint64_t share[SPLITS_MAX]; /* in millionths of a percent; 100 percent in all */
} split_ratios;

/* "90,5,5" or "80.5,19.5": two or three numbers above 0, 100 in all. NULL, or what is wrong. */
const char *split_read_ratios(str text, split_ratios *r);
/* Undivided: all is train. */
split_ratios split_none(void);
void split_put_ratios(strbuf *b, const split_ratios *r);
/* "train" */
const char *split_name(const split_ratios *r, uint32_t part);
/* The part of a family (metadata.family). */
uint32_t split_of(const split_ratios *r, str family);

typedef struct split_options {
    const char *const *paths; /* folders of data sets, shards, files of one record */
    uint32_t npaths;
    const char
        *output; /* a folder that is empty or not there yet; NULL: records are counted only */
    const char *license; /* of the card; NULL: the usual one */
    weeder *weeder;      /* tells which records stay, of any JSON objects; NULL: all, and they are
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

/* DATA_OK; DATA_BROKEN, DATA_REFUSED or an errno value, with a message; DATA_STOPPED or
 * DATA_MEMORY. After a failure nothing of it is left. */
int split_run(arena *a, const split_options *o, split_result *r);

#endif
