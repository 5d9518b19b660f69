# SPDX-License-Identifier: Apache-2.0
"""Epidemics: compartments, contacts, networks, vaccination, outbreaks on grids."""

field("epidemics", element="region regions", other="region regions", link="route routes", apart=True, state=True, share=1)

region_population = quantity(float, "1", "population", one="n pop", many="populations pop", low=1.0, high=8.0)
susceptible = quantity(float, "1", "susceptible share", one="s sus", many="susceptible_shares", low=0.1, high=1.0)
infected = quantity(float, "1", "infected share", one="sick", many="infected_shares", low=0.05, high=0.5, means="peak alarm goal")
recovered = quantity(float, "1", "recovered share", one="rec", many="recovered_shares", low=0.05, high=0.5, means="goal")
contact_rate = quantity(float, "1/d", "contact rate", one="beta", low=0.2, high=2.0, uniform=True)
recovery_rate = quantity(float, "1/d", "recovery rate", one="gamma", low=0.1, high=1.0,
                         uniform=True)
susceptible_people = quantity(float, "1", "number of susceptible people", one="s", many="susceptible s", low=0.5, high=4.0, means="total goal lowest")
exposed_people = quantity(float, "1", "number of exposed people", one="e", many="exposed e", low=0.1, high=2.0, means="total peak zero")
infectious_people = quantity(float, "1", "number of infectious people", one="ill", many="infectious i_pop", low=0.1, high=2.0, means="total peak alarm goal zero")
new_infections = quantity(float, "1/d", "rate of new infections", one="new_cases", many="incidence new_cases", low=0.1, high=1.0, means="total peak alarm zero")
infection_force = quantity(float, "1/d", "force of infection", one="foi lam", many="foi forces", sums=True, low=0.05, high=1.0, means="peak alarm")
transmission_rate = quantity(float, "1/d", "transmission rate", one="beta", low=0.1, high=1.0, uniform=True)
incubation_rate = quantity(float, "1/d", "rate of leaving incubation", one="sigma", low=0.1, high=1.0, uniform=True)
removal_rate = quantity(float, "1/d", "removal rate", one="gamma", low=0.1, high=0.9, uniform=True)
vaccination_rate = quantity(float, "1/d", "vaccination rate", one="nu vacc_rate", low=0.02, high=0.3, uniform=True)
vaccine_efficacy = quantity(float, "1", "efficacy of the vaccine", one="efficacy", low=0.3, high=0.9, uniform=True)
waning_rate = quantity(float, "1/d", "waning rate", one="waning omega", low=0.01, high=0.2, uniform=True)
travel_share = quantity(float, "1", "share of contacts", one="share travel", many="travel_shares shares", low=0.05, high=0.5)
travel_rate = quantity(float, "1/d", "travel rate", one="travel flow", many="travel_rates flows", low=0.05, high=0.5)
transmission_chance = quantity(float, "1", "chance of infection per contact", one="beta p_transmit", low=0.1, high=1.0, uniform=True)
contact_reduction = quantity(float, "1", "remaining share of contacts", one="contact_share", many="contact_shares", low=0.2, high=1.0)
season_strength = quantity(float, "1", "strength of the season", one="season amp", low=0.05, high=0.5, uniform=True)
season_phase = quantity(float, "rad", "phase of the season", one="phase season_phase", low=0.5, high=6.0, uniform=True)
reproduction_number = quantity(float, "1", "effective reproduction number", one="rt", many="rt r_eff")
basic_reproduction_number = quantity(float, "1", "basic reproduction number", one="r0", many="r0", low=0.5, high=4.0)
herd_threshold = quantity(float, "1", "herd immunity threshold", one="threshold", many="thresholds")
contact_matrix_entry = quantity(float, "1/d", "contacts of a person of each group with each group", one="c", many="contact_matrix C", low=0.1, high=1.0)
reported_cases = quantity(float, "1", "reported cases", one="cases", many="cases reported", low=0.5, high=4.0)
delay_weight = quantity(float, "1", "weights of the delays", one="w", many="delay_weights serial", low=0.1, high=1.0)
day_step = quantity(float, "d", "time step", one="dt", low=0.01, high=0.1, uniform=True)
posterior_chance = quantity(float, "1", "posterior probability", one="posterior", many="posteriors")
prevalence = quantity(float, "1", "prevalence", one="prior prevalence", many="prevalences", low=0.05, high=0.9)
sensitivity = quantity(float, "1", "sensitivity of the test", one="sens", low=0.5, high=0.95, uniform=True)
false_positive_rate = quantity(float, "1", "rate of false positives", one="fpr", low=0.02, high=0.3, uniform=True)


