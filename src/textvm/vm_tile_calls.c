/* SPDX-License-Identifier: Apache-2.0 */
/* Reads calls of tile builtins.
 *
 *     var_3 = wp::tile_load<wp::float32, true, false, 64>(var_x, var_4);
 *                                          do_tile: tile_run_load, args {var_3, var_x, var_4}
 *     var_7 = wp::tile_map(f_0, var_6, var_3);
 *                                          do_tile: tile_run_map, and a snippet that calls f_0
 *
 * Each function here stands for one form of arguments. Types and numbers of arguments are checked;
 * what the executor lacks ends reading with "cannot execute". */
#include "base/assert.h"
#include "textvm/vm_tile_read.h"

/* wp::vec_t<...> or a number, true or false. */
static void targs_read(reader *r, tile_call *t)
{
    t->ntargs = 0;
    if (!tok_accept(r, '<'))
        return;
    do {
        if (t->ntargs == TARGS)
            read_fail(r, "too many template arguments");
        vt *found = &t->targs[t->ntargs];
        int64_t *number = &t->tnums[t->ntargs++];
        *found = (vt){0};
        if (r->tok.kind == T_NUMBER || r->tok.kind == '-') {
            const bool negative = tok_accept(r, '-');
            *number = negative ? -tok_int(r) : tok_int(r);
        } else if (tok_is(r, "true") || tok_is(r, "false")) {
            *number = tok_is(r, "true");
            tok_next(r);
        } else {
            *found = type_read(r);
        }
    } while (tok_accept(r, ','));
    tok_expect(r, '>');
}

/* Is the next token a function's name? */
static bool fn_starts(const reader *r)
{
    const vm_name *id = r->tok.id;
    return r->tok.kind == T_NAME && (r->tok.native || (id->var_scope != r->scope && id->func));
}

static void args_read(reader *r, call *k, tile_call *t)
{
    t->nfns = 0;
    k->n = k->ngroups = 0;
    tok_expect(r, '(');
    while (r->tok.kind != ')') {
        if (fn_starts(r)) {
            if (t->nfns == FNS)
                read_fail(r, "too many functions");
            t->fns[t->nfns++] = (fn_ref){r->tok.id, r->tok.native};
            tok_next(r);
        } else {
            if (k->n + 1 >= TILE_ARGS)
                read_missing(r, STR("a tile operation of so many arguments"));
            var *v = var_read(r);
            k->args[k->n++] = (operand){.v = v, .type = v->type};
        }
        if (r->tok.kind != ')')
            tok_expect(r, ',');
    }
    tok_next(r);
}

_Noreturn void tile_wrong(reader *r, const call *k)
{
    read_fail(r, "wrong arguments of %.*s", (int)(k->id->s.n < 60 ? k->id->s.n : 60), k->id->s.p);
}

static bool tile_is_operand(const operand *o)
{
    return !o->type.ptr && type_is_tile(o->type.t);
}

bool int_operand(const operand *o)
{
    return !o->type.ptr && o->type.t && o->type.t->kind == TYPE_INT32;
}

/* An operand that is no tile must have a value; adjoints are always set. */
static void use_args(reader *r, const call *k)
{
    for (uint32_t a = 0; a < k->n; a++)
        var_use(r, k->args[a].v);
}

/* The instruction, with the result as its first operand if there is one. */
tile_info *tile_emit(reader *r, call *k, tile_fn *run)
{
    tile_info *info = ARENA_NEW(r->a, tile_info);
    info->run = run;
    info->nresult = k->result != NULL;
    info->n = k->n + info->nresult;
    use_args(r, k);
    r->vm->tiles = r->f->meets = true;
    ins *i = code_emit(r, do_tile, info->n + 1);
    i->aux = info;
    for (uint32_t a = 0; a < info->n; a++) {
        const bool result = !a && info->nresult;
        const operand *o = result ? NULL : &k->args[a - info->nresult];
        const type *t = result ? k->result->type.t : o->type.t;
        if (result ? k->result->type.ptr : o->type.ptr)
            read_fail(r, "a pointer is no operand of a tile");
        if (result)
            code_operand(r, i, 0, k->result, 0);
        else
            code_arg(r, i, a, o);
        info->args[a] = (tile_arg){t, a};
        r->work += type_is_tile(t) ? tile_elements(t) : 1;
    }
    if (k->result)
        var_define(r, k->result);
    return info;
}

