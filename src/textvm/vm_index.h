/* Threads of CUDA text, as its own expressions find them. */
#ifndef WEFT_TEXTVM_VM_INDEX_H
#define WEFT_TEXTVM_VM_INDEX_H

#include "textvm/vm.h"

uint64_t index_run(const index_code *code, const thread_place *at);
bool index_compare(int token, uint64_t a, uint64_t b);

#endif
