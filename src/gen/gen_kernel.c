/* A sample from start to end: style, what stands before the kernel, its body by category, and the
 * text put together. */
#include "gen/gen_internal.h"

gen *gen_new(mem *m)
{
    static const uint8_t weights[GEN_CATEGORY_COUNT][FLOAT_OP_COUNT] = {
#define WEIGHTS(ID, ...) [GEN_##ID] = {__VA_ARGS__},
#include "gen/gen_weights.def"
#undef WEIGHTS
    };
    gen *g = mem_alloc(m, sizeof *g);
    memset(g, 0, sizeof *g);
    g->m = m;
    g->calls = mem_alloc(m, sizeof *g->calls);
    calls_init(g->calls);
    sb_init(&g->head, m);
    sb_init(&g->body, m);
    sb_init(&g->text, m);
    sb_init(&g->aliases, m);
    cover_start(g);
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

static uint8_t vector_length(gen *g)
{
    static const uint8_t rows[32] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
                                     3, 3, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 6, 5, 5};
    const uint8_t n = rows[below(g, 32)];
    return n == 5 ? (uint8_t)(5 + below(g, 6)) : n;
}

/* What has few lines may say more in each of them. */
static uint8_t thrift_of(const gen *g)
{
    static const uint8_t few[] = {0, 1, 2, 3};
    const int lines = g->lines - 4;
    return lines < 4 ? few[max_int(lines, 0)] : g->level->thrift;
}

static void reset(gen *g, const gen_request *q, int aim)
{
    g->category = q->category;
    g->level = gen_level_at(q->level);
    g->lines = q->lines;
    g->aim = aim;
    g->counted = g->body_lines = g->nbreaks = 0;
    g->reserve = 1;
    g->head.n = g->body.n = g->text.n = g->aliases.n = 0;
    g->out = &g->body;
    g->in = gt_scalar(GS_I32);
    g->s = gt_scalar(GS_F32);
    g->indent = 1;
    g->loops = g->log_turns = g->arms = 0;
    g->unrolled = 1;
    g->in_helper = g->consume = g->uneven = false;
    g->ndim = g->inputs = g->scalars = g->goal = g->last_leaf = 0;
    g->statements = g->branches = g->max_loops = 0;
    g->nvars = g->scope_base = g->nargs = g->ndims = g->nnames = 0;
    g->nhelpers = g->npool = g->nconsts = g->naliases = g->npending = g->nrecords = 0;
    g->struct_begin = g->struct_end = 0;
    memset(g->used, 0, sizeof g->used);
    g->cover = (gcover){0};
    g->unlisted = false;
    g->thrift = thrift_of(g);
    g->vec_rows = vector_length(g);
    if (g->target_type.rows >= 2 && g->target_type.rows <= 4)
        g->vec_rows = g->target_type.rows;
    g->aimed = false;
    style_start(g);
}

/* --- parts that the categories share ------------------------------------------------------- */

gen_scalar integer_type(gen *g)
{
    static const uint8_t ints[16] = {GS_I32, GS_I32, GS_I32, GS_I32, GS_I32, GS_I32,
                                     GS_I64, GS_I64, GS_U32, GS_U32, GS_U64, GS_U64,
                                     GS_I8,  GS_U8,  GS_I16, GS_U16};
    return (gen_scalar)ints[below(g, 16)];
}

void kernel_type(gen *g, bool integers)
{
    uint32_t k = below(g, 64);
    gen_scalar sc = k < 8 ? GS_F64 : k < 10 ? GS_F16 : k < 11 ? GS_BF16 : GS_F32;
    if (integers && k >= 62)
        sc = integer_type(g);
    g->s = gt_scalar(target_scalar(g, sc, integers));
}

void kernel_inputs(gen *g, int arrays, int scalars)
{
    const int most = g->level->inputs;
    g->inputs = (uint8_t)(1 + below(g, (uint32_t)min_int(arrays, most)));
    g->scalars = (uint8_t)below(g, (uint32_t)min_int(scalars, most) + 1);
}

int kernel_ndim(gen *g)
{
    uint32_t k = below(g, 64);
    return k < 48 ? 1 : k < 60 ? 2 : k < 63 ? 3 : 4;
}

void kernel_prelude(gen *g, int constants, int structs, int helpers)
{
    constants = constants * g->level->prelude / 100;
    structs = structs * g->level->prelude / 100;
    helpers = helpers * g->level->prelude / 100;
    constants = asks_for(g, THING_CONSTANT) ? 100 : constants;
    structs = asks_for(g, THING_FIELD) || asks_for(g, THING_FIELD_ARRAY) ||
                      asks_for(g, THING_FIELD_STRUCT) || asks_for(g, THING_ARG_STRUCT)
                  ? 100
                  : structs;
    helpers = asks_for(g, THING_HELPER) || asks_for(g, THING_HELPER_TWO) ||
                      asks_for(g, THING_UNPACK) || asks_for(g, THING_HELPER_DEFAULT) ||
                      asks_for(g, THING_HELPER_THREE)
                  ? 100
                  : helpers;
    for (int i = 0; i < CONSTS_MAX && chance(g, (uint32_t)constants); i++)
        constant_new(g);
    if (chance(g, (uint32_t)structs))
        struct_new(g);
    for (int i = 0; i < 3 && chance(g, (uint32_t)helpers); i++, helpers /= 3)
        helper_new(g);
}

