/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the manifest of a split (`weft split`), or of what deduplication left (`weft dedup`), for
 * validate_manifest.c. The records keep their ids, so their indexes have gaps, and categories are
 * in no balance. Instead, each record must be in the split of its family (store/split_ratios.h):
 *
 *     "weft split --ratios 90,5,5 ...", a record in data/test-00000-of-00001.jsonl whose family
 *     hashes below 90 %   ->   "its family belongs to the split train" */
#include "base/version.h"
#include "store/split_ratios.h"
#include "validate/validate_set.h"

/* The fields of such a manifest beside "schema", which validate_is_split has looked at. */
enum { F_WEFT, F_WARP, F_COMMAND, F_ROWS, F_SPLITS, F_SHARDS, F_FILES };

static const json_field fields[] = {
    [F_WEFT] = {"weft_version", JSON_STRING, false},
    [F_WARP] = {"warp_version", JSON_STRING, false},
    [F_COMMAND] = {"command", JSON_STRING, false},
    [F_ROWS] = {"rows", JSON_COUNT, false},
    [F_SPLITS] = {"splits", JSON_OBJECT, false},
    [F_SHARDS] = {"shards", JSON_ARRAY, false},
    [F_FILES] = {"files", JSON_ARRAY, true},
};
enum { F_COUNT = sizeof fields / sizeof *fields };

/* False, with the reason in v->text. */
static bool say(validate_state *v, const char *what)
{
    sb_c(&v->text, what);
    return false;
}

static bool is_schema(const json_value *json, const char *name)
{
    const json_value *schema = json_get(json, "schema");
    return json_is(schema, JSON_TYPE_STRING) && strcmp(schema->text.p, name) == 0;
}

/* What the command of weft collect promises of the records: "weft collect warp --device cuda". The
 * options come after the paths, which may be named like them. */
static bool read_collected(validate_state *v, validate_set *s)
{
    static const char head[] = "weft collect ", option[] = " --device ";
    enum { HEAD = sizeof head - 1, OPTION = sizeof option - 1 };
    if (s->command.n < HEAD || memcmp(s->command.p, head, HEAD) != 0)
        return true;
    const char *rest = "";
    for (size_t i = 0; i + OPTION <= s->command.n; i++)
        if (memcmp(s->command.p + i, option, OPTION) == 0)
            rest = s->command.p + i + OPTION;
    const str device = str_take_word(&rest);
    s->collected_for = str_eq(device, STR("cpu"))    ? EMIT_FOR_CPU
                       : str_eq(device, STR("cuda")) ? EMIT_FOR_CUDA
                       : str_eq(device, STR("both")) ? EMIT_FOR_BOTH
                                                     : 0;
    if (!s->collected_for)
        return say(v, "its command names no device");
    for (str word; (word = str_take_word(&rest)).n;) {
        s->no_backward |= str_eq(word, STR("--no-backward"));
        s->no_verify |= str_eq(word, STR("--no-verify"));
    }
    return true;
}

/* The ratios, from the command: "weft split --ratios 90,5,5 ...". What `weft dedup` writes is one
 * split, train, in which no structure may be there twice. */
static bool read_ratios(validate_state *v, validate_set *s, const json_value *json)
{
    static const char head[] = "weft split --ratios ";
    enum { N = sizeof head - 1 };
    str text = s->command;
    if (is_schema(json, DEDUP_SCHEMA)) {
        s->ratios = split_none();
        s->is_single = true;
        return read_collected(v, s);
    }
    if (text.n < N || memcmp(text.p, head, N) != 0)
        return say(v, "its command is not readable");
    text = (str){text.p + N, text.n - N};
    const char *space = memchr(text.p, ' ', text.n);
    const char *wrong =
        split_read_ratios((str){text.p, space ? (size_t)(space - text.p) : text.n}, &s->ratios);
    if (wrong)
        SB_LIT(&v->text, "its command's ratios: ");
    return !wrong || say(v, wrong);
}

/* "data/test-00000-of-00001.jsonl" and "test", a folder of programs, are of the third of three
 * splits; false: of none. "loop/7-000000042.json" is of the only one. */
static bool part_of(const split_ratios *r, str file, uint32_t *part)
{
    static const char data[] = "data/";
    enum { N = sizeof data - 1 };
    *part = 0;
    if (r->n == 1 && file.n > 5 && memcmp(file.p + file.n - 5, ".json", 5) == 0)
        return true;
    for (; *part < r->n; ++*part) {
        const str name = str_c(split_name(r, *part));
        if (str_eq(file, name))
            return true;
        if (file.n > N + name.n && memcmp(file.p, data, N) == 0 &&
            memcmp(file.p + N, name.p, name.n) == 0 && file.p[N + name.n] == '-')
            return true;
    }
    return false;
}

/* Keeps the bytes that "splits" gives, for when they have been counted. Does it give each split as
 * many rows as its shards have together? */
