/* SPDX-License-Identifier: Apache-2.0 */
/* Buffered writing to a descriptor or to an atomic file (output.h has the rules). Example: for
 * `weft compile m.py -o link.cu`, where link.cu leads to gen/m.cu, the text goes to
 * gen/.weft-PID-0.part, which becomes gen/m.cu when all is written; link.cu stays a link. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "base/c_locale.h"
#include "base/decimal.h"
#include "base/io.h"

enum {
    FLUSH_SIZE = 1 << 20,
    LINKS_MAX = 40,
    PATH_ROOM = 4096
}; /* bytes gathered before they are written; links followed; of a path */

/* --- where a path leads ---------------------------------------------------------------------- */

/* "/dev/fd/3": returns the number of the descriptor, or -1. Such names are links as well, but what
 * they lead to ("pipe:[123]") is no path. */
static int own_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t n = strlen(folders[i]);
        const char *end;
        uint64_t fd;
        if (strncmp(path, folders[i], n) == 0 && decimal_read_uint(path + n, &end, &fd) && !*end &&
            fd <= INT32_MAX)
            return (int)fd;
    }
    return -1;
}

/* Replaces a link's name by what it leads to; a relative target counts from the link's folder.
 * EINVAL: it is no link. */
static int follow_link(arena *a, const char **path)
{
    char text[PATH_ROOM];
    const ssize_t n = io_readlink(*path, text, sizeof text);
    if (n < 0)
        return errno;
    if ((size_t)n == sizeof text)
        return ENAMETOOLONG;
    const char *slash = strrchr(*path, '/');
    const size_t folder = text[0] != '/' && slash ? (size_t)(slash + 1 - *path) : 0;
    char *to = arena_alloc(a, folder + (size_t)n + 1);
    memcpy(to, *path, folder);
    memcpy(to + folder, text, (size_t)n);
    to[folder + (size_t)n] = 0;
    *path = to;
    return 0;
}

/* Follows all symbolic links of the last part of *path, whether a file is there or not. *fd is the
 * descriptor that they lead to (/dev/stdout), else -1. Other parts may stay links: the kernel
 * follows them. */
static int follow_links(arena *a, const char **path, int *fd)
{
    for (int i = 0; i < LINKS_MAX; i++) {
        *fd = own_descriptor(*path);
        const int error = *fd < 0 ? follow_link(a, path) : EINVAL;
        if (error)
            return error == EINVAL || error == ENOENT ? 0 : error;
    }
    return ELOOP;
}

/* --- opening --------------------------------------------------------------------------------- */

/* Keeps a descriptor, which output_close is then to close; -1: the opening failed with errno. */
static int own(output *o, int fd)
{
    o->fd = fd;
    o->owns_fd = fd >= 0;
    return fd < 0 ? errno : 0;
}

/* What is no regular file is written into. A pipe with a name is opened when there is something to
 * write, since that waits for a reader. */
static int open_special(output *o, arena *a, const char *path, const struct stat *st)
{
    if (!S_ISFIFO(st->st_mode))
        return own(o, io_open(path, O_WRONLY));
    o->named = arena_dup(a, path, strlen(path));
    return 0;
}

/* Is the descriptor a regular file that the command reads? The shell may have opened it so:
 * `weft compile k.py -o /dev/stdout 1<>k.py`. */
static bool leads_to_input(const output *o, int fd)
{
    struct stat st;
    return o->used && io_fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && file_set_has(o->used, &st);
}

/* A folder that is missing is made, with those above it; it stays even if no file comes of it. */
static int make_folder_of(arena *a, const char *target)
{
    struct stat st;
    const char *slash = strrchr(target, '/');
    if (!slash || slash == target)
        return 0;
    const char *folder = arena_dup(a, target, (size_t)(slash - target));
    return io_stat(folder, &st) != 0 && errno == ENOENT ? make_folders(a, folder) : 0;
}

/* Decides by the table in output.h what happens to `path`. A file that exists must be writable,
 * although a rename would not need that: the user has protected it. */
static int open_path(output *o, arena *a, const char *path)
{
    struct stat st;
    const char *target = path;
    int fd;
    const int error = follow_links(a, &target, &fd);
    if (error)
        return error;
    /* /dev/stdout and the like: the descriptor is shared, not opened anew, so its offset is too. */
    if (fd >= 0)
        return leads_to_input(o, fd) ? OUTPUT_IS_INPUT : own(o, dup(fd));
    if (io_stat(path, &st) == 0) {
        if (!S_ISREG(st.st_mode))
            return open_special(o, a, path, &st);
        /* Also by another name of the same file (hard link, symbolic link). */
        if (file_set_has(o->used, &st))
            return OUTPUT_IS_INPUT;
        if (!io_may_write(path))
            return errno;
    } else if (errno != ENOENT) {
        return errno;
    }
    const int no_folder = make_folder_of(a, target); /* a place is claimed in a folder */
    if (no_folder)
        return no_folder;
    if (o->used && !file_set_claim(o->used, target))
        return OUTPUT_IS_TAKEN;
    o->has_file = true;
    return atomic_file_create(&o->file, a, target);
}

