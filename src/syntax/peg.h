/* SPDX-License-Identifier: Apache-2.0 */
/* A PEG parser over grammar.def that only recognises: it finds out which error a wrong program
 * has, in the order of CPython's own parser. Used by diagnose.c after the fast parser has failed;
 * it is many times slower. Example: for
 *
 *     f(x for x in y, 1)
 *
 * the first reading (errors off) matches nothing. In the second the rule invalid_arguments matches
 * "args ',' ^expression for_if_clauses" or an alternative before it, and its action reports
 * BARE_GENERATOR at the marked item. */
#ifndef WEFT_SYNTAX_PEG_H
#define WEFT_SYNTAX_PEG_H

#include "syntax/parse.h"

/* PEG_file, PEG_statement, ...: one value for each rule of grammar.def. */
typedef enum peg_rule {
#define ANY_RULE(name, text) PEG_##name,
#define RULE                 ANY_RULE
#define MEMO                 ANY_RULE
#define KEEP                 ANY_RULE
#define VALID                ANY_RULE
#define ERRORS               ANY_RULE
#define ERRORS_MEMO          ANY_RULE
#include "syntax/grammar.def"
#undef ANY_RULE
    PEG_RULES
} peg_rule;

/* What an alternative does when it has matched: a row of grammar_action.def, or nothing. */
typedef enum peg_action {
    PEG_NO_ACTION,
#define SPECIAL(name) PEG_DO_##name,
#define PLAIN(name)   PEG_DO_##name,
#include "syntax/grammar_action.def"
#undef SPECIAL
#undef PLAIN
    PEG_ACTIONS
} peg_action;

/* What one item of an alternative matches. */
typedef enum peg_op {
    PEG_TOKEN,    /* a token of kind */
    PEG_WORD,     /* a NAME of this text */
    PEG_ANY_SOFT, /* a NAME that is a soft keyword */
    PEG_CALL,     /* a rule */
    PEG_GROUP,    /* one of alts */
    PEG_OPTIONAL,
    PEG_MANY,   /* inner, min times or more, with sep between if there is one */
    PEG_AND,    /* inner matches here */
    PEG_NOT,    /* inner does not */
    PEG_FORCED, /* the token, or an error */
    PEG_CUT     /* no other alternative after this */
} peg_op;

/* One item of an alternative. Which members are set depends on op: kind for tokens, rule for
 * calls, word for soft keywords, alts for groups, inner for the operators around an item, sep and
 * min for repetition. next: the item behind it. */
typedef struct peg_item {
    uint8_t op, min;
    uint8_t kind;  /* token_kind */
    uint16_t rule; /* peg_rule */
    bool mark;     /* the error is placed here */
    str word;
    struct peg_alt *alts;
    struct peg_item *inner, *sep, *next;
} peg_item;

/* One alternative of a rule or group, in the order in which they are tried. */
typedef struct peg_alt {
    peg_item *items;
    uint8_t action;
    struct peg_alt *next;
} peg_alt;

/* peg_grammar.c: compiles grammar.def, in a; the result has the alternatives of each rule. */
peg_alt **peg_compile(arena *a);

/* diagnose.c: the error to report after p has failed on the text that starts at start, which
 * should match rule. */
lex_error diagnose_failure(parser *p, const lexer *start, peg_rule rule);

/* peg_match.c */
typedef struct peg peg;
/* The result of one rule at one token (packrat parsing). Lists of them hang at the token where the
 * rule began. */
typedef struct peg_memo {
    struct peg_memo *next;
    uint32_t end; /* token after the match; UINT32_MAX: no match */
    uint16_t rule;
    bool errors; /* result with the rules for wrong programs on */
} peg_memo;

/* One search for an error. Tokens are read on demand and kept for both readings; all memory is the
 * scratch arena of p's context. */
struct peg {
    parser *p;
    lexer lx;
    peg_alt **grammar;
    VEC(token) tokens;
    VEC(peg_memo *) memo; /* by token */
    uint32_t pos;         /* of the next token */
    uint32_t level;
    bool errors;  /* try the rules for wrong programs */
    bool gave_up; /* too many tokens */
    lex_error error;
    jmp_buf fail; /* the error is set */
};

/* Does rule match from the first token on, with or without the rules for wrong programs? False
 * also if an error was found, which is then in g->error, or if g->gave_up. */
bool peg_run(peg *g, peg_rule rule, bool errors);
/* The error that a token of kind ERROR stands for. At the end of the text inside brackets that is
 * the open bracket, which is more useful than the place of the end. */
lex_error peg_lexer_error(const lexer *lx);

#endif
