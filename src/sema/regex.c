/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a pattern into code, which regex_run.c executes. Pieces of code have relative jumps, so
 * that they can be joined and repeated:
 *
 *     a|b     SPLIT 1 3, CHAR a, JUMP 2, CHAR b
 *     a*      SPLIT 1 5, MARK k, CHAR a, ADVANCE k, JUMP -4 */
#include "sema/regex.h"

#include "base/assert.h"
#include "sema/regex_code.h"

enum { INSTS_MAX = 4000, DEPTH_MAX = 40, REPEAT_MAX = 1000, STEPS_MAX = 50000 };

typedef VEC(regex_inst) piece;

typedef struct parser {
    arena *a; /* of the pieces */
    uint64_t steps;
    str p;
    size_t at;
    regex *out;
    uint32_t nloops, depth;
    unsigned flags;
    bool bad;
} parser;

static piece parse_choice(parser *p);

static bool more(const parser *p)
{
    return !p->bad && p->at < p->p.n;
}

static char peek(const parser *p)
{
    return p->at < p->p.n ? p->p.p[p->at] : 0;
}

static bool take(parser *p, const char *text)
{
    const size_t n = strlen(text);
    if (p->bad || p->p.n - p->at < n || memcmp(p->p.p + p->at, text, n) != 0)
        return false;
    p->at += n;
    return true;
}

static void put(parser *p, piece *to, regex_inst i)
{
    if (to->n >= INSTS_MAX || ++p->steps > STEPS_MAX)
        p->bad = true;
    else
        VEC_PUSH(p->a, to, i);
}

static void join(parser *p, piece *to, const piece *more_code)
{
    for (uint32_t i = 0; i < more_code->n && !p->bad; i++)
        put(p, to, more_code->v[i]);
}

/* --- characters ------------------------------------------------------------------------------ */

static void add_char(regex_set *s, unsigned char c)
{
    WEFT_ASSERT(c < 128);
    s->bits[c / 64] |= UINT64_C(1) << c % 64;
}

static void add_range(regex_set *s, int from, int to)
{
    for (int c = from; c <= to; c++)
        add_char(s, (unsigned char)c);
}

static void invert(regex_set *s)
{
    s->bits[0] = ~s->bits[0];
    s->bits[1] = ~s->bits[1];
}

/* \d, \w and \s, and their opposites. False: it is no such class. */
static bool add_class(regex_set *s, char c)
{
    regex_set all = {{0}};
    switch (c | 0x20) {
    case 'd': add_range(&all, '0', '9'); break;
    case 'w':
        add_range(&all, '0', '9');
        add_range(&all, 'a', 'z');
        add_range(&all, 'A', 'Z');
        add_char(&all, '_');
        break;
    case 's':
        add_range(&all, '\t', '\r');
        add_range(&all, 0x1c, ' '); /* as str.isspace has it */
        break;
    default: return false;
    }
    if (c < 'a')
        invert(&all);
    s->bits[0] |= all.bits[0];
    s->bits[1] |= all.bits[1];
    return true;
}

static bool is_one_of(char c, const char *chars)
{
    return c && strchr(chars, c);
}

/* Up to `most` digits of the base, 8 or 16; -1: fewer than `least`, or no ASCII. */
static int parse_digits(parser *p, int base, int least, int most)
{
    int n = 0, found = 0;
    for (; found < most && more(p); found++, p->at++) {
        const char c = ascii_lower(peek(p));
        const int digit = ascii_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
        if (digit >= base)
            break;
        n = base * n + digit;
    }
    return found < least || n >= 128 ? -1 : n;
}

/* The character that \n, \x41, \0 or a sign behind a backslash stands for; the place is behind the
 * backslash. Other escapes are not followed: the pattern is bad then, and the result -1. */
static int parse_escaped_char(parser *p)
{
    static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
    if (!more(p)) {
        p->bad = true;
        return -1;
    }
    const char c = p->p.p[p->at++];
    const char *known = c ? strchr(from, c) : NULL;
    const int found = known                                     ? (unsigned char)to[known - from]
                      : c == 'x'                                ? parse_digits(p, 16, 2, 2)
                      : c == '0'                                ? parse_digits(p, 8, 0, 2)
                      : ascii_is_letter(c) || ascii_is_digit(c) ? -1
                                                                : (unsigned char)c;
    p->bad = p->bad || found < 0;
    return found;
}

