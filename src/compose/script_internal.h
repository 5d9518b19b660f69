/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the maker of scripts: kernels are drawn and written (script_chain.c), compiled and
 * proved (script_prove.c); their arguments become variables of main() with the numbers that the
 * script draws (script_value.c); the reference interpreter runs all of it (script_run.c); then
 * main() is written (script_write.c). */
#ifndef WEFT_COMPOSE_SCRIPT_INTERNAL_H
#define WEFT_COMPOSE_SCRIPT_INTERNAL_H

#include "compose/compose_internal.h"
#include "compose/script.h"
#include "compose/script_random.h"

enum { SCRIPT_VARS = 64, SCRIPT_NAMES = 128, NO_VAR = 255 };

typedef enum var_kind {
    VAR_ARRAY,
    VAR_SCALAR, /* a number, vector or matrix */
    VAR_SIZE,   /* the size of a letter */
    VAR_STRUCT, /* its fields are scalars */
    VAR_MESH,
    VAR_BVH,
    VAR_GRID
} var_kind;

/* A variable of main(). */
typedef struct script_var {
    var_kind kind;
    str name;
    plan_arg arg;    /* what it is */
    gen_arg is;      /* in the letters of the library: shape and values */
    uint8_t nth;     /* of equal ones of the kernel that brought it */
    uint8_t kernel;  /* that kernel */
    uint8_t written; /* the last kernel that writes it, from 1; 0: none */
    bool drawn;      /* it has values before the launches; else it begins with zeros */
    type_kind scalar;
    uint32_t rows, cols; /* of an element: a vec3 has 3 and 1, a number 1 and 0 */
    str type;            /* "wp.vec3" */
    int ndim;
    int64_t shape[LAUNCH_DIMS];
    size_t lanes;      /* scalars of all elements */
    str sizes;         /* "num_particles", "(rows, cols)" */
    str before, after; /* lines of main() in front of it and behind it */
    str text;          /* what it is set to; an array: in NumPy */
    uint8_t *bytes, *tangent, *adjoint;
    const uint8_t *initial, *expected; /* copies of bytes before and behind the launches */
    const uint8_t *gradient;           /* of the loss by it, of the leaf */
    uint64_t id;                       /* of an object */
    bool grad;                         /* requires_grad=True */
} script_var;

typedef struct script_kernel {
    plan p;        /* composed kernels */
    gen_sample is; /* name, launch and arguments */
    uint8_t vars[GEN_ARGS_MAX];
    uint8_t params[PLAN_ARGS]; /* variable of each argument of the plan */
    str dims;                  /* of the launch, in main(): "num_particles" */
    int ndim;
    int64_t dim[LAUNCH_DIMS];
    compiled_kernel compiled;
    str backward; /* the text whose adjoint is taken */
} script_kernel;

struct scripter {
    const library *l;
    pipeline p;
    composer *c;
    checker *checker;
    const gen_request *q;
    script *out;
    script_end end;
    const char *why;
    strbuf prompt, source, main, forward[EMIT_DEVICES], backward[EMIT_DEVICES], cuda;
    script_kernel kernels[SCRIPT_KERNELS];
    uint32_t nkernels;
    script_var vars[SCRIPT_VARS];
    uint32_t nvars;
    str names[SCRIPT_NAMES]; /* of main() and of the file */
    uint32_t nnames;
    int64_t letters[26];
    str letter_names[26];
    bool letter_used[26];
    bool differentiable; /* each kernel's gradient is proved */
    bool has_rows;       /* links are those of rows: their number follows from the offsets */
    uint32_t seed;       /* of the script's generator */
    numpy_rng random;
    uint8_t loss; /* variable of the loss; NO_VAR: there is none */
    uint8_t leaf; /* the input whose gradient is checked; NO_VAR: there is no tape */
};

/* --- script_chain.c --- */
/* Draws and writes the kernels; their variables have names. False: there are none. */
bool script_draw(scripter *s);
/* A name of main() that is free, as near to this one as can be. */
str script_name(scripter *s, str name);

/* --- script_loss.c --- */
/* Adds a kernel that makes one number of the last result, if it is no number yet. */
void script_add_loss(scripter *s);

/* --- script_prove.c --- */
/* False: s->end says why. */
bool script_prove(scripter *s);

/* --- script_size.c --- */
/* Which number each letter is, before anything is drawn. */
void script_choose_sizes(scripter *s);
/* What main() sets the name of a letter to. */
str script_letter_text(scripter *s, char c);
/* "num_particles + 1, 3" for "n+1,3"; what they are; gives how many. */
int script_put_sizes(scripter *s, strbuf *b, str text, int64_t *sizes);

/* --- script_value.c --- */
/* In which turn a variable is set: those of a turn in their order. */
typedef enum script_turn_of {
    TURN_SCALARS,
    TURN_ROWS, /* which say how many links there are */
    TURN_ARRAYS,
    TURN_OBJECTS, /* are made of arrays */
    TURN_OUTPUTS,
    SCRIPT_TURNS
} script_turn_of;
script_turn_of script_turn(const script_var *v);
/* Draws all values, and writes what main() sets the variables to. */
void script_fill(scripter *s);

/* --- script_object.c --- */
void script_make_object(scripter *s, script_var *v);

/* --- script_run.c --- */
/* Runs the kernels, and again on inputs that differ by rounding. False: s->end says why. */
bool script_run(scripter *s);
/* What numbers may differ by: this part of them, and a power of ten for those up to `largest`. */
#define SCRIPT_RTOL 1e-3
double script_atol(double largest);
double script_largest(const script_var *v, const uint8_t *bytes);

/* --- script_write.c --- */
/* The docstring of the file, in some scripts. */
void script_put_title(scripter *s);
void script_write_main(scripter *s);

/* Ends the making of a script; false. */
static inline bool script_stop(scripter *s, script_end end, const char *why)
{
    s->end = end;
    s->why = why;
    return false;
}

static inline bool script_is_float(const script_var *v)
{
    return (v->kind == VAR_ARRAY || v->kind == VAR_SCALAR) && v->scalar >= TYPE_FLOAT16;
}

#endif
