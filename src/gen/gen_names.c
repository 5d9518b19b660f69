/* SPDX-License-Identifier: Apache-2.0 */
/* Names and words: who wrote this kernel, and what they call their things. A style names everything
 * in one manner; gen_words.def has the words, the common ones first:
 *
 *     plain      positions, alpha, acc         numbered   in0, c0, acc0
 *     camel      inputData, runningSum         short      a, q, x
 *     decorated  positions_in, result_out
 */
#include "gen/gen_names.h"

#include "gen/gen_state.h"

/* Manners of naming; gstyle.naming. */
typedef enum naming {
    NAMING_PLAIN,
    NAMING_CAMEL,
    NAMING_DECORATED,
    NAMING_NUMBERED,
    NAMING_SHORT,
    NAMING_COUNT
} naming;

#define WORDS(role, ...) static const char *const words_##role[] = {__VA_ARGS__};
#define LIST(name, ...)  static const char *const name[] = {__VA_ARGS__};
#include "gen/gen_words.def"
#undef WORDS
#undef LIST

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof *(a)))

/* Words of each role. */
static const struct {
    const char *const *words;
    uint32_t n;
} roles[NAME_ROLE_COUNT] = {
#define WORDS(role, ...) [role] = {words_##role, COUNT(words_##role)},
#define LIST(name, ...)
#include "gen/gen_words.def"
#undef WORDS
#undef LIST
};

/* One draw, of which each trait takes some bits. Half of the authors name plainly, half write no
 * comments. */
void style_start(gen *g)
{
    static const uint8_t namings[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 4};
    static const uint8_t rates[8] = {0, 0, 0, 0, 5, 10, 20, 30};
    /* Indexes of gstyle.array_syntax, gstyle.naming and gstyle.comments above: repeated values are
     * their shares. */
    static const uint8_t syntaxes[8] = {2, 2, 2, 2, 2, 0, 0, 1}; /* as Warp's own code has it */
    /* Each trait reads bits of its own, so traits are independent of each other. */
    uint64_t bits = rng_next(&g->r);
    g->names.style = (gstyle){
        .naming = namings[bits & 15],
        .array_syntax = syntaxes[bits >> 4 & 7],
        .long_scalars = (bits >> 7 & 7) < 3,
        .suffix_f = (bits >> 10 & 7) == 0,
        .inline_loads = (bits >> 13 & 1) != 0,
        .outputs_first = (bits >> 14 & 7) == 0,
        .swizzle_names = (bits >> 17 & 1) != 0,
        .ternary = (bits >> 18 & 1) != 0,
        .comments = rates[bits >> 19 & 7],
        .guard = (uint8_t)(bits >> 22 & 15),
    };
}

/* From the newest on: clashes are with names nearby. */
static bool is_taken(const gen *g, str s)
{
    for (uint32_t i = g->names.ntaken; i-- > 0;) {
        const str t = g->names.taken[i];
        if (t.n == s.n && t.p[0] == s.p[0] && memcmp(t.p, s.p, s.n) == 0)
            return true;
    }
    return false;
}

/* A copy in the pool. The pool is never moved, so names stay where they are until the next
 * sample. */
static str keep_bytes(gen *g, const char *p, size_t n)
{
    /* Names would become empty rather than write beyond the pool. */
    if (g->names.npool + n > POOL_MAX)
        n = 0; /* not reached: a kernel has some hundred short names */
    char *to = g->names.pool + g->names.npool;
    memcpy(to, p, n);
    g->names.npool += (uint32_t)n;
    return (str){to, n};
}

str name_keep(gen *g, str text)
{
    WEFT_ASSERT(text.p);
    str kept = keep_bytes(g, text.p, text.n);
    if (g->names.ntaken < NAMES_MAX)
        g->names.taken[g->names.ntaken++] = kept;
    return kept;
}

str pool_take(gen *g, const strbuf *b, size_t begin)
{
    return keep_bytes(g, b->p + begin, b->n - begin);
}

/* "params.dt" */
str name_path(gen *g, str owner, str name)
{
    strbuf *b = &g->text.whole;
    const size_t begin = b->n;
    sb_str(b, owner);
    SB_LIT(b, ".");
    sb_str(b, name);
    const str s = pool_take(g, b, begin);
    b->n = begin;
    return s;
}

/* A name that is being put together. */
typedef struct word {
    char s[64];
    size_t n;
} word;

/* Appends s where there is room for it as a whole. */
static void word_add(word *w, const char *s)
{
    size_t n = strlen(s);
    /* Words of the lists are far shorter than the buffer. */
    if (w->n + n > sizeof w->s)
        return;
    memcpy(w->s + w->n, s, n);
    w->n += n;
}

