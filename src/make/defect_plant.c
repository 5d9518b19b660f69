/* SPDX-License-Identifier: Apache-2.0 */
/* Breaks a kernel by an edit of its tokens: each kind of defect lists all edits that are possible,
 * and one of them is drawn.
 *
 *     x[i] = e   ->   x[i + 1] = e  (bounds), x[0] = e  (race), x[i, 0] = e  (index count)
 *
 * Edits change tokens and not the tree, since some results are no Python any more. A scanner of its
 * own is enough for that: the source is the generator's, so it has a known layout. It need not be
 * right either: repair.c keeps only edits that lead to the diagnostic or the run that is meant. */
#include "make/defect_plant.h"

#include "base/ascii.h"
#include "base/vec.h"

/* --- tokens -------------------------------------------------------------------------------- */

typedef struct token {
    size_t at, n;      /* in the source */
    bool name, number; /* a word that begins with a letter, with a digit; neither: one character */
    bool starts;       /* the first one of its line */
} token;

/* Replace n bytes at `at` by text. */
typedef struct edit {
    size_t at, n;
    str text;
} edit;

typedef struct planter {
    arena *a;
    str source;
    VEC(token) t;    /* of the kernel, from its decorator on */
    uint32_t body;   /* the first token of the kernel's body */
    VEC(edit) edits; /* all that are possible, of which one is drawn */
    rng *r;
} planter;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Behind a string that begins at `at`, be its quotes one or three. */
static size_t skip_string(str s, size_t at)
{
    const char quote = s.p[at];
    const bool triple = at + 2 < s.n && s.p[at + 1] == quote && s.p[at + 2] == quote;
    for (at += triple ? 3 : 1; at < s.n; at++) {
        if (s.p[at] == '\\')
            at++;
        else if (s.p[at] == quote && !triple)
            return at + 1;
        else if (s.p[at] == quote && at + 2 < s.n && s.p[at + 1] == quote && s.p[at + 2] == quote)
            return at + 3;
    }
    return s.n;
}

/* Behind the name or number at `at`. A number takes its point and its exponent along: 1.5e-3. */
static size_t word_end(str s, size_t at)
{
    const bool number = ascii_is_digit(s.p[at]);
    while (at < s.n &&
           (is_letter(s.p[at]) || ascii_is_digit(s.p[at]) || (number && s.p[at] == '.') ||
            (number && (s.p[at] == '-' || s.p[at] == '+') && s.p[at - 1] == 'e')))
        at++;
    return at;
}

/* The tokens from the kernel's decorator on. Strings and comments are none. */
static void scan(planter *p, size_t from)
{
    const str s = p->source;
    bool first = true;
    for (size_t at = from; at < s.n;) {
        const char c = s.p[at];
        if (c == '\n' || c == ' ') {
            first |= c == '\n';
            at++;
            continue;
        }
        if (c == '#') {
            while (at < s.n && s.p[at] != '\n')
                at++;
            continue;
        }
        if (c == '"' || c == '\'') {
            at = skip_string(s, at);
            first = false;
            continue;
        }
        const bool name = is_letter(c), number = ascii_is_digit(c);
        const size_t end = name || number ? word_end(s, at) : at + 1;
        const token t = {at, end - at, name, number, first};
        VEC_PUSH(p->a, &p->t, t);
        first = false;
        at = end;
    }
}

/* The text of token i, empty behind the last one: edits look ahead without counting. */
static str text_of(const planter *p, uint32_t i)
{
    return i < p->t.n ? (str){p->source.p + p->t.v[i].at, p->t.v[i].n} : (str){"", 0};
}

static bool is(const planter *p, uint32_t i, const char *what)
{
    return str_eq(text_of(p, i), str_c(what));
}

