/* SPDX-License-Identifier: Apache-2.0 */
/* Making, comparing, iterating and printing compile-time values as Python does. Examples:
 *
 *     value_same(1, 1.0)              true: Python's ==
 *     value_truth([])                 0; of an unknown value -1
 *     value_iterate("ab")             "a", "b"
 *     value_text((1, "x"), repr)      (1, 'x')
 *
 * Values are small structs passed by value; their items live in c->module. Comparison, iteration
 * and printing are bounded, for a list may contain itself. */
#include <math.h>
#include <stdarg.h>

#include "base/format.h"
#include "sema/sema.h"

/* The only way to make an unknown value. NULL for `why` is used as "no value" by callers that test
 * it. */
value unknown_array(void)
{
    value v = unknown("an array has no value at compile time");
    v.n = UNKNOWN_ARRAY;
    return v;
}

value unknown(const char *why)
{
    return (value){.kind = VALUE_UNKNOWN, .why = why};
}

/* A reason that names something. It is cut after 255 bytes, maybe within a character. */
value unknown_text(ctx *c, const char *fmt, ...)
{
    char buf[256];
    va_list ap;
    va_start(ap, fmt);
    const size_t n = format_text_v(buf, sizeof buf, fmt, ap);
    va_end(ap);
    /* The reason must outlive the value. */
    return unknown(arena_dup(&c->module, buf, n < sizeof buf ? n : sizeof buf - 1));
}

/* Counts work on containers against the program's fuel. At 0 the evaluator stops at its next step.
 */
void spend(ctx *c, uint64_t steps)
{
    program *p = c->sema ? c->sema->current : NULL;
    if (p)
        p->fuel = p->fuel > steps ? p->fuel - (uint32_t)steps : 0;
}

value value_none(void)
{
    return (value){.kind = VALUE_NONE};
}

/* A string is a symbol, so that equal strings are one pointer. n bytes, which may contain NUL. */
value value_str(ctx *c, const char *s, size_t n)
{
    return (value){.kind = VALUE_STR, .s = sym_intern(&c->syms, s, n)};
}

/* n counts items; of a dict, pairs. */
value value_items(value_kind kind, const value *items, uint32_t n)
{
    WEFT_ASSERT(n == 0 || items != NULL);
    return (value){.kind = kind, .n = n, .items = items};
}

const value *value_keep(ctx *c, value v)
{
    value *kept = arena_alloc(&c->module, sizeof *kept);
    *kept = v;
    return kept;
}

/* True is an int in Python, and so is a member of an int enum. */
bool value_is_int(const value *v)
{
    return v->kind == VALUE_INT || v->kind == VALUE_BOOL || v->kind == VALUE_ENUM ||
           (v->kind == VALUE_SCALAR && !value_has_f(v));
}

/* Any number that converts to a float. */
bool value_is_real(const value *v)
{
    return value_is_int(v) || value_has_f(v);
}

/* Needs: value_is_real(v). Large integers are rounded. */
double value_to_double(const value *v)
{
    WEFT_ASSERT(value_is_real(v));
    return value_has_f(v) ? v->f : (double)v->i;
}

/* Lists may contain themselves and share parts: comparing them takes a budget. `steps` counts items
 * over the whole comparison; `depth` limits the nesting. Once either is used up, the rest counts as
 * different. */
typedef struct same_budget {
    int depth, steps;
    bool exact; /* numbers by type and bits: 1 is not 1.0, and 0.0 not -0.0 */
} same_budget;

static bool same(const value *a, const value *b, same_budget *left);

/* The pairs of two dicts of one size in any order. */
static bool same_pairs(const value *a, const value *b, same_budget *left)
{
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t k = i, seen = 0; /* most dicts have one order */
        while (seen < b->n && left->steps-- > 0 &&
               !same(&a->items[2 * i], &b->items[2 * k], left)) {
            seen++;
            k = k + 1 < b->n ? k + 1 : 0;
        }
        if (seen == b->n || left->steps <= 0 ||
            !same(&a->items[2 * i + 1], &b->items[2 * k + 1], left))
            return false;
    }
    return true;
}

