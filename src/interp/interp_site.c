/* SPDX-License-Identifier: Apache-2.0 */
/* Sites: operations of src/arith, found for the types of their operands and kept for the next time.
 *
 *     first time   x * y    arith_find("mul", float32, float32), operands and results laid out
 *     next time    x * y    addresses of x and y put into the site, its function called
 *
 * A node has a list of sites, one for each set of types that it has met: mostly one. With tangents
 * the operation's tangent function runs behind it, unless all tangents are zero. */
#include "interp/interp_tile.h"

/* One type is enough for a message: the line shows the rest. */
void interp_cannot(interp *in, const node *at, const char *name, const iv *const *args, uint32_t n)
{
    const type *t = n ? args[0]->type : NULL;
    interp_refuse(in, at, "%s of %.*s", name, t ? (int)t->pyname.n : 7,
                  t ? t->pyname.p : "nothing");
}

/* Ends the run with the message for what an operation reported. */
static void fail_status(interp *in, const node *at, const site *s, arith_status status)
{
    WEFT_ASSERT(status != ARITH_OK);
    char text[200];
    switch (status) {
    case ARITH_DIVIDES_BY_ZERO: interp_fail(in, at, "an integer is divided by zero");
    case ARITH_OVERFLOWS: interp_fail(in, at, "the smallest integer is divided by -1");
    case ARITH_OUT_OF_RANGE: interp_fail(in, at, "a component is out of bounds");
    case ARITH_NO_OBJECT: interp_fail(in, at, "the id names no object that %s needs", s->op.name);
    case ARITH_NO_ELEMENT:
        interp_fail(in, at, "%s asks for an element that there is not", s->op.name);
    case ARITH_CONVERSION:
    case ARITH_SHIFT:
    case ARITH_NAN_SIGN:
        arith_explain(&s->op, s->operands, status, text, sizeof text);
        interp_unspecified(in, at, "%s", text);
    default: interp_refuse(in, at, "%s", s->op.name ? s->op.name : "this");
    }
}

/* Types are unique, so addresses are compared. Objects matter too: a function as an argument
 * decides what is called.
 *
 *     x + y with float32, float32, then with int32, int32   ->   two sites of one node */
