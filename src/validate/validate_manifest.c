/* SPDX-License-Identifier: Apache-2.0 */
/* Checks manifest.json and stats.json against what is in the folder: schema, versions, command,
 * rows, sizes and hashes of shards, and the sums over records. For a folder whose shard lost one of
 * four records:
 *
 *     bad/data/train-00000-of-00001.jsonl: schema: rows: the manifest says 4, there are 3
 *     bad/data/train-00000-of-00001.jsonl: hash: bytes: the manifest says 84017, there are 67108
 *     bad/stats.json: schema: records: it says 4, there are 3
 *
 * The manifest is read before the records, as it names their files; shards are compared after them.
 * A manifest that cannot be right is reported once and then taken as missing, so that its mistakes
 * do not show up again as problems of every record. */
#include <errno.h>

#include "base/file.h"
#include "base/version.h"
#include "store/store_command.h"
#include "validate/validate_set.h"

/* The fields of manifest.json, as manifest.c writes them; `state` may be missing. */
enum {
    F_SCHEMA,
    F_WEFT,
    F_WARP,
    F_COMMAND,
    F_SEED,
    F_PART,
    F_PARTS,
    F_FIRST,
    F_ROWS,
    F_STATE,
    F_SHARDS
};

static const json_field manifest_fields[] = {
    [F_SCHEMA] = {"schema", JSON_STRING, false},
    [F_WEFT] = {"weft_version", JSON_STRING, false},
    [F_WARP] = {"warp_version", JSON_STRING, false},
    [F_COMMAND] = {"command", JSON_STRING, false},
    [F_SEED] = {"seed", JSON_COUNT, false},
    [F_PART] = {"part", JSON_COUNT, false},
    [F_PARTS] = {"parts", JSON_COUNT, false},
    [F_FIRST] = {"first_index", JSON_COUNT, false},
    [F_ROWS] = {"rows", JSON_COUNT, false},
    [F_STATE] = {"state", JSON_STRING, true},
    [F_SHARDS] = {"shards", JSON_ARRAY, false},
};
enum { F_COUNT = sizeof manifest_fields / sizeof *manifest_fields };

static const json_field shard_fields[] = {{"file", JSON_STRING, false},
                                          {"rows", JSON_COUNT, false},
                                          {"bytes", JSON_COUNT, false},
                                          {"sha256", JSON_STRING, false}};
enum { S_FILE, S_ROWS, S_BYTES, S_SHA256, S_COUNT };

/* A string that outlives the JSON it comes from. */
static str keep(validate_state *v, const json_value *text)
{
    const size_t n = strlen(text->text.p);
    return (str){arena_dup(v->a, text->text.p, n), n};
}

/* False, with the reason in v->text. */
static bool say(validate_state *v, const char *what)
{
    sb_c(&v->text, what);
    return false;
}

/* --- the command --------------------------------------------------------------------------- */

/* Takes from the command what holds for every record: devices, passes, categories, format. These
 * are in the manifest only as the command's options. */
static bool read_command(validate_state *v, validate_set *s)
{
    record_options o;
    if (!store_read_command(v->a, s->command.p, s->folder, &o))
        return say(v, "its command is not readable");
    const record_format_row *format = record_format_of(&o);
    s->seed = o.seed;
    s->devices = o.devices;
    s->backward = !o.no_backward;
    s->is_single = !o.no_dedup;
    s->keeps_twins = o.no_dedup;
    WEFT_ASSERT(o.ncategories && o.ncategories <= GEN_CATEGORY_COUNT);
    s->ncategories = o.ncategories;
    memcpy(s->categories, o.categories, sizeof s->categories);
    if (s->warp != (o.warp == WARP_ANY ? WARP_DEFAULT : o.warp))
        return say(v, "its warp_version is not that of its command");
    s->is_bundles = format->programs;
    s->is_files = !format->shards && !format->programs;
    s->has_shim = o.cpu_shim;
    s->is_messages = o.style == RECORD_MESSAGES;
    s->is_script = o.style == RECORD_SCRIPT;
    s->is_repair = o.job == RECORD_REPAIR;
    s->no_tests = o.no_tests;
    s->license_key = validate_license_key(o.license ? o.license : RECORD_LICENSE);
    s->is_commanded = true;
    return true;
}

