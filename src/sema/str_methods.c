/* SPDX-License-Identifier: Apache-2.0 */
/* Methods of strings at compile time. Examples:
 *
 *     "_".join(["k", "f"]).upper()          "K_F"
 *     "1.19.0".split(".", 1)                ["1", "19.0"]
 *     "{0}_{n}".format("f", n=3)            "f_3"
 *
 * Every result is a new string; one that depends on Unicode's tables is unknown. */
#include "sema/sema.h"

static const char not_known[] = "the string is not known at compile time";

/* More repetitions than any string has; also what an argument that is no number gives. */
#define UNKNOWN_COUNT ((__int128)1 << 100)

/* Argument i if it is a string; else the text is NULL. */
static str text_arg(const py_call *call, uint32_t i)
{
    const bool is_str = i < call->nargs && call->args[i].kind == VALUE_STR;
    return is_str ? sym_str(call->args[i].s) : (str){0};
}

/* Argument i as a number; -1 if there is none, UNKNOWN_COUNT if it is none. */
static __int128 count_arg(const py_call *call, uint32_t i)
{
    if (i >= call->nargs)
        return -1;
    return value_is_int(&call->args[i]) ? call->args[i].i : UNKNOWN_COUNT;
}

/* sep.join(items); an item that is no string raises in Python. */
static value str_join(evaluator *e, const value *self, const value *list)
{
    const value *items;
    uint32_t n;
    if (!value_iterate(e->c, list, &items, &n))
        return unknown(not_known);
    strbuf b;
    sb_init(&b, &e->c->mem);
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++) {
        if (i)
            sb_str(&b, sym_str(self->s));
        /* An unknown item makes the whole string unknown. */
        ok = items[i].kind == VALUE_STR;
        if (ok)
            sb_str(&b, sym_str(items[i].s));
    }
    value v = ok ? value_str(e->c, b.p ? b.p : "", b.n) : unknown(not_known);
    sb_clear(&b);
    return v;
}

/* What is left of s behind p, which points into it. */
static str behind(str s, const char *p)
{
    WEFT_ASSERT(p >= s.p && p <= s.p + s.n);
    return (str){p, s.n - (size_t)(p - s.p)};
}

/* x.replace(from, to, count): from the left; all without a count, or with a negative one. Python
 * inserts `to` between all characters where `from` is empty, which is unknown here. */
static value str_replace(evaluator *e, const value *self, const py_call *call)
{
    const str from = text_arg(call, 0), to = text_arg(call, 1);
    __int128 left = count_arg(call, 2);
    if (!from.p || !to.p || !from.n || left == UNKNOWN_COUNT)
        return unknown(not_known);
    strbuf b;
    sb_init(&b, &e->c->mem);
    str rest = sym_str(self->s);
    /* Occurrences do not overlap: the search goes on behind each. */
    for (const char *hit; left != 0 && (hit = str_find(rest, from)); left -= left > 0) {
        sb_put(&b, rest.p, (size_t)(hit - rest.p));
        sb_str(&b, to);
        rest = behind(rest, hit + from.n);
    }
    sb_str(&b, rest);
    value v = value_str(e->c, b.p ? b.p : "", b.n);
    sb_clear(&b);
    return v;
}

/* White space of ASCII, of which Python's str has these ten. */
static bool is_space(char ch)
{
    return ch == ' ' || (ch >= '\t' && ch <= '\r') || (ch >= '\x1c' && ch <= '\x1f');
}

/* Characters beyond ASCII may be white space, which is not looked up here. */
static bool is_ascii(str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] >= 0x80)
            return false;
    return true;
}

/* A list of strings that grows. */
typedef struct pieces {
    evaluator *e;
    value list;
} pieces;

static void add_piece(pieces *out, const char *p, const char *end)
{
    ctx *c = out->e->c;
    list_append(c, &out->list, value_str(c, p, (size_t)(end - p)));
}

/* Pieces between runs of white space; at the ends there is none. After `left` cuts the rest is one
 * piece, with the white space at its end. */
static void split_spaces(pieces *out, str s, __int128 left)
{
    const char *p = s.p, *const end = s.p + s.n;
    for (;;) {
        while (p < end && is_space(*p))
            p++;
        if (p == end)
            return;
        const char *from = p;
        while (p < end && (left == 0 || !is_space(*p)))
            p++;
        add_piece(out, from, p);
        left -= left > 0;
    }
}

/* Pieces between separators, empty ones too. After `left` cuts the rest is one piece. */
static void split_by(pieces *out, str s, str by, __int128 left)
{
    for (const char *hit; left != 0 && (hit = str_find(s, by)); left -= left > 0) {
        add_piece(out, s.p, hit);
        s = behind(s, hit + by.n);
    }
    add_piece(out, s.p, s.p + s.n);
}

