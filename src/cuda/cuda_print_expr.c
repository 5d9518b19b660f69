/* SPDX-License-Identifier: Apache-2.0 */
/* Prints expressions of a finished tree as CUDA C++. Each text carries the precedence of its
 * outermost operator (cudarule_text.h), so that parentheses stand only where they are needed:
 *
 *     mul(add(a, b), 2.0)                      ->   (a + b) * 2.0f
 *     load(element(y%1, i%2))                  ->   y[i]
 *     component(v%4, 1)                        ->   v.y
 *     choose(`$0 > 0.0f`(n%23), adj, zero())   ->   n > 0.0f ? adj : 0.0f
 *     `$0 * powf($1, $0 - 1.0f)`(3.0, x)       ->   3.0f * powf(x, 2.0f)
 *
 * Builtins get their text from cudarule (cuda_call), calls of the program's functions from
 * cuda_print_call.c, elements of arrays from cuda_array.c. `atomicAdd` comes from cuda_call, too:
 * cudarule_atomic.c chooses it. */
#include <math.h>

#include "cuda/cuda_array.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_print.h"
#include "cuda/cuda_row.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"
#include "cudarule/cudarule_call.h"
#include "cudarule/cudarule_number.h"
#include "cudarule/cudarule_type.h"

/* A text that never needs parentheses. */
static cuda_expr primary(str text, const type *t)
{
    return cuda_expr_of(text, t, CUDA_PRIMARY);
}

/* e as an operand of an operator that binds like `least`. */
str cuda_print_at(cuda_fn *f, const cx *e, cuda_prec least)
{
    const cuda_expr x = cuda_print_expr(f, e);
    return cuda_operand(f->job->defs, &x, least);
}

/* Reports that `what` has no plain form; a zero stands for it. */
static cuda_expr no_form(cuda_fn *f, str what)
{
    cuda_unsupported_str(f, what);
    return primary(STR("0"), cuda_int(f));
}

/* The value of a constant as a double; cuda_number rounds it to the type. */
static double number_of(const value *k)
{
    return value_has_f(k) ? k->f : (double)k->i;
}

/* Integers keep all their digits:
 *
 *     -2147483648 as int            (-2147483647 - 1)
 *     3000000000 as unsigned int    0xb2d05e00u
 *     5 as unsigned long long       5ULL
 *
 * The smallest of a type has no literal in C: -2147483648 is the negation of a number that is too
 * large. Large unsigned ones, which are mostly masks and hashes, are hexadecimal. */
static cuda_expr integer(cuda_fn *f, const type *t, __int128 x)
{
    strbuf b;
    sb_init(&b, &f->c->mem);
    const bool wide = t->kind == TYPE_INT64 || t->kind == TYPE_UINT64;
    const bool is_unsigned = t->kind == TYPE_UINT32 || t->kind == TYPE_UINT64;
    if (t->kind == TYPE_UINT32)
        x = (uint32_t)x;
    if (t->kind == TYPE_INT32)
        x = (int32_t)x;
    const bool least =
        (t->kind == TYPE_INT32 && x == INT32_MIN) || (t->kind == TYPE_INT64 && x == INT64_MIN);
    if (least) {
        sb_c(&b, wide ? "(-9223372036854775807LL - 1)" : "(-2147483647 - 1)");
    } else {
        if (is_unsigned && x > 0xffff && t->kind == TYPE_UINT32)
            sb_printf(&b, "0x%xu", (unsigned)x);
        else {
            sb_int128(&b, x);
            sb_c(&b, is_unsigned && wide ? "ULL" : is_unsigned ? "u" : wide ? "LL" : "");
        }
    }
    cuda_expr r = cuda_literal(cuda_keep(f, &b), t, CUDA_PRIMARY, (int64_t)x);
    if (x < 0 && !least) {
        const cuda_expr positive = primary((str){r.text.p + 1, r.text.n - 1}, t);
        r.prec = CUDA_UNARY;
        r.negates = cuda_kept(f->job->defs, &positive);
    }
    return r;
}

static cuda_expr scalar(cuda_fn *f, const type *t, const value *k)
{
    WEFT_ASSERT(type_is_scalar(t) && value_is_number(k));
    if (type_is_integer(t) && !value_has_f(k))
        return integer(f, t, k->i);
    return cuda_number(f->job->defs, t, number_of(k));
}

