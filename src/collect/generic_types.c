/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the types of a generic kernel (generic_types.h): for each open parameter a list of types
 * that fit it, and of all combinations the first that compiles.
 *
 *     x: array(dtype=Any)   ->   float32, vec3f, int32, ...     s: Any   ->   the same
 *     arrays of float32, of vec3f, ... with s: float32; then all alike; then every combination */
#include "collect/generic_types.h"

enum { TRIES = 240, OPEN_MOST = 32, FILES_MOST = 16 };

/* Types that fit one parameter, the likeliest first. */
typedef VEC(const type *) type_choice;

/* --- what fits ----------------------------------------------------------------------------- */

/* Numbers and small vectors, in the order in which kernels are written for them. Each parameter's
 * list follows it, so that the i-th of each list are alike. An array fits `Any`, too, and is tried
 * before vectors: both can be indexed, but a kernel's thread number is an index of an array. */
static void all_values(ctx *c, bool arrays, type_choice *out)
{
    static const uint8_t scalars[] = {TYPE_FLOAT32, TYPE_INT32, TYPE_FLOAT64, TYPE_UINT32,
                                      TYPE_INT64};
    const type *f = type_scalar(c, TYPE_FLOAT32);
    const type *const composites[] = {
        type_vec(c, f, 3),    type_mat(c, f, 3, 3), type_vec(c, f, 2),
        type_mat(c, f, 2, 2), type_quat(c, f),      type_transform(c, f),
        type_vec(c, f, 6),    type_vec(c, f, 4),    type_mat(c, f, 4, 4)};
    VEC_PUSH(&c->module, out, f);
    for (int ndim = 1; arrays && ndim <= 4; ndim++)
        VEC_PUSH(&c->module, out, type_array(c, ARRAY_PLAIN, f, ndim));
    for (size_t i = 0; i < sizeof composites / sizeof *composites; i++)
        VEC_PUSH(&c->module, out, composites[i]);
    for (size_t i = 1; i < sizeof scalars; i++)
        VEC_PUSH(&c->module, out, type_scalar(c, (type_kind)scalars[i]));
    VEC_PUSH(&c->module, out, type_vec(c, type_scalar(c, TYPE_INT32), 3));
    VEC_PUSH(&c->module, out, type_vec(c, type_scalar(c, TYPE_FLOAT64), 3));
    VEC_PUSH(&c->module, out, type_mat(c, type_scalar(c, TYPE_FLOAT64), 3, 3));
}

/* Of a matrix that may have any shape the small ones; vectors like Warp's own names. */
static void all_shapes(ctx *c, const type *p, type_choice *out)
{
    static const int sizes[] = {3, 2, 4, 6, 1};
    static const uint8_t scalars[] = {TYPE_FLOAT32, TYPE_FLOAT64, TYPE_INT32};
    for (size_t s = 0; s < sizeof scalars; s++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const type *elem = type_scalar(c, (type_kind)scalars[s]);
            if (!p->elem->generic && p->elem != elem)
                elem = p->elem;
            const int rows = p->rows == TYPE_ANY_DIM ? sizes[i] : p->rows;
            const int cols = p->cols == TYPE_ANY_DIM ? sizes[i] : p->cols;
            VEC_PUSH(&c->module, out,
                     p->kind == TYPE_MAT ? type_mat(c, elem, rows, cols) : type_vec(c, elem, rows));
        }
}

/* Appends what is no pattern and fits `p`, each once. */
static void keep_fitting(ctx *c, const type *p, const type_choice *from, type_choice *out)
{
    for (uint32_t i = 0; i < from->n; i++) {
        bool known = from->v[i]->generic || !type_fits(p, from->v[i]);
        for (uint32_t k = 0; k < out->n; k++)
            known = known || out->v[k] == from->v[i];
        if (!known)
            VEC_PUSH(&c->module, out, from->v[i]);
    }
}

