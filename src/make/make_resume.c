/* SPDX-License-Identifier: Apache-2.0 */
/* What a run may do in a folder that is not empty, and which shards of an earlier run it keeps.
 *
 *     no manifest               ->   begins, unless data/ or README.md there are not weft's
 *     unfinished, with --resume ->   keeps shards that have a note and read back the same
 *     complete                  ->   nothing to do, if all files read back the same
 *     another command's         ->   refused
 *
 * Nothing is kept that was not read again: a note or manifest states size and SHA-256 of a file,
 * and the file has to have them. */
#include "make/make_resume.h"

#include <errno.h>
#include <stdio.h>

#include "base/file.h"
#include "base/io.h"
#include "base/run_status.h"
#include "store/store_format.h"

/* A path below the run's folder, in the run's arena. */
static const char *path_of(make_state *t, const char *name)
{
    WEFT_ASSERT(t->o->output);
    strbuf path;
    sb_init(&path, t->a->m);
    sb_c(&path, t->o->output);
    SB_LIT(&path, "/");
    sb_c(&path, name);
    const char *copy = arena_dup(t->a, path.p, path.n);
    sb_clear(&path);
    return copy;
}

/* Passes a sentence about a shard to the user: "DIR/data/train-...: it is damaged". */
static void report_shard(make_state *t, uint32_t number, const char *what)
{
    strbuf text;
    if (!t->o->message)
        return;
    sb_init(&text, t->a->m);
    sb_c(&text, t->o->output);
    SB_LIT(&text, "/");
    store_put_shard_title(&text, t->o, t->r, number);
    SB_LIT(&text, ": ");
    sb_c(&text, what);
    t->o->message(t->o->progress_arg, sb_cstr(&text));
    sb_clear(&text);
}

/* Ends the run before it writes anything; the user reads the message. */
static int refuse(make_state *t, const char *message)
{
    t->r->message = message;
    return STATUS_REFUSED;
}

/* --- a folder without a manifest ----------------------------------------------------------- */

/* A card that a killed run left may be replaced; any other README.md is the user's. */
static int check_card(make_state *t)
{
    str text;
    const char *path = path_of(t, "README.md");
    const int error = file_read(t->a, path, &text);
    if (!error && !str_contains(text, STR(CARD_TITLE)))
        return refuse(t, "the folder holds a README.md that is not a data set's: choose another "
                         "folder");
    snprintf(t->r->failed, sizeof t->r->failed, "%s", path);
    return error == ENOENT ? STATUS_OK : error;
}

/* Files in data/ that no manifest names are the user's: they are not replaced. */
static int check_data(make_state *t)
{
    const char *const *names;
    uint32_t n = 0;
    const char *path = path_of(t, "data");
    const int error = file_list(t->a, path, &names, &n);
    if (!error && n && record_format_of(t->o)->shards)
        return refuse(t, "the folder data/ in it holds files, and no manifest names them: choose "
                         "another folder");
    snprintf(t->r->failed, sizeof t->r->failed, "%s", path);
    return error == ENOENT || error == ENOTDIR ? STATUS_OK : error;
}

/* There is no manifest: notes that are left belong to no run. */
static int begin(make_state *t)
{
    int error = check_card(t);
    if (!error)
        error = check_data(t);
    return error ? error : work_folder_drop_notes(&t->folder);
}

/* --- a complete data set ------------------------------------------------------------------- */

/* Sets *there to whether the companion is there; does nothing where something else is missing
 * already. */
static int look_for(make_state *t, const char *name, bool *there)
{
    struct stat st;
    const char *path = path_of(t, name);
    if (!*there)
        return STATUS_OK;
    *there = io_stat(path, &st) == 0;
    if (*there || errno == ENOENT)
        return STATUS_OK;
    snprintf(t->r->failed, sizeof t->r->failed, "%s", path);
    return errno;
}

/* Reads every file that the manifest of a complete set names; *whole is false if one differs or is
 * missing, or a companion is missing. For formats of one file a record the manifest has a row for
 * each category in place of each shard: these rows are compared after all files were read. */
