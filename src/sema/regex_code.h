/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of a regular expression, which regex.c writes and regex_run.c executes. */
#ifndef WEFT_SEMA_REGEX_CODE_H
#define WEFT_SEMA_REGEX_CODE_H

#include "base/ascii.h"
#include "base/vec.h"

typedef enum regex_op {
    REGEX_SET,     /* a character of `set` */
    REGEX_ANY,     /* any; x: a newline, too */
    REGEX_SPLIT,   /* goes on at x, and where that fails at y */
    REGEX_JUMP,    /* goes on at x */
    REGEX_SAVE,    /* the place is kept in slot x */
    REGEX_MARK,    /* the same, of loop x */
    REGEX_ADVANCE, /* leaves the loop x where nothing was taken since its mark */
    REGEX_ASSERT,  /* x: ^, $, b, B, A or Z */
    REGEX_LOOK,    /* the code up to x has to match, or not to, from y characters before here */
    REGEX_BACK,    /* the text of group x */
    REGEX_MATCH    /* the end; x: of the whole pattern */
} regex_op;

typedef struct regex_set {
    uint64_t bits[2]; /* of ASCII */
} regex_set;

/* x and y of jumps are relative to the instruction. */
typedef struct regex_inst {
    regex_op op;
    int x, y;
    bool inverted;
    regex_set set;
} regex_inst;

static inline bool regex_set_has(const regex_set *s, unsigned char c)
{
    return c < 128 && (s->bits[c / 64] >> c % 64 & 1) != 0;
}

#endif
