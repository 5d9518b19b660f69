/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON reader (json_read.h): a lexer of strings, numbers and words, and above it the grammar
 * with a stack of one bit for each depth, which distinguishes objects from arrays. Positions stay
 * within the text, whatever it is; the text need not end with a NUL. Example of a refusal: for
 * {"a": 01} `wrong` is
 *
 *     not JSON: a number that is not written as JSON's
 *
 * at the byte behind the number. */
#include "base/json_read.h"

#include "base/assert.h"
#include "base/utf8.h"

/* --- strings --------------------------------------------------------------------------------- */

#define EACH_BYTE(x) (UINT64_C(0x0101010101010101) * (x))

/* Sets the top bit in each of the eight bytes of x that needs a look: a control character, a
 * quote, a backslash, or a byte beyond ASCII. Subtracting finds them all, since a byte that is
 * smaller borrows. The lowest bit that is set is right; borrows may set others above it. */
static uint64_t special_bytes(uint64_t x)
{
    const uint64_t quote = x ^ EACH_BYTE('"'), backslash = x ^ EACH_BYTE('\\');
    return ((x - EACH_BYTE(0x20)) | (quote - EACH_BYTE(1)) | (backslash - EACH_BYTE(1)) | x) &
           EACH_BYTE(0x80);
}

