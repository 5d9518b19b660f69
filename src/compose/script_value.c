/* SPDX-License-Identifier: Apache-2.0 */
/* What main() sets its variables to, and the very numbers: an array is drawn by NumPy's generator,
 * which weft knows (script_random.h), index arrays are made as people make them.
 *
 *     mass, from 0.5 to 4.0    rng.uniform(0.5, 4.0, num_particles)
 *     "0:n"                    rng.integers(0, num_particles, num_edges)
 *     row offsets              np.concatenate(([0], np.cumsum(row_lengths)))
 *     corners of triangles     a strip: (i, i + 1, i + 2)
 */
#include "base/decimal.h"
#include "compose/script_internal.h"

/* --- shapes ----------------------------------------------------------------------------------- */

static str keep(scripter *s, strbuf *b)
{
    const str text = expr_keep(s->c, b, 0);
    sb_clear(b);
    return text;
}

/* The shape in the letters of main(): links of rows are as many as the rows have. */
static str shape_letters(const scripter *s, const script_var *v)
{
    return s->has_rows && v->arg.axis == AXIS_LINK && str_eq(v->is.shape, STR("2*n+2"))
               ? STR("e")
               : v->is.shape;
}

static void shape_array(scripter *s, script_var *v)
{
    strbuf b;
    sb_init(&b, s->c->m);
    v->ndim = script_put_sizes(s, &b, shape_letters(s, v), v->shape);
    if (v->ndim > 1) {
        const str plain = keep(s, &b);
        sb_init(&b, s->c->m);
        sb_printf(&b, "(%.*s)", (int)plain.n, plain.p);
    }
    v->sizes = keep(s, &b);
    v->lanes = (size_t)v->rows * (v->cols ? v->cols : 1);
    for (int i = 0; i < v->ndim; i++)
        v->lanes *= (size_t)v->shape[i];
    v->bytes = arena_zero(&s->p.c.module, 4 * v->lanes + 16);
}

/* "(num_particles, 3)": that of the array in NumPy. */
static str numpy_shape(scripter *s, const script_var *v)
{
    strbuf b;
    if (!v->cols)
        return v->sizes;
    sb_init(&b, s->c->m);
    const bool many = v->ndim > 1;
    sb_printf(&b, "(%.*s, %u", (int)v->sizes.n - 2 * many, v->sizes.p + many, v->rows);
    if (v->cols > 1)
        sb_printf(&b, ", %u", v->cols);
    SB_LIT(&b, ")");
    return keep(s, &b);
}

static void set(script_var *v, size_t lane, double x)
{
    WEFT_ASSERT(lane < v->lanes || v->kind == VAR_SCALAR);
    num_store(v->scalar, v->bytes + 4 * lane,
              v->scalar == TYPE_FLOAT32 ? (num){.f = (double)(float)x} : (num){.i = (int64_t)x});
}

/* --- numbers ---------------------------------------------------------------------------------- */

typedef struct bounds {
    double low, high;
} bounds;

/* Floats of either sign lie between -1 and 1, positive ones keep off zero. */
static bounds bounds_of(const script_var *v, const check_values *is)
{
    double most = 1;
    for (int i = 0; i < v->is.mag && i < 1; i++)
        most *= 2;
    for (int i = v->is.mag; i < 0; i++)
        most /= 2;
    if (is->form == CHECK_VALUES_BETWEEN)
        return (bounds){is->low, is->high};
    if (is->positive)
        return (bounds){0.125 * most, most};
    most = most > 1 ? 1 : most;
    return (bounds){-most, most};
}

static check_values values_of(const scripter *s, const script_var *v)
{
    check_values is = {0};
    const bool good = check_read_values(v->is.values, s->letters, &is);
    WEFT_ASSERT(good);
    (void)good;
    return is;
}

/* Directions and rotations have the length 1: the last `units` of `rows`. */
static void put_units(scripter *s, script_var *v, strbuf *line, uint32_t units)
{
    const uint32_t first = v->rows - units;
    const str name =
        script_name(s, str_c(arena_printf(&s->c->text, "%.*s_data", (int)v->name.n, v->name.p)));
    const char *part = first ? "[..., 3:]" : "";
    v->before = str_c(arena_printf(
        &s->c->text,
        "    %.*s = %.*s\n    %.*s%s /= np.linalg.norm(%.*s%s, axis=-1, keepdims=True)\n",
        (int)name.n, name.p, (int)line->n, line->p, (int)name.n, name.p, part, (int)name.n, name.p,
        part));
    line->n = 0;
    sb_str(line, name);
}

