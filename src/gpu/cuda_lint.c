/* The static checks, over the list of tokens. A kernel is `__global__ void NAME(...) {...}` with
 * attributes and macros in between. */
#include "gpu/cuda_lint.h"

#include "gpu/cuda_token.h"

enum { INDEX_NAMES = 64 };

typedef struct lint {
    ctx *c;
    cuda_tokens tokens;
    const cuda_signature *wanted;
    uint32_t nwanted;
    uint64_t met; /* bits: which of the wanted kernels */
    uint32_t kernels;
} lint;

typedef struct range { /* tokens, the end exclusive */
    uint32_t from, to;
} range;

typedef struct kernel_text {
    uint32_t name;
    range params, body; /* without their brackets; no body: a declaration */
    bool has_body;
} kernel_text;

static const cuda_token *at(const lint *l, uint32_t i)
{
    return &l->tokens.all.v[i < l->tokens.all.n ? i : l->tokens.all.n - 1];
}

static bool is(const lint *l, uint32_t i, const char *word)
{
    return str_eq(at(l, i)->text, str_c(word));
}

static span place(const lint *l, uint32_t i)
{
    return cuda_span(&l->tokens, at(l, i));
}

/* --- brackets -------------------------------------------------------------------------------- */

static char closing(char c)
{
    return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : 0;
}

/* False: later checks would only repeat it. */
static bool check_brackets(lint *l)
{
    VEC(uint32_t) open = {0};
    for (uint32_t i = 0; at(l, i)->kind; i++) {
        const cuda_token *t = at(l, i);
        char sign[2] = {t->kind, 0};
        if (closing(t->kind)) {
            VEC_PUSH(&l->c->module, &open, i);
            continue;
        }
        if (t->kind != ')' && t->kind != ']' && t->kind != '}')
            continue;
        if (!open.n)
            return diag_error(l->c, place(l, i), DIAG_UNMATCHED_BRACKET, sign);
        const cuda_token *before = at(l, open.v[--open.n]);
        if (closing(before->kind) != t->kind)
            return diag_error(l->c, place(l, i), DIAG_CROSSED_BRACKET, t->kind, before->kind,
                              before->line);
    }
    if (open.n) {
        const char sign[2] = {at(l, open.v[open.n - 1])->kind, 0};
        return diag_error(l->c, place(l, open.v[open.n - 1]), DIAG_OPEN_BRACKET, sign);
    }
    return true;
}

/* Behind the bracket that closes the one at i. */
static uint32_t behind(const lint *l, uint32_t i)
{
    uint32_t depth = 0;
    for (; at(l, i)->kind; i++) {
        const char c = at(l, i)->kind;
        depth += closing(c) != 0;
        if ((c == ')' || c == ']' || c == '}') && --depth == 0)
            return i + 1;
    }
    return i;
}

/* --- kernels --------------------------------------------------------------------------------- */

/* "__launch_bounds__(256)", "WP_MAXNREG(64)": capitals or two underscores. */
static bool is_attribute(str name)
{
    if (name.n > 2 && name.p[0] == '_' && name.p[1] == '_')
        return true;
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] >= 'a' && name.p[i] <= 'z')
            return false;
    return name.n > 1;
}

/* Finds the parts of the kernel whose __global__ stands at i. */
static bool read_kernel(lint *l, uint32_t i, kernel_text *k)
{
    const uint32_t start = i;
    bool is_void = false;
    for (i++;; i++) {
        const cuda_token *t = at(l, i);
        if (!t->kind || t->kind == ';' || t->kind == '{' || t->kind == '}')
            return diag_error(l->c, place(l, start), DIAG_NO_FUNCTION);
        is_void = is_void || is(l, i, "void");
        if (t->kind != '(')
            continue;
        const uint32_t next = behind(l, i);
        const char after = at(l, next)->kind;
        if (!is_attribute(at(l, i - 1)->text) || after == '{' || after == ';')
            break;
        i = next - 1;
    }
    if (at(l, i - 1)->kind != 'n')
        return diag_error(l->c, place(l, start), DIAG_NO_FUNCTION);
    k->name = i - 1;
    const uint32_t end = behind(l, i);
    k->params = (range){i + 1, end - 1};
    k->has_body = at(l, end)->kind == '{';
    k->body = (range){end + 1, k->has_body ? behind(l, end) - 1 : end + 1};
    const str name = at(l, k->name)->text;
    return is_void || diag_error(l->c, place(l, k->name), DIAG_KERNEL_RESULT, (int)name.n, name.p);
}

/* --- parameters ------------------------------------------------------------------------------ */

typedef VEC(uint32_t) param_list;

/* The last name before a default, the length of an array, or the comma. */
static void read_params(lint *l, const kernel_text *k, param_list *out)
{
    uint32_t name = 0;
    int angles = 0;
    bool done = false; /* a default follows */
    for (uint32_t i = k->params.from; i <= k->params.to; i++) {
        const char c = i == k->params.to ? ',' : at(l, i)->kind;
        if (c == ',' && (angles <= 0 || i == k->params.to)) {
            if (name)
                VEC_PUSH(&l->c->module, out, name);
            name = 0;
            angles = 0;
            done = false;
        } else if (closing(c)) {
            i = behind(l, i) - 1;
        } else if (c == '<' || c == '>') {
            angles += c == '<' ? 1 : -1;
        } else if (c == '=') {
            done = true;
        } else if (c == 'n' && !done && angles <= 0 && !is(l, i, "void")) {
            name = i;
        }
    }
}

