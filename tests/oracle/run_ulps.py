# SPDX-License-Identifier: Apache-2.0
"""How many units in the last place results may be apart from warp-lang's, and why.

Everything that is not named here must be equal bit for bit.
"""

# builtin, "kernels" or "generated" -> (forward, backward)
ULPS = {}

# Of a wp.grad the reference interpreter has the derivative by tangents; Warp's adjoint rounds in another order.
REFERENCE = {"gradients.py": 8}


def allowed(name, direction):
    """`name` is "kernels", "generated", or "BUILTIN SCALAR"."""
    pair = ULPS.get(name) or ULPS.get(name.split(" ")[0]) or (0, 0)
    return pair[0 if direction == "forward" else 1]
