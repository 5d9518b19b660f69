#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft on a machine without a file of NVIDIA's: what needs one says so in one sentence and ends
with 3; everything else does what it does elsewhere, byte for byte.

usage: hidden_check.py WEFT

The files are hidden in a mount namespace of the test's own (unshare -rm): nothing is moved. Where
namespaces are not allowed, the environment hides what it can.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
LIBRARIES = ("libcuda.so*", "libnvrtc*", "libcudart*", "libnvidia*")
PROGRAMS = ("nvcc", "ptxas", "cuobjdump", "nvdisasm", "nvidia-smi", "cicc", "fatbinary")
# words -> needs a compiler or a device
COMMANDS = {
    "ptx {in}/k.cu": True,
    "ptx {in}/k.cu --json": True,
    "ptx {in}/k.cu -o -": True,
    "ptx {in}/set": True,
    "generate --count 12 --with-ptx --jobs 1 -o {out}/set": True,
    "generate --count 12 --with-ptx --format standalone --jobs 1 -o {out}/set": True,
    "compile --emit ptx docs/scale.py": True,
    "compile --emit ptx docs/scale.py -o {out}/x.ptx": True,
    "run docs/scale.py --dim 4 --arg x=zeros:4 --arg s=2 --device cuda --save x=@{out}/x.npy": True,
    "ptx {in}/programs": True,
    "validate {in}/set --device cuda": True,
    "ptx {in}/k.ptx": False,
    "ptx {in}/k.ptx --json": False,
    "check {in}/k.cu docs/scale.py -q": False,
    "compile --emit cu docs/scale.py": False,
    "compile --emit json docs/scale.py": False,
    "generate --count 24 --seed 3 --device both --jobs 1 -q -o -": False,
    "generate --count 12 --format standalone --cpu-shim --jobs 1 -q -o {out}/programs": False,
    "compile --emit standalone --cpu-shim docs/scale.py -o {out}/programs": False,
    "validate {in}/set --jobs 1 --json": False,
    "validate {in}/programs --jobs 1 --json": False,
    "split {in}/programs --ratios 50,50 -q -o {out}/parts": False,
    "dedup {in}/set --json": False,
    "run docs/scale.py --dim 4 --arg x=zeros:4 --arg s=2 --save x=@{out}/x.npy -q": False,
    "stats {in}/set --json": False,
    "--version": False,
}
problems = []


