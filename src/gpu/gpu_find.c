/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of Python packages and of CUDA toolkits, first those that the caller names, then those of
 * the environment (VIRTUAL_ENV, CUDA_HOME), then the usual places:
 *
 *     python3 is /opt/py/bin/python3   ->   site: /opt/py/lib/python3.11/site-packages
 *     CUDA_HOME=/usr/local/cuda-13     ->   toolkit: /usr/local/cuda-13
 *
 * Only files are looked at. Python is not run, since a run may be on a machine where that is slow
 * or has side effects, and the folders follow from where the program lies. */
#include "gpu/gpu_find.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/decimal.h"
#include "base/file.h"
#include "base/io.h"

static bool is_folder(const char *path)
{
    struct stat st;
    return io_stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
    struct stat st;
    return io_stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Is an environment variable set, and not empty? */
static bool has_value(const char *variable)
{
    return variable && *variable;
}

/* Once each, in the order in which they come: the first that has a package wins. */
static void add_site(gpu_places *p, arena *a, const char *path)
{
    for (uint32_t i = 0; i < p->site.n; i++)
        if (strcmp(p->site.v[i], path) == 0)
            return;
    if (is_folder(path))
        VEC_PUSH(a, &p->site, path);
}

/* PREFIX/lib/python3.*: a version's folders of packages, where there are any. Debian calls that of
 * its own packages dist-packages. */
static void add_prefix(gpu_places *p, arena *a, const char *prefix)
{
    const char *const *names;
    uint32_t n;
    const char *lib = path_join(a, prefix, STR("lib"));
    if (file_list(a, lib, &names, &n) != 0)
        return;
    for (uint32_t i = 0; i < n; i++) {
        if (strncmp(names[i], "python3", 7) != 0)
            continue;
        const char *python = path_join(a, lib, str_c(names[i]));
        add_site(p, a, path_join(a, python, STR("site-packages")));
        add_site(p, a, path_join(a, python, STR("dist-packages")));
    }
}

/* The next folder of PATH, or NULL; an empty one stands for the current folder. */
static const char *next_of_path(arena *a, const char **rest)
{
    if (!*rest)
        return NULL;
    const size_t n = strcspn(*rest, ":");
    const char *folder = n ? arena_dup(a, *rest, n) : ".";
    *rest = (*rest)[n] ? *rest + n + 1 : NULL;
    return folder;
}

/* The first executable file of the name on PATH, as a shell finds it. */
static const char *on_path(arena *a, const char *name)
{
    const char *rest = getenv("PATH"), *folder;
    while ((folder = next_of_path(a, &rest))) {
        const char *path = path_join(a, folder, str_c(name));
        if (is_file(path) && access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

/* The prefix is what holds the folder of the program: links are left alone, since in a virtual
 * environment the program is one. */
static void add_python(gpu_places *p, arena *a)
{
    const char *python = on_path(a, "python3");
    char path[4096];
    if (!python || file_absolute(python, path, sizeof path) != 0)
        return;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return;
        *slash = 0;
    }
    const char *prefix = arena_dup(a, path, strlen(path));
    add_prefix(p, a, prefix);
    add_prefix(p, a, path_join(a, prefix, STR("local")));
}

/* Whether the folder is there does not matter: what is looked for in it is then missing. */
static void add_toolkit(gpu_places *p, arena *a, const char *root)
{
    if (has_value(root))
        VEC_PUSH(a, &p->toolkit, root);
}

/* A virtual environment comes before the Python on PATH: it may be active without being first
 * there. */
void gpu_places_find(gpu_places *p, arena *a, const char *const *named, uint32_t n)
{
    *p = (gpu_places){0};
    for (uint32_t i = 0; i < n; i++)
        add_site(p, a, named[i]);
    const char *venv = getenv("VIRTUAL_ENV"), *home = getenv("HOME");
    if (has_value(venv))
        add_prefix(p, a, venv);
    add_python(p, a);
    if (has_value(home))
        add_prefix(p, a, path_join(a, home, STR(".local")));
    add_toolkit(p, a, getenv("CUDA_HOME"));
    add_toolkit(p, a, getenv("CUDA_PATH"));
    add_toolkit(p, a, "/usr/local/cuda");
}

/* builtin.h is the header that every text of Warp includes. */
const char *gpu_find_warp(const gpu_places *p, arena *a)
{
    for (uint32_t i = 0; i < p->site.n; i++) {
        const char *folder = path_join(a, p->site.v[i], STR("warp/native"));
        if (is_file(path_join(a, folder, STR("builtin.h"))))
            return folder;
    }
    return NULL;
}

/* What follows a word in a header, up to one of `ends`; NULL: there is none. A search of the text
 * is enough: the headers define each of these names once, at the start of a line. */
static const char *value_in(arena *a, const char *folder, str header, const char *word,
                            const char *ends)
{
    str text;
    if (file_read(a, path_join(a, folder, header), &text) != 0)
        return NULL;
    const char *at = strstr(text.p, word);
    if (!at)
        return NULL;
    at += strlen(word);
    return arena_dup(a, at, strcspn(at, ends));
}

/* version.h of the native headers has it: #define WP_VERSION_STRING "1.19.0". */
const char *gpu_warp_version(arena *a, const char *headers)
{
    return value_in(a, headers, STR("version.h"), "WP_VERSION_STRING \"", "\"\n");
}

/* "#define CUDART_VERSION 13000" -> "13.0". */
const char *gpu_headers_version(arena *a, const char *headers)
{
    const char *number =
        value_in(a, headers, STR("cuda_runtime_api.h"), "#define CUDART_VERSION", "\n");
    uint64_t version;
    if (!number || !decimal_read_uint(number + strspn(number, " \t"), &number, &version) ||
        !version)
        return NULL;
    return arena_printf(a, "%llu.%llu", (unsigned long long)version / 1000,
                        (unsigned long long)version % 1000 / 10);
}

/* ROOT/below, if it holds the header. */
static const char *headers_in(arena *a, const char *root, str below)
{
    const char *folder = path_join(a, root, below);
    return is_file(path_join(a, folder, STR("cuda_fp16.h"))) ? folder : NULL;
}

/* The wheels nvidia-cuda-runtime-cu12 and nvidia-cuda-runtime have them in different folders. */
const char *gpu_find_headers(const gpu_places *p, arena *a)
{
    const char *found = NULL;
    for (uint32_t i = 0; i < p->site.n && !found; i++) {
        found = headers_in(a, p->site.v[i], STR("nvidia/cuda_runtime/include"));
        if (!found)
            found = headers_in(a, p->site.v[i], STR("nvidia/cu13/include"));
    }
    for (uint32_t i = 0; i < p->toolkit.n && !found; i++)
        found = headers_in(a, p->toolkit.v[i], STR("include"));
    return found;
}

/* PATH comes first, so that a user chooses the compiler as for any other command. */
const char *gpu_find_program(const gpu_places *p, arena *a, const char *name)
{
    const char *path = on_path(a, name);
    for (uint32_t i = 0; i < p->toolkit.n && !path; i++) {
        const char *bin = path_join(a, p->toolkit.v[i], STR("bin"));
        const char *at = path_join(a, bin, str_c(name));
        if (is_file(at) && access(at, X_OK) == 0)
            path = at;
    }
    return path;
}
