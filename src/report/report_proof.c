/* SPDX-License-Identifier: Apache-2.0 */
/* What was proven of a record, in words, from its own metadata.verification:
 *
 *     {"status": "exact", "inputs": 3, "forward_error": 0.0, "adjoint_error": 4.05e-09,
 *      "tolerance": 3.41e-05, "mutants": 15, "killed": 15, ...}
 *
 *     ->  badges "forward proved" and "gradient exact"; "On 3 sets of inputs the forward text gave
 *         the results of the source, bit for bit. ..."
 *
 * The page repeats what the record says: `weft validate` proves it again. */
#include "report/report_proof.h"
#include "base/format.h"

/* A value of metadata.verification.status. The style has a colour for each `kind`. */
typedef struct proof_words {
    const char *status;
    const char *forward, *gradient;       /* badges; NULL: none */
    const char *of_forward, *of_backward; /* in headings of texts; NULL: nothing */
    const char *forward_kind, *gradient_kind;
} proof_words;

static const proof_words words[] = {
    {"exact", "forward proved", "gradient exact", "proved", "exact", "good", "good"},
    {"warp_differs", "forward proved", "Warp\xe2\x80\x99s gradient differs", "proved",
     "not the derivative", "good", "differs"},
    {"nondifferentiable", "forward proved", "no slope to compare", "proved", "no slope met", "good",
     "unknown"},
    {"forward", "forward proved", NULL, "proved", NULL, "good", NULL},
    {"not_run", "not executed", NULL, "not executed", "not executed", "unknown", NULL}};

/* NULL: another status, or none. */
static const proof_words *words_of(const json_value *verification)
{
    const str status = json_text(json_get(verification, "status"));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(status, str_c(words[i].status)))
            return &words[i];
    return NULL;
}

void report_put_badge(strbuf *b, const char *kind, str text)
{
    if (!text.n)
        return;
    SB_LIT(b, " <span class=\"badge ");
    sb_c(b, kind);
    SB_LIT(b, "\">");
    html_text(b, text);
    SB_LIT(b, "</span>");
}

void report_put_proof_badges(strbuf *b, const json_value *verification)
{
    const proof_words *w = words_of(verification);
    const str status = json_text(json_get(verification, "status"));
    if (!w)
        report_put_badge(b, "unknown", status);
    if (!w)
        return;
    report_put_badge(b, w->forward_kind, str_c(w->forward));
    if (w->gradient)
        report_put_badge(b, w->gradient_kind, str_c(w->gradient));
}

const char *report_proof_heading(const json_value *verification, bool backward)
{
    const proof_words *w = words_of(verification);
    return !w ? NULL : backward ? w->of_backward : w->of_forward;
}

/* --- evidence ------------------------------------------------------------------------------- */

/* A number that a sentence can have; false: there is none. */
static bool number_in(const json_value *object, const char *key, double *x)
{
    const json_value *v = json_get(object, key);
    *x = json_is(v, JSON_TYPE_NUMBER) ? json_number(v) : -1;
    return *x >= 0;
}

/* "On 3 sets of inputs the forward text gave the results of the source, bit for bit." */
static void put_forward(strbuf *b, const json_value *verification)
{
    double inputs, error;
    if (!number_in(verification, "inputs", &inputs) || inputs < 1)
        return;
    sb_printf(b, "On %.0f set%s of inputs the forward text gave the results of the source", inputs,
              plural_s((uint64_t)inputs));
    if (number_in(verification, "forward_error", &error))
        sb_printf(b, error == 0 ? ", bit for bit" : "; the largest difference is %.2g", error);
    SB_LIT(b, ". ");
}

/* "The gradient passes the dot-product test: its sides differ by 4e-09, and rounding may cost
 * 3.4e-05." */
static void put_gradient(strbuf *b, const json_value *verification, const proof_words *w)
{
    const str class = json_text(json_get(verification, "class"));
    double error, tolerance;
    if (strcmp(w->status, "warp_differs") == 0) {
        SB_LIT(b, "Warp\xe2\x80\x99s own backward text, which this is, is not the derivative");
        if (class.n) {
            SB_LIT(b, " (<code>");
            html_text(b, class);
            SB_LIT(b, "</code>)");
        }
        SB_LIT(b, ". ");
        return;
    }
    if (!number_in(verification, "adjoint_error", &error) ||
        !number_in(verification, "tolerance", &tolerance))
        return;
    sb_printf(b,
              "In the dot-product test of the gradient the two sides differ by %.2g; rounding "
              "may cost %.2g. ",
              error, tolerance);
}

void report_put_evidence(strbuf *b, const json_value *verification)
{
    const proof_words *w = words_of(verification);
    double mutants, killed;
    if (!w)
        return;
    SB_LIT(b, "<p class=\"evidence\">");
    put_forward(b, verification);
    put_gradient(b, verification, w);
    if (number_in(verification, "mutants", &mutants) && mutants >= 1 &&
        number_in(verification, "killed", &killed))
        sb_printf(b, "Of %.0f small changes of the text, %.0f gave other results.", mutants,
                  killed);
    if (strcmp(w->status, "not_run") == 0)
        SB_LIT(b, "Nothing was executed: that the texts are right was not tried.");
    SB_LIT(b, "</p>\n");
}
