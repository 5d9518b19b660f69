/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the composer: a plan says which computations a kernel has and where their values
 * come from (compose_plan.c); names are given to its arguments (compose_name.c); then it is written
 * (compose_write.c).
 *
 *     pattern  neighbors_of_rows   total += VALUE for the links of element i
 *     step 0   spring_force        VALUE: of positions[i] and [j], rest_lengths[k], stiffness[k]
 *     step 1   acceleration_of     of step 0, masses[i] and gravity
 *     step 2   step_velocity       of velocities[i], step 1 and dt; stored
 */
#ifndef WEFT_COMPOSE_COMPOSE_INTERNAL_H
#define WEFT_COMPOSE_COMPOSE_INTERNAL_H

#include "base/rng.h"
#include "compose/compose.h"
#include "compose/library.h"
#include "syntax/unparse.h"

enum {
    PLAN_STEPS = 8,
    PLAN_MAINS = 2,
    PLAN_FILTERS = 2,
    PLAN_ARGS = GEN_ARGS_MAX,
    NAMES_MAX = 160, /* taken by a kernel */
    NAMES_SPAN = 240,
    SUBST_MAX = 128,
    CHOICES_MAX = 96,
    HELD_MAX = 4,
    LETTERS_MAX = 8,  /* of shapes */
    EMITTED_MAX = 96, /* functions of all kernels of a script */
    SEEDS_SELDOM = 11,
    GRID_WORDS = 4 /* ways to name the sizes of a grid */
};

/* Which things an array has an element for. */
typedef enum plan_axis {
    AXIS_ELEMENT,
    AXIS_OTHER,
    AXIS_LINK,
    AXIS_GROUP,
    AXIS_FACE,  /* of a mesh */
    AXIS_WHOLE, /* a table, which has a size of its own */
    AXIS_NONE   /* no array */
} plan_axis;

/* What an argument is. */
typedef enum plan_role { ROLE_QUANTITY, ROLE_BINDING, ROLE_COUNT, ROLE_SEED } plan_role;

typedef struct plan_arg {
    plan_role role;
    plan_axis axis;
    const lib_quantity *of;   /* of a quantity */
    lib_binding binding;      /* of a binding */
    const sym *template_name; /* in the pattern or algorithm; NULL: they do not name it */
    const sym *hint;          /* the parameter of a formula that asked for it first */
    uint8_t dim;              /* of a count: which dimension of the launch */
    uint8_t nth;              /* of equal ones that a formula takes */
    const sym *adjective; /* "previous" velocity: of an ending; NULL: it is the quantity itself */
    bool written;
    const char *shape, *values; /* as the library states them; NULL: by the axis */
    const char *noun;           /* of this argument; NULL: as usual */
    str name;                   /* "params.damping" of a field */
    str field;                  /* "damping" if it is a field of the struct; else empty */
    str entry;                  /* "dt" of dt[0], a scalar in an array; else empty */
    str given;                  /* what another kernel of the script calls it; else empty */
    str member;                 /* "mass" of particles[i].mass; else empty */
    str constant; /* "0.4" of a constant of the module, which is no argument then; else empty */
} plan_arg;

typedef enum plan_from { FROM_ARG, FROM_STEP, FROM_STATE } plan_from;
/* What a kernel is about: a formula of a pattern, or an algorithm. */
typedef struct seed {
    const lib_pattern *pattern;
    const lib_formula *formula;
    const lib_algorithm *algorithm;
} kernel_seed;
typedef struct seeds seeds;
/* A seed and the features that its kernels have whatever is added, by how its formula stands there:
 * a step_choice. */
typedef struct seed_facts {
    kernel_seed seed;
    uint64_t features[3];
} seed_facts;

typedef struct plan_input {
    plan_from from;
    uint8_t at; /* the argument, or the step */
} plan_input;

/* An ending or a filter, with the arguments of its parameters. */
typedef struct plan_part {
    const lib_part *part;
    uint8_t args[LIB_PARAMS];
} plan_part;

/* How a formula that returns early stands in the kernel, if it is no function: with an `else`, or
 * as one expression. */
typedef enum step_choice { CHOICE_NONE, CHOICE_SPLIT, CHOICE_ONE } step_choice;

