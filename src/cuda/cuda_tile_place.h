/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles in shared memory: what a tile is in the text, loops over its elements, and the barriers
 * between them. For cuda_tile_shared.c, which reads operations on tiles. */
#ifndef WEFT_CUDA_TILE_PLACE_H
#define WEFT_CUDA_TILE_PLACE_H

#include "cuda/cuda_fn.h"

enum { CUDA_TILE_DIMS = 4 };

typedef enum cuda_tile_kind {
    CUDA_TILE_SINGLE,   /* one element: a variable that is the same in all threads */
    CUDA_TILE_OWN,      /* "__shared__ float t[16][16]" */
    CUDA_TILE_MAPPED,   /* index d of the tile below is offset[d], plus index from[d] of this one */
    CUDA_TILE_RESHAPED, /* the same elements in rows of other lengths */
    CUDA_TILE_COMPUTED  /* no memory: each element is computed where it is used, once */
} cuda_tile_kind;

/* How the threads have touched the elements since they last waited for each other. */
typedef enum cuda_tile_touch {
    CUDA_TILE_IDLE,
    CUDA_TILE_BY_OWNERS, /* element e by thread e % blockDim.x alone */
    CUDA_TILE_BY_ANY
} cuda_tile_touch;

typedef struct cuda_tile {
    cuda_tile_kind kind;
    const type *elem;
    uint32_t ndim;
    int64_t dims[CUDA_TILE_DIMS];
    uint32_t var;   /* SINGLE, OWN */
    uint32_t parts; /* a SINGLE's gradient: a variable of each thread with what it has
                                   to add, which is more than 0 only since `pending` */
    bool pending;
    struct cuda_tile *of;       /* MAPPED, RESHAPED */
    struct cuda_tile *gradient; /* NULL: not asked for so far */
    cx *offset[CUDA_TILE_DIMS];
    int8_t from[CUDA_TILE_DIMS]; /* -1: none */
    struct cuda_tile_map *map;   /* COMPUTED */
    cuda_tile_touch written, read;
    bool sums; /* all that has been written are atomic additions */
} cuda_tile;

/* How an element is computed of those of other tiles and of numbers: e, a call, whose operands are
 * these. */
typedef struct cuda_tile_map {
    cx *e;
    uint32_t n;
    struct cuda_tile **tiles; /* NULL: the number beside it */
    cx **numbers;
    bool lane; /* e is the number of the element's thread: wp.tile(x) */
} cuda_tile_map;

/* The tile of a variable of the unit; made when it is first met. NULL: it is none, or an error has
 * been reported. */
cuda_tile *cuda_tile_of(cuda_fn *f, uint32_t var);
/* The same of an operand. */
cuda_tile *cuda_tile_at(cuda_fn *f, ir_arg a);
/* Makes the tile of a variable that has none yet. Needs: at most CUDA_TILE_DIMS dimensions. */
cuda_tile *cuda_tile_new(cuda_fn *f, uint32_t var, cuda_tile_kind kind);
/* The gradient of the tile. */
cuda_tile *cuda_tile_gradient(cuda_fn *f, cuda_tile *t);
/* Puts loops that set all gradients to zero before the statements. */
void cuda_tile_zero_gradients(cuda_fn *f, cs_list *list);
/* The place of the element at these indices, as many as the tile has dimensions. */
cx *cuda_tile_element(cuda_fn *f, const cuda_tile *t, cx *const *at);
/* The element's value. */
cx *cuda_tile_value(cuda_fn *f, const cuda_tile *t, cx *const *at);
/* The value of an element that is computed. */
cx *cuda_tile_compute(cuda_fn *f, const cuda_tile_map *m, cx *const *at);
int64_t cuda_tile_size(const cuda_tile *t);

/* The index along dimension d of element e, which counts row by row. */
cx *cuda_tile_index_of(cuda_fn *f, const cuda_tile *t, uint32_t d, cx *e);

/* a + b, computed if both are numbers. */
cx *cuda_int_sum(cuda_fn *f, cx *a, cx *b);
/* A variable of the thread, set to e. */
cx *cuda_tile_new_var(cuda_fn *f, cs_list *out, const type *t, const char *name, cx *e);

/* The threads share the elements of a tile's shape: a loop, whose body gets what is done with the
 * element at[]. Of a SINGLE there is no loop. */
typedef struct cuda_tile_loop {
    cs_list *body;
    cx *at[CUDA_TILE_DIMS];
} cuda_tile_loop;
cuda_tile_loop cuda_tile_each(cuda_fn *f, cs_list *out, const cuda_tile *t);

/* What an operation does with tiles comes before its loop, so that a barrier can stand between:
 * noted for all of its operands, and done by cuda_tile_meet. `owners`: each element by the thread
 * that cuda_tile_each gives it. */
enum { CUDA_TILE_SUMS = 2 };

typedef struct cuda_tile_use {
    cuda_tile *tile;
    uint8_t writes; /* CUDA_TILE_SUMS: atomic additions, which do not clash with each other */
    bool owners;
} cuda_tile_use;
void cuda_tile_meet(cuda_fn *f, cs_list *out, const cuda_tile_use *uses, uint32_t n);
/* A __syncthreads(). */
void cuda_tile_wait(cuda_fn *f, cs_list *out);
/* The beginning and the end of a branch or loop: no thread may be behind with what it sets, or with
 * `reads` also with what it reads. */
void cuda_tile_settle(cuda_fn *f, cs_list *out, bool reads);
/* The same before a jump out of a loop; what follows in the text is not settled by it. */
void cuda_tile_leave(cuda_fn *f, cs_list *out);

/* Declarations of the arrays that the text names: "    __shared__ float t[16][16];". */
void cuda_tile_declare(cuda_fn *f, strbuf *b);

#endif
