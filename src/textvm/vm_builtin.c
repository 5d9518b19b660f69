/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of builtins that src/arith executes, and of their adjoints.
 *
 *     var_3 = wp::dot(var_1, var_2);
 *     wp::adj_dot(var_1, var_2, adj_1, adj_2, adj_3);
 *
 * The operation is found by its native name and the types of the arguments; nothing of weft's table
 * of builtins is used, since that is what wrote the text. Arguments of an adjoint call are laid out
 * as primals, results where Warp passes them, adjoints, adjoints of results (adjoint_call):
 *
 *     wp::adj_sqrt(var_1, var_2, adj_1, adj_2);     var_2 is the result
 *     wp::adj_cos(var_1, adj_1, adj_2);             the result is not needed
 *
 * + - * of common types get a fast path (vm_scalar_ops.c). */
#include "base/assert.h"
#include "textvm/vm_read.h"

/* Builtins that are no statement `v = f(...)`: they store several results to their last arguments,
 * or have none and change their first argument or a volume. Columns: the name after wp::, how many
 * results. */
static const struct {
    const char *name;
    uint32_t results;
} several[] = {
    {"svd3", 3},
    {"svd2", 3},
    {"qr3", 2},
    {"eig3", 2},
    {"quat_to_axis_angle", 2},
    {"transform_set_translation", 0},
    {"transform_set_rotation", 0},
    {"volume_store", 0},
    {"volume_store_f", 0},
    {"volume_store_i", 0},
    {"volume_store_v", 0},
};

/* Builtins whose adjoints do not read the values of their arguments. Backward text does not always
 * compute these, so they may be unset. */
static const char *const linear[] = {
    "add",   "sub",   "neg",   "pos",     "cast",    "float",   "int",    "transpose",
    "vec_t", "mat_t", "trace", "float16", "float32", "float64", "quat_t", "transform_t",
};

/* More than the end alone: "_inplace" is no builtin. */
static bool ends_with(str s, const char *end)
{
    const size_t n = strlen(end);
    return s.n > n && memcmp(s.p + s.n - n, end, n) == 0;
}

/* How many results a call of wp::NAME has, counted without its text's `v =`. */
static uint32_t results_of(str name)
{
    for (size_t i = 0; i < sizeof several / sizeof *several; i++)
        if (str_eq(name, str_c(several[i].name)))
            return several[i].results;
    return ends_with(name, "_inplace") ? 0 : 1;
}

/* In the list `linear`, which is short enough to be searched. */
static bool is_linear(str name)
{
    return STR_IS_IN(name, linear);
}

/* Ends reading: "cannot execute dot(vec3f, vec3f)"; of many arguments the first 6 are printed. */
static _Noreturn void cannot_execute(reader *r, const call *k, str name, uint32_t n)
{
    strbuf b;
    sb_init(&b, &r->c->mem);
    sb_str(&b, name);
    sb_char(&b, '(');
    for (uint32_t i = 0; i < n && i < 6; i++) {
        const type *t = k->args[i].type.t;
        sb_c(&b, i ? ", " : "");
        sb_str(&b, t->pyname.n ? t->pyname : STR("?"));
    }
    sb_char(&b, ')');
    const str text = {arena_dup(r->a, b.p, b.n), b.n};
    sb_clear(&b);
    read_missing(r, text);
}

/* Finds the operation of the first n arguments with these results, or ends reading: its result
 * types have to be the text's. The overload is arith's choice (arith_find). */
