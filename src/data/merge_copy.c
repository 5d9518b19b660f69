/* A run of one part is the whole: its files are copied, and checked on the way. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/io.h"
#include "data/merge_copy.h"

enum { CHUNK = 1 << 20 };

static int copy_open(int fd, atomic_file *to, char *buffer, sha256 *hash)
{
    for (;;) {
        const ssize_t n = io_read(fd, buffer, CHUNK);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : 0;
        sha256_add(hash, buffer, (size_t)n);
        const int error = atomic_file_write(to, (str){buffer, (size_t)n});
        if (error)
            return error;
    }
}

/* *whole: its hash is the one that the manifest has. */
static int copy_shard(arena *a, const merge_shard *s, const char *path, bool *whole)
{
    atomic_file to;
    sha256 hash;
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX], *buffer = arena_alloc(a, CHUNK);
    const int fd = io_open(s->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = atomic_file_open(&to, a, path);
    if (error) {
        io_close(fd);
        return error;
    }
    sha256_start(&hash);
    error = copy_open(fd, &to, buffer, &hash);
    io_close(fd);
    sha256_finish(&hash, digest);
    sha256_hex(digest, hex);
    *whole = memcmp(hex, s->sha256, SHA256_HEX) == 0;
    if (!error && *whole)
        return atomic_file_commit(&to, true);
    atomic_file_discard(&to);
    return error;
}

static int copy_companion(arena *a, const char *from, const char *to, const char *name,
                          char *failed, size_t size)
{
    str text;
    const char *path = path_join(a, from, str_c(name));
    int error = file_read(a, path, &text);
    if (!error) {
        path = path_join(a, to, str_c(name));
        error = atomic_file_put(a, path, text, true);
    }
    if (error)
        snprintf(failed, size, "%s", path);
    return error;
}

static int is_free(arena *a, const char *output, data_result *r)
{
    struct stat st;
    if (io_stat(path_join(a, output, STR("manifest.json")), &st) == 0) {
        r->message = "the output folder holds a data set already: choose another folder";
        return DATA_REFUSED;
    }
    return make_folders(a, path_join(a, output, STR("data")));
}

int merge_copy(arena *a, const merge_part *p, const char *output, data_result *r)
{
    static const char *const names[] = {"stats.json", "README.md", "manifest.json"};
    int error = is_free(a, output, r);
    for (uint32_t i = 0; i < p->shards.n && !error; i++) {
        const arena_mark mark = arena_save(a);
        const merge_shard *s = &p->shards.v[i];
        bool whole = true;
        error = copy_shard(a, s, path_join(a, output, str_c(s->file)), &whole);
        arena_rewind(a, mark);
        if (error)
            snprintf(r->failed, sizeof r->failed, "%s", s->path);
        if (!error && !whole) {
            r->message = "a shard is damaged: its SHA-256 is not what the manifest says";
            return DATA_REFUSED;
        }
    }
    for (size_t i = 0; i < 3 && !error; i++)
        error = copy_companion(a, p->folder, output, names[i], r->failed, sizeof r->failed);
    r->rows = p->rows;
    return error;
}
