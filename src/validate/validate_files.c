/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the files of records behind a path, and the set that each belongs to: a folder with its
 * manifest, or all files that are named on their own. For validate.c, before anything is read.
 *
 *     weft validate set a.jsonl b.jsonl
 *     ->  set 0: folder "set", the shards of its manifest
 *         set 1: no folder, a.jsonl and b.jsonl */
#include <errno.h>

#include "base/file.h"
#include "validate/validate_set.h"

/* Takes what was found into the run. */
static void add_files(validate_state *v, uint32_t set, const dataset_list *l, int shard)
{
    WEFT_ASSERT(set < v->sets.n && shard < (int)v->sets.v[set].shards.n);
    for (uint32_t i = 0; i < l->files.n; i++) {
        const validate_file file = {
            .path = l->files.v[i].path, .kind = l->files.v[i].kind, .set = set, .shard = shard};
        VEC_PUSH(v->a, &v->files, file);
    }
}

static void add_file(validate_state *v, uint32_t set, const char *path)
{
    const validate_file file = {
        .path = path, .kind = line_reader_kind_of(path), .set = set, .shard = -1};
    VEC_PUSH(v->a, &v->files, file);
}

static uint32_t new_set(validate_state *v, const char *folder)
{
    const validate_set set = {.folder = folder};
    VEC_PUSH(v->a, &v->sets, set);
    return v->sets.n - 1;
}

/* The set of all files that are named on their own, made when the first one comes. */
static uint32_t loose_set(validate_state *v)
{
    for (uint32_t i = 0; i < v->sets.n; i++)
        if (!v->sets.v[i].folder)
            return i;
    return new_set(v, NULL);
}

/* The number of the manifest's shard with this path, or -1. */
static int shard_named(const validate_set *s, const char *path)
{
    for (uint32_t i = 0; i < s->shards.n; i++)
        if (strcmp(s->shards.v[i].path, path) == 0)
            return (int)i;
    return -1;
}

/* Shards that lie beside those of the manifest: a problem, and their records are checked, too. A
 * loader that takes data/ as a whole would read them. */
static int add_strangers(validate_state *v, uint32_t set, const char *folder)
{
    const char *const *names;
    uint32_t n;
    const int error = file_list(v->a, folder, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++) {
        const char *path = path_join(v->a, folder, str_c(names[i]));
        if (!dataset_is_shard(names[i]) || shard_named(&v->sets.v[set], path) >= 0)
            continue;
        SB_LIT(&v->text, "the manifest does not name it");
        validate_report(v, path, 0, (str){0}, VALIDATE_SCHEMA);
        add_file(v, set, path);
    }
    return error;
}

/* The files of one shard, or of one category. Where the manifest has a file and the disk a folder,
 * or the other way round, the shard counts as missing. */
static int add_shard(validate_state *v, uint32_t set, uint32_t number)
{
    WEFT_ASSERT(set < v->sets.n && number < v->sets.v[set].shards.n);
    const validate_set *s = &v->sets.v[set];
    validate_shard *shard = &s->shards.v[number];
    dataset_list found = {0};
    dataset_place p;
    int error = dataset_look(shard->path, &p);
    shard->there = !error && p.there && (p.folder == s->is_files || s->ratios.n);
    if (shard->there)
        error = dataset_add_part(&found, v->a, shard->path, &shard->there);
    if (p.folder && !s->is_files && found.files.n && found.files.v[0].kind != LINE_READER_BUNDLE)
        found.files.n = 0;
    add_files(v, set, &found, (int)number);
    return error;
}

/* What the manifest names. */
static int add_named(validate_state *v, uint32_t set)
{
    const char *data = path_join(v->a, v->sets.v[set].folder, STR("data"));
    int error = 0;
    dataset_place p;
    if (v->sets.v[set].is_bundles)
        return validate_set_add_bundles(v, set);
    for (uint32_t i = 0; i < v->sets.v[set].shards.n && !error; i++)
        error = add_shard(v, set, i);
    if (!error)
        error = dataset_look(data, &p);
    return error || !p.folder ? error : add_strangers(v, set, data);
}

static bool exists(validate_state *v, const char *folder, str name)
{
    dataset_place p;
    return dataset_look(path_join(v->a, folder, name), &p) == 0 && p.there;
}

/* What weft made has a manifest; without it there is no way to see whether files are missing. */
static void report_missing_manifest(validate_state *v, const char *folder)
{
    if (!exists(v, folder, STR("data")) && !exists(v, folder, STR("stats.json")))
        return;
    SB_LIT(&v->text, "it is missing, so missing files cannot be found");
    validate_report(v, path_join(v->a, folder, STR("manifest.json")), 0, (str){0}, VALIDATE_HASH);
}

/* Only a folder without manifest is searched: where there is one, a file it names and that is
 * missing must be seen to be missing. */
int validate_set_open(validate_state *v, const char *path)
{
    dataset_list found = {0};
    dataset_place p;
    int error = dataset_look(path, &p);
    if (error)
        return error;
    const char *other = dataset_refuse_program(path);
    if (other) {
        sb_c(&v->text, other);
        validate_report_always(v, path, 0, (str){0}, VALIDATE_SCHEMA);
        return 0;
    }
    if (!p.folder) {
        add_file(v, loose_set(v), path);
        return 0;
    }
    const uint32_t set = new_set(v, path), before = v->files.n;
    const uint64_t problems = v->r->problems;
    error = validate_manifest(v, &v->sets.v[set]);
    if (!error)
        error = v->sets.v[set].manifest ? add_named(v, set) : dataset_add_found(&found, v->a, path);
    add_files(v, set, &found, -1);
    if (!error && !v->sets.v[set].manifest && v->r->problems == problems)
        report_missing_manifest(v, path);
    if (error || v->files.n > before || v->sets.v[set].manifest || v->r->problems > problems)
        return error;
    SB_LIT(&v->text, "no records in this folder");
    validate_report_always(v, path, 0, (str){0}, VALIDATE_SCHEMA);
    return 0;
}
