/* SPDX-License-Identifier: Apache-2.0 */
/* Splits data sets (weft split), or writes what deduplication left (weft dedup), in two passes: the
 * first counts what goes where, since the number of shards stands in their names, the second
 * writes.
 *
 *     a.jsonl   ->   data/train-00000-of-00001.jsonl, data/test-00000-of-00001.jsonl
 *
 * Records of several kinds of kernels get the same fields (split_keys.h), and a pass in between
 * counts how long they become. Two records of one id or source are refused (split_twins.h).
 *
 * No records are kept in memory. All passes read the input in the same order and make the same
 * decisions: the part follows from the family, and whether a record stays is kept as one bit for
 * each. If the second pass meets other rows than the first, the input has changed and the run
 * fails. After any failure everything that was written is removed. */
#include "curate/split.h"

#include <errno.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/io.h"
#include "base/run_status.h"
#include "curate/split_bundle.h"
#include "curate/split_companions.h"
#include "curate/split_twins.h"
#include "record/record_name.h"
#include "similar/source_structure.h"
#include "store/dataset_reader.h"
#include "store/shard_file.h"

/* SHARD_ROWS: rows of a shard without --shard-rows; PROGRESS_STEP: records between two reports. */
enum { SHARD_ROWS = 25000, PROGRESS_STEP = 256 };

/* A record, as far as it decides where it goes. Its strings point into the record or into the run's
 * buffers, and last until the next record. */
typedef struct split_row {
    uint32_t part;
    gen_category category; /* GEN_CATEGORY_COUNT: none */
    str keys;              /* its keys, in order */
    str metadata;          /* the text of that member; empty: none */
    warp_release warp;     /* whose text it has; WARP_ANY: it does not say */
} split_row;

/* A run in work. Both passes use the same reader, whose list of files is made once. */
typedef struct split_run_state {
    arena *a;
    const split_options *o;
    split_result *r;
    dataset_reader reader;
    /* The record's keys; a message or a path being made; a reason; a source. */
    strbuf keys, text, why, source;
    structure_finder finder;      /* for records that do not say their family */
    shard_file files[SPLITS_MAX]; /* one open at most of each part */
    split_part done[SPLITS_MAX];  /* what was written */
    VEC(uint64_t) stays;          /* a bit for each record, with deduplication */
    uint64_t read, passed;        /* records in this pass so far, and in the first one */
    uint64_t before;              /* records in all passes before this one */
    uint64_t shard_rows;
    atomic_file input; /* a copy of standard input, where that is read; removed at the end */
    bool made_data;    /* this run has claimed the output folder: undo may remove in it */
    bool made_folder;  /* the output folder was not there before this run */
    split_bundles bundles;
    split_shards shards;
    split_twins twins;
    int status;
} split_run_state;

/* Moves t->text into the result as the message, and returns the status. */
static int fail(split_run_state *t, int status)
{
    t->r->message = arena_dup(t->a, t->text.p, t->text.n);
    t->text.n = 0;
    return status;
}

static int fail_path(split_run_state *t, const char *path, int error)
{
    sb_c(&t->text, path);
    return fail(t, error);
}

/* --- rows ---------------------------------------------------------------------------------- */

/* "FILE:LINE: what" */
static int bad_row(split_run_state *t, const dataset_record *rec, const char *what)
{
    sb_c(&t->text, rec->file);
    SB_LIT(&t->text, ":");
    sb_uint(&t->text, rec->line);
    SB_LIT(&t->text, ": ");
    sb_c(&t->text, what);
    return fail(t, STATUS_BROKEN);
}

/* The family of the record's source; 32 digits. */
static int find_family(split_run_state *t, const dataset_record *rec, char hex[FINGERPRINT_HEX])
{
    str raw;
    structure s;
    bool found = false;
    t->source.n = 0;
    if (!json_peek(rec->text, "python_source", &raw) || !json_peek_string(raw, &t->source))
        return bad_row(t, rec, "neither metadata.family nor python_source is there");
    if (!structure_find(&t->finder, sb_view(&t->source), &found, &s))
        return STATUS_MEMORY;
    if (!found)
        return bad_row(t, rec,
                       "metadata.family is missing, and python_source is no Python file with one "
                       "kernel");
    fingerprint_hex(s.family, hex);
    return 0;
}

/* The part that the record's family belongs to. Records of weft state it; where it is missing, it
 * is computed from python_source. Both give the same 32 digits, and so the same part. */
