/* SPDX-License-Identifier: Apache-2.0 */
/* Tuples: their items are variables of their own; a function that takes a tuple takes a struct. For
 * cuda_read_call.c and cuda_unit.c.
 *
 *     t = (lo, hi)                     ->   %68 = lo; %69 = hi, and t is struct(%68, %69)
 *     t[0]                             ->   %68
 *     def first(t: tuple[float, float])   ->   struct Tuple { float item0; float item1; };
 *                                              __device__ float first(Tuple t)
 *     first(t)                         ->   first(Tuple{lo, hi})
 *
 * No gradient flows through a tuple, as in Warp. */
#include <stdio.h>

#include "cuda/cuda_read.h"
#include "cuda/cuda_tree.h"

/* Types that differ in what Python calls them may have the same items. */
static bool same_items(const type *a, const type *b)
{
    if (a->nitems != b->nitems)
        return false;
    for (uint32_t i = 0; i < a->nitems; i++)
        if (a->items[i] != b->items[i])
            return false;
    return true;
}

/* The struct for a tuple's type, made once for each list of items; any other type is returned as it
 * is. Items that are tuples become structs within it. Found by a search of job->tuples, which holds
 * pairs: tuple type, struct type. */
const type *cuda_tuple_struct(cuda_job *job, const type *t)
{
    WEFT_ASSERT(job->tuples.n % 2 == 0);
    ctx *c = job->c;
    if (t->kind != TYPE_TUPLE)
        return t;
    for (uint32_t i = 0; i + 1 < job->tuples.n; i += 2)
        if (same_items(job->tuples.v[i], t))
            return job->tuples.v[i + 1];
    struct_field *fields = arena_zero(&c->module, (t->nitems + 1) * sizeof *fields);
    struct_def *st = ARENA_NEW(&c->module, struct_def);
    for (uint32_t i = 0; i < t->nitems; i++) {
        char name[16];
        const int n = snprintf(name, sizeof name, "item%u", i);
        fields[i].name = sym_intern(&c->syms, name, (size_t)n);
        fields[i].type = cuda_tuple_struct(job, t->items[i]);
    }
    st->name = sym_c(&c->syms, "Tuple");
    st->native_name = t->cname;
    st->fields = fields;
    st->nfields = t->nitems;
    const type *made = type_struct(c, st);
    VEC_PUSH(&c->module, &job->tuples, t);
    VEC_PUSH(&c->module, &job->tuples, made);
    return made;
}

/* Item i: the variable that holds it, or a member of the struct that a parameter is. NULL: the
 * tuple is neither, or has no such item. */
cx *cuda_tuple_item(cuda_fn *f, cx *tuple, uint32_t i)
{
    const type *t = tuple->type;
    if (t->kind != TYPE_STRUCT || i >= t->st->nfields)
        return NULL;
    if (tuple->kind == CX_STRUCT)
        return tuple->args[i];
    cx *e = cx_unary(f, CX_FIELD, t->st->fields[i].type, tuple);
    e->name = sym_str(t->st->fields[i].name);
    return e->type->kind == TYPE_ARRAY ? e : cx_unary(f, CX_LOAD, e->type, e);
}
