# SPDX-License-Identifier: Apache-2.0
"""Prices along random paths."""

field("random prices", element="path paths", other="path paths", apart=True, state=True, share=1)

asset_price = quantity(float, "EUR", "asset price", one="price s", many="prices s", low=1.0, high=4.0, means="peak lowest")
price_drift = quantity(float, "1/year", "drift rate", one="drift mu", low=0.1, high=1.0, uniform=True)
volatility = quantity(float, "1/sqrt(year)", "volatility", one="vol sigma", low=0.1, high=1.0,
                      uniform=True)
expiry_time = quantity(float, "years", "time to the payment", one="t_pay maturity", low=0.1, high=1.0, uniform=True)
period = quantity(float, "years", "length of a step", one="dt period", low=0.1, high=1.0, uniform=True)
strike_price = quantity(float, "EUR", "strike price", one="strike k", low=0.5, high=2.0, uniform=True)
option_payoff = quantity(float, "EUR", "payoff", one="payoff", many="payoffs", means="total zero")
discount_rate = quantity(float, "1/year", "interest rate", one="r rate", low=0.1, high=0.5, uniform=True)
present_value = quantity(float, "EUR", "present value", one="pv value", many="present_values pv", means="total zero")
price_variance = quantity(float, "1/year", "price variance", one="v var", many="price_variances", low=0.05, high=0.6)
mean_variance = quantity(float, "1/year", "mean variance", one="theta long_var", low=0.05, high=0.5, uniform=True)
reversion_rate = quantity(float, "1/year", "reversion rate", one="kappa reversion", low=0.2, high=2.0, uniform=True)
variance_noise = quantity(float, "1/year", "noise strength of the variance", one="xi vol_of_vol", low=0.1, high=0.8, uniform=True)
noise_correlation = quantity(float, "1", "correlation of the noises", one="rho", low=-0.8, high=0.8, uniform=True)
jump_chance = quantity(float, "1", "chance of a jump", one="p_jump", low=0.1, high=0.6, uniform=True)
jump_size = quantity(float, "1", "size of the jumps", one="jump", low=0.1, high=0.5, uniform=True)
short_rate = quantity(float, "1/year", "short rate", one="r rate", many="short_rates rates", low=0.01, high=0.2)
mean_rate = quantity(float, "1/year", "mean rate", one="mean_rate r_mean", low=0.02, high=0.1, uniform=True)
rate_noise = quantity(float, "1/year^1.5", "noise strength of the rate", one="eta rate_noise", low=0.01, high=0.2, uniform=True)
knock_out_price = quantity(float, "EUR", "knock-out price", one="barrier", low=2.0, high=6.0, uniform=True)
price_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)


@formula
def next_price(s: asset_price, mu: price_drift, sigma: volatility, dt: period,
               state: random_state) -> asset_price:
    "a step of geometric Brownian motion, {s} exp(({mu} - {sigma}^2 / 2) {dt} + {sigma} sqrt({dt}) z) with a standard normal number z"
    shock = sigma * wp.sqrt(dt) * wp.randn(state)
    return s * wp.exp((mu - 0.5 * sigma * sigma) * dt + shock)


@formula
def price_with_jumps(s: asset_price, sigma: volatility, dt: period, chance: jump_chance, jump: jump_size,
                     state: random_state) -> asset_price:
    "{s} exp({sigma} sqrt({dt}) z - {sigma}^2 {dt} / 2), with a standard normal number z, and times exp(-{jump}) besides if a random number from 0 to 1, drawn after z, is below {chance}"
    diffused = s * wp.exp(sigma * wp.sqrt(dt) * wp.randn(state) - 0.5 * sigma * sigma * dt)
    return wp.where(wp.randf(state) < chance, diffused * wp.exp(-jump), diffused)


@formula
def vasicek_rate(r: short_rate, mean: mean_rate, kappa: reversion_rate, eta: rate_noise, dt: period,
                 state: random_state) -> short_rate:
    "a step of the Vasicek model, {r} + {kappa} ({mean} - {r}) {dt} + {eta} sqrt({dt}) z with a standard normal number z"
    return r + kappa * (mean - r) * dt + eta * wp.sqrt(dt) * wp.randn(state)


