/* SPDX-License-Identifier: Apache-2.0 */
/* Unified diffs by lines: the shortest edit script of E. Myers, "An O(ND) Difference Algorithm and
 * Its Variations" (1986), in its greedy form. Texts whose script is longer than EDITS_MAX are taken
 * for wholly different between their equal ends. */
#include "cli/line_diff.h"

#include "base/assert.h"

enum { CONTEXT = 3, EDITS_MAX = 2000 };

typedef struct lines {
    const str *v;
    int n;
} lines;

/* What becomes of each line: the deletions of `before`, the insertions of `after`. */
typedef struct edits {
    lines a, b;
    bool *gone, *added;
} edits;

static lines split(arena *in, str text)
{
    str *v = ARENA_ARRAY(in, str, str_count(text, '\n') + 1);
    lines l = {v, 0};
    for (size_t at = 0; at < text.n;) {
        const char *end = memchr(text.p + at, '\n', text.n - at);
        const size_t size = end ? (size_t)(end - text.p) - at : text.n - at;
        v[l.n++] = (str){text.p + at, size};
        at += size + 1;
    }
    return l;
}

/* Marks the edits between the lines from `a` and `b` on, `na` and `nb` of them. reach[d][k] is how
 * far d edits get on diagonal k: that many lines of `a`, and k fewer of `b`. */
static void mark(edits *e, arena *in, int a, int na, int b, int nb)
{
    const int most = na + nb < EDITS_MAX ? na + nb : EDITS_MAX;
    int **reach = ARENA_ARRAY(in, int *, (size_t)most + 1);
    int d = 0, x = 0, y = 0;
    for (; d <= most; d++) {
        reach[d] = ARENA_ARRAY(in, int, 2 * (size_t)d + 1);
        const int *last = d ? reach[d - 1] + (d - 1) : NULL;
        for (int k = -d; k <= d; k += 2) {
            const bool down = d && (k == -d || (k != d && last[k - 1] < last[k + 1]));
            x = !d ? 0 : down ? last[k + 1] : last[k - 1] + 1;
            for (y = x - k; x < na && y < nb && str_eq(e->a.v[a + x], e->b.v[b + y]); y++)
                x++;
            reach[d][k + d] = x;
            if (x >= na && y >= nb)
                break;
        }
        if (x >= na && y >= nb)
            break;
    }
    if (d > most) {
        memset(e->gone + a, true, (size_t)na);
        memset(e->added + b, true, (size_t)nb);
        return;
    }
    for (x = na, y = nb; d > 0; d--) {
        const int *last = reach[d - 1] + (d - 1), k = x - y;
        const bool down = k == -d || (k != d && last[k - 1] < last[k + 1]);
        x = down ? last[k + 1] : last[k - 1];
        y = x - (down ? k + 1 : k - 1);
        if (down)
            e->added[b + y] = true;
        else
            e->gone[a + x] = true;
    }
}

/* Equal ends need no search. */
static edits compare(arena *in, str before, str after)
{
    edits e = {.a = split(in, before), .b = split(in, after)};
    e.gone = arena_zero(in, (size_t)e.a.n + 1);
    e.added = arena_zero(in, (size_t)e.b.n + 1);
    int head = 0, tail = 0;
    const int n = e.a.n < e.b.n ? e.a.n : e.b.n;
    while (head < n && str_eq(e.a.v[head], e.b.v[head]))
        head++;
    while (tail < n - head && str_eq(e.a.v[e.a.n - 1 - tail], e.b.v[e.b.n - 1 - tail]))
        tail++;
    mark(&e, in, head, e.a.n - head - tail, head, e.b.n - head - tail);
    return e;
}

static void put_line(strbuf *out, char sign, str line)
{
    sb_char(out, sign);
    sb_str(out, line);
    sb_char(out, '\n');
}

/* Where a walk through both texts stands. */
typedef struct position {
    int a, b;
} position;

static bool is_change(const edits *e, position p)
{
    return (p.a < e->a.n && e->gone[p.a]) || (p.b < e->b.n && e->added[p.b]);
}

/* Behind the change that begins here. */
static position behind_change(const edits *e, position p)
{
    while (p.a < e->a.n && e->gone[p.a])
        p.a++;
    while (p.b < e->b.n && e->added[p.b])
        p.b++;
    return p;
}

/* The end of the hunk with the change at p: behind its last change, if others follow it within
 * twice the context, and the context. */
static position hunk_end(const edits *e, position p)
{
    int equal = 0;
    while (p.a < e->a.n || p.b < e->b.n) {
        if (is_change(e, p)) {
            p = behind_change(e, p);
            equal = 0;
        } else if (equal++ == 2 * CONTEXT) {
            equal--;
            break;
        } else {
            p = (position){p.a + 1, p.b + 1};
        }
    }
    const int back = equal > CONTEXT ? equal - CONTEXT : 0;
    return (position){p.a - back, p.b - back};
}

static void put_hunk(strbuf *out, const edits *e, position from, position to)
{
    const int na = to.a - from.a, nb = to.b - from.b;
    sb_printf(out, "@@ -%d,%d +%d,%d @@\n", from.a + (na > 0), na, from.b + (nb > 0), nb);
    for (position p = from; p.a < to.a || p.b < to.b;) {
        if (p.a < to.a && e->gone[p.a]) {
            put_line(out, '-', e->a.v[p.a++]);
        } else if (p.b < to.b && e->added[p.b]) {
            put_line(out, '+', e->b.v[p.b++]);
        } else {
            WEFT_ASSERT(p.a < to.a && p.b < to.b);
            put_line(out, ' ', e->a.v[p.a++]);
            p.b++;
        }
    }
}

void line_diff(strbuf *out, arena *a, str before, str after)
{
    const edits e = compare(a, before, after);
    position p = {0, 0}, from = p;
    while (p.a < e.a.n || p.b < e.b.n) {
        if (!is_change(&e, p)) {
            p = (position){p.a + 1, p.b + 1};
            continue;
        }
        const int back = p.a - from.a < CONTEXT ? p.a - from.a : CONTEXT;
        const position begin = {p.a - back, p.b - back};
        from = p = hunk_end(&e, p);
        put_hunk(out, &e, begin, p);
    }
}
