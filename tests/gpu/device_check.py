#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft run and validate --device cuda without a GPU: stand-ins for NVIDIA's driver and compiler run the CUDA text
that weft makes as g++ compiles it, with the parameters that weft passes. Then each call of the driver
fails in turn: exit 3, one sentence, nothing saved, nothing held.

usage: device_check.py WEFT LIBCUDA LIBNVRTC
"""

import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "oracle"))
import oracle_env  # noqa: E402

try:
    import numpy as np
except ImportError:
    python = oracle_env.oracle_python()
    os.execv(python, [python, *sys.argv])

SOURCE = os.path.join(HERE, "device.py")
problems = []


def array(*shape, dtype=np.float32):
    count = int(np.prod(shape))
    return ((np.arange(count) * 7 % 13 - 4) / (4 if np.dtype(dtype).kind == "f" else 1)).astype(dtype).reshape(shape)


# kernel, --dim, arguments, arrays to save, arrays with a gradient to save
CASES = [
    ("structs", "6", {"b.tag": "-3", "b.mass": "2.5", "b.place": "[1,-2,3]", "b.inner.flag": "true", "b.inner.gain": "0.75",
                      "b.inner.field": array(6, 3), "b.turn": "[[1,2],[3,4]]", "b.weights": array(6), "out": "zeros:6"},
     ["out"], []),
    ("flat", "7", {"f.tag": "-3", "f.weights": array(7), "f.mass": "0.5", "out": "zeros:7"}, ["out"], []),
    ("items", "5", {"all.kind": array(5, dtype=np.uint8) % 7, "all.speed": array(5, 2), "all.mass": array(5, dtype=np.float64),
                    "t": "1.5", "out": "zeros:5x2"}, ["out", "all.mass"], ["out", "all.speed", "all.mass"]),
    ("plane", "3,5", {"x": array(3, 5), "g": "[0,-9.5,0]", "y": "zeros:5x3"}, ["y"], ["y", "x"]),
    ("cube", "3,4,2", {"x": array(3, 4, 2, 3), "total": "zeros:1"}, ["total"], ["total", "x"]),
    ("four", "2,3,2,5", {"x": array(2, 3, 2, 5, dtype=np.int64), "y": "zeros:60"}, ["y"], []),
    ("halves", "9", {"x": array(9, dtype=np.float16), "y": "zeros:9", "q": "[0,0.6,0,0.8]", "v": array(9, 3)}, ["y", "v"], ["y", "x"]),
]

CASES += [("tags", "4", {"all.kind": "zeros:4", "all.group": "zeros:4", "x": array(4), "y": "zeros:4"}, ["y"], ["y", "x"])]

PLANE = next(case for case in CASES if case[0] == "plane")


def expect(what, right, found=None):
    if right:
        return
    problems.append(what)
    print(f"WRONG: {what}")
    if found is not None:
        print(f"  status {found.returncode}: {found.stdout[:300]!r} {found.stderr[:600]!r}")


class Weft:
    def __init__(self, program, libcuda, libnvrtc, folder):
        self.program, self.folder = os.path.abspath(program), folder
        hidden = ("WEFT_", "FAKE_")
        self.plain = {key: value for key, value in os.environ.items() if not key.startswith(hidden)}
        self.device = {"WEFT_LIBCUDA": os.path.abspath(libcuda), "WEFT_NVRTC": os.path.abspath(libnvrtc),
                       "FAKE_CUDA_LOG": os.path.join(folder, "log")}
        self.runs = {"FAKE_CUDA_RUN": folder}

    def run(self, words, **environment):
        return subprocess.run([self.program, "run", SOURCE, "--quiet", *words], env={**self.plain, **environment},
                              capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)

    def words(self, case, grad, where):
        kernel, dim, arguments, saved, gradients = case
        words = ["--kernel", kernel, "--dim", dim]
        for name, value in arguments.items():
            if isinstance(value, np.ndarray):
                path = os.path.join(self.folder, f"in_{name}.npy")
                np.save(path, value)
                value = "@" + path
            words += ["--arg", f"{name}={value}"]
        for name in saved:
            words += ["--save", f"{name}=@{where}/{name}.npy"]
        if grad:
            words += ["--grad"]
            for name in gradients:
                words += ["--save-grad", f"{name}=@{where}/grad_{name}.npy"]
            first = gradients[0]
            shape = np.load(f"{self.folder}/cpu/{first}.npy")
            seed = os.path.join(self.folder, "seed.npy")
            np.save(seed, array(*shape.shape, dtype=shape.dtype))
            words += ["--adjoint", f"{first}=@{seed}"]
        return words

    def calls(self):
        """The counts that the driver's stand-in left, and forgets them."""
        path = self.device["FAKE_CUDA_LOG"]
        with open(path) as stream:
            lines = stream.read().split("\n")
        os.remove(path)
        self.loads, self.launches = (int(word) for word in lines[1].split())
        return [int(word) for word in lines[0].split()]


