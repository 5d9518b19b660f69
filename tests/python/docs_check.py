#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md and the cells of docs/python.ipynb run, and print what stands there.

usage: docs_check.py LIBRARY [--accept]

- Blocks marked `python` run in order, in one namespace and an empty folder. The block marked `text` that
  follows one is what it prints. `<!-- needs: PACKAGE -->` above a block: without the package its code is
  only parsed.
- Code cells run in order as well. What a cell prints, and what its last expression shows as text and as
  HTML, are its outputs in the file.

--accept writes the output into both files. Where the environment of data_env.py is, its Python runs the
examples, so that most of them find their packages; what was not run is listed.
"""

import ast
import contextlib
import importlib.util
import io
import json
import os
import re
import sys
import tempfile
import traceback

import data_env

if os.path.exists(data_env.PYTHON):
    data_env.enter()

os.environ["WEFT_LIBRARY"] = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(data_env.REPO, "bindings", "python"))

import weft

BLOCK = re.compile(r"^(?:<!-- needs: (\w+) -->\n)?```python\n(.*?)^```$\n(?:```text\n(.*?)^```$)?", re.M | re.S)
ACCEPT = "--accept" in sys.argv[2:]
failures = []


def fail(where, found, wanted):
    failures.append(where)
    print(f"FAIL {where}\n--- found\n{found}\n--- wanted\n{wanted}")


def has_nvrtc():
    """Whether weft.ptx has a compiler here."""
    try:
        weft.ptx('extern "C" __global__ void k(int *x)\n{\n    x[0] = 1;\n}\n')
    except weft.WeftError:
        return False
    return True


def is_there(package):
    return has_nvrtc() if package == "nvrtc" else importlib.util.find_spec(package) is not None


def execute(code, names):
    """Runs code as a notebook does; gives what it prints and the value of its last expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out, value = io.StringIO(), None
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "<example>", "exec"), names)
        if last:
            value = eval(compile(ast.Expression(last.value), "<example>", "eval"), names)
    return out.getvalue(), value


def checked(where, code, names):
    """As execute; None after a failure, which is reported."""
    try:
        return execute(code, names)
    except Exception:
        fail(where, traceback.format_exc(), "no exception")
        return None


@contextlib.contextmanager
def empty_folder():
    with tempfile.TemporaryDirectory() as folder:
        here = os.getcwd()
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)


def check_page(path):
    """Returns (blocks that ran, what the others need)."""
    with open(path, encoding="utf-8") as stream:
        page = stream.read()
    names, skipped, ran = {"__name__": "__main__"}, [], 0
    end, parts = 0, []
    for match in BLOCK.finditer(page):
        needs, code, wanted = match.groups()
        where = f"{os.path.basename(path)}:{page.count(chr(10), 0, match.start()) + 1}"
        if needs and not is_there(needs):
            ast.parse(code)
            skipped.append(needs)
            continue
        ran += 1
        found = checked(where, code, names)
        if found is None:
            continue
        if ACCEPT and wanted is not None:
            parts += [page[end : match.start(3)], found[0]]
            end = match.end(3)
        elif found[0] != (wanted or ""):
            fail(where, found[0], wanted)
    if ACCEPT:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("".join([*parts, page[end:]]))
    return ran, skipped


def shown(printed, value, number):
    """A cell's outputs, as a notebook's file has them."""
    outputs = []
    if printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(True)
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def check_notebook(path):
    """Returns how many cells ran."""
    with open(path, encoding="utf-8") as stream:
        notebook = json.load(stream)
    names, ran = {"__name__": "__main__"}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        ran += 1
        where = f"{os.path.basename(path)}, code cell {ran}"
        found = checked(where, "".join(cell["source"]), names)
        outputs = shown(*found, ran) if found else cell["outputs"]
        if ACCEPT:
            cell.update(outputs=outputs, execution_count=ran)
        elif (cell["outputs"], cell["execution_count"]) != (outputs, ran):
            fail(where, json.dumps(outputs, indent=1), json.dumps(cell["outputs"], indent=1))
    if ACCEPT:
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(notebook, stream, indent=1, ensure_ascii=False)
            stream.write("\n")
    return ran


def main():
    page, notebook = (os.path.join(data_env.REPO, "docs", name) for name in ("python.md", "python.ipynb"))
    with empty_folder():
        ran, skipped = check_page(page)
    with empty_folder():
        cells = check_notebook(notebook)
    if failures:
        print("--accept writes what was found into the files")
    print(f"{ran} examples and {cells} cells ran, {len(failures)} failures; not run for want of: {', '.join(skipped) or 'nothing'}")
    return 1 if failures or ran < 6 or cells < 6 else 0


if __name__ == "__main__":
    sys.exit(main())
