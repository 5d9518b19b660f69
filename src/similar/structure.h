/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of a kernel: a fingerprint of its syntax tree, of the module's functions, structs
 * and constants that it uses, in order of first use, and of the types that wp.overload gives it.
 * Names count by their first occurrence, constants by their kind, types by what they are and not by
 * how they are spelled; comments, docstrings and the way of importing do not count. The family is
 * coarser: types, operators and the names of built-in functions are left out too. Works on any tree
 * that parses.
 *
 * For a kernel of the parameters x, y: wp.array(dtype=float) and a: float,
 *
 *     y[i] = a * x[i]      ->   structure 951ff86d18ff3ce349a55936b1cecfaa, family afeed50b...
 *     out[i] = s * in_[i]  ->   the same two, if only the names differ
 *     y[i] = a + x[i]      ->   structure 919f24f1fa3308cdca3c7c75c8b2b9ee, the same family
 *
 * A run refuses a second sample of the same structure (make/), weft dedup drops it from existing
 * sets, and weft split keeps a family on one side of a border. */
#ifndef WEFT_SIMILAR_STRUCTURE_H
#define WEFT_SIMILAR_STRUCTURE_H

#include "base/ctx.h"
#include "record/fingerprint.h"
#include "syntax/ast.h"

/* What is known of one kernel. */
typedef struct structure {
    fingerprint structure, family;
    const uint32_t *tokens; /* what `structure` is the hash of; valid until the next kernel */
    uint32_t ntokens;
} structure;

typedef struct structurer structurer;

/* Needs: types_init(c). Lives as long as c, and serves any number of modules parsed with it; memory
 * failures leave through c->mem. */
structurer *structurer_new(ctx *c);
/* Calls visit for each kernel of a module, in order, nested ones included. A module is linear work
 * in its size, except that each kernel walks all definitions that it uses. */
void structure_each(structurer *s, const ast_Module *m, void (*visit)(void *, const structure *),
                    void *arg);
/* The structure of all kernels of a file, which is that of the kernel if there is one. `each` gets
 * those of its kernels, `most` at most. Gives how many kernels there are. */
uint32_t structure_of_all(structurer *s, const ast_Module *m, structure *out, fingerprint *each,
                          uint32_t most);
/* The structure of the only kernel; false: the module has none, or several. */
bool structure_of(structurer *s, const ast_Module *m, structure *out);

#endif
