/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the statements of a finished tree as CUDA C++, with the comments of the Python source. For
 * cuda_func.c and cuda_kernel.c, when all passes have run (CUDA_DECLARED).
 *
 *     for var j%6 in range(0, 3, 1)                ->   for (int j = 0; j < 3; ++j) {
 *         s%5 = add(s%5, load(element(x%0, j)))    ->       s += x[j];
 *                                                       }
 *     if not(n > 3) { y[i + 1] = a }, at the end   ->   if (n > 3) return;
 *                                                       y[i + 1] = a;
 *     var v%4 = vec_t(a, b)                        ->   const vec2 v = {a, b};
 *     a%2 += neg(b)                                ->   a -= b;
 *
 * Lines are broken at the very end (cuda_linebreak.c). */
#include "cuda/cuda_print.h"

#include "cuda/cuda_layout.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"
#include "cudarule/cudarule_call.h"

/* State of printing one function. */
typedef struct printer {
    cuda_fn *f;
    strbuf *out;
    uint32_t indent;
    uint32_t noted; /* forward: the source's comments have been written up to this line */
} printer;

/* The indent of the statement in work. */
static void start_line(const printer *p)
{
    sb_repeat(p->out, ' ', 4u * p->indent);
}

static void print_list(printer *p, const cs_list *list);

/* "{", the list one step deeper, "}" without the line's end: an else may follow. */
static void print_block(printer *p, const cs_list *list)
{
    SB_LIT(p->out, "{\n");
    p->indent++;
    print_list(p, list);
    p->indent--;
    start_line(p);
    sb_char(p->out, '}');
}

/* The type before a declared name: "const float ", "vec3 &", "float *". A reference or pointer
 * is const if nothing is written through it, another variable if nothing else sets it
 * (cs.is_const). */
static void put_type(const printer *p, uint32_t var, bool is_const)
{
    const cv *v = &p->f->vars.v[var];
    const type *t = v->type;
    if (t->kind == TYPE_ARRAY) {
        sb_c(p->out, v->written ? "" : "const ");
        sb_str(p->out, cuda_type_text(p->f, t->elem));
        SB_LIT(p->out, " *");
        return;
    }
    if (t->kind == TYPE_REF ? !v->written : is_const)
        SB_LIT(p->out, "const ");
    sb_str(p->out, cuda_type_text(p->f, type_strip_ref(t)));
    sb_c(p->out, t->kind == TYPE_REF ? " &" : " ");
}

/* "float a, b;" holds variables of one type without first values. */
static bool shares_line(const cuda_fn *f, uint32_t a, uint32_t b)
{
    return f->vars.v[a].type == f->vars.v[b].type && !f->vars.v[a].zero && !f->vars.v[b].zero;
}

/* Variables that are declared without a first value; cuda_declare.c puts them before the outermost
 * statement that needs them. One that may be read before it is set begins with zero, as Warp's
 * do. */
static void print_decls(const printer *p, const cs *s)
{
    for (uint32_t i = 0; i < s->decls.n; i++) {
        const cv *v = &p->f->vars.v[s->decls.v[i]];
        if (i && shares_line(p->f, s->decls.v[i - 1], s->decls.v[i])) {
            p->out->n -= 2; /* ";\n" */
            SB_LIT(p->out, ", ");
        } else {
            start_line(p);
            put_type(p, s->decls.v[i], false);
        }
        sb_str(p->out, v->name);
        if (v->type->kind == TYPE_REF || v->type->kind == TYPE_ARRAY)
            cuda_unsupported(p->f, "an array or reference that is chosen while the kernel runs");
        if (v->zero) {
            const cx e = {.kind = CX_ZERO, .type = v->type};
            SB_LIT(p->out, " = ");
            if (type_is_scalar(v->type))
                sb_str(p->out, cuda_print_expr(p->f, &e).text);
            else
                SB_LIT(p->out, "{}");
        }
        SB_LIT(p->out, ";\n");
    }
}

/* A call of the builtin with two operands. */
static bool is_operator(const cx *e, cuda_op op)
{
    return cx_is_call(e, op) && e->nargs == 2;
}

