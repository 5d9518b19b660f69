/* SPDX-License-Identifier: Apache-2.0 */
/* Generic kernels: what makes sense for vectors of two and of three components, or for numbers of
 * any precision, is written so, with an instance for one type.
 *
 *     x: wp.array(dtype=wp.vec3)   ->   x: wp.array(dtype=Any)
 *     total = wp.vec3()            ->   total = x.dtype()
 *     2.0 * x[i]                   ->   x.dtype(2.0) * x[i], where numbers are generic
 */
#include "compose/compose_internal.h"
#include "profile/profile.h"

/* --- what may be generic ---------------------------------------------------------------------- */

enum { NUMBERS_MAX = 3 }; /* each becomes x.dtype(2.0); with more nobody can read it */

typedef struct generic_walk {
    const library *l;
    lib_type type;    /* which shall be generic */
    uint32_t numbers; /* with a fraction, which need its type */
    bool bound;       /* it has what is of one type alone */
} generic_walk;

static bool is_word(const lib_words *w, const sym *name)
{
    const sym *const words[] = {w->thread, w->at,    w->guard,   w->finish, w->value, w->zero,
                                w->count,  w->maybe, w->scatter, w->any_of, w->here};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i] == name)
            return true;
    return false;
}

/* Is it a function that exists for each type: int(x), float(x), a word of the library's? */
static bool may_be_called(const generic_walk *w, const sym *name)
{
    const str s = sym_str(name);
    return is_word(&w->l->words, name) || str_eq(s, STR("int")) || str_eq(s, STR("range")) ||
           (w->type == LIB_FLOAT && str_eq(s, STR("float")));
}

/* wp.vec3, wp.cross, wp.PI, wp.randf: bound to a type, or to a number of components. */
static bool binds(const generic_walk *w, str attr)
{
    static const char *const starts[] = {"vec",  "mat",    "quat",  "transform", "spatial", "rand",
                                         "tile", "sample", "float", "noise",     "pnoise",  "mesh",
                                         "bvh",  "hash",   "uint",  "volume",    "int"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(attr, starts[i]))
            return true;
    return (attr.p[0] >= 'A' && attr.p[0] <= 'Z') ||
           (w->type == LIB_VEC && str_eq(attr, STR("cross")));
}

static void walk_generic(void *arg, const node *n)
{
    generic_walk *w = arg;
    const sym *called = expr_called(n);
    if (called)
        w->bound |= !may_be_called(w, called);
    switch (n->kind) {
    case AST_Constant: w->numbers += AST(Constant, n)->value.kind == CONST_FLOAT; break;
    case AST_Attribute: {
        const node *base = AST(Attribute, n)->value;
        const bool warp = base->kind == AST_Name && AST(Name, base)->id == w->l->words.wp;
        const str attr = sym_str(AST(Attribute, n)->attr);
        w->bound |= warp ? binds(w, attr) : !str_eq(attr, STR("shape"));
        break;
    }
    case AST_Subscript: /* a component */
        w->bound |= AST(Subscript, n)->slice->kind == AST_Constant &&
                    AST(Subscript, n)->value->kind == AST_Name;
        break;
    case AST_Name: w->bound |= str_eq(sym_str(AST(Name, n)->id), STR("vec")); break;
    default: break;
    }
    ast_each_child(n, walk_generic, arg);
}

static bool body_allows(const library *l, lib_type type, const node *const *body, uint32_t n,
                        uint32_t *numbers)
{
    generic_walk w = {.l = l, .type = type};
    for (uint32_t i = 0; i < n; i++)
        walk_generic(&w, body[i]);
    *numbers += type == LIB_FLOAT ? w.numbers : 0;
    return !w.bound;
}

/* A function finds the type in its own parameters. */
static bool step_allows(const library *l, lib_type type, const plan_step *s, uint32_t *numbers)
{
    bool has = !s->function;
    for (uint32_t i = 0; i < s->f->nparams; i++)
        has |= s->f->params[i].of->type == type;
    const lib_part *ending = s->ending.part;
    return has && (type != LIB_VEC || !s->f->traits.space) &&
           body_allows(l, type, s->f->body, s->f->nbody, numbers) &&
           (!ending || body_allows(l, type, ending->body, ending->nbody, numbers));
}

static bool args_allow(const plan *p, lib_type type)
{
    uint32_t arrays = 0;
    for (uint8_t i = 0; i < p->nargs; i++) {
        const plan_arg *a = &p->args[i];
        if (a->role != ROLE_QUANTITY)
            continue;
        arrays += a->of->type == type && a->axis != AXIS_NONE && !a->written;
        const bool other = !library_is_whole(a->of->type);
        if (a->of->type != type && other && (type == LIB_FLOAT || a->of->type != LIB_FLOAT))
            return false;
    }
    return arrays > 0;
}

