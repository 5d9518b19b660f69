/* SPDX-License-Identifier: Apache-2.0 */
/* The checks behind `weft validate` and the library's validation: is a data set what its metadata
 * and its manifest state? Records are read from shards and files and checked by threads. Problems
 * are reported in the order of the records, whatever the number of threads:
 *
 *     bad/data/train-00000-of-00001.jsonl:2: 7-000000001: source: the source does not compile:
 *         line 9: name 'retrun' is not defined
 *     bad/manifest.json: 7-000000002: schema: this record is missing
 *
 * Nothing in the data set is trusted: a source is compiled again, a text is emitted again, a hash
 * is computed again, and the generator makes the sample again from seed and index. */
#ifndef WEFT_VALIDATE_VALIDATE_H
#define WEFT_VALIDATE_VALIDATE_H

#include "validate/validate_check.h"

/* STATUS_OK, also when problems were found: r->problems counts them. Else STATUS_STOPPED (by
 * `progress`), STATUS_MEMORY, or an errno value with the path in r->message. `report` and
 * `progress` are called by the calling thread only. */
int validate_run(arena *a, const validate_options *o, validate_result *r);

/* Checks from a list, "hash,text" (NULL: all but `device`, which a list cannot name either: it
 * needs a device and has an option of its own). False: *unknown is the name that is no check, or
 * the list is empty and so is *unknown. */
bool validate_choose_checks(const char *list, unsigned *checks, str *unknown);

#endif