/* The compound operator of x = x + e, and e in *rest; NULL: there is none. Only where C's operator
 * does what Warp's builtin does: not for narrow integers, which C computes in int; quotients of
 * floats only. Of floats x = e + x qualifies too, since sums and products commute exactly:
 *
 *     x = x * 2      x *= 2           x = 2.0 * x, of floats      x *= 2.0f
 *     x = x - y      x -= y           x = y - x                   stays */
static const char *compound(const cs *s, const cx **rest)
{
    static const struct {
        cuda_op op;
        const char *text;
    } forms[] = {{CUDA_OP_ADD, " += "},    {CUDA_OP_SUB, " -= "},     {CUDA_OP_MUL, " *= "},
                 {CUDA_OP_DIV, " /= "},    {CUDA_OP_BIT_AND, " &= "}, {CUDA_OP_BIT_OR, " |= "},
                 {CUDA_OP_BIT_XOR, " ^= "}};
    const type *t = s->to->type;
    const cx *e = s->e;
    if (s->add || s->sub) {
        *rest = e;
        return s->add ? " += " : " -= ";
    }
    if (e->kind != CX_CALL || e->nargs != 2 || !type_is_scalar(t) || e->args[1]->type != t)
        return NULL;
    if (type_is_float(t) && t->kind != TYPE_FLOAT16 && cx_same(e->args[1], s->to) &&
        (is_operator(e, CUDA_OP_MUL) || is_operator(e, CUDA_OP_ADD))) {
        *rest = e->args[0];
        return is_operator(e, CUDA_OP_MUL) ? " *= " : " += ";
    }
    /* The target of an element is a place, and the operand is the load of it. */
    const cx *first = e->args[0]->kind == CX_LOAD ? e->args[0]->args[0] : e->args[0];
    const bool plain = t->kind == TYPE_INT32 || t->kind == TYPE_UINT32 || t->kind == TYPE_FLOAT32 ||
                       t->kind == TYPE_FLOAT64 || t->kind == TYPE_INT64 || t->kind == TYPE_UINT64 ||
                       t->kind == TYPE_FLOAT16 || t->kind == TYPE_BFLOAT16;
    for (size_t i = 0; plain && cx_same(first, s->to) && i < sizeof forms / sizeof *forms; i++)
        if (is_operator(e, forms[i].op) && (forms[i].op != CUDA_OP_DIV || type_is_float(t))) {
            *rest = e->args[1];
            return forms[i].text;
        }
    return NULL;
}

/* What a vector or matrix grows by: to += e, to = to + e; NULL: neither. The operator is a device
 * function, which print_growth requests. */
static const cx *growth(const cs *s, bool *add)
{
    *add = s->add;
    if (s->add || s->sub)
        return s->e;
    const cx *e = s->e;
    *add = is_operator(e, CUDA_OP_ADD);
    return (*add || is_operator(e, CUDA_OP_SUB)) && cx_same(e->args[0], s->to) ? e->args[1] : NULL;
}

/* The text of "a += b" comes from cudarule, so that operator+= is defined. */
static void print_growth(printer *p, const cs *s, const cx *by, bool add)
{
    const cuda_expr args[] = {cuda_print_expr(p->f, s->to), cuda_print_expr(p->f, by)};
    const cuda_expr sum = cuda_call(p->f->job->defs, add ? STR("+=") : STR("-="), NULL, args, 2);
    if (!sum.prec)
        cuda_unsupported(p->f, "this sum");
    sb_str(p->out, sum.text);
    SB_LIT(p->out, ";\n");
}

/* The type stands before the name already: "vec3{x, y}" declares as "{x, y}". */
static str initializer(const printer *p, const cx *e)
{
    const cuda_expr x = cuda_print_expr(p->f, e);
    return x.list ? x.list->braces : x.text;
}

/* What a sum with the opposite sign adds: x of -x; empty: the expression is no such. "-(-x)" is
 * none: "a -= -x" says no more than "a += -(-x)". */
static str opposite_of(const cuda_expr *e)
{
    const cuda_expr *x = e->negates;
    return x && !cuda_begins_with_minus(x) ? x->text : STR("");
}

