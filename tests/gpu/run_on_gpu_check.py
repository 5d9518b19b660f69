#!/usr/bin/env python3
"""scripts/run_on_gpu.sh as far as it goes without a GPU: what it says where something is missing,
its report of made-up results, and a whole run in which stand-ins answer for the driver and nvcc.

usage: run_on_gpu_check.py WEFT

The stand-in for nvcc builds two samples for the CPU, refuses one, and makes stand-ins for the others,
of which one gives a wrong result and one meets an error of CUDA.
"""

import os
import shutil
import stat
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
SCRIPT = os.path.join(REPO, "scripts", "run_on_gpu.sh")
FACTS = {
    "device": "Made-up GPU",
    "driver": "000.00",
    "tests labelled gpu": "3 passed, 0 skipped, 0 failed",
    "architecture": "sm_00",
    "samples in": "/made/up",
}
problems = []


def expect(right, sentence):
    if not right:
        problems.append(sentence)


def script(*words, path=None, cuda="/nonexistent"):
    """The script's run; `path`: the only folder where it finds programs."""
    environment = dict(os.environ, CUDA_HOME=cuda, **({"PATH": path} if path else {}))
    return subprocess.run(
        ["/bin/sh", SCRIPT, *words], capture_output=True, text=True, env=environment, timeout=300, cwd="/"
    )


