/* SPDX-License-Identifier: Apache-2.0 */
/* Subscripts: items and slices of containers, and the bracket forms of annotations. Examples:
 *
 *     {"box": (1, 2)}["box"][-1]     2
 *     "abcd"[::2]                    "ac"
 *     wp.array2d[float]              the type array(dtype=float32, ndim=2), by annotation.c
 *     (1, 2)[5]                      unknown: the index is out of range
 *
 * What raises in Python is unknown here, with the reason. */
#include "sema/sema.h"

static const char out_of_range[] = "the index is out of range";
static const char not_evaluated[] = "weft does not evaluate this subscript";

static value beyond_range(ctx *c)
{
    return raises(c, "IndexError", out_of_range);
}

/* A subscript that weft does not evaluate. */
static value no_item(ctx *c, const char *why)
{
    may_raise_named(c, NULL);
    return unknown(why);
}

/* d[key]; keys are compared by value, so d[1] and d[1.0] are the same item. */
static value dict_get(ctx *c, const value *d, const value *key)
{
    WEFT_ASSERT(d->kind == VALUE_DICT);
    const value *const pairs = value_array(d);
    if (value_has_cells(key) && !value_is_set(key))
        return raises(c, "TypeError", "a list or dict is no key");
    bool doubt = value_cells_why(d) != NULL || unknown_inside(key);
    for (uint32_t i = 0; i < value_count(d); i++) {
        if (value_same(&pairs[2 * i], key))
            return pairs[2 * i + 1];
        doubt = doubt || value_equal(&pairs[2 * i], key) < 0;
    }
    static const char missing[] = "the key is not in the dict";
    return doubt ? no_item(c, missing) : raises(c, "KeyError", missing);
}

/* Strings are indexed by character, not by byte: value_iterate splits the UTF-8 text. */
static value str_index(ctx *c, const value *v, __int128 i)
{
    WEFT_ASSERT(v->kind == VALUE_STR);
    const value *chars;
    uint32_t n;
    value_iterate(c, v, &chars, &n);
    if (i < 0)
        i += n;
    return i >= 0 && i < n ? chars[i] : beyond_range(c);
}

/* m[i, j] of a matrix: the row first, then its component, so both indices may be negative. */
static value matrix_index(ctx *c, const value *v, const value *index)
{
    WEFT_ASSERT(v->kind == VALUE_COMPOSITE && index->kind == VALUE_TUPLE);
    if (index->n != 2 || !value_is_int(&index->items[0]) || !value_is_int(&index->items[1]))
        return no_item(c, out_of_range);
    value row = composite_item(c, v, (int64_t)index->items[0].i);
    if (row.kind != VALUE_COMPOSITE)
        return no_item(c, out_of_range);
    return composite_item(c, &row, (int64_t)index->items[1].i);
}

/* Color["RED"]: the member of an enum class by name. Other classes find a class attribute this way,
 * where Python would call __class_getitem__. */
static value class_index(ctx *c, const value *v, const value *index)
{
    const py_class *cls = v->ns->cls;
    value member;
    if (index->kind == VALUE_STR && class_find(cls, index->s, &member))
        return member;
    if (index->kind == VALUE_STR && (cls->kind == CLASS_ENUM || cls->kind == CLASS_INT_ENUM) &&
        !cls->partly_known)
        return raises(c, "KeyError", "the enum has no such member");
    return no_item(c, not_evaluated);
}

/* v[index] by the kind of v. Bracket forms of types come first, because their index may be unknown
 * (`wp.array[T]` with an unknown T keeps T's reason). */
