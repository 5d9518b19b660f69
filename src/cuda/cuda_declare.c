/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations and names. A variable is declared in the innermost block that holds all its uses,
 * with its first value where that is possible. As --dump m and --dump l print it:
 *
 *     v%4 = load(element(x%0, i%2))               var v%4 = load(element(x%0, i%2))
 *     adj_v%14 = zero()                           var adj_v%14 = zero()
 *     if >(v%4, 0.0) {                        ->  if >(v%4, 0.0) {
 *         adj_%19 = load(element(y%11, i%2))          var adj_%19 = load(element(y%11, i%2))
 *
 * A variable that is live at a loop's head is declared outside of the loop, as it keeps its value
 * from step to step. One that may be read before it is set is declared with zero (cv.zero).
 *
 * Names: Python's name, or one made of the first definition (cuda_varname.c), with a number behind
 * it where that name is in scope already. Numbers are free again where the scope ends, so that
 * sibling blocks use the same names.
 *
 * Needs: CUDA_OWN_COUNTERS. Gives: CUDA_DECLARED (declares, is_const, decls of statements; name,
 * uses, defs of variables). Keeps: every statement and its place. Does not declare parameters and
 * results, whose names are already given. */
#include "base/assert.h"
#include "cuda/cuda_live.h"
#include "cuda/cuda_pass.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_varname.h"

/* A list of statements: the body of the function, of a loop, or an arm of a branch. */
typedef struct block_info {
    cs_list *list;
    uint32_t parent, depth; /* of the outermost: 0, 0 */
} block_info;

/* The state of the pass. */
typedef struct placer {
    cuda_fn *f;
    VEC(block_info) blocks; /* in the order of a walk, each before those inside of it */
    uint32_t *home;         /* by variable: its block, or CUDA_NO_VAR */
    bool *declared;         /* by variable */
    uint32_t now;           /* note: the block that the walk is in */
    uint32_t last_block;    /* declare_list: the last one that was begun, in note_list's order */
    VEC(str) names;         /* in scope, in order of their declarations */
    str_map in_scope;       /* the same */
    str_map next_number;    /* by hint: the variables "hint2" up to this number are in scope */
} placer;

/* The innermost block that contains both. */
static uint32_t common(const placer *p, uint32_t a, uint32_t b)
{
    WEFT_ASSERT(a < p->blocks.n && b < p->blocks.n);
    while (a != b) {
        if (p->blocks.v[a].depth < p->blocks.v[b].depth)
            b = p->blocks.v[b].parent;
        else
            a = p->blocks.v[a].parent;
    }
    return a;
}

/* The variable occurs in the present block: its home is the innermost block around all such. */
static void note(void *arg, uint32_t var)
{
    placer *p = arg;
    uint32_t *home = &p->home[var];
    *home = *home == CUDA_NO_VAR ? p->now : common(p, *home, p->now);
}

/* Numbers the blocks and finds each variable's home. No labels are left, so s->label holds the
 * statement's block. A counter's home is its loop's body. */
static void note_list(placer *p, cs_list *list, uint32_t parent)
{
    const uint32_t id = p->blocks.n;
    const block_info b = {list, parent, id ? p->blocks.v[parent].depth + 1 : 0};
    VEC_PUSH(&p->f->c->module, &p->blocks, b);
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i];
        s->label = id;
        p->now = id;
        cs_reads(s, note, p);
        if (s->kind != CS_FOR)
            cs_writes(s, note, p);
        const uint32_t inner = p->blocks.n;
        note_list(p, &s->body, id);
        note_list(p, &s->orelse, id);
        if (s->kind == CS_FOR) {
            p->now = inner;
            note(p, s->var);
        }
    }
}

/* Variables that are live at a loop's head keep their value from step to step: their home is
 * outside of it. */
static void lift(cuda_live *l, const cs *s)
{
    if (s->kind != CS_FOR && s->kind != CS_LOOP)
        return;
    placer *p = l->arg;
    p->now = s->label;
    ctx_spend(l->f->c, l->f->vars.n);
    for (uint32_t i = 0; i < l->f->vars.n; i++)
        if (live_has(l->now, i) && p->home[i] != CUDA_NO_VAR)
            note(p, i);
}

/* A name of the scope, or one that no variable of the function may have. */
static bool is_taken(const placer *p, str name)
{
    return str_map_get(&p->in_scope, name) || cuda_is_taken(p->f, name);
}

