/* SPDX-License-Identifier: Apache-2.0 */
/* The words of Warp's headers in a native snippet, as plain CUDA C++. For cuda_snippet.c.
 *
 *     wp::address(x, i)    (&x[i])             wp::vec3 d = q - p;   vec3 d = q - p;
 *     x.data[i]   x.data   x[i]   x            wp::vec3 sum;         vec3 sum = {};
 *     x.shape[0]           x_n                 wp::vec3(a, b, c)     make_vec3(a, b, c)
 *     wp::float32          float               wp::dot(a, b)         dot(a, b)
 *     d.c[0]               d[0]                m.data[0][1]          m.m[0][1]
 *
 * The text is replaced word by word and not parsed: it may have anything of C++. So the types of a
 * call's arguments are not known here. They are those that src/native finds where it can execute
 * the snippet. Of others, which have shuffles, say, a function is defined for all types that the
 * snippet has: those of its parameters and of their elements, those that it names, and results of
 * such functions. What has no plain form stays and is found by cuda_foreign_word. */
#include "cuda/cuda_snippet_words.h"

#include "base/ascii.h"
#include "cuda/cuda_layout.h"
#include "cuda/cuda_string.h"
#include "cuda/cuda_tree.h"
#include "cuda/cuda_varname.h"
#include "cudarule/cudarule_function.h"

static bool is_letter(char ch)
{
    return ch == '_' || ascii_is_digit(ch) || ascii_is_letter(ch);
}

static size_t word_length(const char *p)
{
    const bool number = p[0] >= '0' && p[0] <= '9';
    size_t n = 0;
    while (is_letter(p[n]) || (number && n && p[n] == '\'' && is_letter(p[n + 1]))) /* 1'000 */
        n++;
    return n;
}

static const char *behind_blanks(const char *p)
{
    while (*p == ' ' || *p == '\n' || *p == '\t')
        p++;
    return p;
}

/* ---- types */

/* "3" of "<3, wp::float32>"; 0: there is no number. */
static int extent(const char **p)
{
    int n = 0;
    const char *at = behind_blanks(*p);
    while (ascii_is_digit(*at) && n < 100)
        n = n * 10 + (*at++ - '0');
    at = behind_blanks(at);
    if (*at != ',')
        return 0;
    *p = at + 1;
    return n;
}

static const type *type_named(const snippet_words *w, str word)
{
    const type *t = type_by_name(w->f->c, sym_intern(&w->f->c->syms, word.p, word.n));
    return t && type_is_value(t) ? t : NULL;
}

/* The type that begins behind "wp::", and how long its name is. NULL: it is none. */
static const type *type_at(const snippet_words *w, const char *p, size_t *n)
{
    const str word = {p, word_length(p)};
    const bool vec = str_eq(word, STR("vec_t")), mat = str_eq(word, STR("mat_t")),
               quat = str_eq(word, STR("quat_t")), transform = str_eq(word, STR("transform_t"));
    *n = word.n;
    if (!vec && !mat && !quat && !transform)
        return type_named(w, word);
    const char *at = p + word.n;
    if (*at++ != '<')
        return NULL;
    const int rows = vec || mat ? extent(&at) : 1, cols = mat ? extent(&at) : 1;
    at = behind_blanks(at);
    at += strncmp(at, "wp::", 4) == 0 ? 4 : 0;
    const str item = {at, word_length(at)};
    const type *elem = str_eq(item, STR("float"))    ? type_scalar(w->f->c, TYPE_FLOAT32)
                       : str_eq(item, STR("double")) ? type_scalar(w->f->c, TYPE_FLOAT64)
                       : item.n                      ? type_named(w, item)
                                                     : NULL;
    at = behind_blanks(at + item.n);
    if (!elem || !type_is_scalar(elem) || rows < 1 || cols < 1 || rows * cols > 100 || *at != '>')
        return NULL;
    *n = (size_t)(at + 1 - p);
    ctx *c = w->f->c;
    return vec    ? type_vec(c, elem, rows)
           : mat  ? type_mat(c, elem, rows, cols)
           : quat ? type_quat(c, elem)
                  : type_transform(c, elem);
}

/* ---- parameters */

/* The parameter of the name, or whose adjoint has it. */
static cv *param_of(const snippet_words *w, str word)
{
    if (str_starts(word, "adj_"))
        word = (str){word.p + 4, word.n - 4};
    for (uint32_t i = 0; i < w->u->nparams; i++)
        if (word.n && str_eq(sym_str(w->u->code->params[i].name), word))
            return &w->f->vars.v[w->u->params[i]];
    return NULL;
}

