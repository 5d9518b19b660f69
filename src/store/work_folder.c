/* SPDX-License-Identifier: Apache-2.0 */
/* DIR/.weft while a run is unfinished: a lock that keeps a second run out, and a note for each
 * shard that is whole.
 *
 *     DIR/.weft/lock
 *     DIR/.weft/shard-00000.json    {"rows": 25000, "bytes": ..., "sha256": "...", "sums": {...}}
 *                                   and the SHA-256 of that line
 *
 * For make_run, which writes a note after each shard, and for --resume, which reads them. */
#include "store/work_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/io.h"
#include "base/json.h"
#include "base/json_tree.h"
#include "base/run_status.h"
#include "store/store_format.h"

/* How often a lock is tried for whose file was removed in between. Each time a whole run has ended
 * between two calls, so a handful would do. */
enum { TRIES = 100 };

/* Leaves the path for the message; gives the error. */
static int fail(work_folder *f, const char *path, int error)
{
    snprintf(f->r->failed, sizeof f->r->failed, "%s", path);
    return error;
}

static const char *join(arena *a, const char *folder, const char *name)
{
    const size_t n = strlen(folder), m = strlen(name);
    char *path = arena_alloc(a, n + m + 2);
    memcpy(path, folder, n);
    path[n] = '/';
    memcpy(path + n + 1, name, m + 1);
    return path;
}

/* --- lock ---------------------------------------------------------------------------------- */

/* Is this descriptor the file of that name? The run that had the lock removes the file. */
static bool is_same(int fd, const char *path)
{
    struct stat held, named;
    return io_fstat(fd, &held) == 0 && io_stat(path, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

/* Where a file system has no locks, a run goes without. */
static bool has_no_locks(int error)
{
    return error == ENOSYS || error == EOPNOTSUPP || error == ENOLCK;
}

/* Leaves without the lock. Where another run holds it, the folder is that run's and stays; after
 * any other error, what take_lock made is removed. */
static int refuse_lock(work_folder *f, const char *path, int error)
{
    close(f->lock);
    f->lock = -1;
    f->r->message = "another weft is at work in this folder: wait for its end, or choose another "
                    "folder";
    if (error == EWOULDBLOCK)
        return STATUS_REFUSED;
    unlink(path);
    rmdir(f->path);
    return fail(f, path, error);
}

/* The run that holds the lock removes file and folder as it ends. So between opening and locking
 * the file may go, and the lock would be on a file without a name: then it is tried again. */
static int take_lock(work_folder *f)
{
    WEFT_ASSERT(f->path && f->lock < 0);
    const char *path = join(f->a, f->path, "lock");
    for (int i = 0; i < TRIES; i++) {
        const int made = make_folders(&f->scratch, f->path);
        if (made)
            return fail(f, made == ENOTDIR || made == ENOENT ? f->o->output : f->path, made);
        f->lock = io_open(path, O_RDWR | O_CREAT);
        if (f->lock < 0 && errno != ENOENT)
            return fail(f, path, errno);
        if (f->lock < 0)
            continue;
        if (io_lock(f->lock) != 0 && !has_no_locks(errno))
            return refuse_lock(f, path, errno);
        if (is_same(f->lock, path))
            return STATUS_OK;
        close(f->lock);
        f->lock = -1;
    }
    return fail(f, path, EAGAIN);
}

/* rmdir fails, and is meant to, while there are notes for --resume. The lock's file is removed
 * before its descriptor is closed, so that nobody locks a file that is about to go. */
void work_folder_leave(work_folder *f)
{
    if (!f->path || f->lock < 0)
        return;
    char path[4096];
    if (snprintf(path, sizeof path, "%s/lock", f->path) < (int)sizeof path)
        unlink(path);
    rmdir(f->path);
    close(f->lock);
    f->lock = -1;
}

/* --- what was half written ----------------------------------------------------------------- */

static bool is_note(const char *name)
{
    const size_t n = strlen(name);
    return n > 5 && strncmp(name, "shard-", 6) == 0 && strcmp(name + n - 5, ".json") == 0;
}

/* The names that atomic files have until they are whole. */
static bool is_temporary(const char *name)
{
    const size_t n = strlen(name);
    return n > 5 && name[0] == '.' && strcmp(name + n - 5, ".part") == 0;
}

/* Removes the files of a folder that `wanted` names; a folder that is not there is fine. */
static int remove_all(work_folder *f, const char *folder, bool (*wanted)(const char *))
{
    DIR *d = io_opendir(folder);
    if (!d)
        return errno == ENOENT ? STATUS_OK : fail(f, folder, errno);
    int error = 0;
    const struct dirent *e;
    char path[4096];
    while (!error && (e = io_readdir(d))) {
        if (!wanted(e->d_name))
            continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path)
            error = ENAMETOOLONG;
        else if (io_unlink(path) != 0 && errno != ENOENT)
            error = errno;
    }
    if (!error)
        error = errno; /* of io_readdir */
    closedir(d);
    return error ? fail(f, folder, error) : STATUS_OK;
}

/* As each_folder calls it for the folders that hold records. */
static int clean_folder(void *arg, const char *folder)
{
    return remove_all(arg, folder, is_temporary);
}

int work_folder_clean(work_folder *f)
{
    const record_options *o = f->o;
    const char *at = o->output;
    int error = remove_all(f, o->output, is_temporary);
    if (!error)
        error = remove_all(f, f->path, is_temporary);
    return error ? error : store_format_of(o)->each_folder(&f->scratch, o, clean_folder, f, &at);
}

int work_folder_enter(work_folder *f, arena *a, const record_options *o, store_outcome *r)
{
    *f = (work_folder){.a = a, .o = o, .r = r, .lock = -1};
    arena_init(&f->scratch, a->m);
    f->path = join(a, o->output, ".weft");
    return take_lock(f);
}

/* --- notes --------------------------------------------------------------------------------- */

/* DIR/.weft/shard-00007.json, until the next note. */
static const char *note_path(work_folder *f, uint64_t number)
{
    WEFT_ASSERT(f->path && f->lock >= 0); /* notes belong to the run that holds the lock */
    char name[48];
    snprintf(name, sizeof name, "shard-%05llu.json", (unsigned long long)number);
    return join(&f->scratch, f->path, name);
}

/* Appends the SHA-256 of a text, which may be b's own. */
static void put_digest(strbuf *b, str of)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256_of(of.p, of.n, digest);
    sha256_hex(digest, hex);
    sb_put(b, hex, SHA256_HEX);
}

