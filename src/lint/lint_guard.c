/* SPDX-License-Identifier: Apache-2.0 */
/* Behind lint_guard.h: one byte of facts for each name of the text. The functions and macros of the
 * text come first (lint_guard_init, a fixed point over who calls whom), then each kernel by itself:
 * which names depend on the index, and which operator compares one of them with a bound. An
 * example:
 *
 *     __device__ int index() { ... threadIdx.x ... }   index: DEFINED, READS_INDEX
 *     __global__ void k(float *x, int n) {
 *         int i = index();                             i: INDEX
 *         if (i < n) x[i] = 0;                         '<' compares i: a guard
 *     }
 *
 * It is no data-flow analysis: a name keeps its facts over the whole kernel, whatever is assigned
 * later. So a missing guard may be overlooked, but few are reported that are there. */
#include "lint/lint_guard.h"

#include "base/assert.h"

/* Limits for texts that are made to take long; no kernel comes near. ROUNDS: of a fixed point;
 * TOKENS: of a range that is searched; OPERAND: of one side of a comparison; ARGUMENTS: of a
 * template's list. */
enum { ROUNDS = 8, TOKENS = 512, OPERAND = 128, ARGUMENTS = 64 };

/* Of a name: it is a function or macro of the text; one that reads the index of its thread; a macro
 * that compares something; a kernel that is launched, with one thread or with several. In the
 * kernel at hand: a parameter; something that depends on the index. */
enum {
    DEFINED = 1,
    READS_INDEX = 2,
    COMPARES = 4,
    ONE_THREAD = 8,
    MANY_THREADS = 16,
    PARAM = 32,
    INDEX = 64,
    MACRO = 128
};

/* A kernel whose body is examined. */
typedef struct body_facts {
    lint_guard *g;
    lint_range body;
} body_facts;

/* Has the name at token i one of these facts? Tokens that are no names have none. */
static bool has(const lint_guard *g, uint32_t i, uint8_t bits)
{
    const lint_token *k = lint_at(g->tokens, i);
    WEFT_ASSERT(k->kind != 'n' || k->name < g->nnames);
    return k->kind == 'n' && (g->names[k->name] & bits);
}

/* At most TOKENS of the range: what lies beyond is not looked at. */
static lint_range cut(lint_range r)
{
    WEFT_ASSERT(r.from <= r.to);
    return (lint_range){r.from, r.to - r.from > TOKENS && r.to > r.from ? r.from + TOKENS : r.to};
}

/* Does the sign at i touch the one behind it, so that both are one operator: "==", "<<"? */
static bool touches(const lint_tokens *t, uint32_t i, char next)
{
    const lint_token *a = lint_at(t, i), *b = lint_at(t, i + 1);
    return b->kind == next && b->text.p == a->text.p + a->text.n;
}

/* CUDA's own words for the index; "%tid.x" in inline PTX. */
static bool is_source(const lint_tokens *t, uint32_t i)
{
    static const char *const words[] = {"threadIdx",   "blockIdx",     "this_thread_block",
                                        "this_grid",   "thread_rank",  "thread_index",
                                        "group_index", "this_cluster", "cub"};
    const lint_token *k = lint_at(t, i);
    if (k->kind == 's')
        return lint_mentions(k->text, "%tid") || lint_mentions(k->text, "%ctaid");
    return k->kind == 'n' && STR_IS_IN(k->text, words);
}

/* --- functions and macros of the text -------------------------------------------------------- */

/* Words before a bracket that call nothing. */
static bool is_word_of_control(str word)
{
    static const char *const words[] = {"if",     "for",   "while",    "switch", "return",
                                        "sizeof", "catch", "decltype", "alignof"};
    return STR_IS_IN(word, words);
}

/* Does some token of the range read the index, itself or by a function of the text? */
static bool reads_index(const lint_guard *g, lint_range r)
{
    for (uint32_t i = r.from; i < r.to; i++)
        if (is_source(g->tokens, i) || has(g, i, READS_INDEX))
            return true;
    return false;
}

/* "NAME(...) ... {": the body, or nothing. */
static lint_range function_at(const lint_tokens *t, uint32_t i)
{
    const lint_range none = {0, 0};
    if (lint_at(t, i)->kind != 'n' || lint_at(t, i + 1)->kind != '(' ||
        is_word_of_control(lint_at(t, i)->text))
        return none;
    /* Words that may stand between parameters and body. */
    uint32_t end = lint_behind(t, i + 1);
    while (lint_is(t, end, "const") || lint_is(t, end, "noexcept") || lint_is(t, end, "override"))
        end++;
    if (lint_at(t, end)->kind != '{')
        return none;
    return (lint_range){end + 1, lint_behind(t, end) - 1};
}

