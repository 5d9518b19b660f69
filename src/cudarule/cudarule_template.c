/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts texts at their holes (cudarule_template.h), for the adjoints of builtins that become part of
 * a tree (cuda_adjoint_call.c).
 *
 * While a rule runs, its text is one string, in which a hole is a mark of two characters: an
 * expression is put together from many strings, and the marks travel with them. How closely
 * the operand has to bind is stored with the mark (cuda_hole_text), and not found from the
 * characters around it.
 *
 *     "da += \1 * \2;", marks of d and b   ->   "da += ", hole d, " * ", hole b, ";" */
#include "cudarule/cudarule_template.h"

#include "base/assert.h"
#include "cudarule/cudarule_def.h"

/* To be called before the first placeholder of a text; templates keep copies of their holes. */
void cuda_template_begin(cuda_defs *n)
{
    n->holes.n = 0;
}

/* Its own text is a hole in which any operand stands without parentheses: an argument of a call, or
 * a whole statement's side. */
cuda_expr cuda_placeholder(cuda_defs *n, uint32_t operand, const type *t)
{
    const cuda_hole h = {operand, CUDA_ASSIGN, CUDA_WHOLE, NULL};
    cuda_expr e = cuda_expr_of(cuda_hole_text(n, h), t, CUDA_PRIMARY);
    e.operand = operand + 1;
    return e;
}

bool cuda_template_overflow(const cuda_defs *n)
{
    return n->holes.n > HOLES_MAX;
}

/* A template in the making. All templates of one text, its items and what it negates, share the
 * numbering of operands, so that they serve as parts of one node. */
typedef struct cutter {
    cuda_defs *n;
    VEC(cuda_piece) pieces;
    uint32_t *operands; /* the caller's numbers, by first use */
    uint32_t noperands;
} cutter;

/* There are at most as many operands as holes. */
static cutter cutter_of(cuda_defs *n)
{
    return (cutter){.n = n, .operands = ARENA_ARRAY(n->a, uint32_t, n->holes.n + 1)};
}

/* The number of an operand within the template: the order of first use. */
static uint32_t number_of(cutter *k, uint32_t operand)
{
    uint32_t i = 0;
    while (i < k->noperands && k->operands[i] != operand)
        i++;
    if (i == k->noperands)
        k->operands[k->noperands++] = operand;
    WEFT_ASSERT(k->noperands <= k->n->holes.n);
    return i;
}

/* Appends the pieces of one stretch of text. A hole ends a piece; text behind the last hole is one
 * more. */
static void cut(cutter *k, str text, bool in_loop)
{
    size_t from = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] != HOLE_MARK)
            continue;
        WEFT_ASSERT(i + 1 < text.n);
        const uint32_t at = (uint8_t)text.p[i + 1] - HOLE_FIRST;
        WEFT_ASSERT(at < k->n->holes.n);
        cuda_piece p = {.text = {text.p + from, i - from}, .has_hole = true, .in_loop = in_loop};
        p.hole = k->n->holes.v[at];
        p.hole.operand = number_of(k, p.hole.operand);
        VEC_PUSH(k->n->a, &k->pieces, p);
        from = i++ + 2;
    }
    if (from < text.n) {
        const cuda_piece rest = {.text = {text.p + from, text.n - from}, .in_loop = in_loop};
        VEC_PUSH(k->n->a, &k->pieces, rest);
    }
}

/* The cutter is empty afterwards and may cut a part. */
static void finish(cutter *k, cuda_template *t)
{
    t->v = k->pieces.v;
    t->n = k->pieces.n;
    t->operands = k->operands;
    t->noperands = k->noperands;
    k->pieces.v = NULL;
    k->pieces.n = k->pieces.cap = 0;
}

static void cut_expr(cutter *k, const cuda_expr *e, cuda_template *t);

/* Cuts the parts of e that can be printed apart: x of "-x", for "a -= x", and the items of a
 * list. */
static void cut_parts(cutter *k, const cuda_expr *e, cuda_template *t)
{
    arena *a = k->n->a;
    if (e->negates) {
        cuda_template *x = ARENA_NEW(a, cuda_template);
        cut_expr(k, e->negates, x);
        t->negates = x;
    }
    if (!e->list)
        return;
    t->list = e->list;
    t->nitems = e->list->nitems;
    cuda_template *items = ARENA_ARRAY(a, cuda_template, t->nitems + 1);
    for (uint32_t i = 0; i < t->nitems; i++)
        cut_expr(k, &e->list->items[i], &items[i]);
    t->items = items;
}

/* Cuts e and its parts. Every part's operands are among those of e, since its text is part of
 * e's. */
static void cut_expr(cutter *k, const cuda_expr *e, cuda_template *t)
{
    *t = (cuda_template){.prec = e->prec};
    cut(k, e->text, false);
    finish(k, t);
    cut_parts(k, e, t);
    t->noperands = k->noperands;
}

/* The template lives in the arena of cuda_defs, as its texts do. */
const cuda_template *cuda_template_of(cuda_defs *n, const cuda_expr *e, cuda_uses uses)
{
    cutter k = cutter_of(n);
    cuda_template *t = ARENA_NEW(n->a, cuda_template);
    cut_expr(&k, e, t);
    t->uses = uses;
    return t;
}

/* The line's buffer is the printer's, so the text is copied. */
static void cut_line(void *arg, str line, bool in_loop)
{
    cutter *k = arg;
    const char *kept = arena_dup(k->n->a, line.p, line.n);
    const cuda_piece end = {.ends_line = true, .in_loop = in_loop};
    cut(k, (str){kept, line.n}, in_loop);
    VEC_PUSH(k->n->a, &k->pieces, end);
}

/* The statements have no precedence: they stand on lines of their own. */
const cuda_template *cuda_template_of_codes(cuda_defs *n, const cuda_codes *codes, cuda_uses uses)
{
    cutter k = cutter_of(n);
    cuda_template *t = ARENA_NEW(n->a, cuda_template);
    *t = (cuda_template){.prec = CUDA_ASSIGN, .uses = uses};
    cuda_each_line(n->a->m, codes, cut_line, &k);
    finish(&k, t);
    return t;
}

const cuda_template *cuda_template_of_text(cuda_defs *n, str text, cuda_prec prec)
{
    const cuda_expr e = cuda_expr_of(text, NULL, prec);
    cuda_template_begin(n);
    return cuda_template_of(n, &e, (cuda_uses){0});
}

/* Operands are numbers within the template, so that equal texts of different calls are equal. */
static bool same_hole(const cuda_hole *a, const cuda_hole *b)
{
    return a->operand == b->operand && a->least == b->least && a->part == b->part &&
           a->less_one == b->less_one;
}

/* Precedence, items and uses follow from the text and need no comparison. */
bool cuda_template_same(const cuda_template *a, const cuda_template *b)
{
    if (a == b || !a || !b)
        return a == b;
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        const cuda_piece *x = &a->v[i], *y = &b->v[i];
        if (x->has_hole != y->has_hole || x->ends_line != y->ends_line ||
            !str_eq(x->text, y->text) || (x->has_hole && !same_hole(&x->hole, &y->hole)))
            return false;
    }
    return true;
}
