/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of standalone programs: inputs, what a run gave, and the text in work.
 *
 *     sa_inputs   which numbers fill them                           standalone_input.c
 *     sa_run      columns: numbers before, after, gradients         standalone_run.c
 *     sa_judge    whether they tell a changed kernel                standalone_judge.c
 *     sa_text     the .cu file, made of the run and the CUDA text   standalone_host.c, _main.c
 *     sa_slot     a column of it: what is compared with what        standalone_column.c
 *
 * The program fills its arrays with the same counter-based numbers that the run was given, so only
 * results are stored in it. */
#ifndef WEFT_STANDALONE_INTERNAL_H
#define WEFT_STANDALONE_INTERNAL_H

#include "cuda/cuda.h"
#include "inputs/inputs_plan.h"
#include "launch/launch_args.h"
#include "launch/tolerance.h"
#include "standalone/standalone.h"

/* --- inputs: standalone_input.c */

/* How many numbers an array or value gets, and which. Floats are odd multiples of largest / steps
 * (never zero, exact in every type that has so many digits), integers least, least + 1, ... up to
 * `steps` of them. */
typedef struct sa_fill {
    inputs_fill kind;
    const char *path;
    type_kind scalar;
    bool positive; /* floats */
    uint32_t stream, steps;
    double largest;
    uint8_t zeros;          /* floats of an array: of eight so many are 0 */
    uint32_t rows, columns; /* floats of matrices whose diagonals are large; 0: there are none */
    uint32_t turn; /* not 0: the stream of the floats of an array that have the other sign */
    uint32_t odd;  /* not 0: one of so many floats is NaN or infinite */
    int64_t least; /* of integers; bool: 0 */
    uint32_t mask; /* integers drawn get bits of it, turned over by chance */
    inputs_lattice lattice;
} sa_fill;

/* The stream of numbers: number i of stream s. The program has the same function. */
enum { SA_STREAMS = 64 }; /* of one seed */

/* A texture that was made: its id, and the stream of its texels. Those of an array have one. */
typedef struct sa_texture {
    uint64_t id;
    uint32_t stream;
} sa_texture;

/* A source of arguments for launch_args_read, which keeps what it gave in `fills`, in the order of
 * the parameters. */
typedef struct sa_inputs {
    launch_source source; /* for launch_args_read; arg is this struct */
    ctx *c;               /* has the textures */
    arena *a;             /* has the fills */
    const kernel *k;
    const inputs_plan *plan;
    uint32_t seed;
    /* Moves floats by a last place, some up, some down: results that move further than the
     * tolerance hang on rounding. */
    bool disturbed;
    uint32_t next; /* stream */
    VEC(sa_fill) fills;
    unsigned objects; /* of the kernel: CUDA_OBJECT_... */
    VEC(sa_texture) textures;
} sa_inputs;
/* objects: those that the kernel's CUDA text uses. */
void sa_inputs_init(sa_inputs *in, ctx *c, arena *a, const kernel *k, unsigned objects,
                    const inputs_plan *plan, uint32_t seed);
const sa_fill *sa_fill_find(const sa_inputs *in, str path);
/* The stream of the bits that fill_bits turns over. */
uint32_t sa_stream_turned(const sa_fill *f);
/* Writes the numbers of a fill. */
void sa_fill_items(const sa_fill *f, uint8_t *to, size_t n);
/* The seeds of an adjoint. */
sa_fill sa_fill_adjoint(const char *path, type_kind scalar, uint32_t stream);

/* --- textures: standalone_texture.c */

/* The values of `items` textures of type t, at `to`. */
void sa_textures_make(sa_inputs *in, ctx *c, const type *t, size_t items, uint8_t *to);

/* --- geometry objects: standalone_object.c */

/* A parameter that is the id of an object, an array of ids, all of one object, or a struct with an
 * id. */
typedef struct sa_object {
    uint32_t arg;
    bool array;
    bool in_struct; /* in field number `field` */
    uint32_t field;
    unsigned kind;    /* CUDA_OBJECT_... */
    unsigned values;  /* of a volume: INPUTS_VECTORS, INPUTS_INTEGERS, 0 */
    const char *path; /* a hash grid: the array whose points it has; NULL: it has its own */
    /* A volume that the kernel stores to: the path of its values, "v.values". */
    const char *stored;
    uint64_t id;
    const struct vec3 *points, *velocities; /* of a mesh; velocities NULL: it has none */
    bool moves;                             /* a mesh whose velocities are read */
    const int32_t *indices;
} sa_object;