static const arith_op *find_op(reader *r, const call *k, str name, uint32_t n,
                               const type *const *results, uint32_t nresults)
{
    const type **types = ARENA_ARRAY(r->a, const type *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (k->args[i].type.ptr)
            read_fail(r, "argument %u is a pointer", i + 1);
        types[i] = k->args[i].type.t;
    }
    arith_op *op = ARENA_NEW(r->a, arith_op);
    const arith_request q = {
        .c = r->c,
        .a = r->a,
        .name = arena_dup(r->a, name.p, name.n),
        .constructs = k->made,
        .args = types,
        .n = n,
        .results = results,
        .nresults = nresults,
    };
    if (!arith_find(&q, op))
        cannot_execute(r, k, k->made ? k->id->s : name, n);
    if (op->n != n || op->nresults != nresults)
        read_fail(r, "%.*s has %u results", (int)name.n, name.p, op->nresults);
    for (uint32_t i = 0; i < nresults; i++)
        if (!vt_same((vt){op->types[n + i], false}, (vt){results[i], false}))
            type_fail(r, (vt){results[i], false}, (vt){op->types[n + i], false});
    return op;
}

/* result = wp::NAME(args), for the reader's own use. Argument 0 may be changed. */
void emit_operation(reader *r, const char *name, const operand *args, uint32_t n, var *result)
{
    const type *types[2], *made[] = {result->type.t};
    WEFT_ASSERT(n > 0 && n <= sizeof types / sizeof *types);
    for (uint32_t i = 0; i < n; i++)
        types[i] = args[i].type.t;
    arith_op *op = ARENA_NEW(r->a, arith_op);
    const arith_request q = {
        .c = r->c, .a = r->a, .name = name, .args = types, .n = n, .results = made, .nresults = 1};
    if (!arith_find(&q, op))
        read_missing(r, str_c(name));
    ins *i = code_emit(r, do_arith, n + 1);
    i->op = op;
    for (uint32_t a = 0; a < n; a++)
        code_arg(r, i, a, &args[a]);
    code_operand(r, i, n, result, 0);
    if (op->in_place)
        var_define(r, args[0].v);
    var_define(r, result);
}

/* Template arguments repeat the result's type, its scalar and its sizes:
 * wp::identity<3, wp::float32>(). Others end reading. Volumes and textures name the result's type
 * itself. */
static void check_template(reader *r, const call *k, const type *result)
{
    WEFT_ASSERT(result);
    const bool names = str_starts(k->id->s, "volume_") || str_starts(k->id->s, "texture_");
    if (k->ntargs == 1 && names && k->targs[0].t == result && !k->targs[0].ptr)
        return;
    for (uint32_t i = 0; i < k->ntargs; i++) {
        const type *t = k->targs[i].t;
        const int n = i == 1 && result->kind == TYPE_MAT ? result->cols : result->rows;
        if (t ? t != type_scalar_of(result) || k->targs[i].ptr
              : !type_is_composite(result) || k->tnums[i] != n)
            read_fail(r, "the template arguments do not fit the result");
    }
}

/* Arguments of arithmetic are variables. &v is an argument of adjoint calls and of functions of
 * the text. */
static void no_addresses(reader *r, const call *k)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (k->args[i].address)
            read_fail(r, "argument %u is an address", i + 1);
}

/* The arguments that the operation changes have values behind it. v += w changes v, which stays a
 * copy of what it was loaded from. */
static void define_changed(reader *r, const call *k, const arith_op *op)
{
    if (op->in_place) {
        const var *from = k->args[0].v->source;
        var_define(r, k->args[0].v);
        k->args[0].v->source = from;
    }
    if (op->changes_second)
        var_define(r, k->args[1].v);
    for (uint32_t i = 0; i < op->nset; i++)
        var_define(r, k->args[op->first_set + i].v);
}

/* v = wp::NAME(arguments), or wp::NAME(arguments, results) of a row of `several`. A call whose
 * result is dropped is refused: Warp writes none. */