/* An array of anything that fits its elements; the rank is the annotation's. */
static void fill_choice(ctx *c, const type *p, bool element, type_choice *out)
{
    type_choice all = {0}, elems = {0};
    if (p->kind == TYPE_ARRAY && p->elem->generic) {
        fill_choice(c, p->elem, true, &elems);
        for (uint32_t i = 0; i < elems.n; i++)
            VEC_PUSH(&c->module, &all,
                     type_array(c, (array_class)p->array_class, elems.v[i],
                                p->ndim == TYPE_ANY_DIM ? 1 : p->ndim));
    } else if (p->kind == TYPE_VEC || p->kind == TYPE_MAT) {
        all_shapes(c, p, &all);
    } else {
        all_values(c, p->kind == TYPE_ANY && !element, &all);
    }
    keep_fitting(c, p, &all, out);
}

/* --- combinations -------------------------------------------------------------------------- */

typedef struct instance_search {
    pipeline *p;
    const program *prog;
    const kernel *generic;
    const type **types;
    uint32_t open[OPEN_MOST], at[OPEN_MOST], n; /* parameters, and the choice taken of each */
    type_choice choices[OPEN_MOST];
    const char *why;
} instance_search;

static const kernel *try_types(instance_search *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        s->types[s->open[i]] = s->choices[i].v[s->at[i]];
    const kernel *k = kernel_instance_of(&s->p->c, s->generic, s->types);
    if (!k)
        return NULL;
    const compiled_kernel c = pipeline_lower(s->p, s->prog, k);
    if (!c.ir && !s->why)
        s->why = c.error ? c.error->text : "it does not compile";
    return c.ir ? k : NULL;
}

/* All parameters take the same place of their lists, as far as these go; or all arrays, and what is
 * passed by value is a number. */
static const kernel *try_alike(instance_search *s, uint32_t place, bool arrays)
{
    bool any = place == 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const bool is_array = s->generic->code.params[s->open[i]].type->kind == TYPE_ARRAY;
        const bool moves = place < s->choices[i].n && (is_array || !arrays);
        any = any || moves;
        s->at[i] = moves ? place : 0;
    }
    return any ? try_types(s) : NULL;
}

/* The next combination, the last parameter's choice changing fastest. */
static bool step(instance_search *s)
{
    uint32_t i = s->n;
    while (i > 0 && ++s->at[i - 1] == s->choices[i - 1].n)
        s->at[--i] = 0;
    return i > 0;
}

static const kernel *search(instance_search *s)
{
    const kernel *k = NULL;
    uint32_t longest = 1, tries = 0;
    for (uint32_t i = 0; i < s->n; i++)
        longest = s->choices[i].n > longest ? s->choices[i].n : longest;
    for (uint32_t place = 0; place < longest && !k; place++, tries++)
        k = try_alike(s, place, true);
    for (uint32_t place = 1; place < longest && !k; place++, tries++)
        k = try_alike(s, place, false);
    memset(s->at, 0, sizeof s->at);
    if (s->n > 1)
        for (; !k && tries < TRIES && step(s); tries++)
            k = try_types(s);
    return k;
}

/* The kernel's own file first, then the others in their order. */
static void find_launch(ctx *c, const program *prog, const other_files *others,
                        const kernel *generic, const type **types)
{
    const module *m = generic->code.mod;
    uint32_t at = 0;
    for (int n = 0; m && n < FILES_MOST && !instance_by_launch(c, m, generic, types); n++)
        m = other_file(others, prog, generic->code.name->s, &at);
}

const kernel *instance_of(pipeline *p, const program *prog, const other_files *others,
                          const kernel *generic, found_types *by, const char **why)
{
    ctx *c = &p->c;
    const code *f = &generic->code;
    instance_search s = {.p = p, .prog = prog, .generic = generic};
    const kernel *found;
    s.types = arena_zero(&c->module, (f->nparams + 1) * sizeof *s.types);
    find_launch(c, prog, others, generic, s.types);
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        if (!t || s.n == OPEN_MOST)
            return *why = "a parameter has no type", NULL;
        if (!t->generic) {
            s.types[i] = t;
        } else if (!s.types[i]) {
            fill_choice(c, t, false, &s.choices[s.n]);
            s.open[s.n++] = i;
            if (!s.choices[s.n - 1].n)
                return *why = "no type is known that fits one of its parameters", NULL;
        }
    }
    *by = s.n ? FOUND_TYPES_CHOSEN : FOUND_TYPES_LAUNCH;
    found = search(&s);
    *why = s.why ? s.why : "no type fits its parameters";
    return found;
}
