/* Adjoints of builtins: the table of calls writes them once over placeholders, and each line
 * "adj += e;" becomes a sum of the tree. */
#include "cuda/cuda_adjoint.h"
#include "cuda/cuda_operand.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unsupported.h"
#include "cudarule/cudarule_call.h"

enum { MARK = '\1', FIRST = 32, MOST = 90 };

typedef struct adj_call {
    const adj_reader *r;
    cx *operand[MOST]; /* by placeholder: values, adjoints, the result, its adjoint */
    uint32_t n;
    uint32_t from; /* the result's adjoint */
    cuda_uses uses;
} adj_call;

static cuda_expr placeholder(adj_call *a, cx *e, bool wanted)
{
    cuda_expr x = {{NULL, 0}, e ? e->type : NULL, CUDA_PRIMARY};
    a->operand[a->n] = e;
    if (wanted && e)
        x.text = cuda_sprintf(a->r->f, "%c%c", MARK, (char)(FIRST + a->n));
    a->n++;
    return x;
}

/* The text with placeholders numbered by their place among the operands that it uses. */
static cx *template_of(adj_call *a, str text, const type *t)
{
    cuda_fn *f = a->r->f;
    uint8_t at[MOST];
    memset(at, 0xff, sizeof at);
    cx *used[MOST];
    uint32_t n = 0;
    if (t && text.n == 2 && text.p[0] == MARK)
        return a->operand[text.p[1] - FIRST];
    char *p = arena_dup(&f->c->module, text.p, text.n);
    for (size_t i = 0; i + 1 < text.n; i++) {
        if (p[i] != MARK)
            continue;
        const uint8_t k = (uint8_t)(p[i + 1] - FIRST);
        if (at[k] == 0xff) {
            at[k] = (uint8_t)n;
            used[n++] = a->operand[k];
        }
        p[i + 1] = (char)(FIRST + at[k]);
        i++;
    }
    cx *e = cx_new(f, CX_TEXT, t, n);
    e->name = (str){p, text.n};
    e->uses = a->uses;
    for (uint32_t k = 0; k < n; k++)
        e->args[k] = used[k];
    return e;
}

/* "\1k += e;": a sum. */
static bool is_sum(str line)
{
    const str rest = {line.p + 2, line.n < 2 ? 0 : line.n - 2};
    return line.n > 7 && line.p[0] == MARK && line.p[line.n - 1] == ';' &&
           (str_starts(rest, " += ") || str_starts(rest, " -= "));
}

static void read_sum(adj_call *a, const adj_reader *r, str line)
{
    cx *to = a->operand[line.p[1] - FIRST];
    bool minus = line.p[3] == '-';
    str e = cuda_without_parentheses((str){line.p + 6, line.n - 7});
    const str opposite = cuda_without_parentheses((str){e.p + 1, e.n - 1});
    if (e.p[0] == '-' && opposite.n + 3 == e.n) { /* -(...) */
        e = opposite;
        minus = !minus;
    }
    cuda_accumulate(r, to, template_of(a, e, to->type), minus);
}

typedef struct line_reader {
    adj_call *a;
    str text;
    size_t at;
    bool make; /* else they are only looked at */
} line_reader;

/* The next line, without its indent. */
static str next_line(line_reader *l)
{
    const char *p = l->text.p + l->at, *stop = l->text.p + l->text.n;
    while (p < stop && *p == ' ')
        p++;
    const char *end = memchr(p, '\n', (size_t)(stop - p));
    end = end ? end : stop;
    l->at = (size_t)(end - l->text.p) + (end < stop);
    return (str){p, (size_t)(end - p)};
}

static bool str_ends(str s, str with)
{
    return s.n >= with.n && memcmp(s.p + s.n - with.n, with.p, with.n) == 0;
}

static bool read_branches(line_reader *l, cs_list *out, str condition);

/* Sums, and branches with nothing else in them, up to the text's end or a line that begins with
 * '}', which is `last`. False: there are other statements. */
static bool read_lines(line_reader *l, cs_list *out, str *last)
{
    *last = STR("");
    while (l->at < l->text.n) {
        const str line = next_line(l);
        adj_reader r = *l->a->r;
        r.out = out;
        if (line.n && line.p[0] == '}') {
            *last = line;
            return true;
        }
        if (is_sum(line)) {
            if (l->make)
                read_sum(l->a, &r, line);
        } else if (!str_starts(line, "if (") || !str_ends(line, STR(") {")) ||
                   !read_branches(l, out, (str){line.p + 4, line.n - 7})) {
            return !line.n;
        }
    }
    return true;
}

