/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the program of a plan: the pattern's statements, with the formulas' statements where the
 * pattern says `value`, and loads, guards, further steps and stores where it says at, guard and
 * finish. Names of templates are replaced by those of the kernel: a stack of frames says by which.
 *
 *     at(element, i)          x = positions[i]
 *     total += value          d = y - x
 *                             total += k * (wp.length(d) - rest) * wp.normalize(d)
 */
#include "compose/compose_internal.h"

/* --- text ------------------------------------------------------------------------------------- */

static void line_open(composer *c)
{
    sb_repeat(&c->body, ' ', 4 * (size_t)c->indent);
}

static void line_close(composer *c)
{
    sb_char(&c->body, '\n');
}

static str keep(composer *c, const strbuf *b, size_t from)
{
    return (str){arena_dup(&c->text, b->p + from, b->n - from), b->n - from};
}

/* --- names ------------------------------------------------------------------------------------ */

static subst *find_subst(composer *c, const sym *from)
{
    for (uint32_t i = c->nsubsts; i > c->frame; i--)
        if (c->substs[i - 1].from == from)
            return &c->substs[i - 1];
    return NULL;
}

static void push_subst(composer *c, const sym *from, str text, unparse_prec prec)
{
    WEFT_ASSERT(c->nsubsts < SUBST_MAX);
    c->substs[c->nsubsts++] = (subst){from, text, prec};
}

/* The name in the kernel of a template's local. */
static str local_of(composer *c, const sym *from)
{
    const subst *known = find_subst(c, from);
    if (known)
        return known->text;
    const str name = name_from(c, from->s);
    push_subst(c, from, name, UNPARSE_ATOM);
    return name;
}

/* --- expressions ------------------------------------------------------------------------------ */

static void put_wrapped(unparser *u, str text, unparse_prec prec, unparse_prec least)
{
    if (prec < least)
        sb_char(u->out, '(');
    sb_str(u->out, text);
    if (prec < least)
        sb_char(u->out, ')');
}

/* "wp.vec%" */
static void put_type_text(composer *c, strbuf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '%')
            sb_int(out, c->p.plane);
        else
            sb_char(out, *text);
    }
}

static void put_type(composer *c, strbuf *out, lib_type t)
{
    static const char *const texts[] = {
#define TYPE(ID, name, text, zero) text,
#include "compose/library_type.def"
#undef TYPE
    };
    put_type_text(c, out, texts[t]);
}

static void put_zero(composer *c, strbuf *out, lib_type t)
{
    static const char *const zeros[] = {
#define TYPE(ID, name, text, zero) zero,
#include "compose/library_type.def"
#undef TYPE
    };
    put_type_text(c, out, zeros[t]);
}

/* The choice at a place of a template: drawn once for a kernel. */
static uint8_t choose(composer *c, const node *at, uint32_t n)
{
    for (uint32_t i = 0; i < c->nchoices; i++)
        if (c->choices[i].at == at)
            return c->choices[i].pick;
    const uint8_t pick = (uint8_t)below(c, n);
    if (c->nchoices < CHOICES_MAX) {
        c->choices[c->nchoices].at = at;
        c->choices[c->nchoices++].pick = pick;
    }
    return pick;
}

static const sym *called(const node *n)
{
    if (n->kind != AST_Call || AST(Call, n)->func->kind != AST_Name)
        return NULL;
    return AST(Name, AST(Call, n)->func)->id;
}

/* count(element), count(element, 1): the length of an array of elements. */
static void put_count(composer *c, strbuf *out, const ast_Call *call)
{
    const plan *p = &c->p;
    const str place = sym_str(AST(Name, call->args.v[0])->id);
    const plan_axis axis = str_eq(place, STR("link"))    ? AXIS_LINK
                           : str_eq(place, STR("whole")) ? AXIS_WHOLE
                           : str_eq(place, STR("other")) &&
                                   !str_eq(p->field->other.one, p->field->element.one)
                               ? AXIS_OTHER
                               : AXIS_ELEMENT;
    for (int written = 0; written < 2; written++)
        for (uint8_t i = 0; i < p->nargs; i++)
            if (p->args[i].axis == axis && p->args[i].written == written &&
                p->args[i].role == ROLE_QUANTITY) {
                sb_str(out, p->args[i].name);
                SB_LIT(out, ".shape[");
                if (call->args.n > 1)
                    unparse(&(unparser){.out = out}, call->args.v[1], UNPARSE_TERNARY);
                else
                    sb_char(out, '0');
                sb_char(out, ']');
                return;
            }
    WEFT_ASSERT(!"no array to count");
}