void tile_skip(call *k, uint32_t n)
{
    WEFT_ASSERT(n < k->n);
    for (uint32_t a = 0; a < n; a++)
        k->args[a] = k->args[n];
}

/* What an operation changes counts as written. */
void tile_changes(operand *o)
{
    o->v->written = true;
}

const type *tile_arg_type(reader *r, const call *k, uint32_t a)
{
    if (a >= k->n || !tile_is_operand(&k->args[a]))
        tile_wrong(r, k);
    return k->args[a].type.t;
}

const type *tile_result(reader *r, const call *k)
{
    if (!k->result || k->result->type.ptr || !type_is_tile(k->result->type.t))
        tile_wrong(r, k);
    return k->result->type.t;
}

/* The same number of elements in the same shape; a register tile of 1 element fits any 1-element
 * tile. */
void tile_need_shape(reader *r, const call *k, const type *a, const type *b)
{
    if (a->ndim != b->ndim || memcmp(a->dims, b->dims, (size_t)a->ndim * sizeof *a->dims) != 0)
        tile_wrong(r, k);
}

/* ---- snippets ---- */

static var *temp(reader *r, tile_info *info, uint32_t at, const type *t)
{
    if (at >= TILE_TEMPS)
        read_missing(r, STR("a tile operation of so many arguments"));
    var *v = var_temp(r, (vt){t, false});
    v->assigned = true;
    info->temps[at] = v->at;
    return v;
}

/* Jumps over what follows; snippet_close ends it. */
static uint32_t snippet_open(reader *r, tile_info *info)
{
    code_emit(r, do_jump, 0);
    code_fixup(r, &info->snippet, r->code.n);
    return r->code.n - 1;
}

static void snippet_close(reader *r, uint32_t jump)
{
    code_emit(r, do_end, 0);
    r->code.v[jump].size = r->code.n;
    r->zero_after = r->code.n;
}

/* The scalar type that a native function is the constructor of; NULL: it is none. */
static const type *scalar_named(const reader *r, str name)
{
    const sym *s = sym_find(&r->c->syms, name.p, name.n);
    const type *t = s ? type_by_name(r->c, s) : NULL;
    return t && type_is_scalar(t) ? t : NULL;
}

static void call_named(reader *r, call *k, fn_ref f, const char *prefix, var *result)
{
    vm_name *id = f.id;
    k->ntargs = k->ngroups = 0;
    k->made = NULL;
    k->form = NULL;
    k->result = result;
    k->adjoint = false;
    if (!f.native) {
        k->id = id;
        call_with_args(r, k, id->func);
        return;
    }
    if (*prefix) {
        char *name = arena_alloc(r->a, id->s.n + 5);
        memcpy(name, prefix, 4);
        memcpy(name + 4, id->s.p, id->s.n);
        id = name_of(r, (str){name, id->s.n + 4});
        k->adjoint = true;
    }
    if (form_find(id->s))
        read_missing(r, id->s);
    k->made = scalar_named(r, id->s);
    k->id = id;
    call_native(r, k);
}

static operand whole(var *v)
{
    return (operand){.v = v, .type = v->type};
}

/* t_n = f(t_0, ..., t_n-1) */
void tile_snippet(reader *r, tile_info *info, fn_ref f, const type *const *in, uint32_t n,
                  const type *out)
{
    call *k = &r->call;
    const uint32_t jump = snippet_open(r, info);
    var *x[TILE_TEMPS];
    for (uint32_t a = 0; a < n; a++)
        x[a] = temp(r, info, a, in[a]);
    var *result = temp(r, info, n, out);
    for (uint32_t a = 0; a < n; a++)
        k->args[a] = whole(x[a]);
    k->n = n;
    call_named(r, k, f, "", result);
    snippet_close(r, jump);
}

