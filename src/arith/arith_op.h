/* SPDX-License-Identifier: Apache-2.0 */
/* Operations chosen for the types of their operands: found once when a program is prepared, then
 * executed often. Values are bytes laid out as in Warp's memory (layout_size), so that a float32 is
 * a C float and a mat33f nine of them in rows.
 *
 * Each builtin has up to three functions that must not be derived from each other, since they judge
 * each other: its value; its tangent, the true derivative, for the reference interpreter; and its
 * adjoint, exactly what Warp's native adj_NAME adds, its errors included, for the text machine. */
#ifndef WEFT_ARITH_ARITH_OP_H
#define WEFT_ARITH_ARITH_OP_H

#include "arith/arith.h"

typedef struct arith_op arith_op;

/* The functions of an operation. `operands` are addresses, aligned for their types:
 *   run      n arguments, nresults results, which it writes
 *   tangent  arguments, results (as run left them), tangents of the arguments, tangents of the
 *            results, which it writes; a tangent has its primal's type
 *   adjoint  arguments, results, adjoints of the arguments, to which it adds, adjoints of the
 *            results. The results' addresses may be NULL where Warp's adj_NAME is not given them.
 *
 * For r = a * b these are
 *
 *     run      a, b, r
 *     tangent  a, b, r, tangents of a, b, r
 *     adjoint  a, b, r, adjoints of a, b, r
 *
 * Results do not overlap arguments. A builtin that changes an argument (a random state,
 * assign_inplace) changes operands[0] in place. */
typedef arith_status arith_fn(const arith_op *op, void *const *operands);

enum { ARITH_RESULTS_MAX = 4 };

/* A builtin for certain types, ready to run any number of times. It holds no values. Example: "mul"
 * of (mat23f, vec3f) has run mat_vec_f32, n 2, nresults 1, types (mat23f, vec3f, vec2f) and param
 * (2, 3). */
struct arith_op {
    arith_fn *run;
    arith_fn *tangent; /* NULL: tangents of the results are zero */
    arith_fn *adjoint; /* NULL: adds nothing (Warp's adj_NAME is empty) */
    uint32_t (*rounds)(const arith_op *op,
                       void *const *operands); /* of a loop in run; NULL: none */
    const char *name;
    const type *const *types; /* of the operands of run: n arguments, then nresults results */
    uint32_t n, nresults;
    int32_t param[4];    /* what the family needs: rows, columns, ... */
    void *aux;           /* the same */
    uint32_t work;       /* steps of fuel that it takes besides its own: arith_find */
    bool in_place;       /* run changes argument 0 */
    bool changes_second; /* with in_place: and argument 1 */
    /* run writes nset arguments from first_set on, as it writes results, or leaves them as they
     * are; so does tangent. */
    uint8_t first_set, nset;
    bool has_effect; /* run changes what is no operand: a volume */
    bool constructs; /* a constructor or a cast */
    bool differs;    /* adj_NAME of Warp 1.19 is known not to be the transposed tangent */
};

/* A request: the builtin `name` as Warp spells it natively ("add", "quat_rotate"), or with
 * `constructs` a constructor or cast T(args...). Results are given where the caller has them (the
 * declared type in a text; Warp's overload resolution), as the result of identity and others does
 * not follow from their arguments; nresults 0: to be found. */
typedef struct arith_request {
    ctx *c;
    arena *a; /* op's tables live here */
    const char *name;
    const type *constructs;
    const type *const *args;
    uint32_t n;
    const type *const *results;
    uint32_t nresults;
} arith_request;

/* Fills *op, whose tables live in q->a. False: it cannot be executed with these types. */
bool arith_find(const arith_request *q, arith_op *op);
/* Whether any operation has this name. */
bool arith_knows(const char *name);

/* Does the operation give the same for two values of argument k, by its kind, whatever the other
 * arguments are? False where that is not known. */
bool arith_is_alike(const arith_op *op, uint32_t k, const void *from, const void *to);

/* For ARITH_CONVERSION, ARITH_SHIFT and ARITH_NAN_SIGN, what went wrong: "conversion out of range:
 * -1.5 to uint32 ..."; `operands` as run was given them. */
void arith_explain(const arith_op *op, void *const *operands, arith_status status, char *text,
                   size_t size);
/* The same of a conversion that is no operation. */
void arith_explain_cast(double x, const type *to, char *text, size_t size);

/* Fills *op for a request of a name in the family's table; false: it does not have these types. */
typedef bool arith_resolver(const arith_request *q, arith_op *op);
typedef struct arith_row {
    const char *name;
    arith_resolver *resolve;
} arith_row;
typedef struct arith_family {
    const arith_row *rows; /* sorted by name, as strcmp does */
    uint32_t n;
} arith_family;

#endif
