/* What cJSON lets through and JSON does not: encoding, control characters, escapes, numbers and
 * words. Structure is left to cJSON. */
#include "base/json_read.h"

typedef struct lint {
    const unsigned char *p, *end;
    json_big *big;
} lint;

static bool is_hex(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Length of the well-formed UTF-8 sequence at p, or 0 (RFC 3629, table 3-7 of Unicode). */
static size_t sequence(const unsigned char *p, const unsigned char *end)
{
    const size_t n = p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    if (!n || (size_t)(end - p) < n)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return n;
}

/* Behind the backslash. */
static const char *skip_escape(lint *l)
{
    if (l->p == l->end)
        return "the line breaks off in a string";
    const unsigned char c = *l->p++;
    if (c == 'u') {
        for (int i = 0; i < 4; i++)
            if (l->end - l->p <= i || !is_hex(l->p[i]))
                return "not JSON: \\u wants four hexadecimal digits";
        if (memcmp(l->p, "0000", 4) == 0)
            return "a NUL character (\\u0000)";
        l->p += 4;
        return NULL;
    }
    return c && strchr("\"\\/bfnrt", c) ? NULL : "not JSON: an unknown escape in a string";
}

static const char *control(unsigned char c)
{
    return c == 0      ? "a NUL byte"
           : c == '\r' ? "a carriage return (CRLF?)"
                       : "a raw control character";
}

static const char *skip_string(lint *l)
{
    while (l->p < l->end) {
        const unsigned char c = *l->p;
        if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
            l->p++;
            continue;
        }
        if (c < 0x20)
            return control(c);
        if (c >= 0x80) {
            const size_t n = sequence(l->p, l->end);
            if (!n)
                return "bytes that are not UTF-8";
            l->p += n;
            continue;
        }
        l->p++;
        if (c == '"')
            return NULL;
        const char *why = skip_escape(l);
        if (why)
            return why;
    }
    return "the line breaks off in a string";
}

static size_t digits(lint *l)
{
    const unsigned char *from = l->p;
    while (l->p < l->end && *l->p >= '0' && *l->p <= '9')
        l->p++;
    return (size_t)(l->p - from);
}

/* Whole numbers that a double does not hold are kept aside. */
static void keep_big(json_big *big, const unsigned char *p, size_t n)
{
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++)
        if (__builtin_mul_overflow(x, 10u, &x) || __builtin_add_overflow(x, p[i] - '0', &x))
            return;
    if (x > JSON_EXACT && big->n < JSON_BIG_MAX)
        big->v[big->n++] = x;
}

static const char *skip_number(lint *l)
{
    static const char bad[] = "not JSON: a number that is not written as JSON's";
    l->p += *l->p == '-';
    const unsigned char *from = l->p;
    const size_t n = digits(l);
    if (!n || (n > 1 && *from == '0'))
        return bad;
    if (n > 15)
        keep_big(l->big, from, n);
    if (l->p < l->end && *l->p == '.' && (l->p++, !digits(l)))
        return bad;
    if (l->p < l->end && (*l->p == 'e' || *l->p == 'E')) {
        l->p++;
        l->p += l->p < l->end && (*l->p == '+' || *l->p == '-');
        if (!digits(l))
            return bad;
    }
    return NULL;
}

static const char *skip_word(lint *l)
{
    static const str words[] = {{"true", 4}, {"false", 5}, {"null", 4}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((size_t)(l->end - l->p) >= words[i].n && !memcmp(l->p, words[i].p, words[i].n)) {
            l->p += words[i].n;
            return NULL;
        }
    return "not JSON: a token as NaN or a word without quotes";
}

const char *json_lint(str text, json_big *big, size_t *at)
{
    lint l = {(const unsigned char *)text.p, (const unsigned char *)text.p + text.n, big};
    const char *why = NULL;
    while (l.p < l.end && !why) {
        const unsigned char c = *l.p;
        if (c == '"') {
            l.p++;
            why = skip_string(&l);
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            why = skip_number(&l);
        } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            why = skip_word(&l);
        } else if (c < 0x20 && c != '\t' && c != '\n') {
            why = control(c);
        } else if (c >= 0x80) {
            why = sequence(l.p, l.end) ? "not JSON: a character outside of a string"
                                       : "bytes that are not UTF-8";
        } else {
            l.p++;
        }
    }
    *at = (size_t)(l.p - (const unsigned char *)text.p);
    return why;
}