/* A declaration, a sum of composites, a compound assignment, or a plain one. */
static void print_set(printer *p, const cs *s)
{
    WEFT_ASSERT(s->kind == CS_SET && s->to && s->e);
    const cx *rest = NULL;
    start_line(p);
    bool add;
    const cx *by = s->declares || !type_is_composite(s->to->type) ? NULL : growth(s, &add);
    if (by && by->type == s->to->type) {
        print_growth(p, s, by, add);
        return;
    }
    if (s->declares) {
        put_type(p, s->to->var, s->is_const);
        sb_str(p->out, p->f->vars.v[s->to->var].name);
        SB_LIT(p->out, " = ");
        sb_str(p->out, initializer(p, s->e));
        SB_LIT(p->out, ";\n");
        return;
    }
    const char *op = compound(s, &rest);
    sb_str(p->out, cuda_print_at(p->f, s->to, CUDA_POSTFIX));
    const cuda_expr e = cuda_print_expr(p->f, op ? rest : s->e);
    const bool sum = op && (op[1] == '+' || op[1] == '-');
    const str opposite = sum ? opposite_of(&e) : STR("");
    if (opposite.n)
        op = op[1] == '+' ? " -= " : " += ";
    sb_c(p->out, op ? op : " = ");
    sb_str(p->out, opposite.n ? opposite : e.text);
    SB_LIT(p->out, ";\n");
}

/* The condition's text, negated by !(...) where it is not a negation itself. */
static str condition(const printer *p, const cx *e, bool negate)
{
    if (!negate)
        return cuda_print_at(p->f, e, CUDA_ASSIGN);
    if (e->kind == CX_NOT)
        return cuda_print_at(p->f, e->args[0], CUDA_ASSIGN);
    cx n = {.kind = CX_NOT, .type = e->type, .nargs = 1};
    cx *args[] = {(cx *)(uintptr_t)e};
    n.args = args;
    return cuda_print_at(p->f, &n, CUDA_ASSIGN);
}

/* One jump and nothing else: it stands behind "if (...)" without braces. */
static bool is_jump(const cs_list *list)
{
    return list->n == 1 && !list->v[0]->decls.n &&
           (list->v[0]->kind == CS_BREAK || list->v[0]->kind == CS_CONTINUE ||
            list->v[0]->kind == CS_RETURN);
}

static void print_jump(printer *p, const cs *s)
{
    WEFT_ASSERT(s->kind == CS_BREAK || s->kind == CS_CONTINUE || s->kind == CS_RETURN);
    if (s->kind != CS_RETURN) {
        sb_c(p->out, s->kind == CS_BREAK ? "break;\n" : "continue;\n");
        return;
    }
    SB_LIT(p->out, "return");
    if (s->e) {
        sb_char(p->out, ' ');
        sb_str(p->out, cuda_print_at(p->f, s->e, CUDA_ASSIGN));
    }
    SB_LIT(p->out, ";\n");
}

/* Prints the branch that has statements first. A lone CS_IF in the else branch continues the
 * chain. */
static void print_if(printer *p, const cs *s)
{
    /* A branch that has only an else part, or whose condition is a negation, is printed the other
     * way round. */
    const bool swap = !s->body.n || (s->orelse.n && s->e->kind == CX_NOT && !is_jump(&s->body));
    const cs_list *body = swap ? &s->orelse : &s->body, *orelse = swap ? &s->body : &s->orelse;
    SB_LIT(p->out, "if (");
    sb_str(p->out, condition(p, s->e, swap));
    SB_LIT(p->out, ") ");
    if (is_jump(body) && !orelse->n) {
        print_jump(p, body->v[0]);
        return;
    }
    print_block(p, body);
    if (orelse->n) {
        SB_LIT(p->out, " else ");
        const cs *only = orelse->n == 1 ? orelse->v[0] : NULL;
        if (only && only->kind == CS_IF && !only->decls.n && (only->body.n || only->orelse.n)) {
            print_if(p, only);
            return;
        }
        print_block(p, orelse);
    }
    sb_char(p->out, '\n');
}

