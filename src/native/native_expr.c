/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of snippets: read with their types, by C++'s precedences and conversions.
 *
 *     (uint32_t)(-(int)(i >> 31)) | 0x80000000u     uint32 | uint32
 *     x[i] += 2 * y                                 held place; int -> float */
#include <math.h>

#include "native/native_internal.h"

static nnode *new_node(nreader *r, ntype t)
{
    nnode *n = ARENA_NEW(r->a, nnode);
    n->type = t;
    n->line = native_peek(r, 0)->line;
    return n;
}

/* A value, with room for it. */
nnode *native_node(nreader *r, neval_fn *eval, ntype t)
{
    WEFT_ASSERT(!t.count);
    nnode *n = new_node(r, t);
    n->eval = eval;
    if (t.t || t.ptr)
        n->room = native_room(r, native_size(t));
    return n;
}

nnode *native_place(nreader *r, nfind_fn *find, ntype t)
{
    WEFT_ASSERT(t.t);
    nnode *n = new_node(r, t);
    n->find = find;
    return n;
}

static void above(nreader *r, nnode *n, const nnode *kid)
{
    if (kid && kid->depth >= n->depth)
        n->depth = kid->depth + 1;
    if (n->depth > NATIVE_DEPTH)
        native_refuse(r, "an expression that is nested so deep");
}

void native_kids(nreader *r, nnode *n, nnode *a, nnode *b, nnode *c)
{
    nnode *const kids[] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        n->kid[i] = kids[i];
        above(r, n, kids[i]);
    }
    n->sealed |= n->find && a && a->find && a->sealed;
}

void native_args(nreader *r, nnode *n, nnode *const *args, uint32_t nargs)
{
    n->args = ARENA_ARRAY(r->a, nnode *, nargs + 1);
    n->nargs = nargs;
    for (uint32_t i = 0; i < nargs; i++) {
        n->args[i] = args[i];
        above(r, n, args[i]);
    }
}

static ntype value_of(const nreader *r, type_kind k)
{
    return (ntype){.t = type_scalar(r->c, k)};
}

nnode *native_constant(nreader *r, type_kind k, num x)
{
    nnode *n = native_node(r, native_eval_room, value_of(r, k));
    num_store(k, n->room, x);
    return n;
}

/* --- conversions */

static str type_text(ntype t)
{
    return !t.t ? STR("nothing") : t.t->pyname.n ? t.t->pyname : STR("an array");
}

static nnode *wrapped(nreader *r, neval_fn *eval, ntype t, nnode *kid)
{
    nnode *n = native_node(r, eval, t);
    native_kids(r, n, kid, NULL, NULL);
    return n;
}

static bool is_null(ntype t)
{
    return t.ptr && !t.t;
}

/* C++'s implicit conversions, and those of numbers. */
nnode *native_convert(nreader *r, nnode *n, ntype t)
{
    n = native_value(r, n);
    const ntype have = n->type;
    if (native_same_type(have, t))
        return n;
    if (t.ptr && is_null(have))
        return native_node(r, native_eval_room, t);
    if (native_is_scalar(t) && native_is_scalar(have))
        return wrapped(r, native_eval_cast, t, n);
    if (native_is_array(have) && t.ptr && have.t->elem == t.t)
        return native_member_data(r, n);
    if (native_is_scalar(t) && t.t->kind == TYPE_BOOL && have.ptr && have.t)
        return wrapped(r, native_eval_not_null, t, n);
    const str a = type_text(have), b = type_text(t);
    native_refuse(r, "a conversion of %.*s%s to %.*s%s", (int)(a.n < 60 ? a.n : 60), a.p,
                  have.ptr ? "*" : "", (int)(b.n < 60 ? b.n : 60), b.p, t.ptr ? "*" : "");
}

nnode *native_condition(nreader *r, nnode *n)
{
    n = native_value(r, n);
    if (native_is_array(n->type))
        n = native_member_data(r, n);
    return native_convert(r, n, value_of(r, TYPE_BOOL));
}

/* Integers narrower than int become int. */
static type_kind promoted(type_kind k)
{
    return k < TYPE_INT32 ? TYPE_INT32 : k;
}

/* C++'s usual arithmetic conversions: kinds are in the order of rank. Warp's 16-bit floats are
 * classes and take no part. */
