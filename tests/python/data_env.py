# SPDX-License-Identifier: Apache-2.0
"""The virtual environment that has datasets, pandas and pyarrow, and how its absence is told.

Without it (there was no network) a test is skipped, loudly. With CI set that is a failure.
"""

import os
import sys

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTHON = os.environ.get("WEFT_DATA_PYTHON", os.path.join(REPO, "build/venv-data/bin/python"))
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def enter():
    """Goes on in the environment's Python; skips the test if there is none."""
    if os.environ.get("WEFT_DATA_ENTERED"):
        return
    if not os.path.exists(PYTHON):
        print(f"SKIPPED: no datasets, pandas and pyarrow here ({PYTHON} is missing; scripts/test.sh makes it)")
        if os.environ.get("CI"):
            print("CI is set: a skipped test is a failure there")
        sys.exit(1 if os.environ.get("CI") else SKIPPED)
    os.environ["WEFT_DATA_ENTERED"] = "1"
    sys.stdout.flush()
    os.execv(PYTHON, [PYTHON, "-B", *sys.argv])