static const lib_formula *find_formula(const composer *c, const sym *name)
{
    for (uint32_t i = 0; i < c->l->formulas.n; i++)
        if (c->l->formulas.v[i]->def->name == name)
            return c->l->formulas.v[i];
    return NULL;
}

static void write_function(composer *c, const lib_formula *f);

static bool put_template(unparser *u, const node *n, unparse_prec least)
{
    composer *c = u->arg;
    const lib_words *w = &c->l->words;
    if (n->kind == AST_Name) {
        const sym *id = AST(Name, n)->id;
        const subst *s = find_subst(c, id);
        if (s) {
            put_wrapped(u, s->text, s->prec, least);
            return true;
        }
        if (id == w->zero) {
            put_zero(c, u->out, c->p.steps[c->p.main].f->result->type);
            return true;
        }
        if (str_eq(sym_str(id), STR("vec"))) {
            put_type(c, u->out, LIB_VEC);
            return true;
        }
        return false;
    }
    const sym *f = called(n);
    if (!f)
        return false;
    if (f == w->any_of) {
        const node_list *args = &AST(Call, n)->args;
        unparse(u, args->v[choose(c, n, args->n)], least);
        return true;
    }
    if (f == w->thread) {
        SB_LIT(u->out, "wp.tid()");
        return true;
    }
    if (f == w->count) {
        put_count(c, u->out, AST(Call, n));
        return true;
    }
    const lib_formula *other = find_formula(c, f);
    if (other)
        write_function(c, other);
    return false;
}

static void put_expr(composer *c, strbuf *out, const node *n, unparse_prec least)
{
    unparser u = {out, put_template, c};
    unparse(&u, n, least);
}

