/* SPDX-License-Identifier: Apache-2.0 */
/* The format `standalone`: a folder for each record, DIR/ID_CATEGORY/ with NAME.py, NAME.cu,
 * Makefile and metadata.json, which is a program of its own (record/bundle.h).
 *
 *     sample 42 of seed 7, category loop   ->   DIR/7-000000042_loop/
 *
 * Beside the folders stands cuda_on_cpu.h, with --cpu-shim. */
#include <errno.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/io.h"
#include "record/bundle.h"
#include "record/record_name.h"
#include "standalone/standalone.h"
#include "store/store_format.h"
#include "store/writer_each.h"

static bool take(arena *a, str text, store_one *out)
{
    *out = (store_one){.text = text};
    if (!bundle_split(a, text, &out->files))
        return false;
    out->metadata = out->files.file[BUNDLE_METADATA];
    return true;
}

/* A folder that lacks a file counts as one that is not there: --resume then makes it anew. */
static int load(arena *a, const char *path, store_one *out, const char **at)
{
    strbuf b;
    *out = (store_one){.text = {0}};
    const int error = bundle_load(a, path, &out->files, at);
    if (error)
        return error;
    if (!bundle_is_whole(&out->files)) {
        *at = path;
        return ENOENT;
    }
    sb_init(&b, a->m);
    bundle_put_record(&b, &out->files);
    out->text = (str){arena_dup(a, b.p, b.n), b.n};
    out->metadata = out->files.file[BUNDLE_METADATA];
    sb_clear(&b);
    return 0;
}

static int save(arena *a, const char *path, const store_one *one, const char **at)
{
    return bundle_store(a, path, &one->files, at);
}

/* Only files that the original has are removed: whatever else is in the copy is not ours. */
static void remove_folder(arena *a, const char *path, const char *from)
{
    bundle files;
    const char *at;
    if (bundle_load(a, from, &files, &at) == 0)
        bundle_remove(a, path, &files);
}

static void put_line(strbuf *b, const store_one *one)
{
    bundle_put_line(b, &one->files);
}

static const char *shim_path(arena *a, const record_options *o)
{
    return path_join(a, o->output, STR(STANDALONE_SHIM));
}

/* DIR, and cuda_on_cpu.h with --cpu-shim. A program's own folder is made as it is saved. */
static int prepare(arena *a, const record_options *o, const char **at)
{
    strbuf b;
    int error = make_folders(a, *at = o->output);
    if (error || !o->cpu_shim)
        return error;
    sb_init(&b, a->m);
    standalone_put_shim(&b);
    error = atomic_file_put(a, *at = shim_path(a, o), sb_view(&b), false);
    sb_clear(&b);
    return error;
}

static void retract(arena *a, const record_options *o)
{
    if (o->cpu_shim)
        io_unlink(shim_path(a, o));
}

/* The folders that are there; others in DIR are not records. */
static int each_folder(arena *a, const record_options *o, int (*visit)(void *, const char *),
                       void *arg, const char **at)
{
    const char *const *names;
    uint32_t n;
    int error = file_list(a, *at = o->output, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++) {
        const char *category = strchr(names[i], '_');
        gen_category c;
        if (category && gen_category_find(str_c(category + 1), &c))
            error = visit(arg, *at = path_join(a, o->output, str_c(names[i])));
    }
    return error;
}

static const store_each each = {.put_name = record_put_folder,
                                .take = take,
                                .load = load,
                                .save = save,
                                .remove = remove_folder,
                                .put_line = put_line,
                                .missing = "it is missing, or lacks a file"};

const store_format store_format_programs = {WRITER_EACH,
                                            .prepare = prepare,
                                            .retract = retract,
                                            .each_folder = each_folder,
                                            .claim = ".weft-merge",
                                            .each = &each};
