/* The rows of gen_builtin.def that say how a builtin is called: what a row is, the types that its
 * letters stand for, and which types a builtin is called with. gen_call.c writes the calls. */
#ifndef WEFT_GEN_GEN_CALL_ROW_H
#define WEFT_GEN_GEN_CALL_ROW_H

#include "gen/gen_thing.h"

/* Groups of builtins, gen_builtin.def. */
typedef enum call_group {
    CALL_ARITH,
    CALL_MATH,
    CALL_BITS,
    CALL_VECTOR,
    CALL_MATRIX,
    CALL_ROTATION,
    CALL_TRANSFORM,
    CALL_ARRAY
} call_group;

typedef enum call_rule { CALL_K, CALL_MAX, CALL_SUM, CALL_FIRST } call_rule;

typedef struct call_row {
    uint8_t fn, group;
    uint16_t bases;
    const char *lengths;
    uint8_t weight;
    const char *result;
    uint8_t rule;
    int8_t add;
    uint8_t low;
    const char *args;
} call_row;

enum {
    CALL_ROW_COUNT = 0
#define CALL(...) +1
#include "gen/gen_builtin.def"
};

extern const call_row call_rows[CALL_ROW_COUNT];

/* What a row's letters stand for in one call. */
typedef struct call_shape {
    uint8_t sc, n, m;
} call_shape;

typedef struct call_arg {
    char letter;
    int8_t mag; /* or NO_MAG */
    uint8_t low;
    bool unit, apart, literal, definite, separate, symmetric, differs;
    str text; /* letters '=', '$' and '#' */
} call_arg;

enum { NO_MAG = 127 };

/* A letter of gen_builtin.def as a type; others than those listed are the scalar itself. */
gtype call_letter_type(char letter, const call_shape *s);
/* Letters whose argument is text from the row, not an expression. */
bool call_is_text(char letter);
/* One argument of a row: a letter, then its bound and flags. Returns what follows it. */
const char *call_read_arg(const char *p, call_arg *a);
/* The type that a call is counted under: its first argument's that has one, else its result's. */
gtype call_named_type(const call_row *row, const call_shape *s);
/* Would the result stay within w, and do the arguments have room? */
bool call_has_room(const call_row *row, want w);
/* Have the results of such a call room in their type? */
bool call_fits_type(const call_row *row, const call_shape *s);
/* Do rows call fn with t as its first argument's type (its result's where it has none)? */
bool calls_with(gen_fn fn, gtype t);
/* Adds the types that calls_with says yes to: a bit for each number of type_at. */
void calls_types(gen_fn fn, uint64_t of[TYPE_WORDS]);

#endif
