/* What the generator can express: productions, which are things (builtins, operators, statements,
 * ...) with the types that the tables allow them. Productions are numbered thing by thing, and by
 * type in each; a sample holds a bit for each that it has. */
#include "base/assert.h"
#include "gen/gen_internal.h"

/* Words of gen_class.def: sets of shapes, and of scalars. */
enum {
    IS_SCALAR = 1,
    IS_VEC = 2,
    IS_MAT = 4,
    IS_QUAT = 8,
    IS_VEC3 = 16,
    IS_MAT33 = 32,
};

#define SC_BIT(ID) (1u << GS_##ID)
enum {
    SCS_REAL = SC_BIT(F32) | SC_BIT(F64),
    SCS_FLOAT = SCS_REAL | SC_BIT(F16),
    SCS_WORK = SC_BIT(I32) | SC_BIT(U32) | SC_BIT(I64), /* integers that kernels compute with */
    SCS_ALL = (1u << GS_COUNT) - 1
};

typedef struct type_set {
    uint16_t shapes, scalars;
} type_set;

static const type_set classes[CLASS_COUNT][2] = {
#define CLASS(ID, shapes, scalars, more_shapes, more_scalars)                                      \
    [CLASS_##ID] = {{shapes, scalars}, {more_shapes, more_scalars}},
#include "gen/gen_class.def"
#undef CLASS
};

static const gtype shapes[SHAPE_COUNT] = {
#define SHAPE(ID, kind, rows, cols) {kind, 0, rows, cols},
#include "gen/gen_shape.def"
#undef SHAPE
};

typedef struct thing_row {
    const char *name;
    uint8_t group, class;
} thing_row;

typedef enum thing_group {
    GROUP_BUILTIN,
    GROUP_OPERATOR,
    GROUP_STATEMENT,
    GROUP_NESTING,
    GROUP_ARGUMENT,
    GROUP_DECLARATION,
    GROUP_LAUNCH,
    GROUP_STYLE
} thing_group;

static const char *const group_names[] = {"builtins",  "operators",    "statements", "nesting",
                                          "arguments", "declarations", "launch",     "style"};

static const thing_row things[THING_COUNT] = {
#define FN(name, class)                                          {#name, GROUP_BUILTIN, CLASS_##class},
#define FN1(name, class, in_mag, in_low, rule, out_mag, out_low) FN(name, class)
#include "gen/gen_fn.def"
#undef FN
#undef FN1
#define THING(group, ID, name, class) {name, GROUP_##group, CLASS_##class},
#include "gen/gen_thing.def"
#undef THING
};

static uint16_t words_of(gtype t)
{
    switch ((gen_kind)t.kind) {
    case GK_SCALAR: return IS_SCALAR;
    case GK_VEC: return t.rows == 3 ? IS_VEC | IS_VEC3 : IS_VEC;
    case GK_MAT: return t.rows == 3 && t.cols == 3 ? IS_MAT | IS_MAT33 : IS_MAT;
    case GK_QUAT: return IS_QUAT;
    }
    return 0;
}

static bool class_has(gen_class c, gtype t)
{
    const uint16_t words = words_of(t);
    for (int i = 0; i < 2; i++)
        if (classes[c][i].shapes & words && classes[c][i].scalars >> t.sc & 1)
            return true;
    return false;
}

bool takes(gen_thing thing, gtype t)
{
    return class_has((gen_class)things[thing].class, t);
}

static gtype type_at(uint32_t i)
{
    gtype t = shapes[i / GS_COUNT];
    t.sc = (uint8_t)(i % GS_COUNT);
    return t;
}

static uint32_t type_index(gtype t)
{
    for (uint32_t i = 0; i < SHAPE_COUNT; i++)
        if (shapes[i].kind == t.kind && shapes[i].rows == t.rows && shapes[i].cols == t.cols)
            return i * GS_COUNT + t.sc;
    return TYPE_COUNT;
}

static uint32_t class_size(gen_class c)
{
    uint32_t n = c == CLASS_ONE;
    for (uint32_t i = 0; i < TYPE_COUNT; i++)
        n += class_has(c, type_at(i));
    return n;
}

void cover_start(gen *g)
{
    uint32_t n = 0, sizes[CLASS_COUNT];
    for (uint32_t c = 0; c < CLASS_COUNT; c++) {
        uint16_t rank = 0;
        for (uint32_t i = 0; i < TYPE_COUNT; i++)
            g->rank[c][i] = class_has((gen_class)c, type_at(i)) ? ++rank : 0;
        sizes[c] = class_size((gen_class)c);
    }
    for (uint32_t i = 0; i < THING_COUNT; i++) {
        g->first[i] = (uint16_t)n;
        n += sizes[things[i].class];
    }
    g->first[THING_COUNT] = (uint16_t)n;
    WEFT_ASSERT(n <= GEN_PRODUCTIONS_MAX);
}

static void mark(gen *g, uint32_t production)
{
    g->cover.bits[production >> 6] |= UINT64_C(1) << (production & 63);
}

void cover_type(gen *g, gen_thing thing, gtype t)
{
    const uint32_t type = type_index(t);
    const uint32_t rank = type < TYPE_COUNT ? g->rank[things[thing].class][type] : 0;
    if (rank)
        mark(g, g->first[thing] + rank - 1);
    else
        g->unlisted = true;
}

void cover(gen *g, gen_thing thing)
{
    if (things[thing].class == CLASS_ONE)
        mark(g, g->first[thing]);
    else
        g->unlisted = true;
}

void cover_all(gen *g, const gcover *c)
{
    for (int i = 0; i < COVER_WORDS; i++)
        g->cover.bits[i] |= c->bits[i];
}

uint32_t gen_production_count(void)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < THING_COUNT; i++)
        n += class_size((gen_class)things[i].class);
    return n;
}

static str type_text(arena *a, strbuf *b, gtype t)
{
    b->n = 0;
    put_type_name(b, t);
    return (str){arena_dup(a, b->p, b->n), b->n};
}

uint32_t gen_production_list(arena *a, gen_production **list)
{
    strbuf text;
    uint32_t n = 0;
    gen_production *all = arena_alloc(a, sizeof *all * gen_production_count());
    sb_init(&text, a->m);
    for (uint32_t i = 0; i < THING_COUNT; i++) {
        const thing_row *row = &things[i];
        const gen_production p = {group_names[row->group], row->name, {"", 0}};
        if (row->class == CLASS_ONE)
            all[n++] = p;
        for (uint32_t k = 0; k < TYPE_COUNT; k++) {
            if (!class_has((gen_class)row->class, type_at(k)))
                continue;
            all[n] = p;
            all[n++].type = type_text(a, &text, type_at(k));
        }
    }
    sb_clear(&text);
    *list = all;
    return n;
}
