/* Results of the device against those of the reference. Compilers may contract a * b + c, functions
 * are not the host's, and atomics add in any order: numbers may differ by a small part of the
 * largest one of their array. Integers may not. */
#include "launch/device.h"

/* Units in the last place that plain arithmetic may lose, and for each unit of a function's own. */
enum { PLAIN_UNITS = 256, FUNCTION_UNITS = 32 };

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

double device_tolerance(type_kind scalar, str text)
{
    static const struct {
        const char *name;
        int units;
    } losses[] = {
#define LOSS(name, units) {#name, units},
#include "launch/device_tolerance.def"
#undef LOSS
    };
    double units = PLAIN_UNITS;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (calls(text, losses[i].name))
            units += FUNCTION_UNITS * losses[i].units;
    switch (scalar) {
    case TYPE_FLOAT16: return 0x1p-11 * 16;
    case TYPE_BFLOAT16: return 0x1p-8 * 16;
    case TYPE_FLOAT32: return 0x1p-24 * units;
    case TYPE_FLOAT64: return 0x1p-53 * units;
    default: return 0;
    }
}

/* One field of every item of an array, or all of a plain one. */
typedef struct column {
    const type *type;
    size_t offset;
} column;

static double load(const column *col, size_t step, const uint8_t *bytes, size_t lane)
{
    const type *scalar = type_scalar_of(col->type);
    const size_t lanes = (size_t)lane_count(col->type);
    const num x = num_load((type_kind)scalar->kind, bytes + lane / lanes * step + col->offset +
                                                        lane % lanes * layout_size(scalar));
    return type_is_float(scalar) ? x.f : (double)x.i;
}

static double distance(double x, double y)
{
    if (x == y || (x != x && y != y))
        return 0;
    const double d = __builtin_fabs(x - y);
    return d < __builtin_inf() ? d : __builtin_inf();
}

static void compare_column(const device_array *array, const column *col, const char *name,
                           double tolerance, arena *a, device_result *r)
{
    const size_t step = layout_size(array->view->elem);
    const uint8_t *expected = array->view->data->bytes, *found = array->before;
    device_difference d = {.array = name, .gradient = array->gradient, .tolerance = tolerance};
    double scale = 1;
    d.lanes = array->view->data->size / step * (size_t)lane_count(col->type);
    for (size_t i = 0; i < d.lanes; i++) {
        const double x = __builtin_fabs(load(col, step, expected, i));
        scale = x > scale && x < __builtin_inf() ? x : scale;
    }
    for (size_t i = 0; i < d.lanes; i++) {
        const double x = load(col, step, expected, i), y = load(col, step, found, i);
        const double error = distance(x, y) / scale;
        d.error = error > d.error ? error : d.error;
        if (error <= tolerance)
            continue;
        if (!d.wrong++) {
            d.lane = i;
            d.expected = x;
            d.found = y;
        }
    }
    r->error = d.error > r->error ? d.error : r->error;
    if (d.wrong)
        VEC_PUSH(a, &r->differences, d);
}

static void compare_type(const device_array *array, const type *t, size_t offset, const char *name,
                         str text, arena *a, device_result *r)
{
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->st->nfields; i++)
        compare_type(array, t->st->fields[i].type, offset + layout_field(t->st, i),
                     arena_printf(a, "%s.%s", name, t->st->fields[i].name->s), text, a, r);
    if (t->kind == TYPE_STRUCT)
        return;
    const column col = {t, offset};
    compare_column(array, &col, name, device_tolerance((type_kind)type_scalar_of(t)->kind, text), a,
                   r);
}

void device_compare(const device_array *array, str text, arena *a, device_result *r)
{
    compare_type(array, array->view->elem, 0, array->view->data->name, text, a, r);
}
