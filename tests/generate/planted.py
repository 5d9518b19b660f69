# SPDX-License-Identifier: Apache-2.0
"""Single-token changes of emitted text: operators, indexes, constants, variables, and statements left
out. Comments are never changed, and a change never gives the same text."""

import random
import re

KINDS = ("operator", "index", "constant", "variable", "statement")
CALLS = (
    ("wp::add(", "wp::sub("), ("wp::sub(", "wp::add("), ("wp::mul(", "wp::add("), ("wp::div(", "wp::mul("),
    ("wp::min(", "wp::max("), ("wp::max(", "wp::min("), ("wp::sin(", "wp::cos("), ("wp::cos(", "wp::sin("),
    ("wp::dot(", "wp::add("), ("wp::neg(", "wp::abs("), ("wp::floor(", "wp::ceil("), ("wp::atomic_add(", "wp::atomic_sub("),
    ("wp::adj_add(", "wp::adj_sub("), ("wp::adj_sub(", "wp::adj_add("), ("wp::adj_mul(", "wp::adj_add("),
    ("wp::adj_min(", "wp::adj_max("), ("wp::adj_max(", "wp::adj_min("), ("wp::adj_sin(", "wp::adj_cos("),
    ("wp::adj_cos(", "wp::adj_sin("), ("wp::adj_neg(", "wp::adj_abs("), ("wp::adj_where(", "wp::adj_add("),
    (" < ", " >= "), (" > ", " <= "), (" <= ", " > "), (" >= ", " < "), (" == ", " != "), (" != ", " == "),
)
STORE = re.compile(r"^\s*(?:wp::(?:array_store|atomic_add|atomic_sub|assign_inplace|store|adj_\w+)\(|var_\w+ = |wp::assign\()")


def code_lines(text):
    """Numbers of the lines that compute something: no comments, declarations or heads."""
    inside = False
    for number, line in enumerate(text.split("\n")):
        plain = line.strip()
        inside = inside or plain == "// forward"
        if plain.startswith("extern") or plain.startswith("static ") or plain.startswith("struct "):
            inside = False
        if (inside or plain.startswith("const wp::")) and plain and not plain.startswith("//"):
            yield number, line


TARGET = re.compile(r"\s*(?:const [\w:]+ )?(var_\d+) = |\s*wp::assign\((var_\d+), ")
ADJOINT = re.compile(r"\s*wp::adj_(\w+)\((.*)\);")
# The derivative is a constant, whatever the arguments are; or is zero everywhere.
PLAIN = {"add", "sub", "neg", "copy", "load", "float16", "float32", "float64", "radians", "degrees", "transpose", "trace"}
FLAT = {"floor", "ceil", "round", "rint", "trunc", "sign", "step", "nonzero", "floordiv", "bit_count", "argmin", "argmax"}
MEMORY = ("array_store", "address", "atomic_", "store")


def without_gradient(text):
    """Adjoints of numbers that have none: of integers, bools and shapes."""
    return set(re.findall(r"(?:wp::u?int\d+|bool|wp::shape_t|wp::range_t)\*? (adj_\d+) = ", text)) | {
        "adj_" + name for name in re.findall(r"const [\w:<>, ]+ var_(\d+) = ", text)}


def flow(line, flat):
    """What a line writes, or None if that is seen from outside; and what of it matters for that."""
    names = set(re.findall(r"\b(?:var|adj)_\w+", line))
    adjoint, target = ADJOINT.match(line), TARGET.match(line)
    if target:
        return {target[1] or target[2]}, names
    if re.match(r"\s*adj_\w+\.shape = ", line):
        return set(), set()
    if not adjoint:
        return None, names
    order = re.findall(r"\badj_\w+", adjoint[2])
    if adjoint[1] in FLAT or (order and order[-1] in flat):
        return set(), set()
    if adjoint[1].startswith(MEMORY):
        silent = set(order) <= flat | {name for name in order if not re.fullmatch(r"adj_\d+", name)}
        return set() if silent else None, names - flat
    receivers = set(order[:-1]) - flat
    numbered = {name for name in receivers if re.fullmatch(r"adj_\d+", name)}
    values = set() if adjoint[1] in PLAIN else {name for name in names if name.startswith("var_")}
    return (numbered if numbered == receivers else None), values | set(order[-1:]) | receivers