static value value_index(ctx *c, const value *v, const value *index)
{
    if (v->kind == VALUE_UNKNOWN || index->kind == VALUE_UNKNOWN)
        may_raise_named(c, NULL);
    if (v->kind == VALUE_UNKNOWN)
        return *v;
    if (v->kind == VALUE_SPECIAL || v->kind == VALUE_PYTYPE || v->kind == VALUE_TYPE)
        return subscript_special(c, v, index);
    if (index->kind == VALUE_UNKNOWN)
        return *index;
    if (v->kind == VALUE_DICT)
        return dict_get(c, v, index);
    if (v->kind == VALUE_CLASS)
        return class_index(c, v, index);
    if (v->kind == VALUE_COMPOSITE && index->kind == VALUE_TUPLE)
        return matrix_index(c, v, index);
    if (!value_is_int(index))
        return no_item(c, not_evaluated);
    __int128 i = index->i;
    value named;
    if (v->kind == VALUE_OBJECT) { /* of a NamedTuple */
        const value *items;
        uint32_t n;
        if (!value_iterate(c, v, &items, &n))
            return no_item(c, not_evaluated);
        named = value_items(VALUE_TUPLE, items, n);
        v = &named;
    }
    switch (v->kind) {
    case VALUE_TUPLE:
    case VALUE_LIST:
        if (i < 0)
            i += value_count(v);
        if (value_cells_why(v) || (v->kind == VALUE_LIST && !value_is_list(v)))
            return no_item(c, value_cells_why(v) ? value_cells_why(v) : not_evaluated);
        return i >= 0 && i < value_count(v) ? value_array(v)[i] : beyond_range(c);
    case VALUE_STR: return str_index(c, v, i);
    case VALUE_COMPOSITE:
        return i > -4096 && i < 4096 ? composite_item(c, v, (int64_t)i) : no_item(c, out_of_range);
    case VALUE_RANGE: {
        const value *items;
        uint32_t n;
        if (!value_iterate(c, v, &items, &n))
            return no_item(c, "the range is too long");
        if (i < 0)
            i += n;
        return i >= 0 && i < n ? items[i] : beyond_range(c);
    }
    default: return no_item(c, not_evaluated);
    }
}

/* A bound of a slice. *given is false when it is left out or None; then *out keeps its old value.
 * False: it is no integer. */
static bool bound(evaluator *e, const node *n, __int128 *out, bool *given)
{
    *given = n != NULL;
    if (!n)
        return true;
    value v = eval_node(e, n);
    *given = v.kind != VALUE_NONE;
    if (*given && value_is_int(&v))
        *out = v.i;
    return value_is_int(&v) || !*given;
}

/* The places that a slice of n items means: every step-th from lo on, before hi (for a negative
 * step down to behind hi). */
typedef struct slice_range {
    __int128 lo, hi, step;
} slice_range;

/* Python's slice.indices: negative bounds count from the end, then all are clamped to 0 .. n (for a
 * negative step -1 .. n - 1, so that item 0 can be reached). Examples with n = 5:
 *
 *     [1:-1]     1 2 3
 *     [::-2]     4 2 0
 *     [9:]       nothing
 *
 * False: a bound is not known. */
static bool slice_places(evaluator *e, uint32_t n, const ast_Slice *s, slice_range *r)
{
    __int128 lo = 0, hi = 0, step = 1;
    bool has_lo, has_hi, has_step;
    if (!bound(e, s->lower, &lo, &has_lo) || !bound(e, s->upper, &hi, &has_hi) ||
        !bound(e, s->step, &step, &has_step) || step == 0)
        return false;
    const __int128 beyond = (__int128)n + 1; /* no longer step than this matters */
    step = step > beyond ? beyond : step < -beyond ? -beyond : step;
    __int128 first = step > 0 ? 0 : -1, last = step > 0 ? n : (__int128)n - 1;
    lo = has_lo ? (lo < 0 ? lo + n : lo) : (step > 0 ? first : last);
    hi = has_hi ? (hi < 0 ? hi + n : hi) : (step > 0 ? last : first);
    r->lo = lo < first ? first : lo > last ? last : lo;
    r->hi = hi < first ? first : hi > last ? last : hi;
    r->step = step;
    return true;
}

/* The items are copied; a slice of anything but a tuple is a list. */
static value slice_items(evaluator *e, const value *v, const ast_Slice *s)
{
    const value *items;
    uint32_t n;
    slice_range r;
    if (!value_iterate(e->c, v, &items, &n) || !slice_places(e, n, s, &r))
        return no_item(e->c, "the slice is not known");
    value *out = ARENA_ARRAY(&e->c->module, value, (size_t)n + 1);
    uint32_t count = 0;
    /* `count < n` is implied, and keeps the array safe. */
    for (__int128 i = r.lo; (r.step > 0 ? i < r.hi : i > r.hi) && count < n; i += r.step)
        out[count++] = items[i];
    return v->kind == VALUE_TUPLE ? value_items(VALUE_TUPLE, out, count)
                                  : value_list(e->c, out, count);
}

