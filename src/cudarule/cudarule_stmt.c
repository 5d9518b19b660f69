/* Statements in rules, printed as CUDA C++:
 *   T x = e; T x; T x[n];  declarations, by a type's name (cuda_named_type)
 *   x = e; x += e; x -= e; x *= e;  left out where x is an adjoint that is not wanted
 *   e;  a call
 *   return e;
 *   if (e) ... else ...  left out where nothing is left in it
 *   for (i, from, to) ...  while (e) ...
 *   each ...  or each:x ...: for all lanes of the first composite, or of that code's type */
#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_reader.h"
#include "cudarule/cudarule_type.h"

static void statement(cuda_run *r);

static void put_line(cuda_run *r, str text)
{
    cuda_put_line(r, r->indent, text);
}

static str deeper(cuda_run *r, str indent)
{
    return cuda_text(r->n, "@    ", indent);
}

static void skip_past(cuda_run *r, char end)
{
    while (*r->p != end)
        r->p++;
    r->p++;
}

static uint32_t count_lines(const strbuf *b, size_t from)
{
    uint32_t lines = 0;
    for (size_t i = from; i < b->n; i++)
        lines += b->p[i] == '\n';
    return lines;
}

static void each_in_loop(cuda_run *r, const type *t)
{
    const str indent = r->indent;
    const size_t before = r->out->n;
    r->indent = cuda_loop_heads(r, t, 0);
    const size_t heads = r->out->n;
    r->lane = -1;
    statement(r);
    if (r->out->n == heads) {
        r->out->n = before;
    } else if (count_lines(r->out, heads) > 1) {
        const str body = {arena_dup(r->n->a, r->out->p + heads, r->out->n - heads),
                          r->out->n - heads};
        r->out->n = heads - 1;
        sb_c(r->out, " {\n");
        sb_str(r->out, body);
        sb_put(r->out, r->indent.p, r->indent.n - 4);
        sb_c(r->out, "}\n");
    }
    r->indent = indent;
}

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

static bool modified(const cuda_run *r)
{
    return r->p[0] == '=' || (r->p[0] && strchr("+-*&|^", r->p[0]) && r->p[1] == '=');
}

static void declaration(cuda_run *r, const type *t)
{
    const str name = cuda_word(r), tname = cuda_type_name(r->n, t);
    cuda_var v = {.name = name, .e = {name, t, CUDA_PRIMARY}};
    if (cuda_accept(r, "[")) {
        const cuda_term n = cuda_term_read(r);
        cuda_expect(r, "]");
        v.is_array = true;
        put_line(r, cuda_text(r->n, "@ @[@];", tname, name, cuda_decimal(r->n, (int64_t)n.number)));
    } else if (cuda_accept(r, "=")) {
        const cuda_term x = cuda_term_read(r);
        put_line(r, cuda_text(r->n, "@ @ = @;", tname, name, cuda_typed(r, &x, t).text));
    } else {
        put_line(r, cuda_text(r->n, "@ @;", tname, name));
    }
    VEC_PUSH(r->n->a, &r->vars, v);
    cuda_expect(r, ";");
}

/* += and -= of composites have to be defined. */
static void change(cuda_run *r, const cuda_expr *to)
{
    const char op[] = {*r->p, 0};
    const bool plain = *r->p == '=';
    r->p += plain ? 1 : 2;
    const cuda_term x = cuda_term_read(r);
    const cuda_expr value = cuda_typed(r, &x, to->type);
    if (!plain && type_is_composite(to->type)) {
        const cuda_expr e = r->n->resolver->call(r->n, cuda_text(r->n, "@=", str_c(op)), NULL,
                                                 (cuda_expr[]){*to, value}, 2);
        WEFT_ASSERT(e.prec != CUDA_NO_FORM);
        put_line(r, cuda_text(r->n, "@;", e.text));
    } else {
        put_line(r, cuda_text(r->n, plain ? "@ @= @;" : "@ @= @;", to->text,
                              plain ? STR("") : str_c(op), value.text));
    }
    cuda_expect(r, ";");
}

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
    put_line(r, cuda_text(r->n, "@;", to.e.text));
    cuda_expect(r, ";");
}