/* --- manifest.json ------------------------------------------------------------------------- */

/* One row of "shards" or "files", as `where` says. Its name must lie below the folder: a manifest
 * comes from anywhere. */
static bool read_shard(validate_state *v, validate_set *s, const json_value *e, const char *where,
                       validate_shards *to)
{
    const json_value *f[S_COUNT];
    if (!json_is(e, JSON_TYPE_OBJECT) ||
        !json_fields(e, shard_fields, S_COUNT, true, where, f, &v->text))
        return say(v, v->text.n ? "" : "its list of files is no list of objects");
    validate_shard shard = {
        .name = keep(v, f[S_FILE]), .rows = json_count(f[S_ROWS]), .bytes = json_count(f[S_BYTES])};
    if (!dataset_is_below(shard.name))
        return say(v, "it names a file outside of its folder");
    if (strlen(f[S_SHA256]->text.p) != SHA256_HEX)
        return say(v, "a sha256 of its files has not 64 digits");
    memcpy(shard.sha256, f[S_SHA256]->text.p, SHA256_HEX);
    shard.path = path_join(v->a, s->folder, shard.name);
    sha256_start(&shard.hash);
    VEC_PUSH(v->a, to, shard);
    return true;
}

/* A field that is wrong in one row makes the whole manifest wrong. */
bool validate_manifest_shards(validate_state *v, validate_set *s, const json_value *array)
{
    uint64_t rows = 0;
    for (const json_value *e = array->child; e; e = e->next) {
        if (!read_shard(v, s, e, "shards[].", &s->shards))
            return false;
        rows += s->shards.v[s->shards.n - 1].rows;
    }
    return rows == s->rows || say(v, "its shards have not as many rows as it says");
}

bool validate_manifest_beside(validate_state *v, validate_set *s, const json_value *array)
{
    for (const json_value *e = array ? array->child : NULL; e; e = e->next)
        if (!read_shard(v, s, e, "files[].", &s->beside))
            return false;
    return true;
}

/* Checks that need no record, in the order in which their reasons help most: a manifest of another
 * version is reported as that, and not by the options that this version cannot read. Numbers up to
 * 2^63 leave room for the sums first + rows. */
static bool read_manifest(validate_state *v, validate_set *s, const json_value *json)
{
    const json_value *f[F_COUNT];
    if (validate_is_split(json))
        return validate_split_manifest(v, s, json);
    if (!json_is(json, JSON_TYPE_OBJECT) ||
        !json_fields(json, manifest_fields, F_COUNT, false, "", f, &v->text))
        return say(v, v->text.n ? "" : "it is no object");
    if (strcmp(f[F_SCHEMA]->text.p, "weft-manifest-1") != 0)
        return say(v, "its schema is not weft-manifest-1");
    s->warp = warp_release_of_version(f[F_WARP]->text.p, strlen(f[F_WARP]->text.p));
    if (strcmp(f[F_WEFT]->text.p, WEFT_VERSION) != 0 || s->warp == WARP_ANY)
        return say(v, "it was written by another version of weft or for another of Warp");
    s->first = s->next = json_count(f[F_FIRST]);
    s->rows = json_count(f[F_ROWS]);
    s->command = keep(v, f[F_COMMAND]);
    if (!read_command(v, s))
        return false;
    if (f[F_STATE] && strcmp(f[F_STATE]->text.p, "complete") != 0)
        return say(v, "its run is not finished: weft generate --resume goes on with it");
    if (s->seed != json_count(f[F_SEED]))
        return say(v, "its seed is not that of its command");
    if (s->rows > UINT64_MAX / 2 || s->first > UINT64_MAX / 2)
        return say(v, "its numbers are too large");
    return validate_manifest_shards(v, s, f[F_SHARDS]);
}

/* Fills v->json from a file, or leaves the reason in v->text; 0 or an errno value. */
static int read_json(validate_state *v, const char *path)
{
    str text;
    const int error = file_read(v->a, path, &text);
    if (!error)
        v->json = json_read(v->a, text, &v->text);
    return error;
}

