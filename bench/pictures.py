#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws README's pictures, each for light and for dark pages, into docs/images.

usage: pictures.py [FIGURES.json]

FIGURES.json is what `bench/dataset --json FIGURES.json` measured in one run; without it only the
pipeline is drawn. A bar's length is its rate; the shortest ones are a pixel or two, which is the point.
"""

import json
import os
import sys
from xml.sax.saxutils import escape

IMAGES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "images")
THEMES = {
    "light": {"text": "#1f2328", "quiet": "#59636e", "weft": "#1a7f37", "other": "#8c959f", "box": "#f6f8fa", "line": "#d1d9e0"},
    "dark": {"text": "#f0f6fc", "quiet": "#9198a1", "weft": "#3fb950", "other": "#656c76", "box": "#151b23", "line": "#3d444d"},
}
FONT = "font-family='-apple-system,Segoe UI,Helvetica,Arial,sans-serif'"
# Rows of the picture of speed: name in the figures, label.
BARS = (
    ("weft, one core, not verified", "weft", "text only"),
    ("weft, one core, verified", "weft", "each pair executed and proven"),
    ("Python, one core", "warp-lang", "text only"),
)
# Boxes of the pipeline: column, row, title, what it does.
BOXES = (
    (0, 0, "your kernels", "@wp.kernel in Python"),
    (0, 1, "generator", "kernels in 12 categories"),
    (1, 0.5, "compiler", "parse, type, lower, adjoint"),
    (2, 0, "Warp's text", "C++ and CUDA, character for character"),
    (2, 1, "plain CUDA", "programs without Warp"),
    (3, 0.5, "proof", "text executed against its source"),
    (4, 0, "your build", "checked CUDA, gradients"),
    (4, 1, "data set", "pairs with their evidence"),
)
ARROWS = ((0, 2), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6), (5, 7))
WIDTH, HEIGHT, GAP_X, GAP_Y = 148, 56, 24, 28


def text(x, y, words, color, size=13, anchor="start", weight="normal"):
    return (f"<text x='{x}' y='{y}' fill='{color}' font-size='{size}' text-anchor='{anchor}' "
            f"font-weight='{weight}' {FONT}>{escape(words)}</text>")


def page(width, height, title, body):
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' "
            f"height='{height}' role='img'><title>{escape(title)}</title>\n" + "\n".join(body) + "\n</svg>\n")


def draw_speed(figures, theme):
    rates = [figures["rates"][name] for name, _, _ in BARS]
    body, left, longest = [], 290, 360
    for row, ((_, name, what), rate) in enumerate(zip(BARS, rates)):
        y = 30 + 34 * row
        color = theme["weft" if name == "weft" else "other"]
        body.append(text(left - 12, y + 15, f"{name}: {what}", theme["text"], anchor="end"))
        length = max(1.5, longest * rate / max(rates))
        body.append(f"<rect x='{left}' y='{y}' width='{length:.1f}' height='20' rx='2' fill='{color}'/>")
        body.append(text(left + length + 8, y + 15, f"{rate:,.0f}", theme["text"], weight="bold"))
    foot = f"Exercises a second (--kind exercise), one core, in one run of bench/dataset ({figures['date']})"
    body.append(text(left - 12, 30 + 34 * len(BARS) + 18, foot, theme["quiet"], 12, "middle"))
    return page(760, 30 + 34 * len(BARS) + 34, "Pairs a second, weft beside warp-lang", body)


def draw_pipeline(theme):
    place = [(8 + c * (WIDTH + GAP_X), 8 + r * (HEIGHT + GAP_Y)) for c, r, _, _ in BOXES]
    body = []
    for a, b in ARROWS:
        (x0, y0), (x1, y1) = place[a], place[b]
        y0, y1, x0 = y0 + HEIGHT / 2, y1 + HEIGHT / 2, x0 + WIDTH
        body.append(f"<path d='M{x0} {y0}C{x0 + 12} {y0} {x1 - 12} {y1} {x1} {y1}' fill='none' stroke='{theme['quiet']}'/>")
    for (x, y), (_, _, title, what) in zip(place, BOXES):
        body.append(f"<rect x='{x}' y='{y}' width='{WIDTH}' height='{HEIGHT}' rx='6' fill='{theme['box']}' stroke='{theme['line']}'/>")
        body.append(text(x + WIDTH / 2, y + 23, title, theme["text"], 14, "middle", "bold"))
        body += [text(x + WIDTH / 2, y + 38 + 12 * i, line, theme["quiet"], 10, "middle") for i, line in enumerate(fold(what))]
    return page(16 + 5 * WIDTH + 4 * GAP_X, 16 + 2 * HEIGHT + GAP_Y, "How weft works", body)


def fold(words, columns=26):
    """One or two lines."""
    if len(words) <= columns:
        return [words]
    at = words.rindex(" ", 0, columns)
    return [words[:at], words[at + 1 :]]


def main():
    os.makedirs(IMAGES, exist_ok=True)
    pictures = {"pipeline": draw_pipeline}
    if sys.argv[1:]:
        with open(sys.argv[1], encoding="utf-8") as stream:
            figures = json.load(stream)
        pictures["speed"] = lambda theme: draw_speed(figures, theme)
    for name, draw in pictures.items():
        for kind, theme in THEMES.items():
            with open(os.path.join(IMAGES, f"{name}-{kind}.svg"), "w", encoding="utf-8") as out:
                out.write(draw(theme))


if __name__ == "__main__":
    main()
