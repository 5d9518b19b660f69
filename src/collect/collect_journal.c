/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the journal of a run (collect_journal.h). A resumed run copies the groups that
 * it keeps into a new file, which then takes the old one's name: so a kill at any moment leaves one
 * of the two whole. */
#include "collect/collect_journal.h"

#include <errno.h>
#include <fcntl.h>

#include "base/atomic_file.h"
#include "base/io.h"
#include "base/json.h"
#include "base/json_peek.h"

/* --- writing --------------------------------------------------------------------------------- */

static void put_near(strbuf *b, const minhash *m)
{
    static const char digits[] = "0123456789abcdef";
    json_key(b, "near", false);
    SB_LIT(b, "\"");
    for (int i = 0; i < MINHASH_SIZE; i++) {
        sb_char(b, digits[m->v[i] >> 4]);
        sb_char(b, digits[m->v[i] & 15]);
    }
    SB_LIT(b, "\"");
}

static void put_number(strbuf *b, const char *key, uint64_t x)
{
    json_key(b, key, false);
    sb_uint(b, x);
}

/* The record is not a member but the next line: so its bytes are copied and not escaped. */
static void put_kernel(strbuf *b, const collected_kernel *k)
{
    char hex[FINGERPRINT_HEX];
    SB_LIT(b, "{");
    json_key(b, "kernel", true);
    json_string(b, k->kernel);
    put_number(b, "line", k->line);
    put_number(b, "skip", k->skip);
    put_number(b, "status", k->status);
    json_key(b, "why", false);
    json_string(b, k->why);
    fingerprint_hex(k->structure, hex);
    json_key(b, "structure", false);
    json_string(b, (str){hex, FINGERPRINT_HEX});
    put_near(b, &k->near);
    put_number(b, "record", k->record.n > 0);
    SB_LIT(b, "}\n");
    sb_str(b, k->record); /* which ends in a newline */
}

/* What the end of a group says of its lines. */
static void put_end(strbuf *b, uint32_t number, const sha256 *lines)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256 hash = *lines;
    sha256_finish(&hash, digest);
    sha256_hex(digest, hex);
    SB_LIT(b, "{\"end\": ");
    sb_uint(b, number);
    json_key(b, "sha256", false);
    json_string(b, (str){hex, SHA256_HEX});
    SB_LIT(b, "}");
}

/* One write for a file: a kill leaves a whole group or a part that has no end. */
int journal_put(collect_journal *j, const collected_file *f)
{
    strbuf *b = &j->text;
    sha256 hash;
    b->n = 0;
    for (uint32_t i = 0; i < f->items.n; i++)
        put_kernel(b, &f->items.v[i]);
    sha256_start(&hash);
    sha256_add(&hash, b->p, b->n);
    put_end(b, ++j->files, &hash);
    SB_LIT(b, "\n");
    return write_fully(j->fd, sb_view(b));
}

/* --- reading --------------------------------------------------------------------------------- */

static bool read_text(collect_journal *j, str line, const char *key, collected_file *out, str *to)
{
    str v;
    j->text.n = 0;
    if (!json_peek(line, key, &v) || !json_peek_string(v, &j->text))
        return false;
    *to = (str){arena_dup(&out->a, j->text.p, j->text.n), j->text.n};
    return true;
}

