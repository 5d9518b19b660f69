/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what weft_check finds of gradients (check_gradients.h).
 *
 *     {"file": "k.py", "line": 12, "kernel": "settle", "verdict": "wrong",
 *      "class": "loop_body_replayed", "variable": "s", "why": "...", "cause": {"file": "k.py",
 *      "line": 15, "column": 9},
 *      "counterexample": {"dim": [1], "input": "x[0]", "output": "y[0]", "warp": 0.25, "true": 0.5,
 *                         "arguments": {"x": [0.5, 0.25], "y": [0.0]}}} */
#include "cli/check_gradients.h"

#include "base/decimal.h"
#include "base/json.h"

int check_gradients_open(check_gradients *g, const cli_args *args)
{
    const int error = g->json || g->lines ? output_open(&g->out, args->arena, NULL, NULL) : 0;
    return error ? cli_output_failed(NULL, error) : CLI_OK;
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void put_key(strbuf *b, const char *key, const char *value)
{
    json_key(b, key, false);
    json_string(b, str_c(value));
}

/* JSON has no word for what is not finite: it is a string. */
static void put_number(strbuf *b, const char *key, double x)
{
    const bool finite = x - x == 0;
    json_key(b, key, false);
    sb_c(b, finite ? "" : "\"");
    sb_float32(b, x);
    sb_c(b, finite ? "" : "\"");
}

static void put_cause(strbuf *b, const weft_gradient *f)
{
    json_key(b, "cause", false);
    if (!f->cause_line) {
        SB_LIT(b, "null");
        return;
    }
    SB_LIT(b, "{");
    json_key(b, "file", true);
    json_string(b, str_c(f->cause_file));
    sb_printf(b, ", \"line\": %u, \"column\": %u}", f->cause_line, f->cause_column + 1);
}

static void put_example(strbuf *b, const weft_gradient *f)
{
    json_key(b, "counterexample", false);
    if (!f->dim_count) {
        SB_LIT(b, "null");
        return;
    }
    SB_LIT(b, "{\"dim\": [");
    for (size_t d = 0; d < f->dim_count; d++)
        sb_printf(b, d ? ", %lld" : "%lld", (long long)f->dim[d]);
    SB_LIT(b, "]");
    put_key(b, "input", f->input);
    put_key(b, "output", f->output);
    put_number(b, "warp", f->warp);
    put_number(b, "true", f->truth);
    json_key(b, "arguments", false);
    sb_c(b, f->arguments ? f->arguments : "null");
    SB_LIT(b, "}");
}

static void put_json(strbuf *b, const weft_gradient *f)
{
    SB_LIT(b, "{");
    json_key(b, "file", true);
    json_string(b, str_c(f->file));
    json_key(b, "line", false);
    sb_uint(b, f->line);
    put_key(b, "kernel", f->kernel);
    put_key(b, "verdict", weft_gradient_name(f->verdict));
    put_key(b, "class", f->class_name);
    put_key(b, "variable", f->variable);
    put_key(b, "why", f->why);
    put_cause(b, f);
    put_example(b, f);
    SB_LIT(b, "}\n");
}

/* --- lines ----------------------------------------------------------------------------------- */

/* As people read them. */
static const char *const words[GRADIENT_KINDS] = {[WEFT_GRADIENT_RIGHT] = "right",
                                                  [WEFT_GRADIENT_WRONG] = "wrong",
                                                  [WEFT_GRADIENT_NONDIFFERENTIABLE] =
                                                      "not differentiable",
                                                  [WEFT_GRADIENT_NOT_EXECUTED] = "not judged",
                                                  [WEFT_GRADIENT_CUSTOM] = "custom"};

static void put_line(strbuf *b, const weft_gradient *f)
{
    cli_put_shown(b, f->file);
    sb_printf(b, ":%u: ", f->line);
    cli_put_shown(b, f->kernel);
    sb_printf(b, ": %s", words[f->verdict]);
    if (*f->why && f->verdict != WEFT_GRADIENT_WRONG) { /* an error says that */
        SB_LIT(b, ": ");
        cli_put_shown(b, f->why);
    }
    SB_LIT(b, "\n");
}

void check_gradients_put(check_gradients *g, const weft_gradient *found)
{
    g->found[found->verdict]++;
    if (g->json)
        put_json(&g->out.text, found);
    else if (g->lines)
        put_line(&g->out.text, found);
    if (g->json || g->lines)
        output_write(&g->out, STR("")); /* at once: the next kernel may take seconds */
}

int check_gradients_close(check_gradients *g, int status)
{
    const int error = g->json || g->lines ? output_close(&g->out, true) : 0;
    return error ? cli_output_failed(NULL, error) : status;
}

void check_gradients_put_summary(const check_gradients *g, strbuf *b)
{
    const char *before = "; gradients: ";
    for (int i = 0; i < GRADIENT_KINDS; i++) {
        if (!g->found[i])
            continue;
        sb_printf(b, "%s%llu %s", before, (unsigned long long)g->found[i], words[i]);
        before = ", ";
    }
}
