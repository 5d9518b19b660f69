#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `weft check --gradients` calls wrong is wrong in warp-lang.

usage: wrong_gradients_check.py WEFT [FILE.py ...]

Of docs/gradients.md, or of the files given, every wrong gradient is taken with its counterexample. warp-lang executes
the kernel on its CPU device, forward and by wp.Tape: the derivative that its tape gives has to be the number that weft
says Warp has, and differences of the forward pass have to give the one that weft says is true. Each class that
docs/gradients.md names has to be among them.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import oracle_env

PAGE = os.path.join(oracle_env.REPO, "docs", "gradients.md")
BLOCK = re.compile(r"^<!-- file: (\S+) -->\n```python\n(.*?)^```$", re.M | re.S)
STEP = 2.0**-9  # of differences, relative to the input

# In the process that has warp-lang: reads {"path", "found": [...]}, prints [[tape, difference], ...].
RUN = '''
import importlib.util, json, re, sys
import numpy as np
import warp as wp

wp.config.quiet = True
wp.init()
job = json.load(sys.stdin)
spec = importlib.util.spec_from_file_location("program", job["path"])
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)


def element(name):
    """("x", (3,)) of "x[3]"; ("v", (0, 2, 1)) of "v[0, 2][1]"."""
    return re.match(r"\\w+", name)[0], tuple(int(n) for n in re.findall(r"\\d+", name[re.match(r"\\w+", name).end():]))


def run(kernel, dim, values, output=None):
    """The arrays after a launch; with an output, also its gradients by the tape."""
    args = []
    for arg in kernel.adj.args:
        value = values[arg.label]
        args.append(wp.array(value, dtype=arg.type.dtype, device="cpu", requires_grad=True)
                    if isinstance(arg.type, wp.array) else arg.type(value))
    named = dict(zip((arg.label for arg in kernel.adj.args), args))
    with wp.Tape() as tape:
        wp.launch(kernel, dim=dim, inputs=args, device="cpu")
    if output:
        name, at = element(output)
        seed = np.zeros_like(named[name].numpy())
        seed[at] = 1.0
        named[name].grad.assign(seed)
        tape.backward()
    return named


def difference(kernel, dim, values, found):
    name, at = element(found["input"])
    out, where = element(found["output"])
    ends = []
    for way in (1, -1):
        moved = {key: np.copy(value) if isinstance(value, np.ndarray) else value for key, value in values.items()}
        step = job["step"] * max(1.0, abs(float(moved[name][at] if at else moved[name])))
        if at:
            moved[name][at] += way * step
        else:
            moved[name] += way * step
        ends.append(float(run(kernel, dim, moved)[out].numpy()[where]))
    return (ends[0] - ends[1]) / (2 * step)


said = []
for found in job["found"]:
    kernel = getattr(program, found["kernel"])
    values = {}
    for arg in kernel.adj.args:
        value = found["arguments"][arg.label]
        if isinstance(arg.type, wp.array):
            value = np.array(value, dtype=wp.dtype_to_numpy(getattr(arg.type.dtype, "_wp_scalar_type_", arg.type.dtype)))
        values[arg.label] = value
    name, at = element(found["input"])
    given = run(kernel, found["dim"], values, found["output"])[name]
    # Warp does not give the gradient of what is passed by value.
    tape = float(given.grad.numpy()[at]) if isinstance(given, wp.array) else None
    said.append([tape, difference(kernel, found["dim"], values, found)])
print(json.dumps(said))
'''


def findings(weft, path):
    """Wrong gradients, with counterexamples that can be told as numbers."""
    done = subprocess.run([weft, "check", "--gradients", "--json", path], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"weft check --gradients {path}: exit status {done.returncode}: {done.stderr[-300:]}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = [one for one in found if one["verdict"] == "wrong"]
    for one in wrong:
        if not one["counterexample"]:
            sys.exit(f"{path}: {one['kernel']}: no counterexample")
    return [{**one["counterexample"], "kernel": one["kernel"], "class": one["class"]} for one in wrong], found


def is_close(a, b, tolerance):
    return a == b or abs(a - b) <= tolerance * max(abs(a), abs(b), 0.05)


def compare(python, path, found):
    """Problems of one file."""
    job = {"path": path, "step": STEP, "found": found}
    done = subprocess.run([python, "-c", RUN], input=json.dumps(job), capture_output=True, text=True,
                          env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
    if done.returncode:
        return [f"{path}: warp-lang fails: {done.stderr[-500:]}"]
    problems = []
    for one, (tape, difference) in zip(found, json.loads(done.stdout.splitlines()[-1])):
        warp, true = float(one["warp"]), float(one["true"])
        what = f"{os.path.basename(path)}: {one['kernel']}: d {one['output']} / d {one['input']}"
        if tape is not None and not is_close(tape, warp, 1e-4):
            problems.append(f"{what}: wp.Tape gives {tape:.6g}, weft says {warp:.6g}")
        if not is_close(difference, true, 0.03):
            problems.append(f"{what}: differences give {difference:.6g}, weft says {true:.6g}")
    return problems


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    python, weft = oracle_env.oracle_python(), os.path.abspath(sys.argv[1])
    with open(PAGE, encoding="utf-8") as stream:
        page = stream.read()
    problems, classes, count, rights = [], set(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        files = sys.argv[2:]
        for name, text in [] if files else BLOCK.findall(page):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
                stream.write(text)
            files.append(os.path.join(folder, name))
        for path in files:
            found, everything = findings(weft, path)
            rights += sum(one["verdict"] == "right" for one in everything)
            classes |= {one["class"] for one in found}
            count += len(found)
            problems += compare(python, path, found) if found else []
    if not sys.argv[2:]:
        named = set(re.findall(r"^Class `(\w+)`", page, re.M))
        problems += [f"docs/gradients.md names {name}, of which it shows no kernel" for name in sorted(named ^ classes)]
    for problem in problems:
        print(problem)
    print(f"{count} wrong gradients of {len(classes)} classes, {rights} right ones; {len(problems)} problems")
    sys.exit(1 if problems or not count else 0)


if __name__ == "__main__":
    main()
