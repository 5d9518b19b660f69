/* SPDX-License-Identifier: Apache-2.0 */
/* Finds Python files for `weft compile`, in the order of names, as `weft check` does:
 *
 *     kernels/ with b.py, a/x.py, notes.txt   ->   kernels/a/x.py, kernels/b.py */
#include "cli/source_files.h"

#include "base/c_locale.h"
#include "base/file.h"
#include "base/folder_walk.h"
#include "base/vec.h"
#include "cli/cli_output.h"
#include "cli/reporter.h"

/* An operand that is a folder, for folder_walk. */
typedef struct folder_operand {
    const cli_args *args;
    source_files *list;
    size_t start;
    int status;
    reporter reporter;
    uint64_t folders; /* searched */
} folder_operand;

static void add(const cli_args *args, source_files *list, const char *path, size_t start)
{
    WEFT_ASSERT(start <= strlen(path));
    VEC_PUSH(args->arena, list, ((source_file){path, start, false}));
}

static void add_set(const cli_args *args, source_files *list, const char *path)
{
    VEC_PUSH(args->arena, list, ((source_file){path, 0, true}));
}

/* A folder without Python files. Gives the exit status. */
static int add_without_files(const cli_args *args, source_files *list, const char *path)
{
    if (path_is_free(path_join(args->arena, path, STR("manifest.json")))) {
        cli_error("'%s' holds no Python file", path);
        return CLI_BAD_INPUT;
    }
    if (!list->takes_sets) {
        cli_error("'%s' holds no Python file, but a data set: weft compile takes one", path);
        return CLI_BAD_INPUT;
    }
    add_set(args, list, path);
    return CLI_OK;
}

static void add_file(void *arg, const char *path)
{
    folder_operand *f = arg;
    add(f->args, f->list, path, f->start);
}

static void fail(void *arg, const char *path, int error)
{
    folder_operand *f = arg;
    reporter_end(&f->reporter);
    cli_error("cannot read '%s': %s", path, error_text(error));
    f->status = CLI_IO;
}

static bool is_stopped(void *arg)
{
    (void)arg;
    return cli_interrupted();
}

static void enter_folder(void *arg)
{
    folder_operand *f = arg;
    reporter_search(&f->reporter, f->list->n, "found", ++f->folders);
}

/* Gives the exit status. */
static int add_folder(const cli_args *args, source_files *list, const char *folder, size_t start)
{
    static const char *const endings[] = {".py", NULL};
    folder_operand f = {.args = args, .list = list, .start = start, .status = CLI_OK};
    const folder_walk walk = {args->arena, endings, add_file, fail, is_stopped, &f, enter_folder};
    reporter_init(&f.reporter, args);
    folder_walk_run(&walk, folder);
    reporter_end(&f.reporter);
    return f.status;
}

static size_t start_of_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

static int add_operand(const cli_args *args, source_files *list, const char *path)
{
    bool is_folder;
    const int error = path_is_folder(path, &is_folder);
    if (error) {
        cli_error("cannot read '%s': %s", path, error_text(error));
        return CLI_IO;
    }
    if (!is_folder) {
        if (list->takes_sets && (path_is_json_lines(path) || path_ends_with(path, ".json")))
            add_set(args, list, path);
        else
            add(args, list, path, start_of_name(path));
        return CLI_OK;
    }
    const uint32_t before = list->n;
    const size_t n = strlen(path), start = n + (path[n - 1] != '/'); /* path_join adds none twice */
    const int status = add_folder(args, list, path, start);
    if (status || list->n > before || cli_interrupted())
        return status;
    return add_without_files(args, list, path);
}

int source_files_list(const cli_args *args, source_files *list)
{
    int status = CLI_OK;
    for (uint32_t i = 0; i < args->noperands; i++) {
        const int found = add_operand(args, list, args->operands[i]);
        status = found > status ? found : status;
    }
    return status;
}