bool interp_site_fits(const site *s, const iv *const *args, uint32_t n)
{
    if (s->n != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (args[i]->type != s->seen[i] || args[i]->object != s->objects[i])
            return false;
    return true;
}

/* Copies the operands' types, which the next evaluation may change. */
site *interp_site_new(interp *in, inode *n, const iv *const *args, uint32_t count)
{
    WEFT_ASSERT(count <= INTERP_ARGS);
    site *s = ARENA_NEW(in->a, site);
    s->n = count;
    s->seen = ARENA_ARRAY(in->a, const type *, count + 1);
    s->objects = ARENA_ARRAY(in->a, const value *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        s->seen[i] = args[i]->type;
        s->objects[i] = args[i]->object;
    }
    s->next = n->site;
    n->site = s;
    return s;
}

/* Memory for a value; never empty, so that its address is its own. */
static void *room_for(interp *in, const type *t)
{
    return arena_zero(in->a, layout_size(t) + 1);
}

/* At least `size` bytes of zeros, shared by all who need a zero tangent; nobody writes to them.
 * find_op calls this for the size of every operand, so in->zeros is large enough when it runs. */
void *interp_zeros(interp *in, size_t size)
{
    if (size > in->zeros_size) {
        in->zeros_size = 2 * size;
        in->zeros = arena_zero(in->a, in->zeros_size);
    }
    return in->zeros;
}

/* Makes room for the results and their tangents, which serve each run of the site. A changed
 * argument works on a copy (state). */
bool interp_find_op(interp *in, site *s, const arith_request *q)
{
    if (!arith_find(q, &s->op))
        return false;
    const uint32_t n = s->op.n, nresults = s->op.nresults;
    WEFT_ASSERT(nresults <= ARITH_RESULTS_MAX && s->op.run);
    s->operands = ARENA_ARRAY(in->a, void *, n + nresults + 1);
    s->tangents = ARENA_ARRAY(in->a, void *, 2 * (n + nresults) + 1);
    s->results = ARENA_ARRAY(in->a, iv, nresults + 1);
    for (uint32_t i = 0; i < n; i++)
        interp_zeros(in, layout_size(s->op.types[i]));
    for (uint32_t i = 0; i < nresults; i++) {
        const type *t = s->op.types[n + i];
        s->results[i] = (iv){.type = t, .p = room_for(in, t)};
        s->operands[n + i] = s->results[i].p;
        s->tangents[n + i] = s->results[i].p;
        s->tangents[2 * n + nresults + i] = room_for(in, t);
    }
    if (s->op.in_place && n)
        s->state = room_for(in, s->op.types[0]);
    s->set = ARENA_ARRAY(in->a, iv, s->op.nset + 1u);
    for (uint32_t i = 0; i < s->op.nset; i++) {
        const type *t = s->op.types[s->op.first_set + i];
        s->set[i] = (iv){.type = t, .p = room_for(in, t), .t = room_for(in, t)};
    }
    if (nresults > 1)
        s->tuple = type_tuple(in->c, s->op.types + n, nresults);
    return true;
}

/* A result of floats with a tangent that is not finite: its slope is not either, though what is
 * chosen in the end may be.
 *
 *     y = wp.where(n > 0.0, x / n, 0.0)      n = 0: an infinite adjoint times 0 is NaN */
static void note_steep(interp *in, const site *s)
{
    for (uint32_t i = 0; i < s->op.nresults && !in->steep; i++) {
        const type *scalar = s->results[i].t ? type_scalar_of(s->results[i].type) : NULL;
        if (!scalar || !type_is_float(scalar))
            continue;
        const size_t width = layout_size(scalar);
        const uint8_t *lanes = s->results[i].p;
        for (int k = lane_count(s->results[i].type); k-- > 0;)
            in->steep |=
                !__builtin_isfinite(num_load((type_kind)scalar->kind, lanes + (size_t)k * width).f);
    }
}

static void note_status(interp *in, arith_status of_tangent)
{
    in->steep |= of_tangent == ARITH_STEEP;
    in->kink |= of_tangent != ARITH_OK && of_tangent != ARITH_STEEP;
}

/* run_tangent for one or two operands in order and one result. */
static void run_direct_tangent(interp *in, site *s, const iv *const *args)
{
    const uint32_t n = s->op.n;
    WEFT_ASSERT(s->direct && (n == 1 || n == 2) && s->op.nresults == 1);
    void *first = args[0]->t, *second = n == 2 ? args[1]->t : NULL;
    s->results[0].t = NULL;
    if (!s->op.tangent || (!first && !second))
        return;
    s->tangents[0] = s->operands[0];
    s->tangents[n + 1] = first ? first : in->zeros;
    if (n == 2) {
        s->tangents[1] = s->operands[1];
        s->tangents[4] = second ? second : in->zeros;
    }
    s->results[0].t = s->tangents[2 * n + 1];
    if (s->op.differs)
        in->wrong_adjoint = s->op.name;
    note_status(in, s->op.tangent(&s->op, s->tangents));
}

/* The tangents of the results, for any operation: arguments, results, tangents of both. */
static void run_tangent(interp *in, site *s, const iv *const *args)
{
    const uint32_t n = s->op.n, nresults = s->op.nresults;
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        const int32_t from = s->map ? s->map[i] : (int32_t)i;
        void *t = from < 0 ? NULL : args[from]->t;
        any = any || t;
        s->tangents[i] = s->operands[i];
        s->tangents[n + nresults + i] = t ? t : in->zeros;
    }
    for (uint32_t i = 0; i < s->op.nset; i++)
        s->tangents[n + nresults + s->op.first_set + i] = s->set[i].t;
    any = any && s->op.tangent;
    for (uint32_t i = 0; i < nresults; i++)
        s->results[i].t = any ? s->tangents[2 * n + nresults + i] : NULL;
    if (any && s->op.differs)
        in->wrong_adjoint = s->op.name;
    if (any)
        note_status(in, s->op.tangent(&s->op, s->tangents));
}

/* Tangents are computed after the value: arith_op's tangent functions read the results. */
void interp_after_run(interp *in, const inode *n, site *s, const iv *const *args,
                      arith_status status)
{
    if (status != ARITH_OK)
        fail_status(in, n->at, s, status);
    if (!in->dual) {
        s->results[0].t = NULL;
        return;
    }
    if (s->direct)
        run_direct_tangent(in, s, args);
    else
        run_tangent(in, s, args);
    note_steep(in, s);
}

/* Takes fuel for the loop inside a builtin, launch->round_steps for each round, and for large
 * matrices. Without this, one call could run for as long as a whole program. */
