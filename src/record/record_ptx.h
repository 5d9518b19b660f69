/* SPDX-License-Identifier: Apache-2.0 */
/* PTX of a record's CUDA texts, as statistics in its metadata (generate --with-ptx). */
#ifndef WEFT_RECORD_RECORD_PTX_H
#define WEFT_RECORD_RECORD_PTX_H

#include "base/json_tree.h"
#include "gpu/ptx_make.h"
#include "record/messages.h"
#include "standalone/standalone.h"

/* A text of any dialect, made ready for ptx_make: parts of Warp's get their header lines. */
ptx_source record_ptx_source(arena *a, const char *name, str text);
/* Appends the members of metadata.ptx: compiler, architecture, and what each text's PTX consists
 * of. False: a text does not compile, and *why, in a, is the reason. Needs: the tools have a
 * compiler for it. */
bool record_put_ptx(strbuf *b, arena *a, const ptx_tools *tools, const record_texts *t,
                    const char **why);
/* The same of a program: its text is compiled once, and each of its kernels found in the PTX. */
bool record_put_program_ptx(strbuf *b, arena *a, const ptx_tools *tools,
                            const standalone_program *p, const char **why);
/* Does such an object have the right keys and types? With adjoints or without. */
bool record_read_ptx(const json_value *object, bool backward, strbuf *why);

#endif
