/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of the library for each plan that is drawn, found once: some eighty plans are drawn
 * for a kernel, and most of them are thrown away.
 *
 *     formula density_at   ->   it is random: no, one operation: no, it may stand in branches: yes
 *     quantity density     ->   the endings that mean something for it
 *     field gases          ->   its filters, and which endings there are for its elements
 */
#include "compose/compose_internal.h"

/* --- formulas --------------------------------------------------------------------------------- */

/* Which symbols are names of formulas and algorithms, by their ids; and where those that stand in a
 * text are noted. */
typedef struct search {
    library *l;
    bool *is_name;
    lib_names *names;
} search;

static search search_new(library *l)
{
    search s = {.l = l, .is_name = arena_alloc(&l->c.perm, l->c.syms.n + 1)};
    memset(s.is_name, 0, l->c.syms.n + 1);
    for (uint32_t i = 0; i < l->formulas.n; i++)
        s.is_name[l->formulas.v[i]->def->name->id] = true;
    for (uint32_t i = 0; i < l->algorithms.n; i++)
        s.is_name[l->algorithms.v[i]->def->name->id] = true;
    return s;
}

static void find_names(void *arg, const node *n)
{
    const search *s = arg;
    if (n->kind == AST_Name && s->is_name[AST(Name, n)->id->id])
        VEC_PUSH(&s->l->c.perm, s->names, AST(Name, n)->id);
    ast_each_child(n, find_names, arg);
}

static void find_all_names(search *s, lib_names *names, const node *const *body, uint32_t nbody)
{
    s->names = names;
    for (uint32_t i = 0; i < nbody; i++)
        find_names(s, body[i]);
}

static void count_operations(void *arg, const node *n)
{
    *(uint32_t *)arg += n->kind == AST_BinOp || n->kind == AST_Call;
    ast_each_child(n, count_operations, arg);
}

static bool is_trivial(const lib_formula *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->nbody; i++)
        count_operations(&n, f->body[i]);
    return n < 2;
}

static void see_formula(search *s, lib_formula *f)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        f->random |= f->params[i].of && f->params[i].of->id == s->l->words.random_state;
    for (uint32_t i = 0; i < f->nparams; i++)
        f->assigned |= (uint32_t)step_assigns(f, f->params[i].name) << i;
    f->trivial = is_trivial(f);
    f->brief = says_the_line(f);
    f->splits = choice_splits(f);
    f->is_one = choice_is_one(f);
    find_all_names(s, &f->names, f->body, f->nbody);
}

/* Says the algorithm's sentence "{name}" of the argument that gets its result? */
static bool ends_plainly(const lib_algorithm *a)
{
    const sym *name = a->params[a->result_param].name;
    const str says = a->says;
    for (size_t i = 0; i + name->len + 2 <= says.n; i++)
        if (says.p[i] == '{' && memcmp(says.p + i + 1, name->s, name->len) == 0 &&
            says.p[i + 1 + name->len] == '}')
            return true;
    return false;
}

/* --- parts ------------------------------------------------------------------------------------ */

/* The parameter that gets the result in its own place, or -1. */
static int8_t result_param(const library *l, const lib_part *part)
{
    for (uint32_t i = 0; i < part->nparams; i++)
        if (part->params[i].of == l->same && part->params[i].place == PLACE_OUT &&
            !part->params[i].shape)
            return (int8_t)i;
    return -1;
}

static void see_part(const library *l, lib_part *part)
{
    part->result = result_param(l, part);
    part->keeps = part->result >= 0 && strcmp(part->params[part->result].name->s, "result") == 0;
    for (uint32_t i = 0; i < part->nparams; i++)
        part->bound |= !part->params[i].of;
}

/* Is it one of the list "m, m/s" or of the words "body link"? No list has all. */
static bool is_listed(const char *list, const char *between, str item)
{
    bool listed = !list;
    while (list && *list && !listed) {
        const size_t n = strcspn(list, between);
        listed = str_eq((str){list, n}, item);
        list += n;
        list += strspn(list, ", ");
    }
    return listed;
}

