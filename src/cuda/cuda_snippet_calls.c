/* SPDX-License-Identifier: Apache-2.0 */
/* The functions and operators that a native snippet has of Warp, defined in the program. For
 * cuda_snippet_words.c, which finds their names.
 *
 *     wp::dot(d, d)    a definition of dot(vec3, vec3)
 *     q - p            a definition of operator-(vec3, vec3), where the snippet has vec3
 *
 * The types of the arguments are those that src/native finds where it can execute the snippet. Of
 * others, which have shuffles, say, all types count that the snippet has: those of its parameters
 * and of their elements, those that it names, and results of such functions. */
#include "cuda/cuda_snippet_words.h"
#include "cudarule/cudarule_function.h"

void cuda_snippet_add_type(snippet_words *w, const type *t)
{
    for (uint32_t i = 0; i < w->ntypes; i++)
        if (w->types[i] == t)
            return;
    if (w->ntypes < SNIPPET_TYPES && type_is_value(t))
        w->types[w->ntypes++] = t;
}

/* Types of values that a parameter holds. */
void cuda_snippet_add_types(snippet_words *w, const type *t)
{
    t = type_strip_ref(t);
    if (t->kind == TYPE_ARRAY)
        cuda_snippet_add_types(w, t->elem);
    else if (t->kind == TYPE_STRUCT)
        for (uint32_t i = 0; i < t->st->nfields; i++)
            cuda_snippet_add_types(w, t->st->fields[i].type);
    else if (type_is_value(t))
        cuda_snippet_add_type(w, t);
}

bool cuda_snippet_has(const snippet_words *w, type_kind kind)
{
    for (uint32_t i = 0; i < w->ntypes; i++)
        if (w->types[i]->kind == kind)
            return true;
    return false;
}

/* Reads the snippet as each device has it, for the types of what it calls. */
void cuda_snippet_read(snippet_words *w, const char *text)
{
    const ir_unit *u = w->u;
    arena *a = &w->f->c->module;
    native_param *params = ARENA_ARRAY(a, native_param, u->nparams + 1);
    native_problem why;
    for (uint32_t i = 0; i < u->nparams; i++) {
        const type *t = u->vars.v[u->params[i]].type;
        params[i] = (native_param){sym_str(u->code->params[i].name), type_strip_ref(t),
                                   t->kind == TYPE_REF, false};
    }
    native_source snippet = {.text = str_c(text),
                             .params = params,
                             .nparams = u->nparams,
                             .result = cuda_snippet_result(u)};
    for (int cuda = 0; cuda < 2; cuda++) {
        snippet.cuda = cuda;
        const native_fn *fn = native_read(w->f->c, a, &snippet, &why);
        w->unread |= !fn;
        if (fn)
            w->uses[cuda] = native_uses(fn, &w->nuses[cuda]);
    }
}

/* Does the snippet have the operation of these types, as far as is known? */
static bool has_use(const snippet_words *w, str native, const type *const *types, uint32_t n)
{
    for (int cuda = 0; cuda < 2; cuda++)
        for (uint32_t i = 0; i < w->nuses[cuda]; i++) {
            const native_use *u = &w->uses[cuda][i];
            bool same = u->n == n && str_eq(u->name, native);
            for (uint32_t k = 0; same && k < n; k++)
                same = type_equal(u->types[k], types[k]);
            if (same)
                return true;
        }
    return w->unread;
}

/* One overload. Its result is a type of the snippet, too. */
static bool define_one(snippet_words *w, const snippet_call *x, const type *const *types)
{
    if (!x->made && !has_use(w, x->native, types, x->nargs))
        return false;
    const type *made =
        cuda_define_helper(w->f->job->defs, x->native, x->name, x->made, types, x->nargs);
    if (made)
        cuda_snippet_add_type(w, made);
    return made != NULL;
}

