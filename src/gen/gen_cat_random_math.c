/* SPDX-License-Identifier: Apache-2.0 */
/* Category random_math: random numbers per thread, and functions of them.
 *
 *     rand_state = wp.rand_init(5821, i * output_arr.shape[1] + j)
 *     v = wp.sample_unit_ring(rand_state)
 *     output_arr[i, j] = wp.lerp(levels_src[j], 15.34, ...) - wp.length(v)
 *
 * Each thread seeds its own state with a number of its own, so draws do not depend on the order of
 * threads. Random numbers are float32, uint32 or int32, hence the kernel's type is float32. */
#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_names.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* A way to draw: the builtin, its further arguments, and what is certain of the result. */
typedef struct source {
    gen_fn fn;
    const char *rest; /* after the state */
    uint8_t kind;     /* 0: float, 1: int, 2: vec2, 3: vec3, 4: uint32 */
    int8_t mag;
    uint8_t low;
} source;

/* Twice means twice as often. randn is within 2^3, eight standard deviations; integers by their
 * range. */
static const source sources[] = {
    {FN_randf, "", 0, 0, LOW_ZERO},
    {FN_randf, "", 0, 0, LOW_ZERO},
    {FN_randf, ", -1.0, 1.0", 0, 0, LOW_NONE},
    {FN_randf, ", 0.0, 2.0", 0, 1, LOW_ZERO},
    {FN_randf, ", 0.5, 1.5", 0, 1, LOW_POS},
    {FN_randf, ", 0.1, 10.0", 0, 4, LOW_POS},
    {FN_randn, "", 0, 3, LOW_NONE},
    {FN_randn, "", 0, 3, LOW_NONE},
    {FN_randi, ", 0, 10", 1, 4, LOW_ZERO},
    {FN_randi, ", 1, 7", 1, 3, LOW_POS},
    {FN_randi, "", 1, 31, LOW_NONE},
    {FN_randu, "", 4, 32, LOW_ZERO},
    {FN_randu, ", wp.uint32(0), wp.uint32(100)", 4, 7, LOW_ZERO},
    {FN_poisson, ", 0.5", 4, 6, LOW_ZERO},
    {FN_poisson, ", 3.0", 4, 7, LOW_ZERO},
    {FN_sample_unit_disk, "", 2, 0, LOW_NONE},
    {FN_sample_unit_square, "", 2, 0, LOW_NONE},
    {FN_sample_unit_ring, "", 2, 0, LOW_NONE},
    {FN_sample_triangle, "", 2, 0, LOW_NONE},
    {FN_sample_unit_sphere, "", 3, 0, LOW_NONE},
    {FN_sample_unit_sphere_surface, "", 3, 0, LOW_NONE},
    {FN_sample_unit_hemisphere, "", 3, 0, LOW_NONE},
    {FN_sample_unit_hemisphere_surface, "", 3, 0, LOW_NONE},
    {FN_sample_unit_cube, "", 3, 0, LOW_NONE},
};

/* The one drawn, or the next that is the target. */
static const source *choose_source(gen *g)
{
    const uint32_t n = sizeof sources / sizeof *sources, at = below(g, n);
    for (uint32_t k = 0; k < n; k++)
        if (target_is(g, (gen_thing)sources[(at + k) % n].fn))
            return &sources[(at + k) % n];
    return &sources[at];
}

/* The type of a source: its kind is the length of vectors. */
static gtype source_type(uint8_t kind)
{
    WEFT_ASSERT(kind <= 4);
    switch (kind) {
    case 0: return gt_scalar(GS_F32);
    case 1: return gt_scalar(GS_I32);
    case 4: return gt_scalar(GS_U32);
    default: return gt_vec(GS_F32, kind);
    }
}

/* r = wp.randf(state). Integers are converted to the kernel's type, so that expressions can use
 * them. */
static void stmt_draw(gen *g, str state)
{
    const source *s = choose_source(g);
    gtype t = source_type(s->kind);
    bool cast = s->kind == 1 || s->kind == 4;
    line_open(g);
    str name = name_new(g, cast ? NAME_LOCAL : role_of_local(t));
    put(g, name);
    W(g, " = ");
    if (cast)
        put_cast(g, g->s);
    put_prefix(g, s->fn);
    put(g, state);
    sb_c(g->text.out, s->rest);
    W(g, ")");
    if (cast)
        W(g, ")");
    line_close(g);
    var_add(g, name, cast ? g->s : t, bound_of(s->mag, (gen_low)s->low), V_LOCAL);
}

/* c = wp.curlnoise(state, v), of two to four dimensions; the result has two or three. */
static void stmt_curl(gen *g, str state)
{
    const bool targeted = target_is(g, (gen_thing)FN_curlnoise);
    const int n = targeted ? g->target.type.rows : below(g, 2) ? 3 : 2 + (int)below(g, 3);
    const gtype of = gt_vec(GS_F32, n), t = gt_vec(GS_F32, n == 2 ? 2 : 3);
    line_open(g);
    str name = name_new(g, NAME_LOCAL_VEC);
    put(g, name);
    W(g, " = ");
    put_fn(g, FN_curlnoise, of);
    put(g, state);
    W(g, ", ");
    gen_vec(g, varying(want_of(of, 6)), 2, PREC_TERNARY);
    if (below(g, 3) == 0)
        W(g, ", wp.uint32(2), 2.0, 0.5"); /* octaves, lacunarity, gain */
    W(g, ")");
    line_close(g);
    var_add(g, name, t, bound_of(6, LOW_NONE), V_LOCAL);
}