/* "vec3{1.0f, 2.0f, 3.0f}"; of a transformation "{{p}, {q}}". */
static cuda_expr composite(cuda_fn *f, const type *t, const value *k)
{
    strbuf b;
    sb_init(&b, &f->c->mem);
    const int n = t->rows * (t->kind == TYPE_MAT ? t->cols : 1);
    /* a position and a rotation, each in braces */
    const bool parts = t->kind == TYPE_TRANSFORM;
    if (parts)
        sb_char(&b, '{');
    for (int i = 0; i < n; i++) {
        if (i)
            sb_c(&b, parts && i == 3 ? "}, {" : ", ");
        sb_str(&b, cuda_number(f->job->defs, t->elem,
                               type_is_float(t->elem) ? k->elems[i] : (double)k->ielems[i])
                       .text);
    }
    if (parts)
        sb_char(&b, '}');
    return cuda_braces(f->job->defs, t, cuda_type_name(f->job->defs, t), cuda_keep(f, &b), NULL, 0);
}

/* A string literal. "??" is broken by a backslash: it may begin a trigraph. */
static cuda_expr string(cuda_fn *f, const value *k)
{
    strbuf b;
    sb_init(&b, &f->c->mem);
    sb_char(&b, '"');
    for (size_t i = 0; i < k->s->len; i++) {
        const unsigned char c = (unsigned char)k->s->s[i];
        if (c == '\n')
            SB_LIT(&b, "\\n");
        else if (c == '\t')
            SB_LIT(&b, "\\t");
        else if (c < 32)
            sb_printf(&b, "\\%03o", c);
        else if (c == '"' || c == '\\' || (c == '?' && i && k->s->s[i - 1] == '?'))
            sb_printf(&b, "\\%c", c);
        else
            sb_char(&b, (char)c);
    }
    sb_char(&b, '"');
    return primary(cuda_keep(f, &b), NULL);
}

/* A constant of the program: a number, a composite or a string. */
static cuda_expr constant_text(cuda_fn *f, const cx *e)
{
    const value *k = e->k;
    if (k->kind == VALUE_STR)
        return string(f, k);
    if (type_is_scalar(e->type) && value_is_number(k))
        return scalar(f, e->type, k);
    if (k->kind == VALUE_COMPOSITE)
        return composite(f, e->type, k);
    return no_form(f, STR("this constant"));
}

/* a op b. Compilers warn of && beside ||, and of comparisons beside others: these get parentheses
 * that the grammar does not need. */
static cuda_expr binary(cuda_fn *f, const cx *e, const char *op, cuda_prec prec)
{
    const bool compares = e->kind == CX_COMPARE;
    /* compilers warn of && beside ||, and of comparisons beside others */
    const cuda_prec left = prec == CUDA_OR && e->args[0]->kind == CX_AND ? CUDA_BIT_OR
                           : compares                                    ? CUDA_SHIFT
                                                                         : prec;
    const cuda_prec right = prec == CUDA_OR ? CUDA_BIT_OR : compares ? CUDA_SHIFT : prec + 1;
    const str a = cuda_print_at(f, e->args[0], left);
    const str b = cuda_print_at(f, e->args[1], right);
    return cuda_expr_of(cuda_sprintf(f, "%.*s %s %.*s", (int)a.n, a.p, op, (int)b.n, b.p), e->type,
                        prec);
}

/* Composites are compared by a function that cudarule defines. */
static cuda_expr comparison(cuda_fn *f, const cx *e)
{
    WEFT_ASSERT(e->kind == CX_COMPARE && e->name.n >= 1 && e->name.n <= 2);
    const bool equality = str_eq(e->name, STR("==")) || str_eq(e->name, STR("!="));
    const type *t = e->args[0]->type;
    if (t->kind > TYPE_FLOAT64 || type_is_composite(t)) {
        cuda_expr args[] = {cuda_print_expr(f, e->args[0]), cuda_print_expr(f, e->args[1])};
        const cuda_expr x = cuda_call(f->job->defs, e->name, e->type, args, 2);
        return x.prec ? x : no_form(f, STR("this comparison"));
    }
    char op[3] = {0};
    memcpy(op, e->name.p, e->name.n < 2 ? e->name.n : 2);
    return binary(f, e, op, equality ? CUDA_EQUAL : CUDA_COMPARE);
}

