#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/run_on_gpu.sh as far as it goes without a GPU: what it says where something is missing,
its report of made-up results, and a whole run in which stand-ins answer for the driver and nvcc.

usage: run_on_gpu_check.py WEFT LIBCUDA LIBNVRTC

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
    "samples in": "/made/up/it's",
    "program": "/made/up/weft",
    "nvcc program": "/a b/nvcc",
}
problems = []


def expect(right, sentence):
    if not right:
        problems.append(sentence)


def script(*words, path=None, cuda="/nonexistent", **more):
    """The script's run; `path`: the only folder where it finds programs."""
    environment = dict(os.environ, CUDA_HOME=cuda, **more, **({"PATH": path} if path else {}))
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
        ("echo 'Made-up GPU, 000.00, 1 MiB, 7.5'\n", "a GPU is here, but there is no nvcc"),
        ("echo 'CUDA Version: 12.4   |'\n", "nvcc is of CUDA 13, the driver only knows CUDA 12"),
    ]
    for text, sentence in cases:
        if text:
            program(tools, "nvidia-smi", text)
        if "nvcc is of" in sentence:
            program(tools, "nvcc", "echo 'made up, release 13.1, V0'\n")
        done = script("--records", "0", "--output", out, path=tools)
        told = done.stderr.splitlines()
        expect(done.returncode == 3, f"{sentence}: exit status {done.returncode}")
        expect(len(told) == 1 and sentence in told[0], f"{sentence}: it says {told}")
        expect(not done.stdout and not os.path.exists(out), f"{sentence}: something was written")


def check_build(folder):
    """Without a build nothing is run, and that is no failure of a sample."""
    tools = os.path.join(folder, "broken")
    os.mkdir(tools)
    program(tools, "nvidia-smi", "echo 'Made-up GPU, 000.00, 1 MiB, 7.5'\n")
    program(tools, "nvcc", "echo 'made up, release 12.1, V0'\n")
    for name in ("cmake", "sudo", "apt-get"):
        program(tools, name, "echo 'it is broken'\nexit 1\n")
    out = os.path.join(folder, "unbuilt")
    done = script("--output", out, path=f"{tools}:{os.environ['PATH']}")
    expect(done.returncode == 3 and "weft could not be built" in done.stderr, f"no build: {done.returncode}, {done.stderr}")
    expect(not os.listdir(out), "no build: something was written")


def check_usage():
    done = script(CUDA_VISIBLE_DEVICES="")
    expect(done.returncode == 3 and "CUDA_VISIBLE_DEVICES is empty" in done.stderr, f"no device is visible: {done.stderr}")
    for words in (["--samples"], ["--samples", "many"], ["--records", "-1"], ["--records", "1000000000"], ["--nonsense"], ["--report", "x"]):
        done = script(*words)
        expect(done.returncode == 2 and "usage: " in done.stderr, f"{words}: {done.returncode}, {done.stderr}")
    done = script("--report", "/nonexistent", "/nonexistent", "/nonexistent")
    expect(done.returncode == 3, f"--report without files: {done.returncode}")


def report(folder, facts, results, records=()):
    """(status, text) of the report of these facts and results."""
    paths = [os.path.join(folder, f"{name}.tsv") for name in ("facts", "samples", "records")]
    for path, rows in zip(paths, (facts.items(), results, records)):
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
        "  again: `cd '/made/up/it'\\''s/b2_atomic' && make NVCC='/a b/nvcc' ARCH=sm_00 && ./k`",
        "3 of 5 samples failed.",
    ):
        expect(line in lines, f"the report lacks: {line}\n{text}")

    rows = [("all", "loop", "100", "1.5", "20"), ("all", "math", "100", "0.5", "22.5"), ("fail", "math", "c1", "/m d/x.jsonl", "7", "off"),
            *[("lost", "math", f"c{i}", "/m d/x.jsonl", str(i), "not run") for i in range(8, 11)]]
    status, text = report(folder, FACTS, [], rows)
    lines = text.splitlines()
    expect(status == 1, f"a record failed: status {status}")
    for line in (
        "| loop | 100 | 100 | 0 | 0 | 1.50 | 20.00 |",
        "| all | 200 | 196 | 1 | 3 | 2.00 | 42.50 |",
        "- record c1, math: `off`",
        "  again: `sed -n 7p '/m d/x.jsonl' >one.jsonl && '/made/up/weft' validate one.jsonl --checks schema --device cuda`",
        "1 of 200 records failed, 3 were not run.",
    ):
        expect(line in lines, f"the report lacks: {line}\n{text}")
    status, text = report(folder, {**FACTS, "not run": "standalone samples"}, [], rows[:2])
    expect(status == 0 and "All 200 records passed.\nNot run: standalone samples." in text, f"records alone: status {status}\n{text}")

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


