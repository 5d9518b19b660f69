/* SPDX-License-Identifier: Apache-2.0 */
/* A backward text computes again what the forward text of the same device computes: the statements
 * and constants are the same ones. Its adjoints alone would not show all of them: a sum, say, has
 * the same adjoint whatever is added.
 *
 *     forward text:    var_13 = wp::add(var_9, var_12);
 *                      wp::array_store(var_b_new, var_28, var_27);
 *     backward text:   var_13 = wp::add(var_9, var_12);
 *                      // wp::array_store(var_b_new, var_28, var_27);
 *                      wp::adj_add(var_9, var_12, adj_9, adj_12, adj_13);
 *
 * The first two are compared, whatever their order and indentation; the adjoint is not. Both
 * texts are sets of lines: the forward's go into a hash table, each of the backward's must be
 * there, and in the end each must have been met.
 *
 * Not compared is what steers, which the two passes write differently: the heads of loops and
 * branches, and iterators that run the other way. Stores stand in the backward text as comments.
 * Shared tiles have room for their adjoints in the backward pass only: their declarations differ.
 */
#include "validate/validate_record.h"

/* A statement of the forward text in a hash table, by the hash of its text. */
typedef struct statement {
    uint64_t key; /* 0: none */
    bool again;   /* in the other text, too */
    str line;
} statement;

typedef struct statements {
    statement *v;
    uint32_t room; /* a power of two */
} statements;

/* var_3 = ...: what is assigned, or nothing. */
static str assigned(str line)
{
    for (size_t i = 0; i + 3 <= line.n; i++)
        if (line.p[i] == ' ')
            return line.p[i + 1] == '=' && line.p[i + 2] == ' '
                       ? (str){line.p + i + 3, line.n - i - 3}
                       : (str){0};
    return (str){0};
}

/* An integer alone; loops that run the other way begin with another one. */
static bool is_count(str s)
{
    for (size_t i = 0; i + 1 < s.n; i++)
        if ((s.p[i] < '0' || s.p[i] > '9') && !(i == 0 && s.p[i] == '-'))
            return false;
    return s.n > 1;
}

/* Is the line a computation, which both texts must have? No head of a loop or branch is. */
static bool is_compared(str line)
{
    if (line.n < 6 || line.p[line.n - 1] != ';')
        return false;
    if (str_starts(line, "var_")) {
        const str what = assigned(line);
        return what.n && !str_starts(what, "wp::iter_reverse(");
    }
    if (str_starts(line, "const wp::"))
        return true;
    if (str_starts(line, "wp::tile_shared_t<"))
        return false;
    return str_starts(line, "wp::") && !str_starts(line, "wp::adj_") && line.p[line.n - 2] == ')';
}

/* FNV-1a of the line, never 0. Two lines with one key would count as the same: at 2^-63 for a pair
 * that is left to chance. */
static uint64_t key_of(str s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (uint8_t)s.p[i]) * UINT64_C(0x100000001b3);
    return h | 1;
}

/* The next line without its indentation; of a comment that is a statement, the statement. */
static bool next_line(str *rest, str *line)
{
    if (!rest->n)
        return false;
    const char *p = rest->p, *end = memchr(p, '\n', rest->n);
    const size_t n = end ? (size_t)(end - p) : rest->n, whole = end ? n + 1 : n;
    *line = (str){p, n};
    *rest = (str){p + whole, rest->n - whole};
    while (line->n && (*line->p == ' ' || *line->p == '\t'))
        *line = (str){line->p + 1, line->n - 1};
    if (str_starts(*line, "// wp::") || str_starts(*line, "// var_"))
        *line = (str){line->p + 3, line->n - 3};
    return true;
}

/* The place of a key: the table is never full, so the search ends. */
static statement *find(const statements *s, uint64_t key)
{
    WEFT_ASSERT(key && s->room && !(s->room & (s->room - 1)));
    uint32_t at = (uint32_t)(key >> 32) & (s->room - 1);
    while (s->v[at].key && s->v[at].key != key)
        at = (at + 1) & (s->room - 1);
    return &s->v[at];
}

/* The table of the lines that are compared; at least twice as many slots as lines. */
static statements collect(arena *a, str text)
{
    const uint32_t lines = str_count(text, '\n') + 1;
    statements s = {NULL, 16};
    while (s.room < 2 * lines)
        s.room *= 2;
    s.v = arena_zero(a, s.room * sizeof *s.v);
    for (str line; next_line(&text, &line);) {
        if (!is_compared(line))
            continue;
        const uint64_t key = key_of(line);
        *find(&s, key) = (statement){.key = key, .line = line};
    }
    return s;
}

static bool say_line(strbuf *why, const char *what, str line)
{
    sb_c(why, what);
    sb_str(why, (str){line.p, line.n < 120 ? line.n : 120});
    return false;
}

/* An integer that the forward text lacks is no difference: see is_count. */
static bool same(arena *a, str forward, str backward, strbuf *why)
{
    const statements all = collect(a, forward);
    for (str line; next_line(&backward, &line);) {
        if (!is_compared(line))
            continue;
        statement *s = find(&all, key_of(line));
        if (!s->key && str_starts(line, "var_") && is_count(assigned(line)))
            continue;
        if (!s->key)
            return say_line(why,
                            "the backward text computes what the forward text does not: ", line);
        s->again = true;
    }
    for (uint32_t i = 0; i < all.room; i++)
        if (all.v[i].key && !all.v[i].again)
            return say_line(why, "the backward text does not compute: ", all.v[i].line);
    return true;
}

bool validate_repeat(record_validator *rv, const record_view *r, strbuf *why)
{
    for (int d = 0; d < EMIT_DEVICES; d++)
        if (r->texts.forward[d].n && r->texts.backward[d].n &&
            !same(&rv->p.c.module, r->texts.forward[d], r->texts.backward[d], why))
            return false;
    return true;
}