/* Makes the first byte of the text the lowest one. */
static uint64_t load_little_endian(const char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

/* The place of the next byte of a string that needs a look, from `at` on; s.n: there is none. */
static size_t skip_plain(str s, size_t at)
{
    WEFT_ASSERT(at <= s.n);
    for (; s.n - at >= 8; at += 8) {
        const uint64_t special = special_bytes(load_little_endian(s.p + at));
        if (special)
            return at + (size_t)__builtin_ctzll(special) / 8;
    }
    /* The last bytes, fewer than eight. */
    while (at < s.n) {
        const unsigned char c = (unsigned char)s.p[at];
        if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\')
            break;
        at++;
    }
    return at;
}

/* The value of a hexadecimal digit; -1: c is none. */
static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Reads four hexadecimal digits, a unit of UTF-16. */
static bool read_unit(str s, size_t at, uint32_t *unit)
{
    *unit = 0;
    if (s.n < 4 || at > s.n - 4)
        return false;
    for (size_t i = at; i < at + 4; i++) {
        const int digit = hex_digit(s.p[i]);
        if (digit < 0)
            return false;
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return true;
}

/* The halves of a surrogate pair, by which JSON writes characters beyond U+FFFF. */
static bool is_high(uint32_t unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(uint32_t unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

/* The second half of a pair of surrogates, from its backslash on. */
static bool read_low(str s, size_t at, uint32_t *low)
{
    return at + 1 < s.n && s.p[at] == '\\' && s.p[at + 1] == 'u' && read_unit(s, at + 2, low) &&
           is_low(*low);
}

/* Skips an escape whose backslash is consumed. Returns what is wrong with it, or NULL. A surrogate
 * pair is one escape of ten characters and the backslash. */
static const char *skip_escape(json_reader *r)
{
    uint32_t unit, low;
    if (r->at == r->text.n)
        return "the line breaks off in a string";
    const char c = r->text.p[r->at++];
    switch (c) {
    case 'n':
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'r':
    case 't': return NULL;
    case 'u': break;
    default: return "not JSON: an unknown escape in a string";
    }
    if (!read_unit(r->text, r->at, &unit))
        return "not JSON: \\u wants four hexadecimal digits";
    /* RFC 8259 allows both; records do not contain them, since other readers cut a text at a NUL
     * and refuse half a character. */
    if (r->rules == JSON_LINE) {
        if (!unit)
            return "a NUL character (\\u0000)";
        if (is_low(unit) || (is_high(unit) && !read_low(r->text, r->at + 4, &low)))
            return "not JSON: half of a surrogate pair";
    }
    r->at += is_high(unit) && read_low(r->text, r->at + 4, &low) ? 10 : 4;
    return NULL;
}

/* What a control character in a string is called. A carriage return gets its own words: it is most
 * often a file with DOS line ends. */
static const char *control(char c)
{
    return c == 0      ? "a NUL byte"
           : c == '\r' ? "a carriage return (CRLF?)"
                       : "a raw control character";
}

/* Reads from an opening quote to behind the closing one; *raw is what is between them, *escapes
 * whether a backslash is. */
static bool read_string(json_reader *r, str *raw, bool *escapes)
{
    WEFT_ASSERT(r->at < r->text.n && r->text.p[r->at] == '"');
    /* Behind the opening quote. */
    const size_t from = ++r->at;
    *escapes = false;
    while ((r->at = skip_plain(r->text, r->at)) < r->text.n) {
        const char c = r->text.p[r->at];
        /* The usual end; strings without escapes are one skip_plain long. */
        if (c == '"') {
            *raw = (str){r->text.p + from, r->at - from};
            r->at++;
            return true;
        }
        if (c == '\\') {
            *escapes = true;
            r->at++;
            r->wrong = skip_escape(r);
        } else if ((unsigned char)c < 0x20) {
            r->wrong = control(c);
        } else {
            const size_t n = utf8_length(r->text.p + r->at, r->text.n - r->at);
            r->wrong = n ? NULL : "bytes that are not UTF-8";
            /* A malformed sequence does not move, so the error is at its first byte. */
            r->at += n;
        }
        if (r->wrong)
            return false;
    }
    r->wrong = "the line breaks off in a string";
    return false;
}

/* --- what strings stand for ------------------------------------------------------------------ */

/* The character behind the backslash, which is at *at - 1: into out, which has room for four
 * bytes. The escape was checked by read_string. */
static size_t decode_escape(str raw, size_t *at, char *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    uint32_t unit, low;
    WEFT_ASSERT(*at < raw.n);
    const char c = raw.p[(*at)++];
    if (c != 'u') {
        const char *known = strchr(from, c);
        WEFT_ASSERT(c && known);
        out[0] = to[known - from];
        return 1;
    }
    /* read_string has checked the digits. */
    const bool good = read_unit(raw, *at, &unit);
    WEFT_ASSERT(good);
    (void)good;
    *at += 4;
    if (is_high(unit) && read_low(raw, *at, &low)) {
        *at += 6;
        return utf8_put(out, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
    }
    return utf8_put(out, is_high(unit) || is_low(unit) ? 0xfffd : unit);
}

/* Never longer than `raw`: the shortest escapes are two bytes for one, and \uXXXX six for at most
 * three. */
size_t json_decode(str raw, char *out)
{
    size_t n = 0;
    for (size_t at = 0; at < raw.n;) {
        const char *escape = memchr(raw.p + at, '\\', raw.n - at);
        const size_t plain = escape ? (size_t)(escape - raw.p) - at : raw.n - at;
        memcpy(out + n, raw.p + at, plain);
        n += plain;
        at += plain + 1;
        if (escape)
            n += decode_escape(raw, &at, out + n);
    }
    WEFT_ASSERT(n <= raw.n);
    return n;
}

/* Compares while decoding, so nothing is stored. */
bool json_decodes_to(str raw, str wanted)
{
    size_t n = 0;
    for (size_t at = 0; at < raw.n;) {
        char c[4] = {raw.p[at++]};
        const size_t len = c[0] == '\\' ? decode_escape(raw, &at, c) : 1;
        if (wanted.n - n < len || memcmp(wanted.p + n, c, len) != 0)
            return false;
        n += len;
    }
    return n == wanted.n;
}

/* --- numbers and words ----------------------------------------------------------------------- */

static size_t skip_digits(json_reader *r)
{
    const size_t from = r->at;
    while (r->at < r->text.n && r->text.p[r->at] >= '0' && r->text.p[r->at] <= '9')
        r->at++;
    return r->at - from;
}

/* Consumes c if it is next. */
static bool take(json_reader *r, char c)
{
    const bool there = r->at < r->text.n && r->text.p[r->at] == c;
    r->at += there;
    return there;
}

/* -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? (RFC 8259, section 6). Python's NaN and
 * Infinity are words, not numbers. */
static bool read_number(json_reader *r)
{
    /* Reset at the end; every way out in between is wrong. */
    r->wrong = "not JSON: a number that is not written as JSON's";
    take(r, '-');
    const size_t from = r->at, n = skip_digits(r);
    /* JSON has no leading zeros, so that no reader takes 010 for 8. */
    if (!n || (n > 1 && r->text.p[from] == '0'))
        return false;
    if (take(r, '.') && !skip_digits(r))
        return false;
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '+'))
            take(r, '-');
        if (!skip_digits(r))
            return false;
    }
    r->wrong = NULL;
    return true;
}

static bool read_word(json_reader *r)
{
    static const str words[] = {{"true", 4}, {"false", 5}, {"null", 4}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (r->text.n - r->at >= words[i].n &&
            memcmp(r->text.p + r->at, words[i].p, words[i].n) == 0) {
            r->at += words[i].n;
            /* The table has true and false first. */
            r->type = i < 2 ? JSON_TYPE_BOOL : JSON_TYPE_NULL;
            return true;
        }
    r->wrong = "not JSON: a word without quotes or NaN";
    return false;
}

/* --- grammar --------------------------------------------------------------------------------- */

void json_start(json_reader *r, str text, json_rules rules)
{
    r->text = text;
    r->at = 0;
    r->rules = rules;
    r->depth = 0;
    r->fresh = r->done = false;
    r->wrong = NULL;
}

/* Enters an array or object. Sets or clears the bit of the new depth: the bit is set for
 * an object and clear for an array. */
static void push(json_reader *r, bool object)
{
    WEFT_ASSERT(r->depth < JSON_DEPTH_MAX);
    const uint64_t bit = UINT64_C(1) << (r->depth & 63);
    uint64_t *word = &r->objects[r->depth / 64];
    *word = object ? *word | bit : *word & ~bit;
    r->depth++;
}

static bool is_object(const json_reader *r)
{
    WEFT_ASSERT(r->depth > 0 && r->depth <= JSON_DEPTH_MAX);
    return r->objects[(r->depth - 1) / 64] >> ((r->depth - 1) & 63) & 1;
}

/* The reader then behaves as if the text began with that bracket. */
void json_start_within(json_reader *r, str text, bool object, size_t at)
{
    json_start(r, text, JSON_ANY);
    if (!at)
        return;
    push(r, object);
    r->at = at;
}

/* JSON's white space. A carriage return is refused where weft's own lines are read. */
static void skip_space(json_reader *r)
{
    while (r->at < r->text.n) {
        const char c = r->text.p[r->at];
        if (c != ' ' && c != '\n' && c != '\t' && (c != '\r' || r->rules != JSON_ANY))
            break;
        r->at++;
    }
}

/* Something else has to stand at r->at: sets the reason as precisely as the next token allows. */
static json_event unexpected(json_reader *r)
{
    const size_t at = r->at;
    const char c = at < r->text.n ? r->text.p[at] : 0;
    if (at == r->text.n)
        r->wrong = "not JSON: the line breaks off";
    /* A word or number that is malformed itself gets that message; a well-formed one at a wrong
     * place is plain "not JSON", at its beginning. */
    else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        read_word(r);
    else if (c == '-' || (c >= '0' && c <= '9'))
        read_number(r);
    else if ((unsigned char)c < 0x20)
        r->wrong = control(c);
    else if ((unsigned char)c >= 0x80)
        r->wrong = utf8_length(r->text.p + at, r->text.n - at)
                       ? "not JSON: a character outside of a string"
                       : "bytes that are not UTF-8";
    if (!r->wrong) {
        r->wrong = "not JSON";
        r->at = at;
    }
    return JSON_WRONG;
}

static json_event open_value(json_reader *r, bool object)
{
    /* The limit keeps the reader in a fixed size and the builders from deep recursion. */
    if (r->depth == JSON_DEPTH_MAX) {
        r->wrong = "not JSON that weft reads: arrays and objects lie too deep in each other";
        return JSON_WRONG;
    }
    r->type = object ? JSON_TYPE_OBJECT : JSON_TYPE_ARRAY;
    r->raw = (str){r->text.p + r->at++, 1};
    push(r, object);
    r->fresh = true;
    return JSON_OPEN;
}

/* A scalar is read to its end, of the others the bracket. */
static json_event read_value(json_reader *r)
{
    const size_t from = r->at;
    const char c = from < r->text.n ? r->text.p[from] : 0;
    bool good;
    r->fresh = false;
    if (c == '"') {
        str inner;
        r->type = JSON_TYPE_STRING;
        good = read_string(r, &inner, &r->escapes);
    } else if (c == '{' || c == '[') {
        return open_value(r, c == '{');
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        r->type = JSON_TYPE_NUMBER;
        good = read_number(r);
    } else if (c == 't' || c == 'f' || c == 'n') {
        good = read_word(r);
    } else {
        return unexpected(r);
    }
    r->raw = (str){r->text.p + from, r->at - from};
    /* A scalar alone is a whole text. */
    r->done = r->depth == 0;
    return good ? JSON_VALUE : JSON_WRONG;
}

/* `"key": value` of an object, the value's end only if it is a scalar. */
static json_event read_member(json_reader *r)
{
    if (r->at == r->text.n || r->text.p[r->at] != '"')
        return unexpected(r);
    if (!read_string(r, &r->key, &r->key_escapes))
        return JSON_WRONG;
    skip_space(r);
    if (!take(r, ':'))
        return unexpected(r);
    skip_space(r);
    return read_value(r);
}

/* After `fresh` no comma is due: nothing was read in the innermost array or object yet. */
json_event json_next(json_reader *r)
{
    if (r->done)
        return JSON_DONE;
    skip_space(r);
    r->key = (str){0};
    if (!r->depth)
        return read_value(r);
    const bool object = is_object(r);
    /* The closing bracket may come at any element but behind a comma, which the order of these
     * checks ensures. */
    if (take(r, object ? '}' : ']')) {
        r->fresh = false;
        r->done = --r->depth == 0;
        return JSON_CLOSE;
    }
    if (!r->fresh) {
        if (!take(r, ','))
            return unexpected(r);
        skip_space(r);
    }
    return object ? read_member(r) : read_value(r);
}

/* Keeps key and type of what was opened, which json_next overwrites on the way. */
bool json_skip(json_reader *r)
{
    const uint32_t depth = r->depth;
    const char *from = r->raw.p;
    const str key = r->key;
    const json_type opened = r->type;
    WEFT_ASSERT(depth > 0 && r->fresh);
    /* Ends behind the bracket that closes what was open at the start. */
    while (r->depth >= depth)
        if (json_next(r) == JSON_WRONG)
            return false;
    r->raw = (str){from, (size_t)(r->text.p + r->at - from)};
    r->key = key;
    r->type = opened;
    return true;
}

bool json_ends(json_reader *r)
{
    skip_space(r);
    return r->at == r->text.n;
}