/* The closing bracket of the one at i; p->t.n: there is none. */
static uint32_t closing(const planter *p, uint32_t i)
{
    uint32_t depth = 0;
    for (; i < p->t.n; i++) {
        const str s = text_of(p, i);
        if (s.n == 1 && strchr("([{", s.p[0]))
            depth++;
        else if (s.n == 1 && strchr(")]}", s.p[0]) && --depth == 0)
            return i;
    }
    return i;
}

/* The first token of the next line. */
static uint32_t line_end(const planter *p, uint32_t i)
{
    do
        i++;
    while (i < p->t.n && !p->t.v[i].starts);
    return i;
}

/* Where the body begins; false: the source is of another form. */
static bool open_kernel(planter *p)
{
    const char *kernel = str_find(p->source, STR("@wp.kernel"));
    if (!kernel)
        return false;
    scan(p, (size_t)(kernel - p->source.p));
    uint32_t i = 0;
    while (i < p->t.n && !is(p, i, "def"))
        i++;
    i = i < p->t.n ? closing(p, i + 2) : i;
    while (i < p->t.n && !is(p, i, ":"))
        i++;
    p->body = i + 1;
    return p->body < p->t.n;
}

/* --- edits --------------------------------------------------------------------------------- */

/* Adds an edit to the list; the text is copied. */
static void add(planter *p, size_t at, size_t n, str text)
{
    WEFT_ASSERT(at <= p->source.n && n <= p->source.n - at);
    const edit e = {at, n, {arena_dup(p->a, text.p, text.n), text.n}};
    VEC_PUSH(p->a, &p->edits, e);
}

static void replace(planter *p, uint32_t i, const char *text)
{
    WEFT_ASSERT(i < p->t.n);
    add(p, p->t.v[i].at, p->t.v[i].n, str_c(text));
}

static void insert_before(planter *p, uint32_t i, const char *text)
{
    add(p, p->t.v[i].at, 0, str_c(text));
}

/* From token i up to token end, end excluded. */
static void remove_range(planter *p, uint32_t i, uint32_t end)
{
    WEFT_ASSERT(i < end && end <= p->t.n);
    const token *last = &p->t.v[end - 1];
    add(p, p->t.v[i].at, last->at + last->n - p->t.v[i].at, (str){"", 0});
}

/* Words that are no variables: Python's, and names that kernels use as functions or modules. */
static bool is_keyword(str s)
{
    static const char *const words[] = {"if",    "elif",     "else", "for",   "while", "in",
                                        "and",   "or",       "not",  "def",   "break", "return",
                                        "range", "continue", "True", "False", "wp",    "float",
                                        "int",   "bool",     "pass"};
    return STR_IS_IN(s, words);
}

/* Does the kernel have such a name? A slip that gives one would not be an undefined name. */
static bool is_known(const planter *p, str name)
{
    for (uint32_t i = 0; i < p->t.n; i++)
        if (str_eq(text_of(p, i), name))
            return true;
    return false;
}

/* A slip of the fingers: two letters exchanged, one left out, or one typed twice. */
static void add_slip(planter *p, uint32_t i)
{
    const str s = text_of(p, i);
    strbuf b;
    if (s.n < 2)
        return;
    sb_init(&b, p->a->m);
    const uint32_t how = rng_below(p->r, 3);
    const size_t at = rng_below(p->r, (uint32_t)s.n - 1);
    sb_put(&b, s.p, at);
    if (how == 0) {
        sb_char(&b, s.p[at + 1]);
        sb_char(&b, s.p[at]);
        sb_put(&b, s.p + at + 2, s.n - at - 2);
    } else if (how == 1) {
        sb_put(&b, s.p + at + 1, s.n - at - 1);
    } else {
        sb_char(&b, s.p[at]);
        sb_put(&b, s.p + at, s.n - at);
    }
    if (!ascii_is_digit(b.p[0]) && !is_known(p, sb_view(&b)) && !is_keyword(sb_view(&b)))
        add(p, p->t.v[i].at, s.n, sb_view(&b));
    sb_clear(&b);
}