static void draw_floats(scripter *s, script_var *v)
{
    const check_values is = values_of(s, v);
    const bounds b = bounds_of(v, &is);
    const str shape = numpy_shape(s, v);
    const uint32_t units = is.form != CHECK_VALUES_UNIT || v->cols ? 0 : v->rows == 7 ? 4 : v->rows;
    strbuf line;
    sb_init(&line, s->c->m);
    SB_LIT(&line, "rng.uniform(");
    sb_float(&line, b.low);
    SB_LIT(&line, ", ");
    sb_float(&line, b.high);
    sb_printf(&line, ", %.*s)", (int)shape.n, shape.p);
    const size_t item = (size_t)v->rows * (v->cols ? v->cols : 1);
    for (size_t i = 0; i < v->lanes; i += item) {
        double x[16], square = 0;
        for (size_t k = 0; k < item; k++)
            x[k] = numpy_uniform(&s->random, b.low, b.high);
        for (size_t k = item - units; k < item; k++)
            square += x[k] * x[k];
        for (size_t k = 0; k < item; k++)
            set(v, i + k, k + units >= item ? x[k] / __builtin_sqrt(square) : x[k]);
    }
    if (units)
        put_units(s, v, &line, units);
    v->text = (keep(s, &line));
}

/* Both bounds of "0:n" as main() has them. */
static void put_bounds(scripter *s, strbuf *b, str text)
{
    int64_t sizes[LAUNCH_DIMS];
    const char *colon = text.n ? memchr(text.p, ':', text.n) : NULL;
    WEFT_ASSERT(colon);
    const size_t n = (size_t)(colon - text.p);
    script_put_sizes(s, b, (str){text.p, n}, sizes);
    SB_LIT(b, ", ");
    const str last = {colon + 1, text.n - n - 1};
    const char *rule = memchr(last.p, ' ', last.n); /* " off 4" */
    script_put_sizes(s, b, rule ? (str){last.p, (size_t)(rule - last.p)} : last, sizes);
}

static void draw_range(scripter *s, script_var *v, const check_values *is)
{
    strbuf line;
    sb_init(&line, s->c->m);
    const bool range = is->form == CHECK_VALUES_RANGE && is->to > is->from;
    const int64_t low = range ? is->from : 0, high = range ? is->to : 2;
    SB_LIT(&line, "rng.integers(");
    if (range)
        put_bounds(s, &line, v->is.values);
    else
        SB_LIT(&line, "0, 2");
    sb_printf(&line, ", %.*s)", (int)v->sizes.n, v->sizes.p);
    for (size_t i = 0; i < v->lanes; i++)
        set(v, i, (double)numpy_integer(&s->random, low, high));
    v->text = (keep(s, &line));
}

/* Offsets of rows of one to three links each. */
static void draw_rows(scripter *s, script_var *v)
{
    const str counts = script_name(s, STR("row_lengths"));
    const str starts =
        script_name(s, str_c(arena_printf(&s->c->text, "%.*s_data", (int)v->name.n, v->name.p)));
    const str n = s->letter_names['n' - 'a'], e = s->letter_names['e' - 'a'];
    s->letter_used['n' - 'a'] = true;
    int64_t sum = 0;
    for (size_t i = 0; i + 1 < v->lanes; i++) {
        set(v, i, (double)sum);
        sum += numpy_integer(&s->random, 1, 4);
    }
    set(v, v->lanes - 1, (double)sum);
    s->letters['e' - 'a'] = sum;
    v->before = str_c(arena_printf(
        &s->c->text,
        "    %.*s = rng.integers(1, 4, %.*s)\n"
        "    %.*s = np.concatenate(([0], np.cumsum(%.*s)))\n    %.*s = int(%.*s[-1])\n",
        (int)counts.n, counts.p, (int)n.n, n.p, (int)starts.n, starts.p, (int)counts.n, counts.p,
        (int)e.n, e.p, (int)starts.n, starts.p));
    v->text = (starts);
}

static str formed(scripter *s, const char *form, char first, char second)
{
    const str a = s->letter_names[first - 'a'], b = s->letter_names[second - 'a'];
    s->letter_used[first - 'a'] = s->letter_used[second - 'a'] = true;
    return str_c(arena_printf(&s->c->text, form, (int)a.n, a.p, (int)b.n, b.p));
}

