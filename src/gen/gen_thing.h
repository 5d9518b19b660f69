/* The tables of what the generator can write, as enums: builtins (gen_builtin.def), all other
 * things (gen_thing.def), shapes of types (gen_shape.def), sets of types (gen_class.def). A
 * production is a thing with a type: `dot` with vec3d. */
#ifndef WEFT_GEN_GEN_THING_H
#define WEFT_GEN_GEN_THING_H

#include "gen/gen.h"
#include "gen/gen_value.h"

/* Builtins by name, so that a sample knows which it uses. */
typedef enum gen_fn {
#define FN(name, class) FN_##name,
#include "gen/gen_builtin.def"
    FN_COUNT
} gen_fn;

enum { FN_WORDS = (FN_COUNT + 63) / 64 };

_Static_assert(FN_COUNT <= 256, "a sample lists them by bytes");

/* What can be written: builtins, and after them everything else. */
typedef enum gen_thing {
    THING_BEFORE = FN_COUNT - 1,
#define THING(group, ID, name, class) THING_##ID,
#include "gen/gen_thing.def"
#undef THING
    THING_COUNT
} gen_thing;

typedef enum gshape {
#define SHAPE(ID, kind, rows, cols) SHAPE_##ID,
#include "gen/gen_shape.def"
#undef SHAPE
    SHAPE_COUNT
} gshape;

/* Sets of types. */
typedef enum gen_class {
#define CLASS(ID, ...) CLASS_##ID,
#include "gen/gen_class.def"
#undef CLASS
    CLASS_COUNT
} gen_class;

enum { TYPE_COUNT = SHAPE_COUNT * GS_COUNT, TYPE_WORDS = (TYPE_COUNT + 63) / 64 };

gtype type_at(uint32_t number); /* the type of this number, below TYPE_COUNT */

#endif
