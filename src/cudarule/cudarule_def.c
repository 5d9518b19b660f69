/* SPDX-License-Identifier: Apache-2.0 */
/* The definitions of one program: looked up by key, printed types first, each after what it needs;
 * and pieces of text in the arena. For all files of this folder, and for src/cuda, which says which
 * definitions a text that stays uses.
 *
 *     length(v) of a vec3    ->   needs length(vec3), which needs dot(vec3, vec3) and the type vec3
 *
 *     struct vec3 { ... };
 *     __device__ inline float dot(vec3 a, vec3 b) { ... }
 *     __device__ inline float length(vec3 a) { ... dot(a, a) ... }
 *
 * A definition is in the making between a search that fails (cuda_def_find) and cuda_def_add with
 * the same key. Definitions that are looked up in between are those that it needs. They may nest,
 * so that frames are a stack.
 *
 * What a text needs is noted in `used`, in the order in which it is looked up. cuda_uses_begin and
 * cuda_uses_end cut out the part that belongs to one text: the text may be dropped later, by a
 * pass, and with it what only it needs. */
#include "cudarule/cudarule_def.h"

#include <stdarg.h>

#include "base/ascii.h"
#include "base/assert.h"

/* Repeated uses in a row are noted once; others may repeat, which mark() does not mind. */
static void note_use(cuda_defs *n, uint32_t i)
{
    if (!n->used.n || n->used.v[n->used.n - 1] != i)
        VEC_PUSH(n->a, &n->used, i);
}

/* The search is linear: a program has few definitions, and most calls find one of the first. */
const cuda_def *cuda_def_find(cuda_defs *n, str key)
{
    for (uint32_t i = 0; i < n->defs.n; i++)
        if (str_eq(n->defs.v[i].key, key)) {
            note_use(n, i);
            return &n->defs.v[i];
        }
    const cuda_frame frame = {key, n->used.n};
    VEC_PUSH(n->a, &n->frames, frame);
    return NULL;
}

/* Frames above the one with this key belong to definitions that were begun and given up. */
void cuda_def_add(cuda_defs *n, str key, str name, str text, bool is_type)
{
    WEFT_ASSERT(key.n);
    cuda_def def = {.key = key, .name = name, .text = text, .is_type = is_type};
    for (uint32_t i = n->frames.n; i-- > 0;)
        if (str_eq(n->frames.v[i].key, key)) {
            def.uses = cuda_uses_end(n, n->frames.v[i].first);
            n->frames.n = i;
            break;
        }
    VEC_PUSH(n->a, &n->defs, def);
    note_use(n, n->defs.n - 1);
}

/* Where the uses of the next text begin. */
uint32_t cuda_uses_begin(const cuda_defs *n)
{
    return n->used.n;
}

/* The uses since `begin`, which are taken out of the list. */
cuda_uses cuda_uses_end(cuda_defs *n, uint32_t begin)
{
    WEFT_ASSERT(begin <= n->used.n);
    const uint32_t count = n->used.n - begin;
    uint32_t *v = ARENA_ARRAY(n->a, uint32_t, count + 1);
    if (count)
        memcpy(v, n->used.v + begin, count * sizeof *v);
    n->used.n = begin;
    return (cuda_uses){v, count};
}

/* The text stays: its uses are those of the program. */
void cuda_uses_add(cuda_defs *n, cuda_uses u)
{
    for (uint32_t i = 0; i < u.n; i++)
        note_use(n, u.v[i]);
}

/* A wanted name stands for the same name in all texts, so it is looked up in the aliases first. A
 * program with a variable `dot` gets the function dot_. */
str cuda_free_name(cuda_defs *n, str name)
{
    for (uint32_t i = 0; i < n->aliases.n; i++)
        if (str_eq(n->aliases.v[i].wanted, name))
            return n->aliases.v[i].name;
    cuda_alias alias = {name, name};
    while (n->taken && n->taken(n->taken_arg, alias.name))
        alias.name = cuda_text(n, alias.name.p[alias.name.n - 1] == '_' ? "@2" : "@_", alias.name);
    VEC_PUSH(n->a, &n->aliases, alias);
    return alias.name;
}

/* The length of the text with its arguments, so that one piece of the arena is enough. */
static size_t text_size(const char *pattern, va_list args)
{
    size_t size = 0;
    for (const char *p = pattern; *p; p++)
        size += *p == '@' ? va_arg(args, str).n : 1;
    return size;
}