static void call_value(reader *r, call *k)
{
    const str name = k->id->s;
    const uint32_t nresults = k->result ? 1 : results_of(name);
    const uint32_t n = k->result ? k->n : k->n - nresults;
    const type *results[ARITH_RESULTS_MAX];
    no_addresses(r, k);
    if (!k->result && (k->n < nresults || (nresults == 1 && !k->made))) {
        if (!arith_knows(arena_dup(r->a, name.p, name.n)))
            cannot_execute(r, k, name, k->n);
        read_fail(r, "the result of %.*s is not used", (int)name.n, name.p);
    }
    for (uint32_t i = 0; i < nresults; i++) {
        const vt t = k->result ? k->result->type : k->args[n + i].type;
        if (t.ptr)
            read_fail(r, "a pointer gets the result");
        results[i] = t.t;
    }
    if (nresults)
        check_template(r, k, results[0]);
    for (uint32_t i = 0; i < n; i++)
        var_use(r, k->args[i].v);
    /* The fast paths have the result as operand 0, arith_op has it behind the arguments. */
    ins_fn *own = NULL;
    if (n == 2 && k->result && !k->made && k->args[0].type.t == k->args[1].type.t &&
        k->args[0].type.t == results[0] && !k->args[0].type.ptr && !k->args[1].type.ptr)
        own = do_scalar_of(name, results[0]);
    const arith_op *op = own ? NULL : find_op(r, k, name, n, results, nresults);
    WEFT_ASSERT(own || n + nresults == (k->result ? k->n + 1 : k->n));
    ins *i = code_emit(r, own ? own : do_arith, n + nresults);
    if (own)
        i->aux = results[0];
    else
        i->op = op;
    r->work += own ? 0 : op->work;
    for (uint32_t a = 0; a < n; a++)
        code_arg(r, i, a + (own ? 1 : 0), &k->args[a]);
    for (uint32_t a = 0; a < nresults; a++)
        code_operand(r, i, own ? 0 : n + a, k->result ? k->result : k->args[n + a].v, 0);
    if (op)
        define_changed(r, k, op);
    for (uint32_t a = 0; a < nresults; a++)
        var_define(r, k->result ? k->result : k->args[n + a].v);
}

/* How the arguments of an adjoint call are laid out: n primals, the results if `has_results`, n
 * adjoints, adjoints of results. */
typedef struct adjoint_call {
    uint32_t n, nresults;
    bool has_results;
} adjoint_call;

/* Finds the layout from the number of arguments, or from the braces of wp::adj_NAME({...}, {...},
 * r) where there are any. n primals and 1 result: 2 n + 1 arguments, with the result 2 n + 2, so
 * the parity decides. check_adjoints then compares types and names. */
static adjoint_call split(reader *r, const call *k, str name)
{
    adjoint_call s = {.nresults = results_of(name)};
    const uint32_t n = k->n;
    if (k->ngroups) {
        s.n = k->groups[0];
        s.has_results = n == 2 * s.n + 2 * s.nresults;
    } else {
        s.has_results = s.nresults != 1 || n % 2 == 0;
        const uint32_t results = s.nresults * (s.has_results ? 2 : 1);
        s.n = n >= results ? (n - results) / 2 : 0;
    }
    if (n != 2 * s.n + s.nresults * (s.has_results ? 2 : 1) ||
        (k->ngroups && (k->ngroups != 2 || k->groups[1] != n - s.nresults)))
        read_fail(r, "a wrong number of arguments");
    return s;
}

/* Checks that each adjoint has the type and the name of its primal, and that of each result.
 * first: index of the first adjoint. In braces, adjoints are addresses. */
static void check_adjoints(reader *r, const call *k, const adjoint_call *s, uint32_t first)
{
    WEFT_ASSERT(first + s->n + s->nresults <= k->n);
    for (uint32_t i = 0; i < s->n; i++) {
        const operand *o = &k->args[first + i];
        if (!vt_same(o->type, k->args[i].type) || o->address != (k->ngroups > 0))
            type_fail(r, k->args[i].type, o->type);
        var_pair(r, k->args[i].v, o->v);
        if (o->v->is_const)
            read_fail(r, "the adjoint '%.*s' is const", (int)o->v->name.n, o->v->name.p);
        var_use(r, o->v);
    }
    for (uint32_t i = 0; i < s->nresults; i++) {
        const operand *o = &k->args[first + s->n + i];
        if (o->address)
            read_fail(r, "the adjoint of a result is an address");
        if (s->has_results && !vt_same(o->type, k->args[s->n + i].type))
            type_fail(r, k->args[s->n + i].type, o->type);
        if (s->has_results)
            var_pair(r, k->args[s->n + i].v, o->v);
        var_use(r, o->v);
    }
}

