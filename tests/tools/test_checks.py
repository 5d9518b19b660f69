# SPDX-License-Identifier: Apache-2.0
"""Tests of the checks in tools/: each finds what it is for, and lets good code pass."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools")
sys.path.insert(0, TOOLS)

import check_assets  # noqa: E402
import check_duplicates  # noqa: E402
import check_layers  # noqa: E402
import check_links  # noqa: E402
import check_locale  # noqa: E402
import check_math  # noqa: E402
import check_prose  # noqa: E402
import check_sizes  # noqa: E402
import check_spdx  # noqa: E402
import check_symbols  # noqa: E402
import check_units  # noqa: E402
import code_figures  # noqa: E402

LEVELS = {"cli": 0, "gen": 1, "check": 1, "base": 2}
CODE = "".join(f"    value_{n} = compute(value_{n - 1}, {n});\n" for n in range(1, 12))


class Layers(unittest.TestCase):
    def problem(self, path, target):
        with mock.patch("os.path.exists", return_value=True):
            return check_layers.include_problem(path, target, LEVELS)

    def test_down_and_own_folder(self):
        self.assertIsNone(self.problem("src/cli/a.c", "base/b.h"))
        self.assertIsNone(self.problem("src/gen/a.c", "gen/b.h"))
        self.assertIsNone(self.problem("src/cli/a.c", "weft.h"))

    def test_up_and_sideways(self):
        self.assertIn("up", self.problem("src/base/a.c", "gen/b.h"))
        self.assertIn("sideways", self.problem("src/gen/a.c", "check/b.h"))

    def test_unknown_folder(self):
        self.assertIn("not in", self.problem("src/gen/a.c", "other/b.h"))
        self.assertIn("no path", self.problem("src/gen/a.c", "b.h"))

    def test_only(self):
        rules, allowed = {"cli": ["base"]}, {("src/cli/a.c", "gen/b.h")}
        good = {"cli/a.c": ["weft.h", "base/b.h", "cli/c.h", "gen/b.h"], "gen/a.c": ["check/b.h"]}
        self.assertEqual(list(check_layers.only_problems(good, rules, allowed)), [])
        self.assertIn("not for its room", *check_layers.only_problems({**good, "cli/d.c": ["gen/b.h"]}, rules, allowed))
        self.assertIn("does not include", *check_layers.only_problems({}, rules, allowed))

    def test_heap(self):
        found = list(check_layers.heap_problems("make/a.c", "int x;\nchar *p = calloc(1, 2);\nfree (p);\n"))
        self.assertEqual([text.split()[:2] for text in found], [["src/make/a.c:2:", "calloc"], ["src/make/a.c:3:", "free"]])
        good = "/* malloc(1) */ heap_free(p); x.free(p); y->free(p); put(\"free(p)\"); mem_free(m, p);\n"
        self.assertEqual(list(check_layers.heap_problems("make/a.c", good)), [])
        self.assertEqual(list(check_layers.heap_problems("base/a.c", "free(p);")), [])

    def test_circle(self):
        self.assertTrue(check_layers.circles({"a.h": ["b.h"], "b.h": ["a.h"]}))
        self.assertFalse(check_layers.circles({"a.h": ["b.h", "c.h"], "b.h": ["c.h"], "c.h": []}))

    def test_module_cycles(self):
        texts = {"a/x.c": '#include "a/x.h"\n#include "a/y.h"\n', "a/x.h": "", "a/y.h": "",
                 "a/y.c": '#include "a/z.def"\n#include "b/b.h"\n', "a/z.def": "", "a/z.c": '#include "a/x.h"\n', "b/b.h": ""}
        graph = check_layers.module_graph(texts)
        self.assertEqual(check_layers.cycles(graph), [["a/x", "a/y", "a/z"]])
        limits = check_layers.Layers("a\nb\nlargest cycle: 3\nacyclic: b\n")
        self.assertEqual(list(check_layers.cycle_problems(graph, limits)), [])
        limits.largest = 2
        self.assertIn("3 modules", "".join(check_layers.cycle_problems(graph, limits)))
        limits.largest, limits.acyclic = 3, {"a"}
        self.assertIn("src/a must", "".join(check_layers.cycle_problems(graph, limits)))
        del texts["a/z.c"]
        self.assertEqual(check_layers.cycles(check_layers.module_graph(texts)), [])

    def test_list_and_folders(self):
        layers = check_layers.Layers("# words\na\nb c\nacyclic: d\n")
        self.assertEqual(layers.levels, {"a": 1, "b": 2, "c": 2})
        self.assertEqual(list(layers.problems({"a", "b", "c", "d"})), ["src/d is not in tools/layers.txt"])
        self.assertEqual(len(list(layers.problems({"a", "b"}))), 2)


class Sizes(unittest.TestCase):
    def problems(self, path, text):
        with mock.patch.object(check_sizes, "read_text", return_value=text):
            return list(check_sizes.file_problems(path))

    def c_function(self, lines, mark=""):
        body = "    call();\n" * (lines - 3)
        return f"/* Does a thing. */\n{mark}static int f(int a,\n             int b)\n{{\n{body}}}\n"

    def test_function_at_the_cap(self):
        self.assertEqual(self.problems("src/a/b.c", self.c_function(80)), [])

    def test_function_over_the_cap(self):
        self.assertIn("f has", self.problems("src/a/b.c", self.c_function(90))[0])

    def test_flat_switch(self):
        text = self.c_function(90).replace("{\n", "{\n    /* flat switch */\n", 1)
        self.assertEqual(self.problems("src/a/b.c", text), [])

    def test_file_over_the_cap(self):
        text = "/* Does a thing. */\n" + "int x;\n" * 800
        self.assertIn("801 lines", self.problems("src/a/b.c", text)[0])
        self.assertEqual(self.problems("src/a/b.def", text), [])

    def test_first_comment(self):
        self.assertIn("first comment", self.problems("src/a/b.c", "int x;\n")[0])
        self.assertIn("first comment", self.problems("src/a/b.c", "/* SPDX-License-Identifier: X */\nint x;\n")[0])
        self.assertEqual(self.problems("src/a/b.c", "/* SPDX-License-Identifier: X */\n/* Job. */\nint x;\n"), [])
        self.assertIn("first comment", self.problems("tools/b.py", "x = 1\n")[0])

    def test_python_function(self):
        text = '"""Job."""\ndef f():\n' + "    x = 1\n" * 90
        self.assertIn("f has", self.problems("tools/b.py", text)[0])

    def test_same_name(self):
        self.assertTrue(list(check_sizes.name_problems(["src/a/x.c", "src/b/x.c"])))


class Links(unittest.TestCase):
    def test_hosts(self):
        text = "see [w](https://pypi.org/project/w/)\npip install w\nWWW.NPMJS.com, a.pypi.org\n"
        self.assertEqual([p.split(": ")[0] for p in check_links.host_problems("d.md", text)], ["d.md:1", "d.md:3", "d.md:3"])
        good = "https://github.com/NVIDIA/warp nvidia.com mypypi.org pypi.organ apache.org\n"
        self.assertEqual(list(check_links.host_problems("d.md", good)), [])

    def test_documents(self):
        found = set(check_links.documents(os.path.dirname(TOOLS)))
        self.assertLessEqual({"README.md", "LICENSE", "docs/slurm.md", "docs/slurm/submit.sh", "docs/decisions/README.md"}, found)


class Spdx(unittest.TestCase):
    def test_line(self):
        for path, text, line in (("src/a/b.c", "/* Job. */\n", "/* %s */"), ("assets/a.h", "// Job.\n", "// %s"),
                                 ("tools/a.py", "#!/usr/bin/env python3\nx = 1\n", "# %s"), ("bench/a", "#!/bin/sh\nx\n", "# %s"),
                                 ("cmake/a.cmake", "x()\n", "# %s"), ("tests/CMakeLists.txt", "x()\n", "# %s")):
            comment = check_spdx.comment_of(path, text)
            self.assertEqual(comment, line % check_spdx.LICENCE)
            self.assertFalse(check_spdx.has_line(text, comment))
            mended = check_spdx.with_line(text, comment)
            self.assertTrue(check_spdx.has_line(mended, comment))
            self.assertEqual(mended.replace(comment + "\n", ""), text)
            self.assertFalse(check_spdx.has_line(text + comment, comment))
        self.assertIsNone(check_spdx.comment_of("LICENSE", "words\n"))

    def test_files(self):
        with tempfile.TemporaryDirectory() as root:
            for path in ("src/a/b.c", "bench/run", "docs/scale.py", "docs/slurm/a.sh", "tests/kernels/k.py", "build/x.c", ".git/y.c", "new/z.py"):
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                open(os.path.join(root, path), "w").close()
            self.assertEqual(list(check_spdx.source_files(root)), ["bench/run", "docs/slurm/a.sh", "new/z.py", "src/a/b.c"])


class Duplicates(unittest.TestCase):
    def runs(self, *texts):
        files = {f"src/a/{n}.c": text for n, text in enumerate(texts)}
        with mock.patch.object(check_duplicates, "read_text", side_effect=files.get):
            return check_duplicates.repeated_runs(list(files))

    def test_repeated_code(self):
        found = self.runs(CODE, "int other;\n\n/* a comment */\n" + CODE.replace("  ", "\t"))
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0][:3], ["src/a/0.c", 1, 11])

    def test_different_code(self):
        self.assertEqual(self.runs(CODE, CODE.replace("compute", "other")), [])

    def test_few_lines(self):
        self.assertEqual(self.runs("\n".join(CODE.split("\n")[:7]), CODE), [])


class Math(unittest.TestCase):
    def problems(self, symbol, source="b"):
        return list(check_math.symbol_problems(f"lib.a:{source}.c.o:                 U {symbol}\n"))

    def test_symbols(self):
        for symbol in ("exp", "expf", "pow@GLIBC_2.29", "sincosf", "__log_finite"):
            self.assertEqual(len(self.problems(symbol)), 1, symbol)
        for symbol in ("sqrt", "fma", "ldexp", "floorf", "fmath_exp", "nearbyint"):
            self.assertEqual(self.problems(symbol), [], symbol)
        self.assertEqual(self.problems("sin", "call_math"), [])


class Locale(unittest.TestCase):
    def problems(self, text, path="src/a/b.c"):
        return list(check_locale.source_problems(path, text))

    def test_calls(self):
        for call in ("strtod(s, &end)", "isalpha(c)", "strerror(e)", "vsnprintf(p, n, fmt, ap)", "tolower (c)"):
            self.assertEqual(len(self.problems(f"int x;\nint y = {call};\n")), 1, call)
        self.assertIn("src/a/b.c:2: strtol", self.problems("int x;\nlong y = strtol(s, 0, 10);\n")[0])

    def test_no_calls(self):
        self.assertEqual(self.problems('/* strtod(s) */ put("strtod(x)"); my_strtod(x); // isalpha(c)\n'), [])
        self.assertEqual(self.problems("newlocale(x);", "src/base/c_locale.c"), [])

    def test_formats(self):
        self.assertEqual(len(self.problems('snprintf(b, sizeof b, "%d (%s)"\n "%.9g", x, f(y), z);')), 1)
        self.assertEqual(len(self.problems("printf(\"%'d\", x);")), 1)
        self.assertEqual(self.problems('fprintf(f, "%d %s %5llu 50%% of", x, y, z); sb_printf(b, "%.1f", x);'), [])

    def test_symbols(self):
        listing = ("lib.a:b.c.o:                 U {}\nlib.a:c_locale.c.o:                 U strerror_l\n")
        for symbol in ("strtod@GLIBC_2.2.5", "__isoc23_strtol@GLIBC_2.38", "__ctype_b_loc", "__vsnprintf_chk"):
            found = list(check_locale.symbol_problems(listing.format(symbol)))
            self.assertEqual(len(found), 1, symbol)
            self.assertIn("b.c: " + symbol, found[0])
        self.assertEqual(list(check_locale.symbol_problems(listing.format("memcpy"))), [])

    def test_objects(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("no C compiler")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "planted.c")
            with open(path, "w") as file:
                file.write("#include <ctype.h>\nint f(int c);\nint f(int c) { return (isalpha)(c) + (isdigit)(c); }\n")
            subprocess.run([compiler, "-c", path, "-o", path + ".o"], check=True)
            done = subprocess.run([sys.executable, os.path.join(TOOLS, "check_locale.py"), path + ".o"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("what is a letter", done.stdout)


class Symbols(unittest.TestCase):
    LISTING = ("a.o:0000000000000000 T used\na.o:0000000000000010 T own\na.o:0000000000000020 T dead\n"
               "a.o:                 U memcpy\na.o:0000000000000030 t inner\nb.o:                 U used\n")

    def problems(self, a, b="int main(void) { return used(); }", macro=""):
        header = "int used(void); int own(void); int dead(void);\n" + macro
        texts = {"src/a.c": a, "src/b.c": b, "src/a.h": header}
        names = {path: check_symbols.names_in(path, text) for path, text in texts.items()}
        sources = {"a.o": "src/a.c", "b.o": "src/b.c"}
        return list(check_symbols.symbol_problems(self.LISTING, sources, names, {"main"}))

    def test_own_file_and_none(self):
        dead, own = self.problems("int used(void) { return own(); } int own(void) { return 1; } int dead(void) { return 0; }")
        self.assertIn("src/a.c: own: only its own file", own)
        self.assertIn("src/a.c: dead: nothing uses it", dead)

    def test_others(self):
        """Tests, and code that only debug builds have, need it without a trace in the objects."""
        text = "int used(void); int own(void); int dead(void);"
        self.assertEqual(self.problems(text, "#if WEFT_DEBUG\nint x = own() + dead();\n#endif"), [])
        self.assertEqual(len(self.problems(text, '/* own() */ char *s = "dead";')), 2)
        macro = "#define OWN(x) \\\n    own(x)\nstatic inline int f(void) { return dead(); }\n"
        self.assertEqual(self.problems(text, macro=macro), [])


class Assets(unittest.TestCase):
    def style(self, text):
        return "".join(check_assets.style_problems("a.css", text))

    def file_problems(self, check, text, program, suffix=".h"):
        path = shutil.which(program)
        if not path:
            self.skipTest(f"no {program}")
        with tempfile.NamedTemporaryFile("w", suffix=suffix) as file:
            file.write(text)
            file.flush()
            return "".join(check(file.name, path))

    def test_style(self):
        good = ':root { --ink: #123; }\n@media print {\n  b { color: var(--ink); }\n  i::after { content: "}"; }\n}\n'
        self.assertEqual(self.style(good), "")
        self.assertIn("a.css:1: '}' closes", self.style("b { margin: 0; } }"))
        self.assertIn("a.css:2: '{' is not", self.style("b { margin: 0; }\ni {"))
        self.assertIn("a.css:2: 'margin 0' is no", self.style("\nb { color: red; margin 0; }"))
        self.assertIn("--ink is used", self.style("b { color: var(--ink); }"))
        self.assertIn("--ink is defined", self.style(":root { --ink: #123; }"))

    def test_shim(self):
        check = lambda path, compiler: check_assets.shim_problems(path, [compiler])  # noqa: E731
        self.assertEqual(self.file_problems(check, "inline int f(int a) { return a; }\n", "g++"), "")
        self.assertIn("unused", self.file_problems(check, "inline int f(int a) { return 1; }\n", "g++"))

    def test_script(self):
        check = check_assets.script_problems
        self.assertIn("SyntaxError", self.file_problems(check, "var x = ;\n", "node", ".js"))


class Prose(unittest.TestCase):
    LONG = "word " * 30 + "`" + "x " * 40 + "end` tail"

    def problems(self, text):
        return list(check_prose.prose_problems("a.md", text))

    def wrapped(self, text):
        self.assertTrue(self.problems(text))
        out = check_prose.rewritten(text)
        self.assertEqual(self.problems(out), [])
        self.assertEqual(out.split(), text.split())
        return out.split("\n")

    def test_paragraph(self):
        lines = self.wrapped(f"# Title\n\nshort\nlines\n\n{self.LONG}\n")
        self.assertEqual(lines[:5], ["# Title", "", "short", "lines", ""])
        self.assertTrue(any("`x x" in line and line.endswith("end` tail") for line in lines))

    def test_items(self):
        lines = self.wrapped(f"- {self.LONG}\n- two\n12. {self.LONG}\n\n    {self.LONG}\n")
        self.assertEqual([line[:6] for line in lines],
                         ["- word", "  word", "  `x x", "- two", "12. wo", "    wo", "    `x", "", "    wo", "    wo", "    `x", ""])

    def test_no_new_markers(self):
        for mark in ("-", "+", "1.", "#", ">", "|"):
            for column in range(90, 104):
                self.assertFalse(any(line.startswith(mark) for line in self.wrapped("w" * column + f" {mark} tail" * 3)))

    def test_not_prose(self):
        for text in (f"| {self.LONG} |", f"## {self.LONG}", f"> {self.LONG}", f"<!-- {self.LONG} -->", f"```\n{self.LONG}\n```",
                     f"````md\n```\n{self.LONG}\n```\n````", f"Code:\n\n    {self.LONG}\n\n    {self.LONG}", "w" * 200):
            self.assertEqual(self.problems(text), [], text)
            self.assertEqual(check_prose.rewritten(text), text)
        code = f"## Heading\n\n    {self.LONG}"
        self.assertEqual(self.problems(f"- item\n\n      {self.LONG}\n\n{code}\n\n1. item\n{code}"), [])
        self.assertTrue(self.problems(f"```\ncode\n```\n{self.LONG}"))
        self.assertEqual(check_prose.rewritten(f"break  \n{self.LONG}"), f"break  \n{self.LONG}")


class Figures(unittest.TestCase):
    def test_comment_lines(self):
        self.assertEqual(code_figures.comment_lines('int a; // one\n/* two\n   three */\nchar *s = "// none";\n'), 3)

    def test_formats_outside_their_table(self):
        texts = {"src/store/sink.c": "if (f == STORE_FILES || f == DATA_JSONL)", "src/store/format.c": "STORE_FILES"}
        self.assertEqual(list(code_figures.format_rows(texts)), [("mentions of formats outside their table", "2 in 1 files")])

    def test_asserts(self):
        text = "/* A. */\n_Static_assert(1, \"x\");\nint f(int a)\n{\n    WEFT_ASSERT(a);\n    return a;\n}\n"
        rows = dict(code_figures.code_rows({"src/a/b.c": text}))
        self.assertEqual((rows["asserts"], rows["static asserts"], rows["functions"]), (1, 1, 1))


class Units(unittest.TestCase):
    HEAD = """
