# SPDX-License-Identifier: Apache-2.0
"""Where warp-lang's text depends on PYTHONHASHSEED, makes it the one text that weft has.

Warp copies the constants of unrolled loops that a dynamic loop assigns to, before that loop, in the order of a
set of their names:

    for level in range(2): ...      # unrolled: `row` and `level` are constants behind it
    for level in range(n): ...      # var_7 = wp::copy(...) is `level` in some processes, `row` in others
"""

import ast


def promote_in_source_order():
    """Makes those copies in the order of the source, which some seed gives as well."""
    from warp._src import codegen

    own = codegen.Adjoint._promote_mutated_iter_constants

    def promote(adj, body):
        names = [n for statement in body for n in ast.walk(statement) if isinstance(n, ast.Name)]
        for name in sorted(names, key=lambda n: (n.lineno, n.col_offset)):
            if isinstance(name.ctx, ast.Store):
                own(adj, [name])

    codegen.Adjoint._promote_mutated_iter_constants = promote
