/* SPDX-License-Identifier: Apache-2.0 */
/* Native snippets (@wp.func_native): the user's text within a head made from the annotations, its
 * parameters by their names in Python. For cuda_func.c.
 *
 *     @wp.func_native("y[i] = 2.0f * x[i];")
 *     def twice(x: wp.array(dtype=float), y: wp.array(dtype=float), i: int): ...
 *     ->
 *     __device__ void twice(float *x, float *y, int i)
 *     {
 *         y[i] = 2.0f * x[i];
 *     }
 *
 * Arrays of one dimension are pointers there: x[i] means the same of Warp's array and of a pointer.
 * What Warp's headers have a word for is put in plain words where it is one:
 *
 *     wp::address(x, i)   (&x[i])        x.data[i]   x[i]        wp::float32   float
 *
 * A text with others of their words, or other members of its arrays, has no plain form. */
#include "cuda/cuda_form.h"
#include "cuda/cuda_func.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_param.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_unit.h"
#include "cuda/cuda_unsupported.h"

static bool contains(const char *text, const char *word)
{
    return text && strstr(text, word);
}

/* A word of Warp's headers, or a member of its arrays, that the text uses; NULL: none. */
static const char *foreign(const char *text)
{
    static const char *const words[] = {"wp::",  ".data", ".shape",       ".strides",
                                        ".grad", "WP_",   "CUDA_CALLABLE"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (contains(text, words[i]))
            return words[i];
    return NULL;
}

static bool is_letter(char ch)
{
    return ch == '_' || (ch >= '0' && ch <= '9') || ((ch | 32) >= 'a' && (ch | 32) <= 'z');
}

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (is_letter(p[n]))
        n++;
    return n;
}

/* Is it the name of a parameter that is an array, or adj_ before one? */
static bool is_array(const ir_unit *u, str word)
{
    if (str_starts(word, "adj_"))
        word = (str){word.p + 4, word.n - 4};
    for (uint32_t i = 0; i < u->nparams; i++)
        if (u->vars.v[u->params[i]].type->kind == TYPE_ARRAY &&
            str_eq(sym_str(u->code->params[i].name), word))
            return true;
    return false;
}

/* Columns: a scalar of Warp's headers, without wp::; its plain name. */
static const char *const scalars[][2] = {
    {"float32", "float"},    {"float64", "double"},
    {"int8", "signed char"}, {"uint8", "unsigned char"},
    {"int16", "short"},      {"uint16", "unsigned short"},
    {"int32", "int"},        {"uint32", "unsigned int"},
    {"int64", "long long"},  {"uint64", "unsigned long long"},
};

enum { ADDRESSES = 16 };

/* The places in parentheses where a wp::address(x, i) ends: their depths. */
typedef struct addresses {
    uint32_t ends[ADDRESSES], n, depth;
} addresses;

/* What "wp::" begins, from behind it on, in plain words. Returns how much it takes; 0: there are
 * none, or too many. */
static size_t put_plain(const ir_unit *u, strbuf *out, const char *p, addresses *open)
{
    const str word = {p, word_length(p)};
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (str_eq(word, str_c(scalars[i][0]))) {
            sb_c(out, scalars[i][1]);
            return word.n;
        }
    if (!str_eq(word, STR("address")) || p[word.n] != '(' || open->n == ADDRESSES)
        return 0;
    const str name = {p + word.n + 1, word_length(p + word.n + 1)};
    if (!is_array(u, name) || name.p[name.n] != ',')
        return 0;
    SB_LIT(out, "(&");
    sb_str(out, name);
    sb_char(out, '[');
    open->ends[open->n++] = open->depth++;
    size_t n = word.n + 1 + name.n + 1;
    while (p[n] == ' ')
        n++;
    return n;
}

