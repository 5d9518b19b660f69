/* SPDX-License-Identifier: Apache-2.0 */
/* Reads whole files, pipes included, lists folders and makes names absolute. Examples:
 * file_absolute of "../m.py" in /home/u/src is "/home/u/m.py"; file_list of a folder with b.py,
 * .git and a.py is a.py, b.py. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/io.h"
#include "base/vec.h"

/* Reads fd to its end into a. A pipe has no size, so the buffer doubles; for a regular file `hint`
 * is large enough. The read after the last byte sees the end, also of a file that grew meanwhile.
 * waits: fd is no regular file, and reading ends at an interrupt. */
static int read_all(arena *a, int fd, bool waits, size_t hint, str *text)
{
    size_t cap = hint + 1, n = 0;
    char *p = arena_alloc(a, cap);
    for (;;) {
        /* One byte is kept for the NUL. */
        if (n + 1 >= cap) {
            if (cap > FILE_MAX)
                return EFBIG;
            char *q = arena_alloc(a, cap * 2);
            memcpy(q, p, n);
            p = q;
            cap *= 2;
        }
        const ssize_t got =
            waits ? io_read_ready(fd, p + n, cap - n - 1, a->m) : io_read(fd, p + n, cap - n - 1);
        /* io_read_ready handles EINTR itself: there it means that the wait was ended. */
        if (got < 0 && errno == EINTR && !waits)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            break;
        n += (size_t)got;
    }
    p[n] = 0;
    *text = (str){p, n};
    return 0;
}

/* Opened without waiting for a writer (io_open_ready), so that a pipe without one can be
 * interrupted. */
int file_read(arena *a, const char *path, str *text)
{
    int fd = io_open_ready(path);
    if (fd < 0)
        return errno;
    struct stat st;
    int err = io_fstat(fd, &st) < 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    /* A pipe's size shows only while it is read. */
    if (!err && S_ISREG(st.st_mode) && st.st_size > FILE_MAX)
        err = EFBIG;
    if (!err)
        err = S_ISREG(st.st_mode) ? read_all(a, fd, false, (size_t)st.st_size + 1, text)
                                  : read_all(a, fd, true, 65536, text);
    close(fd);
    return err;
}

/* Appends the parts of `path` to the n bytes of `out`; returns the new length, at least 1; 0: no
 * room. "." is left out, ".." takes the last part away; at the root there is none. */
static size_t add_parts(const char *path, char *out, size_t n, size_t size)
{
    while (*path) {
        const size_t len = strcspn(path, "/");
        if (len == 2 && memcmp(path, "..", 2) == 0) {
            /* Cuts at the slash before the last part. */
            while (n && out[--n] != '/')
                ;
        } else if (len && !(len == 1 && *path == '.')) {
            if (n + len + 2 > size)
                return 0;
            out[n++] = '/';
            memcpy(out + n, path, len);
            n += len;
        }
        path += len + (path[len] == '/');
    }
    out[n] = 0;
    return n ? n : 1;
}

/* The result for the root is "/", and no other ends with a slash. */
int file_absolute(const char *path, char *out, size_t size)
{
    WEFT_ASSERT(path && out);
    size_t n = 0;
    if (size < 2)
        return ENAMETOOLONG;
    if (*path != '/') {
        if (!getcwd(out, size))
            return errno;
        n = strlen(out);
        n -= n == 1; /* the root */
    }
    n = add_parts(path, out, n, size);
    if (n == 1)
        memcpy(out, "/", 2);
    return n ? 0 : ENAMETOOLONG;
}

/* A slash at the end of the folder is not doubled. */
const char *path_join(arena *a, const char *folder, str name)
{
    const size_t n = strlen(folder), slash = n && folder[n - 1] == '/' ? 0 : 1;
    char *path = arena_alloc(a, n + name.n + 2);
    memcpy(path, folder, n);
    path[n] = '/';
    memcpy(path + n + slash, name.p, name.n);
    path[n + slash + name.n] = 0;
    return path;
}

/* By bytes, as strcmp does in every locale. */
static int compare_names(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* The names of an open folder. */
typedef struct listing {
    arena *a;
    DIR *folder;
    VEC(const char *) names;
    int error;
} listing;

static void read_names(void *arg)
{
    listing *l = arg;
    const struct dirent *e;
    while ((e = io_readdir(l->folder))) {
        /* Temporary files of atomic_file.h begin with a dot too. */
        if (e->d_name[0] == '.')
            continue;
        const char *name = arena_dup(l->a, e->d_name, strlen(e->d_name));
        VEC_PUSH(l->a, &l->names, name);
    }
    l->error = errno;
}

/* Sorted, since readdir's order differs between file systems and the output must not. The folder is
 * closed where memory runs out, too. */
int file_list(arena *a, const char *path, const char *const **names, uint32_t *n)
{
    listing l = {.a = a, .folder = io_opendir(path)};
    if (!l.folder)
        return errno;
    const bool enough = mem_try(a->m, read_names, &l);
    closedir(l.folder);
    if (!enough)
        mem_fail(a->m);
    if (l.names.n)
        qsort(l.names.v, l.names.n, sizeof *l.names.v, compare_names);
    *names = l.names.v;
    *n = l.names.n;
    return l.error;
}

bool path_is_free(const char *path)
{
    struct stat st;
    return io_stat(path, &st) != 0 && errno == ENOENT;
}

/* The inner folder is made without -p: of two processes that see an empty folder, one fails here.
 * So two runs never write into one folder. */
int file_claim_folder(arena *a, const char *folder, const char *inner, const char **at)
{
    const char *const *names;
    uint32_t n;
    *at = folder;
    int error = make_folders(a, folder);
    if (!error)
        error = file_list(a, folder, &names, &n);
    if (error || n)
        return error ? error : EEXIST;
    *at = path_join(a, folder, str_c(inner));
    return io_mkdir(*at) == 0 ? 0 : errno;
}