/* A literal, and its value. */
static bool is_number(const cx *e, int64_t *n)
{
    if (e->kind == CX_NUMBER) {
        *n = e->number;
        return true;
    }
    if (e->kind != CX_CONST || !value_is_number(e->k) || value_has_f(e->k))
        return false;
    *n = (int64_t)e->k->i;
    return true;
}

/* a - b, computed where both are literals: bounds of loops such as n - 1. */
static cx *difference(const printer *p, cx *a, cx *b)
{
    int64_t x, y;
    if (is_number(a, &x) && is_number(b, &y))
        return cx_number(p->f, x - y);
    if (is_number(b, &y) && y == 0)
        return a;
    if (is_number(b, &y) && y < 0)
        return cx_call2(p->f, CUDA_OP_ADD, cuda_int(p->f), a, cx_number(p->f, -y));
    return cx_call2(p->f, CUDA_OP_SUB, cuda_int(p->f), a, b);
}

/* The last value of a range, where it has any; before the first where it has none, so that a loop
 * that starts there does nothing. */
static str last_value(const printer *p, const cs *s, int64_t step)
{
    WEFT_ASSERT(step != 0);
    cuda_fn *f = p->f;
    int64_t from, to;
    if (is_number(s->start, &from) && is_number(s->stop, &to)) {
        const int64_t d = to - from, n = step > 0 ? (d + step - 1) / step : (d + step + 1) / step;
        return cuda_sprintf(f, "%lld", (long long)(from + (n - 1) * step));
    }
    if (step == 1 || step == -1)
        return cuda_print_at(f, difference(p, s->stop, cx_number(f, step)), CUDA_ASSIGN);
    /* start + ceil((stop - start) / step) * step - step */
    const str d = cuda_print_at(f,
                                difference(p, difference(p, s->stop, s->start),
                                           cx_number(f, step > 0 ? 1 - step : -1 - step)),
                                CUDA_ADD);
    const str start = cuda_print_at(f, s->start, CUDA_ADD);
    const bool zero = is_number(s->start, &from) && from == 0;
    return cuda_sprintf(f, "%.*s%s((%.*s) / %lld - 1) * %lld", zero ? 0 : (int)start.n, start.p,
                        zero ? "" : " + ", (int)d.n, d.p, (long long)step, (long long)step);
}

/* "++i", "--i", "i += 3". */
static void print_step(const printer *p, str name, int64_t step)
{
    if (step == 1 || step == -1)
        sb_printf(p->out, "%s%.*s", step > 0 ? "++" : "--", (int)name.n, name.p);
    else
        sb_printf(p->out, "%.*s %s %lld", (int)name.n, name.p,
                  step > 0 ? "+=" : "-=", (long long)(step > 0 ? step : -step));
}

/* "i = 0; i < n; ++i", or reversed "i = n - 1; i >= 0; --i". A bound n - 1 that is included is
 * printed as i < n, and one of -1 that is not as i >= 0. */
static void print_constant_step(const printer *p, const cs *s, str name, int64_t step)
{
    /* which way the printed loop counts */
    const bool up = (step > 0) != s->reverse;
    const str from =
        s->reverse ? last_value(p, s, step) : cuda_print_at(p->f, s->start, CUDA_ASSIGN);
    cx *limit = s->reverse ? s->start : s->stop;
    bool inclusive = s->reverse;
    int64_t number;
    if (s->reverse && up && is_operator(limit, CUDA_OP_SUB) && is_number(limit->args[1], &number) &&
        number == 1) { /* i <= n - 1 */
        limit = limit->args[0];
        inclusive = false;
    } else if (!inclusive && !up && is_number(limit, &number) && number == -1) { /* i > -1 */
        limit = cx_number(p->f, 0);
        inclusive = true;
    }
    const str bound = cuda_print_at(p->f, limit, CUDA_SHIFT);
    sb_printf(p->out, "%.*s = %.*s; %.*s %s%s %.*s; ", (int)name.n, name.p, (int)from.n, from.p,
              (int)name.n, name.p, up ? "<" : ">", inclusive ? "=" : "", (int)bound.n, bound.p);
    print_step(p, name, s->reverse ? -step : step);
}

/* The step is known when the kernel runs only: the test looks at its sign. A step of zero does
 * nothing, as in Warp's range (native/range.h). */
