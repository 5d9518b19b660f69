/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels that metadata promise, for the static checks of CUDA text (lint/lint.h), in `weft
 * check` and `weft validate`.
 *
 *     {"kernel_name": "solve_loss_step", "arguments": [{"name": "b_new", ...}]}
 *
 *     ->  solve_loss_step_cuda_kernel_forward(dim, var_b_new)
 *         solve_loss_step_cuda_kernel_backward(dim, var_b_new, adj_b_new) */
#ifndef WEFT_VALIDATE_KERNEL_SIGNATURE_H
#define WEFT_VALIDATE_KERNEL_SIGNATURE_H

#include "lint/lint.h"

typedef VEC(lint_signature) signature_list;

/* Of Warp's text: the launch's bounds, the arguments, and with `backward` their adjoints. The types
 * are left empty. In a. */
lint_signature kernel_signature_of_text(arena *a, str kernel, const str *args, uint32_t nargs,
                                        bool backward);
/* The kernels in a program's "standalone" object, strings without escapes; false: it does not have
 * them, or not as it should. In a. */
bool kernel_signatures_of_program(arena *a, str standalone, signature_list *out);
/* Both of Warp's texts from an object with "kernel_name" and "arguments", forward first; one of
 * them may be missing. False: it does not have these. In a. */
bool kernel_signatures_of_record(arena *a, str metadata, signature_list *out);
/* From the metadata.json beside FOLDER/NAME.cu; none where it describes another file, or no
 * kernels. False: it is damaged, and c->diags has an error that points into `metadata`, which must
 * live as long. */
bool kernel_signatures_beside(ctx *c, const source *metadata, const char *cu, signature_list *out);

#endif
