/* SPDX-License-Identifier: Apache-2.0 */
/* Writes main(): sizes, inputs, outputs, launches, the tape, the check. And what the prompt says of
 * it.
 *
 *     def main():
 *         rng = np.random.default_rng(7)
 *         num_particles = 32
 *         masses = wp.array(rng.uniform(0.5, 4.0, num_particles), dtype=float)
 *         ...
 *         np.testing.assert_allclose(forces.numpy()[:2], [[...], [...]], rtol=0.001, atol=1e-05)
 */
#include "base/ascii.h"
#include "base/decimal.h"
#include "compose/script_internal.h"

enum { LINE = 100, SHOWN = 6 /* numbers of an array that are compared, about */ };

#define WORD(s) (int)(s).n, (s).p

/* --- the docstring ---------------------------------------------------------------------------- */

/* """Springs and cloth: the spring force, then the acceleration.""" */
void script_put_title(scripter *s)
{
    enum { TITLES = 60 }; /* percent of scripts */
    const str title = s->kernels[0].p.field->title;
    str last = STR("");
    strbuf b;
    if (!chance(s->c, TITLES))
        return;
    sb_init(&b, s->c->m);
    sb_printf(&b, "\"\"\"%c%.*s:", ascii_upper(title.p[0]), (int)title.n - 1, title.p + 1);
    for (uint32_t i = 0; i < s->nvars; i++) {
        const script_var *v = &s->vars[i];
        if (!v->written || !v->arg.of || str_eq(v->arg.of->noun, last))
            continue;
        sb_printf(&b, "%s the %.*s", last.n ? ", then" : "", WORD(v->arg.of->noun));
        last = v->arg.of->noun;
    }
    SB_LIT(&b, ".\"\"\"\n\n");
    if (b.n <= LINE)
        sb_str(&s->source, sb_view(&b));
    sb_clear(&b);
}

/* --- variables -------------------------------------------------------------------------------- */

/* wp.array(DATA, dtype=TYPE), in one line or several. */
static void put_call(strbuf *b, const script_var *v, const char *call, str data)
{
    const char *grad = v->grad ? "requires_grad=True" : NULL;
    const size_t n = 4 + v->name.n + 3 + strlen(call) + 1 + data.n + 8 + v->type.n + 1 +
                     (grad ? 2 + strlen(grad) : 0);
    sb_printf(b, "    %.*s = %s(", WORD(v->name), call);
    if (n <= LINE)
        sb_printf(b, "%.*s, dtype=%.*s%s%s)\n", WORD(data), WORD(v->type), grad ? ", " : "",
                  grad ? grad : "");
    else
        sb_printf(b, "\n        %.*s,\n        dtype=%.*s,\n%s    )\n", WORD(data), WORD(v->type),
                  grad ? "        requires_grad=True,\n" : "");
}

/* The struct and its fields, some of which may be variables of an earlier kernel. */
static void put_struct(scripter *s, const script_var *v)
{
    const script_kernel *k = &s->kernels[v->kernel];
    sb_printf(&s->main, "    %.*s = %.*s()\n", WORD(v->name), WORD(v->type));
    for (uint8_t i = 0; i < k->p.nargs; i++) {
        const script_var *f = &s->vars[k->params[i]];
        if (k->p.args[i].field.n)
            sb_printf(&s->main, "    %.*s.%.*s = %.*s\n", WORD(v->name), WORD(k->p.args[i].field),
                      WORD(f->kernel == v->kernel ? f->text : f->name));
    }
}

static void put_var(scripter *s, const script_var *v)
{
    strbuf *b = &s->main;
    sb_str(b, v->before);
    switch (v->kind) {
    case VAR_SIZE: break;
    case VAR_STRUCT: put_struct(s, v); break;
    case VAR_ARRAY:
        if (v->drawn)
            put_call(b, v, "wp.array", v->text);
        else
            put_call(b, v, "wp.zeros", v->sizes);
        break;
    default:
        if (!v->arg.field.n)
            sb_printf(b, "    %.*s = %.*s\n", WORD(v->name), WORD(v->text));
    }
    sb_str(b, v->after);
}

