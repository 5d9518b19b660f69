/* SPDX-License-Identifier: Apache-2.0 */
/* Tile types as the text spells them, and declarations of tile variables.
 *
 *     wp::tile_register_t<T,wp::tile_layout_register_t<wp::tile_shape_t<4,8>>>
 *     wp::tile_shared_t<T,wp::tile_layout_strided_t<wp::tile_shape_t<4,8>, wp::tile_stride_t<8,1>>,
 *         true>                                       true: owns its memory, false: a view
 *
 *     TYPE var_3 = TYPE{};                            a register tile: zeros
 *     TYPE adj_3{};                                   its adjoint: a tile of its own
 *     TYPE var_4 = wp::tile_alloc_empty<...,true>();  a shared tile, true: with a gradient
 *     TYPE& adj_4 = var_4;                            the adjoint of a shared tile is itself
 *     TYPE var_5 = nullptr;                           a view, assigned later */
#include "textvm/vm_tile.h"

#include "base/assert.h"

bool type_is_tile(const type *t)
{
    return t && t->kind == TYPE_TILE;
}

uint32_t tile_elements(const type *t)
{
    WEFT_ASSERT(type_is_tile(t));
    int64_t n = 1;
    for (int d = 0; d < t->ndim; d++)
        n *= t->dims[d];
    return (uint32_t)n;
}

/* <4,8>: the numbers, which are not negative but for strides. Returns how many. */
static int numbers_read(reader *r, int64_t *out)
{
    int n = 0;
    tok_expect(r, '<');
    do {
        if (n == TYPE_DIMS_MAX)
            read_fail(r, "a tile of too many dimensions");
        const bool negative = tok_accept(r, '-');
        out[n++] = negative ? -tok_int(r) : tok_int(r);
    } while (tok_accept(r, ','));
    tok_expect(r, '>');
    return n;
}

/* The one type of these members in this text. */
static const type *tile_of(reader *r, const type *key)
{
    for (uint32_t i = 0; i < r->types.n; i++) {
        const type *t = r->types.v[i].t;
        if (t->kind == TYPE_TILE && t->elem == key->elem && t->ndim == key->ndim &&
            t->shared == key->shared && t->owner == key->owner &&
            !memcmp(t->dims, key->dims, key->ndims * sizeof *key->dims))
            return t;
    }
    type *t = ARENA_NEW(r->a, type);
    int64_t *dims = ARENA_ARRAY(r->a, int64_t, key->ndims + 1);
    *t = *key;
    memcpy(dims, key->dims, key->ndims * sizeof *dims);
    t->dims = dims;
    VEC_PUSH(r->s, &r->types, ((type_note){t}));
    return t;
}

/* The sizes are at least 1, and a tile has a limit that no kernel's shared memory comes near. */
static void check_shape(reader *r, const int64_t *shape, int n)
{
    int64_t size = 1;
    for (int d = 0; d < n; d++) {
        if (shape[d] < 1 || shape[d] > TILE_SIZE_MAX)
            read_fail(r, "a tile of this size is not supported");
        size *= shape[d];
        if (size > TILE_SIZE_MAX)
            read_fail(r, "a tile of this size is not supported");
    }
}

/* Strides of a whole tile in rows. */
static void own_strides(int64_t *dims, int n)
{
    int64_t step = 1;
    for (int d = n; d-- > 0; step *= dims[d])
        dims[n + d] = step;
}

const type *tile_type_read(reader *r, bool shared)
{
    int64_t dims[2 * TYPE_DIMS_MAX];
    type key = {.kind = TYPE_TILE, .shared = shared, .owner = true, .dims = dims};
    tok_expect(r, '<');
    const vt elem = type_read(r);
    if (elem.ptr || elem.t->kind == TYPE_ARRAY)
        read_missing(r, STR("a tile of these elements"));
    key.elem = elem.t;
    tok_words(r, shared ? ", wp::tile_layout_strided_t < wp::tile_shape_t"
                        : ", wp::tile_layout_register_t < wp::tile_shape_t");
    const int n = numbers_read(r, dims);
    check_shape(r, dims, n);
    own_strides(dims, n);
    if (shared) {
        tok_words(r, ", wp::tile_stride_t");
        if (numbers_read(r, dims + n) != n)
            read_fail(r, "a wrong number of strides");
    }
    tok_expect(r, '>');
    if (shared) {
        tok_expect(r, ',');
        key.owner = tok_is(r, "true");
        if (!key.owner && !tok_is(r, "false"))
            read_fail(r, "true or false is missing");
        tok_next(r);
    }
    tok_expect(r, '>');
    key.ndim = n;
    key.ndims = 2 * (uint32_t)n;
    return tile_of(r, &key);
}

