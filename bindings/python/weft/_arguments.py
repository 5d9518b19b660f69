# SPDX-License-Identifier: Apache-2.0
"""Numbers, words and names as callers give them; what does not fit raises an error that names its
parameter.

    whole("jobs", "10", 0, 9)    ->   TypeError: jobs is a whole number, not '10'
    amount("count", "10k", 0, 10**6)   ->   10000
"""

from __future__ import annotations

import ctypes
import operator
from typing import Any, Iterable, List, Optional, Sequence, Union

from ._library import library

Names = Union[str, Iterable[str], None]
Count = Union[int, float, str]
SHOWN_MOST = 80  # characters of a value in a message


def shown(value: object) -> str:
    """A value in an error's sentence: short ones as Python writes them, of others the type."""
    if value is None or isinstance(value, (str, bytes, int, float)):
        written = repr(value)
        return written if len(written) <= SHOWN_MOST else f"{written[: SHOWN_MOST - 3]}..."
    kind = type(value).__name__
    return f"an {kind}" if kind[0] in "aeiouAEIOU" else f"a {kind}"


def c_string(parameter: str, value: bytes) -> bytes:
    """As C takes it: it would end at a zero byte."""
    if b"\0" in value:
        raise ValueError(f"{parameter} holds a zero byte: {shown(value)}")
    return value


def whole(name: str, value: Any, least: int, most: int) -> int:
    """An int, or what stands for one, such as NumPy's."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {shown(value)}") from None
    if not least <= number <= most:
        raise ValueError(f"{name} is a number from {least} to {most}, not {number}")
    return number


def amount(name: str, value: Any, least: int, most: int) -> int:
    """A number of records: a whole one, or a text that the command line takes for one, as "10k" or "1e3"."""
    number = ctypes.c_uint64()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, str):
        return whole(name, value, least, most)
    if library().weft_read_number(value.encode(), ctypes.byref(number)) != 0:
        raise ValueError(f"{name} is a whole number, such as 500, '10k' or '2M', not {shown(value)}")
    return whole(name, number.value, least, most)


def real(name: str, value: Any) -> float:
    """A float, or what stands for one; a text is none."""
    if isinstance(value, str) or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        raise TypeError(f"{name} is a number, not {shown(value)}")
    return float(value)


def similarity(near: Any, kept: Optional[int] = None) -> float:
    """The least similarity that counts as near, 0 for None. kept: what 0 stands for, where that is allowed."""
    if near is None:
        return 0
    number = real("near", near)
    if number == 0 and kept is not None:
        return kept
    if not 0.5 <= number <= 1:
        raise ValueError(f"near is a similarity from 0.5 to 1, not {near!r}")
    return number


def word(name: str, value: Any) -> Optional[bytes]:
    """A text for the library, or None."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} is a str, not {shown(value)}")
    return None if value is None else c_string(name, value.encode())


def words(name: str, value: Any) -> Optional[bytes]:
    """Names with commas between them, of one text or several; or None."""
    if value is None or isinstance(value, str):
        return word(name, value)
    items = several(value)
    if items is None:
        raise TypeError(f"{name} is a str or several, not {shown(value)}")
    return b",".join(word(name, item) or b"" for item in items)


def several(value: Any) -> Optional[List[Any]]:
    """The items of a list, a tuple, a set and the like; None for anything else, a text among them."""
    return list(value) if isinstance(value, Iterable) and not isinstance(value, (str, bytes)) else None


def one_of(name: str, value: Any, choices: Sequence[str]) -> int:
    """The place of the value among the choices."""
    *others, last = [repr(choice) for choice in choices]
    sentence = f"{name} is {', '.join(others)} or {last}, not {shown(value)}"
    if not isinstance(value, str):
        raise TypeError(sentence)
    if value not in choices:
        raise ValueError(sentence)
    return choices.index(value)


def device_bits(device: Any) -> int:
    """One bit for each device."""
    return one_of("device", device, ("cpu", "cuda", "both")) + 1
