/* Diagnostics of a context as its caller sees them: as structs, and as the lines that the program
 * prints.
 *
 *     {"undefined-name", "name 'x' is not defined", ..., "m.py", 3, 9}
 *     m.py:3:9: error: name 'x' is not defined [undefined-name]
 *         y = x + 1
 *             ^ */
#include "api/api.h"
#include "base/diag_text.h"

/* Columns count from 1 outside, from 0 inside. */
weft_diagnostic api_diagnostic(const diag *d)
{
    const span *at = &d->at;
    return (weft_diagnostic){.id = diag_name(d->id),
                             .message = d->text,
                             .hint = diag_hint(d->id),
                             .file = at->src ? at->src->path : NULL,
                             .line = at->line,
                             .column = at->col + 1,
                             .end_line = at->end_line ? at->end_line : at->line,
                             .end_column = at->end_col + 1};
}

/* A file that cannot be read outranks errors in those that can. */
static weft_status status_of(const ctx *c)
{
    weft_status s = c->diags.n ? WEFT_INPUT_ERRORS : WEFT_OK;
    for (uint32_t i = 0; i < c->diags.n; i++)
        if (c->diags.v[i].id == DIAG_CANNOT_READ)
            s = WEFT_IO_ERROR;
    return s;
}

weft_status api_take_diagnostics(weft_context *c)
{
    const ctx *x = &c->p.c;
    c->diagnostics = ARENA_ARRAY(&c->p.c.module, weft_diagnostic, (size_t)x->diags.n + 1);
    for (uint32_t i = 0; i < x->diags.n; i++)
        c->diagnostics[c->ndiagnostics++] = api_diagnostic(&x->diags.v[i]);
    return status_of(x);
}

size_t weft_diagnostic_count(const weft_context *c)
{
    return c ? c->ndiagnostics : 0;
}

const weft_diagnostic *weft_diagnostic_at(const weft_context *c, size_t index)
{
    return c && index < c->ndiagnostics ? &c->diagnostics[index] : NULL;
}

typedef struct text_request {
    weft_context *c;
    const diag *d;
    unsigned form;
    str text;
} text_request;

static void print_diagnostic(void *arg)
{
    text_request *r = arg;
    const diag_severity severity =
        r->form & WEFT_DIAGNOSTIC_REMARK ? DIAG_IS_WARNING : DIAG_IS_ERROR;
    strbuf b;
    sb_init(&b, &r->c->p.c.mem);
    if (r->form & WEFT_DIAGNOSTIC_JSON) {
        diag_put_json(&b, r->d, severity);
        sb_char(&b, '\n');
    } else {
        diag_put_text(&b, r->d, severity, (r->form & WEFT_DIAGNOSTIC_COLOR) != 0);
    }
    r->text = (str){arena_dup(&r->c->p.c.module, b.p, b.n), b.n};
    sb_clear(&b);
}

weft_status weft_diagnostic_text(weft_context *c, size_t index, unsigned form, const char **text,
                                 size_t *size)
{
    if (!c || index >= c->ndiagnostics || !text || !size || form > 7)
        return WEFT_BAD_ARGUMENT;
    WEFT_ASSERT(c->ndiagnostics == c->p.c.diags.n);
    text_request r = {.c = c, .d = &c->p.c.diags.v[index], .form = form};
    if (!mem_try(&c->p.c.mem, print_diagnostic, &r))
        return mem_stopped(&c->p.c.mem) ? WEFT_STOPPED : WEFT_NO_MEMORY;
    *text = r.text.p;
    *size = r.text.n;
    return WEFT_OK;
}
