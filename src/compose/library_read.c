/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of src/compose/library/ into tables. Those files are part of the program, so a
 * mistake in one is a bug; it is reported with its place all the same, since people write them:
 *
 *     library/springs.py:12: there is no quantity "rest_lenght"
 */
#include "compose/library.h"
#include "compose/library_file.h"
#include "compose/library_traits.h"
#include "syntax/parser.h"
#include "syntax/unparse.h"

#include <stdio.h>

/* A file being read. */
typedef struct reader {
    library *l;
    const char *file;
    lib_field *field;
} reader;

/* All files of a library. */
typedef struct reading {
    library *l;
    const library_file *files;
} reading;

/* Keeps the first message. */
static void fail(reader *r, const node *at, const char *text, str name)
{
    library *l = r->l;
    if (!l->message[0])
        snprintf(l->message, sizeof l->message, "%s:%u: %s \"%.*s\"", r->file, at ? at->line : 0,
                 text, (int)name.n, name.p ? name.p : "");
}

static str text_of(reader *r, const node *n)
{
    if (n && n->kind == AST_Constant && AST(Constant, n)->value.kind == CONST_STR)
        return AST(Constant, n)->value.text;
    fail(r, n, "a string is wanted", STR(""));
    return STR("");
}

/* A text that ends in NUL, as lists of words are kept. */
static const char *words_of(reader *r, const node *n)
{
    const str s = text_of(r, n);
    return arena_dup(&r->l->c.perm, s.p, s.n);
}

static double number_of(reader *r, const node *n)
{
    double sign = 1;
    if (n->kind == AST_UnaryOp && AST(UnaryOp, n)->op == OP_USub) {
        sign = -1;
        n = AST(UnaryOp, n)->operand;
    }
    const constant *c = n->kind == AST_Constant ? &AST(Constant, n)->value : NULL;
    if (c && c->kind == CONST_INT)
        return sign * (double)c->i;
    if (c && c->kind == CONST_FLOAT)
        return sign * c->f;
    fail(r, n, "a number is wanted", STR(""));
    return 0;
}

static bool is_true(reader *r, const node *n)
{
    const constant *c = n->kind == AST_Constant ? &AST(Constant, n)->value : NULL;
    if (!c || (c->kind != CONST_TRUE && c->kind != CONST_FALSE))
        fail(r, n, "True or False is wanted", STR(""));
    return c && c->kind == CONST_TRUE;
}

static bool is_name(const node *n, const sym *name)
{
    return n && n->kind == AST_Name && AST(Name, n)->id == name;
}

static bool is_call(const node *n, const sym *name)
{
    return n && n->kind == AST_Call && is_name(AST(Call, n)->func, name);
}

/* --- quantities and fields ------------------------------------------------------------------- */

static lib_quantity *find_quantity(const library *l, const sym *id)
{
    return *library_slot(l, id);
}

static const char *type_name(lib_type t)
{
    static const char *const names[] = {
#define TYPE(ID, name, text, zero) name,
#include "compose/library_type.def"
#undef TYPE
    };
    return names[t];
}

static bool is_type(const sym *name, lib_type *out)
{
    for (int t = 0; t < LIB_TYPES; t++)
        if (str_eq(sym_str(name), str_c(type_name((lib_type)t)))) {
            *out = (lib_type)t;
            return true;
        }
    return false;
}

static lib_type read_type(reader *r, const node *n)
{
    lib_type t;
    if (n->kind == AST_Name && is_type(AST(Name, n)->id, &t))
        return t;
    fail(r, n, "a type is wanted", STR(""));
    return LIB_FLOAT;
}

