/* SPDX-License-Identifier: Apache-2.0 */
/* Matching: does a call's list of types fit a rule's pattern (cudarule_match.h), and what do the
 * codes stand for then?
 *
 *     "sL>L" with float, vec3   ->   s float, L vec3, result vec3 */
#include "cudarule/cudarule_match.h"

#include "arith/arith_op.h"
#include "base/assert.h"
#include "cudarule/cudarule_def.h"

/* A code's class and, if it has one, its only length; 0: any. TYPE_VOID: any composite. */
typedef struct code_form {
    char code;
    type_kind kind;
    int rows;
} code_form;

/* Codes of composites; their meaning is in cudarule_match.h. */
static const code_form forms[] = {
    {'V', TYPE_VEC, 0},  {'W', TYPE_VEC, 0},  {'2', TYPE_VEC, 2},       {'3', TYPE_VEC, 3},
    {'4', TYPE_VEC, 4},  {'6', TYPE_VEC, 6},  {'M', TYPE_MAT, 0},       {'N', TYPE_MAT, 0},
    {'D', TYPE_MAT, 2},  {'m', TYPE_MAT, 3},  {'h', TYPE_MAT, 4},       {'S', TYPE_MAT, 6},
    {'Q', TYPE_QUAT, 0}, {'L', TYPE_VOID, 0}, {'P', TYPE_TRANSFORM, 0},
};

/* Codes of scalars that are the same in every call. */
static bool fixed_kind(char code, type_kind *kind)
{
    switch (code) {
    case 'b': *kind = TYPE_BOOL; return true;
    case 'i': *kind = TYPE_INT32; return true;
    case 'u': *kind = TYPE_UINT32; return true;
    case 'f': *kind = TYPE_FLOAT32; return true;
    case 'k': *kind = TYPE_UINT64; return true;
    default: return false;
    }
}

/* The code's row; NULL: a code of scalars or of any value. */
static const code_form *form_of(char code)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].code == code)
            return &forms[i];
    return NULL;
}

/* A matrix of a fixed length is square. */
static bool kind_fits(const code_form *f, const type *t)
{
    if (!type_is_composite(t))
        return false;
    if (f->kind == TYPE_VOID)
        return true;
    if (t->kind != f->kind || (f->rows && t->rows != f->rows))
        return false;
    return f->kind != TYPE_MAT || !f->rows || t->cols == f->rows;
}

/* Does the type fit the code? Then the code stands for it from now on. All codes but the fixed ones
 * and 'c' share one scalar type: "Ls" takes a vec3 and a float, not a vec3 and a double. A code
 * that occurs twice is one type: "LL" takes two vec3, not a vec3 and a vec4. */
static bool bind(cuda_binding *b, char code, const type *t)
{
    type_kind kind;
    if (fixed_kind(code, &kind))
        return t->kind == kind;
    if (code >= 'X' && code <= 'Z')
        return texture_axes(t) == code - 'X' + 1;
    if (code == 'c')
        return type_is_scalar(t) && !type_is_float(t);
    const code_form *f = form_of(code);
    if (code != 'x' && (f ? !kind_fits(f, t) : code != 's' || !type_is_scalar(t)))
        return false;
    const type **known = &b->of[(uint8_t)code];
    if (*known && !type_equal(*known, t))
        return false;
    *known = t;
    const type *scalar = type_scalar_of(t);
    if (!scalar || (b->scalar && scalar != b->scalar))
        return false;
    b->scalar = scalar;
    return true;
}

/* Is the rule for this scalar? NULL: no argument has one. */
static bool scalar_fits(const char *kinds, const type *t)
{
    if (!kinds[0] || !t)
        return true;
    const bool is_signed = t->kind == TYPE_INT8 || t->kind == TYPE_INT16 || t->kind == TYPE_INT32 ||
                           t->kind == TYPE_INT64;
    const char code = type_is_float(t) ? 'F' : t->kind == TYPE_BOOL ? 'B' : is_signed ? 'I' : 'U';
    return strchr(kinds, code) != NULL;
}

/* The type that a result's code stands for. One that no argument has bound is made of the rule's
 * scalar. */
static const type *code_type(cuda_defs *n, const cuda_binding *b, char code)
{
    type_kind kind;
    if (fixed_kind(code, &kind))
        return type_scalar(n->c, kind);
    if (b->of[(uint8_t)code])
        return b->of[(uint8_t)code];
    const type *s = b->scalar ? b->scalar : type_scalar(n->c, TYPE_FLOAT32);
    const code_form *f = form_of(code);
    if (!f)
        return s;
    switch (f->kind) {
    case TYPE_VEC: return type_vec(n->c, s, f->rows);
    case TYPE_MAT: return type_mat(n->c, s, f->rows, f->rows);
    case TYPE_QUAT: return type_quat(n->c, s);
    default: return type_transform(n->c, s);
    }
}

/* The result's type of arith's row for the call, for patterns that end in ">*". */
static const type *inferred(cuda_defs *n, const char *name, const type *const *args, uint32_t nargs,
                            const type *result)
{
    arith_op op;
    const arith_request q = {.c = n->c,
                             .a = n->a,
                             .name = name,
                             .args = args,
                             .n = nargs,
                             .results = &result,
                             .nresults = result ? 1 : 0};
    return arith_find(&q, &op) && op.nresults == 1 ? op.types[op.n] : NULL;
}

/* Binds code after code, and compares the result in the end. A rule without arguments (">Q") takes
 * its scalar from the result. */
bool cuda_match(cuda_defs *n, const cuda_rule *r, const type *const *args, uint32_t nargs,
                const type *result, cuda_binding *out)
{
    WEFT_ASSERT(nargs <= CUDA_ARGS_MAX);
    *out = (cuda_binding){.nargs = nargs};
    const char *p = r->pattern;
    for (uint32_t i = 0; i < nargs; i++, p++) {
        out->by_reference[i] = *p == '&';
        p += *p == '&';
        if (*p == '>' || !*p || !bind(out, *p, args[i]))
            return false;
        out->args[i] = args[i];
    }
    if (*p != '>' || !scalar_fits(r->kinds, out->scalar))
        return false;
    if (!nargs && result)
        out->scalar = type_scalar_of(result);
    if (!out->scalar)
        out->scalar = type_scalar(n->c, TYPE_FLOAT32);
    if (p[1] == '*')
        out->result = inferred(n, r->name, args, nargs, result);
    else if (p[1])
        out->result = code_type(n, out, p[1]);
    return !result || !out->result || type_equal(result, out->result);
}