typedef struct plan_step {
    const lib_formula *f;
    plan_input in[LIB_PARAMS];
    uint8_t uses;  /* later steps that take its result */
    int8_t stored; /* the argument that gets the result; -1: none */
    bool function; /* written as a wp.func of its own */
    step_choice choice;
    bool looped;    /* its value comes from a loop that Warp does not unroll */
    uint8_t repeat; /* so often, each time with the result as the new input `again`; 0: once */
    uint8_t again;
    plan_part ending; /* what is done with the result; .part NULL: it is stored, if at all */
} plan_step;

/* What keeps a thread from working. */
typedef enum plan_guard { GUARD_NONE, GUARD_COUNT, GUARD_FLAGS } plan_guard;

typedef struct plan {
    const lib_pattern *pattern;     /* NULL: it is an */
    const lib_algorithm *algorithm; /* that has all statements */
    const lib_field *field;
    const lib_quantity *same, *also; /* what an algorithm of any field is about; else NULL */
    uint8_t nsteps, nargs;
    uint8_t main;       /* the step whose result is the pattern's `value` */
    uint8_t nmains;     /* and those behind it: `value` once more for each */
    bool one, by_value; /* of the pattern or the algorithm */
    bool careful;       /* nothing that Warp gets wrong uses what loops give */
    plan_part filters[PLAN_FILTERS];
    uint8_t nfilters;
    plan_guard guard;
    uint8_t guard_arg; /* of as many as the launch has dimensions, if it is a count */
    uint8_t dims;      /* of the launch, and of arrays of elements */
    lib_over over;
    uint8_t joint; /* this step and the one before are one function; 0: none are */
    str joint_name;
    uint8_t seed_arg; /* if it has random numbers */
    bool random;
    uint8_t plane; /* length of vec: 2 or 3 */
    str rows; /* "world": arrays of elements and others have a row for each; empty: they have not */
    str row;  /* "worldid": the local that says which */
    str params, params_type; /* the struct that has some scalars; empty: there is none */
    double least, most;      /* between them all of its fields lie */
    bool generic;            /* arguments of this type are Any: */
    lib_type generic_type;
    str records, record_type; /* an array of structs that has some quantities of the elements */
    double record_least, record_most; /* of its members; both 0: any numbers */
    plan_step steps[PLAN_STEPS];      /* nsteps and nargs of them; the others are never read */
    plan_arg args[PLAN_ARGS];
} plan;

/* A name of the library and what stands for it in the kernel. */
typedef struct subst {
    const sym *from;
    str text;
    unparse_prec prec;
} subst;

/* What the index of an element is called: i, tid, particle_id, particle_idx, particle_index,
 * particleid, particle. */
typedef enum index_form {
    INDEX_LETTER,
    INDEX_TID,
    INDEX_ID,
    INDEX_IDX,
    INDEX_INDEX,
    INDEX_JOINED,
    INDEX_WORD
} index_form;

/* How a kernel is spelled (compose_form.c). */
typedef struct kernel_form {
    bool full_floats, full_ints; /* wp.float32, not float; */
    bool full_scalars;           /* of scalars, too */
    bool suffixed;               /* wp.vec3f, not wp.vec3 */
    bool long_arrays;            /* positions: no array is called x */
    bool long_names;             /* velocity = velocities[i], not v */
    bool brief;                  /* vel, as many write velocity */
    bool nested;                 /* if mask[i]: and the rest below; not: if not mask[i]: return */
    bool nested_guard;           /* the same of a guard */
    bool direct;                 /* if c: y[i] = a, else: y[i] = b, with no local */
    uint8_t zero;                /* wp.vec3(), wp.vec3(0.0), wp.vec3(0.0, 0.0, 0.0) */
    index_form index;
    bool bool_flags;  /* of booleans */
    bool warp_bools;  /* wp.bool, not bool */
    bool says_not;    /* `not x`, not `x == 0` */
    bool flag_local;  /* the flag of a guard has a local, */
    bool test_local;  /* and what a filter tests */
    bool plain_sums;  /* x = x + y, not x += y */
    bool ternaries;   /* a if c else b, not wp.where(c, a, b) */
    bool plain_zeros; /* total = 0.0 where Warp allows that */
    bool zero_first;  /* a total begins before values are loaded */
    bool branches;    /* if c: x = a, else: x = b where just that is assigned */
    bool spaced;      /* empty lines between the parts of a kernel */
    bool constants;   /* the number of a loop's turns has a name */
    bool statics;     /* which stands in wp.static */
    str constant;     /* "NUM_SLOTS", once a loop has one; its value: */
    int64_t turns;
    uint8_t option;      /* of the decorator: which */
    uint8_t without;     /* of a decorator that leaves the gradient out: which */
    bool forward_only;   /* so does a kernel whose gradient nobody asks for, */
    bool forward_seldom; /* and one that draws numbers or asks objects */
} kernel_form;

