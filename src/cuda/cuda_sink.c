/* The zero that an adjoint begins with moves to where it is first used, and becomes one with the
 * first sum. */
#include "cuda/cuda_tree.h"

static uint32_t count_users(const cs_list *list, uint32_t var)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const cs *s = list->v[i];
        n += cs_uses_itself(s, var) + count_users(&s->body, var) + count_users(&s->orelse, var);
    }
    return n;
}

/* Does nothing outside of the list know the variable, so that none finds what the list leaves? */
static bool is_own(const cuda_fn *f, const cs_list *list, uint32_t var)
{
    return list == &f->body || count_users(&f->body, var) == count_users(list, var);
}

static void insert_first(cuda_fn *f, cs_list *list, cs *s)
{
    cs_push(f, list, s);
    memmove(list->v + 1, list->v, (list->n - 1) * sizeof *list->v);
    list->v[0] = s;
}

static cx *negated(cuda_fn *f, cx *e)
{
    cx *r = cx_unary(f, CX_CALL, e->type, e);
    r->name = STR("neg");
    return r;
}

/* v = 0; v += e: v = e. */
static bool fuse(cuda_fn *f, cs *s, uint32_t var)
{
    uint32_t to;
    if (s->kind != CS_SET || (!s->add && !s->sub) || !cx_is_var(s->to, &to) || to != var ||
        cx_reads_var(s->e, var))
        return false;
    if (s->sub)
        s->e = negated(f, s->e);
    s->add = s->sub = false;
    return true;
}

static void sink_list(cuda_fn *f, cs_list *list);

/* Statement i sets var to zero: finds it a better place. */
static bool sink_one(cuda_fn *f, cs_list *list, uint32_t i, uint32_t var)
{
    cs *zero = list->v[i];
    uint32_t k = i + 1;
    while (k < list->n && !cs_uses(list->v[k], var))
        k++;
    if (k == list->n)
        return false;
    cs *user = list->v[k];
    memmove(list->v + i, list->v + i + 1, (k - i - 1) * sizeof *list->v);
    list->v[k - 1] = zero;
    bool later = false;
    for (uint32_t m = k + 1; m < list->n; m++)
        later |= cs_uses(list->v[m], var);
    const bool body = cs_list_uses(&user->body, var), orelse = cs_list_uses(&user->orelse, var);
    const bool inside =
        user->kind == CS_IF && !later && !cs_uses_itself(user, var) && is_own(f, list, var);
    if (inside && body != orelse)
        insert_first(f, body ? &user->body : &user->orelse, zero);
    if ((inside && body != orelse) || fuse(f, user, var)) {
        memmove(list->v + k - 1, list->v + k, (list->n - k) * sizeof *list->v);
        list->n--;
    }
    return k - 1 != i || list->v[k - 1] != zero;
}

static void sink_list(cuda_fn *f, cs_list *list)
{
    for (uint32_t i = list->n; i-- > 0;) {
        uint32_t var;
        const cs *s = list->v[i];
        if (cs_overwrites(s, &var) && s->e->kind == CX_ZERO && f->vars.v[var].adjoint &&
            !f->vars.v[var].out)
            sink_one(f, list, i, var);
    }
    for (uint32_t i = 0; i < list->n; i++) {
        sink_list(f, &list->v[i]->body);
        sink_list(f, &list->v[i]->orelse);
    }
}

void cuda_sink(cuda_fn *f)
{
    sink_list(f, &f->body);
}
