#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The records on the page of `weft report`: how many and which ones, whole texts that can be copied, the
standalone CUDA beside Warp's, what the headings say of the proof; and colours that can be read.

usage: samples_check.py WEFT
"""

import collections
import html.parser
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from hostile import generate

WEFT = os.path.abspath(sys.argv[1])
TEXTS = {"python_source": "Python", "cuda_ir_forward": "CUDA, forward", "cuda_ir_backward": "CUDA, backward",
         "cpp_forward": "C++, forward", "cpp_backward": "C++, backward", "cuda_source": "Standalone CUDA",
         "makefile": "Makefile"}  # fmt: skip
# metadata.verification.status: badges, and what the headings of the two texts add
PROOFS = {
    "exact": (["forward proved", "gradient exact"], "proved", "exact"),
    "warp_differs": (["forward proved", "Warp’s gradient differs"], "proved", "not the derivative"),
    "nondifferentiable": (["forward proved", "no slope to compare"], "proved", "no slope met"),
    "forward": (["forward proved"], "proved", ""),
    "not_run": (["not executed"], "not executed", "not executed"),
    "by hand": (["by hand"], "", ""),
}
# what is written in which colour, on which ground, by the variables of assets/report.css
GROUNDS = {
    "page": "ink soft accent keyword string number comment function type adjoint",
    "card": "ink soft accent adjoint",
    "mark": "ink keyword string number comment function type adjoint",
    "pin": "ink keyword string number comment function type adjoint",
}
failures = []


def check(good, what):
    if not good:
        failures.append(what)


class Records(html.parser.HTMLParser):
    """The page's records: ids, badges, panes as {title: (what the heading adds, text)}, notes."""

    def __init__(self, text):
        super().__init__()
        self.records, self.classes = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if attrs.get("class") == "sample":
            self.records.append({"id": "", "kernel": "", "badges": [], "panes": [], "note": "", "evidence": ""})
        if tag in ("section", "p", "summary", "h4", "code", "details", "span", "pre"):
            self.classes.append((tag, (attrs.get("class") or "").split()))
            if tag == "section" and attrs.get("class") == "pane":
                self.records[-1]["panes"].append(["", "", ""])
            if tag == "span" and "badge" in self.classes[-1][1]:
                self.records[-1]["badges"].append("")

    def handle_endtag(self, tag):
        if self.classes and self.classes[-1][0] == tag:
            self.classes.pop()

    def handle_data(self, data):
        if not self.records:
            return
        record, within = self.records[-1], self.classes
        names = [name for _, kinds in within for name in kinds]
        if any(tag == "code" for tag, _ in within) and "pane" in names:
            record["panes"][-1][2] += data
        elif any(tag == "h4" for tag, _ in within):
            record["panes"][-1]["says" in names] += data
        elif "badge" in names:
            record["badges"][-1] += data
        else:
            for key in ("kernel", "note", "evidence"):
                record[key] += data if key in names else ""
            record["id"] += data if "id" in names else ""


def show(path, *words):
    done = subprocess.run([WEFT, "report", path, "-q", "-o", "-", *words], capture_output=True, timeout=120, check=False)
    check(done.returncode == 0, f"report {path} {words}: status {done.returncode}: {done.stderr[:300]}")
    return done.stdout.decode("utf-8")


def shown(path, *words):
    records = Records(show(path, *words)).records
    for record in records:
        record["panes"] = {title.strip(): (says, text) for title, says, text in record["panes"]}
    return records


def read(folder):
    data = os.path.join(folder, "data")
    for name in sorted(os.listdir(data)):
        with open(os.path.join(data, name), encoding="utf-8") as stream:
            yield from map(json.loads, stream)


def write(path, records):
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(record) + "\n" for record in records)
    return path


def check_whole(path, records):
    """Each record is there, and each of its texts byte for byte, below the right heading."""
    by_id = {record["id"]: record for record in records}
    page = shown(path, "--samples", str(len(records) + 5))
    check(sorted(r["id"] for r in page) == sorted(by_id), f"{path}: {len(page)} of {len(records)} records")
    for view in page:
        record = by_id.get(view["id"], {})
        for key, title in TEXTS.items():
            if record.get(key):
                check(view["panes"].get(title, ("", ""))[1] == record[key], f"{view['id']}: {key} is not what is shown")
    return page


