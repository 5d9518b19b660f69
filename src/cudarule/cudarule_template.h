/* SPDX-License-Identifier: Apache-2.0 */
/* Texts whose operands are put in later. The caller of a rule gives it placeholders for operands
 * that it holds in another form, such as nodes of a tree, and cuts the rule's text at its holes:
 *
 *     rule        da += b * pow(a, b - 1) * d
 *     text        $0 * powf($1, $0 - 1.0f) * $2
 *     pieces      "" $0 | " * powf(" $1 | ", " $0 less one | ") * " $2
 *
 * A text is cut once. From then on nothing looks at its characters: passes ask the holes which
 * operands are read, and the printer puts operands in with as many parentheses as they need. */
#ifndef WEFT_CUDARULE_TEMPLATE_H
#define WEFT_CUDARULE_TEMPLATE_H

#include "cudarule/cudarule_code.h"

/* A stretch of text and what stands behind it: a hole, the end of a line, or nothing. */
typedef struct cuda_piece {
    str text;
    bool has_hole;
    bool ends_line;
    bool in_loop;   /* a loop of the text repeats it */
    cuda_hole hole; /* its operand is an index into cuda_template.operands */
} cuda_piece;

typedef struct cuda_template {
    const cuda_piece *v;
    uint32_t n;
    const uint32_t *operands; /* the caller's numbers of those that the text uses, each once */
    uint32_t noperands;
    cuda_prec prec;                      /* of the text's outermost operator */
    const struct cuda_template *negates; /* "-x": x; NULL: it is no such */
    const struct cuda_list *list;        /* "vec3{a, b}": its name; NULL: it is no such */
    const struct cuda_template *items;   /* of the list: one template for each; may be NULL */
    uint32_t nitems;
    cuda_uses uses; /* definitions that the text needs */
} cuda_template;

/* Forgets the holes of texts that have been cut. */
void cuda_template_begin(cuda_defs *n);
/* An operand by its number, which templates give back. */
cuda_expr cuda_placeholder(cuda_defs *n, uint32_t operand, const type *t);
/* More holes were needed since cuda_template_begin than there can be: no text can be cut. */
bool cuda_template_overflow(const cuda_defs *n);
/* The expression's text, cut at its holes. */
const cuda_template *cuda_template_of(cuda_defs *n, const cuda_expr *e, cuda_uses uses);
/* The statements' text, with a piece that ends a line at the end of each line. */
const cuda_template *cuda_template_of_codes(cuda_defs *n, const cuda_codes *codes, cuda_uses uses);
/* A text without holes. */
const cuda_template *cuda_template_of_text(cuda_defs *n, str text, cuda_prec prec);
/* Do both have the same text with the same holes? */
bool cuda_template_same(const cuda_template *a, const cuda_template *b);

#endif
