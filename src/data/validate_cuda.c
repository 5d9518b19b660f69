/* Static checks of a record's CUDA text against what its metadata say of the kernel. They take the
 * text for itself; that it is weft's is checked afterwards. */
#include "data/validate_record.h"
#include "gpu/cuda_lint.h"

static str joined(arena *a, const char *start, str name)
{
    const char *p = arena_printf(a, "%s%.*s", start, (int)name.n, name.p);
    return str_c(p);
}

/* The launch's bounds, the arguments, and their adjoints. */
static cuda_signature signature_of(arena *a, const record_view *r, bool backward)
{
    str *params = ARENA_ARRAY(a, str, 2 * (size_t)r->nargs + 1);
    uint32_t n = 0;
    params[n++] = STR("dim");
    for (uint32_t i = 0; i < r->nargs; i++)
        params[n++] = joined(a, "var_", r->args[i].name);
    for (uint32_t i = 0; backward && i < r->nargs; i++)
        params[n++] = joined(a, "adj_", r->args[i].name);
    const char *name = arena_printf(a, "%.*s_cuda_kernel_%s", (int)r->kernel.n, r->kernel.p,
                                    backward ? "backward" : "forward");
    return (cuda_signature){str_c(name), params, n};
}

bool judge_cuda(record_judge *j, const record_view *r, bool backward, strbuf *why)
{
    ctx *c = &j->p.c;
    const char *key = record_text_key(EMIT_CUDA, backward);
    const source src = {
        .path = key, .text = backward ? r->texts.backward[EMIT_CUDA] : r->texts.forward[EMIT_CUDA]};
    const uint32_t before = c->diags.n;
    const cuda_signature wanted = signature_of(&c->module, r, backward);
    if (cuda_lint(c, &src, &wanted, 1))
        return true;
    const diag *d = &c->diags.v[before];
    sb_printf(why, "%s: line %u, column %u: %s", key, d->at.line, d->at.col + 1, d->text);
    c->diags.n = before; /* they point to this text */
    return false;
}
