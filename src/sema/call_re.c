/* SPDX-License-Identifier: Apache-2.0 */
/* The module re, for texts and patterns that are known and ASCII:
 *
 *     re.match(r"(\d+)\.(\d+)", "1.19.0").groups()     ("1", "19")
 *     re.sub(r"\W", "_", "a-b")                        "a_b"
 *
 * A pattern and a match are objects whose methods are partial calls of the functions here:
 *
 *     re.compile("a").sub      partial(re.sub, pattern)
 *     m.group                  partial(re.Match.group, (texts, spans, names)) */
#include "base/ascii.h"
#include "sema/regex.h"
#include "sema/sema.h"

static const char not_followed[] = "weft does not follow this regular expression";

/* Steps of one call; a step of the evaluator is worth PER_FUEL of them. */
enum { STEPS = 200000, PER_FUEL = 20, COMPILE_FUEL = 10, MATCHES_MAX = 10000 };

/* A call in work. */
typedef struct re_call {
    evaluator *e;
    const regex *r;
    str text;
    uint64_t steps;
} re_call;

/* --- arguments ------------------------------------------------------------------------------- */

/* The parameters of a function. The first one of a method is the object; a compiled pattern's
 * methods have all but the flags, and some others, which are not followed. */
static const char *const *parameters(special_id id)
{
    static const char *const match[] = {"pattern", "string", "flags", NULL};
    static const char *const split[] = {"pattern", "string", "maxsplit", "flags", NULL};
    static const char *const sub[] = {"pattern", "repl", "string", "count", "flags", NULL};
    static const char *const compile[] = {"pattern", "flags", NULL};
    static const char *const groups[] = {"self", "default", NULL};
    static const char *const ends[] = {"self", "group", NULL};
    switch (id) {
    case SP_re_split: return split;
    case SP_re_sub:
    case SP_re_subn: return sub;
    case SP_re_compile:
    case SP_re_escape: return compile;
    case SP_re_groups:
    case SP_re_groupdict: return groups;
    case SP_re_start:
    case SP_re_end:
    case SP_re_span: return ends;
    default: return match;
    }
}

/* The place of a parameter; where there is none of the name, their number. */
static uint32_t place_of(const py_call *a, const char *name)
{
    const char *const *all = parameters(a->id);
    uint32_t i = 0;
    while (all[i] && strcmp(all[i], name) != 0)
        i++;
    return i;
}

static const value *argument(const py_call *a, const char *name)
{
    const uint32_t i = place_of(a, name);
    if (i < a->nargs)
        return &a->args[i];
    for (uint32_t k = 0; k < a->nkwargs; k++)
        if (strcmp(a->names[k]->s, name) == 0)
            return &a->kwargs[k];
    return NULL;
}

/* Is every argument one of a parameter, and known? */
static bool fits(const py_call *a)
{
    const uint32_t n = place_of(a, "");
    bool good = !a->inexact && a->nargs <= n;
    for (uint32_t i = 0; i < a->nargs; i++)
        good = good && a->args[i].kind != VALUE_UNKNOWN;
    for (uint32_t k = 0; k < a->nkwargs; k++) {
        const uint32_t i = place_of(a, a->names[k]->s);
        good = good && i >= a->nargs && i < n && a->kwargs[k].kind != VALUE_UNKNOWN;
    }
    return good;
}

static bool is_ascii(const value *v)
{
    for (uint32_t i = 0; v && v->kind == VALUE_STR && i < v->s->len; i++)
        if ((unsigned char)v->s->s[i] >= 0x80)
            return false;
    return v && v->kind == VALUE_STR;
}

/* False: it is none that is followed. */
static bool read_flags(const value *v, unsigned *out)
{
    *out = 0;
    if (!v || (value_is_int(v) && v->i == 0))
        return true;
    if (v->kind != VALUE_SPECIAL)
        return false;
    switch (v->n) {
    case SP_re_I:
    case SP_re_IGNORECASE: *out = REGEX_IGNORE_CASE; return true;
    case SP_re_M:
    case SP_re_MULTILINE: *out = REGEX_MULTILINE; return true;
    case SP_re_S:
    case SP_re_DOTALL: *out = REGEX_DOT_ALL; return true;
    case SP_re_X:
    case SP_re_VERBOSE: *out = REGEX_VERBOSE; return true;
    case SP_re_A:
    case SP_re_ASCII: return true;
    default: return false;
    }
}

