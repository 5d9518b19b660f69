#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the default profile of generated kernels from a measured one.

  weft stats --profile --json FOLDER ... > measured.json
  profile_figures.py measured.json > src/profile/profile_default.def

FOLDER holds the Python of warp-lang 1.19.0, newton 1.8.0 and mujoco-warp 4.0.0, without their tests
(folders `tests`, files `test_*.py` and `*_test.py`)."""

import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = """/* SPDX-License-Identifier: Apache-2.0 */
/* The default profile: of so many different kernels how many have each feature, and how their
 * numbers are spread over the steps of profile.c. Measured by tools/profile_figures.py, which says
 * on what. */
"""


def ids(table, rows):
    with open(os.path.join(HERE, "..", "src", "profile", table)) as file:
        return re.findall(rf'^(?:{rows})\((\w+), "(\w+)"', file.read(), re.M)


def main():
    with open(sys.argv[1]) as file:
        measured = json.load(file)
    with open(os.path.join(HERE, "..", "src", "profile", "profile.c")) as file:
        ends = re.search(r"ends\[PROFILE_STEPS\] = \{(.*?)\}", file.read(), re.S)[1].replace("UINT32_MAX", "more")
    steps = [word.strip() for word in ends.split(",")]
    print(HEAD + f"KERNELS({measured['kernels']})")
    for identifier, name in ids("profile_feature.def", "FEATURE|CALLED"):
        print(f"FEATURE({identifier}, {measured['features'][name]})")
    for identifier, name in ids("profile_number.def", "NUMBER"):
        print(f"NUMBER({identifier}, {', '.join(str(measured['numbers'][name].get(step, 0)) for step in steps)})")


if __name__ == "__main__":
    main()