static int find_part(split_run_state *t, const dataset_record *rec, str metadata, uint32_t *part)
{
    char hex[FINGERPRINT_HEX];
    str raw;
    int status = 0;
    if (json_peek(metadata, "family", &raw) && raw.n == FINGERPRINT_HEX + 2)
        memcpy(hex, raw.p + 1, FINGERPRINT_HEX);
    else
        status = find_family(t, rec, hex);
    if (!status)
        *part = split_of(&t->o->ratios, (str){hex, FINGERPRINT_HEX});
    return status;
}

/* The size of the record in the statistics: of a program its files, of a line also the newline. */
static uint64_t row_bytes(const split_run_state *t, const dataset_record *rec)
{
    return t->r->bundles ? t->reader.lines.bytes : rec->text.n + 1;
}

/* Scans the record's own members once, for its keys and its metadata, which has the category and
 * the family. Without deduplication the input must be a data set of weft, so a category is
 * required. */
static int read_row(split_run_state *t, const dataset_record *rec, split_row *row)
{
    str key, raw, metadata = {0}, word;
    t->keys.n = 0;
    for (size_t at = 0; json_peek_member(rec->text, &at, &key, &raw);) {
        sb_str(&t->keys, key);
        SB_LIT(&t->keys, " ");
        if (str_eq(key, STR("metadata")))
            metadata = raw;
    }
    *row = (split_row){
        .category = GEN_CATEGORY_COUNT, .keys = sb_view(&t->keys), .metadata = metadata};
    if (metadata.n && json_peek(metadata, "category", &word) && word.n >= 2)
        (void)gen_category_find((str){word.p + 1, word.n - 2}, &row->category);
    if (metadata.n && json_peek(metadata, "warp_version", &word) && word.n >= 2)
        row->warp = warp_release_of_version(word.p + 1, word.n - 2);
    if (row->category == GEN_CATEGORY_COUNT && !t->o->dedup)
        return bad_row(t, rec, "no record of a data set: metadata.category is missing or unknown");
    if (memchr(rec->text.p, '\n', rec->text.n))
        return bad_row(t, rec, "the record takes several lines");
    return t->o->ratios.n == 1 ? 0 : find_part(t, rec, metadata, &row->part);
}

/* The next record; DATASET_END at the end. */
static int next_row(split_run_state *t, dataset_record *rec, split_row *row)
{
    const int status = dataset_next(&t->reader, rec);
    if (status && status != DATASET_END) {
        sb_c(&t->text, t->reader.message);
        return fail(t, status == DATASET_DAMAGED ? STATUS_BROKEN : status);
    }
    return status ? status : read_row(t, rec, row);
}

/* Reports progress now and then; false: the caller wants to stop. */
static bool goes_on(const split_run_state *t)
{
    const split_options *o = t->o;
    return t->read % PROGRESS_STEP || !o->progress || o->progress(o->arg, t->before + t->read);
}

/* --- the first pass ------------------------------------------------------------------------ */

static void count_row(split_result *r, const split_row *row, uint64_t bytes)
{
    WEFT_ASSERT(row->part < SPLITS_MAX && row->category <= GEN_CATEGORY_COUNT);
    r->part[row->part].rows++;
    r->part[row->part].bytes += bytes;
    if (row->category < GEN_CATEGORY_COUNT) {
        r->records[row->category]++;
        r->category_bytes[row->category] += bytes;
    }
    r->rows++;
    r->bytes += bytes;
    if (!r->smallest || bytes < r->smallest)
        r->smallest = bytes;
    if (bytes > r->largest)
        r->largest = bytes;
}

enum { BITS = 64 }; /* of an item of split_run_state.stays */

/* Decides whether the record stays, and keeps the decision for the second pass: one bit for each
 * record read, bit t->read of the list. Deciding twice would need the set of structures twice. */
static int choose(split_run_state *t, const dataset_record *rec, const split_row *row, bool *stays)
{
    *stays = true;
    if (!t->o->dedup)
        return 0;
    if (t->read / BITS == t->stays.n)
        VEC_PUSH(t->a, &t->stays, 0);
    if (!dedup_record(t->o->dedup, rec->text, row->metadata, stays))
        return STATUS_MEMORY;
    WEFT_ASSERT(t->read / BITS < t->stays.n);
    t->stays.v[t->read / BITS] |= (uint64_t)*stays << t->read % BITS;
    return 0;
}

