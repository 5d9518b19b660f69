/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of templates as text of the kernel: names are replaced, choices are drawn.
 *
 *     k * (length - rest)                    ->   stiffness[e] * (length - rest_lengths[e])
 *     any_of(wp.dot(v, v), wp.length_sq(v))  ->   wp.length_sq(vel)
 *     zero                                   ->   wp.vec3()
 */
#include "compose/compose_internal.h"

str expr_keep(composer *c, const strbuf *b, size_t from)
{
    const size_t n = b->n - from;
    return (str){arena_dup(&c->text, n ? b->p + from : "", n), n};
}

/* --- names ------------------------------------------------------------------------------------ */

/* Which of the main steps is written now. */
static uint8_t which(const composer *c)
{
    WEFT_ASSERT(c->now >= c->p.main && c->now < c->p.main + PLAN_MAINS);
    return (uint8_t)(c->now - c->p.main);
}

subst *expr_name(composer *c, const sym *from)
{
    if (!c->frame && from == c->total) /* the pattern's own statements have no frame */
        return &c->totals[which(c)];
    for (uint32_t i = c->nsubsts; i > c->frame; i--)
        if (c->substs[i - 1].from == from)
            return &c->substs[i - 1];
    return NULL;
}

void expr_bind(composer *c, const sym *from, str text, unparse_prec prec)
{
    WEFT_ASSERT(c->nsubsts < SUBST_MAX);
    c->substs[c->nsubsts++] = (subst){from, text, prec};
}

/* The name in the kernel of a template's local. */
static str local_of(composer *c, const sym *from, bool thread)
{
    const subst *known = expr_name(c, from);
    if (known)
        return known->text;
    const char *sum = thread ? NULL : name_sum(c, from);
    const str name = name_from(c, sum ? sum : name_index(c, from, thread));
    expr_bind(c, from, name, UNPARSE_ATOM);
    return name;
}

str expr_local(composer *c, const sym *from)
{
    return local_of(c, from, false);
}

str expr_thread(composer *c, const sym *from)
{
    return local_of(c, from, true);
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

/* wp.vec3f, wp.quatf; wp.spatial_vectorf is not made of two vectors. Scripts, which compare types
 * by their text, have it not. */
static bool is_suffixed(const composer *c, lib_type t)
{
    return c->form.suffixed && !c->numpy && t >= LIB_VEC && t != LIB_SPATIAL;
}

void expr_put_type(composer *c, strbuf *out, lib_type t)
{
    static const char *const texts[] = {
#define TYPE(ID, name, text, zero) text,
#include "compose/library_type.def"
#undef TYPE
    };
    if (generic_is(c, t)) {
        SB_LIT(out, "Any");
        return;
    }
    if (t == LIB_FLOAT && c->form.full_floats)
        SB_LIT(out, "wp.float32");
    else if (t == LIB_INT && c->form.full_ints)
        SB_LIT(out, "wp.int32");
    else {
        put_type_text(c, out, texts[t]);
        sb_c(out, is_suffixed(c, t) ? "f" : "");
    }
}

void expr_put_scalar_type(composer *c, strbuf *out, lib_type t)
{
    const kernel_form form = c->form;
    c->form.full_floats &= form.full_scalars;
    c->form.full_ints &= form.full_scalars;
    expr_put_type(c, out, t);
    c->form = form;
}

/* Of vectors: "()", "(0.0)", "(0.0, 0.0, 0.0)". */
static const char *zero_arguments(const composer *c, lib_type t)
{
    static const char *const all[] = {
        [2] = "(0.0, 0.0)", [3] = "(0.0, 0.0, 0.0)", [4] = "(0.0, 0.0, 0.0, 0.0)"};
    const uint32_t length = t == LIB_VEC    ? c->p.plane
                            : t == LIB_VEC2 ? 2
                            : t == LIB_VEC3 ? 3
                            : t == LIB_VEC4 ? 4
                                            : 0;
    if (!c->form.zero || t == LIB_QUAT || t == LIB_TRANSFORM || t == LIB_SPATIAL)
        return "()";
    return c->form.zero == 1 || !length ? "(0.0)" : all[length];
}

static void put_zero(composer *c, strbuf *out, lib_type t)
{
    static const char *const zeros[] = {
#define TYPE(ID, name, text, zero) zero,
#include "compose/library_type.def"
#undef TYPE
    };
    if (generic_is(c, t)) {
        sb_str(out, c->generic_of);
        sb_c(out, t == LIB_FLOAT ? "(0.0)" : "()");
        return;
    }
    if (t == LIB_FLOAT && c->form.plain_zeros && c->p.pattern && !c->p.pattern->traits.dynamic) {
        SB_LIT(out, "0.0"); /* of a loop that Warp unrolls */
        return;
    }
    if (t == LIB_FLOAT || t == LIB_INT || t >= LIB_VEC) {
        expr_put_scalar_type(c, out, t);
        sb_c(out, t == LIB_FLOAT ? "(0.0)" : t == LIB_INT ? "(0)" : zero_arguments(c, t));
        return;
    }
    put_type_text(c, out, zeros[t]);
}

/* The zero of what the kernel is about; where values are moved one that is stored: 0.0, no
 * float(0.0) that a loop could add to. */
static void put_zero_of(composer *c, strbuf *out)
{
    const lib_quantity *q = c->p.same;
    if (q && q->type == LIB_FLOAT)
        SB_LIT(out, "0.0");
    else if (q && q->type == LIB_INT)
        sb_char(out, '0');
    else
        put_zero(c, out, q ? q->type : c->p.steps[c->now].f->result->type);
}

/* The choice at a place of a template: drawn once for a kernel. */
uint8_t expr_choose(composer *c, const node *at, uint32_t n)
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

const sym *expr_called(const node *n)
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
    const plan_axis axis =
        str_eq(place, STR("link"))    ? AXIS_LINK
        : str_eq(place, STR("whole")) ? AXIS_WHOLE
        : str_eq(place, STR("other")) && !str_eq(p->field->other.one, p->field->element.one)
            ? AXIS_OTHER
            : AXIS_ELEMENT;
    for (int written = 0; written < 2; written++)
        for (uint8_t i = 0; i < p->nargs; i++)
            if (p->args[i].axis == axis && p->args[i].written == written &&
                p->args[i].role == ROLE_QUANTITY) {
                sb_str(out, p->args[i].name);
                SB_LIT(out, ".shape[");
                const bool rows = p->rows.n && axis != AXIS_LINK && axis != AXIS_WHOLE;
                const node *dim = call->args.n > 1 ? call->args.v[1] : NULL;
                sb_int(out, (dim ? (int64_t)AST(Constant, dim)->value.i : 0) + rows);
                sb_char(out, ']');
                return;
            }
    WEFT_ASSERT(false); /* no array to count */
}

