# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: texts side by side, tables.

    columns("saxpy", [("Python", source), ("CUDA", text)])   ->   "<div>...<table>...</table></div>"

Everything is escaped, and no script and no outside address is in it.
"""

from __future__ import annotations

import html
from typing import Iterable, Sequence, Tuple

CELL = "text-align:left;vertical-align:top"
PRE = "margin:0;white-space:pre;max-height:32em;overflow:auto;text-align:left"


def code(text: str) -> str:
    return f'<pre style="{PRE}">{html.escape(text.strip(chr(10)), quote=False)}</pre>'


def columns(title: str, texts: Sequence[Tuple[str, str]]) -> str:
    """Texts beside each other, each below its heading."""
    heads = "".join(f'<th style="{CELL}">{html.escape(head)}</th>' for head, _ in texts)
    cells = "".join(f'<td style="{CELL}">{code(text)}</td>' for _, text in texts)
    return f"<div><p>{html.escape(title)}</p><table><tr>{heads}</tr><tr>{cells}</tr></table></div>"


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows of short values; without rows the title alone."""
    rows = list(rows)
    if not rows:
        return f"<div><p>{html.escape(title)}</p></div>"

    def line(cells: Sequence[object], tag: str) -> str:
        return "<tr>" + "".join(f'<{tag} style="{CELL}">{html.escape(str(x))}</{tag}>' for x in cells) + "</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<div><p>{html.escape(title)}</p><table>{line(heads, 'th')}{body}</table></div>"


def frame(page: str) -> str:
    """A whole page within another one."""
    return f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:40em;border:0"></iframe>'