typedef VEC(sa_object) sa_objects;

/* Does the kernel, or a function of its module? */
bool sa_any_unit(const ir_module *m, bool (*does)(const ir_unit *u));
/* Which parameters are objects, by their use. False: an id stands where no object can be put. */
bool sa_objects_find(ctx *c, const standalone_subject *s, sa_objects *out);

/* --- runs: standalone_run.c */

/* How far the numbers of a column may be off; `hangs`: inputs a last place off move them further.
 */
typedef struct sa_limit {
    double tolerance, floor;
    bool hangs;
} sa_limit;

/* Which numbers of a column are compared: every step-th, the last one at end - 1. That mostly is
 * the last one of all, which belongs to the last thread. `all`: a hash of all numbers is, too. */
typedef struct sa_sample {
    size_t step, end;
    bool all;
} sa_sample;

/* The numbers of an array, or of a field of an array of structs, before and after. */
typedef struct sa_column {
    const char *path;
    const type *type; /* of an item */
    type_kind scalar;
    size_t count;                             /* numbers */
    size_t offset;                            /* of a field in its struct */
    const uint8_t *before, *after, *gradient; /* gradient: NULL for integers, or without backward */
    bool changed;
    /* NaN or infinity came out, or is among the gradients. */
    bool odd, odd_gradient;
    /* What it is if threads run in another order, or at once (standalone_order.c): */
    const uint8_t *sorted; /* the same items elsewhere: `after`, sorted, is compared; or NULL */
    bool racing;           /* other numbers: it is not compared */
    sa_sample sample, gradient_sample;
    sa_fill seed; /* of its gradient, if `seeded` */
    bool seeded;
    sa_limit limit, gradient_limit;
} sa_column;

/* One run of the kernel, or the inputs of one that failed. */
typedef struct sa_run {
    arena own; /* has all below but the objects */
    inputs_plan plan;
    sa_inputs inputs;
    const rvalue *args;
    VEC(sa_column) columns;
    sa_objects objects;
    bool good; /* it ended well: columns say how. Else only the inputs are there */
    /* finite: no infinity or NaN came out that the kernel does not write itself, nor is one among
     * the gradients that are compared. stable: no column hangs on rounding. A run with both is kept
     * at once. */
    bool finite, stable;
    bool finite_results; /* finite, whatever the gradients are */
    bool forward_only;   /* a further run whose gradients are not finite, or cannot be had */
    bool failed;         /* the backward run did, so no gradient is compared */
    bool afresh;         /* backward runs on the inputs, not on what forward left */
    bool negative;       /* an index was counted from an array's end */
    double tolerance;    /* of floats, if nothing widens it */
    uint32_t seed;
    /* Without a promise: the mutants that these inputs and those of the runs chosen before kill; of
     * the forward text, and of the backward text if there is one. */
    inputs_mutants mutants, adjoint_mutants;
    /* Of the adjoint mutants alive in the end, those of branches that change no gradient. */
    uint32_t alike;
    bool judged;         /* else nobody knows what the inputs tell */
    bool abandoned;      /* another run is better, so not all mutants were run */
    struct sa_run *next; /* the next one of the runs chosen; NULL: none */
} sa_run;
const sa_column *sa_column_find(const sa_run *r, str path);
/* The column of a leaf of the adjoints, which are those of floats only; NULL: there is none. */
sa_column *sa_column_of(sa_run *r, const launch_leaf *leaf);
/* What a gradient begins with: the seed, or zeros; in a. */
const uint8_t *sa_gradient_before(arena *a, const sa_column *col);
/* Gives the memory of a run and of those chosen beside it back. */
void sa_run_release(sa_run *r);

/* Makes objects for a run, and their ids the values of their parameters. The values of a volume
 * that the kernel stores to are a leaf of the arguments. */
void sa_objects_make(ctx *c, const sa_objects *all, sa_run *r, launch_args *args);
/* The object that the parameter is; NULL: none. */
const sa_object *sa_object_of(const sa_run *r, uint32_t arg);

/* Steps of the reference in one run. */
enum { SA_FUEL = 2000000 };

