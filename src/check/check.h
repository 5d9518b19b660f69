/* SPDX-License-Identifier: Apache-2.0 */
/* Proves one pair by execution: the texts of a record against the reference interpreter of its
 * source, the backward text against tangents, and the inputs against mutants of the text.
 *
 *     checker *k = check_new(c);
 *     check_pair(k, &subject, &result);      result.status == CHECK_EXACT
 *
 * The generator proves each candidate with it, weft validate each record again. */
#ifndef WEFT_CHECK_CHECK_H
#define WEFT_CHECK_CHECK_H

#include "emit/emit.h"
#include "inputs/inputs.h"
#include "interp/interp.h"
#include "textvm/textvm.h"

/* What a caller must pass for one parameter (see gen_arg). `shape` is "n", "n,3" or "" for a
 * scalar; its letters stand for sizes that are drawn, the same letter for the same size. Numbers
 * lie in [-2^mag, 2^mag], or are those of `values` (check_values.c), which may be empty. Both may
 * differ from set to set of the inputs ("n|17", "0:n|none"). */
typedef struct check_arg {
    str shape;
    int mag;
    str values;
} check_arg;

/* What several proofs of a pair share, so that texts are read once; zeros at first. */
typedef struct check_shared {
    textvm *forward[EMIT_DEVICES], *backward[EMIT_DEVICES];
    const textvm_mutant *mutants; /* of the text that has them; NULL: not drawn yet */
    uint32_t nmutants;
} check_shared;

/* A pair to be proved. Texts and arguments are borrowed until check_pair returns. */
typedef struct check_subject {
    const kernel *kernel; /* of the source, in the context given to check_new */
    interp *reference;    /* NULL, or one for the kernel that several proofs share */
    check_shared *texts;  /* NULL, or those of the pair */
    str launch;           /* "n" or "n,m" ...; "n|n=257": every second set has 257 threads */
    const check_arg *args;
    str forward[EMIT_DEVICES], backward[EMIT_DEVICES]; /* empty: not there */
    /* Select the stream of random numbers that inputs and directions are drawn from, so a proof can
     * be repeated from the record alone. */
    uint64_t seed, index;
    bool no_mutants; /* leaves out the judgement of the inputs */
    /* Somebody's kernel, which is not replaced by a better one: no trivial mutants judge it, more
     * inputs are drawn for it, and its text may read a variable without a value, as Warp's does
     * where a merged one is not used; a difference would show by the result. */
    bool foreign;
    /* Judges the adjoint even with inputs that are not adequate: one that is wrong is wrong. */
    bool gradients;
    /* Ends the proof after step 2 if the inputs are not adequate: the generator throws the
     * candidate away then, and need not run the second device. */
    bool adequate_only;
    uint32_t more; /* further input sets for the forward texts, half of them near the source's
                      literals; and two for the backward texts */
} check_subject;

typedef enum check_status {
    CHECK_EXACT,             /* forward proved, and the adjoint, where there is one */
    CHECK_WARP_DIFFERS,      /* forward proved; Warp's own backward text is wrong: see `class` */
    CHECK_NONDIFFERENTIABLE, /* forward proved; no float goes in or none comes out */
    CHECK_FORWARD,           /* forward proved; no backward text, or inputs that are not adequate */
    CHECK_FAILED,            /* a difference: a bug in weft, or a text that was changed */
    CHECK_CANNOT,            /* not executable: see `reason` */
    CHECK_STATUSES
} check_status;

/* For CHECK_FAILED and CHECK_CANNOT. */
typedef enum check_reason {
#define REASON(ID, id, sentence) CHECK_REASON_##ID,
#include "check/check_reason.def"
#undef REASON
    CHECK_REASONS
} check_reason;