static bool read_number(str line, const char *key, uint64_t most, uint64_t *to)
{
    str v;
    return json_peek(line, key, &v) && json_peek_count(v, to) && *to <= most;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_near(str hex, minhash *m)
{
    bool good = hex.n == sizeof m->v * 2;
    for (size_t i = 0; good && i < sizeof m->v; i++) {
        const int high = digit_of(hex.p[2 * i]), low = digit_of(hex.p[2 * i + 1]);
        good = high >= 0 && low >= 0;
        m->v[i] = (uint8_t)(high << 4 | low);
    }
    return good;
}

static void add_line(collect_journal *j, str line)
{
    sha256_add(&j->hash, line.p, line.n);
    sha256_add(&j->hash, "\n", 1);
}

/* A kernel's line, and the record behind it. */
static bool read_kernel(collect_journal *j, str line, collected_file *out)
{
    collected_kernel k = {0};
    uint64_t number, skip, status, record;
    str shape, near;
    if (!read_text(j, line, "kernel", out, &k.kernel) || !read_text(j, line, "why", out, &k.why) ||
        !read_text(j, line, "structure", out, &shape) || !read_text(j, line, "near", out, &near) ||
        !read_number(line, "line", UINT32_MAX, &number) ||
        !read_number(line, "skip", COLLECT_SKIPS - 1, &skip) ||
        !read_number(line, "status", CHECK_STATUSES, &status) ||
        !read_number(line, "record", 1, &record) || !fingerprint_read(shape, &k.structure) ||
        !read_near(near, &k.near))
        return false;
    k.line = (uint32_t)number;
    k.skip = (collect_skip)skip;
    k.status = (check_status)status;
    if (record) {
        if (line_reader_next(&j->old, &line) != LINE_GOOD)
            return false;
        add_line(j, line);
        char *copy = arena_alloc(&out->a, line.n + 1);
        memcpy(copy, line.p, line.n);
        copy[line.n] = '\n';
        k.record = (str){copy, line.n + 1};
    }
    VEC_PUSH(&out->a, &out->items, k);
    return true;
}

typedef struct group_read {
    collect_journal *j;
    collected_file *out;
    bool good;
} group_read;

/* Is it the end that the lines before it had when they were written? */
static bool is_end(collect_journal *j, str line)
{
    j->text.n = 0;
    put_end(&j->text, j->files + 1, &j->hash);
    return str_eq(line, sb_view(&j->text));
}

/* A group without its end, or out of turn, does not count, nor does one that was changed. */
static void read_group(void *arg)
{
    group_read *g = arg;
    str line;
    uint64_t end;
    sha256_start(&g->j->hash);
    while (line_reader_next(&g->j->old, &line) == LINE_GOOD) {
        if (read_number(line, "end", UINT32_MAX, &end)) {
            g->good = is_end(g->j, line);
            return;
        }
        add_line(g->j, line);
        if (!read_kernel(g->j, line, g->out))
            return;
    }
}

/* The new journal takes the old one's name once nothing more is read of that. */
static void end_old(collect_journal *j)
{
    j->reads = false;
    line_reader_close(&j->old);
    io_rename(j->fresh, j->path);
}

/* After a failure the rest of the old journal is left alone: the files are made anew. */
bool journal_next(collect_journal *j, collected_file *out)
{
    group_read g = {j, out, false};
    if (!j->reads)
        return false;
    if (mem_try(&out->mem, read_group, &g) && g.good)
        return true;
    out->items.n = 0;
    end_old(j);
    return false;
}

/* --- begin and end --------------------------------------------------------------------------- */

/* Is the old journal of this run? 0, EEXIST: of another; ENOENT: there is none. */
static int open_old(collect_journal *j, str key)
{
    str line, v;
    const int error = line_reader_open(&j->old, j->path, LINE_READER_PLAIN, NULL);
    if (error)
        return error;
    j->text.n = 0;
    const bool same = line_reader_next(&j->old, &line) == LINE_GOOD &&
                      json_peek(line, "collect", &v) && json_peek_string(v, &j->text) &&
                      str_eq(sb_view(&j->text), key);
    if (!same)
        line_reader_close(&j->old);
    return same ? 0 : EEXIST;
}

int journal_open(collect_journal *j, arena *a, const char *path, str key, bool resume)
{
    *j = (collect_journal){.a = a, .path = path, .fd = -1};
    j->fresh = arena_printf(a, "%s.new", path);
    line_reader_init(&j->old, a->m);
    sb_init(&j->text, a->m);
    int error = resume ? open_old(j, key) : ENOENT;
    if (error && error != ENOENT)
        return error;
    j->reads = !error;
    io_unlink(j->fresh);
    j->fd = io_open(j->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
    if (j->fd < 0)
        return errno;
    j->text.n = 0;
    SB_LIT(&j->text, "{");
    json_key(&j->text, "collect", true);
    json_string(&j->text, key);
    SB_LIT(&j->text, "}\n");
    error = write_fully(j->fd, sb_view(&j->text));
    if (!j->reads)
        end_old(j);
    return error;
}

void journal_close(collect_journal *j, bool done)
{
    if (!j->path)
        return;
    line_reader_close(&j->old);
    line_reader_clear(&j->old);
    if (j->fd >= 0) {
        io_close(j->fd);
        if (j->reads)
            io_unlink(j->fresh); /* half a copy of the old one, which stays */
    }
    if (done)
        io_unlink(j->path);
    sb_clear(&j->text);
    j->fd = -1;
}
