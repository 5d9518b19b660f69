/* SPDX-License-Identifier: Apache-2.0 */
/* Statements in rules, which become a list of cuda_code:
 *
 *     T x = e; T x; T x[n];   declarations, by a type's name (cuda_named_type)
 *     x = e; x += e; x -= e; x *= e;   left out where x is an adjoint that is not wanted
 *     e;                      a call
 *     return e;
 *     if (e) ... else ...     left out where nothing is left in it
 *     for (i, from, to) ...   while (e) ...
 *     each ...                for all lanes of the first composite
 *     each:x ...              for all lanes of x's type
 *
 *     "each if (a# < 0) da# -= d#; else da# += d#;" of a vec2   ->
 *     if (a.x < 0.0f) {
 *         da.x -= d.x;
 *     } else {
 *         da.x += d.x;
 *     }
 *     if (a.y < 0.0f) {
 *         ...
 *
 * Where only db is wanted, "if (a > b) da += d; else db += d;" becomes if (!(a > b)) { db += d;
 * }. */
#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_operator.h"
#include "cudarule/cudarule_reader.h"
#include "cudarule/cudarule_type.h"

static void statement(cuda_run *r);

/* Skips a statement that changes an adjoint that is not wanted. No ';' stands within a
 * statement. */
static void skip_past(cuda_run *r, char end)
{
    while (*r->p != end)
        r->p++;
    r->p++;
}

/* The statement once, in a loop over the lanes. */
static void each_in_loop(cuda_run *r, const type *t)
{
    cuda_codes *const outer = r->out;
    cuda_put_loops(r, t, 0);
    r->lane = -1;
    statement(r);
    const bool empty = r->out->n == 0;
    r->out = outer;
    outer->n -= empty; /* nothing in it was wanted */
}

/* Lanes that are members are written out: the statement's text is read once for each. */
static void each(cuda_run *r)
{
    const type *t = NULL;
    if (cuda_accept(r, ":")) {
        t = *r->p == 'R' ? r->b->result : r->b->of[(uint8_t)*r->p];
        r->p++;
    }
    for (uint32_t i = 0; !t && i < r->b->nargs; i++)
        if (type_is_composite(r->b->args[i]))
            t = r->b->args[i];
    WEFT_ASSERT(t);
    const char *from = r->p;
    const int outer = r->lane;
    if (cuda_has_letters(t) || t->kind == TYPE_TRANSFORM) {
        for (int k = 0; k < cuda_lanes(t); k++) {
            r->p = from;
            r->lane = k;
            statement(r);
        }
    } else {
        each_in_loop(r, t);
    }
    r->lane = outer;
}

/* Does "=" or "+=" and the like follow? */
static bool modified(const cuda_run *r)
{
    return r->p[0] == '=' || (r->p[0] && strchr("+-*&|^", r->p[0]) && r->p[1] == '=');
}

/* A local of the rule. It has its own name in the printed text too, which only a device function's
 * text may have: in the caller's lines the name may be taken. */
static void declaration(cuda_run *r, const type *t)
{
    WEFT_ASSERT(!r->in_place);
    const str name = cuda_word(r), tname = cuda_type_name(r->n, t);
    cuda_var v = {.name = name, .e = cuda_expr_of(name, t, CUDA_PRIMARY)};
    if (cuda_accept(r, "[")) {
        const cuda_term n = cuda_term_read(r);
        cuda_expect(r, "]");
        v.is_array = true;
        cuda_put_line(
            r, cuda_text(r->n, "@ @[@]", tname, name, cuda_decimal(r->n, (int64_t)n.number)));
    } else if (cuda_accept(r, "=")) {
        const cuda_term x = cuda_term_read(r);
        cuda_put_line(r, cuda_text(r->n, "@ @ = @", tname, name, cuda_typed(r, &x, t).text));
    } else {
        cuda_put_line(r, cuda_text(r->n, "@ @", tname, name));
    }
    VEC_PUSH(r->n->a, &r->vars, v);
    cuda_expect(r, ";");
}

/* `to += value` of composites calls an overloaded operator, which has to be defined; the text of
 * the sum is the printer's. */
static void define_sum(cuda_run *r, const char *op, const cuda_expr *to, const cuda_expr *value)
{
    const cuda_expr e = r->n->resolver->call(r->n, cuda_text(r->n, "@=", str_c(op)), NULL,
                                             (cuda_expr[]){*to, *value}, 2);
    WEFT_ASSERT(e.prec != CUDA_NO_FORM);
    (void)e;
}

/* x = e, x += e, ... Sums are apart from other changes: the caller's tree adds them up itself. */
static void change(cuda_run *r, const cuda_expr *to)
{
    const char op[] = {*r->p, 0};
    const bool plain = *r->p == '=', sum = *op == '+' || *op == '-';
    r->p += plain ? 1 : 2;
    const cuda_term x = cuda_term_read(r);
    const cuda_expr value = cuda_typed(r, &x, to->type);
    WEFT_ASSERT(sum || plain || !type_is_composite(to->type));
    if (sum && type_is_composite(to->type))
        define_sum(r, op, to, &value);
    if (sum)
        cuda_add_sum(r->n, r->out, to, &value, *op == '-');
    else
        cuda_put_line(r,
                      cuda_text(r->n, "@ @= @", to->text, plain ? STR("") : str_c(op), value.text));
    cuda_expect(r, ";");
}

