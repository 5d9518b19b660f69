/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer of the dialect: names, numbers, strings, signs.
 *
 *     var_8 = wp::add(var_2, var_6);  // s += 1
 *     -> NAME var_8, '=', native NAME add, '(', NAME var_2, ',', NAME var_6, ')', ';'
 *
 * It skips spaces, newlines, line comments and `#line` directives, and refuses any other byte that
 * begins no token. Names are interned, so that the reader compares pointers. Interning takes a
 * third of the time of reading, hence the scan and the hash over words of eight bytes. */
#include "base/assert.h"
#include <stdarg.h>

#include "base/format.h"
#include "textvm/vm_read.h"

/* Fills the error; the caller leaves by longjmp. The line is that of the next token, where
 * reading stopped. */
static void put_error(reader *r, textvm_error_kind kind, const char *fmt, va_list args)
{
    r->error->kind = kind;
    r->error->line = r->token_line;
    format_text_v(r->error->text, sizeof r->error->text, fmt, args);
}

void read_fail(reader *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put_error(r, TEXTVM_UNREADABLE, fmt, args);
    va_end(args);
    longjmp(r->fail, 1);
}

/* read_missing with a format, as read_fail has. */
static void put_missing(reader *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put_error(r, TEXTVM_MISSING, fmt, args);
    va_end(args);
}

void read_missing(reader *r, str what)
{
    put_missing(r, "cannot execute %.*s", (int)(what.n < 200 ? what.n : 200), what.p);
    longjmp(r->fail, 1);
}

/* Classes of bytes; the order matters: C_LETTER and above may stand in a name. */
enum { C_OTHER, C_LETTER, C_DIGIT };

static const uint8_t classes[256] = {
    ['_'] = C_LETTER, ['a'] = C_LETTER, ['b'] = C_LETTER, ['c'] = C_LETTER, ['d'] = C_LETTER,
    ['e'] = C_LETTER, ['f'] = C_LETTER, ['g'] = C_LETTER, ['h'] = C_LETTER, ['i'] = C_LETTER,
    ['j'] = C_LETTER, ['k'] = C_LETTER, ['l'] = C_LETTER, ['m'] = C_LETTER, ['n'] = C_LETTER,
    ['o'] = C_LETTER, ['p'] = C_LETTER, ['q'] = C_LETTER, ['r'] = C_LETTER, ['s'] = C_LETTER,
    ['t'] = C_LETTER, ['u'] = C_LETTER, ['v'] = C_LETTER, ['w'] = C_LETTER, ['x'] = C_LETTER,
    ['y'] = C_LETTER, ['z'] = C_LETTER, ['A'] = C_LETTER, ['B'] = C_LETTER, ['C'] = C_LETTER,
    ['D'] = C_LETTER, ['E'] = C_LETTER, ['F'] = C_LETTER, ['G'] = C_LETTER, ['H'] = C_LETTER,
    ['I'] = C_LETTER, ['J'] = C_LETTER, ['K'] = C_LETTER, ['L'] = C_LETTER, ['M'] = C_LETTER,
    ['N'] = C_LETTER, ['O'] = C_LETTER, ['P'] = C_LETTER, ['Q'] = C_LETTER, ['R'] = C_LETTER,
    ['S'] = C_LETTER, ['T'] = C_LETTER, ['U'] = C_LETTER, ['V'] = C_LETTER, ['W'] = C_LETTER,
    ['X'] = C_LETTER, ['Y'] = C_LETTER, ['Z'] = C_LETTER, ['0'] = C_DIGIT,  ['1'] = C_DIGIT,
    ['2'] = C_DIGIT,  ['3'] = C_DIGIT,  ['4'] = C_DIGIT,  ['5'] = C_DIGIT,  ['6'] = C_DIGIT,
    ['7'] = C_DIGIT,  ['8'] = C_DIGIT,  ['9'] = C_DIGIT,
};