/* Element i has the corners i, i + 1, i + 2: a strip. */
static void make_strip(scripter *s, script_var *v, int64_t corners)
{
    const bool same = !str_contains(v->is.values, STR(":o"));
    const int64_t all = s->letters[same ? 'n' - 'a' : 'o' - 'a'];
    for (size_t i = 0; i < v->lanes; i++)
        set(v, i, (double)(((int64_t)i / corners + (int64_t)i % corners) % all));
    const char *end = v->ndim == 1 ? ".flatten()" : "";
    const str n = s->letter_names['n' - 'a'];
    s->letter_used['n' - 'a'] = true;
    if (same)
        v->text = (str_c(arena_printf(&s->c->text,
                                      "((np.arange(%.*s)[:, None] + np.arange(%d)) %% %.*s)%s",
                                      (int)n.n, n.p, (int)corners, (int)n.n, n.p, end)));
    else
        v->text = (str_c(arena_printf(&s->c->text,
                                      *end ? "(np.arange(%.*s)[:, None] + np.arange(%d))%s"
                                           : "np.arange(%.*s)[:, None] + np.arange(%d)%s",
                                      (int)n.n, n.p, (int)corners, end)));
}

/* Index arrays that people make in ways of their own. False: it is another one. */
static bool make_bound(scripter *s, script_var *v)
{
    const int64_t n = s->letters['n' - 'a'], g = s->letters['g' - 'a'];
    const bool same = !str_contains(v->is.values, STR("o"));
    const int64_t others = same ? n : s->letters['o' - 'a'];
    switch (v->arg.binding) {
    case BIND_ROW_OFFSETS: draw_rows(s, v); return true;
    case BIND_LINK_ENDS:
        for (size_t i = 0; i < v->lanes; i++)
            set(v, i, (double)(i / 2 + i % 2));
        v->text =
            (formed(s, "np.stack((np.arange(%.*s), np.arange(1, %.*s + 1)), axis=1)", 'e', 'e'));
        return true;
    case BIND_ACTIVE:
        for (size_t i = 0; i < v->lanes; i++)
            set(v, i, (double)(2 * i));
        v->text = (formed(s, "2 * np.arange(%.*s)", 'a', 'a'));
        return true;
    case BIND_WORLD:
    case BIND_BUCKET:
        for (size_t i = 0; i < v->lanes; i++)
            set(v, i, (double)((int64_t)i * g / n));
        v->text = formed(s, "np.arange(%.*s) // (%.*s // ", 'n', 'n');
        v->text =
            str_c(arena_printf(&s->c->text, "%.*s%.*s)", (int)v->text.n, v->text.p,
                               (int)s->letter_names['g' - 'a'].n, s->letter_names['g' - 'a'].p));
        s->letter_used['g' - 'a'] = true;
        return true;
    case BIND_WORLD_STARTS:
    case BIND_BUCKET_STARTS:
        for (size_t i = 0; i < v->lanes; i++)
            set(v, i, (double)((int64_t)i * (others / g)));
        v->text = formed(s, "(%.*s // %.*s) * np.arange(", same ? 'n' : 'o', 'g');
        v->text =
            str_c(arena_printf(&s->c->text, "%.*s%.*s + 1)", (int)v->text.n, v->text.p,
                               (int)s->letter_names['g' - 'a'].n, s->letter_names['g' - 'a'].p));
        return true;
    default: return false;
    }
}

static void draw_ints(scripter *s, script_var *v)
{
    const check_values is = values_of(s, v);
    if (v->arg.role == ROLE_BINDING && make_bound(s, v))
        return;
    if (is.form == CHECK_VALUES_APART) {
        make_strip(s, v, is.from);
        return;
    }
    if (is.form != CHECK_VALUES_RISING || v->ndim > 1) {
        draw_range(s, v, &is);
        return;
    }
    for (size_t i = 0; i < v->lanes; i++)
        set(v, i, (double)(is.to * (int64_t)i + numpy_integer(&s->random, 0, is.to + 1)));
    v->text = (str_c(arena_printf(&s->c->text, "%d * np.arange(%.*s) + rng.integers(0, %d, %.*s)",
                                  (int)is.to, (int)v->sizes.n, v->sizes.p, (int)is.to + 1,
                                  (int)v->sizes.n, v->sizes.p)));
}

/* --- scalars ---------------------------------------------------------------------------------- */

/* Of two digits, within the bounds. */
static double draw_decimal(scripter *s, bounds b)
{
    const double x = b.low + (b.high - b.low) * (1 + below(s->c, 9)) / 10.0;
    decimal all, few;
    decimal_of(x, 8, &all);
    decimal_round(&all, 2, &few);
    const double y = x < 0 ? -decimal_to_double(&few) : decimal_to_double(&few);
    return y < b.low ? b.low : y > b.high ? b.high : y;
}

/* A rotation of decimals. */
static void draw_rotation(scripter *s, double *x)
{
    static const double turns[][2] = {{0.6, 0.8}, {0.8, 0.6}, {0.28, 0.96}, {-0.6, 0.8}};
    const double *turn = turns[below(s->c, 4)];
    const uint32_t axis = below(s->c, 3);
    for (uint32_t i = 0; i < 3; i++)
        x[i] = i == axis ? turn[0] : 0;
    x[3] = turn[1];
}

