/* SPDX-License-Identifier: Apache-2.0 */
/* Every call that arith executes, as CUDA C++: `cudarule_cases write DIR N` makes DIR/calls.cpp and
 * DIR/in of each N-th; once that program has made DIR/out of it, `cudarule_cases compare DIR N`
 * holds the results and adjoints against arith's. tests/cuda/calls_check.py runs all three. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arith/arith_family.h"
#include "base/rng.h"
#include "builtin/builtin.h"
#include "cudarule/cudarule_call.h"
#include "cudarule/cudarule_type.h"
#include "standalone/standalone.h"

enum { OPERANDS_MAX = 40, VALUE_BYTES = 320, TRIALS = 3, CANDIDATES_MAX = 64, ATTEMPTS = 60 };

typedef struct cell {
    double bytes[VALUE_BYTES / sizeof(double)];
} cell;

/* Arguments and results, then their adjoints. */
typedef struct point {
    cell values[2][OPERANDS_MAX];
} point;

typedef struct run {
    ctx c;
    const char *mode, *folder;
    rng random;
    cuda_defs *defs;
    strbuf functions, table, in;
    FILE *out;
    uint64_t *seen;             /* hashes of the cases that were met */
    uint32_t nseen, met, every; /* see is_due */
    uint32_t cases, with_adjoint, backward, missing, unreached, wrong;
    const char *name; /* of the operation at hand; with the constructed type */
    const type *made;
} run;

enum { SEEN_SIZE = 1 << 18 };

static bool is_new(run *r, const char *name, const type *made, const type *const *args, uint32_t n)
{
    uint64_t h = 1469598103934665603u;
    for (const char *p = name; *p; p++)
        h = (h ^ (uint8_t)*p) * 1099511628211u;
    h = (h ^ (made ? made->id + 1 : 0)) * 1099511628211u;
    for (uint32_t i = 0; i < n; i++)
        h = (h ^ (args[i]->id + 7)) * 1099511628211u;
    h |= 1;
    uint32_t at = (uint32_t)(h >> 40) & (SEEN_SIZE - 1);
    for (; r->seen[at]; at = (at + 1) & (SEEN_SIZE - 1))
        if (r->seen[at] == h)
            return false;
    r->seen[at] = h;
    r->nseen++;
    return true;
}

/* Each `every`-th case is tried, and the first of each name or constructed type. */
static bool is_due(run *r, const char *name, const type *made)
{
    const bool first = is_new(r, name, made, NULL, 0);
    return r->met++ % r->every == 0 || first;
}

/* Random numbers, small multiples of a power of two. */
static void draw(run *r, const char *name, const type *t, cell *out)
{
    const bool unit = strstr(name, "asin") || strstr(name, "acos") || strstr(name, "erf");
    const bool positive = strncmp(name, "log", 3) == 0 || strcmp(name, "pow") == 0 ||
                          strstr(name, "sqrt") || strcmp(name, "poisson") == 0;
    const type *s = type_scalar_of(t);
    memset(out, 0, sizeof *out);
    for (int j = 0; s && j < lane_count(t); j++) {
        uint8_t *p = (uint8_t *)out + (size_t)j * layout_size(s);
        num x = {.i = rng_between(&r->random, -3, 6)};
        if (s->kind == TYPE_BOOL)
            x.i = rng_between(&r->random, 0, 1);
        if (s->kind == TYPE_UINT8 || s->kind == TYPE_UINT16 || s->kind >= TYPE_UINT32)
            x.i = rng_between(&r->random, 0, 9);
        if (s->kind == TYPE_INT32 || s->kind == TYPE_INT64 || s->kind == TYPE_INT16 ||
            s->kind == TYPE_INT8)
            x.i = rng_between(&r->random, -3, 6);
        if (type_is_float(s)) {
            const int64_t k = rng_between(&r->random, -23, 24);
            x.f = (double)(positive ? (k < 0 ? -k : k) + 1 : k) / (unit ? 32 : 8);
        }
        num_store(s->kind, p, x);
    }
}

