/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the description of a part of a run: manifest.json, and the exact sums in sums.json, from
 * which the statistics of the whole run are made. Only finished parts of this version of weft are
 * accepted, as another version may make other bytes. For merge.c, one folder after another:
 *
 *     p2, of another seed   ->   "p2: it is part of another run than the first folder" */
#include <errno.h>
#include <stdio.h>

#include "base/c_locale.h"
#include "base/file.h"
#include "base/json_peek.h"
#include "base/json_tree.h"
#include "base/run_status.h"
#include "base/version.h"
#include "curate/merge_part.h"
#include "store/dataset_files.h"

/* "FOLDER: what", in a. */
static const char *say(arena *a, const char *folder, const char *what)
{
    strbuf b;
    sb_init(&b, a->m);
    sb_c(&b, folder);
    SB_LIT(&b, ": ");
    sb_c(&b, what);
    const char *copy = arena_dup(a, b.p, b.n);
    sb_clear(&b);
    return copy;
}

/* A string of the manifest, without its escapes, in a; NULL: there is none. */
static const char *get_string(arena *a, str text, const char *key)
{
    str v;
    strbuf b;
    const char *copy = NULL;
    sb_init(&b, a->m);
    if (json_peek(text, key, &v) && json_peek_string(v, &b))
        copy = arena_dup(a, b.p, b.n);
    sb_clear(&b);
    return copy;
}

static bool is_string(arena *a, str text, const char *key, const char *should)
{
    const char *is = get_string(a, text, key);
    return is && strcmp(is, should) == 0;
}

static bool get_count(str text, const char *key, uint64_t *out)
{
    str v;
    return json_peek(text, key, &v) && json_peek_count(v, out);
}

/* False: the list is damaged, or names a file outside the folder. */
static bool get_shards(arena *a, str text, merge_part *p)
{
    str list, e;
    size_t at = 0;
    if (!json_peek(text, "shards", &list) || !list.n || list.p[0] != '[')
        return false;
    while (json_peek_element(list, &at, &e)) {
        merge_shard s = {0};
        const char *file = get_string(a, e, "file"), *hash = get_string(a, e, "sha256");
        if (!file || !dataset_is_below(str_c(file)) || !hash || strlen(hash) != SHA256_HEX ||
            !get_count(e, "rows", &s.rows))
            return false;
        s.file = file;
        s.path = path_join(a, p->folder, str_c(file));
        memcpy(s.sha256, hash, SHA256_HEX);
        VEC_PUSH(a, &p->shards, s);
    }
    return true;
}

/* Those below return what is wrong, or NULL; *error is left alone, or the errno value of it. */

/* The only part of a run has no sums.json, and needs none: its files are copied. */
static const char *read_sums(arena *a, merge_part *p, int *error)
{
    str text;
    strbuf why;
    if (p->parts == 1)
        return NULL;
    const int failed = file_read(a, path_join(a, p->folder, STR("sums.json")), &text);
    if (failed == ENOENT)
        return "sums.json of the part is missing";
    if (failed)
        return error_text(*error = failed);
    sb_init(&why, a->m);
    const json_value *json = json_read(a, text, &why);
    const bool good = json && stats_read_sums(json, &p->sums);
    sb_clear(&why);
    return good ? NULL : "sums.json is damaged, or of another version of weft";
}

/* Is it of a release of Warp that weft knows? The parts' commands say which, and have to agree. */
static bool has_release(arena *a, str text)
{
    const char *version = get_string(a, text, "warp_version");
    return version && warp_release_of_version(version, strlen(version)) != WARP_ANY;
}

/* Reads both files into *p. The order of the checks is that of their messages' use: another version
 * may have another manifest, so its version is looked at before the members that depend on it. The
 * numbers of the part are checked here, since they come from a file; whether the parts fit together
 * is for the caller, who has all of them. */
static const char *look(arena *a, merge_part *p, int *failed)
{
    str text;
    uint64_t part, parts;
    const int error = file_read(a, path_join(a, p->folder, STR("manifest.json")), &text);
    if (error == ENOTDIR)
        return "it is a file: merge takes the folders of data sets";
    if (error == ENOENT)
        return "there is no manifest.json: it is no data set, or one of which nothing is finished";
    if (error)
        return error_text(*failed = error);
    if (!is_string(a, text, "schema", "weft-manifest-1"))
        return "manifest.json is not weft's";
    if (!is_string(a, text, "weft_version", WEFT_VERSION) || !has_release(a, text))
        return "another version of weft made it";
    if (!is_string(a, text, "state", "complete"))
        return "it is not finished: the command that made it ends it with --resume";
    p->command = get_string(a, text, "command");
    if (!p->command || !get_count(text, "part", &part) || !get_count(text, "parts", &parts) ||
        !get_count(text, "first_index", &p->first) || !get_count(text, "rows", &p->rows) || !part ||
        part > parts || parts > RECORD_PARTS_MAX || !get_shards(a, text, p))
        return "manifest.json is damaged";
    p->part = (uint32_t)part;
    p->parts = (uint32_t)parts;
    return read_sums(a, p, failed);
}

int merge_look(arena *a, const char *folder, merge_part *out, const char **message)
{
    int error = STATUS_REFUSED;
    *out = (merge_part){.folder = folder};
    const char *what = look(a, out, &error);
    if (!what)
        return STATUS_OK;
    *message = say(a, folder, what);
    return error;
}
