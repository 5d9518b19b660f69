# SPDX-License-Identifier: Apache-2.0
"""Chemistry and biology: reactions, neurons, populations."""

field("chemistry and biology", element="cell cells", other="neuron neurons",
      link="synapse synapses", group="colony colonies", apart=True, state=True, share=1)

concentration = quantity(float, "mol/l", "concentration", one="c conc",
                         many="conc concentrations",
                         low=0.1, high=4.0)
concentration_left = quantity(float, "mol/l", "remaining concentration", one="remaining",
                              many="remaining remaining_conc", low=0.1, high=4.0, means="total goal")
reaction_rate = quantity(float, "mol/l/s", "reaction rate", one="rate r", many="rates", sums=True, means="adds zero")
rate_constant = quantity(float, "1/s", "rate constant", one="k rate_k", many="rate_constants",
                         low=0.1, high=2.0)
largest_rate = quantity(float, "mol/l/s", "largest rate", one="v_max vmax", low=0.5, high=4.0,
                        uniform=True)
michaelis_constant = quantity(float, "mol/l", "Michaelis constant", one="km k_m", low=0.2, high=2.0,
                              uniform=True)
inhibitor = quantity(float, "mol/l", "inhibitor concentration", one="inh", many="inhibitor",
                     low=0.1, high=2.0)
inhibition_constant = quantity(float, "mol/l", "inhibition constant", one="ki k_i", low=0.2,
                               high=2.0, uniform=True)
hill_exponent = quantity(float, "1", "Hill exponent", one="hill n_hill", low=1.0, high=4.0,
                         uniform=True)
activation_energy = quantity(float, "kJ/mol", "activation energy", one="ea", many="activation_energies",
                             low=0.5, high=4.0)
prefactor = quantity(float, "1/s", "frequency factor", one="a0 prefactor", low=0.5, high=4.0,
                     uniform=True)
thermal_energy = quantity(float, "kJ/mol", "thermal energy R T", one="kt", low=0.5, high=2.0, uniform=True)
membrane_voltage = quantity(float, "mV", "membrane voltage", one="v", many="voltages v")
scaled_voltage = quantity(float, "1", "scaled membrane voltage", one="v", many="voltages v", means="range goal")
scaled_drive = quantity(float, "1", "scaled input current", one="current i_in", many="inputs i_in")
recovery_variable = quantity(float, "1", "recovery variable", one="w", many="recovery w")
channel_noise = quantity(float, "1", "strength of the channel noise", one="eta channel_noise", low=0.05, high=0.5, uniform=True)
scaled_time_step = quantity(float, "1", "scaled time step", one="dt", low=0.01, high=0.1, uniform=True)
synaptic_current = quantity(float, "mV", "synaptic drive", one="current i_syn",
                            many="currents i_syn", sums=True, means="adds range zero")
synaptic_weight = quantity(float, "1", "synaptic weight", one="w", many="weights synapse_weights",
                           low=0.1, high=1.0)
spike_flag = quantity(int, "1", "spike flag", one="spike", many="spikes fired", low=0, high=1)
refractory_count = quantity(int, "1", "refractory steps", one="steps_left", many="refractory", low=0,
                            high=3)
reversal_voltage = quantity(float, "mV", "reversal voltage", one="v_rev e_rev", low=0.5, high=2.0, uniform=True)
firing_threshold = quantity(float, "mV", "firing threshold", one="v_th threshold", low=0.2,
                            high=1.0, uniform=True)
reset_voltage = quantity(float, "mV", "reset voltage", one="v_reset reset", uniform=True)
leak_time = quantity(float, "s", "membrane time constant", one="tau", low=0.5, high=2.0,
                     uniform=True)
protein_level = quantity(float, "1", "protein level", one="p", many="proteins levels", low=0.1,
                         high=4.0, means="goal peak")
repressor_level = quantity(float, "1", "repressor level", one="r", many="repressors", low=0.1,
                           high=4.0)
synthesis_rate = quantity(float, "1/s", "synthesis rate", one="alpha", low=0.5, high=4.0,
                          uniform=True)
decay_rate = quantity(float, "1/s", "decay rate", one="delta", low=0.1, high=1.0, uniform=True)
prey = quantity(float, "1", "number of prey", one="x prey", many="prey", low=0.1, high=4.0, means="total goal peak lowest")
predator = quantity(float, "1", "number of predators", one="y pred", many="predators", low=0.1, high=4.0)
growth_rate = quantity(float, "1/s", "growth rate", one="r growth", low=0.1, high=2.0,
                       uniform=True)
hunting_rate = quantity(float, "1/s", "hunting rate", one="hunt c_hunt", low=0.1, high=1.0,
                        uniform=True)
carrying_capacity = quantity(float, "1", "carrying capacity", one="cap k_cap", low=1.0, high=4.0,
                             uniform=True)
reaction_order = quantity(int, "1", "reaction order", one="order", many="orders", low=0,
                          high=3)
