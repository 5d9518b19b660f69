/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a validation, from paths to problems: lines are read into pieces, threads check them, and
 * the pieces are taken in order, for the checks across records and for the report.
 *
 *     a.jsonl with a wrong hash in line 3   ->   report(a.jsonl, 3, id, VALIDATE_HASH, reason)
 *
 * Problems come in the order of the records, whatever the number of threads. */
#include "validate/validate.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/run_status.h"
#include "validate/validate_set.h"

const char *validate_check_name(validate_check c)
{
    static const char *const names[] = {
#define CHECK(ID, name, what) #name,
#include "validate/validate_check.def"
#undef CHECK
    };
    WEFT_ASSERT(c < VALIDATE_CHECKS);
    return names[c];
}

const char *validate_check_what(validate_check c)
{
    static const char *const whats[] = {
#define CHECK(ID, name, what) what,
#include "validate/validate_check.def"
#undef CHECK
    };
    WEFT_ASSERT(c < VALIDATE_CHECKS);
    return whats[c];
}

/* VALIDATE_DEVICE matches no name: see validate.h. */
bool validate_choose_checks(const char *list, unsigned *checks, str *unknown)
{
    *checks = list ? 0 : VALIDATE_ALL;
    *unknown = STR("");
    for (const char *s = list; s && *s;) {
        const str name = {s, strcspn(s, ",")};
        int c = 0;
        while (
            c < VALIDATE_CHECKS &&
            (c == VALIDATE_DEVICE || !str_eq(name, str_c(validate_check_name((validate_check)c)))))
            c++;
        if (c == VALIDATE_CHECKS) {
            *unknown = name;
            return false;
        }
        *checks |= 1u << c;
        s += name.n + (s[name.n] == ',');
    }
    return *checks != 0;
}

/* Leaves the path for the message; gives the error. */
static int fail_reading(validate_state *v, const char *path, int error)
{
    v->r->message = arena_dup(v->a, path, strlen(path));
    return error;
}

/* --- reading ------------------------------------------------------------------------------- */

/* Where reading stands: a file, the line in it, and the piece that lines go to. */
typedef struct validate_cursor {
    validate_state *v;
    uint32_t file;
    bool open;
    uint64_t lines; /* of all files */
    validate_piece *piece;
} validate_cursor;

/* The SHA-256 of a shard is computed of the bytes as they are read, so no file is read twice. */
static void open_file(validate_cursor *k)
{
    validate_state *v = k->v;
    WEFT_ASSERT(!k->open && k->file < v->files.n);
    validate_file *f = &v->files.v[k->file];
    validate_set *s = &v->sets.v[f->set];
    const bool hashed = f->shard >= 0 && v->o->checks & 1u << VALIDATE_HASH;
    f->first = k->lines;
    const int error =
        line_reader_open(&v->reader, f->path, f->kind, hashed ? &s->shards.v[f->shard].hash : NULL);
    if (error)
        v->status = fail_reading(v, f->path, error);
    k->open = !error;
}

/* A file has been read, or cannot be read further. What is wrong with its end is reported after its
 * records, see run_all: the pieces with its last lines are still with the threads. A shard may be a
 * folder of several files, so rows and bytes are added up. */
static void close_file(validate_cursor *k, line_status status)
{
    validate_state *v = k->v;
    WEFT_ASSERT(k->open && k->file < v->files.n && status >= LINE_DAMAGED);
    validate_file *f = &v->files.v[k->file];
    validate_set *s = &v->sets.v[f->set];
    WEFT_ASSERT(f->shard < (int)s->shards.n);
    if (status == LINE_FAILED)
        v->status = fail_reading(v, f->path, v->reader.error);
    else if (status == LINE_DAMAGED)
        f->trouble = "what was packed is damaged or breaks off here";
    else if (!f->rows && f->kind != LINE_READER_BUNDLE)
        f->trouble = "the file is empty";
    if (f->shard >= 0) {
        s->shards.v[f->shard].found_rows += f->rows;
        s->shards.v[f->shard].found_bytes += v->reader.bytes;
    }
    v->r->files++;
    v->r->bytes += v->reader.bytes;
    line_reader_close(&v->reader);
    k->open = false;
    k->file++;
}

/* Puts one line into the piece; false: the file has ended. */
static bool take_line(validate_cursor *k)
{
    validate_state *v = k->v;
    validate_file *f = &v->files.v[k->file];
    validate_piece *piece = k->piece;
    str text = {0};
    const line_status status = line_reader_next(&v->reader, &text);
    if (status >= LINE_DAMAGED) {
        close_file(k, status);
        return false;
    }
    if (status == LINE_LONG) /* it was passed over; the worker reports it */
        text.n = 0;
    WEFT_ASSERT(piece->n < PIECE_LINES);
    f->rows++;
    k->lines++;
    piece->lines[piece->n++] =
        (validate_line){.path = f->path,
                        .kind = f->kind,
                        .file = k->file,
                        .number = f->rows,
                        .status = status,
                        .at = piece->text.n,
                        .n = text.n,
                        .bytes = f->kind == LINE_READER_BUNDLE ? v->reader.bytes : text.n + 1};
    sb_str(&piece->text, text);
    return true;
}