/* "not array" tests whether there is one: by its pointer. */
static cuda_expr negation(cuda_fn *f, const cx *e)
{
    if (e->args[0]->type->kind == TYPE_ARRAY) {
        const str a = cuda_pointer_text(f, e->args[0]);
        return cuda_expr_of(cuda_sprintf(f, "!(%.*s)", (int)a.n, a.p), e->type, CUDA_UNARY);
    }
    const str a = cuda_print_at(f, e->args[0], CUDA_UNARY);
    return cuda_expr_of(cuda_sprintf(f, "!%.*s", (int)a.n, a.p), e->type, CUDA_UNARY);
}

/* c ? a : b. A choice in the last operand needs no parentheses, one in the others does. */
static cuda_expr choice(cuda_fn *f, const cx *e)
{
    const str c = cuda_print_at(f, e->args[0], CUDA_OR), a = cuda_print_at(f, e->args[1], CUDA_OR),
              b = cuda_print_at(f, e->args[2], CUDA_COND);
    return cuda_expr_of(
        cuda_sprintf(f, "%.*s ? %.*s : %.*s", (int)c.n, c.p, (int)a.n, a.p, (int)b.n, b.p), e->type,
        CUDA_COND);
}

/* Members of the program's structs may have other names in C++ (cuda_member_name): a field called
 * `class`. */
static cuda_expr field(cuda_fn *f, const cx *e)
{
    const str a = cuda_print_at(f, e->args[0], CUDA_POSTFIX),
              name = cuda_member_name(f, e->args[0]->type, e->name);
    return cuda_expr_of(cuda_sprintf(f, "%.*s.%.*s", (int)a.n, a.p, (int)name.n, name.p), e->type,
                        CUDA_POSTFIX);
}

/* A constant index, counted from the front; -1: none. */
static int constant_index(const cx *e, int length)
{
    int64_t i = -1;
    if (e->kind == CX_NUMBER)
        i = e->number;
    else if (e->kind == CX_CONST && value_is_number(e->k) && !value_has_f(e->k))
        i = (int64_t)e->k->i;
    else
        return -1;
    return (int)(i < 0 ? i + length : i);
}

/* A constant index as a number, another one with what makes negative ones count from the end. */
static str index_text(cuda_fn *f, const cx *e, int length)
{
    const int i = constant_index(e, length);
    return i >= 0 ? cuda_sprintf(f, "%d", i) : cuda_component_text(f, e, length);
}

/* A component as an lvalue. Members x, y, z, w are reached by a pointer where the index is not
 * known before: they follow each other in memory. */
static cuda_expr component(cuda_fn *f, const cx *e)
{
    WEFT_ASSERT(e->nargs == 2 || e->nargs == 3);
    const cx *base = e->args[0];
    const type *t = base->type;
    const str b = cuda_print_at(f, base, CUDA_POSTFIX);
    const str i = index_text(f, e->args[1], t->rows);
    str text = {NULL, 0};
    if (t->kind == TYPE_MAT && e->nargs == 3) {
        const str k = index_text(f, e->args[2], t->cols);
        text = cuda_sprintf(f, "%.*s.m[%.*s][%.*s]", (int)b.n, b.p, (int)i.n, i.p, (int)k.n, k.p);
    } else if (t->kind == TYPE_QUAT || (t->kind == TYPE_VEC && t->rows <= 4)) {
        const int k = constant_index(e->args[1], t->rows);
        if (k >= 0 && k < 4)
            text = cuda_sprintf(f, "%.*s.%c", (int)b.n, b.p, "xyzw"[k]);
        else
            text = cuda_sprintf(f, "(&%.*s.x)[%.*s]", (int)b.n, b.p, (int)i.n, i.p);
    } else if (t->kind == TYPE_VEC) {
        text = cuda_sprintf(f, "%.*s.c[%.*s]", (int)b.n, b.p, (int)i.n, i.p);
    } else if (t->kind == TYPE_TRANSFORM) {
        const int k = constant_index(e->args[1], t->rows);
        if (k >= 0 && k < 7)
            text = cuda_sprintf(f, "%.*s.%c.%c", (int)b.n, b.p, k < 3 ? 'p' : 'q', "xyzxyzw"[k]);
        else
            text = cuda_sprintf(f, "(&%.*s.p.x)[%.*s]", (int)b.n, b.p, (int)i.n, i.p);
    } else {
        return no_form(f, STR("an assignment to a row of a matrix"));
    }
    return cuda_expr_of(text, e->type, CUDA_POSTFIX);
}