/* Texts first: they may use further letters. */
static void put_sizes(scripter *s, strbuf *b, const char *form)
{
    static const char order[] = "nmlgoeabcdfhijkpqrstuvwxyz";
    str texts[26];
    for (int i = 0; i < 26; i++)
        texts[i] = s->letter_used[order[i] - 'a'] && !(order[i] == 'e' && s->has_rows)
                       ? script_letter_text(s, order[i])
                       : STR("");
    if (s->letter_used['n' - 'a'])
        texts[0] = script_letter_text(s, 'n');
    for (int i = 0; i < 26; i++)
        if (texts[i].n)
            sb_printf(b, form, WORD(s->letter_names[order[i] - 'a']), WORD(texts[i]));
}

static void put_vars(scripter *s)
{
    sb_printf(&s->main, "\n\ndef main():\n    rng = np.random.default_rng(%u)\n\n", s->seed);
    put_sizes(s, &s->main, "    %.*s = %.*s\n");
    for (script_turn_of turn = 0; turn < SCRIPT_TURNS; turn++) {
        bool first = turn == TURN_ROWS || turn == TURN_OUTPUTS;
        first |= turn == TURN_ARRAYS && !s->has_rows;
        for (uint32_t i = 0; i < s->nvars; i++) {
            if (script_turn(&s->vars[i]) != turn)
                continue;
            if (first)
                sb_char(&s->main, '\n');
            first = false;
            put_var(s, &s->vars[i]);
        }
    }
}

/* --- launches --------------------------------------------------------------------------------- */

/* In one line, or if that is longer than `most`, an item a line. */
static void put_list(scripter *s, strbuf *b, const script_kernel *k, uint32_t from, uint32_t to,
                     int indent, size_t most)
{
    SB_LIT(b, "[");
    for (uint32_t i = from; i < to; i++) {
        const script_var *v = &s->vars[k->vars[i]];
        const bool object = v->kind == VAR_MESH || v->kind == VAR_BVH || v->kind == VAR_GRID;
        if (most)
            sb_c(b, i > from ? ", " : "");
        else
            sb_printf(b, "\n%*s", indent + 8, "");
        sb_printf(b, "%.*s%s%s", WORD(v->name), object ? ".id" : "", most ? "" : ",");
    }
    if (!most)
        sb_printf(b, "\n%*s", indent + 4, "");
    SB_LIT(b, "]");
    if (!most || b->n <= most)
        return;
    b->n = 0;
    put_list(s, b, k, from, to, indent, 0);
}

static void put_launch(scripter *s, const script_kernel *k, int indent)
{
    uint32_t first = k->is.nargs; /* output */
    while (first > 0 && s->vars[k->vars[first - 1]].written &&
           s->vars[k->vars[first - 1]].written == k - s->kernels + 1)
        first--;
    strbuf in, out;
    sb_init(&in, s->c->m);
    sb_init(&out, s->c->m);
    put_list(s, &in, k, 0, first, indent, LINE);
    put_list(s, &out, k, first, k->is.nargs, indent, LINE);
    const size_t n = (size_t)indent + 10 + k->is.kernel.n + 6 + k->dims.n + 9 + in.n + 10 + out.n;
    const bool one = n < LINE;
    const char *between = one ? ", " : arena_printf(&s->c->text, ",\n%*s", indent + 4, "");
    sb_printf(&s->main, "%*swp.launch(%s%.*s%sdim=%.*s%sinputs=%.*s", indent, "",
              one ? "" : between + 1, WORD(k->is.kernel), between, WORD(k->dims), between,
              (int)in.n, in.p);
    if (first < k->is.nargs)
        sb_printf(&s->main, "%soutputs=%.*s", between, (int)out.n, out.p);
    if (one)
        SB_LIT(&s->main, ")\n");
    else
        sb_printf(&s->main, ",\n%*s)\n", indent, "");
    sb_clear(&in);
    sb_clear(&out);
}

