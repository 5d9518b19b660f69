/* A run of one part is the whole: its files are copied, and checked on the way. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/io.h"
#include "data/merge_copy.h"

enum { CHUNK = 1 << 20, COMPANIONS = 3 };

static const char *const companions[COMPANIONS] = {"stats.json", "README.md", "manifest.json"};

typedef struct copier {
    arena *a;
    const merge_options *m;
    merge_result *r;
    uint64_t rows;   /* of the shards before */
    uint32_t shards; /* copied, whole */
    bool made_data;  /* the folder of shards is this run's */
} copier;

static int report(const copier *c)
{
    const data_options *o = &c->m->o;
    const data_progress p = {c->rows, &c->r->run};
    return o->progress && !o->progress(o->progress_arg, &p) ? DATA_STOPPED : DATA_OK;
}

static int fail(copier *c, const char *path, int error)
{
    if (error > 0)
        snprintf(c->r->run.failed, sizeof c->r->run.failed, "%s", path);
    return error;
}

static int copy_open(copier *c, int fd, atomic_file *to, char *buffer, sha256 *hash)
{
    for (;;) {
        const ssize_t n = io_read(fd, buffer, CHUNK);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : 0;
        sha256_add(hash, buffer, (size_t)n);
        int error = atomic_file_write(to, (str){buffer, (size_t)n});
        if (!error)
            error = report(c);
        if (error)
            return error;
    }
}

static int copy_shard(copier *c, const merge_shard *s)
{
    atomic_file to;
    sha256 hash;
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX], *buffer = arena_alloc(c->a, CHUNK);
    const int fd = io_open(s->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = atomic_file_open(&to, c->a, path_join(c->a, c->m->o.output, str_c(s->file)));
    if (error) {
        io_close(fd);
        return error;
    }
    sha256_start(&hash);
    error = copy_open(c, fd, &to, buffer, &hash);
    io_close(fd);
    sha256_finish(&hash, digest);
    sha256_hex(digest, hex);
    if (!error && memcmp(hex, s->sha256, SHA256_HEX) != 0) {
        c->r->run.message = "a shard is damaged: its SHA-256 is not what the manifest says";
        error = DATA_REFUSED;
    }
    if (!error)
        return atomic_file_commit(&to, true);
    atomic_file_discard(&to);
    return error;
}

static int copy_shards(copier *c)
{
    const merge_part *p = c->m->parts;
    for (; c->shards < p->shards.n; c->shards++) {
        const arena_mark mark = arena_save(c->a);
        const merge_shard *s = &p->shards.v[c->shards];
        const int error = copy_shard(c, s);
        arena_rewind(c->a, mark);
        if (error)
            return fail(c, s->path, error);
        c->rows += s->rows;
    }
    return DATA_OK;
}

static int copy_companions(copier *c)
{
    for (int i = 0; i < COMPANIONS; i++) {
        str text;
        const char *path = path_join(c->a, c->m->parts->folder, str_c(companions[i]));
        int error = file_read(c->a, path, &text);
        if (!error) {
            path = path_join(c->a, c->m->o.output, str_c(companions[i]));
            error = atomic_file_put(c->a, path, text, true);
        }
        if (error)
            return fail(c, path, error);
    }
    return DATA_OK;
}

static int refuse(copier *c)
{
    c->r->taken = true;
    c->r->run.message = "the output folder is not empty: choose another, or empty it";
    return DATA_REFUSED;
}

/* The folder of shards can be made by one run alone: that keeps two apart. */
static int take_folder(copier *c)
{
    const char *at;
    const int error = file_claim_folder(c->a, c->m->o.output, "data", &at);
    c->made_data = !error;
    return error == EEXIST ? refuse(c) : error ? fail(c, at, error) : DATA_OK;
}

static void undo(const copier *c)
{
    const char *folder = c->m->o.output;
    for (uint32_t i = 0; i < c->shards; i++)
        io_unlink(path_join(c->a, folder, str_c(c->m->parts->shards.v[i].file)));
    for (int i = 0; i < COMPANIONS; i++)
        io_unlink(path_join(c->a, folder, str_c(companions[i])));
    io_rmdir(path_join(c->a, folder, STR("data")));
}

int merge_copy(arena *a, const merge_options *m, merge_result *r)
{
    copier c = {.a = a, .m = m, .r = r};
    r->run.rows = m->parts->rows;
    int error = take_folder(&c);
    if (!error)
        error = copy_shards(&c);
    if (!error)
        error = copy_companions(&c);
    if (error && c.made_data)
        undo(&c);
    return error;
}
