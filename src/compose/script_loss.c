/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel that makes one number of a script's result, so that there is something to take the
 * gradient of, and that checks all of it.
 *
 *     def compute_loss(values: wp.array(dtype=wp.vec3), loss: wp.array(dtype=float)):
 *         i = wp.tid()
 *         wp.atomic_add(loss, 0, wp.dot(values[i], values[i]))
 */
#include "compose/script_internal.h"

typedef enum loss_form { LOSS_SQUARES, LOSS_HALF, LOSS_DISTANCE, LOSS_FORMS } loss_form;

/* The last array of floats that the last kernel writes; NO_VAR: there is none that has a square. */
static uint8_t result_of(const scripter *s)
{
    for (uint32_t i = s->nvars; i-- > 0;) {
        const script_var *v = &s->vars[i];
        if (v->written == s->nkernels && script_is_float(v) && v->kind == VAR_ARRAY &&
            v->cols < 2 && v->rows <= 4 && !str_eq(v->type, STR("wp.quat")))
            return (uint8_t)i;
    }
    return NO_VAR;
}

static uint8_t add_scalar(scripter *s, str name, const script_var *like, bool written)
{
    WEFT_ASSERT(s->nvars < SCRIPT_VARS);
    script_var *v = &s->vars[s->nvars];
    *v = (script_var){.kind = written ? VAR_ARRAY : VAR_SCALAR,
                      .name = script_name(s, name),
                      .arg = {.role = ROLE_QUANTITY, .axis = AXIS_NONE, .written = written},
                      .kernel = (uint8_t)s->nkernels,
                      .written = written ? (uint8_t)(s->nkernels + 1) : 0,
                      .drawn = !written,
                      .scalar = TYPE_FLOAT32,
                      .rows = written ? 1 : like->rows,
                      .cols = written ? 0 : like->cols,
                      .type = written ? STR("float") : like->type};
    v->is = (gen_arg){.name = v->name, .shape = written ? STR("1") : STR("")};
    return (uint8_t)s->nvars++;
}

static const char *const indexes[] = {"i", "i, j", "i, j, k"};

static void put_kernel(scripter *s, const script_var *v, int ndim, loss_form form, str name)
{
    strbuf *b = &s->c->source;
    const char *at = indexes[ndim - 1], *rank[] = {"", "2d", "3d"};
    const bool vector = v->cols;
    const bool brackets = s->c->brackets;
    sb_printf(b, "\n\n@wp.kernel\ndef %.*s(\n    values: wp.array%s%s%.*s%s,\n", (int)name.n,
              name.p, rank[ndim - 1], brackets ? "[" : "(dtype=", (int)v->type.n, v->type.p,
              brackets ? "]" : ")");
    if (form == LOSS_DISTANCE)
        sb_printf(b, "    target: %.*s,\n", (int)v->type.n, v->type.p);
    sb_c(b,
         brackets ? "    loss: wp.array[float],\n):\n" : "    loss: wp.array(dtype=float),\n):\n");
    if (s->c->docstrings)
        sb_printf(b, "    \"\"\"%s\"\"\"\n",
                  form == LOSS_SQUARES ? "Adds up the squares of all values."
                  : form == LOSS_HALF
                      ? "Adds up half the squares of all values."
                      : "Adds up the squared distances of all values to the target.");
    sb_printf(b, "    %s = wp.tid()\n    ", at);
    const char *name_of = form == LOSS_DISTANCE ? "d" : "x";
    sb_printf(b, "%s = values[%s]%s\n    ", name_of, at, form == LOSS_DISTANCE ? " - target" : "");
    sb_printf(b, "wp.atomic_add(loss, 0, %s", form == LOSS_HALF ? "0.5 * " : "");
    sb_printf(b, vector ? "wp.dot(%s, %s))\n" : "%s * %s)\n", name_of, name_of);
}

static void put_prompt(scripter *s, const script_var *v, loss_form form, str name)
{
    const char *const of[] = {[LOSS_SQUARES] = "the square of each of `values`",
                              [LOSS_HALF] = "half the square of each of `values`",
                              [LOSS_DISTANCE] =
                                  "the squared difference of each of `values` and `target`"};
    strbuf *b = &s->prompt;
    sb_printf(b,
              "\n## Kernel %u\n\nWrite a Warp kernel called `%.*s`: it adds %s%s atomically to "
              "`loss[0]`. Its arguments are the array `values`%s and the array `loss` of one "
              "float. It is launched with a thread for each of `%.*s`, which are its `values`.\n",
              s->nkernels + 1, (int)name.n, name.p, of[form],
              v->cols ? " (a vector: the dot product with itself)" : "",
              form == LOSS_DISTANCE ? ", `target`" : "", (int)v->name.n, v->name.p);
}

void script_add_loss(scripter *s)
{
    composer *c = s->c;
    static const char *const launches[] = {"n", "n,m", "n,m,p"};
    const uint8_t result = result_of(s);
    s->loss = NO_VAR;
    if (result == NO_VAR)
        return;
    const script_var *v = &s->vars[result];
    const int ndim = (int)str_count(v->is.shape, ',') + 1;
    if (str_eq(v->is.shape, STR("1")) && !v->cols)
        s->loss = result;
    if (s->loss != NO_VAR || ndim > 3 || s->nvars + 2 > SCRIPT_VARS)
        return;
    script_kernel *k = &s->kernels[s->nkernels];
    const loss_form form = (loss_form)below(c, LOSS_FORMS);
    c->ntaken = c->kept;
    c->taken_from = 0;
    const str name = name_from(c, "compute_loss loss_kernel sum_loss eval_loss");
    const size_t begin = c->source.n;
    put_kernel(s, v, ndim, form, name);
    const str text = {c->source.p + begin, c->source.n - begin};
    const uint32_t lines = str_count(text, '\n') - 2;
    put_prompt(s, v, form, name);
    memset(k, 0, sizeof *k); /* a plan that was given up may stand there */
    k->is = (gen_sample){.kernel = name, .launch = str_c(launches[ndim - 1])};
    uint32_t n = 0;
    k->is.args[n] = (gen_arg){.name = STR("values"), .shape = k->is.launch, .mag = 1};
    k->vars[n++] = result;
    k->is.kernel_lines = lines;
    if (form == LOSS_DISTANCE) {
        k->is.args[n] = (gen_arg){.name = STR("target"), .mag = 1};
        k->vars[n++] = add_scalar(s, STR("target"), v, false);
    }
    k->is.args[n] = (gen_arg){.name = STR("loss"), .shape = STR("1"), .mag = 1};
    s->loss = k->vars[n++] = add_scalar(s, STR("loss"), v, true);
    k->is.nargs = n;
    k->dims = v->is.shape; /* in the letters of the library, as those of other kernels */
    script_name(s, name);
    s->nkernels++;
}