/* d_0, ..., d_n-1 += the adjoint of f at t_0, ...; temps: arguments, result, their adjoints, the
 * result's adjoint. Warp gives adj_NAME the result where it takes one; here it always gets it. */
static void adj_snippet(reader *r, tile_info *info, fn_ref f, fn_ref adj, const type *const *in,
                        uint32_t n, const type *out)
{
    call *k = &r->call;
    const uint32_t jump = snippet_open(r, info);
    var *x[TILE_TEMPS], *d[TILE_TEMPS];
    for (uint32_t a = 0; a < n; a++)
        x[a] = temp(r, info, a, in[a]);
    var *result = temp(r, info, n, out);
    for (uint32_t a = 0; a < n; a++)
        d[a] = temp(r, info, n + 1 + a, in[a]);
    var *dresult = temp(r, info, 2 * n + 1, out);
    for (uint32_t a = 0; a < n; a++)
        k->args[a] = whole(x[a]);
    k->n = n;
    if (f.native)
        call_named(r, k, f, "", result);
    k->n = n;
    if (f.native)
        k->args[k->n++] = whole(result);
    for (uint32_t a = 0; a < n; a++)
        k->args[k->n++] = whole(d[a]);
    k->args[k->n++] = whole(dresult);
    call_named(r, k, f.native ? f : adj, f.native ? "adj_" : "", NULL);
    snippet_close(r, jump);
}

fn_ref tile_native_fn(reader *r, const char *name)
{
    return (fn_ref){name_of(r, str_c(name)), true};
}

/* ---- elementwise ---- */

/* The element of a tile operand, else the operand's own type. */
static const type *item_type(const operand *o)
{
    return type_is_tile(o->type.t) ? o->type.t->elem : o->type.t;
}

/* result = map(f, a, b, ...): at least one tile, all of one shape. */
static void emit_map(reader *r, call *k, fn_ref f, tile_fn *run)
{
    const type *in[TILE_TEMPS], *out = tile_result(r, k);
    const uint32_t n = k->n;
    if (!n || 2 * n + 2 > TILE_TEMPS)
        tile_wrong(r, k);
    bool any = false;
    for (uint32_t a = 0; a < n; a++) {
        if (k->args[a].type.ptr)
            tile_wrong(r, k);
        if (tile_is_operand(&k->args[a])) {
            tile_need_shape(r, k, out, k->args[a].type.t);
            any = true;
        }
        in[a] = item_type(&k->args[a]);
    }
    if (!any || !out->owner)
        tile_wrong(r, k);
    tile_snippet(r, tile_emit(r, k, run), f, in, n, out->elem);
}

/* adj_map(f, a, ..., adj_f, adj_a, ..., adj_result) */
static void emit_adj_map(reader *r, call *k, fn_ref f, fn_ref adj)
{
    const type *in[TILE_TEMPS];
    const uint32_t n = (k->n - 1) / 2;
    if (k->n < 3 || k->n % 2 == 0 || 2 * n + 2 > TILE_TEMPS || k->result)
        tile_wrong(r, k);
    const type *out = tile_arg_type(r, k, 2 * n);
    for (uint32_t a = 0; a < n; a++) {
        if (!vt_same(k->args[a].type, k->args[n + a].type))
            type_fail(r, k->args[a].type, k->args[n + a].type);
        var_pair(r, k->args[a].v, k->args[n + a].v);
        if (tile_is_operand(&k->args[a]))
            tile_need_shape(r, k, out, k->args[a].type.t);
        in[a] = item_type(&k->args[a]);
        tile_changes(&k->args[n + a]);
    }
    const accum *sums[TILE_TEMPS];
    for (uint32_t a = 0; a < n; a++)
        sums[a] = accum_of(r, in[a], false);
    tile_info *info = tile_emit(r, k, tile_run_adj_map);
    const accum **kept = ARENA_ARRAY(r->a, const accum *, n + 1);
    memcpy(kept, sums, n * sizeof *kept);
    info->sums = kept;
    adj_snippet(r, info, f, adj, in, n, out->elem);
}

