/* Files of records, found by the layouts that `weft generate` writes. */
#include "data/dataset_files.h"

#include <errno.h>

#include "base/file.h"
#include "base/io.h"
#include "data/json_peek.h"
#include "gen/gen.h"

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

bool dataset_is_shard(const char *name)
{
    return ends_with(name, ".jsonl") || ends_with(name, ".jsonl.zst") ||
           ends_with(name, ".jsonl.gz");
}

static bool is_record(const char *name)
{
    return ends_with(name, ".json") && strcmp(name, "manifest.json") != 0 &&
           strcmp(name, "stats.json") != 0;
}

int dataset_look(const char *path, dataset_place *p)
{
    struct stat st;
    *p = (dataset_place){0};
    if (io_stat(path, &st) < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    *p = (dataset_place){true, S_ISDIR(st.st_mode)};
    return 0;
}

static void add_file(dataset_list *l, arena *a, const char *path)
{
    const dataset_file file = {path, lines_kind_of(path)};
    VEC_PUSH(a, &l->files, file);
}

int dataset_add_folder(dataset_list *l, arena *a, const char *folder, bool one_each)
{
    const char *const *names;
    uint32_t n;
    const int error = file_list(a, folder, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++)
        if (one_each ? is_record(names[i]) : dataset_is_shard(names[i]))
            add_file(l, a, path_join(a, folder, str_c(names[i])));
    return error;
}

static int add_categories(dataset_list *l, arena *a, const char *folder)
{
    const char *const *names;
    uint32_t n;
    int error = file_list(a, folder, &names, &n);
    for (uint32_t i = 0; i < n && !error; i++) {
        gen_category c;
        dataset_place p;
        const char *path = path_join(a, folder, str_c(names[i]));
        if (!gen_category_find(str_c(names[i]), &c))
            continue;
        error = dataset_look(path, &p);
        if (!error && p.folder)
            error = dataset_add_folder(l, a, path, true);
    }
    return error;
}

int dataset_add_found(dataset_list *l, arena *a, const char *folder)
{
    const char *data = path_join(a, folder, STR("data"));
    const uint32_t before = l->files.n;
    dataset_place p;
    int error = dataset_look(data, &p);
    if (!error)
        error = dataset_add_folder(l, a, p.folder ? data : folder, false);
    if (!error && l->files.n == before)
        error = add_categories(l, a, folder);
    if (!error && l->files.n == before)
        error = dataset_add_folder(l, a, folder, true);
    return error;
}

int dataset_add_part(dataset_list *l, arena *a, const char *path, bool *there)
{
    dataset_place p;
    const int error = dataset_look(path, &p);
    *there = !error && p.there;
    if (error || !p.there)
        return error;
    if (p.folder)
        return dataset_add_folder(l, a, path, true);
    add_file(l, a, path);
    return 0;
}

/* No absolute name, and none that leads out of the folder. */
bool dataset_is_below(str name)
{
    if (!name.n || name.p[0] == '/')
        return false;
    for (size_t i = 0; i + 1 < name.n; i++)
        if (name.p[i] == '.' && name.p[i + 1] == '.')
            return false;
    return true;
}

static int add_named(dataset_list *l, arena *a, const char *folder, str manifest, const char **what)
{
    str shards, shard, raw;
    strbuf name;
    int error = json_peek(manifest, "shards", &shards) && shards.p[0] == '[' ? 0 : EINVAL;
    sb_init(&name, a->m);
    for (size_t at = 0; !error && json_peek_element(shards, &at, &shard);) {
        bool there = false;
        name.n = 0;
        if (!json_peek(shard, "file", &raw) || !json_peek_string(raw, &name) ||
            !dataset_is_below(sb_view(&name)))
            return EINVAL;
        *what = path_join(a, folder, sb_view(&name));
        error = dataset_add_part(l, a, *what, &there);
        if (!error && !there)
            error = ENOENT;
    }
    sb_clear(&name);
    return error;
}

int dataset_add(dataset_list *l, arena *a, const char *path, const char **what)
{
    dataset_place p;
    str manifest;
    *what = path;
    if (strcmp(path, "-") == 0) {
        add_file(l, a, path);
        return 0;
    }
    int error = dataset_look(path, &p);
    if (error)
        return error;
    if (!p.folder) {
        add_file(l, a, path);
        return p.there ? 0 : ENOENT;
    }
    *what = path_join(a, path, STR("manifest.json"));
    error = file_read(a, *what, &manifest);
    if (!error)
        return add_named(l, a, path, manifest, what);
    if (error != ENOENT)
        return error;
    *what = path;
    return dataset_add_found(l, a, path);
}