/* The records of a set have the same keys, and the text of one release of Warp, which the manifest
 * names. Programs are copied as they are. */
static int check_alike(split_run_state *t, const dataset_record *rec, const split_row *row,
                       bool stays)
{
    split_result *r = t->r;
    if (r->warp == WARP_ANY)
        r->warp = row->warp;
    if (!t->o->output)
        return 0;
    t->why.n = 0;
    if (!r->bundles && !split_keys_add(&r->keys, rec->text, row->keys, stays, &t->why))
        return bad_row(t, rec, sb_cstr(&t->why));
    if (row->warp != WARP_ANY && row->warp != r->warp)
        return bad_row(t, rec, "its text is of another release of Warp than the first record's");
    return 0;
}

/* Ends a pass over the input. */
static void end_pass(split_run_state *t)
{
    t->before += t->read;
    t->read = 0;
    for (uint32_t i = 0; i < t->o->ratios.n; i++) {
        split_part *p = &t->r->part[i];
        p->shards = (p->rows + t->shard_rows - 1) / t->shard_rows;
    }
}

/* The records' own column; records that were filled have an empty one. */
static void note_license(split_run_state *t, str record)
{
    split_result *r = t->r;
    str id;
    if (!json_peek(record, "license", &id) || id.n <= 2 || id.p[0] != '"')
        return;
    id = (str){id.p + 1, id.n - 2};
    if (!r->license.n)
        r->license = (str){arena_dup(t->a, id.p, id.n), id.n};
    r->licenses_differ |= !str_eq(id, r->license);
}

/* What deduplication leaves has each structure once, and so each source. */
static int note_key(split_run_state *t, const dataset_record *rec, const split_row *row)
{
    if (!t->o->output)
        return 0;
    const int error = split_twins_add(&t->twins, rec->text, row->metadata, t->read, !t->o->dedup);
    return error ? fail_path(t, t->o->output, error) : 0;
}

static int count_rows(split_run_state *t)
{
    split_result *r = t->r;
    dataset_record rec;
    split_row row;
    int status;
    bool stays;
    while ((status = next_row(t, &rec, &row)) == 0) {
        if ((status = choose(t, &rec, &row, &stays)) != 0 ||
            (status = check_alike(t, &rec, &row, stays)) != 0)
            return status;
        if (stays) {
            count_row(r, &row, row_bytes(t, &rec));
            split_sources_count(&r->sources, t->a, row.metadata);
            note_license(t, rec.text);
            status = note_key(t, &rec, &row);
        }
        if (status)
            return status;
        t->read++;
        if (!goes_on(t))
            return STATUS_STOPPED;
    }
    t->passed = t->read;
    end_pass(t);
    return status == DATASET_END ? 0 : status;
}

/* What choose() decided about the record in the first pass. */
static bool stays(const split_run_state *t)
{
    WEFT_ASSERT(!t->o->dedup || t->read / BITS < t->stays.n);
    return !t->o->dedup || t->stays.v[t->read / BITS] >> t->read % BITS & 1;
}

/* Reads on to the record of this number; *place is "SET/data/train-00000-of-00001.jsonl:7", or a
 * program's folder. DATASET_END: the input has changed. */
static int find_record(split_run_state *t, uint64_t number, dataset_record *rec, split_row *row,
                       const char **place)
{
    int status = 0;
    for (; t->read <= number && !status; t->read++)
        status = next_row(t, rec, row);
    if (!status)
        *place = t->r->bundles
                     ? rec->file
                     : arena_printf(t->a, "%s:%llu", rec->file, (unsigned long long)rec->line);
    return status;
}

/* Names both records, and what to do about them. */
static int refuse_pair(split_run_state *t, const split_pair *pair)
{
    dataset_record rec;
    split_row row;
    const char *first, *second;
    str id = STR(""), origin;
    t->read = 0;
    dataset_rewind(&t->reader);
    int status = find_record(t, pair->first, &rec, &row, &first);
    if (!status)
        status = find_record(t, pair->second, &rec, &row, &second);
    if (status)
        return status == DATASET_END ? STATUS_OK
                                     : status; /* write_rows finds that the set shrank */
    (void)json_peek(rec.text, "id", &id);
    id = id.n > 2 ? (str){id.p + 1, id.n - 2} : id;
    const bool is_found =
        json_peek(row.metadata, "origin", &origin) && str_eq(origin, STR("\"" RECORD_ORIGIN "\""));
    if (pair->same_source)
        sb_printf(&t->text,
                  "the kernel of '%.*s' in %s stands in %s already: weft dedup leaves one "
                  "of them out",
                  (int)id.n, id.p, second, first);
    else
        sb_printf(&t->text, "two kernels have the id '%.*s', in %s and %s: %s", (int)id.n, id.p,
                  first, second,
                  is_found ? "collect one of the sets anew"
                           : "sets made with the same --seed share ids, so make one of them with "
                             "another");
    return fail(t, STATUS_BROKEN);
}

