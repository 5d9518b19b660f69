# SPDX-License-Identifier: Apache-2.0
"""Finance: options, interest, bonds, returns and risk."""

field("finance", element="contract contracts", other="asset assets", link="holding holdings",
      group="portfolio portfolios", apart=True)

spot_price = quantity(float, "EUR", "spot price", one="spot s", many="spots prices", low=0.5, high=4.0)
strike = quantity(float, "EUR", "strike", one="strike k", many="strikes", low=0.5, high=4.0)
time_to_expiry = quantity(float, "years", "time to expiry", one="tau t", many="expiries maturities", low=0.25, high=2.0)
interest = quantity(float, "1/year", "risk-free interest rate", one="r rate", low=0.02, high=0.2, uniform=True)
annual_volatility = quantity(float, "1/sqrt(year)", "annual volatility", one="vol sigma", many="vols sigmas", low=0.2, high=1.0)
moneyness = quantity(float, "1", "d1 value", one="d1", many="d1")
call_value = quantity(float, "EUR", "call value", one="call", many="calls call_values", means="goal total zero")
put_value = quantity(float, "EUR", "put value", one="put", many="puts put_values", means="goal total zero")
option_delta = quantity(float, "1", "delta", one="delta", many="deltas")
option_vega = quantity(float, "EUR sqrt(year)", "vega", one="vega", many="vegas")
contract_payoff = quantity(float, "EUR", "payoff", one="payoff", many="payoffs", means="total zero")
barrier = quantity(float, "EUR", "barrier price", one="barrier", low=1.0, high=4.0, uniform=True)
contract_kind = quantity(int, "1", "kind of contract", one="kind", many="kinds types", low=0, high=4)
principal = quantity(float, "EUR", "principal", one="amount principal", many="principals balances", low=0.5, high=4.0, means="total")
yearly_rate = quantity(float, "1", "yearly rate", one="rate r", many="rates yields", low=0.02, high=0.25)
continuous_rate = quantity(float, "1/year", "continuous rate", one="rate r", many="rates cont_rates", low=0.02, high=0.25)
riskless_yearly_rate = quantity(float, "1", "risk-free yearly rate", one="r rate", low=0.02, high=0.2, uniform=True)
year_count = quantity(float, "years", "number of years", one="years t", many="years", low=0.5, high=4.0)
payments_per_year = quantity(int, "1", "number of payments per year", one="per_year m", low=1, high=4, uniform=True)
future_value = quantity(float, "EUR", "future value", one="fv", many="future_values", means="total goal")
annuity_payment = quantity(float, "EUR", "payment", one="payment", many="payments", means="total zero")
face_value = quantity(float, "EUR", "face value", one="face", many="faces", low=1.0, high=4.0)
coupon_rate = quantity(float, "1", "coupon rate", one="coupon", many="coupons", low=0.02, high=0.2)
up_move = quantity(float, "1", "excesses of the up moves over the risk-free rate", one="up", many="up_moves moves", low=0.02, high=0.2)
term_years = quantity(int, "years", "years to maturity", one="years n", many="terms", low=1, high=5)
bond_price = quantity(float, "EUR", "bond price", one="price", many="bond_prices")
bond_duration = quantity(float, "years", "duration", one="duration", many="durations")
discount_factor = quantity(float, "1", "discount factors", one="df", many="discounts curve", low=0.2, high=1.0)
cash_flow = quantity(float, "EUR", "cash flows", one="cf", many="cash_flows flows")
net_value = quantity(float, "EUR", "net present values", one="npv", many="npvs values")
price_entry = quantity(float, "EUR", "prices", one="p", many="prices closes", low=0.5, high=4.0)
asset_return = quantity(float, "1", "log returns", one="ret r", many="returns")
total_return = quantity(float, "1", "sums of the log returns", one="total", many="total_returns totals")
drawdown = quantity(float, "1", "largest drawdowns", one="dd", many="drawdowns max_drawdowns")
portfolio_weight = quantity(float, "1", "weights of the assets", one="w", many="weights w", low=0.1, high=1.0)
portfolio_value = quantity(float, "EUR", "value", one="total", many="portfolio_values", sums=True, means="total goal zero")
risk_variance = quantity(float, "1", "variances of the portfolios", one="var", many="variances")
holding_units = quantity(float, "1", "units held", one="units", many="units quantities", low=0.5, high=4.0)
asset_covariance = quantity(float, "1", "covariances of the assets", one="cov", many="cov")
average_factor = quantity(float, "1", "smoothing factor", one="alpha", low=0.1, high=0.9, uniform=True)
trade_signal = quantity(int, "1", "signals", one="signal", many="signals", low=-1, high=1)
trade_side = quantity(int, "1", "sides of the trades", one="side", many="sides", low=-1, high=1)
trade_asset = quantity(int, "1", "assets of the trades, -1 for none", one="asset", many="assets asset_ids", low=0, high=4)
net_position = quantity(float, "1", "net positions", one="position", many="positions")
fee_rate = quantity(float, "1", "fee rate", one="fee", low=0.01, high=0.1, uniform=True)
cash_balance = quantity(float, "EUR", "cash", one="cash", many="cash")
spread_width = quantity(float, "EUR", "width of a spread", one="width", low=0.25, high=1.0, uniform=True)
signal_band = quantity(float, "EUR", "band of a signal", one="band", low=0.05, high=0.5, uniform=True)