static const value *attribute(evaluator *e, const value *v, const char *name)
{
    return v->kind == VALUE_OBJECT ? ns_find(v->ns, sym_c(&e->c->syms, name)) : NULL;
}

/* The code of a pattern, which is made once in a program; NULL: it is not followed. */
static const regex *regex_of(evaluator *e, const sym *pattern, unsigned flags)
{
    program *p = e->p;
    arena *a = &e->c->module;
    const uintptr_t parts[] = {(uintptr_t)pattern, flags};
    const uint32_t found = str_map_get(&p->patterns, (str){(const char *)parts, sizeof parts});
    if (found)
        return p->regexes.v[found - 1];
    uint64_t steps = COMPILE_FUEL;
    const regex *r = regex_compile(a, sym_str(pattern), flags, &steps);
    spend(e->c, steps);
    VEC_PUSH(a, &p->regexes, r);
    str_map_set(a, &p->patterns,
                (str){arena_dup(a, (const char *)parts, sizeof parts), sizeof parts}, p->regexes.n);
    return r;
}

/* Reads the pattern, a text or a compiled one, the text and the flags. */
static bool begin(re_call *r, evaluator *e, const py_call *a)
{
    const value *pattern = argument(a, "pattern"), *text = argument(a, "string");
    const value *flags = argument(a, "flags");
    unsigned bits;
    if (!pattern || !fits(a))
        return false;
    if (pattern->kind == VALUE_OBJECT) {
        if (flags)
            return false;
        flags = attribute(e, pattern, "flags");
        pattern = attribute(e, pattern, "pattern");
    }
    if (!is_ascii(pattern) || !is_ascii(text) || !read_flags(flags, &bits))
        return false;
    *r = (re_call){
        .e = e, .r = regex_of(e, pattern->s, bits), .text = sym_str(text->s), .steps = STEPS};
    return r->r != NULL;
}

static void end(const re_call *r)
{
    spend(r->e->c, (STEPS - r->steps) / PER_FUEL + 1);
}

/* --- objects --------------------------------------------------------------------------------- */

static value object_of(evaluator *e, const char *name)
{
    ctx *c = e->c;
    py_class *cls = ARENA_NEW(&c->module, py_class);
    *cls = (py_class){.name = sym_c(&c->syms, name), .partly_known = true};
    cls->ns = ns_new(c, NS_CLASS, e->env, STR(""));
    cls->ns->cls = cls;
    return new_object(c, cls);
}

/* The arguments that methods have already: the object. */
static const py_call *given_first(ctx *c, value v)
{
    py_call *given = ARENA_NEW(&c->module, py_call);
    *given = (py_call){.args = value_keep(c, v), .nargs = 1};
    return given;
}

static void add_method(evaluator *e, value *object, const char *name, special_id id,
                       const py_call *given)
{
    ctx *c = e->c;
    py_func *f = ARENA_NEW(&c->module, py_func);
    f->kind = PY_PARTIAL;
    f->callee = value_keep(c, value_special(c, id));
    f->given = given;
    ns_set(c, object->ns, sym_c(&c->syms, name), (value){.kind = VALUE_PYFUNC, .p = f});
}

static value text_of(const re_call *r, const regex_match *m, uint32_t group)
{
    const int64_t from = m->span[2 * group], to = m->span[2 * group + 1];
    return from < 0 || to < from ? value_none()
                                 : value_str(r->e->c, r->text.p + from, (size_t)(to - from));
}