/* Other cases of letters, too. */
static void fold_case(regex_set *s)
{
    for (int c = 'a'; c <= 'z'; c++) {
        if (regex_set_has(s, (unsigned char)c))
            add_char(s, (unsigned char)(c - 'a' + 'A'));
        if (regex_set_has(s, (unsigned char)(c - 'a' + 'A')))
            add_char(s, (unsigned char)c);
    }
}

static void put_set(parser *p, piece *to, regex_set s, bool inverted)
{
    if (p->flags & REGEX_IGNORE_CASE)
        fold_case(&s);
    if (inverted)
        invert(&s);
    put(p, to, (regex_inst){.op = REGEX_SET, .set = s});
}

static void put_char(parser *p, piece *to, char c)
{
    regex_set s = {{0}};
    add_char(&s, (unsigned char)c);
    put_set(p, to, s, false);
}

/* One character of a class; -1: it was a class of its own, or the pattern is not followed. */
static int parse_in_class(parser *p, regex_set *s)
{
    const char c = p->p.p[p->at++];
    if (c != '\\')
        return (unsigned char)c;
    if (add_class(s, peek(p))) {
        p->at++;
        return -1;
    }
    return parse_escaped_char(p);
}

/* What is behind '['. */
static void parse_class(parser *p, piece *to)
{
    regex_set s = {{0}};
    const bool inverted = take(p, "^");
    for (bool first = true; more(p) && (first || peek(p) != ']'); first = false) {
        const int from = parse_in_class(p, &s);
        if (from < 0)
            continue;
        int last = from;
        if (peek(p) == '-' && p->at + 1 < p->p.n && p->p.p[p->at + 1] != ']') {
            p->at++;
            last = parse_in_class(p, &s);
            p->bad = p->bad || last < from;
        }
        if (!p->bad)
            add_range(&s, from, last);
    }
    if (!take(p, "]"))
        p->bad = true;
    put_set(p, to, s, inverted);
}

/* --- groups ---------------------------------------------------------------------------------- */

static str parse_name(parser *p, char end)
{
    const size_t from = p->at;
    while (more(p) && peek(p) != end)
        p->at++;
    const str name = {p->p.p + from, p->at - from};
    if (!more(p) || !name.n)
        p->bad = true;
    p->at++;
    return name;
}

static void parse_capture(parser *p, piece *to, str name)
{
    regex *r = p->out;
    if (r->ngroups == REGEX_GROUPS) {
        p->bad = true;
        return;
    }
    const int group = (int)r->ngroups++;
    r->names[group] = name;
    put(p, to, (regex_inst){.op = REGEX_SAVE, .x = 2 * group});
    const piece inner = parse_choice(p);
    join(p, to, &inner);
    put(p, to, (regex_inst){.op = REGEX_SAVE, .x = 2 * group + 1});
}

/* How many characters a piece takes; -1: that is not fixed. */
static int width_of(const piece *code)
{
    int n = 0;
    for (uint32_t i = 0; i < code->n; i++)
        if (code->v[i].op == REGEX_SET || code->v[i].op == REGEX_ANY)
            n++;
        else if (code->v[i].op != REGEX_ASSERT)
            return -1;
    return n;
}

/* (?=...), (?!...), (?<=...) and (?<!...): the code between is run on its own. */
static void parse_look(parser *p, piece *to, bool behind, bool inverted)
{
    piece inner = parse_choice(p);
    const int width = behind ? width_of(&inner) : 0;
    p->bad = p->bad || width < 0;
    put(p, &inner, (regex_inst){.op = REGEX_MATCH});
    put(p, to,
        (regex_inst){.op = REGEX_LOOK, .x = (int)inner.n + 1, .y = width, .inverted = inverted});
    join(p, to, &inner);
}

static void put_reference(parser *p, piece *to, str name)
{
    for (uint32_t i = 1; i < p->out->ngroups; i++)
        if (str_eq(p->out->names[i], name)) {
            put(p, to, (regex_inst){.op = REGEX_BACK, .x = (int)i});
            return;
        }
    p->bad = true;
}