/* mass = quantity(float, "kg", "mass", one="m", many="masses") */
static void read_quantity(reader *r, const sym *id, const ast_Call *c)
{
    library *l = r->l;
    lib_quantity *q = ARENA_NEW(&l->c.perm, lib_quantity);
    if (c->args.n != 3) {
        fail(r, &c->base, "a type, a unit and a noun are wanted for", sym_str(id));
        return;
    }
    const lib_quantity *known = find_quantity(l, id);
    if (known) {
        const char *where = known->file ? known->file : "every library";
        fail(r, &c->base, arena_printf(&l->c.perm, "%s has already a quantity", where),
             sym_str(id));
        return;
    }
    *q = (lib_quantity){.id = id,
                        .file = r->file,
                        .type = read_type(r, c->args.v[0]),
                        .unit = text_of(r, c->args.v[1]),
                        .noun = text_of(r, c->args.v[2]),
                        .one = id->s,
                        .many = id->s};
    for (uint32_t i = 0; i < c->keywords.n; i++) {
        const ast_keyword *k = AST(keyword, c->keywords.v[i]);
        const str name = sym_str(k->arg);
        if (str_eq(name, STR("one")))
            q->one = words_of(r, k->value);
        else if (str_eq(name, STR("many")))
            q->many = words_of(r, k->value);
        else if (str_eq(name, STR("low")))
            q->low = number_of(r, k->value);
        else if (str_eq(name, STR("high")))
            q->high = number_of(r, k->value);
        else if (str_eq(name, STR("share")))
            q->share = q->sums = is_true(r, k->value);
        else if (library_flag(q, name))
            *library_flag(q, name) = is_true(r, k->value);
        else if (str_eq(name, STR("means")))
            q->means = words_of(r, k->value);
        else if (str_eq(name, STR("not_with")))
            q->not_with = sym_c(&l->c.syms, words_of(r, k->value));
        else
            fail(r, &k->base, "a quantity has no", name);
    }
    library_add_quantity(l, q);
}

/* "particle particles" */
static lib_thing read_thing(reader *r, const node *n)
{
    const char *words = words_of(r, n);
    lib_thing t = {.one = str_take_word(&words)};
    t.many = str_take_word(&words);
    if (!t.one.n || !t.many.n || *words)
        fail(r, n, "one word and its plural are wanted", STR(""));
    return t;
}

/* field("Springs", element="particle particles", link="spring springs", dims=1) */
static void read_field(reader *r, const ast_Call *c)
{
    lib_field *f = r->field;
    f->link = (lib_thing){STR("pair"), STR("pairs")};
    f->group = (lib_thing){STR("group"), STR("groups")};
    if (c->args.n != 1)
        fail(r, &c->base, "one title is wanted", STR(""));
    else
        f->title = text_of(r, c->args.v[0]);
    for (uint32_t i = 0; i < c->keywords.n; i++) {
        const ast_keyword *k = AST(keyword, c->keywords.v[i]);
        const str name = sym_str(k->arg);
        bool *flag = str_eq(name, STR("apart"))   ? &f->apart
                     : str_eq(name, STR("all"))   ? &f->all
                     : str_eq(name, STR("pairs")) ? &f->pairs
                     : str_eq(name, STR("moves")) ? &f->moves
                     : str_eq(name, STR("state")) ? &f->state
                                                  : NULL;
        uint8_t *number = str_eq(name, STR("dims"))      ? &f->dims
                          : str_eq(name, STR("corners")) ? &f->corners
                          : str_eq(name, STR("share"))   ? &f->share
                                                         : NULL;
        if (flag)
            *flag = is_true(r, k->value);
        else if (number)
            *number = (uint8_t)number_of(r, k->value);
        else if (str_eq(name, STR("partner")))
            f->partner = text_of(r, k->value);
        else if (str_eq(name, STR("element")))
            f->element = read_thing(r, k->value);
        else if (str_eq(name, STR("other")))
            f->other = read_thing(r, k->value);
        else if (str_eq(name, STR("link")))
            f->link = read_thing(r, k->value);
        else if (str_eq(name, STR("group")) && (f->grouped = true))
            f->group = read_thing(r, k->value);
        else
            fail(r, &k->base, "a field has no", name);
    }
}

/* --- formulas and patterns ------------------------------------------------------------------- */

