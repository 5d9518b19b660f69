/* The thread's index in a kernel, and what it is compared with. */
#include "gpu/cuda_guard.h"

/* Limits for texts that are made to take long; no kernel comes near. */
enum { ROUNDS = 8, TOKENS = 512, OPERAND = 128, ARGUMENTS = 64 };

/* Of a name: it is a function or macro of the text; one that asks which thread it is; a macro that
 * compares something; a kernel that is launched, with one thread or with several. In the kernel at
 * hand: a parameter; something that depends on the index. */
enum {
    DEFINED = 1,
    ASKS = 2,
    COMPARES = 4,
    ONE_THREAD = 8,
    MANY_THREADS = 16,
    PARAM = 32,
    INDEX = 64,
    MACRO = 128
};

/* A kernel. */
typedef struct body_facts {
    cuda_guard *g;
    cuda_range body;
} body_facts;

static bool is_one_of(str word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(word, str_c(words[i])))
            return true;
    return false;
}

static bool has(const cuda_guard *g, uint32_t i, uint8_t bits)
{
    const cuda_token *k = cuda_at(g->tokens, i);
    return k->kind == 'n' && (g->names[k->name] & bits);
}

static cuda_range cut(cuda_range r)
{
    return (cuda_range){r.from, r.to - r.from > TOKENS && r.to > r.from ? r.from + TOKENS : r.to};
}

/* Does the sign at i touch the one behind it? */
static bool touches(const cuda_tokens *t, uint32_t i, char next)
{
    const cuda_token *a = cuda_at(t, i), *b = cuda_at(t, i + 1);
    return b->kind == next && b->text.p == a->text.p + a->text.n;
}

/* CUDA's own words for it; "%tid.x" in inline PTX. */
static bool is_source(const cuda_tokens *t, uint32_t i)
{
    static const char *const words[] = {"threadIdx",   "blockIdx",     "this_thread_block",
                                        "this_grid",   "thread_rank",  "thread_index",
                                        "group_index", "this_cluster", "cub"};
    const cuda_token *k = cuda_at(t, i);
    if (k->kind == 's')
        return cuda_mentions(k->text, "%tid") || cuda_mentions(k->text, "%ctaid");
    return k->kind == 'n' && is_one_of(k->text, words, sizeof words / sizeof *words);
}

/* --- functions and macros of the text -------------------------------------------------------- */

static bool is_word_of_control(str word)
{
    static const char *const words[] = {"if",     "for",   "while",    "switch", "return",
                                        "sizeof", "catch", "decltype", "alignof"};
    return is_one_of(word, words, sizeof words / sizeof *words);
}

static bool asks(const cuda_guard *g, cuda_range r)
{
    for (uint32_t i = r.from; i < r.to; i++)
        if (is_source(g->tokens, i) || has(g, i, ASKS))
            return true;
    return false;
}

/* "NAME(...) ... {": the body, or nothing. */
static cuda_range function_at(const cuda_tokens *t, uint32_t i)
{
    const cuda_range none = {0, 0};
    if (cuda_at(t, i)->kind != 'n' || cuda_at(t, i + 1)->kind != '(' ||
        is_word_of_control(cuda_at(t, i)->text))
        return none;
    uint32_t end = cuda_behind(t, i + 1);
    while (cuda_is(t, end, "const") || cuda_is(t, end, "noexcept") || cuda_is(t, end, "override"))
        end++;
    if (cuda_at(t, end)->kind != '{')
        return none;
    return (cuda_range){end + 1, cuda_behind(t, end) - 1};
}

/* True: a name that asks for the index was found. */
static bool add(cuda_guard *g, uint32_t id, bool asking)
{
    const bool grew = asking && !(g->names[id] & ASKS);
    g->names[id] |= asking ? DEFINED | ASKS : DEFINED;
    return grew;
}

static bool read_functions(cuda_guard *g)
{
    bool grew = false;
    for (uint32_t i = 0; cuda_at(g->tokens, i)->kind; i++) {
        const cuda_range body = function_at(g->tokens, i);
        if (!body.from)
            continue;
        grew = add(g, cuda_at(g->tokens, i)->name, asks(g, body)) || grew;
        i = body.to;
    }
    return grew;
}

static bool macro_asks(const cuda_guard *g, str text)
{
    size_t at = 0;
    str name;
    if (cuda_mentions(text, "threadIdx") || cuda_mentions(text, "blockIdx"))
        return true;
    while (cuda_next_name(text, &at, &name)) {
        const sym *s = sym_find(&g->c->syms, name.p, name.n);
        if (s && s->id < g->nnames && (g->names[s->id] & ASKS))
            return true;
    }
    return false;
}