static bool is_for_field(const lib_part *part, const lib_field *f)
{
    return is_listed(part->of, " ", f->element.one) && is_listed(part->fields, ",", f->title);
}

bool words_name_element(const char *of, const lib_field *f)
{
    return is_listed(of, " ", f->element.one);
}

bool part_is_for(const lib_part *part, const lib_quantity *q)
{
    return (!part->types || part->types & 1u << q->type) && (!part->sums || q->sums) &&
           (!part->means.n || library_means(q, part->means)) &&
           is_listed(part->units, ",", q->unit);
}

static void see_field(library *l, lib_field *f)
{
    bool *ends = arena_alloc(&l->c.perm, l->endings.n + 1);
    for (uint32_t i = 0; i < l->endings.n; i++)
        ends[i] = is_for_field(l->endings.v[i], f);
    f->ends = ends;
    for (uint32_t i = 0; i < l->filters.n; i++)
        if (is_for_field(l->filters.v[i], f))
            VEC_PUSH(&l->c.perm, &f->filters, l->filters.v[i]);
    for (uint32_t i = 0; i < l->formulas.n; i++)
        if (l->formulas.v[i]->field == f)
            VEC_PUSH(&l->c.perm, &f->formulas, l->formulas.v[i]);
}

static void see_quantity(library *l, lib_quantity *q)
{
    q->nouns = noun_plural(&l->c.perm, q->noun, false);
    for (uint32_t i = 0; i < l->endings.n; i++) {
        const lib_part *part = l->endings.v[i];
        if (part_is_for(part, q) && (!part->positive || q->low > 0 || (q->low == 0 && q->high > 0)))
            VEC_PUSH(&l->c.perm, &q->endings, part);
    }
}

/* What a state consists of: values that the formulas of the field have of the element. A force is
 * computed of other values alone, and is none. */
static void see_state(library *l, lib_field *f)
{
    for (uint32_t i = 0; i < l->formulas.n; i++) {
        const lib_formula *g = l->formulas.v[i];
        for (uint32_t k = 0; g->field == f && k < g->nparams; k++) {
            const lib_quantity *q = g->params[k].of;
            bool known = q->uniform || q->share || q->id == l->words.random_state ||
                         noun_is_plural(q->noun) || g->params[k].place != PLACE_ELEMENT ||
                         (q->given && !q->renewed);
            for (uint32_t j = 0; j < f->carried.n; j++)
                known |= f->carried.v[j] == q;
            if (!known)
                VEC_PUSH(&l->c.perm, &f->carried, q);
        }
    }
    if (f->carried.n)
        VEC_PUSH(&l->c.perm, &l->stateful, f);
}

/* --- all -------------------------------------------------------------------------------------- */

void library_see(library *l)
{
    search s = search_new(l);
    for (uint32_t i = 0; i < l->formulas.n; i++)
        see_formula(&s, l->formulas.v[i]);
    for (uint32_t i = 0; i < l->patterns.n; i++) {
        lib_pattern *p = l->patterns.v[i];
        p->guarded = plan_uses_guard(l, p->body, p->nbody);
        for (uint32_t k = 0; k < p->nparams; k++)
            p->position |= p->bindings[k] == BIND_POSITION;
    }
    for (uint32_t i = 0; i < l->algorithms.n; i++) {
        lib_algorithm *a = l->algorithms.v[i];
        a->guarded = plan_uses_guard(l, a->body, a->nbody);
        find_all_names(&s, &a->names, a->body, a->nbody);
        a->ends_plainly = a->result && ends_plainly(a);
    }
    for (uint32_t i = 0; i < l->endings.n; i++) {
        l->endings.v[i]->number = i;
        see_part(l, l->endings.v[i]);
    }
    for (uint32_t i = 0; i < l->filters.n; i++)
        see_part(l, l->filters.v[i]);
    for (uint32_t i = 0; i < l->fields.n; i++) {
        see_field(l, l->fields.v[i]);
        if (l->fields.v[i]->state)
            see_state(l, l->fields.v[i]);
    }
    for (uint32_t i = 0; i < l->quantities.n; i++)
        see_quantity(l, l->quantities.v[i]);
    l->seeds = seeds_new(l);
}