def program(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("#!/bin/sh\n" + text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


def check_missing(folder):
    """Without a driver, a GPU or nvcc: one sentence, status 3, nothing written."""
    out = os.path.join(folder, "out")
    tools = os.path.join(folder, "tools")
    os.mkdir(tools)
    for name in ("head", "sed"):
        os.symlink(shutil.which(name), os.path.join(tools, name))
    cases = [
        (None, "no NVIDIA driver on this machine"),
        ("echo 'it has failed'\nexit 9\n", "the NVIDIA driver does not answer: nothing was run; nvidia-smi says: it has failed"),
        ("exit 0\n", "the NVIDIA driver knows no GPU"),
        ("echo 'Made-up GPU, 000.00, 1 MiB, 7.5'\n", "a GPU is here, but no nvcc"),
        ("echo 'CUDA Version: 12.4   |'\n", "nvcc is of CUDA 13, the driver only knows CUDA 12"),
    ]
    for text, sentence in cases:
        if text:
            program(tools, "nvidia-smi", text)
        if "nvcc is of" in sentence:
            program(tools, "nvcc", "echo 'made up, release 13.1, V0'\n")
        done = script("--output", out, path=tools)
        told = done.stderr.splitlines()
        expect(done.returncode == 3, f"{sentence}: exit status {done.returncode}")
        expect(len(told) == 1 and sentence in told[0], f"{sentence}: it says {told}")
        expect(not done.stdout and not os.path.exists(out), f"{sentence}: something was written")


def check_usage():
    for words in (["--samples"], ["--samples", "many"], ["--nonsense"], ["--report", "x"]):
        done = script(*words)
        expect(done.returncode == 2 and "usage: " in done.stderr, f"{words}: {done.returncode}, {done.stderr}")
    done = script("--report", "/nonexistent", "/nonexistent")
    expect(done.returncode == 3, f"--report without files: {done.returncode}")


def report(folder, facts, results):
    """(status, text) of the report of these facts and results."""
    paths = os.path.join(folder, "facts.tsv"), os.path.join(folder, "results.tsv")
    for path, rows in zip(paths, (facts.items(), results)):
        with open(path, "w", encoding="utf-8") as stream:
            stream.writelines("\t".join(row) + "\n" for row in rows)
    done = script("--report", *paths)
    expect(not done.stderr, f"the report says {done.stderr}")
    return done.returncode, done.stdout


def check_report(folder):
    good = [
        ("pass", "loop", "a1", "k", "2.5", "0.25", "0.125", "PASS"),
        ("pass", "nested_loop", "a2", "m", "1.5", "0.50", "0.5", "PASS"),
    ]
    status, text = report(folder, FACTS, good)
    lines = text.splitlines()
    expect(status == 0, f"all passed: status {status}")
    for line in (
        "| device | Made-up GPU |",
        "| loop | 1 | 1 | 0 | 0 | 0 | 2.5 | 0.25 | 0.125 |",
        "| nested_loop | 1 | 1 | 0 | 0 | 0 | 1.5 | 0.50 | 0.500 |",
        "| all | 2 | 2 | 0 | 0 | 0 | 4.0 | 0.75 | 0.625 |",
        "All 2 samples passed.",
    ):
        expect(line in lines, f"the report lacks: {line}\n{text}")
    expect("Failures" not in text, "all passed, and there are failures")

    bad = [
        ("fail", "loop", "b1", "k", "1.0", "0.1", "0", "FAIL: 100% off"),
        ("build", "atomic", "b2", "k", "1.0", "0", "0", "b2.cu(7): error: made up"),
        ("crash", "atomic", "b3", "k", "1.0", "9.0", "0", "status 124: "),
    ]
    status, text = report(folder, FACTS, good + bad)
    lines = text.splitlines()
    expect(status == 1, f"three failed: status {status}")
    for line in (
        "| loop | 2 | 1 | 0 | 1 | 0 | 3.5 | 0.35 | 0.125 |",
        "| atomic | 2 | 0 | 1 | 0 | 1 | 2.0 | 9.00 | 0.000 |",
        "- b1, loop: fail: `FAIL: 100% off`",
        "  again: `cd /made/up/b2_atomic && make ARCH=sm_00 && ./k`",
        "3 of 5 samples failed.",
    ):
        expect(line in lines, f"the report lacks: {line}\n{text}")

    status, text = report(folder, FACTS, [])
    expect(status == 1 and "Nothing ran." in text, f"nothing ran: status {status}\n{text}")
    status, text = report(folder, {**FACTS, "tests labelled gpu": "2 passed, 0 skipped, 1 failed"}, good)
    expect(status == 1 and "Tests labelled gpu failed" in text, f"a test failed: status {status}\n{text}")


NVCC = """case $1 in
--version) echo "made up, release 0.0, V0"; exit ;;
--list-gpu-code) echo sm_75; exit ;;
esac
while [ $# -gt 1 ]; do
    [ "$1" = -o ] && program=$2
    shift
done
case $PWD in
*-00000000[06]_*) exec g++ -std=c++17 -O0 -fwrapv -ffp-contract=off -I SHIM -x c++ -o "$program" "$1" ;;
*-000000003_*) echo "$1(7): error: made up" >&2; exit 1 ;;
*-000000005_*) printf '#!/bin/sh\\necho "FAIL: largest error 1"\\nexit 1\\n' >$program; chmod +x $program; exit ;;
*-000000007_*) printf '#!/bin/sh\\necho "k.cu:1: made up" >&2\\nexit 2\\n' >$program; chmod +x $program; exit ;;
esac
printf '#!/bin/sh\\necho "k took 0.25 ms"\\necho "PASS: largest error 0"\\n' >$program
chmod +x $program
"""


def check_run(folder, weft):
    """A whole run; of twelve samples three fail as the stand-ins want it."""
    shim, tools, out = (os.path.join(folder, name) for name in ("shim", "stand-ins", "gpu"))
    os.mkdir(tools)
    words = ["generate", "--count", "1", "--format", "standalone", "--cpu-shim", "-q", "--output", shim]
    subprocess.run([weft, *words], check=True, timeout=60)
    program(tools, "nvidia-smi", "echo 'Made-up GPU, 000.00, 1 MiB, 9.0'\n")
    program(tools, "nvcc", NVCC.replace("SHIM", shim))
    path = f"{tools}:{os.environ['PATH']}"
    words = ["--weft", weft, "--samples", "12", "--output", out]
    done = script(*words, path=path)
    expect(done.returncode == 1, f"a run with failures: status {done.returncode}: {done.stderr[-500:]}")
    with open(os.path.join(out, "gpu_report.md"), encoding="utf-8") as stream:
        text = stream.read()
    expect(done.stdout.endswith(text), "the report is not what was printed last")
    lines = text.splitlines()
    for begin in (
        "| device | Made-up GPU |",
        "| architecture | sm_75 |",
        "| all | 12 | 9 | 1 | 1 | 1 |",
        "- 1-000000003, math: build: `",
        "- 1-000000005, matrix: fail: `FAIL: largest error 1`",
        "- 1-000000007, nested_loop: crash: `status 2: k.cu:1: made up`",
        "3 of 12 samples failed.",
    ):
        expect(any(line.startswith(begin) for line in lines), f"the report lacks: {begin}\n{text}")

    os.remove(os.path.join(out, "facts.tsv"))
    done = script(*words, path=path)
    told = "samples is not of an earlier run"
    expect(done.returncode == 3 and told in done.stderr, f"a folder of another's: {done.returncode}, {done.stderr}")


def main():
    weft = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        check_missing(folder)
        check_usage()
        check_report(folder)
        check_run(folder, weft)
    for problem in problems:
        print(problem)
    print(f"run_on_gpu.sh: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