/* Appends a number below 100; larger ones lose digits, and the loops that look for a free name go
 * on. */
static void word_number(word *w, uint32_t i)
{
    char digits[4] = {(char)('0' + i % 10), 0};
    if (i >= 10) {
        digits[0] = (char)('0' + i / 10 % 10);
        digits[1] = (char)('0' + i % 10);
    }
    word_add(w, digits);
}

/* snake_case to camelCase: input_data -> inputData. */
static void word_camel(word *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        /* An underscore at either end stays: it means something in Python. */
        bool up = w->s[i] == '_' && i && i + 1 < w->n;
        char c = up ? w->s[++i] : w->s[i];
        w->s[n++] = up && c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
    }
    w->n = n;
}

static bool is_array_role(name_role role)
{
    return role <= NAME_OUTPUT;
}

/* positions -> positions_in, result -> result_out; locals seldom: x -> x_val. */
static void decorate(gen *g, word *w, name_role role)
{
    static const char *const ends[] = {"_in", "_arr", "_buf", "_array", "_data", "_src"};
    static const char *const out_ends[] = {"_out", "_arr", "_buf", "_dst", "_new", "_result"};
    static const char *const local_ends[] = {"_i", "_val", "_tmp", "_local", "_0", "_cur"};
    if (is_array_role(role))
        word_add(w, role == NAME_OUTPUT ? out_ends[below(g, 6)] : ends[below(g, 6)]);
    else if ((role == NAME_LOCAL || role == NAME_LOCAL_VEC) && below(g, 3) == 0)
        word_add(w, local_ends[below(g, 6)]);
}

/* in0, in1, ...: the first number that is free. */
static void numbered(gen *g, word *w, name_role role)
{
    static const char *const stems[NAME_ROLE_COUNT] = {
        [NAME_SCALAR_ARRAY] = "in", [NAME_VEC_ARRAY] = "vin",   [NAME_MAT_ARRAY] = "min",
        [NAME_QUAT_ARRAY] = "qin",  [NAME_XFORM_ARRAY] = "xin", [NAME_LOCAL_XFORM] = "xf",
        [NAME_INT_ARRAY] = "iin",   [NAME_OUTPUT] = "out",      [NAME_SCALAR] = "c",
        [NAME_INT] = "k",           [NAME_SIZE] = "n",          [NAME_LOCAL] = "t",
        [NAME_LOCAL_INT] = "i",     [NAME_LOCAL_VEC] = "v",     [NAME_LOCAL_MAT] = "m",
        [NAME_LOCAL_QUAT] = "q",    [NAME_STATE] = "acc",       [NAME_COUNTER] = "cnt",
        [NAME_FLAG] = "flag",       [NAME_LOOP] = "j",          [NAME_FIELD] = "f",
        [NAME_PARAM] = "p"};
    w->n = 0;
    word_add(w, stems[role]);
    for (uint32_t i = 0; i < 40; i++) {
        size_t n = w->n;
        word_number(w, i);
        if (!is_taken(g, (str){w->s, w->n}))
            return;
        w->n = n;
    }
}

/* One of "a/b/c", the names that a row of gen_idiom.def offers. */
static void word_of(gen *g, word *w, const char *list)
{
    uint32_t n = 1;
    for (const char *p = list; *p; p++)
        n += *p == '/';
    /* Skips k words. */
    for (uint32_t k = below(g, n); k; k--)
        list = strchr(list, '/') + 1;
    while (*list && *list != '/' && w->n < sizeof w->s)
        w->s[w->n++] = *list++;
}

/* A name of the role in the sample's manner, which may be taken. A hint goes before the words of
 * the role; numbering authors ignore it, short ones in half of the cases.
 *
 * Of a role's words the common ones stand first, and a draw below a draw prefers them. */
static word make_word(gen *g, name_role role)
{
    WEFT_ASSERT(g->names.style.naming < NAMING_COUNT);
    word w = {.n = 0};
    if (g->names.hint && g->names.style.naming != NAMING_NUMBERED &&
        (g->names.style.naming != NAMING_SHORT || below(g, 2))) {
        /* The hint fits the thing, and the style still shows. */
        word_of(g, &w, g->names.hint);
        if (g->names.style.naming == NAMING_DECORATED && below(g, 2))
            decorate(g, &w, role);
        else if (g->names.style.naming == NAMING_CAMEL)
            word_camel(&w);
        return w;
    }
    if (g->names.style.naming == NAMING_SHORT && role != NAME_LOOP && below(g, 4)) {
        /* Without i to o, which people keep for indexes and counts. */
        static const char letters[] = "abcdefghpqrstuvwxyz";
        w.s[w.n++] = letters[below(g, sizeof letters - 1)];
        return w;
    }
    WEFT_ASSERT(role < NAME_ROLE_COUNT && roles[role].n);
    /* Three in four: the draw below the draw below the draw, most often one of the first words. */
    uint32_t k = below(g, roles[role].n); /* common ones stand first */
    if (below(g, 4))
        k = below(g, below(g, k + 1) + 1);
    word_add(&w, roles[role].words[k]);
    if (g->names.style.naming == NAMING_DECORATED)
        decorate(g, &w, role);
    else if (g->names.style.naming == NAMING_CAMEL)
        word_camel(&w);
    return w;
}

