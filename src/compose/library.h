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
#include "compose/library_file.h"
#include "profile/profile_kernel.h"
#include "syntax/ast.h"

/* The types of quantities. VEC stands for wp.vec2 or wp.vec3, as the kernel is plane or not. */
typedef enum lib_type {
#define TYPE(ID, name, text, zero) LIB_##ID,
#include "compose/library_type.def"
#undef TYPE
    LIB_TYPES
} lib_type;

/* Are its values integers? */
static inline bool library_is_whole(lib_type t)
{
    return t == LIB_INT || t == LIB_UINT || t == LIB_INT64 || t == LIB_VEC2I || t == LIB_VEC3I;
}

/* Where a formula's parameter comes from. A pattern says which index each place has. */
typedef enum lib_place {
#define PLACE(ID, ...) PLACE_##ID,
#include "compose/library_place.def"
#undef PLACE
    PLACES
} lib_place;

/* Places of formulas that need no other element. */
enum { LIB_ALONE = 1u << PLACE_ELEMENT | 1u << PLACE_UNIFORM | 1u << PLACE_WHOLE };

/* Names of formulas and algorithms that stand in a text. */
typedef VEC(const sym *) lib_names;

/* What a value is. Words stand one blank apart, the most usual first. */
typedef struct lib_quantity {
    const sym *id;
    const char *file; /* that defines it; NULL: it is in every library */
    lib_type type;
    str unit, noun, nouns;  /* "m/s", "velocity", "velocities" */
    const char *one, *many; /* names of a value and of an array */
    double low, high;       /* numbers lie between them; both 0: nothing is known */
    bool uniform;           /* the same for all threads: a time step */
    bool unit_length;       /* a direction: its length is 1 */
    bool sums;              /* those of several neighbours add up: a force */
    bool share;             /* what each corner of an element gets of a whole */
    bool reach, touch;      /* others farther away do not count: by it, by twice of it */
    bool varies;            /* found anew for each launch: no constant of a module */
    bool given, renewed;    /* a formula computes it; one makes a new value of the old one */
    const sym *not_with;    /* a quantity that says the same: the mass, of its inverse; or NULL */
    const char *means;      /* what may be done with results: "total blend"; NULL: to store them */
    /* Formulas of the element alone that give it, and that take the element's. */
    VEC(const struct lib_formula *) givers;
    VEC(const struct lib_formula *) takers;
    VEC(const struct lib_part *) endings; /* that mean something for it */
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
    str partner;     /* the other that an element has by an index: "parent body"; empty: as usual */
    bool grouped;    /* the field says what */
    bool apart;      /* its formulas have nothing to do with each other: densities, root finders */
    bool all;        /* no element may be left out: of a scan */
    bool pairs;      /* a launch has a thread for each element and each other */
    bool moves;      /* what its formulas give may go on as motion (physics.py) */
    bool state;      /* its elements have a state that is reset, reordered, carried along */
    VEC(const struct lib_formula *) formulas;
    uint8_t dims;    /* of launches over elements */
    uint8_t share;   /* how often its formulas and algorithms are drawn; 0: as usual, which is 4 */
    uint8_t corners; /* of an element, each one of the others: 3 of a triangle; 0: it has none */
    VEC(const lib_quantity *) carried;    /* that its elements have, if they have a state */
    VEC(const struct lib_part *) filters; /* that mean something for its elements */
    const bool *ends; /* does an ending mean something for them? By its number */
} lib_field;

typedef struct lib_param {
    const sym *name;
    const lib_quantity *of;
    lib_place place;
    const char *shape, *values; /* of mass["n,k", "0:k"]; NULL: by the place, by the quantity */
    const char *noun;           /* what it is here, with * for a result; NULL: as usual */
} lib_param;

enum { LIB_PARAMS = 14 };

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
    bool inner;          /* not with neighbors clamped to the grid: a central difference */
    bool first;          /* not behind others: a change of gradients behind the step */
    const sym *undoes;   /* the formula whose inverse it is; or NULL */
    bool random;         /* takes the state of random numbers */
    bool trivial;        /* one operation, or one call: nobody writes a function for that */
    bool brief;          /* its sentence says no more than its one line */
    bool splits, is_one; /* choice_splits, choice_is_one */
    uint32_t assigned;   /* parameters that its statements assign to, a bit each */
    lib_names names;
} lib_formula;

/* What an argument that a pattern asks for is. */
typedef enum lib_binding {
#define BINDING(ID, name, ...) BIND_##ID,
#include "compose/library_binding.def"
#undef BINDING
    BINDINGS
} lib_binding;

