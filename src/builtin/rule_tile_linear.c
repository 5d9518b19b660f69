/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of linear algebra and Fourier transforms on tiles. Example:
 *
 *     c = wp.tile_matmul(a, b)
 *         var_23 = wp::tile_matmul(var_24, var_25, var_26, var_9, var_15, var_23, var_27, var_28);
 *
 * The first arguments name functions of NVIDIA's MathDx libraries, which Warp compiles for the GPU
 * it finds. The text here is the one that Warp 1.19 makes without them (output_arch None, or the
 * options enable_mathdx_gemm, enable_mathdx_solver and enable_mathdx_fft off): zeros stand there,
 * and Warp's headers compute by themselves. A result is an argument as well: it is written in
 * place. */
#include "base/assert.h"
#include "builtin/rule_tile.h"
#include "builtin/rules.h"

/* Constant zeros in the places of MathDx functions. */
static void pass_zeros(rule_call *k, int n)
{
    while (n-- > 0)
        rule_pass_const(k, value_int(0));
}

/* A tile operand of so many dimensions at least and at most; NULL after a diagnostic. */
static const type *operand_of_rank(rule_call *k, const char *name, int least, int most)
{
    const type *t = tile_operand(k, name);
    if (t && (t->ndim < least || t->ndim > most)) {
        tile_refuse(k, most == 1    ? "a 1-D tile is wanted"
                       : least == 1 ? "a 1-D or 2-D tile is wanted"
                                    : "a 2-D tile is wanted");
        return NULL;
    }
    return t;
}

/* A square matrix; NULL after a diagnostic. */
static const type *square_operand(rule_call *k, const char *name)
{
    const type *t = operand_of_rank(k, name, 2, 2);
    if (t && t->dims[0] != t->dims[1]) {
        tile_refuse(k, "the matrix must be square");
        return NULL;
    }
    return t;
}

/* The result is a tile of its own in shared memory that lies like `t`. */
static bool gives_like(rule_call *k, const type *t)
{
    const tile_layout l = {.shape = t->dims,
                           .strides = t->dims + t->ndim,
                           .ndim = t->ndim,
                           .shared = true,
                           .colmajor = t->colmajor};
    return rule_gives(k, type_tile(k->c, t->elem, &l));
}

/* --- sums with a diagonal --------------------------------------------------------------------- */

/* Warp 1.19 tile_diag_add_value_func. */
static bool diag_add(rule_call *k)
{
    const type *a = square_operand(k, "a");
    const type *d = a ? operand_of_rank(k, "d", 1, 1) : NULL;
    if (!d)
        return false;
    if (!type_equal(a->elem, d->elem))
        return rule_refuse_store(k, d->elem, a->elem);
    if (a->dims[0] != d->dims[0])
        return tile_refuse(k, "the diagonal must have as many elements as the matrix has rows");
    return gives_like(k, a);
}
const result_rule rule_tile_diag_add = {diag_add, 0, false};

/* Warp 1.19 tile_diag_add_lto_dispatch_func. */
bool dispatch_tile_diag_add(rule_call *k)
{
    type_tile_share(k->c, tile_type(k, "a"));
    type_tile_share(k->c, tile_type(k, "d"));
    rule_pass(k, 0);
    rule_pass(k, 1);
    rule_pass_result(k);
    return true;
}

/* --- products --------------------------------------------------------------------------------- */

/* Warp 1.19 tile_matmul_lto_dispatch_func, which also refuses what no matmul of Warp computes. */
static bool check_product(rule_call *k, const type *a, const type *b, const type *out)
{
    const value *precision = rule_arg_value(tile_arg(k, "precision"));
    const char *name = precision && precision->kind == VALUE_STR ? precision->s->s : "";
    const bool is_tf32 = strcmp(name, "tf32") == 0;
    if (!is_tf32 && strcmp(name, "default") != 0)
        return tile_refuse(k, "precision must be 'default' or 'tf32'");
    const type_kind x = (type_kind)a->elem->kind, y = (type_kind)b->elem->kind,
                    z = (type_kind)out->elem->kind;
    if (is_tf32 && (x != TYPE_FLOAT32 || y != TYPE_FLOAT32 || z != TYPE_FLOAT32))
        return tile_refuse(k, "precision='tf32' needs tiles of float32");
    if (z == TYPE_BFLOAT16)
        return tile_refuse(k, "a product cannot be summed up in bfloat16");
    if (k->r->backward && (x == TYPE_BFLOAT16 || y == TYPE_BFLOAT16))
        return tile_refuse(k, "tiles of bfloat16 need the module's option enable_backward=False");
    if (a->dims[1] != b->dims[0] || a->dims[0] != out->dims[0] || b->dims[1] != out->dims[1])
        return tile_refuse(k, "the sizes of the matrices do not fit");
    return true;
}