struct composer {
    const library *l;
    mem *m;
    arena text;                            /* of one sample */
    uint8_t wished[SEEDS_SELDOM], nwished; /* what few seeds have, some do, and the wish names */
    rng r;
    gen_category category;           /* that is wanted */
    plan p, best;                    /* the one in work; the nearest to the wish so far */
    const struct profile_wish *wish; /* NULL: there is none */
    bool whole;                      /* it is a whole algorithm */
    bool moving;                     /* it is one of any field, if the category has some */
    uint8_t ease;                    /* how much less choosy than usual */
    strbuf body, functions, source, prompt;
    char letters_of_shapes[LETTERS_MAX]; /* sizes that the prompt speaks of */
    uint32_t nletters;
    str letters[PLAN_STEPS];   /* what the prompt calls the results of steps */
    bool comments, docstrings; /* does this kernel have some? */
    kernel_form form;
    bool options;          /* has its decorator some? */
    bool brackets;         /* are arrays spelled wp.array[float]? */
    bool naming;           /* arguments get their names */
    const plan_arg *named; /* this one does; NULL: it is not known */
    uint8_t out_form;      /* how all new values of a kernel are named */
    bool says_output;      /* so are results that have no old value */
    const char *local_end; /* of a local whose name is taken: "i" of an element */
    int indent;
    int base; /* where the kernel's own statements stand: 1, or 2 in the branch of a filter */
    str taken[NAMES_MAX];
    uint32_t grid_words;         /* which way */
    bool grid_index;             /* an index of the grid has another name than `i` */
    uint32_t usual;              /* how far from usual names are, of NAMES_SPAN */
    uint32_t ntaken, taken_from; /* those before belong to others */
    struct {                     /* elements that a statement has in locals */
        const node *at;
        str name;
    } held[HELD_MAX];
    uint32_t nheld;
    const lib_part *part; /* the filter whose test is written; or NULL */
    const node *returned; /* what the formula returns whose statements are written; or NULL */
    uint8_t unloaded[PLAN_ARGS]; /* stand elements of the array in place of locals? 0: not drawn */
    bool filtered;               /* filters are written */
    bool in_function;            /* a wp.func is written, not the kernel */
    bool gap; /* an empty line comes before the next statement of the kernel itself */
    subst substs[SUBST_MAX];
    uint32_t nsubsts, frame; /* the innermost frame begins at `frame` */
    struct {
        const node *at;
        uint8_t pick;
    } choices[CHOICES_MAX];
    uint32_t nchoices;
    const char *said[PLACES];   /* what sentences say for them: "[i]" */
    str index[PLACES];          /* "i", "i, j" where the pattern has come to a place */
    uint8_t now;                /* the main step that is being written */
    const lib_formula *inlined; /* its statements are being written; NULL: none's are */
    const sym *total;           /* the pattern's local that has one value for each main step; */
    subst totals[PLAN_MAINS];   /* these */
    subst made[PLAN_MAINS];     /* `value` of the main steps; `from` is NULL: not yet */
    subst ready[PLAN_MAINS][LIB_PARAMS]; /* inputs of the main steps; `from` is NULL: not yet */
    uint8_t like[PLAN_STEPS][3]; /* have the values of a step that are alike locals? 0: not drawn */
    str loaded[PLAN_ARGS];       /* locals with the element's own values, where the kernel begins */
    str values[PLAN_STEPS];      /* texts of results */
    unparse_prec precs[PLAN_STEPS];
    str thread_index;                        /* of wp.tid(), in an algorithm */
    str generic_of;                          /* "x.dtype", "type(x)" where types are generic */
    str state;                               /* the variable of random numbers, once it is there */
    const lib_formula *emitted[EMITTED_MAX]; /* functions */
    uint32_t nemitted, emitted_from;         /* those before belong to kernels before */
    /* Several kernels of one file: what is there stays, and this one is written behind it. */
    bool goes_on, numpy; /* numpy: the file imports it, too */
    uint32_t kept;       /* names of `taken` that belong to the file */
    str kernel;
    uint32_t kernel_lines;
};

