/* SPDX-License-Identifier: Apache-2.0 */
/* The matcher of the PEG grammar (peg.h): ordered choice with memory, and the actions that report
 * errors. It builds no tree. It answers whether the text matches, and if a rule for wrong programs
 * matches first, which error the text has. Example: `x = f(a b)` has the error
 *
 *     b.py:1:7: error: invalid syntax; perhaps a comma is missing [forgot-comma]
 *
 * because invalid_expression matches "^disjunction expression_without_invalid" at `a b`, inside
 * brackets.
 *
 * Rules with memory run once at each token (packrat parsing), which keeps nested brackets from
 * taking exponential time. MEMO rules are those that CPython remembers; it does not forget their
 * results when expression_without_invalid switches the rules for wrong programs off and on, and
 * neither does this. KEEP rules are remembered for speed alone, so their results for both settings
 * are apart. */
#include <stdio.h>

#include "base/assert.h"
#include "syntax/peg.h"

/* NO_MATCH is no position of a token. Beyond MAX_TOKENS the search ends: a wrong file of that size
 * gets plain "invalid syntax". */
enum { NO_MATCH = UINT32_MAX, MAX_TOKENS = 1 << 20 };

/* The kinds of rows of grammar.def. */
typedef enum rule_flag {
    IS_PLAIN,
    IS_MEMO,
    IS_KEEP,
    IS_VALID,
    IS_ERRORS,
    IS_ERRORS_MEMO
} rule_flag;

static const uint8_t flags[PEG_RULES] = {
#define RULE(name, text)        IS_PLAIN,
#define MEMO(name, text)        IS_MEMO,
#define KEEP(name, text)        IS_KEEP,
#define VALID(name, text)       IS_VALID,
#define ERRORS(name, text)      IS_ERRORS,
#define ERRORS_MEMO(name, text) IS_ERRORS_MEMO,
#include "syntax/grammar.def"
};

static bool match_alts(peg *g, const peg_alt *alt);
static bool match_rule(peg *g, peg_rule rule);

/* ---- errors ---- */

/* Ends the run with this error. */
_Noreturn static void report_at(peg *g, diag_id id, pos at, pos end, const char *arg)
{
    g->error = (lex_error){.set = true, .id = id, .line = at.line, .col = at.col};
    g->error.end_col = end.line == at.line && end.col > at.col ? end.col : at.col + 1;
    snprintf(g->error.arg, sizeof g->error.arg, "%s", arg);
    longjmp(g->fail, 1);
}

_Noreturn static void report(peg *g, diag_id id, const token *t)
{
    report_at(g, id, (pos){t->line, t->col}, (pos){t->end_line, t->end_col}, "");
}

lex_error peg_lexer_error(const lexer *lx)
{
    lex_error e = lx->error;
    if (e.at_eof && lx->level) {
        const lex_paren *paren = &lx->stacks->paren[lx->level - 1];
        e.id = DIAG_OPEN_BRACKET;
        e.line = paren->line;
        e.col = paren->col;
        e.end_col = e.col + 1;
        snprintf(e.arg, sizeof e.arg, "%c", paren->open);
    }
    return e;
}

/* ---- tokens ---- */

/* Token n, read on demand; the pointer is valid until the next token is read. An ERROR token ends
 * the run with its error; too many tokens make it give up. */
static const token *token_at(peg *g, uint32_t n)
{
    while (g->tokens.n <= n) {
        token t;
        lex_next(&g->lx, &t);
        if (t.kind == T_ERROR) {
            g->error = peg_lexer_error(&g->lx);
            longjmp(g->fail, 1);
        }
        if (g->tokens.n >= MAX_TOKENS) {
            g->gave_up = true;
            longjmp(g->fail, 1);
        }
        VEC_PUSH(&g->p->c->scratch, &g->tokens, t);
        VEC_PUSH(&g->p->c->scratch, &g->memo, NULL);
    }
    return &g->tokens.v[n];
}

static bool is_word(const token *t, str word)
{
    return t->kind == T_NAME && str_eq((str){t->s, (size_t)(t->e - t->s)}, word);
}

/* CPython 3.11 compares a name with a soft keyword by the name's length only, so it takes "m" and
 * "mat" for "match". Needed to find the same errors. */
static bool is_soft(const token *t)
{
    size_t n = (size_t)(t->e - t->s);
    return t->kind == T_NAME &&
           ((n <= 5 && memcmp(t->s, "match", n) == 0) || (n <= 4 && memcmp(t->s, "case", n) == 0) ||
            (n == 1 && *t->s == '_'));
}

/* ---- actions ---- */

