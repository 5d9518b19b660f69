/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for libnvrtc: the "PTX" of a text is the text itself, which the stand-in for libcuda
 * can run, or the file that FAKE_NVRTC_PTX names. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct program {
    char *text;
} program;

EXPORT int nvrtcVersion(int *major, int *minor)
{
    *major = 12;
    *minor = 0;
    return 0;
}

EXPORT int nvrtcCreateProgram(program **p, const char *text, const char *name, int n,
                              const char *const *headers, const char *const *names)
{
    (void)name, (void)n, (void)headers, (void)names;
    *p = malloc(sizeof **p);
    (*p)->text = malloc(strlen(text) + 1);
    strcpy((*p)->text, text);
    return 0;
}

enum { PTX_MAX = 1 << 16 };

static void take_file(program *p, const char *path)
{
    FILE *file = fopen(path, "rb");
    free(p->text);
    p->text = calloc(1, PTX_MAX + 1);
    if (!file || fread(p->text, 1, PTX_MAX, file) == 0)
        abort();
    fclose(file);
}

EXPORT int nvrtcCompileProgram(program *p, int n, const char *const *options)
{
    (void)n, (void)options;
    const char *ptx = getenv("FAKE_NVRTC_PTX");
    if (ptx)
        take_file(p, ptx);
    return getenv("FAKE_NVRTC_REFUSES") != NULL;
}

EXPORT int nvrtcDestroyProgram(program **p)
{
    free((*p)->text);
    free(*p);
    *p = NULL;
    return 0;
}

EXPORT int nvrtcGetProgramLogSize(program *p, size_t *n)
{
    (void)p;
    *n = sizeof "kernel.cu(1): error: refused\n";
    return 0;
}

EXPORT int nvrtcGetProgramLog(program *p, char *log)
{
    (void)p;
    strcpy(log, "kernel.cu(1): error: refused\n");
    return 0;
}

EXPORT int nvrtcGetPTXSize(program *p, size_t *n)
{
    *n = strlen(p->text) + 1;
    return 0;
}

EXPORT int nvrtcGetPTX(program *p, char *ptx)
{
    strcpy(ptx, p->text);
    return 0;
}

EXPORT int nvrtcGetCUBINSize(program *p, size_t *n)
{
    return nvrtcGetPTXSize(p, n);
}

EXPORT int nvrtcGetCUBIN(program *p, char *code)
{
    return nvrtcGetPTX(p, code);
}

EXPORT int nvrtcGetNumSupportedArchs(int *n)
{
    *n = 3;
    return 0;
}

EXPORT int nvrtcGetSupportedArchs(int *archs)
{
    archs[0] = 70;
    archs[1] = 75;
    archs[2] = 80;
    return 0;
}

EXPORT const char *nvrtcGetErrorString(int error)
{
    return error ? "refused" : "fine";
}