static cx *condition_of(adj_call *a, str text)
{
    const type *t = type_scalar(a->r->f->c, TYPE_BOOL);
    const str rest = {text.p + 1, text.n - 1}, opposite = cuda_without_parentheses(rest);
    if (text.p[0] == '!' && opposite.n < rest.n)
        return cx_unary(a->r->f, CX_NOT, t, template_of(a, opposite, t));
    return template_of(a, text, t);
}

static bool read_branches(line_reader *l, cs_list *out, str condition)
{
    cs_list none = {0};
    cuda_fn *f = l->a->r->f;
    cs *s = l->make ? cs_put(f, out, CS_IF) : NULL;
    str last;
    if (s)
        s->e = condition_of(l->a, condition);
    if (!read_lines(l, s ? &s->body : &none, &last))
        return false;
    if (str_eq(last, STR("} else {")))
        return read_lines(l, s ? &s->orelse : &none, &last) && str_eq(last, STR("}"));
    if (str_starts(last, "} else if ("))
        return read_branches(l, s ? &s->orelse : &none, (str){last.p + 11, last.n - 14});
    return str_eq(last, STR("}"));
}

static bool read_text(adj_call *a, str text)
{
    str last;
    line_reader look = {a, text, 0, false}, make = {a, text, 0, true};
    return read_lines(&look, NULL, &last) && !last.n && read_lines(&make, a->r->out, &last);
}

/* Statements that are no sums stay a text; the adjoints in it are read and written. */
static void keep_text(adj_call *a, str text, uint32_t from, uint32_t to)
{
    cuda_fn *f = a->r->f;
    cs *s = cs_put(f, a->r->out, CS_CALL);
    s->e = template_of(a, text, NULL);
    s->outputs = ARENA_ARRAY(&f->c->module, uint32_t, to - from + 1);
    for (uint32_t i = from; i < to; i++) {
        const uint32_t v = a->operand[i] ? cx_place_root(f, a->operand[i]) : CUDA_NO_VAR;
        if (v != CUDA_NO_VAR)
            s->outputs[s->noutputs++] = v;
    }
    s->updates = true;
    s->from = a->from;
}

void cuda_adjoint_call(const adj_reader *r)
{
    cuda_fn *f = r->f;
    adj_call a = {.r = r};
    /* as many values as adjoints: the last value is the result's; constructors give none */
    const bool writes = cuda_writes_arguments(r->name);
    const bool valued = !writes && !r->list && r->nargs == r->nadj && r->nargs > 1;
    const uint32_t n = valued ? r->nargs - 1 : r->nargs;
    if (2 * n + 2 > MOST || r->nadj < n) {
        cuda_unsupported(f, "an operation of so many operands");
        return;
    }
    cuda_expr *args = ARENA_ARRAY(&f->c->module, cuda_expr, 2 * n + 1), *adj = args + n;
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        cx *e = ir_is_callee(r->args[i]) ? NULL : cuda_operand_value(f, r->args[i]);
        args[i] = placeholder(&a, e, true);
    }
    for (uint32_t i = 0; i < n; i++) {
        cx *e = cuda_wanted(r, i);
        any |= e != NULL;
        adj[i] = placeholder(&a, e, true);
    }
    cx *from = r->nadj > n && !writes ? cuda_wanted(r, r->nadj - 1) : NULL;
    if (!any || (!from && !writes))
        return;
    const cuda_expr result =
        placeholder(&a, valued ? cuda_operand_value(f, r->args[n]) : NULL, true);
    const cuda_expr adj_result = placeholder(&a, from ? cuda_value_of(f, from) : NULL, true);
    a.from = from ? cuda_adjoint_in(f, cuda_value_of(f, from)) : CUDA_NO_VAR;
    strbuf b;
    sb_init(&b, &f->c->mem);
    const uint32_t begin = cuda_uses_begin(f->job->defs);
    if (cuda_adj_call(f->job->defs, &b, "", r->name, from ? from->type : NULL, args, n, adj,
                      &result, &adj_result)) {
        const str text = cuda_keep(f, &b);
        a.uses = cuda_uses_end(f->job->defs, begin);
        if (!r->all && str_contains(text, STR("unused_"))) {
            adj_reader more = *r;
            more.all = true;
            cuda_adjoint_call(&more);
            return;
        }
        if (!read_text(&a, text))
            keep_text(&a, text, n, 2 * n);
    } else {
        sb_clear(&b);
        cuda_unsupported_call(f, r->name, true);
    }
}