static int check_complete(make_state *t, const store_shards *named, bool *whole)
{
    const record_options *o = t->o;
    const bool files = !record_format_of(o)->shards;
    const uint64_t count = store_shard_count(o, t->r->rows);
    *whole = named->n == (files ? o->ncategories : count);
    int error = look_for(t, "stats.json", whole);
    if (!error)
        error = look_for(t, "README.md", whole);
    store_writer *s = !error && *whole ? writer_open(t->a, o, t->r, &error) : NULL;
    t->writer = s;
    for (uint64_t k = 0; k < count && !error && *whole; k++) {
        error = writer_reread(s, k, files ? NULL : &named->v[k], whole);
        if (!error && !*whole)
            report_shard(t, (uint32_t)k, "it is damaged");
        else if (!error)
            error = make_report(t);
    }
    for (uint32_t c = 0; files && c < o->ncategories && !error && *whole; c++)
        *whole = shard_is_same(&writer_categories(s)[c], &named->v[c]);
    if (s)
        writer_close(s);
    t->writer = NULL;
    return error;
}

/* A damaged one is made anew with --resume only: without it, files would be replaced unasked. */
static int look_at_complete(make_state *t, const store_shards *named)
{
    bool whole;
    int error = check_complete(t, named, &whole);
    if (error)
        return error;
    t->r->was_there = whole;
    for (uint32_t i = 0; whole && i < named->n; i++)
        t->r->bytes += named->v[i].bytes;
    if (!whole && !t->o->resume)
        return refuse(t, "the folder holds this data set, and it is damaged: --resume makes it "
                         "anew");
    return work_folder_drop_notes(&t->folder);
}

/* --- an unfinished one --------------------------------------------------------------------- */

/* Notes only say what there is to read: run_shards reads each shard as it comes to it. */
static int look_at_unfinished(make_state *t)
{
    WEFT_ASSERT(!t->shards.n);
    const uint64_t count = store_shard_count(t->o, t->r->rows);
    uint32_t stated = 0; /* shards up to the last one with a note */
    if (t->o->source)    /* it gives all records, so nothing is kept */
        return work_folder_drop_notes(&t->folder);
    if (!t->o->resume)
        return refuse(t, "the folder holds an unfinished run of this command: --resume goes on "
                         "with it");
    for (uint64_t k = 0; k < count; k++) {
        store_shard shard;
        const int error = work_folder_get_note(&t->folder, k, &shard, NULL);
        if (error)
            return error;
        VEC_PUSH(t->a, &t->shards, shard);
        if (shard.state == SHARD_LISTED)
            stated = t->shards.n;
    }
    t->shards.n = stated;
    return STATUS_OK;
}

/* For any other kind manifest_look has set r->message: the manifest is another command's, say. */
int make_resume_look(make_state *t)
{
    manifest_kind kind;
    store_shards named = {0};
    const int error = manifest_look(t->a, t->o, t->r, &kind, &named);
    if (error)
        return error;
    switch (kind) {
    case MANIFEST_NONE: return begin(t);
    case MANIFEST_UNFINISHED: return look_at_unfinished(t);
    case MANIFEST_COMPLETE: return look_at_complete(t, &named);
    default: return STATUS_REFUSED;
    }
}

/* A damaged shard loses its note first, so that a run killed now does not believe it later. */
int make_resume_shard(make_state *t, uint32_t number)
{
    WEFT_ASSERT(number < t->shards.n && t->shards.v[number].state == SHARD_LISTED);
    store_shard *shard = &t->shards.v[number];
    store_shard stated;
    bool whole = false;
    int error = work_folder_get_note(&t->folder, number, &stated, &t->sums);
    if (!error && stated.state == SHARD_LISTED)
        error = writer_reread(t->writer, number, &stated, &whole);
    if (error)
        return error;
    if (t->dedup)
        make_dedup_keep(t->dedup, whole);
    if (!whole) {
        *shard = (store_shard){0};
        report_shard(t, number, "it is damaged and is made anew");
        return work_folder_drop_note(&t->folder, number);
    }
    *shard = stated;
    shard->state = SHARD_WHOLE;
    stats_merge(&t->r->stats, &t->sums);
    t->r->bytes += stats_bytes(&t->sums);
    t->r->kept += stated.rows;
    return STATUS_OK;
}
