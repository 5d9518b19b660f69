/* SPDX-License-Identifier: Apache-2.0 */
/* The table of tolerances, added up for a kernel, and how results are measured against it.
 *
 *     a text that calls sinf, in float32 (2 ulps by tolerance.def)
 *     ->   (1024 + 32 * 2) * 2^-24
 *
 * docs/gpu_verification.md explains the figures. */
#include "launch/tolerance.h"

/* FUNCTION: how often a function's error may come into one result. MARGIN: device and reference
 * differ by more roundings than the inputs that were disturbed, in what is computed between, which
 * may count for more (the determinant of a product). WIDEST: the most that this may widen a
 * tolerance, up to QUARTER of a number; a wrong kernel is further off. Where HANGS times what moved
 * is more than that, results hang on rounding. */
enum { FUNCTION = 32, HANGS = 16, MARGIN = 64, WIDEST = 64 };
static const double QUARTER = 0.25;

/* Of a float type: half of one in the last place of 1, and how many such units arithmetic may take.
 */
typedef struct precision {
    double unit;
    int units;
} precision;

/* The row of tolerance.def; all zero for a type that is no float. */
static precision precision_of(type_kind scalar)
{
    switch (scalar) {
#define KIND(kind, unit, units)                                                                    \
    case kind:                                                                                     \
        return (precision){unit, units};
#define ULPS(name, single, twice)
#define REPEATED(name, units)
#include "launch/tolerance.def"
#undef KIND
#undef ULPS
#undef REPEATED
    default: return (precision){0, 0};
    }
}

/* --- what a text calls ----------------------------------------------------------------------- */

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Is "name(" there, as a word? */
static bool calls(str text, const char *name)
{
    const size_t n = strlen(name);
    const char *p = text.p, *end = text.p + text.n;
    while (p && (size_t)(end - p) > n && (p = memchr(p, name[0], (size_t)(end - p) - n))) {
        if (memcmp(p, name, n) == 0 && p[n] == '(' && (p == text.p || !is_word(p[-1])))
            return true;
        p++;
    }
    return false;
}

/* Below float32 no function counts: the type's own units are far more than any function's error. */
double tolerance_of(str text, type_kind least)
{
    static const struct {
        const char *single, *twice;
        int single_ulps, twice_ulps, units;
    } losses[] = {
#define KIND(kind, unit, units)
#define ULPS(name, single, twice) {#name "f", #name, single, twice, 0},
#define REPEATED(name, units)     {#name, #name, 0, 0, units},
#include "launch/tolerance.def"
#undef KIND
#undef ULPS
#undef REPEATED
    };
    const precision p = precision_of(least);
    double units = p.units;
    for (size_t i = 0; least >= TYPE_FLOAT32 && i < sizeof losses / sizeof *losses; i++) {
        const bool single = calls(text, losses[i].single), twice = calls(text, losses[i].twice);
        units += FUNCTION * (single ? losses[i].single_ulps : 0);
        units += FUNCTION * (twice && least == TYPE_FLOAT64 ? losses[i].twice_ulps : 0);
        units += single || twice ? losses[i].units : 0;
    }
    return p.unit * units;
}

/* A struct is as precise as its least precise field, an array as its items. */
static void take_least(const type *t, type_kind *least)
{
    const type *elem = t->kind == TYPE_ARRAY ? t->elem : t;
    const type *scalar = type_scalar_of(elem);
    if (elem->kind == TYPE_STRUCT)
        for (uint32_t i = 0; i < elem->st->nfields; i++)
            take_least(elem->st->fields[i].type, least);
    else if (scalar && precision_of((type_kind)scalar->kind).unit > precision_of(*least).unit)
        *least = (type_kind)scalar->kind;
}

type_kind tolerance_least(const ir_module *m)
{
    type_kind least = TYPE_FLOAT64;
    for (uint32_t i = 0; i < m->funcs.n + 1; i++) {
        const ir_unit *u = i ? m->funcs.v[i - 1] : m->kernel;
        for (uint32_t j = 0; j < u->vars.n; j++)
            if (!u->vars.v[j].constant && u->vars.v[j].type)
                take_least(type_strip_ref(u->vars.v[j].type), &least);
    }
    return least;
}

/* --- errors ---------------------------------------------------------------------------------- */

double tolerance_floor(double largest)
{
    return largest > 0 && largest < 1 ? largest : 1;
}

/* Equal numbers and two NaNs agree. An integer is right or wrong: there is no error between. */
double tolerance_error(type_kind scalar, num expected, num found, double floor)
{
    WEFT_ASSERT(floor > 0);
    const double x = expected.f, y = found.f;
    if (scalar < TYPE_FLOAT16)
        return expected.i == found.i ? 0 : __builtin_inf();
    if (x == y || (x != x && y != y))
        return 0;
    const double error = __builtin_fabs(x - y), size = __builtin_fabs(x);
    return error < __builtin_inf() ? error / (size > floor ? size : floor) : __builtin_inf();
}

/* Small numbers may be what is left of larger ones: they are allowed more, relative to themselves,
 * and where they are nothing but roundings, what roundings are. */
tolerance_limit tolerance_widen(double tolerance, double moved, double floor)
{
    WEFT_ASSERT(tolerance >= 0 && moved >= 0 && floor > 0);
    double wanted = MARGIN * moved, most = WIDEST * tolerance / floor;
    most = most < QUARTER ? most : QUARTER;
    most = most > tolerance ? most : tolerance;
    wanted = wanted > tolerance ? wanted : tolerance;
    if (HANGS * moved <= most)
        return (tolerance_limit){wanted < most ? wanted : most, false};
    if (floor < tolerance && moved < __builtin_inf())
        return (tolerance_limit){tolerance / floor, false};
    return (tolerance_limit){most, true};
}

/* Up or down, as it comes. */
static bool is_up(uint32_t seed, size_t i)
{
    uint32_t x = seed * UINT32_C(0x9e3779b9) + (uint32_t)i;
    x = (x ^ x >> 16) * UINT32_C(0x7feb352d);
    x = (x ^ x >> 15) * UINT32_C(0x846ca68b);
    return (x ^ x >> 16) & 1;
}

/* By a relative step of two units, which is about a last place wherever the mantissa lies.
 * Integers stay: an index moved by one is another computation. */
void tolerance_disturb(type_kind scalar, uint8_t *items, size_t n, uint32_t seed)
{
    const double by = 2 * precision_of(scalar).unit;
    const size_t width = scalar == TYPE_FLOAT64 ? 8 : scalar == TYPE_FLOAT32 ? 4 : 2;
    for (size_t i = 0; scalar >= TYPE_FLOAT16 && i < n; i++) {
        const double x = num_load(scalar, items + i * width).f;
        const num moved = {.f = x * (is_up(seed, i) ? 1 + by : 1 - by)};
        num_store(scalar, items + i * width, num_wrap(scalar, moved));
    }
}
