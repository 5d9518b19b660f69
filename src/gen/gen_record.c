/* SPDX-License-Identifier: Apache-2.0 */
/* Structs as values: elements of arrays, what helpers take and make, what a kernel puts together.
 *
 *     p = particles[i]                  load
 *     m = particles[i].mass             a field of an element
 *     e = energy(p, x)                  passed to a helper
 *     s = State(a, b)                   made by its constructor, or by a helper
 *     out[i] = s                        stored as a whole, or by field: out[i].mass += x
 *
 * All of it is written in the kernel's outermost block, so that it is in scope from there on. A
 * struct of this kind is `plain`: its fields are values. */
#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_helper.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* --- what a struct is ---------------------------------------------------------------------- */

/* class NAME with n fields, of which the first has the kernel's type. Names of fields may be used
 * again outside. */
static void put_fields(gen *g, grecord *r, int n)
{
    const uint32_t names = g->names.ntaken;
    W(g, "@wp.struct\nclass ");
    put(g, r->type);
    W(g, ":\n");
    for (int i = 0; i < n; i++) {
        /* form_add and arg_structs count on the type of the first. */
        const gfield f = {name_new(g, NAME_FIELD), i ? field_type(g) : g->s};
        WEFT_ASSERT(r->nfields < FIELDS_MAX);
        r->fields[r->nfields++] = f;
        W(g, "    ");
        put(g, f.name);
        W(g, ": ");
        cover_type(g, THING_FIELD, f.t);
        put_type(g, f.t);
        W(g, "\n");
    }
    W(g, "\n\n");
    g->names.ntaken = names;
}

/* A new plain struct with words that belong together: class Particle, particles, p. Returns its
 * index. Needs: room for it. */
static uint8_t record_new(gen *g)
{
    static const char *const kinds[][3] = {
        {"particle", "particles", "p"},    {"body", "bodies", "body"},
        {"agent", "agents", "agent"},      {"node", "nodes", "node"},
        {"spring", "springs", "spring"},   {"cell", "cells", "cell"},
        {"sample", "samples", "s"},        {"hit", "hits", "hit"},
        {"contact", "contacts", "c"},      {"state", "states", "state"},
        {"particle", "parts", "particle"}, {"sphere", "spheres", "sphere"},
        {"material", "materials", "mat"},  {"vertex", "vertices", "vert"},
        {"point", "points", "pt"},         {"light", "lights", "light"}};
    strbuf *out = g->text.out;
    const char *const *kind = kinds[below(g, sizeof kinds / sizeof *kinds)];
    WEFT_ASSERT(g->defs.nrecords < RECORDS_MAX);
    grecord *r = &g->defs.records[g->defs.nrecords];
    *r = (grecord){.type = name_type(g, kind[0]), .many = kind[1], .one = kind[2], .plain = true};
    g->text.out = &g->text.head;
    r->begin = (uint32_t)g->text.head.n;
    put_fields(g, r, some(g, 2, 3));
    r->end = (uint32_t)g->text.head.n;
    g->text.out = out;
    return (uint8_t)g->defs.nrecords++;
}

/* Is there room for a struct, a helper of it, and the arguments that a form adds? */
static bool can_add_record(const gen *g)
{
    return g->defs.nrecords < RECORDS_MAX && can_add_helper(g) &&
           g->params.nargs + 6 < GEN_ARGS_MAX;
}

/* One that there is (in three of four cases), or a new one. Needs: there is one, or room. */
static uint8_t record_any(gen *g)
{
    /* The struct of parameters is a record too, but no plain one. */
    const bool again = g->defs.nrecords == RECORDS_MAX || below(g, 4) != 0;
    for (uint8_t i = 0; i < g->defs.nrecords && again; i++)
        if (g->defs.records[i].plain)
            return i;
    return record_new(g);
}

/* --- values -------------------------------------------------------------------------------- */