/* A NUL follows the text: rules are read as C strings. */
str cuda_text(cuda_defs *n, const char *pattern, ...)
{
    va_list args, again;
    va_start(args, pattern);
    va_copy(again, args);
    const size_t size = text_size(pattern, args);
    va_end(args);
    char *text = arena_alloc(n->a, size + 1), *to = text;
    for (const char *p = pattern; *p; p++) {
        if (*p != '@') {
            *to++ = *p;
            continue;
        }
        const str s = va_arg(again, str);
        if (s.n)
            memcpy(to, s.p, s.n);
        to += s.n;
    }
    va_end(again);
    *to = 0;
    return (str){text, size};
}

/* "12", "-3". */
str cuda_decimal(cuda_defs *n, int64_t x)
{
    strbuf b;
    sb_init(&b, n->a->m);
    sb_int(&b, x);
    return cuda_take(n, &b);
}

/* The builder may be used again afterwards. */
str cuda_take(cuda_defs *n, strbuf *b)
{
    const str s = {arena_dup(n->a, b->p, b->n), b->n};
    sb_clear(b);
    return s;
}

/* Marks definitions as used, with all that they need in turn. */
static void mark(const cuda_defs *n, bool *is_used, cuda_uses u)
{
    for (uint32_t i = 0; i < u.n; i++) {
        if (is_used[u.v[i]])
            continue;
        is_used[u.v[i]] = true;
        mark(n, is_used, n->defs.v[u.v[i]].uses);
    }
}

/* Types, or all others. A definition follows what it needs, as it was added after it. */
static void print_defs(const cuda_defs *n, strbuf *out, const bool *is_used, bool types)
{
    for (uint32_t i = 0; i < n->defs.n; i++) {
        if (!is_used[i] || n->defs.v[i].is_type != types || n->defs.v[i].externs)
            continue;
        sb_str(out, n->defs.v[i].text);
        sb_char(out, '\n');
    }
}

/* By number: does a text, or a definition that one uses, use the definition? */
static const bool *used_defs(cuda_defs *n)
{
    bool *is_used = arena_zero(n->a, n->defs.n + 1);
    mark(n, is_used, (cuda_uses){n->used.v, n->used.n});
    return is_used;
}

/* Only definitions that texts use, directly or by others; those of dropped texts are left out. */
void cuda_defs_print(cuda_defs *n, strbuf *out)
{
    const bool *is_used = used_defs(n);
    print_defs(n, out, is_used, true);
    print_defs(n, out, is_used, false);
}

/* Equal holes share a mark, so that equal texts stay equal. More holes than marks: the marks are
 * wrong, and cuda_template_overflow reports it before the text is cut. */
str cuda_hole_text(cuda_defs *n, cuda_hole h)
{
    uint32_t i = 0;
    for (; i < n->holes.n; i++) {
        const cuda_hole *k = &n->holes.v[i];
        if (k->operand == h.operand && k->least == h.least && k->part == h.part &&
            k->less_one == h.less_one)
            break;
    }
    if (i == n->holes.n)
        VEC_PUSH(n->a, &n->holes, h);
    char *mark = arena_alloc(n->a, 3);
    mark[0] = HOLE_MARK;
    mark[1] = (char)(HOLE_FIRST + i % HOLES_MAX);
    mark[2] = 0;
    return (str){mark, 2};
}

/* A placeholder's hole records that a member follows: passes then keep the operand a variable. */
str cuda_before_member(cuda_defs *n, const cuda_expr *e)
{
    if (e->operand)
        return cuda_hole_text(n, (cuda_hole){e->operand - 1, CUDA_POSTFIX, CUDA_MEMBER, NULL});
    return cuda_operand(n, e, CUDA_POSTFIX);
}

/* For cuda_is_short, whose limit is about how a text looks and not how it is stored. */
size_t cuda_width(const cuda_defs *n, str text)
{
    size_t width = text.n;
    for (size_t i = 0; i + 1 < text.n; i++)
        if (text.p[i] == HOLE_MARK) /* a component is written with a point and a letter */
            width += n->holes.v[(uint8_t)text.p[++i] - HOLE_FIRST].part >= 0 ? 2 : 0;
    return width;
}