/* (?i): for the whole pattern, at whose start Python wants it. */
static bool take_flags(parser *p)
{
    static const char letters[] = "imsx";
    static const unsigned flags[] = {REGEX_IGNORE_CASE, REGEX_MULTILINE, REGEX_DOT_ALL,
                                     REGEX_VERBOSE};
    const size_t before = p->at;
    for (; more(p) && is_one_of(peek(p), letters); p->at++)
        p->flags |= flags[strchr(letters, peek(p)) - letters];
    return p->at > before && take(p, ")");
}

/* What is behind '('. */
static void parse_group(parser *p, piece *to)
{
    if (take(p, "?P<")) {
        parse_capture(p, to, parse_name(p, '>'));
    } else if (take(p, "?P=")) {
        put_reference(p, to, parse_name(p, ')'));
        return;
    } else if (take(p, "?:")) {
        const piece inner = parse_choice(p);
        join(p, to, &inner);
    } else if (take(p, "?=")) {
        parse_look(p, to, false, false);
    } else if (take(p, "?!")) {
        parse_look(p, to, false, true);
    } else if (take(p, "?<=")) {
        parse_look(p, to, true, false);
    } else if (take(p, "?<!")) {
        parse_look(p, to, true, true);
    } else if (p->at == 1 && take(p, "?")) {
        p->bad = !take_flags(p) || p->bad;
        return;
    } else if (peek(p) == '?') {
        p->bad = true;
    } else {
        parse_capture(p, to, STR(""));
    }
    if (!take(p, ")"))
        p->bad = true;
}

/* --- repetition ------------------------------------------------------------------------------ */

static regex_inst split(int first, int second, bool lazy)
{
    return (regex_inst){.op = REGEX_SPLIT, .x = lazy ? second : first, .y = lazy ? first : second};
}

/* An iteration that takes nothing ends the loop. */
static void put_star(parser *p, piece *to, const piece *one, bool lazy)
{
    const int loop = (int)p->nloops++, n = (int)one->n;
    put(p, to, split(1, n + 4, lazy));
    put(p, to, (regex_inst){.op = REGEX_MARK, .x = loop});
    join(p, to, one);
    put(p, to, (regex_inst){.op = REGEX_ADVANCE, .x = loop});
    put(p, to, (regex_inst){.op = REGEX_JUMP, .x = -(n + 3)});
}

/* `least` to `most` times; most < 0: without an end. */
static void put_repeated(parser *p, piece *to, const piece *one, int least, int most, bool lazy)
{
    for (int i = 0; i < least && !p->bad; i++)
        join(p, to, one);
    if (most < 0) {
        put_star(p, to, one, lazy);
        return;
    }
    for (int left = most - least; left > 0 && !p->bad; left--) {
        put(p, to, split(1, left * ((int)one->n + 1), lazy));
        join(p, to, one);
    }
}

static int parse_number(parser *p)
{
    int n = -1;
    for (; more(p) && ascii_is_digit(peek(p)); p->at++) {
        n = (n < 0 ? 0 : 10 * n) + (peek(p) - '0');
        p->bad = p->bad || n > REPEAT_MAX;
    }
    return n;
}

/* {2}, {2,}, {,3} and {2,3}; anything else behind '{' is no repetition, and '{' a character. */
static bool take_count(parser *p, int *least, int *most)
{
    const size_t before = p->at;
    if (!take(p, "{"))
        return false;
    *least = parse_number(p);
    const bool comma = take(p, ",");
    *most = comma ? parse_number(p) : *least;
    if (!take(p, "}") || (*least < 0 && !comma)) {
        p->at = before;
        return false;
    }
    *least = *least < 0 ? 0 : *least;
    p->bad = p->bad || (*most >= 0 && *most < *least);
    return true;
}

static bool take_repetition(parser *p, int *least, int *most)
{
    *least = peek(p) == '+';
    *most = peek(p) == '?' ? 1 : -1;
    return take(p, "*") || take(p, "+") || take(p, "?") || take_count(p, least, most);
}

/* --- sequences ------------------------------------------------------------------------------- */

