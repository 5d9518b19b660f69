# SPDX-License-Identifier: Apache-2.0
"""The program weft, as `weft` or `python -m weft`: it takes this process's place."""

import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "weft")
    if not os.path.exists(program):
        sys.exit("weft: the program is not in this installation of the package, which has the library only")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
