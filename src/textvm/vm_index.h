/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of CUDA text, as its own expressions find them; for launches (vm_run.c).
 *
 *     index_run of blockIdx.x * blockDim.x + threadIdx.x at {2, 0, 0, 5, 0, 0, 32, ...} -> 69 */
#ifndef WEFT_TEXTVM_VM_INDEX_H
#define WEFT_TEXTVM_VM_INDEX_H

#include "textvm/vm.h"

/* The value of an index or step for one thread. */
uint64_t index_run(const index_code *code, const thread_place *at);
/* The comparison with dim.size; token: '<', T_GE and so on. */
bool index_compare(int token, uint64_t a, uint64_t b);

#endif