/* The executors, and what the trials together have used up. */
typedef struct sa_runner {
    ctx *c;
    const standalone_subject *s;
    const cuda_kernel *k;
    interp *reference;
    textvm *backward; /* or NULL */
    textvm *forward;  /* what runs instead of the reference; or NULL */
    textvm *judge;    /* whose mutants judge the inputs; NULL: they are promised, and judged */
    arena spare;      /* of a run that was not kept, for the next one */
    /* Of `judge` and of `backward`; dead are those that the runs chosen kill. */
    inputs_mutants mutants, adjoint_mutants;
    bool adjoints_drawn;
    bool lenient;         /* gradients that are not finite, or that backward fails to give, are left
                             out, and none are judged */
    const char *lost;     /* why the first backward run that failed did so; or NULL */
    bool lacks_gradients; /* some run with finite results had no finite gradients */
    unsigned specials;    /* SA_NAN, SA_INFINITY: what the kernel itself has */
    uint32_t chosen;      /* runs */
    const sa_run *best;   /* that may be chosen as the first one; or NULL */
    inputs_kernel inputs; /* without a promise */
    sa_objects objects;   /* which parameters are such; made for each run */
    uint32_t growths;
    uint64_t steps;  /* of the reference, in all runs, with what else these cost in such steps */
    bool has_floats; /* in the kernel: an integer may hang on a rounding */
    bool waits;      /* lanes have waited for each other, as with tiles: runs cost much, so that
                     * fewer are made */
    strbuf error;
} sa_runner;

typedef enum sa_run_end {
    SA_RUN_GOOD,
    SA_RUN_BAD,       /* w->error says why */
    SA_RUN_IMPOSSIBLE /* the parameters cannot be filled */
} sa_run_end;
/* Runs the kernel by r's plan, seed and tolerance, or only makes its inputs. */
sa_run_end sa_run_once(sa_runner *w, sa_run *r, bool inputs_only);

/* standalone_plan.c: the plan of a trial, in w->c->module, by the promise or by roles. False: a
 * promised shape cannot be read, or does not fit its parameter. */
bool sa_plan_make(sa_runner *w, const inputs_trial *trial, inputs_plan *out);

/* standalone_choose.c: the runs that the program holds, the first in *out; or the inputs of one;
 * *why says then why none is good, or beside a good one why it has no gradients. False: the
 * parameters cannot be filled. */
bool sa_run_choose(ctx *c, const standalone_subject *s, const cuda_kernel *k, str text, sa_run *out,
                   const char **why);

/* --- NaN and infinity: standalone_finite.c */

enum { SA_NAN = 1, SA_INFINITY = 2 };
/* Those among the numbers of the kernel and its functions. */
unsigned sa_specials_of(const ir_module *m);
/* No NaN or infinity but those allowed? */
bool sa_is_finite(const sa_column *col, const uint8_t *items, unsigned allowed);
/* Gradients that are not finite are no longer compared. */
void sa_leave_not_finite(sa_run *r);
/* "x, y": the columns of all runs whose results, or gradients, are not finite; in c->module. NULL:
 * all are. */
const char *sa_not_finite(ctx *c, const sa_run *r, bool gradient);

/* Numbers of a column that a mutant changes, where the program compares none of them. */
enum { SA_MISSED = 16 };
typedef struct sa_missed {
    uint32_t column, n;
    size_t at[SA_MISSED];
} sa_missed;

/* The better of two runs has more: finite gradients and results, then results, then stability. */
static inline int sa_worth(const sa_run *r)
{
    return 4 * r->finite + 2 * r->finite_results + r->stable;
}

/* How many mutants of both texts are dead, or alive. */
uint32_t sa_killed(const inputs_mutants *forward, const inputs_mutants *backward);
uint32_t sa_alive(const inputs_mutants *forward, const inputs_mutants *backward);
/* Are 95 % of the forward mutants dead, 95 % of all, and 90 % of the backward ones? */
bool sa_tell(const inputs_mutants *forward, const inputs_mutants *backward);

/* The same without those of branches that do not matter to gradients: may the program say PASS?
 *
 *     if x > 60.0:
 *         x -= 120.0        the gradient is the same with and without it: `>` turned, and 60.0 */
bool sa_pass(const sa_run *r);
/* Counts r->alike. Needs: the text whose mutants r has. */
void sa_count_alike(const textvm *backward, sa_run *r);

/* standalone_judge.c: makes the arrays of `args` hold the run's inputs again. */
void sa_reset(const sa_run *r, const launch_args *args);
/* Runs the mutants that are alive on the inputs of a run, whose arrays are those of `args`; so many
 * survivors as `most` end it. With adjoints the text is the backward one, and gradients are
 * compared. Needs: the run's columns have limits; their samples may change, so that more mutants
 * die. */
