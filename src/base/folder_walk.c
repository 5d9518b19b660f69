/* SPDX-License-Identifier: Apache-2.0 */
/* Goes through a folder in a fixed order: its names are sorted, and a folder among them is entered
 * where its name comes. A file's ending decides before its type, so that nothing is looked up for
 * files that are taken. */
#include "base/folder_walk.h"

#include <errno.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/io.h"

/* Folders in folders that are entered: also the end of a loop of symbolic links. */
enum { FOLDERS_DEEP = 8 };

bool path_ends_with(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

int path_is_folder(const char *path, bool *is_folder)
{
    struct stat st;
    const int error = io_stat(path, &st) == 0 ? 0 : errno;
    *is_folder = !error && S_ISDIR(st.st_mode);
    return error == EIO ? error : 0;
}

static bool is_wanted(const folder_walk *w, const char *path)
{
    for (const char *const *end = w->endings; *end; end++)
        if (path_ends_with(path, *end))
            return true;
    return false;
}

/* What cannot be read ends the walk of its folder, not of the others. */
static bool walk(const folder_walk *w, const char *folder, int deep)
{
    WEFT_ASSERT(deep <= FOLDERS_DEEP);
    const char *const *names;
    uint32_t n;
    bool any = false;
    int error = file_list(w->a, folder, &names, &n);
    if (error) {
        w->fail(w->job, folder, error);
        return true;
    }
    for (uint32_t i = 0; i < n && !w->stopped(w->job); i++) {
        bool is_folder;
        const char *path = path_join(w->a, folder, str_c(names[i]));
        if (is_wanted(w, path)) {
            any = true;
            w->file(w->job, path);
        } else if (deep < FOLDERS_DEEP) {
            if ((error = path_is_folder(path, &is_folder)) != 0) {
                w->fail(w->job, path, error);
                return true;
            }
            any = (is_folder && walk(w, path, deep + 1)) || any;
        }
    }
    return any;
}

bool folder_walk_run(const folder_walk *w, const char *folder)
{
    WEFT_ASSERT(w->endings && w->file && w->fail && w->stopped);
    return walk(w, folder, 0);
}
