# SPDX-License-Identifier: Apache-2.0
"""Signal processing: filters, correlation, spectra, windows, resampling."""

field("signals", element="sample samples", other="channel channels", group="channel channels", apart=True, share=1)

signal_value = quantity(float, "1", "signal value", one="x s", many="signal", means="range goal zero")
dithered_value = quantity(float, "1", "dithered value", one="y", many="dithered quantized", means="zero")
noisy_signal = quantity(float, "1", "noisy signal value", one="noisy", many="noisy noisy_signal")
filtered_value = quantity(float, "1", "filtered value", one="y", many="filtered", means="goal range zero")
filter_tap = quantity(float, "1", "filter coefficients", one="b tap", many="taps coeffs b")
feedback_tap = quantity(float, "1", "feedback coefficients", one="a", many="feedback a", low=-0.5, high=0.5)
sample_phase = quantity(float, "1", "window position from 0 to 1", one="phase p", many="phases", low=0.05, high=1.0)
window_value = quantity(float, "1", "window", one="w window", many="windows", low=0.05, high=1.0)
windowed_value = quantity(float, "1", "windowed value", one="xw", many="windowed", means="zero")
signal_frequency = quantity(float, "1", "frequency in cycles per sample", one="freq f", many="freqs frequencies", low=0.05, high=0.5)
tone_frequency = quantity(float, "Hz", "frequency", one="freq f", many="freqs frequencies", low=0.05, high=0.5)
sweep_rate = quantity(float, "1/s", "sweep rate", one="sweep rate", low=0.1, high=1.0, uniform=True)
signal_amplitude = quantity(float, "1", "amplitude", one="amp", many="amplitudes", low=0.1, high=2.0)
sample_time = quantity(float, "s", "time", one="t", many="times t", low=0.1, high=4.0)
real_part = quantity(float, "1", "real part", one="re", many="re real")
imaginary_part = quantity(float, "1", "imaginary part", one="im", many="im imag")
spectral_power = quantity(float, "1", "power", one="power", many="power spectrum", low=0.01, high=4.0, means="total peak zero")
power_level = quantity(float, "dB", "power level", one="db level", many="levels db")
rotated_pair = quantity(vec2, "1", "complex value", one="z", many="z bins")
second_pair = quantity(vec2, "1", "second complex value", one="w", many="twiddles w")
product_pair = quantity(vec2, "1", "complex product", one="p", many="products")
spectrum_pair = quantity(vec2, "1", "transformed complex values", one="p", many="spectrum")
correlation_value = quantity(float, "1", "correlations at the lags", one="r", many="correlation corr")
second_signal = quantity(float, "1", "second signal", one="y", many="reference y")
envelope_value = quantity(float, "1", "envelope", one="env", many="envelope", low=0.1, high=2.0, means="peak alarm")
attack_rate = quantity(float, "1", "attack rate", one="attack", low=0.3, high=0.9, uniform=True)
release_rate = quantity(float, "1", "release rate", one="release", low=0.05, high=0.3, uniform=True)
gate_threshold = quantity(float, "1", "compression threshold", one="threshold", low=0.2, high=1.0, uniform=True)
peak_threshold = quantity(float, "1", "height that a peak has to exceed", one="min_height threshold", low=0.1, high=1.0, uniform=True)
compression_ratio = quantity(float, "1", "compression ratio", one="ratio", low=2.0, high=4.0, uniform=True)
compressed_value = quantity(float, "1", "compressed value", one="c", many="compressed", means="goal zero")
drive_gain = quantity(float, "1", "drive gain", one="drive", low=0.5, high=4.0, uniform=True)
delay_length = quantity(int, "1", "delay in samples", one="delay", low=1, high=3, uniform=True)
feedback_gain = quantity(float, "1", "feedback gain", one="feedback g", low=0.1, high=0.8, uniform=True)
hop_length = quantity(int, "1", "hop length", one="hop", low=1, high=2, uniform=True)
step_factor = quantity(float, "1", "step size", one="mu", low=0.05, high=0.5, uniform=True)
crossing_count = quantity(int, "1", "numbers of zero crossings", one="n", many="crossings", low=0, high=4)
peak_flag = quantity(int, "1", "peak flags", one="peak", many="peaks", low=0, high=1)
wavelet_value = quantity(float, "1", "wavelet coefficients", one="w", many="detail coeffs")
approximation_value = quantity(float, "1", "approximation coefficients", one="a", many="approx")
frame_sample = quantity(float, "1", "frames of samples", one="sample", many="frames")
overlapped_signal = quantity(float, "1", "sum of the overlapping frames", one="y", many="overlapped")
frame_window = quantity(float, "1", "weights of the window", one="w", many="window window_weights", low=0.05, high=1.0)
resample_ratio = quantity(float, "1", "resampling ratio", one="ratio", low=0.5, high=1.5, uniform=True)
cutoff = quantity(float, "1", "filter coefficient", one="alpha", low=0.1, high=0.9, uniform=True)
previous_output = quantity(float, "1", "previous output", one="y_prev", many="previous_outputs y_prev")
previous_sample = quantity(float, "1", "previous sample", one="x_prev last", many="previous_samples x_prev")
wanted_value = quantity(float, "1", "wanted output", one="wanted target", uniform=True)
state_value = quantity(float, "1", "filter state", one="prev state", many="previous states")
signal_noise = quantity(float, "1", "standard deviation of the noise", one="noise_std sigma", low=0.05, high=0.5, uniform=True)
dither_step = quantity(float, "1", "step of the quantizer", one="q_step quant_step", low=0.1, high=0.5, uniform=True)


