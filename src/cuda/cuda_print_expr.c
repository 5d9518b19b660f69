/* Prints expressions of a finished tree as CUDA C++. Each text carries the precedence of its
 * outermost operator (cudarule_text.h), so that parentheses stand only where they are needed. */
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

static cuda_expr primary(str text, const type *t)
{
    return cuda_expr_of(text, t, CUDA_PRIMARY);
}

str cuda_print_at(cuda_fn *f, const cx *e, cuda_prec least)
{
    const cuda_expr x = cuda_print_expr(f, e);
    return cuda_operand(f->job->defs, &x, least);
}

static cuda_expr no_form(cuda_fn *f, str what)
{
    cuda_unsupported_str(f, what);
    return primary(STR("0"), cuda_int(f));
}

static double number_of(const value *k)
{
    return value_has_f(k) ? k->f : (double)k->i;
}

/* Integers keep all their digits. */
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
    cuda_expr r = primary(cuda_keep(f, &b), t);
    if (x < 0 && !least) {
        const cuda_expr positive = primary((str){r.text.p + 1, r.text.n - 1}, t);
        r.prec = CUDA_UNARY;
        r.negates = cuda_kept(f->job->defs, &positive);
    }
    return r;
}

static cuda_expr scalar(cuda_fn *f, const type *t, const value *k)
{
    if (type_is_integer(t) && !value_has_f(k))
        return integer(f, t, k->i);
    return cuda_number(f->job->defs, t, number_of(k));
}

static cuda_expr composite(cuda_fn *f, const type *t, const value *k)
{
    strbuf b;
    sb_init(&b, &f->c->mem);
    sb_str(&b, cuda_type_name(f->job->defs, t));
    sb_char(&b, '{');
    const int n = t->rows * (t->kind == TYPE_MAT ? t->cols : 1);
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
    sb_c(&b, parts ? "}}" : "}");
    return cuda_expr_of(cuda_keep(f, &b), t, CUDA_POSTFIX);
}

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