static void put_threads(gen *g, int ndim)
{
    str names[RANK_MAX];
    if (ndim == 1 && (g->lines < 4 || (g->level->level == 1 && below(g, 40) == 0))) {
        gvar *v =
            var_add(g, STR("wp.tid()"), g->in, bound_of(LOG_DIM, LOW_ZERO), V_INDEX | V_GLOBAL);
        v->dim = dim_new(g, DIM_LAUNCH, 0);
        v->uses = 1;
        return;
    }
    name_threads(g, ndim, names);
    line_open(g);
    for (int d = 0; d < ndim; d++) {
        if (d)
            W(g, ", ");
        put(g, names[d]);
        uint8_t dim = dim_new(g, DIM_LAUNCH, 0);
        gvar *v = var_add(g, names[d], g->in, bound_of(LOG_DIM, LOW_ZERO), V_INDEX | V_GLOBAL);
        v->dim = dim;
        v->uses = 1;
    }
    W(g, " = ");
    put_prefix(g, FN_tid);
    W(g, ")");
    line_close(g);
}

/* Threads beyond the data: none (the launch fits), a return, or the whole body in a branch. */
static void put_guard(gen *g)
{
    bool returns = g->style.guard < 15;
    uint32_t mark;
    if (g->style.guard < 11 || room(g) < 3)
        return;
    line_open(g);
    W(g, "if ");
    cover(g, returns ? THING_GUARD_RETURN : THING_GUARD_BLOCK);
    for (uint8_t d = 0; d < g->ndim; d++) {
        if (d)
            sb_c(g->out, returns ? " or " : " and ");
        gvar *v = index_of(g, d);
        sb_put(g->out, v->s, v->n);
        sb_c(g->out, returns ? " >= " : " < ");
        dim_put_size(g, d);
    }
    g->branches++;
    block_open(g, &mark);
    if (!returns)
        return;
    line_open(g);
    W(g, "return");
    line_close(g);
    block_close(g, mark);
}

void kernel_guard(gen *g)
{
    if (g->style.guard < 15)
        put_guard(g);
    g->style.guard = 0;
}

void kernel_open(gen *g, int ndim)
{
    static const gen_thing launches[] = {THING_LAUNCH_1, THING_LAUNCH_2, THING_LAUNCH_3,
                                         THING_LAUNCH_4};
    g->ndim = (uint8_t)ndim;
    cover(g, launches[ndim - 1]);
    put_threads(g, ndim);
    struct_elements(g);
}

garg *kernel_output(gen *g, gtype t)
{
    uint8_t dims[RANK_MAX] = {0, 1, 2, 3};
    bool first = g->nargs == 0 || !g->dims[0].owner;
    garg *a = arg_output(g, t, ARG_OWN, dims, g->ndim);
    g->goal = (uint8_t)(a - g->args);
    if (first)
        put_guard(g);
    return &g->args[g->goal];
}

void kernel_loads(gen *g, gtype t, int n)
{
    const int least = below(g, 2) ? 1 : 0; /* where elements are used in place */
    for (int i = 0; i < (g->style.inline_loads ? least : n) && room(g) > 0; i++)
        stmt_load(g, t);
    if (room(g) > 0)
        stmt_unpack(g);
    if (room(g) > 1 && below(g, 8) == 0)
        stmt_call(g);
    if (room(g) > 3 && below(g, g->level->prelude ? 14 : 20) == 0)
        stmt_form_of_own(g, room(g));
}

/* --- the text ------------------------------------------------------------------------------ */

static bool is_const_used(const gen *g, const gconst *c)
{
    if (c->function)
        return true;
    for (uint32_t i = 0; i < g->nvars; i++)
        if (g->vars[i].s == c->name.p)
            return g->vars[i].uses > 0;
    return false;
}