@formula
def hann_window(p: sample_phase) -> window_value:
    "0.5 - 0.5 cos(2 pi {p})"
    return 0.5 - 0.5 * wp.cos(2.0 * wp.pi * p)


@formula
def hamming_window(p: sample_phase) -> window_value:
    "0.54 - 0.46 cos(2 pi {p})"
    return 0.54 - 0.46 * wp.cos(2.0 * wp.pi * p)


@formula
def blackman_window(p: sample_phase) -> window_value:
    "0.42 - 0.5 cos(2 pi {p}) + 0.08 cos(4 pi {p})"
    angle = 2.0 * wp.pi * p
    return 0.42 - 0.5 * wp.cos(angle) + 0.08 * wp.cos(2.0 * angle)


@formula
def apply_window(x: signal_value, w: window_value) -> windowed_value:
    "{x} times {w}"
    return x * w


@formula
def sine_tone(amp: signal_amplitude, freq: tone_frequency, t: sample_time) -> signal_value:
    "{amp} sin(2 pi {freq} {t})"
    return amp * wp.sin(2.0 * wp.pi * freq * t)


@formula
def chirp(amp: signal_amplitude, freq: tone_frequency, t: sample_time, rate: sweep_rate) -> signal_value:
    "{amp} sin(2 pi {freq} ({t} + {rate} {t}^2 / 2))"
    return amp * wp.sin(2.0 * wp.pi * freq * (t + 0.5 * rate * t * t))


@formula
def add_noise(x: signal_value, noise: signal_noise, state: random_state) -> noisy_signal:
    "{x} plus {noise} times a standard normal number"
    return x + noise * wp.randn(state)


@formula
def dither_signal(x: signal_value, step: dither_step, state: random_state) -> dithered_value:
    "{step} times the floor of ({x} / {step} + u), where u is a random number from 0 to 1"
    return step * wp.floor(x / step + wp.randf(state))


@formula
def low_pass_step(prev: state_value, x: signal_value, alpha: cutoff) -> state_value:
    "{prev} plus {alpha} times ({x} - {prev})"
    return prev + alpha * (x - prev)


@formula
def high_pass_step(y_prev: previous_output, x: signal_value, x_prev: previous_sample, alpha: cutoff) -> filtered_value:
    "{alpha} times ({y_prev} + {x} - {x_prev})"
    return alpha * (y_prev + x - x_prev)


@formula
def soft_clip(x: filtered_value, drive: drive_gain) -> filtered_value:
    "tanh({drive} {x}) / {drive}"
    return wp.tanh(drive * x) / drive


@formula
def compress(x: signal_value, threshold: gate_threshold, ratio: compression_ratio) -> compressed_value:
    "{x} if its magnitude is at most {threshold}, else the sign of {x} times ({threshold} + (|{x}| - {threshold}) / {ratio})"
    level = wp.abs(x)
    if level <= threshold:
        return x
    return wp.sign(x) * (threshold + (level - threshold) / ratio)


@formula
def follow_envelope(
    env: envelope_value, x: signal_value, attack: attack_rate, release: release_rate,
) -> envelope_value:
    "{env} moved towards the magnitude of {x} by the share {attack} if that is larger, else by {release}"
    level = wp.abs(x)
    rate = release
    if level > env:
        rate = attack
    return env + rate * (level - env)


@formula
def complex_product(z: rotated_pair, w: second_pair) -> product_pair:
    "{z} times {w} as complex numbers, whose components are the real and the imaginary part"
    return wp.vec2(z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0])


@formula
def conjugate_product(z: rotated_pair, w: second_pair) -> product_pair:
    "{z} times the conjugate of {w} as complex numbers, whose components are the real and the imaginary part"
    return wp.vec2(z[0] * w[0] + z[1] * w[1], z[1] * w[0] - z[0] * w[1])


