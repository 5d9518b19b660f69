#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft report` without a browser: the page is well-formed and needs nothing else, shows what the set
has, is the same on every run, and hostile records stay text. With --measure it also shows how fast such a
set is made.

usage: page_check.py WEFT
"""

import base64
import hashlib
import html.parser
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from hostile import ATTACKS, generate, make_hostile

WEFT = os.path.abspath(sys.argv[1])
EMPTY = {"meta", "link", "br", "img"}
ATTRIBUTES = re.compile(r"on\w+$|style$|srcset$|action$")
failures = []


def check(good, what):
    if not good:
        failures.append(what)


class Page(html.parser.HTMLParser):
    """Elements, their nesting, and the text of each class."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.text, self.scripts, self.anchors, self.ids = [], [], [], [], [], []
        self.feed(text)
        self.close()
        check(not self.open, f"elements left open: {self.open}")

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append((tag, attrs))
        self.anchors += [attrs["href"]] if "href" in attrs else []
        self.ids += [attrs["id"]] if "id" in attrs else []
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        check(bool(self.open) and self.open[-1] == tag, f"</{tag}> closes {self.open[-2:]}")
        if self.open:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        elif not self.open or self.open[-1] != "style":
            self.text.append(data)


def report(folder, *words, status=0):
    done = subprocess.run([WEFT, "report", folder, *words], capture_output=True, timeout=60, check=False)
    check(done.returncode == status, f"report {folder}: status {done.returncode}: {done.stderr[:300]}")
    return done.stdout.decode("utf-8")


def check_page(text):
    """What holds for every page."""
    page = Page(text)
    for tag, attrs in page.elements:
        check(tag not in ("img", "iframe", "object", "embed", "form", "base", "audio", "video"), f"<{tag}>")
        for name, value in attrs.items():
            check(not ATTRIBUTES.match(name), f"<{tag} {name}>")
            check(name != "src", f"<{tag} src>")
            check(name != "data-l" or value.isdigit(), f"data-l={value!r}")
    for href in page.anchors:
        check(href == "data:," or (href.startswith("#") and href[1:] in page.ids), f"href {href!r}")
    check(len(page.ids) == len(set(page.ids)), "ids come once")
    check(len(page.scripts) == 1, f"{len(page.scripts)} scripts")
    digest = base64.b64encode(hashlib.sha256(page.scripts[0].encode()).digest()).decode()
    check(f"script-src 'sha256-{digest}'" in text, "the policy names the script")
    check("url(" not in text and "@import" not in text, "the style wants something")
    check("\0" not in text and "\1" not in text, "control characters")
    return page


def check_clean(folder):
    text = report(folder, "-o", "-")
    page = check_page(text)
    seen = "".join(page.text)
    for words in ("Summary", "Categories", "nested_loop", "Size of a record", "kB (1,000 bytes of JSON)",
                  "Lines of the Python source", "Difficulty", "Verification", "Structures", "made anew", "Coverage",
                  "Builtins by type", "weft generate --count 60", "1.19.0", "CUDA, forward", "CUDA, backward"):  # fmt: skip
        check(words in seen, f"the page does not say {words!r}")
    samples = [attrs for tag, attrs in page.elements if attrs.get("class") == "sample"]
    check(len(samples) == 20, f"{len(samples)} samples")
    lines = [attrs for tag, attrs in page.elements if tag == "span" and attrs.get("class") == "ln"]
    check(sum("data-l" in attrs for attrs in lines) > 400, "lines are linked")
    check(report(folder, "-o", "-") == text, "the page is the same again")
    check("Throughput" not in seen, "measured unasked")
    return text


def check_measured(folder, place):
    seen = "".join(check_page(report(folder, "--measure", "-o", "-")).text)
    for words in ("Throughput", "the set's first 60 samples", "Pairs per second", "Executed and provedyes", "verify-read"):
        check(words in seen, f"measured: the page does not say {words!r}")
    manifest = os.path.join(folder, "manifest.json")
    with open(manifest, encoding="utf-8") as stream:
        text = stream.read()
    for old, new, why in (
        ("weft generate --", "make --", "names no command of weft generate"),
        ("--seed 9", "--seed 9 --jobs 1000", "cannot be read"),
        ("--seed 9", "--seed \\u001b[31m", "cannot be read"),
        ('"weft_version": "', '"weft_version": "0.', "another version"),
        ("{", "[", "no manifest.json"),
    ):
        other = os.path.join(place, "other")
        shutil.copytree(folder, other, dirs_exist_ok=True)
        with open(os.path.join(other, "manifest.json"), "w", encoding="utf-8") as stream:
            stream.write(text.replace(old, new, 1))
        seen = report(other, "--measure", "-o", "-", status=new == "[")
        check("Nothing was measured" in seen and why in seen, f"not told: {why}")