/* The array is passed as a pointer to its items, which must follow each other. */
static cuda_expr lower_bound(cuda_fn *f, const cx *e)
{
    const cx *array = e->args[0];
    cuda_expr args[4] = {cuda_expr_of(cuda_pointer_text(f, array), array->type->elem, CUDA_ASSIGN)};
    for (int i = 1; i < 4; i++)
        args[i] = cuda_print_expr(f, e->args[i]);
    if (!cuda_is_dense(array, 0))
        cuda_unsupported(f, "wp.lower_bound of an array with gaps");
    return cuda_lower_bound(f->job->defs, args);
}

/* A call of a builtin that has a value, or of one that prints. printf keeps its format; it is the
 * one call whose operands may be strings. */
static cuda_expr builtin_call(cuda_fn *f, const cx *e)
{
    if (e->op == CUDA_OP_LOWER_BOUND)
        return lower_bound(f, e);
    cuda_expr *args = ARENA_ARRAY(&f->c->module, cuda_expr, e->nargs + 1u);
    for (uint32_t i = 0; i < e->nargs; i++) {
        const type *t = e->args[i]->type;
        if (t && t->kind == TYPE_SLICE) /* its bounds stand in its type */
            args[i] = cuda_expr_of(STR(""), t, CUDA_PRIMARY);
        else
            args[i] = cuda_print_expr(f, e->args[i]);
    }
    if (e->op == CUDA_OP_PRINTF) {
        strbuf b;
        sb_init(&b, &f->c->mem);
        SB_LIT(&b, "printf(");
        for (uint32_t i = 0; i < e->nargs; i++) {
            if (i)
                SB_LIT(&b, ", ");
            sb_str(&b, args[i].text);
        }
        sb_char(&b, ')');
        return cuda_expr_of(cuda_keep(f, &b), NULL, CUDA_POSTFIX);
    }
    if (e->op == CUDA_OP_PRINT && e->nargs == 1 && !args[0].type) /* a string */
        return cuda_expr_of(
            cuda_sprintf(f, "printf(\"%%s\\n\", %.*s)", (int)args[0].text.n, args[0].text.p), NULL,
            CUDA_POSTFIX);
    const cuda_expr x = cuda_call(f->job->defs, e->name, e->type, args, e->nargs);
    if (!x.prec)
        cuda_unsupported_call(f, e->name, false);
    return x.prec ? x : primary(STR("0"), cuda_int(f));
}

/* The first operand is the element, an lvalue; cudarule takes its address. */
static cuda_expr atomic(cuda_fn *f, const cx *e)
{
    cuda_expr args[4];
    args[0] = cuda_print_expr(f, e->args[0]);
    for (uint32_t i = 1; i < e->nargs && i < 4; i++)
        args[i] = cuda_print_expr(f, e->args[i]);
    const cuda_expr x = cuda_call(f->job->defs, e->name, e->type, args, e->nargs);
    return x.prec ? x : no_form(f, cuda_sprintf(f, "wp.%.*s", (int)e->name.n, e->name.p));
}

/* x - 1, as it stands in the adjoint of a power; of a number the difference. */
static void put_less_one(cuda_fn *f, strbuf *b, const cx *x, const type *t)
{
    cuda_defs *n = f->job->defs;
    const bool wide = t->kind == TYPE_FLOAT64;
    if (x->kind == CX_CONST && value_is_number(x->k)) {
        const double k = number_of(x->k);
        sb_str(b, cuda_number(n, t, wide ? k - 1 : (float)k - 1.0f).text);
        return;
    }
    sb_str(b, cuda_print_at(f, x, CUDA_ADD));
    SB_LIT(b, " - ");
    sb_str(b, cuda_number(n, t, 1).text);
}

