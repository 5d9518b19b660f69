/* SPDX-License-Identifier: Apache-2.0 */
/* How CUDA text finds its threads: the expression of _idx, its bound, its step.
 *
 *     static_cast<size_t>(blockIdx.x * blockDim.x + threadIdx.x)
 *     -> postfix: BLOCK_IDX.x BLOCK_DIM.x MUL THREAD_IDX.x ADD WIDEN
 *
 *     sum := product {'+' product}     product := atom {'*' atom}
 *     atom := static_cast<size_t>(sum) | blockIdx.x and its like
 *
 * The expression is evaluated as written, with C++'s 32 and 64 bits: a damaged index must give
 * wrong results here as on a GPU. It is tried on some grids first (is_usual): if it gives each
 * thread the index that Warp's own gives, a launch can count indices instead, which is faster. */
#include "textvm/vm_index.h"
#include "base/assert.h"
#include "textvm/vm_read.h"

/* Appends an operation. */
static void put(reader *r, index_code *code, uint32_t op)
{
    WEFT_ASSERT(op <= INDEX_WIDEN);
    if (code->n == INDEX_CODE_MAX)
        read_fail(r, "the index is too long");
    code->ops[code->n++] = (uint8_t)op;
}

static bool sum(reader *r, index_code *code, int depth);

/* blockIdx.x and so on, which are of 32 bits: pushes the coordinate. */
static void special(reader *r, index_code *code)
{
    static const struct {
        const char *name;
        index_op op;
    } specials[] = {{"blockIdx", INDEX_BLOCK_IDX},
                    {"threadIdx", INDEX_THREAD_IDX},
                    {"blockDim", INDEX_BLOCK_DIM},
                    {"gridDim", INDEX_GRID_DIM}};
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (r->tok.kind != T_NAME || !str_eq(r->tok.id->s, str_c(specials[i].name)))
            continue;
        tok_next(r);
        tok_expect(r, '.');
        const str axis = tok_name(r)->s;
        if (axis.n != 1 || axis.p[0] < 'x' || axis.p[0] > 'z')
            read_fail(r, "an axis must be x, y or z");
        put(r, code, specials[i].op + (uint32_t)(axis.p[0] - 'x'));
        return;
    }
    read_fail(r, "the thread's index is made of something unknown");
}

/* These three read a part of the expression. They return true if it is of 64 bits: as in C++, an
 * operation is if one operand is. */
static bool atom(reader *r, index_code *code, int depth)
{
    if (depth > 8)
        read_fail(r, "the index is nested too deep");
    if (!tok_is(r, "static_cast")) {
        special(r, code);
        return false;
    }
    tok_words(r, "static_cast < size_t > (");
    sum(r, code, depth + 1);
    tok_expect(r, ')');
    put(r, code, INDEX_WIDEN);
    return true;
}

/* The operands of a 64-bit operation are not widened one by one: numbers are kept in 64 bits, and
 * only 32-bit results are cut. */
static bool product(reader *r, index_code *code, int depth)
{
    bool wide = atom(r, code, depth);
    while (tok_accept(r, '*')) {
        const bool right = atom(r, code, depth);
        wide = wide || right;
        put(r, code, wide ? INDEX_MUL64 : INDEX_MUL);
    }
    return wide;
}

static bool sum(reader *r, index_code *code, int depth)
{
    bool wide = product(r, code, depth);
    while (tok_accept(r, '+')) {
        const bool right = product(r, code, depth);
        wide = wide || right;
        put(r, code, wide ? INDEX_ADD64 : INDEX_ADD);
    }
    return wide;
}

/* Runs the code. The reader made it from a correct expression, so the stack neither underflows nor
 * overflows, and one number is left. */
uint64_t index_run(const index_code *code, const thread_place *at)
{
    uint64_t stack[INDEX_CODE_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < code->n; i++) {
        const uint8_t op = code->ops[i];
        WEFT_ASSERT(op <= INDEX_WIDEN && n < INDEX_CODE_MAX);
        if (op < INDEX_ADD) {
            stack[n++] = at->coords[op];
            continue;
        }
        if (op == INDEX_WIDEN)
            continue;
        WEFT_ASSERT(n >= 2);
        const uint64_t b = stack[--n], a = stack[n - 1];
        stack[n - 1] = op == INDEX_ADD64   ? a + b
                       : op == INDEX_MUL64 ? a * b
                       : op == INDEX_ADD   ? (uint32_t)(a + b)
                                           : (uint32_t)((uint32_t)a * (uint32_t)b);
    }
    WEFT_ASSERT(n == 1);
    return stack[0];
}