static cuda_expr comparison(cuda_fn *f, const cx *e)
{
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

static cuda_expr negation(cuda_fn *f, const cx *e)
{
    if (e->args[0]->type->kind == TYPE_ARRAY) {
        const str a = cuda_pointer_text(f, e->args[0]);
        return cuda_expr_of(cuda_sprintf(f, "!(%.*s)", (int)a.n, a.p), e->type, CUDA_UNARY);
    }
    const str a = cuda_print_at(f, e->args[0], CUDA_UNARY);
    return cuda_expr_of(cuda_sprintf(f, "!%.*s", (int)a.n, a.p), e->type, CUDA_UNARY);
}

static cuda_expr choice(cuda_fn *f, const cx *e)
{
    const str c = cuda_print_at(f, e->args[0], CUDA_OR), a = cuda_print_at(f, e->args[1], CUDA_OR),
              b = cuda_print_at(f, e->args[2], CUDA_COND);
    return cuda_expr_of(
        cuda_sprintf(f, "%.*s ? %.*s : %.*s", (int)c.n, c.p, (int)a.n, a.p, (int)b.n, b.p), e->type,
        CUDA_COND);
}

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

static str index_text(cuda_fn *f, const cx *e, int length)
{
    const int i = constant_index(e, length);
    return i >= 0 ? cuda_sprintf(f, "%d", i) : cuda_component_text(f, e, length);
}

static cuda_expr component(cuda_fn *f, const cx *e)
{
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

static cuda_expr lower_bound(cuda_fn *f, const cx *e)
{
    const cx *array = e->args[0];
    cuda_expr args[4] = {cuda_expr_of(cuda_pointer_text(f, array), array->type->elem, CUDA_ASSIGN)};
    for (int i = 1; i < 4; i++)
        args[i] = cuda_print_expr(f, e->args[i]);
    if (!str_eq(cuda_stride_text(f, array, 0), STR("1")))
        cuda_unsupported(f, "wp.lower_bound of an array with gaps");
    return cuda_lower_bound(f->job->defs, args);
}

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

static cuda_expr atomic(cuda_fn *f, const cx *e)
{
    cuda_expr args[4];
    args[0] = cuda_print_expr(f, e->args[0]);
    for (uint32_t i = 1; i < e->nargs && i < 4; i++)
        args[i] = cuda_print_expr(f, e->args[i]);
    const cuda_expr x = cuda_call(f->job->defs, e->name, e->type, args, e->nargs);
    return x.prec ? x : no_form(f, cuda_sprintf(f, "wp.%.*s", (int)e->name.n, e->name.p));
}

/* What an operator asks of the operands beside it; that on its right binds closer. */
static cuda_prec asked_by(char c, bool right)
{
    switch (c) {
    case '(':
    case ')':
    case ',':
    case '{':
    case '}': return CUDA_ASSIGN;
    case '+':
    case '-': return right ? CUDA_MUL : CUDA_ADD;
    case '*':
    case '/': return right ? CUDA_UNARY : CUDA_MUL;
    case '<':
    case '>':
    case '=': return CUDA_ADD;
    default: return CUDA_POSTFIX;
    }
}

/* What the text around the operand at `at` asks of it. */
static cuda_prec asked_at(str text, size_t at)
{
    cuda_prec left = CUDA_ASSIGN, right = CUDA_ASSIGN;
    if (at) {
        const char before = text.p[at - 1];
        const bool spaced = before == ' ' && at > 1;
        left = spaced ? asked_by(text.p[at - 2], true)
                      : asked_by(before == '(' || before == '{' ? before : '.', true);
    }
    if (at + 2 < text.n) {
        const char after = text.p[at + 2];
        const bool spaced = after == ' ' && at + 3 < text.n;
        right = spaced
                    ? asked_by(text.p[at + 3], false)
                    : asked_by(after == ')' || after == ',' || after == '}' ? after : '.', false);
    }
    return left > right ? left : right;
}

static cuda_prec template_prec(str s)
{
    int depth = 0;
    cuda_prec least = CUDA_POSTFIX;
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.p[i];
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (depth || c == '\1') {
            i += c == '\1';
            continue;
        }
        cuda_prec p = CUDA_POSTFIX;
        const bool spaced = i && s.p[i - 1] == ' ';
        if (c == '?' || c == ':')
            p = CUDA_COND;
        else if (c == '<' || c == '>' || c == '=' || c == '&' || c == '|')
            p = CUDA_OR;
        else if (c == '+' || c == '-')
            p = spaced ? CUDA_ADD : CUDA_UNARY;
        else if (c == '*' || c == '/' || c == '%')
            p = CUDA_MUL;
        else if (c == '!')
            p = CUDA_UNARY;
        least = p < least ? p : least;
    }
    return least;
}

/* ", x - 1.0)" of a number x, as it stands in the adjoint of a power; gives what is taken of the
 * text behind x. */
static size_t less_one(cuda_fn *f, strbuf *b, str text, size_t at, const cx *x)
{
    const str rest = {text.p + at + 2, text.n - at - 2};
    const bool wide = x->type && x->type->kind == TYPE_FLOAT64;
    if (x->kind != CX_CONST || !value_is_number(x->k) || at < 2 || text.p[at - 2] != ',' ||
        !x->type || (!wide && x->type->kind != TYPE_FLOAT32) ||
        !str_starts(rest, wide ? " - 1.0)" : " - 1.0f)"))
        return 0;
    const double k = number_of(x->k);
    sb_str(b, cuda_number(f->job->defs, x->type, wide ? k - 1 : (float)k - 1.0f).text);
    return wide ? 6 : 7;
}

/* Item k of "vec3{a, b, c}", which has n of them; empty: it has not, or an operation is one. */
static str item_of(str list, int k, int n)
{
    int depth = 0, items = 1;
    const char *open = memchr(list.p, '{', list.n);
    size_t from = open ? (size_t)(open - list.p) + 1 : 0;
    str found = STR("");
    for (size_t i = from; i < list.n && from; i++) {
        const char c = list.p[i];
        const bool ends = depth == 0 && (c == ',' || c == '}');
        if (ends && items - 1 == k)
            found = (str){list.p + from, i - from};
        if (ends && c == '}' && i + 1 != list.n)
            return STR("");
        if (ends && c == ',') {
            from = i + 2;
            items++;
        }
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
    }
    return items == n && !memchr(found.p, ' ', found.n) ? found : STR("");
}

/* ".y" behind the text of a vector of which it is one item: that; gives what is taken. */
static size_t take_lane(const type *t, str operand, str after, str *lane)
{
    const char *letters = "xyzw";
    const char *letter = after.n > 1 && after.p[0] == '.' ? strchr(letters, after.p[1]) : NULL;
    const bool ends = after.n < 3 || !(after.p[2] >= '0' && after.p[2] <= 'z');
    if (!letter || !ends || !t || t->kind != TYPE_VEC || t->rows > 4 || !operand.n ||
        operand.p[operand.n - 1] != '}')
        return 0;
    *lane = item_of(operand, (int)(letter - letters), t->rows);
    return lane->n ? 2 : 0;
}

static cuda_expr template(cuda_fn *f, const cx *e)
{
    strbuf b;
    sb_init(&b, &f->c->mem);
    cuda_uses_add(f->job->defs, e->uses);
    for (size_t i = 0; i < e->name.n; i++) {
        if (e->name.p[i] != '\1') {
            sb_char(&b, e->name.p[i]);
            continue;
        }
        const cx *a = e->args[e->name.p[i + 1] - 32];
        const size_t more = less_one(f, &b, e->name, i, a);
        const str operand = more ? STR("") : cuda_print_at(f, a, asked_at(e->name, i));
        const str after = {e->name.p + i + 2, e->name.n - i - 2};
        str lane;
        const size_t taken = more ? more : take_lane(a->type, operand, after, &lane);
        if (!more)
            sb_str(&b, taken ? lane : operand);
        i += 1 + taken;
    }
    cuda_expr x = cuda_expr_of(cuda_keep(f, &b), e->type, template_prec(e->name));
    if (e->minus) {
        const bool alone = e->nargs == 1 && e->name.n == 3;
        const cuda_expr rest =
            alone ? cuda_print_expr(f, e->args[0])
                  : cuda_expr_of((str){x.text.p + 1, x.text.n - 1}, e->type, CUDA_UNARY);
        x.negates = cuda_kept(f->job->defs, &rest);
    }
    return x;
}

static cuda_expr zero(cuda_fn *f, const type *t)
{
    if (type_is_scalar(t))
        return t->kind == TYPE_BOOL ? primary(STR("false"), t) : cuda_number(f->job->defs, t, 0);
    const str name = cuda_type_text(f, t);
    return cuda_expr_of(cuda_sprintf(f, "%.*s{}", (int)name.n, name.p), t, CUDA_POSTFIX);
}

static cuda_expr struct_value(cuda_fn *f, const cx *e)
{
    if (!e->nargs)
        return zero(f, e->type);
    strbuf b;
    sb_init(&b, &f->c->mem);
    sb_str(&b, cuda_type_text(f, e->type));
    sb_char(&b, '{');
    for (uint32_t i = 0; i < e->nargs; i++) {
        if (i)
            SB_LIT(&b, ", ");
        if (e->args[i]->type->kind == TYPE_ARRAY)
            cuda_put_array(f, &b, e->args[i]);
        else
            sb_str(&b, cuda_print_at(f, e->args[i], CUDA_ASSIGN));
    }
    sb_char(&b, '}');
    return cuda_expr_of(cuda_keep(f, &b), e->type, CUDA_POSTFIX);
}

static cuda_expr size(cuda_fn *f, const cx *e)
{
    const cx *shape = e->args[0];
    const int dim = constant_index(e->args[1], 4);
    if (shape->kind == CX_SHAPE && dim >= shape->args[0]->type->ndim && dim < 4)
        return primary(STR("0"), e->type);
    if (shape->kind != CX_SHAPE || dim < 0 || dim >= 4)
        return no_form(f, STR("this use of an array's shape"));
    const str text = cuda_size_text(f, shape->args[0], (uint32_t)dim);
    return primary(text, e->type);
}

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

static cuda_expr print_expr(cuda_fn *f, const cx *e)
{
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
    case CX_SLICE: /* of a vector or matrix: its type tells the bounds */
        if (e->type->known)
            return cuda_expr_of(STR("slice"), e->type, CUDA_PRIMARY);
        return no_form(f, STR("a slice whose bounds are not constant"));
    case CX_SHAPE: return no_form(f, STR("this use of a slice or shape"));
    }
    return no_form(f, STR("this expression"));
}

/* What has no form is told at the line of the innermost operation; variables have those of others.
 */
cuda_expr cuda_print_expr(cuda_fn *f, const cx *e)
{
    const uint32_t before = f->job->line;
    if (e->line && e->kind != CX_VAR && e->kind != CX_CONST)
        f->job->line = e->line;
    const cuda_expr x = print_expr(f, e);
    f->job->line = before;
    return x;
}
