/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a promised launch (metadata.launch, and the shapes of arguments): its letters get
 * sizes. An example:
 *
 *     promise "n", x: "n", m: "n,k"     n = 277, k = 5 */
#include "standalone/standalone_internal.h"

enum { SIZE_MAX_FIXED = 256 };

/* Sizes of the letters met so far; 0: not met. */
typedef struct letters {
    int64_t of[26];
    uint32_t drawn;
} letters;

/* Has a letter this size already? Another letter must get another size, so that a mixed-up axis
 * shows. */
static bool in_use(const letters *l, int64_t size)
{
    for (int i = 0; i < 26; i++)
        if (l->of[i] == size)
            return true;
    return false;
}

/* The size of a letter that is no dimension of the launch: the next that is free. 5 for
 * all that remain. */
static int64_t other_size(letters *l)
{
    while (l->drawn < INPUTS_OTHERS && in_use(l, inputs_other_sizes[l->drawn]))
        l->drawn++;
    return l->drawn < INPUTS_OTHERS ? inputs_other_sizes[l->drawn] : 5;
}

/* What choose_size needs. */
typedef struct size_choice {
    letters *l;
    const int64_t *launch; /* sizes of a launch; NULL: of an array */
} size_choice;

/* For check_read_shape: the size of a letter it meets for the first time; in the launch its sizes,
 * elsewhere a small one. */
static int64_t choose_size(void *arg, int dim)
{
    const size_choice *c = arg;
    return c->launch ? c->launch[dim] : other_size(c->l);
}

/* "n,m" by the letters known so far; the rank, or a negative number if it cannot be read. */
static int read_shape(letters *l, str text, const int64_t *launch, int64_t *shape)
{
    size_choice c = {l, launch};
    const int64_t most = launch ? INT64_MAX : 4 * SIZE_MAX_FIXED;
    return check_read_shape(text, l->of, choose_size, &c, most, shape);
}

/* The launch first, so that an array of shape n is as long as the launch; then the parameters in
 * order. False: a shape that cannot be read, or that has another rank than its array. */
static bool read_promise(const standalone_subject *s, uint32_t size, inputs_plan *p)
{
    letters l = {0};
    const code *f = &s->kernel->code;
    const str launch = check_alternative(s->launch, 0);
    const int n = (int)str_count(launch, ',') + 1; /* the text is not checked yet */
    if (n > LAUNCH_DIMS)
        return false;
    int64_t sizes[LAUNCH_DIMS];
    inputs_launch_sizes(s->elements, size, n, sizes);
    p->ndim = read_shape(&l, launch, sizes, p->dim);
    if (p->ndim != n)
        return false;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        inputs_arg *a = &p->args[i];
        a->mag = s->args[i].mag;
        a->rank = read_shape(&l, check_alternative(s->args[i].shape, 0), NULL, a->shape);
        a->is_size = a->rank == 1 && type_is_integer(t);
        if (a->rank < 0 || (t->kind == TYPE_ARRAY && t->ndim != a->rank))
            return false;
        /* Arrays in a struct have no shape of their own in a promise. */
        if (!a->rank && t->kind == TYPE_STRUCT)
            inputs_shape_alike(p, t, a);
    }
    return true;
}

bool sa_plan_make(sa_runner *w, const inputs_trial *trial, inputs_plan *out)
{
    arena *a = &w->c->module;
    if (!w->s->launch.n) {
        inputs_plan_make(a, &w->inputs, trial, out);
        return true;
    }
    *out = (inputs_plan){.positive = trial->positive};
    out->args = arena_zero(a, (w->s->kernel->code.nparams + 1) * sizeof *out->args);
    return read_promise(w->s, trial->size, out);
}