static type_kind common(nreader *r, type_kind a, type_kind b)
{
    const bool half =
        a == TYPE_FLOAT16 || a == TYPE_BFLOAT16 || b == TYPE_FLOAT16 || b == TYPE_BFLOAT16;
    if (half && a != b)
        native_refuse(r, "an operator of a 16-bit float and another number");
    a = promoted(a);
    b = promoted(b);
    return a > b ? a : b;
}

/* --- primaries */

static nnode *unary(nreader *r);
static nnode *arithmetic(nreader *r, int op, nnode *a, nnode *b);

/* static_cast, reinterpret_cast, and the C form (T)x, from the type on; `end` closes it. */
static nnode *cast_to(nreader *r, const char *end, bool reinterprets)
{
    const ntype t = native_type_read(r);
    const bool reference = native_accept(r, "&");
    native_expect(r, end);
    nnode *n;
    if (str_eq(str_c(end), STR(">"))) {
        native_expect(r, "(");
        n = native_expression(r);
        native_expect(r, ")");
    } else {
        n = unary(r);
    }
    if (reference)
        return native_reinterpreted(r, n, t);
    n = native_value(r, n);
    if (t.ptr && n->type.ptr && n->type.t)
        return wrapped(r, native_eval_same, t, n);
    if (reinterprets && !t.ptr)
        native_refuse(r, "this reinterpret_cast");
    if (t.ptr && !n->type.ptr && !native_is_array(n->type))
        native_refuse(r, "a pointer made of a number");
    return native_convert(r, n, t);
}

static nvar *find(const nreader *r, str name)
{
    for (uint32_t i = r->vars.n; i-- > 0;)
        if (str_eq(r->vars.v[i]->name, name))
            return r->vars.v[i];
    return NULL;
}

/* sizeof a type or an expression, which is not evaluated. Of arrays of Warp, structs and nothing it
 * is refused: their sizes are those of C++ classes that are not known here. */
static nnode *size_of(nreader *r)
{
    native_expect(r, "(");
    const ntype t = native_type_starts(r) && !str_eq(native_peek(r, 1)->text, STR("("))
                        ? native_type_read(r)
                        : native_expression(r)->type;
    native_expect(r, ")");
    if (!t.t || (!t.ptr && !type_is_value(t.t)))
        native_refuse(r, "sizeof of this");
    const size_t one = t.ptr ? 8 : layout_size(t.t);
    return native_constant(r, TYPE_UINT64, (num){.i = (int64_t)(one * (t.count ? t.count : 1))});
}

/* T(...) or T{...} */
static nnode *constructor(nreader *r)
{
    const ntype made = native_type_read(r);
    nnode *args[NATIVE_ARGS];
    uint32_t n = 0;
    const char *end = native_is(r, "{") ? "}" : ")";
    if (made.ptr)
        native_refuse(r, "a value of this type");
    native_expect(r, native_is(r, "{") ? "{" : "(");
    while (!native_accept(r, end)) {
        if (n == NATIVE_ARGS)
            native_refuse(r, "so many arguments");
        args[n++] = native_value(r, native_assignment(r));
        if (!native_is(r, end))
            native_expect(r, ",");
    }
    return native_construct(r, made.t, args, n);
}

/* A name: a variable, a constant, a cast, or a call. */
static nnode *named(nreader *r)
{
    const ntoken *t = native_peek(r, 0);
    nvar *v = find(r, t->text);
    if (native_accept(r, "true"))
        return native_constant(r, TYPE_BOOL, (num){.i = 1});
    if (native_accept(r, "false"))
        return native_constant(r, TYPE_BOOL, (num){.i = 0});
    if (native_accept(r, "nullptr") || native_accept(r, "NULL"))
        return native_node(r, native_eval_room, (ntype){.ptr = true});
    if (native_accept(r, "INFINITY"))
        return native_constant(r, TYPE_FLOAT32, (num){.f = HUGE_VAL});
    if (v) {
        r->at++;
        return native_variable(r, v);
    }
    const bool fixed = native_is(r, "static_cast"), other = native_is(r, "reinterpret_cast");
    if (fixed || other) {
        r->at++;
        native_expect(r, "<");
        return cast_to(r, ">", other);
    }
    if (native_accept(r, "sizeof"))
        return size_of(r);
    if (native_type_starts(r))
        return constructor(r);
    r->at++;
    if (!native_is(r, "("))
        native_refuse(r, "'%.*s'", (int)(t->text.n < 60 ? t->text.n : 60), t->text.p);
    return native_call(r, t->text);
}