order_constant = quantity(float, "mol, l and s as the order asks", "rate constant", one="k", many="rate_constants k", low=0.1, high=2.0)
gate_variable = quantity(float, "1", "gate variable", one="m gate", many="gates", low=0.05, high=1.0)


@formula
def michaelis_menten(c: concentration, vmax: largest_rate, km: michaelis_constant) -> reaction_rate:
    "{vmax} {c} / ({km} + {c})"
    return vmax * c / (km + c)


@formula
def competitive_inhibition(c: concentration, inh: inhibitor, vmax: largest_rate,
                           km: michaelis_constant, ki: inhibition_constant) -> reaction_rate:
    "{vmax} {c} / ({km} (1 + {inh} / {ki}) + {c})"
    return vmax * c / (km * (1.0 + inh / ki) + c)


@formula
def hill_rate(c: concentration, vmax: largest_rate, km: michaelis_constant,
              hill: hill_exponent) -> reaction_rate:
    "{vmax} x / (1 + x), where x is {c} / {km} to the power {hill}"
    x = wp.pow(c / km, hill)
    return vmax * x / (1.0 + x)


@formula
def arrhenius(ea: activation_energy, a: prefactor, kt: thermal_energy) -> rate_constant:
    "{a} times exp(-{ea} / {kt})"
    return a * wp.exp(-ea / kt)


@formula
def first_order_rate(k: rate_constant, c: concentration) -> reaction_rate:
    "{k} times {c}"
    return k * c


@formula
def remaining_concentration(c: concentration, rate: reaction_rate, dt: time_step) -> concentration_left:
    "{c} minus {dt} times {rate}, but at least 0"
    return wp.max(c - dt * rate, 0.0)


@formula
def fitzhugh_nagumo_voltage(v: scaled_voltage, w: recovery_variable, current: scaled_drive,
                            dt: scaled_time_step) -> scaled_voltage:
    "{v} plus {dt} times ({v} - {v}^3 / 3 - {w} + {current})"
    return v + dt * (v - v * v * v / 3.0 - w + current)


@formula
def noisy_fitzhugh_nagumo(v: scaled_voltage, w: recovery_variable, current: scaled_drive, eta: channel_noise,
                          dt: scaled_time_step, state: random_state) -> scaled_voltage:
    "{v} + {dt} ({v} - {v}^3 / 3 - {w} + {current}) + {eta} sqrt({dt}) z with a standard normal number z"
    return v + dt * (v - v * v * v / 3.0 - w + current) + eta * wp.sqrt(dt) * wp.randn(state)


@formula
def fitzhugh_nagumo_recovery(v: scaled_voltage, w: recovery_variable,
                             dt: scaled_time_step) -> recovery_variable:
    "{w} plus {dt} times 0.08 times ({v} + 0.7 - 0.8 {w})"
    return w + dt * 0.08 * (v + 0.7 - 0.8 * w)


@formula
def gate_relaxation(m: gate_variable, v: scaled_voltage, tau: leak_time,
                    dt: time_step) -> gate_variable:
    "{m} moved towards 1 / (1 + exp(-{v})), by the share 1 - exp(-{dt} / {tau})"
    target = 1.0 / (1.0 + wp.exp(-v))
    return target + (m - target) * wp.exp(-dt / tau)


@formula
def repressed_protein(p: protein_level, r: repressor_level, alpha: synthesis_rate,
                      hill: hill_exponent, delta: decay_rate, dt: time_step) -> protein_level:
    "{p} plus {dt} times ({alpha} / (1 + {r}^{hill}) - {delta} {p})"
    return p + dt * (alpha / (1.0 + wp.pow(r, hill)) - delta * p)


@formula
def logistic_growth(x: prey, r: growth_rate, cap: carrying_capacity, dt: time_step) -> prey:
    "{x} plus {dt} times {r} {x} (1 - {x} / {cap})"
    return x + dt * r * x * (1.0 - x / cap)


@formula
def hunted_prey(x: prey, y: predator, gamma: hunting_rate, dt: time_step) -> prey:
    "{x} - {dt} {gamma} {x} {y} / (1 + {x}), as predators can eat only so much"
    return x - dt * gamma * x * y / (1.0 + x)


@algorithm
def integrate_and_fire(v: membrane_voltage, wait: refractory_count, current: synaptic_current,
                       tau: leak_time, threshold: firing_threshold, reset: reset_voltage,
                       dt: time_step, v_out: out.membrane_voltage, fired: out.spike_flag,
                       wait_out: out.refractory_count):
    "a step of leaky integrate-and-fire cells: a cell whose {wait} is above 0 gets the voltage {reset} and {wait} - 1 refractory steps. Any other cell moves to {v} + ({dt} / {tau}) ({current} - {v}) and gets 0 refractory steps; if this voltage is above {threshold}, the cell spikes: it gets the voltage {reset} and 2 refractory steps instead. {fired} is 1 for cells that spike, else 0"
    i = thread()
    guard(i)
    fired[i] = 0
    if wait[i] > 0:
        wait_out[i] = wait[i] - 1
        v_out[i] = reset
        return
    next_v = v[i] + dt / tau * (current[i] - v[i])
    if next_v > threshold:
        fired[i] = 1
        wait_out[i] = 2
        v_out[i] = reset
    else:
        wait_out[i] = 0
        v_out[i] = next_v