/* Five tries; then the last one gets a number. */
str name_new(gen *g, name_role role)
{
    word w;
    for (int i = 0; i < 5; i++) {
        w = make_word(g, role);
        if (g->names.style.naming == NAMING_NUMBERED)
            numbered(g, &w, role);
        if (!is_taken(g, (str){w.s, w.n}))
            return name_keep(g, (str){w.s, w.n});
    }
    /* The last word that was tried, with a number: acc2. */
    size_t n = w.n;
    for (uint32_t i = 1; is_taken(g, (str){w.s, w.n}); i++) {
        w.n = n;
        word_number(&w, i);
    }
    return name_keep(g, (str){w.s, w.n});
}

str name_wanted(gen *g, const char *wanted, name_role role)
{
    const str s = str_c(wanted);
    return is_taken(g, s) ? name_new(g, role) : name_keep(g, s);
}

/* i; i, j; row, col, ...: the names of the thread's indexes. One row is drawn for all of them, so
 * that they belong together. */
void name_threads(gen *g, int ndim, str names[RANK_MAX])
{
    static const char *const one[] = {"i", "tid", "i", "idx", "tid", "tid", "i", "tid"};
    static const char *const more[][RANK_MAX] = {
        {"i", "j", "k", "l"},     {"i", "j", "k", "l"},     {"row", "col", "lay", "ch"},
        {"ix", "iy", "iz", "iw"}, {"tx", "ty", "tz", "tw"}, {"r", "c", "d", "b"}};
    WEFT_ASSERT(ndim >= 1 && ndim <= RANK_MAX);
    /* Drawn for one dimension as well, so that the number of draws does not depend on it. */
    const char *const *row = more[below(g, COUNT(more))];
    for (int d = 0; d < ndim; d++)
        names[d] = name_wanted(g, ndim == 1 ? one[below(g, COUNT(one))] : row[d], NAME_LOOP);
}

/* A capital letter at this place. */
static void word_title(word *w, size_t at)
{
    WEFT_ASSERT(at < w->n);
    if (w->s[at] >= 'a' && w->s[at] <= 'z')
        w->s[at] = (char)(w->s[at] - 32);
}

/* "scale_forces_kernel": a verb and a noun, which is what random kernels can be called. Numbered
 * where it is taken. */
static str action_name(gen *g, const char *end)
{
    word w = {.n = 0};
    word_add(&w, verbs[below(g, COUNT(verbs))]);
    word_add(&w, "_");
    word_add(&w, nouns[below(g, COUNT(nouns))]);
    word_add(&w, end);
    if (g->names.style.naming == NAMING_CAMEL)
        word_camel(&w);
    for (uint32_t i = 1, n = (uint32_t)w.n; is_taken(g, (str){w.s, w.n}); i++) {
        w.n = n;
        word_number(&w, i);
    }
    return name_keep(g, (str){w.s, w.n});
}

/* One in twelve has a name like "kernel"; the others say what they do. */
str name_kernel(gen *g)
{
    static const char *const plain[] = {"kernel",    "k",    "compute",
                                        "kernel_fn", "kern", "run_kernel"};
    if (below(g, 12) == 0)
        return name_keep(g, str_c(plain[below(g, COUNT(plain))]));
    return action_name(g, suffixes[below(g, COUNT(suffixes))]);
}

str name_helper(gen *g)
{
    return action_name(g, "");
}

/* "Particle" from "particle"; Particle2 where there is one. */
str name_type(gen *g, const char *wanted)
{
    word w = {.n = 0};
    word_add(&w, wanted);
    word_title(&w, 0);
    for (uint32_t i = 2, n = (uint32_t)w.n; is_taken(g, (str){w.s, w.n}); i++) {
        w.n = n;
        word_number(&w, i);
    }
    return name_keep(g, (str){w.s, w.n});
}

str name_struct(gen *g)
{
    return name_type(g, structs[below(g, COUNT(structs))]);
}

