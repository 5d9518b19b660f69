/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a run as its caller gives them, made into those of src/make: for weft_generate,
 * for generators, and for what merges the parts of a run. Every message goes to the callbacks. */
#ifndef WEFT_API_RUN_OPTIONS_H
#define WEFT_API_RUN_OPTIONS_H

#include "api/callbacks.h"
#include "record/record_options.h"

/* Fills *o, with what lives as long as *w and a. WEFT_OK, or WEFT_BAD_ARGUMENT after a message. */
weft_status run_options_read(arena *a, const weft_generate_options *w, const weft_callbacks *c,
                             record_options *o);
/* Where --with-ptx looks for NVRTC and Warp's headers: the folders of -I, and --warp-include. */
typedef struct run_packages {
    const char *const *dirs;
    size_t ndirs;
    const char *warp_include;
} run_packages;

/* Finds the PTX compiler that o wants, if it wants one. Its version is a part of the command that
 * describes a data set: bytes of PTX, and so of records, are only equal where it is. *tools is
 * zeroed, stays while o is used, and is closed by the caller whatever came of it. */
weft_status run_options_open_ptx(arena *a, ptx_tools *tools, const run_packages *p,
                                 const weft_callbacks *c, record_options *o);
/* Reads the kernels whose structures no pair may have (--exclude), if there are any, into
 * o->exclude. `count`: a note says how many structures that are. */
weft_status run_options_exclude(arena *a, const char *const *paths, size_t n, bool count,
                                const weft_callbacks *c, record_options *o);

#endif
