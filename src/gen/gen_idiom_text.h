/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a purpose, and the things that it names: for gen_idiom.c, which chooses a row of
 * gen_idiom.def, writes the frame of its kernel, and leaves the text to gen_idiom_text.c. */
#ifndef WEFT_GEN_GEN_IDIOM_TEXT_H
#define WEFT_GEN_GEN_IDIOM_TEXT_H

#include "gen/gen.h"
#include "gen/gen_value.h"

/* A row of gen_idiom.def. */
typedef struct idiom {
    uint16_t categories; /* a bit each */
    uint8_t ndim;        /* of the launch that the text thinks of */
    const char *names;   /* "saxpy/axpy": of the kernel */
    const char *doc;     /* its docstring */
    const char *things;  /* "key=names:kind.type.rest ...", with a space between */
    const char *text;    /* lines, each with its '\n' */
} idiom;

/* Things of a row, and bytes of a key. */
enum { THINGS_MAX = 16, KEY_MAX = 8 };

/* A thing that the text has named. */
typedef struct idiom_thing {
    char key[KEY_MAX];
    char kind; /* i(n), o(wn), a(dd), r(g): argument, l(ocal), s: result */
    str name;
    uint8_t arg; /* of arrays: the argument's number + 1 */
    str element; /* of arrays: "x[i]"; empty where it has none at the thread's indexes */
    gtype t;
    int mag;    /* of local variables: what the row states */
    bool inner; /* first named inside of a branch or loop: not known to have a value behind it */
} idiom_thing;

/* The body that is written: its things, and where in the text's line it is. */
typedef struct idiom_writer {
    gen *g;
    idiom_thing things[THINGS_MAX];
    int nthings;
    uint8_t dims[256]; /* by letter: dimension + 1 */
    bool line_begins;  /* nothing of the line is written yet */
    bool skips;        /* the line is a comment that is left out */
    bool heads_loop;   /* it begins with "for" */
    int spaces;        /* the line's indentation in the row */
    size_t line;       /* where its text begins in the body */
} idiom_writer;

/* Copies the text from p to end into the body: draws choices, fills holes, makes things. */
void idiom_put_text(idiom_writer *w, const char *p, const char *end);
/* The thing of a key of n bytes; made when it is named first. Needs: the row has such a key. */
idiom_thing *idiom_thing_of(idiom_writer *w, const char *key, size_t n);
/* Writes what a hole of this letter stands for: ^f, ^e, ... */
void idiom_put_hole(gen *g, char c);
/* The end of the choice that begins at p, which is behind its '{' or '|': at '|' or '}'. */
const char *idiom_choice_end(const char *p);

#endif