/* Operands of do_adjoint: n arguments, m results (NULL where Warp does not pass them), n adjoints,
 * m adjoints of results. */
static void emit_adjoint(reader *r, const call *k, const adjoint_call *s, uint32_t first,
                         const arith_op *op, ins_fn *own)
{
    const uint32_t n = s->n, m = s->nresults;
    WEFT_ASSERT(m <= ARITH_RESULTS_MAX && first + n + m == k->n);
    ins *i = code_emit(r, own ? own : do_adjoint, 2 * (n + m));
    i->op = op;
    r->work += op ? op->work : 0;
    for (uint32_t a = 0; a < n; a++) {
        code_arg(r, i, a, &k->args[a]);
        code_arg(r, i, n + m + a, &k->args[first + a]);
        k->args[first + a].v->written = true;
    }
    for (uint32_t a = 0; a < m; a++) {
        i->v[n + a] = NULL;
        if (s->has_results)
            code_arg(r, i, n + a, &k->args[n + a]);
        code_arg(r, i, 2 * n + m + a, &k->args[first + n + a]);
    }
}

/* wp::adj_NAME(...). adj_float, adj_int32, adj_vec_t and the like are adjoints of conversions and
 * constructors. An operation without an adjoint, as of integers, emits nothing. */
static void call_adjoint(reader *r, call *k)
{
    const str whole = k->id->s;
    WEFT_ASSERT(whole.n > 4); /* "adj_" */
    const str name = {whole.p + 4, whole.n - 4};
    if (k->result)
        read_fail(r, "an adjoint has no result");
    const adjoint_call s = split(r, k, name);
    const uint32_t first = s.n + (s.has_results ? s.nresults : 0);
    const type *results[ARITH_RESULTS_MAX];
    for (uint32_t i = 0; i < s.nresults; i++)
        results[i] = k->args[first + s.n + i].type.t;
    /* adj_float and adj_int are those of Python's names, which are float32 and int32. */
    k->made = str_eq(name, STR("float")) ? type_scalar(r->c, TYPE_FLOAT32)
              : str_eq(name, STR("int")) ? type_scalar(r->c, TYPE_INT32)
                                         : NULL;
    if (!k->made && type_named(r, name)) {
        if (s.nresults != 1 || !type_is_named(results[0], name))
            read_fail(r, "the adjoint makes another type");
        k->made = results[0];
    }
    check_adjoints(r, k, &s, first);
    for (uint32_t i = 0; i < first; i++)
        if (k->args[i].address)
            read_fail(r, "argument %u is an address", i + 1);
    ins_fn *own = NULL;
    if (s.n == 2 && s.nresults == 1 && k->args[0].type.t == k->args[1].type.t &&
        results[0] == k->args[0].type.t && !k->args[0].type.ptr)
        own = do_adj_scalar_of(name, results[0]);
    const arith_op *op = own ? NULL : find_op(r, k, name, s.n, results, s.nresults);
    if (op && !op->adjoint)
        return;
    if (!is_linear(name))
        for (uint32_t i = 0; i < first; i++)
            var_use(r, k->args[i].v);
    emit_adjoint(r, k, &s, first, op, own);
}

/* For call_read, and for forms that find that a call is arithmetic after all (len, extract). */
void call_native(reader *r, call *k)
{
    if (k->adjoint)
        call_adjoint(r, k);
    else
        call_value(r, k);
}
