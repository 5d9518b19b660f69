/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the text of grammar.def into items for the matcher (peg.h). Example:
 *
 *     "'if' named_expression ':' block"
 *
 * becomes four items: the token T_IF, a call of PEG_named_expression, the token T_COLON, a call of
 * PEG_block. The grammar is part of the program, so a mistake in it is a broken invariant, which
 * asserts find. */
#include "base/assert.h"
#include "syntax/peg.h"

static const struct {
    const char *name, *text;
} rows[PEG_RULES] = {
#define ANY_RULE(name, text) {#name, text},
#define RULE                 ANY_RULE
#define MEMO                 ANY_RULE
#define KEEP                 ANY_RULE
#define VALID                ANY_RULE
#define ERRORS               ANY_RULE
#define ERRORS_MEMO          ANY_RULE
#include "syntax/grammar.def"
#undef ANY_RULE
};

static const char *const actions[PEG_ACTIONS] = {
    "",
#define SPECIAL(name) #name,
#define PLAIN(name)   #name,
#include "syntax/grammar_action.def"
#undef SPECIAL
#undef PLAIN
};

enum { SLOTS = 1024 };

/* A reader of one row's text. slots is a hash table with linear probing: names of rules are looked
 * up some thousand times. */
typedef struct reader {
    arena *a;
    const char *s;
    uint16_t slots[SLOTS]; /* rule number + 1 by name */
} reader;

_Static_assert(PEG_RULES < SLOTS / 2, "the table of names is to stay half empty");

/* Bernstein's hash (times 33), reduced to a slot. */
static unsigned hash(const char *s, size_t n)
{
    unsigned h = 5381;
    for (size_t i = 0; i < n; i++)
        h = h * 33 + (unsigned char)s[i];
    return h % SLOTS;
}

static void enter_names(reader *r)
{
    memset(r->slots, 0, sizeof r->slots);
    for (unsigned i = 0; i < PEG_RULES; i++) {
        unsigned h = hash(rows[i].name, strlen(rows[i].name));
        while (r->slots[h])
            h = (h + 1) % SLOTS;
        /* 0 marks a free slot, so numbers are one higher. */
        r->slots[h] = (uint16_t)(i + 1);
    }
}

static bool is_text(const char *text, const char *s, size_t n)
{
    return strlen(text) == n && memcmp(text, s, n) == 0;
}

static void skip_spaces(reader *r)
{
    while (*r->s == ' ')
        r->s++;
}

/* Consumes text if it comes next, behind spaces. */
static bool accept(reader *r, const char *text)
{
    skip_spaces(r);
    size_t n = strlen(text);
    if (strncmp(r->s, text, n) != 0)
        return false;
    r->s += n;
    return true;
}

static peg_item *new_item(reader *r, peg_op op)
{
    peg_item *it = ARENA_NEW(r->a, peg_item);
    it->op = (uint8_t)op;
    return it;
}

/* The text up to the quote q, which is consumed. */
static str quoted(reader *r, char q)
{
    const char *start = r->s, *end = strchr(start, q);
    WEFT_ASSERT(end);
    r->s = end + 1;
    return (str){start, (size_t)(end - start)};
}

/* The token with this text or name; T_COUNT: there is none. */
static token_kind kind_of(str text)
{
    for (int k = 0; k < T_COUNT; k++)
        if (is_text(token_text((token_kind)k), text.p, text.n))
            return (token_kind)k;
    return T_COUNT;
}

/* A name: SOFT, a class of tokens in capitals, or a rule. */
static peg_item *word(reader *r)
{
    const char *s = r->s;
    while ((*r->s >= 'a' && *r->s <= 'z') || (*r->s >= 'A' && *r->s <= 'Z') || *r->s == '_')
        r->s++;
    size_t n = (size_t)(r->s - s);
    /* Needed for one alternative of invalid_expression. */
    if (is_text("SOFT", s, n))
        return new_item(r, PEG_ANY_SOFT);
    if (*s >= 'A' && *s <= 'Z') {
        peg_item *it = new_item(r, PEG_TOKEN);
        it->kind = (uint8_t)kind_of((str){s, n});
        WEFT_ASSERT(it->kind != T_COUNT);
        return it;
    }
    /* Rules are in lower case. */
    peg_item *it = new_item(r, PEG_CALL);
    unsigned h = hash(s, n);
    while (r->slots[h] && !is_text(rows[r->slots[h] - 1].name, s, n))
        h = (h + 1) % SLOTS;
    WEFT_ASSERT(r->slots[h]);
    it->rule = (uint16_t)(r->slots[h] - 1);
    return it;
}