static void put_head(gen *g)
{
    static const char *const imports[] = {"import warp as wp\n\n\n", "import warp as wp\n\n\n",
                                          "import warp as wp\n\n",
                                          "import warp as wp\n\nwp.init()\n\n\n"};
    const char *head = g->head.p;
    size_t begin;
    if (below(g, 12) == 0)
        put_module_doc(g);
    for (uint32_t i = 0; i < g->nhelpers; i++)
        if (g->helpers[i].generic) {
            W(g, "from typing import Any\n\n");
            break;
        }
    const uint32_t k = below(g, 32);
    sb_c(g->out, imports[k == 0 ? 3 : k % 3]);
    begin = g->out->n;
    sb_str(g->out, sb_view(&g->aliases));
    for (uint32_t i = 0; i < g->nconsts; i++)
        if (is_const_used(g, &g->consts[i])) {
            if (!g->consts[i].function)
                cover_type(g, gt_is_scalar(g->consts[i].t) ? THING_CONSTANT : THING_CONSTANT_VEC,
                           g->consts[i].t);
            sb_put(g->out, head + g->consts[i].begin, g->consts[i].end - g->consts[i].begin);
        }
    if (g->out->n > begin)
        W(g, "\n\n");
    if (g->struct_end)
        sb_put(g->out, head + g->struct_begin, g->struct_end - g->struct_begin);
    for (uint32_t i = 0; i < g->nrecords; i++)
        sb_put(g->out, head + g->records[i].begin, g->records[i].end - g->records[i].begin);
    for (uint32_t i = 0; i < g->nhelpers; i++)
        if (g->helpers[i].uses)
            sb_put(g->out, head + g->helpers[i].begin, g->helpers[i].end - g->helpers[i].begin);
}