static void put_launches(scripter *s)
{
    const bool tape = s->leaf != NO_VAR;
    sb_c(&s->main, tape ? "\n    tape = wp.Tape()\n    with tape:\n" : "\n");
    for (uint32_t i = 0; i < s->nkernels; i++)
        put_launch(s, &s->kernels[i], tape ? 8 : 4);
    if (tape)
        sb_printf(&s->main, "    tape.backward(%.*s)\n", WORD(s->vars[s->loss].name));
}

/* --- checks ----------------------------------------------------------------------------------- */

static double lane_of(const script_var *v, const uint8_t *bytes, size_t lane)
{
    const num x = num_load(v->scalar, bytes + 4 * lane);
    return v->scalar == TYPE_FLOAT32 ? x.f : (double)x.i;
}

static void put_number(strbuf *b, const script_var *v, const uint8_t *bytes, size_t lane)
{
    const double x = lane_of(v, bytes, lane);
    decimal all, few;
    if (v->scalar != TYPE_FLOAT32) {
        sb_int(b, (int64_t)x);
        return;
    }
    decimal_of(x < 0 ? -x : x, 20, &all);
    decimal_round(&all, 6, &few);
    sb_float(b, x < 0 ? -decimal_to_double(&few) : decimal_to_double(&few));
}

/* `count` items of the shape (rows, cols), from `lane` on, as lists. */
static void put_items(strbuf *b, const script_var *v, const uint8_t *bytes, size_t lane,
                      size_t count)
{
    SB_LIT(b, "[");
    for (size_t i = 0; i < count; i++) {
        sb_c(b, i ? ", " : "");
        if (!v->cols) {
            put_number(b, v, bytes, lane + i);
            continue;
        }
        SB_LIT(b, "[");
        for (uint32_t r = 0; r < v->rows; r++) {
            sb_c(b, r ? ", " : "");
            sb_c(b, v->cols > 1 ? "[" : "");
            for (uint32_t c = 0; c < v->cols; c++) {
                sb_c(b, c ? ", " : "");
                put_number(b, v, bytes, lane + (i * v->rows + r) * v->cols + c);
            }
            sb_c(b, v->cols > 1 ? "]" : "");
        }
        SB_LIT(b, "]");
    }
    SB_LIT(b, "]");
}

/* How many numbers among the items differ from the first and from zero. */
static size_t variety(const script_var *v, const uint8_t *bytes, size_t lane, size_t lanes)
{
    size_t n = 0;
    for (size_t i = 0; i < lanes; i++) {
        const double x = lane_of(v, bytes, lane + i);
        n += x != 0;
        n += i && x != lane_of(v, bytes, lane);
    }
    return n;
}

/* Which items of an array are shown: a part of one row that tells as much as any. */
typedef struct window {
    size_t row, first, count; /* row: in all dimensions but the last */
} window;

static window choose_window(const script_var *v, const uint8_t *bytes)
{
    const size_t item = (size_t)v->rows * (v->cols ? v->cols : 1);
    const size_t last = (size_t)v->shape[v->ndim - 1], rows = v->lanes / item / last;
    const size_t most = item >= SHOWN ? 1 : SHOWN / item;
    window best = {0, 0, most < last ? most : last};
    size_t best_variety = 0;
    for (size_t row = 0; row < rows; row++)
        for (size_t first = 0; first + best.count <= last; first += best.count) {
            const size_t n = variety(v, bytes, (row * last + first) * item, best.count * item);
            if (n > best_variety + best_variety / 4) {
                best_variety = n;
                best = (window){row, first, best.count};
            }
        }
    return best;
}

/* "[2, 4:10]" */
static void put_window(strbuf *b, const script_var *v, window w)
{
    size_t row = w.row;
    int64_t at[LAUNCH_DIMS] = {0};
    for (int d = v->ndim - 1; d-- > 0;) {
        at[d] = (int64_t)(row % (size_t)v->shape[d]);
        row /= (size_t)v->shape[d];
    }
    if (v->ndim == 1 && (int64_t)w.count == v->shape[0])
        return;
    SB_LIT(b, "[");
    for (int d = 0; d + 1 < v->ndim; d++)
        sb_printf(b, "%d, ", (int)at[d]);
    if (w.first)
        sb_uint(b, w.first);
    sb_printf(b, ":%u]", (unsigned)(w.first + w.count));
}

