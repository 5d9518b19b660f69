/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a kernel, for the bodies of the categories (gen_cat_*.c): its type, the number of
 * its launch dimensions, thread indexes and guard, the first loads, the output.
 *
 *     kernel_open(g, 1)  ->  i = wp.tid()
 *     kernel_output      ->  if i >= n:             where the author writes guards
 *                                return
 */
#include "gen/gen_kernel.h"

#include "gen/gen_arg.h"
#include "gen/gen_call.h"
#include "gen/gen_coverage.h"
#include "gen/gen_helper.h"
#include "gen/gen_names.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* What kernels of a category draw before their bodies. */
typedef struct kernel_mix {
    bool integers;                       /* the kernel's type may be an integer */
    uint8_t arrays, scalars;             /* most inputs of each kind */
    uint8_t constants, structs, helpers; /* percent of kernels that have such before them */
} kernel_mix;

/* The columns in brackets of gen_category.def; or those of all kernels with a purpose, whose text
 * brings its own arguments. */
static const kernel_mix *mix_of(const gen *g)
{
    static const kernel_mix purpose = {false, 2, 2, 6, 4, 12};
#define MIX(...) __VA_ARGS__
    static const kernel_mix mixes[GEN_CATEGORY_COUNT] = {
#define CATEGORY(ID, name, alias, least, value, change, groups, mix, ...) [GEN_##ID] = {MIX mix},
#include "gen/gen_category.def"
#undef CATEGORY
#undef MIX
    };
    return g->idiom ? &purpose : &mixes[g->category];
}

/* The scalar type of the kernel: the one drawn, or the one that the target needs. Integers only
 * where the category allows them; atomics only with the types that they take. */
static gen_scalar target_scalar(const gen *g, gen_scalar drawn, bool integers)
{
    const uint8_t sc = g->target.type.sc;
    const bool wide = sc == GS_I32 || sc == GS_U32 || sc == GS_I64 || sc == GS_U64;
    if (!g->target.typed || sc == GS_BOOL || (sc < GS_F16 && !integers))
        return drawn;
    if (g->category == GEN_ATOMIC && !wide && sc < GS_F32)
        return drawn;
    return (gen_scalar)sc;
}

/* float32 in most kernels, float64 in an eighth, half precision in three of 64; integers in two of
 * 64 where the category has them. */
void kernel_type(gen *g)
{
    const bool integers = mix_of(g)->integers;
    uint32_t k = below(g, 64);
    gen_scalar sc = k < 8 ? GS_F64 : k < 10 ? GS_F16 : k < 11 ? GS_BF16 : GS_F32;
    if (integers && k >= 62)
        sc = integer_type(g);
    g->s = gt_scalar(target_scalar(g, sc, integers));
}

/* At least one input array; both kinds within the limit of the level. */
void kernel_inputs(gen *g)
{
    WEFT_ASSERT(g->size.level);
    const kernel_mix *mix = mix_of(g);
    const int most = g->size.level->inputs;
    g->params.inputs = (uint8_t)(1 + below(g, (uint32_t)min_int(mix->arrays, most)));
    g->params.scalars = (uint8_t)below(g, (uint32_t)min_int(mix->scalars, most) + 1);
}

int kernel_ndim(gen *g)
{
    uint32_t k = below(g, 64);
    return k < 48 ? 1 : k < 60 ? 2 : k < 63 ? 3 : 4;
}

/* Percents of the category times those of the level: small kernels of level 1 have none. A target
 * among them is certain. Each further helper is a third as likely. */
void kernel_prelude(gen *g)
{
    const kernel_mix *mix = mix_of(g);
    int constants = mix->constants * g->size.level->prelude / 100;
    int structs = mix->structs * g->size.level->prelude / 100;
    int helpers = mix->helpers * g->size.level->prelude / 100;
    constants = target_is(g, THING_CONSTANT) ? 100 : constants;
    structs = target_is(g, THING_FIELD) || target_is(g, THING_FIELD_ARRAY) ||
                      target_is(g, THING_FIELD_STRUCT) || target_is(g, THING_ARG_STRUCT)
                  ? 100
                  : structs;
    helpers = target_is(g, THING_HELPER) || target_is(g, THING_HELPER_TWO) ||
                      target_is(g, THING_UNPACK) || target_is(g, THING_HELPER_DEFAULT) ||
                      target_is(g, THING_HELPER_THREE)
                  ? 100
                  : helpers;
    for (int i = 0; i < CONSTS_MAX && chance(g, (uint32_t)constants); i++)
        constant_new(g);
    if (chance(g, (uint32_t)structs))
        struct_new(g);
    for (int i = 0; i < 3 && chance(g, (uint32_t)helpers); i++, helpers /= 3)
        helper_new(g);
}