/* A folder without a manifest is no problem here: validate_set_open decides what it is. */
int validate_manifest(validate_state *v, validate_set *s)
{
    WEFT_ASSERT(s->folder && !v->text.n);
    const char *path = path_join(v->a, s->folder, STR("manifest.json"));
    const int error = read_json(v, path);
    if (error)
        return error == ENOENT ? 0 : error;
    const bool good = v->json && read_manifest(v, s, v->json);
    if (good) {
        s->manifest = path;
        return 0;
    }
    s->shards.n = s->beside.n = 0;
    s->devices = s->collected_for = 0;
    s->warp = WARP_ANY;
    s->ncategories = 0;
    s->ratios = (split_ratios){.n = 0};
    s->is_bundles = s->has_shim = false;
    s->is_commanded = s->is_files = s->is_messages = s->is_script = s->is_repair = s->is_single =
        false;
    s->license_key = 0;
    validate_report(v, path, 0, (str){0}, VALIDATE_SCHEMA);
    return 0;
}

/* "rows: the manifest says 4, there are 3" */
static void put_mismatch(validate_state *v, const char *what, uint64_t says, uint64_t is)
{
    sb_c(&v->text, what);
    SB_LIT(&v->text, ": the manifest says ");
    sb_uint(&v->text, says);
    SB_LIT(&v->text, ", there are ");
    sb_uint(&v->text, is);
}

/* Reports what stands in v->text, as a problem of the shard's file. Programs are counted by
 * category, of which there is no file: then it is the manifest's, with the category's name. */
static void report_shard(validate_state *v, const validate_set *s, const validate_shard *shard,
                         validate_check check)
{
    if (!s->is_bundles || s->ratios.n) {
        validate_report(v, shard->path, 0, (str){0}, check);
        return;
    }
    SB_LIT(&v->text, " (");
    sb_str(&v->text, shard->name);
    SB_LIT(&v->text, ")");
    validate_report(v, s->manifest, 0, (str){0}, check);
}

/* Rows, then bytes, then the hash: of a file that is shorter only the size is reported. */
static void check_shard(validate_state *v, const validate_set *s, validate_shard *shard)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    if (!shard->there && shard->rows) {
        SB_LIT(&v->text, "the manifest names it, and it is not there");
        report_shard(v, s, shard, VALIDATE_SCHEMA);
        return;
    }
    if (shard->rows != shard->found_rows) {
        put_mismatch(v, "rows", shard->rows, shard->found_rows);
        report_shard(v, s, shard, VALIDATE_SCHEMA);
    }
    sha256_finish(&shard->hash, digest);
    sha256_hex(digest, hex);
    if (shard->bytes != shard->found_bytes)
        put_mismatch(v, "bytes", shard->bytes, shard->found_bytes);
    else if (memcmp(hex, shard->sha256, SHA256_HEX) != 0)
        SB_LIT(&v->text, "its SHA-256 is not the manifest's");
    else
        return;
    report_shard(v, s, shard, VALIDATE_HASH);
}

/* --- stats.json ---------------------------------------------------------------------------- */

/* The fields of stats.json that are compared; it has more. */
enum { A_COMMAND, A_RECORDS, A_BYTES, A_SMALLEST, A_LARGEST, A_CATEGORIES, A_SPLITS, A_SKIPPED };

static const json_field stats_fields[] = {
    [A_COMMAND] = {"command", JSON_STRING, false},
    [A_RECORDS] = {"records", JSON_COUNT, false},
    [A_BYTES] = {"bytes", JSON_COUNT, false},
    [A_SMALLEST] = {"smallest_bytes", JSON_COUNT, false},
    [A_LARGEST] = {"largest_bytes", JSON_COUNT, false},
    [A_CATEGORIES] = {"categories", JSON_OBJECT, false},
    [A_SPLITS] = {"splits", JSON_OBJECT, true},
    [A_SKIPPED] = {"skipped", JSON_OBJECT, true},
};
enum { A_COUNT = sizeof stats_fields / sizeof *stats_fields };