/* A constructor: of numbers, of a type of as many, or of position and rotation. */
static bool define_make(snippet_words *w, const snippet_call *x)
{
    const type *types[SNIPPET_MAKES], *t = x->made;
    ctx *c = w->f->c;
    for (uint32_t i = 0; i < x->nargs; i++)
        types[i] = t->elem;
    const bool spatial = t->kind == TYPE_VEC && t->rows == 6;
    if ((t->kind == TYPE_TRANSFORM || spatial) && x->nargs == 2) {
        types[0] = type_vec(c, t->elem, 3);
        types[1] = spatial ? types[0] : type_quat(c, t->elem);
    }
    bool any = define_one(w, x, types);
    for (uint32_t i = 0; x->nargs == 1 && i < w->ntypes; i++)
        if (w->types[i]->kind == t->kind && w->types[i]->rows == t->rows &&
            w->types[i]->cols == t->cols) {
            types[0] = w->types[i];
            any |= define_one(w, x, types);
        }
    return any;
}

/* Defines the function for all types of the snippet that it takes: all arguments of one type, or
 * the last, the first or both of another. */
static bool define_call(snippet_words *w, const snippet_call *x)
{
    const type *types[SNIPPET_MAKES];
    const uint32_t others = x->nargs > 1 ? w->ntypes : 1, firsts = x->nargs > 2 ? 2 : 1;
    bool any = false;
    if (x->nargs > SNIPPET_ARGS)
        return false;
    for (uint32_t i = 0; x->nargs && i < w->ntypes * others * firsts; i++) {
        const type *most = w->types[i / firsts / others], *other = w->types[i / firsts % others];
        for (uint32_t k = 0; k < x->nargs; k++)
            types[k] = most;
        if (x->nargs > 1)
            types[x->nargs - 1] = other;
        if (i % firsts)
            types[0] = other;
        any |= define_one(w, x, types);
    }
    return any;
}

/* Defines what the text calls. Results of some are arguments of others, so there are rounds. Empty:
 * done; else the first that has no form. */
str cuda_snippet_define(snippet_words *w)
{
    enum { ROUNDS = 3 };
    str none = {NULL, 0};
    for (uint32_t round = 0, known = UINT32_MAX; round < ROUNDS && known != w->ntypes; round++) {
        known = w->ntypes;
        none.n = 0;
        for (uint32_t i = 0; i < w->ncalls; i++) {
            const snippet_call *x = &w->calls[i];
            if (!(x->made ? define_make(w, x) : define_call(w, x)) && !none.n)
                none = x->native;
        }
    }
    return none;
}

/* The operator that the builtin is of these types, if the snippet has it. */
static void define_operator(snippet_words *w, str text, const char *native, const type *a,
                            const type *b)
{
    cuda_defs *defs = w->f->job->defs;
    if (!has_use(w, str_c(native), (const type *const[]){a, b}, b ? 2 : 1))
        return;
    cuda_define_operator(defs, str_c(native), a, b);
    if (a == b && strstr(text.p, native[0] == 'a' ? "+=" : "-="))
        cuda_define_operator(defs, str_c(native[0] == 'a' ? "+=" : "-="), a, b);
}

/* Operators of vectors and matrices by their symbols in the text. */
void cuda_snippet_operators(snippet_words *w, str text)
{
    for (uint32_t i = 0; i < w->ntypes; i++) {
        const type *t = w->types[i];
        if (!type_is_composite(t))
            continue;
        if (memchr(text.p, '+', text.n))
            define_operator(w, text, "add", t, t);
        if (memchr(text.p, '-', text.n)) {
            define_operator(w, text, "sub", t, t);
            define_operator(w, text, "neg", t, NULL);
        }
        if (memchr(text.p, '*', text.n)) {
            define_operator(w, text, "mul", t, t->elem);
            define_operator(w, text, "mul", t->elem, t);
        }
        if (memchr(text.p, '/', text.n))
            define_operator(w, text, "div", t, t->elem);
        if (w->unread && strstr(text.p, "=="))
            cuda_define_operator(w->f->job->defs, STR("=="), t, t);
        if (memchr(text.p, '[', text.n))
            cuda_define_lanes(w->f->job->defs, t);
    }
}
