/* SPDX-License-Identifier: Apache-2.0 */
/* What records, their folders and their devices are called. */
#ifndef WEFT_RECORD_RECORD_NAME_H
#define WEFT_RECORD_RECORD_NAME_H

#include "base/sha256.h"
#include "check/check.h"
#include "record/record_options.h"

#define RECORD_SCHEMA "weft-pair-1" /* metadata.schema */
#define RECORD_ORIGIN "collected"   /* metadata.origin of a kernel that was found */
/* metadata.verification.why of a kernel whose proof was not tried to its end */
#define RECORD_UNPROVED "the proof takes more than 1 GB of memory"
#define COMPILED_SCHEMA "weft-standalone-1" /* of a program that `weft compile` made: no record */

/* "7-000000042": seed and index. */
void record_put_id(strbuf *b, uint64_t seed, uint64_t index);
/* False: it is no id as record_put_id writes it. */
bool record_read_id(str id, uint64_t *seed, uint64_t *index);
/* "7-000000042_loop": the folder of a record's program. */
void record_put_folder(strbuf *b, const record_options *o, uint64_t index);
/* metadata.sha256.inputs of a kernel that was found: what it is executed with stands nowhere else,
 * and other inputs may well give the same verdict. */
void record_hash_inputs(str launch, const check_arg *args, uint32_t n, uint8_t digest[SHA256_SIZE]);
/* "cuda", "cpu" or "both", as --device and metadata have it; devices: EMIT_FOR_... */
const char *record_device_name(unsigned devices);
/* ".cu", ".cpp" or ".cu, .cpp": metadata.artifact. */
const char *record_artifact(unsigned devices);

#endif