static const lib_formula *find_formula(const composer *c, const sym *name)
{
    for (uint32_t i = 0; i < c->l->formulas.n; i++)
        if (c->l->formulas.v[i]->def->name == name)
            return c->l->formulas.v[i];
    for (uint32_t i = 0; i < c->l->functions.n; i++)
        if (c->l->functions.v[i]->def->name == name)
            return c->l->functions.v[i];
    return NULL;
}

/* People write brackets where bits and tests mix: x & (x - 1), (x & 1) == 0, a or (b and c). */
static bool wants_brackets(const node *n, unparse_prec least)
{
    const unparse_prec own = unparse_prec_of(n);
    if (n->kind == AST_BinOp && least == UNPARSE_BIT_OR) /* of a comparison */
        return own >= UNPARSE_BIT_OR && own <= UNPARSE_BIT_AND;
    if (n->kind == AST_BinOp)
        return least >= UNPARSE_BIT_XOR && least <= UNPARSE_SHIFT && own > least;
    return n->kind == AST_BoolOp && unparse_prec_of(n) == UNPARSE_AND &&
           (least == UNPARSE_OR || least == UNPARSE_AND);
}

/* wp.where(c, a, b) */
bool expr_is_where(const node *n)
{
    if (n->kind != AST_Call || AST(Call, n)->args.n != 3 ||
        AST(Call, n)->func->kind != AST_Attribute)
        return false;
    return str_eq(sym_str(AST(Attribute, AST(Call, n)->func)->attr), STR("where"));
}

/* The same, in a kernel that has a if c else b */
static bool is_ternary(const composer *c, const node *n)
{
    return c->form.ternaries && expr_is_where(n);
}

/* x[i] of an algorithm whose arrays have a row for each world, or are the members of structs:
 * x[world, i], particles[i].x */
static bool put_element(composer *c, strbuf *out, const ast_Subscript *s)
{
    if (!c->p.algorithm || c->frame || s->value->kind != AST_Name)
        return false;
    const plan_arg *a = form_array(c, AST(Name, s->value)->id);
    const bool rows = c->p.rows.n && a && a->role == ROLE_QUANTITY && a->axis != AXIS_NONE;
    if (!a || (!rows && !a->member.n))
        return false;
    sb_str(out, a->name);
    sb_char(out, '[');
    if (rows) {
        sb_str(out, c->p.row);
        SB_LIT(out, ", ");
    }
    expr_put(c, out, s->slice, UNPARSE_TUPLE);
    sb_char(out, ']');
    if (a->member.n) {
        sb_char(out, '.');
        sb_str(out, a->member);
    }
    return true;
}

/* wp.vec3f of wp.vec3, where types have their suffix. */
static bool put_type_name(const composer *c, strbuf *out, const ast_Attribute *a)
{
    static const char *const types[] = {"vec2",  "vec3", "vec4",     "mat22",
                                        "mat33", "quat", "transform"};
    const str name = sym_str(a->attr);
    if (!is_suffixed(c, LIB_VEC) || a->value->kind != AST_Name ||
        AST(Name, a->value)->id != c->l->words.wp || !STR_IS_IN(name, types))
        return false;
    SB_LIT(out, "wp.");
    sb_str(out, name);
    sb_char(out, 'f');
    return true;
}