/* Component k of x. Of "vec3{a, b, c}" it is the item, if that can stand wherever ".x" can. */
static void put_component(cuda_fn *f, strbuf *b, const cx *x, int k, cuda_prec least)
{
    WEFT_ASSERT(k >= 0 && k < 4 && x->type && x->type->kind == TYPE_VEC);
    const cuda_expr e = cuda_print_expr(f, x);
    const cuda_list *list = e.list;
    if (list && list->nitems == (uint32_t)x->type->rows && list->items[k].prec >= CUDA_POSTFIX) {
        sb_str(b, list->items[k].text);
        return;
    }
    sb_str(b, cuda_operand(f->job->defs, &e, least));
    sb_char(b, '.');
    sb_char(b, "xyzw"[k]);
}

/* The operand of a hole, in the form that the hole requires. */
static void put_hole(cuda_fn *f, strbuf *b, const cx *e, const cuda_hole *h)
{
    WEFT_ASSERT(h->operand < e->nargs);
    const cx *x = e->args[h->operand];
    if (h->less_one)
        put_less_one(f, b, x, h->less_one);
    else if (h->part >= 0)
        put_component(f, b, x, h->part, (cuda_prec)h->least);
    else
        sb_str(b, cuda_print_at(f, x, (cuda_prec)h->least));
}

/* Appends pieces up to the end of a line, or of the text. Returns the piece behind it. */
uint32_t cuda_print_line(cuda_fn *f, const cx *e, uint32_t from, strbuf *out)
{
    WEFT_ASSERT(e->kind == CX_TEXT);
    const cuda_template *t = e->text;
    for (; from < t->n && !t->v[from].ends_line; from++) {
        sb_str(out, t->v[from].text);
        if (t->v[from].has_hole)
            put_hole(f, out, e, &t->v[from].hole);
    }
    return from + 1;
}

/* Part t of e's text, as an expression of its own: an item of a list, or what a minus sign negates.
 * A part that is one hole is the operand itself, so that it needs no parentheses of the hole's. */
static cuda_expr part_of(cuda_fn *f, const cx *e, const cuda_template *t)
{
    cx part = *e;
    part.text = t;
    if (t->n == 1 && t->v->has_hole && !t->v->text.n && t->v->hole.part == CUDA_WHOLE &&
        !t->v->hole.less_one)
        return cuda_print_expr(f, e->args[t->v->hole.operand]);
    return cuda_print_expr(f, &part);
}

/* A text with operands in its holes. Definitions that the text needs are those of the program from
 * now on. A list is printed item by item, so that put_component can take one of them; "-x" keeps x
 * for "a -= x". */
static cuda_expr template(cuda_fn *f, const cx *e)
{
    cuda_defs *n = f->job->defs;
    const cuda_template *t = e->text;
    strbuf b;
    cuda_uses_add(n, t->uses);
    if (t->list && t->nitems) {
        cuda_expr *items = ARENA_ARRAY(&f->c->module, cuda_expr, t->nitems);
        for (uint32_t i = 0; i < t->nitems; i++)
            items[i] = part_of(f, e, &t->items[i]);
        return cuda_braces(n, e->type, t->list->name, STR(""), items, t->nitems);
    }
    sb_init(&b, &f->c->mem);
    cuda_print_line(f, e, 0, &b);
    cuda_expr x = cuda_expr_of(cuda_keep(f, &b), e->type, t->prec);
    if (t->negates) {
        const cuda_expr rest = part_of(f, e, t->negates);
        x.negates = cuda_kept(n, &rest);
    }
    return x;
}

/* "0.0f", "false", "vec3{}". */
static cuda_expr zero(cuda_fn *f, const type *t)
{
    if (type_is_scalar(t))
        return t->kind == TYPE_BOOL ? primary(STR("false"), t) : cuda_number(f->job->defs, t, 0);
    return cuda_braces(f->job->defs, t, cuda_type_text(f, t), STR(""), NULL, 0);
}

