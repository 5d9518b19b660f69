/* Loading shared libraries by dlopen. */
#include "base/dynlib.h"

#include <dlfcn.h>
#include <string.h>

#include "base/io.h"

bool dynlib_open(dynlib *lib, const char *path)
{
    lib->handle = io_load(path);
    return lib->handle != NULL;
}

/* POSIX lets a pointer to a function be kept in a void pointer; C has no conversion for it. */
bool dynlib_find(const dynlib *lib, const char *name, void *function)
{
    void *symbol = dlsym(lib->handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

void dynlib_close(dynlib *lib)
{
    if (lib->handle)
        dlclose(lib->handle);
    lib->handle = NULL;
}
