/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads manifest.json: what the data set consists of, and the command that makes it.
 *
 *     {"schema": "weft-manifest-1", ..., "command": "weft generate --count 30 --seed 7",
 *      "state": "complete", "seed": 7, "part": 1, "parts": 1, "first_index": 0, "rows": 30,
 *      "shards": [{"file": "data/train-00000-of-00001.jsonl", "rows": 30, "bytes": ..., ...}]}
 *
 * A run reads it back to see whether the folder is its own: the command is the identity of a set,
 * so two runs whose commands differ in one option are different sets. With a file for each record,
 * "shards" has a row for each category instead, {"file": "loop", "rows": 3, ...}. The manifest of
 * an unfinished set names the shards that are durable so far, and no category.
 *
 * Readers beside this file: dataset_files.c (which files), validate_manifest.c (all of it),
 * merge_part.c (parts of a run). */
#include "store/manifest.h"

#include <errno.h>
#include <stdio.h>

#include "base/file.h"
#include "base/json.h"
#include "base/json_tree.h"
#include "base/version.h"
#include "similar/exclude_set.h"
#include "store/store_command.h"

void manifest_put_shard(strbuf *b, const char *file, uint64_t rows, uint64_t bytes,
                        const char hash[SHA256_HEX], bool first)
{
    sb_c(b, first ? "\n    {\"file\": " : ",\n    {\"file\": ");
    json_string(b, str_c(file));
    SB_LIT(b, ", \"rows\": ");
    sb_uint(b, rows);
    SB_LIT(b, ", \"bytes\": ");
    sb_uint(b, bytes);
    SB_LIT(b, ", \"sha256\": \"");
    sb_put(b, hash, SHA256_HEX);
    SB_LIT(b, "\"}");
}

/* The name of a "shard": with a file for each record, that of a category's folder. */
static void put_name(strbuf *b, const record_options *o, const store_outcome *r, uint32_t number)
{
    WEFT_ASSERT(record_format_of(o)->shards || number < o->ncategories);
    if (!record_format_of(o)->shards)
        sb_c(b, gen_category_name(o->categories[number]));
    else
        store_put_shard_name(b, o, r->rows, number);
}

/* The list of shards that are there. Missing ones leave no gap in it: names have their numbers. */
static void put_shards(strbuf *b, const record_options *o, const store_outcome *r,
                       const store_shard *shards, uint32_t n)
{
    bool first = true;
    strbuf name;
    sb_init(&name, b->m);
    SB_LIT(b, ",\n  \"shards\": [");
    for (uint32_t i = 0; i < n; i++) {
        if (shards[i].state == SHARD_MISSING)
            continue;
        name.n = 0;
        put_name(&name, o, r, i);
        manifest_put_shard(b, sb_cstr(&name), shards[i].rows, shards[i].bytes, shards[i].sha256,
                           first);
        first = false;
    }
    SB_LIT(b, "\n  ]\n}\n");
    sb_clear(&name);
}

/* What was excluded, and how often that was needed:
 *
 *     "excluded": {"files": 43, "not_parsed": 0, "kernels": 268, "structures": 266,
 *      "sha256": "0d6dd3a0...", "candidates_refused": 0}
 *
 * The hash is over the sorted fingerprints (make/exclude.c), so that anybody who has the same
 * sources can check what was kept out. */
static void put_certificate(strbuf *b, const exclude_set *e, uint64_t refused)
{
    SB_LIT(b, ",\n  \"excluded\": {\"files\": ");
    sb_uint(b, e->files);
    SB_LIT(b, ", \"not_parsed\": ");
    sb_uint(b, e->unread);
    SB_LIT(b, ", \"kernels\": ");
    sb_uint(b, e->kernels);
    SB_LIT(b, ", \"structures\": ");
    sb_uint(b, e->n);
    SB_LIT(b, ", \"sha256\": \"");
    sb_put(b, e->sha256, SHA256_HEX);
    SB_LIT(b, "\", \"candidates_refused\": ");
    sb_uint(b, refused);
    SB_LIT(b, "}");
}

/* The members that finished and unfinished sets have alike, up to "rows", which is the number of
 * rows that the set is to have. */
static void put_head(strbuf *b, const record_options *o, const store_outcome *r, const char *state)
{
    WEFT_ASSERT(o->part && o->part <= o->parts);
    SB_LIT(b, "{\n  \"schema\": \"weft-manifest-1\",\n  \"weft_version\": \"" WEFT_VERSION
              "\",\n  \"warp_version\": \"");
    sb_c(b, warp_release_version(o->warp));
    SB_LIT(b, "\",\n  \"command\": \"");
    store_put_command(b, o);
    SB_LIT(b, "\",\n  \"state\": \"");
    sb_c(b, state);
    SB_LIT(b, "\",\n  \"seed\": ");
    sb_uint(b, o->seed);
    SB_LIT(b, ",\n  \"part\": ");
    sb_uint(b, o->part);
    SB_LIT(b, ",\n  \"parts\": ");
    sb_uint(b, o->parts);
    SB_LIT(b, ",\n  \"first_index\": ");
    sb_uint(b, r->first);
    SB_LIT(b, ",\n  \"rows\": ");
    sb_uint(b, r->rows);
}

