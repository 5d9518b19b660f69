/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the checker share: memory of an input set, the state of a proof, and what each
 * file does for the others.
 *
 *     memory of a set   | params: x (pointer to a view) | n | pad | data of x: 21 floats | pad |
 *     check_slot        x: at = offset of the data, lanes = 21, scalar = float32
 *
 * `initial`, `expected` and `values` are three pieces of this one layout, so a state is saved,
 * restored and compared by one call. */
#ifndef WEFT_CHECK_CHECK_INTERNAL_H
#define WEFT_CHECK_CHECK_INTERNAL_H

#include <math.h>

#include "base/rng.h"
#include "check/check.h"
#include "geometry/geometry.h"

/* An array of a launch, a field of an array's structs, or floats passed by value, and where they
 * lie in the launch's memory. All that belongs to an input set lies in one piece, which is saved,
 * restored and compared as such. */
typedef struct check_slot {
    /* Of the parameter, or a path such as "x.pos" of a field; for messages. */
    const char *name;
    const type *elem;
    /* Offset of the first scalar in the memory, and the number of scalars. */
    size_t at, lanes;
    size_t stride; /* of a field: bytes from element to element; else 0 */
    uint32_t run;  /* of a field: scalars of one element */
    size_t home; /* of arrays, and of fields and inner arrays: where the array of structs begins */
    uint8_t scalar; /* type_kind */
    /* is_float: it has a derivative. by_value: it is no array, so a launch cannot change it. inner:
     * arrays in structs of an array. */
    bool is_float, by_value, inner;
    const type *texture; /* of textures, whose bytes the scalars are; else NULL */
} check_slot;

/* Offset of scalar `lane` of the slot; width: bytes of a scalar. Fields of structs are `stride`
 * bytes apart, with `run` scalars in each struct. */
static inline size_t check_lane(const check_slot *s, size_t width, size_t lane)
{
    WEFT_ASSERT(lane < s->lanes);
    return s->stride ? s->at + lane / s->run * s->stride + lane % s->run * width
                     : s->at + lane * width;
}

/* A kernel's arguments: arrays and values lie in `bytes`, one rvalue for each parameter refers to
 * them. */
typedef struct check_image {
    uint8_t *bytes;
    rvalue *args;
} check_image;

/* A launch and its arguments. */
typedef struct check_inputs {
    bool few;     /* threads */
    uint32_t set; /* how many were drawn before: which alternative of values and launch holds */
    int ndim;
    int64_t dim[LAUNCH_DIMS];
    int64_t letters[26]; /* sizes; 0: not drawn yet */
    check_slot *slots;
    uint32_t nslots;
    size_t *params;    /* offset of each parameter's value (of an array: the pointer to its view) */
    size_t size;       /* bytes of all */
    size_t stored;     /* where the hash of what volumes hold is; 0: there are none */
    uint8_t *initial;  /* the memory before the launch */
    uint8_t *expected; /* and after it, by the reference interpreter */
    check_image values; /* what is executed works on this */
    uint64_t steps;     /* that the reference took */
    bool rounded;       /* it computed a wp.grad: texts may round otherwise */
} check_inputs;

enum {
    CHECK_SETS_MUTANTS = 6, /* with those drawn because mutants survived */
    CHECK_SETS_FOREIGN = 9, /* the same for somebody's kernel */
    CHECK_BLOCK = 4,        /* threads of a block: small, so that few threads are several blocks */
    CHECK_TILE_BLOCK = 256
};

/* The state of one proof after another. What belongs to a pair lies in `a`, which check_begin
 * resets. */
struct checker {
    ctx *c;
    arena a;   /* one pair's */
    rng draws; /* the pair's */
    const check_subject *s;
    check_result *r;
    interp *reference;
    /* The texts, read; NULL: the subject has none. A mutant changes forward[] for the time that it
     * runs. */
    textvm *forward[EMIT_DEVICES], *backward[EMIT_DEVICES];
    /* The input sets drawn so far; the first nsets have passed the forward proof. */
    check_inputs sets[CHECK_INPUTS_MAX];
    uint32_t nsets, drawn; /* drawn: also those that failed, or share a place */
    VEC(double) literals;  /* of the kernel; none: inputs are not drawn near them */
    uint32_t wrong_set;    /* in which the adjoint was wrong */
    strbuf error;
};