static void check_signature(lint *l, const kernel_text *k, const cuda_signature *s)
{
    param_list params = {0};
    const str kernel = s->kernel;
    read_params(l, k, &params);
    if (params.n != s->nparams) {
        diag_error(l->c, place(l, k->name), DIAG_KERNEL_PARAMETERS, (int)kernel.n, kernel.p,
                   params.n, s->nparams);
        return;
    }
    for (uint32_t i = 0; i < params.n; i++) {
        const str is_name = at(l, params.v[i])->text, name = s->params[i];
        if (!str_eq(is_name, name)) {
            diag_error(l->c, place(l, params.v[i]), DIAG_KERNEL_PARAMETER, i + 1, (int)kernel.n,
                       kernel.p, (int)is_name.n, is_name.p, (int)name.n, name.p);
            return;
        }
    }
}

static void check_wanted(lint *l, const kernel_text *k)
{
    for (uint32_t i = 0; i < l->nwanted && i < 64; i++)
        if (str_eq(l->wanted[i].kernel, at(l, k->name)->text)) {
            l->met |= UINT64_C(1) << i;
            check_signature(l, k, &l->wanted[i]);
        }
}

/* --- the thread's index ---------------------------------------------------------------------- */

/* Names of variables that depend on the thread's index. */
typedef struct index_names {
    str v[INDEX_NAMES];
    uint32_t n;
} index_names;

static bool is_index(const lint *l, uint32_t i, const index_names *names)
{
    if (is(l, i, "threadIdx") || is(l, i, "blockIdx"))
        return true;
    for (uint32_t n = 0; n < names->n; n++)
        if (str_eq(names->v[n], at(l, i)->text))
            return true;
    return false;
}

/* "i = ... threadIdx ...;" */
static void read_indexes(const lint *l, range body, index_names *names)
{
    uint32_t target = 0;
    for (uint32_t i = body.from; i < body.to; i++) {
        const char c = at(l, i)->kind;
        if (c == ';' || c == '{' || c == '}') {
            target = 0;
        } else if (c == '=' && i > body.from && at(l, i - 1)->kind == 'n' && !target) {
            target = i - 1;
        } else if (target && is_index(l, i, names) && names->n < INDEX_NAMES &&
                   !is_index(l, target, names)) {
            names->v[names->n++] = at(l, target)->text;
        }
    }
}

static bool compares_index(const lint *l, range condition, const index_names *names)
{
    bool index = false, compares = false;
    for (uint32_t i = condition.from; i < condition.to; i++) {
        const char c = at(l, i)->kind;
        index = index || is_index(l, i, names);
        compares = compares || c == '<' || c == '>';
    }
    return index && compares;
}

static void check_index(lint *l, const kernel_text *k)
{
    index_names names = {.n = 0};
    const str name = at(l, k->name)->text;
    bool uses = false, guarded = false;
    for (uint32_t i = k->body.from; i < k->body.to; i++)
        uses = uses || is(l, i, "threadIdx") || is(l, i, "blockIdx");
    if (!uses) {
        diag_error(l->c, place(l, k->name), DIAG_NO_THREAD_INDEX, (int)name.n, name.p);
        return;
    }
    read_indexes(l, k->body, &names);
    for (uint32_t i = k->body.from; i < k->body.to && !guarded; i++)
        if ((is(l, i, "if") || is(l, i, "for") || is(l, i, "while")) && at(l, i + 1)->kind == '(')
            guarded = compares_index(l, (range){i + 2, behind(l, i + 1) - 1}, &names);
    if (!guarded)
        diag_error(l->c, place(l, k->name), DIAG_NO_GUARD, (int)name.n, name.p);
}

/* --- all ------------------------------------------------------------------------------------- */

static void check_kernels(lint *l)
{
    for (uint32_t i = 0; at(l, i)->kind; i++) {
        kernel_text k;
        if (!is(l, i, "__global__"))
            continue;
        l->kernels++;
        if (!read_kernel(l, i, &k))
            continue;
        check_wanted(l, &k);
        if (k.has_body)
            check_index(l, &k);
        i = k.has_body ? k.body.to : k.params.to;
    }
    const span first = {l->tokens.src, 1, 0, 1, 1};
    if (!l->kernels) {
        diag_error(l->c, first, DIAG_NO_KERNEL);
        return;
    }
    for (uint32_t i = 0; i < l->nwanted && i < 64; i++)
        if (!(l->met >> i & 1))
            diag_error(l->c, first, DIAG_KERNEL_MISSING, (int)l->wanted[i].kernel.n,
                       l->wanted[i].kernel.p);
}

bool cuda_lint(ctx *c, const source *src, const cuda_signature *wanted, uint32_t nwanted)
{
    lint l = {.c = c, .wanted = wanted, .nwanted = nwanted};
    const uint32_t before = c->diags.n;
    cuda_tokenize(c, src, &l.tokens);
    if (c->diags.n == before && check_brackets(&l))
        check_kernels(&l);
    return c->diags.n == before;
}

bool cuda_lint_is_remark(diag_id id)
{
    return id == DIAG_NO_THREAD_INDEX || id == DIAG_NO_GUARD;
}
