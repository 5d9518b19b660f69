#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`weft report` in headless Chromium: no complaint, nothing fetched, no scrolling sideways on a desktop
or a phone, both colour schemes, tabs and marks of lines by mouse and by keys, copies, the search, and
hostile records that run nothing. Skipped without the Debian package chromium, a failure then where CI is set.

usage: browser_check.py WEFT [--shots FOLDER]
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import browser
from hostile import generate, make_hostile

WEFT = os.path.abspath(sys.argv[1])
SHOTS = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
SIZES = {"desktop": (1400, 1000, False), "tablet": (800, 1100, False), "phone": (390, 844, True)}
SKIPPED = 77
failures = []


def check(good, what):
    if not good:
        failures.append(what)


def check_look(page, url, name, scheme):
    width, height, phone = SIZES[name]
    page.open(url, width, height, scheme, phone)
    where = f"{name}, {scheme}"
    for complaint in page.complaints():
        check(False, f"{where}: {complaint}")
    wide = page.value("document.documentElement.scrollWidth")
    check(wide <= width, f"{where}: {wide} pixels wide")
    dark = page.value("getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).every(x => x < 60)")
    check(dark == (scheme == "dark"), f"{where}: the background")
    small = page.value("[...document.querySelectorAll('svg text')].filter(t => t.getBoundingClientRect().height > 0 &&"
                       "t.getBoundingClientRect().height < 8 && !t.closest('.wide')).length")  # fmt: skip
    check(small == 0, f"{where}: {small} texts too small to read")
    outside = page.value("[...document.querySelectorAll('.plot:not(.heat) svg')].filter(s => { const b = s.getBoundingClientRect();"
                         "return [...s.querySelectorAll('text')].some(t => { const r = t.getBoundingClientRect();"
                         "return r.left < b.left - 1 || r.right > b.right + 1 || r.bottom > b.bottom + 1; }); })"
                         ".map(s => s.getAttribute('aria-label')).join()")  # fmt: skip
    check(outside == "", f"{where}: texts leave their plots: {outside}")
    if SHOTS:
        for part in ("summary", "contents", "verification", "coverage", "throughput", "samples"):
            page.value(f"document.getElementById('{part}').scrollIntoView() || 0")
            page.screenshot(os.path.join(SHOTS, f"{name}-{scheme}-{part}.png"))


def check_theme(page, url):
    page.open(url, 1400, 1000, "light")
    dark = "getComputedStyle(document.body).backgroundColor"
    seen = [page.value(dark)]
    for _ in range(3):
        page.value("document.getElementById('theme').click()")
        seen.append(page.value(dark))
    check(seen[0] == seen[1] == seen[3] != seen[2], f"the switch of colours: {seen}")


def check_links(page, url):
    """A tap on a line marks its lines on both sides; so do the arrow keys."""
    page.open(url, 1400, 1000, "light")
    first = "document.querySelector('.sample')"
    number = page.value(f"{first}.querySelector('.texts .ln[data-l]').dataset.l")
    place = page.value(f"""(() => {{
        const line = {first}.querySelector('.python .ln[data-l="{number}"]');
        line.scrollIntoView({{block: 'center'}});
        const r = line.getBoundingClientRect();
        return [r.left + 60, r.top + r.height / 2];
    }})()""")
    page.click(*place)
    both = page.value(f"['.python', '.texts'].map(s => {first}.querySelectorAll(s + ' .pinned').length)")
    check(min(both) > 0, f"a tap marks both sides: {both}")
    page.click(*place)
    check(page.value(f"{first}.querySelectorAll('.pinned').length") == 0, "a second tap lets go")
    page.value(f"{first}.querySelector('.python').focus() || 0")
    for _ in range(int(number)):
        page.key("ArrowDown", 40)
    check(page.value(f"{first}.querySelector('.python .pinned').dataset.l") == number, "arrow keys move the mark")
    page.key("Escape", 27)
    check(page.value(f"{first}.querySelectorAll('.pinned').length") == 0, "Escape lets go")


def check_tabs(page, url):
    page.open(url, 1400, 1000, "light")
    tabs = "document.querySelector('.sample').querySelectorAll('[role=tab]')"
    shown = "[...document.querySelector('.sample').querySelectorAll('[role=tabpanel]')].map(p => !p.hidden)"
    check(page.value(shown) == [True, False, False, False], f"tabs: {page.value(shown)}")
    page.value(f"{tabs}[0].focus() || 0")
    page.key("ArrowRight", 39)
    check(page.value(shown) == [False, True, False, False], "the arrow key opens the next tab")
    focus = page.value("document.activeElement.textContent")
    check(focus == "CUDA, backward exact", f"and has the focus: {focus}")
    page.value("document.querySelectorAll('.sample summary')[1].focus() || 0")
    page.key("Enter", 13)
    page.value("document.querySelectorAll('.sample')[1].open || document.querySelectorAll('.sample summary')[1].click()")
    check(page.value("document.querySelectorAll('.sample')[1].open"), "samples open")