def fresh(weft, name):
    folder = os.path.join(weft.folder, name)
    os.makedirs(folder, exist_ok=True)
    for entry in os.listdir(folder):
        os.remove(os.path.join(folder, entry))
    return folder


def one_sentence(text):
    return text.startswith("weft: error: ") and text.count("\n") == 1 and len(text) < 300


def check_case(weft, case, grad):
    what = f"{case[0]}{' --grad' if grad else ''}"
    cpu, gpu = os.path.join(weft.folder, "cpu"), fresh(weft, "gpu")
    words = weft.words(case, grad, cpu)
    found = weft.run(words)
    expect(f"{what} on the CPU", found.returncode == 0, found)
    found = weft.run([word.replace(cpu, gpu) for word in words] + ["--device", "cuda"], **weft.device, **weft.runs)
    expect(f"{what} on the device", found.returncode == 0 and not found.stderr, found)
    expect(f"{what}: nothing is held", weft.calls()[1:] == [0, 0, 0, 0])
    expect(f"{what}: files", sorted(os.listdir(cpu)) == sorted(os.listdir(gpu)))
    for name in os.listdir(gpu):
        a, b = np.load(os.path.join(cpu, name)), np.load(os.path.join(gpu, name))
        same = a.dtype == b.dtype and a.shape == b.shape and np.allclose(a, b, rtol=1e-3 if a.dtype == np.float16 else 1e-5, atol=1e-5)
        expect(f"{what}: {name}", same)


def check_failures(weft):
    """Each call of the driver fails once."""
    gpu = fresh(weft, "gpu")
    words = [*weft.words(PLANE, True, gpu), "--device", "cuda"]
    weft.run(words, **weft.device)
    calls = weft.calls()[0]
    expect("calls are counted", calls > 30)
    for at in range(1, calls + 1):
        fresh(weft, "gpu")
        found = weft.run(words, FAKE_CUDA_FAIL_AT=str(at), **weft.device)
        expect(f"call {at} fails", found.returncode == 3 and one_sentence(found.stderr) and "illegal" in found.stderr
               and not found.stdout and not os.listdir(gpu), found)
        expect(f"call {at} fails: nothing is held", weft.calls()[1:] == [0, 0, 0, 0])
    return calls


def check_errors(weft):
    gpu = fresh(weft, "gpu")
    plane = [*weft.words(PLANE, False, gpu), "--device", "cuda"]
    for name in ("WEFT_LIBCUDA", "WEFT_NVRTC"):
        found = weft.run(plane, **{**weft.device, name: "none"})
        expect(f"{name}=none", found.returncode == 3 and one_sentence(found.stderr) and not os.listdir(gpu), found)
    found = weft.run(plane, FAKE_NVRTC_REFUSES="1", **weft.device)
    expect("text that does not compile", found.returncode == 1 and "plane:1: error: refused" in found.stderr, found)
    found = weft.run(plane, **weft.device)  # memory is left as it was
    expect("a wrong result", found.returncode == 1 and "'y'[0] is 0 on the device, 12.99" in found.stderr and "; 15 of 15 numbers differ" in found.stderr
           and os.listdir(gpu) == ["y.npy"], found)
    found = weft.run(["--kernel", "beyond", "--dim", "4", "--arg", "x=zeros:4", "--device", "cuda"], **weft.device, **weft.runs)
    expect("out of bounds", found.returncode == 1 and "kernel 'beyond', thread (3): array 'x': index 4" in found.stderr, found)
    found = weft.run(["--kernel", "beyond", "--dim", "2,2", "--arg", "x=zeros:9", "--device", "cuda"], **weft.device)
    expect("dimensions", found.returncode == 1 and "1 dimension, not 2" in found.stderr, found)
    found = weft.run(["--kernel", "tiles", "--dim", "4", "--arg", "x=zeros:4", "--device", "cuda"], **weft.device)
    expect("tiles", found.returncode == 1 and "kernels that share tiles are not launched on a device" in found.stderr, found)
    found = weft.run(["--kernel", "sorted_tile", "--dim", "4", "--arg", "x=zeros:4", "--device", "cuda"], **weft.device)
    expect("no standalone form", found.returncode == 1 and "device.py:" in found.stderr, found)
    found = weft.run(["--kernel", "beyond", "--dim", "0", "--arg", "x=zeros:0", "--device", "cuda"], **weft.device, **weft.runs)
    expect("no threads", found.returncode == 0 and not found.stderr, found)
    found = weft.run([*plane, "--executor", "text"], **weft.device)
    expect("--executor", found.returncode == 2, found)