static bool all_finite(const type *t, const cell *v)
{
    const type *s = type_scalar_of(t);
    for (int j = 0; s && type_is_float(s) && j < lane_count(t); j++)
        if (!isfinite(num_load(s->kind, (const uint8_t *)v + (size_t)j * layout_size(s)).f))
            return false;
    return true;
}

static uint32_t operands_of(const arith_op *op)
{
    return op->n + op->nresults;
}

static arith_status call(arith_fn *fn, const arith_op *op, point *p)
{
    void *operands[2 * OPERANDS_MAX];
    const uint32_t n = operands_of(op);
    for (uint32_t i = 0; i < n; i++) {
        operands[i] = &p->values[0][i];
        operands[n + i] = &p->values[1][i];
    }
    return fn(op, operands);
}

/* A point at which the operation and its adjoint end well, and what they give. */
static bool find_point(run *r, const arith_op *op, point *from, point *to)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        bool finite = true;
        memset(from, 0, sizeof *from);
        for (uint32_t i = 0; i < operands_of(op); i++) {
            draw(r, i < op->n ? r->name : "", op->types[i], &from->values[0][i]);
            draw(r, "", op->types[i], &from->values[1][i]);
            if (op->types[i]->kind == TYPE_SLICE)
                for (int k = 0; k < 3; k++)
                    ((int32_t *)&from->values[0][i])[k] = (int32_t)op->types[i]->dims[k];
            if (i >= op->n)
                memset(&from->values[0][i], 0, sizeof(cell));
        }
        *to = *from;
        if (call(op->run, op, to) != ARITH_OK)
            continue;
        for (uint32_t i = 0; i < operands_of(op); i++)
            finite = finite && all_finite(op->types[i], &to->values[0][i]);
        if (!finite || (op->adjoint && call(op->adjoint, op, to) != ARITH_OK))
            continue;
        for (uint32_t i = 0; i < operands_of(op); i++)
            finite = finite && all_finite(op->types[i], &to->values[1][i]);
        if (finite)
            return true;
    }
    return false;
}

static cuda_expr variable(run *r, const char *prefix, uint32_t i, const type *t)
{
    char name[32];
    const int n = snprintf(name, sizeof name, "%s%u", prefix, i);
    return cuda_expr_of((str){arena_dup(&r->c.module, name, (size_t)n), (size_t)n}, t,
                        CUDA_PRIMARY);
}

static void put_variables(run *r, const arith_op *op, const char *prefix, uint32_t half)
{
    strbuf *b = &r->functions;
    for (uint32_t i = 0; i < operands_of(op); i++) {
        if (op->types[i]->kind == TYPE_SLICE)
            continue;
        const str t = cuda_type_name(r->defs, op->types[i]);
        const unsigned at = (half * operands_of(op) + i) * VALUE_BYTES;
        sb_printf(b, "    %.*s %s%u;\n    memcpy(&%s%u, in + %u, sizeof %s%u);\n", (int)t.n, t.p,
                  prefix, i, prefix, i, at, prefix, i);
    }
}

static void put_results(run *r, const arith_op *op, const char *prefix, uint32_t half)
{
    for (uint32_t i = 0; i < operands_of(op); i++)
        if (op->types[i]->kind != TYPE_SLICE)
            sb_printf(&r->functions, "    memcpy(out + %u, &%s%u, sizeof %s%u);\n",
                      (half * operands_of(op) + i) * VALUE_BYTES, prefix, i, prefix, i);
}

static void tell(run *r, const arith_op *op, const char *what)
{
    printf("%s: %s(", what, r->made ? r->made->pyname.p : r->name);
    for (uint32_t i = 0; i < op->n; i++)
        printf("%s%s", i ? ", " : "", op->types[i]->pyname.p);
    printf(")\n");
}