/* Each row of a matrix in a line of its own. */
static void break_rows(strbuf *items)
{
    strbuf b;
    sb_init(&b, items->m);
    for (size_t i = 0; i < items->n; i++) {
        const bool between = i > 1 && items->p[i] == ' ' && items->p[i - 2] == ']';
        sb_c(&b, between ? "\n          " : "");
        if (!between)
            sb_char(&b, items->p[i]);
    }
    items->n = 0;
    sb_str(items, sb_view(&b));
    sb_clear(&b);
}

/* np.testing.assert_allclose(NAME.numpy()[:3], [...], rtol=0.001, atol=1e-05) */
static void put_check(scripter *s, const script_var *v, const char *of, const uint8_t *bytes)
{
    strbuf *b = &s->main;
    const bool floats = v->scalar == TYPE_FLOAT32;
    const window w = choose_window(v, bytes);
    const size_t item = (size_t)v->rows * (v->cols ? v->cols : 1);
    strbuf what, items;
    sb_init(&what, s->c->m);
    sb_init(&items, s->c->m);
    sb_printf(&what, "%.*s%s", WORD(v->name), of);
    put_window(&what, v, w);
    const size_t last = (size_t)v->shape[v->ndim - 1];
    put_items(&items, v, bytes, (w.row * last + w.first) * item, w.count);
    const char *call = floats ? "np.testing.assert_allclose(" : "np.testing.assert_array_equal(";
    const bool one = 4 + strlen(call) + what.n + 2 + items.n + (floats ? 25 : 1) <= LINE;
    if (8 + items.n + 1 > LINE && v->cols > 1)
        break_rows(&items);
    const char *between = one ? ", " : ",\n        ";
    sb_printf(b, "    %s%s%.*s%s%.*s", call, one ? "" : "\n        ", (int)what.n, what.p, between,
              (int)items.n, items.p);
    if (floats) {
        sb_printf(b, "%srtol=", between);
        sb_float(b, SCRIPT_RTOL);
        sb_printf(b, "%satol=", between);
        sb_float(b, script_atol(script_largest(v, bytes)));
    }
    sb_c(b, one ? ")\n" : ",\n    )\n");
    sb_clear(&what);
    sb_clear(&items);
}

/* Of integers that the last kernel gives, all count. */
static void put_sum(scripter *s, const script_var *v)
{
    int64_t sum = 0;
    for (size_t i = 0; i < v->lanes; i++)
        sum += (int64_t)lane_of(v, v->expected, i);
    sb_printf(&s->main, "    assert %.*s.numpy().sum() == %d\n", WORD(v->name), (int)sum);
}

static void put_checks(scripter *s)
{
    strbuf *b = &s->main;
    SB_LIT(b, "\n    # Expected values for these inputs.\n");
    for (uint32_t i = 0; i < s->nvars; i++) {
        const script_var *v = &s->vars[i];
        if (!v->written)
            continue;
        const bool floats = v->scalar == TYPE_FLOAT32;
        if (floats && v->lanes > 1)
            sb_printf(b, "    assert np.isfinite(%.*s.numpy()).all()\n", WORD(v->name));
        put_check(s, v, ".numpy()", v->expected);
        if (!floats && v->lanes > SHOWN && v->scalar == TYPE_INT32)
            put_sum(s, v);
    }
    if (s->leaf != NO_VAR) {
        const script_var *v = &s->vars[s->leaf];
        put_check(s, v, ".grad.numpy()", v->gradient);
    }
    const script_var *last = &s->vars[s->nvars - 1];
    for (uint32_t i = 0; i < s->nvars; i++)
        if (s->vars[i].written == s->nkernels)
            last = &s->vars[i];
    if (last->lanes == 1)
        sb_printf(b, "    print(f\"%.*s: {%.*s.numpy()[0]}\")\n", WORD(last->name),
                  WORD(last->name));
    else
        sb_printf(b, "    print(%.*s.numpy())\n", WORD(last->name));
    SB_LIT(b, "\n\nif __name__ == \"__main__\":\n    main()\n");
}

