/* SPDX-License-Identifier: Apache-2.0 */
/* The library of computations with meaning, as the composer uses it: read once from the Python
 * files of src/compose/library/, then never changed, so threads share it.
 *
 *     mass = quantity(float, "kg", "mass", one="m mass", many="masses mass", low=0.5, high=4.0)
 *
 *     @formula
 *     def kinetic_energy(m: mass, v: velocity) -> energy:
 *         "half of {m} times the square of the length of {v}"
 *         return 0.5 * m * wp.dot(v, v)
 *
 *     @pattern(needs="other")
 *     def neighbors(first: row_offsets, ids: link_to_other):
 *         "{ids} lists the {others} of {element} i from {first}[i] up to {first}[i + 1]"
 *         i = thread()
 *         at(element, i)
 *         total = zero
 *         for k in range(first[i], first[i + 1]):
 *             at(link, k)
 *             j = ids[k]
 *             at(other, j)
 *             total += value
 *         finish(total)
 *
 * src/compose/library/README.md tells how to write one. */
#ifndef WEFT_COMPOSE_LIBRARY_H
#define WEFT_COMPOSE_LIBRARY_H

#include "base/ctx.h"
#include "profile/profile_kernel.h"
#include "syntax/ast.h"

/* The types of quantities. VEC stands for wp.vec2 or wp.vec3, as the kernel is plane or not. */
typedef enum lib_type {
#define TYPE(ID, name, text, zero) LIB_##ID,
#include "compose/library_type.def"
#undef TYPE
    LIB_TYPES
} lib_type;

/* Where a formula's parameter comes from. A pattern says which index each place has. */
typedef enum lib_place {
#define PLACE(ID, ...) PLACE_##ID,
#include "compose/library_place.def"
#undef PLACE
    PLACES
} lib_place;

/* Places of formulas that need no other element. */
enum { LIB_ALONE = 1u << PLACE_ELEMENT | 1u << PLACE_UNIFORM | 1u << PLACE_WHOLE };

/* What a value is. Words stand one blank apart, the most usual first. */
typedef struct lib_quantity {
    const sym *id;
    lib_type type;
    str unit, noun;         /* "m/s", "velocity" */
    const char *one, *many; /* names of a value and of an array */
    double low, high;       /* numbers lie between them; both 0: nothing is known */
    bool uniform;           /* the same for all threads: a time step */
    bool unit_length;       /* a direction: its length is 1 */
    bool sums;              /* those of several neighbours add up: a force */
    bool share;             /* what each corner of an element gets of a whole */
    const sym *not_with;    /* a quantity that says the same: the mass, of its inverse; or NULL */
    const char *means;      /* what may be done with results: "total blend"; NULL: to store them */
    /* Formulas of the element alone that give it, and that take the element's. */
    VEC(const struct lib_formula *) givers;
    VEC(const struct lib_formula *) takers;
} lib_quantity;

/* What the things of a field are called: "particle", "particles". */
typedef struct lib_thing {
    str one, many;
} lib_thing;

typedef struct lib_field {
    const char *file;
    str title;
    lib_thing element, other, link;
    lib_thing group; /* what elements belong to: a body, a cluster */
    bool grouped;    /* the field says what */
    bool apart;      /* its formulas have nothing to do with each other: densities, root finders */
    bool all;        /* no element may be left out: of a scan */
    bool pairs;      /* a launch has a thread for each element and each other */
    bool moves;      /* what its formulas give may go on as motion (physics.py) */
    uint8_t dims;    /* of launches over elements */
    uint8_t corners; /* of an element, each one of the others: 3 of a triangle; 0: it has none */
} lib_field;

typedef struct lib_param {
    const sym *name;
    const lib_quantity *of;
    lib_place place;
    const char *shape, *values; /* of mass["n,k", "0:k"]; NULL: by the place, by the quantity */
    const char *noun;           /* of a binding: what it is here; NULL: as usual */
} lib_param;

enum { LIB_PARAMS = 12 };

/* What a text contains; found by a walk over its tree. */
typedef struct lib_traits {
    uint8_t loops;    /* nested in each other */
    uint8_t branches; /* statements */
    uint8_t chain;    /* longest if-elif chain: tests */
    uint8_t math;     /* calls of sqrt, sin, ... */
    bool dynamic;     /* a loop that Warp does not unroll */
    bool early;       /* a return that is not the last statement */
    bool atomics, random, vectors, matrices;
    bool tiles;    /* a block of threads works on each element */
    bool solid;    /* has what only vectors of three components have */
    uint8_t space; /* how many components "vec" must have: 2 or 3; 0: either */
} lib_traits;

typedef struct lib_formula {
    const ast_FunctionDef *def;
    const node *const *body; /* statements behind the sentence */
    uint32_t nbody;
    str says;
    const lib_field *field;
    lib_param params[LIB_PARAMS];
    uint32_t nparams;
    const lib_quantity *result;
    uint32_t places; /* a bit each */
    lib_traits traits;
    profile_facts facts; /* of its statements, where they stand in a kernel */
    bool opposite;       /* the other has the negative result: a force between two */
    bool alone;          /* no result beside others: it would have nothing to do with them */
    bool first;          /* not behind others: a change of gradients behind the step */
    const sym *undoes;   /* the formula whose inverse it is; or NULL */
} lib_formula;

