/* SPDX-License-Identifier: Apache-2.0 */
/* What the texts of the library contain, found by walks over their trees: loops, branches, atomics,
 * vectors, random numbers.
 *
 *     for k in range(first[i], first[i + 1]):     loops 1, dynamic
 *         if length > limit:                      branches 1
 */
#include "compose/library_traits.h"

static bool is_name(const node *n, const sym *name)
{
    return n && n->kind == AST_Name && AST(Name, n)->id == name;
}

typedef struct trait_walk {
    const library *l;
    lib_traits *t;
    uint8_t depth; /* of loops */
} trait_walk;

static void walk_traits(void *arg, const node *n);

static void walk_below(trait_walk *w, const node *n, uint8_t deeper)
{
    w->depth += deeper;
    if (w->depth > w->t->loops)
        w->t->loops = w->depth;
    ast_each_child(n, walk_traits, w);
    w->depth -= deeper;
}

/* "sqrt" of wp.sqrt; empty: n is another expression. */
static str builtin_of(const library *l, const node *n)
{
    if (n->kind == AST_Attribute && is_name(AST(Attribute, n)->value, l->words.wp))
        return sym_str(AST(Attribute, n)->attr);
    return STR("");
}

static void see_builtin(lib_traits *t, str name)
{
    static const char *const math[] = {"sqrt", "sin",  "cos",  "tan",   "exp",   "log",   "pow",
                                       "tanh", "asin", "acos", "atan",  "atan2", "sinh",  "cosh",
                                       "erf",  "erfc", "log2", "log10", "cbrt",  "floor", "ceil"};
    static const char *const space[] = {"length",    "dot",  "cross", "normalize",
                                        "length_sq", "vec2", "vec3",  "vec4"};
    static const char *const frames[] = {"mat22",
                                         "mat33",
                                         "mat44",
                                         "transpose",
                                         "determinant",
                                         "inverse",
                                         "outer",
                                         "quat_rotate",
                                         "quat_rotate_inv",
                                         "transform_point",
                                         "transform_vector",
                                         "trace",
                                         "svd3",
                                         "quat_from_axis_angle",
                                         "transform_inverse",
                                         "ddot",
                                         "quat_to_matrix",
                                         "quat_inverse",
                                         "skew",
                                         "diag"};
    t->math += STR_IS_IN(name, math);
    t->vectors |= STR_IS_IN(name, space);
    t->matrices |= STR_IS_IN(name, frames);
    t->solid |= str_eq(name, STR("vec3")) || str_eq(name, STR("cross")) ||
                str_eq(name, STR("skew")) || str_eq(name, STR("mat33")) ||
                str_starts(name, "mesh_") || str_starts(name, "bvh_") ||
                str_starts(name, "hash_grid_");
    t->tiles |= str_starts(name, "tile_");
    t->atomics |= str_starts(name, "atomic_");
    t->random |= str_starts(name, "rand") || str_starts(name, "sample_");
}

static uint8_t chain_of(const ast_If *s)
{
    uint8_t n = 1;
    while (s->orelse.n == 1 && s->orelse.v[0]->kind == AST_If) {
        s = AST(If, s->orelse.v[0]);
        n++;
    }
    return n;
}

static void find_jump(void *arg, const node *n)
{
    *(bool *)arg |= n->kind == AST_Break || n->kind == AST_Continue;
    if (n->kind != AST_For && n->kind != AST_While) /* whose jumps are their own */
        ast_each_child(n, find_jump, arg);
}

/* Is it one that Warp unrolls: for q in range(-1, 2), without break and continue? */
static bool is_unrolled(const node *loop)
{
    bool jumps = false;
    if (loop->kind != AST_For || AST(For, loop)->iter->kind != AST_Call)
        return false;
    ast_each_child(loop, find_jump, &jumps);
    if (jumps)
        return false;
    const node_list *args = &AST(Call, AST(For, loop)->iter)->args;
    for (uint32_t i = 0; i < args->n; i++) {
        const node *n = args->v[i];
        if (n->kind == AST_UnaryOp)
            n = AST(UnaryOp, n)->operand;
        if (n->kind != AST_Constant)
            return false;
    }
    return true;
}

static void walk_traits(void *arg, const node *n)
{
    trait_walk *w = arg;
    const lib_words *words = &w->l->words;
    if (n->kind == AST_For || n->kind == AST_While) {
        w->t->dynamic |= !is_unrolled(n);
        walk_below(w, n, 1);
        return;
    }
    if (n->kind == AST_If && !is_name(AST(If, n)->test, words->maybe) &&
        !is_name(AST(If, n)->test, words->any_of)) {
        const uint8_t chain = chain_of(AST(If, n));
        w->t->branches++;
        if (chain > w->t->chain)
            w->t->chain = chain;
    }
    if (n->kind == AST_Call)
        see_builtin(w->t, builtin_of(w->l, AST(Call, n)->func));
    walk_below(w, n, 0);
}

lib_traits library_traits(const library *l, const node *const *body, uint32_t n)
{
    lib_traits t = {0};
    trait_walk w = {l, &t, 0};
    for (uint32_t i = 0; i < n; i++)
        walk_traits(&w, body[i]);
    return t;
}

void library_see_types(lib_traits *t, const lib_param *params, uint32_t n,
                       const lib_quantity *result)
{
    bool any = false, flat = false;
    for (uint32_t i = 0; i <= n; i++) {
        const lib_quantity *q = i < n ? params[i].of : result;
        if (!q)
            continue;
        t->vectors |= q->type >= LIB_VEC && q->type <= LIB_VEC4;
        t->matrices |= q->type >= LIB_MAT22;
        any |= q->type == LIB_VEC;
        flat |= q->type == LIB_VEC2 || q->type == LIB_MAT22;
        t->solid |= q->type == LIB_VEC3 || q->type >= LIB_MAT33;
    }
    t->space = !any ? 0 : t->solid ? 3 : flat ? 2 : 0;
}

static void walk_returns(void *arg, const node *n)
{
    *(uint32_t *)arg += n->kind == AST_Return;
    ast_each_child(n, walk_returns, arg);
}

uint32_t library_returns(const node *const *body, uint32_t n)
{
    uint32_t returns = 0;
    for (uint32_t i = 0; i < n; i++)
        walk_returns(&returns, body[i]);
    return returns;
}