static nnode *primary(nreader *r)
{
    const ntoken *t = native_peek(r, 0);
    if (t->kind == NT_INT || t->kind == NT_FLOAT) {
        r->at++;
        return t->kind == NT_INT ? native_int_literal(r, t->text)
                                 : native_float_literal(r, t->text);
    }
    if (native_accept(r, "(")) {
        if (native_type_starts(r) && !str_eq(native_peek(r, 1)->text, STR("(")))
            return cast_to(r, ")", false);
        nnode *n = native_expression(r);
        native_expect(r, ")");
        return n;
    }
    if (t->kind != NT_NAME)
        native_refuse(r, "'%.*s'", (int)(t->text.n < 60 ? t->text.n : 60), t->text.p);
    return named(r);
}

/* --- operators */

/* The value of `by` and the place's old value are kept while the new one is computed of them; the
 * place is found once. kid[0]: the place, [1]: the new value, [2]: by; args: rooms of both. */
static nptr update(native_fn *f, nnode *n, void *old)
{
    const void *by = native_eval(f, n->kid[2]);
    memcpy(n->args[1]->room, by, native_size(n->args[1]->type));
    const nptr p = native_find(f, n->kid[0]);
    native_load(f, n, p, n->type, n->args[0]->room);
    if (old)
        memcpy(old, n->args[0]->room, native_size(n->type));
    native_store(f, n, p, n->type, native_eval(f, n->kid[1]));
    return p;
}

static nptr find_updated(native_fn *f, nnode *n)
{
    return update(f, n, NULL);
}

static void *eval_old(native_fn *f, nnode *n)
{
    update(f, n, n->room);
    return n->room;
}

static nnode *updated(nreader *r, int op, nnode *place, nnode *by, bool gives_old)
{
    if (!place->find || place->type.count || native_is_array(place->type))
        native_refuse(r, "an assignment to what is no place");
    by = native_value(r, by);
    if (!by->type.t)
        native_refuse(r, "an assignment of nothing");
    if (native_is_composite(place->type) && op != '+' && op != '-')
        native_refuse(r, "this operator of vectors");
    nnode *const kept[] = {native_node(r, native_eval_room, place->type),
                           native_node(r, native_eval_room, by->type)};
    nnode *n = gives_old ? native_node(r, eval_old, place->type)
                         : native_place(r, find_updated, place->type);
    nnode *now = arithmetic(r, op, kept[0], kept[1]);
    native_kids(r, n, place, native_convert(r, now, place->type), by);
    native_args(r, n, kept, 2);
    return n;
}

static nnode *one_more(nreader *r, nnode *place, bool gives_old)
{
    const int op = native_accept(r, "++") ? '+' : (r->at++, '-');
    if (!gives_old)
        place = unary(r);
    if (native_is_scalar(place->type) && place->type.t->kind == TYPE_BOOL)
        native_refuse(r, "a bool that is counted");
    type_kind k = TYPE_INT32;
    if (native_is_scalar(place->type) && type_is_float(place->type.t))
        k = (type_kind)place->type.t->kind;
    const num one = type_is_float(type_scalar(r->c, k)) ? (num){.f = 1} : (num){.i = 1};
    return updated(r, op, place, native_constant(r, k, one), gives_old);
}

static nnode *postfix(nreader *r)
{
    nnode *n = primary(r);
    for (;;) {
        if (native_accept(r, "[")) {
            nnode *k = native_expression(r);
            native_expect(r, "]");
            n = native_subscript(r, n, k);
        } else if (native_accept(r, ".")) {
            n = native_member(r, n);
        } else if (native_accept(r, "->")) {
            n = native_member(r, native_dereferenced(r, n));
        } else if (native_is(r, "++") || native_is(r, "--")) {
            n = one_more(r, n, true);
        } else {
            return n;
        }
    }
}