/* Would the set be bad for weft validate? */
static int check_twins(split_run_state *t)
{
    split_pair pair;
    if (!t->o->output)
        return 0;
    const int error = split_twins_find(&t->twins, &pair);
    split_twins_clear(&t->twins);
    if (error)
        return fail_path(t, t->o->output, error);
    const int status = pair.any ? refuse_pair(t, &pair) : 0;
    t->read = 0;
    return status;
}

/* A pass between the two: records that are filled become longer, and all fields are only known when
 * all records have been read. */
static int count_filled(split_run_state *t)
{
    split_result *r = t->r;
    dataset_record rec;
    split_row row;
    int status = 0;
    memset(r->part, 0, sizeof r->part);
    memset(r->records, 0, sizeof r->records);
    memset(r->category_bytes, 0, sizeof r->category_bytes);
    r->rows = r->bytes = r->smallest = r->largest = 0;
    dataset_rewind(&t->reader);
    for (; t->read < t->passed && (status = next_row(t, &rec, &row)) == 0; t->read++) {
        if (stays(t))
            count_row(r, &row, split_keys_fill(&r->keys, rec.text).n + 1);
        if (!goes_on(t))
            return STATUS_STOPPED;
    }
    end_pass(t);
    return status == DATASET_END ? 0 : status; /* write_rows finds that the set shrank */
}

/* --- the second pass ----------------------------------------------------------------------- */

/* "loop/7-000000042.json", as the format `files` of weft generate has it. False: the record has no
 * id. */
static bool put_file_name(strbuf *b, const dataset_record *rec, const split_row *row)
{
    str raw;
    uint64_t seed, index;
    if (!json_peek(rec->text, "id", &raw) || raw.n < 2 || row->category == GEN_CATEGORY_COUNT ||
        !record_read_id((str){raw.p + 1, raw.n - 2}, &seed, &index))
        return false;
    sb_printf(b, "%s/%.*s.json", gen_category_name(row->category), (int)(raw.n - 2), raw.p + 1);
    return true;
}

/* Opens the part's next shard. It gets as many rows as the first pass left for it. */
static int open_shard(split_run_state *t, const dataset_record *rec, const split_row *row)
{
    const uint32_t part = row->part;
    const split_part *p = &t->r->part[part];
    WEFT_ASSERT(part < t->o->ratios.n && t->done[part].shards < p->shards);
    const uint64_t number = t->done[part].shards++;
    split_shard shard = {.part = part, .rows = t->shard_rows};
    if ((number + 1) * t->shard_rows > p->rows)
        shard.rows = p->rows - number * t->shard_rows;
    t->text.n = 0;
    if (!t->o->files)
        sb_printf(&t->text, "data/%s-%05llu-of-%05llu.%s%s", split_name(&t->o->ratios, part),
                  (unsigned long long)number, (unsigned long long)p->shards,
                  t->o->parquet ? "parquet" : "jsonl", pack_extension(t->r->compress));
    else if (!put_file_name(&t->text, rec, row))
        return bad_row(t, rec, "the record has no id and category to name its file by");
    shard.file = arena_dup(t->a, t->text.p, t->text.n);
    t->text.n = 0;
    VEC_PUSH(t->a, &t->shards.list, shard);
    t->shards.open[part] = t->shards.list.n - 1;
    const char *path = path_join(t->a, t->o->output, str_c(shard.file));
    const int error = shard_file_open(&t->files[part], t->a, path);
    return error ? fail_path(t, path, error) : 0;
}

