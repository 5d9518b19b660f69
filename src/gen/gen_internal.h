/* Inside the generator. It writes text from left to right with no tree between; what it knows of
 * an expression is its type and its bound.
 *
 * How promises are kept: every expression is asked for with a `want` (type, greatest magnitude,
 * lowest value) and answers with the `bound` that it has; functions with a domain ask their
 * arguments for it; a variable remembers its bound; a variable that a loop changes has a fixed
 * magnitude, and each update is small enough for the number of turns. Array dimensions are
 * symbols, and an index is a variable that ranges over the symbol, or is made to fit by a guard,
 * a clamp or a remainder. Threads write to their own element or atomically; an array that is
 * written is never read elsewhere.
 *
 * Bytes must not depend on the compiler: no two calls that draw random numbers stand among the
 * arguments of one call or the operands of one operator, since C leaves their order open. */
#ifndef WEFT_GEN_GEN_INTERNAL_H
#define WEFT_GEN_GEN_INTERNAL_H

#include "base/rng.h"
#include "gen/gen.h"
#include "gen/gen_value.h"

enum {
    MAG_ANY = 60,      /* asked for where nothing limits a float */
    MAG_INPUT = 2,     /* floats that a caller passes: |x| <= 4 */
    MAG_INT_INPUT = 6, /* integers that a caller passes */
    LOG_DIM = 8,       /* dimensions are at most 2^8 */
    NO_DIM = 255,
    NO_DECIDER = 255
};

/* Python's precedences, weakest first; an expression that binds weaker than asked gets brackets. */
enum {
    PREC_TERNARY,
    PREC_OR,
    PREC_AND,
    PREC_NOT,
    PREC_COMPARE,
    PREC_BIT_OR,
    PREC_BIT_XOR,
    PREC_BIT_AND,
    PREC_SHIFT,
    PREC_SUM,
    PREC_PRODUCT,
    PREC_UNARY,
    PREC_POWER,
    PREC_ATOM
};

enum {
    V_MUTABLE = 1, /* may be assigned again */
    V_FIXED = 2,   /* known at compile time */
    V_GLOBAL = 4,  /* outlives the block where it was first used: arguments */
    V_INDEX = 8,   /* thread or loop index */
    V_HIDDEN = 16, /* not to be picked as a leaf */
    V_LOCAL = 32,  /* a local variable: it is a pity if nothing uses it */
    V_START = 64,  /* holds the literal that it began with, outside of its loops */
    V_SHARED = 128 /* the same in all threads */
};

/* Something with a name: a variable, but also "x[i]", "params.dt", "float(flags[i])". */
typedef struct gvar {
    const char *s;
    gtype t;
    int8_t mag;
    uint8_t n, low, flags, uses;
    uint8_t dim;  /* the dimension whose indexes it ranges over, or NO_DIM */
    uint8_t loop; /* depth of loops where it was made */
    uint8_t arg;  /* arrays' elements: index of the argument + 1 */
} gvar;

