/* SPDX-License-Identifier: Apache-2.0 */
/* Plans varied at random, one parameter apart from the others, for what plans by roles do not meet:
 * relations between parameters that nobody knows.
 *
 *     by role    rows: offsets 2 apart; tri: drawn from 0 .. 276; n: 274; scale: -2 .. 2
 *     mix 17     rows: all alike;       tri: a strip;             n: 61;  scale: 0 .. 8
 *
 * The mutants that such inputs kill decide whether they are kept. */
#include "inputs/inputs_plan.h"

/* One of n, by the trial's number, a parameter and what is drawn for it. */
static uint32_t draw(const inputs_trial *trial, uint32_t i, uint32_t what, uint32_t n)
{
    return inputs_hash(trial->mix * 64 + what, i) % n;
}

/* The length of a dimension of the launch or of an array, or one less. */
static int64_t any_size(const inputs_kernel *k, const inputs_trial *trial, uint32_t i,
                        const inputs_plan *p)
{
    const code *f = &k->kernel->code;
    const uint32_t of = draw(trial, i, 1, f->nparams + 1);
    const int64_t less = draw(trial, i, 2, 2);
    const int64_t size = of < f->nparams && f->params[of].type->kind == TYPE_ARRAY
                             ? p->args[of].shape[draw(trial, i, 3, 2)]
                             : p->dim[draw(trial, i, 3, (uint32_t)p->ndim)];
    return size > less ? size - less : size;
}

/* An integer that is passed by value. */
static void mix_value(const inputs_kernel *k, const inputs_trial *trial, uint32_t i, inputs_plan *p)
{
    const inputs_role *r = &k->roles[i];
    inputs_arg *a = &p->args[i];
    if (r->uses & INPUTS_SHIFT || (trial->reach && r->uses & INPUTS_ADDED))
        return;
    const inputs_arg by_role = *a;
    switch (draw(trial, i, 0, 6)) {
    case 0:
        a->least = any_size(k, trial, i, p);
        a->sized = INPUTS_SIZED_SOME;
        break;
    case 1: a->least = draw(trial, i, 4, 4); break;
    case 2:
        if (r->uses & INPUTS_LITERAL && r->most - r->least < 4096)
            a->least = r->least - 1 + draw(trial, i, 4, (uint32_t)(r->most - r->least) + 3);
        break;
    default: break; /* as its role has it */
    }
    if (r->uses & INPUTS_DIVISOR && !a->least)
        a->least = 1;
    if (r->uses & INPUTS_DIVISOR && draw(trial, i, 5, 4) == 0)
        a->least = -a->least;
    if (a->least == by_role.least)
        return;
    a->width = 0;
    a->sized = a->sized == INPUTS_SIZED_SOME && a->least > 0 ? INPUTS_SIZED_SOME : INPUTS_SIZED_NOT;
}

/* Are integers compared with numbers that those of other plans are far from? */
static bool is_large(const inputs_role *r)
{
    return r->scale >= 61 && r->scale < (1 << 24);
}

/* Numbers of a group: the last dimension of an array, or an element's lanes. */
static uint32_t group_of(const type *t, const inputs_arg *a)
{
    const int lanes = type_is_value(t->elem) ? lane_count(t->elem) : 1;
    const int64_t last = t->ndim > 1 && t->ndim <= LAUNCH_DIMS ? a->shape[t->ndim - 1] : 1;
    return lanes > 1 ? (uint32_t)lanes : last > 0 && last < 64 ? (uint32_t)last : 1;
}