/* --- the prompt ------------------------------------------------------------------------------- */

static void put_input_words(strbuf *b, const script_var *v)
{
    if (v->kind == VAR_SIZE || v->kind == VAR_STRUCT || !v->drawn)
        return;
    sb_printf(b, "- `%.*s`:%s", WORD(v->name), v->before.n || v->after.n ? "" : " ");
    if (v->before.n || v->after.n)
        sb_printf(b, "\n\n```python\n%.*s    %.*s = %.*s\n%.*s```\n\n", WORD(v->before),
                  WORD(v->name), WORD(v->text), WORD(v->after));
    else
        sb_printf(b, "`%.*s`\n", WORD(v->text));
}

static void put_links(scripter *s, strbuf *b)
{
    for (uint32_t i = 1; i < s->nkernels; i++) {
        const script_kernel *k = &s->kernels[i];
        for (uint32_t a = 0; a < k->is.nargs; a++) {
            const script_var *v = &s->vars[k->vars[a]];
            if (v->kind == VAR_ARRAY && v->kernel < i && !v->drawn)
                sb_printf(b,
                          "`%.*s`, which kernel %u writes, is the argument `%.*s` of kernel %u. ",
                          WORD(v->name), v->kernel + 1u, WORD(k->is.args[a].name), i + 1);
        }
    }
}

static void put_prompt(scripter *s)
{
    static const char *const numbers[] = {"", "one kernel", "two kernels", "three kernels",
                                          "four kernels"};
    strbuf *b = &s->c->prompt;
    b->n = 0;
    sb_printf(b,
              "Write a Python script that runs with NVIDIA Warp as it stands. It has the %s below "
              "and a `main` that makes their inputs, launches them in this order and checks what "
              "they give.\n",
              numbers[s->nkernels]);
    sb_str(b, sb_view(&s->prompt));
    sb_printf(b,
              "\n## main\n\nThe inputs are drawn by `rng = np.random.default_rng(%u)`, in this "
              "order. ",
              s->seed);
    SB_LIT(b, "Sizes:\n");
    put_sizes(s, b, "- `%.*s = %.*s`\n");
    SB_LIT(b, "\nInputs, those that are arrays given to `wp.array`:\n");
    for (script_turn_of turn = 0; turn < SCRIPT_TURNS; turn++)
        for (uint32_t i = 0; i < s->nvars; i++)
            if (script_turn(&s->vars[i]) == turn)
                put_input_words(b, &s->vars[i]);
    SB_LIT(b, "\nOutputs begin with zeros. ");
    put_links(s, b);
    if (s->leaf != NO_VAR)
        sb_printf(b,
                  "The launches are recorded on a `wp.Tape`, which follows `%.*s` back to "
                  "`%.*s`. ",
                  WORD(s->vars[s->loss].name), WORD(s->vars[s->leaf].name));
    sb_printf(b,
              "At the end check that all floats are finite, and compare some of each result%s with "
              "what a run gave, to 0.001 of it; integers have to be equal.\n",
              s->leaf != NO_VAR ? ", and of the gradient," : "");
}

void script_write_main(scripter *s)
{
    for (uint32_t i = 0; i < s->nvars; i++) {
        script_var *v = &s->vars[i];
        v->grad = s->leaf != NO_VAR && v->kind == VAR_ARRAY && v->scalar == TYPE_FLOAT32 &&
                  (v->written || i == s->leaf);
    }
    s->main.n = 0;
    put_vars(s);
    put_launches(s);
    put_checks(s);
    sb_str(&s->source, sb_view(&s->main));
    put_prompt(s);
}
