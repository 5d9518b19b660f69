/* SPDX-License-Identifier: Apache-2.0 */
/* A sample from start to end, the entry points of gen.h: the state is reset, a body written by its
 * category or its purpose, the file put together, its description filled in.
 *
 *     request {category arithmetic, level 1, lines 3}
 *     ->  body     output[wp.tid()] = x[wp.tid()] / wp.clamp(x[wp.tid()], 0.5, 1.0) * 1.5 + ...
 *     ->  whole    import warp as wp
 *                  @wp.kernel
 *                  def project_state_op(x: wp.array[wp.float32], output: wp.array[wp.float32]):
 *                      (the body)
 *
 * Size and target are reached by trying. A candidate that lacks either is thrown away, and the next
 * is drawn from the same stream, so the number of tries is a function of the request as well. A
 * body that comes out too long makes the next ones aim lower (`slack`). */
#include "gen/gen_arg.h"
#include "gen/gen_call.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_idiom.h"
#include "gen/gen_kernel.h"
#include "gen/gen_names.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_type.h"

/* Weights of operators become 64 slots for each category, so that one draw chooses; rows of
 * gen_category.def add up to 64, and OP_ADD fills what is left. */
gen *gen_new(mem *m)
{
    static const uint8_t weights[GEN_CATEGORY_COUNT][FLOAT_OP_COUNT] = {
#define CATEGORY(ID, name, alias, least, value, change, groups, mix, ...)                          \
    [GEN_##ID] = {__VA_ARGS__},
#include "gen/gen_category.def"
#undef CATEGORY
    };
    gen *g = mem_alloc(m, sizeof *g);
    memset(g, 0, sizeof *g);
    g->m = m;
    g->calls = mem_alloc(m, sizeof *g->calls);
    calls_init(g->calls);
    g->idiom_lines = idioms_init(m);
    sb_init(&g->text.head, m);
    sb_init(&g->text.body, m);
    sb_init(&g->text.whole, m);
    sb_init(&g->text.type_names, m);
    cover_start(g);
    /* Weights become slots. */
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++) {
        int slot = 0;
        for (int op = 0; op < FLOAT_OP_COUNT; op++)
            for (int k = 0; k < weights[c][op] && slot < OP_SLOTS; k++)
                g->ops[c][slot++] = (uint8_t)op;
        while (slot < OP_SLOTS)
            g->ops[c][slot++] = OP_ADD;
    }
    return g;
}

/* Lengths of a kernel's vectors as people have them: 3 in 18 of 32 kernels, then 2 and 4; 6 is a
 * spatial vector; in two of 32 any from 5 to 10. */
static uint8_t vector_length(gen *g)
{
    static const uint8_t rows[32] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
                                     3, 3, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 6, 5, 5};
    const uint8_t n = rows[below(g, 32)];
    /* 5 stands for all lengths from 5 to 10. */
    return n == 5 ? (uint8_t)(5 + below(g, 6)) : n;
}

/* A kernel of few lines may say more in each of them: below 8 lines thrift grows with the lines,
 * else the level says it. */
static uint8_t thrift_of(const gen *g)
{
    static const uint8_t few[] = {0, 1, 2, 3};
    WEFT_ASSERT(g->size.level);
    /* 4 lines are the decorator, the signature, the thread index and the store. */
    const int lines = g->size.lines - 4;
    return lines < 4 ? few[max_int(lines, 0)] : g->size.level->thrift;
}

/* Empties the state for a new candidate. All that one candidate changes must be set here, or
 * samples would depend on those before. The first draws of a body are here: vector length, then
 * style. */