static value new_match(const re_call *r, const regex_match *m)
{
    ctx *c = r->e->c;
    const uint32_t n = r->r->ngroups;
    value *texts = ARENA_ARRAY(&c->module, value, n), *spans = ARENA_ARRAY(&c->module, value, n);
    value *parts = ARENA_ARRAY(&c->module, value, 3), names = value_dict(c, NULL, 0);
    for (uint32_t i = 0; i < n; i++) {
        value *ends = ARENA_ARRAY(&c->module, value, 2);
        texts[i] = text_of(r, m, i);
        ends[0] = value_int(texts[i].kind == VALUE_NONE ? -1 : m->span[2 * i]);
        ends[1] = value_int(texts[i].kind == VALUE_NONE ? -1 : m->span[2 * i + 1]);
        spans[i] = value_items(VALUE_TUPLE, ends, 2);
        if (r->r->names[i].n)
            dict_set(c, &names, value_str(c, r->r->names[i].p, r->r->names[i].n), value_int(i));
    }
    parts[0] = value_items(VALUE_TUPLE, texts, n);
    parts[1] = value_items(VALUE_TUPLE, spans, n);
    parts[2] = names;
    const py_call *data = given_first(c, value_items(VALUE_TUPLE, parts, 3));
    value v = object_of(r->e, "Match");
    add_method(r->e, &v, "group", SP_re_group, data);
    add_method(r->e, &v, "__getitem__", SP_re_group, data);
    add_method(r->e, &v, "groups", SP_re_groups, data);
    add_method(r->e, &v, "groupdict", SP_re_groupdict, data);
    add_method(r->e, &v, "start", SP_re_start, data);
    add_method(r->e, &v, "end", SP_re_end, data);
    add_method(r->e, &v, "span", SP_re_span, data);
    return v;
}

/* Group a by number or name, where it is in the tuples; -1: there is none. */
static int64_t group_at(evaluator *e, const value *data, const value *which)
{
    const value *v =
        which && which->kind == VALUE_STR ? dict_find(e->c, &data->items[2], which) : which;
    if (!which)
        return 0;
    return v && value_is_int(v) && v->i >= 0 && v->i < data->items[0].n ? (int64_t)v->i : -1;
}

/* m.group(), m.group(1), m.group("name"), m.group(1, 2) */
value call_re_group(evaluator *e, const py_call *a)
{
    const value *data = &a->args[0];
    value *out = ARENA_ARRAY(&e->c->module, value, (size_t)a->nargs + 1);
    for (uint32_t i = 1; i < a->nargs || i == 1; i++) {
        const int64_t at = a->nkwargs ? -1 : group_at(e, data, i < a->nargs ? &a->args[i] : NULL);
        if (at < 0)
            return unknown("the match has no such group");
        out[i - 1] = data->items[0].items[at];
    }
    return a->nargs <= 2 ? out[0] : value_items(VALUE_TUPLE, out, a->nargs - 1);
}

static value or_default(const value *v, const value *preset)
{
    return v->kind == VALUE_NONE && preset ? *preset : *v;
}

value call_re_groups(evaluator *e, const py_call *a)
{
    const value *texts = &a->args[0].items[0], *preset = argument(a, "default");
    if (!fits(a))
        return unknown(not_followed);
    value *out = ARENA_ARRAY(&e->c->module, value, texts->n);
    for (uint32_t i = 1; i < texts->n; i++)
        out[i - 1] = or_default(&texts->items[i], preset);
    return value_items(VALUE_TUPLE, out, texts->n - 1);
}

value call_re_groupdict(evaluator *e, const py_call *a)
{
    const value *data = &a->args[0], *names = &data->items[2];
    const value *preset = argument(a, "default");
    if (!fits(a))
        return unknown(not_followed);
    const value out = value_dict(e->c, NULL, 0);
    for (uint32_t i = 0; i < value_count(names); i++) {
        const value *pair = &value_array(names)[2 * i];
        dict_set(e->c, &out, pair[0], or_default(&data->items[0].items[pair[1].i], preset));
    }
    return out;
}

/* m.start(), m.end() and m.span(), of a group or of all. */
value call_re_span(evaluator *e, const py_call *a)
{
    const value *data = &a->args[0];
    const int64_t at = fits(a) ? group_at(e, data, argument(a, "group")) : -1;
    if (at < 0)
        return unknown("the match has no such group");
    const value *ends = &data->items[1].items[at];
    return a->id == SP_re_start ? ends->items[0] : a->id == SP_re_end ? ends->items[1] : *ends;
}

/* --- functions ------------------------------------------------------------------------------- */

/* re.match, re.fullmatch and re.search */
value call_re_match(evaluator *e, const py_call *a)
{
    re_call r;
    regex_match m;
    if (!begin(&r, e, a))
        return unknown(not_followed);
    arena *scratch = &e->c->module;
    const regex_result found = a->id == SP_re_search
                                   ? regex_search(r.r, scratch, r.text, 0, false, &r.steps, &m)
                                   : regex_match_at(r.r, scratch, r.text, 0,
                                                    a->id == SP_re_fullmatch, false, &r.steps, &m);
    end(&r);
    return found == REGEX_YES  ? new_match(&r, &m)
           : found == REGEX_NO ? value_none()
                               : unknown(not_followed);
}