/* The function's text; false: no forward form. */
static bool put_case(run *r, const arith_op *op, bool *has_adjoint)
{
    cuda_expr args[OPERANDS_MAX], adjoints[OPERANDS_MAX];
    const bool fills = op->nresults > 1;
    const type *result = op->nresults == 1 ? op->types[op->n] : NULL;
    const uint32_t n = fills ? operands_of(op) : op->n;
    for (uint32_t i = 0; i < operands_of(op); i++) {
        args[i] = variable(r, "a", i, op->types[i]);
        adjoints[i] = variable(r, "g", i, op->types[i]);
    }
    const str name =
        r->made ? (type_is_scalar(r->made) ? r->made->pyname : STR("vec_t")) : str_c(r->name);
    const cuda_expr e = cuda_call(r->defs, name, result, args, n);
    if (!e.prec)
        return false;
    strbuf *b = &r->functions;
    sb_printf(b, "static __device__ void case_%u(const char *in, char *out)\n{\n", r->cases);
    put_variables(r, op, "a", 0);
    put_variables(r, op, "g", 1);
    if (result)
        sb_printf(b, "    a%u = ", op->n);
    else
        sb_c(b, "    ");
    sb_str(b, e.text);
    sb_c(b, ";\n");
    put_results(r, op, "a", 0);
    cuda_codes codes = {0};
    *has_adjoint = cuda_adj_call(r->defs, &codes, name, result, args, n, adjoints,
                                 result ? &args[op->n] : NULL, result ? &adjoints[op->n] : NULL);
    cuda_print_codes(b, &codes, STR("    "));
    put_results(r, op, "g", 1);
    sb_c(b, "}\n\n");
    return true;
}

/* Of decompositions in 16 bits hardly a digit is certain. */
static double tolerance(const run *r, const type *s)
{
    const bool decomposes = strncmp(r->name, "svd", 3) == 0 || strncmp(r->name, "qr", 2) == 0 ||
                            strncmp(r->name, "eig", 3) == 0;
    if (decomposes && (s->kind == TYPE_FLOAT16 || s->kind == TYPE_BFLOAT16))
        return 0.5;
    switch (s->kind) {
    case TYPE_FLOAT16: return 2e-2;
    case TYPE_BFLOAT16: return 1.5e-1;
    case TYPE_FLOAT32: return 5e-5;
    case TYPE_FLOAT64: return 1e-11;
    default: return 0;
    }
}

/* The largest difference, relative to the largest of the point's numbers of that kind. */
static bool close_to(const run *r, const type *t, const cell *want, const cell *have, double scale)
{
    const type *s = type_scalar_of(t);
    if (!s)
        return true;
    for (int j = 0; j < lane_count(t); j++) {
        const size_t at = (size_t)j * layout_size(s);
        const num x = num_load(s->kind, (const uint8_t *)want + at);
        const num y = num_load(s->kind, (const uint8_t *)have + at);
        if (type_is_float(s) ? !(fabs(x.f - y.f) <= tolerance(r, s) * (1 + scale)) : x.i != y.i)
            return false;
    }
    return true;
}

static double largest(const arith_op *op, const point *p, int half)
{
    double most = 0;
    for (uint32_t i = 0; i < operands_of(op); i++) {
        const type *s = type_scalar_of(op->types[i]);
        for (int j = 0; s && type_is_float(s) && j < lane_count(op->types[i]); j++) {
            const uint8_t *v = (const uint8_t *)&p->values[half][i];
            const double x = fabs(num_load(s->kind, v + (size_t)j * layout_size(s)).f);
            most = x > most ? x : most;
        }
    }
    return most;
}

static void show(const type *t, const cell *v)
{
    const type *s = type_scalar_of(t);
    for (int j = 0; s && j < lane_count(t); j++) {
        const num x = num_load(s->kind, (const uint8_t *)v + (size_t)j * layout_size(s));
        if (type_is_float(s))
            printf(" %.9g", x.f);
        else
            printf(" %lld", (long long)x.i);
    }
}

