# SPDX-License-Identifier: Apache-2.0
"""PTX counted by other means than weft's: comments gone, functions found by their braces, statements split
at semicolons and read by patterns."""

import re

CLASSES = {  # what the mnemonic stands for, as this test sees it: none of weft's tables
    "convert": r"cvta?|isspacep",
    "move": r"mov",
    "memory": r"ld|st",
    "atomic": r"atom|red",
    "control": r"bra|brx|ret|call|exit|trap|brkpt",
    "synchronize": r"bar|barrier|shfl|vote|activemask|membar|fence",
    "compare": r"setp|set|selp|slct|testp",
    "logic": r"and|or|xor|not|shl|shr|shf|lop3|popc|clz|brev|bfe|bfi|bfind|prmt",
}
SPACES = ("param", "global", "shared", "local", "const")


def class_of(opcode):
    name = opcode.split(".")[0]
    for found, pattern in CLASSES.items():
        if re.fullmatch(pattern, name):
            return found
    return "float" if re.search(r"\.(b?f\d+)(x\d|\.|$)", opcode) else "integer"


def add(counts, key, n=1):
    counts[key] = counts.get(key, 0) + n


def variable_bytes(declaration):
    """Of ".align 4 .b8 name[2][0x10]"; no size between brackets: 0."""
    size = int(re.search(r"\.[a-z]+(\d+)(?!.*\.[a-z]+\d)", declaration)[1]) // 8
    size *= int((re.search(r"\.v(\d)", declaration) or "11")[1])
    for n in re.findall(r"\[\s*(\w*)\s*\]", declaration):
        size *= int(n, 0) if n else 0
    return size


def end_of_braces(text, start):
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.start()
    raise ValueError("braces")


def count_registers(declaration, registers):
    vector = int((re.search(r"\.v(\d)", declaration) or "11")[1])
    kind = re.search(r"\.((?!v\d)\w+)", declaration)[1]
    for name in declaration.split(".", 1)[1].split(","):
        many = re.search(r"<(\d+)>", name)
        add(registers, kind, (int(many[1]) if many else 1) * vector)


def count_statement(statement, figures):
    match = re.match(r"(@!?\s*[%\w$]+\s+)?([a-z]\w*(?:(?:\.|::)\w+)*)", statement)
    guard, opcode = match.groups()
    name = opcode.split(".")[0]
    add(figures["classes"], class_of(opcode))
    if name in ("ld", "st"):
        parts = [part.split("::")[0] for part in opcode.split(".")]
        spaces = [part for part in parts if part in SPACES]
        add(figures["loads" if name == "ld" else "stores"], spaces[0] if spaces else "generic")
    figures["branches"] += name in ("bra", "brx")
    figures["conditional"] += name in ("bra", "brx") and bool(guard)
    figures["calls"] += name == "call"


def count_body(body, figures):
    body = re.sub(r"^\s*\.loc\b.*$", "", body, flags=re.M)
    body = re.sub(r"\{(?=[^{};]*\}\s*[,;])|(?<=[\w+\]])\s*\}(?=\s*[,;])|\{(?=[\s%\w$,]*\}\s*,)", " ", body)  # lists of operands
    for statement in re.split(r"[;{}]", body):
        statement = statement.strip()
        while re.match(r"[\w$]+\s*:(?!:)", statement):
            statement = statement.split(":", 1)[1].strip()
        if statement.startswith(".reg"):
            count_registers(statement[4:], figures["registers"])
        elif statement.startswith((".shared", ".local")):
            add(figures, statement[1:].split()[0], variable_bytes(statement))
        elif statement and not statement.startswith((".", ",", "[")):
            count_statement(statement, figures)


def count_params(text):
    """(how many, bytes as they lie in memory)"""
    offset, params = 0, re.findall(r"\.param([^,)]*)", text)
    for param in params:
        own = re.sub(r"\.ptr\b(\s*\.(global|shared|local|const))?(\s*\.align\s+\d+)?", "", param)
        size = variable_bytes(own)
        align = re.search(r"\.align\s+(\d+)", own)
        align = int(align[1]) if align else size
        offset = -(-offset // align) * align + size
    return len(params), offset


def count_again(text):
    """{kernel: figures}"""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    kernels, shared, rest = {}, {}, ""
    at = 0
    for match in re.finditer(r"\.(entry|func)\b\s*(\([^)]*\)\s*)?([\w$]+)\s*(\([^)]*\))?([^;{}]*)([;{])", text):
        if match.start() < at:
            continue
        rest += text[at : match.start()]
        at = match.end()
        if match[6] == ";":
            continue
        at = end_of_braces(text, match.end() - 1) + 1
        if match[1] == "entry":
            kernels[match[3]] = (match[4] or "", text[match.end() : at - 1])
    for declaration in re.findall(r"\.shared\b[^;]*;", rest + text[at:]):
        shared[re.search(r"([\w$]+)\s*(?:\[[^]]*\]\s*)*;", declaration)[1]] = variable_bytes(declaration)
    result = {}
    for name, (params, body) in kernels.items():
        figures = {"classes": {}, "registers": {}, "loads": {}, "stores": {}}
        figures.update({"branches": 0, "conditional": 0, "calls": 0, "shared": 0, "local": 0})
        count_body(body, figures)
        figures["params"], figures["param_bytes"] = count_params(params)
        figures["shared"] += sum(size for var, size in shared.items() if re.search(rf"(?<![\w$]){re.escape(var)}(?![\w$])", body))
        result[name] = figures
    return result