def check_compiler(weft):
    """What g++ takes, the real NVRTC takes too: it has no headers."""
    sites = glob.glob(os.path.join(os.path.dirname(oracle_env.oracle_python()), "..", "lib", "python3*", "site-packages"))
    fake = {key: value for key, value in weft.device.items() if key != "WEFT_NVRTC"}
    for kernel, words in [("limits", ["x=zeros:4"]), ("halves", ["x=zeros:4", "y=zeros:4", "q=[0,0,0,1]", "v=zeros:4x3"])]:
        words = [word for argument in words for word in ("--arg", argument)]
        found = weft.run(["--kernel", kernel, "--dim", "4", *words, "--device", "cuda", *[word for site in sites for word in ("-I", site)]], **fake)
        if "failed to open libnvrtc-builtins" not in found.stderr:  # the sanitizers keep NVRTC from it
            expect(f"{kernel} by NVRTC", "does not compile" not in found.stderr, found)
        weft.calls()


def check_records(weft):
    """weft validate --device cuda: what runs is right, what is left as it was is told, and what was not run."""
    data = os.path.join(weft.folder, "set")
    subprocess.run([weft.program, "generate", "--kind", "exercise", "--count", "2", "--output", data, "-q"], check=True)
    words = [weft.program, "validate", data, "--checks", "schema", "--device", "cuda"]
    cases = [  # environment, status, problems, words of one of them, of stderr
        (weft.runs, 0, 0, "", ""),
        ({}, 1, 2, " on the device, ", ""),
        ({"FAKE_CUDA_FAIL_AT": "40", **weft.runs}, 3, 2, "device: not run, since the device is lost", "illegal memory access"),
        ({"FAKE_CUDA_FAIL_AT": "40", "FAKE_CUDA_STICKY": "1", **weft.runs}, 3, 2, "device: not run, since the device is lost", "outside of its arrays"),
        ({"FAKE_CUDA_FAIL_AT": "40", "FAKE_CUDA_ERROR": "2", **weft.runs}, 1, 1, "out of memory (CUDA_ERROR_OUT_OF_MEMORY)", ""),
        ({"FAKE_CUDA_FAIL_AT": "1", **weft.runs}, 3, 0, "", "--device cuda: cuInit: an illegal"),
    ]
    for environment, status, told, words_out, words_err in cases:
        found = subprocess.run(words, env={**weft.plain, **weft.device, **environment}, capture_output=True, text=True, timeout=120)
        expect(f"validate {environment}", found.returncode == status and found.stdout.count(": device: ") == told, found)
        expect(f"validate {environment}: words", words_out in found.stdout and words_err in found.stderr
               and bool(words_err) == bool(found.stderr) and found.stderr.count("\n") <= 1, found)
        expect(f"validate {environment}: nothing is held", weft.calls()[1:] == [0, 0, 0, 0])
        if environment is weft.runs:
            expect(f"each kernel is compiled once: {weft.loads} modules, {weft.launches} launches", weft.loads == 2 and weft.launches >= 6)


def main():
    with tempfile.TemporaryDirectory() as folder:
        weft = Weft(*sys.argv[1:4], folder)
        for case in CASES:
            fresh(weft, "cpu")
            weft.run(weft.words(case, False, os.path.join(folder, "cpu")))  # its shapes are those of the seeds
            check_case(weft, case, bool(case[4]))
        fresh(weft, "cpu")
        weft.run(weft.words(PLANE, False, os.path.join(folder, "cpu")))
        calls = check_failures(weft)
        check_errors(weft)
        if os.path.exists(weft.device["FAKE_CUDA_LOG"]):
            os.remove(weft.device["FAKE_CUDA_LOG"])
        check_compiler(weft)
        check_records(weft)
    print(f"{len(CASES)} kernels; {calls} calls failed in turn; {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