/* c = tile_matmul(a, b): Warp 1.19 tile_matmul_value_func. */
static bool product(rule_call *k)
{
    const type *a = operand_of_rank(k, "a", 2, 2);
    const type *b = a ? operand_of_rank(k, "b", 2, 2) : NULL;
    if (!b)
        return false;
    const int64_t shape[] = {a->dims[0], b->dims[1]};
    const tile_layout l = {.shape = shape, .ndim = 2, .shared = true};
    return rule_gives(k, type_tile(k->c, a->elem, &l));
}
const result_rule rule_tile_product = {product, 0, false};

/* tile_matmul(a, b, out) adds to a tile: Warp 1.19 tile_matmul_out_value_func. */
static bool product_added(rule_call *k)
{
    return operand_of_rank(k, "a", 2, 2) && operand_of_rank(k, "b", 2, 2) &&
           operand_of_rank(k, "out", 2, 2) && rule_gives(k, NULL);
}
const result_rule rule_tile_product_added = {product_added, 0, false};

/* Rows that only say why (Warp 1.19 _tile_matmul_complex_value_func). */
static bool product_complex(rule_call *k)
{
    return tile_refuse(k, "complex matrices (tiles of vec2) cannot be multiplied");
}
const result_rule rule_tile_product_complex = {product_complex, 0, false};

/* Both forms; a result of its own begins at zero. */
bool dispatch_tile_matmul(rule_call *k)
{
    const bool adds = tile_arg(k, "out") != NULL;
    const type *a = tile_type(k, "a"), *b = tile_type(k, "b"),
               *out = adds ? tile_type(k, "out") : k->plan->result_types[0];
    if (!check_product(k, a, b, out))
        return false;
    type_tile_share(k->c, a);
    type_tile_share(k->c, b);
    type_tile_share(k->c, out);
    pass_zeros(k, 3);
    rule_pass(k, rule_param(k, "a"));
    rule_pass(k, rule_param(k, "b"));
    if (adds)
        rule_pass(k, rule_param(k, "out"));
    else
        rule_pass_result(k);
    rule_pass(k, rule_param(k, "alpha"));
    if (adds)
        rule_pass(k, rule_param(k, "beta"));
    else
        rule_pass_const(k, value_float(0.0));
    return true;
}

/* --- factorisation and triangular systems ----------------------------------------------------- */

/* Appends the template argument `upper`, where the function has fill_mode. */
static bool template_fill_mode(rule_call *k)
{
    const value *v = rule_arg_value(tile_arg(k, "fill_mode"));
    const char *mode = v && v->kind == VALUE_STR ? v->s->s : "";
    const bool upper = strcmp(mode, "upper") == 0;
    if (!upper && strcmp(mode, "lower") != 0)
        return tile_refuse(k, "fill_mode must be 'lower' or 'upper'");
    const value flag = value_bool(upper);
    rule_template_value(k, &flag);
    return true;
}

static bool is_solvable(const type *t)
{
    return t->elem->kind == TYPE_FLOAT32 || t->elem->kind == TYPE_FLOAT64;
}

/* Warp 1.19 _tile_cholesky_generic_value_func. */
static const type *factor_operand(rule_call *k)
{
    const type *a = square_operand(k, "A");
    if (a && !is_solvable(a)) {
        tile_refuse(k, "the elements must be float32 or float64");
        return NULL;
    }
    return a;
}

static bool cholesky(rule_call *k)
{
    const type *a = factor_operand(k);
    return a && gives_like(k, a);
}
const result_rule rule_tile_cholesky = {cholesky, 0, false};

static bool cholesky_inplace(rule_call *k)
{
    return factor_operand(k) && rule_gives(k, NULL);
}
const result_rule rule_tile_cholesky_inplace = {cholesky_inplace, 0, false};

/* Warp 1.19 _tile_cholesky_generic_lto_dispatch_func: the adjoint has two solvers more. */
bool dispatch_tile_cholesky(rule_call *k)
{
    const bool inplace = k->plan->result == RESULT_VOID;
    type_tile_share(k->c, tile_type(k, "A"));
    if (!template_fill_mode(k))
        return false;
    pass_zeros(k, inplace ? 1 : 3);
    rule_pass(k, 0);
    if (!inplace)
        rule_pass_result(k);
    return true;
}

/* The right-hand side of a system whose matrix is the first parameter; NULL after a diagnostic.
 * Warp 1.19 _tile_lower_solve_generic_value_func and its like. */
static const type *right_side(rule_call *k)
{
    const char *const matrix = k->row->params[0].name->s, *const side = k->row->params[1].name->s;
    const type *m = square_operand(k, matrix);
    const type *y = m ? operand_of_rank(k, side, 1, 2) : NULL;
    if (!y)
        return NULL;
    if (!type_equal(m->elem, y->elem))
        rule_refuse_store(k, y->elem, m->elem);
    else if (!is_solvable(m))
        tile_refuse(k, "the elements must be float32 or float64");
    else if (y->dims[0] != m->dims[0])
        tile_refuse(k, "the right-hand side must have as many rows as the matrix");
    else
        return y;
    return NULL;
}

static bool solve(rule_call *k)
{
    const type *y = right_side(k);
    return y && gives_like(k, y);
}
const result_rule rule_tile_solve = {solve, 0, false};