/* The last token read so far, which may be behind the current position. CPython places errors
 * there by default. */
static const token *last_token(const peg *g)
{
    WEFT_ASSERT(g->tokens.n > 0);
    return &g->tokens.v[g->tokens.n - 1];
}

/* Are the tokens from at to end one name, "print" or "exec", which were statements in Python 2? */
static bool is_legacy(const peg *g, uint32_t at, uint32_t end)
{
    const token *t = &g->tokens.v[at];
    return end == at + 1 && (is_word(t, STR("print")) || is_word(t, STR("exec")));
}

/* The part of an expression that cannot be a target, or NULL (CPython's
 * _PyPegen_get_invalid_target). The target of a for loop is read as an expression `a in b`: only
 * what stands before `in` counts. */
static const node *invalid_target(const node *n, peg_action type);

/* The same of the first element that has such a part. */
static const node *invalid_element(node_list list, peg_action type)
{
    for (uint32_t i = 0; i < list.n; i++) {
        const node *bad = invalid_target(list.v[i], type);
        if (bad)
            return bad;
    }
    return NULL;
}

static const node *invalid_target(const node *n, peg_action type)
{
    switch (n->kind) {
    case AST_List: return invalid_element(AST(List, n)->elts, type);
    case AST_Tuple: return invalid_element(AST(Tuple, n)->elts, type);
    case AST_Starred:
        return type == PEG_DO_DEL_TARGETS ? n : invalid_target(AST(Starred, n)->value, type);
    case AST_Compare:
        if (type != PEG_DO_FOR_TARGETS)
            return n;
        return AST(Compare, n)->ops.v[0] == OP_In ? invalid_target(AST(Compare, n)->left, type)
                                                  : NULL;
    case AST_Name:
    case AST_Subscript:
    case AST_Attribute: return NULL;
    default: return n;
    }
}

/* What a diagnostic calls the part that cannot be a target. */
static const char *describe(const node *n)
{
    switch (n->kind) {
    case AST_Call: return "a call";
    case AST_Constant:
    case AST_JoinedStr: return "a literal";
    case AST_Compare: return "a comparison";
    case AST_Lambda: return "a lambda";
    case AST_Starred: return "a starred expression";
    default: return "this expression";
    }
}

/* Runs a rule of the fast parser over a copy of the text of the tokens at..end, as if in brackets,
 * so that line ends do not matter. For errors that need a tree. NULL: it failed, *error says why.
 */
static node *parse_part(peg *g, uint32_t at, uint32_t end, node *(*rule)(parser *),
                        lex_error *error)
{
    WEFT_ASSERT(at < end && end <= g->tokens.n);
    arena *a = &g->p->c->scratch;
    const token *t = &g->tokens.v[at];
    size_t n = (size_t)(g->tokens.v[end - 1].e - t->s);
    char *copy = arena_alloc(a, n + 3);
    memcpy(copy, t->s, n);
    memcpy(copy + n, ")\n", 3);
    parser *sub = arena_alloc(a, sizeof *sub);
    *sub = *g->p;
    lex_init(&sub->lx, (str){copy, n + 2}, ARENA_NEW(a, lex_stacks), g->lx.syms);
    sub->lx.at_bol = false;
    sub->lx.line = sub->lx.first_line = t->line;
    sub->lx.first_shift = t->col;
    /* The lexer starts inside of a bracket, which the ")" behind the copy closes. */
    sub->lx.level = 1;
    sub->lx.stacks->paren[0] = (lex_paren){t->line, t->col, '('};
    sub->level = 0;
    sub->error.set = false;
    jmp_buf here;
    sub->fail = &here;
    if (setjmp(here)) {
        *error = sub->error;
        return NULL;
    }
    lex_next(&sub->lx, &sub->tok);
    return rule(sub);
}

/* Reports the part that cannot be a target, if there is one. False: the targets are fine. */
static bool report_target(peg *g, peg_action type, uint32_t at, uint32_t end)
{
    lex_error ignored;
    const node *n = parse_part(g, at, end, parse_star_expressions, &ignored);
    const node *bad = n ? invalid_target(n, type) : NULL;
    if (!bad)
        return false;
    diag_id id = type == PEG_DO_DEL_TARGETS ? DIAG_DELETE_TARGET : DIAG_ASSIGN_TARGET;
    report_at(g, id, (pos){bad->line, bad->col}, (pos){bad->end_line, bad->end_col}, describe(bad));
}

/* "f(a, b for b in c)": the error is at the last positional argument, if there are several. One
 * alone is right, and the next alternative is tried. */