/* --- compose_seed.c: what kernels are about --- */

/* Builds the tables of a library. */
const seeds *seeds_new(library *l);
/* Before the seeds of a kernel are drawn. */
void seeds_begin(composer *c, gen_category category);
/* Draws a pattern with a formula, or an algorithm, that may give kernels of the category. */
kernel_seed seeds_draw(composer *c, gen_category category);
/* A pattern for the formula; NULL: it has none. */
const lib_pattern *seeds_pattern(composer *c, const lib_formula *f);
/* May the formula be the value of the pattern? */
bool seeds_fit(const lib_pattern *pattern, const lib_formula *f);
bool plan_is_of_category(const plan *p, gen_category category);
/* The parameter of a formula that says where its element is; NULL: there is none. Where the others
 * are elements, it says so of both. */
const lib_param *formula_position(const lib_formula *f);
/* How far away others count for it; NULL: it does not say. */
const lib_param *formula_reach(const lib_formula *f);
int binding_corners(lib_binding b);

/* --- compose_plan.c, compose_part.c --- */

/* Copies what counts of a plan: plans are large, and most of their places are empty. */
void plan_copy(plan *to, const plan *from);
/* False: there is no room. */
bool plan_add_arg(plan *p, plan_arg a, uint8_t *out);
/* The argument of an input; it is added if there is none. */
bool plan_need_input(plan *p, const lib_param *param, plan_axis axis, uint8_t nth, uint8_t *out);
plan_axis plan_axis_of(const composer *c, lib_place place);
plan_axis plan_binding_axis(lib_binding b);
/* Are random numbers drawn from here on? False: there is no room for the seed. */
bool plan_need_state(plan *p);
/* Is it a kernel of the category that is wanted, and not one of it yet? */
bool plan_lacks(const composer *c, gen_category category);
/* Does the ending mean something for such results? */
/* Are they for the field's elements? `of` NULL: for all. */
bool words_name_element(const char *of, const lib_field *f);
bool part_is_for(const lib_part *part, const lib_quantity *q);
/* Has one of the endings that mean something for results of the quantity what the category asks
 * for: atomics, random numbers? */
bool part_may_give(const library *l, const lib_quantity *q, gen_category category);
/* Has a template a guard, so that elements may be left out? */
bool plan_uses_guard(const library *l, const node *const *body, uint32_t nbody);
/* May draw an ending for a result that goes to its element. */
bool plan_draw_ending(composer *c, plan_step *s, uint32_t stored);
/* May draw filters. */
bool plan_draw_filters(composer *c);

/* The last of the first n steps that gives the quantity per element, or -1. */
int plan_giver_of(const plan *p, const lib_quantity *q, uint8_t n);
/* Is the step's result stored at its element: not scattered by the pattern? */
bool plan_goes_to_element(const plan *p, uint8_t at);

/* compose_follow.c: of the formulas that go with what the plan has one, each as likely; NULL: there
 * is none. */

/* One that takes a result that nobody takes yet: to give another quantity, or a new value. */
const lib_formula *follow_next(composer *c);
/* One that gives something else of what the kernel has. */
const lib_formula *follow_side(composer *c);
/* One of the element alone that gives a quantity which `of` takes. */
const lib_formula *follow_before(composer *c, const lib_quantity *q, const lib_formula *of);
/* Another one for the same pattern. */
const lib_formula *follow_second(composer *c, const lib_formula *first);
/* Is it a new value of the quantity, made of the old one? */
bool follow_is_update(const lib_formula *f);

