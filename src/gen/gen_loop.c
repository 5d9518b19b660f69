/* SPDX-License-Identifier: Apache-2.0 */
/* Loops, each with an end: a range, or a counter in the condition of a while. What a loop changes
 * is a state whose magnitude is fixed before; a body is written once, however often it runs:
 *
 *     acc = float(0.0)                       n_iter = int(0)
 *     for k in range(4):                     while n_iter < 16 and err < -0.7:
 *         acc += 0.25 * x                        s += tmp + x[tid]
 *                                                n_iter += 1
 *
 * Warp unrolls ranges of constants up to 16 and makes loops of all others. */
#include "gen/gen_arg.h"
#include "gen/gen_coverage.h"
#include "gen/gen_expr.h"
#include "gen/gen_names.h"
#include "gen/gen_size.h"
#include "gen/gen_state.h"
#include "gen/gen_stmt.h"
#include "gen/gen_type.h"
#include "gen/gen_var.h"

/* The least k with 2^k >= n. */
static int log2_up(int n)
{
    WEFT_ASSERT(n >= 1 && n <= 256);
    int k = 0;
    while (1 << k < n)
        k++;
    return k;
}

/* NAME = 4, and range(NAME). False: there is no room for a constant. */
static bool range_named(gen *g, uint32_t size)
{
    /* Names are of the module, and a helper that is left out would leave them unused. */
    if (g->defs.nconsts == CONSTS_MAX || g->defs.in_helper)
        return false;
    static const char *const names[] = {"N", "M", "STEPS", "COUNT", "NUM_TAPS", "SAMPLES", "DIM"};
    const str wanted = str_c(names[below(g, sizeof names / sizeof *names)]);
    for (uint32_t i = 0; i < g->names.ntaken; i++)
        if (str_eq(g->names.taken[i], wanted))
            return false;
    gconst *c = &g->defs.consts[g->defs.nconsts++];
    *c = (gconst){.t = g->in};
    c->name = name_keep(g, wanted);
    c->begin = (uint32_t)g->text.head.n;
    const bool wrapped = below(g, 2) != 0;
    sb_str(&g->text.head, c->name);
    sb_c(&g->text.head, wrapped ? " = wp.constant(" : " = ");
    sb_uint(&g->text.head, size);
    sb_c(&g->text.head, wrapped ? ")\n" : "\n");
    c->end = (uint32_t)g->text.head.n;
    /* Hidden from expressions: it is there to be the range. */
    gvar *v = var_add(g, c->name, g->in, bound_of(8, LOW_POS), V_GLOBAL | V_FIXED | V_HIDDEN);
    v->uses = 1;
    const bool computed = below(g, 3) == 0;
    cover(g, computed ? THING_RANGE_STATIC : THING_RANGE_NAMED);
    sb_c(g->text.out, computed ? "wp.static(" : "");
    put(g, c->name);
    sb_c(g->text.out, computed ? ")" : "");
    return true;
}

/* "range(n)", and seldom with a start, a step, or downwards. The index stays within the dimension
 * in each form. Ranges of constants get no step, and no start but 0, or the name of a constant in
 * place of the number. */
static void put_range(gen *g, uint8_t dim)
{
    const gdim *d = &g->params.dims[dim];
    W(g, "range(");
    switch (d->kind == DIM_FIXED ? 0 : below(g, 12)) {
    /* range(0, n) */
    case 0:
    case 1:
        if (d->kind == DIM_FIXED && below(g, 8))
            break;
        W(g, "0, ");
        cover(g, THING_RANGE_START);
        break;
    /* Leaves out the first element, as stencils do. */
    case 2:
        W(g, "1, ");
        cover(g, THING_RANGE_START);
        break;
    case 3:
        W(g, "0, ");
        cover(g, THING_RANGE_STEP);
        dim_put_size(g, dim);
        W(g, ", 2)");
        return;
    case 4:
        dim_put_size(g, dim);
        W(g, " - 1, -1, -1)");
        cover(g, THING_RANGE_DOWN);
        return;
    default: break;
    }
    /* A fifth of the constants get a name. */
    if (d->kind != DIM_FIXED || below(g, 5) || !range_named(g, d->size))
        dim_put_size(g, dim);
    W(g, ")");
}

/* Depth of the loops around, for coverage and metadata. */
static void cover_depth(gen *g)
{
    static const gen_thing depths[] = {THING_LOOP_1, THING_LOOP_2, THING_LOOP_3};
    WEFT_ASSERT(g->flow.loops > 0);
    cover(g, depths[min_int(g->flow.loops, 3) - 1]);
    if (g->flow.max_loops < (uint32_t)g->flow.loops)
        g->flow.max_loops = (uint32_t)g->flow.loops;
}