static bool report_generator(peg *g, uint32_t start)
{
    uint32_t end = g->pos, n = 0, last = start;
    /* Reads the arguments again, one by one, up to the generator's `for`. */
    for (g->pos = start; g->pos < end; g->pos++) {
        last = g->pos;
        if (!match_rule(g, PEG_positional_argument) || g->pos >= end)
            break;
        n++;
        if (token_at(g, g->pos)->kind != T_COMMA)
            break;
    }
    g->pos = end;
    if (n > 1)
        report(g, DIAG_BARE_GENERATOR, &g->tokens.v[last]);
    return false;
}

/* Reports errors inside of strings when they are first read, as CPython does, whatever else is
 * wrong later. Errors without a place of their own are placed at the last token read. */
static bool check_strings(peg *g, uint32_t start)
{
    lex_error e;
    if (parse_part(g, start, g->pos, parse_strings, &e) || !e.set)
        return true;
    const token *t = &g->tokens.v[g->pos - 1], *last = last_token(g);
    /* fstring.c places errors at the token behind the strings. In the copy that is the added
     * bracket, so the place is replaced by that of the last token read. */
    if (e.line == t->end_line && e.col >= t->end_col) {
        e.line = last->line;
        e.col = last->col;
        e.end_col = last->end_line == last->line ? last->end_col : last->col + 1;
    }
    g->error = e;
    longjmp(g->fail, 1);
}

/* The diagnostic of each PLAIN action. */
static const diag_id plain_ids[PEG_ACTIONS] = {
#define SPECIAL(name)
#define PLAIN(name) [PEG_DO_##name] = DIAG_##name,
#include "syntax/grammar_action.def"
#undef SPECIAL
#undef PLAIN
};

/* Runs the action of an alternative that matched. False: nothing is wrong after all, and the next
 * alternative is tried. start: first token of the alternative; at, end: tokens of the marked item,
 * or NO_MATCH. The cases that report do not return. */
static bool act(peg *g, peg_action action, uint32_t start, uint32_t at, uint32_t end)
{
    switch (action) {
    case PEG_NO_ACTION: return true;
    case PEG_DO_STRINGS: return check_strings(g, start);
    case PEG_DO_LEGACY:
        if (!is_legacy(g, at, end))
            return false;
        report(g, DIAG_LEGACY, &g->tokens.v[at]);
    /* Outside brackets two expressions in a row are plain invalid syntax: `a b`. */
    case PEG_DO_FORGOT_COMMA:
        if (is_legacy(g, at, end) || !g->tokens.v[g->pos - 1].level)
            return false;
        report(g, DIAG_FORGOT_COMMA, &g->tokens.v[at]);
    case PEG_DO_ARGS_GENERATOR: return report_generator(g, start);
    case PEG_DO_STAR_TARGETS:
    case PEG_DO_FOR_TARGETS:
    case PEG_DO_DEL_TARGETS: return report_target(g, action, at, end);
    default: report(g, plain_ids[action], at == NO_MATCH ? last_token(g) : &g->tokens.v[at]);
    }
}

/* ---- matching ---- */

static bool match_many(peg *g, const peg_item *it);

/* Tokens, soft keywords by their text, any soft keyword. */
static bool match_token(peg *g, const peg_item *it)
{
    const token *t = token_at(g, g->pos);
    bool fits;
    switch (it->op) {
    case PEG_TOKEN: fits = t->kind == it->kind; break;
    case PEG_WORD: fits = is_word(t, it->word); break;
    default: fits = is_soft(t); break;
    }
    g->pos += fits;
    return fits;
}

/* `&&`: the token must be here, else the error is "expected TOKEN". */
static bool match_forced(peg *g, const peg_item *it)
{
    WEFT_ASSERT(it->op == PEG_FORCED && it->inner->op == PEG_TOKEN);
    if (match_token(g, it->inner))
        return true;
    const token *t = token_at(g, g->pos);
    report_at(g, DIAG_EXPECTED_TOKEN, (pos){t->line, t->col}, (pos){t->line, t->col},
              token_text((token_kind)it->inner->kind));
}

/* One item at g->pos. True: g->pos is behind what it matched. False: g->pos may be anywhere;
 * match_alts restores it. */
static bool match_item(peg *g, const peg_item *it)
{
    uint32_t start = g->pos;
    bool fits;
    switch ((peg_op)it->op) {
    case PEG_TOKEN:
    case PEG_WORD:
    case PEG_ANY_SOFT: return match_token(g, it);
    case PEG_CALL: return match_rule(g, (peg_rule)it->rule);
    case PEG_GROUP: return match_alts(g, it->alts);
    case PEG_OPTIONAL: match_item(g, it->inner); return true;
    case PEG_MANY: return match_many(g, it);
    case PEG_AND:
        fits = match_item(g, it->inner);
        g->pos = start;
        return fits;
    case PEG_NOT:
        fits = match_item(g, it->inner);
        g->pos = start;
        return !fits;
    case PEG_FORCED: return match_forced(g, it);
    case PEG_CUT: return true;
    }
    return false;
}