/* The text that a statement adds, one step deeper; taken back from the output. */
static str branch(cuda_run *r, uint32_t *lines)
{
    const size_t from = r->out->n;
    const str indent = r->indent;
    r->indent = deeper(r, indent);
    statement(r);
    r->indent = indent;
    const size_t n = r->out->n - from;
    const str s = {n ? arena_dup(r->n->a, r->out->p + from, n) : "", n};
    *lines = count_lines(r->out, from);
    r->out->n = from;
    return s;
}

static str negation(cuda_run *r, const cuda_expr *c)
{
    return cuda_text(r->n, "!@", cuda_operand(r->n, c, CUDA_UNARY));
}

/* "else if" stands in one line. */
static bool is_if(str indent, str s)
{
    return s.n > indent.n + 8 && memcmp(s.p + indent.n + 4, "if (", 4) == 0;
}

static void put_unindented(cuda_run *r, str s)
{
    bool start = true;
    for (size_t i = 0; i < s.n; i++) {
        if (start && i + 4 <= s.n && memcmp(s.p + i, "    ", 4) == 0)
            i += 4;
        sb_char(r->out, s.p[i]);
        start = s.p[i] == '\n';
    }
}

static void put_if(cuda_run *r, str condition, str then, str other)
{
    put_line(r, cuda_text(r->n, "if (@) {", condition));
    sb_str(r->out, then);
    if (other.n) {
        sb_str(r->out, r->indent);
        sb_c(r->out, "} else ");
        if (is_if(r->indent, other)) {
            put_unindented(r, (str){other.p + r->indent.n + 4, other.n - r->indent.n - 4});
            return;
        }
        sb_c(r->out, "{\n");
        sb_str(r->out, other);
    }
    put_line(r, STR("}"));
}

static void conditional(cuda_run *r)
{
    cuda_expect(r, "(");
    const cuda_term c = cuda_term_read(r);
    cuda_expect(r, ")");
    uint32_t lines;
    const str then = branch(r, &lines);
    str other = STR("");
    if (cuda_accept(r, "else"))
        other = branch(r, &lines);
    if (then.n)
        put_if(r, c.e.text, then, other);
    else if (other.n)
        put_if(r, negation(r, &c.e), other, STR(""));
}

static void loop_body(cuda_run *r)
{
    uint32_t lines;
    const size_t head = r->out->n;
    const str body = branch(r, &lines);
    if (lines > 1) {
        r->out->n = head - 1;
        sb_c(r->out, " {\n");
    }
    sb_str(r->out, body);
    if (lines > 1)
        put_line(r, STR("}"));
}

/* for (i, from, to) */
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
    const cuda_var v = {.name = name, .e = {index, t, CUDA_PRIMARY}};
    const str first = cuda_typed(r, &from, t).text, end = cuda_typed(r, &to, t).text;
    cuda_loop_head(r, r->indent, index, first, end);
    VEC_PUSH(r->n->a, &r->vars, v);
    loop_body(r);
    r->vars.n = vars;
}

static void repeated(cuda_run *r)
{
    cuda_expect(r, "(");
    const cuda_term c = cuda_term_read(r);
    cuda_expect(r, ")");
    put_line(r, cuda_text(r->n, "while (@)", c.e.text));
    loop_body(r);
}

static bool keyword(cuda_run *r, const char *word)
{
    const char *from = r->p;
    if (str_eq(cuda_word(r), str_c(word)))
        return true;
    r->p = from;
    return false;
}

static void returned(cuda_run *r)
{
    if (cuda_accept(r, ";")) {
        put_line(r, STR("return;"));
        return;
    }
    const cuda_term x = cuda_term_read(r);
    cuda_expect(r, ";");
    put_line(r, cuda_text(r->n, "return @;", cuda_typed(r, &x, r->b->result).text));
}

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

void cuda_statements(cuda_run *r)
{
    for (cuda_skip_space(r); *r->p && *r->p != '}'; cuda_skip_space(r))
        statement(r);
}