/* Warp's backward pass replays the body of a loop from the state before it, and code behind the
 * loop sees that state as well. So what such a loop changes is mostly a sum that nothing reads
 * before it goes into the result as it is. In a twelfth of the loops states stay readable, since
 * people write such kernels too; Warp's gradients of them may be wrong, and records say so. */
static void keep_sums(gen *g)
{
    if (below(g, 12) == 0)
        return;
    for (uint32_t i = g->scope.base; i < g->scope.nvars; i++)
        if (g->scope.vars[i].flags & V_MUTABLE)
            g->scope.vars[i].flags |= V_HIDDEN;
}

/* The index of an unrolled loop is known at compile time; no such name may stand where a want has
 * to vary. */
uint32_t loop_open(gen *g, uint8_t dim)
{
    WEFT_ASSERT(dim < g->params.ndims);
    const gdim *d = &g->params.dims[dim];
    bool unrolled = d->kind == DIM_FIXED && d->size <= 16;
    /* log2 of the number of turns, rounded up. */
    int log = d->kind == DIM_FIXED ? log2_up(d->size) : LOG_DIM;
    uint32_t mark;
    line_open_as(g, LINE_LOOP);
    str name = name_new(g, NAME_LOOP);
    W(g, "for ");
    put(g, name);
    W(g, " in ");
    put_range(g, dim);
    block_open(g, &mark);
    g->flow.loops++;
    g->flow.arms += ARMS_OUTSIDE;
    g->flow.log_turns += log;
    if (unrolled)
        g->flow.unrolled *= d->size;
    else
        keep_sums(g);
    cover(g, unrolled               ? THING_FOR_UNROLLED
             : d->kind == DIM_FIXED ? THING_FOR_CONSTANT
                                    : THING_FOR_SIZE);
    cover_depth(g);
    /* An index is below 2^log and not negative. */
    bound b = {(int8_t)log, LOW_ZERO, unrolled};
    gvar *v = var_add(g, name, g->in, b, V_INDEX);
    v->dim = dim;
    return mark;
}

/* Undoes what loop_open did to gen_flow. */
void loop_close(gen *g, uint8_t dim, uint32_t mark)
{
    const gdim *d = &g->params.dims[dim];
    WEFT_ASSERT(g->flow.loops > 0 && g->flow.unrolled > 0);
    g->flow.loops--;
    g->flow.arms -= ARMS_OUTSIDE;
    g->flow.log_turns -= d->kind == DIM_FIXED ? log2_up(d->size) : LOG_DIM;
    if (d->kind == DIM_FIXED && d->size <= 16)
        g->flow.unrolled /= d->size;
    block_close(g, mark);
}

/* What a loop runs over: a small constant (unrolled), a larger one, the launch's own dimension (all
 * pairs), or an argument or an array's length. Unrolled loops are not nested in each other: their
 * text would be long. */
static uint8_t loop_dim(gen *g)
{
    static const uint8_t small[] = {2, 2, 2, 2, 3, 3, 3, 4};
    static const uint8_t large[] = {17, 20, 24, 32, 50, 64};
    uint32_t k = below(g, 16);
    if (k < 2 && g->flow.unrolled == 1)
        return dim_new(g, DIM_FIXED, small[below(g, sizeof small)]);
    if (k < 6)
        return dim_new(g, DIM_FIXED, large[below(g, sizeof large)]);
    /* All pairs of threads: each reads what others own as inputs. */
    if (k < 8 && g->params.launch_dims)
        return (uint8_t)below(g, g->params.launch_dims);
    return dim_new(g, DIM_FREE, 0);
}

/* An array over the loop's dimension, and mostly the thread's, that exists before the loop: a row
 * of a table, or a vector that all threads read. */
static garg *loop_array(gen *g, uint8_t dim, gtype t)
{
    WEFT_ASSERT(dim < g->params.ndims && g->params.launch_dims >= 1);
    uint8_t dims[RANK_MAX];
    int rank = 0;
    /* x[i, k]: a row for each thread. Else x[k], the same for all. */
    if (g->params.dims[dim].kind != DIM_LAUNCH && below(g, 3))
        dims[rank++] = (uint8_t)below(g, g->params.launch_dims);
    dims[rank++] = dim;
    return arg_table(g, t, dims, rank);
}

