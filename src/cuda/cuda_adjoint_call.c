/* Adjoints of builtins: the table of calls writes them once over placeholders, and each line
 * "adj += e;" becomes a sum of the tree. */
#include "cuda/cuda_adjoint.h"

enum { MARK = '\1', FIRST = 32, MOST = 90 };

typedef struct adj_call {
    const adj_reader *r;
    cx *operand[MOST]; /* by placeholder: values, adjoints, the result, its adjoint */
    uint32_t n;
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
    memcpy(e->args, used, n * sizeof *used);
    return e;
}

/* "(e)" without its parentheses. */
static str bare(str e)
{
    int depth = 0;
    if (e.n < 2 || e.p[0] != '(' || e.p[e.n - 1] != ')')
        return e;
    for (size_t i = 0; i + 1 < e.n; i++) {
        depth += e.p[i] == '(';
        depth -= e.p[i] == ')';
        if (!depth)
            return e;
    }
    return (str){e.p + 1, e.n - 2};
}

/* "\1k += e;": a sum. */
static bool read_sum(adj_call *a, str line)
{
    if (line.n < 8 || line.p[0] != MARK || line.p[line.n - 1] != ';')
        return false;
    cx *to = a->operand[line.p[1] - FIRST];
    const str rest = {line.p + 2, line.n - 2};
    const bool plus = str_starts(rest, " += ");
    bool minus = str_starts(rest, " -= ");
    if (!plus && !minus)
        return false;
    str e = bare((str){rest.p + 4, rest.n - 5});
    if (memchr(e.p, ';', e.n))
        return false;
    const str opposite = bare((str){e.p + 1, e.n - 1});
    if (e.p[0] == '-' && opposite.n + 3 == e.n) { /* -(...) */
        e = opposite;
        minus = !minus;
    }
    cuda_accumulate(a->r, to, template_of(a, e, to->type), minus);
    return true;
}

static bool all_sums(str text)
{
    for (size_t at = 0; at < text.n;) {
        const char *end = memchr(text.p + at, '\n', text.n - at);
        const size_t n = end ? (size_t)(end - text.p) - at : text.n - at;
        const str line = {text.p + at, n};
        if (n && (n < 8 || line.p[0] != MARK || line.p[n - 1] != ';' || line.p[2] != ' ' ||
                  (line.p[3] != '+' && line.p[3] != '-') || line.p[4] != '='))
            return false;
        at += n + 1;
    }
    return true;
}

static void read_sums(adj_call *a, str text)
{
    for (size_t at = 0; at < text.n;) {
        const char *end = memchr(text.p + at, '\n', text.n - at);
        const size_t n = end ? (size_t)(end - text.p) - at : text.n - at;
        if (n)
            read_sum(a, (str){text.p + at, n});
        at += n + 1;
    }
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
        cuda_refuse(f, "an operation of so many operands");
        return;
    }
    cuda_expr *args = ARENA_ARRAY(&f->c->module, cuda_expr, 2 * n + 1), *adj = args + n;
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        cx *e = (r->args[i] & 7) == IR_ARG_TEXT ? NULL : cuda_operand_value(f, r->args[i]);
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
    strbuf b;
    sb_init(&b, &f->c->mem);
    const uint32_t begin = cuda_uses_begin(f->job->needs);
    if (cuda_adj_call(f->job->needs, &b, "", r->name, from ? from->type : NULL, args, n, adj,
                      &result, &adj_result)) {
        const str text = cuda_keep(f, &b);
        a.uses = cuda_uses_end(f->job->needs, begin);
        if (!r->all && str_contains(text, STR("unused_"))) {
            adj_reader more = *r;
            more.all = true;
            cuda_adjoint_call(&more);
            return;
        }
        if (all_sums(text))
            read_sums(&a, text);
        else
            keep_text(&a, text, n, 2 * n);
    } else {
        sb_clear(&b);
        cuda_refuse_call(f, r->bare, true);
    }
}
