/* SPDX-License-Identifier: Apache-2.0 */
/* What stands before the kernel, as the generator keeps it: helper functions, structs, constants.
 * Each is a range of bytes in gen_text.head, so what nothing has used when the kernel is done is
 * simply not copied into the file. */
#ifndef WEFT_GEN_GEN_DEFS_H
#define WEFT_GEN_GEN_DEFS_H

#include "gen/gen_production.h"

/* Limits of one file: fields of a struct, structs, results of a helper. */
enum { FIELDS_MAX = 5, RECORDS_MAX = 3, RESULTS_MAX = 3 };
/* Helpers, constants, and arrays in the struct of parameters. Few people write more for one
 * kernel. */
enum { HELPERS_MAX = 5, CONSTS_MAX = 3, PENDING_MAX = 3 };

/* A field that is a value. */
typedef struct gfield {
    str name;
    gtype t;
} gfield;

/* A struct that is a value: what can be passed to helpers, and, if it is `plain`, built and kept in
 * arrays. */
typedef struct grecord {
    str type, owner;           /* "Particle"; "params" where it is an argument */
    const char *many, *one;    /* names for arrays and values of it */
    uint32_t begin, end;       /* its text in the head; none where struct_new wrote it */
    gfield fields[FIELDS_MAX]; /* those that are values */
    uint8_t nfields;
    bool plain;
} grecord;

/* A helper function that the kernel may call. */
typedef struct ghelper {
    str name;
    uint32_t begin, end; /* its text in the head */
    gtype result, params[4];
    bound gives;             /* of every result, for any such parameters */
    int8_t takes[4];         /* magnitudes that its parameters may have */
    uint8_t nparams, uses;   /* uses: 0 or 1 */
    bool has_default;        /* the last parameter may be left out */
    uint8_t results;         /* how many values it returns; all are `result`, within `gives` */
    uint8_t takes_record;    /* before its other parameters it has a struct: its record + 1 */
    uint8_t makes_record;    /* returns a struct: its record + 1 */
    bool generic;            /* parameters are of any type */
    uint8_t calls;           /* the helpers that it calls, a bit each */
    uint64_t used[FN_WORDS]; /* builtins and productions, as in gen_coverage */
    gcover cover;
} ghelper;

/* A module constant, or a function of constants: its lines in the head. */
typedef struct gconst {
    str name;
    uint32_t begin, end;
    gtype t;
    bool function; /* one that wp.static calls, and always in use */
} gconst;

/* An array in a struct, whose elements can be used once there are threads. */
typedef struct gpending {
    str path;
    gtype t;
} gpending;

/* All of them, and the helper that is being written. */
typedef struct gen_defs {
    ghelper helpers[HELPERS_MAX];
    gconst consts[CONSTS_MAX];
    grecord records[RECORDS_MAX];
    gpending pending[PENDING_MAX];
    uint32_t nhelpers, nconsts, nrecords, npending;
    uint32_t struct_begin, struct_end; /* of the struct of parameters, in the head */
    uint32_t callees;                  /* of the helper that is written: see ghelper.calls */
    bool in_helper;                    /* one is being written */
} gen_defs;

#endif
