/* Is a data set what it says? Records are read from shards and files and checked by threads.
 * Problems are reported in the order of the records, whatever the number of threads. */
#ifndef WEFT_VALIDATE_VALIDATE_H
#define WEFT_VALIDATE_VALIDATE_H

#include "validate/validate_check.h"

/* STATUS_OK, also when problems were found; STATUS_STOPPED, STATUS_MEMORY or an errno value.
 * `report` and `progress` are called by the calling thread. */
int validate_run(arena *a, const validate_options *o, validate_result *r);

/* Checks from a list "a,b" (NULL: all). False: a name is unknown, or there is none (*unknown is
 * empty). */
bool validate_choose_checks(const char *list, unsigned *checks, str *unknown);

/* The checks of records one by one, without those across records. NULL: memory ran out. */
typedef struct validator validator;
validator *validator_new(const validate_options *o);
/* `text` is a line without its newline; problems are reported with this file and line 1. False:
 * memory ran out. */
bool validator_text(validator *v, const char *file, str text);

#endif