static void read_map(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    if (t->nfns != 1 || t->ntargs)
        tile_wrong(r, k);
    emit_map(r, k, t->fns[0], run);
}

static void read_adj_map(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    if (t->nfns != 2 || t->ntargs)
        tile_wrong(r, k);
    emit_adj_map(r, k, t->fns[0], t->fns[1]);
}

/* The operators: the function is known by the name. */
static void read_operator(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    if (t->nfns || t->ntargs)
        tile_wrong(r, k);
    emit_map(r, k, tile_native_fn(r, op), run);
}

static void read_adj_operator(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    if (t->nfns || t->ntargs)
        tile_wrong(r, k);
    emit_adj_map(r, k, tile_native_fn(r, op), (fn_ref){0});
}

/* tile_astype<TILE>(a): T(x) of each element, T that of TILE. */
static void read_astype(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const type *out = tile_result(r, k);
    if (t->nfns || t->ntargs != 1 || t->targs[0].t != out || k->n != 1 ||
        !type_is_scalar(tile_arg_type(r, k, 0)->elem) || !type_is_scalar(out->elem))
        tile_wrong(r, k);
    emit_map(r, k, (fn_ref){name_of(r, out->elem->pyname), true}, run);
}

/* adj_tile_astype(a, adj_a, adj_result): Warp 1.19 does nothing unless both are floats. */
static void read_adj_astype(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    if (k->n != 3 || t->nfns || t->ntargs)
        tile_wrong(r, k);
    const type *in = tile_arg_type(r, k, 0)->elem, *out = tile_arg_type(r, k, 2)->elem;
    if (type_is_float(in) && type_is_float(out))
        emit_adj_map(r, k, (fn_ref){name_of(r, out->pyname), true}, (fn_ref){0});
    else
        read_nothing(r, k, t, run, op);
}

/* a += b of tiles, or of one element: tile_add_inplace(a, i, j, value). */
static void read_inplace(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)t;
    const type *a = tile_arg_type(r, k, 0);
    const type *in[2] = {a->elem, a->elem};
    if (k->n < 2 || k->result)
        tile_wrong(r, k);
    const bool tiles = k->n == 2 && tile_is_operand(&k->args[1]);
    if (tiles)
        tile_need_shape(r, k, a, k->args[1].type.t);
    if (item_type(&k->args[k->n - 1]) != a->elem)
        read_missing(r, k->id->s);
    for (uint32_t j = 1; !tiles && j + 1 < k->n; j++)
        if (!int_operand(&k->args[j]) || k->n != 2 + (uint32_t)a->ndim)
            tile_wrong(r, k);
    tile_changes(&k->args[0]);
    tile_info *info = tile_emit(r, k, run);
    tile_snippet(r, info, tile_native_fn(r, op), in, 2, a->elem);
}

static void read_adj_inplace(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)t;
    if (k->n != 4 || !tile_is_operand(&k->args[1])) {
        read_adj_inplace_element(r, k, op);
        return;
    }
    const type *a = tile_arg_type(r, k, 0);
    if (tile_arg_type(r, k, 2) != a || tile_arg_type(r, k, 3) != k->args[1].type.t)
        tile_wrong(r, k);
    var_pair(r, k->args[0].v, k->args[2].v);
    var_pair(r, k->args[1].v, k->args[3].v);
    tile_changes(&k->args[3]);
    const accum *sum = accum_of(r, a->elem, false);
    tile_info *info = tile_emit(r, k, run);
    info->accum = sum;
    info->param = op[0] == 's';
}

/* ---- reductions ---- */

static void emit_reduce(reader *r, call *k, fn_ref f, tile_fn *run)
{
    const type *tile = tile_arg_type(r, k, 0), *out = tile_result(r, k);
    const type *in[2] = {tile->elem, tile->elem};
    if (k->n != 1 || out->elem != tile->elem || tile_elements(out) != 1)
        tile_wrong(r, k);
    tile_info *info = tile_emit(r, k, run);
    info->folds = f.native;
    tile_snippet(r, info, f, in, 2, tile->elem);
}