@formula
def call_payoff(s: asset_price, k: strike_price) -> option_payoff:
    "{s} minus {k}, or zero if that is negative"
    return wp.max(s - k, 0.0)


@formula
def put_payoff(s: asset_price, k: strike_price) -> option_payoff:
    "{k} minus {s}, or zero if that is negative"
    return wp.max(k - s, 0.0)


@formula
def discount(payoff: option_payoff, r: discount_rate, dt: expiry_time) -> present_value:
    "{payoff} times exp(-{r} {dt})"
    return payoff * wp.exp(-r * dt)


@algorithm
def asian_call_payoffs(start: asset_price, mu: price_drift, sigma: volatility, dt: period,
                   k: strike_price, seed: price_seed, payoff: out.option_payoff):
    "the payoff of an Asian call on each path of a geometric Brownian motion from {start}: max(m - {k}, 0), where m is the mean of the prices after each of four steps, and a step multiplies the price by exp(({mu} - {sigma}^2 / 2) {dt} + {sigma} sqrt({dt}) z) with a standard normal number z"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    s = start[i]
    total = float(0.0)
    growth = (mu - 0.5 * sigma * sigma) * dt
    spread = sigma * wp.sqrt(dt)
    for step in range(4):
        s = s * wp.exp(growth + spread * wp.randn(state))
        total += s
    payoff[i] = wp.max(total / 4.0 - k, 0.0)


@algorithm
def heston_step(
    s: asset_price, v: price_variance, mu: price_drift, kappa: reversion_rate, theta: mean_variance,
    xi: variance_noise, rho: noise_correlation, dt: period, seed: price_seed, s_out: out.asset_price,
    v_out: out.price_variance,
):
    "a step of the Heston model with two standard normal numbers a and b, drawn in this order: {s_out} gets {s} exp(({mu} - {v} / 2) {dt} + sqrt({v} {dt}) a), and {v_out} gets {v} + {kappa} ({theta} - {v}) {dt} + {xi} sqrt({v} {dt}) ({rho} a + sqrt(1 - {rho}^2) b), but at least 0.001"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    variance = v[i]
    spread = wp.sqrt(variance * dt)
    a = wp.randn(state)
    b = rho * a + wp.sqrt(1.0 - rho * rho) * wp.randn(state)
    s_out[i] = s[i] * wp.exp((mu - 0.5 * variance) * dt + spread * a)
    v_out[i] = wp.max(variance + kappa * (theta - variance) * dt + xi * spread * b, 0.001)


@algorithm
def antithetic_call_payoffs(
    start: asset_price, sigma: volatility, r: discount_rate, dt: period, k: strike_price,
    seed: price_seed, value: out.present_value,
):
    "an estimate of the value of a call from each price {start} by an antithetic pair of paths: exp(-{r} {dt}) times the mean of the payoffs max(s - {k}, 0) for the prices s = {start} exp(({r} - {sigma}^2 / 2) {dt} + {sigma} sqrt({dt}) z) with a standard normal number z and with -z in its place"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    shock = sigma * wp.sqrt(dt) * wp.randn(state)
    forward = start[i] * wp.exp((r - 0.5 * sigma * sigma) * dt)
    up = wp.max(forward * wp.exp(shock) - k, 0.0)
    down = wp.max(forward * wp.exp(-shock) - k, 0.0)
    value[i] = 0.5 * wp.exp(-r * dt) * (up + down)


@algorithm
def knock_out_payoffs(
    start: asset_price, sigma: volatility, dt: period, k: strike_price, barrier: knock_out_price,
    seed: price_seed, payoff: out.option_payoff,
):
    "the payoff of a knock-out call on each path from {start} over four steps, each of which multiplies the price by exp({sigma} sqrt({dt}) z - {sigma}^2 {dt} / 2) with a standard normal number z: the last price minus {k}, or 0 if that is negative or if the price after any step is at least {barrier}"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    s = start[i]
    highest = float(0.0)
    spread = sigma * wp.sqrt(dt)
    for step in range(4):
        s = s * wp.exp(spread * wp.randn(state) - 0.5 * spread * spread)
        highest = wp.max(highest, s)
    payoff[i] = wp.where(highest < barrier, wp.max(s - k, 0.0), 0.0)


path_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)