static nnode *negated(nreader *r, int op, nnode *n)
{
    n = native_value(r, n);
    if (op == '!')
        n = native_condition(r, n);
    else if (native_is_scalar(n->type))
        n = native_convert(r, n, value_of(r, promoted((type_kind)n->type.t->kind)));
    else if (op == '-' && native_is_composite(n->type)) {
        nnode *to = native_arith(r, "neg", NULL, &n, 1);
        if (to)
            return to;
    }
    if (!native_is_scalar(n->type) || (op == '~' && type_is_float(n->type.t)))
        native_refuse(r, "such an operand of '%c'", op);
    nnode *to = wrapped(r, native_eval_unary, n->type, n);
    to->op = op;
    return to;
}

static nnode *unary(nreader *r)
{
    if (++r->nesting > NATIVE_NESTING)
        native_refuse(r, "an expression that is nested so deep");
    nnode *n;
    if (native_is(r, "++") || native_is(r, "--")) {
        n = one_more(r, NULL, false);
    } else if (native_is(r, "-") || native_is(r, "+") || native_is(r, "!") || native_is(r, "~")) {
        const int op = native_peek(r, 0)->text.p[0];
        r->at++;
        n = negated(r, op, unary(r));
    } else if (native_accept(r, "*")) {
        n = native_dereferenced(r, unary(r));
    } else if (native_accept(r, "&")) {
        n = native_address(r, unary(r));
    } else {
        n = postfix(r);
    }
    r->nesting--;
    return n;
}

static bool compares(int op)
{
    return op == '<' || op == '>' || op == NOP_LE || op == NOP_GE || op == NOP_EQ || op == NOP_NE;
}

/* p == q, p != q, p + k, k + p, p - k. */
static nnode *of_pointers(nreader *r, int op, nnode *a, nnode *b)
{
    if (op == '+' && b->type.ptr && !a->type.ptr) {
        nnode *other = a;
        a = b;
        b = other;
    }
    const bool same = a->type.ptr && b->type.ptr && (op == NOP_EQ || op == NOP_NE) &&
                      (a->type.t == b->type.t || is_null(a->type) || is_null(b->type));
    const bool moves = a->type.ptr && a->type.t && native_is_scalar(b->type) &&
                       !type_is_float(b->type.t) && (op == '+' || op == '-');
    if (!same && !moves)
        native_refuse(r, "this operator of pointers");
    nnode *n = native_node(r, same ? native_eval_same_address : native_eval_moved,
                           same ? value_of(r, TYPE_BOOL) : a->type);
    native_kids(r, n, a, same ? b : native_convert(r, b, value_of(r, TYPE_INT64)), NULL);
    n->op = op;
    return n;
}

/* The operators that Warp's headers have: + and - of equal types, a number times any, / of vectors
 * and quaternions. Matrices are multiplied by wp::mul. */
static const char *composite_operator(int op, ntype a, ntype b)
{
    const bool both = native_is_composite(a) && native_same_type(a, b);
    const ntype all = native_is_composite(a) ? a : b, one = native_is_composite(a) ? b : a;
    const bool scales = native_is_composite(all) && native_is_scalar(one) && one.t == all.t->elem;
    const bool divides = scales && (all.t->kind == TYPE_VEC || all.t->kind == TYPE_QUAT);
    return op == '+' && both      ? "add"
           : op == '-' && both    ? "sub"
           : op == '*' && scales  ? "mul"
           : op == '/' && divides ? "div"
                                  : NULL;
}

static nnode *of_composites(nreader *r, int op, nnode *a, nnode *b)
{
    const char *name = composite_operator(op, a->type, b->type);
    nnode *both[] = {a, b};
    nnode *n = name ? native_arith(r, name, NULL, both, 2) : NULL;
    if (!n)
        native_refuse(r, "this operator of vectors");
    return n;
}

/* a OP b of scalars; of composites by src/arith. */
static nnode *arithmetic(nreader *r, int op, nnode *a, nnode *b)
{
    a = native_value(r, a);
    b = native_value(r, b);
    if (native_is_array(a->type))
        a = native_member_data(r, a);
    if (native_is_array(b->type))
        b = native_member_data(r, b);
    if (a->type.ptr || b->type.ptr)
        return of_pointers(r, op, a, b);
    if (!native_is_scalar(a->type) || !native_is_scalar(b->type))
        return of_composites(r, op, a, b);
    const bool shift = op == NOP_SHL || op == NOP_SHR;
    const type_kind ka = (type_kind)a->type.t->kind, kb = (type_kind)b->type.t->kind;
    const bool integral = shift || op == '%' || op == '&' || op == '|' || op == '^';
    if (integral && (type_is_float(a->type.t) || type_is_float(b->type.t)))
        native_refuse(r, "this operator of floats");
    const type_kind k = shift ? promoted(ka) : common(r, ka, kb);
    nnode *n = native_node(r, compares(op) ? native_eval_compare : native_eval_binary,
                           value_of(r, compares(op) ? TYPE_BOOL : k));
    native_kids(r, n, native_convert(r, a, value_of(r, k)),
                native_convert(r, b, value_of(r, shift ? TYPE_INT64 : k)), NULL);
    n->op = op;
    return n;
}

