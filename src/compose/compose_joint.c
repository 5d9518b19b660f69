/* SPDX-License-Identifier: Apache-2.0 */
/* Two steps in one function that returns both results, as people write what belongs together.
 *
 *     v_new = v + a * dt              @wp.func
 *     x_new = x + v_new * dt    ->    def velocity_and_position(v: wp.vec3, ...):
 *                                         v_new = v + a * dt
 *                                         return v_new, x + v_new * dt
 *
 *                                     v_new, x_new = velocity_and_position(v, a, dt, x) */
#include "compose/compose_internal.h"
#include "profile/profile.h"

/* --- which steps ------------------------------------------------------------------------------ */

/* Is what the pattern computes stored as it is, behind its statements: finish(value)? */
bool joint_ends_in_value(const composer *c)
{
    const lib_pattern *p = c->p.pattern;
    bool ends = false;
    for (uint32_t i = 0; i < p->nbody; i++) {
        const node *n = p->body[i]->kind == AST_Expr ? AST(Expr, p->body[i])->value : NULL;
        ends |= n && expr_called(n) == c->l->words.finish &&
                AST(Call, n)->args.v[0]->kind == AST_Name &&
                AST(Name, AST(Call, n)->args.v[0])->id == c->l->words.value;
    }
    return ends && !p->sums && p->into == LIB_INTO_ELEMENT && c->p.nmains == 1;
}

/* Is it written before the pattern's end, or in a loop, or as part of a sum? */
static bool is_in_pattern(const composer *c, uint8_t at)
{
    const plan *p = &c->p;
    if (p->algorithm)
        return p->algorithm->result && !at;
    return at < p->main || (at < p->main + p->nmains && !joint_ends_in_value(c));
}

static bool is_plain(const plan_step *s)
{
    for (uint32_t i = 0; i < s->f->nparams; i++)
        if (s->f->assigned >> i & 1) /* the other step may take it, too */
            return false;
    return !s->repeat && !s->choice && !s->f->traits.early && !s->f->traits.loops && !s->f->random;
}

/* Takes b what a gives, or something that a takes as well? */
static bool belong(const plan *p, uint8_t a, uint8_t b)
{
    const plan_step *s = &p->steps[a], *t = &p->steps[b];
    for (uint32_t i = 0; i < t->f->nparams; i++) {
        if (t->in[i].from == FROM_STEP && t->in[i].at == a)
            return true;
        for (uint32_t k = 0; k < s->f->nparams; k++)
            if (t->in[i].from == s->in[k].from && t->in[i].at == s->in[k].at &&
                t->f->params[i].place == s->f->params[k].place)
                return true;
    }
    return false;
}

/* How many steps behind b take the result of a? */
static bool is_needed(const plan *p, uint8_t a, uint8_t b)
{
    bool needed = p->steps[a].stored >= 0 || p->steps[a].ending.part;
    for (uint8_t k = (uint8_t)(b + 1); k < p->nsteps; k++)
        for (uint32_t i = 0; i < p->steps[k].f->nparams; i++)
            needed |= p->steps[k].in[i].from == FROM_STEP && p->steps[k].in[i].at == a;
    return needed;
}

void joint_draw(composer *c)
{
    enum { UNWISHED = 65 }; /* percent */
    plan *p = &c->p;
    p->joint = 0;
    if (wish_names(c, PROFILE_GENERIC) ||
        !(wish_names(c, PROFILE_TUPLE_RETURN) || chance(c, UNWISHED)))
        return;
    for (uint8_t b = 1; b < p->nsteps && !p->joint; b++) {
        const uint8_t a = (uint8_t)(b - 1);
        if (is_in_pattern(c, a) || is_in_pattern(c, b) || !is_plain(&p->steps[a]) ||
            !is_plain(&p->steps[b]) || !belong(p, a, b) || !is_needed(p, a, b) ||
            !is_needed(p, b, b))
            continue;
        p->joint = b;
        p->steps[a].function = p->steps[b].function = false;
    }
}

bool joint_is_first(const plan *p, uint8_t at)
{
    return p->joint && at + 1 == p->joint;
}

