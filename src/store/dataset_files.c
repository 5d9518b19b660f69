/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the files of records behind a path, by the layouts that `weft generate` and `weft split`
 * write:
 *
 *     DIR with a manifest.json              the files that its manifest names
 *     DIR/data/train-00000-of-00003.jsonl   shards, by name
 *     DIR/7-000000042_loop/                 programs, by seed and index
 *     DIR/loop/7-000000042.json             files of one record, in folders of categories
 *
 * For all commands that read data sets. */
#include "store/dataset_files.h"

#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/folder_walk.h"
#include "base/io.h"
#include "base/json_peek.h"
#include "record/bundle.h"
#include "store/split_ratios.h"
#include "store/store_command.h"

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

bool dataset_is_shard(const char *name)
{
    return ends_with(name, ".jsonl") || ends_with(name, ".jsonl.zst") ||
           ends_with(name, ".jsonl.gz") || ends_with(name, ".parquet");
}

/* manifest.json and stats.json lie beside records, but are none. */
static bool is_record(const char *name)
{
    return ends_with(name, ".json") && strcmp(name, "manifest.json") != 0 &&
           strcmp(name, "stats.json") != 0;
}

int dataset_look(const char *path, dataset_place *p)
{
    struct stat st;
    *p = (dataset_place){0};
    if (io_stat(path, &st) < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    *p = (dataset_place){true, S_ISDIR(st.st_mode)};
    return 0;
}

static void add_file(dataset_list *l, arena *a, const char *path)
{
    const dataset_file file = {path, line_reader_kind_of(path)};
    VEC_PUSH(a, &l->files, file);
}

const char *dataset_refuse_program(const char *path)
{
    dataset_place p;
    const bool python = path_ends_with(path, ".py");
    if (!python && !path_ends_with(path, ".cu") && !path_ends_with(path, ".cuh"))
        return NULL;
    if (dataset_look(path, &p) != 0 || !p.there || p.folder)
        return NULL;
    return python ? "it is a Python file, and no data set: weft check finds what is wrong with it"
                  : "it is a CUDA file, and no data set: weft check finds what is wrong with it";
}

/* A folder's own files: of one record each (.json), or of many (.jsonl, packed or not). file_list
 * sorts by name, and the numbers in names of shards and records have leading zeros, so this is also
 * the order of indexes. */
static int dataset_add_folder(dataset_list *l, arena *a, const char *folder, bool one_each)
{
    const char *const *names;
    uint32_t n;
    const int error = file_list(a, folder, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++)
        if (one_each ? is_record(names[i]) : dataset_is_shard(names[i]))
            add_file(l, a, path_join(a, folder, str_c(names[i])));
    return error;
}

/* --- programs ------------------------------------------------------------------------------ */

bool dataset_read_program(const char *path, uint64_t *seed, uint64_t *index, gen_category *c)
{
    const char *slash = strrchr(path, '/');
    return bundle_folder_read(str_c(slash ? slash + 1 : path), seed, index, c);
}

/* By seed and index, as numbers: names of programs begin with the seed, which has no leading zeros,
 * so 10-000000000_loop would come before 9-000000000_loop by name. Folders with other names come
 * first; of two sets that hold the
 * same sample the paths decide, so that the order never hangs on how a folder is listed. */
static int by_index(const void *pa, const void *pb)
{
    const dataset_file *a = pa, *b = pb;
    WEFT_ASSERT(a->kind == LINE_READER_BUNDLE && b->kind == LINE_READER_BUNDLE);
    uint64_t seed[2], index[2];
    gen_category c;
    const bool named[2] = {dataset_read_program(a->path, &seed[0], &index[0], &c),
                           dataset_read_program(b->path, &seed[1], &index[1], &c)};
    if (!named[0] || !named[1])
        return named[0] != named[1] ? named[0] - named[1] : strcmp(a->path, b->path);
    if (seed[0] != seed[1])
        return seed[0] < seed[1] ? -1 : 1;
    if (index[0] != index[1])
        return index[0] < index[1] ? -1 : 1;
    return strcmp(a->path, b->path);
}

void dataset_sort_programs(dataset_list *l)
{
    if (l->files.n)
        qsort(l->files.v, l->files.n, sizeof *l->files.v, by_index);
}

/* Only what is added here is sorted: earlier paths of the list keep their place. */
int dataset_add_programs(dataset_list *l, arena *a, const char *folder)
{
    const uint32_t before = l->files.n;
    const char *const *names;
    uint32_t n;
    const int error = file_list(a, folder, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++) {
        uint64_t seed, index;
        gen_category c;
        if (!bundle_folder_read(str_c(names[i]), &seed, &index, &c))
            continue;
        const dataset_file file = {path_join(a, folder, str_c(names[i])), LINE_READER_BUNDLE};
        VEC_PUSH(a, &l->files, file);
    }
    if (l->files.n > before)
        qsort(l->files.v + before, l->files.n - before, sizeof *l->files.v, by_index);
    return error;
}

/* A program in the folder itself, programs in it, or in the folders of its splits. */
static int find_programs(dataset_list *l, arena *a, const char *folder)
{
    const uint32_t before = l->files.n;
    dataset_place p;
    int error = dataset_look(path_join(a, folder, STR("metadata.json")), &p);
    if (!error && p.there && !p.folder) {
        const dataset_file file = {folder, LINE_READER_BUNDLE};
        VEC_PUSH(a, &l->files, file);
        return 0;
    }
    if (!error)
        error = dataset_add_programs(l, a, folder);
    if (error || l->files.n > before)
        return error;
    const split_ratios three = {.n = SPLITS_MAX};
    for (uint32_t i = 0; i < SPLITS_MAX && !error; i++) {
        const char *part = path_join(a, folder, str_c(split_name(&three, i)));
        error = dataset_look(part, &p);
        if (!error && p.folder)
            error = dataset_add_programs(l, a, part);
    }
    return error;
}

/* --- whole folders ------------------------------------------------------------------------- */

/* Files of one record in folders that are called as a category is. Other folders are not entered: a
 * data set may lie beside anything. */
static int add_categories(dataset_list *l, arena *a, const char *folder)
{
    const char *const *names;
    uint32_t n;
    int error = file_list(a, folder, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++) {
        gen_category c;
        dataset_place p;
        const char *path = path_join(a, folder, str_c(names[i]));
        if (!gen_category_find(str_c(names[i]), &c))
            continue;
        error = dataset_look(path, &p);
        if (!error && p.folder)
            error = dataset_add_folder(l, a, path, true);
    }
    return error;
}

/* The first layout of which something is found is taken: a folder is never read as two. */
int dataset_add_found(dataset_list *l, arena *a, const char *folder)
{
    const char *data = path_join(a, folder, STR("data"));
    const uint32_t before = l->files.n;
    dataset_place p;
    int error = dataset_look(data, &p);
    if (!error)
        error = dataset_add_folder(l, a, p.folder ? data : folder, false);
    if (!error && l->files.n == before)
        error = find_programs(l, a, folder);
    if (!error && l->files.n == before)
        error = add_categories(l, a, folder);
    if (!error && l->files.n == before)
        error = dataset_add_folder(l, a, folder, true);
    return error;
}

/* A folder is taken for one of programs (a split of such a set) or, if it has none, for one of
 * files of one record (a category of a set in the format `files`). */
int dataset_add_part(dataset_list *l, arena *a, const char *path, bool *there)
{
    dataset_place p;
    const int error = dataset_look(path, &p);
    *there = !error && p.there;
    if (error || !p.there)
        return error;
    if (!p.folder) {
        add_file(l, a, path);
        return 0;
    }
    const uint32_t before = l->files.n;
    const int listed = dataset_add_programs(l, a, path);
    return listed || l->files.n > before ? listed : dataset_add_folder(l, a, path, true);
}

/* No absolute name, and none with "..": a manifest comes from anywhere, and must not make weft read
 * files outside its folder. */
bool dataset_is_below(str name)
{
    if (!name.n || name.p[0] == '/')
        return false;
    for (size_t i = 0; i + 1 < name.n; i++)
        if (name.p[i] == '.' && name.p[i + 1] == '.')
            return false;
    return true;
}

/* Is it the manifest of programs, which lists categories, not files? Its command says so. */
static bool holds_programs(arena *a, const char *folder, str manifest)
{
    str raw;
    strbuf command;
    record_options o;
    bool is = false;
    sb_init(&command, a->m);
    if (json_peek(manifest, "command", &raw) && json_peek_string(raw, &command))
        is = store_read_command(a, sb_cstr(&command), folder, &o) && record_format_of(&o)->programs;
    sb_clear(&command);
    return is;
}

/* A file that the manifest names must be there: ENOENT, and *what names it. */
static int add_named(dataset_list *l, arena *a, const char *folder, str manifest, const char **what)
{
    str shards, shard, raw;
    strbuf name;
    if (holds_programs(a, folder, manifest))
        return dataset_add_programs(l, a, folder);
    int error = json_peek(manifest, "shards", &shards) && shards.p[0] == '[' ? 0 : EINVAL;
    sb_init(&name, a->m);
    for (size_t at = 0; !error && json_peek_element(shards, &at, &shard);) {
        bool there = false;
        name.n = 0;
        if (!json_peek(shard, "file", &raw) || !json_peek_string(raw, &name) ||
            !dataset_is_below(sb_view(&name)))
            return EINVAL;
        *what = path_join(a, folder, sb_view(&name));
        error = dataset_add_part(l, a, *what, &there);
        if (!error && !there)
            error = ENOENT;
    }
    sb_clear(&name);
    return error;
}

/* For messages: a set of no rows is made by `--shard` where there are fewer rows than parts, and is
 * no mistake. A folder without records and without such a manifest is one. */
bool dataset_is_empty(arena *a, const char *path)
{
    str manifest, rows;
    uint64_t n;
    return file_read(a, path_join(a, path, STR("manifest.json")), &manifest) == 0 &&
           json_peek(manifest, "rows", &rows) && json_peek_count(rows, &n) && n == 0;
}

/* A manifest decides alone: files beside those that it names are not read, and one that it names
 * and that is missing is an error. */
int dataset_add(dataset_list *l, arena *a, const char *path, const char **what)
{
    dataset_place p;
    str manifest;
    *what = path;
    if (strcmp(path, "-") == 0) {
        add_file(l, a, path);
        return 0;
    }
    int error = dataset_look(path, &p);
    if (error)
        return error;
    if (!p.folder) {
        add_file(l, a, path);
        return p.there ? 0 : ENOENT;
    }
    *what = path_join(a, path, STR("manifest.json"));
    error = file_read(a, *what, &manifest);
    if (!error)
        return add_named(l, a, path, manifest, what);
    if (error != ENOENT)
        return error;
    *what = path;
    return dataset_add_found(l, a, path);
}