/* Something that holds a struct: "p", "particles[i]". */
typedef struct holder {
    str text;
    uint8_t record;
} holder;

/* NAME = ; returns the name, `wanted` if it is free. */
static str open_name(gen *g, const char *wanted)
{
    line_open_as(g, LINE_LET);
    const str name = name_wanted(g, wanted, NAME_LOCAL);
    put(g, name);
    W(g, " = ");
    return name;
}

/* The fields of what h holds, as variables; the first two count as unused. */
static void add_fields(gen *g, holder h, int mag)
{
    WEFT_ASSERT(h.text.n);
    WEFT_ASSERT(h.record < g->defs.nrecords);
    const grecord *r = &g->defs.records[h.record];
    for (uint32_t i = 0; i < r->nfields; i++) {
        const gfield *f = &r->fields[i];
        var_add(g, name_path(g, h.text, f->name), f->t, bound_of(mag, LOW_NONE),
                i < 2 ? V_LOCAL : 0);
    }
}

/* e = energy(p, x): with a helper of the struct that there is, or a new one; nothing where there is
 * no room. */
static void pass(gen *g, holder from)
{
    WEFT_ASSERT(from.record < g->defs.nrecords);
    ghelper *h = NULL;
    /* Indexes of records are kept plus one, so that 0 means none. */
    for (uint32_t i = 0; i < g->defs.nhelpers && !h; i++)
        if (g->defs.helpers[i].takes_record == from.record + 1)
            h = &g->defs.helpers[i];
    if (!h)
        h = helper_of_record(g, from.record);
    if (!h)
        return;
    line_open_as(g, LINE_LET);
    const str name = name_new(g, role_of_local(h->result));
    put(g, name);
    W(g, " = ");
    cover(g, THING_STRUCT_PASSED);
    helper_call(g, h, from.text, 3);
    line_close(g);
    var_add(g, name, h->result, h->gives, V_LOCAL);
}

/* "particles[i]", of an array that is read: the first one, or a new one. */
static holder element(gen *g)
{
    uint32_t at = 0;
    while (at < g->params.nargs && g->params.args[at].mode != ARG_STRUCTS_IN)
        at++;
    if (at == g->params.nargs)
        arg_structs(g, record_any(g), ARG_STRUCTS_IN);
    strbuf *out = g->text.out, *b = &g->text.whole;
    const size_t begin = b->n;
    g->text.out = b;
    put_own_index(g, &g->params.args[at]);
    g->text.out = out;
    const holder h = {pool_take(g, b, begin), g->params.args[at].op};
    b->n = begin;
    return h;
}

/* The bound of what callers pass in the kernel's type. */
static int mag_of_inputs(const gen *g)
{
    return gt_is_float(g->s) ? MAG_INPUT : MAG_INT_INPUT;
}

/* p = particles[i] */
static holder load(gen *g)
{
    const holder from = element(g);
    cover(g, THING_LOAD_STRUCT);
    const holder h = {open_name(g, g->defs.records[from.record].one), from.record};
    put(g, from.text);
    line_close(g);
    return h;
}

/* A load, whose fields are read afterwards, or which is passed to a helper. */
static void form_load(gen *g)
{
    const holder h = load(g);
    add_fields(g, h, mag_of_inputs(g));
    if (g->size.level->prelude && below(g, 3) == 0)
        pass(g, h);
}

/* m = particles[i].mass; or the element's fields are variables in place. */
static void form_fields(gen *g)
{
    const holder h = element(g);
    /* Used in place: "particles[i].mass" is a variable of its own. */
    if (g->names.style.inline_loads && below(g, 2) && !target_is(g, THING_ELEMENT_FIELD)) {
        add_fields(g, h, mag_of_inputs(g));
        return;
    }
    const grecord *r = &g->defs.records[h.record];
    const int n = 1 + (int)below(g, 2);
    for (int i = 0; i < n; i++) {
        const gfield *f = &r->fields[i];
        line_open_as(g, LINE_LOAD);
        const str name = name_new(g, role_of_local(f->t));
        put(g, name);
        W(g, " = ");
        cover(g, THING_ELEMENT_FIELD);
        put(g, h.text);
        W(g, ".");
        put(g, f->name);
        line_close(g);
        var_add(g, name, f->t, bound_of(mag_of_inputs(g), LOW_NONE), V_LOCAL);
    }
}