static void count_work(interp *in, const inode *n, const site *s)
{
    uint64_t steps = s->op.work;
    if (s->op.rounds && in->launch->round_steps)
        steps += (uint64_t)in->launch->round_steps * s->op.rounds(&s->op, s->operands);
    interp_spend(in, n->at, steps);
}

/* Of functions whose last place differs from library to library: one up or down, in turn. */
static void shake(interp *in, const site *s)
{
    static const char *const names[] = {"sin",   "cos",   "tan",  "asin",  "acos",   "atan",
                                        "atan2", "sinh",  "cosh", "tanh",  "exp",    "log",
                                        "pow",   "log2",  "cbrt", "erf",   "erfinv", "log10",
                                        "randn", "noise", "erfc", "pnoise"};
    if (!s->results || !s->results[0].type || s->results[0].type->kind != TYPE_FLOAT32 ||
        !s->op.name || !STR_IS_IN(str_c(s->op.name), names))
        return;
    uint32_t bits;
    memcpy(&bits, s->results[0].p, sizeof bits);
    const bool tiny = !(bits & 0x7fffffff), odd = (bits & 0x7f800000) == 0x7f800000;
    bits += tiny || odd ? 0 : in->shaken++ % 2 ? 1u : UINT32_MAX;
    memcpy(s->results[0].p, &bits, sizeof bits);
}

/* Runs a site on operands that it fits, and returns the result: one value, a tuple of several, or
 * none. An operation that changes its first argument in place (a random state) works on a copy
 * unless the argument is a variable. */
const iv *interp_run_site(interp *in, inode *n, site *s, const iv *const *args)
{
    if (s->has_known)
        return &s->known;
    if (s->user || s->native)
        return interp_run_user(in, n, s, args);
    if (s->changes)
        return interp_run_changing(in, n, s, args);
    WEFT_ASSERT(s->op.run && s->operands);
    for (uint32_t i = 0; i < s->op.n; i++) {
        const int32_t from = s->map ? s->map[i] : (int32_t)i;
        if (from >= 0)
            s->operands[i] = args[from]->p;
    }
    if (s->op.in_place && s->state && n->n && n->kid[0]->kind != NODE_SLOT)
        s->operands[0] = memcpy(s->state, s->operands[0], layout_size(s->op.types[0]));
    if (s->op.changes_second && (n->n < 2 || n->kid[1]->kind != NODE_SLOT))
        interp_refuse(in, n->at, "%s without a variable to change", s->op.name);
    if (s->op.rounds || s->op.work)
        count_work(in, n, s);
    if (s->op.nset)
        interp_run_setting(in, n, s, args);
    else
        interp_after_run(in, n, s, args, s->op.run(&s->op, s->operands));
    if (in->launch->shaken && !s->tuple)
        shake(in, s);
    if (!s->tuple)
        return s->results;
    n->v = (iv){.type = s->tuple, .p = s->results};
    return &n->v;
}

/* The node's site for these operands: one that it has, a user's function named as the operator, or
 * a new one. */
static site *find_operator(interp *in, inode *n, const iv *const *args, uint32_t count)
{
    const type *types[2];
    WEFT_ASSERT(count == 1 || count == 2);
    for (site *s = n->site; s; s = s->next)
        if (interp_site_fits(s, args, count))
            return s;
    site *s = n->aux ? interp_user_site(in, n, n->aux, args, count) : NULL;
    if (s)
        return s;
    for (uint32_t i = 0; i < count; i++) {
        types[i] = args[i]->type;
        if (!types[i])
            interp_fail(in, n->at, "a value is wanted here");
    }
    const arith_request q = {
        .c = in->c, .a = in->a, .name = interp_operator(n->op), .args = types, .n = count};
    site *made = interp_site_new(in, n, args, count);
    if (!q.name || !interp_find_op(in, made, &q)) {
        n->site = made->next;
        interp_cannot(in, n->at, q.name ? q.name : "this operator", args, count);
    }
    made->direct = made->op.n == count && made->op.nresults == 1 && !made->state && !made->op.work;
    return made;
}

/* Only the newest site is looked at here; find_operator looks at the others. */
const iv *interp_apply(interp *in, inode *n, const iv *const *args, uint32_t count)
{
    site *s = n->site;
    if (!s || !interp_site_fits(s, args, count)) {
        if (interp_is_tile(args[0]) || interp_is_tile(args[count - 1]))
            return interp_tile_operator(in, n, args, count);
        s = find_operator(in, n, args, count);
    }
    return interp_run_site(in, n, s, args);
}
