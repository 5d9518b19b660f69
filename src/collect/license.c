/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the licence of a file or package: by the file's own line, the package's metadata, or the
 * text of a LICENSE file.
 *
 *     # SPDX-License-Identifier: Apache-2.0                   ->   Apache-2.0
 *     License-Expression: Apache-2.0                          ->   Apache-2.0
 *     Classifier: License :: OSI Approved :: MIT License      ->   MIT
 *     LICENSE: "Permission is hereby granted, free ..."       ->   MIT */
#include "collect/license.h"

#include <errno.h>

#include "base/file.h"
#include "base/folder_walk.h"
#include "collect/license_text.h"
#include "record/spdx.h"

typedef struct license_row {
    const char *id, *words, *more, *classifier;
} license_row;

static const license_row rows[] = {
#define LICENSE(id, words, more, classifier) {id, words, more, classifier},
#include "collect/license.def"
#undef LICENSE
};
enum { ROWS = sizeof rows / sizeof *rows, TEXT_MOST = 1 << 18, HEAD_MOST = 4096 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* In lower case, with single spaces in place of line ends, so that phrases are found across
 * them. */
static str flat(arena *a, str text)
{
    char *p = arena_alloc(a, text.n + 1);
    size_t n = 0;
    text.n = text.n < TEXT_MOST ? text.n : TEXT_MOST;
    for (size_t i = 0; i < text.n; i++) {
        const char c = lower(text.p[i]);
        const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (!space)
            p[n++] = c;
        else if (n && p[n - 1] != ' ')
            p[n++] = ' ';
    }
    return (str){p, n};
}

static bool is_of_expression(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr(".+-() ", c));
}

/* What the head of a text says behind SPDX-License-Identifier:, up to the end of its line or
 * comment; empty: nothing. It points into the text. */
static str spdx_line(str text)
{
    static const char tag[] = "SPDX-License-Identifier:";
    enum { TAG = sizeof tag - 1 };
    text.n = text.n < HEAD_MOST ? text.n : HEAD_MOST;
    for (size_t i = 0; i + TAG < text.n; i++) {
        if (memcmp(text.p + i, tag, TAG) != 0)
            continue;
        size_t from = i + TAG, to;
        while (from < text.n && text.p[from] == ' ')
            from++;
        for (to = from; to < text.n && is_of_expression(text.p[to]);)
            to++;
        while (to > from && text.p[to - 1] == ' ')
            to--;
        return (str){text.p + from, to - from};
    }
    return STR("");
}

/* A file that is not there, or not for us, is no failure. */
static license_found with_error(license_found found, int error)
{
    static const int usual[] = {0, ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, ELOOP, EINVAL};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (error == usual[i])
            return found;
    found.error = error;
    return found;
}

/* What a source or package says itself. Ids have no case, and the card counts by them. */
static license_found stated(arena *a, str expression)
{
    const str known = spdx_read(a, expression);
    return known.n ? (license_found){.id = known} : (license_found){.custom = expression};
}

license_found license_of_source(arena *a, const char *path, license_found around)
{
    const arena_mark before = arena_save(a);
    char id[HEAD_MOST];
    str text;
    const int error = file_read(a, path, &text);
    if (error)
        return with_error(around, error);
    const str found = spdx_line(text);
    memcpy(id, found.p, found.n);
    arena_rewind(a, before);
    if (!found.n)
        return around;
    return stated(a, (str){arena_dup(a, id, found.n), found.n});
}

/* The row whose phrases are there, the first one earliest: a text names its own licence before
 * others. Of equals narrower licences have the earlier rows. */
static str find_row(str words)
{
    const char *best = NULL;
    str id = STR("");
    for (size_t i = 0; i < ROWS; i++) {
        const char *at = str_find(words, str_c(rows[i].words));
        if (!at || (best && at >= best) || !str_contains(words, str_c(rows[i].more)))
            continue;
        best = at;
        id = str_c(rows[i].id);
    }
    return id;
}

/* What the text says itself; else the licence whose text it is. *more: it has further conditions,
 * and so is none that is known. */
static str id_of_text(arena *a, str text, bool *more)
{
    *more = false;
    const str own = spdx_line(text);
    if (own.n || text.n > TEXT_MOST)
        return spdx_read(a, own);
    const str id = find_row(flat(a, text));
    *more = id.n && license_text_has_more(a, text);
    return *more ? STR("") : id;
}