/* wp.NAME( begins at token i. */
static bool is_builtin_call(const planter *p, uint32_t i)
{
    return is(p, i, "wp") && is(p, i + 1, ".") && is(p, i + 3, "(");
}

/* A statement `NAME[...] = ...` begins at token i: its '=', or 0. */
static uint32_t store_at(const planter *p, uint32_t i)
{
    WEFT_ASSERT(i < p->t.n);
    if (!p->t.v[i].starts || !p->t.v[i].name || !is(p, i + 1, "["))
        return 0;
    const uint32_t end = closing(p, i + 1);
    return end + 2 < p->t.n && is(p, end + 1, "=") && !is(p, end + 2, "=") ? end + 1 : 0;
}

/* Is token i a variable that is read? No keyword, attribute, function that is called, or target. */
static bool is_use(const planter *p, uint32_t i)
{
    return p->t.v[i].name && !is_keyword(text_of(p, i)) && !is(p, i - 1, ".") &&
           !is(p, i + 1, "(") && !(is(p, i + 1, "=") && !is(p, i + 2, "="));
}

/* Each of the functions below lists the edits of one kind of defect (record/defect.def) at token i.
 */

/* x + y becomes x + yy. */
static void names(planter *p, uint32_t i)
{
    if (is_use(p, i) && !p->t.v[i].starts)
        add_slip(p, i);
}

/* wp.sqrt(x) becomes wp.sqtr(x). */
static void functions(planter *p, uint32_t i)
{
    if (is_builtin_call(p, i) && !is(p, i + 2, "tid"))
        add_slip(p, i + 2);
}

/* wp.sqrt(x) becomes sqrt(x). */
static void prefixes(planter *p, uint32_t i)
{
    if (is_builtin_call(p, i))
        remove_range(p, i, i + 2);
}

/* The line `NAME = ...` is left out, if the statement is on one line. */
static void definitions(planter *p, uint32_t i)
{
    const token *t = &p->t.v[i];
    if (!t->starts || !t->name || is_keyword(text_of(p, i)) || !is(p, i + 1, "="))
        return;
    size_t from = t->at, end = t->at;
    while (from && p->source.p[from - 1] == ' ')
        from--;
    while (end < p->source.n && p->source.p[end] != '\n')
        end++;
    const uint32_t next = line_end(p, i);
    if (next < p->t.n && p->t.v[next].at > end)
        add(p, from, end + 1 - from, (str){"", 0});
}

/* Names of scalar types, which convert when they are called. */
static bool is_conversion(str s)
{
    static const char *const words[] = {"float",  "int",    "float16", "float32", "float64",
                                        "int8",   "int16",  "int32",   "int64",   "uint8",
                                        "uint16", "uint32", "uint64"};
    return STR_IS_IN(s, words);
}

/* TYPE(x) becomes x. */
static void casts(planter *p, uint32_t i)
{
    const bool prefixed = is(p, i, "wp") && is(p, i + 1, ".");
    const uint32_t type = prefixed ? i + 2 : i;
    if (!is_conversion(text_of(p, type)) || !is(p, type + 1, "(") || is(p, i - 1, "."))
        return;
    const uint32_t end = closing(p, type + 1);
    if (end >= p->t.n || end == type + 2)
        return;
    const size_t from = p->t.v[type + 2].at, to = p->t.v[end].at;
    add(p, p->t.v[i].at, to + 1 - p->t.v[i].at, (str){p->source.p + from, to - from});
}

/* 2.0 becomes 2. */
static void literals(planter *p, uint32_t i)
{
    const str s = text_of(p, i);
    if (p->t.v[i].number && s.n > 2 && s.p[s.n - 1] == '0' && s.p[s.n - 2] == '.')
        add(p, p->t.v[i].at, s.n, (str){s.p, s.n - 2});
}