@formula
def pair_power(re: real_part, im: imaginary_part) -> spectral_power:
    "{re}^2 + {im}^2"
    return re * re + im * im


@formula
def level_of_power(power: spectral_power) -> power_level:
    "10 times the decimal logarithm of {power} + 1e-4"
    return 10.0 * wp.log10(power + 1.0e-4)


@algorithm
def fir_filter(x: signal_value["n"], taps: filter_tap["k"], y: out.filtered_value["n"]):
    "applies a causal FIR filter: for sample i the sum of {taps}[k] {x}[i - k] over all k for which i - k is not negative"
    i = thread()
    guard(i)
    total = float(0.0)
    for k in range(wp.min(taps.shape[0], i + 1)):
        total += taps[k] * x[i - k]
    y[i] = total


@algorithm
def symmetric_filter(x: signal_value["n"], taps: filter_tap["k"], y: out.filtered_value["n"]):
    "applies a symmetric filter: for sample i {taps}[0] {x}[i], plus for each further k {taps}[k] times the sum of {x} at i - k and at i + k, with indices clamped to the signal"
    i = thread()
    guard(i)
    last = x.shape[0] - 1
    total = taps[0] * x[i]
    for k in range(1, taps.shape[0]):
        total += taps[k] * (x[wp.max(i - k, 0)] + x[wp.min(i + k, last)])
    y[i] = total


@algorithm(element="row rows")
def biquad_rows(
    x: signal_value["n,m"], b: filter_tap["3"], a: feedback_tap["2"], y: out.filtered_value["n,m"],
):
    "applies a biquad filter along each row of {x} in transposed direct form II: each sample v gives the output w = {b}[0] v + s1, and then s1 becomes {b}[1] v - {a}[0] w + s2 and s2 becomes {b}[2] v - {a}[1] w; both are 0 at the beginning"
    row = thread()
    guard(row)
    b0 = b[0]
    b1 = b[1]
    b2 = b[2]
    a0 = a[0]
    a1 = a[1]
    s1 = float(0.0)
    s2 = float(0.0)
    for k in range(x.shape[1]):
        value = x[row, k]
        result = b0 * value + s1
        s1 = b1 * value - a0 * result + s2
        s2 = b2 * value - a1 * result
        y[row, k] = result


@algorithm(element="bin bins")
def dft_bins(x: signal_value["m"], re: out.real_part["n"], im: out.imaginary_part["n"]):
    "the discrete Fourier transform, thread i for bin i: {re} is the sum over all samples k of {x}[k] cos(a k) and {im} that of -{x}[k] sin(a k), with a = 2 pi i divided by the number of samples"
    i = thread()
    guard(i)
    step = 2.0 * wp.pi * float(i) / float(x.shape[0])
    total_re = float(0.0)
    total_im = float(0.0)
    for k in range(x.shape[0]):
        value = x[k]
        angle = step * float(k)
        total_re += value * wp.cos(angle)
        total_im -= value * wp.sin(angle)
    re[i] = total_re
    im[i] = total_im


@algorithm(element="row rows")
def goertzel_rows(x: signal_value["n,8"], freq: signal_frequency["n"], power: out.spectral_power["n"]):
    "the power of one frequency in the eight samples of each row of {x} by Goertzel's algorithm: with c = 2 cos(2 pi {freq}), each sample v gives s = v + c s1 - s2, where s1 and s2 are the last s and the one before it, both 0 at the beginning; the power is s1^2 + s2^2 - c s1 s2 after the last sample"
    row = thread()
    guard(row)
    c = 2.0 * wp.cos(2.0 * wp.pi * freq[row])
    s1 = float(0.0)
    s2 = float(0.0)
    for k in range(8):
        s = x[row, k] + c * s1 - s2
        s2 = s1
        s1 = s
    power[row] = s1 * s1 + s2 * s2 - c * s1 * s2


@algorithm(element="pair pairs")
def butterfly(
    z: rotated_pair["2*n"], top: out.spectrum_pair["n"], bottom: out.spectrum_pair["n"],
):
    "one radix-2 butterfly of a fast Fourier transform for each pair of values a and b of {z} that lie n places apart, a at place i: {top} gets a + b, {bottom} gets (a - b) times exp(-I pi i / n), where I is the imaginary unit and n the number of pairs; a value's components are its real and its imaginary part"
    i = thread()
    guard(i)
    n = top.shape[0]
    a = z[i]
    b = z[i + n]
    angle = -wp.pi * float(i) / float(n)
    d = a - b
    c = wp.cos(angle)
    s = wp.sin(angle)
    top[i] = a + b
    bottom[i] = wp.vec2(d[0] * c - d[1] * s, d[0] * s + d[1] * c)