static bool may_be(const composer *c, const plan *p, lib_type type)
{
    uint32_t numbers = 0;
    bool may = !p->random && args_allow(p, type);
    const lib_algorithm *a = p->algorithm;
    if (may && a)
        may = !a->traits.tiles && !a->traits.random && (type != LIB_VEC || !a->traits.space) &&
              body_allows(c->l, type, a->body, a->nbody, &numbers);
    else if (may)
        may = body_allows(c->l, type, p->pattern->body, p->pattern->nbody, &numbers) &&
              (type != LIB_VEC || !p->pattern->traits.space);
    for (uint8_t i = 0; may && i < p->nsteps; i++)
        may = (a && a->result == p->steps[i].f && !p->steps[i].ending.part) ||
              step_allows(c->l, type, &p->steps[i], &numbers);
    for (uint8_t i = 0; may && i < p->nfilters; i++)
        may =
            body_allows(c->l, type, p->filters[i].part->body, p->filters[i].part->nbody, &numbers);
    return may && numbers <= NUMBERS_MAX;
}

bool generic_type(const composer *c, const plan *p, lib_type *type)
{
    *type = LIB_VEC;
    if (may_be(c, p, LIB_VEC))
        return true;
    *type = LIB_FLOAT;
    return may_be(c, p, LIB_FLOAT);
}

/* --- how it is written ------------------------------------------------------------------------ */

bool generic_is(const composer *c, lib_type t)
{
    return c->p.generic && c->p.generic_type == t;
}

/* "positions.dtype" */
str generic_of_kernel(composer *c)
{
    for (uint8_t i = 0; c->p.generic && i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        if (a->role == ROLE_QUANTITY && a->of->type == c->p.generic_type && a->axis != AXIS_NONE &&
            !a->written)
            return name_joined(c, a->name, ".", STR("dtype"));
    }
    return STR("");
}

/* "type(x)", or "table.dtype" */
str generic_of_function(composer *c, const lib_formula *f)
{
    for (uint32_t i = 0; c->p.generic && i < f->nparams; i++) {
        const lib_param *p = &f->params[i];
        if (p->of->type != c->p.generic_type)
            continue;
        return p->place == PLACE_WHOLE ? name_joined(c, sym_str(p->name), ".", STR("dtype"))
                                       : str_c(arena_printf(&c->text, "type(%s)", p->name->s));
    }
    return STR("");
}

/* 2.0 and float(n) of a kernel for all numbers: x.dtype(2.0), x.dtype(n) */
bool generic_put(composer *c, strbuf *out, const node *n)
{
    const bool number = n->kind == AST_Constant && AST(Constant, n)->value.kind == CONST_FLOAT;
    const sym *called = expr_called(n);
    const bool cast = called && str_eq(sym_str(called), STR("float"));
    if (!generic_is(c, LIB_FLOAT) || (!number && !cast))
        return false;
    const node *of = cast ? AST(Call, n)->args.v[0] : n;
    sb_str(out, c->generic_of);
    sb_char(out, '(');
    if (of->kind == AST_Constant)
        sb_str(out, *AST(Constant, of)->kind);
    else
        expr_put(c, out, of, UNPARSE_TERNARY);
    sb_char(out, ')');
    return true;
}

/* "x": wp.array[float] */
static void put_instance_of(composer *c, strbuf *b, const plan_arg *a)
{
    strbuf one;
    sb_init(&one, c->m);
    write_parameter(c, &one, a);
    const char *colon = memchr(one.p, ':', one.n);
    const size_t name = (size_t)(colon - one.p);
    sb_char(b, '"');
    sb_put(b, one.p, name);
    sb_char(b, '"');
    sb_put(b, colon, one.n - name);
    sb_clear(&one);
}

static void put_instances(composer *c, strbuf *b, const char *before, const char *between)
{
    bool first = true;
    for (uint8_t i = 0; i < c->p.nargs; i++) {
        const plan_arg *a = &c->p.args[i];
        if (a->role != ROLE_QUANTITY || a->of->type != c->p.generic_type)
            continue;
        sb_c(b, first ? before : between);
        first = false;
        put_instance_of(c, b, a);
    }
}

/* wp.overload(blend, {"x": wp.array(dtype=wp.vec3)}); in a line of its own each where it is long */
void generic_put_overload(composer *c)
{
    enum { LONG = 100 };
    strbuf *b = &c->source;
    c->p.generic = false; /* types as they are */
    SB_LIT(b, "\n\n");
    const size_t from = b->n;
    sb_printf(b, "wp.overload(%.*s, {", (int)c->kernel.n, c->kernel.p);
    put_instances(c, b, "", ", ");
    SB_LIT(b, "})\n");
    if (b->n - from > LONG) {
        b->n = from;
        sb_printf(b, "wp.overload(\n    %.*s,\n    {", (int)c->kernel.n, c->kernel.p);
        put_instances(c, b, "\n        ", ",\n        ");
        SB_LIT(b, ",\n    },\n)\n");
    }
    c->p.generic = true;
}

/* What a person has to know of it: which types, and for which an instance is asked. */
void generic_put_prompt(composer *c)
{
    strbuf *b = &c->prompt;
    if (!c->p.generic)
        return;
    if (c->p.generic_type == LIB_VEC)
        SB_LIT(b, "\nThe kernel is generic: `Any` stands for one type of vectors, `wp.vec2` "
                  "or `wp.vec3`, the same everywhere.");
    else
        SB_LIT(b, "\nThe kernel is generic: `Any` stands for one type of floating-point "
                  "numbers, the same everywhere.");
    SB_LIT(b, " Add an instance for `");
    c->p.generic = false;
    expr_put_type(c, b, c->p.generic_type);
    c->p.generic = true;
    SB_LIT(b, "` by `wp.overload`.\n");
}