/* The text of an expression, kept. */
static str text_of(composer *c, const node *n)
{
    strbuf b;
    sb_init(&b, c->m);
    put_expr(c, &b, n, UNPARSE_TUPLE);
    const str text = keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

/* any_of(...) binds as the operand that was chosen. */
static unparse_prec prec_of(composer *c, const node *n)
{
    if (called(n) == c->l->words.any_of)
        return prec_of(c, AST(Call, n)->args.v[choose(c, n, AST(Call, n)->args.n)]);
    const subst *s = n->kind == AST_Name ? find_subst(c, AST(Name, n)->id) : NULL;
    return s ? s->prec : unparse_prec_of(n);
}

/* --- statements ------------------------------------------------------------------------------- */

static void write_block(composer *c, node *const *v, uint32_t n);
static void write_step(composer *c, uint8_t at);
static subst ready_input(composer *c, const plan_step *s, uint32_t i, bool load);

typedef struct find_name {
    const sym *name;
    uint32_t n;
} find_name;

static void count_name(void *arg, const node *n)
{
    find_name *f = arg;
    f->n += n->kind == AST_Name && AST(Name, n)->id == f->name;
    ast_each_child(n, count_name, f);
}

static uint32_t uses_in(const node *n, const sym *name)
{
    find_name f = {name, 0};
    if (n)
        count_name(&f, n);
    return f.n;
}

/* Writes the main step before a statement of the pattern that needs its value. */
static void ready_value(composer *c, const node *n)
{
    const sym *value = c->l->words.value;
    if (!n || !uses_in(n, value) || find_subst(c, value))
        return;
    write_step(c, c->p.main);
    push_subst(c, value, c->values[c->p.main], c->precs[c->p.main]);
}

static void write_assign(composer *c, const ast_Assign *a)
{
    const node *target = a->targets.v[0];
    ready_value(c, a->value);
    const str value = text_of(c, a->value);
    str name;
    if (target->kind == AST_Name)
        name = local_of(c, AST(Name, target)->id);
    else if (target->kind == AST_Tuple) {
        for (uint32_t i = 0; i < AST(Tuple, target)->elts.n; i++)
            local_of(c, AST(Name, AST(Tuple, target)->elts.v[i])->id);
        name = text_of(c, target);
    } else
        name = text_of(c, target);
    line_open(c);
    sb_str(&c->body, name);
    SB_LIT(&c->body, " = ");
    sb_str(&c->body, value);
    line_close(c);
}

static void write_aug_assign(composer *c, const ast_AugAssign *a)
{
    ready_value(c, a->value);
    line_open(c);
    put_expr(c, &c->body, a->target, UNPARSE_TUPLE);
    sb_char(&c->body, ' ');
    sb_c(&c->body, unparse_op(a->op));
    SB_LIT(&c->body, "= ");
    put_expr(c, &c->body, a->value, UNPARSE_TUPLE);
    line_close(c);
}

static void write_below(composer *c, const node_list *l)
{
    const uint32_t names = c->nsubsts;
    c->indent++;
    write_block(c, l->v, l->n);
    c->indent--;
    (void)names;
}

/* maybe: all below or nothing. any_of: one of the branches. */
static void write_choice(composer *c, const ast_If *s)
{
    const lib_words *w = &c->l->words;
    const sym *test = AST(Name, s->test)->id;
    if (test == w->maybe) {
        if (choose(c, &s->base, 2))
            write_block(c, s->body.v, s->body.n);
        return;
    }
    uint32_t n = 1;
    for (const ast_If *k = s; k->orelse.n; k = AST(If, k->orelse.v[0])) {
        n++;
        if (k->orelse.n != 1 || k->orelse.v[0]->kind != AST_If)
            break;
    }
    uint32_t pick = choose(c, &s->base, n);
    const node_list *l = &s->body;
    for (; pick; pick--) {
        l = &s->orelse;
        if (pick > 1 || (l->n == 1 && l->v[0]->kind == AST_If &&
                         AST(If, l->v[0])->test->kind == AST_Name &&
                         AST(Name, AST(If, l->v[0])->test)->id == w->any_of)) {
            s = AST(If, l->v[0]);
            l = &s->body;
        }
    }
    write_block(c, l->v, l->n);
}

static void write_if(composer *c, const ast_If *s)
{
    const lib_words *w = &c->l->words;
    if (s->test->kind == AST_Name &&
        (AST(Name, s->test)->id == w->maybe || AST(Name, s->test)->id == w->any_of)) {
        write_choice(c, s);
        return;
    }
    const char *word = "if ";
    for (;;) {
        line_open(c);
        sb_c(&c->body, word);
        put_expr(c, &c->body, s->test, UNPARSE_TERNARY);
        sb_char(&c->body, ':');
        line_close(c);
        write_below(c, &s->body);
        if (s->orelse.n != 1 || s->orelse.v[0]->kind != AST_If)
            break;
        s = AST(If, s->orelse.v[0]);
        word = "elif ";
    }
    if (!s->orelse.n)
        return;
    line_open(c);
    SB_LIT(&c->body, "else:");
    line_close(c);
    write_below(c, &s->orelse);
}

static void write_for(composer *c, const ast_For *s)
{
    const str range = text_of(c, s->iter);
    const str name = local_of(c, AST(Name, s->target)->id);
    line_open(c);
    SB_LIT(&c->body, "for ");
    sb_str(&c->body, name);
    SB_LIT(&c->body, " in ");
    sb_str(&c->body, range);
    sb_char(&c->body, ':');
    line_close(c);
    write_below(c, &s->body);
}

static void write_while(composer *c, const ast_While *s)
{
    line_open(c);
    SB_LIT(&c->body, "while ");
    put_expr(c, &c->body, s->test, UNPARSE_TERNARY);
    sb_char(&c->body, ':');
    line_close(c);
    write_below(c, &s->body);
}

/* --- loads, guards, stores -------------------------------------------------------------------- */

static lib_place place_of(const sym *name)
{
    for (int p = 0; p < PLACES; p++)
        if (str_eq(sym_str(name), str_c(library_place_name((lib_place)p))))
            return (lib_place)p;
    WEFT_ASSERT(!"no place");
    return PLACE_ELEMENT;
}

/* guard(i, j) */
static void write_guard(composer *c, const ast_Call *call)
{
    const plan *p = &c->p;
    if (p->guard == GUARD_NONE)
        return;
    const plan_arg *a = &p->args[p->guard_arg];
    line_open(c);
    SB_LIT(&c->body, "if ");
    for (uint32_t i = 0; p->guard == GUARD_COUNT && i < call->args.n; i++) {
        if (i)
            SB_LIT(&c->body, " or ");
        put_expr(c, &c->body, call->args.v[i], UNPARSE_BIT_OR);
        SB_LIT(&c->body, " >= ");
        sb_str(&c->body, a[call->args.n - 1 - i].name);
    }
    if (p->guard == GUARD_FLAGS) {
        sb_str(&c->body, a->name);
        sb_char(&c->body, '[');
        for (uint32_t i = 0; i < call->args.n; i++) {
            if (i)
                SB_LIT(&c->body, ", ");
            put_expr(c, &c->body, call->args.v[i], UNPARSE_TERNARY);
        }
        SB_LIT(&c->body, "] == 0");
    }
    SB_LIT(&c->body, ":\n");
    c->indent++;
    line_open(c);
    SB_LIT(&c->body, "return\n");
    c->indent--;
}

static void write_store(composer *c, uint8_t at)
{
    const plan_step *s = &c->p.steps[at];
    line_open(c);
    sb_str(&c->body, c->p.args[s->stored].name);
    sb_char(&c->body, '[');
    sb_str(&c->body, c->index[PLACE_ELEMENT]);
    SB_LIT(&c->body, "] = ");
    sb_str(&c->body, c->values[at]);
    line_close(c);
}

/* What comes behind the pattern's value, and all that is stored. */
static void write_finish(composer *c, const ast_Call *call)
{
    const plan *p = &c->p;
    ready_value(c, call->args.v[0]);
    c->values[p->main] = text_of(c, call->args.v[0]);
    c->precs[p->main] = prec_of(c, call->args.v[0]);
    for (uint8_t i = 0; i < p->nsteps; i++) {
        if (i != p->main)
            write_step(c, i);
        if (p->steps[i].stored >= 0)
            write_store(c, i);
    }
}

/* scatter(j, -value): the output gains it. */
static void write_scatter(composer *c, const ast_Call *call)
{
    const plan_step *s = &c->p.steps[c->p.main];
    const node *value = call->args.v[1];
    ready_value(c, value);
    const bool minus = value->kind == AST_UnaryOp;
    line_open(c);
    sb_c(&c->body, minus ? "wp.atomic_sub(" : "wp.atomic_add(");
    sb_str(&c->body, c->p.args[s->stored].name);
    SB_LIT(&c->body, ", ");
    put_expr(c, &c->body, call->args.v[0], UNPARSE_TERNARY);
    SB_LIT(&c->body, ", ");
    put_expr(c, &c->body, minus ? AST(UnaryOp, value)->operand : value, UNPARSE_TERNARY);
    SB_LIT(&c->body, ")\n");
}

static void write_at(composer *c, const ast_Call *call)
{
    strbuf b;
    sb_init(&b, c->m);
    for (uint32_t i = 1; i < call->args.n; i++) {
        if (i > 1)
            SB_LIT(&b, ", ");
        put_expr(c, &b, call->args.v[i], UNPARSE_TERNARY);
    }
    const lib_place place = place_of(AST(Name, call->args.v[0])->id);
    c->index[place] = keep(c, &b, 0);
    sb_clear(&b);
    /* What the value needs from here is loaded here: outside of the loops that follow. */
    const plan_step *s = &c->p.steps[c->p.main];
    for (uint32_t i = 0; i < s->f->nparams; i++)
        if (s->f->params[i].place == place && s->in[i].from == FROM_ARG)
            c->ready[i] = ready_input(c, s, i, place == PLACE_ELEMENT && c->p.pattern->traits.loops);
}

static void write_call(composer *c, const node *n)
{
    const lib_words *w = &c->l->words;
    const sym *f = called(n);
    const ast_Call *call = AST(Call, n);
    if (f == w->at)
        write_at(c, call);
    else if (f == w->guard)
        write_guard(c, call);
    else if (f == w->finish)
        write_finish(c, call);
    else if (f == w->scatter)
        write_scatter(c, call);
    else {
        ready_value(c, n);
        line_open(c);
        put_expr(c, &c->body, n, UNPARSE_TUPLE);
        line_close(c);
    }
}

static void write_statement(composer *c, const node *n)
{
    switch (n->kind) {
    case AST_Assign:
        write_assign(c, AST(Assign, n));
        break;
    case AST_AugAssign:
        write_aug_assign(c, AST(AugAssign, n));
        break;
    case AST_If:
        write_if(c, AST(If, n));
        break;
    case AST_For:
        write_for(c, AST(For, n));
        break;
    case AST_While:
        write_while(c, AST(While, n));
        break;
    case AST_Expr:
        if (AST(Expr, n)->value->kind == AST_Call)
            write_call(c, AST(Expr, n)->value);
        break;
    case AST_Return:
        line_open(c);
        SB_LIT(&c->body, "return");
        if (AST(Return, n)->value) {
            sb_char(&c->body, ' ');
            put_expr(c, &c->body, AST(Return, n)->value, UNPARSE_TUPLE);
        }
        line_close(c);
        break;
    case AST_Break:
    case AST_Continue:
        line_open(c);
        sb_c(&c->body, n->kind == AST_Break ? "break\n" : "continue\n");
        break;
    default:
        WEFT_ASSERT(!"a statement that templates have not");
    }
}

static void write_block(composer *c, node *const *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        write_statement(c, v[i]);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* How often a formula's text needs a parameter. */
static uint32_t param_uses(const lib_formula *f, const sym *name)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->nbody; i++)
        n += uses_in(f->body[i], name);
    return n;
}