/* Words in braces are parameters, or words of the field. */
static void check_says(reader *r, const ast_FunctionDef *def, str says)
{
    const node_list *args = &AST(arguments, def->args)->args;
    for (const char *p = says.p, *end = p + says.n; p < end; p++) {
        const char *close = *p == '{' ? memchr(p, '}', (size_t)(end - p)) : NULL;
        if (!close)
            continue;
        const str word = {p + 1, (size_t)(close - p) - 1};
        str thing;
        const bool is_thing = library_thing(&(lib_field){0}, word, &thing);
        bool is_param = false;
        for (uint32_t i = 0; i < args->n; i++)
            is_param |= str_eq(sym_str(AST(arg, args->v[i])->arg), word);
        if (is_thing && is_param)
            fail(r, &def->base, "no parameter has a name that sentences have for things:", word);
        if (!is_thing && !is_param)
            fail(r, &def->base, "a sentence speaks of an unknown", word);
        p = close;
    }
}

/* Takes the sentence off the body. */
static str take_says(reader *r, const ast_FunctionDef *def, const node *const **body, uint32_t *n)
{
    *body = (const node *const *)def->body.v;
    *n = def->body.n;
    if (*n < 2 || (*body)[0]->kind != AST_Expr) {
        fail(r, &def->base, "a sentence and a body are wanted in", sym_str(def->name));
        return STR("");
    }
    const str says = text_of(r, AST(Expr, (*body)[0])->value);
    ++*body;
    --*n;
    check_says(r, def, says);
    return says;
}

static bool read_place(const sym *name, lib_place *out)
{
    for (int p = 0; p < PLACES; p++)
        if (str_eq(sym_str(name), str_c(library_place_name((lib_place)p)))) {
            *out = (lib_place)p;
            return true;
        }
    return false;
}

/* ["n,k"], ["e", "0:n"]; ["-1:o"]: values, and the shape of the place; ["4,n", "", "history of the
 * *"]: what it is */
static void read_shape(reader *r, const node *n, lib_param *p)
{
    const ast_Tuple *all = n->kind == AST_Tuple ? AST(Tuple, n) : NULL;
    if (all && (all->elts.n == 2 || all->elts.n == 3)) {
        p->shape = words_of(r, all->elts.v[0]);
        p->values = words_of(r, all->elts.v[1]);
        if (all->elts.n == 3) {
            p->noun = words_of(r, all->elts.v[2]);
            p->values = *p->values ? p->values : NULL;
        }
        return;
    }
    const char *text = words_of(r, n);
    *(strchr(text, ':') ? &p->values : &p->shape) = text;
}

/* `mass`, `other.mass`, `out.mass["n,k"]` */
static lib_param read_param(reader *r, const ast_arg *a)
{
    lib_param p = {.name = a->arg};
    const node *n = a->annotation;
    if (n && n->kind == AST_Subscript) {
        read_shape(r, AST(Subscript, n)->slice, &p);
        n = AST(Subscript, n)->value;
    }
    const sym *quantity = NULL;
    bool placed = false;
    if (n && n->kind == AST_Attribute && AST(Attribute, n)->value->kind == AST_Name) {
        quantity = AST(Attribute, n)->attr;
        placed = read_place(AST(Name, AST(Attribute, n)->value)->id, &p.place);
        if (!placed)
            fail(r, n, "there is no place for", sym_str(a->arg));
    } else if (n && n->kind == AST_Name) {
        quantity = AST(Name, n)->id;
    }
    p.of = quantity ? find_quantity(r->l, quantity) : NULL;
    if (!p.of)
        fail(r, &a->base, "there is no quantity", quantity ? sym_str(quantity) : STR(""));
    else if (!placed)
        p.place = p.of->uniform ? PLACE_UNIFORM : PLACE_ELEMENT;
    return p;
}

/* The keywords of @formula(...); a plain @formula has none. */
static const node_list *keywords_of(const node *decorator)
{
    static const node_list none;
    return decorator->kind == AST_Call ? &AST(Call, decorator)->keywords : &none;
}

/* x: float */
static lib_param read_typed(reader *r, const ast_arg *a)
{
    lib_param p = {.name = a->arg, .place = PLACE_UNIFORM};
    const node *n = a->annotation;
    lib_quantity *q = ARENA_NEW(&r->l->c.perm, lib_quantity);
    *q = (lib_quantity){.id = a->arg, .one = a->arg->s, .many = a->arg->s};
    if (!n || n->kind != AST_Name)
        fail(r, &a->base, "a type is wanted for", sym_str(a->arg));
    else
        q->type = read_type(r, n);
    p.of = q;
    return p;
}