static void reset(gen *g, const gen_request *q, int aim)
{
    g->category = q->category;
    g->size.level = gen_level_at(q->level);
    g->size.lines = q->lines;
    g->size.aim = aim;
    g->size.counted = g->size.body_lines = g->size.nbreaks = 0;
    g->size.reserve = 1;
    g->text.head.n = g->text.body.n = g->text.whole.n = g->text.type_names.n = 0;
    /* The body comes first; head and whole are filled as it goes on. */
    g->text.out = &g->text.body;
    g->in = gt_scalar(GS_I32);
    g->s = gt_scalar(GS_F32);
    g->text.indent = 1;
    g->flow.loops = g->flow.log_turns = g->flow.arms = 0;
    g->flow.unrolled = 1;
    g->defs.in_helper = g->scope.consume = g->scope.uneven = false;
    g->params.launch_dims = g->params.inputs = g->params.scalars = g->params.goal =
        g->scope.last_leaf = 0;
    g->flow.statements = g->flow.branches = g->flow.max_loops = 0;
    g->scope.nvars = g->scope.base = g->params.nargs = g->params.ndims = g->names.ntaken = 0;
    g->defs.nhelpers = g->names.npool = g->defs.nconsts = g->text.naliases = g->defs.npending =
        g->defs.nrecords = 0;
    g->defs.struct_begin = g->defs.struct_end = 0;
    memset(g->coverage.used, 0, sizeof g->coverage.used);
    g->coverage.had = (gcover){0};
    g->coverage.unlisted = false;
    g->size.thrift = thrift_of(g);
    g->vec_rows = vector_length(g);
    /* The kernel's vectors get the target's length, or they could not meet. */
    if (g->target.type.rows >= 2 && g->target.type.rows <= 4)
        g->vec_rows = g->target.type.rows;
    g->target.aimed = false;
    style_start(g);
}
/* --- the text ------------------------------------------------------------------------------ */

/* Is the constant written into the file? Functions for wp.static are always called; values only if
 * a variable of that name was read. */
static bool is_const_used(const gen *g, const gconst *c)
{
    if (c->function)
        return true;
    /* Constants are global, so their variables are still there. Names are compared by address: the
     * pool has each once. */
    for (uint32_t i = 0; i < g->scope.nvars; i++)
        if (g->scope.vars[i].s == c->name.p)
            return g->scope.vars[i].uses > 0;
    return false;
}

/* What stands before the kernel: docstring, imports, names of types, constants, structs, helpers.
 * What nothing uses is left out, and only what is in is counted as covered. */
static void put_head(gen *g)
{
    WEFT_ASSERT(g->text.out == &g->text.whole);
    static const char *const imports[] = {"import warp as wp\n\n\n", "import warp as wp\n\n\n",
                                          "import warp as wp\n\n",
                                          "import warp as wp\n\nwp.init()\n\n\n"};
    const char *head = g->text.head.p;
    size_t begin;
    if (below(g, 12) == 0)
        put_module_doc(g);
    /* Annotations of generic helpers are Any. */
    for (uint32_t i = 0; i < g->defs.nhelpers; i++)
        if (g->defs.helpers[i].generic) {
            W(g, "from typing import Any\n\n");
            break;
        }
    /* One file in 32 calls wp.init(), as older programs do. */
    const uint32_t k = below(g, 32);
    sb_c(g->text.out, imports[k == 0 ? 3 : k % 3]);
    begin = g->text.out->n;
    sb_str(g->text.out, sb_view(&g->text.type_names));
    for (uint32_t i = 0; i < g->defs.nconsts; i++)
        if (is_const_used(g, &g->defs.consts[i])) {
            if (!g->defs.consts[i].function)
                cover_type(g,
                           gt_is_scalar(g->defs.consts[i].t) ? THING_CONSTANT : THING_CONSTANT_VEC,
                           g->defs.consts[i].t);
            sb_put(g->text.out, head + g->defs.consts[i].begin,
                   g->defs.consts[i].end - g->defs.consts[i].begin);
        }
    if (g->text.out->n > begin)
        W(g, "\n\n");
    /* Structs before helpers, which may take them. */
    if (g->defs.struct_end)
        sb_put(g->text.out, head + g->defs.struct_begin, g->defs.struct_end - g->defs.struct_begin);
    for (uint32_t i = 0; i < g->defs.nrecords; i++)
        sb_put(g->text.out, head + g->defs.records[i].begin,
               g->defs.records[i].end - g->defs.records[i].begin);
    for (uint32_t i = 0; i < g->defs.nhelpers; i++)
        if (g->defs.helpers[i].uses)
            sb_put(g->text.out, head + g->defs.helpers[i].begin,
                   g->defs.helpers[i].end - g->defs.helpers[i].begin);
}