/* Passes the struct of parameters to a helper, or an element of an array of structs. */
static void form_pass(gen *g)
{
    for (uint8_t i = 0; i < g->defs.nrecords; i++)
        if (g->defs.records[i].owner.n && below(g, 4)) {
            pass(g, (holder){g->defs.records[i].owner, i});
            return;
        }
    pass(g, element(g));
}

/* A helper that makes such a struct: one that there is, or a new one; NULL: there is no room. */
static ghelper *maker(gen *g, uint8_t record)
{
    WEFT_ASSERT(record < g->defs.nrecords);
    for (uint32_t i = 0; i < g->defs.nhelpers; i++)
        if (g->defs.helpers[i].makes_record == record + 1)
            return &g->defs.helpers[i];
    return helper_making_record(g, record);
}

/* s = make_state(x), or s = State(a, b) where `made` is NULL. */
static void make(gen *g, ghelper *made, uint8_t record)
{
    const holder h = {open_name(g, g->defs.records[record].one), record};
    if (made)
        helper_call(g, made, (str){NULL, 0}, 4);
    else
        put_construction(g, &g->defs.records[record]);
    line_close(g);
    add_fields(g, h, 6);
    if (g->size.level->prelude && below(g, 3) == 0)
        pass(g, h);
}

/* s = State(a, b) */
static void form_construct(gen *g)
{
    make(g, NULL, record_any(g));
}

/* s = make_state(x) */
static void form_make(gen *g)
{
    const uint8_t record = record_any(g);
    make(g, maker(g, record), record);
}

/* --- results ------------------------------------------------------------------------------- */

/* The array of such structs that is written, or a new one. */
static garg *output(gen *g, uint8_t record)
{
    WEFT_ASSERT(record < g->defs.nrecords);
    for (uint32_t i = 0; i < g->params.nargs; i++)
        if (g->params.args[i].mode == ARG_STRUCTS_OUT && g->params.args[i].op == record)
            return &g->params.args[i];
    return arg_structs(g, record, ARG_STRUCTS_OUT);
}

/* "out[i]", where a store begins. */
static void open_store(gen *g, uint8_t record)
{
    const garg *a = output(g, record);
    line_open_as(g, LINE_STORE);
    put_own_index(g, a);
}

/* out[i] = State(a, b), out[i] = make_state(x), or out[i] = p with p.x changed. The loaded struct's
 * fields are hidden afterwards: what they hold stands in the result already. */
static void form_store(gen *g)
{
    const uint8_t record = record_any(g);
    /* 0 by a helper, 1 by the constructor, 2 a loaded struct that is changed. */
    const uint32_t k = g->size.level->prelude ? below(g, 3) : 1 + below(g, 2);
    ghelper *made = k == 0 ? maker(g, record) : NULL;
    holder h = {{NULL, 0}, record};
    if (k == 2) {
        h = load(g);
        const grecord *r = &g->defs.records[h.record];
        const gfield *f = &r->fields[0];
        line_open_as(g, LINE_UPDATE);
        put(g, name_path(g, h.text, f->name));
        W(g, " = ");
        /* The right side may read the struct's old fields. */
        add_fields(g, h, mag_of_inputs(g));
        gen_expr(g, varying(want_of(f->t, mag_field(f->t))), some(g, 2, 4), PREC_TERNARY);
        line_close(g);
        for (uint32_t i = 0; i < r->nfields; i++)
            g->scope.vars[g->scope.nvars - 1 - i].flags |= V_HIDDEN;
    }
    open_store(g, h.record);
    cover(g, THING_STORE_STRUCT);
    W(g, " = ");
    if (k == 2)
        put(g, h.text);
    else if (made)
        helper_call(g, made, (str){NULL, 0}, 4);
    else
        put_construction(g, &g->defs.records[record]);
    line_close(g);
}

