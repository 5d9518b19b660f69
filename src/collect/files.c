/* SPDX-License-Identifier: Apache-2.0 */
/* Finds Python files: those of a folder, without what git ignores, or of an installed package.
 *
 *     src/         src/a.py, src/sub/b.py; package "src"
 *     warp         SITE/warp/...; package, version and licence from SITE/warp_lang-1.19.0.dist-info
 *
 * Python is not run: site-packages are looked for in VIRTUAL_ENV and where python3 has them. */
#include "collect/files.h"

#include <errno.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/folder_walk.h"
#include "base/io.h"
#include "base/json.h"
#include "base/json_peek.h"
#include "collect/ignore.h"
#include "collect/license.h"
#include "collect/repository.h"

enum { DEPTH_MOST = 40 };

/* A walk below one operand. */
typedef struct package_walk {
    collect_files *l;
    arena *a;
    size_t base; /* bytes of a path before what is shown */
    str package, version, repository;
    license_found license; /* of the package; folders may have one of their own */
    bool ignores;          /* .gitignore is honoured */
} package_walk;

static bool is_folder(const char *path)
{
    struct stat st;
    return io_stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool ends_with(str s, const char *end)
{
    const size_t n = strlen(end);
    return s.n >= n && memcmp(s.p + s.n - n, end, n) == 0;
}

/* As JSON has it, which knows no other bytes than UTF-8: records and their indexes agree then. */
static str as_text(arena *a, str s)
{
    strbuf b, text;
    sb_init(&b, a->m);
    sb_init(&text, a->m);
    json_string(&b, s);
    (void)json_peek_string(sb_view(&b), &text);
    const str copy = {arena_dup(a, text.p, text.n), text.n};
    sb_clear(&text);
    sb_clear(&b);
    return copy;
}

/* Once, where operands overlap: as the first of them names it. */
static void add_file(package_walk *w, const char *path, license_found around)
{
    if (str_map_set(w->a, &w->l->known, str_c(path), 1))
        return;
    const license_found found = license_of_source(w->a, path, around);
    if (found.error && !w->l->error)
        w->l->error = found.error, w->l->failed = path;
    const collect_file file = {.path = path,
                               .base = w->base,
                               .shown = as_text(w->a, str_c(path + w->base)),
                               .package = as_text(w->a, w->package),
                               .version = w->version,
                               .repository = w->repository,
                               .license = found.id,
                               .around = w->license,
                               .unread = found.id.n ? NULL : found.unread,
                               .custom = found.custom};
    VEC_PUSH(w->a, &w->l->files, file);
}

str files_shown(const collect_file *own, const char *path)
{
    const size_t base = own->base;
    if (strncmp(path, own->path, base) == 0)
        return str_c(path + base);
    const char *slash = strrchr(path, '/');
    return str_c(slash ? slash + 1 : path);
}

/* The licence of a folder: its own file's goes before what holds around it. The distribution's
 * metadata speak of a package's first folder, so there they explain a file that is not
 * recognised. */
static license_found license_within(const package_walk *w, const char *folder, license_found around)
{
    const license_found own = license_of_folder(w->a, folder, around);
    const bool first = w->version.n && strlen(folder) >= w->base && !strchr(folder + w->base, '/');
    return first && !own.id.n && w->license.id.n ? w->license : own;
}

/* Folders behind links are not entered, as in base/folder_walk.h. */
static int walk(package_walk *w, const char *folder, const ignore_rules *rules,
                license_found around, int depth)
{
    const char *const *names;
    uint32_t n;
    const int error = file_list(w->a, folder, &names, &n);
    if (w->l->progress && !w->l->progress(w->l->arg, w->l->files.n, 0))
        return 0; /* the first file that is taken ends the run */
    if (error && depth && error != EACCES) {
        w->l->error = error;
        w->l->failed = folder;
    }
    if (error || depth > DEPTH_MOST)
        return depth ? 0 : error; /* a folder within that is not for us has no files */
    const license_found own = license_within(w, folder, around);
    if (w->ignores)
        rules = ignore_read(w->a, folder, rules, &w->l->error);
    for (uint32_t i = 0; i < n; i++) {
        const str name = str_c(names[i]);
        const char *path = path_join(w->a, folder, name);
        struct stat st = {0};
        const bool there = io_stat(path, &st) == 0, inner = there && S_ISDIR(st.st_mode);
        if (!there && errno != ENOENT && errno != EACCES && errno != ELOOP)
            w->l->error = errno;
        if (str_eq(name, STR("__pycache__")) || (inner && path_is_link(path)) ||
            ignore_has(rules, str_c(path), inner))
            continue;
        if (inner)
            walk(w, path, rules, own, depth + 1);
        else if (ends_with(name, ".py") && path_is_readable_kind(path))
            add_file(w, path, own);
    }
    return 0;
}

/* --- folders and files ----------------------------------------------------------------------- */

static const char *parent_of(arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return NULL;
    return arena_dup(a, path, (size_t)(slash - path));
}

static str name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return str_c(slash ? slash + 1 : path);
}