def hidden_paths():
    """Folders and files of NVIDIA's that a program could meet here."""
    folders = set(glob.glob("/usr/local/cuda*")) | set(glob.glob("/opt/cuda*")) | set(glob.glob("/usr/lib/cuda*"))
    folders |= set(glob.glob(os.path.join(REPO, "build/venv*/lib/python3*/site-packages/nvidia")))
    folders = {os.path.realpath(folder) for folder in folders if os.path.isdir(folder)}
    files = set()
    for folder in os.environ.get("PATH", "").split(":"):
        files |= {os.path.join(folder, name) for name in PROGRAMS}
    for folder in ["/usr/lib", "/lib", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64"]:
        for pattern in LIBRARIES:
            files |= set(glob.glob(os.path.join(folder, pattern)))
    files = {os.path.realpath(path) for path in files if os.path.exists(path)}
    return sorted(folders), sorted(path for path in files if not any(path.startswith(f + "/") for f in folders))


def hiding(command):
    """The command in a world without these files, or None where that is not allowed."""
    folders, files = hidden_paths()
    lines = [f"mount -t tmpfs none '{folder}'" for folder in folders]
    lines += [f"mount --bind /dev/null '{path}'" for path in files]
    script = " && ".join([*lines, 'exec "$@"'])
    return ["unshare", "-rm", "sh", "-c", script, "sh", *command]


def run(command, environment):
    return subprocess.run(command, cwd=REPO, env=environment, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)


def plain_environment():
    names = {"WEFT_NVRTC", "WEFT_LIBCUDA", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH"}
    return {key: value for key, value in os.environ.items() if key not in names}


def one_sentence(text):
    return text.startswith(b"weft: error: ") and text.count(b"\n") == 1 and len(text) < 300


def taken(folder):
    """Every file below a folder, by name; they are gone then."""
    files = {}
    for path in sorted(glob.glob(os.path.join(folder, "**"), recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as stream:
                files[os.path.relpath(path, folder)] = stream.read()
    shutil.rmtree(folder)
    os.makedirs(folder)
    return files


def check(weft, words, needs, folder, can_unshare):
    out = os.path.join(folder, "out")
    os.makedirs(out, exist_ok=True)
    line = words.format(**{"in": folder, "out": out}).split()
    environment = plain_environment()
    if can_unshare:
        found = run(hiding([weft, *line]), environment)
    else:
        found = run([weft, *line], {**environment, "PATH": "/usr/bin:/bin", "WEFT_NVRTC": "none", "WEFT_LIBCUDA": "none", "HOME": "/nonexistent"})
    if needs:
        right = found.returncode == 3 and one_sentence(found.stderr) and not found.stdout and not os.listdir(out)
    else:
        files = taken(out)
        shown = run([weft, *line], environment)
        right = (found.returncode, found.stdout, files) == (0, shown.stdout, taken(out)) and shown.returncode == 0
        right = right and bool(files) == ("{out}" in words)
        quiet = words.startswith("check ") or "{out}" in words
        right = right and not found.stderr and bool(found.stdout) != quiet
    if not right:
        problems.append(words)
        print(f"WRONG: {words}: status {found.returncode}\n{found.stdout[:300]}\n{found.stderr[:600]}")


def check_odd(weft, folder):
    """Files that are there and no library: named by the environment, or found in an installation."""
    with open(weft, "rb") as stream:
        program = stream.read(100000)  # cut short: the loader itself would die of it
    site = os.path.join(folder, "site")
    place = os.path.join(site, "nvidia/cuda_nvrtc/lib/libnvrtc.so.12")
    os.makedirs(os.path.dirname(place))
    odd = {"text": b"libnvrtc\n", "cut": program, "empty": b"", "head": program[:64], "ends": program[:20]}
    run_words = "run docs/scale.py --dim 4 --arg x=zeros:4 --arg s=2 --device cuda".split()
    for name, content in odd.items():
        path = os.path.join(folder, name)
        for at in (path, place):
            with open(at, "wb") as stream:
                stream.write(content)
        for words, environment in [
            (["ptx", f"{folder}/k.cu"], {"WEFT_NVRTC": path}),
            (run_words, {"WEFT_LIBCUDA": path}),
            (["ptx", f"{folder}/k.cu", "-I", site], {"PATH": "/usr/bin:/bin"}),
        ]:
            command = [weft, *words]
            if "-I" in words:
                command = hiding(command)
            found = run(command, {**plain_environment(), **environment})
            if found.returncode != 3 or not one_sentence(found.stderr) or b"cannot be loaded" not in found.stderr:
                problems.append(name)
                print(f"WRONG: {name}: {words}: status {found.returncode}\n{found.stderr[:600]}")
    return len(odd)


def main():
    weft = os.path.abspath(sys.argv[1])
    can_unshare = run(hiding(["true"]), plain_environment()).returncode == 0
    folders, files = hidden_paths()
    if can_unshare:
        print(f"hidden: {len(folders)} folders, {len(files)} files")
    else:
        print("SKIPPED in part: no namespace of its own is allowed here; the environment hides what it can")
    with tempfile.TemporaryDirectory() as folder:
        run([weft, "generate", "--kind", "exercise", "--count", "12", "--output", f"{folder}/set", "-q"], plain_environment())
        run([weft, "generate", "--kind", "exercise", "--count", "12", "--format", "standalone", "-o", f"{folder}/programs", "-q"], plain_environment())
        with open(f"{folder}/k.cu", "w") as stream:
            stream.write("__global__ void k(int *x, int n)\n{\n    if (threadIdx.x < n)\n        x[threadIdx.x] = 1;\n}\n")
        with open(os.path.join(REPO, "tests/cases/ptx/axpy.ptx")) as stream:
            text = stream.read().replace("\twibble.x %r1;\n", "")
        with open(f"{folder}/k.ptx", "w") as stream:
            stream.write(text.replace(".target sm_75", ".target sm_1"))  # which no ptxas takes
        for words, needs in COMMANDS.items():
            check(weft, words, needs, folder, can_unshare)
        odd = check_odd(weft, folder) if can_unshare else 0
    print(f"{len(COMMANDS)} commands, {odd} odd libraries, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
