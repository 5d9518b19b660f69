/* The tables of rules. */
#include "cudarule/cudarule_match.h"

const cuda_rule cuda_rules[] = {
#define RULE(name, kinds, pattern, text) {name, kinds, pattern, NULL, text},
#include "cudarule/cudarule_decompose.def"
#include "cudarule/cudarule_lanes.def"
#include "cudarule/cudarule_matrix.def"
#include "cudarule/cudarule_noise.def"
#include "cudarule/cudarule_quat.def"
#include "cudarule/cudarule_random.def"
#include "cudarule/cudarule_scalar.def"
#undef RULE
    {0},
};

const cuda_rule cuda_adj_rules[] = {
#define ADJOINT(name, kinds, pattern, wanted, text) {name, kinds, pattern, wanted, text},
#include "cudarule/cudarule_adj_decompose.def"
#include "cudarule/cudarule_adj_lanes.def"
#include "cudarule/cudarule_adj_noise.def"
#include "cudarule/cudarule_adj_quat.def"
#include "cudarule/cudarule_adj_scalar.def"
#undef ADJOINT
    {0},
};
