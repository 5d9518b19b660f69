# SPDX-License-Identifier: Apache-2.0
"""A package whose module is an attribute of it."""

from . import shapes
