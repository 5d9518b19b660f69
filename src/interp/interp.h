/* SPDX-License-Identifier: Apache-2.0 */
/* The reference interpreter: runs a kernel's syntax tree over a launch grid, one thread after the
 * other in the order of Warp's CPU device, and on request its tangent beside it (forward mode, dual
 * numbers).
 *
 *     interp *in = interp_new(c, kernel);
 *     interp_launch_run(in, &(interp_launch){.kernel = kernel, .args = args, ...}, &error)
 *
 * Its results are the reference for the text that the compiler makes, so it uses neither lowering
 * nor text: the two executors, this one and src/textvm, share the arithmetic of values (src/arith)
 * and nothing else.
 *
 * With tangents, a run computes for y = f(x) and a direction dx the derivative dy = f'(x) dx. Where
 * no derivative exists (a tie in a comparison, say) the run goes on and interp_met_kink reports it.
 */
#ifndef WEFT_INTERP_INTERP_H
#define WEFT_INTERP_INTERP_H

#include "arith/arith_op.h"
#include "sema/module.h"

/* Warp's limit for dimensions of launches and of arrays. */
enum { LAUNCH_DIMS = 4 };

typedef struct interp interp;

/* One launch. The arrays that args and tangents point to belong to the caller and are changed in
 * place; the rest is read only. */
typedef struct interp_launch {
    const kernel *kernel;
    const rvalue *args; /* one for each parameter */
    /* NULL, or a tangent for each parameter: an array of the same type and shape, a value of the
     * same type; a type of NULL: zero (an array that is written must have one). Arrays hold the
     * direction before the run, and the derivative of what was written after it. */
    const rvalue *tangents;
    int ndim; /* dimensions of the grid; dim[0..ndim) are its sizes, 0: nothing runs */
    int64_t dim[LAUNCH_DIMS];
    bool reversed;          /* the last thread runs first */
    bool apart;             /* no thread sees what others store: interp_apart.c */
    const void *watched;    /* with `apart`: a byte of an array; see interp_stores_met */
    bool shaken;            /* what sin, exp and the like give is a last place off */
    bool cuda;              /* native code is CUDA's, where it differs from the CPU's */
    int block_dim;          /* threads of a block; 0: 1, as on the CPU */
    uint64_t fuel;          /* statements and rounds of loops that may be executed; 0: no limit */
    uint32_t round_steps;   /* that a round of a loop inside a builtin counts as */
    bool lenient;           /* expectations that do not hold are no faults */
    ctx_progress *progress; /* of threads; NULL: nobody asks */
    void *progress_arg;
} interp_launch;

/* An array access whose index was out of bounds and that ended the launch. `dim` is the dimension
 * of the view, `index` the value as the kernel computed it, negative ones included. */
typedef struct interp_outside {
    const char *array; /* its path among the parameters; NULL: no access did */
    int ndim;          /* of the view that was indexed */
    uint32_t dim;
    int64_t index;
} interp_outside;

/* How a launch ended. */
typedef enum interp_end {
    INTERP_OK,
    INTERP_FAULT,       /* the kernel is wrong: an index out of bounds, a division by zero ... */
    INTERP_UNSPECIFIED, /* C++ leaves open what the kernel computes: a conversion out of range */
    INTERP_CANNOT,      /* "cannot execute ..." */
    INTERP_FUEL
} interp_end;

/* Prepares a kernel for many launches; it lives in c->module. */
interp *interp_new(ctx *c, const kernel *k);
/* False: the kernel failed, and *error says where and how; arrays may have been changed. Must run
 * inside mem_try. */
bool interp_launch_run(interp *in, const interp_launch *launch, strbuf *error);
/* Does the kernel have tiles? Then a launch needs a block size. */
bool interp_has_tiles(const interp *in);
interp_end interp_ended(const interp *in); /* the last launch */
interp_outside interp_met_outside(const interp *in);
/* Did the last launch count an index from an array's end? */
bool interp_met_negative(const interp *in);
/* Did the last launch with tangents pass a point where the kernel has no derivative? */
bool interp_met_kink(const interp *in);
/* Did it compute a number with a tangent that is not finite, or one of infinite slope, whether this
 * has become part of a result or not? */
bool interp_met_steep(const interp *in);
/* Did it compute a wp.grad? Tangents round in another order than Warp's adjoint. */
bool interp_met_gradient(const interp *in);
/* Was the last launch one whose threads run apart, and have all stores been kept apart? */
bool interp_kept_apart(const interp *in);
/* Did several of its threads, or blocks with tiles, store to the watched byte, other than by
 * atomics? */
bool interp_stores_met(const interp *in);
/* Steps of fuel that the last launch took. */
uint64_t interp_steps(const interp *in);
/* How often a thread waited in it for the others of its block. */
uint64_t interp_waits(const interp *in);
/* A builtin that a tangent passed through in it, and whose adjoint in Warp is known to be wrong; or
 * NULL. */
const char *interp_met_wrong_adjoint(const interp *in);

#endif
