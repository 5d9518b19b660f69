/* What the metadata of a data set or a program say of its kernels, for the static checks of CUDA
 * text. */
#ifndef WEFT_VALIDATE_KERNEL_SIGNATURE_H
#define WEFT_VALIDATE_KERNEL_SIGNATURE_H

#include "lint/lint.h"

typedef VEC(lint_signature) signature_list;

/* Of Warp's text: the launch's bounds, the arguments, and their adjoints. In a. */
lint_signature kernel_signature_of_text(arena *a, str kernel, const str *args, uint32_t nargs,
                                        bool backward);
/* The kernels in a program's "standalone" object, strings without escapes; false: it does not have
 * them, or not as it should. In a. */
bool kernel_signatures_of_program(arena *a, str standalone, signature_list *out);
/* Both of Warp's texts from an object with "kernel_name" and "arguments", forward first; one of
 * them may be missing. False: it does not have these. In a. */
bool kernel_signatures_of_record(arena *a, str metadata, signature_list *out);
/* From the metadata.json beside FOLDER/NAME.cu; none where it speaks of other files, or says
 * nothing of kernels. False: it is damaged, which is told in c->diags; metadata has to live as
 * long. */
bool kernel_signatures_beside(ctx *c, const source *metadata, const char *cu, signature_list *out);

#endif
