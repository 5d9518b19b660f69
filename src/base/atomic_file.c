/* SPDX-License-Identifier: Apache-2.0 */
/* The steps behind atomic_file.h: a temporary name in the same folder (a rename cannot cross file
 * systems), the content, fsync, rename, fsync of the folder. Example, the system calls of
 * atomic_file_put(a, "out/x.json", text, true):
 *
 *     open("out/.x.json.part")  write  fsync  close  rename("out/.x.json.part", "out/x.json")
 *     open("out/")  fsync  close
 */
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/io.h"

/* write() may take less than it was given and may be interrupted: both go on. */
int write_fully(int fd, str text)
{
    while (text.n) {
        ssize_t n = io_write(fd, text.p, text.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        text.p += n;
        text.n -= (size_t)n;
    }
    return 0;
}

/* A regular file never waits for a reader, so it is written without looking at the interrupt. */
int write_until(int fd, str text, const mem *m)
{
    struct stat st;
    if (io_fstat(fd, &st) != 0)
        return errno;
    if (S_ISREG(st.st_mode))
        return write_fully(fd, text);
    while (text.n) {
        const ssize_t n = io_write_ready(fd, text.p, text.n, m);
        if (n < 0)
            return errno;
        text.p += n;
        text.n -= (size_t)n;
    }
    return 0;
}

/* "folder/.name.part" for "folder/name". */
static const char *temp_name(arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t dir = slash ? (size_t)(slash + 1 - path) : 0, n = strlen(path);
    char *t = arena_alloc(a, n + 8);
    memcpy(t, path, dir);
    t[dir] = '.';
    memcpy(t + dir + 1, path + dir, n - dir);
    memcpy(t + n + 1, ".part", 6);
    return t;
}

/* What a killed run has left under this name is overwritten. */
int atomic_file_open(atomic_file *f, arena *a, const char *path)
{
    *f = (atomic_file){.path = path, .temp = temp_name(a, path)};
    f->fd = io_open(f->temp, O_WRONLY | O_CREAT | O_TRUNC);
    f->error = f->fd < 0 ? errno : 0;
    return f->error;
}

/* Removed first: what still writes to the old file then writes to one without a name. */
int atomic_file_renew(atomic_file *f, arena *a, const char *path)
{
    if (io_unlink(temp_name(a, path)) < 0 && errno != ENOENT) {
        *f = (atomic_file){.path = path, .fd = -1, .error = errno};
        return f->error;
    }
    return atomic_file_open(f, a, path);
}

/* O_EXCL makes the name unique. Another output of this process in the same folder, or what a
 * killed process with the same id left, has a number already; the next one is tried. */
int atomic_file_create(atomic_file *f, arena *a, const char *path)
{
    enum { TRIES = 100 };
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    *f = (atomic_file){.path = path, .fd = -1};
    for (int i = 0; i < TRIES; i++) {
        f->temp = arena_printf(a, "%.*s.weft-%ld-%d.part", folder, path, (long)getpid(), i);
        f->fd = io_open(f->temp, O_WRONLY | O_CREAT | O_EXCL);
        /* Any other failure would be the same for the next number. */
        if (f->fd >= 0 || errno != EEXIST)
            break;
    }
    f->error = f->fd < 0 ? errno : 0;
    return f->error;
}

/* After a failure nothing more is written; atomic_file_commit reports the same error. */
int atomic_file_write(atomic_file *f, str text)
{
    WEFT_ASSERT(f->fd >= 0 || f->error);
    if (!f->error)
        f->error = write_fully(f->fd, text);
    return f->error;
}

/* Syncs the folder that holds path: a rename is durable only after its folder is on the disk. */
static int sync_folder_of(const char *path)
{
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;
    if (n >= sizeof folder)
        return ENAMETOOLONG;
    if (slash) {
        /* n is 0 for "/name", whose folder is the root. */
        memcpy(folder, path, n ? n : 1);
        folder[n ? n : 1] = 0;
    }
    int fd = io_open(folder, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return errno;
    /* Some file systems cannot sync a folder and say EINVAL. */
    int err = io_fsync(fd) != 0 && errno != EINVAL ? errno : 0;
    close(fd);
    return err;
}

/* The order matters: content first, then the name, then the folder. Otherwise a power cut could
 * leave a name with an empty file behind it. */
int atomic_file_commit(atomic_file *f, bool durable)
{
    if (!f->error && durable && io_fsync(f->fd) != 0)
        f->error = errno;
    /* Network file systems may report a failed write at close. */
    if (f->fd >= 0 && io_close(f->fd) != 0 && !f->error)
        f->error = errno;
    f->fd = -1;
    if (!f->error && io_rename(f->temp, f->path) != 0)
        f->error = errno;
    if (!f->error && durable)
        f->error = sync_folder_of(f->path);
    if (f->error)
        unlink(f->temp);
    return f->error;
}

/* After a commit fd is -1, and the file that has its name by then stays. */
void atomic_file_discard(atomic_file *f)
{
    if (f->fd < 0)
        return;
    close(f->fd);
    f->fd = -1;
    unlink(f->temp);
}

int atomic_file_put(arena *a, const char *path, str text, bool durable)
{
    atomic_file f;
    if (atomic_file_open(&f, a, path))
        return f.error;
    if (atomic_file_write(&f, text)) {
        atomic_file_discard(&f);
        return f.error;
    }
    return atomic_file_commit(&f, durable);
}

/* Makes each prefix of the path in turn. A prefix that exists may still be a file: the stat at the
 * end finds out. */
int make_folders(arena *a, const char *path)
{
    size_t n = strlen(path);
    char *p = arena_dup(a, path, n);
    for (size_t i = 1; i <= n; i++) {
        if (p[i] != '/' && p[i] != 0)
            continue;
        char c = p[i];
        p[i] = 0;
        /* A new folder's name must be durable before what is written into it. */
        const int made = io_mkdir(p) == 0 ? sync_folder_of(p) : errno;
        if (made && made != EEXIST)
            return made;
        p[i] = c;
    }
    struct stat st;
    if (io_stat(path, &st) != 0)
        return errno;
    return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}