/* A repetition, greedy as all of PEG. Stops at a match of no tokens, which would repeat for ever.
 */
static bool match_many(peg *g, const peg_item *it)
{
    WEFT_ASSERT(it->op == PEG_MANY && it->inner);
    /* "x*" matches nothing as well, "x+" needs one. */
    if (!match_item(g, it->inner))
        return !it->min;
    for (;;) {
        uint32_t end = g->pos;
        if (it->sep && !match_item(g, it->sep))
            return true;
        if (!match_item(g, it->inner)) {
            /* A separator without an element behind it is left for what follows. */
            g->pos = end;
            return true;
        }
        if (g->pos == end)
            return true;
    }
}

/* Tries alternatives in order; the first one whose items match and whose action does not object
 * wins. After a cut (~) no other alternative is tried. Leaves g->pos where it was if nothing
 * matches. */
static bool match_alts(peg *g, const peg_alt *alt)
{
    uint32_t start = g->pos;
    for (; alt; alt = alt->next) {
        uint32_t at = NO_MATCH, end = NO_MATCH;
        bool cut = false;
        const peg_item *it = alt->items;
        for (; it; it = it->next) {
            uint32_t here = g->pos;
            if (!match_item(g, it))
                break;
            /* Behind a cut a failure of this alternative is one of the whole group. */
            cut |= it->op == PEG_CUT;
            if (it->mark) {
                at = here;
                end = g->pos;
            }
        }
        if (!it && act(g, (peg_action)alt->action, start, at, end))
            return true;
        g->pos = start;
        if (cut)
            return false;
    }
    return false;
}

/* Matches the rule without its memory. Beyond CPython's limit of nesting the text is refused.
 * VALID rules try no rules for wrong programs inside. */
static bool match_fresh(peg *g, peg_rule rule)
{
    if (++g->level > PARSE_MAX_LEVEL)
        report(g, DIAG_NESTED_TOO_DEEPLY, token_at(g, g->pos));
    /* A rule marked VALID switches the rules for wrong programs off for what is inside of it. */
    bool errors = g->errors;
    if (flags[rule] == IS_VALID)
        g->errors = false;
    bool fits = match_alts(g, g->grammar[rule]);
    g->errors = errors;
    g->level--;
    return fits;
}

/* Looks a rule with memory up at this token first. KEEP rules remember each setting of `errors`
 * apart, MEMO rules do not, as in CPython. Rules for wrong programs fail while they are off. */
static bool match_rule(peg *g, peg_rule rule)
{
    WEFT_ASSERT(rule < PEG_RULES);
    rule_flag flag = (rule_flag)flags[rule];
    if (!g->errors && (flag == IS_ERRORS || flag == IS_ERRORS_MEMO))
        return false;
    if (flag != IS_MEMO && flag != IS_KEEP && flag != IS_ERRORS_MEMO)
        return match_fresh(g, rule);
    uint32_t start = g->pos;
    /* Makes sure that the lists of this token exist. */
    token_at(g, start);
    for (const peg_memo *m = g->memo.v[start]; m; m = m->next) {
        if (m->rule != rule || (flag == IS_KEEP && m->errors != g->errors))
            continue;
        if (m->end == NO_MATCH)
            return false;
        g->pos = m->end;
        return true;
    }
    bool fits = match_fresh(g, rule);
    peg_memo *m = ARENA_NEW(&g->p->c->scratch, peg_memo);
    m->rule = (uint16_t)rule;
    m->errors = g->errors;
    m->end = fits ? g->pos : NO_MATCH;
    m->next = g->memo.v[start];
    g->memo.v[start] = m;
    return fits;
}

/* longjmp leaves the run where an error is found; memory is the arena's, so nothing leaks. */
bool peg_run(peg *g, peg_rule rule, bool errors)
{
    g->errors = errors;
    g->pos = g->level = 0;
    g->error.set = false;
    for (uint32_t i = 0; i < g->memo.n; i++)
        /* The second reading forgets all results, as CPython's reset_parser_state_for_error_pass
         * does, but keeps the tokens. */
        g->memo.v[i] = NULL;
    if (setjmp(g->fail))
        return false;
    return match_rule(g, rule);
}
