/* SPDX-License-Identifier: Apache-2.0 */
/* Mutation analysis of inputs: would they show that the kernel is wrong?
 *
 *     var_4 = wp::sub(var_1, var_2)      mutant: wp::sub(var_2, var_1)
 *     expected y                         the mutant's y differs: it is killed
 *
 * A mutant is killed where it ends with an error, takes far more steps than the kernel, or leaves
 * arrays that the caller's comparison tells from the expected ones. Statements that these inputs do
 * not reach have mutants that survive, so the share of killed mutants counts branches too. */
#include "inputs/inputs.h"

enum { ALL_MAX = 1024 };

/* Runs the text as it is now. False: it failed. */
static bool run(const inputs_subject *s, const textvm_launch *launch)
{
    textvm_error error = {0};
    s->reset(s->arg);
    return textvm_run(s->text, launch, &error);
}

/* Fuel of a mutant beside a text that takes so many steps: a loop that has become far longer ends
 * early, one that is a few times as long is let be. */
static uint64_t fuel_of_mutant(uint64_t steps, uint64_t most)
{
    enum { LONGER = 100, LEAST = 100000, SOME = 4 };
    const uint64_t fuel = LONGER * steps + LEAST;
    return !most || fuel < most ? fuel : SOME * steps > most ? SOME * steps : most;
}

/* Puts the vital ones of n mutants first; each part keeps its order. Returns how many there are. */
static uint32_t vital_first(const textvm *text, textvm_mutant *all, uint32_t n)
{
    textvm_mutant rest[2 * ALL_MAX];
    uint32_t vital = 0, others = 0;
    for (uint32_t i = 0; i < n; i++)
        if (textvm_drops_gradient(text, &all[i]))
            all[vital++] = all[i];
        else
            rest[others++] = all[i];
    if (others)
        memcpy(all + vital, rest, others * sizeof *rest);
    return vital;
}

/* Of n mutants so many, the middle one of as many stretches of the text. */
static void draw_part(const textvm_mutant *all, uint32_t n, uint32_t many, bool vital,
                      inputs_mutants *out)
{
    WEFT_ASSERT(many <= n && out->n + many <= INPUTS_MUTANTS);
    for (uint32_t i = 0; i < many; i++) {
        out->vital[out->n] = vital;
        out->v[out->n++] = all[(2 * i + 1) * n / (2 * many)];
    }
}

void inputs_draw(const textvm *text, uint32_t most, inputs_mutants *out)
{
    textvm_mutant all[2 * ALL_MAX];
    uint32_t n = textvm_mutants(text, all, ALL_MAX);
    *out = (inputs_mutants){.n = 0};
    n = textvm_drop_even(text, all, n > ALL_MAX ? ALL_MAX : n);
    const uint32_t more = textvm_more_mutants(text, all + n, ALL_MAX);
    n = textvm_drop_idle(text, all, n + (more > ALL_MAX ? ALL_MAX : more));
    n = textvm_drop_signs(text, all, n);
    WEFT_ASSERT(most <= INPUTS_MUTANTS);
    const uint32_t vital = vital_first(text, all, n), rest = n - vital;
    uint32_t first = vital > most * 3 / 4 ? most * 3 / 4 : vital;
    if (rest < most - first)
        first = vital > most - rest ? most - rest : vital;
    draw_part(all, vital, first, true, out);
    draw_part(all + vital, rest, rest > most - first ? most - first : rest, false, out);
}

inputs_verdict inputs_judge(const inputs_subject *s, inputs_mutants *m)
{
    inputs_verdict v = {0};
    uint32_t survivors = 0;
    uint64_t steps = 0;
    textvm_launch launch = *s->launch;
    WEFT_ASSERT(s->text);
    launch.steps = &steps;
    if (!run(s, &launch) || s->differs(s->arg))
        return v;
    launch.fuel = fuel_of_mutant(steps, s->launch->fuel);
    v.steps = steps;
    v.judged = true;
    for (uint32_t i = 0; i < m->n && !v.abandoned; i++) {
        if (m->dead[i])
            continue;
        textvm_mutate(s->text, &m->v[i]);
        const bool ran = run(s, &launch);
        v.steps += steps;
        m->by[i] = ran ? s->differs(s->arg) : 0;
        m->dead[i] = !ran || m->by[i];
        v.run++;
        m->killed += m->dead[i];
        survivors += !m->dead[i];
        v.abandoned = s->most && survivors >= s->most;
    }
    textvm_mutate(s->text, NULL);
    return v;
}

uint32_t inputs_missed(const inputs_mutants *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n; i++)
        n += m->vital[i] && !m->dead[i];
    return n;
}

bool inputs_tell(const inputs_mutants *m)
{
    WEFT_ASSERT(m->killed <= m->n);
    return m->n > 0 && m->killed * 100 >= m->n * 95;
}