/* A function that algorithms and formulas call; it may return several values. */
static void read_helper(reader *r, const ast_FunctionDef *def)
{
    lib_formula *f = ARENA_NEW(&r->l->c.perm, lib_formula);
    const ast_arguments *args = AST(arguments, def->args);
    f->def = def;
    f->field = r->field;
    f->says = take_says(r, def, &f->body, &f->nbody);
    if (args->args.n > LIB_PARAMS)
        fail(r, &def->base, "there are too many parameters in", sym_str(def->name));
    for (uint32_t i = 0; i < args->args.n && i < LIB_PARAMS; i++)
        f->params[f->nparams++] = read_typed(r, AST(arg, args->args.v[i]));
    VEC_PUSH(&r->l->c.perm, &r->l->functions, f);
}

/* Notes which quantities a formula gives, and what one of the element alone takes. */
static void list_by_quantities(library *l, const lib_formula *f)
{
    lib_quantity *result = find_quantity(l, f->result->id);
    result->given = true;
    for (uint32_t k = 0; k < f->nparams; k++)
        result->renewed |= f->params[k].of == f->result && f->params[k].place == PLACE_ELEMENT;
    if (f->places & ~(uint32_t)LIB_ALONE)
        return;
    for (uint32_t k = 0; k < f->nparams; k++) {
        lib_quantity *q = find_quantity(l, f->params[k].of->id);
        bool takes = f->params[k].place == PLACE_ELEMENT && q->id != l->words.random_state;
        for (uint32_t i = 0; i < k; i++) /* once */
            takes &= f->params[i].of != q || f->params[i].place != PLACE_ELEMENT;
        if (takes)
            VEC_PUSH(&l->c.perm, &q->takers, f);
    }
    VEC_PUSH(&l->c.perm, &result->givers, f);
}

static void read_formula(reader *r, const ast_FunctionDef *def)
{
    library *l = r->l;
    lib_formula *f = ARENA_NEW(&l->c.perm, lib_formula);
    const ast_arguments *args = AST(arguments, def->args);
    f->def = def;
    f->field = r->field;
    f->says = take_says(r, def, &f->body, &f->nbody);
    if (str_contains(f->says, STR(": "))) /* "the spring force: " stands before it */
        fail(r, &def->base, "a colon would stand behind another in", sym_str(def->name));
    if (args->args.n > LIB_PARAMS)
        fail(r, &def->base, "there are too many parameters in", sym_str(def->name));
    for (uint32_t i = 0; i < args->args.n && i < LIB_PARAMS; i++) {
        f->params[f->nparams] = read_param(r, AST(arg, args->args.v[i]));
        f->places |= 1u << f->params[f->nparams++].place;
    }
    const node *result = def->returns;
    f->result = result && result->kind == AST_Name ? find_quantity(l, AST(Name, result)->id) : NULL;
    if (!f->result)
        fail(r, &def->base, "there is no known result of", sym_str(def->name));
    if (!f->nbody || f->body[f->nbody - 1]->kind != AST_Return)
        fail(r, &def->base, "there is no return at the end of", sym_str(def->name));
    const node_list *keywords = keywords_of(def->decorator_list.v[0]);
    for (uint32_t i = 0; i < keywords->n; i++) {
        const ast_keyword *k = AST(keyword, keywords->v[i]);
        if (str_eq(sym_str(k->arg), STR("opposite")))
            f->opposite = is_true(r, k->value);
        else if (str_eq(sym_str(k->arg), STR("first")))
            f->first = is_true(r, k->value);
        else if (str_eq(sym_str(k->arg), STR("alone")))
            f->alone = is_true(r, k->value);
        else if (str_eq(sym_str(k->arg), STR("inner")))
            f->inner = is_true(r, k->value);
        else if (str_eq(sym_str(k->arg), STR("undoes")))
            f->undoes = sym_c(&r->l->c.syms, words_of(r, k->value));
        else
            fail(r, &k->base, "a formula has no", sym_str(k->arg));
    }
    if (l->message[0])
        return;
    f->traits = library_traits(l, f->body, f->nbody);
    f->traits.early = library_returns(f->body, f->nbody) > 1;
    library_see_types(&f->traits, f->params, f->nparams, f->result);
    VEC_PUSH(&l->c.perm, &l->formulas, f);
    list_by_quantities(l, f);
}