/* "array(dtype=vec3f, ndim=2)": the type as metadata have it. */
static str argument_type(gen *g, const garg *a)
{
    strbuf *b = &g->text.whole;
    size_t begin = b->n;
    /* The name of the struct's type. */
    if (a->mode == ARG_STRUCT)
        return g->names.taken[a->dim[0]];
    if (a->mode > ARG_DIM)
        SB_LIT(b, "array(dtype=");
    if (is_record_array(a))
        sb_str(b, g->defs.records[a->op].type);
    else
        put_type_name(b, a->t);
    if (a->mode > ARG_DIM) {
        SB_LIT(b, ", ndim=");
        sb_uint(b, a->rank);
        SB_LIT(b, ")");
    }
    str s = pool_take(g, b, begin);
    b->n = begin;
    return s;
}

/* "n,3": a letter for each symbolic dimension, which says which sizes agree. */
static str argument_shape(gen *g, const garg *a)
{
    WEFT_ASSERT(a->rank <= RANK_MAX);
    strbuf *b = &g->text.whole;
    size_t begin = b->n;
    /* A size names its own dimension: callers pass that number. */
    int rank = a->mode == ARG_DIM ? 1 : a->mode == ARG_STRUCT ? 0 : a->rank;
    for (int k = 0; k < rank; k++) {
        const gdim *d = &g->params.dims[a->dim[k]];
        if (k)
            SB_LIT(b, ",");
        if (d->kind == DIM_FIXED)
            sb_uint(b, d->size);
        else
            sb_char(b, d->letter);
    }
    str s = pool_take(g, b, begin);
    b->n = begin;
    return s;
}

/* What was counted may not have been written: a cast of an input that no expression took. Looks for
 * "NAME(" in the file. */
static bool is_called(const gen *g, uint32_t fn)
{
    WEFT_ASSERT(fn < FN_COUNT);
    const char *name = gen_builtin_name(fn), *p = g->text.whole.p;
    /* A suffix of another name would do as well; the list is for statistics. */
    const size_t n = strlen(name);
    for (size_t i = 0; i + n < g->text.whole.n; i++)
        if (p[i + n] == '(' && memcmp(p + i, name, n) == 0)
            return true;
    return false;
}

/* The builtins of the file, in the order of gen_builtin.def. */
static uint32_t list_builtins(const gen *g, uint8_t *list)
{
    uint32_t n = 0;
    for (uint32_t word = 0; word < FN_WORDS; word++)
        for (uint64_t bits = g->coverage.used[word]; bits && n < GEN_BUILTINS_MAX; bits &= bits - 1)
            if (is_called(g, 64 * word + (uint32_t)__builtin_ctzll(bits)))
                list[n++] = (uint8_t)(64 * word + (uint32_t)__builtin_ctzll(bits));
    return n;
}

/* Fills in what is true of the sample. It points into the generator. */
static void describe(gen *g, gen_sample *s)
{
    /* The first dimensions have the first letters: dim_new. */
    static const str launches[] = {{"n", 1}, {"n,m", 3}, {"n,m,p", 5}, {"n,m,p,q", 7}};
    s->category = g->category;
    s->launch = launches[g->params.launch_dims - 1];
    s->nargs = g->params.nargs;
    WEFT_ASSERT(g->params.launch_dims >= 1 && g->params.launch_dims <= RANK_MAX);
    for (uint32_t i = 0; i < g->params.nargs; i++)
        s->args[i] = (gen_arg){.name = g->params.args[i].name,
                               .type = argument_type(g, &g->params.args[i]),
                               .shape = argument_shape(g, &g->params.args[i]),
                               .mag = g->params.args[i].mag};
    s->nbuiltins = list_builtins(g, s->builtins);
    s->statements = g->flow.statements;
    s->branches = g->flow.branches;
    s->loop_depth = g->flow.max_loops;
    s->productions = g->coverage.had.bits;
    s->unlisted = g->coverage.unlisted;
}