static bool put_template(unparser *u, const node *n, unparse_prec least)
{
    composer *c = u->arg;
    const lib_words *w = &c->l->words;
    if (generic_put(c, u->out, n))
        return true;
    if (n->kind == AST_Constant && AST(Constant, n)->kind) {
        put_wrapped(u, *AST(Constant, n)->kind, UNPARSE_ATOM, UNPARSE_TUPLE);
        return true;
    }
    if (n->kind == AST_Attribute && put_type_name(c, u->out, AST(Attribute, n)))
        return true;
    if (n->kind == AST_Name) {
        const sym *id = AST(Name, n)->id;
        const subst *s = expr_name(c, id);
        if (s) {
            put_wrapped(u, s->text, s->prec, least);
            return true;
        }
        if (id == w->value) {
            put_wrapped(u, c->made[which(c)].text, c->made[which(c)].prec, least);
            return true;
        }
        if (id == w->zero) {
            put_zero_of(c, u->out);
            return true;
        }
        if (str_eq(sym_str(id), STR("vec"))) {
            expr_put_type(c, u->out, LIB_VEC);
            return true;
        }
        return false;
    }
    const str named = n->kind == AST_Subscript ? form_named(c, n) : STR("");
    if (named.n) {
        put_wrapped(u, named, UNPARSE_ATOM, UNPARSE_TUPLE);
        return true;
    }
    if (n->kind == AST_Subscript && put_element(c, u->out, AST(Subscript, n)))
        return true;
    if (wants_brackets(n, least)) {
        sb_char(u->out, '(');
        unparse(u, n, UNPARSE_TUPLE);
        sb_char(u->out, ')');
        return true;
    }
    if (is_ternary(c, n)) {
        const node_list *args = &AST(Call, n)->args;
        const bool brackets = least > UNPARSE_TERNARY;
        sb_c(u->out, brackets ? "(" : "");
        unparse(u, args->v[1], UNPARSE_OR);
        SB_LIT(u->out, " if ");
        unparse(u, args->v[0], UNPARSE_OR);
        SB_LIT(u->out, " else ");
        unparse(u, args->v[2], UNPARSE_TERNARY);
        sb_c(u->out, brackets ? ")" : "");
        return true;
    }
    const sym *f = expr_called(n);
    if (!f)
        return false;
    if (f == w->any_of) {
        const node_list *args = &AST(Call, n)->args;
        unparse(u, args->v[expr_choose(c, n, args->n)], least);
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
        step_put_function(c, other);
    return false;
}

void expr_put(composer *c, strbuf *out, const node *n, unparse_prec least)
{
    unparser u = {out, put_template, c};
    unparse(&u, n, least);
}

/* The text of an expression, kept. */
str expr_text(composer *c, const node *n)
{
    strbuf b;
    sb_init(&b, c->m);
    expr_put(c, &b, n, UNPARSE_TUPLE);
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

/* any_of(...) binds as the operand that was chosen. */
unparse_prec expr_prec(composer *c, const node *n)
{
    if (expr_called(n) == c->l->words.any_of)
        return expr_prec(c, AST(Call, n)->args.v[expr_choose(c, n, AST(Call, n)->args.n)]);
    const subst *s = n->kind == AST_Name ? expr_name(c, AST(Name, n)->id) : NULL;
    if (!s && n->kind == AST_Name && AST(Name, n)->id == c->l->words.value)
        s = &c->made[which(c)];
    return s ? s->prec : is_ternary(c, n) ? UNPARSE_TERNARY : unparse_prec_of(n);
}

typedef struct name_count {
    const sym *name;
    uint32_t uses, stores;
} name_count;

static void count_name(void *arg, const node *n)
{
    name_count *f = arg;
    if (n->kind == AST_Name && AST(Name, n)->id == f->name) {
        f->uses++;
        f->stores += AST(Name, n)->ctx == CTX_Store;
    }
    ast_each_child(n, count_name, f);
}

uint32_t expr_uses(const node *n, const sym *name)
{
    name_count f = {name, 0, 0};
    if (n)
        count_name(&f, n);
    return f.uses;
}

uint32_t expr_stores(const node *n, const sym *name)
{
    name_count f = {name, 0, 0};
    count_name(&f, n);
    return f.stores;
}

/* "i, j" of guard(i, j), from the argument `from` on. */
str expr_arguments(composer *c, const node_list *args, uint32_t from)
{
    strbuf b;
    sb_init(&b, c->m);
    for (uint32_t i = from; i < args->n; i++) {
        if (i > from)
            SB_LIT(&b, ", ");
        expr_put(c, &b, args->v[i], UNPARSE_TERNARY);
    }
    const str text = expr_keep(c, &b, 0);
    sb_clear(&b);
    return text;
}

str expr_index(composer *c, const node *n)
{
    if (n->kind == AST_Tuple)
        return expr_arguments(c, &AST(Tuple, n)->elts, 0);
    return expr_text(c, n);
}