/* The first file by name that is recognised: LICENSE goes before LICENSE-3RD-PARTY, which says
 * nothing of the rest where LICENSE has conditions of its own. Where none is recognised, whatever
 * holds around the folder need not hold in it. */
license_found license_of_folder(arena *a, const char *folder, license_found around)
{
    const char *const *names;
    const char *unread = NULL;
    uint32_t n;
    str text;
    bool more = false;
    int error = file_list(a, folder, &names, &n);
    if (error)
        return with_error(around, error);
    for (uint32_t i = 0; i < n && !more; i++) {
        const str name = flat(a, str_c(names[i]));
        const char *path = path_join(a, folder, str_c(names[i]));
        if (!str_starts(name, "license") && !str_starts(name, "licence") &&
            !str_starts(name, "copying"))
            continue;
        error = file_read(a, path, &text);
        if (error == EISDIR)
            continue;
        around = with_error(around, error);
        const str id = error ? STR("") : id_of_text(a, text, &more);
        if (id.n)
            return (license_found){.id = id, .error = around.error};
        unread = unread || path_ends_with(path, ".py") ? unread : path;
    }
    return unread ? (license_found){.unread = unread, .error = around.error} : around;
}

/* "Name: value", in the head of the file. */
str metadata_field(str metadata, const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i < metadata.n;) {
        const char *end = memchr(metadata.p + i, '\n', metadata.n - i);
        const size_t len = end ? (size_t)(end - metadata.p) - i : metadata.n - i;
        const str line = {metadata.p + i, len};
        if (!len)
            break; /* the description follows */
        if (str_starts(line, name) && len > n + 1 && line.p[n] == ':' && line.p[n + 1] == ' ')
            return (str){line.p + n + 2, len - n - 2 - (line.p[len - 1] == '\r')};
        i += len + 1;
    }
    return STR("");
}

/* The same with the lines that go on with it, which begin with spaces: a whole licence, say. */
static str long_field(str metadata, const char *name)
{
    str value = metadata_field(metadata, name);
    const char *end = value.p + value.n, *behind = metadata.p + metadata.n, *line;
    while (value.n && (line = memchr(end, '\n', (size_t)(behind - end))) != NULL &&
           ++line < behind && (*line == ' ' || *line == '\t')) {
        const char *nl = memchr(line, '\n', (size_t)(behind - line));
        end = nl ? nl : behind;
    }
    return value.n ? (str){value.p, (size_t)(end - value.p)} : value;
}

/* "MIT", "mit", "MIT License": an id, a classifier's name, or another one that packages use. */
static str known_name(arena *a, str name)
{
    static const char *const names[][2] = {
#define NAME(words, id) {words, id},
#include "collect/license_name.def"
#undef NAME
    };
    const str words = flat(a, name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(words, str_c(names[i][0])))
            return str_c(names[i][1]);
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].classifier[0] && str_eq(name, str_c(rows[i].classifier)))
            return str_c(rows[i].id);
    return spdx_read(a, name);
}

/* The field `License` has a name, or a whole text. */
static str id_of_field(arena *a, str value, bool *more)
{
    const str id = known_name(a, value);
    *more = false;
    return id.n || !value.n || !memchr(value.p, '\n', value.n) ? id : id_of_text(a, value, more);
}

/* The expression is newer and exact; the field `License` is often a whole text, classifiers are
 * coarse. */
license_found license_of_metadata(arena *a, str metadata)
{
    static const char head[] = "Classifier: License :: OSI Approved :: ";
    const str expression = metadata_field(metadata, "License-Expression");
    if (expression.n)
        return stated(a, expression);
    bool more;
    str id = id_of_field(a, long_field(metadata, "License"), &more);
    if (more)
        return (license_found){.custom = STR("a text with conditions of its own")};
    for (size_t i = 0; i < metadata.n && !id.n;) {
        const char *end = memchr(metadata.p + i, '\n', metadata.n - i);
        const size_t len = end ? (size_t)(end - metadata.p) - i : metadata.n - i;
        const str line = {metadata.p + i, len};
        const size_t n = sizeof head - 1;
        if (!len)
            break;
        if (str_starts(line, head))
            id = known_name(a, (str){line.p + n, len - n});
        i += len + 1;
    }
    return (license_found){.id = id};
}