@algorithm
def circular_correlation(
    x: signal_value["n"], y: second_signal["n"], corr: out.correlation_value["n"],
):
    "the circular correlation: for each lag i the mean over all k of {x}[k] times {y} at (k + i) modulo the number of samples"
    i = thread()
    guard(i)
    n = x.shape[0]
    total = float(0.0)
    for k in range(n):
        total += x[k] * y[(k + i) % n]
    corr[i] = total / float(n)


@algorithm(element="row rows")
def comb_filter_rows(
    x: signal_value["n,m+3"], delay: delay_length["", "1:4"], g: feedback_gain,
    y: out.filtered_value["n,m+3"],
):
    "applies a feedback comb filter along each row of {x}: the output at k is the sample at k plus {g} times the output at k - {delay}, or the sample alone if k is below {delay}"
    row = thread()
    guard(row)
    for k in range(x.shape[1]):
        value = x[row, k]
        if k >= delay:
            value += g * y[row, k - delay]
        y[row, k] = value


@algorithm(element="frame frames")
def short_time_power(
    x: signal_value["2*n+4"], window: frame_window["4"], hop: hop_length["", "1:3"],
    power: out.spectral_power["n"],
):
    "the short-time power: for each frame i of four samples, from entry {hop} times i of {x} on, the mean of the squares of `{window}[k]` times sample k of the frame"
    frame = thread()
    guard(frame)
    first = frame * hop
    total = float(0.0)
    for k in range(4):
        value = window[k] * x[first + k]
        total += value * value
    power[frame] = 0.25 * total


@algorithm
def haar_step(x: signal_value["2*n"], approx: out.approximation_value["n"], detail: out.wavelet_value["n"]):
    "one level of the Haar transform: for the neighbors a = {x}[2 i] and b = {x}[2 i + 1], {approx} gets 0.70710678 (a + b) and {detail} gets 0.70710678 (a - b)"
    i = thread()
    guard(i)
    a = x[2 * i]
    b = x[2 * i + 1]
    approx[i] = 0.70710678 * (a + b)
    detail[i] = 0.70710678 * (a - b)


@algorithm(element="row rows")
def count_crossings(x: signal_value["n,m+2"], crossings: out.crossing_count["n"]):
    "counts the zero crossings in each row of {x}: how often the product of a sample and the next one is negative"
    row = thread()
    guard(row)
    n = int(0)
    before = x[row, 0]
    for k in range(1, x.shape[1]):
        value = x[row, k]
        if before * value < 0.0:
            n += 1
        before = value
    crossings[row] = n


@algorithm
def find_peaks(x: signal_value["n+2"], least: peak_threshold, peaks: out.peak_flag["n"]):
    "flags peaks: entry i is 1 if {x}[i + 1] is larger than both of its neighbors and than {least}, else 0; {x} has one sample more at each end"
    i = thread()
    guard(i)
    value = x[i + 1]
    if value > x[i] and value > x[i + 2] and value > least:
        peaks[i] = 1
    else:
        peaks[i] = 0


@algorithm
def resample_linear(x: signal_value["m+1"], ratio: resample_ratio, y: out.filtered_value["n"]):
    "resamples {x} by linear interpolation: entry i of {y} is the value of {x} at the place p = i / {ratio}, between the entries floor(p) and floor(p) + 1, or the last entry if floor(p) is not below its index"
    i = thread()
    guard(i)
    place = float(i) / ratio
    k = int(wp.floor(place))
    last = x.shape[0] - 1
    if k >= last:
        y[i] = x[last]
        return
    y[i] = wp.lerp(x[k], x[k + 1], place - float(k))


@algorithm
def adapt_filter(
    taps: filter_tap["n"], x: signal_value["n"], wanted: wanted_value, mu: step_factor,
    new_taps: out.filter_tap["n"],
):
    "one step of an LMS filter: the new coefficient i is {taps}[i] plus {mu} times the error times {x}[i], where the error is {wanted} minus the sum over all k of {taps}[k] {x}[k]"
    i = thread()
    guard(i)
    error = float(wanted)
    for k in range(taps.shape[0]):
        error -= taps[k] * x[k]
    new_taps[i] = taps[i] + mu * error * x[i]


@algorithm(element="frame frames")
def overlap_add(
    frames: frame_sample["n,4"], window: frame_window["4"], hop: hop_length["", "1:3"],
    y: out.overlapped_signal["2*n+4"],
):
    "adds frames up where they overlap: sample k of each frame i, a row of {frames}, times `{window}[k]`, is added atomically to {y} at the entry {hop} times i plus k"
    frame = thread()
    guard(frame)
    first = frame * hop
    for k in range(4):
        wp.atomic_add(y, first + k, window[k] * frames[frame, k])