static void read_reduce(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    if (t->nfns != (*op ? 0 : 1) || t->ntargs)
        tile_wrong(r, k);
    emit_reduce(r, k, *op ? tile_native_fn(r, op) : t->fns[0], run);
}

/* The number of the least or greatest element. op: "min", "max" */
static void read_arg_reduce(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    const type *tile = tile_arg_type(r, k, 0), *out = tile_result(r, k);
    const type *in[2] = {tile->elem, tile->elem};
    if (t->nfns || t->ntargs || k->n != 1 || out->elem->kind != TYPE_INT32 ||
        tile_elements(out) != 1)
        tile_wrong(r, k);
    tile_info *info = tile_emit(r, k, run);
    info->folds = true;
    tile_snippet(r, info, tile_native_fn(r, op), in, 2, tile->elem);
}

/* adj_tile_sum(tile, adj_tile, adj_result) */
static void read_adj_sum(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const type *tile = tile_arg_type(r, k, 0);
    if (t->ntargs || k->n != 3 || tile_arg_type(r, k, 1) != tile ||
        tile_arg_type(r, k, 2)->elem != tile->elem)
        tile_wrong(r, k);
    var_pair(r, k->args[0].v, k->args[1].v);
    tile_changes(&k->args[1]);
    const accum *sum = accum_of(r, tile->elem, false);
    tile_emit(r, k, run)->accum = sum;
}

static void read_sort(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)op;
    const type *keys = tile_arg_type(r, k, 0), *values = tile_arg_type(r, k, 1);
    if (t->ntargs || k->n != 2 || k->result || !type_is_scalar(keys->elem) ||
        tile_elements(keys) != tile_elements(values))
        tile_wrong(r, k);
    tile_changes(&k->args[0]);
    tile_changes(&k->args[1]);
    tile_emit(r, k, run);
}

