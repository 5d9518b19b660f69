/* Buffered writing to a descriptor or to an atomic file. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/io.h"

enum { FLUSH_SIZE = 1 << 20 };

static bool is_special_file(const char *path)
{
    struct stat st;
    return io_stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

int output_open(output *o, arena *a, const char *path)
{
    *o = (output){.fd = STDOUT_FILENO};
    sb_init(&o->text, a->m);
    if (!path || strcmp(path, "-") == 0)
        return 0;
    if (is_special_file(path)) {
        o->fd = io_open(path, O_WRONLY);
        return o->error = o->fd < 0 ? errno : 0;
    }
    o->has_file = true;
    return o->error = atomic_file_open(&o->file, a, path);
}

static void write_text(output *o, str text)
{
    o->any |= text.n > 0;
    if (!o->error)
        o->error = o->has_file ? atomic_file_write(&o->file, text) : write_fully(o->fd, text);
    if (o->error == EPIPE)
        o->error = OUTPUT_CLOSED;
}

static void write_gathered(output *o)
{
    write_text(o, sb_view(&o->text));
    o->text.n = 0;
}

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

int output_close(output *o, bool keep)
{
    write_gathered(o);
    sb_clear(&o->text);
    if (o->has_file && keep && !o->error)
        return o->error = atomic_file_commit(&o->file, false);
    if (o->has_file)
        atomic_file_discard(&o->file);
    else if (o->fd != STDOUT_FILENO && o->fd >= 0 && io_close(o->fd) != 0 && !o->error)
        o->error = errno;
    return o->error;
}