static uint32_t read_places(reader *r, const node *at, const char *words)
{
    uint32_t places = 0;
    for (str w; (w = str_take_word(&words)).n;) {
        lib_place p;
        const sym *s = sym_intern(&r->l->c.syms, w.p, w.n);
        if (read_place(s, &p))
            places |= 1u << p;
        else
            fail(r, at, "there is no place", w);
    }
    return places;
}

static bool is_binding(const ast_arg *a, lib_binding *out)
{
    static const char *const names[] = {
#define BINDING(ID, name, ...) name,
#include "compose/library_binding.def"
#undef BINDING
    };
    const node *n = a->annotation;
    if (n && n->kind == AST_Subscript)
        n = AST(Subscript, n)->value;
    for (int i = 0; n && n->kind == AST_Name && i < BINDINGS; i++)
        if (str_eq(sym_str(AST(Name, n)->id), str_c(names[i]))) {
            *out = (lib_binding)i;
            return true;
        }
    return false;
}

/* A parameter of a pattern or an algorithm: bound, or a quantity. */
static void read_bound_param(reader *r, const ast_arg *a, lib_param *p, lib_binding *b)
{
    *b = BINDINGS;
    *p = (lib_param){.name = a->arg};
    if (!is_binding(a, b))
        *p = read_param(r, a);
    else if (a->annotation->kind == AST_Subscript)
        p->noun = words_of(r, AST(Subscript, a->annotation)->slice);
}

static uint32_t read_bound_params(reader *r, const ast_FunctionDef *def, lib_param *params,
                                  lib_binding *bindings)
{
    const node_list *args = &AST(arguments, def->args)->args;
    if (args->n > LIB_PARAMS)
        fail(r, &def->base, "there are too many parameters in", sym_str(def->name));
    const uint32_t n = args->n < LIB_PARAMS ? args->n : LIB_PARAMS;
    for (uint32_t i = 0; i < n; i++)
        read_bound_param(r, AST(arg, args->v[i]), &params[i], &bindings[i]);
    return n;
}

/* at(PLACE, ...) gives the place. */
static void walk_gives(void *arg, const node *n)
{
    lib_pattern *p = arg;
    if (n->kind == AST_Call && AST(Call, n)->func->kind == AST_Name &&
        strcmp(AST(Name, AST(Call, n)->func)->id->s, "at") == 0 && AST(Call, n)->args.n > 1 &&
        AST(Call, n)->args.v[0]->kind == AST_Name) {
        lib_place place;
        if (read_place(AST(Name, AST(Call, n)->args.v[0])->id, &place))
            p->gives |= 1u << place;
    }
    ast_each_child(n, walk_gives, arg);
}

/* What a launch has a thread for. */
static lib_over read_over(reader *r, const node *n)
{
    static const char *const names[] = {"element", "link", "active", "worlds", "flat"};
    const str word = text_of(r, n);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(word, str_c(names[i])))
            return (lib_over)i;
    fail(r, n, "there are no launches over", word);
    return LIB_OVER_ELEMENTS;
}

static lib_kind read_kind(reader *r, const node *n)
{
    const str word = text_of(r, n);
    if (!str_eq(word, STR("same")) && !str_eq(word, STR("different")))
        fail(r, n, "others are same or different, not", word);
    return str_eq(word, STR("same")) ? LIB_KIND_SAME : LIB_KIND_DIFFERENT;
}

static lib_into read_into(reader *r, const node *n)
{
    static const char *const names[] = {"ends", "first", "one", "group", "corners"};
    const str word = text_of(r, n);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(word, str_c(names[i])))
            return (lib_into)(LIB_INTO_ENDS + (int)i);
    fail(r, n, "results do not go into", word);
    return LIB_INTO_ELEMENT;
}

