/* SPDX-License-Identifier: Apache-2.0 */
/* Writing records that have a file or a folder of their own: for the rows of the formats `files`
 * (format_files.c) and `standalone` (format_programs.c). How they differ is in their store_each. */
#ifndef WEFT_STORE_WRITER_EACH_H
#define WEFT_STORE_WRITER_EACH_H

#include "store/store_format.h"

/* As the functions of these names in store_format. */
int writer_each_open(struct store_writer *s);
int writer_each_begin(struct store_writer *s);
int writer_each_write(struct store_writer *s, const struct record_batch *batch);
int writer_each_end(struct store_writer *s);
int writer_each_reread(struct store_writer *s, const store_shard *stated, bool *whole);

/* The five initializers that such formats share. */
#define WRITER_EACH                                                                                \
    .open = writer_each_open, .begin = writer_each_begin, .write = writer_each_write,              \
    .end = writer_each_end, .reread = writer_each_reread

#endif
