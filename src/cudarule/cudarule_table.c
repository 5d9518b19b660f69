/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of rules, forward and adjoint. A file cudarule_*.def holds what builtins of one kind
 * are forward (RULE) and their adjoints (ADJOINT), side by side; each table below takes one of the
 * two. Among rows of one name the first that fits the types counts.
 *
 *     RULE("lerp", "F", "sss>s", "= a * (1 - c) + b * c")
 *     name, scalars that it is for, types of arguments and result, what it gives
 *
 *     ADJOINT("lerp", "F", "sss>s", NULL, "da += d * (1 - c); db += d * c; dc += b * d - a * d;")
 *     the same, which adjoints it gives (NULL: all), what it adds to them
 *
 * The columns are described in cudarule_match.h, the language of the last one in cudarule_expr.c
 * and cudarule_stmt.c, and its first character in cudarule_apply.c. */
#include "cudarule/cudarule_match.h"

/* Forward. Functions of <math.h> are not among them: cudarule_math.c. */
const cuda_rule cuda_rules[] = {
#define RULE(name, kinds, pattern, text) {name, kinds, pattern, NULL, text},
#define ADJOINT(name, kinds, pattern, wanted, text)
#include "cudarule/cudarule_decompose.def"
#include "cudarule/cudarule_geometry.def"
#include "cudarule/cudarule_lanes.def"
#include "cudarule/cudarule_matrix.def"
#include "cudarule/cudarule_noise.def"
#include "cudarule/cudarule_quat.def"
#include "cudarule/cudarule_random.def"
#include "cudarule/cudarule_scalar.def"
#undef RULE
#undef ADJOINT
    {0},
};

/* Adjoints, those of the functions of <math.h> too. */
const cuda_rule cuda_adj_rules[] = {
#define RULE(name, kinds, pattern, text)
#define MATH(name, native, nargs)
#define ADJOINT(name, kinds, pattern, wanted, text) {name, kinds, pattern, wanted, text},
#include "cudarule/cudarule_decompose.def"
#include "cudarule/cudarule_geometry.def"
#include "cudarule/cudarule_lanes.def"
#include "cudarule/cudarule_math.def"
#include "cudarule/cudarule_matrix.def"
#include "cudarule/cudarule_noise.def"
#include "cudarule/cudarule_quat.def"
#include "cudarule/cudarule_scalar.def"
#undef RULE
#undef MATH
#undef ADJOINT
    {0},
};
