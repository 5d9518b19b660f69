/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the types of a generic kernel (generic_types.h): for each open parameter a list of types
 * that fit it, and of all combinations the first that compiles.
 *
 *     x: array(dtype=Any)   ->   float32, vec3f, int32, ...     s: Any   ->   the same
 *     arrays of float32, of vec3f, ... with s: float32; then all alike; then, from the one with the
 *     fewest errors on, whatever choice of one parameter has fewer; then every combination */
#include "collect/generic_types.h"

#include "sema/origin.h"

enum { STRUCTS_TRIED = 4, OTHERS_TRIED = 5 };
enum { TRIES = 240, CLIMB_TRIES = 600, OPEN_MOST = 32, FILES_MOST = 16 };

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

/* Those that the kernel's module has a name for. */
static void all_structs(ctx *c, const module *m, type_choice *out)
{
    enum { STRUCTS_MAX = 32 };
    const type *found[STRUCTS_MAX];
    const uint32_t n = m ? origin_structs(m, found, STRUCTS_MAX) : 0;
    for (uint32_t i = 0; i < n; i++)
        VEC_PUSH(&c->module, out, found[i]);
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
static void fill_choice(ctx *c, const module *m, const type *p, bool element, type_choice *out)
{
    type_choice all = {0}, elems = {0};
    if (p->kind == TYPE_ARRAY && p->elem->generic) {
        fill_choice(c, m, p->elem, true, &elems);
        for (uint32_t i = 0; i < elems.n; i++)
            VEC_PUSH(&c->module, &all,
                     type_array(c, (array_class)p->array_class, elems.v[i],
                                p->ndim == TYPE_ANY_DIM ? 1 : p->ndim));
    } else if (p->kind == TYPE_VEC || p->kind == TYPE_MAT) {
        all_shapes(c, p, &all);
    } else {
        all_values(c, p->kind == TYPE_ANY && !element, &all);
        all_structs(c, m, &all);
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
    uint32_t structs[OPEN_MOST]; /* so many choices are structs that have what is read of them */
    uint64_t errors; /* of the combination tried last; of as many the later ones are less */
    uint64_t fewest;
    uint32_t best[OPEN_MOST]; /* the choices with the fewest errors */
    const char *why;          /* their first error */
} instance_search;

/* Keeps the combination if it is the best so far; the first of equals stays. */
static void keep_best(instance_search *s, const char *why)
{
    if (s->why && s->errors >= s->fewest)
        return;
    memcpy(s->best, s->at, sizeof s->best);
    s->fewest = s->errors;
    s->why = why;
}

/* Errors in a function that the kernel calls count as late. */
static uint64_t errors_of(const instance_search *s, const compiled_kernel *c)
{
    enum { LINES_MAX = 1 << 24 };
    const code *f = &s->generic->code;
    uint32_t line = f->last_line;
    if (!c->error || !c->nerrors)
        return UINT64_MAX;
    if (c->error->at.src == f->src && c->error->at.line < line)
        line = c->error->at.line;
    return (uint64_t)c->nerrors * LINES_MAX - line % LINES_MAX;
}

static const kernel *try_types(instance_search *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        s->types[s->open[i]] = s->choices[i].v[s->at[i]];
    const kernel *k = kernel_instance_of(&s->p->c, s->generic, s->types);
    s->errors = UINT64_MAX;
    if (!k)
        return NULL;
    const compiled_kernel c = pipeline_lower(s->p, s->prog, k);
    if (c.ir)
        return k;
    s->errors = errors_of(s, &c);
    keep_best(s, c.error ? c.error->text : "it does not compile");
    return NULL;
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

/* Parameters that have such structs take the same place of their lists, as for points and weights
 * in 1, 2 and 3 dimensions; the others one type after another, all the same. */
static const kernel *try_structs(instance_search *s, uint32_t place, uint32_t others)
{
    bool any = false;
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t at = s->structs[i] ? place : others;
        any = any || place < s->structs[i];
        s->at[i] = at < s->choices[i].n && (!s->structs[i] || at < s->structs[i]) ? at : 0;
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

/* Changes one parameter after another, and goes on from each combination that has fewer errors. */
static const kernel *climb(instance_search *s)
{
    const kernel *k = NULL;
    uint32_t tries = 0;
    for (uint32_t since = 0, i = 0; since < s->n && s->why; i = (i + 1) % s->n, since++) {
        const uint64_t before = s->fewest;
        for (uint32_t place = 0; place < s->choices[i].n; place++) {
            memcpy(s->at, s->best, sizeof s->at);
            if (s->at[i] == place)
                continue;
            s->at[i] = place;
            if (++tries > CLIMB_TRIES || (k = try_types(s)) != NULL)
                return k;
        }
        if (s->fewest < before)
            since = 0;
    }
    return NULL;
}

static const kernel *search(instance_search *s)
{
    const kernel *k = NULL;
    uint32_t longest = 1, tries = 0;
    for (uint32_t i = 0; i < s->n; i++)
        longest = s->choices[i].n > longest ? s->choices[i].n : longest;
    for (uint32_t at = 0; at < STRUCTS_TRIED * OTHERS_TRIED && !k; at++)
        k = try_structs(s, at % STRUCTS_TRIED, at / STRUCTS_TRIED);
    for (uint32_t place = 0; place < longest && !k; place++, tries++)
        k = try_alike(s, place, true);
    for (uint32_t place = 1; place < longest && !k; place++, tries++)
        k = try_alike(s, place, false);
    if (!k && s->n > 1)
        k = climb(s);
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
            fill_choice(c, f->mod, t, false, &s.choices[s.n]);
            s.structs[s.n] = prefer_structs(generic, i, s.choices[s.n].v, s.choices[s.n].n);
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