/* Items of two containers of one kind. */
static bool same_items(const value *a, const value *b, same_budget *left)
{
    WEFT_ASSERT(a->kind == b->kind);
    if (a->n != b->n)
        return false;
    if (a->items == b->items)
        return true;
    if (!left->depth)
        return false;
    left->depth--;
    bool equal = true;
    if (a->kind == VALUE_DICT)
        equal = same_pairs(a, b, left);
    for (uint32_t i = 0; equal && a->kind != VALUE_DICT && i < a->n; i++)
        equal = left->steps-- > 0 && same(&a->items[i], &b->items[i], left);
    left->depth++;
    return equal;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_number(const value *a, const value *b)
{
    if (a->kind != b->kind || (a->kind == VALUE_SCALAR && (a->type != b->type || a->n != b->n)))
        return false;
    return value_has_f(a) ? same_bits(a->f, b->f) : a->i == b->i;
}

/* Needs: both are composites. Types must be the same, then all components. */
static bool same_composite(const value *a, const value *b, bool exact)
{
    WEFT_ASSERT(a->kind == VALUE_COMPOSITE && b->kind == VALUE_COMPOSITE);
    if (a->type != b->type)
        return false;
    int n = a->type->kind == TYPE_MAT ? a->type->rows * a->type->cols : a->type->rows;
    for (int i = 0; i < n; i++) {
        const double x = composite_get(a, (uint32_t)i), y = composite_get(b, (uint32_t)i);
        if (exact ? !same_bits(x, y) : x != y)
            return false;
    }
    return true;
}

/* Python's == for values of known kinds: 1 == 1.0 == True, unless the comparison is exact. Kinds
 * that cannot be compared, unknown values among them, are different: callers treat "different" as
 * "not proved equal". */
static bool same(const value *a, const value *b, same_budget *left)
{
    if (value_is_real(a) && value_is_real(b)) {
        if (left->exact)
            return same_number(a, b);
        if (value_is_int(a) && value_is_int(b))
            return a->i == b->i;
        return value_to_double(a) == value_to_double(b);
    }
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case VALUE_NONE: return true;
    case VALUE_STR:
    case VALUE_WARP: return a->s == b->s;
    case VALUE_TYPE: return a->type == b->type;
    case VALUE_SPECIAL:
    case VALUE_PYTYPE: return a->n == b->n;
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT:
    case VALUE_RANGE: return same_items(a, b, left);
    case VALUE_COMPOSITE: return same_composite(a, b, left->exact);
    case VALUE_CLASS:
    case VALUE_MODULE:
    case VALUE_OBJECT: return a->ns == b->ns;
    case VALUE_BUILTIN:
    case VALUE_FUNC:
    case VALUE_KERNEL:
    case VALUE_PYFUNC: return a->p == b->p;
    /* Instances are equal if they are one object: Python compares them by identity. */
    case VALUE_STRUCT_INSTANCE: return a->items == b->items;
    default: return false;
    }
}

bool value_same(const value *a, const value *b)
{
    return same(a, b, &(same_budget){.depth = 50, .steps = 20000});
}

bool value_identical(const value *a, const value *b)
{
    return same(a, b, &(same_budget){.depth = 50, .steps = 20000, .exact = true});
}

/* Every object without rule is true, as in Python. A range is true unless it is empty. */
int value_truth(const value *v)
{
    switch (v->kind) {
    case VALUE_UNKNOWN: return -1;
    case VALUE_NONE: return 0;
    case VALUE_STR: return v->s->len != 0;
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT: return v->n != 0;
    case VALUE_RANGE:
        return v->items[2].i > 0 ? v->items[0].i < v->items[1].i : v->items[0].i > v->items[1].i;
    /* Kernels, types, modules and objects are true. */
    default: return value_is_real(v) ? (value_has_f(v) ? v->f != 0 : v->i != 0) : 1;
    }
}

/* Fills the items of a range. False: there are more than SEMA_LOOP. */
static bool iterate_range(ctx *c, const value *v, const value **items, uint32_t *n)
{
    WEFT_ASSERT(v->kind == VALUE_RANGE && v->items[2].i != 0);
    __int128 start = v->items[0].i, stop = v->items[1].i, step = v->items[2].i;
    __int128 distance; /* from start to stop in the direction of the step */
    if (step > 0 ? __builtin_sub_overflow(stop, start, &distance)
                 : __builtin_sub_overflow(start, stop, &distance))
        return false;
    const __int128 count = distance > 0 ? (distance - 1) / (step > 0 ? step : -step) + 1 : 0;
    if (count > SEMA_LOOP)
        return false;
    spend(c, (uint64_t)count);
    value *out = ARENA_ARRAY(&c->module, value, (size_t)count);
    for (__int128 i = 0; i < count; i++)
        out[i] = value_int(start + i * step);
    *items = out;
    *n = (uint32_t)count;
    return true;
}

/* Bytes of the UTF-8 character at s, at most `left`. The text is valid UTF-8, since the source is.
 */