/* A category's function, which writes the body. */
typedef void body_fn(gen *g);

static body_fn *const bodies[GEN_CATEGORY_COUNT] = {
#define CATEGORY(ID, name, ...) [GEN_##ID] = gen_body_##name,
#include "gen/gen_category.def"
#undef CATEGORY
};

/* Puts the file together in `whole`: head, decorator, signature, docstring, body. Types of
 * arguments are declared first, since their aliases stand in front. */
static void put_kernel(gen *g, str name, bool wrapped, bool documented)
{
    WEFT_ASSERT(g->text.out == &g->text.body && !g->flow.loops);
    WEFT_ASSERT(g->text.indent == 1 || g->text.indent == 2); /* 2: all of it in a guard */
    g->text.out = &g->text.whole;
    g->text.whole.n = 0;
    for (uint32_t i = 0; i < g->params.nargs; i++)
        if (g->params.args[i].mode != ARG_STRUCT && !is_record_array(&g->params.args[i]))
            declare_type(g, g->params.args[i].t);
    put_head(g);
    W(g, "@wp.kernel\ndef ");
    put(g, name);
    W(g, "(");
    put_arguments(g, wrapped);
    W(g, "):\n");
    /* Only the parser sees it: it changes nothing of the kernel. */
    if (documented) {
        put_docstring(g);
        cover(g, THING_DOCSTRING);
    }
    sb_str(g->text.out, sb_view(&g->text.body));
}

/* Where thread indexes are written in place, a body may come to have none; then all threads would
 * write one element. */
static bool reads_thread(const gen *g)
{
    static const char call[] = "wp.tid()";
    for (size_t i = 0; i + sizeof call <= g->text.body.n; i++)
        if (memcmp(g->text.body.p + i, call, sizeof call - 1) == 0)
            return true;
    return false;
}

/* Does the sample have a value of this kind, by its productions? Needs: its text is put
 * together. */
static bool has_kind(const gen *g, gen_kind kind)
{
    for (uint32_t word = 0; word < COVER_WORDS; word++)
        for (uint64_t bits = g->coverage.had.bits[word]; bits; bits &= bits - 1) {
            const uint32_t type = g->productions.types[64 * word + (uint32_t)__builtin_ctzll(bits)];
            if (type < TYPE_COUNT && type_at(type).kind == kind)
                return true;
        }
    return false;
}

/* Does it call an elementary function? Rows of one float, and the common ones of two. */
static bool has_function(const gen *g)
{
    static const uint8_t fns[] = {
#define FN1(name, class, in_mag, in_low, rule, out_mag, out_low) FN_##name,
#include "gen/gen_builtin.def"
        FN_pow, FN_atan2, FN_smoothstep, FN_lerp, FN_min, FN_max, FN_clamp, FN_copysign};
    for (size_t i = 0; i < sizeof fns; i++)
        if (g->coverage.used[fns[i] >> 6] >> (fns[i] & 63) & 1)
            return true;
    return false;
}

static bool has_scalar(const gen *g)
{
    for (uint32_t i = 0; i < g->params.nargs; i++)
        if (g->params.args[i].mode == ARG_SCALAR)
            return true;
    return false;
}

/* Does a short sample have what its category is named for? The other categories' bodies always
 * do. */
static bool shows_category(const gen *g)
{
    switch (g->category) {
    case GEN_MATH: return has_function(g);
    case GEN_VECTOR: return has_kind(g, GK_VEC);
    case GEN_MATRIX: return has_kind(g, GK_MAT);
    case GEN_SCALAR_PARAM: return has_scalar(g);
    case GEN_LOOP: return g->flow.max_loops > 0;
    case GEN_NESTED_LOOP: return g->flow.max_loops > 1;
    default: return true;
    }
}

