"""Names that weft does not see bound, in places where Python may not stop."""

import contextlib
import os

import warp as wp

try:
    VALUE = only_in_python_2
except NameError:
    VALUE = 3

if os.environ.get("FAST"):
    LIMIT = only_when_fast

with contextlib.suppress(NameError):
    OTHER = may_be_suppressed

if not hasattr(wp, "not_yet_there"):
    wp.not_yet_there = 2
COPY = wp.not_yet_there


def never_called():
    return undefined_in_function


def uses_global():
    global set_by_function
    set_by_function = 1


uses_global()
SET = set_by_function

match VALUE:
    case captured:
        pass
CAUGHT = captured

KINDS = [ValueError, UserWarning, __name__, __doc__, NotImplemented, open, wp.launch, wp.Tape, wp.fem]


class Box:
    size = 2
    double = size * 2


@wp.kernel
def right(a: wp.array(dtype=float)):
    a[0] = float(wp.static(Box.double))