static bool compare(run *r, const arith_op *op, const point *from, const point *want, bool tells)
{
    static point have;
    for (int half = 0; half < 2; half++)
        if (fread(have.values[half], sizeof(cell), operands_of(op), r->out) != operands_of(op)) {
            printf("results are missing\n");
            exit(1);
        }
    for (int half = 0; half < 2; half++)
        for (uint32_t i = 0; i < operands_of(op); i++) {
            const type *t = op->types[i];
            const double scale = largest(op, want, half) + (half ? largest(op, want, 0) : 0);
            if (close_to(r, t, &want->values[half][i], &have.values[half][i], scale))
                continue;
            if (!tells)
                return false;
            tell(r, op, half ? "another adjoint" : "another value");
            for (uint32_t k = 0; k < op->n; k++) {
                printf("  argument %u:", k);
                show(op->types[k], &from->values[0][k]);
                printf("\n");
            }
            printf("  operand %u, arith:", i);
            show(t, &want->values[half][i]);
            printf("\n  operand %u, here: ", i);
            show(t, &have.values[half][i]);
            printf("\n");
            return false;
        }
    return true;
}

static void try_trial(run *r, const arith_op *op, const point *from, const point *to, bool *fine)
{
    if (r->mode[0] == 'c') {
        *fine = compare(r, op, from, to, *fine) && *fine;
        return;
    }
    for (int half = 0; half < 2; half++)
        sb_put(&r->in, (const char *)from->values[half], sizeof(cell) * operands_of(op));
}

static void try_case(run *r, const arith_op *op)
{
    static point from, to;
    bool has_adjoint = false;
    uint32_t trials = 0;
    bool fine = true;
    for (int trial = 0; trial < TRIALS; trial++) {
        if (!find_point(r, op, &from, &to))
            break;
        if (!trials) {
            r->with_adjoint += op->adjoint != NULL;
            if (!put_case(r, op, &has_adjoint)) {
                tell(r, op, "no form");
                r->missing++;
                return;
            }
            if (!has_adjoint) {
                tell(r, op, "no adjoint");
                r->missing++;
            }
            r->backward += has_adjoint && op->adjoint;
        }
        trials++;
        try_trial(r, op, &from, &to, &fine);
    }
    if (!trials) {
        r->unreached++;
        return;
    }
    r->wrong += !fine;
    sb_printf(&r->table, "    {case_%u, %u, %u},\n", r->cases, trials, operands_of(op));
    r->cases++;
}

static void try_request(run *r, const char *name, const type *made, const type *const *args,
                        uint32_t n, const type *const *results, uint32_t nresults)
{
    arith_op op;
    const arena_mark mark = arena_save(&r->c.scratch);
    const arith_request q = {.c = &r->c,
                             .a = &r->c.scratch,
                             .name = name,
                             .constructs = made,
                             .args = args,
                             .n = n,
                             .results = results,
                             .nresults = nresults};
    /* arith takes unot of composites, which nobody can write */
    const bool odd = strcmp(name, "unot") == 0 && n == 1 && !type_is_scalar(args[0]);
    if (!odd && arith_find(&q, &op) &&
        !(op.n == 3 && !op.nresults && strcmp(name, "quat_to_axis_angle") == 0) &&
        is_new(r, name,
               made       ? made
               : nresults ? results[0]
                          : NULL,
               args, n) &&
        is_due(r, name, made)) {
        r->name = name;
        r->made = made;
        try_case(r, &op);
    }
    arena_rewind(&r->c.scratch, mark);
}

typedef struct types {
    const type *v[CANDIDATES_MAX];
    uint32_t n;
} types;

static void add(types *t, const type *x)
{
    t->v[t->n++] = x;
}

