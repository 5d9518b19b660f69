/* Kernels with a purpose: rows of gen_idiom.def, texts with choices and holes. A row says what the
 * kernel is for; which of its forms, terms and arguments stand in a kernel is drawn, and holes are
 * filled by the generator's own expressions. So kernels have names, docstrings and formulas that
 * belong together, as those of people do.
 *
 *     IDIOM(ARITHMETIC | PARAM, 1, "saxpy/axpy/scale_add/scaled_add/multiply_add",
 *           "Scale one array and add another to it.",
 *           "x=x/a/src:in.f.0 y=y/b/other:in.f.0 a=alpha/a/s/scale/k:arg.f o=out/z/dst:own.f.0",
 *           "$o@ = {$a * $x@ + $y@|($x@ - $y@) * $a + ^f}\n")           (the row, shortened)
 *     ->  @wp.kernel
 *         def scaled_add(dst: wp.array[float], y: wp.array[float], a: wp.array[float], s: float,
 *                        mu: float):
 *             i = wp.tid()
 *             dst[i] = wp.tanh((a[i] - y[i]) * s + (0.2 * wp.max(mu, 3.0)))
 *
 * Here ^f became 0.2 * wp.max(mu, 3.0), and gen_garnish.c put wp.tanh around the amount.
 *
 * In a row's text stand
 *
 *     {a|b|c}          one of these, drawn; choices may stand in choices
 *     $x  $x@          the name of a thing, and its element at the thread's own indexes
 *     $0  %A           a thread index; the size of a dimension: those of the launch are 0, 1, 2,
 * others letters ~f ~v ~m ~i ~u   a type's name: the kernel's float, vector, matrix; int, uint #0.5
 * a number of the kernel's float type ^f ^e ^c ^k      a small expression, a variable, a condition,
 * a positive number ^s ^t            a factor, what something is compared with # ...            a
 * line that begins so is a comment, which not all people write
 *
 * and its things are "key=name/other name:kind.type.dimensions" with the kinds in (an array that is
 * read), own (each thread's own element), add (atomic sums), arg, loc (a local variable; at the end
 * its magnitude) and res (one that nothing has used yet). A thing exists once the text has named
 * it, so forms that do not need an argument leave it out of the signature.
 *
 * The text is copied from left to right into the body. Rows promise what the generator cannot
 * check: indexes in bounds, and magnitudes of their variables. */
#include "gen/gen_idiom.h"

#include <stdio.h>

#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_fill.h"
#include "gen/gen_kernel.h"
#include "gen/gen_literal.h"
#include "gen/gen_names.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* A row of gen_idiom.def. */
typedef struct idiom {
    uint16_t categories; /* a bit each */
    uint8_t ndim;
    const char *names, *doc, *things, *text;
} idiom;

/* Categories as the rows name them. */
#define ARITHMETIC  (1u << GEN_ARITHMETIC)
#define CONDITIONAL (1u << GEN_CONDITIONAL)
#define LOOP        (1u << GEN_LOOP)
#define MATH        (1u << GEN_MATH)
#define VECTOR      (1u << GEN_VECTOR)
#define MATRIX      (1u << GEN_MATRIX)
#define ATOMIC      (1u << GEN_ATOMIC)
#define NESTED      (1u << GEN_NESTED_LOOP)
#define MULTI       (1u << GEN_MULTI_CONDITIONAL)
#define COMBINED    (1u << GEN_COMBINED)
#define PARAM       (1u << GEN_SCALAR_PARAM)
#define RANDOM      (1u << GEN_RANDOM_MATH)

static const idiom idioms[] = {
#define IDIOM(categories, ndim, names, doc, things, text)                                          \
    {categories, ndim, names, doc, things, text},
#include "gen/gen_idiom.def"
#undef IDIOM
};

/* MAG_SLACK: rows estimate their variables' magnitudes; no more than this is missing. */
enum { IDIOM_COUNT = sizeof idioms / sizeof *idioms, THINGS_MAX = 16, KEY_MAX = 8, MAG_SLACK = 3 };

