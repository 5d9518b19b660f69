/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a purpose, copied from left to right into the body of a kernel.
 *
 * In a row's text stand
 *
 *     {a|b|c}          one of these, drawn; choices may stand in choices
 *     $x  $x@          the name of a thing, and its element at the thread's own indexes
 *     $0  %A           a thread index; the size of a dimension: 0 to 2 are those of the launch
 *     ~f ~v ~m ~i ~u   a type's name: the kernel's float, vector, matrix; int, uint
 *     #0.5             a number of the kernel's float type
 *     ^f ^e ^c ^k      a small expression, a variable, a condition, a positive number
 *     ^s ^t            a factor, what something is compared with
 *     # ...            a line that begins so is a comment, which not all people write
 *
 * and its things are "key=name/other name:kind.type.dimensions" with the kinds in (an array that is
 * read), own (each thread's own element), add (atomic sums), arg, loc (a local variable; at the end
 * its magnitude) and res (one that nothing has used yet). A thing exists once the text has named
 * it, so forms that do not need an argument leave it out of the signature. */
#include "gen/gen_idiom_text.h"

#include "gen/gen_arg.h"
#include "gen/gen_expr.h"
#include "gen/gen_literal.h"
#include "gen/gen_names.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"

/* --- things --------------------------------------------------------------------------------- */

/* The letter of a type. Vectors and matrices have no more than 4 rows, for which Warp has names. */
static gtype type_of(const gen *g, char c)
{
    switch (c) {
    case 'v': return gt_vec(g->s.sc, min_int(g->vec_rows, 4));
    case 'm': return gt_mat(g->s.sc, min_int(g->vec_rows, 4), min_int(g->vec_rows, 4));
    case 'i': return g->in;
    case 'u': return gt_scalar(GS_U32);
    case 'b': return gt_scalar(GS_BOOL);
    default: return g->s;
    }
}

/* The dimension of a character: 0 to 2 are the launch's, t is a single element, other letters are
 * any size; one dimension for each letter. */
static uint8_t dim_of(idiom_writer *w, char c)
{
    if (c >= '0' && c <= '2')
        return (uint8_t)(c - '0');
    uint8_t *d = &w->dims[(unsigned char)c];
    if (!*d)
        /* The letter t is for totals: arrays of one element. */
        *d = (uint8_t)(1 + (c == 't' ? dim_new(w->g, DIM_FIXED, 1) : dim_new(w->g, DIM_FREE, 0)));
    return (uint8_t)(*d - 1);
}

/* An array of a thing. One over the whole launch that the row thinks of gets further dimensions of
 * the launch as well: see dimensions(). Only such a one has an element at the thread's own
 * indexes. */
static void make_array(idiom_writer *w, idiom_thing *x, const char *dims)
{
    gen *g = w->g;
    uint8_t list[RANK_MAX];
    int rank = 0;
    bool own = true;
    for (; *dims && *dims != ' '; dims++) {
        own &= *dims >= '0' && *dims <= '2';
        list[rank++] = dim_of(w, *dims);
    }
    /* The row thinks of a launch of ndim dimensions; where the kernel has more, arrays over all of
     * them get the others too. */
    for (bool all = own && rank == g->idiom->ndim; all && rank < g->params.launch_dims; rank++)
        list[rank] = (uint8_t)rank;
    const arg_mode mode = x->kind == 'i' ? ARG_IN : x->kind == 'o' ? ARG_OWN : ARG_ATOMIC;
    garg *a =
        arg_named(g, mode, x->t, list, rank, x->kind == 'i' ? NAME_SCALAR_ARRAY : NAME_OUTPUT);
    x->arg = (uint8_t)(a - g->params.args + 1);
    x->name = a->name;
    if (!own)
        return;
    /* Holes may read inputs; outputs are the text's alone. */
    gvar *v = arg_element(g, a, x->kind == 'i' ? 0 : V_HIDDEN);
    v->uses = 1;
    x->element = (str){v->s, v->n};
    if (x->kind == 'o')
        g->params.goal = (uint8_t)(a - g->params.args);
}

/* Is what might be an argument an array, with a number for each thread? Seldom; and never in the
 * category that is about scalar arguments. */
static bool varies_by_thread(gen *g, gtype t)
{
    return gt_is_float(t) && g->category != GEN_SCALAR_PARAM && below(g, 6) == 0;
}