static void read_pattern(reader *r, const ast_FunctionDef *def)
{
    library *l = r->l;
    lib_pattern *p = ARENA_NEW(&l->c.perm, lib_pattern);
    p->def = def;
    p->dims = 1;
    p->share = 10;
    p->says = take_says(r, def, &p->body, &p->nbody);
    p->nparams = read_bound_params(r, def, p->params, p->bindings);
    const node_list *keywords = keywords_of(def->decorator_list.v[0]);
    for (uint32_t i = 0; i < keywords->n; i++) {
        const ast_keyword *k = AST(keyword, keywords->v[i]);
        const str name = sym_str(k->arg);
        if (str_eq(name, STR("needs")))
            p->needs = read_places(r, &k->base, words_of(r, k->value));
        else if (str_eq(name, STR("dims")))
            p->dims = (uint8_t)number_of(r, k->value);
        else if (str_eq(name, STR("over")))
            p->over = read_over(r, k->value);
        else if (str_eq(name, STR("share")))
            p->share = (uint8_t)number_of(r, k->value);
        else if (str_eq(name, STR("sums")))
            p->sums = is_true(r, k->value);
        else if (str_eq(name, STR("into")))
            p->into = read_into(r, k->value);
        else if (str_eq(name, STR("means")))
            p->means = text_of(r, k->value);
        else if (str_eq(name, STR("others")))
            p->kind = read_kind(r, k->value);
        else if (str_eq(name, STR("opposite")))
            p->opposite = is_true(r, k->value);
        else if (str_eq(name, STR("of")))
            p->of = words_of(r, k->value);
        else if (str_eq(name, STR("clamps")))
            p->clamps = is_true(r, k->value);
        else if (str_eq(name, STR("one")))
            p->one = is_true(r, k->value);
        else if (str_eq(name, STR("by_value")))
            p->one = p->by_value = is_true(r, k->value);
        else
            fail(r, &k->base, "a pattern has no", name);
    }
    if (l->message[0])
        return;
    for (uint32_t i = 0; i < p->nbody; i++) {
        walk_gives(p, p->body[i]);
        const node *n = p->body[i]->kind == AST_Expr ? AST(Expr, p->body[i])->value : NULL;
        p->plain |= is_call(n, l->words.at) && AST(Call, n)->args.n > 1 &&
                    is_name(AST(Call, n)->args.v[0], sym_c(&l->c.syms, "element"));
    }
    p->plain &= !library_returns(p->body, p->nbody);
    p->gives |= 1u << PLACE_UNIFORM;
    p->traits = library_traits(l, p->body, p->nbody);
    library_see_types(&p->traits, p->params, p->nparams, NULL);
    p->traits.space = p->traits.solid ? 3 : p->traits.space;
    VEC_PUSH(&l->c.perm, &l->patterns, p);
}

/* The field with another thing for each thread, or for each link: points, where the field has
 * words. */
static const lib_field *field_of(reader *r, const node *n, bool link)
{
    lib_field *f = ARENA_NEW(&r->l->c.perm, lib_field);
    *f = *r->field;
    *(link ? &f->link : &f->element) = read_thing(r, n);
    VEC_PUSH(&r->l->c.perm, &r->l->fields, f);
    return f;
}

/* "float vec": vec stands for all vectors of quantities. */
static uint32_t read_types(reader *r, const node *at, const char *words)
{
    uint32_t types = 0;
    for (str w; (w = str_take_word(&words)).n;) {
        lib_type t;
        if (!is_type(sym_intern(&r->l->c.syms, w.p, w.n), &t))
            fail(r, at, "there is no type", w);
        else
            types |= t == LIB_VEC ? 1u << LIB_VEC | 1u << LIB_VEC2 | 1u << LIB_VEC3 : 1u << t;
    }
    return types;
}