/* A thing that the text has named. */
typedef struct thing {
    char key[KEY_MAX];
    char kind; /* i(n), o(wn), a(dd), r(g): argument, l(ocal), s: result */
    str name;
    uint8_t arg; /* of arrays: its number, and its element's text */
    str element;
    gtype t;
    int mag;
    bool inner; /* first named inside of a branch or loop: not known to have a value behind it */
} thing;

/* The body that is written: its things, and where in the text's line it is. */
typedef struct writer {
    gen *g;
    thing things[THINGS_MAX];
    int nthings;
    uint8_t dims[256]; /* by letter: dimension + 1 */
    bool line_begins;  /* nothing of the line is written yet */
    bool skips;        /* the line is a comment that is left out */
    bool heads_loop;   /* it begins with "for" */
    int spaces;        /* the line's indentation in the row */
    size_t line;       /* where its text begins in the body */
} writer;

/* --- choice --------------------------------------------------------------------------------- */

/* Lines that a text has at least: those outside of choices. */
static int least_lines(const char *text)
{
    int n = 0, depth = 0;
    for (; *text; text++) {
        /* Lines inside of choices may be missing. */
        depth += (*text == '{') - (*text == '}');
        n += *text == '\n' && !depth;
    }
    return n;
}

const uint8_t *idioms_init(mem *m)
{
    uint8_t *lines = mem_alloc(m, IDIOM_COUNT);
    for (uint32_t i = 0; i < IDIOM_COUNT; i++)
        lines[i] = (uint8_t)least_lines(idioms[i].text);
    return lines;
}

/* Among the rows of the category whose text fits: three lines more are the decorator, the signature
 * and the thread index. Short texts have few forms, so level 1 gets fewer of them, or a set would
 * be full of duplicates. */
