/* SPDX-License-Identifier: Apache-2.0 */
/* The pass list. Each pass rewrites the tree of one function and keeps its meaning. A row states
 * the letter for dumps, the name, what the pass needs, what holds after it, and what it keeps; the
 * head of the pass's file says what it does, with an example.
 *
 * `weft compile --emit ir --dump LETTERS` prints the tree after selected passes. Of the reverse
 * code of `a = x[i] * x[i]; y[i] = a` the letters p and z print, shortened:
 *
 *     k, backward, prune adjoints:            k, backward, place zeroes:
 *        adj_%11 = zero()                        adj_a%13 = load(element(adj_y%9, i%2))
 *        adj_a%13 = zero()                       element(adj_y%9, i%2) = zero()
 *        adj_a%13 += load(element(adj_y...       adj_%11 = mul(%7, adj_a%13)
 *        element(adj_y%9, i%2) = zero()          ...
 *        adj_%11 += mul(%7, adj_a%13)
 *
 * Debug builds verify the tree after each pass (cuda_verify.h) and compare its data flow with that
 * before the pass (cuda_flow.h). */
#include "cuda/cuda_pass.h"

#include "cuda/cuda_dump.h"
#include "cuda/cuda_flow.h"

enum { ALL = CUDA_KEEPS_VALUES | CUDA_KEEPS_SUMS | CUDA_KEEPS_ORIGINS | CUDA_KEEPS_READS };

/* These run before cuda_reroll.c decides whether loops can stay loops: it reads a tree without
 * gotos and without what is dead. */
static const cuda_pass simplify[] = {
    {'s', "structurize", cuda_structurize, 0, CUDA_STRUCTURED,
     CUDA_KEEPS_VALUES | CUDA_KEEPS_SUMS | CUDA_KEEPS_ORIGINS},
    {'p', "prune adjoints", cuda_prune_adjoints, CUDA_STRUCTURED, 0, CUDA_KEEPS_VALUES},
};

/* The order matters. Zeroes are placed before folding, which then moves the first sum to its use.
 * Splitting comes twice: coalescing joins by Python's names what blocks use apart. */
static const cuda_pass passes[] = {
    {'n', "split counters", cuda_split_counters, CUDA_STRUCTURED, CUDA_OWN_COUNTERS, ALL},
    {'v', "split variables", cuda_split, CUDA_OWN_COUNTERS, 0, ALL},
    {'z', "place zeroes", cuda_place_zeroes, CUDA_STRUCTURED, 0, ALL},
    {'f', "fold", cuda_fold, CUDA_OWN_COUNTERS, 0, ALL},
    {'b', "sink sums", cuda_sink_sums, CUDA_STRUCTURED, 0, ALL},
    {'d', "remove dead", cuda_remove_dead, CUDA_STRUCTURED, 0, ALL},
    {'u', "schedule updates", cuda_schedule_updates, CUDA_STRUCTURED, 0, ALL},
    {'c', "coalesce", cuda_coalesce, CUDA_STRUCTURED, 0, ALL},
    {'d', "remove dead", cuda_remove_dead, CUDA_STRUCTURED, 0, ALL},
    {'v', "split variables", cuda_split, CUDA_OWN_COUNTERS, 0, ALL},
    {'k', "name tables", cuda_name_tables, CUDA_STRUCTURED, 0, ALL},
    {'m', "mark usage", cuda_mark_usage, CUDA_STRUCTURED, CUDA_MARKED, ALL},
    {'l', "declare", cuda_declare, CUDA_OWN_COUNTERS, CUDA_DECLARED, ALL},
    {'i', "mark counters", cuda_mark_counters, CUDA_DECLARED, 0, ALL},
};

enum { SIMPLIFY = sizeof simplify / sizeof *simplify, PASSES = sizeof passes / sizeof *passes };

static void dump(const cuda_fn *f, char letter, const char *name)
{
    strbuf *out = f->job->dump_out;
    if (!f->job->dump || !strchr(f->job->dump, letter))
        return;
    cuda_dump_title(f, out);
    sb_printf(out, ", %s:\n", name);
    cuda_dump_tree(f, NULL, out);
    sb_char(out, '\n');
}

/* Runs the n passes of `all` in order. `state`: what already holds of the tree. After an error the
 * tree is incomplete, and passes stop. */
static void run(cuda_fn *f, const cuda_pass *all, uint32_t n, unsigned state)
{
#ifdef WEFT_DEBUG
    cuda_flow *before = cuda_flow_of(f);
#endif
    for (const cuda_pass *p = all; p < all + n && !f->job->failed; p++) {
        WEFT_ASSERT((state & p->needs) == p->needs);
        p->run(f);
        state |= p->gives;
        dump(f, p->letter, p->name);
#ifdef WEFT_DEBUG
        cuda_flow *after = cuda_flow_of(f);
        cuda_verify(f, p, state, before, after);
        before = after;
#endif
    }
}

void cuda_simplify(cuda_fn *f)
{
    f->job->line = 0; /* nodes that passes create have no source line */
    dump(f, 'r', "as read");
#ifdef WEFT_DEBUG
    static const cuda_pass reading = {.letter = 'r', .name = "reading"};
    cuda_verify(f, &reading, 0, NULL, NULL);
#endif
    run(f, simplify, SIMPLIFY, 0);
}

void cuda_run_passes(cuda_fn *f)
{
    WEFT_ASSERT(!f->job->failed);
    run(f, passes, PASSES, CUDA_STRUCTURED);
}

char cuda_pass_letter(uint32_t i, const char **name)
{
    if (!i) {
        *name = "as read";
        return 'r';
    }
    const cuda_pass *p = --i < SIMPLIFY          ? &simplify[i]
                         : i - SIMPLIFY < PASSES ? &passes[i - SIMPLIFY]
                                                 : NULL;
    *name = p ? p->name : NULL;
    return p ? p->letter : 0;
}