/* What a launch has a thread for. */
typedef enum lib_over {
    LIB_OVER_ELEMENTS,
    LIB_OVER_LINKS,
    LIB_OVER_ACTIVE,
    LIB_OVER_WORLDS, /* worlds, and numbers of elements in them */
    LIB_OVER_FLAT,   /* the elements of a grid, by one index */
} lib_over;

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
    uint8_t dims;   /* of the launch */
    uint8_t share;  /* how often it is drawn */
    bool sums;      /* adds up what it computes */
    bool opposite;  /* only for formulas that are */
    bool plain;     /* the element is known at the end, whatever happened before */
    const char *of; /* the elements that it is for; NULL: all */
    bool clamps;    /* at the border an element is its own neighbor */
    bool guarded;   /* has a guard */
    bool position;  /* needs to know where the element is */
    bool one;       /* one thread works on one element */
    bool by_value;  /* which has its values in scalars, and its results in arrays of one entry */
    lib_kind kind;  /* of the others */
    str means;      /* the word of quantities that it is for; empty: all */
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
    uint8_t share;      /* how often it is drawn */
    bool plain;         /* each thread that works reaches the end, and has an element for itself */
    bool guarded;       /* has a guard */
    bool one;           /* one thread does it all */
    bool any;           /* of any field with a state: its `same` and `also` are drawn of that */
    bool second;        /* has `also` */
    const char *titles; /* words for the name of such a kernel: "reset_% reset_*" */
    const char *of;     /* the elements that such a kernel is for; NULL: all */
    bool zeroed;        /* only for values whose zero is neutral */
    uint32_t types;     /* of values that it is for, a bit each; 0: all */
    const sym *adjectives[LIB_PARAMS]; /* "initial" of initial and initial2: of such a parameter */
    lib_names names;
    lib_traits traits;
    /* What its last statement stores for the element, as if a formula gave it, and the parameter
     * that gets it; NULL: it ends otherwise. */
    const lib_formula *result;
    uint32_t result_param;
    bool ends_plainly; /* its sentence says which argument gets its result: just that does */
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
        *of;       /* lists: of results' units, of fields, of elements; NULL: all */
    bool positive; /* only of results that are never negative */
    bool fresh;    /* only where the result's quantity is no input, too */
    bool sums;     /* only for results that add up */
    bool linear;   /* its gradient needs no value of the result */
    bool alone;    /* only where it is the one result: it has an index of its own; of filters: not
                 * where results are added by atomics */
    bool light;    /* only where the result is no sum, nor that of an algorithm */
    str means;     /* the word of quantities that it is for; empty: all */
    str before, after; /* what it adds to the name of the kernel: "blended", "residual" */
    str gives; /* what is stored, with * for the result: "blended *"; empty: the result itself */
    uint32_t number; /* of the ending */
    int8_t result;   /* the parameter that gets the result in its own place; -1: none does */
    bool keeps;      /* the result itself goes to its output, as an algorithm's sentence says */
    bool bound;      /* has a parameter that is bound */
    uint32_t ahead;  /* so many statements of an ending come before the result is computed */
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
    lib_quantity **slots; /* the same, by their names: library_slot */
    VEC(lib_formula *) formulas;
    VEC(lib_pattern *) patterns;
    VEC(lib_algorithm *) algorithms;
    VEC(lib_formula *) functions; /* that these call, of types and not of quantities */
    VEC(lib_part *) endings;
    VEC(lib_part *) filters;
    const lib_quantity *same;        /* in endings: the quantity of the result */
    const lib_quantity *also;        /* in algorithms of any field: a second quantity */
    VEC(const lib_field *) stateful; /* fields whose elements have a state */
    const struct seeds *seeds;       /* what kernels may be about, by category (compose_seed.c) */
    lib_words words;
    char message[400]; /* why it could not be read */
} library;

/* Reads the library. NULL: memory ran out. It is broken, which is a bug, if message is not
 * empty. */
library *library_new(void);
/* Reads other files than those of src/compose/library/; a row without a name ends them. */
library *library_of(const library_file *files);
void library_free(library *l);

/* Finds the facts of all templates (compose_wish.c). */
void library_profile(library *l);
/* Finds what is asked of the library for each plan (compose_facts.c). Needs: library_profile. */
void library_see(library *l);
enum { LIB_SLOTS = 1 << 13 };
/* Where a quantity of the name is, or would be: a table of LIB_SLOTS places. */
lib_quantity **library_slot(const library *l, const sym *id);
void library_add_quantity(library *l, lib_quantity *q);
/* The option of a quantity that is on or off, such as uniform=True; NULL: there is none. */
bool *library_flag(lib_quantity *q, str name);
/* What "links" is in a field; false: it is no such word. */
bool library_thing(const lib_field *f, str word, str *out);
/* "element" */
const char *library_place_name(lib_place p);
/* Does this mean something for values of the quantity: their "total"? */
bool library_means(const lib_quantity *q, str word);

#endif