/* "Particle{a, b}"; an array among the members is its pointer, sizes and strides. */
static cuda_expr struct_value(cuda_fn *f, const cx *e)
{
    if (!e->nargs)
        return zero(f, e->type);
    strbuf b;
    sb_init(&b, &f->c->mem);
    for (uint32_t i = 0; i < e->nargs; i++) {
        if (i)
            SB_LIT(&b, ", ");
        if (e->args[i]->type->kind == TYPE_ARRAY)
            cuda_put_array(f, &b, e->args[i]);
        else
            sb_str(&b, cuda_print_at(f, e->args[i], CUDA_ASSIGN));
    }
    return cuda_braces(f->job->defs, e->type, cuda_type_text(f, e->type), cuda_keep(f, &b), NULL,
                       0);
}

/* The size of an array in a dimension; of a dimension that it has not 0, as in Warp's shape_t. */
static cuda_expr size(cuda_fn *f, const cx *e)
{
    const cx *shape = e->args[0];
    const int dim = constant_index(e->args[1], 4);
    if (shape->kind == CX_SHAPE && dim >= shape->args[0]->type->ndim && dim < 4)
        return cuda_literal(STR("0"), e->type, CUDA_PRIMARY, 0);
    if (shape->kind != CX_SHAPE || dim < 0 || dim >= 4)
        return no_form(f, STR("this use of an array's shape"));
    const str text = cuda_size_text(f, shape->args[0], (uint32_t)dim);
    return primary(text, e->type);
}

/* Numbers that the tree's makers put in: ints, and bools of structurizing. */
static cuda_expr simple_number(cuda_fn *f, const cx *e)
{
    if (e->type->kind == TYPE_BOOL)
        return primary(e->number ? STR("true") : STR("false"), e->type);
    return integer(f, e->type, e->number);
}

/* A row is no vector in memory: it is extracted. */
static cuda_expr row_text(cuda_fn *f, const cx *row)
{
    cx call = {.kind = CX_CALL, .type = row->type, .nargs = 2, .args = row->args};
    cx_set_op(&call, CUDA_OP_EXTRACT);
    return cuda_print_expr(f, &call);
}

/* By kind. CX_SHAPE and CX_SLICE have a form within others only: sizes and views. */
static cuda_expr print_expr(cuda_fn *f, const cx *e)
{
    WEFT_ASSERT(e && e->kind < CX_KINDS);
    switch ((cx_kind)e->kind) {
    case CX_VAR: return primary(f->vars.v[e->var].name, e->type);
    case CX_CONST: return constant_text(f, e);
    case CX_NUMBER: return simple_number(f, e);
    case CX_CALL: return builtin_call(f, e);
    case CX_USER: return cuda_user_call(f, e);
    case CX_COMPARE: return comparison(f, e);
    case CX_AND: return binary(f, e, "&&", CUDA_AND);
    case CX_OR: return binary(f, e, "||", CUDA_OR);
    case CX_NOT: return negation(f, e);
    case CX_COND: return choice(f, e);
    case CX_LOAD:
        return cuda_is_row(e->args[0]) ? row_text(f, e->args[0]) : cuda_print_expr(f, e->args[0]);
    case CX_ELEMENT: return cuda_element_text(f, e);
    case CX_FIELD: return field(f, e);
    case CX_COMPONENT: return component(f, e);
    case CX_SIZE: return size(f, e);
    case CX_STRUCT: return struct_value(f, e);
    case CX_ATOMIC: return atomic(f, e);
    case CX_TEXT: return template(f, e);
    case CX_ZERO: return zero(f, e->type);
    case CX_VIEW: return cuda_expr_of(cuda_pointer_text(f, e), e->type, CUDA_ADD);
    case CX_SLICE: /* of a vector or matrix: its type has the bounds */
        if (e->type->known)
            return cuda_expr_of(STR("slice"), e->type, CUDA_PRIMARY);
        return no_form(f, STR("a slice whose bounds are not constant"));
    case CX_SHAPE: return no_form(f, STR("this use of a slice or shape"));
    }
    return no_form(f, STR("this expression"));
}

/* What has no form is reported at the line of the innermost operation. Variables and constants have
 * lines of other statements: those that first used them. */
cuda_expr cuda_print_expr(cuda_fn *f, const cx *e)
{
    const uint32_t before = f->job->line;
    if (e->line && e->kind != CX_VAR && e->kind != CX_CONST)
        f->job->line = e->line;
    const cuda_expr x = print_expr(f, e);
    f->job->line = before;
    return x;
}