/* Does a repository begin here? Then no folder above concerns it. */
static bool is_repository(arena *a, const char *folder)
{
    struct stat st;
    return io_stat(path_join(a, folder, STR(".git")), &st) == 0;
}

/* Rules and licence from the folders above, up to the repository's first one. */
static const ignore_rules *look_above(arena *a, const char *folder, license_found *found, int depth)
{
    const char *above = is_repository(a, folder) ? NULL : parent_of(a, folder);
    if (!above || depth > DEPTH_MOST)
        return NULL;
    bool inside = false;
    for (const char *f = above; f && !inside; f = parent_of(a, f))
        inside = is_repository(a, f);
    if (!inside)
        return NULL;
    if (!found->id.n && !found->unread)
        *found = license_of_folder(a, above, *found);
    const ignore_rules *rules = look_above(a, above, found, depth + 1);
    return ignore_read(a, above, rules, &found->error);
}

/* The address of the repository that the folder is in; empty: it is in none, or has none. */
static str repository_around(arena *a, const char *folder)
{
    for (int depth = 0; folder && depth < DEPTH_MOST; depth++, folder = parent_of(a, folder))
        if (is_repository(a, folder))
            return repository_of_folder(a, folder);
    return STR("");
}

/* --- packages -------------------------------------------------------------------------------- */

/* Adds PREFIX/lib/python3*'s folder of this name, if it is there. */
static void add_site(arena *a, const char *prefix, const char *inner, const char **out, uint32_t *n,
                     uint32_t room)
{
    const char *const *names;
    uint32_t count;
    const char *lib = path_join(a, prefix, STR("lib"));
    if (file_list(a, lib, &names, &count) != 0)
        return;
    for (uint32_t i = count; i-- > 0 && *n < room;) {
        const char *site = path_join(a, path_join(a, lib, str_c(names[i])), str_c(inner));
        if (str_starts(str_c(names[i]), "python3") && is_folder(site))
            out[(*n)++] = site;
    }
}

/* The caller's folders, then those of the virtual environment, then the system's. */
uint32_t files_site_folders(arena *a, const char *const *dirs, size_t ndirs,
                            const char *const **out)
{
    enum { MORE = 32 };
    const uint32_t room = (uint32_t)ndirs + MORE;
    const char **list = ARENA_ARRAY(a, const char *, room);
    const char *env = getenv("VIRTUAL_ENV");
    uint32_t n = 0;
    for (size_t i = 0; i < ndirs; i++)
        list[n++] = dirs[i];
    if (env && *env)
        add_site(a, env, "site-packages", list, &n, room);
    add_site(a, "/usr/local", "site-packages", list, &n, room);
    add_site(a, "/usr/local", "dist-packages", list, &n, room);
    add_site(a, "/usr", "dist-packages", list, &n, room);
    add_site(a, "/usr", "site-packages", list, &n, room);
    *out = list;
    return n;
}

