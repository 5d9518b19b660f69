/* SPDX-License-Identifier: Apache-2.0 */
/* The static checks over the list of tokens, behind lint.h. The file looks for each `__global__`,
 * takes the kernel apart (name, parameters, body), compares the parameters with the signature that
 * the caller wants, and has lint_guard check the body. An example, with attributes and macros in
 * between:
 *
 *     __global__ void __launch_bounds__(256) NAME(k)(int n) { ... }
 *     name: NAME     params: int n     body: ...
 *
 * A text that the compiler accepts should have no finding, so whatever a macro or header may decide
 * is given the benefit of the doubt. */
#include "lint/lint.h"

#include "base/assert.h"
#include "base/format.h"
#include "lint/lint_guard.h"

enum { WANTED_MAX = 64 };

/* One text in work. */
typedef struct linter {
    ctx *c;
    lint_tokens tokens;
    lint_guard guard;
    const lint_signature *wanted;
    uint32_t nwanted;
    uint64_t met; /* bit i: wanted[i] is in the text; more than WANTED_MAX are not looked for */
    uint32_t kernels;
} linter;

/* The parts of a kernel, as ranges of tokens. */
typedef struct kernel_text {
    uint32_t name;           /* or the macro that makes it */
    lint_range params, body; /* without their brackets; no body: a declaration */
    bool has_body, is_void;
} kernel_text;

/* The kind of the token at i; 0 at the end of the text and behind it. */
static char kind(const linter *l, uint32_t i)
{
    return lint_at(&l->tokens, i)->kind;
}

/* Is the token at i this word? */
static bool is(const linter *l, uint32_t i, const char *word)
{
    return lint_is(&l->tokens, i, word);
}

static uint32_t behind(const linter *l, uint32_t i)
{
    return lint_behind(&l->tokens, i);
}

/* Where the token stands, for a finding. */
static span place(const linter *l, uint32_t i)
{
    return lint_span(&l->tokens, lint_at(&l->tokens, i));
}

/* --- kernels --------------------------------------------------------------------------------- */

/* "__launch_bounds__(256)", "WP_MAXNREG(64)": capitals or two underscores. A kernel with a name of
 * capitals is recognized by the brace or semicolon behind its parameters. */
static bool is_attribute(str name)
{
    if (name.n > 2 && name.p[0] == '_' && name.p[1] == '_')
        return true;
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] >= 'a' && name.p[i] <= 'z')
            return false;
    return name.n > 1;
}

/* void, or what a macro of the text may make void. */
static bool may_be_void(const linter *l, uint32_t i)
{
    return is(l, i, "void") || lint_guard_is_macro(&l->guard, i);
}

/* Attributes and the result may precede __global__: "void __global__ k(...)", too. */
static bool void_before(const linter *l, uint32_t i)
{
    while (i && kind(l, i - 1) == 'n' && !is(l, i - 1, "__global__"))
        if (may_be_void(l, --i))
            return true;
    return false;
}

/* The bracket that opens the parameters of the kernel whose __global__ stands at i; 0: there are
 * none. Attributes with arguments are skipped; *is_void: some word before the parameters is, or may
 * be, void. */
static uint32_t find_params(const linter *l, uint32_t i, bool *is_void)
{
    *is_void = void_before(l, i);
    for (i++;; i++) {
        const char c = kind(l, i);
        if (!c || strchr(";{}),", c) || is(l, i, "__global__"))
            return 0;
        *is_void = *is_void || may_be_void(l, i);
        /* [[attributes]] may hold brackets of any kind. */
        if (c == '[')
            i = behind(l, i) - 1;
        if (c != '(')
            continue;
        const uint32_t next = behind(l, i);
        const char after = kind(l, next);
        /* NAME(saxpy)(...): the second pair holds the parameters, unless the first word is an
         * attribute of the compiler, whose name begins with an underscore. */
        if (after == '(' && kind(l, i - 1) == 'n') /* NAME(saxpy)(...) */
            return is_attribute(lint_at(&l->tokens, i - 1)->text) &&
                           lint_at(&l->tokens, i - 1)->text.p[0] == '_'
                       ? i
                       : next;
        if (!is_attribute(lint_at(&l->tokens, i - 1)->text) || after == '{' || after == ';')
            return i;
        i = next - 1;
    }
}

/* The name before the parameters: of "k<float>(" k, of "NAME(saxpy)(" NAME; 0: there is none. It
 * goes back from the bracket over template arguments, whose depth is counted by their angles and
 * brackets. */
static uint32_t find_name(const linter *l, uint32_t start, uint32_t params)
{
    WEFT_ASSERT(params > start);
    uint32_t i = params - 1, depth = 0;
    while (i > start && kind(l, i) != 'n' && !depth) {
        const char c = kind(l, i);
        if (c != '>' && c != ')')
            return 0;
        do {
            depth += kind(l, i) == '>' || kind(l, i) == ')';
            depth -= kind(l, i) == '<' || kind(l, i) == '(';
            i--;
        } while (i > start && depth);
    }
    return i > start && kind(l, i) == 'n' ? i : 0;
}