/* Has a struct of a parameter such a field? An array: it is a pointer in the program's struct. */
static bool is_field(const snippet_words *w, str word, bool array)
{
    for (uint32_t i = 0; i < w->u->nparams; i++) {
        const type *t = type_strip_ref(w->u->vars.v[w->u->params[i]].type);
        t = t->kind == TYPE_ARRAY ? t->elem : t;
        for (uint32_t k = 0; t->kind == TYPE_STRUCT && k < t->st->nfields; k++)
            if (str_eq(sym_str(t->st->fields[k].name), word) &&
                (!array || t->st->fields[k].type->kind == TYPE_ARRAY))
                return true;
    }
    return false;
}

/* ---- calls */

/* Arguments from behind the parenthesis on. */
static uint32_t count_args(const char *p)
{
    uint32_t n = *behind_blanks(p) != ')';
    int depth = 0;
    for (; *p && (depth || *p != ')'); p++) {
        depth += *p == '(' || *p == '{' || *p == '[';
        depth -= *p == ')' || *p == '}' || *p == ']';
        n += !depth && *p == ',';
    }
    return n;
}

/* Has the snippet a word of its own, not behind "wp::", that is the same? */
static bool has_word(const snippet_words *w, str wanted)
{
    for (const char *p = w->text; *p;) {
        const size_t n = word_length(p);
        const bool behind = p - w->text >= 2 && p[-1] == ':' && p[-2] == ':';
        if (n && !behind && str_eq((str){p, n}, wanted))
            return true;
        p += n ? n : 1;
    }
    return param_of(w, wanted) != NULL;
}

/* "dot", or "dot_" where the snippet has a variable dot. */
static str function_name(snippet_words *w, str native)
{
    str name = cuda_global_name(w->f->job, native);
    while (has_word(w, name))
        name = cuda_next_name(w->f, name);
    return cuda_helper_name(w->f->job->defs, name);
}

/* What the program calls the function. NULL: there are too many. */
static const snippet_call *note_call(snippet_words *w, str native, str name, uint32_t nargs,
                                     const type *made)
{
    for (uint32_t i = 0; i < w->ncalls; i++)
        if (str_eq(w->calls[i].native, native) && w->calls[i].nargs == nargs &&
            w->calls[i].made == made)
            return &w->calls[i];
    if (w->ncalls == SNIPPET_CALLS || nargs > SNIPPET_MAKES)
        return NULL;
    w->calls[w->ncalls] = (snippet_call){native, name, nargs, made};
    return &w->calls[w->ncalls++];
}

static const snippet_call *note_make(snippet_words *w, const type *t, uint32_t nargs)
{
    const str name =
        cuda_sprintf(w->f, "make_%.*s", (int)cuda_type_text(w->f, t).n, cuda_type_text(w->f, t).p);
    return note_call(w, t->pyname, cuda_helper_name(w->f->job->defs, name), nargs, t);
}

/* Behind a type, with "(": a value of it; with a name: a variable, which Warp sets to zero unless
 * it has a value. Returns how much of the text it takes; SIZE_MAX: there is no plain form. */
static size_t put_behind_type(snippet_words *w, const type *t, const char *p)
{
    const str name = cuda_type_text(w->f, t);
    if (*p == '(' && type_is_scalar(t)) { /* "long long(x)" is no C++ */
        sb_printf(&w->out, "(%.*s)", (int)name.n, name.p);
        return 0;
    }
    if (*p == '(') {
        const snippet_call *x = note_make(w, t, count_args(p + 1));
        if (x)
            sb_str(&w->out, x->name);
        return x ? 0 : SIZE_MAX;
    }
    sb_str(&w->out, name);
    const char *from = behind_blanks(p), *end = from + word_length(from), *at = behind_blanks(end);
    if (type_is_scalar(t) || end == from || w->shared || (w->depth && *at != ';'))
        return 0; /* among parentheses it is a parameter */
    if (*at != ';' && *at != '(')
        return *at == ',' || *at == '[' ? SIZE_MAX : 0;
    sb_put(&w->out, p, (size_t)(end - p));
    const snippet_call *x = *at == '(' ? note_make(w, t, count_args(at + 1)) : NULL;
    if (*at == '(' && !x)
        return SIZE_MAX;
    SB_LIT(&w->out, " = ");
    sb_str(&w->out, x ? x->name : STR("{}"));
    return (size_t)(at - p);
}

