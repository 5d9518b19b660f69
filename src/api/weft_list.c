/* SPDX-License-Identifier: Apache-2.0 */
/* What weft knows, listed for callers: kinds of diagnostics and built-in functions.
 *
 *     {"undefined-name", "name '%s' is not defined", "define it at module level, ..."}
 *     "clamp(x: Scalar, low: Scalar, high: Scalar)" */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "builtin/builtin.h"

/* --- diagnostics ----------------------------------------------------------------------------- */

static const weft_diagnostic_kind kinds[] = {
#define DIAG(id, name, text, hint) {name, text, hint},
#include "base/diag.def"
#undef DIAG
};

const weft_diagnostic_kind *weft_diagnostic_kind_at(size_t index)
{
    return index < sizeof kinds / sizeof *kinds ? &kinds[index] : NULL;
}

/* --- built-in functions ---------------------------------------------------------------------- */

/* One call of weft_builtins. */
typedef struct list_request {
    weft_context *c;
    VEC(const char *) all;
    weft_status status;
} list_request;

static int by_text(const void *one, const void *two)
{
    return strcmp(*(const char *const *)one, *(const char *const *)two);
}

static void list_builtins(void *arg)
{
    list_request *r = arg;
    ctx *c = &r->c->p.c;
    uint32_t at = 0;
    const builtin *b;
    str text;
    while ((b = builtin_next(c, &at)))
        for (uint32_t i = 0; builtin_signature(b, i, &text); i++)
            if (text.n)
                VEC_PUSH(&c->module, &r->all, arena_dup(&c->module, text.p, text.n));
    WEFT_ASSERT(r->all.n);
    qsort(r->all.v, r->all.n, sizeof *r->all.v, by_text);
}

weft_status weft_builtins(weft_context *c, const char *const **signatures, size_t *count)
{
    list_request r = {.c = c};
    if (!c || !signatures || !count)
        return WEFT_BAD_ARGUMENT;
    const weft_status status = api_try(c, list_builtins, &r, &r.status);
    *signatures = status == WEFT_OK ? r.all.v : NULL;
    *count = status == WEFT_OK ? r.all.n : 0;
    return status;
}