/* a OP b, of a token that bound_read took. */
bool index_compare(int token, uint64_t a, uint64_t b)
{
    switch (token) {
    case '<': return a < b;
    case '>': return a > b;
    case T_LE: return a <= b;
    case T_GE: return a >= b;
    case T_EQ: return a == b;
    default: return a != b;
    }
}

/* Threads of some grids, also with more than 2^32 threads. Columns: x, y, z of blockIdx, threadIdx,
 * blockDim, gridDim. Two expressions of these sizes that agree on all six are taken as equal. */
static const thread_place samples[] = {
    {{0, 0, 0, 0, 0, 0, 256, 1, 1, 1, 1, 1}},
    {{5, 0, 0, 17, 0, 0, 256, 1, 1, 9, 1, 1}},
    {{3, 2, 1, 33, 0, 0, 64, 1, 1, 7, 5, 3}},
    {{11, 4, 2, 127, 0, 0, 128, 1, 1, 13, 6, 4}},
    {{2000000000, 1, 0, 1, 0, 0, 2, 1, 1, 2147483647, 2, 1}},
    {{99, 65534, 3, 250, 0, 0, 256, 1, 1, 100, 65535, 5}},
};

/* The index as Warp 1.19 codegen.py writes it: kernels without grid stride count blocks along x, y,
 * z; strided ones along x. */
static uint64_t right_index(const thread_place *at, bool strided)
{
    const uint32_t *c = at->coords;
    const uint32_t *block = c + INDEX_BLOCK_IDX, *dim = c + INDEX_BLOCK_DIM,
                   *grid = c + INDEX_GRID_DIM;
    if (strided)
        return (uint64_t)dim[0] * block[0] + c[INDEX_THREAD_IDX];
    return (uint64_t)(uint32_t)(block[2] * grid[1] + block[1]) * (uint32_t)(grid[0] * dim[0]) +
           (uint32_t)(block[0] * dim[0] + c[INDEX_THREAD_IDX]);
}

/* Does the preamble give each thread Warp's index, with Warp's bound and step? */
static bool is_usual(const preamble *pre)
{
    if (pre->compare != (pre->strided ? '<' : T_GE))
        return false;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const thread_place *at = &samples[i];
        const uint32_t *c = at->coords;
        if (index_run(&pre->first, at) != right_index(at, pre->strided))
            return false;
        if (pre->strided &&
            index_run(&pre->step, at) != (uint64_t)c[INDEX_BLOCK_DIM] * c[INDEX_GRID_DIM])
            return false;
    }
    return true;
}

/* OP dim.size */
static void bound_read(reader *r, preamble *pre)
{
    const int k = r->tok.kind;
    if (k != '<' && k != '>' && k != T_LE && k != T_GE && k != T_EQ && k != T_NE)
        read_fail(r, "a comparison is missing");
    tok_next(r);
    tok_words(r, "dim . size");
    pre->compare = (uint8_t)k;
}

/* Reads one of the two forms of struct preamble, from `const` or `for` on. */
void preamble_read(reader *r)
{
    preamble *pre = &r->vm->pre;
    *pre = (preamble){.line = r->token_line};
    pre->strided = tok_is(r, "for");
    tok_words(r, pre->strided ? "for ( size_t _idx =" : "const size_t _idx =");
    pre->first.is64 = sum(r, &pre->first, 0);
    if (!pre->strided) {
        tok_words(r, "; if ( _idx");
        bound_read(r, pre);
        tok_words(r, ") return ;");
    } else {
        tok_words(r, "; _idx");
        bound_read(r, pre);
        tok_words(r, "; _idx +=");
        pre->step.is64 = sum(r, &pre->step, 0);
        tok_words(r, ") {");
    }
    pre->usual = is_usual(pre);
}
