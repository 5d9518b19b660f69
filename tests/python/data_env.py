# SPDX-License-Identifier: Apache-2.0
"""The virtual environments of tests that use data libraries, and how their absence is told.

    build/venv-data        datasets, pandas, pyarrow: what people load data sets with
    build/venv-streams     datatrove, Ray, Spark, datasets: engines that take weft.sources

Without one (there was no network) a test is skipped, loudly. With CI set that is a failure.
"""

import os
import sys

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTHON = os.environ.get("WEFT_DATA_PYTHON", os.path.join(REPO, "build/venv-data/bin/python"))
STREAMS = os.environ.get("WEFT_STREAMS_PYTHON", os.path.join(REPO, "build/venv-streams/bin/python"))
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def use_package(library):
    """Programs that are started from here find the package of the checkout with this library, and so
    does weft, which writes Parquet by it."""
    package = os.path.join(REPO, "bindings", "python")
    os.environ.update(WEFT_PYTHON=sys.executable, WEFT_LIBRARY=os.path.abspath(library), PYTHONPATH=package)
    sys.path.insert(0, package)


def enter(python=PYTHON, packages="datasets, pandas and pyarrow"):
    """Goes on in the environment's Python; skips the test if there is none."""
    if os.environ.get("WEFT_DATA_ENTERED"):
        return
    if not os.path.exists(python):
        print(f"SKIPPED: no {packages} here ({python} is missing; scripts/test.sh makes it)")
        if os.environ.get("CI"):
            print("CI is set: a skipped test is a failure there")
        sys.exit(1 if os.environ.get("CI") else SKIPPED)
    os.environ["WEFT_DATA_ENTERED"] = "1"
    sys.stdout.flush()
    os.execv(python, [python, "-B", *sys.argv])
