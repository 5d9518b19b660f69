/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of snippets: read with their types, by C++'s precedences and conversions.
 *
 *     (uint32_t)(-(int)(i >> 31)) | 0x80000000u     uint32 | uint32
 *     x[i] += 2 * y                                 held place; int -> float */
#include "base/decimal.h"
#include "native/native_internal.h"

nnode *native_node(nreader *r, neval_fn *eval, ntype t)
{
    nnode *n = ARENA_NEW(r->a, nnode);
    n->eval = eval;
    n->type = t;
    n->line = native_peek(r, 0)->line;
    if (t.t || t.ptr)
        n->room = arena_zero(r->a, native_size(t) + 16);
    return n;
}

static const type *scalar(const nreader *r, type_kind k)
{
    return type_scalar(r->c, k);
}

static ntype value_of(const nreader *r, type_kind k)
{
    return (ntype){scalar(r, k), false};
}

/* --- conversions */

static str type_text(ntype t)
{
    return !t.t ? STR("nothing") : t.t->pyname.n ? t.t->pyname : STR("an array");
}

nnode *native_convert(nreader *r, nnode *n, ntype t)
{
    const ntype have = n->type;
    if (have.ptr == t.ptr && have.t == t.t)
        return n;
    if (t.ptr && have.ptr && !have.t) { /* nullptr */
        nnode *to = native_node(r, native_eval_room, t);
        return to;
    }
    if (native_is_scalar(t) && native_is_scalar(have)) {
        nnode *to = native_node(r, native_eval_cast, t);
        to->kid[0] = n;
        return to;
    }
    if (t.ptr && !have.ptr && have.t && have.t->kind == TYPE_ARRAY && have.t->elem == t.t) {
        nnode *to = native_node(r, native_eval_data, t);
        to->kid[0] = n;
        return to;
    }
    const bool same =
        !t.ptr && !have.ptr && t.t && have.t &&
        ((type_is_composite(t.t) && type_equal(t.t, have.t)) ||
         (t.t->kind == TYPE_ARRAY && have.t->kind == TYPE_ARRAY && t.t->elem == have.t->elem));
    if (same)
        return n;
    const str a = type_text(have), b = type_text(t);
    native_refuse(r, "a conversion of %.*s%s to %.*s%s", (int)a.n, a.p, have.ptr ? "*" : "",
                  (int)b.n, b.p, t.ptr ? "*" : "");
}

nnode *native_condition(nreader *r, nnode *n)
{
    if (!n->type.ptr)
        return native_convert(r, n, value_of(r, TYPE_BOOL));
    nnode *to = native_node(r, native_eval_not_null, value_of(r, TYPE_BOOL));
    to->kid[0] = n;
    return to;
}

nnode *native_to_place(nreader *r, nnode *n)
{
    if (!n->place)
        native_refuse(r, "an assignment to what is no place");
    for (nnode *at = n; at; at = at->kid[0]) {
        at->writes = true;
        if (at->eval == native_eval_deref || at->eval == native_eval_var)
            break;
    }
    return n;
}

/* Integers narrower than int become int. */
static type_kind promoted(type_kind k)
{
    return k < TYPE_INT32 ? TYPE_INT32 : k;
}

/* C++'s usual arithmetic conversions: kinds are in the order of rank, but for 64-bit integers
 * beside floats, which come later anyway. */
static type_kind common(type_kind a, type_kind b)
{
    a = promoted(a);
    b = promoted(b);
    return a > b ? a : b;
}

/* --- reading */

/* The digits in a base; false: others stand there, or it does not fit 64 bits. */
static bool digits(str s, uint64_t base, uint64_t *out)
{
    uint64_t x = 0;
    for (size_t i = 0; i < s.n; i++) {
        const char ch = s.p[i] <= '9' ? s.p[i] : (char)(s.p[i] | 32);
        if (ch == '\'')
            continue;
        const uint64_t d = ch <= '9' ? (uint64_t)(ch - '0') : (uint64_t)(ch - 'a') + 10;
        if (d >= base || x > (UINT64_MAX - d) / base)
            return false;
        x = x * base + d;
    }
    *out = x;
    return s.n > 0;
}