static bool check_splits(validate_state *v, validate_set *s, const json_value *splits)
{
    uint64_t rows[SPLITS_MAX] = {0};
    uint32_t part;
    for (uint32_t i = 0; i < s->shards.n; i++) {
        if (!part_of(&s->ratios, s->shards.v[i].name, &part))
            return say(v, "it names a file of no split");
        rows[part] += s->shards.v[i].rows;
    }
    for (part = 0; part < s->ratios.n; part++) {
        const json_value *e = json_get(splits, split_name(&s->ratios, part));
        const json_value *n = json_get(e, "rows");
        const json_value *bytes = json_get(e, "bytes");
        s->stated_bytes[part] =
            json_is(bytes, JSON_TYPE_NUMBER) && json_number(bytes) >= 0 ? json_number(bytes) : -1;
        if (json_is(n, JSON_TYPE_NUMBER) && json_number(n) == (double)rows[part])
            continue;
        SB_LIT(&v->text, "its shards have not as many rows as splits.");
        return say(v, split_name(&s->ratios, part));
    }
    return true;
}

void validate_split_count(validate_set *s, int shard, uint64_t bytes)
{
    uint32_t part;
    if (shard < 0 || !part_of(&s->ratios, s->shards.v[shard].name, &part))
        return;
    s->split_rows[part]++;
    s->split_bytes[part] += bytes;
}

bool validate_split_bytes(validate_state *v, const validate_set *s)
{
    for (uint32_t i = 0; i < s->ratios.n; i++) {
        if (s->stated_bytes[i] == (double)s->split_bytes[i])
            continue;
        sb_printf(&v->text, "splits.%s.bytes: the manifest has another number than %llu",
                  split_name(&s->ratios, i), (unsigned long long)s->split_bytes[i]);
        return false;
    }
    return true;
}

bool validate_splits_agree(validate_state *v, const validate_set *s, const json_value *splits)
{
    uint32_t listed = 0;
    for (const json_value *e = splits->child; e; e = e->next)
        listed++;
    if (listed != s->ratios.n)
        return say(v, "its splits are not those of its command");
    for (uint32_t i = 0; i < s->ratios.n; i++) {
        const char *name = split_name(&s->ratios, i);
        const json_value *e = json_get(splits, name);
        const json_value *rows = json_get(e, "rows"), *bytes = json_get(e, "bytes");
        if (json_is(rows, JSON_TYPE_NUMBER) && json_is(bytes, JSON_TYPE_NUMBER) &&
            json_number(rows) == (double)s->split_rows[i] &&
            json_number(bytes) == (double)s->split_bytes[i])
            continue;
        sb_printf(&v->text, "splits.%s: there are %llu rows of %llu bytes", name,
                  (unsigned long long)s->split_rows[i], (unsigned long long)s->split_bytes[i]);
        return false;
    }
    return true;
}

bool validate_is_split(const json_value *json)
{
    return is_schema(json, SPLIT_SCHEMA) || is_schema(json, DEDUP_SCHEMA);
}

bool validate_split_manifest(validate_state *v, validate_set *s, const json_value *json)
{
    const json_value *f[F_COUNT];
    if (!json_fields(json, fields, F_COUNT, false, "", f, &v->text))
        return false;
    s->warp = warp_release_of_version(f[F_WARP]->text.p, strlen(f[F_WARP]->text.p));
    if (strcmp(f[F_WEFT]->text.p, WEFT_VERSION) != 0 || s->warp == WARP_ANY)
        return say(v, "it was written by another version of weft or for another of Warp");
    const char *command = f[F_COMMAND]->text.p;
    s->command = (str){arena_dup(v->a, command, strlen(command)), strlen(command)};
    s->rows = json_count(f[F_ROWS]);
    return read_ratios(v, s, json) && validate_manifest_shards(v, s, f[F_SHARDS]) &&
           validate_manifest_beside(v, s, f[F_FILES]) && check_splits(v, s, f[F_SPLITS]);
}

/* Files that the manifest does not name belong to no split: they are reported as such elsewhere,
 * and agree here. */
bool validate_split_agrees(validate_state *v, const validate_set *s, const validate_line *line)
{
    const validate_file *file = &v->files.v[line->file];
    WEFT_ASSERT(s->ratios.n && file->shard < (int)s->shards.n);
    char hex[FINGERPRINT_HEX];
    uint32_t part;
    if (file->shard < 0 || !part_of(&s->ratios, s->shards.v[file->shard].name, &part))
        return true;
    fingerprint_hex(line->facts.family, hex);
    const uint32_t should = split_of(&s->ratios, (str){hex, FINGERPRINT_HEX});
    if (part == should)
        return true;
    SB_LIT(&v->text, "its family belongs to the split ");
    return say(v, split_name(&s->ratios, should));
}
