/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and evaluates licence expressions (spdx.h). One recursive descent does all: it evaluates
 * what it reads, and writes it anew where that is wanted. Operators may be in small letters, as
 * SPDX 3 has it, but not mixed. */
#include "record/spdx.h"

#include "base/ascii.h"
#include "base/nearest.h"

static const char *const ids[] = {
#define ID(id) id,
#define EXCEPTION(id)
#include "record/spdx_id.def"
#undef EXCEPTION
#undef ID
};
static const char *const exceptions[] = {
#define ID(id)
#define EXCEPTION(id) id,
#include "record/spdx_id.def"
#undef EXCEPTION
#undef ID
};
enum { IDS = sizeof ids / sizeof *ids, EXCEPTIONS = sizeof exceptions / sizeof *exceptions };
enum { DEPTH_MOST = 32 };

/* An expression in work. */
typedef struct spdx_reader {
    const char *at, *end;
    const char *list; /* ids that are wanted; NULL: all that are known */
    strbuf *out;      /* gets the expression; may be NULL */
    int depth;
    bool broken;
} spdx_reader;

/* --- ids ------------------------------------------------------------------------------------- */

static bool same(str a, str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (ascii_lower(a.p[i]) != ascii_lower(b.p[i]))
            return false;
    return true;
}

/* As the list has it; empty: it has none of this name. */
static str find(const char *const *names, size_t n, str name)
{
    for (size_t i = 0; i < n; i++)
        if (same(name, str_c(names[i])))
            return str_c(names[i]);
    return STR("");
}

static bool ends_with(str s, str end)
{
    return s.n > end.n && same((str){s.p + s.n - end.n, end.n}, end);
}

/* Without what says whether later versions are meant. */
static str plain(str id)
{
    static const char *const ends[] = {"+", "-only", "-or-later"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(id, str_c(ends[i])))
            id.n -= strlen(ends[i]);
    return id;
}

/* The next id of "mit, isc", without the spaces around it; false: there is none. */
static bool next_listed(const char **list, str *id)
{
    while (**list == ',' || **list == ' ')
        ++*list;
    const size_t n = strcspn(*list, ",");
    *id = (str){*list, n};
    *list += n;
    while (id->n && id->p[id->n - 1] == ' ')
        id->n--;
    return n > 0;
}

static bool has_id(const char *list, str id)
{
    for (str one; next_listed(&list, &one);)
        if (same(plain(one), plain(id)))
            return true;
    return false;
}

static str small(arena *a, const char *id)
{
    const size_t n = strlen(id);
    char *p = arena_dup(a, id, n);
    for (size_t i = 0; i < n; i++)
        p[i] = ascii_lower(p[i]);
    return (str){p, n};
}

str spdx_unknown_id(arena *a, const char *list, str *near)
{
    *near = STR("");
    for (str one; next_listed(&list, &one);) {
        nearest n;
        if (find(ids, IDS, one).n || find(ids, IDS, plain(one)).n)
            continue;
        nearest_init(&n, small(a, arena_dup(a, one.p, one.n)));
        for (size_t i = 0; i < IDS; i++)
            nearest_offer(&n, small(a, ids[i]));
        *near = n.best.p ? n.best : STR("");
        return one;
    }
    return STR("");
}

/* --- words ----------------------------------------------------------------------------------- */

static bool is_of_id(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '-' || c == '.' || c == ':' || c == '+';
}

/* The next word or parenthesis, which stays; empty at the end. */
static str peek(spdx_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
    const char *p = r->at;
    if (p < r->end && (*p == '(' || *p == ')'))
        return (str){p, 1};
    while (p < r->end && is_of_id(*p))
        p++;
    return (str){r->at, (size_t)(p - r->at)};
}

static void put(const spdx_reader *r, str word)
{
    if (r->out)
        sb_str(r->out, word);
}

/* Takes an operator, which comes out in capitals. */
static bool take_operator(spdx_reader *r, const char *large, const char *small)
{
    const str word = peek(r);
    if (!str_eq(word, str_c(large)) && !str_eq(word, str_c(small)))
        return false;
    r->at += word.n;
    put(r, STR(" "));
    put(r, str_c(large));
    put(r, STR(" "));
    return true;
}

static bool is_operator(str word)
{
    return same(word, STR("AND")) || same(word, STR("OR")) || same(word, STR("WITH"));
}

