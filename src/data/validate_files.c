/* From a path on the command line to the files of records behind it. */
#include <errno.h>

#include "base/file.h"
#include "base/io.h"
#include "data/validate_set.h"

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

static bool is_lines(const char *name)
{
    return ends_with(name, ".jsonl") || ends_with(name, ".jsonl.zst");
}

static lines_kind kind_of(const char *path)
{
    return ends_with(path, ".zst")    ? LINES_ZSTD
           : ends_with(path, ".json") ? LINES_WHOLE
                                      : LINES_PLAIN;
}

static void add_file(valid_run *v, uint32_t set, const char *path, int shard)
{
    const valid_file file = {.path = path, .kind = kind_of(path), .set = set, .shard = shard};
    VEC_PUSH(v->a, &v->files, file);
}

static uint32_t new_set(valid_run *v, const char *folder)
{
    const valid_set set = {.folder = folder};
    VEC_PUSH(v->a, &v->sets, set);
    return v->sets.n - 1;
}

/* Files on their own share a set. */
static uint32_t loose_set(valid_run *v)
{
    for (uint32_t i = 0; i < v->sets.n; i++)
        if (!v->sets.v[i].folder)
            return i;
    return new_set(v, NULL);
}

typedef struct place {
    bool there, folder;
} place;

/* 0 or an errno value; a file that is not there is no error. */
static int look(const char *path, place *p)
{
    struct stat st;
    *p = (place){0};
    if (io_stat(path, &st) < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    *p = (place){true, S_ISDIR(st.st_mode)};
    return 0;
}

static int shard_named(const valid_set *s, const char *path)
{
    for (uint32_t i = 0; i < s->shards.n; i++)
        if (strcmp(s->shards.v[i].path, path) == 0)
            return (int)i;
    return -1;
}

/* Files of a folder that hold records: one each (.json), or many. */
static int add_all(valid_run *v, uint32_t set, const char *folder, bool one_each, int shard)
{
    const char *const *names;
    uint32_t n;
    const int error = file_list(v->a, folder, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++)
        if (one_each ? ends_with(names[i], ".json") && strcmp(names[i], "manifest.json") &&
                           strcmp(names[i], "stats.json")
                     : is_lines(names[i]))
            add_file(v, set, path_join(v->a, folder, str_c(names[i])), shard);
    return error;
}

/* Shards that lie beside those of the manifest. */
static int add_strangers(valid_run *v, uint32_t set, const char *folder)
{
    const char *const *names;
    uint32_t n;
    const int error = file_list(v->a, folder, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++) {
        const char *path = path_join(v->a, folder, str_c(names[i]));
        if (!is_lines(names[i]) || shard_named(&v->sets.v[set], path) >= 0)
            continue;
        SB_LIT(&v->text, "the manifest does not name it");
        set_tell(v, path, 0, (str){0}, VALIDATE_SCHEMA);
        add_file(v, set, path, -1);
    }
    return error;
}

/* The files of one shard, or of one category. */
static int add_shard(valid_run *v, uint32_t set, uint32_t number)
{
    const valid_set *s = &v->sets.v[set];
    valid_shard *shard = &s->shards.v[number];
    place p;
    const int error = look(shard->path, &p);
    if (error)
        return error;
    shard->there = p.there && p.folder == s->is_files;
    if (!shard->there)
        return 0;
    if (s->is_files)
        return add_all(v, set, shard->path, true, (int)number);
    add_file(v, set, shard->path, (int)number);
    return 0;
}

/* What the manifest names. */
static int add_named(valid_run *v, uint32_t set)
{
    const char *data = path_join(v->a, v->sets.v[set].folder, STR("data"));
    int error = 0;
    place p;
    for (uint32_t i = 0; i < v->sets.v[set].shards.n && !error; i++)
        error = add_shard(v, set, i);
    if (!error)
        error = look(data, &p);
    return error || !p.folder ? error : add_strangers(v, set, data);
}

/* Folders of categories. */
static int add_categories(valid_run *v, uint32_t set, const char *folder)
{
    const char *const *names;
    uint32_t n;
    int error = file_list(v->a, folder, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++) {
        gen_category c;
        place p;
        const char *path = path_join(v->a, folder, str_c(names[i]));
        if (!gen_category_find(str_c(names[i]), &c))
            continue;
        error = look(path, &p);
        if (!error && p.folder)
            error = add_all(v, set, path, true, -1);
    }
    return error;
}

/* Shards in data/ or in the folder itself; else files of one record, below or in it. */
static int add_found(valid_run *v, uint32_t set)
{
    const char *folder = v->sets.v[set].folder;
    const char *data = path_join(v->a, folder, STR("data"));
    const uint32_t before = v->files.n;
    place p;
    int error = look(data, &p);
    if (!error)
        error = add_all(v, set, p.folder ? data : folder, false, -1);
    if (!error && v->files.n == before)
        error = add_categories(v, set, folder);
    if (!error && v->files.n == before)
        error = add_all(v, set, folder, true, -1);
    return error;
}

static bool exists(valid_run *v, const char *folder, str name)
{
    place p;
    return look(path_join(v->a, folder, name), &p) == 0;
}

/* What weft made has a manifest; without it nobody can tell whether files are missing. */
static void tell_missing_manifest(valid_run *v, const char *folder)
{
    if (!exists(v, folder, STR("data")) && !exists(v, folder, STR("stats.json")))
        return;
    SB_LIT(&v->text, "it is missing, so that nobody can tell whether files are");
    set_tell(v, path_join(v->a, folder, STR("manifest.json")), 0, (str){0}, VALIDATE_HASH);
}

int set_open(valid_run *v, const char *path)
{
    place p;
    int error = look(path, &p);
    if (error)
        return error;
    if (!p.folder) {
        add_file(v, loose_set(v), path, -1);
        return 0;
    }
    const uint32_t set = new_set(v, path), before = v->files.n;
    const uint64_t problems = v->r->problems;
    error = manifest_read(v, &v->sets.v[set]);
    if (!error)
        error = v->sets.v[set].manifest ? add_named(v, set) : add_found(v, set);
    if (!error && !v->sets.v[set].manifest && v->r->problems == problems)
        tell_missing_manifest(v, path);
    if (error || v->files.n > before || v->sets.v[set].manifest || v->r->problems > problems)
        return error;
    SB_LIT(&v->text, "no records in this folder");
    set_tell_always(v, path, 0, (str){0}, VALIDATE_SCHEMA);
    return 0;
}