/* A line of JSON, and its own SHA-256 in the next: a note that the disk damaged must not count, as
 * its sums go into the statistics as they are. */
static void put_note(strbuf *b, const store_shard *shard, const store_stats *s)
{
    SB_LIT(b, "{\"rows\": ");
    sb_uint(b, shard->rows);
    SB_LIT(b, ", \"bytes\": ");
    sb_uint(b, shard->bytes);
    SB_LIT(b, ", \"sha256\": \"");
    sb_put(b, shard->sha256, SHA256_HEX);
    SB_LIT(b, "\", \"sums\": ");
    stats_put_sums(b, s);
    SB_LIT(b, "}\n");
    put_digest(b, sb_view(b));
    SB_LIT(b, "\n");
}

int work_folder_put_note(work_folder *f, uint64_t number, const store_shard *shard,
                         const store_stats *s)
{
    WEFT_ASSERT(shard->state == SHARD_WHOLE && stats_records(s) == shard->rows);
    strbuf text;
    arena_reset(&f->scratch);
    sb_init(&text, f->a->m);
    put_note(&text, shard, s);
    const char *path = note_path(f, number);
    const int error = atomic_file_put(&f->scratch, path, sb_view(&text), true);
    sb_clear(&text);
    return error ? fail(f, path, error) : STATUS_OK;
}

/* Is the second line the SHA-256 of the first? */
static bool is_intact(str text, mem *m)
{
    strbuf digest;
    const char *end = text.n ? memchr(text.p, '\n', text.n) : NULL;
    const size_t n = end ? (size_t)(end + 1 - text.p) : 0;
    if (!end || text.n != n + SHA256_HEX + 1)
        return false;
    sb_init(&digest, m);
    put_digest(&digest, (str){text.p, n});
    const bool same = memcmp(digest.p, text.p + n, SHA256_HEX) == 0;
    sb_clear(&digest);
    return same;
}

/* A note of another version, whose sums have other rows, is none. */
static bool read_note(const json_value *json, store_shard *shard, store_stats *s, strbuf *why)
{
    static const json_field fields[] = {{"rows", JSON_COUNT, false},
                                        {"bytes", JSON_COUNT, false},
                                        {"sha256", JSON_STRING, false},
                                        {"sums", JSON_OBJECT, false}};
    const json_value *v[4];
    store_stats unused;
    if (!json_is(json, JSON_TYPE_OBJECT) || !json_fields(json, fields, 4, true, "", v, why) ||
        strlen(v[2]->text.p) != SHA256_HEX || !stats_read_sums(v[3], s ? s : &unused))
        return false;
    *shard = (store_shard){SHARD_LISTED, json_count(v[0]), json_count(v[1]), {0}};
    memcpy(shard->sha256, v[2]->text.p, SHA256_HEX);
    return true;
}

/* A damaged note is as good as none: its shard is made anew. */
int work_folder_get_note(work_folder *f, uint64_t number, store_shard *shard, store_stats *s)
{
    strbuf why; /* needed by the readers of JSON; nobody reads it */
    str text;
    *shard = (store_shard){0};
    arena_reset(&f->scratch);
    const char *path = note_path(f, number);
    const int error = file_read(&f->scratch, path, &text);
    if (error)
        return error == ENOENT ? STATUS_OK : fail(f, path, error);
    if (!is_intact(text, f->a->m))
        return STATUS_OK;
    sb_init(&why, f->a->m);
    text.n -= SHA256_HEX + 1;
    const json_value *json = json_read(&f->scratch, text, &why);
    if (json)
        read_note(json, shard, s, &why);
    sb_clear(&why);
    return STATUS_OK;
}

int work_folder_drop_note(work_folder *f, uint64_t number)
{
    arena_reset(&f->scratch);
    const char *path = note_path(f, number);
    return io_unlink(path) != 0 && errno != ENOENT ? fail(f, path, errno) : STATUS_OK;
}

int work_folder_drop_notes(work_folder *f)
{
    WEFT_ASSERT(f->path && f->lock >= 0);
    return remove_all(f, f->path, is_note);
}