static void parse_escape(parser *p, piece *to)
{
    regex_set s = {{0}};
    const char c = peek(p);
    if (c >= '1' && c <= '9') {
        p->at++;
        p->bad = p->bad || ascii_is_digit(peek(p)) || (uint32_t)(c - '0') >= p->out->ngroups;
        put(p, to, (regex_inst){.op = REGEX_BACK, .x = c - '0'});
    } else if (is_one_of(c, "bBAZ")) {
        p->at++;
        put(p, to, (regex_inst){.op = REGEX_ASSERT, .x = c});
    } else if (add_class(&s, c)) {
        p->at++;
        put_set(p, to, s, false);
    } else {
        const int found = parse_escaped_char(p);
        if (found >= 0)
            put_char(p, to, (char)found);
    }
}

static void parse_one(parser *p, piece *to)
{
    const char c = p->p.p[p->at++];
    int least, most;
    switch (c) {
    case '.':
        put(p, to, (regex_inst){.op = REGEX_ANY, .x = (p->flags & REGEX_DOT_ALL) != 0});
        break;
    case '^': put(p, to, (regex_inst){.op = REGEX_ASSERT, .x = '^'}); break;
    case '$': put(p, to, (regex_inst){.op = REGEX_ASSERT, .x = '$'}); break;
    case '[': parse_class(p, to); break;
    case '(': parse_group(p, to); break;
    case '\\': parse_escape(p, to); break;
    case '*':
    case '+':
    case '?': p->bad = true; break;
    case '{':
        p->at--;
        p->bad = take_count(p, &least, &most) || p->bad; /* behind nothing, or a repetition */
        p->at++;
        put_char(p, to, c);
        break;
    default: put_char(p, to, c); break;
    }
}

/* In a verbose pattern spaces and comments are nothing. */
static bool skip_verbose(parser *p)
{
    if (!(p->flags & REGEX_VERBOSE) || !is_one_of(peek(p), " \t\n\r\f\v#"))
        return false;
    if (peek(p) == '#')
        while (more(p) && peek(p) != '\n')
            p->at++;
    else
        p->at++;
    return true;
}

static void parse_sequence(parser *p, piece *to)
{
    while (more(p) && peek(p) != '|' && peek(p) != ')') {
        piece one = {0};
        int least, most;
        if (skip_verbose(p))
            continue;
        parse_one(p, &one);
        if (!more(p) || !take_repetition(p, &least, &most)) {
            join(p, to, &one);
            continue;
        }
        const bool lazy = take(p, "?");
        p->bad = p->bad || peek(p) == '*' || peek(p) == '+' || peek(p) == '?' || !one.n ||
                 (one.n == 1 && one.v[0].op == REGEX_ASSERT);
        put_repeated(p, to, &one, least, most, lazy);
    }
}

static piece parse_choice(parser *p)
{
    piece left = {0};
    if (++p->depth > DEPTH_MAX)
        p->bad = true;
    parse_sequence(p, &left);
    if (take(p, "|")) {
        const piece right = parse_choice(p);
        piece both = {0};
        put(p, &both, split(1, (int)left.n + 2, false));
        join(p, &both, &left);
        put(p, &both, (regex_inst){.op = REGEX_JUMP, .x = (int)right.n + 1});
        join(p, &both, &right);
        left = both;
    }
    p->depth--;
    return left;
}

/* The pieces are in an arena of their own. */
static const regex *compile(parser *p, arena *a)
{
    regex *r = p->out;
    piece code = parse_choice(p);
    put(p, &code, (regex_inst){.op = REGEX_MATCH, .x = 1});
    if (p->bad || p->at < p->p.n)
        return NULL;
    regex_inst *kept = ARENA_ARRAY(a, regex_inst, code.n);
    memcpy(kept, code.v, code.n * sizeof *kept);
    r->code = kept;
    r->n = code.n;
    r->flags = p->flags;
    r->nslots = 2 * r->ngroups + p->nloops;
    return r;
}

const regex *regex_compile(arena *a, str pattern, unsigned flags, uint64_t *steps)
{
    for (size_t i = 0; i < pattern.n; i++)
        if ((unsigned char)pattern.p[i] >= 0x80)
            return NULL;
    arena pieces;
    arena_init(&pieces, a->m);
    regex *r = ARENA_NEW(a, regex);
    r->ngroups = 1;
    parser p = {.a = &pieces, .p = pattern, .out = r, .flags = flags};
    const regex *made = compile(&p, a);
    *steps += p.steps;
    arena_clear(&pieces);
    return made;
}
