from __future__ import nothing  # expect error: future-import