/* Items are copied: the caller's array may be on its stack. */
cuda_expr cuda_braces(cuda_defs *n, const type *t, str name, str inner, const cuda_expr *items,
                      uint32_t nitems)
{
    cuda_list *list = ARENA_NEW(n->a, cuda_list);
    for (uint32_t i = 0; i < nitems; i++)
        inner = cuda_text(n, i ? "@, @" : "@@", inner, items[i].text);
    *list = (cuda_list){.name = name, .braces = cuda_text(n, "{@}", inner), .nitems = nitems};
    cuda_expr *kept = ARENA_ARRAY(n->a, cuda_expr, nitems + 1);
    for (uint32_t i = 0; i < nitems; i++)
        kept[i] = items[i];
    list->items = kept;
    cuda_expr e = cuda_expr_of(cuda_text(n, "@@", name, list->braces), t, CUDA_POSTFIX);
    e.list = list;
    return e;
}

static const str extern_names[CUDA_EXTERNS] = {
#define EXTERN(x, name) [CUDA_EXTERN_##x] = {name, sizeof name - 1}
    EXTERN(HALF, "__half"), EXTERN(BFLOAT16, "__nv_bfloat16"), EXTERN(INFINITY, "INFINITY"),
    EXTERN(NAN, "NAN"),     EXTERN(HUGE_VALF, "HUGE_VALF"),    EXTERN(HUGE_VAL, "HUGE_VAL"),
#undef EXTERN
};

void cuda_use_extern(cuda_defs *n, cuda_extern x)
{
    WEFT_ASSERT(x < CUDA_EXTERNS);
    if (cuda_def_find(n, extern_names[x]))
        return;
    cuda_def_add(n, extern_names[x], extern_names[x], STR(""), true);
    n->defs.v[n->defs.n - 1].externs = (uint8_t)(1u << x);
}

void cuda_use_externs_of(cuda_defs *n, str text)
{
    for (size_t i = 0; i < text.n;) {
        size_t end = i;
        while (end < text.n &&
               (ascii_is_letter(text.p[end]) || ascii_is_digit(text.p[end]) || text.p[end] == '_'))
            end++;
        for (int x = 0; x < CUDA_EXTERNS && end > i; x++)
            if (str_eq((str){text.p + i, end - i}, extern_names[x]))
                cuda_use_extern(n, (cuda_extern)x);
        i = end > i ? end : i + 1;
    }
}

bool cuda_defs_use(cuda_defs *n, str key)
{
    const bool *is_used = used_defs(n);
    for (uint32_t i = 0; i < n->defs.n; i++)
        if (is_used[i] && str_eq(n->defs.v[i].key, key))
            return true;
    return false;
}

unsigned cuda_defs_externs(cuda_defs *n)
{
    const bool *is_used = used_defs(n);
    unsigned all = 0;
    for (uint32_t i = 0; i < n->defs.n; i++)
        all |= is_used[i] ? n->defs.v[i].externs : 0u;
    return all;
}

/* A placeholder's precedence is not known yet, so its hole takes the demand along. */
str cuda_operand(cuda_defs *n, const cuda_expr *e, cuda_prec least)
{
    if (e->operand)
        return cuda_hole_text(n, (cuda_hole){e->operand - 1, (uint8_t)least, CUDA_WHOLE, NULL});
    return e->prec >= least ? e->text : cuda_text(n, "(@)", e->text);
}

/* "-x * y" begins with a minus sign too, though it is no negation. The question is what the next
 * character of the text is, so the text answers it. */
bool cuda_begins_with_minus(const cuda_expr *e)
{
    return e->text.n && e->text.p[0] == '-';
}

/* A copy that outlives the caller's variable. */
const cuda_expr *cuda_kept(cuda_defs *n, const cuda_expr *e)
{
    WEFT_ASSERT(e->text.n);
    cuda_expr *kept = ARENA_NEW(n->a, cuda_expr);
    *kept = *e;
    return kept;
}

/* Lets a caller turn "a += -(b + c)" into "a -= b + c", and "if (!(c)) x" around. */
const cuda_expr *cuda_in_parentheses(const cuda_expr *e)
{
    const cuda_expr *x = e->negates ? e->negates : e->inverts;
    return x && (x->prec < CUDA_UNARY || cuda_begins_with_minus(x)) ? x : NULL;
}