static str argument_type(gen *g, const garg *a)
{
    strbuf *b = &g->text;
    size_t begin = b->n;
    if (a->mode == ARG_STRUCT)
        return g->names[a->dim[0]];
    if (a->mode > ARG_DIM)
        SB_LIT(b, "array(dtype=");
    if (is_record_array(a))
        sb_str(b, g->records[a->op].type);
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

static str argument_shape(gen *g, const garg *a)
{
    strbuf *b = &g->text;
    size_t begin = b->n;
    int rank = a->mode == ARG_DIM ? 1 : a->mode == ARG_STRUCT ? 0 : a->rank;
    for (int k = 0; k < rank; k++) {
        const gdim *d = &g->dims[a->dim[k]];
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

/* What was counted may not have been written: a cast of an input that no expression took. */
static bool is_called(const gen *g, uint32_t fn)
{
    const char *name = gen_builtin_name(fn), *p = g->text.p;
    const size_t n = strlen(name);
    for (size_t i = 0; i + n < g->text.n; i++)
        if (p[i + n] == '(' && memcmp(p + i, name, n) == 0)
            return true;
    return false;
}

static uint32_t list_builtins(const gen *g, uint8_t *list)
{
    uint32_t n = 0;
    for (uint32_t word = 0; word < FN_WORDS; word++)
        for (uint64_t bits = g->used[word]; bits && n < GEN_BUILTINS_MAX; bits &= bits - 1)
            if (is_called(g, 64 * word + (uint32_t)__builtin_ctzll(bits)))
                list[n++] = (uint8_t)(64 * word + (uint32_t)__builtin_ctzll(bits));
    return n;
}

static void describe(gen *g, gen_sample *s)
{
    static const str launches[] = {{"n", 1}, {"n,m", 3}, {"n,m,p", 5}, {"n,m,p,q", 7}};
    s->category = g->category;
    s->launch = launches[g->ndim - 1];
    s->nargs = g->nargs;
    for (uint32_t i = 0; i < g->nargs; i++)
        s->args[i] = (gen_arg){g->args[i].name, argument_type(g, &g->args[i]),
                               argument_shape(g, &g->args[i]), g->args[i].mag};
    s->nbuiltins = list_builtins(g, s->builtins);
    s->statements = g->statements;
    s->branches = g->branches;
    s->loop_depth = g->max_loops;
    s->productions = g->cover.bits;
    s->unlisted = g->unlisted;
}

typedef void body_fn(gen *g);

static body_fn *const bodies[GEN_CATEGORY_COUNT] = {
#define CATEGORY(ID, name, alias) [GEN_##ID] = gen_body_##name,
#include "gen/gen_category.def"
#undef CATEGORY
};

static void put_kernel(gen *g, str name, bool wrapped, bool documented)
{
    g->out = &g->text;
    g->text.n = 0;
    for (uint32_t i = 0; i < g->nargs; i++)
        if (g->args[i].mode != ARG_STRUCT && !is_record_array(&g->args[i]))
            declare_type(g, g->args[i].t);
    put_head(g);
    W(g, "@wp.kernel\ndef ");
    put(g, name);
    W(g, "(");
    put_arguments(g, wrapped);
    W(g, "):\n");
    if (documented) {
        put_docstring(g);
        cover(g, THING_DOCSTRING);
    }
    sb_str(g->out, sb_view(&g->body));
}

/* Where thread indexes are written in place, a body may come to have none. */
static bool knows_thread(const gen *g)
{
    static const char call[] = "wp.tid()";
    for (size_t i = 0; i + sizeof call <= g->body.n; i++)
        if (memcmp(g->body.p + i, call, sizeof call - 1) == 0)
            return true;
    return false;
}

/* Does the sample have a value of this kind? Needs: its text is put together. */
static bool has_kind(const gen *g, gen_kind kind)
{
    for (uint32_t word = 0; word < COVER_WORDS; word++)
        for (uint64_t bits = g->cover.bits[word]; bits; bits &= bits - 1) {
            const uint32_t type = g->types[64 * word + (uint32_t)__builtin_ctzll(bits)];
            if (type < TYPE_COUNT && type_at(type).kind == kind)
                return true;
        }
    return false;
}

static bool has_function(const gen *g)
{
    static const uint8_t fns[] = {
#define FN(name, class)
#define FN1(name, class, in_mag, in_low, rule, out_mag, out_low) FN_##name,
#include "gen/gen_fn.def"
#undef FN
#undef FN1
        FN_pow, FN_atan2, FN_smoothstep, FN_lerp, FN_min, FN_max, FN_clamp, FN_copysign};
    for (size_t i = 0; i < sizeof fns; i++)
        if (g->used[fns[i] >> 6] >> (fns[i] & 63) & 1)
            return true;
    return false;
}

static bool has_scalar(const gen *g)
{
    for (uint32_t i = 0; i < g->nargs; i++)
        if (g->args[i].mode == ARG_SCALAR)
            return true;
    return false;
}

/* Does a short sample have what its category is named for? The other categories' bodies always do.
 */
static bool keeps_word(const gen *g)
{
    switch (g->category) {
    case GEN_MATH: return has_function(g);
    case GEN_VECTOR: return has_kind(g, GK_VEC);
    case GEN_MATRIX: return has_kind(g, GK_MAT);
    case GEN_SCALAR_PARAM: return has_scalar(g);
    case GEN_LOOP: return g->max_loops > 0;
    case GEN_NESTED_LOOP: return g->max_loops > 1;
    default: return true;
    }
}

/* One candidate; false: it has not the size asked for, but *over more. */
static bool make_once(gen *g, const gen_request *q, int slack, int *over, gen_sample *sample)
{
    bool wrapped;
    reset(g, q, q->lines - slack);
    const bool documented = q->lines > 5 && below(g, 5) == 0;
    g->aim -= documented;
    idiom_choose(g);
    sample->kernel = g->idiom ? idiom_kernel_name(g) : name_kernel(g);
    if (g->idiom)
        idiom_body(g);
    else
        bodies[q->category](g);
    *over = -room(g) - g->reserve - slack;
    if (!knows_thread(g) || !size_settle(g, q->lines - documented, &wrapped))
        return false;
    put_kernel(g, sample->kernel, wrapped, documented);
    return keeps_word(g);
}

/* How often a kernel of the size asked for is tried; and one with the production asked for. */
enum { TURNS = 48, STEERED_TURNS = 24 };

bool gen_make(gen *g, const gen_request *q, gen_sample *sample)
{
    int slack = 0, over = 0;
    bool good = false;
    g->r = rng_stream(q->seed + ((uint64_t)q->attempt << 40), q->index);
    target_set(g, q->target);
    for (int turn = 0; turn < TURNS && !good; turn++) {
        good = make_once(g, q, slack, &over, sample);
        if (good && turn < STEERED_TURNS && !target_met(g, q->target)) {
            good = false;
            continue;
        }
        slack = over > 0 ? min_int(slack + 1, q->lines / 2) : max_int(slack - 1, 0);
    }
    if (!good || (q->attempt < STEERED_ATTEMPTS && !target_met(g, q->target)))
        return false;
    const size_t n = g->text.n;
    uint32_t lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += g->text.p[i] == '\n';
    sample->lines = lines;
    sample->level = q->level;
    sample->target = target_text(g, q->target);
    sample->kernel_lines = q->lines;
    describe(g, sample); /* puts names together behind the text, which may move */
    sample->source = (str){g->text.p, n};
    return true;
}

const char *gen_builtin_name(uint32_t id)
{
    static const char *const names[FN_COUNT] = {
#define FN(name, class)                                          #name,
#define FN1(name, class, in_mag, in_low, rule, out_mag, out_low) FN(name, class)
#include "gen/gen_fn.def"
#undef FN
#undef FN1
    };
    return names[id];
}

uint32_t gen_builtin_count(void)
{
    return FN_COUNT;
}

const char *gen_category_name(gen_category category)
{
    static const char *const names[] = {
#define CATEGORY(ID, name, alias) #name,
#include "gen/gen_category.def"
#undef CATEGORY
    };
    return names[category];
}

bool gen_category_find(str name, gen_category *category)
{
    static const char *const aliases[] = {
#define CATEGORY(ID, name, alias) alias,
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
