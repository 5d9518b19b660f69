/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to the file system. Every call may fail, and a debug build lets the call fail, with
 * EIO, that WEFT_FAIL_IO numbers from 1 (base/fault.h). Names, arguments and results are those of
 * POSIX; -1 or NULL means a failure that errno explains. */
#ifndef WEFT_BASE_IO_H
#define WEFT_BASE_IO_H

#include <dirent.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/mem.h"

int io_open(const char *path, int flags); /* new files get the mode 0666 */
ssize_t io_read(int fd, void *to, size_t n);
ssize_t io_write(int fd, const void *from, size_t n);
/* Reading what may wait for another process: pipes, terminals. io_open_ready opens without waiting
 * for a writer; io_read_ready waits until there is something to read or the end, and fails with
 * EINTR once m->waiting says so. */
int io_open_ready(const char *path);
ssize_t io_read_ready(int fd, void *to, size_t n, const mem *m);
/* Writes at least a byte, unless waiting for the reader ends as above. */
ssize_t io_write_ready(int fd, const void *from, size_t n, const mem *m);
/* A pipe, whose ends no other program inherits: ends[1] is written to, ends[0] is read from. */
int io_pipe(int ends[2]);
int io_fsync(int fd);
/* The descriptor is gone also after a failure. */
int io_close(int fd);
int io_stat(const char *path, struct stat *st);
int io_fstat(int fd, struct stat *st);
bool io_may_write(const char *path); /* false with errno */
ssize_t io_readlink(const char *path, char *to, size_t n);
int io_rename(const char *from, const char *to);
int io_mkdir(const char *path); /* mode 0777, within the umask */
int io_unlink(const char *path);
int io_rmdir(const char *path);
/* Takes a file's lock, which ends with the descriptor; fails with EWOULDBLOCK where another process
 * has it. */
int io_lock(int fd);
/* Brings the file system that holds fd to the disk. */
int io_syncfs(int fd);
DIR *io_opendir(const char *path);
/* NULL at the end with errno 0, and after a failure. */
struct dirent *io_readdir(DIR *folder);
/* Loads a shared library as dlopen does; NULL after a failure. */
void *io_load(const char *path);

#endif