/* Makes the argument or variable of one thing of the row, "key=names:kind.type.rest". The next name
 * is one of `names` (names.hint). */
static void make_thing(idiom_writer *w, idiom_thing *x, const char *row)
{
    WEFT_ASSERT(strchr(row, ':'));
    static const char *const dims[] = {"", "0", "01", "012"};
    gen *g = w->g;
    const char *colon = strchr(row, ':');
    char list[96];
    size_t n = (size_t)(colon - row);
    if (n >= sizeof list)
        n = sizeof list - 1;
    memcpy(list, row, n);
    list[n] = 0;
    /* The kind by its first letter; arg is r, since add is a, and res is s. */
    x->kind = colon[1] == 'a' && colon[2] == 'r' ? 'r' : colon[1] == 'r' ? 's' : colon[1];
    const char *type = strchr(colon, '.') + 1;
    const char *rest = type[1] == '.' ? type + 2 : "";
    x->t = type_of(g, *type);
    g->names.hint = list;
    if (x->kind == 'r' && varies_by_thread(g, x->t)) {
        x->kind = 'i';
        make_array(w, x, dims[g->idiom->ndim]);
        /* The text writes it by name, where an array needs its element. */
        x->name = x->element;
    } else if (x->kind == 'r') {
        /* Beyond those that expressions may add: the text brings its own. */
        g->params.scalars++;
        gvar *v = arg_scalar(g, x->t);
        v->uses = 1;
        x->name = (str){v->s, v->n};
    } else if (x->kind == 'l' || x->kind == 's') {
        x->name = name_new(g, role_of_local(x->t));
        x->mag = 0;
        /* The magnitude that the row states. */
        for (; *rest >= '0' && *rest <= '9'; rest++)
            x->mag = 10 * x->mag + (*rest - '0');
    } else {
        make_array(w, x, rest);
    }
    g->names.hint = NULL;
}

/* The thing of a key; made when it is named first. */
idiom_thing *idiom_thing_of(idiom_writer *w, const char *key, size_t n)
{
    for (int i = 0; i < w->nthings; i++)
        if (strlen(w->things[i].key) == n && memcmp(w->things[i].key, key, n) == 0)
            return &w->things[i];
    const char *row = w->g->idiom->things;
    /* Each key of a text stands among the things of its row. */
    while (!(strncmp(row, key, n) == 0 && row[n] == '='))
        row = strchr(row, ' ') + 1;
    WEFT_ASSERT(w->nthings < THINGS_MAX && n < KEY_MAX);
    idiom_thing *x = &w->things[w->nthings++];
    *x = (idiom_thing){.inner = w->spaces > 0 || w->heads_loop};
    memcpy(x->key, key, n);
    make_thing(w, x, row + n + 1);
    return x;
}

/* --- text ----------------------------------------------------------------------------------- */

/* May the character stand in a name? */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Marks NAME of "wp.NAME(" as used, for the metadata. */
static void note_builtin(gen *g, const char *p)
{
    size_t n = 0;
    while (is_letter(p[n]))
        n++;
    /* A choice of names, {wp.sin|wp.cos}(x), ends them by its own signs. */
    const bool called = p[n] == '(' || p[n] == '|' || p[n] == '}';
    for (uint32_t i = 0; called && i < gen_builtin_count(); i++) {
        const char *name = gen_builtin_name(i);
        if (strlen(name) == n && memcmp(name, p, n) == 0) {
            g->coverage.used[i >> 6] |= UINT64_C(1) << (i & 63);
            return;
        }
    }
}

/* Indents a line. Comments are left out unless the author writes them. Blank lines may stand
 * between lines of the outermost block. */
static void begin_line(idiom_writer *w, const char *p)
{
    gen *g = w->g;
    w->line_begins = false;
    w->heads_loop = strncmp(p, "for ", 4) == 0;
    /* Of the authors who write comments at all, most write those of the text. */
    if (*p == '#' && p[1] == ' ' && !(g->names.style.comments && chance(g, 70))) {
        w->skips = true;
        return;
    }
    if (w->spaces == 0)
        may_break(g);
    sb_put(g->text.out, "                                                ",
           (size_t)(4 + w->spaces));
    w->line = g->text.out->n;
}