static void print_any_step(const printer *p, const cs *s, str name)
{
    cuda_fn *f = p->f;
    const str a = cuda_print_at(f, s->start, CUDA_ADD), b = cuda_print_at(f, s->stop, CUDA_ADD + 1),
              d = cuda_print_at(f, s->step, CUDA_ADD + 1);
    const str m = cuda_print_at(f, s->start, CUDA_ADD + 1);
    const int an = (int)a.n, bn = (int)b.n, dn = (int)d.n, n = (int)name.n;
    if (s->reverse) /* from start + k * step down to start */
        sb_printf(p->out,
                  "%.*s = %.*s == 0 ? %.*s : %.*s + ((%.*s - %.*s + (%.*s > 0 ? %.*s - 1 : %.*s + "
                  "1)) / %.*s - 1) * %.*s; "
                  "%.*s > 0 ? %.*s >= %.*s : %.*s < 0 && %.*s <= %.*s; %.*s -= %.*s",
                  n, name.p, dn, d.p, an, a.p, an, a.p, bn, b.p, (int)m.n, m.p, dn, d.p, dn, d.p,
                  dn, d.p, dn, d.p, dn, d.p, dn, d.p, n, name.p, an, a.p, dn, d.p, n, name.p, an,
                  a.p, n, name.p, dn, d.p);
    else
        sb_printf(p->out,
                  "%.*s = %.*s; %.*s > 0 ? %.*s < %.*s : %.*s < 0 && %.*s > %.*s; %.*s += %.*s", n,
                  name.p, an, a.p, dn, d.p, n, name.p, bn, b.p, dn, d.p, n, name.p, bn, b.p, n,
                  name.p, dn, d.p);
}

/* Is it the number of threads of a block, or a variable that is set to nothing else? */
static bool is_block_size(const printer *p, const cx *e)
{
    const cv *v = e->kind == CX_VAR ? &p->f->vars.v[e->var] : NULL;
    if (v && v->defs == 1 && !v->param && !v->out && v->origin)
        e = v->origin;
    return e->kind == CX_TEXT && e->block_size;
}

/* "i = first; i < n; i += block_size", for a step that is positive. */
static void print_positive_step(const printer *p, const cs *s, str name)
{
    const str from = cuda_print_at(p->f, s->start, CUDA_ASSIGN),
              stop = cuda_print_at(p->f, s->stop, CUDA_SHIFT),
              step = cuda_print_at(p->f, s->step, CUDA_ASSIGN);
    sb_printf(p->out, "%.*s = %.*s; %.*s < %.*s; %.*s += %.*s", (int)name.n, name.p, (int)from.n,
              from.p, (int)name.n, name.p, (int)stop.n, stop.p, (int)name.n, name.p, (int)step.n,
              step.p);
}

/* "i = threadIdx.x; i < 64; i += blockDim.x" */
static void print_strided(const printer *p, const cs *s, str name)
{
    const str stop = cuda_print_at(p->f, s->stop, CUDA_SHIFT);
    sb_printf(p->out, "%.*s = threadIdx.x; %.*s < %.*s; %.*s += blockDim.x", (int)name.n, name.p,
              (int)name.n, name.p, (int)stop.n, stop.p, (int)name.n, name.p);
}

/* The head, then the body. The counter is declared in the head unless something else declares
 * it. */
static void print_for(printer *p, const cs *s)
{
    int64_t step;
    const cv *v = &p->f->vars.v[s->var];
    SB_LIT(p->out, "for (");
    if (s->declares)
        SB_LIT(p->out, "int ");
    if (s->strided)
        print_strided(p, s, v->name);
    else if (is_number(s->step, &step) && step)
        print_constant_step(p, s, v->name, step);
    else if (!s->reverse && is_block_size(p, s->step))
        print_positive_step(p, s, v->name);
    else
        print_any_step(p, s, v->name);
    SB_LIT(p->out, ") ");
    print_block(p, &s->body);
    sb_char(p->out, '\n');
}