mass = quantity(float, "kg", "mass")
speed = quantity(float, "m/s", "speed")
energy = quantity(float, "J", "energy")
rate = quantity(float, "1/sqrt(year)", "rate")
twist = quantity(spatial_vector, "rad/s and m/s", "twist")
"""

    def problems(self, body, result="energy", decorator="formula"):
        text = f"{self.HEAD}@{decorator}\ndef f(m: mass, v: speed, r: other.rate, t: twist, e: out.energy){result}:\n"
        return list(check_units.unit_problems({"a.py": text + "".join(f"    {line}\n" for line in body)}))

    def test_units(self):
        for text, unit in (("kg/(m^2 s)", "kg m^-2 s^-1"), ("N m/rad", "kg m^2 s^-2"), ("1/sqrt(year)", "year^-1/2")):
            self.assertEqual(check_units.written(check_units.unit_of(text)), unit)
        self.assertIsNone(check_units.unit_of("rad or m"))

    def test_right(self):
        for body in (["return 0.5 * m * wp.dot(v, v)"], ["x = 0.0", "for k in range(3):", "    x += m * v * v", "return x"],
                     ["return wp.max(m, 0.01) * v * v"], ["return wp.dot(t, t)"]):  # fmt: skip
            self.assertEqual(self.problems(body, " -> energy"), [], body)

    def test_wrong(self):
        for body in (["return m * v"], ["return m * v * v + m"], ["return m * v * v * wp.exp(m)"],
                     ["x = m * v", "if x > m:", "    return 0.0", "return x * v"]):  # fmt: skip
            self.assertEqual(len(self.problems(body, " -> energy")), 1, body)
        for body in (["e[0] = m * v"], ["wp.atomic_add(e, 0, m)"], ["e[0] += r"]):
            self.assertEqual(len(self.problems(body, "", "algorithm")), 1, body)


if __name__ == "__main__":
    unittest.main()