/* False, with "records: it says 4, there are 3". */
static bool is_number(validate_state *v, const char *what, const json_value *is, uint64_t should)
{
    if (json_count(is) == should)
        return true;
    sb_c(&v->text, what);
    SB_LIT(&v->text, ": it says ");
    sb_uint(&v->text, json_count(is));
    SB_LIT(&v->text, ", there are ");
    sb_uint(&v->text, should);
    return false;
}

/* A split has whole means, a generated set rounds to some digits. */
static bool is_mean(const validate_set *s, double mean, uint64_t bytes, uint64_t records)
{
    const double is = (double)bytes / (double)records;
    return s->ratios.n ? mean == (double)(bytes / records) : mean > is - 1 && mean < is + 1;
}

/* "loop": {"records": 1, "bytes": 16910, ...} against the records of this category. */
static bool check_category(validate_state *v, const validate_set *s, const json_value *e)
{
    static const json_field of_category[] = {{"records", JSON_COUNT, false},
                                             {"bytes", JSON_COUNT, false},
                                             {"mean_bytes", JSON_NUMBER_OR_NULL, false}};
    const json_value *f[3];
    gen_category c;
    if (!gen_category_find(e->key, &c) || !json_is(e, JSON_TYPE_OBJECT))
        return say(v, "an unknown category");
    if (!json_fields(e, of_category, 3, false, "categories{}.", f, &v->text) ||
        !is_number(v, e->key.p, f[0], s->found.records[c]) ||
        !is_number(v, e->key.p, f[1], s->found.bytes[c]))
        return false;
    const uint64_t bytes = s->found.bytes[c], records = s->found.records[c];
    if (json_is(f[2], JSON_TYPE_NUMBER) && records && is_mean(s, json_number(f[2]), bytes, records))
        return true;
    return say(v, "a category's mean_bytes are not its bytes by its records");
}

/* The first figure that differs is reported; the others mostly follow from it. */
static bool check_stats(validate_state *v, const validate_set *s, const json_value *json)
{
    const json_value *f[A_COUNT];
    uint64_t listed = 0, there = 0;
    if (!json_is(json, JSON_TYPE_OBJECT) ||
        !json_fields(json, stats_fields, A_COUNT, false, "", f, &v->text))
        return say(v, v->text.n ? "" : "it is no object");
    if (!str_eq(f[A_COMMAND]->text, s->command))
        return say(v, "its command is not the manifest's");
    if (!is_number(v, "records", f[A_RECORDS], stats_records(&s->found)) ||
        !is_number(v, "bytes", f[A_BYTES], stats_bytes(&s->found)) ||
        !is_number(v, "smallest_bytes", f[A_SMALLEST], s->found.smallest) ||
        !is_number(v, "largest_bytes", f[A_LARGEST], s->found.largest))
        return false;
    if (s->ratios.n && (!f[A_SPLITS] || !validate_splits_agree(v, s, f[A_SPLITS])))
        return say(v, v->text.n ? "" : "its splits are missing");
    if (s->collected_for && !validate_skipped_agree(v, s, f[A_SKIPPED]))
        return false;
    for (const json_value *e = f[A_CATEGORIES]->child; e; e = e->next, listed++)
        if (!check_category(v, s, e))
            return false;
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++)
        there += s->found.records[c] > 0;
    return listed == there || say(v, "its categories are not those of the records");
}

/* Only of a set with a manifest: it says that weft made the folder, and so that the file
 * belongs. */
int validate_stats(validate_state *v, const validate_set *s)
{
    if (!s->manifest)
        return 0;
    const char *path = path_join(v->a, s->folder, STR("stats.json"));
    const int error = read_json(v, path);
    if (error && error != ENOENT)
        return error;
    if (error)
        SB_LIT(&v->text, "it is missing");
    else if (v->json)
        check_stats(v, s, v->json);
    if (v->text.n)
        validate_report(v, path, 0, (str){0}, VALIDATE_SCHEMA);
    return 0;
}

void validate_manifest_finish(validate_state *v, validate_set *s)
{
    for (uint32_t i = 0; i < s->shards.n; i++)
        check_shard(v, s, &s->shards.v[i]);
}
