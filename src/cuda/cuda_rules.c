/* The tables of rules. */
#include "cuda/cuda_internal.h"

const cuda_rule cuda_rules[] = {
#define RULE(name, kinds, pattern, text) {name, kinds, pattern, NULL, text},
#include "cuda/cuda_decompose.def"
#include "cuda/cuda_lanes.def"
#include "cuda/cuda_matrix.def"
#include "cuda/cuda_noise.def"
#include "cuda/cuda_quat.def"
#include "cuda/cuda_random.def"
#include "cuda/cuda_scalar.def"
#undef RULE
    {0},
};

const cuda_rule cuda_adj_rules[] = {
#define ADJOINT(name, kinds, pattern, wanted, text) {name, kinds, pattern, wanted, text},
#include "cuda/cuda_adj_decompose.def"
#include "cuda/cuda_adj_lanes.def"
#include "cuda/cuda_adj_noise.def"
#include "cuda/cuda_adj_quat.def"
#include "cuda/cuda_adj_scalar.def"
#undef ADJOINT
    {0},
};