@formula
def force_of_infection(
    ill: infectious_people, n: region_population, beta: transmission_rate,
) -> infection_force:
    "{beta} {ill} / {n}"
    return beta * ill / n


@formula
def infect(s: susceptible, ill: infected, beta: contact_rate, gamma: recovery_rate,
           dt: day_step) -> infected:
    "{ill} plus {dt} times {ill} times ({beta} {s} - {gamma})"
    return ill + dt * ill * (beta * s - gamma)


@formula
def imported_force(
    ill: other.infectious_people, n: other.region_population, share: link.travel_share,
    beta: transmission_rate,
) -> infection_force:
    "{share} {beta} {ill} / {n}"
    return share * beta * ill / n


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
    dt: day_step,
) -> susceptible_people:
    "{s} minus {dt} times ({cases} + {nu} {efficacy} {s})"
    return s - dt * (cases + nu * efficacy * s)


@formula
def step_exposed(
    e: exposed_people, cases: new_infections, sigma: incubation_rate, dt: day_step,
) -> exposed_people:
    "({e} + {dt} {cases}) / (1 + {dt} {sigma})"
    return (e + dt * cases) / (1.0 + dt * sigma)


@formula
def step_infectious(
    ill: infectious_people, e: exposed_people, sigma: incubation_rate, gamma: removal_rate,
    dt: day_step,
) -> infectious_people:
    "{ill} plus {dt} times ({sigma} {e} - {gamma} {ill})"
    return ill + dt * (sigma * e - gamma * ill)


@formula
def add_waned_immunity(
    s: susceptible_people, n: region_population, ill: infectious_people, omega: waning_rate,
    dt: day_step,
) -> susceptible_people:
    "{s} plus {dt} {omega} times the recovered people, which are {n} - {s} - {ill}"
    return s + dt * omega * (n - s - ill)


@formula
def effective_reproduction(
    s: susceptible_people, n: region_population, beta: transmission_rate, gamma: removal_rate,
) -> reproduction_number:
    "{beta} / {gamma} times {s} / {n}"
    return beta / gamma * s / n


@formula
def immunity_threshold(r0: basic_reproduction_number) -> herd_threshold:
    "1 minus 1 / {r0}, or 0 if {r0} is at most 1"
    if r0 <= 1.0:
        return 0.0
    return 1.0 - 1.0 / r0


@formula
def chance_after_positive_test(
    prior: prevalence, sens: sensitivity, fpr: false_positive_rate,
) -> posterior_chance:
    "by the rule of Bayes, {sens} {prior} / ({sens} {prior} + {fpr} (1 - {prior}))"
    hit = sens * prior
    return hit / (hit + fpr * (1.0 - prior))


@algorithm
def sir_step(s: susceptible, ill: infected, rec: recovered, beta: contact_rate,
             gamma: recovery_rate, dt: day_step, s_out: out.susceptible, inf_out: out.infected,
             rec_out: out.recovered):
    "one Euler step of the SIR model: {dt} {beta} {s} {ill}, but at most {s}, leave the susceptible share for the infected one, and {dt} {gamma} {ill} leave the infected share for the recovered one; the new shares go to {s_out}, {inf_out} and {rec_out}"
    i = thread()
    guard(i)
    new = wp.min(dt * beta * s[i] * ill[i], s[i])
    healed = dt * gamma * ill[i]
    s_out[i] = s[i] - new
    inf_out[i] = ill[i] + new - healed
    rec_out[i] = rec[i] + healed


@algorithm
def seir_step(
    s: susceptible_people, e: exposed_people, ill: infectious_people, n: region_population,
    beta: transmission_rate, sigma: incubation_rate, gamma: removal_rate, dt: day_step,
    s_out: out.susceptible_people, e_out: out.exposed_people, inf_out: out.infectious_people,
):
    "one Euler step of the SEIR model: {dt} {beta} {s} {ill} / {n} people, but at most {s}, leave the susceptible for the exposed, {dt} {sigma} {e} leave these for the infectious, and {dt} {gamma} {ill} of the infectious recover; the new numbers go to {s_out}, {e_out} and {inf_out}"
    i = thread()
    guard(i)
    infected = wp.min(dt * beta * s[i] * ill[i] / n[i], s[i])
    onsets = dt * sigma * e[i]
    healed = dt * gamma * ill[i]
    s_out[i] = s[i] - infected
    e_out[i] = e[i] + infected - onsets
    inf_out[i] = ill[i] + onsets - healed