/* How many corners each element has by its index array; 0: it has no such. */
int plan_corners(const plan *p);
/* Is one of its arguments bound so? */
bool plan_has_binding(const plan *p, lib_binding b);
/* Works a block of threads on tiles together? */
bool plan_has_tiles(const plan *p);
/* The step that the kernel is for: the last of those that follow from the main one. */
const plan_step *plan_last(const plan *p);
/* "next" or "final" of a step whose quantity an earlier one gives; NULL: none does. */
const char *plan_turn(const plan *p, uint8_t at);
/* How many steps' results are stored. */
uint32_t plan_stores(const plan *p);
/* Draws a plan of the category, or about the target. False: none was found in some attempts. */
bool plan_draw(composer *c, const gen_request *q);
/* compose_wish.c: draws some plans, and takes the nearest to the request's wish. */
bool wish_draw(composer *c, const gen_request *q);
/* Does the wish name a profile_feature? */
bool wish_names(const composer *c, profile_feature feature);
/* The level of difficulty of the plan in work, whose kernel has so many lines. */
uint32_t wish_level(const composer *c, uint32_t lines);
/* Finds the features that all kernels about it have. */
void seed_see(seed_facts *s);
/* How far what a kernel is about is from the wish; 0 without one. */
uint32_t wish_of_seed(const composer *c, const seed_facts *s);
/* The wish as a text, for metadata.target; empty: there is none. */
str wish_text(composer *c, const gen_request *q);
/* Gives names to the arguments, the functions and the kernel. */
void name_all(composer *c);
/* Takes a name, which must be free: no keyword, and not taken. */
str name_take(composer *c, str name);
/* Is the name a word of the sentence, outside of braces? */
bool name_stands_in(str says, str name);
/* Does a sentence of the plan call something by this letter, or by these two? */
bool name_is_said(const composer *c, str name);
/* A free name from a list of words, or made of the last of them. */
str name_from(composer *c, const char *words);
/* "a_b" with "_" between. */
str name_joined(composer *c, str a, const char *between, str b);
/* The first of the words that is free, or the first one with an ending: "%s_i". */
str name_in_order(composer *c, const char *words, const char *form);
str name_first(const char *words);
/* Is the name the noun, and not what the library calls the quantity? */
bool name_is_noun(str name, str noun);
/* "vel" of "velocity", as many people write it, where the kernel's names are brief. */
str name_in_brief(composer *c, str word);
/* May it be taken: is it no keyword and not taken? */
bool name_is_free(const composer *c, str name);
/* "spring_force": the noun of a quantity if it is short and plain, else its name in the library. */
str name_said(composer *c, const lib_quantity *q);
/* Is the quantity of the elements an input? */
bool name_has_input(const plan *p, const lib_quantity *q);
/* The same, where the noun does not say "new" itself. */
bool name_renews(const plan *p, const lib_quantity *q);
/* The name that the library gives an argument, where another one is of its kind; NULL: none is. */
const char *name_own(const plan *p, const plan_arg *a);
/* compose_struct.c: some scalars become the fields of a struct; arrays of quantities, bounded ones
 * or those of any values, the members of an array of structs. */
void struct_of_scalars(composer *c);
void struct_of_elements(composer *c, bool bounded);
/* compose_title.c: the name of the kernel. */
str name_of_kernel(composer *c);
/* Says the formula's name what is done: clip_by_norm? */
bool title_is_act(const lib_formula *f);
/* compose_local.c: a local for what a parameter takes from its array; one for a result. */
str name_local(composer *c, const lib_param *p);
str name_result(composer *c, uint8_t step);
/* What an element adds to a sum, and the sum. */
str name_summand(composer *c);
str name_total(composer *c, const sym *from);
/* Words for the local that a template calls i, j or k: "particle_id i"; `thread`: it is the
 * thread's number. */