static void read_algorithm(reader *r, const ast_FunctionDef *def)
{
    library *l = r->l;
    lib_algorithm *a = ARENA_NEW(&l->c.perm, lib_algorithm);
    a->def = def;
    a->field = r->field;
    a->dims = r->field->dims;
    a->share = 4;
    a->says = take_says(r, def, &a->body, &a->nbody);
    a->nparams = read_bound_params(r, def, a->params, a->bindings);
    const node_list *keywords = keywords_of(def->decorator_list.v[0]);
    for (uint32_t i = 0; i < keywords->n; i++) {
        const ast_keyword *k = AST(keyword, keywords->v[i]);
        const str name = sym_str(k->arg);
        if (str_eq(name, STR("dims")))
            a->dims = (uint8_t)number_of(r, k->value);
        else if (str_eq(name, STR("over")))
            a->over = read_over(r, k->value);
        else if (str_eq(name, STR("share")))
            a->share = (uint8_t)number_of(r, k->value);
        else if (str_eq(name, STR("one")))
            a->one = is_true(r, k->value);
        else if (str_eq(name, STR("element")) || str_eq(name, STR("link")))
            a->field = field_of(r, k->value, str_eq(name, STR("link")));
        else if (str_eq(name, STR("titles")) && (a->any = true))
            a->titles = words_of(r, k->value);
        else if (str_eq(name, STR("of")))
            a->of = words_of(r, k->value);
        else if (str_eq(name, STR("types")))
            a->types = read_types(r, &k->base, words_of(r, k->value));
        else
            fail(r, &k->base, "an algorithm has no", name);
    }
    if (l->message[0])
        return;
    a->traits = library_traits(l, a->body, a->nbody);
    library_see_types(&a->traits, a->params, a->nparams, NULL);
    VEC_PUSH(&l->c.perm, &l->algorithms, a);
    if (a->any)
        library_see_any(l, a);
    else
        library_find_result(l, a);
}

/* @ending(types="float vec", sums=True, share=4), @filter(dims=1) */
static lib_part *read_part(reader *r, const ast_FunctionDef *def)
{
    library *l = r->l;
    lib_part *p = ARENA_NEW(&l->c.perm, lib_part);
    p->def = def;
    p->share = 10;
    p->says = take_says(r, def, &p->body, &p->nbody);
    p->nparams = read_bound_params(r, def, p->params, p->bindings);
    const node_list *keywords = keywords_of(def->decorator_list.v[0]);
    for (uint32_t i = 0; i < keywords->n; i++) {
        const ast_keyword *k = AST(keyword, keywords->v[i]);
        const str name = sym_str(k->arg);
        if (str_eq(name, STR("types")))
            p->types = read_types(r, &k->base, words_of(r, k->value));
        else if (str_eq(name, STR("sums")))
            p->sums = is_true(r, k->value);
        else if (str_eq(name, STR("linear")))
            p->linear = is_true(r, k->value);
        else if (str_eq(name, STR("positive")))
            p->positive = is_true(r, k->value);
        else if (str_eq(name, STR("fresh")))
            p->fresh = is_true(r, k->value);
        else if (str_eq(name, STR("alone")))
            p->alone = is_true(r, k->value);
        else if (str_eq(name, STR("light")))
            p->light = is_true(r, k->value);
        else if (str_eq(name, STR("means")))
            p->means = text_of(r, k->value);
        else if (str_eq(name, STR("before")))
            p->before = text_of(r, k->value);
        else if (str_eq(name, STR("after")))
            p->after = text_of(r, k->value);
        else if (str_eq(name, STR("gives")))
            p->gives = text_of(r, k->value);
        else if (str_eq(name, STR("units")))
            p->units = words_of(r, k->value);
        else if (str_eq(name, STR("fields")))
            p->fields = words_of(r, k->value);
        else if (str_eq(name, STR("of")))
            p->of = words_of(r, k->value);
        else if (str_eq(name, STR("share")))
            p->share = (uint8_t)number_of(r, k->value);
        else if (str_eq(name, STR("dims")))
            p->dims = (uint8_t)number_of(r, k->value);
        else
            fail(r, &k->base, "an ending or a filter has no", name);
    }
    p->traits = library_traits(l, p->body, p->nbody);
    p->ahead = library_ahead(p);
    return p;
}

/* --- files ----------------------------------------------------------------------------------- */