/* The fields are set before anything may fail: output_close is due either way. */
int output_open(output *o, arena *a, const char *path, file_set *used)
{
    *o = (output){.m = a->m, .fd = -1, .used = used};
    sb_init(&o->text, a->m);
    if (path && strcmp(path, "-") != 0)
        return o->error = open_path(o, a, path);
    if (leads_to_input(o, STDOUT_FILENO))
        return o->error = OUTPUT_IS_INPUT;
    o->fd = STDOUT_FILENO;
    return 0;
}

/* --- writing --------------------------------------------------------------------------------- */

/* Opens the named pipe, which waits for a reader: the open is repeated until there is one, since
 * only so an interrupt is seen. Writing then blocks again. */
static int open_named(output *o)
{
    static const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    int fd;
    /* ENXIO: nobody reads yet. */
    while ((fd = io_open(o->named, O_WRONLY | O_NONBLOCK)) < 0 && errno == ENXIO) {
        if (o->m->waiting && o->m->waiting(o->m->waiting_arg))
            return EINTR;
        nanosleep(&pause, NULL);
    }
    const int error = own(o, fd);
    if (!error)
        fcntl(fd, F_SETFL, O_WRONLY);
    o->named = NULL;
    return error;
}

/* A named pipe that nothing was written to: whoever reads it is to see its end. After a failure it
 * is opened only if somebody reads already. */
static void end_named(output *o, bool keep)
{
    if (keep && !o->error) {
        o->error = open_named(o);
    } else {
        const int fd = io_open(o->named, O_WRONLY | O_NONBLOCK);
        if (fd >= 0)
            io_close(fd);
        o->named = NULL;
    }
}

/* After the first failure nothing more is written; that error is the one to report. EPIPE means
 * that the reader has gone, which is no failure of the command. */
static void write_text(output *o, str text)
{
    o->any |= text.n > 0;
    if (!o->error && o->named && text.n)
        o->error = open_named(o);
    /* Imports are read after the output was opened. */
    if (!o->error && !o->has_file && text.n && leads_to_input(o, o->fd))
        o->error = OUTPUT_IS_INPUT;
    if (!o->error && text.n)
        o->error = o->has_file ? atomic_file_write(&o->file, text) : write_until(o->fd, text, o->m);
    if (o->error == EPIPE)
        o->error = OUTPUT_CLOSED;
}

static void write_gathered(output *o)
{
    write_text(o, sb_view(&o->text));
    o->text.n = 0;
}

/* Called after each record or kernel, so that memory stays flat. */
int output_flush(output *o)
{
    if (o->text.n >= FLUSH_SIZE)
        write_gathered(o);
    return o->error;
}

int output_write(output *o, str text)
{
    write_gathered(o);
    write_text(o, text);
    return o->error;
}

/* --- the end --------------------------------------------------------------------------------- */

/* Was the file at the output's place read after output_open? Imports are found late. */
static int look_again(const output *o)
{
    struct stat st;
    if (!o->used)
        return 0;
    if (io_stat(o->file.path, &st) != 0)
        return errno == ENOENT ? 0 : errno;
    return file_set_has(o->used, &st) ? OUTPUT_IS_INPUT : 0;
}

/* Commits or removes the temporary file. */
static int close_file(output *o, bool keep)
{
    if (keep && !o->error)
        o->error = look_again(o);
    if (keep && !o->error)
        return o->error = atomic_file_commit(&o->file, o->durable);
    atomic_file_discard(&o->file);
    return o->error;
}

/* What is no file cannot be taken back: `keep` matters for files and for pipes that were not
 * opened yet. */
int output_close(output *o, bool keep)
{
    write_gathered(o);
    sb_clear(&o->text);
    if (o->has_file) {
        o->has_file = false;
        return close_file(o, keep);
    }
    if (o->named)
        end_named(o, keep);
    /* Standard output stays open for other outputs. */
    if (o->owns_fd && io_close(o->fd) != 0 && !o->error)
        o->error = errno;
    o->owns_fd = false;
    return o->error;
}

int output_put(arena *a, const char *path, str text, file_set *used)
{
    output o;
    if (!output_open(&o, a, path, used))
        output_write(&o, text);
    return output_close(&o, true);
}

/* Half a sentence in the style of strerror. */
const char *output_error_text(int error)
{
    switch (error) {
    case OUTPUT_CLOSED: return "its reader went away";
    case OUTPUT_IS_INPUT: return "this command reads that file";
    case OUTPUT_IS_TAKEN: return "another output of this command goes there";
    default: return error_text(error);
    }
}
