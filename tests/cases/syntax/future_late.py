import a
from __future__ import annotations  # expect error: future-import