/* Bounded by lines and by bytes: records differ in size by far, and pieces wait in memory. */
static void fill_piece(void *arg)
{
    validate_cursor *k = arg;
    while (!k->v->status && k->file < k->v->files.n && k->piece->n < PIECE_LINES &&
           k->piece->text.n < PIECE_BYTES) {
        if (!k->open)
            open_file(k);
        else
            take_line(k);
    }
}

/* --- taking -------------------------------------------------------------------------------- */

/* Findings of a piece are sorted by line, so one pass goes over both. */
static void take_piece(validate_state *v, const validate_piece *piece)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < piece->n; i++) {
        const validate_line *line = &piece->lines[i];
        v->is_bad = false; /* validate_report_always sets it */
        for (; at < piece->findings.n && piece->findings.v[at].line == i; at++) {
            const finding *f = &piece->findings.v[at];
            sb_str(&v->text, f->reason);
            const char *path = v->files.v[line->file].path;
            if (f->file)
                validate_report_always(v, path_join(v->a, path, str_c(f->file)), f->at,
                                       line->facts.id, f->check);
            else
                validate_report_always(v, path, line->number, line->facts.id, f->check);
        }
        validate_set_record(v, line);
        v->r->records++;
        v->r->ok += !v->is_bad;
    }
    WEFT_ASSERT(at == piece->findings.n);
}

/* Fills all free pieces, then waits for the oldest: threads have work while this one reads. */
static void run_pieces(validate_state *v)
{
    validate_cursor k = {.v = v};
    validate_piece *done;
    for (;;) {
        while (!v->status && k.file < v->files.n && (k.piece = validate_queue_free(v->queue))) {
            if (!mem_try(&k.piece->mem, fill_piece, &k))
                mem_fail(v->a->m);
            validate_queue_submit(v->queue);
        }
        done = v->status ? NULL : validate_queue_wait(v->queue);
        if (!done)
            break;
        take_piece(v, done);
        validate_queue_release(v->queue);
        if (v->o->progress && !v->o->progress(v->o->arg, v->r))
            v->status = STATUS_STOPPED;
    }
    if (validate_queue_failed(v->queue))
        v->status = STATUS_MEMORY;
}

/* --- all ----------------------------------------------------------------------------------- */

/* The line behind the last one that could be read. */
static void report_trouble(validate_state *v, const validate_file *f)
{
    if (!f->trouble)
        return;
    sb_c(&v->text, f->trouble);
    validate_report_always(v, f->path, f->rows ? f->rows + 1 : 0, (str){0}, VALIDATE_SCHEMA);
}

/* Problems of whole files and sets come last: they are known when all records have been read. */
static void run_all(validate_state *v)
{
    for (uint32_t i = 0; i < v->o->npaths && !v->status; i++) {
        const int error = validate_set_open(v, v->o->paths[i]);
        if (error)
            v->status = fail_reading(v, v->o->paths[i], error);
    }
    if (v->status)
        return;
    v->queue = validate_queue_start(v->o);
    if (!v->queue)
        v->status = STATUS_MEMORY;
    else
        run_pieces(v);
    for (uint32_t i = 0; i < v->files.n && !v->status; i++)
        report_trouble(v, &v->files.v[i]);
    for (uint32_t i = 0; i < v->sets.n && !v->status; i++) {
        validate_set *s = &v->sets.v[i];
        validate_set_finish(v, s);
        int error = validate_set_check_beside(v, s);
        if (!error)
            error = validate_stats(v, s);
        if (!error)
            error = validate_card(v, s);
        if (error)
            v->status = fail_reading(v, s->folder, error);
    }
}

/* Inside mem_try: a failed allocation anywhere below comes back to validate_run. */
static void run_guarded(void *arg)
{
    validate_state *v = arg;
    sb_init(&v->text, v->a->m);
    line_reader_init(&v->reader, v->a->m);
    run_all(v);
}

int validate_run(arena *a, const validate_options *o, validate_result *r)
{
    WEFT_ASSERT(o->report && o->jobs && (o->device || !(o->checks & 1u << VALIDATE_DEVICE)));
    validate_state v = {.o = o, .r = r, .a = a, .reader = {.fd = -1}};
    const double start = clock_seconds();
    *r = (validate_result){0};
    if (!mem_try(a->m, run_guarded, &v))
        v.status = STATUS_MEMORY;
    if (v.queue)
        validate_queue_stop(v.queue);
    line_reader_clear(&v.reader);
    r->seconds = clock_seconds() - start;
    return v.status;
}
