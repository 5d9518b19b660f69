#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same kernels, compiled by warp-lang for a generic CPU and for this one, agree wherever weft says
that their results are specified.

usage: cpu_check.py CALL_ARITH [--only NAME,...]

wp.config.cpu_compiler_flags decides: "" compiles for a generic CPU of the architecture, the default's
-march=native for the host's, with AVX and FMA where it has them. scalar_check.py runs with both, on
the same points, at the optimisation that vectorizes. Each has to agree with weft bit for bit; what
weft calls unspecified is left out. By default it takes operations that depend on instructions of the
CPU: conversions, shifts, sums of products, min and max; --only "" takes all.
"""

import argparse
import subprocess
import sys

import oracle_env

CHOSEN = ("int8,uint8,int16,uint16,int32,uint32,int64,uint64,float16,bfloat16,float32,float64,lshift,rshift,lerp,"
          "smoothstep,min,max,clamp,mod,round,noise,curlnoise")
SCALAR = __file__.replace("cpu_check", "scalar_check")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--only", default=CHOSEN)
    args = parser.parse_args()
    oracle_env.oracle_python()
    failed = 0
    for name, flags in (("a generic CPU", ""), ("this CPU", "-march=native")):
        command = [sys.executable, SCALAR, args.program, "--only", args.only, f"--flags={flags}", "--optimize", "2"]
        done = subprocess.run(command, capture_output=True, text=True)
        lines = [line for line in done.stdout.splitlines() if " agree " in line or " differ" in line or "should be" in line]
        print(f"compiled for {name}: " + "\n".join(lines)[:3000])
        if done.returncode:
            print(done.stderr[-2000:])
            failed = 1
    sys.exit(failed)


if __name__ == "__main__":
    main()