static bool is_assigned(const lib_formula *f, const sym *name);

/* positions[i] */
static str element_text(composer *c, const plan_arg *a, lib_place place)
{
    if (a->axis == AXIS_NONE || a->axis == AXIS_WHOLE)
        return a->name;
    const str index = c->index[place];
    return str_c(arena_printf(&c->text, "%.*s[%.*s]", (int)a->name.n, a->name.p, (int)index.n,
                              index.p));
}

/* state = wp.rand_init(seed, i); of two indexes the second counts within the first. */
static str ready_state(composer *c)
{
    if (c->state.n)
        return c->state;
    const str seed = c->p.args[c->p.seed_arg].name, index = c->index[PLACE_ELEMENT];
    c->state = name_from(c, "state rng rand_state");
    line_open(c);
    sb_str(&c->body, c->state);
    SB_LIT(&c->body, " = wp.rand_init(");
    sb_str(&c->body, seed);
    SB_LIT(&c->body, ", ");
    sb_put(&c->body, index.p, index.n);
    SB_LIT(&c->body, ")\n");
    return c->state;
}

/* Makes the value of a parameter ready: a result, an element, or a local that holds it. */
static subst ready_input(composer *c, const plan_step *s, uint32_t i, bool load)
{
    const lib_param *param = &s->f->params[i];
    const plan_input in = s->in[i];
    if (in.from == FROM_STATE)
        return (subst){param->name, ready_state(c), UNPARSE_ATOM};
    if (in.from == FROM_STEP)
        return (subst){param->name, c->values[in.at], c->precs[in.at]};
    const plan_arg *a = &c->p.args[in.at];
    const str text = element_text(c, a, param->place);
    const bool again = param_uses(s->f, param->name) > 1 || is_assigned(s->f, param->name);
    if (a->axis == AXIS_NONE || a->axis == AXIS_WHOLE ||
        (!load && (s->function ? !chance(c, 30) : !again && chance(c, 50))))
        return (subst){param->name, text, UNPARSE_ATOM};
    const str local = name_from(c, param->name->s);
    line_open(c);
    sb_str(&c->body, local);
    SB_LIT(&c->body, " = ");
    sb_str(&c->body, text);
    line_close(c);
    return (subst){param->name, local, UNPARSE_ATOM};
}

