/* SPDX-License-Identifier: Apache-2.0 */
/* Finds Python files for `weft compile`, in the order of names, as `weft check` does:
 *
 *     kernels/ with b.py, a/x.py, notes.txt   ->   kernels/a/x.py, kernels/b.py */
#include "cli/source_files.h"

#include <sys/stat.h>

#include "base/c_locale.h"
#include "base/file.h"
#include "base/io.h"
#include "base/vec.h"
#include "cli/cli_output.h"

/* Folders in folders that are entered: also the end of a loop of symbolic links. */
enum { FOLDERS_DEEP = 8 };

static bool is_folder(const char *path)
{
    struct stat st;
    return io_stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_python(const char *path)
{
    const size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".py") == 0;
}

static void add(const cli_args *args, source_files *list, const char *path, size_t start)
{
    WEFT_ASSERT(start <= strlen(path));
    VEC_PUSH(args->arena, list, ((source_file){path, start}));
}

/* Gives the exit status. file_list leaves out names that begin with a dot. */
static int add_folder(const cli_args *args, source_files *list, const char *folder, size_t start,
                      int deep)
{
    const char *const *names;
    uint32_t n;
    const int error = file_list(args->arena, folder, &names, &n);
    if (error) {
        cli_error("cannot read '%s': %s", folder, error_text(error));
        return CLI_IO;
    }
    int status = CLI_OK;
    for (uint32_t i = 0; i < n && !cli_interrupted(); i++) {
        const char *path = path_join(args->arena, folder, str_c(names[i]));
        int found = CLI_OK;
        if (is_python(path))
            add(args, list, path, start);
        else if (deep < FOLDERS_DEEP && is_folder(path))
            found = add_folder(args, list, path, start, deep + 1);
        status = found > status ? found : status;
    }
    return status;
}

static size_t start_of_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

static int add_operand(const cli_args *args, source_files *list, const char *path)
{
    if (!is_folder(path)) {
        add(args, list, path, start_of_name(path));
        return CLI_OK;
    }
    const uint32_t before = list->n;
    const size_t n = strlen(path), start = n + (path[n - 1] != '/'); /* path_join adds none twice */
    const int status = add_folder(args, list, path, start, 0);
    if (status || list->n > before || cli_interrupted())
        return status;
    cli_error("'%s' holds no Python file", path);
    return CLI_BAD_INPUT;
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
