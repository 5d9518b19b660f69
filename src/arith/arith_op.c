/* Finds operations: first in the families' tables, then among the builtins of arith_table.c, which
 * work on rvalues. */
#include "arith/arith_family.h"

/* What an operation on rvalues needs at each run. */
typedef struct rvalue_op {
    ctx *c;
    const type *constructs;
    arena scratch;
    rvalue *args;
} rvalue_op;

static arith_status call_rvalues(const arith_op *op, arith_call *call)
{
    const rvalue_op *r = op->aux;
    return r->constructs ? arith_construct(call, r->constructs) : arith_builtin(call, op->name);
}

static arith_status run_rvalues(const arith_op *op, void *const *operands)
{
    rvalue_op *r = op->aux;
    arena_reset(&r->scratch);
    for (uint32_t i = 0; i < op->n; i++)
        r->args[i] = rvalue_load(&r->scratch, op->types[i], operands[i]);
    arith_call call = {.c = r->c, .a = &r->scratch, .args = r->args, .n = op->n};
    const arith_status status = call_rvalues(op, &call);
    if (status != ARITH_OK)
        return status;
    if (op->in_place && !rvalue_store(op->types[0], operands[0], &r->args[0]))
        return ARITH_MISSING;
    return rvalue_store(op->types[op->n], operands[op->n], &call.result) ? ARITH_OK : ARITH_MISSING;
}

/* The type of the result, found by a run on ones. */
static const type *result_type(const arith_op *op)
{
    rvalue_op *r = op->aux;
    arith_call call = {.c = r->c, .a = &r->scratch, .args = r->args, .n = op->n};
    for (uint32_t i = 0; i < op->n; i++) {
        const type *t = op->types[i], *s = type_is_value(t) ? type_scalar_of(t) : NULL;
        uint8_t *bytes = arena_zero(&r->scratch, layout_size(t));
        for (int k = 0; s && k < lane_count(t); k++)
            num_store(s->kind, bytes + (size_t)k * layout_size(s),
                      num_cast(s->kind, TYPE_INT32, (num){.i = 1}));
        r->args[i] = rvalue_load(&r->scratch, t, bytes);
    }
    return call_rvalues(op, &call) == ARITH_OK ? call.result.type : NULL;
}

static bool find_rvalues(const arith_request *q, arith_op *op)
{
    rvalue_op *r = ARENA_NEW(q->a, rvalue_op);
    const type **types = ARENA_ARRAY(q->a, const type *, q->n + 1);
    *r = (rvalue_op){.c = q->c, .constructs = q->constructs};
    r->args = ARENA_ARRAY(q->a, rvalue, q->n + 1);
    arena_init(&r->scratch, &q->c->mem);
    *op = (arith_op){.run = run_rvalues, .name = q->name, .n = q->n, .nresults = 1, .aux = r};
    op->types = types;
    op->in_place = !q->constructs && arith_advances_state(q->name);
    for (uint32_t i = 0; i < q->n; i++) {
        if (!type_is_value(q->args[i]))
            return false;
        types[i] = q->args[i];
    }
    if (q->nresults > 1)
        return false;
    types[q->n] = result_type(op);
    return types[q->n] && (!q->nresults || q->results[0] == types[q->n]);
}

/* Constructors are rows of the name "". */
const arith_family *const arith_families[] = {
    &arith_scalars,  /* arith_scalar.def */
    &arith_maths,    /* arith_math.def */
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

bool arith_find(const arith_request *q, arith_op *op)
{
    for (uint32_t i = 0; i < q->n; i++)
        if (!q->args[i] || !(type_is_value(q->args[i]) || q->args[i]->kind == TYPE_SLICE))
            return false;
    for (uint32_t i = 0; arith_families[i]; i++) {
        const arith_row *row = find_row(arith_families[i], q->constructs ? "" : q->name);
        if (row && row->resolve(q, op))
            return true;
    }
    return find_rvalues(q, op);
}
