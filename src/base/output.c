/* Buffered writing to a descriptor, and files that are renamed into place when complete. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLUSH_SIZE = 1 << 20, TEMP_TRIES = 100 };

static bool is_special_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* A new file beside `path`; its name begins with a dot so that nobody takes it for a result. */
static int open_temp(output *o, arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t dir = slash ? (size_t)(slash + 1 - path) : 0, room = strlen(path) + 32;
    o->temp = arena_alloc(a, room);
    for (int i = 0; i < TEMP_TRIES; i++) {
        snprintf(o->temp, room, "%.*s.%s.%ld.%d.tmp", (int)dir, path, path + dir, (long)getpid(),
                 i);
        o->fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (o->fd >= 0)
            return 0;
        if (errno != EEXIST)
            break;
    }
    return errno;
}

int output_open(output *o, arena *a, const char *path)
{
    *o = (output){.fd = STDOUT_FILENO};
    sb_init(&o->text, a->m);
    if (!path || strcmp(path, "-") == 0)
        return 0;
    if (is_special_file(path)) {
        o->fd = open(path, O_WRONLY | O_CLOEXEC);
        return o->error = o->fd < 0 ? errno : 0;
    }
    o->path = path;
    return o->error = open_temp(o, a, path);
}

static void write_all(output *o)
{
    const char *p = o->text.p;
    size_t left = o->text.n;
    o->any |= left > 0;
    o->text.n = 0;
    while (left && !o->error) {
        const ssize_t n = write(o->fd, p, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            o->error = errno == EPIPE ? OUTPUT_CLOSED : errno;
            return;
        }
        p += n;
        left -= (size_t)n;
    }
}

int output_flush(output *o)
{
    if (o->text.n >= FLUSH_SIZE)
        write_all(o);
    return o->error;
}

int output_close(output *o, bool keep)
{
    if (o->fd < 0)
        return o->error;
    write_all(o);
    if (o->fd != STDOUT_FILENO && close(o->fd) != 0 && !o->error)
        o->error = errno;
    if (o->path && !o->error && keep && rename(o->temp, o->path) != 0)
        o->error = errno;
    if (o->path && (o->error || !keep))
        unlink(o->temp);
    sb_clear(&o->text);
    return o->error;
}