static void count_stores(void *arg, const node *n)
{
    find_name *f = arg;
    f->n += n->kind == AST_Name && AST(Name, n)->id == f->name && AST(Name, n)->ctx == CTX_Store;
    ast_each_child(n, count_stores, f);
}

static bool is_assigned(const lib_formula *f, const sym *name)
{
    find_name found = {name, 0};
    for (uint32_t i = 0; i < f->nbody; i++)
        count_stores(&found, f->body[i]);
    return found.n;
}

/* x: wp.vec3 */
static void put_function_param(composer *c, const lib_param *p)
{
    sb_str(&c->body, sym_str(p->name));
    sb_c(&c->body, p->place == PLACE_WHOLE ? ": wp.array(dtype=" : ": ");
    put_type(c, &c->body, p->of->type);
    if (p->place == PLACE_WHOLE)
        sb_char(&c->body, ')');
    push_subst(c, p->name, name_take(c, sym_str(p->name)), UNPARSE_ATOM);
}

/* The formula as a function, once; its names are its own. */
static void write_function(composer *c, const lib_formula *f)
{
    for (uint32_t i = 0; i < c->nemitted; i++)
        if (c->emitted[i] == f)
            return;
    WEFT_ASSERT(c->nemitted < PLAN_STEPS * 4);
    c->emitted[c->nemitted++] = f;
    const strbuf outer = c->body;
    const uint32_t frame = c->frame, ntaken = c->ntaken, taken_from = c->taken_from;
    const int indent = c->indent;
    sb_init(&c->body, c->m);
    c->indent = 1;
    c->frame = c->nsubsts;
    c->taken_from = c->ntaken;
    SB_LIT(&c->body, "@wp.func\ndef ");
    sb_str(&c->body, sym_str(f->def->name));
    sb_char(&c->body, '(');
    for (uint32_t i = 0; i < f->nparams; i++) {
        if (i)
            SB_LIT(&c->body, ", ");
        put_function_param(c, &f->params[i]);
    }
    SB_LIT(&c->body, "):\n");
    write_block(c, (node *const *)f->body, f->nbody);
    SB_LIT(&c->body, "\n\n");
    /* Functions that this one calls were appended meanwhile: they come first. */
    sb_str(&c->functions, sb_view(&c->body));
    sb_clear(&c->body);
    c->body = outer;
    c->nsubsts = c->frame;
    c->frame = frame;
    c->ntaken = ntaken;
    c->taken_from = taken_from;
    c->indent = indent;
}

