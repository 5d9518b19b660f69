/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a kernel's arguments. People have no fixed one: sizes first or last, what a group of
 * inputs is for together. Only outputs come last with nearly all of them.
 *
 *     masses, dt, forces, n, accelerations   ->   forces, masses, n, dt, accelerations
 */
#include "compose/compose_internal.h"

/* What moves as one: an argument, or the counts of all dimensions, which follow each other. */
typedef struct unit {
    uint8_t at, n;
    bool written, scalar;
} unit;

typedef struct units {
    unit v[PLAN_ARGS];
    uint32_t n;
} units;

static units units_of(const plan *p)
{
    units u = {.n = 0};
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (a->role == ROLE_COUNT && i && p->args[i - 1].role == ROLE_COUNT) {
            u.v[u.n - 1].n++;
            continue;
        }
        u.v[u.n++] = (unit){i, 1, a->written, a->axis == AXIS_NONE && !a->written};
    }
    return u;
}

static void swap(unit *a, unit *b)
{
    const unit t = *a;
    *a = *b;
    *b = t;
}

/* Inputs come before outputs; where scalars come. */
typedef enum order_style {
    ORDER_ANY,
    ORDER_SCALARS_LAST,
    ORDER_SCALARS_FIRST,
    ORDER_SCALARS_END /* behind the outputs */
} order_style;

static uint32_t rank(order_style style, const unit *u)
{
    if (style == ORDER_SCALARS_END)
        return u->scalar ? 2 : u->written;
    return u->written                     ? 2
           : style == ORDER_ANY           ? 0
           : style == ORDER_SCALARS_FIRST ? !u->scalar
                                          : u->scalar;
}

/* The order is stable where ranks are equal. */
static void sort(units *u, order_style style)
{
    for (uint32_t i = 1; i < u->n; i++)
        for (uint32_t k = i; k && rank(style, &u->v[k - 1]) > rank(style, &u->v[k]); k--)
            swap(&u->v[k - 1], &u->v[k]);
}

static void shuffle(composer *c, units *u)
{
    for (uint32_t i = u->n; i > 1; i--)
        swap(&u->v[i - 1], &u->v[below(c, i)]);
}

static void move_part(plan_part *part, const uint8_t *to)
{
    for (uint32_t i = 0; part->part && i < part->part->nparams; i++)
        part->args[i] = to[part->args[i]];
}

/* Puts the arguments in the order of u, and says so to all that name them by number. */
static void apply(plan *p, const units *u)
{
    plan_arg args[PLAN_ARGS];
    uint8_t to[PLAN_ARGS], n = 0;
    for (uint32_t i = 0; i < u->n; i++)
        for (uint8_t k = 0; k < u->v[i].n; k++) {
            to[u->v[i].at + k] = n;
            args[n++] = p->args[u->v[i].at + k];
        }
    WEFT_ASSERT(n == p->nargs);
    memcpy(p->args, args, n * sizeof *args);
    for (uint8_t i = 0; i < p->nsteps; i++) {
        plan_step *s = &p->steps[i];
        for (uint32_t k = 0; k < s->f->nparams; k++)
            if (s->in[k].from == FROM_ARG)
                s->in[k].at = to[s->in[k].at];
        if (s->stored >= 0)
            s->stored = (int8_t)to[s->stored];
        move_part(&s->ending, to);
    }
    for (uint8_t i = 0; i < p->nfilters; i++)
        move_part(&p->filters[i], to);
    if (p->guard != GUARD_NONE)
        p->guard_arg = to[p->guard_arg];
    if (p->random)
        p->seed_arg = to[p->seed_arg];
}

void order_draw(composer *c)
{
    enum { MIXED = 75, SCALARS_END = 15, SCALARS_LAST = 40, SCALARS_FIRST = 20 }; /* percent */
    units u = units_of(&c->p);
    if (chance(c, MIXED))
        shuffle(c, &u);
    sort(&u, chance(c, SCALARS_END)     ? ORDER_SCALARS_END
             : chance(c, SCALARS_LAST)  ? ORDER_SCALARS_LAST
             : chance(c, SCALARS_FIRST) ? ORDER_SCALARS_FIRST
                                        : ORDER_ANY);
    apply(&c->p, &u);
}