/* "wp::address(x, i)", from the word on. */
static size_t put_address(snippet_words *w, const char *p)
{
    const char *at = p + sizeof "address" - 1;
    const str name = {at + 1, word_length(at + 1)};
    const cv *v = param_of(w, name);
    const char *behind = name.p + name.n;
    if (*at != '(' || w->nends == SNIPPET_ADDRESSES || !v || v->type->kind != TYPE_ARRAY ||
        v->type->ndim != 1 || *behind != ',')
        return SIZE_MAX;
    SB_LIT(&w->out, "(&");
    sb_str(&w->out, name);
    sb_char(&w->out, '[');
    w->ends[w->nends].end = ']';
    w->ends[w->nends++].depth = w->depth++;
    return (size_t)(behind_blanks(behind + 1) - p);
}

/* What "wp::" begins, from behind it on, in plain words. Returns how much it takes; SIZE_MAX: there
 * are none. */
static size_t put_plain(snippet_words *w, const char *p)
{
    size_t n;
    const str word = {p, word_length(p)};
    if (str_eq(word, STR("address")))
        return put_address(w, p);
    const type *t = type_at(w, p, &n);
    if (t) {
        cuda_snippet_add_type(w, t);
        const size_t more = put_behind_type(w, t, p + n);
        return more == SIZE_MAX ? more : n + more;
    }
    if (!word.n || p[word.n] != '(')
        return SIZE_MAX;
    const str native = {arena_dup(&w->f->c->module, word.p, word.n), word.n};
    const snippet_call *x =
        note_call(w, native, function_name(w, native), count_args(p + word.n + 1), NULL);
    if (x)
        sb_str(&w->out, x->name);
    return x ? word.n : SIZE_MAX;
}

/* What a point begins. Returns how much it takes; SIZE_MAX: nothing. */
static size_t put_member(snippet_words *w, const char *p, bool adjacent)
{
    cv *v = adjacent ? param_of(w, w->last) : NULL;
    const str word = {p + 1, word_length(p + 1)};
    const size_t n = 1 + word.n;
    if (str_eq(word, STR("data"))) {
        if ((v && v->type->kind == TYPE_ARRAY) || (adjacent && !v && is_field(w, w->last, true)))
            return n;
        if (v || p[n] != '[' || !cuda_snippet_has(w, TYPE_MAT))
            return SIZE_MAX;
        SB_LIT(&w->out, ".m");
        return n;
    }
    if (str_eq(word, STR("shape")) && v && v->type->kind == TYPE_ARRAY && p[n] == '[' &&
        p[n + 1] >= '0' && p[n + 1] < '0' + v->type->ndim && p[n + 2] == ']') {
        const uint32_t dim = (uint32_t)(p[n + 1] - '0');
        w->out.n -= w->last.n;
        sb_str(&w->out, cuda_size_name(w->f, w->last, dim, (uint32_t)v->type->ndim));
        v->sizes |= (uint8_t)(1u << dim);
        return n + 3;
    }
    if (str_eq(word, STR("c")) && p[n] == '[' && !is_field(w, word, false))
        return n;
    return SIZE_MAX;
}

/* A character that begins no word. */
static void put_other(snippet_words *w, char ch)
{
    w->depth += ch == '(';
    w->depth -= ch == ')' && w->depth;
    w->shared &= ch != ';' && ch != '{' && ch != '}';
    if (ch == ')' && w->nends && w->ends[w->nends - 1].depth == w->depth)
        sb_char(&w->out, w->ends[--w->nends].end);
    sb_char(&w->out, ch);
}

/* A comment, a string, or a character in quotes, as it is: its length; 0: none begins here. */
static size_t skipped(const char *p)
{
    const char *end = NULL;
    if (p[0] == '/' && p[1] == '/')
        end = p + strcspn(p, "\n");
    else if (p[0] == '/' && p[1] == '*')
        end = strstr(p + 2, "*/") ? strstr(p + 2, "*/") + 2 : p + strlen(p);
    if (end || (*p != '"' && *p != '\''))
        return end ? (size_t)(end - p) : 0;
    size_t n = 1;
    while (p[n] && p[n] != *p && p[n] != '\n')
        n += p[n] == '\\' && p[n + 1] ? 2 : 1;
    return n + (p[n] == *p);
}