/* Finds the parts of the kernel whose __global__ stands at i. False: no name stands before a
 * bracket. */
static bool read_kernel(const linter *l, uint32_t i, kernel_text *k)
{
    WEFT_ASSERT(is(l, i, "__global__"));
    const uint32_t params = find_params(l, i, &k->is_void);
    WEFT_ASSERT(!params || (params > i && kind(l, params) == '('));
    k->name = params ? find_name(l, i, params) : 0;
    if (!k->name)
        return false;
    uint32_t end = behind(l, params);
    k->params = (lint_range){params + 1, end - 1};
    while (kind(l, end) &&
           strchr("n(->", kind(l, end))) { /* noexcept, -> void, __attribute__(...) */
        k->is_void = k->is_void || may_be_void(l, end);
        end = kind(l, end) == '(' ? behind(l, end) : end + 1;
    }
    k->has_body = kind(l, end) == '{';
    k->body = (lint_range){end + 1, k->has_body ? behind(l, end) - 1 : end + 1};
    WEFT_ASSERT(k->name > i && k->name < k->params.from && k->params.from <= k->params.to);
    WEFT_ASSERT(k->params.to < k->body.from && k->body.from <= k->body.to);
    return true;
}

/* --- parameters ------------------------------------------------------------------------------ */

/* A parameter that was found. */
typedef struct param {
    uint32_t name;
    lint_range all; /* without its default */
} param;

typedef VEC(param) param_list;

/* Splits at the commas outside of brackets and angles. The name is the last one before a default,
 * the length of an array, or the comma. `(void)` and an empty list have no parameters. */
static void read_params(const linter *l, const kernel_text *k, param_list *out)
{
    param p = {.all = {k->params.from, k->params.from}};
    int angles = 0;
    bool done = false; /* a default follows */
    for (uint32_t i = k->params.from; i <= k->params.to; i++) {
        const char c = i == k->params.to ? ',' : kind(l, i);
        /* Angles that do not match, as in a default `a < b`, must not swallow the end. */
        if (c == ',' && (angles <= 0 || i == k->params.to)) {
            p.all.to = done ? p.all.to : i;
            if (p.name)
                VEC_PUSH(&l->c->module, out, p);
            p = (param){.all = {i + 1, i + 1}};
            angles = 0;
            done = false;
        } else if (lint_closing(c)) {
            i = behind(l, i) - 1;
        } else if (c == '<' || c == '>') {
            angles += c == '<' ? 1 : -1;
        } else if (c == '=' && !done) {
            done = true;
            p.all.to = i;
        } else if (c == 'n' && !done && angles <= 0 && !is(l, i, "void")) {
            p.name = i;
        }
    }
}

static bool is_restrict(str word)
{
    return str_eq(word, STR("__restrict__")) || str_eq(word, STR("__restrict"));
}

/* Is the parameter, but for its name and what only helps the compiler, this type? Spaces do not
 * matter. */
static bool has_type(const linter *l, const param *p, str type)
{
    const char *at = type.p, *end = type.p + type.n;
    for (uint32_t i = p->all.from; i < p->all.to; i++) {
        const str t = lint_at(&l->tokens, i)->text;
        if (i == p->name || is_restrict(t))
            continue;
        while (at < end && *at == ' ')
            at++;
        if ((size_t)(end - at) < t.n || memcmp(at, t.p, t.n) != 0)
            return false;
        at += t.n;
    }
    while (at < end && *at == ' ')
        at++;
    return at == end;
}

/* Parameters that Warp's deterministic mode adds behind those that the metadata name: the phase and
 * the buffers of its atomics (Warp 1.19 codegen_kernel). */
static uint32_t without_deterministic(const linter *l, const param_list *params)
{
    static const char start[] = "_wp_det_";
    uint32_t n = params->n;
    while (n) {
        const str name = lint_at(&l->tokens, params->v[n - 1].name)->text;
        if (name.n < sizeof start - 1 || memcmp(name.p, start, sizeof start - 1) != 0)
            break;
        n--;
    }
    return n;
}

