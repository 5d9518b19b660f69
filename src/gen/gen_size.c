/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes: how many lines are left for a body, and the blank lines and the form of the signature that
 * make a kernel exactly as long as its request.
 *
 *     request of 9 lines: decorator, signature on one line, 6 lines of body
 *     ->  a blank line before a paragraph of the body, where one may stand
 */
#include "gen/gen_size.h"

#include "gen/gen_state.h"

/* Lines of the body, counted from where the last count ended. Text may have been taken back since,
 * which makes the buffer shorter: then from the start. */
static int lines_of_body(gen *g)
{
    if (g->text.body.n < g->size.counted)
        g->size.counted = g->size.body_lines = 0;
    for (; g->size.counted < g->text.body.n; g->size.counted++)
        g->size.body_lines += g->text.body.p[g->size.counted] == '\n';
    WEFT_ASSERT(g->size.body_lines <= g->text.body.n);
    return (int)g->size.body_lines;
}

/* People begin a line for each argument when there are many. */
static bool wants_lines(const gen *g)
{
    WEFT_ASSERT(g->params.nargs <= GEN_ARGS_MAX);
    return g->params.nargs > 4 || (g->params.nargs > 2 && g->names.style.long_scalars);
}

/* The lines of a signature in the form that fits best: short kernels always have one line, since
 * the lines are needed for the body. */
static int signature_lines(const gen *g)
{
    return wants_lines(g) && g->size.aim > 12 ? (int)g->params.nargs + 2 : 1;
}

/* Less than 0 where the body has grown beyond its aim; callers that must write a last line do so
 * all the same, and the candidate is thrown away if it is too long. The 1 is the decorator. */
int room(gen *g)
{
    return g->size.aim - 1 - signature_lines(g) - lines_of_body(g) - g->size.reserve;
}

/* Places rise and are counted once; texts of helpers have none. */
void may_break(gen *g)
{
    if (g->text.out == &g->text.body && g->size.nbreaks < BREAKS_MAX &&
        (!g->size.nbreaks || g->size.breaks[g->size.nbreaks - 1] < g->text.body.n))
        g->size.breaks[g->size.nbreaks++] = (uint32_t)g->text.body.n;
}

/* --- blank lines ---------------------------------------------------------------------------- */

/* Puts a blank line at place k, which moves all later places, and takes the place out. */
static void break_at(gen *g, uint32_t k)
{
    WEFT_ASSERT(k < g->size.nbreaks && g->size.breaks[k] < g->text.body.n);
    const uint32_t at = g->size.breaks[k];
    sb_char(&g->text.body, '\n');
    memmove(g->text.body.p + at + 1, g->text.body.p + at, g->text.body.n - at - 1);
    g->text.body.p[at] = '\n';
    for (uint32_t i = k; i < g->size.nbreaks; i++)
        g->size.breaks[i]++;
    for (uint32_t i = k; i + 1 < g->size.nbreaks; i++)
        g->size.breaks[i] = g->size.breaks[i + 1];
    g->size.nbreaks--;
    g->size.counted = g->size.body_lines = 0;
}

/* Tries one line for the signature, and many where the author likes that or the body is too short.
 * What is still missing becomes blank lines, a few at most: more than a line in six looks
 * padded. */
bool size_settle(gen *g, int lines, bool *wrapped)
{
    WEFT_ASSERT(lines >= 0 && g->text.out == &g->text.body);
    const bool likes = wants_lines(g);
    while (g->size.nbreaks && g->size.breaks[g->size.nbreaks - 1] >= g->text.body.n)
        g->size.nbreaks--; /* nothing followed */
    g->size.counted = g->size.body_lines =
        0; /* what was taken back and written anew may have been counted */
    const int rest = lines - 1 - lines_of_body(g);
    const int one = rest - 1, many = rest - 2 - (int)g->params.nargs;
    /* A few blank lines, no more than a person would put. */
    const int most = min_int((int)g->size.nbreaks, 1 + lines / 6);
    *wrapped = many >= 0 && many <= most && (likes || one > most);
    int blank = *wrapped ? many : one;
    if (blank < 0 || blank > most)
        return false;
    for (; blank > 0; blank--)
        break_at(g, below(g, g->size.nbreaks));
    return true;
}