/* What arguments are tried with a scalar type. */
static types candidates(run *r, const type *s, bool all)
{
    ctx *c = &r->c;
    types t = {0};
    const bool is_float = type_is_float(s);
    add(&t, s);
    add(&t, type_vec(c, s, 3));
    add(&t, type_mat(c, s, 3, 3));
    if (is_float) {
        add(&t, type_quat(c, s));
        add(&t, type_transform(c, s));
    }
    if (s->kind != TYPE_INT32)
        add(&t, type_scalar(c, TYPE_INT32));
    if (!all)
        return t;
    add(&t, type_vec(c, s, 2));
    add(&t, type_vec(c, s, 4));
    add(&t, type_vec(c, s, 6));
    add(&t, type_mat(c, s, 2, 2));
    add(&t, type_mat(c, s, 2, 3));
    add(&t, type_mat(c, s, 4, 4));
    if (s->kind == TYPE_FLOAT32) {
        add(&t, type_vec(c, s, 5));
        add(&t, type_mat(c, s, 6, 6));
        add(&t, type_mat(c, s, 5, 3));
    }
    if (s->kind != TYPE_UINT32)
        add(&t, type_scalar(c, TYPE_UINT32));
    if (s->kind != TYPE_BOOL)
        add(&t, type_scalar(c, TYPE_BOOL));
    return t;
}

/* All of n arguments. */
static void try_tuples(run *r, const char *name, const types *t, uint32_t n)
{
    uint32_t at[4] = {0};
    const type *args[4];
    for (;;) {
        for (uint32_t i = 0; i < n; i++)
            args[i] = t->v[at[i]];
        try_request(r, name, NULL, args, n, NULL, 0);
        uint32_t i = 0;
        while (i < n && ++at[i] == t->n)
            at[i++] = 0;
        if (i == n)
            return;
    }
}

static void try_name(run *r, const char *name)
{
    for (int k = TYPE_BOOL; k <= TYPE_FLOAT64; k++) {
        const type *s = type_scalar(&r->c, (type_kind)k);
        const types few = candidates(r, s, false), all = candidates(r, s, true);
        try_tuples(r, name, &all, 1);
        try_tuples(r, name, &all, 2);
        try_tuples(r, name, k == TYPE_FLOAT32 ? &all : &few, 3);
        for (uint32_t i = 0; i < all.n; i++)
            try_request(r, name, NULL, NULL, 0, &all.v[i], 1);
    }
}

static void try_each_name(run *r)
{
    for (uint32_t i = 0; arith_families[i]; i++)
        for (uint32_t k = 0; k < arith_families[i]->n; k++)
            if (arith_families[i]->rows[k].name[0])
                try_name(r, arith_families[i]->rows[k].name);
}

static void try_filled(run *r, const type *made, const type *with, uint32_t n)
{
    const type *args[OPERANDS_MAX];
    if (n >= OPERANDS_MAX)
        return;
    for (uint32_t i = 0; i < n; i++)
        args[i] = with;
    try_request(r, "", made, args, n, NULL, 0);
}

/* Constructors and casts. */
static void try_constructors(run *r)
{
    ctx *c = &r->c;
    for (int k = TYPE_BOOL; k <= TYPE_FLOAT64; k++) {
        const type *s = type_scalar(c, (type_kind)k);
        const types all = candidates(r, s, true);
        for (uint32_t i = 0; i < all.n; i++) {
            const type *t = all.v[i];
            try_filled(r, t, s, 0);
            try_filled(r, t, s, 1);
            try_filled(r, t, s, (uint32_t)lane_count(t));
            if (t->kind == TYPE_MAT)
                try_filled(r, t, type_vec(c, s, t->rows), (uint32_t)t->cols);
            try_filled(r, t, type_vec(c, s, 3), 2);
            if (t->kind == TYPE_TRANSFORM)
                try_request(r, "", t, (const type *[]){type_vec(c, s, 3), type_quat(c, s)}, 2, NULL,
                            0);
            for (int other = TYPE_BOOL; other <= TYPE_FLOAT64; other++) {
                const types from = candidates(r, type_scalar(c, (type_kind)other), true);
                for (uint32_t j = 0; j < from.n; j++)
                    try_filled(r, t, from.v[j], 1);
            }
        }
    }
}