const char *name_index(composer *c, const sym *from, bool thread);
/* What an algorithm's `total` is called; NULL: it is no such local, or stays what it is. */
const char *name_sum(const composer *c, const sym *from);
/* Writes the program to c->source, and then the task in words to c->prompt. */
void write_program(composer *c);
void write_prompt(composer *c);
/* A sentence of the pattern or the algorithm, to the prompt. */
void prompt_put_says(composer *c, str says);
/* compose_prompt_args.c */
void prompt_put_arguments(composer *c);
/* "the stiffness of each spring, in N/m" */
void prompt_put_quantity(composer *c, const plan_arg *a);
/* "2*n+2" is room for the entries of rows, which the offsets tell: no part of the task. */
bool prompt_is_capacity(const char *shape);
/* Has an array of an algorithm, which states its shape, one value for each thread? */
bool prompt_is_of_each(const plan *p, const plan_arg *a);
/* Says of letters of the shapes, but those in `explained`, that they are sizes. */
void prompt_put_letters(composer *c, const char *explained);
/* compose_head.c: all up to the kernel's statements, to c->source; the docstring, before what
 * c->body has, with the names of the first `nsubsts` things alone: the arguments. */
void write_head(composer *c);
void write_docstring(composer *c, uint32_t nsubsts);
/* "masses: wp.array(dtype=float)" */
void write_parameter(composer *c, strbuf *b, const plan_arg *a);
/* "particles: wp.array(dtype=Particle)", at the place of the struct's first field or member */
void write_struct_parameter(composer *c, strbuf *b, const plan_arg *first);
/* Has it a place of its own in the list of arguments, or is it the first of a struct? */
bool plan_is_listed(const plan *p, const plan_arg *a);

/* --- compose_form.c: how it is written --- */

/* Before names are given: may let arrays have rows. Then: scalars become entries of arrays. */
void form_draw_rows(composer *c);
void form_draw_entries(composer *c);
void form_draw_spelling(composer *c);
/* The statements of the pattern. */
void form_write_pattern(composer *c);
/* The argument that an algorithm's array is; NULL: the name is another one. */
const plan_arg *form_array(const composer *c, const sym *name);
/* Is nothing of the algorithm's array used but single elements, in words as in code? Then it may
 * have rows, or be a member of structs. */
bool form_has_elements_alone(const plan *p, const plan_arg *a);
/* range(8) -> range(wp.static(NUM_STEPS)), where the loop counts steps; the text as it is if the
 * kernel has no such constants. */
str form_range(composer *c, str counter, int64_t turns, str text);

/* --- compose_constant.c: scalars that are constants of the module --- */

/* May make constants of scalar arguments, which have their names. */
void constant_draw(composer *c);
/* Their definitions. */
void constant_put_all(composer *c, strbuf *b);
/* Behind the list of the arguments. */
void constant_put_prompt(composer *c);

/* --- compose_inline.c: which locals there are --- */

/* May let a template's local go, for what it holds: m = masses[i]; f / m -> f / masses[i]. The
 * statement is v[at], and those behind it may use the local. */
bool form_inlines(composer *c, node *const *v, uint32_t n, uint32_t at);
/* May give elements that an algorithm reads but once locals of their own, in front of the statement
 * that has this value: w = weights[k]. They hold for that. */
void form_name_elements(composer *c, const node *value);
/* May give what a filter tests a local, in front of its branch. */
void form_name_tested(composer *c, const node *test);
/* The local of an element; empty: it has none. */
str form_named(const composer *c, const node *n);
/* range(offsets[i], offsets[i + 1]) -> range(start, end), with locals in front of the loop; the
 * text as it is if it has no such bounds. */
str form_bounds(composer *c, const node *range, str text);

/* --- compose_choice.c: formulas that return early, at their place --- */

/* Can it be written with an `else` for each early return? As one expression? */
bool choice_splits(const lib_formula *f);
bool choice_is_one(const lib_formula *f);
/* The features that it has so. */
uint64_t choice_features(const lib_formula *f, step_choice as);
/* How the wish would have it. */
step_choice choice_draw(composer *c, const lib_formula *f);
/* Writes it so that its result is in a new local of this name. */
void choice_write_split(composer *c, const lib_formula *f, str name);
/* May the filter keep the rest of the kernel in its branch, and not return? Writes the test. */
bool choice_nests(const lib_part *filter);
void choice_write_nested(composer *c, const lib_part *filter);
/* name = wp.where(test, a, b) as `if test: name = a` and `else: name = b` */
void choice_write_where(composer *c, str name, str test, const node_list *args);
/* The expression that it is. */
str choice_one(composer *c, const lib_formula *f, unparse_prec *prec);

/* --- compose_joint.c: two steps in one function --- */