typedef struct check_result {
    check_status status;
    const char *class;  /* CHECK_WARP_DIFFERS: "dynamic_loop_state", ...: see check_class.def */
    const char *reason; /* CHECK_FAILED, CHECK_CANNOT: an id of check_reason.def; else NULL */
    char detail[400];   /* for people; "" when fine */
    uint32_t inputs;    /* input sets that were tried */
    bool undecided;     /* CHECK_NONDIFFERENTIABLE: other inputs may have a derivative */
    bool unset; /* with check_subject.gradients: the backward text reads what has no value */
    /* By check_found: the id of why the backward text was left out, or NULL. */
    const char *unjudged;
    bool unordered; /* and that is so because threads store to one element */
    /* Largest difference of a forward text from the reference, relative to the sizes of both; 0 if
     * equal. */
    double forward_error;
    double adjoint_error, adjoint_tolerance; /* relative, of the dot-product test */
    /* Mutants of the first forward text, and those whose result differs on some input set. */
    uint32_t mutants, killed;
    uint64_t steps; /* of the source, on all input sets */
    uint64_t work;  /* steps of all that was run, texts and mutants too: what the proof cost, on any
                       machine */
    /* The access out of bounds that ended it: CHECK_REASON_REFERENCE, and of foreign kernels
     * CHECK_REASON_FAULT in the backward text; with which inputs. */
    interp_outside outside;
    uint32_t outside_set;
} check_result;

enum {
    CHECK_INPUTS = 3,     /* sets of inputs that every proof tries at least */
    CHECK_INPUTS_MAX = 10 /* and at most */
};

typedef struct checker checker;

/* A checker and the buffers that it keeps between pairs. Lives in c->perm. */
checker *check_new(ctx *c);
/* Must run inside mem_try(&c->mem, ...). Strings of *r live until the next call. */
void check_pair(checker *k, const check_subject *s, check_result *r);

/* Threads of a block that launches of the kernel have in every proof, as its tiles want; 0: it has
 * no tiles, and any number gives the same. */
uint32_t check_tile_block(const ir_module *m);

/* Runs the source alone on drawn inputs. False: r->detail says how it ended, with r->reason; or,
 * without a reason, that its result is another one when its threads run in the reverse order. */
bool check_source(checker *k, const check_subject *s, bool both_orders, check_result *r);

/* Runs the source alone on the inputs that check_pair draws first. False: r->detail says how it
 * ended. */
bool check_repeat(checker *k, const check_subject *s, check_result *r);
/* Appends launches of the pair that check_pair or check_repeat ran last as tests, a list in JSON
 * (check_tests.c). Needs: its subject and its result, where it said they are. NULL, or why there
 * are no tests: the list is empty then. */
const char *check_put_tests(checker *k, strbuf *b);

/* A launch on drawn inputs; arrays may be changed. */
typedef struct check_launch {
    const rvalue *args, *adjoints; /* adjoints: of arrays of floats, drawn; of values: zero */
    int ndim;
    const int64_t *dim; /* LAUNCH_DIMS */
} check_launch;
typedef bool check_visitor(void *arg, const check_launch *at);
/* Calls `visit` for the first inputs of the proof, until it gives false. False: it did, or
 * r->detail says why there are no inputs. */
bool check_visit(checker *k, const check_subject *s, check_visitor *visit, void *arg,
                 check_result *r);

/* "n,3" and "2*n+2" to sizes, at most LAUNCH_DIMS and none above `most`; letters: those known of
 * the 26, 0: none yet, and then `size` gives it for that dimension. "n=257,m" sets a letter.
 * Returns the rank; -1: no shape. */
typedef int64_t check_size_fn(void *arg, int dim);
int check_read_shape(str text, int64_t *letters, check_size_fn *size, void *arg, int64_t most,
                     int64_t *shape);

/* The part of "A|B|C" that holds for the set-th inputs: A, B, C, A, ... and how many there are. */
str check_alternative(str text, uint32_t set);
uint32_t check_count_alternatives(str text);

