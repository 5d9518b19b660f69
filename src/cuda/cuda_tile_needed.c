/* SPDX-License-Identifier: Apache-2.0 */
/* Which tiles in shared memory the replay of a kernel computes: those whose elements some adjoint
 * reads, and those that they are computed of.
 *
 *     a = wp.tile_load(x, shape=64)
 *     b = wp.tile_map(wp.sin, a)        adjoint: adj_a += cos(a) * adj_b       reads a
 *     wp.tile_store(y, b + a)           adjoint: adj_b += ..., adj_a += ...    reads neither
 *     ->
 *     the replay loads a, and computes neither b nor b + a
 *
 * A fixpoint: a round over the forward list marks the operands of what makes a marked tile, until
 * it marks nothing. The result, cuda_fn.needed_tiles, is indexed by variable of the unit. */
#include "cuda/cuda_operand.h"
#include "cuda/cuda_tile_ops.h"

/* Marks tiles among operands `first` to `end` - 1; those that are none are passed over. */
static bool mark_operands(const ir_unit *u, const ir_stmt *s, uint32_t first, uint32_t end,
                          bool *needed)
{
    bool any = false;
    for (uint32_t i = first; i < end; i++) {
        const ir_arg a = u->args.v[s->args + i];
        if (ir_kind(a) != IR_ARG_VAR ||
            type_strip_ref(u->vars.v[ir_index(a)].type)->kind != TYPE_TILE || needed[ir_index(a)])
            continue;
        needed[ir_index(a)] = any = true;
    }
    return any;
}

/* The adjoint reads its operands' elements. */
static bool reads_values(str name)
{
    static const char *const names[] = {"tile_mul",        "tile_mul_elementwise",
                                        "tile_div",        "tile_div_elementwise",
                                        "tile_unary_map",  "tile_binary_map",
                                        "tile_map",        "tile_matmul",
                                        "tile_matmul_acc", "tile_axpy"};
    return STR_IS_IN(name, names);
}

/* The adjoint reads its operand behind the array. */
static bool has_indices(str name)
{
    static const char *const names[] = {"tile_load_indexed", "tile_store_indexed",
                                        "tile_atomic_add_indexed"};
    return STR_IS_IN(name, names);
}

/* A multiple of a tile, by a constant: its gradient does not ask for the tile. */
static bool is_scaled(const ir_unit *u, const ir_stmt *s, str name)
{
    const bool axpy = str_eq(name, STR("tile_axpy"));
    const ir_arg by = s->nargs > 2 ? u->args.v[s->args + (axpy ? 1 : 2)] : u->args.v[s->args];
    return (axpy || str_eq(name, STR("tile_mul")) || str_eq(name, STR("tile_div"))) &&
           ir_kind(by) == IR_ARG_VAR && u->vars.v[ir_index(by)].constant;
}

/* Gives a value that is no tile: its operands are needed whatever follows. */
static bool is_always_needed(str name)
{
    static const char *const names[] = {"tile_extract", "untile",      "tile_min",    "tile_max",
                                        "tile_reduce",  "tile_argmin", "tile_argmax", "tile_sort"};
    return STR_IS_IN(name, names) || str_starts(name, "tile_cholesky") ||
           str_starts(name, "tile_lower_solve") || str_starts(name, "tile_upper_solve");
}

/* The tile that it sets is its last operand. */
static bool sets_last(str name)
{
    static const char *const names[] = {"tile_fft", "tile_ifft", "tile_diag_add", "tile_axpy"};
    return STR_IS_IN(name, names);
}

/* The variable whose tile the statement sets. */
static uint32_t target_of(const ir_unit *u, const ir_stmt *s, str name)
{
    const uint32_t at = s->op == IR_CALL                       ? 0
                        : sets_last(name)                      ? s->nargs - 1
                        : str_eq(name, STR("tile_matmul_acc")) ? 6
                                                               : 1;
    const ir_arg a = at < s->nargs ? u->args.v[s->args + at] : u->args.v[s->args];
    if (ir_kind(a) != IR_ARG_VAR)
        return CUDA_NO_VAR;
    /* Nobody knows which parts of a tile are needed. */
    return str_eq(name, STR("tile_assign")) ? cuda_tile_root(u, ir_index(a)) : ir_index(a);
}

/* The operands of what makes a marked tile. True: it has marked another one. */
static bool mark_forward(const ir_unit *u, const ir_stmt *s, bool *needed)
{
    const str name = cuda_called_name(u, s);
    static const char *const stores[] = {"tile_store", "tile_atomic_add", "tile_store_indexed",
                                         "tile_atomic_add_indexed"};
    if (!cuda_is_tile_call(name) || STR_IS_IN(name, stores))
        return false;
    const uint32_t to = target_of(u, s, name);
    const bool sum = str_eq(name, STR("tile_sum")) && cuda_is_needed_tile(u, to);
    const bool wanted_here = to != CUDA_NO_VAR && needed[to];
    return (is_always_needed(name) || sum || wanted_here) &&
           mark_operands(u, s, 1, s->nargs, needed);
}

void cuda_tile_find_needed(cuda_fn *f)
{
    const ir_unit *u = f->u;
    bool more = true;
    WEFT_ASSERT(f->reverse && !f->needed_tiles);
    f->needed_tiles = arena_zero(&f->c->module, u->vars.n + 1);
    for (uint32_t i = 0; i < u->reverse.n; i++) {
        const ir_stmt *s = &u->stmts.v[u->reverse.v[i].stmt];
        const str name = cuda_called_name(u, s);
        if (s->op == IR_ADJ_CALL && has_indices(name))
            mark_operands(u, s, 2, 3, f->needed_tiles);
        if (s->op != IR_ADJ_CALL || !reads_values(name) || is_scaled(u, s, name))
            continue;
        /* Of products not the tile that they are added to. */
        const bool product = str_starts(name, "tile_matmul"), axpy = str_eq(name, STR("tile_axpy"));
        mark_operands(u, s, product ? 4 : 1, product ? 6 : axpy ? 3 : s->nargs, f->needed_tiles);
    }
    while (more) {
        more = false;
        for (uint32_t i = 0; i < u->forward.n; i++)
            more |= mark_forward(u, &u->stmts.v[u->forward.v[i].stmt], f->needed_tiles);
    }
}

bool cuda_tile_is_replayed(const tile_call *r)
{
    static const char *const setters[] = {"tile_add_inplace", "tile_sub_inplace", "tile_set",
                                          "tile_scatter_add", "tile_scatter_masked"};
    cuda_fn *f = r->f;
    if (!f->reverse)
        return true;
    uint32_t var = r->result ? r->var : CUDA_NO_VAR;
    if (str_eq(r->name, STR("tile_matmul_acc")) && r->n > 5)
        var = ir_index(r->args[5]);
    else if (STR_IS_IN(r->name, setters))
        var = ir_index(r->args[0]);
    else if (sets_last(r->name))
        var = ir_index(r->args[r->n - 1]);
    else if (str_eq(r->name, STR("tile_assign")))
        var = cuda_tile_root(f->u, ir_index(r->args[0]));
    if (var == CUDA_NO_VAR || type_strip_ref(f->u->vars.v[var].type)->kind != TYPE_TILE)
        return true;
    if (str_eq(r->name, STR("tile_sum")))
        return cuda_is_needed_tile(f->u, var);
    return f->needed_tiles[var] || cuda_tile_is_view(f->u, var) ||
           type_tile_size(type_strip_ref(f->u->vars.v[var].type)) == 1;
}