/* A literal, a leaf, or a small expression, of at most 4. */
static void put_factor(gen *g)
{
    const uint32_t k = below(g, 8);
    if (k < 3)
        put_literal(g, at_least(want_of(g->s, 2), LOW_POS), PREC_UNARY);
    else if (k < 6)
        gen_leaf(g, varying(want_of(g->s, 2)), PREC_UNARY);
    else
        gen_float(g, varying(want_of(g->s, 2)), 3, PREC_UNARY);
}

/* A number that inputs are compared with: within their bound. */
static void put_threshold(gen *g)
{
    const uint32_t k = below(g, 8);
    if (k < 3)
        put_literal(g, at_least(want_of(g->s, 2), LOW_POS), PREC_UNARY);
    else
        gen_float(g, varying(want_of(g->s, 4)), k < 6 ? 1 : 3, PREC_UNARY);
}

/* Fills a hole. All of them are operands of products at least (PREC_UNARY), so brackets come by
 * themselves. */
void idiom_put_hole(gen *g, char c)
{
    const want small = varying(want_of(g->s, 6));
    switch (c) {
    case 'f': gen_float(g, small, 2 + (int)below(g, 3), PREC_UNARY); break;
    case 'e': gen_leaf(g, small, PREC_UNARY); break;
    case 'c': gen_cond(g, 1 + (int)below(g, 3), PREC_TERNARY); break;
    case 's': put_factor(g); break;
    case 't': put_threshold(g); break;
    default: put_literal(g, at_least(want_of(g->s, 2), LOW_POS), PREC_UNARY); break;
    }
}

/* A number of the text, as one of the kernel's type. */
static void put_number(gen *g, const char **p)
{
    char text[16];
    size_t n = 0;
    while (((**p >= '0' && **p <= '9') || **p == '.') && n + 1 < sizeof text)
        text[n++] = *(*p)++;
    text[n] = 0;
    put_float_literal(g, g->s, text);
}

/* $x or $x@ */
static void put_thing(idiom_writer *w, const char **p)
{
    size_t n = 0;
    while (is_letter((*p)[n]))
        n++;
    const idiom_thing *x = idiom_thing_of(w, *p, n);
    *p += n;
    if (**p != '@') {
        put(w->g, x->name);
        return;
    }
    ++*p;
    put(w->g, x->element);
}

/* The end of the choice that begins at p, which is behind its '{' or '|': at '|' or '}'. */
const char *idiom_choice_end(const char *p)
{
    WEFT_ASSERT(*p);
    for (int depth = 0; depth || (*p != '|' && *p != '}'); p++)
        depth += (*p == '{') - (*p == '}');
    return p;
}

/* Draws one of the alternatives and writes it; returns what follows the choice. */
static const char *put_choice(idiom_writer *w, const char *p)
{
    uint32_t n = 1;
    const char *last = idiom_choice_end(p), *begin = p;
    for (; *last == '|'; last = idiom_choice_end(last + 1))
        n++;
    for (uint32_t k = below(w->g, n); k; k--)
        begin = idiom_choice_end(begin) + 1;
    idiom_put_text(w, begin, idiom_choice_end(begin));
    return last + 1;
}

/* $0: the name of a thread index. */
static void put_index_name(idiom_writer *w, char c)
{
    WEFT_ASSERT(c >= '0' && c <= '2');
    gvar *v = index_of(w->g, (uint8_t)(c - '0'));
    sb_put(w->g->text.out, v->s, v->n);
}

/* Writes what the sign at p stands for; returns what follows it. */
static const char *put_special(idiom_writer *w, const char *p)
{
    gen *g = w->g;
    const char c = *p++;
    switch (c) {
    case '{': return put_choice(w, p);
    case '$':
        /* Digits are thread indexes, never keys. */
        if (*p >= '0' && *p <= '2') {
            put_index_name(w, *p);
            return p + 1;
        }
        put_thing(w, &p);
        return p;
    case '%': dim_put_size(g, dim_of(w, *p)); return p + 1;
    case '~': put_type(g, type_of(g, *p)); return p + 1;
    case '^': idiom_put_hole(g, *p); return p + 1;
    default: put_number(g, &p); return p;
    }
}

