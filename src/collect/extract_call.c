/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions that stand in functions. A function around a kernel is written once more, with the
 * values that its call knew in place of the code that found them:
 *
 *     def make(n):                          def make():
 *         size = lookup(n)                      size = 4
 *
 *         @wp.kernel                            @wp.kernel
 *         def k(a: wp.array[int]):              def k(a: wp.array[int]):
 *             a[size] = 1                           a[size] = 1
 *
 *         return k                              return k
 *
 *     small = make(2)                       k = make()
 *
 * So the kernel has the qualified name that Warp sees, and what it reads has the value that it had.
 * Each call of a function is a PIECE_CALL of its own. What others use of its body is returned. */
#include "collect/extract_internal.h"

/* --- functions around a definition ----------------------------------------------------------- */

static bool is_class(const node *n)
{
    return n->kind == AST_ClassDef;
}

/* "A.B": the classes around[from .. to). */
static str class_path(extract *x, const def_place *at, uint32_t from, uint32_t to)
{
    str path = STR("");
    for (uint32_t i = from; i < to; i++) {
        const char *name = AST(ClassDef, at->around[i])->name->s;
        path = path.n ? extract_text(x, "%.*s.%s", (int)path.n, path.p, name) : str_c(name);
    }
    return path;
}

/* The piece for the function around[n - 1], which was called with the scope `call`. Those around it
 * come first. */
static uint32_t call_piece(extract *x, const def_place *at, uint32_t n, const namespace *call,
                           const char *name)
{
    uint32_t classes = n - 1, owner = NO_PIECE;
    WEFT_ASSERT(n > 0 && !is_class(at->around[n - 1]));
    if (!call || !scope_is_call(call))
        return extract_fail(x, "the function around '%s' is not known", name);
    const uint32_t known = piece_find(x, call);
    if (known != NO_PIECE)
        return known;
    while (classes && is_class(at->around[classes - 1]))
        classes--;
    if (classes)
        owner = call_piece(x, at, classes, scope_around(call), name);
    if (x->why)
        return NO_PIECE;
    const uint32_t saved = x->scope;
    x->scope = owner;
    const uint32_t piece = piece_new(x, PIECE_CALL, call, STR(""));
    x->scope = saved;
    if (piece != NO_PIECE) {
        x->pieces.v[piece].name = AST(FunctionDef, at->around[n - 1])->name;
        x->pieces.v[piece].classes = class_path(x, at, classes, n - 1);
    }
    return piece;
}

uint32_t extract_call_around(extract *x, const def_place *at, const namespace *env,
                             const char *name)
{
    if (!at->n)
        return NO_PIECE;
    if (is_class(at->around[at->n - 1]))
        return extract_fail(x, "'%s' is made in a class", name);
    return call_piece(x, at, at->n, env, name);
}

/* --- names ----------------------------------------------------------------------------------- */

static bool is_free(const extract *x, uint32_t scope, const sym *name)
{
    for (uint32_t i = 0; i < x->names.n; i++)
        if (x->names.v[i].name == name && x->names.v[i].scope == scope)
            return false;
    return true;
}

/* A name outside of the call for `inner`: `wanted`, else its own, else with a number behind it. */
static const sym *export_name(extract *x, uint32_t call, const sym *inner, const sym *wanted,
                              const value *v)
{
    const uint32_t scope = x->pieces.v[call].owner;
    const sym *outer = wanted;
    for (uint32_t i = 0; i < x->pieces.v[call].exports.n; i++)
        if (x->pieces.v[call].exports.v[i].inner == inner)
            return x->pieces.v[call].exports.v[i].outer;
    if (!is_free(x, scope, outer))
        outer = inner;
    for (int n = 2; !is_free(x, scope, outer); n++) {
        const str text = extract_text(x, "%s_%d", inner->s, n);
        outer = sym_intern(&x->c->syms, text.p, text.n);
    }
    const exported_name e = {inner, outer};
    const bound_name b = {outer, *v, call, scope};
    VEC_PUSH(&x->c->module, &x->pieces.v[call].exports, e);
    VEC_PUSH(&x->c->module, &x->names, b);
    return outer;
}

/* Is `scope` the body of `outer`, or of a function in it? */
static bool is_inside(const extract *x, uint32_t scope, uint32_t outer)
{
    while (scope != outer && scope != NO_PIECE)
        scope = x->pieces.v[scope].owner;
    return scope == outer;
}

const sym *extract_visible(extract *x, uint32_t *piece, const sym *own, const sym *wanted,
                           const value *v)
{
    while (!is_inside(x, x->scope, x->pieces.v[*piece].owner)) {
        *piece = x->pieces.v[*piece].owner;
        own = export_name(x, *piece, own, wanted, v);
    }
    return own;
}

uint32_t extract_scope_of(extract *x, const namespace *env, const sym *name)
{
    for (const namespace *ns = env; ns && scope_is_call(ns); ns = scope_around(ns))
        if (origin_own(ns, name)) {
            const uint32_t piece = piece_find(x, ns);
            return piece == NO_PIECE ? extract_fail(x, "the scope of '%s' is not known", name->s)
                                     : piece;
        }
    return NO_PIECE;
}

/* --- text ------------------------------------------------------------------------------------ */

static void put_names(strbuf *b, const text_piece *p, bool inner)
{
    for (uint32_t i = 0; i < p->exports.n; i++) {
        sb_c(b, i ? ", " : "");
        sb_c(b, inner ? p->exports.v[i].inner->s : p->exports.v[i].outer->s);
    }
}

void extract_put_call(strbuf *b, const text_piece *p, str body)
{
    size_t depth = 0;
    for (size_t i = 0; i < p->classes.n;) {
        size_t end = i;
        while (end < p->classes.n && p->classes.p[end] != '.')
            end++;
        sb_repeat(b, ' ', 4 * depth++);
        SB_LIT(b, "class ");
        sb_put(b, p->classes.p + i, end - i);
        SB_LIT(b, ":\n");
        i = end + 1;
    }
    sb_repeat(b, ' ', 4 * depth);
    sb_printf(b, "def %s():\n", p->name->s);
    extract_put_indented(b, body, 4 * depth + 4);
    SB_LIT(b, "\n");
    sb_repeat(b, ' ', 4 * depth + 4);
    SB_LIT(b, "return ");
    put_names(b, p, true);
    sb_c(b, p->owner == NO_PIECE ? "\n\n\n" : "\n\n");
    put_names(b, p, false);
    SB_LIT(b, " = ");
    sb_str(b, p->classes);
    sb_printf(b, "%s%s()\n", p->classes.n ? "." : "", p->name->s);
}