def check_choice(place):
    """Even shares; the same ids whatever the order; fewer are some of more. With 1000 records lines are dropped."""
    folder = os.path.join(place, "many")
    generate(WEFT, folder, "--count", "1000", "--seed", "5", "--no-verify", "--no-backward")
    records = list(read(folder))
    random.Random(1).shuffle(records)
    mixed = write(os.path.join(place, "mixed.jsonl"), records)
    one_kind = [r for r in records if r["metadata"]["category"] == "loop"][:40]
    uneven = [r for r in records if r["metadata"]["category"] != "loop"][:2] + one_kind
    metadata = {r["id"]: r["metadata"] for r in records}
    before = set()
    for n in (1, 7, 20, 120):
        chosen = [r["id"] for r in shown(folder, "--samples", str(n))]
        check(len(set(chosen)) == n, f"--samples {n}: {len(set(chosen))} records")
        check(chosen == [r["id"] for r in shown(mixed, "--samples", str(n))], f"--samples {n} depends on the order")
        for key in ("category", "difficulty"):
            of = collections.Counter(metadata[i][key] for i in chosen)
            check(max(of.values()) - min(of.values()) <= 1 or key != "category", f"--samples {n}: {of}")
        check(n < 20 or len({metadata[i]["difficulty"] for i in chosen}) == 5, f"--samples {n}: not all difficulties")
        check(before <= set(chosen) or n < 120, f"--samples {n} leaves out what fewer show")
        before = set(chosen)
    check(len(shown(folder)) == 20, "20 records if not told")
    page = shown(write(os.path.join(place, "uneven.jsonl"), uneven), "--samples", "30")
    check(len(page) == 30, f"few of one category make room for others: {len(page)}")


def check_proofs(place, record):
    records = []
    for i, status in enumerate(PROOFS):
        other = json.loads(json.dumps(record))
        other["id"] = f"{i}"
        other["metadata"]["verification"] = {**record["metadata"]["verification"], "status": status, "class": "loop_carried"}
        records.append(other)
    page = {r["id"]: r for r in shown(write(os.path.join(place, "proofs.jsonl"), records))}
    for i, (status, (badges, forward, backward)) in enumerate(PROOFS.items()):
        view = page[f"{i}"]
        check(view["badges"][1:] == badges, f"{status}: badges {view['badges']}")
        check(view["panes"]["CUDA, forward"][0] == forward, f"{status}: {view['panes']['CUDA, forward'][0]!r}")
        check(view["panes"]["CUDA, backward"][0] == backward, f"{status}: {view['panes']['CUDA, backward'][0]!r}")
        check(("bit for bit" in view["evidence"]) == (status != "by hand"), f"{status}: {view['evidence']!r}")
        check(("loop_carried" in view["evidence"]) == (status == "warp_differs"), f"{status}: {view['evidence']!r}")


