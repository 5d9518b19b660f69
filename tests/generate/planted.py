"""Single-token changes of emitted text: operators, indexes, constants, variables, and statements left
out. Comments are never changed, and a change never gives the same text."""

import random
import re

KINDS = ("operator", "index", "constant", "variable", "statement")
CALLS = (
    ("wp::add(", "wp::sub("), ("wp::sub(", "wp::add("), ("wp::mul(", "wp::add("), ("wp::div(", "wp::mul("),
    ("wp::min(", "wp::max("), ("wp::max(", "wp::min("), ("wp::sin(", "wp::cos("), ("wp::cos(", "wp::sin("),
    ("wp::dot(", "wp::add("), ("wp::neg(", "wp::abs("), ("wp::floor(", "wp::ceil("), ("wp::atomic_add(", "wp::atomic_sub("),
    (" < ", " >= "), (" > ", " <= "), (" <= ", " > "), (" >= ", " < "), (" == ", " != "), (" != ", " == "),
)
STORE = re.compile(r"^\s*(?:wp::(?:array_store|atomic_add|atomic_sub|assign_inplace|store)\(|var_\w+ = |wp::assign\()")


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


def live_names(text):
    """Variables on which a store, a branch or a call depends: a change of any other shows nowhere."""
    needs, live = {}, set()
    for _, line in code_lines(text):
        target, names = TARGET.match(line), re.findall(r"\bvar_\w+", line)
        if target:
            needs.setdefault(target[1] or target[2], set()).update(names)
        else:
            live.update(names)
    while True:
        more = set().union(*(needs.get(name, set()) for name in live)) - live
        if not more:
            return live
        live |= more


def is_live(line, live):
    target = TARGET.match(line)
    return not target or (target[1] or target[2]) in live


def operators(line):
    for old, new in CALLS:
        for match in re.finditer(re.escape(old), line):
            yield line[: match.start()] + new + line[match.end():]


def indexes(line):
    """The last index of an access, exchanged for the array's neighbour: another variable."""
    match = re.search(r"wp::(?:address|array_store|load|atomic_add)\((var_\w+), (var_\d+)", line)
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
    names = list(re.finditer(r"\bvar_\d+\b", line))
    for first, second in zip(names[1:], names[2:]):
        if first[0] != second[0]:
            yield line[: first.start()] + second[0] + line[first.end():]


def statements(line):
    if STORE.match(line):
        yield ""


CHANGES = {
    "operator": operators, "index": indexes, "constant": constants, "variable": variables, "statement": statements,
}


def planted(text, kind, choice):
    """(number of the line, the line, what it became, the text) for one change, or None."""
    lines, live = text.split("\n"), live_names(text)
    found = [(number, line, new) for number, line in code_lines(text) for new in CHANGES[kind](line)
             if new != line and is_live(line, live)]
    if not found:
        return None
    number, line, new = choice.choice(found)
    lines[number] = new
    return number + 1, line, new, "\n".join(lines)


def plant(records, count, seed):
    """[(record number, key, kind, line number, line, what it became)], one change to a record at most."""
    choice, told = random.Random(seed), []
    order = choice.sample(range(len(records)), len(records))
    for turn, number in enumerate(order):
        if len(told) == count:
            break
        record = records[number]
        keys = [key for key in ("cuda_ir_forward", "cpp_forward") if key in record]
        key, kind = choice.choice(keys), KINDS[turn % len(KINDS)]
        change = planted(record[key], kind, choice)
        if change:
            record[key] = change[3]
            told.append((number, key, kind, *change[:3]))
    return told