def check_copy(page, url, record):
    """The button of each text copies it as the record has it, by the clipboard or without one."""
    page.open(url, 1400, 1000, "light")
    first = "document.querySelector('.sample')"
    keys = [k for k in ("python_source", "cuda_ir_forward", "cuda_ir_backward", "cpp_forward", "cpp_backward")]
    for way in ("navigator.clipboard.writeText = t => { window.copied = t; return Promise.resolve(); }",
                "navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = "
                "() => { window.copied = document.activeElement.value; return true; }"):  # fmt: skip
        page.value(f"{way}; 0")
        for i, key in enumerate(keys):
            pane = f"{first}.querySelectorAll('.pane')[{i + (i > 0)}]"  # the second is the standalone CUDA
            copied = page.value(f"{pane}.querySelector('.copy').click(); new Promise(r => setTimeout(() => r(window.copied), 50))")
            check(copied == record[key], f"copy of {key}")
    word = page.value(f"{first}.querySelector('.copy').textContent")
    check(word == "Copied", f"the button says {word!r}")
    lines = page.value(f"[...{first}.querySelectorAll('.copy')].every(b => b.type === 'button' && b.tabIndex === 0)")
    check(lines, "buttons are reached by keys")


def check_find(page, url):
    page.open(url, 1400, 1000, "light")
    page.value("location.hash = '#record-3'; new Promise(r => setTimeout(r, 50))")
    check(page.value("[...document.querySelectorAll('.sample')].map(r => r.open).slice(0, 4).join()") == "true,false,true,false",
          "a link opens its record")  # fmt: skip
    page.value("document.querySelector('.tools input').focus() || 0")
    page.call("Input.insertText", text="Nested PROVED")
    found = page.value("[...document.querySelectorAll('.sample')].filter(r => !r.hidden).map(r => r.querySelector('.category').textContent)")
    check(found and set(found) == {"nested_loop"}, f"found: {found}")
    said = page.value("document.querySelector('.tools [role=status]').textContent")
    check(said == f"{len(found)} of 20 records", f"the search says {said!r}")
    page.value("[...document.querySelectorAll('.tools button')].find(b => b.textContent === 'Open all').click()")
    check(page.value("document.querySelectorAll('.sample[open]').length") == 2 + len(found), "all that are found open")


def check_hostile(page, url):
    page.open(url, 1400, 1000, "light")
    for complaint in page.complaints():
        check(False, f"hostile: {complaint}")
    page.value("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    for event in ("mouseover", "click", "focus"):
        page.value(f"document.querySelectorAll('body *').forEach(e => e.dispatchEvent(new Event('{event}')))")
    check(page.value("window.pwned === undefined"), "a hostile record runs a script")
    check(page.value("document.scripts.length") == 1, "a hostile record brings a script")
    check(page.value("document.querySelectorAll('img,iframe,[onmouseover],[onerror],[onload]').length") == 0, "hostile elements")


def first_record(page, folder):
    """The record that stands first on the page."""
    with open(page, encoding="utf-8") as stream:
        identity = re.search(r'class="fact id">([^<]+)<', stream.read()).group(1)
    shard = os.path.join(folder, "data", sorted(os.listdir(os.path.join(folder, "data")))[0])
    with open(shard, encoding="utf-8") as stream:
        return next(r for r in map(json.loads, stream) if r["id"] == identity)


def check_all(place):
    folder, bad = os.path.join(place, "set"), os.path.join(place, "bad")
    generate(WEFT, folder, "--count", "60", "--seed", "9", "--device", "both")
    make_hostile(folder, bad)
    pages = []
    for name in (folder, bad):
        pages.append(name + ".html")
        subprocess.run([WEFT, "report", name, "--measure", "-q", "-o", pages[-1]], check=True)
    with browser.Browser(browser.find()) as page:
        url = "file://" + pages[0]
        for name in SIZES:
            for scheme in ("light", "dark"):
                check_look(page, url, name, scheme)
        check_theme(page, url)
        check_links(page, url)
        check_tabs(page, url)
        check_copy(page, url, first_record(pages[0], folder))
        check_find(page, url)
        check_hostile(page, "file://" + pages[1])


def main():
    if not browser.find():
        print("SKIPPED: no Chromium: apt-get install -y --no-install-recommends chromium")
        return 1 if os.environ.get("CI") else SKIPPED
    with tempfile.TemporaryDirectory() as place:
        check_all(place)
    for what in failures:
        print(f"wrong: {what}")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
