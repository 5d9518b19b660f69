/* Is a data set what it says? Records are read from shards and files, checked by threads, and what
 * is wrong is told in the order of the records, whatever the number of threads. */
#ifndef WEFT_VALIDATE_VALIDATE_H
#define WEFT_VALIDATE_VALIDATE_H

#include "record/record_options.h"

typedef enum validate_check {
#define CHECK(ID, name, what) VALIDATE_##ID,
#include "validate/validate_check.def"
#undef CHECK
    VALIDATE_CHECKS
} validate_check;

/* All that every machine can do. */
enum { VALIDATE_ALL = ((1 << VALIDATE_CHECKS) - 1) & ~(1 << VALIDATE_DEVICE) };

struct device; /* launch/device.h */

/* One thing that is wrong. */
typedef struct validate_problem {
    const char *file;
    uint64_t line; /* 0: the whole file */
    str id;        /* of the record; empty: not known */
    validate_check check;
    str reason;
} validate_problem;

typedef struct validate_result {
    uint64_t records, ok, files, bytes;
    uint64_t bad[VALIDATE_CHECKS]; /* problems, by check */
    uint64_t problems;
    double seconds;
    const char *message; /* what could not be read, after an errno value; in the arena */
} validate_result;

typedef struct validate_options {
    const char *const *paths; /* folders of data sets, shards, files of one record; "-" */
    uint32_t npaths;
    unsigned checks;       /* 1 << VALIDATE_... */
    uint32_t jobs;         /* 1 with a device */
    struct device *device; /* for VALIDATE_DEVICE */
    void (*report)(void *arg, const validate_problem *p);
    bool (*progress)(void *arg, const validate_result *so_far); /* false: stop */
    void *arg;
} validate_options;

/* STATUS_OK, also when problems were found; STATUS_STOPPED, STATUS_MEMORY or an errno value.
 * `report` and `progress` are called by the calling thread. */
int validate_run(arena *a, const validate_options *o, validate_result *r);

const char *validate_check_name(validate_check c);
/* What the check looks at, for people. */
const char *validate_check_what(validate_check c);

/* Checks from a list "a,b" (NULL: all). False: a name is unknown, or there is none (*unknown is
 * empty). */
bool validate_choose_checks(const char *list, unsigned *checks, str *unknown);

/* The checks of records one by one, without those across records. NULL: memory ran out. */
typedef struct validator validator;
validator *validator_new(const validate_options *o);
/* `text` is a line without its newline; problems are reported with this file and line 1. False:
 * memory ran out. */
bool validator_text(validator *v, const char *file, str text);
void validator_free(validator *v);

#endif