/* Columns: the sign, its op, how tightly it binds. */
static const struct {
    const char *sign;
    int op, level;
} operators[] = {
    {"||", 'o', 1},    {"&&", 'a', 2},     {"|", '|', 3},  {"^", '^', 4},      {"&", '&', 5},
    {"==", NOP_EQ, 6}, {"!=", NOP_NE, 6},  {"<", '<', 7},  {">", '>', 7},      {"<=", NOP_LE, 7},
    {">=", NOP_GE, 7}, {"<<", NOP_SHL, 8}, {"+", '+', 9},  {">>", NOP_SHR, 8}, {"-", '-', 9},
    {"*", '*', 10},    {"/", '/', 10},     {"%", '%', 10},
};
enum { LEVELS = 11 };

/* -1: no operator of this level or above follows. */
static int operator_here(const nreader *r, int level)
{
    const ntoken *t = native_peek(r, 0);
    if (t->kind == NT_SIGN)
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
            if (operators[i].level >= level && str_eq(t->text, str_c(operators[i].sign)))
                return (int)i;
    return -1;
}

static nnode *binary(nreader *r, int level)
{
    WEFT_ASSERT(level <= LEVELS);
    nnode *a = unary(r);
    for (int i; (i = operator_here(r, level)) >= 0;) {
        r->at++;
        nnode *b = binary(r, operators[i].level + 1);
        if (operators[i].level > 2) {
            a = arithmetic(r, operators[i].op, a, b);
            continue;
        }
        nnode *n = native_node(r, native_eval_both, value_of(r, TYPE_BOOL));
        native_kids(r, n, native_condition(r, a), native_condition(r, b), NULL);
        n->op = operators[i].level == 2 ? '&' : '|';
        a = n;
    }
    return a;
}

/* c ? a : b, a value. */
static nnode *choice(nreader *r)
{
    nnode *c = binary(r, 1);
    if (!native_accept(r, "?"))
        return c;
    nnode *a = native_value(r, native_expression(r));
    native_expect(r, ":");
    nnode *b = native_value(r, native_assignment(r));
    if (native_is_scalar(a->type) && native_is_scalar(b->type) && a->type.t != b->type.t) {
        const ntype t =
            value_of(r, common(r, (type_kind)a->type.t->kind, (type_kind)b->type.t->kind));
        a = native_convert(r, a, t);
        b = native_convert(r, b, t);
    } else if (is_null(a->type)) {
        a = native_convert(r, a, b->type);
    } else {
        b = native_convert(r, b, a->type);
    }
    nnode *n = native_node(r, native_eval_choice, a->type);
    native_kids(r, n, native_condition(r, c), a, b);
    return n;
}

nnode *native_assignment(nreader *r)
{
    static const char *const signs[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    if (++r->nesting > NATIVE_NESTING)
        native_refuse(r, "an expression that is nested so deep");
    nnode *a = choice(r);
    int op = 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs && !op; i++)
        if (native_accept(r, signs[i]))
            op = signs[i][0];
    if (!op && native_accept(r, "<<="))
        op = NOP_SHL;
    if (!op && native_accept(r, ">>="))
        op = NOP_SHR;
    if (op)
        a = updated(r, op, a, native_assignment(r), false);
    else if (native_accept(r, "="))
        a = native_assigned(r, a, native_assignment(r));
    r->nesting--;
    return a;
}

nnode *native_expression(nreader *r)
{
    nnode *a = native_assignment(r);
    while (native_accept(r, ",")) {
        nnode *b = native_value(r, native_assignment(r));
        nnode *n = native_node(r, native_eval_comma, b->type);
        native_kids(r, n, a, b, NULL);
        a = n;
    }
    return a;
}