def seeded(text, flat):
    """Adjoints that can be anything but zero: something that has a seed itself gives them one."""
    found = {name for name in re.findall(r"\badj_\w+", text) if not re.fullmatch(r"adj_\d+", name)}
    calls = [ADJOINT.match(line) for _, line in code_lines(text) if ADJOINT.match(line)]
    calls = [(call[1], re.findall(r"\badj_\w+", call[2])) for call in calls if call[1] not in FLAT]
    while True:
        more = set()
        for name, adjoints in calls:
            if name.startswith(("array_store", "atomic_")):
                more.update(adjoints)
            elif adjoints and adjoints[-1] in found:
                more.update(adjoints[:-1])
        more -= found | flat
        if not more:
            return found
        found |= more


def without_effect(text):
    """Adjoints that show nowhere: of what has no gradient, and those that stay zero."""
    flat = without_gradient(text)
    return flat | set(re.findall(r"\badj_\d+", text)) - seeded(text, flat)


def live_names(text):
    """Variables on which a store, a branch or a call depends: a change of any other shows nowhere."""
    flat, live = without_effect(text), set()
    flows = [flow(line, flat) for _, line in code_lines(text)]
    while True:
        reads = [names for target, names in flows if target is None or target & live]
        more = set().union(*reads) - live
        if not more:
            return live
        live |= more


def is_live(line, new, live, flat):
    """Does the line matter, and what was changed in it? Of adj_add and adj_sub, the second adjoint does."""
    target, names = flow(line, flat)
    adjoint, other = ADJOINT.match(line), ADJOINT.match(new)
    if target is not None and not target & live:
        return False
    if not adjoint or not other:
        return True
    if adjoint[1] != other[1]:
        return {adjoint[1], other[1]} != {"add", "sub"} or re.findall(r"\badj_\w+", adjoint[2])[1] in live
    before, after = re.findall(r"\w+", adjoint[2]), re.findall(r"\w+", other[2])
    return all(old in names & live for old, now in zip(before, after) if old != now)


def operators(line):
    for old, new in CALLS:
        for match in re.finditer(re.escape(old), line):
            yield line[: match.start()] + new + line[match.end():]


def indexes(line):
    """The last index of an access, exchanged for the array's neighbour: another variable."""
    match = re.search(r"wp::(?:address|array_store|load|(?:adj_)?atomic_add|adj_address|adj_array_store)\((var_\w+), (var_\d+)", line)
    if match:
        yield line[: match.start(2)] + "var_" + str(int(match[2][4:]) + 1) + line[match.end(2):]


def constants(line):
    match = re.match(r"(\s*(?:const wp::\w+ )?var_\d+ = )(-?\d[\d.]*(?:e-?\d+)?)(f?;)$", line)
    if match:
        number = match[2]
        yield match[1] + (str(int(number) + 1) if re.fullmatch(r"-?\d+", number) else number + "7") + match[3]
        if not re.fullmatch(r"-?\d+", number):
            yield match[1] + ("1" + number if number[0] != "-" else "-1" + number[1:]) + match[3]


def variables(line):
    """One operand replaced by the next of the same statement."""
    names = list(re.finditer(r"\b(?:var|adj)_\d+\b", line))
    first_operand = 0 if ADJOINT.match(line) else 1
    for first, second in zip(names[first_operand:], names[first_operand + 1:]):
        if first[0] != second[0] and first[0][:4] == second[0][:4]:
            yield line[: first.start()] + second[0] + line[first.end():]


def statements(line):
    if STORE.match(line):
        yield ""


CHANGES = {
    "operator": operators, "index": indexes, "constant": constants, "variable": variables, "statement": statements,
}


def planted(text, kind, choice):
    """(number of the line, the line, what it became, the text) for one change, or None."""
    lines, live, flat = text.split("\n"), live_names(text), without_effect(text)
    found = [(number, line, new) for number, line in code_lines(text) for new in CHANGES[kind](line)
             if new != line and is_live(line, new, live, flat)]
    if not found:
        return None
    number, line, new = choice.choice(found)
    lines[number] = new
    return number + 1, line, new, "\n".join(lines)


def plant(records, count, seed, passes=("forward", "backward")):
    """[(record number, key, kind, line number, line, what it became)], one change to a record at most."""
    choice, told = random.Random(seed), []
    order = choice.sample(range(len(records)), len(records))
    for turn, number in enumerate(order):
        if len(told) == count:
            break
        record = records[number]
        keys = [key for key in (device + name for device in ("cuda_ir_", "cpp_") for name in passes) if key in record]
        key, kind = choice.choice(keys), KINDS[turn % len(KINDS)]
        change = planted(record[key], kind, choice)
        if change:
            record[key] = change[3]
            told.append((number, key, kind, *change[:3]))
    return told
