/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics of a context as its caller sees them: as structs, and as the lines that the program
 * prints.
 *
 *     {"undefined-name", "name 'x' is not defined", ..., "m.py", 3, 9}
 *     m.py:3:9: error: name 'x' is not defined [undefined-name]
 *         y = x + 1
 *             ^ */
#include "api/api.h"
#include "base/diag_text.h"
#include "lint/lint.h"

_Static_assert((int)WEFT_DIAGNOSTICS_MAX == (int)DIAG_MAX, "one limit of diagnostics");

/* A generic kernel has no text of its own, which is an error only where the caller named it. */
static bool is_warning(const weft_context *c, const diag *d)
{
    if (d->id == DIAG_GENERIC_KERNEL)
        return !c->names_kernels;
    switch (d->id) {
    case DIAG_REPLACED_KERNEL:
    case DIAG_UNSEEN_IN_FUNCTION:
    case DIAG_UNSEEN_IN_MAIN:
    case DIAG_UNSEEN_CALL:
    case DIAG_UNSEEN_FUEL:
    case DIAG_UNSEEN_WRAPPED:
    case DIAG_UNSEEN_FOREIGN:
    case DIAG_UNSEEN_DECORATED: return true;
    default: return d->is_warning || lint_is_remark(d->id);
    }
}

/* Columns count from 1 outside, from 0 inside.
 *
 *     span line 3, col 8   ->   line 3, column 9 */
weft_diagnostic api_diagnostic(const weft_context *c, const diag *d)
{
    const span *at = &d->at;
    return (weft_diagnostic){.id = diag_name(d->id),
                             .message = d->text,
                             .hint = d->hint,
                             .file = at->src ? at->src->path : NULL,
                             .line = at->line,
                             .column = at->col + 1,
                             .end_line = at->end_line ? at->end_line : at->line,
                             .end_column = at->end_col + 1,
                             .warning = is_warning(c, d)};
}

/* A file that cannot be read outranks errors in those that can.
 *
 *     a warning          WEFT_OK, or WEFT_INPUT_ERRORS where warnings count
 *     an error           WEFT_INPUT_ERRORS
 *     cannot-read        WEFT_IO_ERROR, whatever else there is */
static weft_status status_of(const weft_context *c, bool warnings_count)
{
    weft_status s = WEFT_OK;
    const ctx *x = &c->p.c;
    for (uint32_t i = 0; i < x->diags.n && s != WEFT_IO_ERROR; i++)
        if (x->diags.v[i].id == DIAG_CANNOT_READ)
            s = WEFT_IO_ERROR;
        else if (warnings_count || !c->diagnostics[i].warning)
            s = WEFT_INPUT_ERRORS;
    return s;
}

/* The public list is in step with the one inside, which weft_diagnostic_text reads. */
static void take_diagnostics(weft_context *c)
{
    const ctx *x = &c->p.c;
    c->diagnostics = ARENA_ARRAY(&c->p.c.module, weft_diagnostic, (size_t)x->diags.n + 1);
    c->ndiagnostics = x->diags.n;
    for (uint32_t i = 0; i < x->diags.n; i++)
        c->diagnostics[i] = api_diagnostic(c, &x->diags.v[i]);
}

weft_status api_take_diagnostics(weft_context *c)
{
    take_diagnostics(c);
    return status_of(c, true);
}

/* Warnings alone leave the status WEFT_OK. */
weft_status api_take_errors(weft_context *c)
{
    take_diagnostics(c);
    return status_of(c, false);
}

size_t weft_diagnostic_count(const weft_context *c)
{
    return c ? c->ndiagnostics : 0;
}

/* Valid until the next call on the context. */
const weft_diagnostic *weft_diagnostic_at(const weft_context *c, size_t index)
{
    return c && index < c->ndiagnostics ? &c->diagnostics[index] : NULL;
}

/* For mem_try: the diagnostic to print, and its text. */
typedef struct text_request {
    weft_context *c;
    const diag *d;
    unsigned form;
    str text;
} text_request;

/* Built in a strbuf and kept in the module arena, as long as the diagnostic itself. */
static void print_diagnostic(void *arg)
{
    text_request *r = arg;
    WEFT_ASSERT(r->d && r->d->id < DIAG_COUNT);
    const bool warning = r->form & WEFT_DIAGNOSTIC_REMARK || is_warning(r->c, r->d);
    const diag_severity severity = warning ? DIAG_IS_WARNING : DIAG_IS_ERROR;
    strbuf b;
    sb_init(&b, &r->c->p.c.mem);
    if (r->form & WEFT_DIAGNOSTIC_JSON) {
        diag_put_json(&b, r->d, severity);
        sb_char(&b, '\n');
    } else if (r->form & WEFT_DIAGNOSTIC_SARIF) {
        diag_put_sarif(&b, r->d, severity);
    } else {
        diag_put_text(&b, r->d, severity, (r->form & WEFT_DIAGNOSTIC_COLOR) != 0);
    }
    r->text = (str){arena_dup(&r->c->p.c.module, b.p, b.n), b.n};
    sb_clear(&b);
}

weft_status weft_diagnostic_text(weft_context *c, size_t index, unsigned form, const char **text,
                                 size_t *size)
{
    if (!c || index >= c->ndiagnostics || !text || !size || form > 15)
        return WEFT_BAD_ARGUMENT;
    WEFT_ASSERT(c->ndiagnostics == c->p.c.diags.n);
    text_request r = {.c = c, .d = &c->p.c.diags.v[index], .form = form};
    if (!mem_try(&c->p.c.mem, print_diagnostic, &r))
        return mem_stopped(&c->p.c.mem) ? WEFT_STOPPED : WEFT_NO_MEMORY;
    *text = r.text.p;
    *size = r.text.n;
    return WEFT_OK;
}

/* Nothing without the option `timings`: the clock has not run then. */
static void print_timings(void *arg)
{
    text_request *r = arg;
    strbuf b;
    sb_init(&b, &r->c->p.c.mem);
    if (r->c->p.options.timings)
        stage_report(&r->c->p.clock, &b);
    r->text = (str){arena_dup(&r->c->p.c.module, b.p, b.n), b.n};
    sb_clear(&b);
}

/* The times of the stages, as --timings prints them. */
weft_status weft_timings(weft_context *c, const char **text, size_t *size)
{
    text_request r = {.c = c};
    if (!c || !text || !size)
        return WEFT_BAD_ARGUMENT;
    if (!mem_try(&c->p.c.mem, print_timings, &r))
        return mem_stopped(&c->p.c.mem) ? WEFT_STOPPED : WEFT_NO_MEMORY;
    *text = r.text.p;
    *size = r.text.n;
    return WEFT_OK;
}
