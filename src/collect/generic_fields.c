/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that have what a kernel reads of an open parameter (generic_types.h), also through the
 * functions that it passes the parameter to.
 *
 *     def mass(p: Any, i: int):                  p needs `masses`, which Points has and Point,
 *         return p.masses[i]                     another struct of the file, has not
 *
 *     @wp.kernel
 *     def sums(p: Any, out: wp.array(dtype=float)):
 *         out[0] = mass(p, 0) */
#include "collect/generic_types.h"

#include "sema/origin.h"

enum { FIELDS_MOST = 32, TAKERS_MOST = 16, CALLS_DEEP = 6, CALLS_MOST = 200 };

/* What is known of the parameter: fields that are read, and functions that take it in a place. */
typedef struct struct_needs {
    const sym *fields[FIELDS_MOST];
    const func *takers[TAKERS_MOST];
    uint32_t places[TAKERS_MOST];
    uint32_t nfields, ntakers, ncalls;
} struct_needs;

/* A walk over one function. */
typedef struct field_search {
    const code *f;
    const sym *name; /* of the parameter there */
    struct_needs *needs;
    uint32_t depth;
} field_search;

static void look_for_fields(void *arg, const node *n);

static void add_field(field_search *s, const sym *field)
{
    static const char *const others[] = {"x",    "y",    "z",    "w",   "shape",
                                         "size", "ndim", "grad", "ptr", "dtype"};
    struct_needs *needs = s->needs;
    if (STR_IS_IN(sym_str(field), others) || needs->nfields == FIELDS_MOST)
        return;
    for (uint32_t i = 0; i < needs->nfields; i++)
        if (needs->fields[i] == field)
            return;
    needs->fields[needs->nfields++] = field;
}

static bool is_name(const node *n, const sym *name)
{
    return n->kind == AST_Name && AST(Name, n)->id == name;
}

static const func *called_function(const field_search *s, const node *callee)
{
    value v;
    if (callee->kind != AST_Name || !env_lookup(s->f->env, AST(Name, callee)->id, &v) ||
        v.kind != VALUE_FUNC)
        return NULL;
    const func *f = v.p;
    return f->head ? f->head : f;
}

static const type *type_in_place(const func *f, uint32_t place)
{
    return place < f->code.nparams ? f->code.params[place].type : NULL;
}

/* The parameter is passed on: what a function of one definition reads of it counts as well; of
 * several, one has to take it. */
static void follow(field_search *s, const func *f, uint32_t place)
{
    struct_needs *needs = s->needs;
    const type *t = type_in_place(f, place);
    if (f->next || (t && !t->generic)) {
        if (needs->ntakers == TAKERS_MOST)
            return;
        needs->takers[needs->ntakers] = f;
        needs->places[needs->ntakers++] = place;
        return;
    }
    if (!t || s->depth == CALLS_DEEP || needs->ncalls == CALLS_MOST)
        return;
    needs->ncalls++;
    field_search inner = {&f->code, f->code.params[place].name, needs, s->depth + 1};
    ast_each_child(&f->code.def->base, look_for_fields, &inner);
}

static void look_for_fields(void *arg, const node *n)
{
    field_search *s = arg;
    if (n->kind == AST_Attribute && is_name(AST(Attribute, n)->value, s->name))
        add_field(s, AST(Attribute, n)->attr);
    if (n->kind == AST_Call) {
        const ast_Call *call = AST(Call, n);
        const func *f = called_function(s, call->func);
        for (uint32_t i = 0; f && i < call->args.n; i++)
            if (is_name(call->args.v[i], s->name))
                follow(s, f, i);
    }
    ast_each_child(n, look_for_fields, s);
}

static bool takes(const func *f, uint32_t place, const type *t)
{
    for (const func *o = f; o; o = o->next) {
        const type *p = type_in_place(o, place);
        if (p && type_fits(p, t))
            return true;
    }
    return false;
}

static bool satisfies(const struct_needs *needs, const type *t)
{
    if (t->kind != TYPE_STRUCT)
        return false;
    for (uint32_t i = 0; i < needs->nfields; i++)
        if (struct_find_field(t->st, needs->fields[i]) == t->st->nfields)
            return false;
    for (uint32_t i = 0; i < needs->ntakers; i++)
        if (!takes(needs->takers[i], needs->places[i], t))
            return false;
    return needs->nfields || needs->ntakers;
}

uint32_t prefer_structs(const kernel *generic, uint32_t parameter, const type **choice, uint32_t n)
{
    struct_needs needs = {0};
    uint32_t front = 0;
    const code *f = &generic->code;
    field_search s = {f, f->params[parameter].name, &needs, 0};
    ast_each_child(&f->def->base, look_for_fields, &s);
    for (uint32_t i = 0; i < n; i++) {
        const type *t = choice[i];
        if (!satisfies(&needs, t))
            continue;
        memmove(choice + front + 1, choice + front, (i - front) * sizeof *choice);
        choice[front++] = t;
    }
    return front;
}