/* The same bits as another type. */
static void try_bit_casts(run *r)
{
    for (int from = TYPE_INT8; from <= TYPE_FLOAT64; from++)
        for (int to = TYPE_INT8; to <= TYPE_FLOAT64; to++) {
            const type *a = type_scalar(&r->c, (type_kind)from);
            const type *b = type_scalar(&r->c, (type_kind)to);
            const type *v = type_vec(&r->c, a, 3), *w = type_vec(&r->c, b, 3);
            try_request(r, "cast", NULL, &a, 1, &b, 1);
            try_request(r, "cast", NULL, &v, 1, &w, 1);
        }
}

/* Slices, whose results have to be told. */
static void try_slices(run *r)
{
    ctx *c = &r->c;
    const type *s = type_scalar(c, TYPE_FLOAT32), *v = type_vec(c, s, 6), *m = type_mat(c, s, 4, 4);
    const type *i = type_scalar(c, TYPE_INT32);
    const int64_t head[3] = {0, 3, 1}, back[3] = {5, -1, -2}, mid[3] = {1, 3, 1};
    const type *a = type_slice(c, head), *b = type_slice(c, back), *d = type_slice(c, mid);
    const type *v3 = type_vec(c, s, 3), *v2 = type_vec(c, s, 2), *m32 = type_mat(c, s, 3, 2);
    const type *m34 = type_mat(c, s, 3, 4);
    const struct {
        const type *args[3];
        uint32_t n;
        const type *part;
    } forms[] = {{{v, a}, 2, v3},  {{v, b}, 2, v3},    {{v, d}, 2, v2},   {{m, a, d}, 3, m32},
                 {{m, a}, 2, m34}, {{m, i, d}, 3, v2}, {{m, a, i}, 3, v3}};
    static const char *const changes[] = {"assign_inplace", "add_inplace", "sub_inplace",
                                          "assign_copy"};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        try_request(r, "extract", NULL, forms[k].args, forms[k].n, &forms[k].part, 1);
        for (size_t op = 0; op < sizeof changes / sizeof *changes; op++) {
            const type *args[4] = {forms[k].args[0], forms[k].args[1], forms[k].args[2]};
            args[forms[k].n] = forms[k].part;
            try_request(r, changes[op], NULL, args, forms[k].n + 1, NULL, 0);
        }
    }
}

/* What takes more arguments than try_tuples gives. */
static void try_long(run *r)
{
    ctx *c = &r->c;
    const type *f = type_scalar(c, TYPE_FLOAT32), *u = type_scalar(c, TYPE_UINT32);
    const type *i = type_scalar(c, TYPE_INT32);
    for (int k = TYPE_INT8; k <= TYPE_FLOAT64; k++) {
        const type *s = type_scalar(c, (type_kind)k), *m = type_mat(c, s, 3, 3);
        static const char *const changes[] = {"assign_inplace", "add_inplace",     "sub_inplace",
                                              "assign_copy",    "bit_and_inplace", "bit_or_inplace",
                                              "bit_xor_inplace"};
        for (size_t op = 0; op < sizeof changes / sizeof *changes; op++)
            try_request(r, changes[op], NULL, (const type *[]){m, i, i, s}, 4, NULL, 0);
    }
    for (int dims = 1; dims <= 4; dims++) {
        const type *at = dims == 1 ? f : type_vec(c, f, dims);
        const type *args[6] = {u, at, i, i, i, i};
        try_request(r, "pnoise", NULL, args, 2 + (uint32_t)dims, NULL, 0);
        const type *curl[5] = {u, at, u, f, f};
        for (uint32_t n = 2; n <= 5; n++)
            try_request(r, "curlnoise", NULL, curl, n, NULL, 0);
    }
    const type *vec = type_vec(c, f, 3), *edges[5] = {vec, vec, vec, vec, f};
    try_request(r, "closest_point_edge_edge", NULL, edges, 5, NULL, 0);
}

