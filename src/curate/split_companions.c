/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the files beside the shards of a split, or of what deduplication left: stats.json,
 * README.md and manifest.json.
 *
 *     result   ->   {"command": "weft split --ratios 80,10,10", "records": 120, ...,
 *                    "splits": {"train": {"rows": 92, "bytes": 1741056},
 *                               "validation": {"rows": 17, "bytes": 290548}, ...}, ...}
 *
 * A split has fewer figures than a run: candidates that were thrown away, mutants and the like
 * belong to the run, and `weft stats` counts the rest from the records. The manifest has the schema
 * weft-split-1 or weft-dedup-1, which means that indexes have gaps. */
#include "curate/split_companions.h"

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/io.h"
#include "base/json.h"
#include "base/version.h"
#include "store/manifest.h"

/* In the order in which they are written. The manifest comes last: with it the set is complete. */
static const char *const names[] = {"stats.json", "README.md", "manifest.json"};
enum { COMPANIONS = sizeof names / sizeof *names };

/* The command without folders: only what the bytes depend on. */
static void put_command(strbuf *b, const split_options *o)
{
    if (o->account) {
        sb_c(b, o->account->command);
        return;
    }
    if (o->merge) {
        SB_LIT(b, "weft merge");
    } else if (o->dedup) {
        SB_LIT(b, "weft dedup");
        if (o->dedup->threshold) {
            SB_LIT(b, " --near ");
            near_put_threshold(b, o->dedup->threshold);
        }
    } else {
        SB_LIT(b, "weft split --ratios ");
        split_put_ratios(b, &o->ratios);
    }
    if (o->shard_rows) {
        SB_LIT(b, " --shard-rows ");
        sb_uint(b, o->shard_rows);
    }
    if (o->repack && o->compress) {
        SB_LIT(b, " --compress ");
        sb_c(b, pack_name(o->compress));
    }
    if (o->license) {
        SB_LIT(b, " --license ");
        sb_c(b, o->license);
    }
}

static void put_count(strbuf *b, const char *key, uint64_t n)
{
    json_key(b, key, false);
    sb_uint(b, n);
}

/* "splits": {"train": {"rows": 90, "bytes": 900}, ...} */
static void put_splits(strbuf *b, const split_options *o, const split_result *r)
{
    SB_LIT(b, ",\n  \"splits\": {");
    for (uint32_t i = 0; i < o->ratios.n; i++) {
        json_key(b, split_name(&o->ratios, i), i == 0);
        SB_LIT(b, "{\"rows\": ");
        sb_uint(b, r->part[i].rows);
        put_count(b, "bytes", r->part[i].bytes);
        SB_LIT(b, "}");
    }
    SB_LIT(b, "}");
}

/* stats.json: sizes of the whole, of each split, and of each category that occurs. */
static void put_stats(strbuf *b, const split_options *o, const split_result *r)
{
    bool first = true;
    SB_LIT(b, "{\n  \"command\": \"");
    put_command(b, o);
    SB_LIT(b, "\"");
    put_count(b, "records", r->rows);
    put_count(b, "bytes", r->bytes);
    put_count(b, "smallest_bytes", r->smallest);
    put_count(b, "largest_bytes", r->largest);
    put_splits(b, o, r);
    if (o->account) {
        SB_LIT(b, ",\n  \"skipped\": ");
        sb_str(b, o->account->skips);
    }
    if (o->dedup && !o->account) {
        SB_LIT(b, ",\n  \"dedup\": ");
        dedup_put_json(b, o->dedup);
    }
    SB_LIT(b, ",\n  \"categories\": {");
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++) {
        if (!r->records[c])
            continue;
        sb_c(b, first ? "\n    " : ",\n    ");
        json_key(b, gen_category_name((gen_category)c), true);
        SB_LIT(b, "{\"records\": ");
        sb_uint(b, r->records[c]);
        put_count(b, "bytes", r->category_bytes[c]);
        put_count(b, "mean_bytes", r->category_bytes[c] / r->records[c]);
        SB_LIT(b, "}");
        first = false;
    }
    SB_LIT(b, "\n  }\n}\n");
}

/* What lies beside the data and is not written here: its hash alone shows damage. */
static void put_skipped(strbuf *b, str text)
{
    uint8_t digest[SHA256_SIZE];
    char hex[SHA256_HEX];
    sha256_of(text.p, text.n, digest);
    sha256_hex(digest, hex);
    SB_LIT(b, ",\n  \"files\": [");
    manifest_put_shard(b, "skipped.jsonl", str_count(text, '\n'), text.n, hex, true);
    SB_LIT(b, "\n  ]");
}

