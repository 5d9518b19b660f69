/* SPDX-License-Identifier: Apache-2.0 */
/* Words: classes of bytes, keywords, and identifiers beyond ASCII. Examples: "for" is the keyword
 * FOR; an identifier with the ligature U+FB01 is interned with "fi" in its place (NFKC), so both
 * spellings are one variable, as Python's reference wants ("Identifiers and keywords"). */
#include <stdio.h>

#include "base/assert.h"
#include "base/utf8.h"
#include "syntax/lex.h"
#include "syntax/unicode.h"

/* Classes of bytes, 32 in a row from NUL on: o no part of a word, N letters, "_" and all bytes
 * beyond ASCII, H letters that are hexadecimal digits too, D digits. Which characters the bytes
 * beyond ASCII make is checked by lex_unicode_name. */
enum {
    o = 0,
    N = LEX_START | LEX_NAME,
    H = LEX_START | LEX_NAME | LEX_HEX,
    D = LEX_NAME | LEX_DIGIT | LEX_HEX
};

const uint8_t lex_class[256] = {
    o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o,
    o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, D, D, D, D, D, D, D, D, D, D, o, o, o, o, o, o,
    o, H, H, H, H, H, H, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, o, o, o, o, N,
    o, H, H, H, H, H, H, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, o, o, o, o, o,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
};

/* Keywords by length, each row ended by NULL; rows start at length 2. Most names fail at the first
 * letter, which is compared before the rest. */
typedef struct keyword {
    const char *text;
    token_kind kind;
} keyword;

static const keyword len2[] = {{"as", T_AS}, {"if", T_IF}, {"in", T_IN},
                               {"is", T_IS}, {"or", T_OR}, {NULL, T_NAME}};
static const keyword len3[] = {{"and", T_AND}, {"def", T_DEF}, {"del", T_DEL}, {"for", T_FOR},
                               {"not", T_NOT}, {"try", T_TRY}, {NULL, T_NAME}};
static const keyword len4[] = {{"elif", T_ELIF}, {"else", T_ELSE}, {"from", T_FROM},
                               {"None", T_NONE}, {"pass", T_PASS}, {"True", T_TRUE},
                               {"with", T_WITH}, {NULL, T_NAME}};
static const keyword len5[] = {{"False", T_FALSE}, {"async", T_ASYNC}, {"await", T_AWAIT},
                               {"break", T_BREAK}, {"class", T_CLASS}, {"raise", T_RAISE},
                               {"while", T_WHILE}, {"yield", T_YIELD}, {NULL, T_NAME}};
static const keyword len6[] = {{"assert", T_ASSERT}, {"except", T_EXCEPT}, {"global", T_GLOBAL},
                               {"import", T_IMPORT}, {"lambda", T_LAMBDA}, {"return", T_RETURN},
                               {NULL, T_NAME}};
static const keyword len7[] = {{"finally", T_FINALLY}, {NULL, T_NAME}};
static const keyword len8[] = {{"continue", T_CONTINUE}, {"nonlocal", T_NONLOCAL}, {NULL, T_NAME}};

/* Scans the keywords of this length, at most eight. */
token_kind lex_keyword(const char *s, size_t n)
{
    static const keyword *const by_length[] = {len2, len3, len4, len5, len6, len7, len8};
    if (n < 2 || n > 8)
        return T_NAME;
    for (const keyword *k = by_length[n - 2]; k->text; k++)
        if (k->text[0] == s[0] && memcmp(k->text, s, n) == 0)
            return k->kind;
    return T_NAME;
}

/* The first byte of a character that may not stand where it does in s..e, or e. The text is
 * well-formed UTF-8 (source_text.c). */
static const char *bad_character(const char *s, const char *e)
{
    for (const char *start = s; s < e;) {
        const char *at = s;
        uint32_t c = utf8_get(&s);
        if (!(at == start ? unicode_begins_name(c) : unicode_continues_name(c)))
            return at;
    }
    return e;
}

/* The check is made before normalisation, as CPython does it. NFKC may make a name longer, and its
 * buffers grow with the name, hence the limit LEX_MAX_NAME. */
const sym *lex_unicode_name(lexer *lx, const char *s, const char *e)
{
    WEFT_ASSERT(s < e);
    const char *bad = bad_character(s, e);
    if (bad < e) {
        lex_fail(lx, DIAG_BAD_CHARACTER, bad);
        const char *next = bad;
        uint32_t c = utf8_get(&next);
        snprintf(lx->error.arg, sizeof lx->error.arg, "U+%04X", (unsigned)c);
        lx->error.end_col += (uint32_t)(next - bad) - 1;
        return NULL;
    }
    size_t n = (size_t)(e - s);
    if (n > LEX_MAX_NAME) {
        lex_fail(lx, DIAG_LONG_NAME, s);
        return NULL;
    }
    mem *m = lx->syms->m;
    uint32_t *codes = mem_alloc(m, unicode_nfkc_room(n) * sizeof *codes);
    size_t count = unicode_nfkc(s, n, codes), len = 0;
    char *text = mem_alloc(m, count * 4 + 1);
    WEFT_ASSERT(count <= unicode_nfkc_room(n));
    for (size_t i = 0; i < count; i++)
        len += utf8_put(text + len, codes[i]);
    const sym *name = sym_intern(lx->syms, text, len);
    mem_free(m, text);
    mem_free(m, codes);
    return name;
}