/* A word of C++. Scalars are types of the snippet; the program has no <stdint.h>, which Warp's
 * headers include. */
static size_t put_word(snippet_words *w, const char *p)
{
    static const struct {
        const char *word;
        type_kind kind;
    } scalars[] = {{"float", TYPE_FLOAT32},   {"double", TYPE_FLOAT64}, {"int", TYPE_INT32},
                   {"int8_t", TYPE_INT8},     {"uint8_t", TYPE_UINT8},  {"int16_t", TYPE_INT16},
                   {"uint16_t", TYPE_UINT16}, {"int32_t", TYPE_INT32},  {"uint32_t", TYPE_UINT32},
                   {"int64_t", TYPE_INT64},   {"uint64_t", TYPE_UINT64}};
    static const char *const joined[] = {"unsigned", "signed", "short", "long", "operator"};
    const str word = {p, word_length(p)};
    const bool joins = STR_IS_IN(w->last, joined);
    w->last = word;
    w->shared |= str_eq(word, STR("__shared__"));
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (str_eq(word, str_c(scalars[i].word))) {
            const type *t = type_scalar(w->f->c, scalars[i].kind);
            cuda_snippet_add_type(w, t);
            if (joins) /* "unsigned int", "operator float()" */
                break;
            if (w->out.n >= 5 && memcmp(w->out.p + w->out.n - 5, "std::", 5) == 0)
                w->out.n -= 5; /* "unsigned int" is no name of its own */
            return word.n + put_behind_type(w, t, p + word.n);
        }
    sb_str(&w->out, word);
    return word.n;
}

static void walk(snippet_words *w, const char *text)
{
    for (const char *p = text; *p;) {
        const bool adjacent = w->last.n && w->last.p + w->last.n == p;
        size_t n = skipped(p);
        if (n) {
            sb_put(&w->out, p, n);
            p += n;
        } else if (strncmp(p, "wp::", 4) == 0 && (n = put_plain(w, p + 4)) != SIZE_MAX) {
            p += 4 + n;
        } else if (*p == '.' && (n = put_member(w, p, adjacent)) != SIZE_MAX) {
            p += n;
        } else if (is_letter(*p)) {
            p += put_word(w, p);
        } else {
            put_other(w, *p++);
        }
    }
}

str cuda_foreign_word(str text)
{
    static const char *const foreign[] = {"wp::",  ".data", ".shape",       ".strides",
                                          ".grad", "WP_",   "CUDA_CALLABLE"};
    for (size_t i = 0, n; i < text.n; i += n) {
        n = skipped(text.p + i);
        for (size_t k = 0; !n && k < sizeof foreign / sizeof *foreign; k++)
            if (str_starts((str){text.p + i, text.n - i}, foreign[k])) {
                n = strlen(foreign[k]);
                return (str){text.p + i, n + word_length(text.p + i + n)};
            }
        n += !n;
    }
    return (str){NULL, 0};
}

bool cuda_snippet_is_flat(const char *text, str name)
{
    for (const char *p = text; *p;) {
        const size_t skip = skipped(p), n = skip ? 0 : word_length(p);
        const str word = {p, n};
        p += skip ? skip : n ? n : 1;
        if (n && str_eq(word, name) && strncmp(p, ".data", 5) != 0 && strncmp(p, ".shape", 6) != 0)
            return false;
    }
    return true;
}

str cuda_plain_words(cuda_fn *f, const char *text)
{
    snippet_words w = {.f = f, .u = f->u, .text = text};
    sb_init(&w.out, &f->c->mem);
    cuda_snippet_add_type(&w, cuda_int(f)); /* of numbers */
    for (uint32_t i = 0; i < f->u->nparams; i++)
        cuda_snippet_add_types(&w, f->u->vars.v[f->u->params[i]].type);
    const type *result = cuda_snippet_result(f->u);
    if (result)
        cuda_snippet_add_types(&w, result);
    walk(&w, text);
    cuda_snippet_read(&w, text);
    const str plain = cuda_keep(f, &w.out);
    const bool composite = cuda_snippet_has(&w, TYPE_VEC) || cuda_snippet_has(&w, TYPE_MAT) ||
                           cuda_snippet_has(&w, TYPE_QUAT);
    const str none = cuda_snippet_define(&w);
    if (none.n)
        return cuda_sprintf(f, "wp::%.*s", (int)none.n, none.p);
    if (composite)
        cuda_snippet_operators(&w, plain);
    return plain;
}
