/* SPDX-License-Identifier: Apache-2.0 */
/* Fourier transforms of a tile's rows, and their adjoints: the transforms back, of the gradient. In
 * Warp's text they are macros, whose arguments are tokens:
 *
 *     tile_fft(0, 0, wp::vec2f, 2048, 4, 1, var_3);
 *                                    bytes of shared memory for a row, rows, numbers per thread
 *     adj_tile_fft(0, 0, wp::vec2f, 2048, 4, 1, var_3, 0, 0, wp::vec2f, 2048, 4, 1, adj_3);
 *
 * A comment stands before each 0, which says that there is no function of MathDx. */
#include "textvm/vm_tile_item.h"
#include "textvm/vm_tile_read.h"

/* What the tokens say. */
typedef struct fourier {
    int64_t bytes, rows, per_thread;
    bool inverse;
} fourier;

static tile_fn run_fourier;

/* The tokens up to the tile, and the tile. */
static fourier arguments_read(reader *r, call *k)
{
    fourier f = {0};
    tok_words(r, "/ * scalar * / 0 , / * scalar * / 0 ,");
    const bool wide = r->tok.kind == T_NAME && str_eq(r->tok.id->s, STR("vec2d"));
    tok_words(r, wide ? "wp::vec2d ," : "wp::vec2f ,");
    f.bytes = tok_int(r);
    tok_expect(r, ',');
    f.rows = tok_int(r);
    tok_expect(r, ',');
    f.per_thread = tok_int(r);
    tok_expect(r, ',');
    var *v = var_read(r);
    k->args[k->n++] = (operand){.v = v, .type = v->type};
    const type *t = tile_arg_type(r, k, k->n - 1);
    if (t->shared || t->ndim < 2 || t->elem->kind != TYPE_VEC || t->elem->rows != 2 ||
        t->elem->elem->kind != (wide ? TYPE_FLOAT64 : TYPE_FLOAT32) ||
        f.rows != tile_elements(t) / t->dims[t->ndim - 1])
        tile_wrong(r, k);
    return f;
}

bool read_fourier(reader *r, call *k)
{
    static const char *const names[] = {"tile_fft", "tile_ifft", "adj_tile_fft", "adj_tile_ifft"};
    const str name = k->id->s;
    if (!STR_IS_IN(name, names))
        return false;
    const bool adjoint = name.p[0] == 'a';
    k->n = k->ngroups = 0;
    tok_expect(r, '(');
    fourier f = arguments_read(r, k);
    if (adjoint) {
        tok_expect(r, ',');
        const fourier again = arguments_read(r, k);
        if (again.bytes != f.bytes || again.per_thread != f.per_thread ||
            k->args[0].type.t != k->args[1].type.t)
            tile_wrong(r, k);
        var_pair(r, k->args[0].v, k->args[1].v);
    }
    tok_expect(r, ')');
    if (k->result)
        tile_wrong(r, k);
    f.inverse = adjoint == (name.p[name.n - 4] == '_');
    k->args[0] = k->args[k->n - 1];
    k->n = 1;
    tile_changes(&k->args[0]);
    fourier *kept = ARENA_NEW(r->a, fourier);
    *kept = f;
    tile_emit(r, k, run_fourier)->kept = kept;
    return true;
}

/* The tokens have to fit the block, which may have any size. */
static bool run_fourier(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    const fourier *f = info->kept;
    const uint32_t n = (uint32_t)t->dims[t->ndim - 1], width = block_shape(m)->width;
    const size_t size = vm_type_size(t->elem);
    const bool alone = width == 1;
    if (block_shape(m)->lanes < width) {
        vm_fault(m, i, TEXTVM_MISSING,
                 "cannot execute a Fourier transform in a block that is not full");
        return false;
    }
    if (f->per_thread * width != n || f->bytes != (alone ? 0 : (int64_t)(n * size)) ||
        (!alone && n & (n - 1)))
        return fault(m, i, "a Fourier transform of rows that are not the block's");
    const uint64_t steps = tile_fourier_steps(n) * (uint64_t)f->rows;
    if (!spend(m, i, steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX))
        return false;
    const arena_mark mark = arena_save(m->views);
    uint8_t *work = scratch(m, n, size);
    for (uint32_t row = 0; row < f->rows; row++)
        tile_fourier(&(tile_row){t->elem->elem->kind, item(i, info, 0, row * n), n}, f->inverse,
                     alone, work);
    arena_rewind(m->views, mark);
    return true;
}
