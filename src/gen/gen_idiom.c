/* SPDX-License-Identifier: Apache-2.0 */
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
 * gen_idiom_text.c lists the signs of the texts, and copies one into a body. Rows promise what the
 * generator cannot check: indexes in bounds, and magnitudes of their variables. */
#include "gen/gen_idiom.h"

#include <stdio.h>

#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_fill.h"
#include "gen/gen_idiom_text.h"
#include "gen/gen_kernel.h"
#include "gen/gen_names.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

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
enum { IDIOM_COUNT = sizeof idioms / sizeof *idioms, MAG_SLACK = 3 };

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
                last = idiom_choice_end(begin);
                all = surely_names(begin, last, key);
                if (*last == '}')
                    break;
            }
            if (all)
                return true;
            while (*last == '|')
                last = idiom_choice_end(last + 1);
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
static void put_load(idiom_writer *w, const char *key)
{
    gen *g = w->g;
    idiom_thing *x = idiom_thing_of(w, key, strlen(key) - 1);
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
static void put_loads(idiom_writer *w)
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
    idiom_writer w = {.g = g, .line_begins = true};
    bool stored = false;
    put_loads(&w);
    const size_t begin = g->text.body.n;
    idiom_put_text(&w, d->text, d->text + strlen(d->text));
    count_lines(g, begin);
    for (int i = 0; i < w.nthings; i++) {
        const idiom_thing *x = &w.things[i];
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
        idiom_put_hole(g, 'k');
        W(g, " * ");
    }
    var_put(g, v);
    if (k == 3 || k == 4) {
        sb_c(g->text.out, k == 3 ? " / " : " + ");
        idiom_put_hole(g, k == 3 ? 'k' : 'f');
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