/* The matches one after another: false at the end. *spent: nothing is known. */
typedef struct re_walk {
    size_t at;
    bool advance; /* an empty match is at `at` already */
    uint32_t n;
    bool spent;
} re_walk;

static bool next_match(re_call *r, re_walk *w, regex_match *m)
{
    if (w->at > r->text.n)
        return false;
    const regex_result found =
        regex_search(r->r, &r->e->c->module, r->text, w->at, w->advance, &r->steps, m);
    w->spent = found == REGEX_SPENT || ++w->n > MATCHES_MAX;
    if (found != REGEX_YES || w->spent)
        return false;
    w->at = (size_t)m->span[1];
    w->advance = m->span[0] == m->span[1];
    return true;
}

/* The whole match, the only group, or a tuple of all. */
static value found_item(const re_call *r, const regex_match *m)
{
    const uint32_t n = r->r->ngroups;
    value *items = ARENA_ARRAY(&r->e->c->module, value, n);
    for (uint32_t i = n > 1; i < n; i++) {
        const value v = text_of(r, m, i);
        items[i - (n > 1)] = v.kind == VALUE_NONE ? value_str(r->e->c, "", 0) : v;
    }
    return n <= 2 ? items[0] : value_items(VALUE_TUPLE, items, n - 1);
}

/* re.findall and re.finditer */
value call_re_findall(evaluator *e, const py_call *a)
{
    re_call r;
    re_walk w = {0};
    regex_match m;
    if (!begin(&r, e, a))
        return unknown(not_followed);
    const value list =
        a->id == SP_re_finditer ? value_iterator(e->c, NULL, 0) : value_list(e->c, NULL, 0);
    while (next_match(&r, &w, &m))
        list_append(e->c, &list, a->id == SP_re_finditer ? new_match(&r, &m) : found_item(&r, &m));
    end(&r);
    return w.spent ? unknown(not_followed) : list;
}

/* At most so many; 0, as without the argument: all; a negative number: none. False: it is no
 * number. */
static bool read_limit(const value *v, uint64_t *out)
{
    *out = UINT64_MAX;
    if (v && value_is_int(v) && v->i < MATCHES_MAX && v->i != 0)
        *out = v->i < 0 ? 0 : (uint64_t)v->i;
    return !v || value_is_int(v);
}

value call_re_split(evaluator *e, const py_call *a)
{
    re_call r;
    re_walk w = {0};
    regex_match m;
    size_t last = 0;
    uint64_t left;
    if (!begin(&r, e, a) || !read_limit(argument(a, "maxsplit"), &left))
        return unknown(not_followed);
    const value list = value_list(e->c, NULL, 0);
    for (; left && next_match(&r, &w, &m); left--) {
        list_append(e->c, &list, value_str(e->c, r.text.p + last, (size_t)m.span[0] - last));
        for (uint32_t i = 1; i < r.r->ngroups; i++)
            list_append(e->c, &list, text_of(&r, &m, i));
        last = (size_t)m.span[1];
    }
    end(&r);
    list_append(e->c, &list, value_str(e->c, r.text.p + last, r.text.n - last));
    return w.spent ? unknown(not_followed) : list;
}

/* The number of the group that a template names behind a backslash: "1", "g<1>", "g<name>"; -1: it
 * names none. *at is moved behind it. */
static int64_t template_group(const re_call *r, str t, size_t *at)
{
    size_t i = *at, from;
    int64_t n = 0;
    if (ascii_is_digit(t.p[i])) {
        *at = i + 1;
        return t.p[i] == '0' || (i + 1 < t.n && ascii_is_digit(t.p[i + 1])) ? -1 : t.p[i] - '0';
    }
    if (t.p[i] != 'g' || i + 1 >= t.n || t.p[i + 1] != '<')
        return -1;
    for (from = i += 2; i < t.n && t.p[i] != '>'; i++)
        n = ascii_is_digit(t.p[i]) && n >= 0 && n < REGEX_GROUPS ? 10 * n + (t.p[i] - '0') : -1;
    const str name = {t.p + from, i - from};
    *at = i + 1;
    for (uint32_t k = 1; k < r->r->ngroups && n < 0; k++)
        if (str_eq(r->r->names[k], name))
            n = k;
    return i < t.n && name.n ? n : -1;
}