/* The name is defined by the text. True: it is new that it reads the index. */
static bool add(lint_guard *g, uint32_t id, bool reads)
{
    WEFT_ASSERT(id < g->nnames);
    const bool grew = reads && !(g->names[id] & READS_INDEX);
    g->names[id] |= reads ? DEFINED | READS_INDEX : DEFINED;
    return grew;
}

/* One round over the functions; true: some fact is new, so callers before it may change. */
static bool read_functions(lint_guard *g)
{
    bool grew = false;
    for (uint32_t i = 0; lint_at(g->tokens, i)->kind; i++) {
        const lint_range body = function_at(g->tokens, i);
        if (!body.from)
            continue;
        grew = add(g, lint_at(g->tokens, i)->name, reads_index(g, body)) || grew;
        i = body.to;
    }
    return grew;
}

/* A macro's text is not split into tokens, so its names are looked up by their symbols. */
static bool macro_reads_index(const lint_guard *g, str text)
{
    size_t at = 0;
    str name;
    if (lint_mentions(text, "threadIdx") || lint_mentions(text, "blockIdx"))
        return true;
    while (lint_next_name(text, &at, &name)) {
        const sym *s = sym_find(&g->c->syms, name.p, name.n);
        if (s && s->id < g->nnames && (g->names[s->id] & READS_INDEX))
            return true;
    }
    return false;
}

/* One round over the macros, as read_functions. */
static bool read_macros(lint_guard *g)
{
    bool grew = false;
    for (uint32_t i = 0; i < g->tokens->macros.n; i++) {
        const lint_macro *m = &g->tokens->macros.v[i];
        const sym *s = sym_find(&g->c->syms, m->name.p, m->name.n);
        if (!s || s->id >= g->nnames)
            continue; /* nobody uses it */
        grew = add(g, s->id, macro_reads_index(g, m->text)) || grew;
        g->names[s->id] |= MACRO;
        if (lint_mentions(m->text, "<") || lint_mentions(m->text, ">"))
            g->names[s->id] |= COMPARES;
    }
    return grew;
}

/* "NAME<<<" or "NAME<T><<<" at the name: does the host launch it with one thread? A kernel that is
 * only launched so needs no index. */
static void read_launch(lint_guard *g, uint32_t i)
{
    const lint_tokens *t = g->tokens;
    uint8_t *name = &g->names[lint_at(t, i)->name];
    i++;
    if (lint_at(t, i)->kind == '<' && !touches(t, i, '<')) {
        const uint32_t end = i + ARGUMENTS;
        while (lint_at(t, i)->kind && lint_at(t, i)->kind != '>' && i < end)
            i++;
        i++;
    }
    if (lint_at(t, i)->kind != '<' || !touches(t, i, '<') || !touches(t, i + 1, '<'))
        return;
    /* <<<1, 1>>> and <<<1, 1, ...>>>: one block of one thread. */
    const bool single = lint_is(t, i + 3, "1") && lint_at(t, i + 4)->kind == ',' &&
                        lint_is(t, i + 5, "1") && strchr(",>", lint_at(t, i + 6)->kind);
    *name |= single ? ONE_THREAD : MANY_THREADS;
}

/* Facts about the whole text. A chain of more than ROUNDS functions that each call the next one
 * behind them is not followed to its end. */
void lint_guard_init(lint_guard *g, ctx *c, const lint_tokens *tokens)
{
    *g = (lint_guard){.c = c, .tokens = tokens, .nnames = c->syms.n};
    g->names = arena_zero(&c->module, g->nnames + 1);
    for (uint32_t i = 0; lint_at(tokens, i)->kind; i++)
        if (lint_at(tokens, i)->kind == 'n' && lint_at(tokens, i + 1)->kind == '<')
            read_launch(g, i);
    for (int i = 0; i < ROUNDS; i++) { /* functions call functions that stand behind them */
        const bool macros = read_macros(g);
        if (!read_functions(g) && !macros)
            return;
    }
}

/* --- what depends on the index --------------------------------------------------------------- */

/* Does the token stand for something that depends on the index? */
static bool is_index(const body_facts *f, uint32_t i)
{
    return is_source(f->g->tokens, i) || has(f->g, i, READS_INDEX | INDEX);
}