/* Atomic operations: element, value; for cas what is compared stands between them. */
enum { ADD_OLD, SUB_OLD, MIN_OLD, MAX_OLD, AND_OLD, OR_OLD, XOR_OLD, EXCHANGE, COMPARE_SWAP };

static arith_status run_atomic(const arith_op *op, void *const *operands)
{
    static const scalar_op ops[] = {SCALAR_ADD, SCALAR_SUB, SCALAR_MIN, SCALAR_MAX,
                                    SCALAR_AND, SCALAR_OR,  SCALAR_XOR};
    const type *t = op->types[0];
    const type_kind k = type_scalar_of(t)->kind;
    const size_t size = layout_size(type_scalar_of(t));
    memcpy(operands[op->n], operands[0], layout_size(t));
    for (int j = 0; j < lane_count(t); j++) {
        uint8_t *at = (uint8_t *)operands[0] + (size_t)j * size;
        const num old = num_load(k, at);
        const num x = num_load(k, (uint8_t *)operands[op->n - 1] + (size_t)j * size);
        const num other = num_load(k, (uint8_t *)operands[1] + (size_t)j * size);
        if (op->param[0] < EXCHANGE)
            num_store(k, at, num_binary(k, ops[op->param[0]], old, x));
        else if (op->param[0] == EXCHANGE || num_compare("==", k, old, k, other))
            num_store(k, at, x);
    }
    return ARITH_OK;
}

static arith_status adj_atomic(const arith_op *op, void *const *operands)
{
    const type *t = op->types[0];
    const type_kind k = type_scalar_of(t)->kind;
    const size_t size = layout_size(type_scalar_of(t));
    for (int j = 0; j < lane_count(t); j++) {
        const size_t at = (size_t)j * size;
        const num grad = num_load(k, (uint8_t *)operands[op->n + 1] + at);
        uint8_t *to = (uint8_t *)operands[2 * op->n] + at;
        const bool stays = num_compare("==", k, num_load(k, (uint8_t *)operands[0] + at), k,
                                       num_load(k, (uint8_t *)operands[op->n - 1] + at));
        const bool extremum = op->param[0] == MIN_OLD || op->param[0] == MAX_OLD;
        if (extremum ? stays && type_is_float(type_scalar_of(t)) : op->param[0] <= SUB_OLD)
            num_store(k, to,
                      num_binary(k, op->param[0] == SUB_OLD ? SCALAR_SUB : SCALAR_ADD,
                                 num_load(k, to), grad));
    }
    return ARITH_OK;
}

static void try_atomic(run *r, const type *t, int which)
{
    static const char *const names[] = {"atomic_add", "atomic_sub",  "atomic_min",
                                        "atomic_max", "atomic_and",  "atomic_or",
                                        "atomic_xor", "atomic_exch", "atomic_cas"};
    const bool bits = which >= AND_OLD && which <= XOR_OLD;
    if (bits && type_is_float(type_scalar_of(t)))
        return;
    const type *operands[] = {t, t, t, t};
    const arith_op op = {.run = run_atomic,
                         .adjoint = adj_atomic,
                         .types = operands,
                         .n = which == COMPARE_SWAP ? 3 : 2,
                         .nresults = 1,
                         .param = {which},
                         .in_place = true};
    r->name = names[which];
    r->made = NULL;
    if (is_new(r, r->name, NULL, operands, 1) && is_due(r, r->name, NULL))
        try_case(r, &op);
}

static void try_atomics(run *r)
{
    for (int k = TYPE_INT8; k <= TYPE_FLOAT64; k++) {
        const type *s = type_scalar(&r->c, (type_kind)k);
        const type *shapes[] = {s, type_vec(&r->c, s, 3), type_mat(&r->c, s, 2, 3)};
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            for (int which = ADD_OLD; which <= COMPARE_SWAP; which++)
                try_atomic(r, shapes[i], which);
    }
}