bool list_set_slice(evaluator *e, const value *list, const ast_Slice *s, const value *v)
{
    const value *items;
    uint32_t more;
    slice_range r;
    const uint32_t n = value_count(list);
    if (!value_is_list(list) || value_cells_why(list) || !slice_places(e, n, s, &r) ||
        r.step != 1 || (value_has_cells(v) && v->cells == list->cells) ||
        !value_iterate(e->c, v, &items, &more) || (uint64_t)n + more > SEMA_LOOP)
        return false;
    const uint32_t lo = (uint32_t)r.lo, hi = r.hi < r.lo ? lo : (uint32_t)r.hi;
    value *all = ARENA_ARRAY(&e->c->module, value, (size_t)n + more);
    spend(e->c, (uint64_t)n + more);
    for (uint32_t i = 0; i < lo; i++)
        all[i] = value_array(list)[i];
    for (uint32_t i = 0; i < more; i++)
        all[lo + i] = items[i];
    for (uint32_t i = hi; i < n; i++)
        all[lo + more + i - hi] = value_array(list)[i];
    container_replace(e->c, list, all, lo + more + n - hi);
    return true;
}

/* A slice of a string is joined from its characters again. */
static value eval_slice(evaluator *e, const value *v, const ast_Slice *s)
{
    value r = slice_items(e, v, s);
    if (v->kind != VALUE_STR || r.kind == VALUE_UNKNOWN)
        return r;
    strbuf b;
    sb_init(&b, &e->c->mem);
    for (uint32_t i = 0; i < value_count(&r); i++)
        sb_str(&b, sym_str(value_array(&r)[i].s));
    value text = value_str(e->c, b.p ? b.p : "", b.n);
    sb_clear(&b);
    return text;
}

/* os.environ, or `environ` after an import from os. */
static bool is_environ(const evaluator *e, const node *n)
{
    const sym *name = n->kind == AST_Attribute ? AST(Attribute, n)->attr
                      : n->kind == AST_Name    ? AST(Name, n)->id
                                               : NULL;
    return name && e->p->environ.kind == VALUE_DICT && strcmp(name->s, "environ") == 0;
}

/* sys.modules[name], of a module of the program. */
static bool module_of_sys(evaluator *e, const node *n, const value *name, value *out)
{
    if (n->kind != AST_Attribute || strcmp(AST(Attribute, n)->attr->s, "modules") != 0)
        return false;
    const value sys = eval_node(e, AST(Attribute, n)->value);
    module *m = sys.kind == VALUE_WARP && strcmp(sys.s->s, "sys") == 0 && name->kind == VALUE_STR
                    ? loaded_module(e->p, name->s)
                    : NULL;
    if (m)
        *out = module_value(m);
    return m != NULL;
}

/* The index is evaluated after the container. A slice stands alone; a tuple of slices has no rule.
 */
value eval_subscript(evaluator *e, const ast_Subscript *n)
{
    value v = eval_node(e, n->value);
    if (n->slice->kind == AST_Slice && v.kind == VALUE_UNKNOWN)
        may_raise_any(e);
    if (n->slice->kind == AST_Slice)
        return v.kind == VALUE_UNKNOWN ? v : eval_slice(e, &v, AST(Slice, n->slice));
    value index = eval_node(e, n->slice);
    if (index.kind == VALUE_STR && is_environ(e, n->value) && v.kind == VALUE_DICT &&
        !dict_find(e->c, &v, &index)) {
        raise_exception(e, exception_of("KeyError"));
        return unknown_text(e->c, "os.environ has no '%.60s', which -D %.60s=VALUE gives it",
                            index.s->s, index.s->s);
    }
    value method;
    if (v.kind == VALUE_UNKNOWN && module_of_sys(e, n->value, &index, &method))
        return method;
    if (v.kind == VALUE_OBJECT && value_getattr(e->c, &v, e->names->s___getitem__, &method) &&
        method.kind == VALUE_PYFUNC)
        return call_one(e, &method, index);
    return value_index(e->c, &v, &index);
}
