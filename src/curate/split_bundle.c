/* SPDX-License-Identifier: Apache-2.0 */
/* Copies programs into the folders of their splits, for weft split and weft dedup.
 *
 *     SET/7-000000042_loop/   ->   OUTPUT/train/7-000000042_loop/
 *
 * The list is sorted by id, so two programs of one id are neighbours and are refused. */
#include "curate/split_bundle.h"

#include <errno.h>
#include <fcntl.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/io.h"
#include "base/run_status.h"
#include "record/bundle.h"
#include "standalone/standalone.h"

void split_bundles_init(split_bundles *s)
{
    *s = (split_bundles){.last = ""};
    for (uint32_t i = 0; i < SPLITS_MAX; i++)
        sha256_start(&s->hash[i]);
}

/* The name of a folder, without the path to it. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* OUTPUT/train, say. */
static const char *part_folder(arena *a, const split_options *o, uint32_t part)
{
    WEFT_ASSERT(part < o->ratios.n);
    return path_join(a, o->output, str_c(split_name(&o->ratios, part)));
}

static int refuse(const char **why, const char *what)
{
    *why = what;
    return STATUS_BROKEN;
}

/* s->last points into `folder`, which belongs to the list of files and outlives the copy. The hash
 * of a part is that of its programs' records one after another (bundle_put_record). */
int split_bundles_put(split_bundles *s, arena *a, const split_options *o, uint32_t part,
                      const char *folder, const char **path, const char **why)
{
    WEFT_ASSERT(part < SPLITS_MAX);
    bundle files;
    uint64_t seed, index;
    gen_category c;
    const char *name = last_part(folder);
    *path = folder;
    if (!dataset_read_program(folder, &seed, &index, &c))
        return refuse(why, "the folder is not named after a record's id and category");
    if (strcmp(name, s->last) == 0)
        return refuse(why, "another program has the same id and category");
    s->last = name;
    const int error = bundle_load(a, folder, &files, path);
    if (error)
        return error;
    *path = folder;
    if (!bundle_is_whole(&files))
        return refuse(why, "one of its files is missing");
    for (int i = 0; i < BUNDLE_FILES; i++) {
        if (files.file[i].n)
            sha256_add(&s->hash[part], files.file[i].p, files.file[i].n);
        s->bytes[part] += files.file[i].n;
    }
    return bundle_store(a, path_join(a, part_folder(a, o, part), str_c(name)), &files, path);
}

/* As `weft generate` has it, or as a split has; ENOENT: there is none. */
static int read_shim(arena *a, const split_options *o, str *text)
{
    const char *first = o->paths[0];
    int error = file_read(a, path_join(a, first, STR(STANDALONE_SHIM)), text);
    if (error == ENOENT || error == ENOTDIR)
        error = file_read(a, path_join(a, first, STR("train/" STANDALONE_SHIM)), text);
    return error == ENOTDIR ? ENOENT : error;
}

/* The header is written only into splits that have programs. One syncfs for all files is much
 * faster than an fsync for each. */
int split_bundles_end(arena *a, const split_options *o, const char **path)
{
    str shim;
    *path = o->paths[0];
    int error = read_shim(a, o, &shim);
    const bool has = !error;
    if (error == ENOENT)
        error = 0;
    for (uint32_t i = 0; i < o->ratios.n && has && !error; i++) {
        dataset_place p;
        const char *folder = part_folder(a, o, i);
        *path = path_join(a, folder, STR(STANDALONE_SHIM));
        error = dataset_look(folder, &p);
        if (!error && p.folder)
            error = atomic_file_put(a, *path, shim, false);
    }
    if (error)
        return error;
    *path = o->output;
    const int fd = io_open(o->output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    error = fd < 0 || io_syncfs(fd) != 0 ? errno : 0;
    if (fd >= 0)
        io_close(fd);
    return error;
}

/* Removes only files that the originals have, in all splits. */
void split_bundles_undo(arena *a, const split_options *o, const dataset_list *list)
{
    for (uint32_t i = 0; i < list->files.n; i++) {
        const arena_mark mark = arena_save(a);
        const char *from = list->files.v[i].path, *at;
        bundle files;
        if (bundle_load(a, from, &files, &at) == 0)
            for (uint32_t part = 0; part < o->ratios.n; part++)
                bundle_remove(a, path_join(a, part_folder(a, o, part), str_c(last_part(from))),
                              &files);
        arena_rewind(a, mark);
    }
    for (uint32_t part = 0; part < o->ratios.n; part++) {
        const char *folder = part_folder(a, o, part);
        io_unlink(path_join(a, folder, STR(STANDALONE_SHIM)));
        io_rmdir(folder);
    }
}
