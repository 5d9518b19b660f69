/* SPDX-License-Identifier: Apache-2.0 */
/* Static checks of a record's CUDA text against what its metadata state about the kernel: the same
 * as `weft check` runs on a .cu file. They look at the text by itself and need no compiler; that it
 * is the one that weft emits is checked afterwards (check_text in validate_source.c). A text
 * whose guard is missing is so reported as that, and not as a difference in some line. For example,
 * the metadata of kernel `solve_loss_step` with arguments weights_arr and b_new require
 *
 *     solve_loss_step_cuda_kernel_forward(dim, var_weights_arr, var_b_new) */
#include "validate/kernel_signature.h"
#include "validate/validate_record.h"

/* The signature that the metadata describe; types stay open, see kernel_signature.h. */
static lint_signature signature_of(arena *a, const record_view *r, bool backward)
{
    str names[SAMPLE_ARGS_MAX];
    WEFT_ASSERT(r->nargs <= SAMPLE_ARGS_MAX);
    for (uint32_t i = 0; i < r->nargs; i++)
        names[i] = r->args[i].name;
    return kernel_signature_of_text(a, r->kernel, names, r->nargs, backward);
}

/* The first problem found is the reason, with its place in the text. Diagnostics that were there
 * before this call stay. */
bool validate_cuda(record_validator *rv, const record_view *r, bool backward, strbuf *why)
{
    ctx *c = &rv->p.c;
    const char *key = record_text_key(EMIT_CUDA, backward);
    const source src = {
        .path = key, .text = backward ? r->texts.backward[EMIT_CUDA] : r->texts.forward[EMIT_CUDA]};
    const uint32_t before = c->diags.n;
    const lint_signature wanted = signature_of(&c->module, r, backward);
    if (lint_cuda(c, &src, &wanted, 1, NULL))
        return true;
    WEFT_ASSERT(c->diags.n > before);
    const diag *d = &c->diags.v[before];
    sb_printf(why, "%s: line %u, column %u: %s", key, d->at.line, d->at.col + 1, d->text);
    c->diags.n = before; /* they point to this text */
    return false;
}