/* Not within [...]: x[i] has the index of an element, but `x[i] < n` is no bound on i. */
static bool has_index(const body_facts *f, lint_range r)
{
    r = cut(r);
    for (uint32_t i = r.from; i < r.to; i++) {
        if (lint_at(f->g->tokens, i)->kind == '[')
            i = lint_behind(f->g->tokens, i) - 1;
        else if (is_index(f, i))
            return true;
    }
    return false;
}

/* The name at i depends on the index. True: that is new. */
static bool add_index(body_facts *f, uint32_t i)
{
    const lint_token *k = lint_at(f->g->tokens, i);
    if (k->kind != 'n' || is_index(f, i))
        return false;
    f->g->names[k->name] |= INDEX;
    return true;
}

/* The token behind the expression that begins at i: a comma, a semicolon, a closing bracket, or
 * `end`. */
static uint32_t end_of_expression(const lint_tokens *t, uint32_t i, uint32_t end)
{
    end = cut((lint_range){i, end}).to;
    while (i < end) {
        const char c = lint_at(t, i)->kind;
        if (c == ';' || c == ',' || c == ')' || c == ']' || c == '}')
            break;
        i = lint_closing(c) ? lint_behind(t, i) : i + 1;
    }
    return i;
}

/* The name that '=', with an operator before it or none, changes; 0: this assigns to no name. */
static uint32_t target_of(const lint_tokens *t, uint32_t i)
{
    WEFT_ASSERT(i >= 2);
    const char before = lint_at(t, i - 1)->kind;
    if (touches(t, i, '=') || (strchr("=!<>", before) && touches(t, i - 1, '=')))
        return 0;
    const uint32_t target = strchr("+-*/%&|^", before) ? i - 2 : i - 1;
    return lint_at(t, target)->kind == 'n' ? target : 0;
}

/* "i = ...", "int i(...)", "int i{...}", and arguments of functions that read the index, which may
 * return it through them. True: a name became one that depends on the index:
 *
 *     int i = threadIdx.x;       i
 *     j += i;                    j
 *     get_index(&k);             k, if get_index reads the index */
static bool follow(body_facts *f, uint32_t i)
{
    const lint_tokens *t = f->g->tokens;
    const char c = lint_at(t, i)->kind;
    bool grew = false;
    if (c == '=' && i > f->body.from + 1) {
        const uint32_t target = target_of(t, i);
        const lint_range value = {i + 1, end_of_expression(t, i + 1, f->body.to)};
        return target && has_index(f, value) && add_index(f, target);
    }
    if (c != 'n' || (lint_at(t, i + 1)->kind != '(' && lint_at(t, i + 1)->kind != '{'))
        return false;
    const lint_range inner = {i + 2, lint_behind(t, i + 1) - 1};
    if (has(f->g, i, READS_INDEX)) {
        /* Any argument may receive the index by reference. */
        const uint32_t end = cut(inner).to;
        for (uint32_t k = inner.from; k < end; k++)
            grew = (lint_at(t, k + 1)->kind != '(' && add_index(f, k)) || grew;
        return grew;
    }
    /* Two names side by side, "int i(...)": a declaration with an initial value. */
    const bool declares = i > f->body.from && lint_at(t, i - 1)->kind == 'n' &&
                          !is_word_of_control(lint_at(t, i - 1)->text) &&
                          !is_word_of_control(lint_at(t, i)->text);
    return declares && has_index(f, inner) && add_index(f, i);
}

/* Until nothing changes, for names may be assigned before what they depend on, in a loop. */
static void find_indexes(body_facts *f)
{
    bool grew = true;
    for (int round = 0; grew && round < ROUNDS; round++) {
        grew = false;
        for (uint32_t i = f->body.from; i < f->body.to; i++)
            grew = follow(f, i) || grew;
    }
}

/* --- guards ---------------------------------------------------------------------------------- */

/* Is the '<' at i the start of template arguments: "cast<int>(", "min<T>(", "Pair<A, B>::"? The
 * token of the closing '>', or 0. */
static uint32_t template_end(const lint_tokens *t, uint32_t i)
{
    uint32_t depth = 0;
    const uint32_t last = i + ARGUMENTS;
    if (lint_at(t, i - 1)->kind != 'n')
        return 0;
    for (;; i++) {
        const lint_token *k = lint_at(t, i);
        depth += k->kind == '<';
        if (k->kind == '>' && --depth == 0)
            break;
        if (i == last || !k->kind || !strchr("n0:,*.<>", k->kind))
            return 0;
    }
    const char after = lint_at(t, i + 1)->kind;
    return after == '(' || after == ':' || after == '{' || after == 'n' ? i : 0;
}