/* Does the RECORD of a distribution list files of this package? It may be one file:
 *
 *     six.py,sha256=...,35020     warp/config.py,sha256=...,9377 */
static bool lists_package(arena *a, const char *info, str package)
{
    str text;
    if (file_read(a, path_join(a, info, STR("RECORD")), &text) != 0)
        return false;
    for (size_t i = 0; i < text.n;) {
        const char *end = memchr(text.p + i, '\n', text.n - i);
        const size_t n = end ? (size_t)(end - text.p) - i : text.n - i;
        if (n > package.n && memcmp(text.p + i, package.p, package.n) == 0 &&
            strchr("/.,", text.p[i + package.n]))
            return true;
        i += n + 1;
    }
    return false;
}

/* The folder NAME-VERSION.dist-info of the distribution that installed site/package; NULL: there is
 * none. */
static const char *find_distribution(arena *a, const char *site, str package)
{
    const char *const *names;
    uint32_t n;
    if (file_list(a, site, &names, &n) != 0)
        return NULL;
    for (uint32_t i = 0; i < n; i++) {
        const char *info = path_join(a, site, str_c(names[i]));
        if (ends_with(str_c(names[i]), ".dist-info") && lists_package(a, info, package))
            return info;
    }
    return NULL;
}

/* Name, version and licence of the distribution that installed site/package. */
static void read_distribution(package_walk *w, const char *site, str package)
{
    str text;
    const char *info = find_distribution(w->a, site, package);
    if (!info || file_read(w->a, path_join(w->a, info, STR("METADATA")), &text) != 0)
        return;
    const str name = metadata_field(text, "Name");
    w->package = name.n ? name : package;
    w->version = metadata_field(text, "Version");
    w->repository = repository_of_metadata(w->a, text);
    w->license = license_of_metadata(w->a, text);
    if (!w->license.id.n && !w->license.custom.n)
        w->license = license_of_folder(w->a, info, w->license);
    if (!w->license.id.n && !w->license.custom.n)
        w->license = license_of_folder(w->a, path_join(w->a, info, STR("licenses")), w->license);
}

/* The folder of the package's distribution. "warp.examples" is a part of warp. */
static int add_package(package_walk *w, const char *name, const char *site)
{
    const size_t n = strcspn(name, ".");
    char *inner = arena_dup(w->a, name, strlen(name));
    for (char *p = inner; *p; p++)
        *p = *p == '.' ? '/' : *p;
    const char *folder = path_join(w->a, site, str_c(inner));
    const char *single = arena_printf(w->a, "%s.py", folder);
    w->base = strlen(site) + 1;
    w->package = (str){name, n};
    read_distribution(w, site, w->package);
    if (is_folder(folder))
        return walk(w, folder, NULL, w->license, 0);
    struct stat st;
    if (io_stat(single, &st) != 0)
        return ENOENT;
    add_file(w, single, w->license);
    return 0;
}

/* "warp_lang-1.19.0.dist-info" is the folder of warp-lang, Warp_Lang and warp.lang. */
static bool is_distribution(str folder, str name)
{
    size_t i = 0;
    for (; i < name.n && i < folder.n; i++) {
        const char is = ascii_lower(folder.p[i]), want = ascii_lower(name.p[i]);
        if (is != want && !(strchr("-_.", is) && strchr("-_.", want)))
            return false;
    }
    return name.n && i == name.n && i < folder.n && folder.p[i] == '-' &&
           ends_with(folder, ".dist-info");
}

