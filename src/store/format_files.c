/* SPDX-License-Identifier: Apache-2.0 */
/* The format `files`: a file for each record, DIR/CATEGORY/ID.json. For looking at, as editors show
 * such files. `weft generate --count 4 --seed 7 --format files -o fset` writes
 *
 *     fset/arithmetic/7-000000000.json
 *     fset/conditional/7-000000001.json
 *     fset/loop/7-000000002.json
 *     fset/math/7-000000003.json
 *
 * Files are not durable one by one: writer_each_end brings those of a shard to the disk. */
#include <errno.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/io.h"
#include "record/record_name.h"
#include "store/store_format.h"
#include "store/writer_each.h"

static const char *folder_of(arena *a, const record_options *o, uint32_t c)
{
    return path_join(a, o->output, str_c(gen_category_name(o->categories[c])));
}

static void put_name(strbuf *b, const record_options *o, uint64_t index)
{
    WEFT_ASSERT(o->ncategories);
    sb_c(b, gen_category_name(o->categories[index % o->ncategories]));
    SB_LIT(b, "/");
    record_put_id(b, o->seed, index);
    SB_LIT(b, ".json");
}

/* The file is the record as it was made: nothing is taken apart. */
static bool take(arena *a, str text, store_one *out)
{
    (void)a;
    *out = (store_one){.text = text, .metadata = text};
    return true;
}

static int load(arena *a, const char *path, store_one *out, const char **at)
{
    str text;
    *at = path;
    const int error = file_read(a, path, &text);
    if (!error)
        take(a, text, out);
    return error;
}

/* Without fsync: writer_each_end brings the files of a shard to the disk together. */
static int save(arena *a, const char *path, const store_one *one, const char **at)
{
    *at = path;
    return atomic_file_put(a, path, one->text, false);
}

static void remove_file(arena *a, const char *path, const char *from)
{
    (void)a;
    (void)from;
    io_unlink(path);
}

static void put_line(strbuf *b, const store_one *one)
{
    sb_str(b, one->text);
}

static int prepare(arena *a, const record_options *o, const char **at)
{
    int error = 0;
    for (uint32_t c = 0; c < o->ncategories && !error; c++)
        error = make_folders(a, *at = folder_of(a, o, c));
    return error;
}

static void retract(arena *a, const record_options *o)
{
    for (uint32_t c = 0; c < o->ncategories; c++)
        io_rmdir(folder_of(a, o, c));
}

static int each_folder(arena *a, const record_options *o, int (*visit)(void *, const char *),
                       void *arg, const char **at)
{
    int error = 0;
    for (uint32_t c = 0; c < o->ncategories && !error; c++)
        error = visit(arg, *at = folder_of(a, o, c));
    return error;
}

static const store_each each = {.put_name = put_name,
                                .take = take,
                                .load = load,
                                .save = save,
                                .remove = remove_file,
                                .put_line = put_line,
                                .missing = "it is missing"};

const store_format store_format_files = {WRITER_EACH,
                                         .prepare = prepare,
                                         .retract = retract,
                                         .each_folder = each_folder,
                                         .claim = ".weft-merge",
                                         .each = &each};
