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
    EMITTED_MAX = 96, /* functions of all kernels of a script */
    GRID_WORDS = 4    /* ways to name the sizes of a grid */
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
} plan_arg;

typedef enum plan_from { FROM_ARG, FROM_STEP, FROM_STATE } plan_from;
/* What a kernel is about: a formula of a pattern, or an algorithm. */
typedef struct seed {
    const lib_pattern *pattern;
    const lib_formula *formula;
    const lib_algorithm *algorithm;
} kernel_seed;
typedef struct seeds seeds;

typedef struct plan_input {
    plan_from from;
    uint8_t at; /* the argument, or the step */
} plan_input;

/* An ending or a filter, with the arguments of its parameters. */
typedef struct plan_part {
    const lib_part *part;
    uint8_t args[LIB_PARAMS];
} plan_part;

typedef struct plan_step {
    const lib_formula *f;
    plan_input in[LIB_PARAMS];
    uint8_t uses;   /* later steps that take its result */
    int8_t stored;  /* the argument that gets the result; -1: none */
    bool function;  /* written as a wp.func of its own */
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
    plan_step steps[PLAN_STEPS];
    plan_arg args[PLAN_ARGS];
    uint8_t nsteps, nargs;
    uint8_t main;   /* the step whose result is the pattern's `value` */
    uint8_t nmains; /* and those behind it: `value` once more for each */
    bool careful;   /* nothing that Warp gets wrong uses what loops give */
    plan_part filters[PLAN_FILTERS];
    uint8_t nfilters;
    plan_guard guard;
    uint8_t guard_arg; /* of as many as the launch has dimensions, if it is a count */
    uint8_t dims;      /* of the launch, and of arrays of elements */
    lib_over over;
    uint8_t seed_arg; /* if it has random numbers */
    bool random;
    uint8_t plane; /* length of vec: 2 or 3 */
    str rows; /* "world": arrays of elements and others have a row for each; empty: they have not */
    str params, params_type;  /* the struct that has some scalars; empty: there is none */
    double least, most;       /* between them all of its fields lie */
    str records, record_type; /* an array of structs that has some quantities of the elements */
    double record_least, record_most; /* of its members; both 0: any numbers */
} plan;

/* A name of the library and what stands for it in the kernel. */
typedef struct subst {
    const sym *from;
    str text;
    unparse_prec prec;
} subst;

/* How a kernel is spelled (compose_form.c). */
typedef struct kernel_form {
    bool full_types; /* wp.float32, not float */
    bool bool_flags; /* of booleans */
    bool says_not;   /* `not x`, not `x == 0` */
    bool plain_sums; /* x = x + y, not x += y */
    bool ternaries;  /* a if c else b, not wp.where(c, a, b) */
    bool constants;  /* the number of a loop's turns has a name */
    bool statics;    /* which stands in wp.static */
    str constant;    /* "NUM_SLOTS", once a loop has one; its value: */
    int64_t turns;
    uint8_t option; /* of the decorator: which */
} kernel_form;

