/* SPDX-License-Identifier: Apache-2.0 */
/* Goes through what operands name, in a fixed order (base/folder_walk.h):
 *
 *     kernels/ with b.cu, a/x.cu, notes.txt   ->   kernels/a/x.cu, kernels/b.cu
 *
 * A folder in which no file has one of the endings is taken for a data set. */
#include "store/operand_walk.h"

#include <errno.h>
#include <unistd.h>

#include "base/c_locale.h"
#include "base/file.h"
#include "base/io.h"

static void cannot_read(operand_walk *w, const char *path, int error)
{
    w->fail(w->job, true, arena_printf(w->a, "cannot read '%s': %s", path, error_text(error)));
}

/* An operand that is a folder, for folder_walk. */
typedef struct folder_operand {
    operand_walk *w;
    size_t start; /* of the part of a path that names it below the operand */
} folder_operand;

static void take_file(void *arg, const char *path)
{
    const folder_operand *f = arg;
    f->w->file(f->w->job, path, f->start);
}

static void fail_in_folder(void *arg, const char *path, int error)
{
    const folder_operand *f = arg;
    cannot_read(f->w, path, error);
}

static bool is_stopped(void *arg)
{
    const folder_operand *f = arg;
    return f->w->stopped(f->w->job);
}

static void enter_folder(void *arg)
{
    const folder_operand *f = arg;
    if (f->w->enter)
        f->w->enter(f->w->job);
}

/* True if there was a file, or if an error was reported: then the folder is not tried as a data
 * set, whose message would hide the first. */
static bool take_folder(operand_walk *w, const char *folder)
{
    folder_operand f = {w, strlen(folder)};
    const folder_walk walk = {w->a,       w->endings, take_file,   fail_in_folder,
                              is_stopped, &f,         enter_folder};
    return folder_walk_run(&walk, folder);
}

/* Calls `record` for each record; with names_only, `file` for each file of the data set. */
static void take_records(operand_walk *w, const char *path)
{
    dataset_record record;
    uint64_t n = 0;
    int end = dataset_open(&w->reader, w->a, &path, 1);
    w->reader.begun = w->input;
    for (uint32_t i = 0; i < w->reader.list.files.n && w->names_only; i++) {
        w->file(w->job, w->reader.list.files.v[i].path, 0);
        end = DATASET_END;
    }
    for (; !end && !w->stopped(w->job); n++) {
        end = dataset_next(&w->reader, &record);
        if (!end)
            w->record(w->job, &record);
    }
    const char *message = w->reader.message;
    if (end == DATASET_DAMAGED && w->reader.is_empty)
        w->fail(w->job, false,
                arena_printf(w->a, "'%s' holds no %s and no records", path, w->kinds));
    else if (end == DATASET_DAMAGED)
        w->fail(w->job, false, message);
    else if (end && end != DATASET_END)
        cannot_read(w, message ? message : path, end);
    else if (end == DATASET_END && n == 1)
        w->fail(w->job, false,
                arena_printf(w->a, "'%s' holds neither CUDA text nor records", path));
    operand_walk_close(w);
}

/* The last component stays in names of outputs. */
static size_t start_of_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Reads standard input to its end behind what is in `b`; 0 or an errno value. Only the first piece
 * is read if it shows that there are records, which are then read one by one. */
static int read_input(operand_walk *w, strbuf *b, bool *records)
{
    enum { PIECE = 1 << 16 };
    char piece[PIECE];
    ssize_t n;
    *records = false;
    while (!*records && (n = io_read_ready(STDIN_FILENO, piece, sizeof piece, w->a->m)) != 0) {
        if (n < 0)
            return errno;
        if (b->n + (size_t)n > FILE_MAX)
            return EFBIG;
        *records = !b->n && piece[0] == '{';
        sb_put(b, piece, (size_t)n);
    }
    return 0;
}

static void take_input(operand_walk *w)
{
    strbuf b;
    bool records = false;
    sb_init(&b, w->a->m);
    const int error = w->names_only ? 0 : read_input(w, &b, &records);
    w->input = (str){arena_dup(w->a, b.n ? b.p : "", b.n), b.n};
    sb_clear(&b);
    if (error)
        cannot_read(w, "-", error);
    else if (records)
        take_records(w, "-");
    else
        w->file(w->job, "-", 0);
    w->input = (str){0};
}

/* A file is records by its name only: a shard, or .json. */
void operand_walk_one(operand_walk *w, const char *path)
{
    WEFT_ASSERT(w->endings && w->kinds && w->file && w->fail && w->stopped);
    WEFT_ASSERT(w->record || w->names_only);
    bool is_folder;
    if (strcmp(path, "-") == 0) {
        take_input(w);
        return;
    }
    const int error = path_is_folder(path, &is_folder);
    if (error) {
        cannot_read(w, path, error);
        return;
    }
    if (is_folder) {
        if (!take_folder(w, path))
            take_records(w, path);
    } else if (dataset_is_shard(path) || path_ends_with(path, ".json")) {
        take_records(w, path);
    } else {
        w->file(w->job, path, start_of_name(path));
    }
}

void operand_walk_close(operand_walk *w)
{
    dataset_close(&w->reader);
    w->reader = (dataset_reader){0};
}
