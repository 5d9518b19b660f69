/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that the threads of a block share: read and executed.
 *
 *     wp::tile_stack_t<wp::float32, 128> var_2 = wp::tile_stack_alloc<wp::float32, 128>();
 *     var_2 = wp::tile_stack_init<float, 128>();              all of it is zero
 *     var_8 = wp::tile_stack_push(var_2, var_9, var_6);       the slot, or -1
 *     wp::tile_stack_pop(var_2, var_11, var_12);              sets the value and its slot
 *
 * Which thread gets which slot Warp leaves open; here it goes by their order. */
#include "base/assert.h"
#include "textvm/vm_tile_item.h"
#include "textvm/vm_tile_read.h"

/* What a variable of such a type is: it belongs to the block, not to a lane. */
typedef struct vm_stack {
    uint8_t *data;
    int32_t count;
} vm_stack;

static vm_stack *stack_at(const ins *i, uint32_t a)
{
    return i->v[a];
}

/* ---- executed ---- */

static bool run_init(machine *m, const ins *i, const tile_info *info)
{
    const type *t = info->args[0].type;
    memset(stack_at(i, 0)->data, 0, (size_t)t->rows * vm_type_size(t->elem));
    stack_at(i, 0)->count = 0;
    return spend(m, i, (uint32_t)t->rows);
}

/* result, stack, value, has it one? */
static bool run_push(machine *m, const ins *i, const tile_info *info)
{
    vm_stack *s = stack_at(i, 1);
    const type *t = info->args[1].type;
    const size_t size = vm_type_size(t->elem);
    int64_t count = s->count;
    for (uint32_t lane = 0; lane < block_shape(m)->lanes; lane++) {
        const uint8_t *has = lane_value(m, i, 3, lane);
        const int32_t slot = *has && count < t->rows ? (int32_t)count : -1;
        if (slot >= 0)
            memcpy(s->data + (size_t)slot * size, lane_value(m, i, 2, lane), size);
        memcpy(lane_at(m, lane, i->v[0]), &slot, sizeof slot);
        count += *has != 0;
    }
    s->count = count < t->rows ? (int32_t)count : t->rows;
    return true;
}

/* stack, value, slot */
static bool run_pop(machine *m, const ins *i, const tile_info *info)
{
    vm_stack *s = stack_at(i, 0);
    const size_t size = vm_type_size(info->args[0].type->elem);
    for (uint32_t lane = 0; lane < block_shape(m)->lanes; lane++) {
        const int32_t slot = s->count > 0 ? --s->count : -1;
        if (slot >= 0)
            memcpy(lane_at(m, lane, i->v[1]), s->data + (size_t)slot * size, size);
        else
            memset(lane_at(m, lane, i->v[1]), 0, size);
        memcpy(lane_at(m, lane, i->v[2]), &slot, sizeof slot);
    }
    return true;
}

static bool run_clear(machine *m, const ins *i, const tile_info *info)
{
    (void)m;
    (void)info;
    stack_at(i, 0)->count = 0;
    return true;
}

/* result, stack: by one lane alone */
static const ins *do_count(const ins *i, machine *m)
{
    (void)m;
    memcpy(i->v[0], &stack_at(i, 1)->count, sizeof(int32_t));
    return i + 1;
}

/* ---- read ---- */

/* <T, capacity> */
static const type *arguments_read(reader *r)
{
    tok_expect(r, '<');
    const vt elem = type_read(r);
    tok_expect(r, ',');
    const int64_t capacity = tok_int(r);
    tok_expect(r, '>');
    if (elem.ptr || elem.t->kind == TYPE_ARRAY || capacity < 1 || capacity > TILE_SIZE_MAX)
        read_missing(r, STR("a stack of this size or of these elements"));
    return type_stack(r->c, elem.t, (int)capacity);
}

const type *stack_type_read(reader *r)
{
    return arguments_read(r);
}

void stack_declare(reader *r, const type *t)
{
    vm_stack *s = ARENA_NEW(r->a, vm_stack);
    const size_t size = (size_t)t->rows * vm_type_size(t->elem);
    r->vm->tiles = r->f->meets = true;
    var *v = var_declare(r, tok_name(r), (vt){t, false});
    v->at = (uint8_t *)s;
    v->assigned = true;
    if (tok_accept(r, '=')) {
        tok_words(r, "wp::tile_stack_alloc");
        if (arguments_read(r) != t)
            read_fail(r, "a stack begins as another one");
        tok_words(r, "( )");
    } else {
        v->written = true;
    }
    tok_expect(r, ';');
    r->frame += size;
    if (r->frame > (32u << 20))
        read_fail(r, "the variables take too much memory");
    s->data = arena_zero(r->a, size + 8);
}

/* Argument 0 is a stack. */
static const type *stack_arg(reader *r, call *k, const tile_call *t, uint32_t n)
{
    if (k->n != n || t->ntargs || t->nfns || k->args[0].type.ptr ||
        k->args[0].type.t->kind != TYPE_STACK)
        tile_wrong(r, k);
    tile_changes(&k->args[0]);
    return k->args[0].type.t;
}

void read_stack_init(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    const type *s = k->result ? k->result->type.t : NULL;
    if (!s || s->kind != TYPE_STACK || k->n || t->ntargs != 2 || t->targs[0].t != s->elem ||
        t->targs[1].t || t->tnums[1] != s->rows)
        tile_wrong(r, k);
    tile_emit(r, k, run_init);
}

void read_stack_push(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    const type *s = stack_arg(r, k, t, 3);
    if (!k->result || !vt_same(k->result->type, (vt){type_scalar(r->c, TYPE_INT32), false}) ||
        k->args[1].type.ptr || k->args[1].type.t != s->elem || k->args[2].type.ptr ||
        k->args[2].type.t->kind != TYPE_BOOL)
        tile_wrong(r, k);
    tile_emit(r, k, run_push);
}

void read_stack_pop(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    const type *s = stack_arg(r, k, t, 3);
    if (k->result || k->args[1].type.ptr || k->args[1].type.t != s->elem ||
        !int_operand(&k->args[2]))
        tile_wrong(r, k);
    for (uint32_t a = 1; a < 3; a++)
        var_define(r, k->args[a].v);
    tile_emit(r, k, run_pop);
}

void read_stack_clear(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    stack_arg(r, k, t, 1);
    tile_emit(r, k, run_clear);
}

void read_stack_count(reader *r, call *k, const tile_call *t, tile_fn *run, const char *op)
{
    (void)run;
    (void)op;
    stack_arg(r, k, t, 1);
    if (!k->result || !vt_same(k->result->type, (vt){type_scalar(r->c, TYPE_INT32), false}))
        tile_wrong(r, k);
    var_use(r, k->args[0].v);
    ins *i = code_emit(r, do_count, 2);
    code_operand(r, i, 0, k->result, 0);
    code_arg(r, i, 1, &k->args[0]);
    var_define(r, k->result);
}