/* A name: of a licence or of an exception; *known is its usual spelling, or empty. */
static str take_name(spdx_reader *r, const char *const *names, size_t n, str *known)
{
    const str word = peek(r);
    r->broken |= !word.n || *word.p == '(' || *word.p == ')' || is_operator(word);
    const bool later = word.n > 1 && word.p[word.n - 1] == '+';
    const str name = {word.p, word.n - later};
    *known = find(names, n, name);
    put(r, known->n ? *known : name);
    put(r, later ? STR("+") : STR(""));
    r->at += word.n;
    return word;
}

/* --- grammar --------------------------------------------------------------------------------- */

static bool read_choice(spdx_reader *r);

/* A licence, maybe with an exception, or an expression in parentheses. */
static bool read_one(spdx_reader *r)
{
    str known, exception;
    if (str_eq(peek(r), STR("("))) {
        r->at++;
        put(r, STR("("));
        const bool inner = ++r->depth < DEPTH_MOST ? read_choice(r) : (r->broken = true);
        r->depth--;
        r->broken |= !str_eq(peek(r), STR(")"));
        r->at += !r->broken;
        put(r, STR(")"));
        return inner;
    }
    const str id = take_name(r, ids, IDS, &known);
    bool good = known.n && (!r->list || has_id(r->list, id));
    if (take_operator(r, "WITH", "with")) {
        take_name(r, exceptions, EXCEPTIONS, &exception);
        good = good && exception.n;
    }
    return good;
}

static bool read_all(spdx_reader *r)
{
    bool good = read_one(r);
    while (!r->broken && take_operator(r, "AND", "and"))
        good = read_one(r) && good;
    return good;
}

static bool read_choice(spdx_reader *r)
{
    bool good = read_all(r);
    while (!r->broken && take_operator(r, "OR", "or"))
        good = read_all(r) || good;
    return good;
}

/* *broken: it is no expression. */
static bool evaluate(str text, const char *list, strbuf *out, bool *broken)
{
    *broken = !text.n;
    if (*broken) /* no pointer may be there */
        return false;
    spdx_reader r = {.at = text.p, .end = text.p + text.n, .list = list, .out = out};
    const bool good = read_choice(&r);
    *broken = r.broken || peek(&r).n || r.at < r.end;
    return good && !*broken;
}

str spdx_read(arena *a, str text)
{
    strbuf out;
    bool broken;
    sb_init(&out, a->m);
    const bool good = evaluate(text, NULL, &out, &broken);
    const str copy = {arena_dup(a, out.p, out.n), out.n};
    sb_clear(&out);
    return good ? copy : STR("");
}

bool spdx_is_listed(str expression, const char *list)
{
    bool broken;
    return evaluate(expression, list, NULL, &broken);
}

/* --- joining --------------------------------------------------------------------------------- */

/* The next part of "A AND (B OR C)", the operator not within parentheses; false: there is none. */
static bool next_part(str all, size_t *at, str *part)
{
    static const char between[] = " AND ";
    enum { BETWEEN = sizeof between - 1 };
    const size_t from = *at;
    int depth = 0;
    for (; *at < all.n; ++*at) {
        const char *p = all.p + *at;
        depth += (*p == '(') - (*p == ')');
        if (!depth && all.n - *at > BETWEEN && memcmp(p, between, BETWEEN) == 0) {
            *part = (str){all.p + from, *at - from};
            *at += BETWEEN;
            return true;
        }
    }
    *part = (str){all.p + from, all.n - from};
    return all.n > from;
}

static bool has_part(str all, str part)
{
    str one;
    for (size_t at = 0; next_part(all, &at, &one);)
        if (str_eq(one, part))
            return true;
    return false;
}

/* The operator that binds least decides whether it can stand beside AND. */
static str as_part(arena *a, str x)
{
    int depth = 0;
    for (size_t i = 0; i < x.n; i++) {
        depth += (x.p[i] == '(') - (x.p[i] == ')');
        if (!depth && str_starts((str){x.p + i, x.n - i}, " OR "))
            return str_c(arena_printf(a, "(%.*s)", (int)x.n, x.p));
    }
    return x;
}

str spdx_join(arena *a, str x, str y)
{
    str part;
    if (str_eq(x, y))
        return x;
    str all = as_part(a, x);
    const str more = as_part(a, y);
    for (size_t at = 0; next_part(more, &at, &part);)
        if (!has_part(all, part))
            all = str_c(arena_printf(a, "%.*s AND %.*s", (int)all.n, all.p, (int)part.n, part.p));
    return all;
}