/* Threads of a block: those that a text with tiles is made for, else CHECK_BLOCK. */
int check_block(const checker *k);
/* Does the reference execute it with tiles? Runs on a device alone have no reference. */
bool check_has_tiles(const checker *k);
/* Is there no text for the CPU? Then native code of the source is CUDA's. */
bool check_cuda_alone(const checker *k);
/* The fuel of a launch: more for kernels with tiles, whose blocks are full. */
uint64_t check_fuel(const checker *k, uint64_t fuel);
/* Ends the judgement: the first call decides. Always false. */
bool check_end(checker *k, check_status status, check_reason reason, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The same with the error that the last launch of k->reference ended with. */
bool check_end_with_reference_error(checker *k);

/* check_input.c: draws a set. Level 0: ordinary sizes and numbers; higher ones are larger and have
 * special values and numbers near the source's literals. few: a launch of few threads. False: the
 * proof has ended. */
bool check_draw(checker *k, uint32_t level, bool few, check_inputs *in);
/* Arguments of the same shapes in other memory: zeros. Arrays of anything but floats have no data.
 */
void check_image_new(checker *k, const check_inputs *in, check_image *out);
/* Takes the values of scalar arguments from the image's memory. */
void check_image_refresh(const checker *k, const check_inputs *in, check_image *image);
/* The arguments as they were before the launch, in in->values. */
static inline void check_restart(const checker *k, check_inputs *in)
{
    memcpy(in->values.bytes, in->initial, in->size);
    check_image_refresh(k, in, &in->values);
}
/* A float of the scalar type, of magnitude 1/2 to 1 and either sign. */
double check_draw_direction(checker *k);

/* check_values.c: a number that v promises, the `at`-th of its array. False: v says nothing of this
 * type. */
bool check_draw_value(checker *k, const check_values *v, type_kind kind, size_t at, num *out);

/* The value of a texture of its own, at `to`. */
void check_draw_texture(checker *k, const type *t, uint8_t *to);

/* Writes the hash of what the volumes hold now to its slot: a kernel may store to them. */
void check_note_volumes(const checker *k, check_inputs *in);

/* check_literal.c: what stands in the kernel, into literals; then, a number near one of them. */
void check_literals(checker *k);
double check_draw_near_literal(checker *k, double most);

/* check_compare.c: where two states of the same launch differ, any NaN being equal to any other;
 * *error: the largest relative difference. */
bool check_states_equal(const check_inputs *in, const uint8_t *a, const uint8_t *b);
/* The same bytes of one slot. */
bool check_slot_same(const check_slot *s, const uint8_t *a, const uint8_t *b);
typedef struct check_difference {
    const check_slot *slot; /* of the first; NULL: none */
    size_t lane;
    double was, is; /* a, b */
    double error;
    bool exact; /* one is of integers */
} check_difference;
check_difference check_states_differ(const check_inputs *in, const uint8_t *a, const uint8_t *b);

void check_begin(checker *k, const check_subject *s, check_result *r);

/* check_forward.c */
/* Runs the source on an input set, its threads in order or in the reverse order; its arrays are
 * then in in->values. */
bool check_run_source(checker *k, check_inputs *in, bool reversed);
/* Do several threads store to the scalar that lies `at` bytes from the memory's start, other than
 * by atomics? */
bool check_stores_meet(checker *k, check_inputs *in, size_t at);
bool check_read(checker *k, int device, bool backward);
/* The reference on an input set, and the texts that were read against it. */
bool check_forward(checker *k, uint32_t set);
/* A text against what the reference gave. */
bool check_device(checker *k, uint32_t set, int device);
/* Runs a forward text on an input set; its arrays are then in in->values. */
bool check_run_text(checker *k, textvm *vm, check_inputs *in, uint64_t fuel, textvm_error *error);

/* check_adjoint.c: the dot-product test. Needs: the sets are proved forward. Sets the status and
 * what belongs to it. False: the proof has ended. */
bool check_adjoint(checker *k);

/* The direction v through a launch from in->initial: Jv in *jv, a new image. Forward mode: the
 * interpreter computes with dual numbers. The state is then the one after the launch. False: it
 * fails, and k->error says how. */
bool check_tangent(checker *k, check_inputs *in, const uint8_t *v, check_image *jv);
/* J'w of one backward text, in the floats of *jw. False: it fails, as *error says. */
bool check_backward(checker *k, check_inputs *in, textvm *vm, const uint8_t *w, check_image *jw,
                    textvm_error *error);
/* Which slots have derivatives that are judged: with check_subject.gradients not those of values,
 * whose gradients Warp's tape does not give. */
const bool *check_moves(checker *k, const check_inputs *in);
/* Which slots the launch changed, in value or in derivative; *any: a slot of floats. */
const bool *check_changed(checker *k, const check_inputs *in, const uint8_t *v,
                          const check_image *jv, bool *any);

/* check_tests.c: the arguments of the launch as an object in JSON. False, and nothing: they are too
 * many, or no numbers. */
bool check_put_inputs(const checker *k, const check_inputs *in, strbuf *b);

/* check_mutant.c: counts mutants of the forward text and those that the input sets kill; draws more
 * sets where too few are killed. False: the proof has ended. */
bool check_adequacy(checker *k);

/* check_class.c: why Warp's backward text may be wrong for this kernel: the name of a class, or
 * NULL when it should be right. */
const char *check_class_of(checker *k);
/* The same with its place. Needs: k->reference has run with tangents last. */
bool check_find_cause(checker *k, check_cause *out);

#endif