/* out[i].mass = ..., for one to three fields in their order. */
static void form_store_fields(gen *g)
{
    const uint8_t record = record_any(g);
    const grecord *r = &g->defs.records[record];
    const int n = min_int(r->nfields, some(g, 1, 3));
    for (int i = 0; i < n; i++) {
        const gfield *f = &r->fields[i];
        open_store(g, record);
        W(g, ".");
        put(g, f->name);
        W(g, " = ");
        cover(g, THING_STORE_FIELD);
        gen_expr(g, varying(want_of(f->t, mag_field(f->t))), some(g, 2, 4), PREC_TERNARY);
        line_close(g);
    }
}

/* out[i].mass += ...; the first field is of the kernel's type. */
static void form_add(gen *g)
{
    const uint8_t record = record_any(g);
    const gfield *f = &g->defs.records[record].fields[0];
    open_store(g, record);
    W(g, ".");
    put(g, f->name);
    sb_c(g->text.out, below(g, 4) ? " += " : " -= ");
    cover(g, THING_ADD_TO_FIELD);
    gen_expr(g, varying(want_of(f->t, mag_field(f->t))), some(g, 2, 4), PREC_TERNARY);
    line_close(g);
}

/* --- which --------------------------------------------------------------------------------- */

/* Forms: the thing that each is for, its weight, the lines that it needs, and whether it always has
 * a function, which small kernels lack. Rows of weight 0 are for targets alone. */
static const struct {
    gen_thing thing; /* what it is for */
    uint8_t weight, lines;
    bool functions; /* it always has one */
    void (*write)(gen *g);
} forms[] = {{THING_LOAD_STRUCT, 5, 2, false, form_load},
             {THING_ELEMENT_FIELD, 4, 2, false, form_fields},
             {THING_STRUCT_PASSED, 4, 1, true, form_pass},
             {THING_HELPER_MAKES, 3, 2, true, form_make},
             {THING_STORE_STRUCT, 3, 3, false, form_store},
             {THING_STORE_FIELD, 2, 3, false, form_store_fields},
             {THING_ADD_TO_FIELD, 1, 1, false, form_add},
             {THING_STRUCT_CALL, 1, 2, false, form_construct},
             {THING_HELPER_STRUCT, 0, 1, true, form_pass},
             {THING_ARG_STRUCTS_IN, 0, 2, false, form_load},
             {THING_ARG_STRUCTS_OUT, 0, 3, false, form_store}};

enum { FORMS = sizeof forms / sizeof *forms };

bool is_record_thing(int thing)
{
    for (int i = 0; i < FORMS; i++)
        if ((int)forms[i].thing == thing)
            return true;
    return false;
}

/* Writes the form that is the target. False: it is none of these, or there is no room. */
bool record_target(gen *g)
{
    for (int i = 0; i < FORMS; i++)
        if (target_is(g, forms[i].thing) && can_add_record(g)) {
            forms[i].write(g);
            return true;
        }
    return false;
}

/* The draw comes before the checks, so that a kernel without room draws as much as one with. */
bool stmt_record(gen *g, int space)
{
    uint32_t sum = 0;
    for (int i = 0; i < FORMS; i++)
        sum += forms[i].weight;
    /* A row by its weight. */
    uint32_t k = below(g, sum), i = 0;
    if (!can_add_record(g))
        return false;
    while (k >= forms[i].weight)
        k -= forms[i++].weight;
    if (space < forms[i].lines || (forms[i].functions && !g->size.level->prelude))
        return false;
    forms[i].write(g);
    return true;
}