/* 12, 0x1Fu, 5ll: of the first type of C++'s list that holds it. */
static nnode *int_literal(nreader *r, str s)
{
    bool is_unsigned = false, is_long = false, ok;
    size_t end = s.n;
    uint64_t x = 0;
    while (end && strchr("uUlL", s.p[end - 1])) {
        is_unsigned |= (s.p[end - 1] | 32) == 'u';
        is_long |= (s.p[end - 1] | 32) == 'l';
        end--;
    }
    const bool other = end > 1 && s.p[0] == '0';
    const char mark = other ? (char)(s.p[1] | 32) : 0;
    if (mark == 'x' || mark == 'b')
        ok = digits((str){s.p + 2, end - 2}, mark == 'x' ? 16 : 2, &x);
    else
        ok = digits((str){s.p, end}, other ? 8 : 10, &x);
    if (!ok)
        native_refuse(r, "the number '%.*s'", (int)(s.n < 60 ? s.n : 60), s.p);
    type_kind k = is_unsigned ? TYPE_UINT32 : TYPE_INT32;
    if (!is_unsigned && x > INT32_MAX)
        k = other && x <= UINT32_MAX ? TYPE_UINT32 : x <= INT64_MAX ? TYPE_INT64 : TYPE_UINT64;
    if ((is_unsigned && x > UINT32_MAX) || (is_long && k < TYPE_INT64))
        k = is_unsigned ? TYPE_UINT64 : TYPE_INT64;
    nnode *node = native_node(r, native_eval_room, value_of(r, k));
    num_store(k, node->room, (num){.i = (int64_t)x});
    return node;
}

static nnode *float_literal(nreader *r, str s)
{
    char text[70];
    const char *end;
    const bool single = (s.p[s.n - 1] | 32) == 'f', hex = s.n > 1 && (s.p[1] | 32) == 'x';
    const size_t n = s.n - single;
    if (n >= sizeof text || hex)
        native_refuse(r, "the number '%.*s'", (int)(s.n < 60 ? s.n : 60), s.p);
    memcpy(text, s.p, n);
    text[n] = 0;
    const num x = {.f = decimal_read_double(text, &end)};
    if (*end)
        native_refuse(r, "the number '%s'", text);
    const type_kind k = single ? TYPE_FLOAT32 : TYPE_FLOAT64;
    nnode *node = native_node(r, native_eval_room, value_of(r, k));
    num_store(k, node->room, num_wrap(k, x));
    return node;
}

static nnode *unary(nreader *r);

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
    if (reference) {
        if (!n->place || t.ptr || n->type.ptr || native_size(n->type) < native_size(t))
            native_refuse(r, "this reinterpret_cast");
        nnode *to = native_node(r, native_eval_as, t);
        to->kid[0] = n;
        to->place = true;
        return to;
    }
    if (t.ptr && n->type.ptr && n->type.t) {
        nnode *to = native_node(r, native_eval_same, t);
        to->kid[0] = n;
        return to;
    }
    if (reinterprets && !t.ptr)
        native_refuse(r, "this reinterpret_cast");
    if (t.ptr && !n->type.ptr)
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

static nnode *constant(nreader *r, type_kind k, num x)
{
    nnode *n = native_node(r, native_eval_room, value_of(r, k));
    num_store(k, n->room, x);
    return n;
}

static nnode *variable(nreader *r, nvar *v)
{
    nnode *n = native_node(r, native_eval_var, v->type);
    n->var = v;
    n->place = !v->count;
    if (v->count) {
        n = native_node(r, native_eval_decayed, (ntype){v->type.t, true});
        n->var = v;
    }
    return n;
}

