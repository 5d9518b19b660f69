# SPDX-License-Identifier: Apache-2.0
"""Infection from person to person."""

field("infection of persons", element="person persons", other="person persons", link="meeting meetings", apart=True, state=True, share=1)

person_state = quantity(int, "1", "states of the persons", one="state", many="status states", low=0, high=2)
person_contact = quantity(int, "1", "persons met", one="other", many="contacts met", low=0, high=4)
infection_chance = quantity(float, "1", "chance of infection", one="p_infect chance", low=0.1, high=0.9, uniform=True)
recovery_chance = quantity(float, "1", "chance of recovery", one="p_recover", low=0.1, high=0.9, uniform=True)
epidemic_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
state_count = quantity(int, "1", "numbers of persons", one="n", many="counts totals", low=0, high=4)
region_of_person = quantity(int, "1", "regions of the persons, -1 for none", one="region", many="regions home", low=0, high=3)


@algorithm(share=2)
def infect_by_contacts(
    states: person_state["n", "0:3"], met: person_contact["n,3", "0:n"], p_infect: infection_chance,
    p_recover: recovery_chance, seed: epidemic_seed, new_states: out.person_state["n"],
):
    "the state of each person after a day, 0 for susceptible, 1 for infected, 2 for immune: an infected person draws a number from 0 to 1 and becomes immune if it is below {p_recover}; a susceptible one draws a number for each infected person among the three in its row of {met}, and becomes infected if any of these numbers is below {p_infect}; immune ones stay immune"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    health = states[i]
    if health == 1:
        if wp.randf(state) < p_recover:
            health = 2
    elif health == 0:
        for k in range(3):
            if states[met[i, k]] == 1 and wp.randf(state) < p_infect:
                health = 1
    new_states[i] = health


@algorithm
def count_by_region(
    states: person_state["n", "0:3"], home: region_of_person["n", "-1:r"],
    counts: out.state_count["r,3"],
):
    "counts persons by region and state: for each person 1 is added atomically to {counts}, in the row of the person's region {home} and the column of the state; persons without a region, which have -1, are left out"
    i = thread()
    guard(i)
    region = home[i]
    if region < 0:
        return
    wp.atomic_add(counts, region, states[i], 1)
