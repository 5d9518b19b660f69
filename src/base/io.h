/* The one door to the file system. Every call may fail: a debug build lets the call fail, with EIO,
 * that WEFT_FAIL_IO numbers from 1. Nothing else is added to what POSIX says of each. */
#ifndef WEFT_BASE_IO_H
#define WEFT_BASE_IO_H

#include <dirent.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

int io_open(const char *path, int flags); /* new files get the mode 0666 */
ssize_t io_read(int fd, void *to, size_t n);
ssize_t io_write(int fd, const void *from, size_t n);
int io_fsync(int fd);
/* The descriptor is gone also after a failure. */
int io_close(int fd);
int io_stat(const char *path, struct stat *st);
int io_fstat(int fd, struct stat *st);
int io_rename(const char *from, const char *to);
int io_mkdir(const char *path);
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