/* Is there such a sign at p? %, # and ^ are Python too where a space follows. */
static bool is_special(const char *p, const char *end)
{
    switch (*p) {
    case '{':
    case '$':
    case '~': return true;
    case '^': return p + 1 < end && p[1] != ' ';
    case '%':
    case '#': return p + 1 < end && p[1] != ' ';
    default: return false;
    }
}

/* Where in the line the amount begins that it stores or adds to a thing; 0: nowhere. *t becomes its
 * type. Lines are "element = ", "sum += ", "array[...] += ". */
static size_t amount_of(const idiom_writer *w, gtype *t)
{
    static const char *const ways[] = {" = ", " += ", " -= "};
    static const char into[] = "] += ";
    const strbuf *b = w->g->text.out;
    for (int i = 0; i < w->nthings; i++) {
        const idiom_thing *x = &w->things[i];
        /* What the line would begin with. */
        const str s = x->kind == 'o' ? x->element : x->name;
        const size_t at = w->line + s.n;
        *t = x->t;
        if (x->kind == 'a' && at + 4 < b->n && memcmp(b->p + w->line, s.p, s.n) == 0 &&
            b->p[at] == '[')
            for (size_t k = at; k + sizeof into <= b->n; k++)
                if (memcmp(b->p + k, into, sizeof into - 1) == 0)
                    return k + sizeof into - 1;
        if ((x->kind != 'o' && x->kind != 's') || !s.n || at + 4 >= b->n ||
            memcmp(b->p + w->line, s.p, s.n) != 0)
            continue;
        /* "sum = ..." sets a start; only what is added to a sum is an amount. */
        for (int k = x->kind == 's'; k < 3; k++)
            if (memcmp(b->p + at, ways[k], strlen(ways[k])) == 0)
                return at + strlen(ways[k]);
    }
    return 0;
}

/* The same for the last argument of wp.atomic_add(...), whose bracket is taken away; the caller
 * puts it back. */
static size_t atomic_amount_of(idiom_writer *w, gtype *t)
{
    static const char call[] = "wp.atomic_";
    strbuf *b = w->g->text.out;
    size_t at = b->n;
    int depth = 0;
    if (b->n < w->line + sizeof call || memcmp(b->p + w->line, call, sizeof call - 1) != 0)
        return 0;
    /* Backwards over the last argument, to the comma outside of brackets. */
    for (b->n--; --at > w->line && (depth || b->p[at] != ',');)
        if (at < b->n)
            depth += (b->p[at] == ')' || b->p[at] == ']') - (b->p[at] == '(' || b->p[at] == '[');
    *t = w->g->s;
    return at + 2;
}

/* What the line stores or sums may be more than the row says: it is garnished in half of the
 * kernels of level 1, which have little else, and in 15 percent of the others. */
static void end_line(idiom_writer *w)
{
    gen *g = w->g;
    gtype t = g->s;
    /* Percent of lines that are garnished. */
    const uint32_t percent = g->size.level->level == 1 ? 50 : 15;
    size_t at = amount_of(w, &t);
    if (at && chance(g, percent)) {
        garnish(g, at, t);
    } else if (!at && (at = atomic_amount_of(w, &t)) != 0) {
        if (chance(g, percent))
            garnish(g, at, t);
        W(g, ")");
    }
    W(g, "\n");
}

/* Copies the text from p to end. Runs for choices too, so lines may begin and end in them. */
void idiom_put_text(idiom_writer *w, const char *p, const char *end)
{
    WEFT_ASSERT(p <= end);
    gen *g = w->g;
    while (p < end) {
        if (*p == '\n') {
            if (!w->skips && !w->line_begins)
                end_line(w);
            w->line_begins = true;
            w->skips = false;
            w->spaces = 0;
            p++;
        } else if (w->skips) {
            p++;
        } else if (w->line_begins && *p == ' ') {
            w->spaces++;
            p++;
            /* A choice at the beginning of a line may begin with spaces or be empty: the line is
             * begun inside. */
        } else if (w->line_begins && *p == '{') {
            p = put_choice(w, p + 1);
        } else {
            if (w->line_begins)
                begin_line(w, p);
            if (w->skips)
                continue;
            /* Builtins of fixed texts are counted by their names. */
            if (p[0] == 'w' && p[1] == 'p' && p[2] == '.')
                note_builtin(g, p + 3);
            if (is_special(p, end))
                p = put_special(w, p);
            else
                sb_char(g->text.out, *p++);
        }
    }
}
