/* SPDX-License-Identifier: Apache-2.0 */
/* Joins a run of a single part: its files are copied byte for byte, and hashed on the way. A part
 * that differs from its manifest is refused, and what was copied is removed.
 *
 *     PART/data/train-00000-of-00001.jsonl   ->   OUTPUT/data/train-00000-of-00001.jsonl
 *     PART/stats.json, README.md, manifest.json   ->   OUTPUT/...
 *
 * At every moment the output is either recognizably incomplete (no manifest.json) or whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/io.h"
#include "base/json_peek.h"
#include "base/run_status.h"
#include "curate/merge_copy.h"
#include "curate/merge_read.h"
#include "store/store_format.h"

/* CHUNK: bytes read at a time; REPORT_EACH: files of one record between two reports. */
enum { CHUNK = 1 << 20, COMPANIONS = 3, REPORT_EACH = 32 };

/* In the order in which they are written: the manifest, which says "complete", is the last. */
static const char *const companions[COMPANIONS] = {"stats.json", "README.md", "manifest.json"};

/* How far the copy is: undo needs to know what to remove. Shards that are not counted here have no
 * name in the folder yet. */
typedef struct copier {
    arena *a;
    const merge_options *m;
    merge_result *r;
    uint64_t rows;   /* of what has been copied whole */
    uint32_t shards; /* copied, whole; 0 with a format without shards */
    uint64_t files;  /* files and folders of one record that were begun */
    bool made_data;  /* this run has claimed the output folder: undo may remove in it */
} copier;

static int report(const copier *c)
{
    const record_options *o = &c->m->o;
    const make_progress p = {c->rows, &c->r->run};
    return o->progress && !o->progress(o->progress_arg, &p) ? STATUS_STOPPED : STATUS_OK;
}

/* Keeps the path for the message if the status is an errno value (> 0), and returns the status. */
static int fail(copier *c, const char *path, int error)
{
    if (error > 0)
        snprintf(c->r->run.failed, sizeof c->r->run.failed, "%s", path);
    return error;
}

/* Copies up to the end of the file. The caller's progress function may stop it in between: shards
 * are large. */
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

/* The copy gets its name only if its hash is the manifest's. */
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
        error = STATUS_REFUSED;
    }
    if (!error)
        return atomic_file_commit(&to, true);
    atomic_file_discard(&to);
    return error;
}

/* Each shard's memory, paths and a buffer, is given back before the next. */
static int copy_shards(copier *c)
{
    const merge_part *p = c->m->parts;
    WEFT_ASSERT(c->m->nparts == 1);
    for (; c->shards < p->shards.n; c->shards++) {
        const arena_mark mark = arena_save(c->a);
        const merge_shard *s = &p->shards.v[c->shards];
        const int error = copy_shard(c, s);
        arena_rewind(c->a, mark);
        if (error)
            return fail(c, s->path, error);
        c->rows += s->rows;
    }
    return STATUS_OK;
}

/* --- files and folders of one record ------------------------------------------------------- */

/* Records are read through merge_reader, which compares them with the manifest at the end. fail()
 * passes 0 and statuses through, so it may enclose any call. */
static int copy_each(copier *c, merge_reader *in)
{
    const record_options *o = &c->m->o;
    const store_format *format = store_format_of(o);
    const char *at = o->output;
    int error = fail(c, at, format->prepare(c->a, o, &at));
    for (; c->files < o->count && !error; c->files++) {
        const arena_mark mark = arena_save(c->a);
        merge_record record;
        error = merge_next(in, &record);
        if (error)
            break;
        error = format->each->save(c->a, merge_place(c->a, o, o->output, c->files), &in->one, &at);
        fail(c, at, error);
        c->rows++;
        if (!error && c->rows % REPORT_EACH == 0)
            error = report(c);
        arena_rewind(c->a, mark);
    }
    return error ? error : merge_finish(in);
}

/* One sync for all files, as in writer_each_end. */
static int sync_folder(copier *c)
{
    const int fd = io_open(c->m->o.output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int error = fd < 0 || io_syncfs(fd) != 0 ? errno : 0;
    if (fd >= 0)
        io_close(fd);
    return fail(c, c->m->o.output, error);
}

/* All records, and what stands beside them. */
static int copy_records(copier *c)
{
    merge_reader in;
    merge_reader_init(&in, c->a, c->m, c->r);
    const int error = copy_each(c, &in);
    merge_reader_clear(&in);
    return error ? error : sync_folder(c);
}

/* Removes copies up to the one that failed. A folder goes only if it is empty then. */
static void undo_records(const copier *c)
{
    WEFT_ASSERT(!c->shards && c->made_data);
    const record_options *o = &c->m->o;
    const store_format *format = store_format_of(o);
    for (uint64_t i = 0; i < o->count && i <= c->files; i++) {
        const arena_mark mark = arena_save(c->a);
        const char *from = merge_place(c->a, o, c->m->parts->folder, i);
        format->each->remove(c->a, merge_place(c->a, o, o->output, i), from);
        arena_rewind(c->a, mark);
    }
    format->retract(c->a, o);
}

/* --- all ----------------------------------------------------------------------------------- */

/* The bytes of all records, which stats.json counts: shards may be packed. */
static void take_bytes(copier *c, str stats)
{
    str bytes;
    if (!json_peek(stats, "bytes", &bytes) || !json_peek_count(bytes, &c->r->run.bytes))
        c->r->run.bytes = 0;
}

/* The manifest is the last of them: while it is missing, the copy is not complete. */
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
        if (i == 0)
            take_bytes(c, text);
    }
    return STATUS_OK;
}

static int refuse(copier *c)
{
    c->r->taken = true;
    c->r->run.message = "the output folder is not empty: choose another, or empty it";
    return STATUS_REFUSED;
}

/* A folder that one run alone can make: that keeps two apart. */
static const char *claim(const copier *c)
{
    return store_format_of(&c->m->o)->claim;
}

/* Claims the output folder; another run that does the same at this moment gets EEXIST. */
static int take_folder(copier *c)
{
    const char *at;
    const int error = file_claim_folder(c->a, c->m->o.output, claim(c), &at);
    c->made_data = !error;
    return error == EEXIST ? refuse(c) : error ? fail(c, at, error) : STATUS_OK;
}

/* Removes what was copied, and nothing else: other files in the folder keep it from being removed.
 * Errors are ignored, as the first failure is the one to report. */
static void undo(const copier *c)
{
    const char *folder = c->m->o.output;
    WEFT_ASSERT(c->made_data && c->shards <= c->m->parts->shards.n);
    if (!record_format_of(&c->m->o)->shards)
        undo_records(c);
    for (uint32_t i = 0; i < c->shards; i++)
        io_unlink(path_join(c->a, folder, str_c(c->m->parts->shards.v[i].file)));
    for (int i = 0; i < COMPANIONS; i++)
        io_unlink(path_join(c->a, folder, str_c(companions[i])));
    io_rmdir(path_join(c->a, folder, str_c(claim(c))));
}

int merge_copy(arena *a, const merge_options *m, merge_result *r)
{
    copier c = {.a = a, .m = m, .r = r};
    const bool shards = record_format_of(&m->o)->shards;
    const double start = clock_seconds();
    r->run.rows = m->parts->rows;
    int error = take_folder(&c);
    if (!error)
        error = shards ? copy_shards(&c) : copy_records(&c);
    if (!error)
        error = copy_companions(&c);
    if (!error && !shards)
        io_rmdir(path_join(a, m->o.output, str_c(claim(&c))));
    if (error && c.made_data)
        undo(&c);
    r->run.seconds = clock_seconds() - start;
    return error;
}