static void write_file(run *r, const char *name, const char *p, size_t n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(p, 1, n, f) != n || fclose(f) != 0) {
        printf("%s cannot be written\n", path);
        exit(1);
    }
}

static void write_program(run *r)
{
    strbuf b;
    sb_init(&b, &r->c.mem);
    sb_c(&b, "#ifdef __CUDACC__\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#else\n"
             "#include \"" STANDALONE_SHIM "\"\n#endif\n\n");
    cuda_defs_print(r->defs, &b);
    sb_str(&b, sb_view(&r->functions));
    sb_c(&b, "#ifdef __CUDACC__\n__global__ void run_case(int n, const char *in, char *out)\n{\n"
             "    switch (n) {\n");
    for (uint32_t i = 0; i < r->cases; i++)
        sb_printf(&b, "    case %u: case_%u(in, out); break;\n", i, i);
    sb_c(&b, "    }\n}\n#else\n");
    sb_printf(&b,
              "static const struct { void (*run)(const char *, char *); unsigned trials, n; } "
              "cases[] = {\n%.*s};\n\n"
              "int main()\n{\n"
              "    static char in[1 << 16], out[1 << 16];\n"
              "    for (const auto &c : cases)\n"
              "        for (unsigned i = 0; i < c.trials; i++) {\n"
              "            const size_t n = 2 * c.n * %d;\n"
              "            if (fread(in, n, 1, stdin) != 1) return 1;\n"
              "            memcpy(out, in, n);\n"
              "            c.run(in, out);\n"
              "            if (fwrite(out, n, 1, stdout) != 1) return 1;\n"
              "        }\n"
              "    return 0;\n}\n#endif\n",
              (int)r->table.n, r->table.p, VALUE_BYTES);
    write_file(r, "calls.cpp", b.p, b.n);
    b.n = 0;
    standalone_put_shim(&b);
    write_file(r, STANDALONE_SHIM, b.p, b.n);
    write_file(r, "in", r->in.p, r->in.n);
}

static void work(void *p)
{
    run *r = p;
    ctx_init(&r->c);
    types_init(&r->c);
    builtins_init(&r->c);
    sb_init(&r->functions, &r->c.mem);
    sb_init(&r->table, &r->c.mem);
    sb_init(&r->in, &r->c.mem);
    r->seen = mem_alloc(&r->c.mem, SEEN_SIZE * sizeof *r->seen);
    memset(r->seen, 0, SEEN_SIZE * sizeof *r->seen);
    r->random = rng_stream(1, 2);
    r->defs = cuda_defs_make(&r->c, &r->c.module, NULL, NULL);
    try_each_name(r);
    try_constructors(r);
    try_bit_casts(r);
    try_slices(r);
    try_long(r);
    try_atomics(r);
    if (r->mode[0] == 'w')
        write_program(r);
}

int main(int argc, char **argv)
{
    static run r;
    if (argc != 4)
        return 2;
    r.every = (uint32_t)strtoul(argv[3], NULL, 10);
    if (!r.every)
        return 2;
    r.mode = argv[1];
    r.folder = argv[2];
    if (r.mode[0] == 'c') {
        char path[4096];
        snprintf(path, sizeof path, "%s/out", r.folder);
        r.out = fopen(path, "rb");
        if (!r.out)
            return 2;
    }
    mem_init(&r.c.mem);
    if (!mem_try(&r.c.mem, work, &r))
        return 3;
    printf("%u calls, %u with an adjoint, %u of them given; %u without a form, %u never reached, "
           "%u wrong\n",
           r.cases, r.with_adjoint, r.backward, r.missing, r.unreached, r.wrong);
    if (r.out)
        fclose(r.out);
    mem_clear(&r.c.mem);
    return r.wrong || r.missing;
}
