from __future__ import annotations

x: (y := int) = 1  # expect error: in-annotation
