/* SPDX-License-Identifier: Apache-2.0 */
/* System calls, each with a point where a debug build can make it fail (base/fault.h). A test then
 * proves that the caller handles the failure: with WEFT_FAIL_IO=3 the third of these calls returns
 * its error with EIO, as a broken disk would.
 *
 *     WEFT_FAIL_IO=1 weft stats set   ->   weft: error: cannot read 'set': Input/output error
 *     WEFT_FAIL_IO=2 weft stats set   ->   weft: error: cannot read 'set/manifest.json': Input/...
 *
 * tests/limits/allocation_check.py goes through all numbers up to the last call of a command. In a
 * release build the functions are the system calls. */
#define _GNU_SOURCE /* syncfs, pipe2 */
#include "base/io.h"

#include "base/assert.h"
#include "base/fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

/* The call itself is skipped when it fails, as a real failure would have no effect either. */
static bool is_named_to_fail(void)
{
    const bool fails = fault_is_due(FAULT_IO);
    if (fails)
        errno = EIO;
    return fails;
}

int io_open(const char *path, int flags)
{
    return is_named_to_fail() ? -1 : open(path, flags | O_CLOEXEC, 0666);
}

ssize_t io_read(int fd, void *to, size_t n)
{
    return is_named_to_fail() ? -1 : read(fd, to, n);
}

ssize_t io_write(int fd, const void *from, size_t n)
{
    return is_named_to_fail() ? -1 : write(fd, from, n);
}

int io_open_ready(const char *path)
{
    return io_open(path, O_RDONLY | O_NONBLOCK);
}

/* Waits until fd is ready. It looks at m->waiting now and then: a signal may have come before the
 * wait, or to another thread. False: with errno. */
static bool wait_ready(int fd, short event, const mem *m)
{
    WEFT_ASSERT(m);
    enum { LOOK_MS = 100 }; /* milliseconds between two looks */
    for (;;) {
        struct pollfd p = {.fd = fd, .events = event};
        if (m->waiting && m->waiting(m->waiting_arg)) {
            errno = EINTR;
            return false;
        }
        const int n = poll(&p, 1, m->waiting ? LOOK_MS : -1);
        if (n > 0 || (n < 0 && errno != EINTR))
            return n > 0;
    }
}

ssize_t io_read_ready(int fd, void *to, size_t n, const mem *m)
{
    for (;;) {
        if (!wait_ready(fd, POLLIN, m))
            return -1;
        const ssize_t got = io_read(fd, to, n);
        if (got >= 0 || (errno != EAGAIN && errno != EINTR))
            return got;
    }
}

/* A pipe that is ready takes PIPE_BUF bytes at once; more would wait. */
ssize_t io_write_ready(int fd, const void *from, size_t n, const mem *m)
{
    for (;;) {
        if (!wait_ready(fd, POLLOUT, m))
            return -1;
        const ssize_t put = io_write(fd, from, n < PIPE_BUF ? n : PIPE_BUF);
        if (put >= 0 || (errno != EAGAIN && errno != EINTR))
            return put;
    }
}

int io_pipe(int ends[2])
{
    return is_named_to_fail() ? -1 : pipe2(ends, O_CLOEXEC);
}

int io_fsync(int fd)
{
    return is_named_to_fail() ? -1 : fsync(fd);
}

/* Closes first: a test's failure must not leak the descriptor. */
int io_close(int fd)
{
    const int status = close(fd);
    return is_named_to_fail() ? -1 : status;
}

int io_stat(const char *path, struct stat *st)
{
    return is_named_to_fail() ? -1 : stat(path, st);
}

int io_fstat(int fd, struct stat *st)
{
    return is_named_to_fail() ? -1 : fstat(fd, st);
}

bool io_may_write(const char *path)
{
    return !is_named_to_fail() && access(path, W_OK) == 0;
}

ssize_t io_readlink(const char *path, char *to, size_t n)
{
    return is_named_to_fail() ? -1 : readlink(path, to, n);
}

int io_rename(const char *from, const char *to)
{
    return is_named_to_fail() ? -1 : rename(from, to);
}

int io_mkdir(const char *path)
{
    return is_named_to_fail() ? -1 : mkdir(path, 0777);
}

int io_unlink(const char *path)
{
    return is_named_to_fail() ? -1 : unlink(path);
}

int io_rmdir(const char *path)
{
    return is_named_to_fail() ? -1 : rmdir(path);
}

int io_lock(int fd)
{
    return is_named_to_fail() ? -1 : flock(fd, LOCK_EX | LOCK_NB);
}

int io_syncfs(int fd)
{
    return is_named_to_fail() ? -1 : syncfs(fd);
}

DIR *io_opendir(const char *path)
{
    return is_named_to_fail() ? NULL : opendir(path);
}

/* readdir returns NULL at the end and after a failure; only errno distinguishes them, so it is
 * cleared before. */
struct dirent *io_readdir(DIR *folder)
{
    if (is_named_to_fail())
        return NULL;
    errno = 0;
    return readdir(folder);
}

/* A library stays when it is closed: what its C++ runtime has allocated would be lost otherwise. */
void *io_load(const char *path)
{
    return is_named_to_fail() ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}
