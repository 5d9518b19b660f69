/* What the forms of a data set share. */
#ifndef WEFT_STORE_WRITER_INTERNAL_H
#define WEFT_STORE_WRITER_INTERNAL_H

#include "store/dataset_lines.h"
#include "store/writer.h"

struct store_writer {
    const record_options *o;
    store_outcome *r;
    arena paths; /* until the next shard */
    uint64_t number;
    store_shard shard; /* in work */
    shard_file file;
    line_reader reader;
    void (*hear)(void *, str); /* or NULL */
    void *hear_arg;
    sha256 hash;                                /* with a file for each record: of the shard's */
    store_shard categories[GEN_CATEGORY_COUNT]; /* SHA-256 only by writer_categories */
    sha256 category_hash[GEN_CATEGORY_COUNT];
};

/* The path of a name below the folder, in s->paths. */
const char *writer_path(store_writer *s, str name);
/* Leaves the path of what failed for the message; gives the error. */
int writer_fail(store_writer *s, const char *path, int error);
void shard_finish_hash(store_shard *shard, const sha256 *hash);

/* writer_jsonl.c: a file of JSON lines for each shard. */
int jsonl_begin(store_writer *s);
int jsonl_write(store_writer *s, const record_batch *piece);
int jsonl_end(store_writer *s);
int jsonl_reread(store_writer *s, const store_shard *told, bool *whole);

/* writer_files.c: a file for each record, in the folder of its category. */
int files_open(store_writer *s);
int files_write(store_writer *s, const record_batch *piece);
int files_end(store_writer *s);
int files_reread(store_writer *s, const store_shard *told, bool *whole);

void files_count(store_writer *s, uint64_t index, str record);

/* writer_programs.c: a folder for each record, with a program of its own. */
int programs_open(store_writer *s);
int programs_write(store_writer *s, const record_batch *piece);
/* Reads a record's folder. 0 with the record as a piece has it, in s->paths, and as something to
 * listen to; ENOENT: it is not there, or not whole. */
int programs_read(store_writer *s, uint64_t index, str *record, str *heard);

#endif
