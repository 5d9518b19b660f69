# SPDX-License-Identifier: Apache-2.0
"""Events with time stamps of 64 bits: their ages, how they fade, in which window they lie."""

field("event streams", element="event events", other="event events", link="pair pairs", dims=1, share=1)

event_stamp = quantity(int64, "1", "time stamp", one="stamp t ticks", many="stamps timestamps event_ticks", low=1000, high=100000)
present_tick = quantity(int64, "1", "present tick", one="now present", low=100000, high=200000, uniform=True)
stream_begin = quantity(int64, "1", "tick at which the stream begins", one="begin origin t0", low=0, high=900, uniform=True)
window_ticks = quantity(int64, "1", "length of a window in ticks", one="width window_ticks", low=100, high=5000, uniform=True)
lifetime_ticks = quantity(int64, "1", "number of ticks that an event lives", one="lifetime max_age", low=50000, high=150000, uniform=True)
stream_latency = quantity(int64, "1", "sensor latency", one="latency delay", many="latencies delays", low=0, high=500)
tick_length = quantity(float, "s", "length of a tick", one="tick tick_length", low=0.00001, high=0.0001, uniform=True)
event_age = quantity(float, "s", "age", one="age", many="ages event_ages", low=0.5, high=20.0)
event_weight = quantity(float, "1", "weight", one="w weight", many="weights event_weights", low=0.1, high=2.0, sums=True, means="total")
faded_weight = quantity(float, "1", "faded weight", one="faded faded_weight", many="faded faded_weights", low=0.0, high=2.0, sums=True, means="total")
fading_time = quantity(float, "s", "fading time", one="tau fading_time", low=2.0, high=20.0, uniform=True)
corrected_stamp = quantity(int64, "1", "corrected time stamp", one="corrected", many="corrected_stamps", low=1000, high=100000)
event_window = quantity(int, "1", "number of the window", one="window", many="windows window_ids", low=0, high=100)
preceding_rate = quantity(float, "1/s", "rate of the events before each", one="rate", many="rates event_rates", low=0.0, high=100.0)
window_phase = quantity(float, "1", "phase within the window", one="phase", many="phases", low=0.0, high=1.0)
window_taper = quantity(float, "1", "taper", one="taper", many="tapers", low=0.0, high=1.0)
event_amplitude = quantity(float, "1", "amplitude", one="amplitude a", many="amplitudes", means="total blend")
tapered_amplitude = quantity(float, "1", "tapered amplitude", one="tapered", many="tapered_amplitudes", means="total blend")
time_surface = quantity(float, "1", "value of the time surface", one="surface", many="surface time_surfaces", low=0.0, high=50.0, sums=True)
event_polarity = quantity(float, "1", "polarity", one="polarity p", many="polarities")
contrast_step = quantity(float, "1", "contrast step", one="step contrast", low=0.05, high=0.5, uniform=True)
log_change = quantity(float, "1", "change of the logarithmic intensity", one="change", many="log_changes", sums=True, means="total")


@formula
def age_of_event(stamp: event_stamp, now: present_tick, tick: tick_length) -> event_age:
    "the number of ticks from {stamp} to {now}, which is computed with 64 bits, times {tick}"
    return float(now - stamp) * tick


@formula
def fade_by_age(w: event_weight, age: event_age, tau: fading_time) -> faded_weight:
    "{w} times exp(-{age} / {tau})"
    return w * wp.exp(-age / tau)


@formula
def faded_weight_by_lifetime(w: event_weight, stamp: event_stamp, now: present_tick, lifetime: lifetime_ticks) -> faded_weight:
    "0 if the age a, which is {now} minus {stamp}, is at least {lifetime}, else {w} times (1 - a / {lifetime})"
    age = now - stamp
    if age >= lifetime:
        return 0.0
    return w * (1.0 - float(age) / float(lifetime))


@formula(alone=True)
def correct_stamp(stamp: event_stamp, latency: stream_latency) -> corrected_stamp:
    "{stamp} minus {latency}"
    return stamp - latency


@formula(alone=True)
def window_of_event(stamp: event_stamp, begin: stream_begin, width: window_ticks) -> event_window:
    "the number of whole windows of {width} ticks from {begin} to {stamp}, as a 32-bit integer"
    return int((stamp - begin) // width)


@formula
def event_phase(stamp: event_stamp, begin: stream_begin, width: window_ticks) -> window_phase:
    "(({stamp} - {begin}) modulo {width}) / {width}"
    return float((stamp - begin) % width) / float(width)


@formula
def triangular_taper(phase: window_phase) -> window_taper:
    "2 {phase} if {phase} is below a half, else 2 (1 - {phase})"
    if phase < 0.5:
        return 2.0 * phase
    return 2.0 * (1.0 - phase)


@formula
def taper_amplitude(a: event_amplitude, taper: window_taper) -> tapered_amplitude:
    "{a} times {taper}"
    return a * taper


@formula
def surface_share(t: event_stamp, w: other.event_weight, t_j: other.event_stamp, tick: tick_length, tau: fading_time) -> time_surface:
    "zero for a later event, whose time stamp {t_j} is above {t}, else {w} times exp(-({t} - {t_j}) {tick} / {tau})"
    if t_j > t:
        return 0.0
    return w * wp.exp(-float(t - t_j) * tick / tau)


@formula
def change_by_event(p: event_polarity, step: contrast_step) -> log_change:
    "{p} times {step}"
    return p * step


@algorithm
def rate_before_event(stamps: event_stamp["n"], weights: event_weight["n"], width: window_ticks, tick: tick_length, rates: out.preceding_rate["n"]):
    "for each event the sum of {weights} over all events whose time stamp lies at most {width} ticks before its own one, itself included, divided by {width} times {tick}; time stamps are compared with 64 bits"
    i = thread()
    guard(i)
    total = float(0.0)
    for j in range(stamps.shape[0]):
        before = stamps[i] - stamps[j]
        if before >= wp.int64(0) and before <= width:
            total += weights[j]
    rates[i] = total / (float(width) * tick)