/* x.split(sep=None, maxsplit=-1). */
static value str_split(evaluator *e, const value *self, const py_call *call)
{
    const value *by = call_get(call, 0, "sep"), *most = call_get(call, 1, "maxsplit");
    const bool spaces = !by || by->kind == VALUE_NONE;
    const str s = sym_str(self->s);
    if (most && !value_is_int(most))
        return unknown(not_known);
    if (spaces ? !is_ascii(s) : by->kind != VALUE_STR || !by->s->len)
        return unknown(not_known);
    if (s.n >= SEMA_LOOP)
        return unknown("the string is too long for weft to split");
    pieces out = {e, value_list(e->c, NULL, 0)};
    const __int128 left = most ? most->i : -1;
    if (spaces)
        split_spaces(&out, s, left);
    else
        split_by(&out, s, sym_str(by->s), left);
    return out.list;
}

/* Is the byte among those to strip? NULL chars: white space. */
static bool is_stripped(char ch, str chars)
{
    return chars.p ? memchr(chars.p, ch, chars.n) != NULL : is_space(ch);
}

/* x.strip(chars), and lstrip and rstrip of one end. */
static value str_strip(evaluator *e, const value *self, const char *name, const py_call *call)
{
    str s = sym_str(self->s), chars = text_arg(call, 0);
    const bool none = call->nargs == 0 || call->args[0].kind == VALUE_NONE;
    if ((!none && !chars.p) || !is_ascii(s) || !is_ascii(chars))
        return unknown(not_known);
    for (; name[0] != 'r' && s.n && is_stripped(s.p[0], chars); s.n--)
        s.p++;
    while (name[0] != 'l' && s.n && is_stripped(s.p[s.n - 1], chars))
        s.n--;
    return value_str(e->c, s.p, s.n);
}