static peg_alt *alternatives(reader *r);

/* A token, a soft keyword, a group in brackets, or a name. */
static peg_item *atom(reader *r)
{
    peg_item *it;
    skip_spaces(r);
    switch (*r->s) {
    case '\'':
        r->s++;
        it = new_item(r, PEG_TOKEN);
        it->kind = (uint8_t)kind_of(quoted(r, '\''));
        WEFT_ASSERT(it->kind != T_COUNT);
        return it;
    case '`':
        r->s++;
        it = new_item(r, PEG_WORD);
        it->word = quoted(r, '`');
        return it;
    case '(':
        r->s++;
        it = new_item(r, PEG_GROUP);
        it->alts = alternatives(r);
        accept(r, ")");
        return it;
    default: return word(r);
    }
}

/* An operator around an item: "?", "&", "!", "&&" or a repetition. */
static peg_item *wrap(reader *r, peg_op op, peg_item *inner)
{
    peg_item *it = new_item(r, op);
    it->inner = inner;
    return it;
}

/* An atom with what follows it: "?", "*", "+", or ".x+" behind a separator. */
static peg_item *repeated(reader *r)
{
    peg_item *it = atom(r), *sep = NULL;
    /* "','.x+": the atom was a separator. */
    if (*r->s == '.') {
        r->s++;
        sep = it;
        it = atom(r);
    }
    switch (*r->s) {
    case '?': r->s++; return wrap(r, PEG_OPTIONAL, it);
    case '*':
    case '+': {
        peg_item *many = wrap(r, PEG_MANY, it);
        many->min = *r->s++ == '+';
        many->sep = sep;
        return many;
    }
    default: return it;
    }
}

/* An item with the signs before it: "~", "&&", "&", "!" or "^". */
static peg_item *item(reader *r)
{
    skip_spaces(r);
    if (accept(r, "~"))
        return new_item(r, PEG_CUT);
    if (accept(r, "&&"))
        return wrap(r, PEG_FORCED, atom(r));
    if (accept(r, "&"))
        return wrap(r, PEG_AND, atom(r));
    if (accept(r, "!"))
        return wrap(r, PEG_NOT, atom(r));
    bool mark = accept(r, "^");
    peg_item *it = repeated(r);
    it->mark = mark;
    return it;
}

/* The action behind "=>". */
static uint8_t action(reader *r)
{
    skip_spaces(r);
    const char *s = r->s;
    while ((*r->s >= 'A' && *r->s <= 'Z') || *r->s == '_')
        r->s++;
    for (unsigned i = 1; i < PEG_ACTIONS; i++)
        if (is_text(actions[i], s, (size_t)(r->s - s)))
            return (uint8_t)i;
    WEFT_ASSERT(false && "an action of grammar.def is known");
    return PEG_NO_ACTION;
}

/* Items up to "|", ")", the end, or "=>" with an action. */
static peg_alt *alternative(reader *r)
{
    peg_alt *alt = ARENA_NEW(r->a, peg_alt);
    /* Items are appended at the end of the list. */
    peg_item **at = &alt->items;
    for (skip_spaces(r); *r->s && !strchr("|)=", *r->s); skip_spaces(r)) {
        *at = item(r);
        at = &(*at)->next;
    }
    if (accept(r, "=>"))
        alt->action = action(r);
    return alt;
}

/* Alternatives with "|" between, up to the end of the row or group. */
static peg_alt *alternatives(reader *r)
{
    peg_alt *first = alternative(r), *last = first;
    while (accept(r, "|"))
        last = last->next = alternative(r);
    return first;
}

/* Rules may call rules below them, so names are entered first. */
peg_alt **peg_compile(arena *a)
{
    WEFT_ASSERT(a);
    reader *r = ARENA_NEW(a, reader);
    r->a = a;
    enter_names(r);
    peg_alt **grammar = ARENA_ARRAY(a, peg_alt *, PEG_RULES);
    for (unsigned i = 0; i < PEG_RULES; i++) {
        r->s = rows[i].text;
        WEFT_ASSERT(r->s && *r->s);
        grammar[i] = alternatives(r);
        WEFT_ASSERT(!*r->s); /* the whole row was read */
    }
    return grammar;
}