@algorithm
def gather_spikes(offsets: row_offsets, sources: link_to_other, w: link.synaptic_weight,
                  spikes: other.spike_flag, v: membrane_voltage, v_rev: reversal_voltage,
                  current: out.synaptic_current):
    "the synaptic drive of each cell i: the sum of `{w}[k]` times ({v_rev} - {v}) over its synapses k, from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, whose neuron `{sources}[k]` spikes (1 in {spikes})"
    i = thread()
    guard(i)
    drive = v_rev - v[i]
    total = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        if spikes[sources[k]] == 1:
            total += w[k] * drive
    current[i] = total


@algorithm
def react_by_order(order: reaction_order, k: order_constant, c: concentration, dt: time_step,
                   left: out.concentration):
    "what is left of {c} after {dt} by the exact solution for its {order}: {c} - {k} {dt}, but at least 0, where {order} is 0; {c} exp(-{k} {dt}) where it is 1; {c} / (1 + {k} {dt} {c}) where it is 2; and {c} itself for any other order"
    i = thread()
    guard(i)
    x = c[i]
    kt = k[i] * dt
    kind = order[i]
    if kind == 0:
        left[i] = wp.max(x - kt, 0.0)
    elif kind == 1:
        left[i] = x * wp.exp(-kt)
    elif kind == 2:
        left[i] = x / (1.0 + kt * x)
    else:
        left[i] = x


@algorithm
def gillespie_step(
    n: molecule_count, birth: birth_rate, death: death_rate, seed: reaction_seed,
    wait: out.reaction_wait, n_out: out.molecule_count,
):
    "a step of Gillespie's algorithm for molecules that are made at the rate {birth} and decay at the rate {death} {n}: {wait} gets the time to the next event, -log(1 - u) / r, where r is the sum of both rates and u a random number from 0 to 1; {n_out} gets {n} + 1 if r times a second random number is below {birth}, else {n} - 1"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    molecules = n[i]
    total = birth + death * float(molecules)
    wait[i] = -wp.log(1.0 - wp.randf(state)) / total
    if wp.randf(state) * total < birth:
        n_out[i] = molecules + 1
    else:
        n_out[i] = molecules - 1


@algorithm
def noisy_integrate_and_fire(
    v: membrane_voltage, current: synaptic_current, tau: leak_time, noise: voltage_noise,
    threshold: firing_threshold, reset: reset_voltage, dt: time_step, seed: reaction_seed,
    v_out: out.membrane_voltage, fired: out.spike_flag,
):
    "a step of noisy integrate-and-fire cells: the voltage becomes {v} + ({dt} / {tau}) ({current} - {v}) + {noise} sqrt({dt}) z with a standard normal number z; if that is above {threshold}, {v_out} gets {reset} and {fired} gets 1, else {v_out} gets the voltage and {fired} gets 0"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    old = v[i]
    next_v = old + dt / tau * (current[i] - old) + noise * wp.sqrt(dt) * wp.randn(state)
    if next_v > threshold:
        v_out[i] = reset
        fired[i] = 1
    else:
        v_out[i] = next_v
        fired[i] = 0


@algorithm(element="synapse synapses")
def deliver_spikes(
    sources: source_neuron["n", "0:s"], targets: target_cell["n", "-1:c"], w: synaptic_weight["n"],
    spikes: spike_flag["s", "0:2"], gain: synapse_gain, current: out.synaptic_current["c"],
):
    "delivers spikes: each synapse whose neuron {sources} spikes (1 in {spikes}) adds {gain} times {w} atomically to {current} of the cell {targets}; synapses without a cell (-1) are left out"
    k = thread()
    guard(k)
    cell = targets[k]
    if cell < 0 or spikes[sources[k]] == 0:
        return
    wp.atomic_add(current, cell, gain * w[k])


molecule_count = quantity(int, "1", "number of molecules", one="n", many="counts molecules", low=0, high=8)
birth_rate = quantity(float, "1/s", "birth rate", one="birth k_birth", low=0.5, high=4.0, uniform=True)
death_rate = quantity(float, "1/s", "death rate", one="death k_death", low=0.1, high=1.0, uniform=True)
reaction_wait = quantity(float, "s", "time to the next event", one="wait", many="waits times")
reaction_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)
voltage_noise = quantity(float, "mV/s^0.5", "noise strength", one="noise eta", low=0.1, high=1.0, uniform=True)
source_neuron = quantity(int, "1", "source neuron", one="source", many="sources pre_ids", low=0, high=4)
target_cell = quantity(int, "1", "target cell (-1: none)", one="target", many="targets post_ids", low=-1, high=3)
synapse_gain = quantity(float, "mV", "synaptic gain", one="gain", low=0.5, high=2.0, uniform=True)
