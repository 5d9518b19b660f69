/* The zero that an adjoint begins with moves to where it is first used, and becomes one with the
 * first sum. */
#include "cuda/cuda_effect.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_tree.h"

/* Does nothing outside of the list know the variable, so that none finds what the list leaves? */
static bool is_own(const cuda_fn *f, const cs_list *list, uint32_t var)
{
    return list == &f->body || cs_count_users(&f->body, var) == cs_count_users(list, var);
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

/* The branch's first use of var, which is zero, if that adds to it: sets it. */
static void fuse_first(cuda_fn *f, const cs_list *list, uint32_t var)
{
    uint32_t i = 0;
    while (i < list->n && !cs_uses(list->v[i], var))
        i++;
    if (i < list->n)
        fuse(f, list->v[i], var);
}

static cx *only_value(cuda_fn *f, const cs_list *list, uint32_t var)
{
    uint32_t to;
    if (list->n == 0)
        return cx_new(f, CX_ZERO, f->vars.v[var].type, 0);
    return list->n == 1 && cs_overwrites(list->v[0], &to) && to == var ? list->v[0]->e : NULL;
}

/* v = 0; if (c) v = a; else v = b: v = c ? a : b. */
static bool choose(cuda_fn *f, cs *s, uint32_t var)
{
    cx *a = only_value(f, &s->body, var), *b = only_value(f, &s->orelse, var);
    const unsigned changes = CX_WRITES_MEMORY | CX_WRITES_GRADIENT | CX_PRINTS | CX_WRITES_VARS;
    if (!a || !b || cs_uses_itself(s, var) ||
        (cx_effects(f, s->e) | cx_effects(f, a) | cx_effects(f, b)) & changes)
        return false;
    const bool negated = s->e->kind == CX_NOT;
    cx *e = cx_new(f, CX_COND, f->vars.v[var].type, 3);
    e->args[0] = negated ? s->e->args[0] : s->e;
    e->args[1] = negated ? b : a;
    e->args[2] = negated ? a : b;
    s->id = s->body.n ? s->body.v[0]->id : s->orelse.v[0]->id;
    s->kind = CS_SET;
    s->to = cx_var(f, var);
    s->e = e;
    s->body.n = s->orelse.n = 0;
    return true;
}

/* Zero goes into the branches, as far as it can. */
static bool branch_from_zero(cuda_fn *f, cs *s, uint32_t var)
{
    if (s->kind != CS_IF || cs_uses_itself(s, var))
        return false;
    fuse_first(f, &s->body, var);
    fuse_first(f, &s->orelse, var);
    return choose(f, s, var);
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
    if ((inside && body != orelse) || fuse(f, user, var) || branch_from_zero(f, user, var)) {
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

void cuda_place_zeroes(cuda_fn *f)
{
    sink_list(f, &f->body);
}