static void put_numbers(strbuf *b, const char *call, const double *x, uint32_t n)
{
    sb_printf(b, "%s(", call);
    for (uint32_t i = 0; i < n; i++) {
        sb_c(b, i ? ", " : "");
        sb_float(b, x[i]);
    }
    SB_LIT(b, ")");
}

static void draw_float_value(scripter *s, script_var *v, const check_values *is)
{
    const uint32_t n = v->rows * (v->cols ? v->cols : 1);
    const bool quat = str_eq(v->type, STR("wp.quat"));
    double x[16] = {0};
    strbuf b;
    sb_init(&b, s->c->m);
    for (uint32_t i = 0; i < n; i++)
        x[i] = draw_decimal(s, bounds_of(v, is));
    if (quat || n == 7)
        draw_rotation(s, x + n - 4);
    if (n == 7) {
        SB_LIT(&b, "wp.transform(");
        put_numbers(&b, "wp.vec3", x, 3);
        SB_LIT(&b, ", ");
        put_numbers(&b, "wp.quat", x + 3, 4);
        SB_LIT(&b, ")");
    } else if (v->cols) {
        put_numbers(&b, arena_dup(&s->c->text, v->type.p, v->type.n), x, n);
    } else {
        sb_float(&b, x[0]);
    }
    for (uint32_t i = 0; i < n; i++)
        set(v, i, x[i]);
    v->text = (keep(s, &b));
}

static void draw_scalar(scripter *s, script_var *v)
{
    const check_values is = values_of(s, v);
    v->lanes = (size_t)v->rows * (v->cols ? v->cols : 1);
    v->bytes = arena_zero(&s->p.c.module, 4 * v->lanes + 16);
    if (v->scalar == TYPE_FLOAT32) {
        draw_float_value(s, v, &is);
        return;
    }
    const bool range = is.form == CHECK_VALUES_RANGE && is.to > is.from;
    const int64_t x = (range ? is.from : 0) + below(s->c, (uint32_t)(range ? is.to - is.from : 2));
    set(v, 0, (double)x);
    v->text = (str_c(
        arena_printf(&s->c->text, v->scalar == TYPE_UINT32 ? "wp.uint32(%d)" : "%d", (int)x)));
}

static void make_size(scripter *s, script_var *v)
{
    const int at = "nml"[v->arg.dim] - 'a';
    s->letter_used[at] = true;
    v->bytes = arena_zero(&s->p.c.module, 16);
    v->scalar = TYPE_INT32;
    num_store(TYPE_INT32, v->bytes, (num){.i = s->letters[at]});
}

/* --- all -------------------------------------------------------------------------------------- */

script_turn_of script_turn(const script_var *v)
{
    switch (v->kind) {
    case VAR_SIZE:
    case VAR_SCALAR:
    case VAR_STRUCT: return TURN_SCALARS;
    case VAR_ARRAY:
        if (v->arg.role == ROLE_BINDING && v->arg.binding == BIND_ROW_OFFSETS)
            return TURN_ROWS;
        return v->drawn ? TURN_ARRAYS : TURN_OUTPUTS;
    default: return TURN_OBJECTS;
    }
}

static void fill(scripter *s, script_var *v)
{
    switch (v->kind) {
    case VAR_SIZE: make_size(s, v); break;
    case VAR_SCALAR: draw_scalar(s, v); break;
    case VAR_STRUCT: break; /* its fields are variables */
    case VAR_ARRAY:
        shape_array(s, v);
        if (v->drawn && v->scalar == TYPE_FLOAT32)
            draw_floats(s, v);
        else if (v->drawn)
            draw_ints(s, v);
        break;
    default: script_make_object(s, v);
    }
}

void script_fill(scripter *s)
{
    s->seed = below(s->c, 100);
    s->random = numpy_default_rng(s->seed);
    for (script_turn_of turn = 0; turn < SCRIPT_TURNS; turn++)
        for (uint32_t i = 0; i < s->nvars; i++)
            if (script_turn(&s->vars[i]) == turn)
                fill(s, &s->vars[i]);
    for (uint32_t i = 0; i < s->nkernels; i++) {
        script_kernel *k = &s->kernels[i];
        strbuf b;
        sb_init(&b, s->c->m);
        k->ndim = script_put_sizes(s, &b, k->dims, k->dim);
        const str plain = keep(s, &b);
        k->dims = k->ndim == 1 ? plain
                               : str_c(arena_printf(&s->c->text, "(%.*s)", (int)plain.n, plain.p));
    }
}