/* i = wp.tid(), or i, j = wp.tid(). Kernels of three lines write wp.tid() in place: the variable's
 * text is the call, and a small part of the others of level 1 does the same. */
static void put_threads(gen *g, int ndim)
{
    str names[RANK_MAX];
    if (ndim == 1 && (g->size.lines < 4 || (g->size.level->level == 1 && below(g, 40) == 0))) {
        gvar *v =
            var_add(g, STR("wp.tid()"), g->in, bound_of(LOG_DIM, LOW_ZERO), V_INDEX | V_GLOBAL);
        v->dim = dim_new(g, DIM_LAUNCH, 0);
        v->uses = 1;
        return;
    }
    name_threads(g, ndim, names);
    line_open(g);
    for (int d = 0; d < ndim; d++) {
        if (d)
            W(g, ", ");
        put(g, names[d]);
        uint8_t dim = dim_new(g, DIM_LAUNCH, 0);
        gvar *v = var_add(g, names[d], g->in, bound_of(LOG_DIM, LOW_ZERO), V_INDEX | V_GLOBAL);
        v->dim = dim;
        v->uses = 1;
    }
    W(g, " = ");
    put_prefix(g, FN_tid);
    W(g, ")");
    line_close(g);
}

/* Threads beyond the data: no guard (the launch fits), a return, or the whole body in a branch, as
 * the style says. Needs: dimension sizes can be named. */
static void put_guard(gen *g)
{
    bool returns = g->names.style.guard < 15;
    uint32_t mark;
    if (g->names.style.guard < 11 || room(g) < 3)
        return;
    line_open(g);
    W(g, "if ");
    cover(g, returns ? THING_GUARD_RETURN : THING_GUARD_BLOCK);
    for (uint8_t d = 0; d < g->params.launch_dims; d++) {
        if (d)
            sb_c(g->text.out, returns ? " or " : " and ");
        gvar *v = index_of(g, d);
        sb_put(g->text.out, v->s, v->n);
        sb_c(g->text.out, returns ? " >= " : " < ");
        dim_put_size(g, d);
    }
    g->flow.branches++;
    block_open(g, &mark);
    if (!returns)
        return;
    line_open(g);
    W(g, "return");
    line_close(g);
    block_close(g, mark);
}

/* Texts of purposes put their own output; a block around the body would have to be closed behind
 * it, so only a return is written, and no guard later. */
void kernel_guard(gen *g)
{
    if (g->names.style.guard < 15)
        put_guard(g);
    g->names.style.guard = 0;
}

/* Dimensions 0 to ndim - 1 are those of the launch. */
void kernel_open(gen *g, int ndim)
{
    WEFT_ASSERT(ndim >= 1 && ndim <= RANK_MAX);
    static const gen_thing launches[] = {THING_LAUNCH_1, THING_LAUNCH_2, THING_LAUNCH_3,
                                         THING_LAUNCH_4};
    g->params.launch_dims = (uint8_t)ndim;
    cover(g, launches[ndim - 1]);
    put_threads(g, ndim);
    struct_elements(g);
}

/* The guard comes with the first output: its shape gives the sizes a name. */
garg *kernel_output(gen *g, gtype t)
{
    WEFT_ASSERT(g->params.launch_dims >= 1);
    uint8_t dims[RANK_MAX] = {0, 1, 2, 3};
    bool first = g->params.nargs == 0 || !g->params.dims[0].owner;
    garg *a = arg_output(g, t, ARG_OWN, dims, g->params.launch_dims);
    g->params.goal = (uint8_t)(a - g->params.args);
    if (first)
        put_guard(g);
    return &g->params.args[g->params.goal];
}

/* Up to n loads; few where the style reads elements in place. Then, seldom, what needs values: an
 * unpacking of a helper's results, a call of a builtin, a struct. */
void kernel_loads(gen *g, gtype t, int n)
{
    const int least = below(g, 2) ? 1 : 0; /* where elements are used in place */
    for (int i = 0; i < (g->names.style.inline_loads ? least : n) && room(g) > 0; i++)
        stmt_load(g, t);
    if (room(g) > 0)
        stmt_unpack(g);
    if (room(g) > 1 && below(g, 8) == 0)
        stmt_call(g);
    if (room(g) > 3 && below(g, g->size.level->prelude ? 14 : 20) == 0)
        stmt_form_of_own(g, room(g));
}
