# SPDX-License-Identifier: Apache-2.0
"""Epidemics: compartments, contacts, networks, vaccination, outbreaks on grids."""

field("epidemics", element="region regions", other="region regions", link="route routes")

region_population = quantity(float, "1", "population", one="n pop", many="populations pop", low=1.0, high=8.0)
susceptible_people = quantity(float, "1", "number of susceptible people", one="s", many="susceptible s", low=0.5, high=4.0)
exposed_people = quantity(float, "1", "number of exposed people", one="e", many="exposed e", low=0.1, high=2.0)
infectious_people = quantity(float, "1", "number of infectious people", one="inf", many="infectious i_pop", low=0.1, high=2.0)
new_infections = quantity(float, "1/s", "rate of new infections", one="new_cases", many="incidence new_cases", low=0.1, high=1.0)
infection_force = quantity(float, "1/s", "force of infection", one="foi lam", many="foi forces", sums=True, low=0.05, high=1.0)
transmission_rate = quantity(float, "1/s", "transmission rate", one="beta", low=0.1, high=1.0, uniform=True)
incubation_rate = quantity(float, "1/s", "rate of leaving incubation", one="sigma", low=0.1, high=1.0, uniform=True)
removal_rate = quantity(float, "1/s", "removal rate", one="gamma", low=0.1, high=0.9, uniform=True)
vaccination_rate = quantity(float, "1/s", "vaccination rate", one="nu vacc_rate", low=0.02, high=0.3, uniform=True)
vaccine_efficacy = quantity(float, "1", "efficacy of the vaccine", one="efficacy", low=0.3, high=0.9, uniform=True)
waning_rate = quantity(float, "1/s", "waning rate", one="waning omega", low=0.01, high=0.2, uniform=True)
travel_share = quantity(float, "1/s", "travel rate", one="travel flow", many="travel flows", low=0.05, high=0.5)
contact_reduction = quantity(float, "1", "share of contacts that remain", one="contacts", many="contacts", low=0.2, high=1.0)
season_strength = quantity(float, "1", "strength of the season", one="season amp", low=0.05, high=0.5, uniform=True)
season_phase = quantity(float, "rad", "phase of the season", one="phase season_phase", low=0.5, high=6.0, uniform=True)
reproduction_number = quantity(float, "1", "reproduction number", one="r0 rt", many="r_numbers rt")
herd_threshold = quantity(float, "1", "share needed for herd immunity", one="threshold", many="thresholds")
person_state = quantity(int, "1", "states of the persons", one="state", many="states status", low=0, high=2)
person_contact = quantity(int, "1", "persons met", one="other", many="contacts met", low=0, high=4)
infection_chance = quantity(float, "1", "chance of infection", one="p_infect chance", low=0.1, high=0.9, uniform=True)
recovery_chance = quantity(float, "1", "chance of recovery", one="p_recover", low=0.1, high=0.9, uniform=True)
epidemic_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=1000, uniform=True)
state_count = quantity(int, "1", "numbers of persons", one="n", many="counts totals", low=0, high=4)
region_of_person = quantity(int, "1", "regions of the persons, -1 for none", one="region", many="regions home", low=0, high=3)
contact_matrix_entry = quantity(float, "1/s", "contacts per time between groups", one="c", many="contact_matrix C", low=0.1, high=1.0)
reported_cases = quantity(float, "1", "reported cases", one="cases", many="cases reported", low=0.5, high=4.0)
delay_weight = quantity(float, "1", "weights of the delays", one="w", many="delay_weights serial", low=0.1, high=1.0)
posterior_chance = quantity(float, "1", "chance after a test", one="posterior", many="posteriors")
prevalence = quantity(float, "1", "prevalence", one="prior prevalence", many="prevalences", low=0.05, high=0.9)
sensitivity = quantity(float, "1", "sensitivity of the test", one="sens", low=0.5, high=0.95, uniform=True)
false_positive_rate = quantity(float, "1", "rate of false positives", one="fpr", low=0.02, high=0.3, uniform=True)


@formula
def force_of_infection(
    inf: infectious_people, n: region_population, beta: transmission_rate,
) -> infection_force:
    "{beta} {inf} / {n}"
    return beta * inf / n


@formula
def imported_force(
    inf: other.infectious_people, n: other.region_population, flow: link.travel_share,
    beta: transmission_rate,
) -> infection_force:
    "{flow} {beta} {inf} / {n}"
    return flow * beta * inf / n


@formula
def cases_from_force(foi: infection_force, s: susceptible_people) -> new_infections:
    "{foi} times {s}"
    return foi * s


@formula
def seasonal_force(
    foi: infection_force, amp: season_strength, phase: season_phase,
) -> infection_force:
    "{foi} times (1 + {amp} cos({phase}))"
    return foi * (1.0 + amp * wp.cos(phase))


@formula
def fewer_contacts(foi: infection_force, contacts: contact_reduction) -> infection_force:
    "{foi} times the square of {contacts}"
    return foi * contacts * contacts


@formula
def step_susceptible(
    s: susceptible_people, cases: new_infections, nu: vaccination_rate, efficacy: vaccine_efficacy,
    dt: time_step,
) -> susceptible_people:
    "{s} minus {dt} times ({cases} + {nu} {efficacy} {s})"
    return s - dt * (cases + nu * efficacy * s)


