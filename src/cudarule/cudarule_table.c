/* The tables of rules, forward and adjoint. */
#include "cudarule/cudarule_match.h"

/* A file holds what builtins of one kind are forward (RULE) and their adjoints (ADJOINT), side by
 * side; each table below takes one of the two. Among rows of one name the first that fits counts.
 */
const cuda_rule cuda_rules[] = {
#define RULE(name, kinds, pattern, text) {name, kinds, pattern, NULL, text},
#define ADJOINT(name, kinds, pattern, wanted, text)
#include "cudarule/cudarule_decompose.def"
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

const cuda_rule cuda_adj_rules[] = {
#define RULE(name, kinds, pattern, text)
#define MATH(name, native, nargs)
#define ADJOINT(name, kinds, pattern, wanted, text) {name, kinds, pattern, wanted, text},
#include "cudarule/cudarule_decompose.def"
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