/* "GAIN"; GAIN_1 where there is one. */
str name_constant(gen *g)
{
    word w = {.n = 0};
    word_add(&w, constants[below(g, COUNT(constants))]);
    for (uint32_t i = 1, n = (uint32_t)w.n; is_taken(g, (str){w.s, w.n}); i++) {
        w.n = n;
        word_add(&w, "_");
        word_number(&w, i);
    }
    return name_keep(g, (str){w.s, w.n});
}

/* A kernel with a purpose is called as its row of gen_idiom.def says. */
str name_kernel_hinted(gen *g)
{
    word w = {.n = 0};
    WEFT_ASSERT(g->names.hint);
    word_of(g, &w, g->names.hint);
    g->names.hint = NULL;
    if (below(g, 3) == 0)
        word_add(&w, suffixes[below(g, COUNT(suffixes))]);
    if (g->names.style.naming == NAMING_CAMEL)
        word_camel(&w);
    return name_keep(g, (str){w.s, w.n});
}

name_role role_of_local(gtype t)
{
    WEFT_ASSERT(t.kind <= GK_XFORM);
    if (t.kind == GK_SCALAR)
        return t.sc == GS_BOOL ? NAME_FLAG : gt_is_float(t) ? NAME_LOCAL : NAME_LOCAL_INT;
    /* By kind. */
    static const uint8_t roles_of[] = {NAME_LOCAL, NAME_LOCAL_VEC, NAME_LOCAL_MAT, NAME_LOCAL_QUAT,
                                       NAME_LOCAL_XFORM};
    return (name_role)roles_of[t.kind];
}

/* The purpose, or words that are true of every file. */
void put_module_doc(gen *g)
{
    W(g, "\"\"\"");
    sb_c(g->text.out, g->names.doc ? g->names.doc : module_docs[below(g, COUNT(module_docs))]);
    sb_c(g->text.out, below(g, 2) ? "\"\"\"\n\n" : "\n\"\"\"\n\n");
}

/* "Update out from x, y": true of every kernel. At most three of each, and no sizes. */
static void put_signature_in_words(gen *g)
{
    uint32_t reads = 0, writes = 0;
    /* Pass 0 lists what is written, pass 1 what is read. */
    for (uint32_t pass = 0; pass < 2; pass++) {
        if (!pass)
            sb_c(g->text.out, doc_verbs[below(g, COUNT(doc_verbs))]);
        for (uint32_t i = 0; i < g->params.nargs; i++) {
            const garg *a = &g->params.args[i];
            const bool out =
                a->mode == ARG_OWN || a->mode == ARG_ATOMIC || a->mode == ARG_STRUCTS_OUT;
            uint32_t *n = out ? &writes : &reads;
            /* Sizes are no data; more than three of a kind nobody lists. */
            if (out == (pass != 0) || a->mode == ARG_DIM || *n == 3)
                continue;
            sb_c(g->text.out, *n ? ", " : pass ? " from " : " ");
            put(g, a->name);
            ++*n;
        }
    }
}

/* A helper gets words that are true of every helper. */
void put_docstring(gen *g)
{
    W(g, "    \"\"\"");
    if (g->defs.in_helper)
        sb_c(g->text.out, helper_docs[below(g, COUNT(helper_docs))]);
    else if (g->names.doc)
        sb_c(g->text.out, g->names.doc);
    else
        put_signature_in_words(g);
    if (!g->defs.in_helper && !g->names.doc)
        W(g, ".");
    W(g, "\"\"\"\n");
}

void put_comment_text(gen *g, line_kind kind)
{
    WEFT_ASSERT(kind > LINE_PLAIN && kind < LINE_KINDS);
    static const struct {
        const char *const *words;
        uint32_t n;
    } lists[LINE_KINDS] = {[LINE_LET] = {let_comments, COUNT(let_comments)},
                           [LINE_LOAD] = {load_comments, COUNT(load_comments)},
                           [LINE_STATE] = {state_comments, COUNT(state_comments)},
                           [LINE_UPDATE] = {update_comments, COUNT(update_comments)},
                           [LINE_STORE] = {store_comments, COUNT(store_comments)},
                           [LINE_IF] = {if_comments, COUNT(if_comments)},
                           [LINE_EXIT] = {exit_comments, COUNT(exit_comments)},
                           [LINE_LOOP] = {loop_comments, COUNT(loop_comments)},
                           [LINE_ATOMIC] = {atomic_comments, COUNT(atomic_comments)}};
    W(g, "# ");
    sb_c(g->text.out, lists[kind].words[below(g, lists[kind].n)]);
}