/* A declaration, a change, or a call. Words are read ahead and given back: "T x" declares, "T(x)"
 * does not. */
static void simple(cuda_run *r)
{
    const char *from = r->p;
    const str word = cuda_word(r);
    const cuda_var *v = word.n ? cuda_var_find(r, word) : NULL;
    if (v && v->unwanted) {
        skip_past(r, ';');
        return;
    }
    if (!v && word.n) {
        const type *t = cuda_named_type(r, word);
        const char *after = r->p;
        if (t && cuda_word(r).n) {
            r->p = after;
            declaration(r, t);
            return;
        }
    }
    r->p = from;
    const cuda_term to = cuda_term_read(r);
    cuda_skip_space(r);
    if (modified(r)) {
        change(r, &to.e);
        return;
    }
    cuda_put_line(r, to.e.text);
    cuda_expect(r, ";");
}

/* What a statement adds, as a list of its own. */
static cuda_codes branch(cuda_run *r)
{
    cuda_codes inner = {0}, *const outer = r->out;
    r->out = &inner;
    statement(r);
    r->out = outer;
    return inner;
}

/* A branch in which nothing is left goes; if only the else branch is left, the condition is turned
 * around. */
static void conditional(cuda_run *r)
{
    cuda_expect(r, "(");
    const cuda_term c = cuda_term_read(r);
    cuda_expect(r, ")");
    const cuda_codes then = branch(r);
    cuda_codes other = {0};
    if (cuda_accept(r, "else"))
        other = branch(r);
    if (!then.n && !other.n)
        return;
    cuda_code *s = cuda_add_code(r->n, r->out, CUDA_CODE_IF);
    s->e = then.n ? c.e : cuda_not(r->n, &c.e);
    s->body = then.n ? then : other;
    s->orelse = then.n ? other : (cuda_codes){0};
}

/* Reads the statement into the loop. */
static void loop_body(cuda_run *r, cuda_code *loop)
{
    WEFT_ASSERT(loop->kind == CUDA_CODE_LOOP);
    cuda_codes *const outer = r->out;
    r->out = &loop->body;
    statement(r);
    r->out = outer;
}

/* for (i, from, to). In a kernel's own lines i and j have other names (cuda_loop_name), so that
 * they hide nothing there. */
static void counted(cuda_run *r)
{
    const type *t = type_scalar(r->n->c, TYPE_INT32);
    cuda_expect(r, "(");
    const str i = cuda_word(r);
    cuda_expect(r, ",");
    const cuda_term from = cuda_term_read(r);
    cuda_expect(r, ",");
    const cuda_term to = cuda_term_read(r);
    cuda_expect(r, ")");
    const uint32_t vars = r->vars.n;
    const str name = {arena_dup(r->n->a, i.p, i.n), i.n};
    const str index = str_eq(i, STR("i"))   ? cuda_loop_name(r->n, false)
                      : str_eq(i, STR("j")) ? cuda_loop_name(r->n, true)
                                            : name;
    const cuda_var v = {.name = name, .e = cuda_expr_of(index, t, CUDA_PRIMARY)};
    const str first = cuda_typed(r, &from, t).text, end = cuda_typed(r, &to, t).text;
    VEC_PUSH(r->n->a, &r->vars, v);
    loop_body(r, cuda_put_loop(r, index, first, end));
    r->vars.n = vars;
}

/* while (e) ...: the condition's text is read once, and so may use only what the loop changes in
 * place. */
static void repeated(cuda_run *r)
{
    cuda_expect(r, "(");
    const cuda_term c = cuda_term_read(r);
    cuda_expect(r, ")");
    cuda_code *loop = cuda_add_code(r->n, r->out, CUDA_CODE_LOOP);
    loop->text = cuda_text(r->n, "while (@)", c.e.text);
    loop_body(r, loop);
}

/* Takes the word if it stands here. */
static bool keyword(cuda_run *r, const char *word)
{
    const char *from = r->p;
    if (str_eq(cuda_word(r), str_c(word)))
        return true;
    r->p = from;
    return false;
}

/* "return;" and "return e;". In an adjoint's function there is no value. */
static void returned(cuda_run *r)
{
    if (cuda_accept(r, ";")) {
        cuda_put_line(r, STR("return"));
        return;
    }
    const cuda_term x = cuda_term_read(r);
    cuda_expect(r, ";");
    cuda_put_line(r, cuda_text(r->n, "return @", cuda_typed(r, &x, r->b->result).text));
}

/* A block, a statement with a keyword, or a simple one. Locals of a block end with it. */
static void statement(cuda_run *r)
{
    cuda_skip_space(r);
    if (cuda_accept(r, "{")) {
        const uint32_t vars = r->vars.n;
        cuda_statements(r);
        r->vars.n = vars;
        cuda_expect(r, "}");
    } else if (keyword(r, "if")) {
        conditional(r);
    } else if (keyword(r, "for")) {
        counted(r);
    } else if (keyword(r, "while")) {
        repeated(r);
    } else if (keyword(r, "each")) {
        each(r);
    } else if (keyword(r, "return")) {
        returned(r);
    } else {
        simple(r);
    }
}

/* Up to the end of the text, or to a '}' that the caller takes. */
void cuda_statements(cuda_run *r)
{
    for (cuda_skip_space(r); *r->p && *r->p != '}'; cuda_skip_space(r))
        statement(r);
}
