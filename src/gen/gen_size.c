/* Sizes: how many lines are left for a body, statements until they are used up, and the blank
 * lines and the form of the signature that make a kernel as long as it was asked for. */
#include "gen/gen_internal.h"

static int lines_of_body(gen *g)
{
    if (g->body.n < g->counted)
        g->counted = g->body_lines = 0;
    for (; g->counted < g->body.n; g->counted++)
        g->body_lines += g->body.p[g->counted] == '\n';
    return (int)g->body_lines;
}

/* People begin a line for each argument when there are many. */
static bool wants_lines(const gen *g)
{
    return g->nargs > 4 || (g->nargs > 2 && g->style.long_scalars);
}

int signature_lines(const gen *g)
{
    return wants_lines(g) && g->aim > 12 ? (int)g->nargs + 2 : 1;
}

int room(gen *g)
{
    return g->aim - 1 - signature_lines(g) - lines_of_body(g) - g->reserve;
}

void may_break(gen *g)
{
    if (g->out == &g->body && g->nbreaks < BREAKS_MAX &&
        (!g->nbreaks || g->breaks[g->nbreaks - 1] < g->body.n))
        g->breaks[g->nbreaks++] = (uint32_t)g->body.n;
}

/* --- blank lines ---------------------------------------------------------------------------- */

static void break_at(gen *g, uint32_t k)
{
    const uint32_t at = g->breaks[k];
    sb_char(&g->body, '\n');
    memmove(g->body.p + at + 1, g->body.p + at, g->body.n - at - 1);
    g->body.p[at] = '\n';
    for (uint32_t i = k; i < g->nbreaks; i++)
        g->breaks[i]++;
    for (uint32_t i = k; i + 1 < g->nbreaks; i++)
        g->breaks[i] = g->breaks[i + 1];
    g->nbreaks--;
    g->counted = g->body_lines = 0;
}

bool size_settle(gen *g, int lines, bool *wrapped)
{
    const bool likes = wants_lines(g);
    while (g->nbreaks && g->breaks[g->nbreaks - 1] >= g->body.n)
        g->nbreaks--;               /* nothing followed */
    g->counted = g->body_lines = 0; /* what was taken back and written anew may have been counted */
    const int rest = lines - 1 - lines_of_body(g);
    const int one = rest - 1, many = rest - 2 - (int)g->nargs;
    /* A few blank lines, no more than a person would put. */
    const int most = min_int((int)g->nbreaks, 1 + lines / 6);
    *wrapped = many >= 0 && many <= most && (likes || one > most);
    int blank = *wrapped ? many : one;
    if (blank < 0 || blank > most)
        return false;
    for (; blank > 0; blank--)
        break_at(g, below(g, g->nbreaks));
    return true;
}

/* --- statements ----------------------------------------------------------------------------- */

/* What a long kernel does besides: a further result of its own. */
static void second_result(gen *g)
{
    const uint8_t goal = g->goal;
    garg *a = kernel_output(g, g->s);
    g->goal = goal;
    stmt_store(g, a, some(g, 2, 5));
}

static void branch(gen *g, int space)
{
    if (!state_pick(g))
        stmt_state(g, g->s);
    stmt_if(g, space > 9 ? some(g, 1, 3) : 1, space > 8 ? min_int(g->level->depth, 2) : 0, 50);
}

static void one_more(gen *g, int space, bool branches, bool loops)
{
    const uint32_t k = below(g, 16);
    gvar *v = state_pick(g);
    if (branches && space >= 4 && k < 5) {
        branch(g, space);
    } else if (loops && space >= 5 && k < 9) {
        if (!v)
            stmt_state(g, g->s);
        stmt_for(g, some(g, 0, 2), 0);
    } else if (k < 10 && space >= 8 && g->nargs + 6 < GEN_ARGS_MAX) {
        second_result(g);
    } else if (k == 10 && space > 1) {
        stmt_call(g);
    } else if (v && k < 12) {
        stmt_update(g, v, some(g, 2, 5));
    } else if (k < 14 && stmt_form(g, space)) {
        return;
    } else {
        stmt_let(g, g->s, some(g, 2, 6));
    }
}

void fill_some(gen *g, int lines, bool branches, bool loops)
{
    const uint8_t reserve = g->reserve;
    g->reserve = (uint8_t)(reserve + max_int(room(g) - lines, 0));
    fill(g, branches, loops);
    g->reserve = reserve;
}

void fill(gen *g, bool branches, bool loops)
{
    for (int turn = 0; turn < 80; turn++) {
        const int space = room(g);
        if (space <= 0 || (space <= 2 && g->nbreaks > 2 && below(g, 2)))
            return;
        if (space > 3 && below(g, 3) == 0 && g->level->level > 2)
            g->inputs = (uint8_t)max_int(g->inputs, 1);
        may_break(g);
        one_more(g, space, branches && g->level->depth, loops && g->level->depth);
    }
}
