/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of things, classes and shapes, expanded from the .def files. gen_coverage.c makes
 * productions of them: a thing with each type that its class has.
 *
 *     THING(OPERATOR, MOD, "%", INTEGERS)
 *     CLASS(INTEGERS, {IS_SCALAR, SC_INTS})
 *     ->  "operators/%:int8", "operators/%:uint8", ... "operators/%:uint64"
 */
#include "gen/gen_thing.h"

#include "base/assert.h"
#include "gen/gen_value.h"

/* Most products of shapes and scalars that a class of gen_class.def is made of. */
enum { CLASS_SETS = 4 };

/* A product: each of the shapes with each of the scalars, a bit each. */
typedef struct type_set {
    uint16_t shapes, scalars;
} type_set;

static const type_set classes[CLASS_COUNT][CLASS_SETS] = {
#define CLASS(ID, ...) [CLASS_##ID] = {__VA_ARGS__},
#include "gen/gen_class.def"
#undef CLASS
};

/* Shapes as types, with the scalar left 0. */
static const gtype shapes[SHAPE_COUNT] = {
#define SHAPE(ID, kind, rows, cols) {kind, 0, rows, cols},
#include "gen/gen_shape.def"
#undef SHAPE
};

/* Groups of things: builtins, and the first column of gen_thing.def. In the order of
 * group_names. */
typedef enum thing_group {
    GROUP_BUILTIN,     /* gen_builtin.def */
    GROUP_OPERATOR,    /* "+", "component", "conversion" */
    GROUP_STATEMENT,   /* "load", "+=", "while" */
    GROUP_NESTING,     /* "loop depth 2", "if in a loop" */
    GROUP_ARGUMENT,    /* "input array", "array of rank 2" */
    GROUP_DECLARATION, /* "function", "field of a struct" */
    GROUP_LAUNCH,      /* "2 dimensions" */
    GROUP_STYLE        /* "docstring", "comment" */
} thing_group;

static const char *const group_names[] = {"builtins",  "operators",    "statements", "nesting",
                                          "arguments", "declarations", "launch",     "style"};

const thing_row thing_rows[THING_COUNT] = {
#define FN(name, class) {#name, GROUP_BUILTIN, CLASS_##class},
#include "gen/gen_builtin.def"
#define THING(group, ID, name, class) {name, GROUP_##group, CLASS_##class},
#include "gen/gen_thing.def"
#undef THING
};

const char *thing_group_name(uint32_t thing)
{
    WEFT_ASSERT(thing < THING_COUNT);
    return group_names[thing_rows[thing].group];
}

_Static_assert(SHAPE_VEC4 == SHAPE_VEC2 + 2 && SHAPE_MAT44 == SHAPE_MAT22 + 2,
               "shapes of one kind stand by size, from 2 on");

/* The row of gen_shape.def for a type. Longer vectors share VECN; matrices that are not square, or
 * larger than 4x4, share MATN. */
static gshape shape_of(gtype t)
{
    switch ((gen_kind)t.kind) {
    case GK_SCALAR: return SHAPE_SCALAR;
    case GK_VEC: return t.rows <= 4 ? (gshape)(SHAPE_VEC2 + t.rows - 2) : SHAPE_VECN;
    case GK_MAT:
        return t.rows == t.cols && t.rows <= 4 ? (gshape)(SHAPE_MAT22 + t.rows - 2) : SHAPE_MATN;
    case GK_QUAT: return SHAPE_QUAT;
    case GK_XFORM: return SHAPE_XFORM;
    }
    return SHAPE_SCALAR;
}

bool class_has(gen_class c, gtype t)
{
    WEFT_ASSERT(c < CLASS_COUNT && t.sc < GS_COUNT);
    const uint32_t shape = shape_of(t);
    for (int i = 0; i < CLASS_SETS; i++)
        if (classes[c][i].shapes >> shape & 1 && classes[c][i].scalars >> t.sc & 1)
            return true;
    return false;
}

gtype type_at(uint32_t i)
{
    WEFT_ASSERT(i < TYPE_COUNT);
    gtype t = shapes[i / GS_COUNT];
    t.sc = (uint8_t)(i % GS_COUNT);
    return t;
}

uint32_t type_number(gtype t)
{
    return shape_of(t) * GS_COUNT + t.sc;
}

gtype type_counted_as(gtype t)
{
    if (t.kind == GK_VEC && t.rows > 4)
        return gt_vec(t.sc, shapes[SHAPE_VECN].rows);
    const bool named = t.kind != GK_MAT || (t.rows == t.cols && t.rows <= 4);
    return named ? t : gt_mat(t.sc, shapes[SHAPE_MATN].rows, shapes[SHAPE_MATN].cols);
}
