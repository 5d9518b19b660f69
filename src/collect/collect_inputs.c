/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses the inputs of a kernel from the types of its parameters. For a kernel whose wp.tid() has
 * two values:
 *
 *     launch "n,m"; an array of two dimensions "n,m"; an integer: one of these sizes, or small */
#include "collect/collect_inputs.h"

static const char *const letters[] = {"", "n", "n,m", "n,m,p", "n,m,p,q"};
static const char *const square[] = {"", "n", "n,n", "n,n,n", "n,n,n,n"};

/* Trials 0 and 1 take integers for sizes, 2 and 3 for small numbers; 1 and 3 make all dimensions of
 * arrays as long as the launch's first. */
str collect_inputs(const kernel *k, int launch_dim, int trial, check_arg *args)
{
    const code *f = &k->code;
    const int dim = launch_dim < 1 ? 1 : launch_dim > LAUNCH_DIMS ? LAUNCH_DIMS : launch_dim;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const type *t = f->params[i].type;
        const int rank = t->kind == TYPE_ARRAY && t->ndim <= LAUNCH_DIMS ? t->ndim : 0;
        const type *scalar = type_scalar_of(t->kind == TYPE_ARRAY ? t->elem : t);
        const bool integer = scalar && type_is_integer(scalar);
        args[i] = (check_arg){str_c((trial & 1 ? square : letters)[rank]), integer ? 1 : 1};
        if (type_is_integer(t) && trial < 2)
            args[i].shape = STR("n");
    }
    return str_c(letters[dim]);
}
