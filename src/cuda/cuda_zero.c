/* SPDX-License-Identifier: Apache-2.0 */
/* Zero placement. An adjoint starts at zero and is added to. This pass moves the zero down to the
 * first use and merges it with the first sum:
 *
 *     float a = 0; ... a += e;               ->   ... float a = e;
 *     a = 0; ... if (c) a += e;              ->   ... a = c ? e : 0;
 *     a = 0; ... if (c) { ... a += e; ... }  ->   ... if (c) { ... a = e; ... }
 *                                                where a is used nowhere else
 *
 * Of `a = x[i] * x[i]; y[i] = a` (--dump p, then z; shortened):
 *
 *     adj_%11 = zero()
 *     adj_a%13 = zero()
 *     adj_a%13 += load(element(adj_y%9, i%2))        adj_a%13 = load(element(adj_y%9, i%2))
 *     element(adj_y%9, i%2) = zero()            ->   element(adj_y%9, i%2) = zero()
 *     adj_%11 += mul(%7, adj_a%13)                   adj_%11 = mul(%7, adj_a%13)
 *
 * Needs: CUDA_STRUCTURED. Keeps: the order of memory accesses. Not done for results (cv.out), and
 * not across a loop: a zero stops before a loop that uses the variable. Users are
 * counted beforehand, so that no search for the first user of each variable is needed. */
#include "cuda/cuda_effect.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_tree.h"

/* Where variables are used. A statement counts once for each variable that it uses itself, and
 * inner statements count too. first, last and here are of the list in work. */
typedef struct zero_placer {
    cuda_fn *f;
    uint32_t *all;  /* by variable: statements of the function that use it */
    uint32_t *here; /* those of the list */
    cs **first;     /* the list's first user behind the statement in work; NULL: none */
    cs **last;      /* the list's last user */
    cs *outer;      /* the statement of the list that is visited */
    uint32_t *met;  /* by variable: the last visit that met it */
    uint32_t visit; /* of a statement */
} zero_placer;

/* A visit of one variable that a statement uses. */
typedef void use_visit(zero_placer *z, uint32_t var);

typedef struct user_visit {
    zero_placer *z;
    use_visit *fn;
} user_visit;

/* A statement counts once, however often it names the variable. */
static void visit_once(void *arg, uint32_t var)
{
    const user_visit *v = arg;
    if (v->z->met[var] == v->z->visit)
        return;
    v->z->met[var] = v->z->visit;
    v->fn(v->z, var);
}

static void visit_list(zero_placer *z, use_visit *fn, const cs_list *list);

/* Calls fn for each variable that the statement, or an inner one, uses. */
static void visit_uses(zero_placer *z, use_visit *fn, const cs *s)
{
    user_visit v = {z, fn};
    ctx_spend(z->f->c, 1);
    z->visit++;
    cs_reads(s, visit_once, &v);
    cs_writes(s, visit_once, &v);
    visit_list(z, fn, &s->body);
    visit_list(z, fn, &s->orelse);
}

static void visit_list(zero_placer *z, use_visit *fn, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        visit_uses(z, fn, list->v[i]);
}

static void count_in_all(zero_placer *z, uint32_t var)
{
    z->all[var]++;
}

static void count_here(zero_placer *z, uint32_t var)
{
    z->here[var]++;
    z->last[var] = z->outer;
}

static void note_first(zero_placer *z, uint32_t var)
{
    z->first[var] = z->outer;
}

/* The list is done: its counts are those of no list. */
static void forget(zero_placer *z, uint32_t var)
{
    z->here[var] = 0;
    z->first[var] = z->last[var] = NULL;
}

/* n statements of the list no longer use var. */
static void drop_users(const zero_placer *z, uint32_t var, uint32_t n)
{
    z->all[var] -= n;
    z->here[var] -= n;
}

static void insert_first(cuda_fn *f, cs_list *list, cs *s)
{
    cs_push(f, list, s);
    memmove(list->v + 1, list->v, (list->n - 1) * sizeof *list->v);
    list->v[0] = s;
}

/* v = 0; v += e;  ->  v = e;  Turns the sum s into the assignment; the caller drops the zero. */
static bool fuse(cuda_fn *f, cs *s, uint32_t var)
{
    uint32_t to;
    if (s->kind != CS_SET || (!s->add && !s->sub) || !cx_is_var(s->to, &to) || to != var ||
        cx_reads_var(s->e, var))
        return false;
    if (s->sub)
        s->e = cx_call1(f, CUDA_OP_NEG, s->e->type, s->e);
    s->add = s->sub = false;
    return true;
}