/* Shards by part, as their names are sorted within each. */
static void put_manifest(strbuf *b, const split_options *o, const split_result *r,
                         const split_shards *shards)
{
    bool first = true;
    SB_LIT(b, "{\n  \"schema\": \"");
    sb_c(b, o->dedup ? DEDUP_SCHEMA : SPLIT_SCHEMA);
    SB_LIT(b, "\",\n  \"weft_version\": \"" WEFT_VERSION "\",\n  \"warp_version\": \"");
    sb_c(b, warp_release_version(r->warp));
    SB_LIT(b, "\",\n  \"command\": \"");
    put_command(b, o);
    if (o->account)
        sb_printf(b, "\",\n  \"inputs\": \"%s", o->account->inputs);
    SB_LIT(b, "\",\n  \"rows\": ");
    sb_uint(b, r->rows);
    put_splits(b, o, r);
    SB_LIT(b, ",\n  \"shards\": [");
    for (uint32_t part = 0; part < o->ratios.n; part++)
        for (uint32_t i = 0; i < shards->list.n; i++) {
            const split_shard *s = &shards->list.v[i];
            if (s->part != part)
                continue;
            manifest_put_shard(b, s->file, s->rows, s->bytes, s->sha256, first);
            first = false;
        }
    SB_LIT(b, "\n  ]");
    if (o->account)
        put_skipped(b, o->account->skipped);
    SB_LIT(b, "\n}\n");
}

/* The text of the first set's own card; empty, if it has none. A collected set's goes before
 * others: its records have all members that those have. */
static str card_of(arena *a, const split_options *o)
{
    str first = STR(""), card;
    for (uint32_t i = 0; i < o->npaths; i++) {
        if (file_read(a, path_join(a, o->paths[i], STR("README.md")), &card) != 0)
            continue;
        if (str_find(card, STR("- name: provenance\n")))
            return card;
        if (i == 0)
            first = card;
    }
    return first;
}

/* A section of a card, from its heading to the next one; empty, if it is not there. `heading`
 * starts with a newline, so that it is not found within a line; the result does not. */
static str section_of(str card, const char *heading)
{
    WEFT_ASSERT(heading[0] == '\n');
    const char *from = str_find(card, str_c(heading));
    if (!from)
        return STR("");
    const size_t n = strlen(heading);
    const str rest = {from + n, (size_t)(card.p + card.n - from) - n};
    const char *end = str_find(rest, STR("\n## "));
    return (str){from + 1, n - 1 + (end ? (size_t)(end + 1 - rest.p) : rest.n)};
}

/* Fields are not typed anew from the options, as these are not known here: the records may come
 * from several runs. Copies the types of the fields from the first set's card: its metadata between
 * dataset_info and configs. A card without them gives none. */
static void put_features(strbuf *b, str card)
{
    const char *from = str_find(card, STR("\ndataset_info:\n"));
    if (!from)
        return;
    const char *end = str_find((str){from, (size_t)(card.p + card.n - from)}, STR("\nconfigs:\n"));
    if (end)
        sb_put(b, from + 1, (size_t)(end - from));
}

/* The card's first paragraph: how the set came about. */
static void put_origin(strbuf *b, const split_options *o)
{
    if (o->account) {
        sb_str(b, o->account->origin);
        return;
    }
    if (!o->dedup) {
        SB_LIT(b, "A data set made by `weft generate`, divided by `weft split`. A record goes "
                  "where the hash of its family (`metadata.family`: its structure without types, "
                  "operators and names) says: no family stands on both sides of a border, and no "
                  "record moves when the set grows.");
        return;
    }
    sb_c(b, o->merge ? "Data sets joined by `weft merge`" : "What `weft dedup` left of a data set");
    SB_LIT(b, ": of records that share a structure "
              "(`metadata.structure`: the syntax tree without names, constants and comments) the "
              "first is kept. Of ");
    sb_uint(b, o->dedup->records);
    SB_LIT(b, " records ");
    sb_uint(b, o->dedup->duplicates);
    SB_LIT(b, " were duplicates.");
    if (!o->dedup->threshold)
        return;
    SB_LIT(b, " Another ");
    sb_uint(b, o->dedup->nears);
    SB_LIT(b, " were near duplicates: their similarity to one that was kept is ");
    near_put_threshold(b, o->dedup->threshold);
    SB_LIT(b, " or more, by the n-grams of their structures, as MinHash estimates it.");
}

