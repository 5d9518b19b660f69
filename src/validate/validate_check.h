/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of a data set (validate_check.def), the problems that they report, and the options and
 * results of a validation. */
#ifndef WEFT_VALIDATE_VALIDATE_CHECK_H
#define WEFT_VALIDATE_VALIDATE_CHECK_H

#include "record/record_options.h"

typedef enum validate_check {
#define CHECK(ID, name, what) VALIDATE_##ID,
#include "validate/validate_check.def"
#undef CHECK
    VALIDATE_CHECKS
} validate_check;

/* All that every machine can do: the checks of a run without --checks. */
enum { VALIDATE_ALL = ((1 << VALIDATE_CHECKS) - 1) & ~(1 << VALIDATE_DEVICE) };

struct device; /* launch/device.h */

/* One thing that is wrong. */
typedef struct validate_problem {
    const char *file;     /* a shard, a file of one record, a program's folder, a manifest, ... */
    uint64_t line;        /* from 1; 0: the whole file */
    str id;               /* of the record; empty: not known, or it is no record's problem */
    validate_check check; /* that found it */
    str reason;           /* a sentence without its full stop; valid during `report` only */
} validate_problem;

/* What a validation has counted: so far, as `progress` gets it, or in the end. */
typedef struct validate_result {
    uint64_t records, ok, files, bytes; /* read so far; `ok`: records without a problem */
    uint64_t bad[VALIDATE_CHECKS];      /* problems, by check */
    uint64_t problems;                  /* their sum; those of files and manifests count, too */
    double seconds;
    const char *message; /* what could not be read, after an errno value; in the arena */
} validate_result;

typedef struct validate_options {
    const char *const *paths; /* folders of data sets, shards, files of one record; "-" */
    uint32_t npaths;
    unsigned checks;       /* 1 << VALIDATE_... */
    uint32_t jobs;         /* 1 with a device */
    struct device *device; /* for VALIDATE_DEVICE */
    /* Where packages are searched that collected kernels import: warp, for functions that it has in
     * Python. */
    const char *const *dirs;
    uint32_t ndirs;
    /* Called for each problem, in the order of the records. */
    void (*report)(void *arg, const validate_problem *p);
    bool (*progress)(void *arg, const validate_result *so_far); /* false: stop */
    void *arg;
} validate_options;

const char *validate_check_name(validate_check c);
/* What the check looks at, for people. */
const char *validate_check_what(validate_check c);

#endif
