/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a rule's text, and what they name. For the readers of expressions and statements
 * (cudarule_expr.c, cudarule_stmt.c), which move cuda_run.p through the text.
 *
 * A word is a variable of the rule (an argument, a local, an adjoint), a builtin, or a type:
 *
 *     T                        the scalar of the rule
 *     R                        the result's type
 *     A, B, ...                the arguments' types
 *     elem, inner              the scalar of the result, and that of the first argument
 *     vec3, mat33, quat, ...   types of the rule's scalar
 *     int, uint, bool, float, double, ulong
 *
 *     "A t = transpose(a);" for a mat33 of doubles   ->   mat33d t = transpose(a);
 *
 * The text has no comments, and blanks only between words. It is part of the program: what it lacks
 * is a fault of the tables, which debug builds assert. */
#include "cudarule/cudarule_reader.h"

#include "base/ascii.h"
#include "base/assert.h"
#include "cudarule/cudarule_def.h"
#include "cudarule/cudarule_type.h"

void cuda_skip_space(cuda_run *r)
{
    while (*r->p == ' ' || *r->p == '\n')
        r->p++;
}

bool cuda_accept(cuda_run *r, const char *token)
{
    cuda_skip_space(r);
    if (*r->p != *token)
        return false;
    const size_t n = strlen(token);
    if (strncmp(r->p, token, n) != 0)
        return false;
    r->p += n;
    return true;
}

void cuda_expect(cuda_run *r, const char *token)
{
    const bool found = cuda_accept(r, token);
    WEFT_ASSERT(found);
    (void)found;
}

/* Of identifiers, in any locale. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

str cuda_word(cuda_run *r)
{
    cuda_skip_space(r);
    const char *from = r->p;
    if (is_letter(*r->p))
        while (is_letter(*r->p) || ascii_is_digit(*r->p))
            r->p++;
    return (str){from, (size_t)(r->p - from)};
}

/* From the last to the first: an inner variable hides an outer one. NULL: there is none. */
cuda_var *cuda_var_find(cuda_run *r, str name)
{
    for (uint32_t i = r->vars.n; i > 0; i--)
        if (str_eq(r->vars.v[i - 1].name, name))
            return &r->vars.v[i - 1];
    return NULL;
}

/* NULL: the word names no type. */
const type *cuda_named_type(cuda_run *r, str name)
{
    static const struct {
        const char *name;
        char class;
        int rows;
    } names[] = {{"vec2", 'v', 2},  {"vec3", 'v', 3},  {"vec4", 'v', 4},
                 {"vec6", 'v', 6},  {"mat22", 'm', 2}, {"mat33", 'm', 3},
                 {"mat44", 'm', 4}, {"quat", 'q', 4},  {"transform", 't', 7}};
    static const struct {
        const char *name;
        type_kind kind;
    } scalars[] = {{"int", TYPE_INT32},     {"uint", TYPE_UINT32},    {"bool", TYPE_BOOL},
                   {"float", TYPE_FLOAT32}, {"double", TYPE_FLOAT64}, {"ulong", TYPE_UINT64}};
    ctx *c = r->n->c;
    WEFT_ASSERT(name.n);
    const type *s = r->b->scalar;
    if (str_eq(name, STR("elem"))) /* of the result */
        return type_scalar_of(r->b->result);
    if (str_eq(name, STR("inner"))) /* of the first argument */
        return type_scalar_of(r->b->args[0]);
    if (name.n == 1) {
        const char code = name.p[0];
        if (code == 'T' || code == 'R')
            return code == 'T' ? s : r->b->result;
        const uint32_t i = (uint32_t)(code - 'A');
        return code >= 'A' && i < r->b->nargs ? r->b->args[i] : NULL;
    }
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (str_eq(name, str_c(scalars[i].name)))
            return type_scalar(c, scalars[i].kind);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!str_eq(name, str_c(names[i].name)))
            continue;
        const int n = names[i].rows;
        return names[i].class == 'v'   ? type_vec(c, s, n)
               : names[i].class == 'm' ? type_mat(c, s, n, n)
               : names[i].class == 'q' ? type_quat(c, s)
                                       : type_transform(c, s);
    }
    return NULL;
}

void cuda_put_line(cuda_run *r, str text)
{
    cuda_add_line(r->n, r->out, text);
}

cuda_code *cuda_put_loop(cuda_run *r, str i, str from, str to)
{
    cuda_code *loop = cuda_add_code(r->n, r->out, CUDA_CODE_LOOP);
    loop->text = cuda_text(r->n, "for (int @ = @; @ < @; @++)", i, from, i, to, i);
    return loop;
}

/* A loop over rows from `from` on, and for a matrix one over columns in it. `outer` marks for the
 * printer that the first has one statement, which needs no braces. */
void cuda_put_loops(cuda_run *r, const type *t, int from)
{
    WEFT_ASSERT(type_is_composite(t) && !cuda_has_letters(t));
    cuda_code *loop = cuda_put_loop(r, cuda_loop_name(r->n, false), cuda_decimal(r->n, from),
                                    cuda_decimal(r->n, t->rows));
    r->out = &loop->body;
    if (t->kind != TYPE_MAT)
        return;
    loop->outer = true;
    loop = cuda_put_loop(r, cuda_loop_name(r->n, true), STR("0"), cuda_decimal(r->n, t->cols));
    r->out = &loop->body;
}