/* Sorted by name, for the search. */
static const tile_form tile_forms[] = {
    {"adj_tile", read_adj_tile, tile_run_adj_tile, ""},
    {"adj_tile_add", read_adj_operator, NULL, "add"},
    {"adj_tile_add_inplace", read_adj_inplace, tile_run_adj_inplace, "add"},
    {"adj_tile_arange", read_nothing, NULL, ""},
    {"adj_tile_assign", read_adj_assign_tile, tile_run_adj_assign_tile, ""},
    {"adj_tile_astype", read_adj_astype, NULL, ""},
    {"adj_tile_atomic_add", read_adj_store, tile_run_adj_store, "result"},
    {"adj_tile_atomic_add_indexed", read_adj_store, tile_run_adj_store, "result"},
    {"adj_tile_axpy", read_adj_axpy, NULL, "mul"},
    {"adj_tile_binary_map", read_adj_map, NULL, ""},
    {"adj_tile_broadcast", read_nothing, NULL, ""},
    {"adj_tile_cholesky", read_adj_factor, NULL, ""},
    {"adj_tile_div", read_adj_operator, NULL, "div"},
    {"adj_tile_div_elementwise", read_adj_operator, NULL, "div"},
    {"adj_tile_dot", read_adj_dot, NULL, ""},
    {"adj_tile_extract", read_adj_extract, tile_run_adj_extract, ""},
    {"adj_tile_load", read_adj_load, tile_run_adj_load, ""},
    {"adj_tile_load_indexed", read_adj_load, tile_run_adj_load, ""},
    {"adj_tile_lower_solve", read_adj_solve, NULL, ""},
    {"adj_tile_map", read_adj_map, NULL, ""},
    {"adj_tile_matmul", read_adj_matmul, tile_run_adj_matmul, ""},
    {"adj_tile_matmul_acc", read_adj_matmul, tile_run_adj_matmul, "acc"},
    {"adj_tile_mul", read_adj_operator, NULL, "mul"},
    {"adj_tile_mul_elementwise", read_adj_operator, NULL, "mul"},
    {"adj_tile_neg", read_adj_operator, NULL, "neg"},
    {"adj_tile_reshape", read_nothing, NULL, ""},
    {"adj_tile_scatter_add", read_adj_scatter, NULL, "add"},
    {"adj_tile_scatter_masked", read_adj_scatter, NULL, "masked"},
    {"adj_tile_squeeze", read_nothing, NULL, ""},
    {"adj_tile_store", read_adj_store, tile_run_adj_store, ""},
    {"adj_tile_store_indexed", read_adj_store, tile_run_adj_store, ""},
    {"adj_tile_sub", read_adj_operator, NULL, "sub"},
    {"adj_tile_sub_inplace", read_adj_inplace, tile_run_adj_inplace, "sub"},
    {"adj_tile_sum", read_adj_sum, tile_run_adj_sum, ""},
    {"adj_tile_sum_axis", read_adj_sum_axis, NULL, ""},
    {"adj_tile_transpose", read_adj_transpose, tile_run_adj_transpose, ""},
    {"adj_tile_unary_map", read_adj_map, NULL, ""},
    {"adj_tile_view", read_nothing, NULL, ""},
    {"adj_untile", read_adj_untile, tile_run_adj_untile, ""},
    {"tile", read_tile, tile_run_tile, ""},
    {"tile_add", read_operator, tile_run_map, "add"},
    {"tile_add_inplace", read_inplace, tile_run_inplace, "add"},
    {"tile_arange", read_arange, tile_run_arange, ""},
    {"tile_argmax", read_arg_reduce, tile_run_arg_reduce, "max"},
    {"tile_argmin", read_arg_reduce, tile_run_arg_reduce, "min"},
    {"tile_assign", read_assign_tile, tile_run_assign_tile, ""},
    {"tile_astype", read_astype, tile_run_map, ""},
    {"tile_atomic_add", read_store, tile_run_atomic_add, "result"},
    {"tile_atomic_add_indexed", read_store, tile_run_atomic_add, "result"},
    {"tile_axpy", read_axpy, NULL, "mul"},
    {"tile_binary_map", read_map, tile_run_map, ""},
    {"tile_bit_and", read_operator, tile_run_map, "bit_and"},
    {"tile_bit_and_inplace", read_inplace, tile_run_inplace, "bit_and"},
    {"tile_bit_or", read_operator, tile_run_map, "bit_or"},
    {"tile_bit_or_inplace", read_inplace, tile_run_inplace, "bit_or"},
    {"tile_bit_xor", read_operator, tile_run_map, "bit_xor"},
    {"tile_bit_xor_inplace", read_inplace, tile_run_inplace, "bit_xor"},
    {"tile_broadcast", read_view, tile_run_view, ""},
    {"tile_bvh_query_next", read_query_next, NULL, ""},
    {"tile_cholesky", read_factor, NULL, "3"},
    {"tile_cholesky_inplace", read_factor, NULL, "1 inplace"},
    {"tile_cholesky_solve", read_solve, NULL, "1 both"},
    {"tile_cholesky_solve_inplace", read_solve, NULL, "1 both inplace"},
    {"tile_diag_add", read_diag_add, NULL, ""},
    {"tile_div", read_operator, tile_run_map, "div"},
    {"tile_div_elementwise", read_operator, tile_run_map, "div"},
    {"tile_dot", read_dot, NULL, ""},
    {"tile_empty", read_fill, tile_run_fill, "empty"},
    {"tile_extract", read_extract, tile_run_extract, ""},
    {"tile_from_thread", read_from_thread, tile_run_from_thread, ""},
    {"tile_full", read_fill, tile_run_fill, "full"},
    {"tile_load", read_load, tile_run_load, ""},
    {"tile_load_indexed", read_load, tile_run_load, ""},
    {"tile_lower_solve", read_solve, NULL, "2 forward"},
    {"tile_lower_solve_inplace", read_solve, NULL, "1 forward inplace"},
    {"tile_map", read_map, tile_run_map, ""},
    {"tile_matmul", read_matmul, tile_run_matmul, ""},
    {"tile_matmul_acc", read_matmul, tile_run_matmul, "acc"},
    {"tile_max", read_reduce, tile_run_reduce, "max"},
    {"tile_mesh_query_aabb_next", read_query_next, NULL, ""},
    {"tile_min", read_reduce, tile_run_reduce, "min"},
    {"tile_mul", read_operator, tile_run_map, "mul"},
    {"tile_mul_elementwise", read_operator, tile_run_map, "mul"},
    {"tile_neg", read_operator, tile_run_map, "neg"},
    {"tile_ones", read_fill, tile_run_fill, "1"},
    {"tile_randf", read_random, NULL, "f"},
    {"tile_randi", read_random, NULL, "i"},
    {"tile_reduce", read_reduce, tile_run_reduce, ""},
    {"tile_reduce_axis", read_reduce_axis, NULL, ""},
    {"tile_reshape", read_view, tile_run_view, ""},
    {"tile_scan_exclusive", read_scan, NULL, "-add"},
    {"tile_scan_inclusive", read_scan, NULL, "add"},
    {"tile_scan_max_inclusive", read_scan, NULL, "max"},
    {"tile_scan_min_inclusive", read_scan, NULL, "min"},
    {"tile_scatter_add", read_scatter, NULL, "add"},
    {"tile_scatter_masked", read_scatter, NULL, "masked"},
    {"tile_sort", read_sort, tile_run_sort, ""},
    {"tile_squeeze", read_view, tile_run_view, ""},
    {"tile_stack_clear", read_stack_clear, NULL, ""},
    {"tile_stack_count", read_stack_count, NULL, ""},
    {"tile_stack_init", read_stack_init, NULL, ""},
    {"tile_stack_pop", read_stack_pop, NULL, ""},
    {"tile_stack_push", read_stack_push, NULL, ""},
    {"tile_store", read_store, tile_run_store, ""},
    {"tile_store_indexed", read_store, tile_run_store, ""},
    {"tile_sub", read_operator, tile_run_map, "sub"},
    {"tile_sub_inplace", read_inplace, tile_run_inplace, "sub"},
    {"tile_sum", read_reduce, tile_run_reduce, "add"},
    {"tile_sum_axis", read_sum_axis, NULL, "add"},
    {"tile_transpose", read_view, tile_run_view, ""},
    {"tile_unary_map", read_map, tile_run_map, ""},
    {"tile_upper_solve", read_solve, NULL, "1 back"},
    {"tile_upper_solve_inplace", read_solve, NULL, "1 back inplace"},
    {"tile_view", read_view, tile_run_view, "part"},
    {"tile_zeros", read_fill, tile_run_fill, "0"},
    {"untile", read_untile, tile_run_untile, ""},
};

