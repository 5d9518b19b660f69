/* The structure of a kernel: a fingerprint of its syntax tree, and of the module's functions,
 * structs and constants that it uses, in order of first use. Names count by their first occurrence,
 * constants by their kind, types by what they are and not by how they are spelled; comments,
 * docstrings and the way of importing do not count. The family is coarser: types, operators and the
 * names of built-in functions are left out too. Works on any tree that parses. */
#ifndef WEFT_SIMILAR_STRUCTURE_H
#define WEFT_SIMILAR_STRUCTURE_H

#include "base/ctx.h"
#include "record/fingerprint.h"
#include "syntax/ast.h"

typedef struct structure {
    fingerprint structure, family;
    const uint32_t *tokens; /* what the structure is the hash of; until the next kernel */
    uint32_t ntokens;
} structure;

typedef struct structurer structurer;

/* Needs: types_init(c). Lives as long as c; memory failures leave through c->mem. */
structurer *structurer_new(ctx *c);
/* Calls visit for each kernel of a module, in order, nested ones included. */
void structure_each(structurer *s, const ast_Module *m, void (*visit)(void *, const structure *),
                    void *arg);
/* The structure of the only kernel; false: the module has none, or several. */
bool structure_of(structurer *s, const ast_Module *m, structure *out);

#endif