void idiom_choose(gen *g)
{
    uint32_t fit[IDIOM_COUNT], n = 0;
    g->idiom = NULL;
    g->names.doc = NULL;
    for (uint32_t i = 0; i < IDIOM_COUNT; i++)
        if ((idioms[i].categories >> g->category & 1) && g->idiom_lines[i] + 3 <= g->size.lines)
            fit[n++] = i;
    /* Percent of kernels with a purpose, by level. */
    static const uint8_t shares[GEN_LEVELS] = {25, 36, 55, 60, 60}; /* short texts have few forms */
    if (n && chance(g, shares[g->size.level->level - 1]))
        g->idiom = &idioms[fit[below(g, n)]];
    if (g->idiom) {
        g->names.hint = g->idiom->names;
        g->names.doc = g->idiom->doc;
    }
}

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
static uint8_t dim_of(writer *w, char c)
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
static void make_array(writer *w, thing *x, const char *dims)
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
static void make_thing(writer *w, thing *x, const char *row)
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
static thing *thing_of(writer *w, const char *key, size_t n)
{
    for (int i = 0; i < w->nthings; i++)
        if (strlen(w->things[i].key) == n && memcmp(w->things[i].key, key, n) == 0)
            return &w->things[i];
    const char *row = w->g->idiom->things;
    /* Each key of a text stands among the things of its row. */
    while (!(strncmp(row, key, n) == 0 && row[n] == '='))
        row = strchr(row, ' ') + 1;
    WEFT_ASSERT(w->nthings < THINGS_MAX && n < KEY_MAX);
    thing *x = &w->things[w->nthings++];
    *x = (thing){.inner = w->spaces > 0 || w->heads_loop};
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
static void begin_line(writer *w, const char *p)
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
static void put_hole(gen *g, char c)
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
static void put_thing(writer *w, const char **p)
{
    size_t n = 0;
    while (is_letter((*p)[n]))
        n++;
    const thing *x = thing_of(w, *p, n);
    *p += n;
    if (**p != '@') {
        put(w->g, x->name);
        return;
    }
    ++*p;
    put(w->g, x->element);
}

static void put_text(writer *w, const char *p, const char *end);

/* The end of the choice that begins at p, which is behind its '{' or '|': at '|' or '}'. */
static const char *choice_end(const char *p)
{
    WEFT_ASSERT(*p);
    for (int depth = 0; depth || (*p != '|' && *p != '}'); p++)
        depth += (*p == '{') - (*p == '}');
    return p;
}

/* Draws one of the alternatives and writes it; returns what follows the choice. */
static const char *put_choice(writer *w, const char *p)
{
    uint32_t n = 1;
    const char *last = choice_end(p), *begin = p;
    for (; *last == '|'; last = choice_end(last + 1))
        n++;
    for (uint32_t k = below(w->g, n); k; k--)
        begin = choice_end(begin) + 1;
    put_text(w, begin, choice_end(begin));
    return last + 1;
}

/* $0: the name of a thread index. */
static void put_index_name(writer *w, char c)
{
    WEFT_ASSERT(c >= '0' && c <= '2');
    gvar *v = index_of(w->g, (uint8_t)(c - '0'));
    sb_put(w->g->text.out, v->s, v->n);
}

/* Writes what the sign at p stands for; returns what follows it. */
static const char *put_special(writer *w, const char *p)
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
    case '^': put_hole(g, *p); return p + 1;
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
static size_t amount_of(const writer *w, gtype *t)
{
    static const char *const ways[] = {" = ", " += ", " -= "};
    static const char into[] = "] += ";
    const strbuf *b = w->g->text.out;
    for (int i = 0; i < w->nthings; i++) {
        const thing *x = &w->things[i];
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
static size_t atomic_amount_of(writer *w, gtype *t)
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
static void end_line(writer *w)
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
static void put_text(writer *w, const char *p, const char *end)
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

/* --- bodies --------------------------------------------------------------------------------- */

/* What the lines from `begin` on add to the counts. Texts are not made of statements, so loops and
 * branches are counted by their first words. */
static void count_lines(gen *g, size_t begin)
{
    WEFT_ASSERT(begin <= g->text.body.n);
    uint32_t spaces[INDENT_MAX] = {0}, depth = 0;
    for (size_t at = begin; at < g->text.body.n;) {
        const char *line = g->text.body.p + at, *end = memchr(line, '\n', g->text.body.n - at);
        const uint32_t in = (uint32_t)strspn(line, " ");
        const char *p = line + in;
        /* Loops whose bodies this line is not in have ended. */
        while (depth && spaces[depth - 1] >= in)
            depth--;
        const bool loop = strncmp(p, "for ", 4) == 0 || strncmp(p, "while ", 6) == 0;
        if (loop && depth < INDENT_MAX)
            spaces[depth++] = in;
        if (g->flow.max_loops < depth)
            g->flow.max_loops = depth;
        const bool other = strncmp(p, "else:", 5) == 0;
        g->flow.branches += other || strncmp(p, "if ", 3) == 0 || strncmp(p, "elif ", 5) == 0;
        g->flow.statements += *p != '#' && !other;
        at = (size_t)(end - g->text.body.p) + 1;
    }
}

/* Does each way to draw the text name the element of a thing? Only then is it an argument in any
 * case. */
static bool surely_names(const char *p, const char *end, const char *key)
{
    while (p < end) {
        const char *last = p + 1;
        if (*p == '$' && strncmp(p + 1, key, strlen(key)) == 0)
            return true;
        if (*p == '{') {
            bool all = true;
            /* In each alternative of a choice; an empty one names nothing. */
            for (const char *begin = p + 1; all; begin = last + 1) {
                last = choice_end(begin);
                all = surely_names(begin, last, key);
                if (*last == '}')
                    break;
            }
            if (all)
                return true;
            while (*last == '|')
                last = choice_end(last + 1);
            last++;
        }
        p = last;
    }
    return false;
}

/* Is the row of things at `row` an input of floats whose element may be read into a variable first?
 * Not if the text uses the array in other ways, or copies the element. `key` becomes "x@". */
static bool may_load(const idiom *d, const char *row, char key[KEY_MAX + 2])
{
    static const char *const never[] = {"[", "@\n", "@{"};
    char text[KEY_MAX + 8];
    const char *colon = strchr(row, ':');
    const size_t n = (size_t)(strchr(row, '=') - row);
    const size_t dims = strspn(colon + 6, "012");
    if (strncmp(colon, ":in.f.", 6) != 0 || dims != d->ndim || (colon[6 + dims] | 32) != 32)
        return false;
    memcpy(key, row, n);
    memcpy(key + n, "@", 2);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        snprintf(text, sizeof text, "%s$%.*s%s", i ? "= " : "", (int)n, row, never[i]);
        if (strstr(d->text, text))
            return false;
    }
    return surely_names(d->text, d->text + strlen(d->text), key);
}

/* What is near to an element: no more than twice as large, so that the row's magnitudes hold. */
static void put_near(gen *g, str element)
{
    const uint32_t k = below(g, 16);
    const want small = varying(want_of(g->s, 1));
    const int budget = 1 + (int)below(g, 3);
    if (k < 3) {
        gen_float(g, varying(want_of(g->s, 0)), budget, PREC_PRODUCT);
        W(g, " * ");
        put(g, element);
        cover_type(g, THING_MUL, g->s);
    } else if (k < 10) {
        const gen_fn fn = k & 1 ? FN_max : FN_min;
        if (k < 6)
            put_fn(g, fn, g->s);
        put(g, element);
        sb_c(g->text.out, k < 6 ? ", " : k < 8 ? " + " : " - ");
        gen_float(g, small, budget, k < 6 ? PREC_TERNARY : PREC_PRODUCT);
        if (k < 6)
            W(g, ")");
        else
            cover_type(g, k < 8 ? THING_ADD : THING_SUB, g->s);
    } else if (k < 12) {
        put_fn(g, FN_where, g->s);
        gen_cond(g, budget, PREC_TERNARY);
        W(g, ", ");
        put(g, element);
        W(g, ", ");
        gen_float(g, small, budget, PREC_TERNARY);
        W(g, ")");
    } else {
        put(g, element);
    }
}

/* x0 = x[i], and perhaps more than that; the text then goes on with x0 in place of the element. */
static void put_load(writer *w, const char *key)
{
    gen *g = w->g;
    thing *x = thing_of(w, key, strlen(key) - 1);
    line_open_as(g, LINE_LET);
    const str name = name_new(g, NAME_LOCAL);
    put(g, name);
    W(g, " = ");
    put_near(g, x->element);
    line_close(g);
    for (uint32_t i = g->scope.base; i < g->scope.nvars; i++)
        if (g->scope.vars[i].s == x->element.p)
            g->scope.vars[i].flags |= V_HIDDEN;
    gvar *v = var_add(g, name, g->s, bound_of(MAG_INPUT + 1, LOW_NONE), V_LOCAL);
    v->uses = 1;
    x->element = name;
}

/* Some of the inputs are read first, where lines are left. */
static void put_loads(writer *w)
{
    const gen *g = w->g;
    const int least = least_lines(g->idiom->text);
    char key[KEY_MAX + 2];
    for (const char *row = g->idiom->things; row; row = strchr(row, ' ')) {
        row += *row == ' ';
        if (room(w->g) > least && chance(w->g, 40) && may_load(g->idiom, row, key))
            put_load(w, key);
    }
}

/* Writes the text. Afterwards its variables are in scope, unless they were made in a branch or
 * loop, where they may have no value. False: it has stored nothing. */
static bool put_idiom(gen *g)
{
    const idiom *d = g->idiom;
    writer w = {.g = g, .line_begins = true};
    bool stored = false;
    put_loads(&w);
    const size_t begin = g->text.body.n;
    put_text(&w, d->text, d->text + strlen(d->text));
    count_lines(g, begin);
    for (int i = 0; i < w.nthings; i++) {
        const thing *x = &w.things[i];
        stored |= x->kind == 'o' || x->kind == 'a';
        /* Local variables of the outermost block are there for the statements that follow. */
        if ((x->kind != 'l' && x->kind != 's') || x->inner)
            continue;
        const int mag = x->mag + (gt_is_float(x->t) ? MAG_SLACK : 0);
        gvar *v = var_add(g, x->name, x->t, bound_of(mag, LOW_NONE), V_LOCAL);
        /* Local variables were used by the text; sums wait for a result. */
        v->uses = x->kind == 'l';
        if (x->kind == 's')
            v->flags |= V_HIDDEN; /* a sum goes into the result as it is */
    }
    return stored;
}

/* For var_unused. */
static bool is_result(const gvar *v, gtype t)
{
    return gt_same(v->t, t);
}

/* out[i] = acc, out[i] = 0.5 * acc, ...: what the text has summed up goes into the result nearly as
 * it is, because of Warp's backward pass (keep_sums in gen_loop.c). */
static void store_result(gen *g, garg *a)
{
    gvar *v = var_unused(g, is_result, a->t);
    const uint32_t k = below(g, 8);
    if (!v || k > 5) {
        stmt_store(g, a, some(g, 1, 4));
        return;
    }
    line_open(g);
    put_own_index(g, a);
    W(g, " = ");
    if (k == 5) {
        put_hole(g, 'k');
        W(g, " * ");
    }
    var_put(g, v);
    if (k == 3 || k == 4) {
        sb_c(g->text.out, k == 3 ? " / " : " + ");
        put_hole(g, k == 3 ? 'k' : 'f');
    }
    line_close(g);
}

/* Dimensions of the launch: more than the purpose needs, where its text names neither an index nor
 * a size. */
static int dimensions(gen *g)
{
    WEFT_ASSERT(g->idiom && g->idiom->ndim >= 1 && g->idiom->ndim <= 3);
    static const char *const cares[] = {"$0", "%0", "$1", "%1"};
    const idiom *d = g->idiom;
    for (size_t i = 0; i < sizeof cares / sizeof *cares; i++)
        if (strstr(d->text, cares[i]))
            return d->ndim;
    return min_int(3, max_int(d->ndim, kernel_ndim(g)));
}

/* The frame of a kernel as in gen_cat_*.c; then the text; then, where it has stored nothing or
 * lines are left, statements of the generator and a result. Rows are for float32 and float64.
 * RANDOM_MATH is float32 alone, as random numbers are. */
void idiom_body(gen *g)
{
    WEFT_ASSERT(g->idiom);
    const uint32_t loops = 1u << GEN_LOOP | 1u << GEN_NESTED_LOOP | 1u << GEN_COMBINED;
    kernel_type(g);
    /* Literals and thresholds of the rows suit no other types. */
    if ((g->s.sc != GS_F32 && g->s.sc != GS_F64) || g->category == GEN_RANDOM_MATH)
        g->s = gt_scalar(GS_F32);
    kernel_inputs(g);
    kernel_prelude(g);
    kernel_open(g, dimensions(g));
    g->size.reserve = 0;
    /* A guard takes two lines. */
    if (room(g) < least_lines(g->idiom->text) + 2)
        g->names.style.guard = 0;
    kernel_guard(g);
    const bool stored = put_idiom(g);
    /* What is left may become blank lines: size_settle. */
    if (stored && room(g) <= 1 + g->size.lines / 6)
        return;
    garg *a = kernel_output(g, g->s);
    const uint32_t number = (uint32_t)(a - g->params.args);
    g->size.reserve = 1;
    may_break(g);
    fill(g, g->size.level->level > 2, g->size.level->level > 2 && (loops >> g->category & 1));
    store_result(g, &g->params.args[number]);
}