static bool read_macros(cuda_guard *g)
{
    bool grew = false;
    for (uint32_t i = 0; i < g->tokens->macros.n; i++) {
        const cuda_macro *m = &g->tokens->macros.v[i];
        const sym *s = sym_find(&g->c->syms, m->name.p, m->name.n);
        if (!s || s->id >= g->nnames)
            continue; /* nobody uses it */
        grew = add(g, s->id, macro_asks(g, m->text)) || grew;
        g->names[s->id] |= MACRO;
        if (cuda_mentions(m->text, "<") || cuda_mentions(m->text, ">"))
            g->names[s->id] |= COMPARES;
    }
    return grew;
}

/* "NAME<<<" or "NAME<T><<<": at the name. */
static void read_launch(cuda_guard *g, uint32_t i)
{
    const cuda_tokens *t = g->tokens;
    uint8_t *name = &g->names[cuda_at(t, i)->name];
    i++;
    if (cuda_at(t, i)->kind == '<' && !touches(t, i, '<')) {
        const uint32_t end = i + ARGUMENTS;
        while (cuda_at(t, i)->kind && cuda_at(t, i)->kind != '>' && i < end)
            i++;
        i++;
    }
    if (cuda_at(t, i)->kind != '<' || !touches(t, i, '<') || !touches(t, i + 1, '<'))
        return;
    const bool single = cuda_is(t, i + 3, "1") && cuda_at(t, i + 4)->kind == ',' &&
                        cuda_is(t, i + 5, "1") && strchr(",>", cuda_at(t, i + 6)->kind);
    *name |= single ? ONE_THREAD : MANY_THREADS;
}

void cuda_guard_init(cuda_guard *g, ctx *c, const cuda_tokens *tokens)
{
    *g = (cuda_guard){.c = c, .tokens = tokens, .nnames = c->syms.n};
    g->names = arena_zero(&c->module, g->nnames + 1);
    for (uint32_t i = 0; cuda_at(tokens, i)->kind; i++)
        if (cuda_at(tokens, i)->kind == 'n' && cuda_at(tokens, i + 1)->kind == '<')
            read_launch(g, i);
    for (int i = 0; i < ROUNDS; i++) { /* functions call functions that stand behind them */
        const bool macros = read_macros(g);
        if (!read_functions(g) && !macros)
            return;
    }
}

/* --- what depends on the index --------------------------------------------------------------- */

static bool is_index(const body_facts *f, uint32_t i)
{
    return is_source(f->g->tokens, i) || has(f->g, i, ASKS | INDEX);
}

/* Not within [...]: an element is no index. */
static bool has_index(const body_facts *f, cuda_range r)
{
    r = cut(r);
    for (uint32_t i = r.from; i < r.to; i++) {
        if (cuda_at(f->g->tokens, i)->kind == '[')
            i = cuda_behind(f->g->tokens, i) - 1;
        else if (is_index(f, i))
            return true;
    }
    return false;
}

static bool add_index(body_facts *f, uint32_t i)
{
    const cuda_token *k = cuda_at(f->g->tokens, i);
    if (k->kind != 'n' || is_index(f, i))
        return false;
    f->g->names[k->name] |= INDEX;
    return true;
}

/* To the end of the expression that begins at i. */
static uint32_t end_of_expression(const cuda_tokens *t, uint32_t i, uint32_t end)
{
    end = cut((cuda_range){i, end}).to;
    while (i < end) {
        const char c = cuda_at(t, i)->kind;
        if (c == ';' || c == ',' || c == ')' || c == ']' || c == '}')
            break;
        i = cuda_closing(c) ? cuda_behind(t, i) : i + 1;
    }
    return i;
}

/* The name that '=', with an operator before it or none, changes; 0: this assigns to no name. */
static uint32_t target_of(const cuda_tokens *t, uint32_t i)
{
    const char before = cuda_at(t, i - 1)->kind;
    if (touches(t, i, '=') || (strchr("=!<>", before) && touches(t, i - 1, '=')))
        return 0;
    const uint32_t target = strchr("+-*/%&|^", before) ? i - 2 : i - 1;
    return cuda_at(t, target)->kind == 'n' ? target : 0;
}

