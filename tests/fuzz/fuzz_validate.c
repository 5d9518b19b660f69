/* SPDX-License-Identifier: Apache-2.0 */
/* One input as a record: whatever it says, there is a verdict. */
#include <stdlib.h>

#include "fuzz_target.h"
#include "validate/validate.h"

static void on_problem(void *arg, const validate_problem *p)
{
    unsigned *n = arg;
    if (!p->reason.n || p->check >= VALIDATE_CHECKS)
        abort();
    ++*n;
}

/* The validator is made once: that takes far longer than a small record. */
void fuzz_validate(const uint8_t *data, size_t size)
{
    static unsigned n;
    static const validate_options o = {.checks = VALIDATE_ALL, .report = on_problem, .arg = &n};
    static validator *v;
    const str text = {(const char *)data, size};
    if (!v)
        v = validator_new(&o);
    if (!v || !validator_text(v, "input", text))
        abort();
}