/* upper() and lower() of ASCII letters. */
static value str_case(evaluator *e, const value *self, bool upper)
{
    if (!is_ascii(sym_str(self->s)))
        return unknown(not_known);
    char *s = arena_dup(&e->c->module, self->s->s, self->s->len);
    for (char *p = s; *p; p++) {
        if (upper && *p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
        else if (!upper && *p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
    }
    return value_str(e->c, s, self->s->len);
}

/* One replacement field of str.format: "{}", "{0}" or "{name}", with an optional spec. *next is the
 * number of the next "{}". False: the field has another form, or its argument is unknown. */
static bool format_field(evaluator *e, strbuf *out, str field, const py_call *call, uint32_t *next)
{
    const char *colon = memchr(field.p, ':', field.n);
    str name = {field.p, colon ? (size_t)(colon - field.p) : field.n};
    str spec = colon ? (str){colon + 1, field.n - name.n - 1} : (str){"", 0};
    const value *v = NULL;
    if (!name.n) {
        v = *next < call->nargs ? &call->args[*next] : NULL;
        *next += 1;
        /* Python refuses to mix "{}" and "{0}"; here either takes its argument. */
    } else if (name.n == 1 && name.p[0] >= '0' && name.p[0] <= '9') {
        uint32_t i = (uint32_t)(name.p[0] - '0');
        v = i < call->nargs ? &call->args[i] : NULL;
    }
    for (uint32_t i = 0; !v && i < call->nkwargs; i++)
        if (str_eq(sym_str(call->names[i]), name))
            v = &call->kwargs[i];
    return v && v->kind != VALUE_UNKNOWN && format_value(e->c, out, v, spec);
}

/* "{0}_{name}".format(...): doubled braces are literal. */
static value str_format(evaluator *e, const value *self, const py_call *call)
{
    strbuf b;
    sb_init(&b, &e->c->mem);
    uint32_t next = 0;
    bool ok = true;
    for (const char *p = self->s->s; *p && ok; p++) {
        if ((*p == '{' || *p == '}') && p[1] == *p) {
            sb_char(&b, *p++);
        } else if (*p == '{') {
            /* A field within a field ("{:{}}") ends at the first brace, and is refused by the
             * specification. */
            const char *end = strchr(p, '}');
            ok = end && format_field(e, &b, (str){p + 1, (size_t)(end - p) - 1}, call, &next);
            p = end ? end : p;
        } else {
            sb_char(&b, *p);
        }
    }
    value v = ok ? value_str(e->c, b.p ? b.p : "", b.n) : unknown(not_known);
    sb_clear(&b);
    return v;
}

/* startswith, endswith: of one string or any of a tuple. */
static value str_affix(const value *self, const value *x, bool end)
{
    const value *all = x->kind == VALUE_TUPLE ? x->items : x;
    const uint32_t n = x->kind == VALUE_TUPLE ? x->n : 1;
    const str s = sym_str(self->s);
    for (uint32_t i = 0; i < n; i++) {
        if (all[i].kind != VALUE_STR)
            return unknown(not_known);
        const str a = sym_str(all[i].s);
        if (a.n <= s.n && memcmp(end ? s.p + s.n - a.n : s.p, a.p, a.n) == 0)
            return value_bool(true);
    }
    return value_bool(false);
}

/* removeprefix, removesuffix: once. */
static value str_without(evaluator *e, const value *self, const value *x, bool end)
{
    const value has = str_affix(self, x, end);
    if (x->kind != VALUE_STR || has.kind == VALUE_UNKNOWN)
        return unknown(not_known);
    const size_t cut = has.i ? x->s->len : 0;
    return value_str(e->c, self->s->s + (end ? 0 : cut), self->s->len - cut);
}

/* The first or last place of x in s; s.n: none. */
static size_t place_in(str s, str x, bool last)
{
    size_t found = s.n;
    for (size_t i = 0; i + x.n <= s.n && (last || found == s.n); i++)
        if (memcmp(s.p + i, x.p, x.n) == 0)
            found = i;
    return found;
}

/* find, rfind and count of one string that is not empty, in ASCII */
static value find_text(const value *self, const char *name, const value *x)
{
    const str s = sym_str(self->s), part = x->kind == VALUE_STR ? sym_str(x->s) : (str){"", 0};
    if (!part.n || !is_ascii(s))
        return x->kind == VALUE_UNKNOWN ? *x : unknown(not_known);
    if (name[0] != 'c') {
        const size_t at = place_in(s, part, name[0] == 'r');
        return value_int(at == s.n ? -1 : (__int128)at);
    }
    int n = 0;
    for (str left = s; left.n >= part.n; n++) {
        const size_t at = place_in(left, part, false);
        if (at == left.n)
            break;
        left = (str){left.p + at + part.n, left.n - at - part.n};
    }
    return value_int(n);
}

/* partition, rpartition: what is before, the separator, what is behind. */
static value str_partition(evaluator *e, const value *self, bool last, const value *x)
{
    const str s = sym_str(self->s), by = x->kind == VALUE_STR ? sym_str(x->s) : (str){"", 0};
    if (!by.n)
        return x->kind == VALUE_UNKNOWN ? *x : unknown(not_known);
    const size_t at = place_in(s, by, last);
    const bool found = at < s.n;
    value *parts = ARENA_ARRAY(&e->c->module, value, 3);
    parts[0] = parts[1] = parts[2] = value_str(e->c, "", 0);
    if (!found)
        parts[last ? 2 : 0] = *self;
    else {
        parts[0] = value_str(e->c, s.p, at);
        parts[1] = *x;
        parts[2] = value_str(e->c, s.p + at + by.n, s.n - at - by.n);
    }
    return value_items(VALUE_TUPLE, parts, 3);
}

/* Strings are immutable, so a method that is not listed leaves only its result unknown. */
value str_method(evaluator *e, const value *self, const char *name, const py_call *call)
{
    WEFT_ASSERT(self->kind == VALUE_STR);
    const value *x = call->nargs ? &call->args[0] : NULL;
    if (call->inexact)
        return unknown(not_known);
    if (strcmp(name, "format") == 0)
        return str_format(e, self, call);
    if (strcmp(name, "split") == 0)
        return str_split(e, self, call);
    if (strcmp(name, "replace") == 0)
        return str_replace(e, self, call);
    if (strcmp(name, "strip") == 0 || strcmp(name, "lstrip") == 0 || strcmp(name, "rstrip") == 0)
        return str_strip(e, self, name, call);
    if (strcmp(name, "upper") == 0 || strcmp(name, "lower") == 0)
        return str_case(e, self, name[0] == 'u');
    if (x && strcmp(name, "join") == 0)
        return str_join(e, self, x);
    if (call->nargs == 1 && (strcmp(name, "startswith") == 0 || strcmp(name, "endswith") == 0))
        return str_affix(self, x, name[0] == 'e');
    if (call->nargs == 1 &&
        (strcmp(name, "removeprefix") == 0 || strcmp(name, "removesuffix") == 0))
        return str_without(e, self, x, name[6] == 's');
    if (call->nargs == 1 &&
        (strcmp(name, "find") == 0 || strcmp(name, "rfind") == 0 || strcmp(name, "count") == 0))
        return find_text(self, name, x);
    if (call->nargs == 1 && (strcmp(name, "partition") == 0 || strcmp(name, "rpartition") == 0))
        return str_partition(e, self, name[0] == 'r', x);
    return unknown("weft does not evaluate this method");
}
