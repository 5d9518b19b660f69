/* SPDX-License-Identifier: Apache-2.0 */
/* Loading shared libraries by dlopen, for compilers and drivers of a GPU (libcuda.so,
 * libnvrtc.so): weft works without them. Example: dynlib_open(&lib, "libcuda.so.1") is false with
 * why == NULL on a machine without a driver, and with why == "the file is cut short" for half a
 * file. */
#include "base/dynlib.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>

#include "base/assert.h"
#include "base/c_locale.h"
#include "base/io.h"

enum { HEAD_MAX = 4096 }; /* bytes of a file that hold its ELF header and segments */

/* The bytes that the segments of an ELF file ask for; 0: its first n bytes do not show it. */
static uint64_t bytes_needed(const char *head, size_t n)
{
    ElfW(Ehdr) file;
    ElfW(Phdr) segment;
    uint64_t needed = 0;
    if (n < sizeof file || memcmp(head, ELFMAG, SELFMAG) != 0)
        return 0;
    memcpy(&file, head, sizeof file);
    if (file.e_phentsize != sizeof segment || file.e_phoff > n ||
        (n - file.e_phoff) / sizeof segment < file.e_phnum)
        return 0;
    for (size_t i = 0; i < file.e_phnum; i++) {
        memcpy(&segment, head + file.e_phoff + i * sizeof segment, sizeof segment);
        const uint64_t end = segment.p_offset + segment.p_filesz;
        if (segment.p_type == PT_LOAD && end > needed)
            needed = end;
    }
    return needed;
}

/* Does the file end before the segments that the loader would map? The loader does not check this,
 * and the first access behind the end would kill the process (SIGBUS). */
static bool is_cut_short(const char *path)
{
    char head[HEAD_MAX];
    struct stat st;
    const int fd = io_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool is_file = io_fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    const ssize_t n = is_file ? io_read(fd, head, sizeof head) : -1;
    io_close(fd);
    return n > 0 && bytes_needed(head, (size_t)n) > (uint64_t)st.st_size;
}

/* The loader's "PATH: why" without the path, which callers print themselves. */
static const char *without_path(const char *said, const char *path)
{
    const size_t n = strlen(path);
    return strncmp(said, path, n) == 0 && strncmp(said + n, ": ", 2) == 0 ? said + n + 2 : said;
}

/* Loads the library. What the loader says is in its own words only in the "C" locale. */
static const char *load(dynlib *lib, const char *path)
{
    c_locale c;
    c_locale_enter(&c);
    (void)dlerror();
    lib->handle = io_load(path);
    const char *said = lib->handle ? NULL : dlerror();
    c_locale_leave(&c);
    return said ? without_path(said, path) : error_text(EIO);
}

/* A library that is simply absent is no error to show: `why` is then NULL. */
bool dynlib_open(dynlib *lib, const char *path)
{
    static const char absent[] = "cannot open shared object file: No such file or directory";
    *lib = (dynlib){0};
    if (strchr(path, '/') && is_cut_short(path)) {
        lib->why = "the file is cut short";
        return false;
    }
    const char *said = load(lib, path);
    if (!lib->handle)
        lib->why = strcmp(said, absent) == 0 ? NULL : said;
    return lib->handle != NULL;
}

/* POSIX lets a pointer to a function be kept in a void pointer; C has no conversion for it, so its
 * bytes are copied. */
bool dynlib_find(const dynlib *lib, const char *name, void *function)
{
    WEFT_ASSERT(lib->handle);
    void *symbol = dlsym(lib->handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* May be called twice. */
void dynlib_close(dynlib *lib)
{
    if (lib->handle)
        dlclose(lib->handle);
    lib->handle = NULL;
}