/* Turns the branch's first use of var into an assignment if it is a sum. Needs: var is zero before.
 */
static void fuse_first(cuda_fn *f, const cs_list *list, uint32_t var)
{
    uint32_t i = 0;
    while (i < list->n && !cs_uses(f, list->v[i], var))
        i++;
    if (i < list->n)
        fuse(f, list->v[i], var);
}

/* The value that the branch leaves in var, if it does nothing else; NULL: it does more. An empty
 * branch leaves zero. */
static cx *only_value(cuda_fn *f, const cs_list *list, uint32_t var)
{
    uint32_t to;
    if (list->n == 0)
        return cx_new(f, CX_ZERO, f->vars.v[var].type, 0);
    return list->n == 1 && cs_overwrites(list->v[0], &to) && to == var ? list->v[0]->e : NULL;
}

/* v = 0; if (c) v = a; else v = b;  ->  v = c ? a : b;
 * Not done if the condition or a value has side effects. */
static bool choose(const zero_placer *z, cs *s, uint32_t var)
{
    cuda_fn *f = z->f;
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
    WEFT_ASSERT(s->body.n + s->orelse.n > 0); /* s is the first user of var */
    drop_users(z, var, s->body.n + s->orelse.n - 1);
    s->body.n = s->orelse.n = 0;
    return true;
}

/* Merges the zero into both branches. True if it became one choice and the zero can go. */
static bool branch_from_zero(const zero_placer *z, cs *s, uint32_t var)
{
    if (s->kind != CS_IF || cs_uses_itself(s, var))
        return false;
    fuse_first(z->f, &s->body, var);
    fuse_first(z->f, &s->orelse, var);
    return choose(z, s, var);
}

/* The one branch of `user` that uses var, if nothing else in the function does; else NULL. */
static cs_list *only_branch(const zero_placer *z, cs *user, uint32_t var)
{
    if (user->kind != CS_IF || z->last[var] != user || z->all[var] != z->here[var] ||
        cs_uses_itself(user, var))
        return NULL;
    const bool body = cs_list_uses(z->f, &user->body, var);
    if (body == cs_list_uses(z->f, &user->orelse, var))
        return NULL;
    return body ? &user->body : &user->orelse;
}

/* Moves the zero at i down to the first user of var, or into it. Returns var's first user in the
 * list afterwards. */
static cs *place_one(zero_placer *z, cs_list *list, uint32_t i, uint32_t var)
{
    cuda_fn *f = z->f;
    cs *const zero = list->v[i], *const user = z->first[var];
    uint32_t k = i + 1;
    if (!user)
        return zero;
    while (list->v[k] != user)
        k++;
    memmove(list->v + i, list->v + i + 1, (k - i - 1) * sizeof *list->v);
    list->v[k - 1] = zero;
    cs_list *branch = only_branch(z, user, var);
    if (branch)
        insert_first(f, branch, zero);
    else if (fuse(f, user, var) || branch_from_zero(z, user, var))
        drop_users(z, var, 1);
    else
        return zero;
    cs_remove_at(list, k - 1);
    return user;
}

/* Goes backwards, so that z->first is the first user after the statement at hand. */
static void place_list(zero_placer *z, cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        z->outer = list->v[i];
        visit_uses(z, count_here, list->v[i]);
    }
    for (uint32_t i = list->n; i-- > 0;) {
        uint32_t var;
        cs *s = list->v[i];
        if (cs_overwrites(s, &var) && s->e->kind == CX_ZERO && z->f->vars.v[var].adjoint &&
            !z->f->vars.v[var].out) {
            z->first[var] = place_one(z, list, i, var);
        } else {
            z->outer = s;
            visit_uses(z, note_first, s);
        }
    }
    visit_list(z, forget, list);
    for (uint32_t i = 0; i < list->n; i++) {
        place_list(z, &list->v[i]->body);
        place_list(z, &list->v[i]->orelse);
    }
}

void cuda_place_zeroes(cuda_fn *f)
{
    WEFT_ASSERT(f->vars.n > 0 || !f->body.n);
    arena *a = &f->c->module;
    const uint32_t n = f->vars.n;
    zero_placer z = {.f = f};
    z.all = arena_zero(a, n * sizeof *z.all);
    z.here = arena_zero(a, n * sizeof *z.here);
    z.met = arena_zero(a, n * sizeof *z.met);
    z.first = arena_zero(a, n * sizeof *z.first);
    z.last = arena_zero(a, n * sizeof *z.last);
    visit_list(&z, count_in_all, &f->body);
    place_list(&z, &f->body);
}