@formula
def black_scholes_d1(
    s: spot_price, k: strike, tau: time_to_expiry, r: interest, vol: annual_volatility,
) -> moneyness:
    "(log({s} / {k}) + ({r} + {vol}^2 / 2) {tau}) / ({vol} sqrt({tau}))"
    return (wp.log(s / k) + (r + 0.5 * vol * vol) * tau) / (vol * wp.sqrt(tau))


@formula
def normal_share(d1: moneyness) -> option_delta:
    "the normal distribution function at {d1}, approximated by 1 / (1 + exp(-1.5976 {d1} - 0.070566 {d1}^3))"
    return 1.0 / (1.0 + wp.exp(-1.5976 * d1 - 0.070566 * d1 * d1 * d1))


@formula
def black_scholes_call(
    s: spot_price, k: strike, tau: time_to_expiry, r: interest, vol: annual_volatility,
) -> call_value:
    "by Black and Scholes {s} N(d1) - {k} exp(-{r} {tau}) N(d1 - v) with v = {vol} sqrt({tau}), d1 = (log({s} / {k}) + {r} {tau}) / v + v / 2, and N(x) = 1 / (1 + exp(-1.5976 x - 0.070566 x^3)) for the normal distribution function"
    v = vol * wp.sqrt(tau)
    d1 = (wp.log(s / k) + r * tau) / v + 0.5 * v
    return s * normal_share(d1) - k * wp.exp(-r * tau) * normal_share(d1 - v)


@formula
def put_by_parity(
    call: call_value, s: spot_price, k: strike, tau: time_to_expiry, r: interest,
) -> put_value:
    "{call} minus {s} plus {k} times exp(-{r} {tau})"
    return call - s + k * wp.exp(-r * tau)


@formula
def vega_of(s: spot_price, d1: moneyness, tau: time_to_expiry) -> option_vega:
    "{s} sqrt({tau}) times the standard normal density at {d1}"
    return s * wp.sqrt(tau) * 0.3989423 * wp.exp(-0.5 * d1 * d1)


@formula
def spread_payoff(s: spot_price, k: strike, width: spread_width) -> contract_payoff:
    "{s} minus {k}, but at least 0 and at most {width}"
    return wp.clamp(s - k, 0.0, width)


@formula
def barrier_payoff(s: spot_price, k: strike, barrier: barrier) -> contract_payoff:
    "{s} minus {k}, or 0 if that is negative or {s} is at least {barrier}"
    if s >= barrier:
        return 0.0
    return wp.max(s - k, 0.0)


@formula
def compound(amount: principal, rate: yearly_rate, years: year_count) -> future_value:
    "{amount} times (1 + {rate}) to the power {years}"
    return amount * wp.pow(1.0 + rate, years)


@formula
def compound_often(
    amount: principal, rate: yearly_rate, years: year_count, m: payments_per_year,
) -> future_value:
    "{amount} times (1 + {rate} / {m}) to the power {m} {years}"
    periods = float(m)
    return amount * wp.pow(1.0 + rate / periods, periods * years)


@formula
def continuous_growth(amount: principal, rate: continuous_rate, years: year_count) -> future_value:
    "{amount} times exp({rate} {years})"
    return amount * wp.exp(rate * years)


@formula
def annuity(amount: principal, rate: yearly_rate, years: year_count) -> annuity_payment:
    "{amount} {rate} / (1 - (1 + {rate})^-{years}), which is paid each year"
    return amount * rate / (1.0 - wp.pow(1.0 + rate, -years))


@formula
def balance_after_payment(
    amount: principal, rate: yearly_rate, payment: annuity_payment,
) -> principal:
    "{amount} (1 + {rate}) minus {payment}, but at least 0"
    return wp.max(amount * (1.0 + rate) - payment, 0.0)