static void read_function(reader *r, const ast_FunctionDef *def)
{
    const lib_words *w = &r->l->words;
    const node *d = def->decorator_list.n == 1 ? def->decorator_list.v[0] : NULL;
    if (is_name(d, w->formula) || is_call(d, w->formula))
        read_formula(r, def);
    else if (is_name(d, w->pattern) || is_call(d, w->pattern))
        read_pattern(r, def);
    else if (is_name(d, w->algorithm) || is_call(d, w->algorithm))
        read_algorithm(r, def);
    else if (is_name(d, w->function))
        read_helper(r, def);
    else if (is_name(d, w->ending) || is_call(d, w->ending))
        VEC_PUSH(&r->l->c.perm, &r->l->endings, read_part(r, def));
    else if (is_name(d, w->filter) || is_call(d, w->filter))
        VEC_PUSH(&r->l->c.perm, &r->l->filters, read_part(r, def));
    else
        fail(r, &def->base,
             "@formula, @function, @pattern, @algorithm, @ending or @filter is wanted before",
             sym_str(def->name));
}

/* Quantities and the field first: formulas of any file refer to them. */
static void read_definitions(reader *r, const ast_Module *m)
{
    const lib_words *w = &r->l->words;
    for (uint32_t i = 0; i < m->body.n; i++) {
        const node *n = m->body.v[i];
        if (n->kind == AST_Assign && is_call(AST(Assign, n)->value, w->quantity) &&
            AST(Assign, n)->targets.v[0]->kind == AST_Name)
            read_quantity(r, AST(Name, AST(Assign, n)->targets.v[0])->id,
                          AST(Call, AST(Assign, n)->value));
        else if (n->kind == AST_Expr && is_call(AST(Expr, n)->value, w->field))
            read_field(r, AST(Call, AST(Expr, n)->value));
        else if (n->kind != AST_FunctionDef && n->kind != AST_Expr && n->kind != AST_Import &&
                 n->kind != AST_ImportFrom)
            fail(r, n, "this is no part of a library", STR(""));
    }
}

static void read_files(void *arg)
{
    const reading *all = arg;
    library *l = all->l;
    ctx_init(&l->c);
#define WORD(name) l->words.name = sym_c(&l->c.syms, #name);
#include "compose/library_word.def"
#undef WORD
    l->slots = arena_zero(&l->c.perm, LIB_SLOTS * sizeof *l->slots);
    library_add_words(l);
    ast_Module *trees[LIBRARY_FILES_MAX];
    reader readers[LIBRARY_FILES_MAX];
    uint32_t n = 0;
    for (const library_file *f = all->files; f->name; f++, n++) {
        WEFT_ASSERT(n < LIBRARY_FILES_MAX);
        source *src = ARENA_NEW(&l->c.perm, source);
        *src = (source){.path = f->name, .text = *f->text};
        readers[n] = (reader){l, f->name, ARENA_NEW(&l->c.perm, lib_field)};
        readers[n].field->file = f->name;
        readers[n].field->dims = 1;
        VEC_PUSH(&l->c.perm, &l->fields, readers[n].field);
        trees[n] = parse_module(&l->c, src);
        if (!trees[n]) {
            fail(&readers[n], NULL, l->c.diags.n ? l->c.diags.v[0].text : "syntax error", STR(""));
            return;
        }
        read_definitions(&readers[n], trees[n]);
        library_keep_numbers(&(library_spelling){src, &l->c.perm}, &trees[n]->base);
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < trees[k]->body.n; i++)
            if (trees[k]->body.v[i]->kind == AST_FunctionDef)
                read_function(&readers[k], AST(FunctionDef, trees[k]->body.v[i]));
    library_profile(l);
    if (!l->message[0])
        library_see(l);
}

library *library_of(const library_file *files)
{
    library *l = heap_zeroed(1, sizeof *l);
    if (!l)
        return NULL;
    mem_init(&l->c.mem);
    if (mem_try(&l->c.mem, read_files, &(reading){l, files}))
        return l;
    library_free(l);
    return NULL;
}

library *library_new(void)
{
    return library_of(library_files);
}