/* Brings the shard to the disk under its name, and keeps its hash for the manifest. */
static int close_shard(split_run_state *t, uint32_t part)
{
    WEFT_ASSERT(t->shards.open[part] < t->shards.list.n);
    split_shard *shard = &t->shards.list.v[t->shards.open[part]];
    const int error = shard_file_close(&t->files[part], true);
    shard->bytes = t->files[part].bytes;
    memcpy(shard->sha256, t->files[part].sha256, SHA256_HEX);
    shard->whole = true;
    return error ? fail_path(t, shard->file, error) : 0;
}

/* Programs are copied from their folder; the record only says where they go. */
static int write_bundle(split_run_state *t, const dataset_record *rec, uint32_t part)
{
    WEFT_ASSERT(part < t->o->ratios.n && t->r->bundles);
    const arena_mark mark = arena_save(t->a);
    const char *path, *why;
    const int error = split_bundles_put(&t->bundles, t->a, t->o, part, rec->file, &path, &why);
    if (error == STATUS_BROKEN)
        return bad_row(t, rec, why);
    if (error)
        return fail_path(t, path, error);
    arena_rewind(t->a, mark);
    t->done[part].rows++;
    t->done[part].bytes += row_bytes(t, rec);
    return 0;
}

/* What the manifest says of the splits. */
static int end_bundles(split_run_state *t)
{
    const char *path;
    for (uint32_t part = 0; part < t->o->ratios.n; part++) {
        uint8_t digest[SHA256_SIZE];
        split_shard shard = {.part = part,
                             .file = split_name(&t->o->ratios, part),
                             .rows = t->done[part].rows,
                             .bytes = t->bundles.bytes[part]};
        sha256_finish(&t->bundles.hash[part], digest);
        sha256_hex(digest, shard.sha256);
        if (shard.rows)
            VEC_PUSH(t->a, &t->shards.list, shard);
    }
    const int error = split_bundles_end(t->a, t->o, &path);
    return error ? fail_path(t, path, error) : 0;
}

/* Appends the record to its part's shard, which is closed when it is full or the part is complete.
 */
static int write_row(split_run_state *t, const dataset_record *rec, const split_row *row)
{
    const uint32_t part = row->part;
    WEFT_ASSERT(part < SPLITS_MAX);
    split_part *done = &t->done[part];
    shard_file *f = &t->files[part];
    int error = f->open ? 0 : open_shard(t, rec, row);
    if (error)
        return error;
    error = shard_file_write(f, rec->text);
    if (!error)
        error = shard_file_write(f, STR("\n"));
    if (error)
        return fail_path(t, t->shards.list.v[t->shards.open[part]].file, error);
    done->rows++;
    done->bytes += rec->text.n + 1;
    return done->rows % t->shard_rows == 0 || done->rows == t->r->part[part].rows
               ? close_shard(t, part)
               : 0;
}

/* The input is read a second time. Rows and bytes must be those of the first pass, or the names of
 * the shards would be wrong. */
static int write_rows(split_run_state *t)
{
    dataset_record rec;
    split_row row;
    int status;
    while ((status = next_row(t, &rec, &row)) == 0) {
        const uint32_t part = row.part;
        if (t->read == t->passed || (stays(t) && t->done[part].rows == t->r->part[part].rows))
            return bad_row(t, &rec, "the data set grew while it was read");
        if (stays(t) && t->r->keys.is_mixed)
            rec.text = split_keys_fill(&t->r->keys, rec.text);
        if (stays(t))
            status = t->r->bundles ? write_bundle(t, &rec, part) : write_row(t, &rec, &row);
        if (status)
            return status;
        t->read++;
        if (!goes_on(t))
            return STATUS_STOPPED;
    }
    if (status != DATASET_END)
        return status;
    for (uint32_t i = 0; i < t->o->ratios.n; i++)
        if (t->done[i].bytes != t->r->part[i].bytes) {
            SB_LIT(&t->text, "the data set changed while it was read");
            return fail(t, STATUS_BROKEN);
        }
    return t->r->bundles ? end_bundles(t) : 0;
}

/* --- all ----------------------------------------------------------------------------------- */

static const char not_empty[] = "the folder is not empty: choose another, or empty it";

static int refuse(split_run_state *t)
{
    sb_c(&t->text, not_empty);
    return fail(t, STATUS_REFUSED);
}

/* What cannot be listed is not there yet, or is no folder: split_run finds out. */
int split_check_output(arena *a, const char *folder, const char **message)
{
    const char *const *names;
    uint32_t n;
    const int error = file_list(a, folder, &names, &n);
    if (error && error != ENOENT && error != ENOTDIR) {
        *message = folder;
        return error;
    }
    if (error || !n)
        return STATUS_OK;
    *message = not_empty;
    return STATUS_REFUSED;
}