/* The integers of an array. */
static void mix_items(const inputs_kernel *k, const inputs_trial *trial, uint32_t i, const type *t,
                      inputs_arg *a)
{
    static const uint8_t strides[] = {1, 3, 7, 5};
    const inputs_role *r = &k->roles[i];
    const uint32_t group = group_of(t, a);
    const bool divides = r->uses & (INPUTS_DIVISOR | INPUTS_SHIFT);
    /* What seems to be a number of bits may be a number whose bits are taken one by one. */
    if (r->uses & INPUTS_SHIFT && !(r->uses & (INPUTS_DIVISOR | INPUTS_INDEX)) &&
        a->kind == INPUTS_FILL_DRAWN && draw(trial, i, 11, 3) == 0)
        a->steps = UINT32_C(1) << (draw(trial, i, 12, 2) ? 8 : 20);
    if (r->uses & INPUTS_OFFSETS) {
        a->steps = (1 + draw(trial, i, 0, 4)) * (r->per ? r->per : 1);
        return;
    }
    a->mask = draw(trial, i, 9, 2) ? r->mask : 0;
    if (!divides && !(r->uses & (INPUTS_INDEX | INPUTS_COUNT)) && is_large(r) &&
        draw(trial, i, 17, 2))
        a->steps = 4 * (uint32_t)r->scale;
    if (divides || (!(r->uses & INPUTS_INDEX) && draw(trial, i, 5, 2)))
        return;
    switch (draw(trial, i, 0, 8)) {
    case 0: a->steps = a->steps > 3 ? 2 + draw(trial, i, 1, 2) : a->steps; break;
    case 1: /* sorted */
        a->kind = INPUTS_FILL_LATTICE;
        a->least = 0;
        a->lattice = (inputs_lattice){2 + draw(trial, i, 1, 4), 1, 0};
        break;
    case 2: /* a permutation, or what is like one */
        a->kind = INPUTS_FILL_LATTICE;
        a->least = 0;
        a->steps *= draw(trial, i, 13, 2) ? 8 : 1;
        a->lattice = (inputs_lattice){1, strides[draw(trial, i, 1, 4)], 0};
        a->lattice.of_group += group < 2 && a->lattice.of_group == 1 ? 8 : 0; /* 1: the same */
        break;
    case 3:
    case 4: /* elements that share corners with the next; some have neighbours below zero */
        a->kind = INPUTS_FILL_LATTICE;
        a->lattice = (inputs_lattice){group < 2 ? 2 : group, 1, 1}; /* 1: each its own number */
        a->least = r->uses & INPUTS_LITERAL && r->least <= 0 ? -1 : 0;
        break;
    case 6: a->steps += a->kind == INPUTS_FILL_DRAWN ? a->steps / 4 + 2 : 0; break; /* too large */
    case 7: /* as its role has it, or larger: what it indexes grows */
        a->steps *= a->kind == INPUTS_FILL_DRAWN && draw(trial, i, 13, 2) ? 5 : 1;
        break;
    case 5: a->least = a->kind == INPUTS_FILL_DRAWN ? -(int64_t)(a->steps / 2) : a->least; break;
    default: break;
    }
}

/* Floats of another magnitude, or all positive; numbers near 1 are the most usual ones. */
static void mix_floats(const inputs_kernel *k, const inputs_trial *trial, uint32_t i, inputs_arg *a)
{
    enum { ODD = 4 }; /* of so many trials one has numbers that are not finite */
    static const int8_t mags[] = {1, 1, 1, 3, 0, 6, -3, 9};
    a->mag = mags[draw(trial, i, 0, sizeof mags)];
    if (k->roles[i].scale > 0 && draw(trial, i, 10, 3) == 0)
        a->mag = inputs_magnitude(&k->roles[i], draw(trial, i, 16, 2));
    a->positive = draw(trial, i, 1, 2);
    if (k->roles[i].uses & INPUTS_ZERO && draw(trial, i, 2, 2))
        a->zeros = draw(trial, i, 19, 3) ? INPUTS_ZEROS_FEW : INPUTS_ZEROS_MOST;
    if (k->roles[i].uses & INPUTS_FINITE && trial->mix % ODD == 0 && draw(trial, i, 18, 2))
        a->odd = 4u << 2 * draw(trial, i, 15, 3);
}

uint32_t inputs_twin_of(const inputs_kernel *k, const inputs_plan *p, uint32_t i)
{
    const code *f = &k->kernel->code;
    const inputs_arg *a = &p->args[i];
    for (uint32_t j = i; j-- > 0;) {
        const inputs_arg *b = &p->args[j];
        if (f->params[j].type == f->params[i].type && !b->absent && !b->twin &&
            memcmp(a->shape, b->shape, sizeof a->shape) == 0 && a->planned == b->planned &&
            (!a->planned || (a->kind == b->kind && a->steps >= b->steps && a->least <= b->least)))
            return j + 1;
    }
    return 0;
}

void inputs_plan_mix(const inputs_kernel *k, const inputs_trial *trial, inputs_plan *p)
{
    const code *f = &k->kernel->code;
    WEFT_ASSERT(trial->roles && trial->mix);
    /* What the first thread alone does shows then. Tiles need full blocks. */
    const bool alone = trial->mix % 8 == 4 && !k->tile_extent;
    for (int d = 0; d < p->ndim && alone; d++)
        p->dim[d] = 1;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        inputs_arg *a = &p->args[i];
        if (k->roles[i].uses & INPUTS_OPTIONAL && t->kind == TYPE_ARRAY)
            a->absent = draw(trial, i, 6, 3) == 0 || (alone && trial->mix % 16 == 4);
        if (a->absent)
            memset(a->shape, 0, sizeof a->shape);
        else if (t->kind == TYPE_ARRAY && draw(trial, i, 7, 6) == 0 && a->shape[0] > 4)
            a->shape[0] /= 2 + draw(trial, i, 8, 2);
        const bool number = type_is_scalar(t) && type_is_float(t) && trial->mix % 2;
        a->mix = t->kind == TYPE_STRUCT || number ? trial->mix : 0;
        if (!a->planned)
            mix_floats(k, trial, i, a);
        else if (type_is_integer(t))
            mix_value(k, trial, i, p);
        else
            mix_items(k, trial, i, t, a);
        if (t->kind == TYPE_ARRAY && !a->absent && draw(trial, i, 14, 5) == 0)
            a->twin = inputs_twin_of(k, p, i);
        a->turned = a->twin && draw(trial, i, 20, 2);
    }
}