def check_standalone(place, pairs):
    """The program on the page is the one that --format standalone makes of the same source."""
    programs = os.path.join(place, "programs")
    generate(WEFT, programs, "--count", "60", "--seed", "9", "--format", "standalone")
    of, same = {}, 0
    for name in os.listdir(programs):
        path = os.path.join(programs, name, "metadata.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as stream:
                record = json.load(stream)
            for key, file in (("python_source", "python"), ("cuda_source", "cuda"), ("makefile", "makefile")):
                with open(os.path.join(programs, name, record["files"][file]), encoding="utf-8") as stream:
                    record[key] = stream.read()
            of[record["id"]] = record
    for view in shown(pairs, "--samples", "60"):
        title, text = view["panes"].get("Standalone CUDA", ("", ""))
        check(text or "There is no standalone CUDA of it" in view["note"], f"{view['id']}: no standalone CUDA")
        if of[view["id"]]["python_source"] == view["panes"]["Python"][1]:
            same += 1
            check(text == of[view["id"]]["cuda_source"], f"{view['id']}: another program")
            check(title == f"compares {of[view['id']]['standalone']['expected_values']} numbers with weft’s own", title)
    check(same > 30, f"{same} records to compare")
    for view in check_whole(programs, list(of.values())):
        check(set(view["panes"]) == {"Python", "Standalone CUDA", "Makefile"}, f"of a program: {set(view['panes'])}")
        check(view["panes"]["Standalone CUDA"][0].startswith("compares "), "what the program compares")


def check_others(place, record):
    """Records that are not weft's: what cannot be made is told, and the rest is shown."""
    bare = {"id": "bare", "python_source": record["python_source"], "cuda_ir_forward": "// text\n"}
    bad = {"id": "bad", "python_source": "def f(:\n", "cpp_forward": "x"}
    none = {"id": "none", "python_source": "import warp as wp\n", "cuda_ir_forward": "\n\nx"}
    long = {"id": "long", "python_source": "#" * (1 << 20), "cuda_ir_forward": "x"}
    path = write(os.path.join(place, "others.jsonl"), [bare, bad, none, long])
    page = {r["id"] or r["kernel"]: r for r in shown(path)}
    check(set(page) == {"bare", "bad", "none"}, f"others: {set(page)}")
    check("__global__ void" in page["bare"]["panes"]["Standalone CUDA"][1], "a program without any metadata")
    check("There is no standalone CUDA of it: " in page["bad"]["note"], "why there is no program")
    check("the source has no kernel" in page["none"]["note"], "why there is no program: no kernel")
    check(page["none"]["panes"]["CUDA, forward"][1] == "\n\nx", "empty lines at the beginning, none at the end")
    check("Records above 1 MiB are not shown: 1." in show(path), "a long record is told")
    check(not Records(show(path, "--samples", "0")).records and 'href="#samples"' not in show(path, "--samples", "0"), "none")


def check_releases(place):
    """A record's program is compiled for the record's release: in 1.17 the store runs again in the backward pass."""
    source = (
        "import warp as wp\n\n\n@wp.kernel\n"
        "def lift(a: wp.array(dtype=wp.vec3), x: wp.array(dtype=float)):\n"
        "    i = wp.tid()\n    a[i].y = x[i]\n"
    )
    versions = {"1-0": "1.17.0", "1-1": "1.19.0", "1-2": "1.17.0", "1-3": "1.18.0"}
    records = [
        {"id": name, "python_source": source, "cuda_ir_forward": "x", "cuda_ir_backward": "x", "metadata": {"warp_version": version}}
        for name, version in versions.items()
    ]
    page = shown(write(os.path.join(place, "releases.jsonl"), records))
    stores = {view["id"] or view["kernel"]: view["panes"]["Standalone CUDA"][1].count("a[i].y = x[i];") for view in page}
    check(stores == {"1-0": 2, "1-1": 1, "1-2": 2, "1-3": 1}, f"stores in the programs: {stores}")


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def check_colours(text):
    """WCAG 2.1, AA: at least 4.5 to 1 in both schemes."""
    colours = {name: pair for name, *pair in re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)", text)}
    for ground, names in GROUNDS.items():
        for name in names.split():
            for scheme in (0, 1):
                low, high = sorted(luminance(colours[x][scheme]) for x in (name, ground))
                ratio = (high + 0.05) / (low + 0.05)
                check(ratio >= 4.5, f"{name} on {ground}, {('light', 'dark')[scheme]}: {ratio:.2f} to 1")


def main():
    with tempfile.TemporaryDirectory() as place:
        pairs = os.path.join(place, "pairs")
        generate(WEFT, pairs, "--count", "60", "--seed", "9", "--device", "both")
        records = list(read(pairs))
        check_whole(pairs, records)
        files = os.path.join(place, "files")
        generate(WEFT, files, "--count", "60", "--seed", "9", "--device", "both", "--format", "files")
        check_whole(files, records)
        check_choice(place)
        check_proofs(place, records[0])
        check_standalone(place, pairs)
        check_others(place, records[0])
        check_releases(place)
        check_colours(show(pairs))
    for what in sorted(set(failures)):
        print(f"wrong: {what}")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