def check_interrupt(place):
    """While samples are made: they would take longer than the test waits."""
    big = os.path.join(place, "big")
    generate(WEFT, big, "--count", "1", "--no-verify")
    manifest = os.path.join(big, "manifest.json")
    with open(manifest, encoding="utf-8") as stream:
        text = stream.read()
    with open(manifest, "w", encoding="utf-8") as stream:
        stream.write(text.replace("--count 1 ", "--count 1000000 "))
    page = os.path.join(place, "big.html")
    run = subprocess.Popen([WEFT, "report", big, "--measure", "-o", page])
    time.sleep(0.7)
    run.send_signal(signal.SIGINT)
    check(run.wait(60) == 130 and not os.path.exists(page), f"interrupted: status {run.returncode}")


def check_places(folder, place):
    done = subprocess.run([WEFT, "report", folder, "-q"], cwd=place, capture_output=True, check=False)
    page = os.path.join(folder, "report.html")
    check(done.returncode == 0 and os.path.exists(page), "report.html in the data set by default")
    os.remove(page)
    check(done.stderr == b"", "quiet")
    data = os.path.join(folder, "data")
    names = sorted(os.listdir(data))
    for cwd, operand in ((place, os.path.join(data, names[0])), (folder, "data/" + names[0]), (data, names[0])):
        subprocess.run([WEFT, "report", operand, "-q"], cwd=cwd, capture_output=True, check=False)
        check(os.path.exists(page) and sorted(os.listdir(data)) == names, f"the page of the shard {operand} in {cwd}")
        if os.path.exists(page):
            os.remove(page)
    bare = os.path.join(place, "bare.jsonl")
    shard = os.path.join(folder, "data", sorted(os.listdir(os.path.join(folder, "data")))[0])
    with open(shard, "rb") as stream, open(bare, "wb") as out:
        out.write(stream.readline() + b"{\n")
    text = "".join(check_page(report(bare, "-o", "-", status=1)).text)
    check("no coverage in" in text and "is not known" in text, "what is missing is told")
    check("Problems" in text, "damage is told")
    report(bare, "-q", status=1)
    check(os.path.exists(bare + ".html"), "the page of a file lies beside it")
    report(os.path.join(place, "nothing"), status=3)
    report(folder, "-o", os.path.join(folder, "manifest.json", "r.html"), status=3)
    report(folder, folder, status=2)


def check_beside(folder, place):
    """stats.json is input: members of the coverage may have any form, and are then passed over."""
    other = os.path.join(place, "beside")
    shutil.copytree(os.path.join(folder, "data"), os.path.join(other, "data"))
    for thing in ('{"c": "x"}', "null", '"x"', "-5", "[1]", "1e400"):
        with open(os.path.join(other, "stats.json"), "w", encoding="utf-8") as stream:
            stream.write(f'{{"coverage": {{"group": {{"thing_a": 17, "thing_b": {thing}}}}}}}')
        seen = "".join(check_page(report(other, "-o", "-")).text)
        check("thing_a" in seen and "thing_b" not in seen, f"coverage of a thing that is {thing}")
    for text, why in (("[1]", "no JSON object"), ("{", "not JSON")):
        with open(os.path.join(other, "stats.json"), "w", encoding="utf-8") as stream:
            stream.write(text)
        done = subprocess.run([WEFT, "report", other, "-o", "-"], capture_output=True, text=True, check=False)
        lines = [line for line in done.stderr.splitlines() if line.endswith(": the file is left out")]
        check(len(lines) == 1 and f"stats.json: error: {why}" in lines[0], f"{text}: {done.stderr}")


def check_others(folder, place):
    """Of 45 categories 40 have bars of their own; one stands for the others."""
    shard = os.path.join(folder, "data", sorted(os.listdir(os.path.join(folder, "data")))[0])
    many = os.path.join(place, "many.jsonl")
    with open(shard, encoding="utf-8") as stream, open(many, "w", encoding="utf-8") as out:
        line = stream.readline()
        for i in range(45):
            out.write(re.sub(r'("category": )"\w+"', rf'\1"kind_{i:02}"', line, count=1))
    seen = "".join(check_page(report(many, "-o", "-")).text)
    check("kind_39" in seen and "(others)" in seen, "no bar for the others")
    seen = "".join(check_page(report(folder, "-o", "-")).text)
    check("(others)" not in seen, "others where there are none")
    check("(missing)" not in seen and "Missing in" not in seen, "facts are missing where they are there")
    with open(many, "a", encoding="utf-8") as out:
        out.write(re.sub(r'"difficulty": \d, ', "", line, count=1))
    seen = "".join(check_page(report(many, "-o", "-")).text)
    check("(missing): 1" in seen and "Missing in some records: difficulty (1)" in seen, "a fact that is missing")


def main():
    with tempfile.TemporaryDirectory() as place:
        folder, bad = os.path.join(place, "set"), os.path.join(place, "x<script>&'")
        generate(WEFT, folder, "--count", "60", "--seed", "9", "--device", "both")
        check_clean(folder)
        check_measured(folder, place)
        check_interrupt(place)
        check_places(folder, place)
        check_beside(folder, place)
        check_others(folder, place)
        make_hostile(folder, bad)
        text = report(bad, "-o", "-")
        page = check_page(text)
        seen = "".join(page.text)
        for attack in ATTACKS:
            shown = attack.replace("\1", "\ufffd")
            check(shown in seen, f"hostile text is shown as it is: {attack!r}")
    for what in sorted(set(failures)):
        print(f"wrong: {what}")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