@formula
def holding_value(s: other.spot_price, units: link.holding_units) -> portfolio_value:
    "{s} times {units}"
    return s * units


@algorithm(element="bond bonds")
def price_bonds(
    face: face_value, coupon: coupon_rate, rate: yearly_rate, years: term_years,
    price: out.bond_price, duration: out.bond_duration,
):
    "the price of each bond, which pays {coupon} {face} at the end of each of {years} years and {face} with the last of them: the sum of the payments, each divided by (1 + {rate}) to the power of its year, goes to {price}; the sum of year times discounted payment, divided by the price, goes to {duration}"
    i = thread()
    guard(i)
    growth = 1.0 + rate[i]
    last = years[i]
    redemption = face[i]
    payment = coupon[i] * redemption
    discount = float(1.0)
    total = float(0.0)
    weighted = float(0.0)
    for year in range(1, last + 1):
        discount = discount / growth
        total += discount * payment
        weighted += float(year) * discount * payment
    total += discount * redemption
    weighted += float(last) * discount * redemption
    price[i] = total
    duration[i] = weighted / total


@algorithm(element="project projects")
def net_present_values(
    flows: cash_flow["n,m"], rate: yearly_rate["n"], npvs: out.net_value["n"],
):
    "the net present value of the cash flows in each row of {flows}, where column 0 is paid now and column k after k years: the sum of flow / (1 + {rate})^k, by Horner's scheme from the last column on"
    row = thread()
    guard(row)
    factor = 1.0 / (1.0 + rate[row])
    last = flows.shape[1] - 1
    total = float(0.0)
    for k in range(flows.shape[1]):
        total = total * factor + flows[row, last - k]
    npvs[row] = total


@algorithm(element="project projects", share=2)
def internal_rates(
    flows: cash_flow["n,3"], amount: principal["n"], guess: yearly_rate["n"],
    rates: out.yearly_rate["n"],
):
    "three Newton steps from {guess} for the internal rate r at which the sum of the magnitudes of the flows after one, two and three years, the columns of {flows}, each divided by (1 + r) to the power of its year, is {amount}; a slope above -0.5 counts as -0.5, and a step is clamped to the range from -0.2 to 0.2"
    i = thread()
    guard(i)
    r = guess[i]
    for step in range(3):
        value = -amount[i]
        slope = float(0.0)
        discount = float(1.0)
        for year in range(3):
            discount = discount / (1.0 + r)
            flow = wp.abs(flows[i, year])
            value += flow * discount
            slope -= float(year + 1) * flow * discount / (1.0 + r)
        r = r - wp.clamp(value / wp.min(slope, -0.5), -0.2, 0.2)
    rates[i] = r


@algorithm(element="asset assets")
def log_returns(prices: price_entry["m+1,n"], returns: out.asset_return["m,n"], sums: out.total_return["n"]):
    "for each asset, a column of {prices}, and each row of {returns}, with the index day: the logarithm of the ratio of the price in row day + 1 to that in row day is stored in {returns}; the sum of an asset's logarithms goes to {sums}"
    asset = thread()
    guard(asset)
    total = float(0.0)
    for day in range(returns.shape[0]):
        ret = wp.log(prices[day + 1, asset] / prices[day, asset])
        returns[day, asset] = ret
        total += ret
    sums[asset] = total


@algorithm(element="asset assets")
def max_drawdowns(prices: price_entry["n,m"], drawdowns: out.drawdown["n"]):
    "the largest drawdown in each row of {prices}: the largest value of (peak - price) / peak, where peak is the highest price up to then; 0 if the prices never fall"
    row = thread()
    guard(row)
    peak = prices[row, 0]
    worst = float(0.0)
    for day in range(1, prices.shape[1]):
        price = prices[row, day]
        peak = wp.max(peak, price)
        worst = wp.max(worst, (peak - price) / peak)
    drawdowns[row] = worst


@algorithm(element="portfolio portfolios")
def portfolio_variances(
    weights: portfolio_weight["n,k"], cov: asset_covariance["k,k"], var: out.risk_variance["n"],
):
    "the variance of each portfolio: the sum over all assets a and b of its weights of a and b, from its row of {weights}, times `{cov}[a, b]`"
    i = thread()
    guard(i)
    total = float(0.0)
    for a in range(weights.shape[1]):
        w = weights[i, a]
        for b in range(weights.shape[1]):
            total += w * weights[i, b] * cov[a, b]
    var[i] = total