/* May join two steps of the plan, if the wish has functions that return several values. */
void joint_draw(composer *c);
bool joint_is_first(const plan *p, uint8_t at);
/* Is what the pattern computes stored as it is, behind its statements: finish(value)? */
bool joint_ends_in_value(const composer *c);
bool joint_is_second(const plan *p, uint8_t at);
/* Names the function, where names are given. */
void joint_name(composer *c);
/* Writes the call of both steps, and the function. */
void joint_write(composer *c);
/* Behind the sentence of the second step. */
void joint_put_prompt(composer *c, uint8_t at);

/* --- compose_generic.c: kernels for several types --- */

/* May a type of the plan's arguments be generic: vectors of any length, numbers of any precision?
 * Which one? */
bool generic_type(const composer *c, const plan *p, lib_type *type);
/* Is it the type that the kernel leaves open? */
bool generic_is(const composer *c, lib_type t);
/* What gives the type in the kernel, and in a function: "x.dtype", "type(x)"; empty: nothing. */
str generic_of_kernel(composer *c);
str generic_of_function(composer *c, const lib_formula *f);
/* A number, or float(n), of the generic type; false: n is none. */
bool generic_put(composer *c, strbuf *out, const node *n);
/* Behind the kernel: its instance. To the prompt: what is generic. */
void generic_put_overload(composer *c);
void generic_put_prompt(composer *c);

/* --- compose_order.c --- */

/* Draws the order of the arguments, which have their names. */
void order_draw(composer *c);

/* --- compose.c --- */

/* Takes the stream of a request; nothing is written. */
void compose_begin(composer *c, const gen_request *q);
/* What a caller must pass for an argument, in the letters of the library (axis_shape). */
gen_arg compose_argument(composer *c, const plan_arg *a);
/* Fills name, launch and arguments of the kernel that was written last. */
void compose_describe(composer *c, gen_sample *sample);

/* --- compose_expr.c: templates to text --- */

/* What stands for a template's name here; NULL: the name is no template's. */
subst *expr_name(composer *c, const sym *from);
void expr_bind(composer *c, const sym *from, str text, unparse_prec prec);
/* The name in the kernel of a template's local, new or known. */
str expr_local(composer *c, const sym *from);
/* The index that a thread has, of an element or a link. */
str expr_thread(composer *c, const sym *from);
/* "wp.vec3" */
void expr_put_type(composer *c, strbuf *out, lib_type t);
/* The same of what is no array: "int" beside wp.array[wp.int32]. */
void expr_put_scalar_type(composer *c, strbuf *out, lib_type t);
void expr_put(composer *c, strbuf *out, const node *n, unparse_prec least);
/* The text of an expression, until the next sample. */
str expr_text(composer *c, const node *n);
/* "i, j" of a call's arguments, from the argument `from` on; of an index, which may be a tuple. */
str expr_arguments(composer *c, const node_list *args, uint32_t from);
str expr_index(composer *c, const node *n);
/* How strongly that text binds. */
unparse_prec expr_prec(composer *c, const node *n);
/* Which of n ways a template goes at a place: drawn once for a kernel. */
uint8_t expr_choose(composer *c, const node *at, uint32_t n);
/* Is it wp.where(c, a, b)? */
bool expr_is_where(const node *n);
/* The name of the function that n calls; NULL: it calls none. */
const sym *expr_called(const node *n);
/* How often the name stands in n, which may be NULL; and how often it is assigned there. */
uint32_t expr_uses(const node *n, const sym *name);
uint32_t expr_stores(const node *n, const sym *name);
/* A copy of what a buffer has from `from` on, until the next sample. */
str expr_keep(composer *c, const strbuf *b, size_t from);

/* --- compose_step.c --- */