/* spring_force(x, positions[j], rest_lengths[k], stiffness[k]) */
static void call_function(composer *c, uint8_t at, const subst *in)
{
    const plan_step *s = &c->p.steps[at];
    strbuf b;
    sb_init(&b, c->m);
    sb_str(&b, sym_str(s->f->def->name));
    sb_char(&b, '(');
    for (uint32_t i = 0; i < s->f->nparams; i++) {
        if (i)
            SB_LIT(&b, ", ");
        sb_str(&b, in[i].text);
    }
    sb_char(&b, ')');
    c->values[at] = keep(c, &b, 0);
    c->precs[at] = UNPARSE_ATOM;
    sb_clear(&b);
}

/* The formula's statements at this place; its result is the text behind its last return. */
static void write_inline(composer *c, uint8_t at, const subst *in)
{
    const plan_step *s = &c->p.steps[at];
    const uint32_t frame = c->frame, nsubsts = c->nsubsts;
    c->frame = c->nsubsts;
    for (uint32_t i = 0; i < s->f->nparams; i++)
        push_subst(c, in[i].from, in[i].text, in[i].prec);
    write_block(c, (node *const *)s->f->body, s->f->nbody - 1);
    const node *result = AST(Return, s->f->body[s->f->nbody - 1])->value;
    c->values[at] = text_of(c, result);
    c->precs[at] = prec_of(c, result);
    c->nsubsts = nsubsts;
    c->frame = frame;
}