/* Signs of lower precedence than a comparison. */
static bool ends_operand(const lint_tokens *t, uint32_t i)
{
    const char c = lint_at(t, i)->kind;
    return strchr(";{},?:=", c) || ((c == '&' || c == '|') && touches(t, i, c));
}

/* Both operands of the operator at i, as far as the signs of lower precedence around it. OPERAND
 * tokens of each at most. */
static lint_range operands_of(const body_facts *f, uint32_t i)
{
    WEFT_ASSERT(i >= f->body.from && i < f->body.to);
    const lint_tokens *t = f->g->tokens;
    uint32_t from = i, to = i + 1, depth = 0;
    const uint32_t end = f->body.to - i > OPERAND ? i + OPERAND : f->body.to;
    for (; from > f->body.from && i - from < OPERAND; from--) {
        const char c = lint_at(t, from - 1)->kind;
        if ((lint_closing(c) && !depth) || (!depth && ends_operand(t, from - 1)))
            break;
        /* Going backwards, a closing bracket opens a group. */
        depth += c == ')' || c == ']' || c == '}';
        depth -= lint_closing(c) != 0;
    }
    to += lint_at(t, to)->kind == '='; /* "<=" */
    while (to < end && !ends_operand(t, to) && lint_at(t, to)->kind != ')' &&
           lint_at(t, to)->kind != ']')
        to = lint_closing(lint_at(t, to)->kind) ? lint_behind(t, to) : to + 1;
    return (lint_range){from, to};
}

/* At '<', '>', "==" or "!=". Shifts and arrows have the same signs: "<<" and "->" are none. */
static bool is_comparison(const lint_tokens *t, uint32_t i)
{
    const char c = lint_at(t, i)->kind, before = lint_at(t, i - 1)->kind;
    if (c == '<' || c == '>') {
        const bool arrow = c == '>' && before == '-' && touches(t, i - 1, '>');
        const bool shift = touches(t, i, c) || (before == c && touches(t, i - 1, c));
        return !arrow && !shift;
    }
    return (c == '=' || c == '!') && touches(t, i, '=');
}

/* Functions whose result or failure bounds their argument. */
static bool is_bounding(str name)
{
    static const char *const words[] = {"min",  "max",         "clamp", "fminf", "fmaxf",
                                        "umin", "umax",        "fmin",  "fmax",  "fmodf",
                                        "fmod", "__saturatef", "assert"};
    return STR_IS_IN(name, words);
}

/* A condition whose whole is a name, "!" and a name, or that calls a function with the index: `if
 * (inside)`, `if (!valid(i))`. The function may hold the comparison. */
static bool decides(const body_facts *f, lint_range r)
{
    const lint_tokens *t = f->g->tokens;
    const uint32_t first = r.from + (lint_at(t, r.from)->kind == '!');
    /* A single name: a flag that was computed from the index. */
    if (first + 1 == r.to)
        return is_index(f, first);
    const uint32_t end = cut(r).to;
    for (uint32_t i = r.from; i < end; i++)
        if (lint_at(t, i)->kind == 'n' && lint_at(t, i + 1)->kind == '(' &&
            has_index(f, (lint_range){i + 2, lint_behind(t, i + 1) - 1}))
            return true;
    return false;
}

/* "x[i % n]": within the brackets that open at i. A remainder keeps the index within bounds. */
static bool wraps(const body_facts *f, uint32_t i)
{
    const lint_range r = cut((lint_range){i + 1, lint_behind(f->g->tokens, i) - 1});
    bool modulo = false;
    for (uint32_t k = r.from; k < r.to; k++)
        modulo = modulo || lint_at(f->g->tokens, k)->kind == '%';
    return modulo && has_index(f, r);
}

/* Does the token at i compare or bound something that depends on the index? All of these do:
 *
 *     if (i < n)     for (; i < n; )     min(i, n - 1)     x[i % n]     switch (i)
 *     if (inside)    assert(i < n)       KERNEL_LOOP(i, n), a macro that compares */
static bool is_guard(const body_facts *f, uint32_t i)
{
    const lint_tokens *t = f->g->tokens;
    const lint_token *k = lint_at(t, i);
    const bool opens = lint_at(t, i + 1)->kind == '(';
    if (k->kind == 'n') {
        const lint_range inner = {i + 2, opens ? lint_behind(t, i + 1) - 1 : i + 2};
        /* A macro that does both, such as a loop over indices. */
        if (has(f->g, i, READS_INDEX) && has(f->g, i, COMPARES))
            return true;
        if (opens && is_bounding(k->text))
            return has_index(f, inner);
        if (opens && str_eq(k->text, STR("switch")))
            return has_index(f, inner);
        return opens && (lint_is(t, i, "if") || lint_is(t, i, "while")) && decides(f, inner);
    }
    if (k->kind == '[')
        return wraps(f, i);
    return is_comparison(t, i) && has_index(f, operands_of(f, i));
}