bool joint_is_second(const plan *p, uint8_t at)
{
    return p->joint && at == p->joint;
}

void joint_name(composer *c)
{
    plan *p = &c->p;
    if (!p->joint)
        return;
    const str a = name_said(c, p->steps[p->joint - 1].f->result),
              b = name_said(c, p->steps[p->joint].f->result);
    const str name = name_joined(c, a, "_and_", b);
    p->joint_name = name_from(c, arena_dup(&c->text, name.p, name.n));
}

/* --- written ---------------------------------------------------------------------------------- */

/* A parameter of the function: what stands for it where it is called. */
typedef struct joint_param {
    const lib_param *is;
    plan_input in;
    str name, text;
} joint_param;

typedef struct joint_params {
    joint_param v[2 * LIB_PARAMS];
    uint32_t n;
} joint_params;

static const joint_param *known(const joint_params *all, const lib_param *p, plan_input in)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (all->v[i].in.from == in.from && all->v[i].in.at == in.at &&
            all->v[i].is->place == p->place)
            return &all->v[i];
    return NULL;
}

/* Binds the parameters of a formula in a frame of its own; new ones become the function's. */
static void bind_params(composer *c, uint8_t at, joint_params *all, str first)
{
    const plan_step *s = &c->p.steps[at];
    c->frame = c->nsubsts;
    for (uint32_t i = 0; i < s->f->nparams; i++) {
        const lib_param *p = &s->f->params[i];
        if (joint_is_second(&c->p, at) && s->in[i].from == FROM_STEP && s->in[i].at + 1 == at) {
            expr_bind(c, p->name, first, UNPARSE_ATOM);
            continue;
        }
        const joint_param *k = known(all, p, s->in[i]);
        if (!k) {
            /* Of two `k` the second one is what the quantity is called. */
            const str said = name_said(c, p->of);
            const char *words =
                arena_printf(&c->text, "%s %s %.*s", p->name->s, p->of->one, (int)said.n, said.p);
            const str name = name_is_free(c, sym_str(p->name))
                                 ? name_take(c, sym_str(p->name))
                                 : name_from(c, words + p->name->len + 1);
            all->v[all->n] = (joint_param){p, s->in[i], name, STR("")};
            k = &all->v[all->n++];
        }
        expr_bind(c, p->name, k->name, UNPARSE_ATOM);
    }
}

/* The formula's statements; the text of its result. */
static str put_body(composer *c, const lib_formula *f)
{
    const node *result = AST(Return, f->body[f->nbody - 1])->value;
    c->returned = result;
    c->inlined = f;
    block_write(c, (node *const *)f->body, f->nbody - 1);
    c->inlined = NULL;
    c->returned = NULL;
    return expr_text(c, result);
}

static void put_head(composer *c, const joint_params *all)
{
    SB_LIT(&c->functions, "@wp.func\ndef ");
    sb_str(&c->functions, c->p.joint_name);
    sb_char(&c->functions, '(');
    for (uint32_t i = 0; i < all->n; i++) {
        const lib_param *p = all->v[i].is;
        const bool whole = p->place == PLACE_WHOLE;
        sb_c(&c->functions, i ? ", " : "");
        sb_str(&c->functions, all->v[i].name);
        sb_c(&c->functions, !whole ? ": " : c->brackets ? ": wp.array[" : ": wp.array(dtype=");
        if (whole)
            expr_put_type(c, &c->functions, p->of->type);
        else
            expr_put_scalar_type(c, &c->functions, p->of->type);
        sb_c(&c->functions, !whole ? "" : c->brackets ? "]" : ")");
    }
    SB_LIT(&c->functions, "):\n");
}