static bool solve_inplace(rule_call *k)
{
    return right_side(k) && rule_gives(k, NULL);
}
const result_rule rule_tile_solve_inplace = {solve_inplace, 0, false};

/* Zeros, the matrix, the right-hand side, and the solution unless it overwrites that one. */
static void pass_system(rule_call *k, int zeros)
{
    type_tile_share(k->c, rule_type(k, 0));
    type_tile_share(k->c, rule_type(k, 1));
    pass_zeros(k, zeros);
    rule_pass(k, 0);
    rule_pass(k, 1);
    if (k->plan->result != RESULT_VOID)
        rule_pass_result(k);
}

/* Warp 1.19 _tile_cholesky_solve_generic_lto_dispatch_func. */
bool dispatch_tile_cholesky_solve(rule_call *k)
{
    if (!template_fill_mode(k))
        return false;
    pass_system(k, 1);
    return true;
}

/* Warp 1.19 _tile_lower_solve_generic_lto_dispatch_func: the adjoint has a solver of its own. */
bool dispatch_tile_lower_solve(rule_call *k)
{
    pass_system(k, k->plan->result == RESULT_VOID ? 1 : 2);
    return true;
}

/* Warp 1.19 _tile_upper_solve_generic_lto_dispatch_func. */
bool dispatch_tile_upper_solve(rule_call *k)
{
    pass_system(k, 1);
    return true;
}

/* --- Fourier transforms ----------------------------------------------------------------------- */

/* Does the context's release transform a tile by all threads of a block? If not, one does it, also
 * where the block has more. */
static bool is_shared_transform(const rule_call *k)
{
    return tile_block_dim(k) != 1 && warp_has(k->c->warp, WARP_FFT_BY_BLOCK);
}

/* Can the block's threads share a transform of this size? Warp 1.19
 * tile_fft_generic_lto_dispatch_func: one thread takes all sizes up to SLOW_MOST. */
static bool check_transform(rule_call *k, int64_t size)
{
    enum { SLOW_MOST = 4096 };
    const bool is_power = size > 0 && (size & (size - 1)) == 0;
    const int64_t threads = tile_block_dim(k);
    if (!is_shared_transform(k))
        return is_power || size <= SLOW_MOST ||
               tile_refuse_advised(k, "a size that is no power of two may be 4096 at most",
                                   "pad the rows with zeros to a power of two");
    if (!is_power)
        return tile_refuse_advised(k,
                                   "a block of several threads needs rows whose length is a power "
                                   "of two",
                                   "pad the rows with zeros, or set the module option block_dim, "
                                   "or --block-dim, to 1");
    return size % threads == 0 ||
           tile_refuse_advised(
               k, "the length of the rows must be a multiple of block_dim",
               "set the module option block_dim, or --block-dim, to a smaller power "
               "of two");
}

/* Warp 1.19 tile_fft_generic_value_func: vec2 are complex numbers. */
static bool transform(rule_call *k)
{
    const type *t = tile_operand(k, "inout");
    if (!t)
        return false;
    if (t->shared)
        return tile_refuse_advised(k, "a tile in shared memory cannot be transformed",
                                   "load it with storage=\"register\"");
    if (t->elem->kind != TYPE_VEC || t->elem->rows != 2 || !is_solvable(t->elem))
        return tile_refuse_advised(k, "the elements must be vec2f or vec2d",
                                   "a complex number is a wp.vec2f: its real and imaginary part");
    if (t->ndim < 2)
        return tile_refuse_advised(k, "a tile of at least two dimensions is wanted",
                                   "one row is a tile of shape (1, n)");
    return check_transform(k, t->dims[t->ndim - 1]) && rule_gives(k, NULL);
}
const result_rule rule_tile_transform = {transform, 0, false};

/* In C++ it is a macro, whose arguments are tokens:
 *
 *     tile_fft(0, 0, wp::vec2f, 2048, 4, 1, var_3)    bytes of shared memory, transforms in the
 *                                                     tile, elements per thread */
bool dispatch_tile_transform(rule_call *k)
{
    const type *t = tile_type(k, "inout");
    const int64_t size = t->dims[t->ndim - 1], threads = tile_block_dim(k);
    const bool is_double = t->elem->elem->kind == TYPE_FLOAT64;
    int64_t batch = 1;
    for (int i = 0; i < t->ndim - 1; i++)
        batch *= t->dims[i];
    const int64_t bytes = is_shared_transform(k) ? size * (is_double ? 16 : 8) : 0;
    rule_pass_token(k, "/* scalar */ 0");
    rule_pass_token(k, "/* scalar */ 0");
    rule_pass_token(k, is_double ? "wp::vec2d" : "wp::vec2f");
    rule_pass_token(k, arena_printf(&k->c->module, "%lld", (long long)bytes));
    rule_pass_token(k, arena_printf(&k->c->module, "%lld", (long long)batch));
    rule_pass_token(k, arena_printf(&k->c->module, "%lld", (long long)(size / threads)));
    rule_pass(k, 0);
    rule_needs_shared(k, (size_t)bytes);
    return true;
}
