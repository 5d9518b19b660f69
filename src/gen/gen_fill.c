/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of the kinds that a category may have, until a kernel has the lines of its request.
 * Bodies of categories call fill where their own part is done; what it draws depends on the room
 * that is left:
 *
 *     8 lines or more    a further result of its own
 *     5 or more          a loop, if the category has loops
 *     4 or more          a branch, if it has branches
 *     any                a definition, an update, a call of a builtin, a rarer form
 */
#include "gen/gen_fill.h"

#include "gen/gen_call.h"
#include "gen/gen_kernel.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"

/* What a long kernel does besides: a further result of its own. The goal of other stores stays. */
static void second_result(gen *g)
{
    const uint8_t goal = g->params.goal;
    garg *a = kernel_output(g, g->s);
    g->params.goal = goal;
    stmt_store(g, a, some(g, 2, 5));
}

/* A branch that changes a state; the state is made if there is none. Large rooms get elif arms and
 * branches in branches. */
static void branch(gen *g, int space)
{
    if (!state_pick(g))
        stmt_state(g, g->s);
    stmt_if(g, space > 9 ? some(g, 1, 3) : 1, space > 8 ? min_int(g->size.level->depth, 2) : 0, 50);
}

/* One statement. What is drawn and has no room becomes a definition, which always fits. */
static void one_more(gen *g, int space, bool branches, bool loops)
{
    WEFT_ASSERT(space > 0);
    const uint32_t k = below(g, 16);
    gvar *v = state_pick(g);
    if (branches && space >= 4 && k < 5) {
        branch(g, space);
    } else if (loops && space >= 5 && k < 9) {
        if (!v)
            stmt_state(g, g->s);
        stmt_for(g, some(g, 0, 2), 0);
    } else if (k < 10 && space >= 8 && g->params.nargs + 6 < GEN_ARGS_MAX) {
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

/* Raises the reserve, so that room() ends `lines` lines earlier, and sets it back. */
void fill_some(gen *g, int lines, bool branches, bool loops)
{
    WEFT_ASSERT(lines >= 0);
    const uint8_t reserve = g->size.reserve;
    g->size.reserve = (uint8_t)(reserve + max_int(room(g) - lines, 0));
    fill(g, branches, loops);
    g->size.reserve = reserve;
}

/* Levels without depth have no branches or loops but those of the category itself. From level 3 on
 * inputs may be added while the body grows. 80 turns are more than a kernel has lines; forms may
 * take text back. */
void fill(gen *g, bool branches, bool loops)
{
    for (int turn = 0; turn < 80; turn++) {
        const int space = room(g);
        if (space <= 0 || (space <= 2 && g->size.nbreaks > 2 && below(g, 2)))
            return;
        if (space > 3 && below(g, 3) == 0 && g->size.level->level > 2)
            g->params.inputs = (uint8_t)max_int(g->params.inputs, 1);
        may_break(g);
        one_more(g, space, branches && g->size.level->depth, loops && g->size.level->depth);
    }
}