/* A name: a variable, a constant, a cast, or a call. */
static nnode *named(nreader *r)
{
    const ntoken *t = native_peek(r, 0);
    nvar *v = find(r, t->text);
    if (native_accept(r, "true"))
        return constant(r, TYPE_BOOL, (num){.i = 1});
    if (native_accept(r, "false"))
        return constant(r, TYPE_BOOL, (num){.i = 0});
    if (native_accept(r, "nullptr") || native_accept(r, "NULL"))
        return native_node(r, native_eval_room, (ntype){NULL, true});
    if (v) {
        r->at++;
        return variable(r, v);
    }
    const bool fixed = native_is(r, "static_cast"), other = native_is(r, "reinterpret_cast");
    if (fixed || other) {
        r->at++;
        native_expect(r, "<");
        return cast_to(r, ">", other);
    }
    if (native_accept(r, "sizeof")) {
        native_expect(r, "(");
        const size_t size = native_type_starts(r) ? native_size(native_type_read(r))
                                                  : native_size(native_expression(r)->type);
        native_expect(r, ")");
        return constant(r, TYPE_UINT64, (num){.i = (int64_t)size});
    }
    if (native_type_starts(r)) {
        const ntype made = native_type_read(r);
        nnode *args[NATIVE_ARGS];
        uint32_t n = 0;
        const char *end = native_is(r, "{") ? "}" : ")";
        native_expect(r, native_is(r, "{") ? "{" : "(");
        while (!native_accept(r, end)) {
            if (n == NATIVE_ARGS)
                native_refuse(r, "so many arguments");
            args[n++] = native_assignment(r);
            if (!native_is(r, end))
                native_expect(r, ",");
        }
        return native_construct(r, made.t, args, n);
    }
    r->at++;
    if (!native_is(r, "("))
        native_refuse(r, "'%.*s'", (int)(t->text.n < 60 ? t->text.n : 60), t->text.p);
    return native_call(r, t->text, t->line);
}

