/* SPDX-License-Identifier: Apache-2.0 */
/* The struct of parameters that a kernel may take as an argument: numbers, vectors, matrices,
 * rotations, arrays over the launch, and a struct in the struct. Its fields join the variables in
 * scope:
 *
 *     @wp.struct
 *     class Params:
 *         dt: float                      ->   params.dt
 *         radius: wp.array(dtype=float)  ->   params.radius[i], once the thread has an index
 *         inner: Config                  ->   params.inner.mass
 */
#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_helper.h"
#include "gen/gen_names.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* The kernel's own number mostly (22 of 32), vectors, and seldom anything else. */
gtype field_type(gen *g)
{
    const uint32_t k = below(g, 32);
    const uint8_t sc = g->s.sc;
    if (k == 0)
        return gt_scalar(integer_type(g));
    if (!gt_is_float(g->s) || k > 9)
        return g->s;
    if (k < 6)
        return gt_vec(sc, g->vec_rows);
    const int n = min_int(g->vec_rows, 4);
    if (k == 6)
        return gt_mat(sc, n, n);
    if (k == 7 && sc != GS_BF16)
        return below(g, 2) ? gt_quat(sc) : gt_xform(sc);
    return k == 8 ? gt_scalar(GS_BOOL) : g->in;
}

/* A field, and the variable that reads it. The path is what the source writes: "params.dt". Arrays
 * wait until there are thread indexes (struct_elements). `r` collects the fields that a helper of
 * the struct may read; NULL: of an inner struct. */
static void field_new(gen *g, str owner, grecord *r)
{
    const bool targeted = target_is(g, THING_FIELD) || target_is(g, THING_FIELD_ARRAY);
    /* Each field has the chance, as the first may be of an inner struct. */
    const bool first = targeted && below(g, 2);
    const gtype t = first ? g->target.type : field_type(g);
    /* A tenth of the fields are arrays. */
    const bool array = g->defs.npending < PENDING_MAX &&
                       (below(g, 10) == 0 || (first && target_is(g, THING_FIELD_ARRAY)));
    const str name = name_new(g, NAME_FIELD);
    W(g, "    ");
    put(g, name);
    W(g, ": ");
    cover_type(g, array ? THING_FIELD_ARRAY : THING_FIELD, t);
    if (array)
        put_array_type(g, t, 1);
    else
        put_type(g, t);
    W(g, "\n");
    WEFT_ASSERT(g->params.args[g->params.nargs - 1].mode == ARG_STRUCT);
    const str path = name_path(g, owner, name);
    /* A helper that takes the struct reads these. */
    if (r && !array && r->nfields < FIELDS_MAX)
        r->fields[r->nfields++] = (gfield){name, t};
    if (array)
        g->defs.pending[g->defs.npending++] = (gpending){path, t};
    else
        var_add(g, path, t, bound_of(g->params.args[g->params.nargs - 1].mag, LOW_NONE), V_GLOBAL);
}

/* @wp.struct, and the class's first line. */
static void class_open(gen *g, str name)
{
    WEFT_ASSERT(name.n && g->text.out == &g->text.head);
    W(g, "@wp.struct\nclass ");
    put(g, name);
    W(g, ":\n");
}

/* class Inner, whose fields are the outer one's through `path`. Returns its name. */
static str inner_new(gen *g, str path)
{
    const str name = name_struct(g);
    class_open(g, name);
    for (int i = some(g, 1, 3); i > 0; i--)
        field_new(g, path, NULL);
    W(g, "\n\n");
    return name;
}

/* The argument comes first, since fields take its magnitude; its type's name is kept by index in
 * `dim`. Names of fields are free again afterwards, because they stand behind a dot. */
void struct_new(gen *g)
{
    static const char *const owners[] = {"params",   "cfg",   "config", "p",
                                         "settings", "props", "opts"};
    strbuf *out = g->text.out;
    const str name = name_struct(g);
    /* The type's name was taken last. */
    const uint8_t at = (uint8_t)(g->names.ntaken - 1);
    const str owner = name_keep(g, str_c(owners[below(g, 7)]));
    const bool nested = below(g, 8) == 0 || target_is(g, THING_FIELD_STRUCT);
    str inner = {NULL, 0}, part = {NULL, 0};
    const int mag = gt_is_float(g->s) ? MAG_INPUT : MAG_INT_INPUT;
    WEFT_ASSERT(g->params.nargs < GEN_ARGS_MAX && !g->defs.in_helper);
    g->params.args[g->params.nargs++] =
        (garg){.name = owner, .mode = ARG_STRUCT, .dim = {at}, .mag = (int8_t)mag};
    grecord r = {.type = name, .owner = owner, .one = "p"};
    /* Names from here on are of fields. */
    uint32_t names = g->names.ntaken;
    g->text.out = &g->text.head;
    g->defs.struct_begin = (uint32_t)g->text.head.n;
    if (nested) {
        part = name_new(g, NAME_FIELD);
        inner = inner_new(g, name_path(g, owner, part));
        names = g->names.ntaken;
    }
    class_open(g, name);
    if (nested) {
        W(g, "    ");
        put(g, part);
        W(g, ": ");
        put(g, inner);
        W(g, "\n");
        cover(g, THING_FIELD_STRUCT);
    }
    for (int i = some(g, 2, 4); i > 0; i--)
        field_new(g, owner, &r);
    W(g, "\n\n");
    g->defs.struct_end = (uint32_t)g->text.head.n;
    g->names.ntaken = names;
    g->text.out = out;
    if (r.nfields)
        g->defs.records[g->defs.nrecords++] = r;
}

/* The threads' elements of arrays in structs, which are as long as the launch is wide. */
void struct_elements(gen *g)
{
    WEFT_ASSERT(g->params.launch_dims >= 1);
    for (uint32_t i = 0; i < g->defs.npending; i++) {
        strbuf *b = &g->text.whole;
        const size_t begin = b->n;
        const gvar *v = index_of(g, (uint8_t)below(g, g->params.launch_dims));
        sb_str(b, g->defs.pending[i].path);
        SB_LIT(b, "[");
        sb_put(b, v->s, v->n);
        SB_LIT(b, "]");
        const str s = pool_take(g, b, begin);
        b->n = begin;
        var_add(g, s, g->defs.pending[i].t, bound_of(MAG_INPUT, LOW_NONE), V_GLOBAL);
    }
}