/* Is break or continue the target? */
static bool targets_leave(const gen *g)
{
    return target_is(g, THING_BREAK) || target_is(g, THING_CONTINUE);
}

/* if ...: break, or continue. stmt_for writes it only where the range is no constant: Warp does not
 * unroll a range with a jump in it, and loop_open counts on unrolling. */
static void stmt_leave(gen *g)
{
    uint32_t mark;
    line_open(g);
    W(g, "if ");
    cover(g, THING_IF_IN_LOOP);
    gen_cond(g, some(g, 1, 2), PREC_TERNARY);
    block_open(g, &mark);
    line_open(g);
    const bool drawn = below(g, 2) != 0;
    const bool ends = targets_leave(g) ? target_is(g, THING_BREAK) : drawn;
    if (ends)
        W(g, "break");
    else
        W(g, "continue");
    cover(g, ends ? THING_BREAK : THING_CONTINUE);
    line_close(g);
    block_close(g, mark);
    g->flow.branches++;
}

/* An update of any state, with a budget from lo to hi. */
static void stmt_change(gen *g, int lo, int hi)
{
    gvar *v = state_pick(g);
    stmt_update(g, v, some(g, lo, hi));
}

/* A loop that changes states: `statements` definitions at most, `depth` loops in it. Needs a state
 * in scope. An array is made before the head, so that its length can be the range. */
void stmt_for(gen *g, int statements, int depth)
{
    uint8_t dim = loop_dim(g);
    const gdim *d = &g->params.dims[dim];
    /* What is read in the loop: numbers of the kernel's type, or of a state's. */
    gtype t = below(g, 4) || !state_pick(g) ? g->s : state_pick(g)->t;
    uint32_t number = 0;
    if ((d->kind != DIM_FIXED || below(g, 3) == 0) && can_add_input(g))
        number = (uint32_t)(loop_array(g, dim, t) - g->params.args) + 1;
    uint32_t mark = loop_open(g, dim);
    /* x[k], while the loop is open. */
    if (number)
        arg_element(g, &g->params.args[number - 1], 0);
    if (depth > 0)
        stmt_for(g, some(g, 0, 2), depth - 1);
    /* Definitions end with the turn; each is worth a line only in larger kernels. */
    for (int i = 0; i < statements; i++)
        if (extra(g, 50))
            stmt_let(g, g->s, some(g, 2, 4));
    if (d->kind != DIM_FIXED && (extra(g, 20) || (targets_leave(g) && depth == 0)))
        stmt_leave(g);
    if (extra(g, 25))
        stmt_if(g, 1, 0, 50);
    if (depth == 0 || extra(g, 60))
        /* Short kernels have little but this update, so it says more. */
        stmt_change(g, g->size.lines < 10 ? 1 + (int)below(g, 3) : 1, 4);
    loop_close(g, dim, mark);
}

/* The counter ends the loop after 32 turns at most, which log_turns takes as 2^5; a condition may
 * end it sooner. */
void stmt_while(gen *g)
{
    static const uint8_t limits[] = {4, 5, 8, 10, 12, 16, 20, 32};
    int limit = limits[below(g, sizeof limits)];
    uint32_t mark;
    line_open(g);
    str name = name_new(g, NAME_COUNTER);
    put(g, name);
    W(g, " = ");
    put_cast(g, g->in);
    W(g, "0)");
    line_close(g);
    gvar *v = var_add(g, name, g->in, bound_of(log2_up(limit), LOW_ZERO), V_INDEX);
    /* The counter is used by the condition. */
    v->uses = 1;
    line_open_as(g, LINE_LOOP);
    W(g, "while ");
    cover(g, THING_WHILE);
    put(g, name);
    W(g, " < ");
    sb_int(g->text.out, limit);
    keep_sums(g);
    /* In two of three loops something else may end it. */
    if (below(g, 3)) {
        W(g, " and ");
        gen_cond(g, 1, PREC_NOT);
    }
    block_open(g, &mark);
    g->flow.loops++;
    g->flow.arms += ARMS_OUTSIDE;
    g->flow.log_turns += 5;
    cover_depth(g);
    for (int i = some(g, 1, 2); i > 0; i--)
        stmt_change(g, 2, 5);
    line_open(g);
    put(g, name);
    W(g, " += 1");
    line_close(g);
    WEFT_ASSERT(g->flow.loops > 0 && g->flow.unrolled > 0);
    g->flow.loops--;
    g->flow.arms -= ARMS_OUTSIDE;
    g->flow.log_turns -= 5;
    block_close(g, mark);
}