static nnode *primary(nreader *r)
{
    const ntoken *t = native_peek(r, 0);
    if (t->kind == NT_INT || t->kind == NT_FLOAT) {
        r->at++;
        return t->kind == NT_INT ? int_literal(r, t->text) : float_literal(r, t->text);
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

/* [k] of a pointer, an array's data, or a composite. */
static nnode *subscript(nreader *r, nnode *n, nnode *k)
{
    const ntype t = n->type;
    k = native_convert(r, k, value_of(r, TYPE_INT64));
    nnode *to;
    if (t.ptr || (t.t && t.t->kind == TYPE_ARRAY)) {
        nnode *p = t.ptr ? n : native_convert(r, n, (ntype){t.t->elem, true});
        if (!p->type.t)
            native_refuse(r, "an element of nothing");
        to = native_node(r, native_eval_deref, (ntype){p->type.t, false});
        to->kid[0] = p;
        to->place = true;
    } else if (t.t && type_is_composite(t.t)) {
        const bool rows = t.t->kind == TYPE_MAT;
        const type *part = rows ? type_vec(r->c, t.t->elem, t.t->cols) : t.t->elem;
        to = native_node(r, native_eval_component, (ntype){part, false});
        to->kid[0] = n;
        to->place = n->place;
        to->op = t.t->rows;
        to->offset = layout_size(part);
    } else {
        native_refuse(r, "such an index");
    }
    to->kid[1] = k;
    return to;
}

static nnode *part(nreader *r, nnode *n, const type *t, size_t offset)
{
    nnode *to = native_node(r, native_eval_member, (ntype){t, false});
    to->kid[0] = n;
    to->offset = offset;
    to->place = n->place;
    return to;
}

/* .shape[k] and .strides[k] of an array, .data; fields of structs; parts of composites. */
static nnode *member(nreader *r, nnode *n)
{
    const str s = native_peek(r, 0)->text;
    const type *t = n->type.ptr ? NULL : n->type.t;
    r->at++;
    if (t && t->kind == TYPE_ARRAY && str_eq(s, STR("data")))
        return native_convert(r, n, (ntype){t->elem, true});
    if (t && t->kind == TYPE_ARRAY && (str_eq(s, STR("shape")) || str_eq(s, STR("strides")))) {
        nnode *to = native_node(r, native_eval_extent, value_of(r, TYPE_INT32));
        to->kid[0] = n;
        to->op = s.p[1] == 'h' ? 's' : 't';
        native_expect(r, "[");
        to->kid[1] = native_convert(r, native_expression(r), value_of(r, TYPE_INT64));
        native_expect(r, "]");
        return to;
    }
    if (t && t->kind == TYPE_STRUCT)
        for (uint32_t i = 0; i < t->st->nfields; i++)
            if (str_eq(sym_str(t->st->fields[i].name), s))
                return part(r, n, t->st->fields[i].type, layout_field(t->st, i));
    const bool whole = str_eq(s, STR("c")) || str_eq(s, STR("data"));
    if (t && whole && (t->kind == TYPE_VEC || t->kind == TYPE_MAT))
        return n;
    const char *at = s.n == 1 ? strchr("xyzw", s.p[0]) : NULL;
    if (t && at && t->kind == TYPE_QUAT)
        return part(r, n, t->elem, (size_t)(at - "xyzw") * layout_size(t->elem));
    if (t && t->kind == TYPE_TRANSFORM && s.n == 1 && s.p[0] == 'p')
        return part(r, n, type_vec(r->c, t->elem, 3), 0);
    if (t && t->kind == TYPE_TRANSFORM && s.n == 1 && s.p[0] == 'q')
        return part(r, n, type_quat(r->c, t->elem), 3 * layout_size(t->elem));
    native_refuse(r, "the member '%.*s'", (int)(s.n < 60 ? s.n : 60), s.p);
}

static nnode *arithmetic(nreader *r, int op, nnode *a, nnode *b);

/* The place stays where it is while its new value is computed from the old. */
static nnode *updated(nreader *r, int op, nnode *place, nnode *by, bool gives_old)
{
    nnode *held = native_node(r, native_eval_room, place->type);
    nnode *n = native_node(r, native_eval_assign, place->type);
    n->kid[0] = native_to_place(r, place);
    n->kid[1] = native_convert(r, arithmetic(r, op, held, by), place->type);
    n->kid[2] = held;
    n->op = gives_old ? 'p' : 0;
    n->place = !gives_old;
    return n;
}

static nnode *dereferenced(nreader *r, nnode *n)
{
    if (!n->type.ptr || !n->type.t)
        native_refuse(r, "a value behind what is no pointer");
    nnode *to = native_node(r, native_eval_deref, (ntype){n->type.t, false});
    to->kid[0] = n;
    to->place = true;
    return to;
}

static nnode *postfix(nreader *r)
{
    nnode *n = primary(r);
    for (;;) {
        if (native_accept(r, "[")) {
            nnode *k = native_expression(r);
            native_expect(r, "]");
            n = subscript(r, n, k);
        } else if (native_accept(r, ".")) {
            n = member(r, n);
        } else if (native_accept(r, "->")) {
            n = member(r, dereferenced(r, n));
        } else if (native_is(r, "++") || native_is(r, "--")) {
            const int op = native_accept(r, "++") ? '+' : (r->at++, '-');
            n = updated(r, op, n, constant(r, TYPE_INT32, (num){.i = 1}), true);
        } else {
            return n;
        }
    }
}

static nnode *negated(nreader *r, int op, nnode *n)
{
    if (op == '!')
        n = native_condition(r, n);
    else if (native_is_scalar(n->type))
        n = native_convert(r, n, value_of(r, promoted((type_kind)n->type.t->kind)));
    else if (op == '-' && n->type.t && !n->type.ptr && type_is_composite(n->type.t))
        return native_arith(r, "neg", NULL, &n, 1);
    if (!native_is_scalar(n->type) || (op == '~' && type_is_float(n->type.t)))
        native_refuse(r, "such an operand of '%c'", op);
    nnode *to = native_node(r, native_eval_unary, n->type);
    to->kid[0] = n;
    to->op = op;
    return to;
}

static nnode *unary(nreader *r)
{
    if (++r->nesting > NATIVE_DEPTH)
        native_refuse(r, "an expression that is nested so deep");
    nnode *n;
    if (native_is(r, "++") || native_is(r, "--")) {
        const int op = native_accept(r, "++") ? '+' : (r->at++, '-');
        n = updated(r, op, unary(r), constant(r, TYPE_INT32, (num){.i = 1}), false);
    } else if (native_is(r, "-") || native_is(r, "+") || native_is(r, "!") || native_is(r, "~")) {
        const int op = native_peek(r, 0)->text.p[0];
        r->at++;
        n = negated(r, op, unary(r));
    } else if (native_accept(r, "*")) {
        n = dereferenced(r, unary(r));
    } else if (native_accept(r, "&")) {
        nnode *of = unary(r);
        if (!of->place || of->type.ptr || of->type.t->kind == TYPE_ARRAY)
            native_refuse(r, "the address of this");
        n = native_node(r, native_eval_address, (ntype){of->type.t, true});
        n->kid[0] = native_to_place(r, of);
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

/* Operators of pointers. */
static nnode *of_pointers(nreader *r, int op, nnode *a, nnode *b)
{
    const bool same = a->type.ptr && b->type.ptr && (op == NOP_EQ || op == NOP_NE);
    const bool moves = a->type.ptr && a->type.t && native_is_scalar(b->type) &&
                       !type_is_float(b->type.t) && (op == '+' || op == '-');
    if (!same && !moves)
        native_refuse(r, "this operator of pointers");
    nnode *n = native_node(r, same ? native_eval_same_address : native_eval_moved,
                           same ? value_of(r, TYPE_BOOL) : a->type);
    n->kid[0] = a;
    n->kid[1] = same ? b : native_convert(r, b, value_of(r, TYPE_INT64));
    n->op = op;
    return n;
}

/* a OP b of scalars; of composites by src/arith. */
static nnode *arithmetic(nreader *r, int op, nnode *a, nnode *b)
{
    if (!a->type.ptr && a->type.t && a->type.t->kind == TYPE_ARRAY)
        a = native_convert(r, a, (ntype){a->type.t->elem, true});
    if (a->type.ptr || b->type.ptr)
        return of_pointers(r, op, a, b);
    if (!native_is_scalar(a->type) || !native_is_scalar(b->type)) {
        const char *name = op == '+'   ? "add"
                           : op == '-' ? "sub"
                           : op == '*' ? "mul"
                           : op == '/' ? "div"
                                       : NULL;
        nnode *both[] = {a, b};
        nnode *n = name ? native_arith(r, name, NULL, both, 2) : NULL;
        if (!n)
            native_refuse(r, "this operator of vectors");
        return n;
    }
    const bool shift = op == NOP_SHL || op == NOP_SHR;
    const type_kind ka = (type_kind)a->type.t->kind, kb = (type_kind)b->type.t->kind;
    const type_kind k = shift ? promoted(ka) : common(ka, kb);
    const bool integral = shift || op == '%' || op == '&' || op == '|' || op == '^';
    if (integral && (type_is_float(a->type.t) || type_is_float(b->type.t)))
        native_refuse(r, "this operator of floats");
    nnode *n = native_node(r, compares(op) ? native_eval_compare : native_eval_binary,
                           value_of(r, compares(op) ? TYPE_BOOL : k));
    n->kid[0] = native_convert(r, a, value_of(r, k));
    n->kid[1] = native_convert(r, b, value_of(r, shift ? TYPE_INT64 : k));
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
        n->kid[0] = native_condition(r, a);
        n->kid[1] = native_condition(r, b);
        n->op = operators[i].level == 2 ? '&' : '|';
        a = n;
    }
    return a;
}

/* c ? a : b */
static nnode *choice(nreader *r)
{
    nnode *c = binary(r, 1);
    if (!native_accept(r, "?"))
        return c;
    nnode *a = native_expression(r);
    native_expect(r, ":");
    nnode *b = native_assignment(r);
    if (native_is_scalar(a->type) && native_is_scalar(b->type) && a->type.t != b->type.t) {
        const ntype t = value_of(r, common((type_kind)a->type.t->kind, (type_kind)b->type.t->kind));
        a = native_convert(r, a, t);
        b = native_convert(r, b, t);
    } else {
        b = native_convert(r, b, a->type);
    }
    nnode *n = native_node(r, native_eval_choice, a->type);
    n->kid[0] = native_condition(r, c);
    n->kid[1] = a;
    n->kid[2] = b;
    return n;
}

nnode *native_assignment(nreader *r)
{
    static const char *const signs[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    if (++r->nesting > NATIVE_DEPTH)
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
    if (op) {
        a = updated(r, op, a, native_assignment(r), false);
    } else if (native_accept(r, "=")) {
        nnode *n = native_node(r, native_eval_assign, a->type);
        n->kid[0] = native_to_place(r, a);
        n->kid[1] = native_convert(r, native_assignment(r), a->type);
        n->place = true;
        a = n;
    }
    r->nesting--;
    return a;
}

nnode *native_expression(nreader *r)
{
    nnode *a = native_assignment(r);
    while (native_accept(r, ",")) {
        nnode *b = native_assignment(r);
        nnode *n = native_node(r, native_eval_comma, b->type);
        n->kid[0] = a;
        n->kid[1] = b;
        a = n;
    }
    return a;
}
