# SPDX-License-Identifier: Apache-2.0
"""Prices along random paths."""

field("random prices", element="path paths", other="path paths", apart=True)

asset_price = quantity(float, "EUR", "asset price", one="price s", many="prices s", low=1.0, high=4.0, means="peak lowest goal")
price_drift = quantity(float, "1/year", "drift rate", one="drift mu", low=0.1, high=1.0, uniform=True)
volatility = quantity(float, "1/sqrt(year)", "volatility", one="vol sigma", low=0.1, high=1.0,
                      uniform=True)
period = quantity(float, "years", "length of a step", one="dt period", low=0.1, high=1.0, uniform=True)
strike_price = quantity(float, "EUR", "strike price", one="strike k", low=0.5, high=2.0, uniform=True)
option_payoff = quantity(float, "EUR", "payoff", one="payoff", many="payoffs", means="total zero")
discount_rate = quantity(float, "1/year", "interest rate", one="r rate", low=0.1, high=0.5, uniform=True)
present_value = quantity(float, "EUR", "present value", one="pv value", many="present_values pv", means="total zero")
price_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)


@formula
def next_price(s: asset_price, mu: price_drift, sigma: volatility, dt: period,
               state: random_state) -> asset_price:
    "a step of geometric Brownian motion, {s} exp(({mu} - {sigma}^2 / 2) {dt} + {sigma} sqrt({dt}) z) with a standard normal number z"
    shock = sigma * wp.sqrt(dt) * wp.randn(state)
    return s * wp.exp((mu - 0.5 * sigma * sigma) * dt + shock)


@formula
def call_payoff(s: asset_price, k: strike_price) -> option_payoff:
    "{s} minus {k}, or zero if that is negative"
    return wp.max(s - k, 0.0)


@formula
def put_payoff(s: asset_price, k: strike_price) -> option_payoff:
    "{k} minus {s}, or zero if that is negative"
    return wp.max(k - s, 0.0)


@formula
def discounted(payoff: option_payoff, r: discount_rate, dt: period) -> present_value:
    "{payoff} times exp(-{r} {dt})"
    return payoff * wp.exp(-r * dt)


@algorithm
def simulate_paths(start: asset_price, mu: price_drift, sigma: volatility, dt: period,
                   k: strike_price, seed: price_seed, payoff: out.option_payoff):
    "for each path of a geometric Brownian motion from {start} the mean of the payoffs max(s - {k}, 0) of the prices s after each of four steps, where a step multiplies the price by exp(({mu} - {sigma}^2 / 2) {dt} + {sigma} sqrt({dt}) z) with a standard normal number z"
    i = thread()
    guard(i)
    state = wp.rand_init(seed, i)
    s = start[i]
    total = float(0.0)
    drift = (mu - 0.5 * sigma * sigma) * dt
    scale = sigma * wp.sqrt(dt)
    for step in range(4):
        s = s * wp.exp(drift + scale * wp.randn(state))
        total += wp.max(s - k, 0.0)
    payoff[i] = total / 4.0


path_seed = quantity(int, "1", "seed of the random numbers", one="seed", low=0, high=999, uniform=True)
