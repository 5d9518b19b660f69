# SPDX-License-Identifier: Apache-2.0
"""Finance: options, interest, bonds, returns and risk."""

field("finance", element="contract contracts", other="asset assets", link="holding holdings",
      group="portfolio portfolios", apart=True, state=True, share=1)

spot_price = quantity(float, "EUR", "spot price", one="spot s", many="spots prices", low=0.5, high=4.0)
expiry_price = quantity(float, "EUR", "price at expiry", one="final s_t", many="expiry_prices finals", low=0.5, high=4.0)
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
contract_kind = quantity(int, "1", "kind of contract", one="kind", many="types kinds", low=0, high=4)
principal = quantity(float, "EUR", "principal", one="amount principal", many="principals balances", low=0.5, high=4.0, means="total")
yearly_rate = quantity(float, "1", "yearly rate", one="rate r", many="rates yields", low=0.02, high=0.25)
continuous_rate = quantity(float, "1/year", "continuous rate", one="rate r", many="rates cont_rates", low=0.02, high=0.25)
riskless_yearly_rate = quantity(float, "1", "risk-free yearly rate", one="r rate", low=0.02, high=0.2, uniform=True)
year_count = quantity(float, "years", "number of years", one="years t", many="years", low=0.5, high=4.0)
payments_per_year = quantity(int, "1", "number of payments per year", one="per_year m", low=1, high=4, uniform=True)
rate_guess = quantity(float, "1", "first guess of the rate", one="guess", many="guesses", low=0.02, high=0.25)
internal_rate = quantity(float, "1", "internal rate", one="irr", many="internal_rates irr")
future_value = quantity(float, "EUR", "future value", one="fv", many="future_values", means="total goal")
annuity_payment = quantity(float, "EUR", "payment", one="payment", many="payments", means="total zero")
face_value = quantity(float, "EUR", "face value", one="face", many="faces", low=1.0, high=4.0)
coupon_rate = quantity(float, "1", "coupon rate", one="coupon", many="coupons", low=0.02, high=0.2)
up_move = quantity(float, "1", "excesses of the up moves over the risk-free rate", one="up", many="up_moves moves", low=0.02, high=0.2)
bond_price = quantity(float, "EUR", "bond price", one="price", many="bond_prices")
bond_duration = quantity(float, "years", "duration", one="duration", many="durations")
discount_factor = quantity(float, "1", "discount factors", one="df", many="discounts curve", low=0.2, high=1.0)
yearly_payment = quantity(float, "EUR", "payment", one="payment", many="payments", low=0.2, high=2.0)
cash_flow = quantity(float, "EUR", "cash flows", one="cf", many="cash_flows flows")
net_value = quantity(float, "EUR", "net present values", one="npv", many="values npvs")
price_entry = quantity(float, "EUR", "prices", one="p", many="prices closes", low=0.5, high=4.0)
asset_return = quantity(float, "1", "log returns", one="ret r", many="returns")
total_return = quantity(float, "1", "sums of the log returns", one="total", many="total_returns totals")
drawdown = quantity(float, "1", "largest drawdowns", one="dd", many="drawdowns max_drawdowns")
portfolio_weight = quantity(float, "1", "weights of the assets", one="w", many="weights w", low=0.1, high=1.0)
portfolio_value = quantity(float, "EUR", "portfolio value", one="worth", many="portfolio_values", sums=True, means="total goal zero")
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
holding_asset = quantity(int, "1", "asset", one="asset", many="asset_ids", low=0, high=4)
asset_sector = quantity(int, "1", "sector of each asset, -1 for none", one="sector", many="sectors", low=-1, high=3)
sector_exposure = quantity(float, "EUR", "exposure of each sector", one="exposure", many="exposures")
scenario_return = quantity(float, "1", "returns of the assets", one="ret", many="scenario_returns returns")
loss_limit = quantity(float, "1", "value at risk", one="value_at_risk var_limit", low=0.05, high=0.4, uniform=True)
tail_loss = quantity(float, "1", "sum of the losses beyond the value at risk", one="tail", many="tail_loss")
tail_count = quantity(int, "1", "number of the losses beyond the value at risk", one="n_tail", many="tail_count")
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
    "by Black and Scholes, {s} N(d1) - {k} exp(-{r} {tau}) N(d1 - v) with v = {vol} sqrt({tau}), d1 = (log({s} / {k}) + {r} {tau}) / v + v / 2, and N(x) = 1 / (1 + exp(-1.5976 x - 0.070566 x^3)) for the normal distribution function"
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
def price_at_expiry(
    s: spot_price, tau: time_to_expiry, r: interest, vol: annual_volatility, state: random_state,
) -> expiry_price:
    "a draw of the price at expiry, {s} exp(({r} - {vol}^2 / 2) {tau} + {vol} sqrt({tau}) z) with a standard normal number z"
    shock = vol * wp.sqrt(tau) * wp.randn(state)
    return s * wp.exp((r - 0.5 * vol * vol) * tau + shock)


@formula
def straddle_payoff(s: expiry_price, k: strike) -> contract_payoff:
    "the absolute value of {s} minus {k}, as of a call and a put together"
    return wp.abs(s - k)


@formula
def spread_payoff(s: expiry_price, k: strike, width: spread_width) -> contract_payoff:
    "{s} minus {k}, but at least 0 and at most {width}"
    return wp.clamp(s - k, 0.0, width)


@formula
def barrier_payoff(s: expiry_price, k: strike, barrier: barrier) -> contract_payoff:
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