/* CS_LOOP without a condition is left by break or return. */
static void print_loop(printer *p, const cs *s)
{
    SB_LIT(p->out, "while (");
    sb_str(p->out, s->e ? cuda_print_at(p->f, s->e, CUDA_ASSIGN) : STR("true"));
    SB_LIT(p->out, ") ");
    print_block(p, &s->body);
    sb_char(p->out, '\n');
}

/* A call for its effects. A text may be several statements, each on a line of its own. */
static void print_call(printer *p, const cs *s)
{
    if (s->e->kind == CX_TEXT) {
        cuda_uses_add(p->f->job->defs, s->e->text->uses);
        for (uint32_t at = 0; at < s->e->text->n;) {
            start_line(p);
            at = cuda_print_line(p->f, s->e, at, p->out);
            sb_char(p->out, '\n');
        }
        return;
    }
    const str text = cuda_print_at(p->f, s->e, CUDA_ASSIGN);
    start_line(p);
    sb_str(p->out, text);
    SB_LIT(p->out, ";\n");
}

/* The statement without comments around it. */
static void print_bare(printer *p, const cs *s)
{
    WEFT_ASSERT(s->kind <= CS_RETURN || s->kind == CS_ASSERT);
    print_decls(p, s);
    switch ((cs_kind)s->kind) {
    case CS_SET: print_set(p, s); return;
    case CS_CALL: print_call(p, s); return;
    case CS_IF:
        start_line(p);
        print_if(p, s);
        return;
    case CS_FOR:
        start_line(p);
        print_for(p, s);
        return;
    case CS_LOOP:
        start_line(p);
        print_loop(p, s);
        return;
    case CS_BREAK:
    case CS_CONTINUE:
    case CS_RETURN:
        start_line(p);
        print_jump(p, s);
        return;
    case CS_ASSERT:
        start_line(p);
        p->f->job->out->asserts = true;
        SB_LIT(p->out, "assert(");
        sb_str(p->out, cuda_print_at(p->f, s->e, CUDA_ASSIGN));
        SB_LIT(p->out, ");\n");
        return;
    case CS_GOTO:
    case CS_LABEL: return;
    }
}

/* The statement with the source's comments before it and behind it. The reverse text has none: its
 * statements come in another order. */
static void print_stmt(printer *p, const cs *s)
{
    str note = STR("");
    if (!p->f->reverse && s->line > p->noted) {
        p->noted = cuda_put_comments(p->f, p->out, p->indent, p->noted, s->line);
        note = cuda_trailing_comment(p->f, s->line);
    }
    const size_t start = p->out->n;
    print_bare(p, s);
    cuda_put_trailing(p->out, start, p->indent, note);
}

/* Each statement begins and ends a line. */
static void print_list(printer *p, const cs_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        print_stmt(p, list->v[i]);
}

/* The branch whose else part is all that follows a return: structurizing put it there, and printing
 * turns it back. Only the last statement of a list can be one. */
static const cs *early_return(const cs_list *list)
{
    const cs *s = list->n ? list->v[list->n - 1] : NULL;
    return s && s->kind == CS_IF && !s->body.n && s->orelse.n > 1 && !s->decls.n ? s : NULL;
}

/* The body of the function. */
static void print_whole(cuda_fn *f, strbuf *out, uint32_t indent)
{
    printer p = {f, out, indent, f->u->code->def->base.line};
    cs_list list = f->body;
    /* Each early return flattens one else branch; the rest is printed without indent. */
    for (const cs *s = early_return(&list); s; s = early_return(&list)) {
        list.n--;
        print_list(&p, &list);
        start_line(&p);
        SB_LIT(out, "if (");
        sb_str(out, condition(&p, s->e, false));
        SB_LIT(out, ") return;\n");
        list = s->orelse;
    }
    /* a return at the very end says nothing */
    if (list.n && list.v[list.n - 1]->kind == CS_RETURN && !list.v[list.n - 1]->e)
        list.n--;
    print_list(&p, &list);
}

/* Appends the body with `indent` steps. Needs: CUDA_DECLARED. */
void cuda_print_body(cuda_fn *f, strbuf *out, uint32_t indent)
{
    strbuf text;
    sb_init(&text, &f->c->mem);
    print_whole(f, &text, indent);
    cuda_break_lines(sb_view(&text), out);
    sb_clear(&text);
}