/* Is the target a kind of noise? */
static bool targets_noise(const gen *g)
{
    return target_is(g, (gen_thing)FN_noise) || target_is(g, (gen_thing)FN_pnoise) ||
           target_is(g, (gen_thing)FN_curlnoise);
}

/* The draw of stmt_noise that writes the target. */
static uint32_t targeted_way(const gen *g)
{
    return target_is(g, (gen_thing)FN_noise) ? 0 : target_is(g, (gen_thing)FN_pnoise) ? 6 : 8;
}

/* n = wp.noise(state, x), also of vectors; wp.pnoise(state, x, 4): with a period. Six of nine draws
 * are noise, two pnoise, one curlnoise. */
static void stmt_noise(gen *g, str state)
{
    static const char *const periods[] = {", 4", ", 4, 4", ", 4, 4, 4", ", 4, 4, 4, 4"};
    const uint32_t k = targets_noise(g) ? targeted_way(g) : below(g, 9);
    const int drawn = below(g, 2) ? 1 : 2 + (int)below(g, 3);
    const int n = targets_noise(g) ? max_int(g->target.type.rows, 1) : drawn;
    const gtype of = n == 1 ? g->s : gt_vec(GS_F32, n);
    if (k == 8) {
        stmt_curl(g, state);
        return;
    }
    line_open(g);
    str name = name_new(g, NAME_LOCAL);
    put(g, name);
    W(g, " = ");
    put_fn(g, k < 6 ? FN_noise : FN_pnoise, of);
    put(g, state);
    W(g, ", ");
    gen_expr(g, varying(want_of(of, 6)), 2, PREC_TERNARY);
    if (k >= 6)
        sb_c(g->text.out, periods[n - 1]);
    W(g, ")");
    line_close(g);
    var_add(g, name, g->s, bound_of(1, LOW_NONE), V_LOCAL);
}

/* A number of the thread's own: i * m + j. */
static void put_offset(gen *g)
{
    gvar *v = index_of(g, 0);
    sb_put(g->text.out, v->s, v->n);
    for (uint8_t d = 1; d < g->params.launch_dims; d++) {
        v = index_of(g, d);
        W(g, " * ");
        dim_put_size(g, d);
        W(g, " + ");
        sb_put(g->text.out, v->s, v->n);
    }
}

/* state = wp.rand_init(SEED, offset): with an argument for the seed, or a literal. Returns the
 * name. The argument is hidden from expressions, since its value says nothing. */
static str stmt_init(gen *g)
{
    static const char *const names[] = {"state",      "rng",    "state",
                                        "rand_state", "rstate", "seed_state"};
    line_open(g);
    str name = name_keep(g, str_c(names[below(g, 6)]));
    put(g, name);
    W(g, " = ");
    put_prefix(g, FN_rand_init);
    if (below(g, 3) && can_add_scalar(g)) {
        gvar *v = arg_scalar(g, g->in);
        v->flags |= V_HIDDEN;
        var_put(g, v);
    } else {
        sb_uint(g->text.out, 1 + below(g, below(g, 2) ? 100 : 10000));
    }
    W(g, ", ");
    put_offset(g);
    W(g, ")");
    line_close(g);
    return name;
}

/* A sum over draws. */
static void walk(gen *g, str state)
{
    stmt_state(g, g->s);
    uint8_t dim = dim_new(g, DIM_FIXED, some(g, 2, 21));
    uint32_t mark = loop_open(g, dim);
    stmt_draw(g, state);
    stmt_update(g, state_pick(g), 3);
    loop_close(g, dim, mark);
}

/* At least one draw, whatever the room. The type is not drawn: see above. */
void gen_body_random_math(gen *g)
{
    WEFT_ASSERT(g->category == GEN_RANDOM_MATH && gt_same(g->s, gt_scalar(GS_F32)));
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, below(g, 6) ? 1 : 2);
    kernel_output(g, g->s);
    str state = stmt_init(g);
    if (targets_noise(g))
        stmt_noise(g, state);
    for (int i = some(g, 1, 3); i > 0 && (room(g) > 0 || i == 1); i--)
        stmt_draw(g, state);
    if (chance(g, 93) && room(g) > 0)
        stmt_load(g, g->s);
    for (int i = some(g, 0, 3); i > 0 && room(g) > 0; i--)
        stmt_let(g, g->s, some(g, 3, 6));
    if (below(g, 6) == 0 && room(g) > 0)
        stmt_noise(g, state);
    if (below(g, 5) == 0 && room(g) > 3)
        walk(g, state);
    while (room(g) > 5) {
        may_break(g);
        stmt_draw(g, state);
        if (below(g, 4) == 0)
            walk(g, state);
        fill_some(g, 5, g->size.level->level > 2, false);
    }
    fill(g, g->size.level->level > 1, false);
    stmt_store(g, &g->params.args[g->params.goal], some(g, 2, 5));
}