/* What an argument that a pattern asks for is. */
typedef enum lib_binding {
#define BINDING(ID, name, ...) BIND_##ID,
#include "compose/library_binding.def"
#undef BINDING
    BINDINGS
} lib_binding;

/* What a launch has a thread for. */
typedef enum lib_over { LIB_OVER_ELEMENTS, LIB_OVER_LINKS, LIB_OVER_ACTIVE } lib_over;

/* Which others a pattern is for: all, elements, or things of another kind. */
typedef enum lib_kind { LIB_KIND_ANY, LIB_KIND_SAME, LIB_KIND_DIFFERENT } lib_kind;

/* Where the result goes: to the element; to both ends or the first end of a link, to one number, to
 * a group, or to each corner, by atomics. */
typedef enum lib_into {
    LIB_INTO_ELEMENT,
    LIB_INTO_ENDS,
    LIB_INTO_FIRST,
    LIB_INTO_ONE,
    LIB_INTO_GROUP,
    LIB_INTO_CORNERS
} lib_into;

typedef struct lib_pattern {
    const ast_FunctionDef *def;
    const node *const *body;
    uint32_t nbody;
    str says;
    lib_param params[LIB_PARAMS]; /* of == NULL: it is bound */
    lib_binding bindings[LIB_PARAMS];
    uint32_t nparams;
    uint32_t gives, needs; /* places: that it has, and one of which the formula must use */
    lib_over over;
    uint8_t dims;  /* of the launch */
    uint8_t share; /* how often it is drawn */
    bool sums;     /* adds up what it computes */
    bool opposite; /* only for formulas that are */
    bool plain;    /* the element is known at the end, whatever happened before */
    lib_kind kind; /* of the others */
    str means;     /* the word of quantities that it is for; empty: all */
    lib_into into;
    lib_traits traits;
    profile_facts facts;
} lib_pattern;

/* A kernel that is written as a whole: a sorting step, a search of a graph. */
typedef struct lib_algorithm {
    const ast_FunctionDef *def;
    const node *const *body;
    uint32_t nbody;
    str says;
    const lib_field *field;
    lib_param params[LIB_PARAMS]; /* of == NULL: it is bound */
    lib_binding bindings[LIB_PARAMS];
    uint32_t nparams;
    lib_over over;
    uint8_t dims;
    uint8_t share; /* how often it is drawn */
    bool plain;    /* each thread that works reaches the end, and has an element for itself */
    lib_traits traits;
    /* What its last statement stores for the element, as if a formula gave it, and the parameter
     * that gets it; NULL: it ends otherwise. */
    const lib_formula *result;
    uint32_t result_param;
    profile_facts facts;
} lib_algorithm;

/* Where a result goes, if not plainly to its place of an array; or which elements are left out. In
 * both `here` is the element's index, in endings `value` is the result. */
typedef struct lib_part {
    const ast_FunctionDef *def;
    const node *const *body;
    uint32_t nbody;
    str says;
    lib_param params[LIB_PARAMS]; /* of == NULL: it is bound; of == l->same: as the result */
    lib_binding bindings[LIB_PARAMS];
    uint32_t nparams;
    uint32_t types; /* of results, a bit each; 0: all */
    uint8_t share;  /* how often it is drawn */
    uint8_t dims;   /* of launches; 0: any */
    const char *units, *fields,
        *of;           /* lists: of results' units, of fields, of elements; NULL: all */
    bool positive;     /* only of results that are never negative */
    bool fresh;        /* only where the result's quantity is no input, too */
    bool sums;         /* only for results that add up */
    bool linear;       /* its gradient needs no value of the result */
    bool alone;        /* only where it is the one result: it has an index of its own */
    str means;         /* the word of quantities that it is for; empty: all */
    str before, after; /* what it adds to the name of the kernel: "blended", "residual" */
    lib_traits traits;
    profile_facts facts;
} lib_part;

/* Names of the library's little language. */
typedef struct lib_words {
#define WORD(name) const sym *name;
#include "compose/library_word.def"
#undef WORD
} lib_words;

typedef struct library {
    ctx c; /* owns everything */
    VEC(lib_field *) fields;
    VEC(lib_quantity *) quantities;
    VEC(lib_formula *) formulas;
    VEC(lib_pattern *) patterns;
    VEC(lib_algorithm *) algorithms;
    VEC(lib_formula *) functions; /* that these call, of types and not of quantities */
    VEC(lib_part *) endings;
    VEC(lib_part *) filters;
    const lib_quantity *same; /* in endings: the quantity of the result */
    lib_words words;
    char message[400]; /* why it could not be read */
} library;

/* Reads the library. NULL: memory ran out. It is broken, which is a bug, if message is not
 * empty. */
library *library_new(void);
void library_free(library *l);

/* Finds the facts of all templates (compose_wish.c). */
void library_profile(library *l);
/* What "links" is in a field; false: it is no such word. */
bool library_thing(const lib_field *f, str word, str *out);
/* "element" */
const char *library_place_name(lib_place p);
/* Does this mean something for values of the quantity: their "total"? */
bool library_means(const lib_quantity *q, str word);

#endif
