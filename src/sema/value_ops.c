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

value value_items(value_kind kind, const value *items, uint32_t n)
{
    WEFT_ASSERT(kind == VALUE_TUPLE || kind == VALUE_RANGE);
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
    enum {
        SAME_EQUAL, /* Python's == */
        SAME_TEXT,  /* numbers by type and bits: 1 is not 1.0, and 0.0 not -0.0 */
        SAME_OBJECT /* as SAME_EQUAL, but an object of a class equals itself alone */
    } mode;
    bool doubt; /* SAME_EQUAL: what is different may be equal in Python */
} same_budget;

static bool same(const value *a, const value *b, same_budget *left);

/* The pairs of two dicts of one size in any order. */
static bool same_pairs(const value *a, const value *b, same_budget *left)
{
    const value *const x = value_array(a), *const y = value_array(b);
    const uint32_t n = value_count(b);
    for (uint32_t i = 0; i < value_count(a); i++) {
        uint32_t k = i, seen = 0; /* most dicts have one order */
        while (seen < n && left->steps-- > 0 && !same(&x[2 * i], &y[2 * k], left)) {
            seen++;
            k = k + 1 < n ? k + 1 : 0;
        }
        if (seen == n || left->steps <= 0 || !same(&x[2 * i + 1], &y[2 * k + 1], left))
            return false;
    }
    return true;
}

/* The items of two sets of one size in any order. */
static bool same_members(const value *a, const value *b, same_budget *left)
{
    const value *const x = value_array(a), *const y = value_array(b);
    const uint32_t n = value_count(b);
    for (uint32_t i = 0; i < value_count(a); i++) {
        uint32_t k = 0;
        while (k < n && left->steps-- > 0 && !same(&x[i], &y[k], left))
            k++;
        if (k == n || left->steps <= 0)
            return false;
    }
    return true;
}

int64_t tuple_length(const value *v)
{
    if (v->kind == VALUE_TUPLE)
        return v->n;
    const py_class *cls = v->kind == VALUE_OBJECT ? v->ns->cls : NULL;
    const py_class *of = cls && cls->kind == CLASS_TUPLE ? class_with_fields(cls) : NULL;
    return of && !v->ns->star ? (int64_t)of->nfields : -1;
}

const value *tuple_item(const value *v, uint32_t i)
{
    WEFT_ASSERT(i < tuple_length(v));
    if (v->kind == VALUE_TUPLE)
        return &v->items[i];
    return ns_find(v->ns, class_with_fields(v->ns->cls)->fields[i].name);
}

/* Both have a tuple_length. */
static bool same_tuples(const value *a, const value *b, same_budget *left)
{
    const int64_t n = tuple_length(a);
    bool equal = n == tuple_length(b);
    if (equal && a->kind == b->kind && a->kind == VALUE_TUPLE && a->items == b->items)
        return true;
    if (!left->depth)
        return left->doubt = true, false;
    left->depth--;
    for (uint32_t i = 0; equal && i < n; i++) {
        const value *x = tuple_item(a, i), *y = tuple_item(b, i);
        left->doubt = left->doubt || !x || !y || left->steps <= 0;
        equal = x && y && left->steps-- > 0 && same(x, y, left);
    }
    left->depth++;
    return equal;
}

/* Two objects of one dataclass, which are equal by the fields that are compared. */
static bool same_fields(const value *a, const value *b, const py_class *of, same_budget *left)
{
    bool equal = true;
    for (uint32_t i = 0; equal && i < of->nfields; i++) {
        const class_field *f = &of->fields[i];
        if (f->no_compare || f->is_var)
            continue;
        const value *x = ns_find(a->ns, f->name), *y = ns_find(b->ns, f->name);
        left->doubt = left->doubt || !x || !y || left->steps <= 0 || f->is_unsure;
        equal = x && y && left->steps-- > 0 && same(x, y, left);
    }
    return equal;
}

/* Two objects of one class with the same attributes. */
static bool same_attributes(const value *a, const value *b, same_budget *left)
{
    bool equal = a->ns->n == b->ns->n && a->ns->star == b->ns->star;
    for (uint32_t i = 0; equal && i < a->ns->n; i++) {
        const value *other = ns_find(b->ns, a->ns->v[i].name);
        equal = other && left->steps-- > 0 && same(&a->ns->v[i].v, other, left);
    }
    return equal;
}

/* Two objects that are not one. */
static bool same_objects(const value *a, const value *b, same_budget *left)
{
    bool own = false, equal;
    const py_class *cls = a->ns->cls;
    const py_class *of = cls && cls == b->ns->cls ? equality_rule(cls, &own) : NULL;
    if (!of || own || left->mode == SAME_OBJECT)
        return false;
    if (!left->depth)
        return left->doubt = true, false;
    left->depth--;
    equal = left->mode == SAME_TEXT ? same_attributes(a, b, left) : same_fields(a, b, of, left);
    left->depth++;
    return equal;
}