@formula
def step_exposed(
    e: exposed_people, cases: new_infections, sigma: incubation_rate, dt: time_step,
) -> exposed_people:
    "({e} + {dt} {cases}) / (1 + {dt} {sigma})"
    return (e + dt * cases) / (1.0 + dt * sigma)


@formula
def step_infectious(
    inf: infectious_people, e: exposed_people, sigma: incubation_rate, gamma: removal_rate,
    dt: time_step,
) -> infectious_people:
    "{inf} plus {dt} times ({sigma} {e} - {gamma} {inf})"
    return inf + dt * (sigma * e - gamma * inf)


@formula
def waned_immunity(
    s: susceptible_people, n: region_population, inf: infectious_people, omega: waning_rate,
    dt: time_step,
) -> susceptible_people:
    "{s} plus {dt} {omega} times the recovered people, which are {n} - {s} - {inf}"
    return s + dt * omega * (n - s - inf)


@formula
def effective_reproduction(
    s: susceptible_people, n: region_population, beta: transmission_rate, gamma: removal_rate,
) -> reproduction_number:
    "{beta} / {gamma} times {s} / {n}"
    return beta / gamma * s / n


@formula
def immunity_threshold(r0: reproduction_number) -> herd_threshold:
    "1 minus 1 over {r0}, or 0 if {r0} is at most 1"
    if r0 <= 1.0:
        return 0.0
    return 1.0 - 1.0 / r0


@formula
def chance_after_positive_test(
    prior: prevalence, sens: sensitivity, fpr: false_positive_rate,
) -> posterior_chance:
    "by the rule of Bayes {sens} {prior} / ({sens} {prior} + {fpr} (1 - {prior}))"
    hit = sens * prior
    return hit / (hit + fpr * (1.0 - prior))


@algorithm
def seir_step(
    s: susceptible_people, e: exposed_people, inf: infectious_people, n: region_population,
    beta: transmission_rate, sigma: incubation_rate, gamma: removal_rate, dt: time_step,
    s_out: out.susceptible_people, e_out: out.exposed_people, inf_out: out.infectious_people,
):
    "one Euler step of the SEIR model: {dt} {beta} {s} {inf} / {n} people, but at most {s}, leave the susceptible for the exposed, {dt} {sigma} {e} leave these for the infectious, and {dt} {gamma} {inf} of the infectious recover"
    i = thread()
    guard(i)
    infected = wp.min(dt * beta * s[i] * inf[i] / n[i], s[i])
    ill = dt * sigma * e[i]
    healed = dt * gamma * inf[i]
    s_out[i] = s[i] - infected
    e_out[i] = e[i] + infected - ill
    inf_out[i] = inf[i] + ill - healed


@algorithm
def force_by_groups(
    inf: infectious_people["m"], pop: region_population["m"], c: contact_matrix_entry["n,m"],
    beta: transmission_rate, foi: out.infection_force["n"],
):
    "the force of infection on each age group: {beta} times the sum over the groups g of {c}[group, g] {inf}[g] / {pop}[g]"
    group = thread()
    guard(group)
    total = float(0.0)
    for g in range(c.shape[1]):
        total += c[group, g] * inf[g] / pop[g]
    foi[group] = beta * total


@algorithm
def meet_people(
    states: person_state["n", "0:3"], met: person_contact["n,3", "0:n"], p_infect: infection_chance,
    p_recover: recovery_chance, seed: epidemic_seed, new_states: out.person_state["n"],
):
    "the state of each person after a day, 0 for susceptible, 1 for infected, 2 for immune: an infected person draws a number from 0 to 1 and becomes immune if it is below {p_recover}; a susceptible one draws a number for each of the three persons in their row of {met} who is infected, and becomes infected if any of these is below {p_infect}; immune ones stay immune"
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
    "counts persons by region and state: adds 1 atomically to {counts} at the row of each person's region {home} and the column of the state; persons without a region, which have -1, are left out"
    i = thread()
    guard(i)
    region = home[i]
    if region < 0:
        return
    wp.atomic_add(counts, region, states[i], 1)


@algorithm
def estimate_reproduction(
    cases: reported_cases["n+3"], weights: delay_weight["3"], rt: out.reproduction_number["n"],
):
    "the reproduction number of each day t: `{cases}[t + 3]` divided by the sum over the delays k = 1, 2, 3 of `{weights}[k - 1]` times `{cases}[t + 3 - k]`"
    day = thread()
    guard(day)
    total = float(0.0)
    for k in range(1, 4):
        total += weights[k - 1] * cases[day + 3 - k]
    rt[day] = cases[day + 3] / total


@algorithm
def move_travellers(
    offsets: row_offsets, targets: link_to_other, flow: link.travel_share,
    inf: infectious_people, dt: time_step, inf_out: out.infectious_people,
):
    "travel along routes: the infectious people of each region i grow by {dt} times the sum over its routes k, from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, of {flow}[k] times ({inf} of the region `{targets}[k]` minus its own {inf}); this growth is clamped to plus and minus half of its own {inf}"
    i = thread()
    guard(i)
    own = inf[i]
    change = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        change += flow[k] * (inf[targets[k]] - own)
    inf_out[i] = own + wp.clamp(dt * change, -0.5 * own, 0.5 * own)
