/* SPDX-License-Identifier: Apache-2.0 */
/* Update scheduling. Reverse code copies an adjoint, updates it, and then uses the copy. This pass
 * moves the update behind the uses of the copy, which then disappears. Of `a = x[j] * 3.0 + a *
 * 2.0` in a loop (--dump d, then u):
 *
 *     adj_a%31 = adj_a%22
 *     adj_a%22 = mul(2.0, adj_a%31)
 *     atomic_add(element(adj_x%16, j%8), mul(3.0, adj_a%31))
 *     ->
 *     atomic_add(element(adj_x%16, j%8), mul(3.0, adj_a%22))
 *     adj_a%22 = mul(2.0, adj_a%22)
 *
 * Needs: CUDA_STRUCTURED. Keeps: the order of conflicting memory accesses. Only adjoints of one
 * type, with v set once. Not done where the update reads w itself, has side effects, or would move
 * across a statement that writes what it reads, uses w, or jumps. */
#include "cuda/cuda_effect.h"
#include "cuda/cuda_live.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_tree.h"

/* Does the statement `over` write a variable that an expression reads? */
typedef struct order_check {
    const cs *over;
    bool conflict;
} order_check;

static void check_var(void *arg, uint32_t var)
{
    order_check *p = arg;
    p->conflict |= cs_writes_var(p->over, var);
}

/* May s, with its inner statements, run before w = e instead of after it? */
static bool may_precede(const cuda_fn *f, const cs *s, const cx *e, uint32_t w)
{
    const unsigned reads = cx_effects(f, e), does = cs_effects(f, s);
    order_check p = {s, false};
    cx_reads(e, check_var, &p);
    if (p.conflict || cs_uses_itself(s, w) || (s->kind >= CS_BREAK && s->kind <= CS_RETURN) ||
        (reads & CX_READS_MEMORY && does & CX_WRITES_MEMORY) ||
        (reads & CX_READS_GRADIENT && does & CX_WRITES_GRADIENT))
        return false;
    for (int part = 0; part < 2; part++) {
        const cs_list *inner = part ? &s->orelse : &s->body;
        for (uint32_t i = 0; i < inner->n; i++)
            if (!may_precede(f, inner->v[i], e, w))
                return false;
    }
    return true;
}

/* Rewrites v = w (at i), w = e (at i + 1) and the uses of v that follow. False: it is not
 * possible. */
static bool schedule_update(cuda_fn *f, cs_list *list, uint32_t i, uint32_t v, uint32_t w)
{
    WEFT_ASSERT(i + 1 < list->n && v != w);
    uint32_t to, last = i + 1;
    cs *update = list->v[i + 1];
    if (!cs_overwrites(update, &to) || to != w || cx_reads_var(update->e, w) ||
        (cx_effects(f, update->e) & ~(unsigned)(CX_READS_MEMORY | CX_READS_GRADIENT)))
        return false;
    for (uint32_t k = i + 2; k < list->n; k++)
        if (cs_uses(f, list->v[k], v))
            last = k;
    const cs_list part = {list->v + i, last + 1 - i, 0};
    if (last == i + 1 || cs_count_users(f, &f->body, v) != cs_count_users(f, &part, v))
        return false;
    for (uint32_t k = i + 2; k <= last; k++)
        if (!may_precede(f, list->v[k], update->e, w))
            return false;
    memmove(list->v + i, list->v + i + 2, (last - i - 1) * sizeof *list->v);
    list->v[last - 1] = update;
    memmove(list->v + last, list->v + last + 1, (list->n - last - 1) * sizeof *list->v);
    list->n--;
    for (uint32_t k = i; k < last; k++)
        cs_rename(f, list->v[k], v, w);
    return true;
}

/* Tries each pair of neighbours, then the blocks within. */
static void schedule_list(cuda_fn *f, cs_list *list)
{
    for (uint32_t i = 0; i + 1 < list->n; i++) {
        uint32_t v, w;
        const cs *s = list->v[i];
        if (cs_overwrites(s, &v) && cx_is_var(s->e, &w) && v != w && f->vars.v[v].adjoint &&
            f->vars.v[w].adjoint && f->vars.v[v].type == f->vars.v[w].type &&
            f->vars.v[v].defs == 1 && !f->vars.v[v].out && !f->vars.v[w].param)
            schedule_update(f, list, i, v, w);
    }
    for (uint32_t i = 0; i < list->n; i++) {
        schedule_list(f, &list->v[i]->body);
        schedule_list(f, &list->v[i]->orelse);
    }
}

/* Forward code has no adjoints to copy. */
void cuda_schedule_updates(cuda_fn *f)
{
    if (!f->reverse)
        return;
    cuda_count(f);
    schedule_list(f, &f->body);
}