/* "i = ...", "int i(...)", "int i{...}", and arguments of functions that ask for the index. */
static bool follow(body_facts *f, uint32_t i)
{
    const cuda_tokens *t = f->g->tokens;
    const char c = cuda_at(t, i)->kind;
    bool grew = false;
    if (c == '=' && i > f->body.from + 1) {
        const uint32_t target = target_of(t, i);
        const cuda_range value = {i + 1, end_of_expression(t, i + 1, f->body.to)};
        return target && has_index(f, value) && add_index(f, target);
    }
    if (c != 'n' || (cuda_at(t, i + 1)->kind != '(' && cuda_at(t, i + 1)->kind != '{'))
        return false;
    const cuda_range inner = {i + 2, cuda_behind(t, i + 1) - 1};
    if (has(f->g, i, ASKS)) {
        const uint32_t end = cut(inner).to;
        for (uint32_t k = inner.from; k < end; k++)
            grew = (cuda_at(t, k + 1)->kind != '(' && add_index(f, k)) || grew;
        return grew;
    }
    const bool declares = i > f->body.from && cuda_at(t, i - 1)->kind == 'n' &&
                          !is_word_of_control(cuda_at(t, i - 1)->text) &&
                          !is_word_of_control(cuda_at(t, i)->text);
    return declares && has_index(f, inner) && add_index(f, i);
}

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

/* Is the '<' at i the start of template arguments: "cast<int>(", "min<T>(", "Pair<A, B>::"? */
static uint32_t template_end(const cuda_tokens *t, uint32_t i)
{
    uint32_t depth = 0;
    const uint32_t last = i + ARGUMENTS;
    if (cuda_at(t, i - 1)->kind != 'n')
        return 0;
    for (;; i++) {
        const cuda_token *k = cuda_at(t, i);
        depth += k->kind == '<';
        if (k->kind == '>' && --depth == 0)
            break;
        if (i == last || !k->kind || !strchr("n0:,*.<>", k->kind))
            return 0;
    }
    const char after = cuda_at(t, i + 1)->kind;
    return after == '(' || after == ':' || after == '{' || after == 'n' ? i : 0;
}

static bool ends_operand(const cuda_tokens *t, uint32_t i)
{
    const char c = cuda_at(t, i)->kind;
    return strchr(";{},?:=", c) || ((c == '&' || c == '|') && touches(t, i, c));
}

/* Both operands of the operator at i. */
static cuda_range operands_of(const body_facts *f, uint32_t i)
{
    const cuda_tokens *t = f->g->tokens;
    uint32_t from = i, to = i + 1, depth = 0;
    const uint32_t end = f->body.to - i > OPERAND ? i + OPERAND : f->body.to;
    for (; from > f->body.from && i - from < OPERAND; from--) {
        const char c = cuda_at(t, from - 1)->kind;
        if ((cuda_closing(c) && !depth) || (!depth && ends_operand(t, from - 1)))
            break;
        depth += c == ')' || c == ']' || c == '}';
        depth -= cuda_closing(c) != 0;
    }
    to += cuda_at(t, to)->kind == '='; /* "<=" */
    while (to < end && !ends_operand(t, to) && cuda_at(t, to)->kind != ')' &&
           cuda_at(t, to)->kind != ']')
        to = cuda_closing(cuda_at(t, to)->kind) ? cuda_behind(t, to) : to + 1;
    return (cuda_range){from, to};
}

/* At '<', '>', "==" or "!=". */
static bool is_comparison(const cuda_tokens *t, uint32_t i)
{
    const char c = cuda_at(t, i)->kind, before = cuda_at(t, i - 1)->kind;
    if (c == '<' || c == '>') {
        const bool arrow = c == '>' && before == '-' && touches(t, i - 1, '>');
        const bool shift = touches(t, i, c) || (before == c && touches(t, i - 1, c));
        return !arrow && !shift;
    }
    return (c == '=' || c == '!') && touches(t, i, '=');
}

static bool is_bounding(str name)
{
    static const char *const words[] = {"min",  "max",         "clamp", "fminf", "fmaxf",
                                        "umin", "umax",        "fmin",  "fmax",  "fmodf",
                                        "fmod", "__saturatef", "assert"};
    return is_one_of(name, words, sizeof words / sizeof *words);
}

/* A condition whose whole is a name, "!" and a name, or that calls a function with the index. */
static bool decides(const body_facts *f, cuda_range r)
{
    const cuda_tokens *t = f->g->tokens;
    const uint32_t first = r.from + (cuda_at(t, r.from)->kind == '!');
    if (first + 1 == r.to)
        return is_index(f, first);
    const uint32_t end = cut(r).to;
    for (uint32_t i = r.from; i < end; i++)
        if (cuda_at(t, i)->kind == 'n' && cuda_at(t, i + 1)->kind == '(' &&
            has_index(f, (cuda_range){i + 2, cuda_behind(t, i + 1) - 1}))
            return true;
    return false;
}