bool tile_is_call(str s)
{
    if (str_starts(s, "adj_"))
        s = (str){s.p + 4, s.n - 4};
    /* Queries begin, and are asked, by each lane alone. */
    static const char *const alone[] = {"tile_bvh_query_aabb", "tile_bvh_query_ray",
                                        "tile_mesh_query_aabb", "tile_query_valid"};
    return str_eq(s, STR("tile")) || str_eq(s, STR("untile")) ||
           (str_starts(s, "tile_") && !STR_IS_IN(s, alone));
}

/* The name has been taken. */
void tile_call_read(reader *r, call *k)
{
    tile_call t;
    size_t i = 0;
    if (read_fourier(r, k))
        return;
    while (i < sizeof tile_forms / sizeof *tile_forms &&
           !str_eq(k->id->s, str_c(tile_forms[i].name)))
        i++;
    if (i == sizeof tile_forms / sizeof *tile_forms)
        read_missing(r, k->id->s);
    targs_read(r, &t);
    args_read(r, k, &t);
    tile_forms[i].read(r, k, &t, tile_forms[i].run, tile_forms[i].op);
}

bool tile_in_call(const call *k)
{
    for (uint32_t a = 0; a < k->n; a++)
        if (tile_is_operand(&k->args[a]))
            return true;
    return false;
}

void tile_member_read(reader *r, var *v)
{
    call *k = &r->call;
    tok_words(r, ". grad_zero ( )");
    k->result = NULL;
    k->args[0] = whole(v);
    k->n = 1;
    tile_changes(&k->args[0]);
    tile_emit(r, k, tile_run_grad_zero);
}
