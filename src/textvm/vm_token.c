/* Tokens of the dialect. Nothing is skipped but spaces, newlines and // comments. */
#include <stdarg.h>
#include <stdio.h>

#include "textvm/vm_read.h"

static void tell(reader *r, textvm_error_kind kind, const char *fmt, va_list args)
{
    r->error->kind = kind;
    r->error->line = r->token_line;
    vsnprintf(r->error->text, sizeof r->error->text, fmt, args);
}

void read_fail(reader *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tell(r, TEXTVM_UNREADABLE, fmt, args);
    va_end(args);
    longjmp(r->fail, 1);
}

static void tell_missing(reader *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tell(r, TEXTVM_MISSING, fmt, args);
    va_end(args);
}

void read_missing(reader *r, str what)
{
    tell_missing(r, "cannot execute %.*s", (int)(what.n < 200 ? what.n : 200), what.p);
    longjmp(r->fail, 1);
}

enum { C_OTHER, C_SPACE, C_LETTER, C_DIGIT };

static const uint8_t classes[256] = {
    [' '] = C_SPACE,  ['\t'] = C_SPACE, ['_'] = C_LETTER, ['a'] = C_LETTER, ['b'] = C_LETTER,
    ['c'] = C_LETTER, ['d'] = C_LETTER, ['e'] = C_LETTER, ['f'] = C_LETTER, ['g'] = C_LETTER,
    ['h'] = C_LETTER, ['i'] = C_LETTER, ['j'] = C_LETTER, ['k'] = C_LETTER, ['l'] = C_LETTER,
    ['m'] = C_LETTER, ['n'] = C_LETTER, ['o'] = C_LETTER, ['p'] = C_LETTER, ['q'] = C_LETTER,
    ['r'] = C_LETTER, ['s'] = C_LETTER, ['t'] = C_LETTER, ['u'] = C_LETTER, ['v'] = C_LETTER,
    ['w'] = C_LETTER, ['x'] = C_LETTER, ['y'] = C_LETTER, ['z'] = C_LETTER, ['A'] = C_LETTER,
    ['B'] = C_LETTER, ['C'] = C_LETTER, ['D'] = C_LETTER, ['E'] = C_LETTER, ['F'] = C_LETTER,
    ['G'] = C_LETTER, ['H'] = C_LETTER, ['I'] = C_LETTER, ['J'] = C_LETTER, ['K'] = C_LETTER,
    ['L'] = C_LETTER, ['M'] = C_LETTER, ['N'] = C_LETTER, ['O'] = C_LETTER, ['P'] = C_LETTER,
    ['Q'] = C_LETTER, ['R'] = C_LETTER, ['S'] = C_LETTER, ['T'] = C_LETTER, ['U'] = C_LETTER,
    ['V'] = C_LETTER, ['W'] = C_LETTER, ['X'] = C_LETTER, ['Y'] = C_LETTER, ['Z'] = C_LETTER,
    ['0'] = C_DIGIT,  ['1'] = C_DIGIT,  ['2'] = C_DIGIT,  ['3'] = C_DIGIT,  ['4'] = C_DIGIT,
    ['5'] = C_DIGIT,  ['6'] = C_DIGIT,  ['7'] = C_DIGIT,  ['8'] = C_DIGIT,  ['9'] = C_DIGIT,
};

static inline uint8_t class_of(char ch)
{
    return classes[(uint8_t)ch];
}

static void grow_names(reader *r)
{
    const uint32_t cap = r->names_cap ? r->names_cap * 2 : 512;
    vm_name **names = arena_zero(r->a, mem_mul(&r->c->mem, cap, sizeof *names));
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

static vm_name *name_hashed(reader *r, str s, uint32_t hash)
{
    uint32_t at = hash & (r->names_cap - 1);
    for (; r->names[at]; at = (at + 1) & (r->names_cap - 1)) {
        vm_name *n = r->names[at];
        if (n->hash == hash && str_eq(n->s, s))
            return n;
    }
    vm_name *n = ARENA_NEW(r->a, vm_name);
    n->s = s;
    n->hash = hash;
    r->names[at] = n;
    if (++r->nnames * 2 > r->names_cap)
        grow_names(r);
    return n;
}

static inline uint32_t hash_step(uint32_t hash, char ch)
{
    return (hash ^ (uint8_t)ch) * 0x9E3779B1u;
}

static inline uint32_t hash_end(uint32_t hash)
{
    return hash ^ hash >> 15;
}

vm_name *name_of(reader *r, str s)
{
    uint32_t hash = 1;
    for (size_t i = 0; i < s.n; i++)
        hash = hash_step(hash, s.p[i]);
    return name_hashed(r, s, hash_end(hash));
}

void tok_start(reader *r, str text)
{
    r->p = text.p;
    r->end = text.p + text.n;
    r->line = r->token_line = 1;
    grow_names(r);
    tok_next(r);
}

static const char *skip_space(reader *r, const char *p)
{
    const char *end = r->end;
    while (p < end) {
        if (class_of(*p) == C_SPACE) {
            p++;
        } else if (*p == '\n') {
            p++;
            r->line++;
        } else if (*p == '/' && end - p > 1 && p[1] == '/') {
            const char *eol = memchr(p, '\n', (size_t)(end - p));
            p = eol ? eol : end;
        } else {
            break;
        }
    }
    return p;
}

static void scan_identifier(reader *r, const char *p)
{
    uint32_t hash = 1;
    const char *start = p;
    for (; p < r->end && class_of(*p) >= C_LETTER; p++)
        hash = hash_step(hash, *p);
    if (p - start == 2 && start[0] == 'w' && start[1] == 'p' && r->end - p > 2 && p[0] == ':' &&
        p[1] == ':' && class_of(p[2]) == C_LETTER && !r->tok.native) {
        r->tok.native = true;
        scan_identifier(r, p + 2);
        return;
    }
    r->tok.kind = T_NAME;
    r->tok.id = name_hashed(r, (str){start, (size_t)(p - start)}, hash_end(hash));
    r->p = p;
}

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

static bool is_word(const reader *r, const char *word)
{
    const size_t n = strlen(word);
    return r->tok.kind == T_NAME && r->tok.id->s.n == n && memcmp(r->tok.id->s.p, word, n) == 0;
}

bool tok_is(const reader *r, const char *word)
{
    return is_word(r, word) && !r->tok.native;
}

bool tok_is_native(const reader *r, const char *word)
{
    return is_word(r, word) && r->tok.native;
}

void tok_words(reader *r, const char *words)
{
    while (*words) {
        const char *end = strchr(words, ' ');
        const size_t n = end ? (size_t)(end - words) : strlen(words);
        const bool native = n > 4 && memcmp(words, "wp::", 4) == 0;
        const str have = token_text(r);
        const str want = {words + (native ? 4 : 0), n - (native ? 4 : 0)};
        if (r->tok.kind == T_END || !str_eq(have, want) ||
            (r->tok.kind == T_NAME && r->tok.native) != native)
            read_fail(r, "expected '%.*s', not '%.*s'", (int)n, words,
                      (int)(have.n < 80 ? have.n : 80), have.p);
        tok_next(r);
        words += n + (end ? 1 : 0);
    }
}

vm_name *tok_name(reader *r)
{
    if (r->tok.kind != T_NAME || r->tok.native)
        unexpected(r);
    vm_name *id = r->tok.id;
    tok_next(r);
    return id;
}

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