/* Does any token of the body? Template arguments are passed over, for their brackets look like
 * comparisons. */
static bool is_guarded(const body_facts *f)
{
    for (uint32_t i = f->body.from; i < f->body.to; i++) {
        const char c = lint_at(f->g->tokens, i)->kind;
        const uint32_t end = c == '<' ? template_end(f->g->tokens, i) : 0;
        if (end)
            i = end;
        else if (is_guard(f, i))
            return true;
    }
    return false;
}

/* --- what cannot be seen --------------------------------------------------------------------- */

/* A name of capitals: a macro, most likely. */
static bool is_capital(str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] >= 'a' && name.p[i] <= 'z')
            return false;
    return name.n > 1;
}

/* May the function called at i be any: a parameter, a member, one of a template's argument or of a
 * header, a macro? Functions of wp, std and cuda compare nothing on their own. */
static bool is_foreign_call(const body_facts *f, uint32_t i)
{
    const lint_tokens *t = f->g->tokens;
    const lint_token *k = lint_at(t, i);
    if (k->kind != 'n' || lint_at(t, i + 1)->kind != '(' || is_word_of_control(k->text) ||
        has(f->g, i, DEFINED))
        return false;
    const char before = lint_at(t, i - 1)->kind;
    /* A qualified name: whose namespace? */
    if (before == ':' && lint_at(t, i - 2)->kind == ':')
        return !lint_is(t, i - 3, "wp") && !lint_is(t, i - 3, "std") && !lint_is(t, i - 3, "cuda");
    return has(f->g, i, PARAM) || before == '.' || before == '>' || is_capital(k->text) ||
           t->own_headers;
}

/* May there be a use of the index, or with `known` names of it a guard, that is not in the text?
 * Then there is no remark. */
static bool may_hide(const body_facts *f, bool known)
{
    const lint_tokens *t = f->g->tokens;
    for (uint32_t i = f->body.from; i < f->body.to; i++)
        if (is_foreign_call(f, i) &&
            (!known || has_index(f, (lint_range){i + 2, lint_behind(t, i + 1) - 1})))
            return true;
    return false;
}

/* Needs: lint_guard_init. */
bool lint_guard_is_macro(const lint_guard *g, uint32_t i)
{
    WEFT_ASSERT(g->names != NULL);
    return has(g, i, MACRO);
}

/* Sets and keeps facts of all names in the range. */
static void mark(lint_guard *g, lint_range r, uint8_t set, uint8_t keep)
{
    for (uint32_t i = r.from; i < r.to; i++)
        if (lint_at(g->tokens, i)->kind == 'n') {
            uint8_t *name = &g->names[lint_at(g->tokens, i)->name];
            *name = (uint8_t)((*name & keep) | set);
        }
}

/* The remark on the kernel; DIAG_COUNT: none. */
static diag_id remark_on(body_facts *f)
{
    if (!reads_index(f->g, f->body))
        return may_hide(f, false) ? DIAG_COUNT : DIAG_NO_THREAD_INDEX;
    find_indexes(f);
    return is_guarded(f) || may_hide(f, true) ? DIAG_COUNT : DIAG_NO_GUARD;
}

/* Adds at most one remark. Facts of the kernel's own names are taken back at the end, since other
 * kernels use the same names. */
void lint_guard_check(lint_guard *g, uint32_t name, lint_range params, lint_range body)
{
    const lint_token *kernel = lint_at(g->tokens, name);
    body_facts f = {g, body};
    WEFT_ASSERT(kernel->kind == 'n' && body.to <= g->tokens->all.n);
    WEFT_ASSERT(params.from <= params.to && params.to < body.from);
    if (body.from >= body.to || (has(g, name, ONE_THREAD) && !has(g, name, MANY_THREADS)))
        return;
    mark(g, params, PARAM, UINT8_MAX);
    const diag_id id = remark_on(&f);
    if (id != DIAG_COUNT)
        diag_error(g->c, lint_span(g->tokens, kernel), id, (int)kernel->text.n, kernel->text.p);
    const uint8_t keep = (uint8_t) ~(PARAM | INDEX);
    mark(g, params, 0, keep);
    mark(g, body, 0, keep);
}