/* Records of kernels that were made, and not found. */
static uint64_t made(const split_result *r)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < r->sources.v.n; i++)
        found += r->sources.v.v[i].records;
    return r->rows - found;
}

/* What the card says: the caller's word, else what all records state. NULL: the usual one. */
static const char *license_of(const split_options *o, const split_result *r)
{
    if (o->license)
        return o->license;
    return r->sources.v.n || r->licenses_differ ? "other" : r->license.n ? r->license.p : NULL;
}

/* The fields of a set whose records have those of several sets. */
static void put_filled(strbuf *b, const split_result *r)
{
    card_put_shape_fields(b, &r->keys.all);
    SB_LIT(b, "The set has records of several kinds (`metadata.origin`). What only another kind "
              "has is empty: a text of no characters, 0, null, an object of such.\n\n");
}

/* README.md: the head that the Hub reads, then sections. What describes the records is copied from
 * the first set's card; what describes this set is written anew. A split without records is left
 * out of the head, as loaders fail on a pattern that matches no file. */
static void put_card(strbuf *b, arena *a, const split_options *o, const split_result *r)
{
    const str card = card_of(a, o);
    card_put_head(b, r->rows, license_of(o, r), made(r) > 0);
    if (o->account)
        card_put_features(b, o->account->records);
    else if (r->keys.is_mixed)
        card_put_shape_features(b, &r->keys.all);
    else
        put_features(b, card);
    SB_LIT(b, "configs:\n- config_name: default\n  data_files:\n");
    for (uint32_t i = 0; i < o->ratios.n; i++) {
        if (!r->part[i].rows)
            continue;
        SB_LIT(b, "  - split: ");
        sb_c(b, split_name(&o->ratios, i));
        SB_LIT(b, "\n    path: ");
        if (o->files) {
            SB_LIT(b, "\"*/*.json\"\n");
            continue;
        }
        sb_c(b, r->bundles ? "\"" : "data/");
        sb_c(b, split_name(&o->ratios, i));
        sb_c(b, r->bundles ? "/*/metadata.json\"" : o->parquet ? "-*.parquet" : "-*.jsonl");
        sb_c(b, pack_extension(r->compress));
        SB_LIT(b, "\n");
    }
    SB_LIT(b, "---\n\n" CARD_TITLE "\n\n");
    put_origin(b, o);
    SB_LIT(b, "\n\n");
    if (o->account)
        card_put_fields(b, o->account->records);
    else if (r->keys.is_mixed)
        put_filled(b, r);
    else
        sb_str(b, section_of(card, "\n## Fields\n"));
    SB_LIT(b, "## Splits\n\n| split | records | bytes |\n|---|---:|---:|\n");
    for (uint32_t i = 0; i < o->ratios.n; i++) {
        SB_LIT(b, "| ");
        sb_c(b, split_name(&o->ratios, i));
        SB_LIT(b, " | ");
        sb_uint(b, r->part[i].rows);
        SB_LIT(b, " | ");
        sb_uint(b, r->part[i].bytes);
        SB_LIT(b, " |\n");
    }
    SB_LIT(b, "\n## Reproduce\n\n```\n");
    put_command(b, o);
    sb_c(b, o->account ? " --output DIR\n```\n\nPaths are shortened to their last names."
            : o->merge ? " --output DIR SET...\n```"
                       : " --output DIR SET\n```");
    SB_LIT(b, "\n\nFiles and hashes stand in `manifest.json`, counts by "
              "category in `stats.json`.\n\n");
    split_sources_put(b, &r->sources);
    if (o->account)
        sb_str(b, o->account->sections);
    sb_str(b, section_of(card, "\n## Known limits\n"));
    sb_str(b, section_of(card, "\n## Licence\n"));
}

int split_put_companions(arena *a, const split_options *o, const split_result *r,
                         const split_shards *shards, const char **path)
{
    strbuf text;
    int error = 0;
    sb_init(&text, a->m);
    for (int i = 0; i < COMPANIONS && !error; i++) {
        text.n = 0;
        if (i == 0)
            put_stats(&text, o, r);
        else if (i == 1)
            put_card(&text, a, o, r);
        else
            put_manifest(&text, o, r, shards);
        *path = path_join(a, o->output, str_c(names[i]));
        error = atomic_file_put(a, *path, sb_view(&text), true);
    }
    sb_clear(&text);
    return error;
}

void split_remove_companions(arena *a, const split_options *o)
{
    for (int i = 0; i < COMPANIONS; i++)
        io_unlink(path_join(a, o->output, str_c(names[i])));
}
