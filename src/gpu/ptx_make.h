/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA text to PTX with what this machine has: NVRTC, else nvcc. Warp's dialect needs NVRTC and the
 * native headers of an installed warp-lang, which nvcc refuses.
 *
 *     ptx_tools_open(&t, a, NULL, 0, NULL);
 *     if (ptx_tools_can(&t, a, source.dialect, &why))
 *         r = ptx_make(&t, a, &source, &arch);         r.ptx, or r.log if not r.good
 *
 * For `weft ptx`, for records with --with-ptx, and for src/launch, which runs kernels on a
 * device. */
#ifndef WEFT_GPU_PTX_MAKE_H
#define WEFT_GPU_PTX_MAKE_H

#include "gpu/nvrtc.h"
#include "gpu/ptx_stats.h"

/* Architectures of a list, and bytes of a name with its NUL. */
enum { PTX_ARCHS_MAX = 16, PTX_ARCH_NAME = 8 };
#define PTX_DEFAULT_ARCH_NAME "75" /* warp-lang's own, for PTX */
#define PTX_DEFAULT_ARCH      "sm_" PTX_DEFAULT_ARCH_NAME

/* "75", "90a" */
typedef struct ptx_arch {
    char name[PTX_ARCH_NAME];
} ptx_arch;

/* "sm_75,compute_80,90a". False: *unknown is no architecture. */
bool ptx_read_archs(const char *list, ptx_arch archs[PTX_ARCHS_MAX], uint32_t *n, str *unknown);

/* What a text needs to be compiled:
 *
 *     PTX_PLAIN        NVRTC or nvcc; CUDA's headers, if it includes some
 *     PTX_WARP         NVRTC, and Warp's native headers
 *     PTX_WARP_PART    the same, and the header lines of a module before it (record_ptx_source) */
typedef enum ptx_dialect {
    PTX_PLAIN,     /* CUDA C++ */
    PTX_WARP,      /* Warp's, with its header lines */
    PTX_WARP_PART, /* Warp's, without them: what a record holds */
} ptx_dialect;

/* By words of the text, without parsing it. */
ptx_dialect ptx_dialect_of(str text);
/* Does the word, which is not empty, stand anywhere in the text? */
bool ptx_contains(str text, str word);

/* What was found on this machine. Threads share all of it but `pch`. */
typedef struct ptx_tools {
    nvrtc nvrtc;
    bool has_nvrtc;
    const char *nvcc, *ptxas;        /* paths of the programs; NULL: not here */
    const char *warp, *warp_version; /* its native headers; NULL: not here */
    const char *headers;             /* CUDA's own; NULL: not here */
    const char *headers_version;     /* "13.0"; NULL: not known */
    const char *why_not;             /* what keeps NVRTC away */
    const char *pch;                 /* a folder of our own for precompiled headers, or NULL */
} ptx_tools;

/* Looks for everything; nothing has to be there. `sites` are folders of Python packages to look in
 * first, `warp` the headers to take (NULL: those found). Strings live in a. */
void ptx_tools_open(ptx_tools *t, arena *a, const char *const *sites, uint32_t nsites,
                    const char *warp);
void ptx_tools_close(ptx_tools *t);
/* From here on Warp's headers are read once and kept compiled, where NVRTC can do so; pays from the
 * second text of a run on. Not for several threads. */
void ptx_tools_keep_headers(ptx_tools *t, arena *a);
/* The same tools for another thread, with headers of its own, which ptx_tools_drop_headers drops.
 */
ptx_tools ptx_tools_share(const ptx_tools *t, arena *a);
void ptx_tools_drop_headers(ptx_tools *t);
/* A sentence for where t->headers is NULL. */
extern const char ptx_no_headers[];
/* Does anything here compile such texts? False: *why in a. */
bool ptx_tools_can(const ptx_tools *t, arena *a, ptx_dialect dialect, const char **why);

/* A text to be compiled. */
typedef struct ptx_source {
    const char *name; /* for messages */
    str prelude;      /* header lines that come first and do not count; may be empty */
    str text;
    ptx_dialect dialect;
} ptx_source;

/* What compiles this text: "NVRTC 12.9", "NVRTC 12.9 with headers of CUDA 13.0" where it includes
 * some, "nvcc 13.0". Needs: ptx_tools_can. */
const char *ptx_compiler_of(const ptx_tools *t, arena *a, const ptx_source *source);
/* Compiles for compute_ARCH: by NVRTC, but by nvcc where there is no other, or a whole program does
 * not hide its host from NVRTC (#ifndef __CUDACC_RTC__). Needs: ptx_tools_can. The results are in
 * a; messages begin "NAME:LINE: error: ". */
nvrtc_result ptx_make(const ptx_tools *t, arena *a, const ptx_source *source, const ptx_arch *arch);
/* Runs ptxas for sm_ARCH and adds its figures to *m. False: ptxas refuses the PTX; *log holds its
 * messages. */
bool ptx_assemble(const ptx_tools *t, arena *a, str ptx, const ptx_arch *arch, ptx_module *m,
                  str *log);

#endif