/* One candidate. False: it has not the size of the request but *over more lines, or does not show
 * its category. `slack` lines are kept free, for bodies that grow beyond their aim. */
static bool make_once(gen *g, const gen_request *q, int slack, int *over, gen_sample *sample)
{
    WEFT_ASSERT(q->lines >= GEN_LINES_MIN && q->lines <= GEN_LINES_MAX);
    bool wrapped;
    reset(g, q, q->lines - slack);
    /* The docstring is one of the kernel's lines. */
    const bool documented = q->lines > 5 && below(g, 5) == 0;
    g->size.aim -= documented;
    idiom_choose(g);
    sample->kernel = g->idiom ? name_kernel_hinted(g) : name_kernel(g);
    if (g->idiom)
        idiom_body(g);
    else
        bodies[q->category](g);
    /* Lines beyond the request. */
    *over = -room(g) - g->size.reserve - slack;
    if (!reads_thread(g) || !size_settle(g, q->lines - documented, &wrapped))
        return false;
    put_kernel(g, sample->kernel, wrapped, documented);
    return shows_category(g);
}

/* How often a kernel of the size is tried. In the first STEERED_TURNS turns a candidate without its
 * target is no good; a later one ends the search, and gen_make returns false for it, so the
 * caller's next attempt draws from another stream. */
enum { TURNS = 48, STEERED_TURNS = 24 };

/* `attempt` is mixed into the seed far above the bits that seeds of runs differ in. */
bool gen_make(gen *g, const gen_request *q, gen_sample *sample)
{
    WEFT_ASSERT(q->category < GEN_CATEGORY_COUNT && q->level >= 1 && q->level <= GEN_LEVELS);
    int slack = 0, over = 0;
    bool good = false;
    /* All draws of all candidates of this request come from here. */
    g->r = rng_stream(q->seed + ((uint64_t)q->attempt << 40), q->index);
    target_set(g, q->target);
    for (int turn = 0; turn < TURNS && !good; turn++) {
        good = make_once(g, q, slack, &over, sample);
        if (good && turn < STEERED_TURNS && !target_met(g, q->target)) {
            good = false;
            continue;
        }
        /* Too long: aim a line lower; too short: a line higher. */
        slack = over > 0 ? min_int(slack + 1, q->lines / 2) : max_int(slack - 1, 0);
    }
    if (!good || (q->attempt < STEERED_ATTEMPTS && !target_met(g, q->target)))
        return false;
    const size_t n = g->text.whole.n;
    /* Of the file; the kernel's own are those of the request. */
    sample->lines = str_count((str){g->text.whole.p, n}, '\n');
    sample->level = q->level;
    sample->target = target_text(g, q->target);
    sample->kernel_lines = q->lines;
    describe(g, sample); /* puts names together behind the text, which may move */
    sample->source = (str){g->text.whole.p, n};
    sample->prompt = STR("");
    return true;
}

const char *gen_builtin_name(uint32_t id)
{
    WEFT_ASSERT(id < FN_COUNT);
    static const char *const names[FN_COUNT] = {
#define FN(name, class) #name,
#include "gen/gen_builtin.def"
    };
    return names[id];
}

uint32_t gen_builtin_count(void)
{
    return FN_COUNT;
}

const char *gen_category_name(gen_category category)
{
    WEFT_ASSERT(category < GEN_CATEGORY_COUNT);
    static const char *const names[] = {
#define CATEGORY(ID, name, ...) #name,
#include "gen/gen_category.def"
#undef CATEGORY
    };
    return names[category];
}

bool gen_category_find(str name, gen_category *category)
{
    static const char *const aliases[] = {
#define CATEGORY(ID, name, alias, ...) alias,
#include "gen/gen_category.def"
#undef CATEGORY
    };
    for (int c = 0; c < GEN_CATEGORY_COUNT; c++) {
        if (str_eq(name, str_c(gen_category_name((gen_category)c))) ||
            (aliases[c] && str_eq(name, str_c(aliases[c])))) {
            *category = (gen_category)c;
            return true;
        }
    }
    return false;
}
