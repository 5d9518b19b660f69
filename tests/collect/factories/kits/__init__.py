# SPDX-License-Identifier: Apache-2.0
"""Functions that make kernels, which only a running program calls."""