inputs_verdict sa_judge(ctx *c, textvm *text, const textvm_launch *launch, sa_run *r,
                        const launch_args *args, const launch_args *adjoints, uint32_t most,
                        inputs_mutants *mutants);

/* --- the order of threads: standalone_order.c */

/* Sets col->sorted, with its sample, or col->racing; `reversed`: what the column is after a run in
 * reverse order, `disturbed`: after one from inputs a last place off; NULL: that run failed. Needs:
 * the column's limit. */
void sa_take_order(sa_run *r, sa_column *col, const uint8_t *reversed, const uint8_t *disturbed);
/* Sets col->racing where the column is another one after a run of threads apart. */
void sa_take_apart(sa_run *r, sa_column *col, const uint8_t *apart);
/* A column's numbers with its items in rising order, in a. */
const uint8_t *sa_sorted(arena *a, const sa_column *col, const uint8_t *numbers);
/* Does any column of this run depend on it? */
bool sa_run_races(const sa_run *r);
/* Has it numbers that a GPU may round otherwise, on which an integer may hang? */
bool sa_has_floats(const ir_module *m);
/* Is a thread's index read? A launch of one thread does not show what becomes of it. */
bool sa_reads_tid(const ir_module *m);
/* "x, y": the columns that depend on the order in any of the runs; in c->module. NULL: none. */
const char *sa_racing(ctx *c, const sa_run *r);

/* --- text */

/* Functions of the host that a program has if it calls them. */
typedef enum sa_helper {
    SA_TO_DEVICE = 1,
    SA_TO_HOST = 2,
    SA_FILL_FLOATS = 4,
    SA_FILL_POSITIVE = 8,
    SA_FILL_INTEGERS = 16,
    SA_GATHER = 32,
    SA_COMPARE_FLOATS = 64,
    SA_COMPARE_INTEGERS = 128,
    SA_HELPER_OFFSETS = 256,
    SA_HELPER_SENTINEL = 512,
    SA_HELPER_GRID = 1024,
    SA_HELPER_LATTICE = 2048,
    SA_HELPER_CLEAR = 4096,
    SA_HELPER_BITS = 8192,
    SA_HELPER_TURNED = 16384,
    SA_HELPER_ODD = 32768,
    SA_HELPER_TURN = 65536,
    SA_HELPER_SORT = 131072,
    SA_HELPER_DIAGONAL = 262144,
    SA_COMPARE_HASH = 524288
} sa_helper;

/* A volume that the kernel stores to: the array of main with its values, and its object there. */
typedef struct sa_stored {
    const sa_object *object;
    str values, volume;
} sa_stored;

/* The text in work. `b` is the buffer that is printed to; names in `taken` are those of the
 * function that is being printed. */
typedef struct sa_text {
    ctx *c;
    const standalone_subject *s;
    const cuda_kernel *k;
    const sa_run *run;
    uint32_t number; /* of the run, where it is a further one: 2, 3 ... */
    strbuf *b;
    VEC(str) taken; /* names of the function in work */
    VEC(sa_stored) stored;
    uint32_t expected; /* numbers that are compared, so far */
    double tolerance;  /* the largest, so far */
    bool formless;     /* the backward kernel has no form */
    bool hangs;        /* what is compared may come out otherwise by a rounding */
    unsigned helpers;  /* sa_helper bits: what the text made so far calls */
    bool compares_half, compares_bfloat16;
} sa_text;

/* standalone_number.c: numbers as C++ writes them, exactly. */
void sa_put_number(strbuf *b, type_kind kind, num x);
/* "{0.5, 1.5}", "{{...}, {...}}": the initializer of a value, without the name of its type. */
void sa_put_value(strbuf *b, const type *t, const uint8_t *bytes);
/* The scalar type of expected values: float for narrow ones. */
const char *sa_expected_type(type_kind kind);
const char *sa_scalar_name(type_kind kind);