@algorithm(element="group groups")
def force_by_groups(
    ill: infectious_people["m"], pop: region_population["m"], c: contact_matrix_entry["n,m"],
    beta: transmission_chance, foi: out.infection_force["n"],
):
    "the force of infection on each age group: {beta} times the sum over the groups g of {c}[group, g] {ill}[g] / {pop}[g]"
    group = thread()
    guard(group)
    total = float(0.0)
    for g in range(c.shape[1]):
        total += c[group, g] * ill[g] / pop[g]
    foi[group] = beta * total


@algorithm(element="day days")
def estimate_reproduction(
    cases: reported_cases["n+3"], weights: delay_weight["3"], rt: out.reproduction_number["n"],
):
    "the effective reproduction number of each day t: `{cases}[t + 3]` divided by the sum over the delays k = 1, 2, 3 of `{weights}[k - 1]` times `{cases}[t + 3 - k]`"
    day = thread()
    guard(day)
    total = float(0.0)
    for k in range(1, 4):
        total += weights[k - 1] * cases[day + 3 - k]
    rt[day] = cases[day + 3] / total


@algorithm
def move_travellers(
    offsets: row_offsets, targets: link_to_other, flow: link.travel_rate,
    ill: infectious_people, dt: day_step, inf_out: out.infectious_people,
):
    "lets people travel along routes: each region i gets its own {ill} plus the sum over its routes k, from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, of {dt} times `{flow}[k]` times ({ill} of the region `{targets}[k]` minus its own {ill})"
    i = thread()
    guard(i)
    own = ill[i]
    total = float(own)
    for k in range(offsets[i], offsets[i + 1]):
        total += dt * flow[k] * (ill[targets[k]] - own)
    inf_out[i] = total


@algorithm
def noisy_sir_step(
    s: susceptible_people, ill: infectious_people, n: region_population, beta: transmission_rate,
    gamma: removal_rate, dt: day_step, seed: outbreak_seed, s_out: out.susceptible_people,
    inf_out: out.infectious_people,
):
    "a step of the SIR model with chance in it: with the mean m = {dt} {beta} {s} {ill} / {n} of the infections and k = {dt} {gamma} {ill} of the recoveries there are m + sqrt(m) a infections and k + sqrt(k) b recoveries, with standard normal numbers a and b, drawn in this order, but at least 0 and at most {s} and {ill}; {s_out} gets {s} without the infections, {inf_out} gets {ill} plus the infections minus the recoveries"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    healthy = s[i]
    sick = ill[i]
    m = dt * beta * healthy * sick / n[i]
    k = dt * gamma * sick
    infections = wp.clamp(m + wp.sqrt(m) * wp.randn(state), 0.0, healthy)
    recoveries = wp.clamp(k + wp.sqrt(k) * wp.randn(state), 0.0, sick)
    s_out[i] = healthy - infections
    inf_out[i] = sick + infections - recoveries


outbreak_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)


@algorithm(element="route routes")
def travel_along_routes(
    origins: origin_region["n", "0:r"], targets: target_region["n", "0:r"], flow: travel_rate["n"],
    ill: infectious_people["r"], dt: day_step, change: out.infectious_change["r"],
):
    "moves infectious people along routes: {dt} times {flow} times {ill} of the region {origins} leave that region for the region {targets}; they are subtracted from {change} of the first and added to {change} of the second atomically, and nothing is done for routes from a region to itself"
    k = thread()
    guard(k)
    a = origins[k]
    b = targets[k]
    if a == b:
        return
    moved = dt * flow[k] * ill[a]
    wp.atomic_sub(change, a, moved)
    wp.atomic_add(change, b, moved)


origin_region = quantity(int, "1", "origin region", one="origin", many="origins from_region", low=0, high=4)
target_region = quantity(int, "1", "target region", one="target", many="targets to_region", low=0, high=4)
infectious_change = quantity(float, "1", "changes of the numbers of infectious people", one="change", many="change changes")