/* Compares number, names and types with what the caller wants; the first difference is reported. */
static void check_signature(const linter *l, const kernel_text *k, const lint_signature *s)
{
    param_list params = {0};
    const str kernel = s->kernel;
    read_params(l, k, &params);
    params.n = without_deterministic(l, &params);
    if (params.n != s->nparams) {
        diag_error(l->c, place(l, k->name), DIAG_KERNEL_PARAMETERS, (int)kernel.n, kernel.p,
                   params.n, plural_s(params.n), s->nparams);
        return;
    }
    for (uint32_t i = 0; i < params.n; i++) {
        const param *p = &params.v[i];
        const str found = lint_at(&l->tokens, p->name)->text, name = s->params[i].name;
        const str type = s->params[i].type;
        if (!str_eq(found, name)) {
            diag_error(l->c, place(l, p->name), DIAG_KERNEL_PARAMETER, i + 1, (int)kernel.n,
                       kernel.p, (int)found.n, found.p, (int)name.n, name.p);
            return;
        }
        if (type.n && !has_type(l, p, type)) {
            diag_error(l->c, place(l, p->all.from), DIAG_KERNEL_PARAMETER_TYPE, (int)name.n, name.p,
                       (int)kernel.n, kernel.p, (int)type.n, type.p);
            return;
        }
    }
}

/* Marks the kernel as met, and checks it against each signature of its name. */
static void check_wanted(linter *l, const kernel_text *k)
{
    for (uint32_t i = 0; i < l->nwanted && i < WANTED_MAX; i++)
        if (str_eq(l->wanted[i].kernel, lint_at(&l->tokens, k->name)->text)) {
            l->met |= UINT64_C(1) << i;
            check_signature(l, k, &l->wanted[i]);
        }
}

/* --- all ------------------------------------------------------------------------------------- */

/* Checks the kernel whose __global__ stands at i. Returns the token behind which to go on. */
static uint32_t check_kernel(linter *l, uint32_t i)
{
    WEFT_ASSERT(lint_is(&l->tokens, i, "__global__"));
    kernel_text k;
    uint32_t next = i;
    if (!read_kernel(l, i, &k)) {
        while (kind(l, ++next) && !strchr(";{}),", kind(l, next)) && !is(l, next, "__global__"))
            continue;
        if (kind(l, next) != ')' && kind(l, next) != ',') /* an argument of a macro */
            diag_error(l->c, place(l, i), DIAG_NO_FUNCTION);
        /* The loop of the caller steps over the sign. */
        return next - 1;
    }
    const str name = lint_at(&l->tokens, k.name)->text;
    if (!k.is_void)
        diag_error(l->c, place(l, k.name), DIAG_KERNEL_RESULT, (int)name.n, name.p);
    if (!k.has_body)
        return k.params.to;
    check_wanted(l, &k);
    lint_guard_check(&l->guard, k.name, k.params, k.body);
    return k.body.to;
}

/* May kernels come from elsewhere: a macro, a header of the text's own, or is this a header itself?
 * Then a text without kernels has no finding. */
static bool may_have_others(const linter *l)
{
    const char *path = l->tokens.src->path;
    const size_t n = strlen(path);
    for (uint32_t i = 0; i < l->tokens.macros.n; i++)
        if (lint_mentions(l->tokens.macros.v[i].text, "__global__"))
            return true;
    return l->tokens.own_headers || (n > 4 && strcmp(path + n - 4, ".cuh") == 0);
}

/* All kernels of a text with matched brackets; then the wanted ones that are not there. */
static void check_kernels(linter *l)
{
    const span first = {l->tokens.src, 1, 0, 1, 1};
    lint_guard_init(&l->guard, l->c, &l->tokens);
    for (uint32_t i = 0; kind(l, i); i++)
        if (is(l, i, "__global__")) {
            l->kernels++;
            i = check_kernel(l, i);
        }
    if (!l->kernels && !may_have_others(l))
        diag_error(l->c, first, DIAG_NO_KERNEL);
    /* The first wanted kernel, though optional, may be missing only if another one is there. */
    const bool any = l->kernels && l->met; /* of several that are optional one is there */
    for (uint32_t i = 0; l->kernels && i < l->nwanted && i < WANTED_MAX; i++)
        if (!(l->met >> i & 1) && !(l->wanted[i].optional && (i || any)))
            diag_error(l->c, first, DIAG_KERNEL_MISSING, (int)l->wanted[i].kernel.n,
                       l->wanted[i].kernel.p);
}

/* Checks that need matched brackets are left out where brackets or strings are broken. */
bool lint_cuda(ctx *c, const source *src, const lint_signature *wanted, uint32_t nwanted,
               uint32_t *kernels)
{
    linter l = {.c = c, .wanted = wanted, .nwanted = nwanted};
    const uint32_t before = c->diags.n;
    WEFT_ASSERT(src->text.p && (wanted || !nwanted));
    lint_tokenize(c, src, &l.tokens);
    if (c->diags.n == before && lint_match_brackets(c, &l.tokens))
        check_kernels(&l);
    if (kernels)
        *kernels = l.kernels;
    return c->diags.n == before;
}

bool lint_is_remark(diag_id id)
{
    return id == DIAG_NO_THREAD_INDEX || id == DIAG_NO_GUARD || id == DIAG_UNSURE_BRACKET;
}
