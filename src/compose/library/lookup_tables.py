# SPDX-License-Identifier: Apache-2.0
"""Interpolation in tables."""

field("lookup tables", element="query queries", other="knot knots", apart=True)

table_value = quantity(float, "1", "table values", one="y", many="table lut")
table_position = quantity(float, "1", "table position", one="x u", many="xs queries",
                          low=0.1, high=8.0)
table_lookup_value = quantity(float, "1", "table value", one="y value", many="values ys", means="goal range blend zero")
knot_position = quantity(float, "1", "knots", one="knot", many="knots", low=0.1, high=4.0)


@formula
def table_lookup(x: table_position, table: whole.table_value) -> table_lookup_value:
    "the linear interpolation of {table} at {x}, which is not negative, between entry k = floor({x}) and entry k + 1 with the fraction {x} - k; the last entry if k is not below its index"
    last = table.shape[0] - 1
    k = int(wp.floor(x))
    if k >= last:
        return table[last]
    return wp.lerp(table[k], table[k + 1], x - float(k))


@formula
def wrapped_lookup(x: table_position, table: whole.table_value) -> table_lookup_value:
    "the linear interpolation at {x} of {table}, which is periodic, between the entries k = floor({x}) and k + 1, both modulo its length, with the fraction {x} - k"
    n = table.shape[0]
    k = int(wp.floor(x))
    return wp.lerp(table[k % n], table[(k + 1) % n], x - float(k))


@algorithm
def find_segment_and_interpolate(x: table_position["n"], knots: knot_position["k+2", "rising:1"],
                                 table: table_value["k+2"], y: out.table_lookup_value["n"]):
    "for each of {x} the linear interpolation of {table} between the last of {knots}, which are in rising order, that is at most its value and the knot after it, found by going over the knots from the first one on; the first entry of {table} before the first knot, the last entry if no knot is above the value"
    i = thread()
    guard(i)
    at = x[i]
    n = knots.shape[0]
    k = int(0)
    while k < n and knots[k] <= at:
        k += 1
    if k == 0:
        y[i] = table[0]
    elif k == n:
        y[i] = table[n - 1]
    else:
        begin = knots[k - 1]
        f = (at - begin) / (knots[k] - begin)
        y[i] = wp.lerp(table[k - 1], table[k], f)