/* How far the furthest element is from the first, in elements; -1: before the first. */
static int64_t tile_reach(const type *t)
{
    int64_t reach = 0;
    for (int d = 0; d < t->ndim; d++) {
        const int64_t stride = t->dims[t->ndim + d];
        if (stride < 0)
            return -1;
        reach += (t->dims[d] - 1) * stride;
    }
    return reach;
}

/* Storage of a tile variable is the block's, so it is not in the frame, which is each lane's. */
static void tile_storage(reader *r, var *v, bool grad)
{
    const type *t = v->type.t;
    vm_tile *at = ARENA_NEW(r->a, vm_tile);
    v->at = (uint8_t *)at;
    if (!t->owner)
        return;
    const int64_t reach = tile_reach(t);
    if (reach < 0 || reach >= TILE_SIZE_MAX)
        read_fail(r, "a tile with these strides owns no memory");
    const size_t size = ((size_t)reach + 1) * vm_type_size(t->elem);
    r->frame += size * (grad ? 2 : 1);
    if (r->frame > (32u << 20))
        read_fail(r, "the variables take too much memory");
    at->data = arena_zero(r->a, size + 8);
    at->grad = grad ? arena_zero(r->a, size + 8) : NULL;
    ins *i = code_emit(r, r->in_kernel ? do_tile_clear : do_tile, 2);
    if (r->in_kernel) {
        i->size = size;
    } else {
        tile_info *info = ARENA_NEW(r->a, tile_info);
        *info = (tile_info){.run = tile_run_clear, .param = (int32_t)size};
        i->aux = info;
    }
    i->v[0] = at->data;
    i->v[1] = at->grad;
}

/* = TYPE{} of a register tile, = nullptr of a view, = wp::tile_alloc_empty<...>(). Returns whether
 * the tile has a gradient. */
static bool initializer_read(reader *r, const type *t)
{
    int64_t dims[2 * TYPE_DIMS_MAX];
    if (!t->shared) {
        const vt again = type_read(r);
        if (again.t != t || again.ptr)
            read_fail(r, "a tile begins as another one");
        tok_words(r, "{ }");
        return false;
    }
    if (!t->owner) {
        tok_words(r, "nullptr");
        return false;
    }
    tok_words(r, "wp::tile_alloc_empty <");
    const vt elem = type_read(r);
    tok_words(r, ", wp::tile_shape_t");
    const int n = numbers_read(r, dims);
    tok_words(r, ", wp::tile_stride_t");
    if (elem.ptr || elem.t != t->elem || n != t->ndim || numbers_read(r, dims + n) != n ||
        memcmp(dims, t->dims, 2 * (size_t)n * sizeof *dims) != 0)
        read_fail(r, "a tile begins as another one");
    tok_expect(r, ',');
    const bool grad = tok_is(r, "true");
    if (!grad && !tok_is(r, "false"))
        read_fail(r, "true or false is missing");
    tok_next(r);
    tok_words(r, "> ( )");
    return grad;
}

/* Tile variables always have a value: register tiles are zero, and so is here what Warp leaves
 * unset in a shared tile. */
void tile_declare(reader *r, const type *t)
{
    r->vm->tiles = r->f->meets = true;
    const bool same = tok_accept(r, '&');
    var *v = var_declare(r, tok_name(r), (vt){t, false});
    v->assigned = true;
    if (same) {
        tok_expect(r, '=');
        var *of = var_read(r);
        if (!t->shared || of->type.t != t)
            type_fail(r, (vt){t, false}, of->type);
        var_pair(r, of, v);
        v->at = of->at;
        v->written = true;
    } else if (tok_accept(r, '=')) {
        tile_storage(r, v, initializer_read(r, t));
    } else {
        tok_words(r, "{ }");
        if (t->shared)
            read_fail(r, "a shared tile without memory");
        tile_storage(r, v, false);
    }
    tok_expect(r, ';');
}