/* "The velocity: v + a * dt. The position: x plus dt times the velocity." */
static void put_docstring(composer *c, joint_params *all)
{
    const uint32_t frame = c->frame, nsubsts = c->nsubsts;
    str says = STR("");
    if (!c->docstrings)
        return;
    for (int i = 0; i < 2; i++) {
        const uint8_t at = (uint8_t)(c->p.joint - 1 + i);
        const lib_formula *f = c->p.steps[at].f;
        const str before = c->p.steps[c->p.joint - 1].f->result->noun;
        bind_params(c, at, all, name_joined(c, STR("that"), " ", before));
        says = name_joined(c, says, i ? ". The " : "the ", f->result->noun);
        says = name_joined(c, says, says_colon(f), says_filled(c, f->says));
    }
    c->frame = frame;
    c->nsubsts = nsubsts;
    says_docstring(c, says);
}

static void put_function(composer *c, joint_params *all)
{
    const uint8_t b = c->p.joint, a = (uint8_t)(b - 1);
    const function_text t = step_begin_function(c);
    put_docstring(c, all);
    bind_params(c, a, all, STR(""));
    str first = put_body(c, c->p.steps[a].f);
    bool taken = false;
    for (uint32_t i = 0; i < c->p.steps[b].f->nparams; i++)
        taken |= c->p.steps[b].in[i].from == FROM_STEP && c->p.steps[b].in[i].at == a;
    if (taken && !step_is_plain(first)) {
        const str name = name_result(c, a);
        step_put_assign(c, name, first);
        first = name;
    }
    bind_params(c, b, all, first);
    const str second = put_body(c, c->p.steps[b].f);
    line_begin(c);
    SB_LIT(&c->body, "return ");
    sb_str(&c->body, first);
    SB_LIT(&c->body, ", ");
    sb_str(&c->body, second);
    SB_LIT(&c->body, "\n\n\n");
    put_head(c, all); /* functions that this one calls were written meanwhile */
    step_end_function(c, &t);
}

/* What a pattern has loaded already, or what is loaded now. */
static str ready_text(composer *c, uint8_t at, uint32_t i)
{
    const subst *ready = c->p.pattern && at == c->p.main ? &c->ready[0][i] : NULL;
    return ready && ready->from ? ready->text : step_ready(c, &c->p.steps[at], i, false).text;
}

/* What stands in the call for each parameter: it is made ready once. */
static void ready_params(composer *c, joint_params *all)
{
    for (uint8_t at = (uint8_t)(c->p.joint - 1); at <= c->p.joint; at++) {
        const plan_step *s = &c->p.steps[at];
        for (uint32_t i = 0; i < s->f->nparams; i++)
            for (uint32_t k = 0; k < all->n; k++)
                if (all->v[k].is == &s->f->params[i] && !all->v[k].text.n)
                    all->v[k].text = ready_text(c, at, i);
    }
}

void joint_write(composer *c)
{
    const uint8_t b = c->p.joint, a = (uint8_t)(b - 1);
    joint_params all = {.n = 0};
    put_function(c, &all);
    ready_params(c, &all);
    for (uint8_t i = a; i <= b; i++) {
        c->values[i] = name_result(c, i);
        c->precs[i] = UNPARSE_ATOM;
    }
    line_begin(c);
    sb_str(&c->body, c->values[a]);
    SB_LIT(&c->body, ", ");
    sb_str(&c->body, c->values[b]);
    SB_LIT(&c->body, " = ");
    sb_str(&c->body, c->p.joint_name);
    sb_char(&c->body, '(');
    for (uint32_t i = 0; i < all.n; i++) {
        sb_c(&c->body, i ? ", " : "");
        sb_str(&c->body, all.v[i].text);
    }
    SB_LIT(&c->body, ")\n");
}

/* "One `wp.func` called `velocity_and_position` returns the velocity and the position." */
void joint_put_prompt(composer *c, uint8_t at)
{
    if (!joint_is_second(&c->p, at))
        return;
    const str a = c->p.steps[at - 1].f->result->noun, b = c->p.steps[at].f->result->noun;
    const uint32_t first = c->p.algorithm && c->p.algorithm->result;
    sb_printf(&c->prompt,
              ". Write steps %u and %u as one `wp.func` called `%.*s` that returns the %.*s and "
              "the %.*s",
              at - first, at - first + 1, (int)c->p.joint_name.n, c->p.joint_name.p, (int)a.n, a.p,
              (int)b.n, b.p);
}
