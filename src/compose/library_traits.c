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
                                         "diag",
                                         "tile_matmul",
                                         "tile_transpose",
                                         "tile_lower_solve"};
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

void library_keep_numbers(void *arg, const node *n)
{
    const library_spelling *s = arg;
    if (n->kind == AST_Constant && (AST(Constant, n)->value.kind == CONST_INT ||
                                    AST(Constant, n)->value.kind == CONST_FLOAT)) {
        const uint32_t line = s->src->lines[n->line - 1];
        str *text = ARENA_NEW(s->a, str);
        *text = (str){s->src->text.p + line + n->col, n->end_col - n->col};
        AST(Constant, n)->kind = text;
    }
    ast_each_child(n, library_keep_numbers, arg);
}

static bool is_call(const node *n, const sym *name)
{
    return n && n->kind == AST_Call && is_name(AST(Call, n)->func, name);
}

/* i of `i = thread()`, `i, j` of `i, j = thread()`; NULL: there is none. */
static const node *thread_index(const lib_algorithm *a, const lib_words *w)
{
    for (uint32_t i = 0; i < a->nbody; i++)
        if (a->body[i]->kind == AST_Assign && is_call(AST(Assign, a->body[i])->value, w->thread))
            return AST(Assign, a->body[i])->targets.v[0];
    return NULL;
}

/* Is it as many as the launch has dimensions? */
static bool has_index_of(const lib_algorithm *a, const node *index)
{
    return index->kind == AST_Name
               ? a->dims == 1
               : index->kind == AST_Tuple && AST(Tuple, index)->elts.n == a->dims;
}

/* Is n these names, in this order? */
static bool is_thread_index(const node *index, const node *n)
{
    if (!index || index->kind != n->kind)
        return false;
    if (n->kind == AST_Name)
        return AST(Name, n)->id == AST(Name, index)->id;
    if (n->kind != AST_Tuple || AST(Tuple, n)->elts.n != AST(Tuple, index)->elts.n)
        return false;
    for (uint32_t i = 0; i < AST(Tuple, n)->elts.n; i++) {
        const node *x = AST(Tuple, n)->elts.v[i], *y = AST(Tuple, index)->elts.v[i];
        if (x->kind != AST_Name || y->kind != AST_Name || AST(Name, x)->id != AST(Name, y)->id)
            return false;
    }
    return true;
}

typedef struct name_uses {
    const sym *name;
    uint32_t n;
} name_uses;

static void walk_uses(void *arg, const node *n)
{
    name_uses *u = arg;
    u->n += is_name(n, u->name);
    ast_each_child(n, walk_uses, u);
}

/* slot[i] = lo at the end, the only place where slot stands: the algorithm gives each element a
 * value. */
void library_find_result(library *l, lib_algorithm *a)
{
    const node *last = a->body[a->nbody - 1], *index = thread_index(a, &l->words);
    a->plain = index && a->over == LIB_OVER_ELEMENTS && !a->traits.tiles &&
               !library_returns(a->body, a->nbody) && has_index_of(a, index);
    if (last->kind != AST_Assign || a->over != LIB_OVER_ELEMENTS || a->traits.tiles ||
        library_returns(a->body, a->nbody))
        return;
    const node *target = AST(Assign, last)->targets.v[0];
    if (target->kind != AST_Subscript || AST(Subscript, target)->value->kind != AST_Name ||
        !is_thread_index(index, AST(Subscript, target)->slice))
        return;
    name_uses uses = {AST(Name, AST(Subscript, target)->value)->id, 0};
    for (uint32_t i = 0; i < a->nbody; i++)
        walk_uses(&uses, a->body[i]);
    for (uint32_t i = 0; i < a->nparams && uses.n == 1; i++) {
        const lib_param *p = &a->params[i];
        if (p->name != uses.name || p->place != PLACE_OUT || !p->of || p->shape)
            continue;
        lib_formula *f = ARENA_NEW(&l->c.perm, lib_formula);
        f->def = a->def;
        f->field = a->field;
        f->result = p->of;
        a->result = f;
        a->result_param = i;
    }
}

static void find_zero(void *arg, const node *n)
{
    lib_algorithm *a = arg;
    a->zeroed |= n->kind == AST_Name && strcmp(AST(Name, n)->id->s, "zero") == 0;
    ast_each_child(n, find_zero, arg);
}

/* "initial" of initial and of initial2; NULL for what needs none, `current` and `result`. */
static const sym *adjective_of(library *l, const sym *name)
{
    const size_t n = name->len - (name->s[name->len - 1] == '2');
    const str word = {name->s, n};
    if (str_eq(word, STR("current")) || str_eq(word, STR("result")))
        return NULL;
    return sym_intern(&l->c.syms, word.p, word.n);
}

void library_see_any(library *l, lib_algorithm *a)
{
    for (uint32_t i = 0; i < a->nparams; i++) {
        a->second |= a->params[i].of == l->also;
        if (a->params[i].of == l->same || a->params[i].of == l->also)
            a->adjectives[i] = adjective_of(l, a->params[i].name);
    }
    for (uint32_t i = 0; i < a->nbody; i++)
        find_zero(a, a->body[i]);
}

/* The number of statements up to the last that may end the kernel, before the value is computed. */
uint32_t library_ahead(const lib_part *p)
{
    uint32_t n = p->nbody;
    while (n && !library_returns(p->body + n - 1, 1))
        n--;
    return n;
}
