/* A scanner of JSON text. Positions stay within the text, whatever it is. */
#include "base/json_peek.h"

static void skip_space(str s, size_t *at)
{
    while (*at < s.n &&
           (s.p[*at] == ' ' || s.p[*at] == '\t' || s.p[*at] == '\n' || s.p[*at] == '\r'))
        ++*at;
}

/* From an opening quote to behind the closing one. */
static bool skip_string(str s, size_t *at)
{
    size_t i = *at + 1;
    while (i < s.n) {
        const char *quote = memchr(s.p + i, '"', s.n - i);
        if (!quote)
            return false;
        const size_t end = (size_t)(quote - s.p);
        size_t back = end;
        while (back > i && s.p[back - 1] == '\\')
            back--;
        i = end + 1;
        if ((end - back) % 2 == 0) {
            *at = i;
            return true;
        }
    }
    return false;
}

/* Arrays and objects, as deep as they are. */
static bool skip_nested(str s, size_t *at)
{
    size_t depth = 0, i = *at;
    while (i < s.n) {
        const char c = s.p[i];
        if (c == '"') {
            if (!skip_string(s, &i))
                return false;
            continue;
        }
        i++;
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0) {
            *at = i;
            return true;
        }
    }
    return false;
}

static bool skip_value(str s, size_t *at)
{
    const size_t from = *at;
    if (from >= s.n)
        return false;
    if (s.p[from] == '"')
        return skip_string(s, at);
    if (s.p[from] == '{' || s.p[from] == '[')
        return skip_nested(s, at);
    while (*at < s.n && !strchr(",]} \t\r\n", s.p[*at]))
        ++*at;
    return *at > from;
}

/* To where an element of an object or array begins: behind `open`, or behind a comma. */
static bool to_element(str s, char open, size_t *at)
{
    const bool first = *at == 0;
    skip_space(s, at);
    if (*at >= s.n || s.p[*at] != (first ? open : ','))
        return false;
    ++*at;
    skip_space(s, at);
    return *at < s.n;
}

bool json_peek_element(str array, size_t *at, str *value)
{
    if (!to_element(array, '[', at))
        return false;
    const size_t from = *at;
    if (!skip_value(array, at))
        return false;
    *value = (str){array.p + from, *at - from};
    return true;
}

bool json_peek_member(str object, size_t *at, str *key, str *value)
{
    if (!to_element(object, '{', at) || object.p[*at] != '"')
        return false;
    const size_t from = *at + 1;
    if (!skip_string(object, at))
        return false;
    *key = (str){object.p + from, *at - 1 - from};
    skip_space(object, at);
    if (*at >= object.n || object.p[*at] != ':')
        return false;
    ++*at;
    skip_space(object, at);
    const size_t begin = *at;
    if (!skip_value(object, at))
        return false;
    *value = (str){object.p + begin, *at - begin};
    return true;
}

bool json_peek_value(str text, size_t *at, str *value)
{
    skip_space(text, at);
    const size_t from = *at;
    if (!skip_value(text, at)) {
        *at = from;
        return false;
    }
    *value = (str){text.p + from, *at - from};
    return true;
}

bool json_peek(str object, const char *path, str *value)
{
    for (*value = object;;) {
        const size_t n = strcspn(path, ".");
        const str inner = *value, wanted = {path, n};
        str key = {0};
        size_t at = 0;
        do {
            if (!json_peek_member(inner, &at, &key, value))
                return false;
        } while (!str_eq(key, wanted));
        if (!path[n])
            return true;
        path += n + 1;
    }
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four digits. */
static bool read_unit(str s, size_t at, uint32_t *unit)
{
    *unit = 0;
    for (size_t i = at; i < at + 4; i++) {
        const int digit = i < s.n ? hex_digit(s.p[i]) : -1;
        if (digit < 0)
            return false;
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return true;
}

static void put_utf8(strbuf *b, uint32_t c)
{
    if (c < 0x80) {
        sb_char(b, (char)c);
    } else if (c < 0x800) {
        sb_char(b, (char)(0xc0 | c >> 6));
        sb_char(b, (char)(0x80 | (c & 63)));
    } else if (c < 0x10000) {
        sb_char(b, (char)(0xe0 | c >> 12));
        sb_char(b, (char)(0x80 | (c >> 6 & 63)));
        sb_char(b, (char)(0x80 | (c & 63)));
    } else {
        sb_char(b, (char)(0xf0 | c >> 18));
        sb_char(b, (char)(0x80 | (c >> 12 & 63)));
        sb_char(b, (char)(0x80 | (c >> 6 & 63)));
        sb_char(b, (char)(0x80 | (c & 63)));
    }
}

/* Behind "\u"; surrogates come in pairs, one alone becomes U+FFFD. */
static bool put_escaped_unit(str s, size_t *at, strbuf *out)
{
    uint32_t c, low;
    if (!read_unit(s, *at, &c))
        return false;
    *at += 4;
    if (c >= 0xd800 && c < 0xe000) {
        const bool pair = c < 0xdc00 && *at + 1 < s.n && s.p[*at] == '\\' && s.p[*at + 1] == 'u' &&
                          read_unit(s, *at + 2, &low) && low >= 0xdc00 && low < 0xe000;
        *at += pair ? 6 : 0;
        c = pair ? 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
    }
    put_utf8(out, c);
    return true;
}

static bool put_escape(str s, size_t *at, strbuf *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (*at >= s.n)
        return false;
    const char c = s.p[(*at)++];
    if (c == 'u')
        return put_escaped_unit(s, at, out);
    const char *known = c ? strchr(from, c) : NULL;
    if (known)
        sb_char(out, to[known - from]);
    return known != NULL;
}

bool json_peek_string(str value, strbuf *out)
{
    if (value.n < 2 || value.p[0] != '"' || value.p[value.n - 1] != '"')
        return false;
    const str s = {value.p + 1, value.n - 2};
    for (size_t at = 0; at < s.n;) {
        const char *escape = memchr(s.p + at, '\\', s.n - at);
        const size_t end = escape ? (size_t)(escape - s.p) : s.n;
        sb_put(out, s.p + at, end - at);
        at = end + 1;
        if (escape && !put_escape(s, &at, out))
            return false;
    }
    return true;
}

bool json_peek_count(str value, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < value.n; i++)
        if (value.p[i] < '0' || value.p[i] > '9' || __builtin_mul_overflow(*out, 10u, out) ||
            __builtin_add_overflow(*out, (uint64_t)(value.p[i] - '0'), out))
            return false;
    return value.n > 0;
}