static size_t char_length(const char *s, size_t left)
{
    WEFT_ASSERT(left > 0);
    size_t n = 1;
    while (n < left && ((unsigned char)s[n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* Characters as strings of their own; len + 1 symbols at most. */
static void iterate_str(ctx *c, const value *v, const value **items, uint32_t *n)
{
    WEFT_ASSERT(v->kind == VALUE_STR);
    value *out = ARENA_ARRAY(&c->module, value, v->s->len);
    *n = 0;
    for (size_t i = 0; i < v->s->len; *n += 1) {
        size_t len = char_length(v->s->s + i, v->s->len - i);
        out[*n] = value_str(c, v->s->s + i, len);
        i += len;
    }
    *items = out;
}

/* The members of an enum class in order of definition; methods are left out. */
static void iterate_enum(ctx *c, const value *v, const value **items, uint32_t *n)
{
    WEFT_ASSERT(v->kind == VALUE_CLASS);
    const namespace *ns = v->ns;
    value *out = ARENA_ARRAY(&c->module, value, ns->n);
    *n = 0;
    for (uint32_t i = 0; i < ns->n; i++) {
        const value *m = &ns->v[i].v;
        /* Other enums have objects of the class as members. */
        bool is_member =
            m->kind == VALUE_ENUM || (m->kind == VALUE_OBJECT && m->ns->cls == ns->cls);
        if (is_member)
            out[(*n)++] = *m;
    }
    *items = out;
}

/* Components of a vector; rows of a matrix. */
static void iterate_composite(ctx *c, const value *v, const value **items, uint32_t *n)
{
    WEFT_ASSERT(v->kind == VALUE_COMPOSITE && v->type->rows >= 0);
    uint32_t count = (uint32_t)v->type->rows;
    value *out = ARENA_ARRAY(&c->module, value, count);
    for (uint32_t i = 0; i < count; i++)
        out[i] = composite_item(c, v, i);
    *items = out;
    *n = count;
}

/* Iterating over a dict gives its keys. */
static void iterate_keys(ctx *c, const value *v, const value **items, uint32_t *n)
{
    WEFT_ASSERT(v->kind == VALUE_DICT);
    value *out = ARENA_ARRAY(&c->module, value, v->n);
    for (uint32_t i = 0; i < v->n; i++)
        out[i] = v->items[2 * i];
    *items = out;
    *n = v->n;
}

/* Other kinds of iterables in Python (generators, files) are never known. Tuples and lists are
 * borrowed, so they cost nothing; all others are copied and count against the fuel. */
bool value_iterate(ctx *c, const value *v, const value **items, uint32_t *n)
{
    WEFT_ASSERT(items != NULL && n != NULL);
    if (v->kind != VALUE_TUPLE && v->kind != VALUE_LIST)
        spend(c, v->kind == VALUE_STR ? v->s->len : v->kind == VALUE_DICT ? v->n : 1);
    switch (v->kind) {
    case VALUE_TUPLE:
    case VALUE_LIST:
        *items = v->items;
        *n = v->n;
        return true;
    case VALUE_RANGE: return iterate_range(c, v, items, n);
    case VALUE_STR: iterate_str(c, v, items, n); return true;
    case VALUE_DICT: iterate_keys(c, v, items, n); return true;
    case VALUE_COMPOSITE: iterate_composite(c, v, items, n); return true;
    case VALUE_CLASS:
        /* A plain class is not iterable. */
        if (v->ns->cls->kind != CLASS_ENUM && v->ns->cls->kind != CLASS_INT_ENUM)
            return false;
        iterate_enum(c, v, items, n);
        return true;
    default: return false;
    }
}

static bool put_text(strbuf *out, ctx *c, const value *v, bool repr, int depth);

/* A list may contain itself: neither depth nor length may run away. */
static bool text_items(strbuf *out, ctx *c, const value *v, int depth)
{
    WEFT_ASSERT(v->kind == VALUE_LIST || v->kind == VALUE_TUPLE);
    if (out->n > SEMA_LOOP || depth > 20)
        return false;
    sb_char(out, v->kind == VALUE_LIST ? '[' : '(');
    for (uint32_t i = 0; i < v->n; i++) {
        if (i)
            SB_LIT(out, ", ");
        if (!put_text(out, c, &v->items[i], true, depth + 1))
            return false;
    }
    if (v->kind == VALUE_TUPLE && v->n == 1)
        sb_char(out, ',');
    sb_char(out, v->kind == VALUE_LIST ? ']' : ')');
    return true;
}

/* Appends the text of v. repr of strings has no escapes here; kinds whose text weft does not know
 * give false. A member of an int enum prints as its number under str(), which Python does from 3.11
 * on. */
static bool put_text(strbuf *out, ctx *c, const value *v, bool repr, int depth)
{
    switch (v->kind) {
    case VALUE_NONE: SB_LIT(out, "None"); return true;
    case VALUE_BOOL: sb_c(out, v->i ? "True" : "False"); return true;
    case VALUE_INT: sb_int128(out, v->i); return true;
    case VALUE_FLOAT: sb_float(out, v->f); return true;
    case VALUE_ENUM: sb_int128(out, v->i); return !repr;
    case VALUE_STR:
        if (repr)
            sb_char(out, '\'');
        sb_put(out, v->s->s, v->s->len);
        if (repr)
            sb_char(out, '\'');
        return true;
    case VALUE_TUPLE:
    case VALUE_LIST: return text_items(out, c, v, depth);
    /* repr of a Warp scalar depends on its type; str does not. */
    case VALUE_SCALAR:
        if (value_has_f(v))
            sb_float(out, v->f);
        else
            sb_int128(out, v->i);
        return !repr;
    default: return false;
    }
}

/* Appends str(v) or repr(v); false: weft does not know it. */
bool value_text(strbuf *out, ctx *c, const value *v, bool repr)
{
    return put_text(out, c, v, repr, 0);
}