/* Of an unfinished run. Folders of categories have no sums before its end, so none is named. */
void manifest_put(strbuf *b, const record_options *o, const store_outcome *r,
                  const store_shards *shards)
{
    put_head(b, o, r, "unfinished");
    put_shards(b, o, r, shards->v, record_format_of(o)->shards ? shards->n : 0);
}

/* The certificate of --exclude stands only here: its count of refused candidates is known at the
 * end. */
void manifest_put_complete(strbuf *b, const record_options *o, const store_outcome *r,
                           const store_shards *shards, const store_shard *categories)
{
    put_head(b, o, r, "complete");
    if (o->exclude)
        put_certificate(b, o->exclude, r->stats.rejected[STATS_REJECT_EXCLUDED]);
    if (!record_format_of(o)->shards)
        put_shards(b, o, r, categories, o->ncategories);
    else
        put_shards(b, o, r, shards->v, shards->n);
}

/* --- reading ------------------------------------------------------------------------------- */

/* The members that are read. "state" may be missing: such a manifest counts as complete. */
enum { F_SCHEMA, F_WEFT, F_WARP, F_COMMAND, F_STATE, F_SHARDS, F_COUNT };

static const json_field fields[] = {
    [F_SCHEMA] = {"schema", JSON_STRING, false},
    [F_WEFT] = {"weft_version", JSON_STRING, false},
    [F_WARP] = {"warp_version", JSON_STRING, false},
    [F_COMMAND] = {"command", JSON_STRING, false},
    [F_STATE] = {"state", JSON_STRING, true},
    [F_SHARDS] = {"shards", JSON_ARRAY, false},
};

/* Compared as text: the options that a set depends on have one spelling (store_command.h). */
static bool is_command(const json_value *stated, const record_options *o, strbuf *b)
{
    b->n = 0;
    store_put_command(b, o);
    return str_eq(stated->text, sb_view(b));
}

/* NULL, or why the set is another run's; the command of this run is in b. */
static const char *other_command(arena *a, const json_value *stated, const strbuf *b)
{
    const char *how = store_command_difference(a, stated->text, sb_view(b));
    return arena_printf(a,
                        "the folder holds a data set that another command made%s%s: choose another "
                        "folder",
                        how ? ", " : "", how ? how : "");
}

/* An entry that cannot be right makes its shard count as missing, so that it is made anew. */
static void read_shard(arena *a, const json_value *e, store_shards *found)
{
    static const json_field of_shard[] = {{"file", JSON_STRING, false},
                                          {"rows", JSON_COUNT, false},
                                          {"bytes", JSON_COUNT, false},
                                          {"sha256", JSON_STRING, false}};
    const json_value *f[4];
    strbuf why;
    sb_init(&why, a->m);
    store_shard shard = {0};
    if (json_is(e, JSON_TYPE_OBJECT) && json_fields(e, of_shard, 4, false, "", f, &why) &&
        strlen(f[3]->text.p) == SHA256_HEX) {
        shard = (store_shard){SHARD_LISTED, json_count(f[1]), json_count(f[2]), {0}};
        memcpy(shard.sha256, f[3]->text.p, SHA256_HEX);
    }
    VEC_PUSH(a, found, shard);
    sb_clear(&why);
}

/* NULL, or why the run must not touch this folder; *kind is then left as it is. The shards of an
 * unfinished run are not read from here: the notes of the work folder have them, and their sums. */
static const char *read_manifest(arena *a, const json_value *json, const record_options *o,
                                 strbuf *b, manifest_kind *kind, store_shards *found)
{
    const json_value *f[F_COUNT];
    if (!json_is(json, JSON_TYPE_OBJECT) || !json_fields(json, fields, F_COUNT, false, "", f, b) ||
        strcmp(f[F_SCHEMA]->text.p, "weft-manifest-1") != 0)
        return "the folder holds a manifest.json that is not weft's: choose another folder";
    if (!is_command(f[F_COMMAND], o, b))
        return other_command(a, f[F_COMMAND], b);
    if (strcmp(f[F_WEFT]->text.p, WEFT_VERSION) != 0 ||
        strcmp(f[F_WARP]->text.p, warp_release_version(o->warp)) != 0)
        return "the folder holds a data set of another version of weft: choose another folder";
    const bool complete = !f[F_STATE] || strcmp(f[F_STATE]->text.p, "complete") == 0;
    *kind = complete ? MANIFEST_COMPLETE : MANIFEST_UNFINISHED;
    for (const json_value *e = f[F_SHARDS]->child; e && complete; e = e->next)
        read_shard(a, e, found);
    return NULL;
}

/* r->failed names the file while it is read, for the message of an errno value. JSON that cannot be
 * read is NULL, which read_manifest takes for a manifest that is not weft's. */
int manifest_look(arena *a, const record_options *o, store_outcome *r, manifest_kind *kind,
                  store_shards *found)
{
    strbuf b;
    str text;
    sb_init(&b, a->m);
    sb_c(&b, o->output);
    SB_LIT(&b, "/manifest.json");
    snprintf(r->failed, sizeof r->failed, "%s", sb_cstr(&b));
    const int error = file_read(a, r->failed, &text);
    *kind = MANIFEST_NONE;
    if (!error) {
        b.n = 0;
        *kind = MANIFEST_STRANGE;
        const json_value *json = json_read(a, text, &b);
        r->message = read_manifest(a, json, o, &b, kind, found);
    }
    sb_clear(&b);
    return error == ENOENT ? 0 : error;
}