/* standalone_param.c: arrays among the parameters of a kernel. */
typedef struct sa_array {
    const cuda_param *p;
    const cuda_param *holder; /* the parameter whose struct has it, and its members: ".inner.x" */
    str members;              /* NULL, empty: it is a parameter itself */
    str host;                 /* expression: "x", "model.x" */
    str path;                 /* "x", "model.x": of the Python parameter */
    str flat;                 /* an identifier for it: "x", "model_x" */
    str count;                /* expression for the number of its elements */
    str element;              /* type */
    bool adjoint;
    bool turned;   /* a wp.indexedarray: it lies in device memory from its end to its beginning */
    bool counted;  /* the kernel does not take all sizes, so `count` is the launcher's parameter */
    uint32_t root; /* which parameter of the Python kernel it belongs to */
    int ndim;
} sa_array;
/* The arrays of a kernel's parameters, in their order; those in structs at the place of the struct.
 */
typedef struct sa_arrays {
    sa_array *v;
    uint32_t n, cap;
} sa_arrays;
void sa_arrays_of(sa_text *t, const cuda_param *params, uint32_t n, sa_arrays *out);
const cuda_struct *sa_struct_of(const sa_text *t, const type *type);
/* Text in which each '$' is the next str. */
void sa_put(strbuf *b, const char *form, ...);
str sa_form(ctx *c, const char *form, ...); /* in c->module */
str sa_uint(ctx *c, uint32_t x);            /* the number as text, in c->module */
/* A list of arguments in the middle of a line: items with commas between them, the lines no longer
 * than they should be. */
typedef struct sa_list {
    strbuf *b;
    size_t indent, line; /* line: where it began */
    bool any;
} sa_list;

/* The list begins where the text ends now; later lines are aligned with it. */
sa_list sa_list_begin(strbuf *b);
void sa_list_item(sa_list *l, str item);
/* Is it the name, or the type, of a parameter? */
bool sa_is_param(const sa_text *t, str name);
/* A name that no parameter has: `base`, or with underscores behind it. */
str sa_free_name(sa_text *t, const char *base);

/* standalone_host.c: helpers and the function that launches a kernel. */
/* Needs: the launchers and main are made, whose calls t->helpers counts. */
void sa_put_helpers(sa_text *t);
void sa_put_launcher(sa_text *t, bool backward);
/* --- standalone_column.c: the columns of arrays, expected values and comparisons */

/* One column of an array: all of it, or a field of its structs. */
typedef struct sa_slot {
    const sa_array *array;
    const sa_column *column;
    str member; /* "mass" or "pos.x" in C; empty: the array holds no structs */
    str flat;   /* an identifier: "x", "particles_mass" */
} sa_slot;
/* In the order of the arrays; the columns of one array follow each other. */
typedef struct sa_slots {
    sa_slot *v;
    uint32_t n, cap;
} sa_slots;
/* The columns of all arrays that are adjoints, or of all that are none. */
void sa_slots_of(sa_text *t, const sa_arrays *arrays, bool adjoint, sa_slots *out);
/* A pointer to the numbers of an array. */
str sa_numbers_of(const sa_text *t, const sa_slot *s, str array);
size_t sa_elements_of(const sa_slot *s);
/* Every so many numbers of a column of `count` numbers are compared, the last one among them. All
 * are where only few differ between `from` and `to`; from NULL: that does not matter. width: bytes
 * of a number. */
size_t sa_column_step_of(size_t count, size_t width, const uint8_t *from, const uint8_t *to);
/* Sets another sample of a column of `count` numbers so that the numbers compared meet as many as
 * can be of the sets of `missed`. False: they meet none. */
bool sa_column_meet(size_t count, sa_sample *sample, uint32_t column, const sa_missed *missed,
                    uint32_t n);
bool sa_has_gradients(sa_text *t);
/* Expected values; counts in t->expected what is compared. */
void sa_put_expected(sa_text *t);
/* The comparisons after one launch; `passed` and `largest` name main's variables. */
void sa_put_comparisons(sa_text *t, const sa_arrays *arrays, bool adjoint, str passed, str largest);
/* standalone_object.c: lines that make the object and declare `name`, its address. */
void sa_put_object(sa_text *t, const sa_object *o, str name);
/* standalone_texture.c: lines that make the texture whose value has these bytes, and declare
 * `name`, or assign to it. */
void sa_put_texture(sa_text *t, bool declares, str name, const uint8_t *bytes);
/* The same of an array of textures, or of those in an array of structs, which main has already if
 * there are other fields. item: the type of its items. */
void sa_put_textures(sa_text *t, str item, str name, const array_view *v);
/* Lines that copy the values of volumes back that the kernel has stored to. */
void sa_put_stored(sa_text *t);
/* standalone_main.c: expected values and main. */
void sa_put_main(sa_text *t);

#endif