@algorithm(element="portfolio portfolios")
def value_portfolios(
    offsets: row_offsets, ids: link_to_other, units: link.holding_units, s: other.spot_price,
    values: out.portfolio_value,
):
    "the value of each portfolio i: the sum over its holdings k, those from `{offsets}[i]` up to, but not including, `{offsets}[i + 1]`, of `{units}[k]` times {s} of the asset `{ids}[k]`"
    i = thread()
    guard(i)
    total = float(0.0)
    for k in range(offsets[i], offsets[i + 1]):
        total += units[k] * s[ids[k]]
    values[i] = total


@algorithm(element="bond bonds")
def price_bonds(
    face: face_value, coupon: coupon_rate, rate: yearly_rate,
    price: out.bond_price, duration: out.bond_duration,
):
    "prices bonds of five years, which pay {coupon} times {face} at the end of each year, and {face} as well with the last payment: {price} gets the sum of the payments, each divided by (1 + {rate}) to the power of its year, and {duration} gets the sum of year times discounted payment, divided by the price"
    i = thread()
    guard(i)
    growth = 1.0 + rate[i]
    redemption = face[i]
    payment = coupon[i] * redemption
    discount = float(1.0)
    total = float(0.0)
    weighted = float(0.0)
    for year in range(1, 6):
        discount = discount / growth
        total += discount * payment
        weighted += float(year) * discount * payment
    total += discount * redemption
    weighted += 5.0 * discount * redemption
    price[i] = total
    duration[i] = weighted / total


@algorithm(element="project projects")
def net_present_values(
    flows: cash_flow["n,m"], rate: yearly_rate["n"], npvs: out.net_value["n"],
):
    "the net present value of the cash flows in each row of {flows}, where column 0 is paid now and column k after k years: the sum over all columns k of the flow divided by (1 + {rate})^k"
    row = thread()
    guard(row)
    growth = 1.0 + rate[row]
    total = float(0.0)
    for k in range(flows.shape[1]):
        total += flows[row, k] / wp.pow(growth, float(k))
    npvs[row] = total


@algorithm(element="project projects", share=2)
def find_internal_rates(
    flows: yearly_payment["n,3"], amount: principal["n"], guess: rate_guess["n"],
    rates: out.internal_rate["n"],
):
    "three Newton steps from {guess} for the internal rate r at which the payments after one, two and three years, the columns of {flows}, each divided by (1 + r) to the power of its year, add up to {amount}; a step is clamped to the range from -0.2 to 0.2"
    i = thread()
    guard(i)
    r = guess[i]
    for step in range(3):
        value = -amount[i]
        slope = float(0.0)
        discount = float(1.0)
        for year in range(3):
            discount = discount / (1.0 + r)
            value += flows[i, year] * discount
            slope -= float(year + 1) * flows[i, year] * discount / (1.0 + r)
        r = r - wp.clamp(value / slope, -0.2, 0.2)
    rates[i] = r


@algorithm(element="asset assets")
def log_returns(prices: price_entry["m+1,n"], returns: out.asset_return["m,n"], sums: out.total_return["n"]):
    "takes the log returns of assets, which are the columns of {prices}: row day of {returns} gets the logarithm of the ratio of the price in row day + 1 to the price in row day, and {sums} the sum of each asset's log returns"
    asset = thread()
    guard(asset)
    total = float(0.0)
    for day in range(returns.shape[0]):
        ret = wp.log(prices[day + 1, asset] / prices[day, asset])
        returns[day, asset] = ret
        total += ret
    sums[asset] = total


@algorithm(element="asset assets")
def max_drawdowns(prices: price_entry["n,6"], drawdowns: out.drawdown["n"]):
    "the largest drawdown of the six prices in each row of {prices}: the largest value of (peak - price) / peak, where peak is the highest price up to then; 0 if the prices never fall"
    row = thread()
    guard(row)
    peak = prices[row, 0]
    worst = float(0.0)
    for day in range(1, 6):
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
    "the payoff of each contract: where {kind} is 0 (a call), max({s} - {k}, 0); where it is 1 (a put), max({k} - {s}, 0); where it is 2 (a straddle), |{s} - {k}|; where it is 3 (a digital), 1 if {s} is above {k}, else 0; for any other kind, that of an up-and-out call, a call that pays 0 if {s} is not below {barrier}"
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


@algorithm(element="holding holdings")
def add_up_exposures(
    assets: holding_asset["n", "0:a"], units: holding_units["n"], prices: price_entry["a"],
    sectors: asset_sector["a", "-1:s"], exposures: out.sector_exposure["s"],
):
    "adds the value of each holding, {units} times the price of its asset, atomically to {exposures} of the asset's sector; holdings of assets without a sector (-1) are left out"
    k = thread()
    guard(k)
    asset = assets[k]
    sector = sectors[asset]
    if sector < 0:
        return
    wp.atomic_add(exposures, sector, units[k] * prices[asset])


@algorithm(element="scenario scenarios")
def losses_in_the_tail(
    returns: scenario_return["n,k"], weights: portfolio_weight["k"], value_at_risk: loss_limit,
    tail: out.tail_loss["1"], n_tail: out.tail_count["1"],
):
    "adds up the losses that make the expected shortfall of a portfolio: the loss of each scenario is minus the sum of {weights} times the returns in its row of {returns}; losses above {value_at_risk} are added atomically to {tail}[0], and 1 is added to {n_tail}[0] for each of them"
    i = thread()
    guard(i)
    loss = float(0.0)
    for a in range(returns.shape[1]):
        loss -= weights[a] * returns[i, a]
    if loss > value_at_risk:
        wp.atomic_add(tail, 0, loss)
        wp.atomic_add(n_tail, 0, 1)
