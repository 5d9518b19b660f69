/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that trainers and graders read without weft: problem_id, verification_info, tokens. The
 * writer puts them, validation makes them anew and compares. */
#ifndef WEFT_RECORD_GRADE_H
#define WEFT_RECORD_GRADE_H

#include "gen/gen.h"

enum { GRADE_ID = 32 };
/* The same for the same task, whatever the run: of its words, or of the source where it has none.
 * GRADE_ID hexadecimal digits. */
void grade_problem_id(str prompt, str source, char id[GRADE_ID]);

/* About how many tokens a text has, by a formula that needs no tokenizer (docs/records.md). */
uint64_t grade_tokens(str text);

/* What a grader needs. */
typedef struct grade_subject {
    const char *language; /* of the answer: "python", "cuda", "cpp" */
    str kernel;
    const gen_arg *args; /* of which name and type are read */
    uint32_t nargs;
    uint64_t block_dim; /* threads of a block of each launch; 0: any number */
    str tests;          /* a list in JSON (check_put_tests) */
    const char *why;    /* it is empty; NULL: it is not */
} grade_subject;
/* Appends the object in JSON, to be the text of a field. */
void grade_put_info(strbuf *b, const grade_subject *s);

/* Why there are no tests, but for what check_put_tests says. */
#define GRADE_NOT_RUN  "it was not executed"
#define GRADE_NO_TESTS "--no-tests"
#define GRADE_SCRIPT   "the script checks itself"
/* Does a text that grade_put_info wrote say that GRADE_NO_TESTS is why? */
bool grade_is_untested(str info);

#endif
