/* SPDX-License-Identifier: Apache-2.0 */
/* The folders of a set of programs against its manifest, for validate_files.c: for each index there
 * is one, named after its id and category. A manifest of programs has no names of files; its
 * "shards" count by category:
 *
 *     {"file": "loop", "rows": 2, ...}, 12 categories, loop is number 2, first_index 0
 *     ->  7-000000002_loop, 7-000000014_loop
 *
 * A folder that is missing and one that is not in the manifest are problems; both kinds of folders
 * that exist are read and checked as records. */
#include <errno.h>

#include "base/file.h"
#include "record/record_name.h"
#include "standalone/standalone.h"
#include "validate/validate_set.h"

typedef struct folder_name {
    uint64_t seed, index;
    gen_category category;
} folder_name;

/* Zeros for a folder with another name, which dataset_add_programs does not list. */
static folder_name name_of(const dataset_file *f)
{
    folder_name n = {0};
    (void)dataset_read_program(f->path, &n.seed, &n.index, &n.category);
    return n;
}

/* Reports SET/7-000000014_loop, which does not exist, under the id 7-000000014. */
static void report_missing(validate_state *v, const validate_set *s, uint64_t index, gen_category c)
{
    strbuf id;
    sb_init(&id, v->a->m);
    record_put_id(&id, s->seed, index);
    SB_LIT(&id, "_");
    sb_c(&id, gen_category_name(c));
    const char *path = path_join(v->a, s->folder, sb_view(&id));
    id.n -= 1 + strlen(gen_category_name(c));
    SB_LIT(&v->text, "the folder is missing");
    validate_report(v, path, 0, sb_view(&id), VALIDATE_SCHEMA);
    sb_clear(&id);
}

/* Adds the folders of one category, and reports those that the manifest has and the disk lacks.
 * Both come in the order of their indexes, so one pass is enough: `next` is the index whose folder
 * has not come yet. Index i has category i % each, so the first one of this category is the least
 * index from s->first on with the remainder `number`. */
static void add_category(validate_state *v, uint32_t set, const dataset_list *l, uint32_t number)
{
    const validate_set *s = &v->sets.v[set];
    WEFT_ASSERT(number < s->ncategories && s->shards.n == s->ncategories);
    const gen_category c = s->categories[number];
    const uint64_t end = s->first + s->rows, each = s->ncategories;
    uint64_t next = s->first + (number + each - s->first % each) % each;
    for (uint32_t i = 0; i < l->files.n; i++) {
        const folder_name name = name_of(&l->files.v[i]);
        if (name.category != c)
            continue;
        const bool own = name.seed == s->seed && name.index >= s->first && name.index < end &&
                         name.index % each == number;
        for (; own && next < name.index; next += each)
            report_missing(v, s, next, c);
        next += own ? each : 0;
        if (!own)
            SB_LIT(&v->text, "the manifest does not have this record");
        if (!own)
            validate_report(v, l->files.v[i].path, 0, (str){0}, VALIDATE_SCHEMA);
        const validate_file file = {.path = l->files.v[i].path,
                                    .kind = LINE_READER_BUNDLE,
                                    .set = set,
                                    .shard = own ? (int)number : -1};
        VEC_PUSH(v->a, &v->files, file);
    }
    for (; next < end; next += each)
        report_missing(v, s, next, c);
}

/* Of categories that the manifest does not have. */
static void add_strangers(validate_state *v, uint32_t set, const dataset_list *l)
{
    const validate_set *s = &v->sets.v[set];
    for (uint32_t i = 0; i < l->files.n; i++) {
        const folder_name name = name_of(&l->files.v[i]);
        uint32_t k = 0;
        while (k < s->ncategories && s->categories[k] != name.category)
            k++;
        if (k < s->ncategories)
            continue;
        SB_LIT(&v->text, "the manifest does not have this category");
        validate_report(v, l->files.v[i].path, 0, (str){0}, VALIDATE_SCHEMA);
        const validate_file file = {
            .path = l->files.v[i].path, .kind = LINE_READER_BUNDLE, .set = set, .shard = -1};
        VEC_PUSH(v->a, &v->files, file);
    }
}

/* Is "shards" one row for each category, in the order of the command? add_category takes the number
 * of a row as that of the category. */
static bool names_categories(validate_state *v, const validate_set *s)
{
    bool same = s->shards.n == s->ncategories;
    for (uint32_t i = 0; i < s->shards.n && same; i++)
        same = str_eq(s->shards.v[i].name, str_c(gen_category_name(s->categories[i])));
    if (same)
        return true;
    SB_LIT(&v->text, "shards[] is not one row for each category of its command");
    validate_report(v, s->manifest, 0, (str){0}, VALIDATE_SCHEMA);
    return false;
}

int validate_set_add_bundles(validate_state *v, uint32_t set)
{
    dataset_list found = {0};
    validate_set *s = &v->sets.v[set];
    WEFT_ASSERT(s->is_bundles && s->manifest);
    const int error = dataset_add_programs(&found, v->a, s->folder);
    if (error)
        return error;
    if (!names_categories(v, s))
        s->shards.n = 0;
    for (uint32_t i = 0; i < s->shards.n; i++) {
        s->shards.v[i].there = true;
        add_category(v, set, &found, i);
    }
    add_strangers(v, set, &found);
    return 0;
}

/* Reports a problem of a file that lies beside the folders. */
static void report_beside(validate_state *v, const char *path, const char *what,
                          validate_check check)
{
    sb_c(&v->text, what);
    validate_report(v, path, 0, (str){0}, check);
}

/* README.md must be there. With --cpu-shim, cuda_on_cpu.h must be what this version of weft writes,
 * as its hash stands in no manifest. */
int validate_set_check_beside(validate_state *v, const validate_set *s)
{
    str is = {0};
    strbuf should;
    dataset_place p;
    if (!s->manifest || !s->is_bundles || s->ratios.n)
        return 0;
    const char *path = path_join(v->a, s->folder, STR("README.md"));
    int error = dataset_look(path, &p);
    if (!error && !p.there)
        report_beside(v, path, "it is missing", VALIDATE_SCHEMA);
    if (error || !s->has_shim)
        return error;
    path = path_join(v->a, s->folder, STR(STANDALONE_SHIM));
    error = file_read(v->a, path, &is);
    if (error == ENOENT) {
        report_beside(v, path, "it is missing", VALIDATE_SCHEMA);
        return 0;
    }
    sb_init(&should, v->a->m);
    standalone_put_shim(&should);
    if (!error && !str_eq(is, sb_view(&should)))
        report_beside(v, path, "it is not what weft writes", VALIDATE_HASH);
    sb_clear(&should);
    return error;
}