/* With a file for each record it is there to claim the folder alone, and is removed at the end. */
static const char *data_folder(const split_run_state *t)
{
    return t->o->files ? ".weft-split" : "data";
}

/* Files have the folders of their categories, which the first pass has counted. */
static int make_categories(split_run_state *t)
{
    for (int c = 0; t->o->files && c < GEN_CATEGORY_COUNT; c++) {
        const char *path = path_join(t->a, t->o->output, str_c(gen_category_name((gen_category)c)));
        const int error = t->r->records[c] ? make_folders(t->a, path) : 0;
        if (error)
            return fail_path(t, path, error);
    }
    return 0;
}

/* The folder of shards can be made by one run alone: that keeps two apart. */
static int take_folder(split_run_state *t)
{
    const char *at;
    const char *inner = t->r->bundles ? split_name(&t->o->ratios, 0) : data_folder(t);
    const int error = file_claim_folder(t->a, t->o->output, inner, &at);
    t->made_data = !error;
    return error == EEXIST ? refuse(t) : error ? fail_path(t, at, error) : make_categories(t);
}

/* Finds out whether the input consists of programs, which are copied as folders. They are sorted by
 * id, so that the output does not depend on the order of operands, and equal ids are neighbours. */
static int look_at_form(split_run_state *t)
{
    dataset_list *l = &t->reader.list;
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->files.n; i++)
        n += l->files.v[i].kind == LINE_READER_BUNDLE;
    t->r->bundles = n > 0;
    if (!n || !t->o->output)
        return 0;
    if (n < l->files.n)
        SB_LIT(&t->text, "programs and other records do not go together");
    else if (t->o->repack || t->o->shard_rows)
        SB_LIT(&t->text, "programs stay folders: they are neither packed nor put into shards");
    if (t->text.n)
        return fail(t, STATUS_BROKEN);
    dataset_sort_programs(l);
    split_bundles_init(&t->bundles);
    return 0;
}

/* Without --compress, shards are packed as the first input file is; lines of Parquet by zstd. */
static void choose_packing(split_run_state *t)
{
    const dataset_list *l = &t->reader.list;
    t->r->compress = t->o->compress;
    if (t->o->repack || !l->files.n)
        return;
    const line_reader_kind kind = l->files.v[0].kind;
    const bool zstd = kind == LINE_READER_ZSTD || kind == LINE_READER_PARQUET;
    t->r->compress = zstd ? PACK_ZSTD : kind == LINE_READER_GZIP ? PACK_GZIP : PACK_NONE;
}

/* An operand given twice would put every record into the split twice. With deduplication that does
 * no harm. Device and inode are compared, so that two names of one folder are found. */
static int check_once(split_run_state *t)
{
    const split_options *o = t->o;
    struct stat a, b;
    for (uint32_t i = 1; i < o->npaths && !o->dedup; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(o->paths[i], o->paths[k]) == 0 ||
                (io_stat(o->paths[i], &a) == 0 && io_stat(o->paths[k], &b) == 0 &&
                 a.st_ino == b.st_ino && a.st_dev == b.st_dev)) {
                sb_c(&t->text, o->paths[i]);
                SB_LIT(&t->text, ": it is given twice");
                return fail(t, STATUS_BROKEN);
            }
    return 0;
}

/* Whatever is written is read twice: standard input is kept in the output folder, under a hidden
 * name, until the end. */
static int keep_input(split_run_state *t)
{
    const char *output = t->o->output;
    if (!output || !dataset_reads_input(&t->reader))
        return 0;
    const int refused = split_check_output(t->a, output, &t->r->message);
    if (refused)
        return refused;
    int error = make_folders(t->a, output);
    if (!error)
        error = atomic_file_create(&t->input, t->a, path_join(t->a, output, STR("input")));
    if (error)
        return fail_path(t, output, error);
    error = dataset_copy_input(&t->reader, &t->input);
    return error == EINTR ? STATUS_STOPPED : error ? fail_path(t, "-", error) : 0;
}

static int open_input(split_run_state *t)
{
    int status = check_once(t);
    if (status)
        return status;
    status = dataset_open(&t->reader, t->a, t->o->paths, t->o->npaths);
    if (!status)
        return keep_input(t);
    sb_c(&t->text, t->reader.message);
    return fail(t, status == DATASET_DAMAGED ? STATUS_BROKEN : status);
}