/* "x[i % n]": within the brackets that open at i. */
static bool wraps(const body_facts *f, uint32_t i)
{
    const cuda_range r = cut((cuda_range){i + 1, cuda_behind(f->g->tokens, i) - 1});
    bool modulo = false;
    for (uint32_t k = r.from; k < r.to; k++)
        modulo = modulo || cuda_at(f->g->tokens, k)->kind == '%';
    return modulo && has_index(f, r);
}

static bool is_guard(const body_facts *f, uint32_t i)
{
    const cuda_tokens *t = f->g->tokens;
    const cuda_token *k = cuda_at(t, i);
    const bool opens = cuda_at(t, i + 1)->kind == '(';
    if (k->kind == 'n') {
        const cuda_range inner = {i + 2, opens ? cuda_behind(t, i + 1) - 1 : i + 2};
        if (has(f->g, i, ASKS) && has(f->g, i, COMPARES))
            return true;
        if (opens && is_bounding(k->text))
            return has_index(f, inner);
        if (opens && str_eq(k->text, STR("switch")))
            return has_index(f, inner);
        return opens && (cuda_is(t, i, "if") || cuda_is(t, i, "while")) && decides(f, inner);
    }
    if (k->kind == '[')
        return wraps(f, i);
    return is_comparison(t, i) && has_index(f, operands_of(f, i));
}

static bool is_guarded(const body_facts *f)
{
    for (uint32_t i = f->body.from; i < f->body.to; i++) {
        const char c = cuda_at(f->g->tokens, i)->kind;
        const uint32_t end = c == '<' ? template_end(f->g->tokens, i) : 0;
        if (end)
            i = end;
        else if (is_guard(f, i))
            return true;
    }
    return false;
}

/* --- what cannot be seen --------------------------------------------------------------------- */

/* A macro, most likely. */
static bool is_capital(str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] >= 'a' && name.p[i] <= 'z')
            return false;
    return name.n > 1;
}

/* May the function called at i be any: a parameter, a member, one of a template's argument or of a
 * header, a macro? */
static bool is_foreign_call(const body_facts *f, uint32_t i)
{
    const cuda_tokens *t = f->g->tokens;
    const cuda_token *k = cuda_at(t, i);
    if (k->kind != 'n' || cuda_at(t, i + 1)->kind != '(' || is_word_of_control(k->text) ||
        has(f->g, i, DEFINED))
        return false;
    const char before = cuda_at(t, i - 1)->kind;
    if (before == ':' && cuda_at(t, i - 2)->kind == ':')
        return !cuda_is(t, i - 3, "wp") && !cuda_is(t, i - 3, "std") && !cuda_is(t, i - 3, "cuda");
    return has(f->g, i, PARAM) || before == '.' || before == '>' || is_capital(k->text) ||
           t->own_headers;
}

/* May there be a use of the index, or with `known` names of it a guard, that is not in the text? */
static bool may_hide(const body_facts *f, bool known)
{
    const cuda_tokens *t = f->g->tokens;
    for (uint32_t i = f->body.from; i < f->body.to; i++)
        if (is_foreign_call(f, i) &&
            (!known || has_index(f, (cuda_range){i + 2, cuda_behind(t, i + 1) - 1})))
            return true;
    return false;
}

bool cuda_guard_is_macro(const cuda_guard *g, uint32_t i)
{
    return has(g, i, MACRO);
}

static void mark(cuda_guard *g, cuda_range r, uint8_t set, uint8_t keep)
{
    for (uint32_t i = r.from; i < r.to; i++)
        if (cuda_at(g->tokens, i)->kind == 'n') {
            uint8_t *name = &g->names[cuda_at(g->tokens, i)->name];
            *name = (uint8_t)((*name & keep) | set);
        }
}

static diag_id remark_on(body_facts *f)
{
    if (!asks(f->g, f->body))
        return may_hide(f, false) ? DIAG_COUNT : DIAG_NO_THREAD_INDEX;
    find_indexes(f);
    return is_guarded(f) || may_hide(f, true) ? DIAG_COUNT : DIAG_NO_GUARD;
}

void cuda_guard_check(cuda_guard *g, uint32_t name, cuda_range params, cuda_range body)
{
    const cuda_token *kernel = cuda_at(g->tokens, name);
    body_facts f = {g, body};
    if (body.from >= body.to || (has(g, name, ONE_THREAD) && !has(g, name, MANY_THREADS)))
        return;
    mark(g, params, PARAM, UINT8_MAX);
    const diag_id id = remark_on(&f);
    if (id != DIAG_COUNT)
        diag_error(g->c, cuda_span(g->tokens, kernel), id, (int)kernel->text.n, kernel->text.p);
    const uint8_t keep = (uint8_t) ~(PARAM | INDEX);
    mark(g, params, 0, keep);
    mark(g, body, 0, keep);
}
