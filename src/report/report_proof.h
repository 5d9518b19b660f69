/* SPDX-License-Identifier: Apache-2.0 */
/* metadata.verification in words. All functions take it as it is, NULL too, and write nothing where
 * it does not say. */
#ifndef WEFT_REPORT_REPORT_PROOF_H
#define WEFT_REPORT_REPORT_PROOF_H

#include "base/json_tree.h"
#include "report/html.h"

/* A badge; none for an empty text. `kind` is a class of assets/report.css. */
void report_put_badge(strbuf *b, const char *kind, str text);
/* The badges of a record's summary: "forward proved", "gradient exact". */
void report_put_proof_badges(strbuf *b, const json_value *verification);
/* What the heading of a text adds: "proved", "exact"; NULL: nothing. */
const char *report_proof_heading(const json_value *verification, bool backward);
/* The evidence as a paragraph: inputs, errors, mutants. */
void report_put_evidence(strbuf *b, const json_value *verification);

#endif
