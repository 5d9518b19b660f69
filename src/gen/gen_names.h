/* SPDX-License-Identifier: Apache-2.0 */
/* Names, comments and docstrings: who wrote this kernel, and what they call their things. A sample
 * has one style; within it a name suits its role (NAME_VEC_ARRAY: "positions") and is used once. */
#ifndef WEFT_GEN_GEN_NAMES_H
#define WEFT_GEN_GEN_NAMES_H

#include "gen/gen.h"
#include "gen/gen_style.h"
#include "gen/gen_value.h"

/* Draws the style of the sample, before its first line is written. */
void style_start(gen *g);
/* A new name of the role; it is taken from now on. */
str name_new(gen *g, name_role role);
/* `wanted`, or a new name of the role where it is taken. */
str name_wanted(gen *g, const char *wanted, name_role role);
/* The names of the thread's indexes. */
void name_threads(gen *g, int ndim, str names[RANK_MAX]);
str name_kernel(gen *g);
str name_kernel_hinted(gen *g); /* one of the hint's, which is used up */
str name_helper(gen *g);
str name_struct(gen *g);
str name_type(gen *g, const char *wanted); /* a name for a class: this, or with a number */
str name_constant(gen *g);
/* A copy of the text in the pool, which is taken from now on. */
str name_keep(gen *g, str text);
/* The text of b from `begin` on, in the pool; it is not marked as taken. */
str pool_take(gen *g, const strbuf *b, size_t begin);
str name_path(gen *g, str owner, str name); /* "params.dt" */
/* The role of a local variable of this type. */
name_role role_of_local(gtype t);
/* The docstring at the top of the file. */
void put_module_doc(gen *g);
void put_docstring(gen *g); /* of the kernel; of a helper while one is written */
/* "# write the result": what a person would put above such a line. */
void put_comment_text(gen *g, line_kind kind);

#endif
