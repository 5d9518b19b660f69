/* SPDX-License-Identifier: Apache-2.0 */
/* A run as a command line, as manifests keep it: written, and read back. `weft generate --count 4
 * --seed 7 --device both` is kept as
 *
 *     weft generate --count 4 --seed 7 --device both --categories arithmetic,conditional,loop,math,
 *     vector,matrix,atomic,nested_loop,multi_conditional,combined,scalar_param,random_math
 *     --format jsonl
 *
 * in one line. Count, seed, device, categories and format are always there, other options only
 * where they are not as usual. Two runs make the same set if their commands are the same text. */
#ifndef WEFT_STORE_STORE_COMMAND_H
#define WEFT_STORE_STORE_COMMAND_H

#include "record/record_options.h"

/* The command that makes this set, without what does not change its bytes:
 * "weft generate --count 30 --seed 7 --device cuda ...". */
void store_put_command(strbuf *b, const record_options *o);
/* Reads a command that store_put_command wrote, for the set in the folder `output`. Structures that
 * it excludes are not there: o->exclude stays NULL. Strings of *o live in a. False: it is none. */
bool store_read_command(arena *a, const char *command, const char *output, record_options *o);
/* Is it, byte for byte, the command of these options? */
bool store_is_command(arena *a, const char *command, const record_options *o);
/* What the first has that the second has not: "with --count 40", "without --no-verify"; NULL:
 * nothing. */
const char *store_command_difference(arena *a, str first, str second);
/* The command without an option and its value: " --shard ". */
const char *store_command_without(arena *a, const char *command, const char *option);

#endif
