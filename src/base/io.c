/* System calls, and the means to let each of them fail. */
#define _GNU_SOURCE /* syncfs */
#include "base/io.h"

#include "base/fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

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

int io_fsync(int fd)
{
    return is_named_to_fail() ? -1 : fsync(fd);
}

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