/* What an alternative of check_arg.values says, read. */
typedef enum check_values_form {
    CHECK_VALUES_ANY,
    CHECK_VALUES_RANGE,    /* from .. to - 1 */
    CHECK_VALUES_RISING,   /* in steps of `to`; up to `from`, if that is above 0 */
    CHECK_VALUES_STARTS,   /* where the `from` parts of `to` things begin, and their end */
    CHECK_VALUES_PART,     /* which of them a thing is in */
    CHECK_VALUES_SIZES,    /* how many things each of them has */
    CHECK_VALUES_DISTINCT, /* below `to`, all different */
    CHECK_VALUES_UNIT,     /* vectors and rotations of length 1 */
    CHECK_VALUES_BETWEEN,  /* floats from low to high */
    CHECK_VALUES_APART,    /* below `to`, `from` by `from` different */
    CHECK_VALUES_NONE,     /* there is no array */
    CHECK_VALUES_SAME,     /* those of the parameter `name` before it */
    CHECK_VALUES_ZEROS,    /* some floats are zero */
    CHECK_VALUES_MESH,
    CHECK_VALUES_BVH,
    CHECK_VALUES_GRID,
    CHECK_VALUES_VOLUME,
    CHECK_VALUES_VOLUME_VEC3,
    CHECK_VALUES_VOLUME_INT
} check_values_form;
typedef struct check_values {
    check_values_form form;
    bool positive; /* floats */
    bool has_mag;  /* mag holds, and not check_arg's */
    int mag;
    int64_t from, to;
    /* Of a range: one of eight is `other`; bits of the mask are turned over by chance; or they
     * follow a rule. */
    bool has_other;
    int64_t other;
    uint32_t mask;
    uint32_t apart;            /* numbers of a row, no two of which are equal; 0: any */
    uint32_t row, rows_before; /* number i is not i / row, nor one of the rows before it; 0: any */
    inputs_lattice lattice;    /* group 0: none */
    double low, high;
    str name;
} check_values;
/* `letters`: the sizes of the 26. False: it is no such text. */
bool check_read_values(str text, const int64_t *letters, check_values *out);
/* Can all alternatives of it be read? */
bool check_are_values(str text);

/* What in the source makes the backward text wrong. */
typedef struct check_cause {
    const char *class; /* of check_class.def, with the sentence and the hint that stand there */
    const char *sentence, *hint;
    const node *at;      /* NULL: the kernel as a whole */
    const sym *variable; /* NULL: none */
    const code *in;      /* the kernel, or a function that it calls */
} check_cause;

/* One derivative that the backward text has wrong. */
typedef struct check_example {
    int ndim;
    int64_t dim[LAUNCH_DIMS];     /* of the launch */
    char input[120], output[120]; /* elements: "x[3]", "v[0, 2][1]", "scale" */
    double text, truth; /* d output / d input: as the backward text has it, and as it is */
    bool unordered;     /* threads store to one element, and their order decides */
} check_example;
/* Looks for one in a launch as small as can be, and appends its arguments to b, an object in JSON,
 * if they are few; and for the cause. Needs: check_pair found the adjoint wrong, with *s. False:
 * there is no example, as where the text fails. cause->class is NULL: none is known, and then it is
 * the kernel as a whole. Must run inside mem_try. */
bool check_explain(checker *k, const check_subject *s, check_cause *cause, check_example *out,
                   strbuf *b);
/* Did check_pair find the adjoint wrong, whatever the class? */
bool check_is_wrong(const check_result *r);

/* Do the inputs kill 90 % of the mutants? */
bool check_is_adequate(const check_result *r);
const char *check_status_name(check_status s);
/* Is it a class of CHECK_WARP_DIFFERS? */
bool check_class_known(const char *name);

/* The number of an id such as "fuel"; CHECK_REASONS: there is none. */
check_reason check_reason_find(const char *id);
const char *check_reason_name(check_reason r);

#endif