/* How often its result is needed. */
static uint32_t result_uses(const plan *p, uint8_t at)
{
    uint32_t n = p->steps[at].stored >= 0;
    for (uint8_t k = 0; k < p->nsteps; k++)
        for (uint32_t i = 0; i < p->steps[k].f->nparams; i++)
            if (p->steps[k].in[i].from == FROM_STEP && p->steps[k].in[i].at == at)
                n += p->steps[k].function ? 1
                                          : param_uses(p->steps[k].f, p->steps[k].f->params[i].name);
    return n;
}

static void write_step(composer *c, uint8_t at)
{
    const plan_step *s = &c->p.steps[at];
    subst in[LIB_PARAMS];
    for (uint32_t i = 0; i < s->f->nparams; i++)
        in[i] = at == c->p.main && c->ready[i].from ? c->ready[i] : ready_input(c, s, i, false);
    if (s->function) {
        write_function(c, s->f);
        call_function(c, at, in);
    } else {
        write_inline(c, at, in);
    }
    const bool scattered = at == c->p.main && c->p.pattern->over == LIB_OVER_LINKS;
    if (c->precs[at] == UNPARSE_ATOM && !s->function)
        return;
    if (!scattered && result_uses(&c->p, at) < 2 && (at == c->p.main || chance(c, 40)))
        return;
    const str name = name_from(c, s->f->result->one);
    line_open(c);
    sb_str(&c->body, name);
    SB_LIT(&c->body, " = ");
    sb_str(&c->body, c->values[at]);
    line_close(c);
    c->values[at] = name;
    c->precs[at] = UNPARSE_ATOM;
}

/* --- the file --------------------------------------------------------------------------------- */

/* "wp.array(dtype=", "wp.array2d(dtype=" */
static void put_array(strbuf *b, uint32_t rank)
{
    SB_LIT(b, "wp.array");
    if (rank > 1) {
        sb_uint(b, rank);
        sb_char(b, 'd');
    }
    SB_LIT(b, "(dtype=");
}

static void put_parameter(composer *c, const plan_arg *a)
{
    strbuf *b = &c->source;
    const uint32_t rank = a->axis == AXIS_ELEMENT ? c->p.dims : 1;
    sb_str(b, a->name);
    SB_LIT(b, ": ");
    if (a->role == ROLE_COUNT || a->role == ROLE_SEED) {
        SB_LIT(b, "int");
    } else if (a->role == ROLE_QUANTITY) {
        if (a->axis != AXIS_NONE)
            put_array(b, rank);
        put_type(c, b, a->of->type);
        if (a->axis != AXIS_NONE)
            sb_char(b, ')');
    } else {
        put_array(b, a->binding == BIND_LINK_ENDS ? 2 : a->binding == BIND_FLAGS ? rank : 1);
        SB_LIT(b, "int)");
    }
}

static void write_head(composer *c)
{
    strbuf *b = &c->source;
    SB_LIT(b, "import warp as wp\n\n\n");
    sb_str(b, sb_view(&c->functions));
    SB_LIT(b, "@wp.kernel\ndef ");
    sb_str(b, c->kernel);
    sb_char(b, '(');
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        SB_LIT(b, "\n    ");
        put_parameter(c, &c->p.args[i]);
        sb_char(b, ',');
    }
    SB_LIT(b, "\n):\n");
}

void write_program(composer *c)
{
    const plan *p = &c->p;
    c->body.n = c->functions.n = c->source.n = 0;
    c->indent = 1;
    c->nsubsts = c->frame = c->nchoices = c->nemitted = 0;
    c->state = STR("");
    memset(c->ready, 0, sizeof c->ready);
    for (uint8_t i = 0; i < p->nargs; i++)
        if (p->args[i].template_name)
            push_subst(c, p->args[i].template_name, p->args[i].name, UNPARSE_ATOM);
    if (p->algorithm)
        write_block(c, (node *const *)p->algorithm->body, p->algorithm->nbody);
    else
        write_block(c, (node *const *)p->pattern->body, p->pattern->nbody);
    write_head(c);
    sb_str(&c->source, sb_view(&c->body));
    c->kernel_lines = p->nargs + 3 + str_count(sb_view(&c->body), '\n');
}