struct composer {
    const library *l;
    mem *m;
    arena text;   /* of one sample */
    seeds *seeds; /* what kernels are about, by category */
    rng r;
    plan p, best;                    /* the one in work; the nearest to the wish so far */
    const struct profile_wish *wish; /* NULL: there is none */
    uint8_t ease;                    /* how much less choosy than usual */
    strbuf body, functions, source, prompt;
    str letters[PLAN_STEPS];   /* what the prompt calls the results of steps */
    bool comments, docstrings; /* does this kernel have some? */
    kernel_form form;
    bool options;  /* has its decorator some? */
    bool brackets; /* are arrays spelled wp.array[float]? */
    bool naming;   /* arguments get their names */
    int indent;
    str taken[NAMES_MAX];
    uint32_t grid_words;         /* which way */
    uint32_t usual;              /* how far from usual names are, of NAMES_SPAN */
    uint32_t ntaken, taken_from; /* those before belong to others */
    subst substs[SUBST_MAX];
    uint32_t nsubsts, frame; /* the innermost frame begins at `frame` */
    struct {
        const node *at;
        uint8_t pick;
    } choices[CHOICES_MAX];
    uint32_t nchoices;
    const char *said[PLACES]; /* what sentences say for them: "[i]" */
    str index[PLACES];        /* "i", "i, j" where the pattern has come to a place */
    uint8_t now;              /* the main step that is being written */
    const sym *total;         /* the pattern's local that has one value for each main step; */
    subst totals[PLAN_MAINS]; /* these */
    subst made[PLAN_MAINS];   /* `value` of the main steps; `from` is NULL: not yet */
    subst ready[PLAN_MAINS][LIB_PARAMS]; /* inputs of the main steps; `from` is NULL: not yet */
    str loaded[PLAN_ARGS];  /* locals with the element's own values, where the kernel begins */
    str values[PLAN_STEPS]; /* texts of results */
    unparse_prec precs[PLAN_STEPS];
    str thread_index;                        /* of wp.tid(), in an algorithm */
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
seeds *seeds_new(mem *m, const library *l);
/* Draws a pattern with a formula, or an algorithm, that may give kernels of the category. */
kernel_seed seeds_draw(composer *c, gen_category category);
/* A pattern for the formula; NULL: it has none. */
const lib_pattern *seeds_pattern(composer *c, const lib_formula *f);
/* May the formula be the value of the pattern? */
bool seeds_fit(const lib_pattern *pattern, const lib_formula *f);
bool plan_is_of_category(const plan *p, gen_category category);
bool pattern_wants_position(const lib_pattern *pattern);
/* The parameter of a formula that says where its element is; NULL: there is none. Where the others
 * are elements, it says so of both. */
const lib_param *formula_position(const lib_formula *f);
bool formula_is_random(const library *l, const lib_formula *f);
int binding_corners(lib_binding b);

/* --- compose_plan.c, compose_part.c --- */

/* False: there is no room. */
bool plan_add_arg(plan *p, plan_arg a, uint8_t *out);
/* The argument of an input; it is added if there is none. */
bool plan_need_input(plan *p, const lib_param *param, plan_axis axis, uint8_t nth, uint8_t *out);
plan_axis plan_axis_of(const composer *c, lib_place place);
plan_axis plan_binding_axis(lib_binding b);
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
/* The step that the kernel is for: the last of those that follow from the main one. */
const plan_step *plan_last(const plan *p);
/* How many steps' results are stored. */
uint32_t plan_stores(const plan *p);
/* Draws a plan of the category, or about the target. False: none was found in some attempts. */
bool plan_draw(composer *c, const gen_request *q);
/* compose_wish.c: draws some plans, and takes the nearest to the request's wish. */
bool wish_draw(composer *c, const gen_request *q);
/* The level of difficulty of the plan in work, whose kernel has so many lines. */
uint32_t wish_level(const composer *c, uint32_t lines);
/* How far what a kernel is about is from the wish; 0 without one. */
uint32_t wish_of_seed(const composer *c, const kernel_seed *s);
/* The wish as a text, for metadata.target; empty: there is none. */
str wish_text(composer *c, const gen_request *q);
/* Gives names to the arguments, the functions and the kernel. */
void name_all(composer *c);
/* Takes a name, which must be free: no keyword, and not taken. */
str name_take(composer *c, str name);
/* Does a sentence of the plan call something by this letter, or by these two? */
bool name_is_said(const composer *c, str name);
/* A free name from a list of words, or made of the last of them. */
str name_from(composer *c, const char *words);
/* "a_b" with "_" between. */
str name_joined(composer *c, str a, const char *between, str b);
/* May it be taken: is it no keyword and not taken? */
bool name_is_free(const composer *c, str name);
/* "spring_force": the noun of a quantity if it is short and plain, else its name in the library. */
str name_said(composer *c, const lib_quantity *q);
/* Is the quantity of the elements an input? */
bool name_has_input(const plan *p, const lib_quantity *q);
/* compose_title.c: the name of the kernel. */
str name_of_kernel(composer *c);
/* A local for what a parameter takes from its array; one for a result. */
str name_local(composer *c, const lib_param *p);
str name_result(composer *c, const lib_quantity *q);
/* Writes the program to c->source, and then the task in words to c->prompt. */
void write_program(composer *c);
void write_prompt(composer *c);
/* A sentence of the pattern or the algorithm, to the prompt. */
void prompt_put_says(composer *c, str says);
/* compose_prompt_args.c */
void prompt_put_arguments(composer *c);
/* "2*n+2" is room for the entries of rows, which the offsets tell: no part of the task. */
bool prompt_is_capacity(const char *shape);
/* Has an array of an algorithm, which states its shape, one value for each thread? */
bool prompt_is_of_each(const plan *p, const plan_arg *a);
/* compose_head.c: all up to the kernel's statements, to c->source; the docstring, to c->body. */
void write_head(composer *c);
void write_docstring(composer *c);
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
/* The argument that an algorithm's array is; NULL: the name is another one. */
const plan_arg *form_array(const composer *c, const sym *name);
/* Is nothing of the algorithm's array used but single elements, in words as in code? Then it may
 * have rows, or be a member of structs. */
bool form_has_elements_alone(const plan *p, const plan_arg *a);
/* May let an algorithm's local go, for what it loads: m = masses[i]; f / m -> f / masses[i]. The
 * statement is v[at], and those behind it may use the local. */
bool form_inlines(composer *c, node *const *v, uint32_t n, uint32_t at);
/* range(8) -> range(wp.static(NUM_STEPS)), where the loop counts steps; the text as it is if the
 * kernel has no such constants. */
str form_range(composer *c, str counter, int64_t turns, str text);

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
/* "wp.vec3" */
void expr_put_type(composer *c, strbuf *out, lib_type t);
void expr_put(composer *c, strbuf *out, const node *n, unparse_prec least);
/* The text of an expression, until the next sample. */
str expr_text(composer *c, const node *n);
/* How strongly that text binds. */
unparse_prec expr_prec(composer *c, const node *n);
/* Which of n ways a template goes at a place: drawn once for a kernel. */
uint8_t expr_choose(composer *c, const node *at, uint32_t n);
/* The name of the function that n calls; NULL: it calls none. */
const sym *expr_called(const node *n);
/* How often the name stands in n, which may be NULL; and how often it is assigned there. */
uint32_t expr_uses(const node *n, const sym *name);
uint32_t expr_stores(const node *n, const sym *name);
/* A copy of what a buffer has from `from` on, until the next sample. */
str expr_keep(composer *c, const strbuf *b, size_t from);

/* --- compose_step.c --- */

/* Writes the statements of a step, and notes its value. */
void step_write(composer *c, uint8_t at);
/* Does the formula assign its parameter? */
bool step_assigns(const lib_formula *f, const sym *name);
/* Gives the value of a step a local. */
void step_name(composer *c, uint8_t at);
/* Is the text a name or a number? */
bool step_is_plain(str text);
/* Makes the value of a parameter ready, in a local of its own if `load`. */
subst step_ready(composer *c, const plan_step *s, uint32_t i, bool load);
/* The formula as a function, once; its names are its own. */
void step_put_function(composer *c, const lib_formula *f);

/* --- compose_says.c: the library's sentences --- */

/* What a word in braces stands for, if it is no word of the field: a parameter. */
typedef void says_name(void *arg, strbuf *out, str word);
void says_put(composer *c, strbuf *out, str says, says_name *put, void *arg);
/* The sentence of a step as a comment, with what stands for its parameters. */
void says_comment(composer *c, const plan_step *s, const subst *in);
/* A sentence as a docstring, with the names of the frame. */
void says_docstring(composer *c, str says);

/* --- compose_write.c --- */

/* Statements of a template at the present indentation. */
void block_write(composer *c, node *const *v, uint32_t n);
void line_begin(composer *c);

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