/* What a template gives for a match; false: it is not followed. */
static bool put_template(const re_call *r, strbuf *b, str t, const regex_match *m)
{
    for (size_t i = 0; i < t.n;) {
        if (t.p[i] != '\\') {
            sb_char(b, t.p[i++]);
            continue;
        }
        if (++i == t.n)
            return false;
        if (t.p[i] == '\\' || t.p[i] == 'n' || t.p[i] == 't') {
            sb_char(b, t.p[i] == 'n' ? '\n' : t.p[i] == 't' ? '\t' : '\\');
            i++;
            continue;
        }
        const int64_t group = template_group(r, t, &i);
        if (group < 0 || group >= r->r->ngroups)
            return false;
        const value v = text_of(r, m, (uint32_t)group);
        if (v.kind == VALUE_STR)
            sb_str(b, sym_str(v.s));
    }
    return true;
}

/* A template, or a function of the match. */
static bool put_replacement(re_call *r, strbuf *b, const value *by, const regex_match *m)
{
    if (by->kind == VALUE_STR)
        return put_template(r, b, sym_str(by->s), m);
    const value text = call_one(r->e, by, new_match(r, m));
    if (text.kind == VALUE_STR)
        sb_str(b, sym_str(text.s));
    return text.kind == VALUE_STR;
}

/* re.sub and re.subn */
value call_re_sub(evaluator *e, const py_call *a)
{
    re_call r;
    re_walk w = {0};
    regex_match m;
    strbuf b;
    size_t last = 0;
    const value *by = argument(a, "repl");
    uint64_t done = 0, most;
    if (!begin(&r, e, a) || !by || !read_limit(argument(a, "count"), &most))
        return unknown(not_followed);
    bool good = true;
    sb_init(&b, &e->c->mem);
    for (; good && done < most && next_match(&r, &w, &m); done++) {
        sb_put(&b, r.text.p + last, (size_t)m.span[0] - last);
        good = put_replacement(&r, &b, by, &m);
        last = (size_t)m.span[1];
    }
    sb_put(&b, r.text.p + last, r.text.n - last);
    const value text = value_str(e->c, b.p ? b.p : "", b.n);
    sb_clear(&b);
    end(&r);
    if (!good || w.spent)
        return unknown(not_followed);
    value *both = ARENA_ARRAY(&e->c->module, value, 2);
    both[0] = text;
    both[1] = value_int((int64_t)done);
    return a->id == SP_re_subn ? value_items(VALUE_TUPLE, both, 2) : text;
}

value call_re_compile(evaluator *e, const py_call *a)
{
    static const struct {
        const char *name;
        special_id id;
    } methods[] = {{"match", SP_re_match},       {"fullmatch", SP_re_fullmatch},
                   {"search", SP_re_search},     {"findall", SP_re_findall},
                   {"finditer", SP_re_finditer}, {"split", SP_re_split},
                   {"sub", SP_re_sub},           {"subn", SP_re_subn}};
    const value *pattern = argument(a, "pattern"), *flags = argument(a, "flags");
    unsigned bits;
    if (!fits(a) || !is_ascii(pattern) || !read_flags(flags, &bits) ||
        !regex_of(e, pattern->s, bits))
        return unknown(not_followed);
    value v = object_of(e, "Pattern");
    ns_set(e->c, v.ns, sym_c(&e->c->syms, "pattern"), *pattern);
    ns_set(e->c, v.ns, sym_c(&e->c->syms, "flags"), flags ? *flags : value_int(0));
    const py_call *own = given_first(e->c, v);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        add_method(e, &v, methods[i].name, methods[i].id, own);
    return v;
}

/* Signs of patterns get a backslash, as in CPython 3.11 re._special_chars_map. */
value call_re_escape(evaluator *e, const py_call *a)
{
    static const char signs[] = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f";
    const value *text = argument(a, "pattern");
    strbuf b;
    if (!fits(a) || !is_ascii(text))
        return unknown(not_followed);
    sb_init(&b, &e->c->mem);
    for (uint32_t i = 0; i < text->s->len; i++) {
        const char c = text->s->s[i];
        if (c && strchr(signs, c))
            sb_char(&b, '\\');
        sb_char(&b, c);
    }
    const value v = value_str(e->c, b.p ? b.p : "", b.n);
    sb_clear(&b);
    return v;
}