/* The packages and single files that the text of a RECORD lists, each by its first part. */
static int add_listed(package_walk *w, const char *site, str record)
{
    str last = STR("");
    int error = ENOENT;
    for (const char *p = record.p; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        const str path = {p, strcspn(p, ",\n")}; /* warp/config.py,sha256=...,9377 */
        str name = {p, strcspn(p, "/,\n")};
        if (name.n == path.n && ends_with(name, ".py"))
            name.n -= 3;
        if (!ends_with(path, ".py") || memchr(name.p, '.', name.n) || str_eq(name, last))
            continue;
        if (add_package(w, arena_dup(w->a, name.p, name.n), site) == 0)
            error = 0;
        last = name;
    }
    return error;
}

/* By the name that pip knows: all packages of the distribution. */
static int add_distribution(package_walk *w, const char *name, const char *site)
{
    const char *const *names;
    uint32_t n;
    str record;
    if (file_list(w->a, site, &names, &n) != 0)
        return ENOENT;
    for (uint32_t i = 0; i < n; i++) {
        const char *info = path_join(w->a, site, str_c(names[i]));
        if (is_distribution(str_c(names[i]), str_c(name)) &&
            file_read(w->a, path_join(w->a, info, STR("RECORD")), &record) == 0)
            return add_listed(w, site, record);
    }
    return ENOENT;
}

/* The last '/' of a folder that packages were installed in, a site-packages, or one that has this
 * package's distribution (pip install --target); NULL: there is none. */
static const char *end_of_site(arena *a, const char *path)
{
    const char *site = NULL;
    for (const char *p = path; (p = strstr(p, "-packages/")); p++)
        site = p + sizeof "-packages" - 1;
    for (const char *p = path + strlen(path); !site && p > path; p--) {
        const str package = {p, strcspn(p, "/")};
        if (p[-1] == '/' && p - 1 > path && package.n &&
            find_distribution(a, arena_dup(a, path, (size_t)(p - 1 - path)), package))
            site = p - 1;
    }
    return site && site[1] ? site : NULL;
}

/* A folder that lies in such a folder belongs to its package. */
static bool is_installed(package_walk *w, const char *path)
{
    const char *site = end_of_site(w->a, path);
    if (!site)
        return false;
    const char *root = arena_dup(w->a, path, (size_t)(site - path));
    const str package = {site + 1, strcspn(site + 1, "/")};
    w->base = strlen(root) + 1;
    w->package = package;
    w->ignores = false;
    read_distribution(w, root, package);
    return true;
}

/* --- operands -------------------------------------------------------------------------------- */

static int add_path(package_walk *w, const char *path, bool folder);

/* Were packages installed in this folder? Then *names are what is in it. */
static bool is_site(arena *a, const char *folder, const char *const **names, uint32_t *n)
{
    if (file_list(a, folder, names, n) != 0)
        return false;
    for (uint32_t i = 0; i < *n; i++)
        if (ends_with(str_c((*names)[i]), ".dist-info"))
            return true;
    return false;
}

/* Each package of such a folder, with the name, version and licence of its own distribution. One
 * that may not be read has no files, as in walk. */
static int add_site_packages(const package_walk *w, const char *site, const char *const *names,
                             uint32_t n)
{
    int error = 0;
    for (uint32_t i = 0; i < n && !error; i++) {
        package_walk inner = *w;
        const char *path = path_join(w->a, site, str_c(names[i]));
        struct stat st;
        if (io_stat(path, &st) == 0 && !path_is_link(path) &&
            (S_ISDIR(st.st_mode) || (S_ISREG(st.st_mode) && ends_with(str_c(path), ".py"))))
            error = add_path(&inner, path, S_ISDIR(st.st_mode));
        if (error == EACCES)
            error = 0;
    }
    return error;
}

