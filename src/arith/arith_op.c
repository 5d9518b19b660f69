/* Finds operations in the tables of the families. */
#include "arith/arith_family.h"

/* Constructors are rows of the name "". */
const arith_family *const arith_families[] = {
    &arith_scalars,  /* formula_scalar.h */
    &arith_maths,    /* formula_math.h */
    &arith_choices,  /* where, copy, assign */
    &arith_casts,    /* between scalars */
    &arith_noises,   /* noise, pnoise, curlnoise */
    &arith_randoms,  /* rand_init, randi, sample_... */
    &arith_linear,   /* vectors and matrices */
    &arith_rotation, /* arith_rotation.def */
    NULL,
};

static const arith_row *find_row(const arith_family *f, const char *name)
{
    uint32_t low = 0, high = f->n;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const int order = strcmp(f->rows[middle].name, name);
        if (order == 0)
            return &f->rows[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Slices are indices of elements, and nobody else looks for them. */
static bool takes(const arith_family *f, const type *t)
{
    return t && (type_is_value(t) || (t->kind == TYPE_SLICE && f == &arith_linear));
}

static bool takes_all(const arith_family *f, const arith_request *q)
{
    for (uint32_t i = 0; i < q->n; i++)
        if (!takes(f, q->args[i]))
            return false;
    return true;
}

bool arith_find(const arith_request *q, arith_op *op)
{
    for (uint32_t i = 0; arith_families[i]; i++) {
        if (!takes_all(arith_families[i], q))
            continue;
        const arith_row *row = find_row(arith_families[i], q->constructs ? "" : q->name);
        if (!row || !row->resolve(q, op))
            continue;
        op->constructs = q->constructs != NULL;
        return true;
    }
    return false;
}

bool arith_knows(const char *name)
{
    for (uint32_t i = 0; arith_families[i]; i++)
        if (find_row(arith_families[i], name))
            return true;
    return false;
}
