/* SPDX-License-Identifier: Apache-2.0 */
/* Goes through a folder in a fixed order: its names are sorted, and a folder among them is entered
 * where its name comes. Folders behind symbolic links are not entered, as in git, ripgrep and ruff:
 * each file is met once, and a link to a folder above does not make the walk endless.
 *
 *     kernels/a.py, kernels/up -> ..   ->   kernels/a.py */
#include "base/folder_walk.h"

#include <errno.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/io.h"

bool path_ends_with(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

bool path_is_json_lines(const char *path)
{
    return path_ends_with(path, ".jsonl") || path_ends_with(path, ".jsonl.zst") ||
           path_ends_with(path, ".jsonl.gz");
}

int path_is_folder(const char *path, bool *is_folder)
{
    struct stat st;
    const int error = io_stat(path, &st) == 0 ? 0 : errno;
    *is_folder = !error && S_ISDIR(st.st_mode);
    return error == EIO ? error : 0;
}

bool path_is_link(const char *path)
{
    char target[8];
    return io_readlink(path, target, sizeof target) >= 0;
}

/* Pipes and devices may never end. What cannot be looked at is taken, and reported when it is read.
 */
bool path_is_readable_kind(const char *path)
{
    struct stat st;
    return io_stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

static bool is_wanted(const folder_walk *w, const char *path)
{
    for (const char *const *end = w->endings; *end; end++)
        if (path_ends_with(path, *end))
            return path_is_readable_kind(path);
    return false;
}

static bool walk(const folder_walk *w, const char *folder);

/* One name of a folder. False: what is there cannot be looked at. */
static bool take(const folder_walk *w, const char *path, bool *any)
{
    bool is_folder;
    const int error = path_is_folder(path, &is_folder);
    if (error) {
        w->fail(w->job, path, error);
        return false;
    }
    if (is_folder && !path_is_link(path)) {
        *any = walk(w, path) || *any;
    } else if (!is_folder && is_wanted(w, path)) {
        *any = true;
        w->file(w->job, arena_dup(w->a, path, strlen(path)));
    }
    return true;
}

/* What cannot be read ends the walk of its folder, not of the others. The names of a folder are
 * forgotten behind it: a walk of a whole disk takes the memory of the files that it finds. A path
 * has a longest length, which ends the recursion. */
static bool walk(const folder_walk *w, const char *folder)
{
    const char *const *names;
    uint32_t n;
    bool any = false, good = true;
    arena here;
    if (w->enter)
        w->enter(w->job);
    arena_init(&here, w->a->m);
    const int error = file_list(&here, folder, &names, &n);
    if (error)
        w->fail(w->job, folder, error);
    for (uint32_t i = 0; !error && good && i < n && !w->stopped(w->job); i++)
        good = take(w, path_join(&here, folder, str_c(names[i])), &any);
    arena_clear(&here);
    return any || error || !good;
}

bool folder_walk_run(const folder_walk *w, const char *folder)
{
    WEFT_ASSERT(w->endings && w->file && w->fail && w->stopped);
    return walk(w, folder);
}