def check_run(folder, weft, libcuda, libnvrtc):
    """A whole run, in a folder with spaces in its name; of twelve samples three fail as the stand-ins want it."""
    shim, tools, out, work = (os.path.join(folder, name) for name in ("shim", "stand ins", "a gpu's", "work"))
    os.mkdir(tools)
    os.mkdir(work)
    words = ["generate", "--kind", "exercise", "--count", "1", "--format", "standalone", "--cpu-shim", "-q", "--output", shim]
    subprocess.run([weft, *words], check=True, timeout=60)
    program(tools, "nvidia-smi", "echo 'Made-up GPU, 000.00, 1 MiB, 9.0'\n")
    program(tools, "nvcc", NVCC.replace("SHIM", shim))
    path = f"{tools}:{os.environ['PATH']}"
    words = ["--weft", weft, "--samples", "12", "--records", "2", "--output", out]
    device = {"WEFT_LIBCUDA": libcuda, "WEFT_NVRTC": libnvrtc, "FAKE_CUDA_RUN": work}
    done = script(*words, path=path, **device)
    expect(done.returncode == 1, f"a run with failures: status {done.returncode}: {done.stderr[-500:]}")
    with open(os.path.join(out, "gpu_report.md"), encoding="utf-8") as stream:
        text = stream.read()
    expect(done.stdout.endswith(text), "the report is not what was printed last")
    lines = text.splitlines()
    for begin in (
        "| device | Made-up GPU |",
        "| architecture | sm_75 |",
        "| all | 12 | 9 | 1 | 1 | 1 |",
        "| arithmetic | 1 | 1 | 0 | 0 | ",
        "| all | 2 | 2 | 0 | 0 | ",
        "- 1-000000003, math: build: `",
        "- 1-000000005, matrix: fail: `FAIL: largest error 1`",
        "- 1-000000007, nested_loop: crash: `status 2: k.cu:1: made up`",
        "3 of 12 samples failed.",
        "All 2 records passed.",
    ):
        expect(any(line.startswith(begin) for line in lines), f"the report lacks: {begin}\n{text}")
    check_times(lines)
    again = [line.split("`")[1] for line in lines if line.startswith("  again: ")]
    for command, status in zip(again, (2, 1, 2)):
        found = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=60, cwd="/")
        expect(found.returncode == status, f"{command}: status {found.returncode}: {found.stderr}")

    check_parts(tools, path, weft, out, device)
    os.remove(os.path.join(out, "facts.tsv"))
    done = script(*words, path=path)
    told = "is not of an earlier run"
    expect(done.returncode == 3 and told in done.stderr, f"a folder of another's: {done.returncode}, {done.stderr}")


def check_times(lines):
    """The time of a whole is no less than those of its parts."""
    facts = {row[1].strip(): row[2] for row in (line.split("|") for line in lines) if len(row) == 4}
    sums = [[float(cell) for cell in line.split("|")[3:-1]] for line in lines if line.startswith("| all |")]
    for fact, parts in (("execution of samples", sums[0][-2]), ("records took", sums[1][-1] + sums[1][-2])):
        took = float(facts[fact].split()[0])
        expect(took >= parts - 0.2, f"{fact}: {took} s, and its parts {parts} s")


def check_parts(tools, path, weft, out, device):
    """Records that fail, a device that is lost; without nvcc the records alone, without NVRTC the samples."""
    words = ["--weft", weft, "--output", out]
    idle = {key: value for key, value in device.items() if key != "FAKE_CUDA_RUN"}
    done = script(*words, "--samples", "0", "--records", "1", path=path, **idle)
    expect(done.returncode == 1 and "1 of 1 records failed" in done.stdout and " on the device, " in done.stdout, f"wrong: {done.stdout}{done.stderr}")
    again = next((line.split("`")[1] for line in done.stdout.splitlines() if line.startswith("  again: ")), "false")
    found = subprocess.run(["/bin/sh", "-c", again], capture_output=True, text=True, timeout=60, cwd=tools, env={**os.environ, **idle})
    expect(found.returncode == 1 and ": device: " in found.stdout, f"{again}: {found}")
    done = script(*words, "--samples", "0", "--records", "24", path=path, FAKE_CUDA_FAIL_AT="40", **idle)
    expect(done.returncode == 1 and "12 of 24 records failed, 12 were not run." in done.stdout, f"lost: {done.stdout[-1500:]}{done.stderr}")
    done = script(*words, "--samples", "1", "--records", "1", path=path, WEFT_LIBCUDA="none")
    expect(done.returncode == 3 and "All 1 samples passed." in done.stdout, f"no records: {done.returncode}, {done.stdout}")
    expect(done.stderr.count("\n") == 1 and "not run: records, since the NVIDIA driver is switched off" in done.stderr, f"no records: {done.stderr}")
    os.remove(os.path.join(tools, "nvcc"))
    plain = ":".join(at for at in os.environ["PATH"].split(":") if not os.path.exists(os.path.join(at, "nvcc")))
    done = script(*words, "--records", "1", path=f"{tools}:{plain}", **device)
    expect(done.returncode == 3 and "All 1 records passed.\nNot run: standalone samples, since there is no nvcc" in done.stdout, f"no nvcc: {done.stdout}")


def main():
    weft, libcuda, libnvrtc = (os.path.abspath(path) for path in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as folder:
        check_missing(folder)
        check_build(folder)
        check_usage()
        check_report(folder)
        check_run(folder, weft, libcuda, libnvrtc)
    for problem in problems:
        print(problem)
    print(f"run_on_gpu.sh: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
