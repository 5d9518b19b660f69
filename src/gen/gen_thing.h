/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of what the generator can write, as enums and lookups: builtins (gen_builtin.def), all
 * other things (gen_thing.def), shapes of types (gen_shape.def), sets of types (gen_class.def). A
 * production is a thing with a type: builtins/dot:vec3d is the thing FN_dot with vec3d. */
#ifndef WEFT_GEN_GEN_THING_H
#define WEFT_GEN_GEN_THING_H

#include "gen/gen.h"
#include "gen/gen_value.h"

/* Builtins by name. A sample keeps a bit for each that it uses. */
typedef enum gen_fn {
#define FN(name, class) FN_##name,
#include "gen/gen_builtin.def"
    FN_COUNT
} gen_fn;

enum { FN_WORDS = (FN_COUNT + 63) / 64 };

_Static_assert(FN_COUNT <= 256, "a sample lists them by bytes");

/* What can be written: builtins first, so that a gen_fn is a gen_thing as well, and after them
 * everything else. */
typedef enum gen_thing {
    THING_BEFORE = FN_COUNT - 1,
#define THING(group, ID, name, class) THING_##ID,
#include "gen/gen_thing.def"
#undef THING
    THING_COUNT
} gen_thing;

/* Shapes of types. TYPE_COUNT types are numbered by shape and, in each, by scalar. */
typedef enum gshape {
#define SHAPE(ID, kind, rows, cols) SHAPE_##ID,
#include "gen/gen_shape.def"
#undef SHAPE
    SHAPE_COUNT
} gshape;

/* Sets of types, by the names of gen_class.def. */
typedef enum gen_class {
#define CLASS(ID, ...) CLASS_##ID,
#include "gen/gen_class.def"
#undef CLASS
    CLASS_COUNT
} gen_class;

enum { TYPE_COUNT = SHAPE_COUNT * GS_COUNT, TYPE_WORDS = (TYPE_COUNT + 63) / 64 };

/* Sets of shapes, a bit each, as gen_class.def names them. */
enum {
    IS_SCALAR = 1 << SHAPE_SCALAR,
    IS_SHORT = 1 << SHAPE_VEC2 | 1 << SHAPE_VEC3 | 1 << SHAPE_VEC4,
    IS_VEC3 = 1 << SHAPE_VEC3,
    IS_VEC = IS_SHORT | 1 << SHAPE_VECN,
    IS_SQUARE = 1 << SHAPE_MAT22 | 1 << SHAPE_MAT33 | 1 << SHAPE_MAT44,
    IS_MAT33 = 1 << SHAPE_MAT33,
    IS_MAT = IS_SQUARE | 1 << SHAPE_MATN,
    IS_QUAT = 1 << SHAPE_QUAT,
    IS_XFORM = 1 << SHAPE_XFORM
};

/* Sets of scalars, a bit each, as gen_class.def and the rows of gen_builtin.def name them. */
#define SC_BIT(ID) (1u << GS_##ID)
enum {
    SC_ONLY_F32 = SC_BIT(F32),
    SC_REAL = SC_BIT(F32) | SC_BIT(F64),
    SC_TURNS = SC_REAL | SC_BIT(F16), /* of quaternions and transforms */
    SC_FLOATS = SC_TURNS | SC_BIT(BF16),
    SC_INTS = SC_BIT(F16) - 1 - SC_BIT(BOOL),
    SC_NUMBERS = SC_INTS | SC_REAL,
    SC_CASTS = SC_INTS | SC_TURNS,
    SC_ALL = SC_INTS | SC_FLOATS,
    SC_ANY = SC_ALL | SC_BIT(BOOL),
    SC_SIGNED = SC_FLOATS | SC_BIT(I8) | SC_BIT(I16) | SC_BIT(I32) | SC_BIT(I64),
    SC_WIDE = SC_BIT(I32) | SC_BIT(U32) | SC_BIT(I64) | SC_BIT(U64), /* of atomics */
    SC_LONG = SC_INTS & ~SC_BIT(I8)                                  /* where a product has room */
};

/* A row of gen_builtin.def or gen_thing.def. */
typedef struct thing_row {
    const char *name; /* "+", "while"; a builtin's own: "dot" */
    uint8_t group, class;
} thing_row;

extern const thing_row thing_rows[THING_COUNT];

/* The group of a thing as production names have it: "builtins", "operators", ... */
const char *thing_group_name(uint32_t thing);
/* Is this type, or the one that stands for it, in the set? */
bool class_has(gen_class c, gtype t);

/* The type of a number below TYPE_COUNT. */
gtype type_at(uint32_t number);
/* The number of a type. Types that gen_shape.def has no row for share one: all vectors longer than
 * 4 are VECN. */
uint32_t type_number(gtype t);
/* The type that stands for all types with t's number: longer vectors are counted as one. */
gtype type_counted_as(gtype t);

#endif