/* Bytes beyond ASCII are C_OTHER: the dialect has them in comments and strings only. */
static inline uint8_t class_of(char ch)
{
    return classes[(uint8_t)ch];
}

/* Doubles the table. It is half full at most, so linear probing finds a free entry soon. */
static void grow_names(reader *r)
{
    const uint32_t cap = r->names_cap ? r->names_cap * 2 : 512;
    WEFT_ASSERT((cap & (cap - 1)) == 0);
    vm_name **names = arena_zero(r->s, mem_mul(&r->c->mem, cap, sizeof *names));
    for (uint32_t i = 0; i < r->names_cap; i++) {
        if (!r->names[i])
            continue;
        uint32_t at = r->names[i]->hash & (cap - 1);
        while (names[at])
            at = (at + 1) & (cap - 1);
        names[at] = r->names[i];
    }
    r->names = names;
    r->names_cap = cap;
}

/* 8 bytes at any address. */
static inline uint64_t word_at(const char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* 4 bytes at any address. */
static inline uint32_t half_at(const char *p)
{
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* All n < 8 bytes of p in one word, n > 0. Two overlapping reads take less than a loop; equal names
 * of one length give equal words, and different ones different words. */
static inline uint64_t short_word(const char *p, size_t n)
{
    WEFT_ASSERT(n > 0 && n < 8);
    if (n >= 4)
        return half_at(p) | (uint64_t)half_at(p + n - 4) << 32;
    return (uint8_t)p[0] | (uint32_t)(uint8_t)p[n / 2] << 8 | (uint32_t)(uint8_t)p[n - 1] << 16;
}

/* Multiplicative hash of words; the last word overlaps the one before. */
static inline uint32_t hash_of(str s)
{
    WEFT_ASSERT(s.n > 0);
    uint64_t h = s.n;
    if (s.n < 8) {
        h ^= short_word(s.p, s.n) << 3;
    } else {
        for (size_t i = 0; i + 8 < s.n; i += 8)
            h = (h ^ word_at(s.p + i)) * 0x9E3779B97F4A7C15u;
        h ^= word_at(s.p + s.n - 8);
    }
    h ^= h >> 32; /* the last digits of names stand high */
    h *= 0x9E3779B97F4A7C15u;
    return (uint32_t)(h >> 32);
}

/* Are n bytes equal? A memcmp for names, which are short. */
static inline bool same_bytes(const char *a, const char *b, size_t n)
{
    if (n < 8)
        return !n || short_word(a, n) == short_word(b, n);
    for (size_t i = 0; i + 8 < n; i += 8)
        if (word_at(a + i) != word_at(b + i))
            return false;
    return word_at(a + n - 8) == word_at(b + n - 8);
}

/* A name is found or made. It points into the text, which lives as long as the program. */
vm_name *name_of(reader *r, str s)
{
    if (!s.n)
        read_fail(r, "a name without letters");
    WEFT_ASSERT(r->names_cap && r->nnames * 2 <= r->names_cap);
    const uint32_t hash = hash_of(s);
    uint32_t at = hash & (r->names_cap - 1);
    for (; r->names[at]; at = (at + 1) & (r->names_cap - 1)) {
        vm_name *n = r->names[at];
        if (n->hash == hash && n->s.n == s.n && same_bytes(n->s.p, s.p, s.n))
            return n;
    }
    vm_name *n = ARENA_NEW(r->s, vm_name);
    n->s = s;
    n->hash = hash;
    r->names[at] = n;
    if (++r->nnames * 2 > r->names_cap)
        grow_names(r);
    return n;
}

/* Reads the first token, so that r->tok is always valid. */
void tok_start(reader *r, str text)
{
    r->p = text.p;
    r->end = text.p + text.n;
    r->line = r->token_line = 1;
    grow_names(r);
    tok_next(r);
}

/* The end of the line at p. */
static inline const char *line_end(const char *p, const char *end)
{
    const char *eol = memchr(p, '\n', (size_t)(end - p));
    return eol ? eol : end;
}

/* Comments of Warp's text repeat the Python lines, so they are a large part of it. */
static const char *skip_space(reader *r, const char *p)
{
    const char *end = r->end;
    while (p < end) {
        if (*p == ' ') { /* indentation comes in fours */
            p++;
            while (end - p >= 4 && half_at(p) == 0x20202020)
                p += 4;
        } else if (*p == '\n') {
            p++;
            r->line++;
            if (end - p > 6 && *p == '#' && memcmp(p, "#line ", 6) == 0)
                p = line_end(p, end);
        } else if (*p == '/' && end - p > 1 && p[1] == '/') {
            p = line_end(p, end);
        } else if (*p == '\t') {
            p++;
        } else {
            break;
        }
    }
    return p;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is the lowest");

/* How many of 8 bytes from the lowest on are letters, digits or '_'. The bytes are tested side by
 * side: adding 0x80 - 'a' to a byte below 0x80 sets its top bit if the byte is 'a' or more. x's own
 * top bits mark bytes that are no ASCII.
 *
 *     "var_3 = "   ->  5 */
static inline unsigned name_bytes(uint64_t x)
{
    const uint64_t ones = 0x0101010101010101u, tops = ones * 0x80;
    const uint64_t y = x & ~tops, lower = y | ones * 0x20;
    const uint64_t letter = (lower + ones * (0x80 - 'a')) & ~(lower + ones * (0x7f - 'z'));
    const uint64_t digit = (y + ones * (0x80 - '0')) & ~(y + ones * (0x7f - '9'));
    const uint64_t line = tops - (y ^ ones * '_');
    const uint64_t others = ~((letter | digit | line) & ~x) & tops;
    return others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/* The first byte behind the name at p. */
static inline const char *name_end(const char *p, const char *end)
{
    while (end - p >= 8) {
        const unsigned n = name_bytes(word_at(p));
        p += n;
        if (n < 8)
            return p;
    }
    while (p < end && class_of(*p) >= C_LETTER)
        p++;
    return p;
}

/* NAME or wp::NAME. `wp` before anything else is a name, and then a scope sign that nothing takes.
 */
static void scan_identifier(reader *r, const char *p)
{
    const char *start = p, *end = r->end;
    if (p[0] == 'w' && end - p > 4 && p[1] == 'p' && p[2] == ':' && p[3] == ':' &&
        class_of(p[4]) == C_LETTER) {
        r->tok.native = true;
        start = p += 4;
    }
    p = name_end(p, end);
    r->tok.kind = T_NAME;
    r->tok.id = name_of(r, (str){start, (size_t)(p - start)});
    r->p = p;
}

/* All bytes that may belong to a number; constant_read and tok_int decide what it is. */
static void scan_number(reader *r, const char *p)
{
    const char *start = p;
    while (p < r->end && (class_of(*p) >= C_LETTER || *p == '.' ||
                          ((*p == '+' || *p == '-') && (p[-1] == 'e' || p[-1] == 'E'))))
        p++;
    r->tok.kind = T_NUMBER;
    r->tok.text = (str){start, (size_t)(p - start)};
    r->p = p;
}

/* A string on one line; its text is kept with escapes, since no instruction uses it. */
static void scan_string(reader *r, const char *p)
{
    const char *start = ++p;
    while (p < r->end && *p != '"' && *p != '\n')
        p += *p == '\\' && r->end - p > 1 ? 2 : 1;
    if (p >= r->end || *p != '"')
        read_fail(r, "a string does not end");
    r->tok.kind = T_STRING;
    r->tok.text = (str){start, (size_t)(p - start)};
    r->p = p + 1;
}

/* The kind of a token of two characters; 0: they are none. */
static int two_characters(char a, char b)
{
    switch (a) {
    case '+': return b == '=' ? T_PLUS_SET : 0;
    case '-': return b == '=' ? T_MINUS_SET : b == '>' ? T_ARROW : 0;
    case '=': return b == '=' ? T_EQ : 0;
    case '!': return b == '=' ? T_NE : 0;
    case '<': return b == '=' ? T_LE : 0;
    case '>': return b == '=' ? T_GE : 0;
    case '&': return b == '&' ? T_AND : 0;
    case '|': return b == '|' ? T_OR : 0;
    case ':': return b == ':' ? T_SCOPE : 0;
    default: return 0;
    }
}

/* Line and text of the token before are gone: what is needed of them is copied first. */
void tok_next(reader *r)
{
    const char *p = skip_space(r, r->p);
    r->p = p;
    r->token_line = r->line;
    r->tok.native = false;
    if (p >= r->end) {
        r->tok.kind = T_END;
        return;
    }
    const uint8_t class = class_of(*p);
    if (class == C_LETTER) {
        scan_identifier(r, p);
    } else if (class == C_DIGIT) {
        scan_number(r, p);
    } else if (*p == '"') {
        scan_string(r, p);
    } else {
        const int two = r->end - p > 1 ? two_characters(p[0], p[1]) : 0;
        if (*p < 33 || *p == 127)
            read_fail(r, "unexpected byte %d", (uint8_t)*p);
        r->tok.kind = two ? two : *p;
        r->p = p + (two ? 2 : 1);
    }
}

/* The token's text, for messages and tok_words; a name is without wp::. */
static str token_text(const reader *r)
{
    switch (r->tok.kind) {
    case T_END: return STR("the end");
    case T_NAME: return r->tok.id->s;
    case T_NUMBER:
    case T_STRING: return r->tok.text;
    default:
        return (str){r->p - (r->tok.kind >= T_PLUS_SET ? 2 : 1), r->tok.kind >= T_PLUS_SET ? 2 : 1};
    }
}

static _Noreturn void unexpected(reader *r)
{
    const str s = token_text(r);
    read_fail(r, "unexpected '%.*s%.*s'", r->tok.kind == T_NAME && r->tok.native ? 4 : 0,
              "wp::", (int)(s.n < 80 ? s.n : 80), s.p);
}

/* The message shows the token that stands there instead. */
void tok_expect(reader *r, int kind)
{
    if (r->tok.kind != kind)
        unexpected(r);
    tok_next(r);
}

bool tok_accept(reader *r, int kind)
{
    if (r->tok.kind != kind)
        return false;
    tok_next(r);
    return true;
}

void tok_words(reader *r, const char *words)
{
    while (*words) {
        size_t n = 0;
        while (words[n] && words[n] != ' ')
            n++;
        const bool native = n > 4 && memcmp(words, "wp::", 4) == 0;
        const str have = token_text(r);
        const str want = {words + (native ? 4 : 0), n - (native ? 4 : 0)};
        if (r->tok.kind == T_END || have.n != want.n || !same_bytes(have.p, want.p, want.n) ||
            (r->tok.kind == T_NAME && r->tok.native) != native)
            read_fail(r, "expected '%.*s', not '%.*s'", (int)n, words,
                      (int)(have.n < 80 ? have.n : 80), have.p);
        tok_next(r);
        words += n + (words[n] == ' ');
    }
}

/* Names with wp:: are builtins and types, which no declaration uses. */
vm_name *tok_name(reader *r)
{
    if (r->tok.kind != T_NAME || r->tok.native)
        unexpected(r);
    vm_name *id = r->tok.id;
    tok_next(r);
    return id;
}

/* At most nine digits, so that there is no overflow. */
int64_t tok_int(reader *r)
{
    int64_t x = 0;
    if (r->tok.kind != T_NUMBER || r->tok.text.n > 9)
        unexpected(r);
    for (size_t i = 0; i < r->tok.text.n; i++) {
        if (class_of(r->tok.text.p[i]) != C_DIGIT)
            unexpected(r);
        x = x * 10 + (r->tok.text.p[i] - '0');
    }
    tok_next(r);
    return x;
}
