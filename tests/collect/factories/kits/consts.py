# SPDX-License-Identifier: Apache-2.0
"""Names that functions import when they are called."""

STEP = 0.25


def doubled(n):
    return 2 * n