/* x[i] = e becomes x[i] = int(e), or float(e). */
static void stores(planter *p, uint32_t i)
{
    static const char *const types[] = {"int(", "float(", "wp.float64(", "wp.vec3("};
    const uint32_t equal = store_at(p, i), end = line_end(p, i);
    if (!equal || equal + 1 >= end)
        return;
    const token *last = &p->t.v[end - 1];
    const size_t from = p->t.v[equal + 1].at, to = last->at + last->n;
    strbuf b;
    sb_init(&b, p->a->m);
    sb_c(&b, types[rng_below(p->r, sizeof types / sizeof *types)]);
    sb_put(&b, p->source.p + from, to - from);
    sb_char(&b, ')');
    add(p, from, to - from, sb_view(&b));
    sb_clear(&b);
}

/* x[i] becomes x[i, 0]; x[i, j] becomes x[i]. */
static void index_counts(planter *p, uint32_t i)
{
    if (!is_use(p, i) || !is(p, i + 1, "["))
        return;
    const uint32_t end = closing(p, i + 1);
    if (end >= p->t.n)
        return;
    uint32_t comma = 0;
    for (uint32_t k = i + 2; k < end; k++) {
        const str s = text_of(p, k);
        if (s.n == 1 && strchr("([{", s.p[0]))
            k = closing(p, k);
        else if (is(p, k, ","))
            comma = k;
    }
    insert_before(p, end, ", 0");
    if (comma)
        remove_range(p, comma, end);
}

/* f(a, b) becomes f(a). */
static void arguments(planter *p, uint32_t i)
{
    if (!is_builtin_call(p, i))
        return;
    const uint32_t end = closing(p, i + 3);
    uint32_t comma = 0;
    for (uint32_t k = i + 4; k < end && k < p->t.n; k++) {
        const str s = text_of(p, k);
        if (s.n == 1 && strchr("([{", s.p[0]))
            k = closing(p, k);
        else if (is(p, k, ","))
            comma = k;
    }
    if (comma && end < p->t.n)
        remove_range(p, comma, end);
}

/* x[i] = e becomes return e. */
static void returns(planter *p, uint32_t i)
{
    const uint32_t equal = store_at(p, i);
    if (equal)
        add(p, p->t.v[i].at, p->t.v[equal].at + 1 - p->t.v[i].at, STR("return"));
}

/* A colon at the end of a line, or a closing bracket, is left out. */
static void syntax(planter *p, uint32_t i)
{
    if ((is(p, i, ":") && i + 1 < p->t.n && p->t.v[i + 1].starts) ||
        (is(p, i, ")") && !p->t.v[i].starts))
        replace(p, i, "");
}

/* x[i] becomes x[i + 1]. */
static void bounds(planter *p, uint32_t i)
{
    if (!is_use(p, i) || !is(p, i + 1, "["))
        return;
    for (uint32_t k = i + 2; k < p->t.n && p->t.v[k].name; k += 2) {
        if (!is(p, k + 1, ",") && !is(p, k + 1, "]"))
            break;
        add(p, p->t.v[k].at + p->t.v[k].n, 0, STR(" + 1"));
        if (is(p, k + 1, "]"))
            break;
    }
}

/* x[i] = e becomes x[0] = e, or x[i // 2] = e. */
static void races(planter *p, uint32_t i)
{
    const uint32_t equal = store_at(p, i);
    if (!equal || str_find(p->source, STR("atomic")))
        return;
    for (uint32_t k = i + 2; k < equal && p->t.v[k].name; k += 2) {
        if (!is(p, k + 1, ",") && !is(p, k + 1, "]"))
            break;
        replace(p, k, "0");
        add(p, p->t.v[k].at + p->t.v[k].n, 0, STR(" // 2"));
    }
}