/* The text without words of Warp's headers, as far as they have plain ones. */
static const char *plain_words(cuda_fn *f, const char *text)
{
    strbuf out;
    sb_init(&out, &f->c->mem);
    addresses open = {.n = 0};
    str last = {text, 0}; /* the word before */
    for (const char *p = text; *p;) {
        size_t n = 0;
        if (strncmp(p, "wp::", 4) == 0)
            n = put_plain(f->u, &out, p + 4, &open);
        if (n) {
            p += 4 + n;
        } else if (strncmp(p, ".data[", 6) == 0 && last.p + last.n == p && is_array(f->u, last)) {
            p += 5;
        } else if (is_letter(*p)) {
            last = (str){p, word_length(p)};
            sb_str(&out, last);
            p += last.n;
        } else {
            open.depth += *p == '(';
            open.depth -= *p == ')' && open.depth;
            const bool ends = *p == ')' && open.n && open.ends[open.n - 1] == open.depth;
            open.n -= ends;
            if (ends)
                sb_char(&out, ']');
            sb_char(&out, *p++);
        }
    }
    return cuda_keep(f, &out).p;
}

/* The text without the empty lines around it. A first line without indent gets one. */
static void put_text(strbuf *b, const char *text)
{
    size_t n = strlen(text);
    while (n && strchr(" \n\t\r", text[n - 1]))
        n--;
    const char *from = text;
    while (from < text + n && (*from == '\n' || *from == '\r'))
        from++;
    if (from < text + n && *from != ' ' && *from != '\t')
        SB_LIT(b, "    ");
    sb_put(b, from, (size_t)(text + n - from));
}

/* Marks every parameter as used, under its own name: the text may use it, and weft does not read
 * it. */
static void use_params(cuda_fn *f, bool adjoint)
{
    const ir_unit *u = f->u;
    for (uint32_t i = 0; i < u->nparams; i++) {
        cv *v = &f->vars.v[u->params[i]], *a = &f->vars.v[u->vars.n + u->params[i]];
        const bool array = v->type->kind == TYPE_ARRAY;
        if (array && (v->type->ndim != 1 || v->type->array_class != ARRAY_PLAIN))
            cuda_unsupported(f, "a native snippet with such an array");
        v->mentioned = true;
        v->written = array || v->type->kind == TYPE_REF;
        v->name = sym_str(u->code->params[i].name);
        if (!adjoint || cuda_is_integral(array ? v->type->elem : v->type))
            continue;
        a->mentioned = a->written = true;
        a->param = array;
        a->out = !array;
        a->name = cuda_sprintf(f, "adj_%.*s", (int)v->name.n, v->name.p);
    }
}

/* The function's text as its form. `adjoint`: `text` is the snippet for the backward pass, whose
 * function takes the adjoints too, that of the result as adj_ret. */
void cuda_make_snippet(cuda_job *job, cuda_form *form, const ir_unit *u, bool adjoint,
                       const char *text)
{
    WEFT_ASSERT(u->func && u->func->snippet);
    cuda_fn *f = cuda_fn_new(job, u, false);
    const type *result = cuda_snippet_result(u);
    text = plain_words(f, text);
    const char *word = foreign(text);
    if (word) {
        cuda_unsupported_str(f, cuda_sprintf(f, "a native snippet that uses '%s'", word));
        return;
    }
    use_params(f, adjoint);
    strbuf b;
    sb_init(&b, &f->c->mem);
    cuda_params params = {0};
    cuda_list_params(f, &params);
    const str t = result ? cuda_type_text(f, result) : STR("void");
    if (adjoint && result) {
        const cuda_param p = {.type = result,
                              .type_text = cuda_sprintf(f, "%.*s &", (int)t.n, t.p),
                              .name = STR("adj_ret")};
        VEC_PUSH(&f->c->module, &params, p);
    }
    const str before =
        adjoint ? STR("__device__ void ") : cuda_sprintf(f, "__device__ %.*s ", (int)t.n, t.p);
    cuda_put_signature(f, &b, before.p, form->name, &params, (str){NULL, 0});
    SB_LIT(&b, "\n{\n");
    put_text(&b, text);
    cuda_use_externs_of(job->defs, str_c(text));
    SB_LIT(&b, "\n}\n");
    form->text = cuda_keep(f, &b);
    form->u = u;
    cuda_finish_form(f, form, false);
}
