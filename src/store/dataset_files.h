/* SPDX-License-Identifier: Apache-2.0 */
/* From a path to the files of records behind it, for all commands that read data sets. The order is
 * fixed, as outputs depend on it: a folder's files come as its manifest has them, else by name;
 * programs come by seed and index.
 *
 *     "fset" (weft generate --format files)
 *     ->  fset/arithmetic/7-000000000.json, fset/conditional/7-000000001.json, ...
 *     "pset" (weft generate --format standalone)
 *     ->  pset/7-000000000_arithmetic, pset/7-000000001_conditional */
#ifndef WEFT_STORE_DATASET_FILES_H
#define WEFT_STORE_DATASET_FILES_H

#include "base/vec.h"
#include "gen/gen.h"
#include "store/line_reader.h"

/* A shard, a file of one record, or the folder of a program: `kind` decides how it is read. */
typedef struct dataset_file {
    const char *path;
    line_reader_kind kind;
} dataset_file;

/* In the arena that its files were added with. */
typedef struct dataset_list {
    VEC(dataset_file) files;
} dataset_list;

/* What stat finds at a path: `there` without `folder` is a file of any type. */
typedef struct dataset_place {
    bool there, folder;
} dataset_place;

/* Those below that return int give 0 or an errno value. Paths that they add live in a. */
/* Looks up a path. A file that is not there is no error: p->there is false. */
int dataset_look(const char *path, dataset_place *p);
/* What is said of a program where records are wanted: "k.py" -> "it is a Python file, and ...".
 * NULL: the path may hold records. */
const char *dataset_refuse_program(const char *path);
/* "x.jsonl", packed or not, or "x.parquet" */
bool dataset_is_shard(const char *name);
/* May a manifest have this name of a file? Not if it leads out of the folder. */
bool dataset_is_below(str name);

/* "DIR/7-000000042_loop": what the name says; false: it is no folder of a set of programs. */
bool dataset_read_program(const char *path, uint64_t *seed, uint64_t *index, gen_category *c);
/* The folders of programs in a folder, by seed and index. */
int dataset_add_programs(dataset_list *l, arena *a, const char *folder);
/* All of the list by seed and index: needs: all are programs */
void dataset_sort_programs(dataset_list *l);
/* What lies in a folder without a manifest: shards in data/ or in the folder itself; else a program
 * or programs, in folders of splits or in the folder itself; else files of one record, in folders
 * of categories or in the folder itself. */
int dataset_add_found(dataset_list *l, arena *a, const char *folder);
/* A shard, or a folder of files of one record or of programs; nothing if it is not there. */
int dataset_add_part(dataset_list *l, arena *a, const char *path, bool *there);

/* Is it a folder whose manifest says that there are no rows? */
bool dataset_is_empty(arena *a, const char *path);
/* A file ("-" too), or a folder: what its manifest names, else what is found. EINVAL: the manifest
 * is damaged; *what is the path that an error is about.
 *
 *     set, whose second shard is missing     ->   ENOENT, "set/data/train-00001-of-00002.jsonl"
 *     a folder without manifest or records   ->   0, and nothing is added */
int dataset_add(dataset_list *l, arena *a, const char *path, const char **what);

#endif