/* Builtins by name, so that a sample knows which it uses. */
typedef enum gen_fn {
#define FN(name, class)                                          FN_##name,
#define FN1(name, class, in_mag, in_low, rule, out_mag, out_low) FN_##name,
#include "gen/gen_fn.def"
#undef FN
#undef FN1
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

/* A production is a thing with a type: a bit in a sample's cover. */
enum {
    TYPE_COUNT = SHAPE_COUNT * GS_COUNT,
    TYPE_WORDS = (TYPE_COUNT + 63) / 64,
    COVER_WORDS = GEN_PRODUCTIONS_MAX / 64
};
typedef struct gcover {
    uint64_t bits[COVER_WORDS];
} gcover;

typedef enum dim_kind { DIM_LAUNCH, DIM_FREE, DIM_FIXED } dim_kind;

typedef struct gdim {
    uint8_t kind;
    uint8_t size;        /* DIM_FIXED */
    char letter;         /* in shapes */
    str text;            /* how the source says it: "n", "x.shape[1]"; empty: no way yet */
    uint8_t owner, axis; /* an array that has it (argument + 1; 0: none), and where */
} gdim;

typedef enum arg_mode {
    ARG_SCALAR,
    ARG_DIM, /* an integer that is a dimension */
    ARG_STRUCT,
    ARG_IN,         /* read everywhere */
    ARG_OWN,        /* each thread reads and writes its own element */
    ARG_ATOMIC,     /* atomics only */
    ARG_STRUCTS_IN, /* arrays of structs, read */
    ARG_STRUCTS_OUT /* and written: each thread its own element */
} arg_mode;

enum { RANK_MAX = 4 };

typedef struct garg {
    str name;
    gtype t; /* element type of arrays */
    uint8_t mode, rank, dim[RANK_MAX];
    uint8_t op; /* ARG_ATOMIC: which atomic; one per array, so that the order of threads is free;
                   ATOMIC_OPS: exchanges. Arrays of structs: which record */
    int8_t mag;
} garg;

static inline bool is_record_array(const garg *a)
{
    return a->mode == ARG_STRUCTS_IN || a->mode == ARG_STRUCTS_OUT;
}

enum { FIELDS_MAX = 5, RECORDS_MAX = 3, RESULTS_MAX = 3 };

typedef struct gfield {
    str name;
    gtype t;
} gfield;

/* A struct that is a value: what can be passed to helpers, and, if it is `plain`, built and kept in
 * arrays. */
typedef struct grecord {
    str type, owner;           /* "Particle"; "params" where it is an argument */
    const char *many, *one;    /* names for arrays and values of it */
    uint32_t begin, end;       /* its text in g->head; none where struct_new wrote it */
    gfield fields[FIELDS_MAX]; /* those that are values */
    uint8_t nfields;
    bool plain;
} grecord;

/* A helper function that the kernel may call. */
typedef struct ghelper {
    str name;
    uint32_t begin, end; /* its text in g->head */
    gtype result, params[4];
    bound gives;
    int8_t takes[4];
    uint8_t nparams, uses;
    bool has_default;        /* the last parameter may be left out */
    uint8_t results;         /* how many values it returns; all are `result`, within `gives` */
    uint8_t takes_record;    /* before its other parameters it has a struct: its record + 1 */
    uint8_t makes_record;    /* returns a struct: its record + 1 */
    bool generic;            /* parameters are of any type */
    uint8_t calls;           /* the helpers that it calls, a bit each */
    uint64_t used[FN_WORDS]; /* builtins, as in gen */
    gcover cover;            /* productions, as in gen */
} ghelper;

/* Operators of float expressions; rows of gen_weights.def. */
typedef enum float_op {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_SCALE,
    OP_DIV,
    OP_NEG,
    OP_CALL,
    OP_CALL2,
    OP_CLAMP,
    OP_CHOOSE,
    OP_POWER,
    OP_CAST,
    OP_REDUCE,
    OP_HELPER,
    FLOAT_OP_COUNT
} float_op;

/* Taken from g->arms by a loop, so that branches around it do not count inside. */
enum { ARMS_OUTSIDE = -16 };
enum { OP_SLOTS = 64, VARS_MAX = 128, DIMS_MAX = 12, NAMES_MAX = 224, POOL_MAX = 12288 };
enum { BREAKS_MAX = 96 };
enum { HELPERS_MAX = 5, CONSTS_MAX = 3, INDENT_MAX = 12, ALIASES_MAX = 24, PENDING_MAX = 3 };

/* A module constant, or a function of constants: its lines in g->head. */
typedef struct gconst {
    str name;
    uint32_t begin, end;
    gtype t;
    bool function; /* one that wp.static calls, and always in use */
} gconst;

/* A name of the file for a vector or matrix type. */
typedef struct galias {
    gtype t;
    str name;
} galias;

/* An array in a struct, whose elements can be used once there are threads. */
typedef struct gpending {
    str path;
    gtype t;
} gpending;

/* How one person writes. */
typedef struct gstyle {
    uint8_t naming;       /* gen_names.c */
    uint8_t array_syntax; /* gen_type.c */
    bool long_scalars;    /* wp.float32, not float */
    bool suffix_f;        /* wp.vec3f, not wp.vec3 */
    bool inline_loads;    /* x[i] in expressions, not loaded first */
    bool outputs_first;
    bool swizzle_names; /* v.x, not v[0] */
    bool ternary;       /* a if c else b, not wp.where */
    uint8_t comments;   /* percent of statements with a comment */
    uint8_t guard;      /* gen_kernel.c */
} gstyle;

/* Groups of builtins, gen_call.def. */
typedef enum call_group {
    CALL_ARITH,
    CALL_MATH,
    CALL_BITS,
    CALL_VECTOR,
    CALL_MATRIX,
    CALL_ROTATION,
    CALL_TRANSFORM,
    CALL_ARRAY
} call_group;

/* Rows by the kind of their result; composites in gen_kind's order. */
typedef enum call_class {
    CALL_CLASS_FLOAT,
    CALL_CLASS_VEC,
    CALL_CLASS_MAT,
    CALL_CLASS_QUAT,
    CALL_CLASS_XFORM,
    CALL_CLASS_INT,
    CALL_CLASS_BOOL,
    CALL_CLASS_ANY,
    CALL_CLASS_COUNT
} call_class;

enum { CALL_SLOTS = 1024 };

/* Each row as often as its weight says. */
typedef struct call_slots {
    uint32_t n;
    uint8_t rows[CALL_SLOTS];
} call_slots;

typedef struct call_table {
    call_slots classes[CALL_CLASS_COUNT];
} call_table;

struct gen {
    rng r;
    mem *m;
    call_table *calls;
    strbuf *out; /* where text goes now: body, or head while a helper is written */
    strbuf head, body, text, aliases;
    gen_category category;
    gstyle style;
    gtype s;  /* the kernel's float (or, in integer kernels, integer) type */
    gtype in; /* its integer type: int32 */
    int indent, loops;
    int arms;      /* branches around in the innermost loop; less than 1: none */
    int unrolled;  /* how often the innermost body is written out */
    int log_turns; /* of the loops around: log2 of how often the innermost body runs at most */
    bool in_helper;
    bool consume; /* use unused variables first */
    bool uneven;  /* no vector of one number: its direction is known, and has no derivative */
    uint8_t ndim; /* launch dimensions */
    const gen_level *level;
    int lines, aim; /* of the kernel: what it is to have, and what the body is to keep to */
    uint32_t counted, body_lines;         /* of the body up to byte `counted` */
    uint32_t nbreaks, breaks[BREAKS_MAX]; /* where in the body a blank line may stand */
    const struct idiom *idiom;            /* what the kernel is for; NULL: nothing told */
    const char *hint;                     /* "a/b/c": the next name is one of these; or NULL */
    uint8_t reserve;                      /* lines that the end of the body needs */
    uint8_t thrift;                       /* 0: a large sample, 3: a small one */
    uint8_t inputs;                       /* input arrays wanted */
    uint8_t scalars;                      /* scalar arguments wanted */
    uint8_t goal;                         /* the argument where results go */
    uint8_t vec_rows; /* length of the kernel's vectors, and size of its matrices */
    uint8_t last_leaf;
    uint8_t decider; /* the variable that the last condition compared */
    uint32_t statements, branches, max_loops;
    uint32_t nvars, scope_base, nargs, ndims, nnames, nhelpers, npool, nconsts;
    gvar vars[VARS_MAX];
    garg args[GEN_ARGS_MAX];
    gdim dims[DIMS_MAX];
    str names[NAMES_MAX];
    ghelper helpers[HELPERS_MAX];
    gconst consts[CONSTS_MAX];
    galias alias[ALIASES_MAX];
    uint32_t naliases;
    gpending pending[PENDING_MAX];
    uint32_t npending;
    grecord records[RECORDS_MAX];
    uint32_t nrecords;
    uint32_t callees;                  /* of the helper that is written: see ghelper */
    uint32_t struct_begin, struct_end; /* in g->head */
    uint64_t used[FN_WORDS];           /* builtins, a bit each: rows of gen_fn.def */
    gcover cover;                      /* productions of this sample */
    bool unlisted;                     /* it wrote something that no table names */
    char pool[POOL_MAX];
    uint8_t ops[GEN_CATEGORY_COUNT][OP_SLOTS];
    uint16_t first[THING_COUNT + 1];      /* production of each thing's first type */
    uint64_t of[THING_COUNT][TYPE_WORDS]; /* the types of each thing */
    uint16_t things[GEN_PRODUCTIONS_MAX]; /* of each production: its thing ... */
    uint16_t types[GEN_PRODUCTIONS_MAX];  /* ... and its type's number; TYPE_COUNT: none */
    uint32_t wanted;                      /* the production asked for, plus one; 0: none */
    int target;                           /* its thing, or -1 */
    gtype target_type;
    bool typed; /* it has a type */
    bool aimed; /* the sample has done something for its target */
};

/* --- writing ------------------------------------------------------------------------------ */

#define W(g, lit) sb_put((g)->out, "" lit, sizeof(lit) - 1)

static inline void put(gen *g, str s)
{
    sb_put(g->out, s.p, s.n);
}

static inline uint32_t below(gen *g, uint32_t n)
{
    return rng_below(&g->r, n);
}

static inline bool chance(gen *g, uint32_t percent)
{
    return rng_chance(&g->r, percent);
}

/* --- gen_size.c --------------------------------------------------------------------------- */
/* Lines that may still be written before the end of the body. */
int room(gen *g);
/* Statements until there is little room left, of kinds that the category may have. */
void fill(gen *g, bool branches, bool loops);
void fill_some(gen *g, int lines, bool branches, bool loops);
/* Here a blank line may stand. */
void may_break(gen *g);
/* The lines of a signature in the form that fits best. */
int signature_lines(const gen *g);
/* Blank lines put in, or a signature on several lines: true if the kernel has its size now. */
bool size_settle(gen *g, int lines, bool *wrapped);

/* --- gen_form.c --------------------------------------------------------------------------- */
/* A statement of a rarer form, in at most so many lines; false: none was written. */
bool stmt_form(gen *g, int space);
/* The form that the target is, if it is one and the kernel's type allows it. */
void form_asked(gen *g);
/* The same, of forms that need types or functions of their own before the kernel. */
bool stmt_form_of_own(gen *g, int space);
/* A name for a constant number of turns, inside of range(...). */
bool range_named(gen *g, uint32_t size);

/* --- gen_piece.c -------------------------------------------------------------------------- */
/* The same, of vectors' slices, matrices' columns, transforms' parts; or a line that prints. */
bool stmt_piece(gen *g, int space);
void piece_asked(gen *g); /* as form_asked */

/* --- gen_part.c --------------------------------------------------------------------------- */
/* v[0:2] = ..., m[1] = ..., where a local variable allows it. */
bool part_store(gen *g);
gtype part_store_of(gen *g, gtype t); /* to a new variable of this type; gives t */
void part_output(gen *g, gtype t);    /* a new output, stored to by components */

/* --- gen_build.c -------------------------------------------------------------------------- */
bound vec_called(gen *g, want w); /* wp.vector(...) */
bound mat_called(gen *g, want w); /* wp.matrix(...) */
gtype stmt_copy(gen *g, gtype t);
gtype stmt_known(gen *g, gtype t); /* a sum with a constant vector or wp.static */
gvar *constant_vec_new(gen *g, gtype t);
bool put_static(gen *g, want w, bound *b); /* wp.static(...); false: not here */

/* --- gen_idiom.c -------------------------------------------------------------------------- */
/* Chooses what the kernel is for, or nothing. Before its name. */
void idiom_choose(gen *g);
/* The body of a kernel with a purpose. */
void idiom_body(gen *g);
str idiom_kernel_name(gen *g);
const char *idiom_doc(const gen *g);

/* --- gen_garnish.c ------------------------------------------------------------------------ */
/* The text from `at` on is an amount of this type: something is put around it. */
void garnish(gen *g, size_t at, gtype t);

/* In [lo, hi]; small samples, which most are, tend to lo. */
static inline int some(gen *g, int lo, int hi)
{
    uint32_t n = (uint32_t)(hi - lo + 1), x = below(g, n);
    for (int i = 0; i < g->thrift && x; i++)
        x = below(g, x + 1);
    return lo + (int)x;
}

/* An extra: rarer in small samples. */
static inline bool extra(gen *g, uint32_t percent)
{
    static const uint8_t share[4] = {100, 60, 30, 15};
    return below(g, 10000) < percent * share[g->thrift] && (g->in_helper || room(g) > 1);
}

/* The part of a budget that the left of two operands gets. */
static inline int budget_split(gen *g, int budget)
{
    return budget <= 2 ? 1 : 1 + (int)below(g, (uint32_t)budget - 1);
}

static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* Writes '(' where an operator of precedence `own` stands in a place that asks for `prec`. */
static inline bool open_bracket(gen *g, int own, int prec)
{
    if (own < prec)
        W(g, "(");
    return own < prec;
}

static inline void close_bracket(gen *g, bool opened)
{
    if (opened)
        W(g, ")");
}

static inline bound bound_of(int mag, gen_low low)
{
    return (bound){(int8_t)(mag > 120 ? 120 : mag), (uint8_t)low, false};
}

static inline want want_of(gtype t, int mag)
{
    return (want){t, (int8_t)mag, LOW_NONE, false};
}

static inline want varying(want w)
{
    w.varies = true;
    return w;
}

static inline want at_least(want w, gen_low low)
{
    w.low = (uint8_t)low;
    return w;
}

/* --- gen_type.c --------------------------------------------------------------------------- */
void put_type(gen *g, gtype t);     /* as an annotation or a dtype */
void declare_type(gen *g, gtype t); /* gives it its name, if it needs one of the file's */
void put_cast(gen *g, gtype t);     /* "float(" and the like, up to the bracket */
void put_array_type(gen *g, gtype t, int rank);
void put_record_array_type(gen *g, const grecord *record, int rank);
void put_type_name(strbuf *b, gtype t);  /* "vec3f": Warp's own name */
void put_fn(gen *g, gen_fn fn, gtype t); /* "wp.NAME(", called with t (gen_fn.def says how) */
void put_prefix(gen *g, gen_fn fn);      /* the same, for builtins without a type */
int mag_limit(gtype t);                  /* greatest magnitude asked of the type */
int mag_state(gtype t);                  /* magnitude of variables that loops change */
gtype scalar_of(gtype t);

/* --- gen_cover.c -------------------------------------------------------------------------- */
void cover_start(gen *g); /* numbers the productions */
/* The sample has this thing: call it where the thing is written. */
void cover_type(gen *g, gen_thing thing, gtype t);
void cover(gen *g, gen_thing thing); /* of class ONE */
void cover_all(gen *g, const gcover *c);
gtype type_at(uint32_t number);               /* the type of this number, below TYPE_COUNT */
void target_set(gen *g, uint32_t production); /* plus one; 0: no target */
bool target_met(const gen *g, uint32_t production);
str target_text(gen *g, uint32_t production);           /* in the pool */
bool is_target(const gen *g, gen_thing thing, gtype t); /* is this asked for? */
/* Do the tables say that the thing is written with this type? */
bool takes(gen_thing thing, gtype t);

/* As long as so many attempts have not been thrown away, a sample is kept only with its target:
 * where one attempt in four may be kept, one target in 10^4 is missed. A plan asks more than one
 * sample for what is rare. */
enum { STEERED_ATTEMPTS = 32 };

/* --- gen_target.c ------------------------------------------------------------------------- */
/* Once in a kernel, before a statement: writes what is asked for, if this is the place. */
void target_write(gen *g);
/* What must stand around it: where a plan may ask for it. */
typedef enum target_kind {
    TARGET_VALUE,  /* a definition, anywhere */
    TARGET_CHANGE, /* some statements, anywhere */
    TARGET_ATOMIC,
    TARGET_RANDOM,
    TARGET_CONDITION,
    TARGET_NUMBER,   /* the kernel's own type, which not all categories let be an integer */
    TARGET_ELSEWHERE /* where a pilot saw it, or its like */
} target_kind;
target_kind target_kind_of(const gen *g, uint32_t production);
/* The kernel's type: the one drawn, or the one that the target needs. */
bool asks_for(const gen *g, gen_thing thing);
/* The thing that is asked for with this type and not written yet; or -1. */
int asked_here(const gen *g, gtype t);
gen_scalar target_scalar(const gen *g, gen_scalar drawn, bool integers);

/* --- gen_names.c -------------------------------------------------------------------------- */
typedef enum name_role {
    NAME_SCALAR_ARRAY,
    NAME_VEC_ARRAY,
    NAME_MAT_ARRAY,
    NAME_QUAT_ARRAY,
    NAME_XFORM_ARRAY,
    NAME_INT_ARRAY,
    NAME_OUTPUT,
    NAME_SCALAR,
    NAME_INT,
    NAME_SIZE,
    NAME_LOCAL,
    NAME_LOCAL_INT,
    NAME_LOCAL_VEC,
    NAME_LOCAL_MAT,
    NAME_LOCAL_QUAT,
    NAME_LOCAL_XFORM,
    NAME_STATE,
    NAME_COUNTER,
    NAME_FLAG,
    NAME_LOOP,
    NAME_FIELD,
    NAME_PARAM,
    NAME_ROLE_COUNT
} name_role;
void style_start(gen *g);
str name_new(gen *g, name_role role);
/* This name, or another one where it is taken. */
str name_wanted(gen *g, const char *wanted, name_role role);
/* The names of the thread's indexes. */
void name_threads(gen *g, int ndim, str names[RANK_MAX]);
str name_kernel(gen *g);
str name_helper(gen *g);
str name_struct(gen *g);
str name_type(gen *g, const char *wanted); /* a name for a class: this, or with a number */
str name_constant(gen *g);
str name_keep(gen *g, str text); /* a copy in the pool, marked as taken */
str pool_take(gen *g, const strbuf *b,
              size_t begin); /* b's text from begin on, moved to the pool */
name_role role_of_local(gtype t);
void put_module_doc(gen *g);
void put_docstring(gen *g); /* of the kernel; of a helper while one is written */
/* What a line is, for the comment above it. */
typedef enum line_kind {
    LINE_PLAIN, /* none */
    LINE_LET,
    LINE_LOAD,
    LINE_STATE,
    LINE_UPDATE,
    LINE_STORE,
    LINE_IF,
    LINE_EXIT,
    LINE_LOOP,
    LINE_ATOMIC,
    LINE_KINDS
} line_kind;
void put_comment_text(gen *g, line_kind kind);

/* --- gen_scope.c -------------------------------------------------------------------------- */
gvar *var_add(gen *g, str text, gtype t, bound b, int flags);
/* The variable that fits and that had best be used, or NULL. */
gvar *var_pick(gen *g, want w);
gvar *var_any(gen *g, gtype t); /* of this type, whatever its bound */
gvar *var_unused(gen *g, bool (*fits)(const gvar *v, gtype t), gtype t);
void var_put(gen *g, gvar *v);
bound var_bound(const gvar *v);
uint32_t scope_open(gen *g);
void scope_close(gen *g, uint32_t mark);
void mark_used(gen *g, gen_fn fn); /* without a type */
void mark_used_type(gen *g, gen_fn fn, gtype t);
void count_builtin(gen *g, gen_fn fn); /* without a production */

/* --- gen_literal.c ------------------------------------------------------------------------ */
bound put_literal(gen *g, want w, int prec);
void put_int_literal(gen *g, gtype t, int value);
void put_float_literal(gen *g, gtype t, const char *text);

/* --- gen_param.c -------------------------------------------------------------------------- */
/* An array as a purpose needs it: a scalar argument, if it has no dimension. */
garg *arg_named(gen *g, arg_mode mode, gtype t, const uint8_t *dims, int rank, name_role role);
gvar *arg_scalar(gen *g, gtype t); /* a new scalar (vector, matrix) argument */
gvar *arg_input(gen *g, gtype t);  /* an element of a new input array */
/* An array of structs: an input of one dimension, or over the launch. */
garg *arg_structs(gen *g, uint8_t record, arg_mode mode);
garg *arg_table(gen *g, gtype t, const uint8_t *dims, int rank); /* an input array */
garg *arg_output(gen *g, gtype t, arg_mode mode, const uint8_t *dims, int rank);
gvar *arg_element(gen *g, garg *a, int flags); /* its element at the indexes in scope */
bool can_add_input(const gen *g);
bool can_add_scalar(const gen *g);
uint8_t dim_new(gen *g, dim_kind kind, int size);
void dim_put_size(gen *g, uint8_t dim); /* "n", "x.shape[0]", "16" */
void dim_put_last(gen *g, uint8_t dim); /* "n - 1", "15" */
void put_index(gen *g, uint8_t dim, int neighbours);
gvar *index_of(gen *g, uint8_t dim);
void put_own_index(gen *g, const garg *a);
bool put_neighbour_load(gen *g, gtype t);
void put_arguments(gen *g, bool wrapped);

/* --- expressions -------------------------------------------------------------------------- */
bound gen_expr(gen *g, want w, int budget, int prec);
bound gen_float(gen *g, want w, int budget, int prec);
bound gen_low_float(gen *g, want w, int budget, int prec);
bound gen_int(gen *g, want w, int budget, int prec);
bound gen_vec(gen *g, want w, int budget, int prec);
bound gen_mat(gen *g, want w, int budget, int prec);
bound gen_quat(gen *g, want w, int budget, int prec);
bound gen_xform(gen *g, want w, int budget, int prec);
bound gen_leaf(gen *g, want w, int prec);
void put_identity(gen *g, gtype t); /* wp.identity(n=3, dtype=float) */
/* Two operands of one operator: does the text from `right` on repeat that from left to `end`? */
bool is_twin(const gen *g, size_t left, size_t end, size_t right);
/* x - x would say nothing: the repeated operand becomes a literal, or is made of scalars. Gives its
 * bound. */
bound untwin(gen *g, size_t left, size_t end, size_t right, bound b, want w, int prec);
void gen_cond(gen *g, int budget, int prec);
void put_component(gen *g, gvar *v);          /* v.x, m[0, 1] */
void put_row(gen *g, gvar *m);                /* m[1] */
bool put_reduction(gen *g, want w, bound *b); /* dot, length, v[k], ... of what is in scope */
void stmt_unpack(gen *g);                     /* a, b = helper(...), if there is such a helper */
bool put_helper_call(gen *g, want w, int budget, bound *b);

/* --- gen_call.c --------------------------------------------------------------------------- */
void calls_init(call_table *t);
uint32_t call_groups(const gen *g);
bool put_builtin_call(gen *g, want w, int budget, bound *b);
void stmt_call(gen *g); /* a new variable: what a builtin gives, whatever its type */
/* That of one row; of the scalar type that *sc says, or any. */
void stmt_call_row(gen *g, uint32_t row, const gen_scalar *sc);
/* Do rows call fn with t as its first argument's type (its result's where it has none)? */
bool calls_with(gen_fn fn, gtype t);
/* Adds the types that calls_with says yes to: a bit for each number of type_at. */
void calls_types(gen_fn fn, uint64_t of[TYPE_WORDS]);
/* A new variable: the builtin's result, called with t; false: not here. */
bool stmt_call_of(gen *g, gen_fn fn, gtype t);

/* --- gen_term.c --------------------------------------------------------------------------- */
bool term_suits(const gvar *v, gtype t);
void put_term(gen *g, gvar *v, gtype t); /* needs: it suits */

/* --- gen_struct.c ------------------------------------------------------------------------- */
void struct_new(gen *g);
void struct_elements(gen *g);
gtype field_type(gen *g);
str field_path(gen *g, str owner, str name); /* "params.dt" */

/* --- gen_record.c ------------------------------------------------------------------------- */
/* In a kernel's outermost block: a statement or some with structs, functions of structs, arrays of
 * structs; false: there is no room. */
bool stmt_record(gen *g, int space);
int record_mag(gtype t); /* of fields */
/* Writes what is asked for, if it is one of these. */
bool record_target(gen *g);
bool is_record_thing(int thing);

/* --- gen_overload.c ----------------------------------------------------------------------- */
/* Helpers of one name for two types, helpers for any type, each with its calls. */
bool stmt_overload(gen *g, int space);
bool overload_target(gen *g);
bool is_overload_thing(int thing);

/* --- gen_spatial.c ------------------------------------------------------------------------ */
void put_rigid(gen *g, uint8_t sc); /* a transform with a unit quaternion */

/* --- statements --------------------------------------------------------------------------- */
void line_open(gen *g);
void line_open_as(gen *g, line_kind kind);
void line_close(gen *g);
gvar *stmt_let(gen *g, gtype t, int budget);
gvar *stmt_load(gen *g, gtype t);
gvar *stmt_state(gen *g, gtype t);
void stmt_update(gen *g, gvar *v, int budget);
void stmt_update_component(gen *g, gvar *v, int budget); /* v.x += ... */
void stmt_update_scaled(gen *g, gvar *v); /* v *= 0.5, or v /= 2.0 where that is asked for */
void stmt_store(gen *g, garg *a, int budget);
int more_to_say(gen *g); /* to be added to the budget of a kernel's result */
void stmt_if(gen *g, int arms, int depth, uint32_t else_percent);
void stmt_exit(gen *g);
gvar *state_pick(gen *g);
void stmt_for(gen *g, int statements, int depth);
void stmt_while(gen *g);
uint8_t loop_dim(gen *g);
garg *loop_array(gen *g, uint8_t dim, gtype t);
uint32_t loop_open(gen *g, uint8_t dim);
void loop_close(gen *g, uint8_t dim, uint32_t mark);
void block_open(gen *g, uint32_t *mark);
void block_close(gen *g, uint32_t mark);

/* --- gen_helper.c ------------------------------------------------------------------------- */
void helper_new(gen *g);
/* Another helper, NULL: there is no room. Of a struct, which comes before other parameters; that
 * makes a struct; of this name. */
ghelper *helper_of_record(gen *g, uint8_t record);
ghelper *helper_making_record(gen *g, uint8_t record);
ghelper *helper_plain(gen *g, str name, gtype t); /* from t, and perhaps more, to t */
/* A call; the struct that it takes is written as `record`. */
void helper_call(gen *g, ghelper *h, str record, int budget);
/* Type(...), with a value for each field; and NAME = Type() with lines that set the fields. */
void put_construction(gen *g, const grecord *r);
void build_record(gen *g, const grecord *r, str name);
/* May a helper be written now? */
bool can_add_helper(const gen *g);
void constant_new(gen *g);

/* --- gen_kernel.c ------------------------------------------------------------------------- */
void kernel_open(gen *g, int ndim);   /* thread indexes, guard */
void kernel_guard(gen *g);            /* against threads beyond the data: a return, or nothing */
garg *kernel_output(gen *g, gtype t); /* an array over the launch; the goal of stores */
void kernel_loads(gen *g, gtype t, int n);
void kernel_prelude(gen *g, int constants, int structs, int helpers); /* chances in percent */
/* How many arrays and scalars may be drawn: no more than these, and no more than the level's. */
void kernel_inputs(gen *g, int arrays, int scalars);
void kernel_type(gen *g, bool integers); /* chooses g->s */
gen_scalar integer_type(gen *g);
int kernel_ndim(gen *g);
enum { ATOMIC_OPS = 11 };
uint8_t atomic_op(gen_fn fn); /* the first that is this builtin; ATOMIC_OPS: none */
void stmt_atomic(gen *g, garg *a, int budget);
void stmt_exchange(gen *g, int budget);
gtype atomic_type(gtype t); /* the nearest that atomics take */

/* --- categories --------------------------------------------------------------------------- */
#define CATEGORY(ID, name, alias) void gen_body_##name(gen *g);
#include "gen/gen_category.def"
#undef CATEGORY

#endif