/* A line `name = value`. */
void step_put_assign(composer *c, str name, str value);
/* Writes the statements of a step, and notes its value. */
void step_write(composer *c, uint8_t at);
/* Does the formula assign its parameter? */
bool step_assigns(const lib_formula *f, const sym *name);
/* "the contact force", "the share of one grain in the contact force". */
str step_said(composer *c, const lib_formula *f);
/* Gives the value of a step a local. */
void step_name(composer *c, uint8_t at);
/* "forces[i]": where its result is stored. */
str step_place(composer *c, uint8_t at);
/* Is the text a name or a number? */
bool step_is_plain(str text);
/* The variable of random numbers, which is there from now on; the element's index is known. */
str step_state(composer *c);
/* Makes the value of a parameter ready, in a local of its own if `load`. */
subst step_ready(composer *c, const plan_step *s, uint32_t i, bool load);
/* The formula as a function, once; its names are its own. */
void step_put_function(composer *c, const lib_formula *f);
/* What is put aside while the text of a function is written: names and the text are its own. */
typedef struct function_text {
    strbuf outer;
    str generic_of;
    uint32_t frame, nsubsts, ntaken, taken_from;
    int indent, base;
    bool in_function;
} function_text;
function_text step_begin_function(composer *c);
/* The text is then in c->functions, behind what was appended there meanwhile. */
void step_end_function(composer *c, const function_text *t);

/* --- compose_noun.c: what quantities are called --- */

/* "rest lengths of the springs" of "rest length of the springs"; plurals stay. `whole`: so do nouns
 * that are said of a whole array: "input image". */
str noun_plural(arena *a, str noun, bool whole);
/* Is it said of a whole array: "left matrix"? */
bool noun_is_whole(str noun);
/* Is it said of several things: "sorted keys", "lengths of the runs"? */
bool noun_is_plural(str noun);
/* "angle": the "joint angle" of each joint */
str noun_short(composer *c, str noun, str of);
/* " of each ", or " for each " where the noun has an "of" already */
const char *noun_of_each(str noun, str of);
/* "peak force" of "peak *" */
const char *noun_filled(composer *c, str pattern, str result);
/* What a step stores: its result, or what the ending makes of it. */
str noun_given(composer *c, const plan_step *s);

/* --- compose_says.c: the library's sentences --- */

/* What a word in braces stands for, if it is no word of the field: a parameter. */
typedef void says_name(void *arg, strbuf *out, str word);
void says_put(composer *c, strbuf *out, str says, says_name *put, void *arg);
/* The sentence of a step as a comment, with what stands for its parameters. */
void says_comment(composer *c, const plan_step *s, const subst *in);
/* The sentence of a formula whose parameters are bound in the frame, for says_docstring. */
str says_filled(composer *c, str says);
/* A sentence as a docstring, with the names of the frame. */
/* Gives products their sign: "`a` `b`" is "`a` * `b`". */
void says_put_signs(composer *c, strbuf *b, size_t from);
void says_docstring(composer *c, str says);
/* What stands between the noun and the sentence: "the pressure by Tait's equation". */
const char *says_colon(const lib_formula *f);
/* Says the sentence no more than the formula's one line? */
bool says_the_line(const lib_formula *f);
/* compose_prompt.c: a name in quotes, with the index if it is no "" */
void prompt_put_code(strbuf *out, str name, const char *index);
/* The sentence of a part, or of the pattern or algorithm if that is NULL, with a capital. `whole`:
 * arrays stand without an index. */
void prompt_put_capital(composer *c, const plan_part *part, str says, bool whole);
/* Speaks the algorithm's sentence of no `i`, so that "mask[i]" would not say which? */
bool prompt_has_no_index(const composer *c);
/* compose_prompt_threads.c */
void prompt_put_threads(composer *c);
/* compose_prompt.c: " that ", " that computes ", " in which ": how the sentence of an algorithm
 * follows its name. */
const char *prompt_opening(str says);
/* compose_prompt.c: "store the force minus targets in errors": the ending of a step in a docstring.
 * `noun`: it says so, and not "it". */
str prompt_ending(composer *c, const plan_step *s, bool noun);
/* The sentence of a filter, for docstrings. */
str prompt_filter(composer *c, const plan_part *part);

/* --- compose_write.c --- */

/* Statements of a template at the present indentation. */
void block_write(composer *c, node *const *v, uint32_t n);
void line_begin(composer *c);
/* Here a part of the kernel ends. */
void line_gap(composer *c);

/* A number below n; one of n things. */
static inline uint32_t below(composer *c, uint32_t n)
{
    return rng_below(&c->r, n);
}
static inline bool chance(composer *c, uint32_t percent)
{
    return rng_chance(&c->r, percent);
}
#endif