@algorithm
def binomial_tree(
    s: spot_price["n"], k: strike["n"], up: up_move["n"], r: riskless_yearly_rate,
    value: out.put_value["n"],
):
    "the value of a European put by a binomial tree of three yearly steps: with the up factor u = 1 + {up} + {r}, the down factor 1 / u and the probability p = (1 + {r} - 1 / u) / (u - 1 / u) of a step up, it is the sum over j = 0, 1, 2, 3 steps up of C(3, j) p^j (1 - p)^(3 - j) max({k} - {s} u^(2 j - 3), 0), divided by (1 + {r})^3"
    i = thread()
    guard(i)
    u = 1.0 + up[i] + r
    d = 1.0 / u
    growth = 1.0 + r
    p = (growth - d) / (u - d)
    chance = (1.0 - p) * (1.0 - p) * (1.0 - p)
    price = s[i] * d * d * d
    exercise = k[i]
    total = float(0.0)
    for j in range(4):
        total += chance * wp.max(exercise - price, 0.0)
        chance = chance * p / (1.0 - p) * float(3 - j) / float(j + 1)
        price = price * u * u
    value[i] = total / (growth * growth * growth)


@algorithm
def pay_by_kind(
    kind: contract_kind, s: spot_price, k: strike, barrier: barrier,
    payoff: out.contract_payoff,
):
    "the payoff of each contract by its {kind}: a call, max({s} - {k}, 0), for 0; a put, max({k} - {s}, 0), for 1; a straddle, |{s} - {k}|, for 2; a digital, 1 if {s} is above {k}, else 0, for 3; for any other an up-and-out call, which is a call that pays 0 if {s} is not below {barrier}"
    i = thread()
    guard(i)
    price = s[i]
    gain = price - k[i]
    which = kind[i]
    if which == 0:
        payoff[i] = wp.max(gain, 0.0)
    elif which == 1:
        payoff[i] = wp.max(-gain, 0.0)
    elif which == 2:
        payoff[i] = wp.abs(gain)
    elif which == 3:
        payoff[i] = wp.where(gain > 0.0, 1.0, 0.0)
    elif price < barrier:
        payoff[i] = wp.max(gain, 0.0)
    else:
        payoff[i] = 0.0


@algorithm(element="asset assets")
def crossover_signals(
    prices: price_entry["n,m+2"], alpha: average_factor, band: signal_band,
    signals: out.trade_signal["n"],
):
    "compares two exponential moving averages of each row of {prices}: both begin at the first price, and with each further price the fast one moves towards it by {alpha} times the difference, the slow one by a quarter of {alpha} times the difference; the signal is 1 if the fast one ends more than {band} above the slow one, -1 if it ends more than {band} below, else 0"
    row = thread()
    guard(row)
    fast = prices[row, 0]
    slow = prices[row, 0]
    for day in range(1, prices.shape[1]):
        price = prices[row, day]
        fast += alpha * (price - fast)
        slow += 0.25 * alpha * (price - slow)
    gap = fast - slow
    if gap > band:
        signals[row] = 1
    elif gap < -band:
        signals[row] = -1
    else:
        signals[row] = 0


@algorithm(element="trade trades")
def book_trades(
    assets: trade_asset["n", "-1:a"], sides: trade_side["n", "-1:2"], units: holding_units["n"],
    prices: price_entry["a"], fee: fee_rate, positions: out.net_position["a"],
    cash: out.cash_balance["1"],
):
    "books each trade: its value is {units} times the price of its asset; the side (1 buy, -1 sell) times {units} is added atomically to {positions} of the asset, and the side times the value, plus {fee} times the value, is subtracted atomically from {cash}[0]; trades without an asset (-1) or with the side 0 are skipped"
    t = thread()
    guard(t)
    asset = assets[t]
    side = sides[t]
    if asset < 0 or side == 0:
        return
    traded = units[t]
    value = traded * prices[asset]
    wp.atomic_add(positions, asset, float(side) * traded)
    wp.atomic_sub(cash, 0, float(side) * value + fee * value)


@algorithm(element="payment payments")
def interpolate_discounts(
    t: year_count["n"], curve: discount_factor["k+1"], amount: principal["n"],
    values: out.net_value["n"],
):
    "the present value of {amount} at the time {t}: entry k of {curve} is the discount factor of k years; between them their logarithms are interpolated linearly, and the last one holds beyond the end"
    i = thread()
    guard(i)
    last = curve.shape[0] - 1
    time = t[i]
    year = int(wp.floor(time))
    if year >= last:
        values[i] = amount[i] * curve[last]
        return
    low = wp.log(curve[year])
    high = wp.log(curve[year + 1])
    values[i] = amount[i] * wp.exp(wp.lerp(low, high, time - float(year)))