/* The name is in scope from here on. */
static void enter(placer *p, str name)
{
    arena *a = &p->f->c->module;
    VEC_PUSH(a, &p->names, name);
    str_map_set(a, &p->in_scope, name, 1);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The number is the next to try for the hint, unless a lower one is free. */
static void release_number(placer *p, str hint, uint32_t number)
{
    if (str_map_get(&p->next_number, hint) > number)
        str_map_set(&p->f->c->module, &p->next_number, hint, number);
}

/* The name leaves the scope, and its number is free again: 4 of "t4" for the hint "t", 2 of "x1_2"
 * for "x1". */
static void release(placer *p, str name)
{
    WEFT_ASSERT(name.n > 0);
    uint32_t number = 0;
    size_t n = name.n;
    while (n && is_digit(name.p[n - 1]))
        n--;
    for (size_t i = n; i < name.n && number < UINT32_MAX / 20; i++)
        number = number * 10 + (uint32_t)(name.p[i] - '0');
    str_map_set(&p->f->c->module, &p->in_scope, name, 0);
    release_number(p, (str){name.p, n}, number);
    if (n > 1 && name.p[n - 1] == '_')
        release_number(p, (str){name.p, n - 1}, number);
}

/* Ends the scope of the names behind the mark, last one first. */
static void leave(placer *p, uint32_t mark)
{
    WEFT_ASSERT(mark <= p->names.n);
    while (p->names.n > mark)
        release(p, p->names.v[--p->names.n]);
}

static str numbered(cuda_fn *f, str hint, uint32_t i)
{
    return cuda_sprintf(f, "%.*s%s%u", (int)hint.n, hint.p, is_digit(hint.p[hint.n - 1]) ? "_" : "",
                        i);
}

/* The hint with the first free number from 2 on. With a number "I1" would be "I1_2", which may be a
 * macro, as it would be with any other: "i1_2". */
static str with_number(placer *p, str hint)
{
    cuda_fn *f = p->f;
    hint.p = cuda_cpp_name(f, numbered(f, hint, 2)).p;
    const uint32_t known = str_map_get(&p->next_number, hint);
    uint32_t i = known ? known : 2;
    str name;
    do {
        ctx_spend(f->c, 1 + hint.n);
        name = numbered(f, hint, i++);
    } while (is_taken(p, name));
    str_map_set(&f->c->module, &p->next_number, hint, i);
    return name;
}

/* The hint if it is free, else with a number. */
static void give_name(placer *p, uint32_t var)
{
    WEFT_ASSERT(p->home[var] != CUDA_NO_VAR);
    cuda_fn *f = p->f;
    const str hint = cuda_name_hint(f, var);
    const str name = is_taken(p, hint) ? with_number(p, hint) : hint;
    f->vars.v[var].name = name;
    enter(p, name);
}

/* A statement of a block, for which variables are declared. */
typedef struct declaration {
    placer *p;
    cs *s;          /* gets the declarations */
    uint32_t block; /* that holds it: variables whose home it is are declared here */
} declaration;

/* Declares the variable if this block is its home and nothing has declared it: as part of the
 * statement if that sets it as a whole, and else before it, without a value. A constant is set once
 * and through no reference. */
static void declare(void *arg, uint32_t var)
{
    const declaration *d = arg;
    placer *p = d->p;
    uint32_t to;
    cv *v = &p->f->vars.v[var];
    if (p->declared[var] || v->param || v->out || p->home[var] != d->block)
        return;
    p->declared[var] = true;
    give_name(p, var);
    if (cs_overwrites(d->s, &to) && to == var && !v->zero) {
        d->s->declares = true;
        d->s->is_const = v->defs == 1 && !v->aliased;
        return;
    }
    VEC_PUSH(&p->f->c->module, &d->s->decls, var);
}

/* Declares the variables of the block that s or an inner statement uses first. */
static void declare_below(const declaration *d, const cs *s)
{
    cs_reads(s, declare, (void *)(uintptr_t)d);
    if (s->kind != CS_FOR || s != d->s)
        cs_writes(s, declare, (void *)(uintptr_t)d);
    for (uint32_t i = 0; i < s->body.n; i++)
        declare_below(d, s->body.v[i]);
    for (uint32_t i = 0; i < s->orelse.n; i++)
        declare_below(d, s->orelse.v[i]);
}

/* Blocks are met in the order in which note_list numbered them. A counter is declared in its loop's
 * head if the loop's body is its home. */
static void declare_list(placer *p, cs_list *list, uint32_t id)
{
    for (uint32_t i = 0; i < list->n; i++) {
        cs *s = list->v[i];
        const declaration d = {p, s, id};
        declare_below(&d, s);
        const uint32_t mark = p->names.n;
        for (int part = 0; part < 2; part++) {
            cs_list *inner = part ? &s->orelse : &s->body;
            const uint32_t block = ++p->last_block;
            WEFT_ASSERT(p->blocks.v[block].list == inner);
            if (!inner->n && s->kind != CS_FOR)
                continue;
            if (!part && s->kind == CS_FOR && p->home[s->var] == block) {
                p->declared[s->var] = s->declares = true;
                give_name(p, s->var);
            }
            declare_list(p, inner, block);
            leave(p, mark);
        }
    }
}

/* Parameters and results are in scope from the beginning. */
void cuda_declare(cuda_fn *f)
{
    placer p = {.f = f};
    arena *a = &f->c->module;
    cuda_count(f);
    p.home = ARENA_ARRAY(a, uint32_t, f->vars.n);
    memset(p.home, 0xff, f->vars.n * sizeof *p.home);
    p.declared = arena_zero(a, f->vars.n);
    note_list(&p, &f->body, 0);
    cuda_live l = {.f = f, .visit = lift, .arg = &p};
    cuda_live_walk(&l);
    for (uint32_t i = 0; i < f->vars.n; i++) {
        cv *v = &f->vars.v[i];
        /* Live at the entry: on some way it is read before anything sets it. */
        v->zero = !v->param && !v->out && live_has(l.now, i);
        if (v->param || v->out)
            enter(&p, v->name);
    }
    declare_list(&p, &f->body, 0);
}