/* A set of no records would look like a result, and be in the way of the next try. */
static int check_any(split_run_state *t)
{
    if (t->passed || !t->o->output)
        return 0;
    SB_LIT(&t->text, "nothing is written: there are no records");
    return fail(t, STATUS_BROKEN);
}

static void start_file(split_run_state *t, shard_file *f)
{
    shard_file_init(f, t->a->m, t->r->compress);
    if (t->o->parquet)
        shard_file_use_parquet(f, t->o->parquet);
}

/* Both passes, and the files beside the data. Nothing is written before the first pass has read all
 * records: most mistakes in the input leave no trace on the disk. */
static int run_all(split_run_state *t)
{
    int status = open_input(t);
    if (status)
        return status;
    if ((status = look_at_form(t)) != 0)
        return status;
    choose_packing(t);
    if ((status = count_rows(t)) != 0 || (status = check_any(t)) != 0 || !t->o->output ||
        (status = check_twins(t)) != 0 ||
        (t->r->keys.is_mixed && (status = count_filled(t)) != 0) || (status = take_folder(t)) != 0)
        return status;
    for (uint32_t i = 0; i < SPLITS_MAX; i++)
        start_file(t, &t->files[i]);
    dataset_rewind(&t->reader);
    status = write_rows(t);
    if (status)
        return status;
    const char *path = NULL;
    if (t->o->files)
        io_rmdir(path_join(t->a, t->o->output, str_c(data_folder(t))));
    status = split_put_companions(t->a, t->o, t->r, &t->shards, &path);
    return status ? fail_path(t, path, status) : 0;
}

static void run_guarded(void *arg)
{
    split_run_state *t = arg;
    sb_init(&t->keys, t->a->m);
    sb_init(&t->why, t->a->m);
    split_keys_init(&t->r->keys, t->a->m);
    sb_init(&t->text, t->a->m);
    sb_init(&t->source, t->a->m);
    if (t->o->output)
        split_twins_init(&t->twins, t->a, t->o->output);
    t->shard_rows = t->o->files ? 1 : t->o->shard_rows ? t->o->shard_rows : SHARD_ROWS;
    t->status = run_all(t);
}

/* Removes what this run has written; runs under mem_try. */
static void undo(void *arg)
{
    split_run_state *t = arg;
    for (uint32_t i = 0; i < t->shards.list.n; i++)
        if (t->shards.list.v[i].whole && !t->r->bundles)
            io_unlink(path_join(t->a, t->o->output, str_c(t->shards.list.v[i].file)));
    split_remove_companions(t->a, t->o);
    if (t->r->bundles)
        split_bundles_undo(t->a, t->o, &t->reader.list);
    for (int c = 0; t->o->files && c < GEN_CATEGORY_COUNT; c++)
        io_rmdir(path_join(t->a, t->o->output, str_c(gen_category_name((gen_category)c))));
    io_rmdir(path_join(t->a, t->o->output, str_c(data_folder(t))));
    if (t->made_folder)
        io_rmdir(t->o->output);
}

/* What was begun is given back here whatever happened; what was written is removed unless all went
 * well. */
int split_run(arena *a, const split_options *o, split_result *r)
{
    split_run_state t = {.a = a, .o = o, .r = r, .input = {.fd = -1}};
    const double start = clock_seconds();
    *r = (split_result){0};
    t.made_folder = o->output && path_is_free(o->output);
    if (!mem_try(a->m, run_guarded, &t))
        t.status = STATUS_MEMORY;
    for (uint32_t i = 0; i < SPLITS_MAX; i++)
        shard_file_clear(&t.files[i]);
    const dataset_list list = t.reader.list;
    dataset_close(&t.reader);
    t.reader.list = list; /* for undo */
    atomic_file_discard(&t.input);
    split_twins_clear(&t.twins);
    structure_finder_clear(&t.finder);
    if (o->dedup) /* has memory of its own, and may outlive this run for its counts */
        structure_finder_clear(&o->dedup->finder);
    if (t.status && t.made_data)
        mem_try(a->m, undo, &t);
    else if (t.status && t.made_folder)
        io_rmdir(o->output); /* keep_input made it; one that has files stays */
    r->seconds = clock_seconds() - start;
    return t.status;
}