/* A path into installed packages is taken as its package, with name, version and licence. */
static int add_path(package_walk *w, const char *path, bool folder)
{
    license_found above = {0};
    const ignore_rules *rules = NULL;
    const char *root = folder ? path : parent_of(w->a, path);
    const char *const *names;
    uint32_t n;
    if (folder && is_site(w->a, path, &names, &n))
        return add_site_packages(w, path, names, n);
    w->ignores = true;
    if (!is_installed(w, path)) {
        rules = look_above(w->a, root ? root : path, &above, 0);
        w->package = name_of(root ? root : path);
        w->base = (root ? strlen(root) : 0) + 1;
        w->repository = repository_around(w->a, root);
        w->license = above;
    }
    if (folder)
        return walk(w, path, rules, w->license, 0);
    add_file(w, path, root ? license_within(w, root, w->license) : w->license);
    return 0;
}

/* Does the file at an absolute path come with `own`: in its package, or the folder that was given?
 * Only packages have a version: of their paths the first folder below site-packages counts. */
static bool are_together(const collect_file *own, const char *path)
{
    size_t n = own->base;
    if (own->version.n)
        n += strcspn(own->path + n, "/");
    return strncmp(path, own->path, n) == 0 && (!own->version.n || path[n] == own->path[n]);
}

/* The licence of a file that comes with `own`: by the folders from the first one down to it. */
static license_found license_together(arena *a, const collect_file *own, const char *path)
{
    const package_walk w = {
        .a = a, .base = own->base, .version = own->version, .license = own->around};
    license_found found = own->around;
    if (!own->version.n && w.base > 1)
        found = license_within(&w, arena_dup(a, path, w.base - 1), found);
    for (const char *end = path + w.base; (end = strchr(end, '/')); end++)
        found = license_within(&w, arena_dup(a, path, (size_t)(end - path)), found);
    return license_of_source(a, path, found);
}

/* Its own line; else the nearest licence file above it, up to the package or the repository; else
 * the distribution's own words. */
license_found files_license_of(arena *a, const collect_file *own, const char *path)
{
    if (are_together(own, path))
        return license_together(a, own, path);
    package_walk w = {.a = a, .version = STR("")};
    license_found found = {0};
    const char *folder = parent_of(a, path);
    const bool installed = is_installed(&w, path);
    for (const char *f = folder;
         installed && f && strlen(f) >= w.base && !found.id.n && !found.unread; f = parent_of(a, f))
        found = license_within(&w, f, found);
    if (!installed && folder) {
        found = license_of_folder(a, folder, found);
        look_above(a, folder, &found, 0);
    }
    if (!found.id.n && !found.unread)
        found = w.license;
    return license_of_source(a, path, found);
}

int files_add(collect_files *l, arena *a, const char *operand, const char *const *dirs,
              size_t ndirs)
{
    char path[4096];
    struct stat st;
    package_walk w = {.l = l, .a = a, .version = STR(""), .repository = STR("")};
    if (!*operand)
        return ENOENT;
    if (io_stat(operand, &st) == 0) {
        const bool is_file = S_ISREG(st.st_mode) && ends_with(str_c(operand), ".py");
        const int error =
            S_ISDIR(st.st_mode) || is_file ? file_absolute(operand, path, sizeof path) : EINVAL;
        return error ? error : add_path(&w, arena_dup(a, path, strlen(path)), S_ISDIR(st.st_mode));
    }
    const int unreadable = errno;
    if (unreadable != ENOENT && unreadable != ENOTDIR && unreadable != ENAMETOOLONG)
        return unreadable;
    const char *const *sites;
    const uint32_t n = files_site_folders(a, dirs, ndirs, &sites), before = l->files.n;
    int error = ENOENT;
    /* A folder of stubs alone is no package: the next one has the files. */
    for (uint32_t i = 0; i < n && l->files.n == before; i++) {
        if (file_absolute(sites[i], path, sizeof path) == 0 &&
            add_package(&w, operand, arena_dup(a, path, strlen(path))) == 0)
            error = 0;
    }
    for (uint32_t i = 0; i < n && error; i++)
        if (file_absolute(sites[i], path, sizeof path) == 0 &&
            add_distribution(&w, operand, arena_dup(a, path, strlen(path))) == 0)
            error = 0;
    return error;
}
