/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of gen_builtin.def that say how a builtin is called: what a row is, the types that its
 * letters stand for, and which types a builtin is called with. gen_call.c writes the calls. */
#ifndef WEFT_GEN_GEN_CALL_ROW_H
#define WEFT_GEN_GEN_CALL_ROW_H

#include "gen/gen_thing.h"

/* Groups of rows. A category draws from those that its row of gen_category.def names. */
typedef enum call_group {
    CALL_ARITH,     /* min, clamp, where, mod: of numbers */
    CALL_MATH,      /* pow, smoothstep, isnan: of floats */
    CALL_BITS,      /* bit_and, lshift, cast */
    CALL_VECTOR,    /* dot, cross, normalize */
    CALL_MATRIX,    /* transpose, inverse, svd3 */
    CALL_ROTATION,  /* quat_rotate, quat_slerp */
    CALL_TRANSFORM, /* transform_point, spatial_dot */
    CALL_ARRAY      /* lower_bound: of an input array */
} call_group;

/* How the magnitude of a result follows from those of the arguments: gen_builtin.def. */
typedef enum call_rule {
    CALL_K,    /* 2^add whatever the arguments are: wp.clamp(x, 0.0, 1.0) */
    CALL_MAX,  /* that of the largest, plus add: wp.min(x, y) */
    CALL_SUM,  /* that of all together, plus add: wp.dot(v, u) */
    CALL_FIRST /* that of the first, plus add: wp.cw_div(v, u) */
} call_rule;

/* A CALL row of gen_builtin.def, which explains the columns. */
typedef struct call_row {
    uint8_t fn, group;   /* gen_fn, call_group */
    uint16_t bases;      /* a set SC_ of scalars that S may be */
    const char *lengths; /* "24": N from 2 to 4; "0": the row has no N */
    uint8_t weight;      /* slots that it gets; 0 is for no row */
    const char *result;  /* a letter for each value */
    uint8_t rule;        /* call_rule */
    int8_t add;          /* powers of two that the builtin adds; CALL_K: all of them */
    uint8_t low;         /* gen_low of the result */
    const char *args;    /* words, see call_read_arg */
} call_row;

enum {
    CALL_ROW_COUNT = 0
#define CALL(...) +1
#include "gen/gen_builtin.def"
};

extern const call_row call_rows[CALL_ROW_COUNT];

/* What a row's letters stand for in one call: the scalar S, and the lengths N and M. */
typedef struct call_shape {
    uint8_t sc, n, m;
} call_shape;

/* One word of `args`: "s8+" is {letter s, mag 8, low LOW_POS}. */
typedef struct call_arg {
    char letter;
    int8_t mag; /* or NO_MAG */
    uint8_t low;
    bool unit;      /* u: of length 1 */
    bool apart;     /* !: does not count for the result's bound */
    bool literal;   /* l */
    bool definite;  /* P: m^T m + I */
    bool separate;  /* V: singular values differ */
    bool symmetric; /* Y */
    bool differs;   /* D: not the first argument once more */
    str text;       /* letters '=', '$' and '#' */
} call_arg;

/* The row sets no limit: the rule and the type do. */
enum { NO_MAG = 127 };

/* A letter of gen_builtin.def as a type; others than those listed are the scalar itself. */
gtype call_letter_type(char letter, const call_shape *s);
/* Letters whose argument is text from the row, not an expression. */
bool call_is_text(char letter);
/* Reads one word of `args` and returns what follows it. */
const char *call_read_arg(const char *p, call_arg *a);
/* The type that a call is counted under: its first argument's that has one, else its result's. */
gtype call_named_type(const call_row *row, const call_shape *s);
/* Would the result stay within w, and do the arguments have room? */
bool call_has_room(const call_row *row, want w);
/* Have the results of such a call room in their type? */
bool call_fits_type(const call_row *row, const call_shape *s);
/* Do rows call fn with t as the type of its first argument (of its result, where it has none)? */
bool calls_with(gen_fn fn, gtype t);
/* Adds the types that calls_with says yes to: a bit for each number of type_at. */
void calls_types(gen_fn fn, uint64_t of[TYPE_WORDS]);

#endif