/* x: wp.array(dtype=float) becomes x: wp.array(dtype=int). */
static void parameters(planter *p)
{
    static const char *const swaps[][2] = {
        {"float", "int"},       {"int", "float"},     {"float32", "int32"}, {"float64", "float32"},
        {"int32", "float32"},   {"vec2", "vec3"},     {"vec3", "vec2"},     {"vec4", "vec3"},
        {"vec2f", "vec3f"},     {"vec3f", "vec2f"},   {"vec4f", "vec3f"},   {"mat22", "mat33"},
        {"mat33", "mat22"},     {"mat44", "mat33"},   {"int64", "int32"},   {"uint32", "int32"},
        {"float16", "float32"}, {"array2d", "array"}, {"vec2d", "vec2f"},   {"vec3d", "vec3f"}};
    for (uint32_t i = 0; i < p->body; i++)
        for (size_t k = 0; k < sizeof swaps / sizeof *swaps; k++)
            if (is(p, i, swaps[k][0]))
                replace(p, i, swaps[k][1]);
}

/* Lists the edits of one kind at all tokens of the body. */
static void in_body(planter *p, void (*at)(planter *, uint32_t))
{
    for (uint32_t i = p->body; i < p->t.n; i++)
        at(p, i);
}

/* In the order of the source, so that the draw depends on source and stream only. */
static void list_edits(planter *p, defect_kind k)
{
    static void (*const at[])(planter *, uint32_t) = {[DEFECT_UNDEFINED_NAME] = names,
                                                      [DEFECT_UNKNOWN_FUNCTION] = functions,
                                                      [DEFECT_MISSING_PREFIX] = prefixes,
                                                      [DEFECT_MISSING_DEFINITION] = definitions,
                                                      [DEFECT_MISSING_CAST] = casts,
                                                      [DEFECT_WRONG_LITERAL] = literals,
                                                      [DEFECT_STORE_TYPE] = stores,
                                                      [DEFECT_INDEX_COUNT] = index_counts,
                                                      [DEFECT_ARGUMENT_COUNT] = arguments,
                                                      [DEFECT_KERNEL_RETURNS] = returns,
                                                      [DEFECT_SYNTAX] = syntax,
                                                      [DEFECT_OUT_OF_BOUNDS] = bounds,
                                                      [DEFECT_RACE] = races};
    WEFT_ASSERT(k == DEFECT_PARAMETER_TYPE || (k < sizeof at / sizeof *at && at[k]));
    if (k == DEFECT_PARAMETER_TYPE)
        parameters(p);
    else
        in_body(p, at[k]);
}

/* An edit of this kind that is drawn; false: there is no place for one. */
static bool draw_edit(arena *a, defect_kind k, str source, rng *r, edit *out)
{
    planter p = {.a = a, .source = source, .r = r};
    if (!open_kernel(&p))
        return false;
    list_edits(&p, k);
    if (p.edits.n)
        *out = p.edits.v[rng_below(r, p.edits.n)];
    return p.edits.n;
}

/* The source from `from` up to `to` with the edit, which lies there. */
static void put_edited(strbuf *out, str source, size_t from, size_t to, const edit *e)
{
    sb_put(out, source.p + from, e->at - from);
    sb_str(out, e->text);
    sb_put(out, source.p + e->at + e->n, to - e->at - e->n);
}

bool defect_plant(arena *a, defect_kind k, str source, rng *r, strbuf *out)
{
    edit e;
    if (!draw_edit(a, k, source, r, &e))
        return false;
    put_edited(out, source, 0, source.n, &e);
    return true;
}

bool defect_plant_two(arena *a, const defect_kind k[2], str source, rng *r, strbuf *both,
                      strbuf *first, strbuf *second)
{
    edit e[2];
    if (!draw_edit(a, k[0], source, r, &e[0]) || !draw_edit(a, k[1], source, r, &e[1]))
        return false;
    const int lower = e[1].at < e[0].at;
    const edit *low = &e[lower], *high = &e[!lower];
    if (low->at + low->n >= high->at)
        return false;
    put_edited(first, source, 0, source.n, &e[0]);
    put_edited(second, source, 0, source.n, &e[1]);
    put_edited(both, source, 0, high->at, low);
    put_edited(both, source, high->at, source.n, high);
    return true;
}