/* Items of two containers of one kind. */
static bool same_items(const value *a, const value *b, same_budget *left)
{
    WEFT_ASSERT(a->kind == b->kind);
    if (value_has_cells(a) && a->cells == b->cells)
        return true;
    if (value_cells_why(a) || value_cells_why(b))
        return left->doubt = true, false;
    if (value_count(a) != value_count(b))
        return false;
    const value *const x = value_array(a), *const y = value_array(b);
    if (x == y)
        return true;
    if (!left->depth)
        return left->doubt = true, false;
    left->depth--;
    bool equal = true;
    if (a->kind == VALUE_DICT)
        equal = same_pairs(a, b, left);
    else if (value_is_set(a) && value_is_set(b))
        equal = same_members(a, b, left);
    else
        for (uint32_t i = 0; equal && i < value_count(a); i++)
            equal = left->steps-- > 0 && same(&x[i], &y[i], left);
    left->doubt = left->doubt || left->steps <= 0;
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

/* May Python find the two equal although nothing here says so? */
static bool is_doubtful(const value *a, const value *b)
{
    return a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN || is_any_object(a) ||
           is_any_object(b) || has_own_equality(a) || has_own_equality(b) || is_mixed_pair(a, b) ||
           (a->kind == b->kind && value_is_set(a) != value_is_set(b));
}

/* Python's == for values of known kinds: 1 == 1.0 == True, unless the mode is SAME_TEXT. Kinds that
 * cannot be compared, unknown values among them, are different: callers treat "different" as "not
 * proved equal", or look at the doubt. */
static bool same(const value *a, const value *b, same_budget *left)
{
    if (a->kind == VALUE_OBJECT && b->kind == VALUE_OBJECT && a->ns == b->ns)
        return true;
    if (left->mode == SAME_EQUAL && is_doubtful(a, b))
        return left->doubt = true, false;
    if (left->mode == SAME_EQUAL && tuple_length(a) >= 0 && tuple_length(b) >= 0)
        return same_tuples(a, b, left);
    if (value_is_real(a) && value_is_real(b)) {
        if (left->mode == SAME_TEXT)
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
    case VALUE_COMPOSITE: return same_composite(a, b, left->mode == SAME_TEXT);
    case VALUE_CLASS:
    case VALUE_MODULE: return a->ns == b->ns;
    case VALUE_OBJECT: return same_objects(a, b, left);
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
    return same(a, b, &(same_budget){.depth = 50, .steps = 20000, .mode = SAME_TEXT});
}

int value_equal(const value *a, const value *b)
{
    same_budget left = {.depth = 50, .steps = 20000};
    return same(a, b, &left) ? 1 : left.doubt ? -1 : 0;
}

bool value_is(const value *a, const value *b)
{
    if (a->kind != b->kind)
        return false;
    return same(a, b, &(same_budget){.depth = 50, .steps = 20000, .mode = SAME_OBJECT});
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
    case VALUE_DICT:
        if (value_has_cells(v) && v->cells->is_iterator)
            return 1;
        return value_cells_why(v) ? -1 : value_count(v) != 0;
    case VALUE_RANGE:
        return v->items[2].i > 0 ? v->items[0].i < v->items[1].i : v->items[0].i > v->items[1].i;
    case VALUE_OBJECT:
        return object_has_method(v, "__bool__") || object_has_method(v, "__len__") ? -1 : 1;
    /* Kernels, types and modules are true. */
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
static bool is_same_member(ctx *c, const value *a, const value *b)
{
    value x, y;
    const sym *name = sema_init(c)->s_value;
    return value_getattr(c, a, name, &x) && value_getattr(c, b, name, &y) && value_same(&x, &y);
}

/* False: a stub leaves some open. */
static bool iterate_enum(ctx *c, const value *v, const value **items, uint32_t *n)
{
    WEFT_ASSERT(v->kind == VALUE_CLASS);
    const namespace *ns = v->ns;
    value *out = ARENA_ARRAY(&c->module, value, ns->n);
    *n = 0;
    for (uint32_t i = 0; i < ns->n; i++) {
        const value *m = &ns->v[i].v;
        if (m->kind == VALUE_UNKNOWN && strcmp(m->why, STUB_SILENT) == 0)
            return false;
        /* Other enums have objects of the class as members. */
        bool is_member =
            m->kind == VALUE_ENUM || (m->kind == VALUE_OBJECT && m->ns->cls == ns->cls);
        /* A second name of a value is no member of its own, nor are flags that others make up. */
        bool is_alias = is_member && m->kind == VALUE_ENUM && ns->cls->is_flag &&
                        (m->i <= 0 || (m->i & (m->i - 1)));
        for (uint32_t k = 0; is_member && k < *n && !is_alias; k++)
            is_alias = is_same_member(c, &out[k], m);
        if (is_member && !is_alias)
            out[(*n)++] = *m;
    }
    *items = out;
    return true;
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
    *n = value_count(v);
    value *out = ARENA_ARRAY(&c->module, value, *n);
    for (uint32_t i = 0; i < *n; i++)
        out[i] = value_array(v)[2 * i];
    *items = out;
}

/* The fields of an object of a NamedTuple, which is a tuple. */
static bool iterate_tuple_object(ctx *c, const value *v, const value **items, uint32_t *n)
{
    const int64_t length = tuple_length(v);
    if (length < 0)
        return false;
    *n = (uint32_t)length;
    value *out = ARENA_ARRAY(&c->module, value, *n);
    for (uint32_t i = 0; i < *n; i++) {
        const value *field = tuple_item(v, i);
        out[i] = field ? *field : unknown("the field is not given");
    }
    *items = out;
    return true;
}

/* What is left of an iterator that was read, maybe in part, is not followed. */
static bool may_read(value_cells *cells)
{
    const bool may = !cells->is_read;
    cells->is_read = cells->is_iterator;
    return may;
}

/* Other kinds of iterables in Python (generators, files) are never known. Tuples and lists are
 * borrowed, so they cost nothing; all others are copied and count against the fuel. */
bool value_iterate(ctx *c, const value *v, const value **items, uint32_t *n)
{
    WEFT_ASSERT(items != NULL && n != NULL);
    if (value_cells_why(v) || (value_has_cells(v) && !may_read(v->cells)))
        return false;
    if (v->kind != VALUE_TUPLE && v->kind != VALUE_LIST)
        spend(c, v->kind == VALUE_STR ? v->s->len : v->kind == VALUE_DICT ? v->cells->n : 1);
    if (value_is_set(v))
        return set_iterate(c, v, items, n);
    switch (v->kind) {
    case VALUE_TUPLE:
    case VALUE_LIST:
        *items = value_array(v);
        *n = value_count(v);
        return true;
    case VALUE_RANGE: return iterate_range(c, v, items, n);
    case VALUE_STR: iterate_str(c, v, items, n); return true;
    case VALUE_DICT: iterate_keys(c, v, items, n); return true;
    case VALUE_COMPOSITE: iterate_composite(c, v, items, n); return true;
    case VALUE_OBJECT: return iterate_tuple_object(c, v, items, n);
    case VALUE_CLASS:
        /* A plain class is not iterable. */
        if (v->ns->cls->kind != CLASS_ENUM && v->ns->cls->kind != CLASS_INT_ENUM)
            return false;
        return iterate_enum(c, v, items, n);
    default: return false;
    }
}

bool value_members(ctx *c, const value *v, const value **items, uint32_t *n)
{
    if (!value_is_set(v) || value_cells_why(v))
        return value_iterate(c, v, items, n);
    *items = value_array(v);
    *n = value_count(v);
    return true;
}

static bool put_text(strbuf *out, ctx *c, const value *v, bool repr, int depth);

/* As CPython's unicode_repr: double quotes where the text has single ones alone. Text beyond ASCII
 * counts as printable. */
static void put_repr(strbuf *out, str s)
{
    const bool single = memchr(s.p, '\'', s.n) != NULL, both = memchr(s.p, '"', s.n) != NULL;
    const char quote = single && !both ? '"' : '\'';
    sb_char(out, quote);
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.p[i];
        const char *plain = c ? strchr("\tt\nn\rr", c) : NULL;
        if (c == quote || c == '\\')
            sb_printf(out, "\\%c", c);
        else if (plain && c < ' ')
            sb_printf(out, "\\%c", plain[1]);
        else if ((unsigned char)c < ' ' || c == 0x7f)
            sb_printf(out, "\\x%02x", (unsigned)c);
        else
            sb_char(out, c);
    }
    sb_char(out, quote);
}

/* A list may contain itself: neither depth nor length may run away. */
static bool text_items(strbuf *out, ctx *c, const value *v, int depth)
{
    WEFT_ASSERT(v->kind == VALUE_LIST || v->kind == VALUE_TUPLE);
    if (out->n > SEMA_LOOP || depth > 20 || value_cells_why(v) ||
        (v->kind == VALUE_LIST && !value_is_list(v)))
        return false;
    sb_char(out, v->kind == VALUE_LIST ? '[' : '(');
    for (uint32_t i = 0; i < value_count(v); i++) {
        if (i)
            SB_LIT(out, ", ");
        if (!put_text(out, c, &value_array(v)[i], true, depth + 1))
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
            put_repr(out, sym_str(v->s));
        else
            sb_put(out, v->s->s, v->s->len);
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
