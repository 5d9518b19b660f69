#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft ptx on real compilers: records through NVRTC with Warp's headers, statistics counted again
here by other means, ptxas asked again, what is wrong told with its line.

usage: ptx_check.py WEFT [--records N] [--seed S]

24 records, 120 where CI is set; 1200 take some ten minutes of one core.
"""

import argparse
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "oracle"))
import oracle_env  # noqa: E402
from ptx_count import count_again  # noqa: E402

PROGRAMS = 12
problems = []


def expect(right, what):
    if not right:
        problems.append(what)
        print(f"WRONG: {what}")


def find_site(python):
    code = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    site = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    if not glob.glob(os.path.join(site, "nvidia", "*", "lib", "libnvrtc.so*")):
        oracle_env.skip("the wheel nvidia-cuda-nvrtc-cu12 is not installed")
    return site


class Weft:
    """The program, told where the packages are; what stands in the environment does not count."""

    def __init__(self, path, site):
        self.path, self.site = os.path.abspath(path), site
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("WEFT_", "CUDA_", "VIRTUAL_"))}

    def run(self, *words):
        return subprocess.run([self.path, *words], capture_output=True, text=True, env=self.environment, timeout=3600)

    def ptx(self, *words):
        """(result, the JSON object or None) of weft ptx --json."""
        done = self.run("ptx", "--json", "-I", self.site, *words)
        return done, json.loads(done.stdout) if done.returncode in (0, 1) else None


def without_zeros(counts):
    return {key: n for key, n in counts.items() if n}


def compare(kernel, again):
    told = {
        "classes": without_zeros({k: n for k, n in kernel["instructions"].items() if k != "total"}),
        "registers": kernel["registers"],
        "loads": without_zeros(kernel["loads"]),
        "stores": without_zeros(kernel["stores"]),
        "branches": kernel["branches"],
        "conditional": kernel["conditional_branches"],
        "params": len(kernel["parameters"]),
        "param_bytes": kernel["parameter_bytes"],
        "calls": kernel["calls"],
        "local": kernel["local_bytes"],
        "shared": kernel["shared_bytes"],
    }
    for key, value in told.items():
        expect(value == again[key], f"{kernel['kernel']}: {key}: {value}, counted again {again[key]}")


def check_odd(weft):
    """PTX as nobody prints it, but the language has it."""
    path = os.path.join(oracle_env.REPO, "tests", "cases", "ptx", "odd.ptx")
    _, told = weft.ptx("--no-ptxas", path)
    again = count_again(open(path).read())
    kernels = [kernel for kernel in told["texts"][0]["kernels"] if "kernel" in kernel]
    expect({kernel["kernel"] for kernel in kernels} == set(again), f"kernels of {path}: {set(again)}")
    for kernel in kernels:
        compare(kernel, again[kernel["kernel"]])


def check_records(weft, folder, options):
    """Every text compiles; the statistics are those of the files that were kept."""
    data, out = os.path.join(folder, "set"), os.path.join(folder, "ptx")
    made = weft.run("generate", "--kind", "exercise", "--count", str(options.records), "--seed", str(options.seed), "--output", data, "-q")
    expect(made.returncode == 0, f"generate: {made.stderr}")
    start = time.time()
    done, told = weft.ptx(data, "--no-ptxas", "-o", out)
    seconds = time.time() - start
    expect(done.returncode == 0, f"weft ptx ends with {done.returncode}: {done.stderr[:3000]}")
    if told is None:
        return
    expect(told["complete"] and told["good"] == 2 * options.records and told["bad"] == 0, f"good {told['good']}, bad {told['bad']}")
    kernels = 0
    for text in told["texts"]:
        if text["error"] is not None:
            continue
        path = os.path.join(out, f"{text['id']}.{text['part']}.{text['target']}.ptx")
        with open(path, "rb") as stream:
            ptx = stream.read()
        expect(hashlib.sha256(ptx).hexdigest() == text["sha256"], f"{path}: sha256")
        again = count_again(ptx.decode())
        for kernel in text["kernels"]:
            if "kernel" in kernel:
                kernels += 1
                compare(kernel, again[kernel["kernel"]])
    expect(kernels == told["good"], f"{kernels} kernels in {told['good']} texts")
    print(f"{told['texts'][0]['compiler']}: {told['good']} texts of {options.records} records compile, {told['bad']} do not; {seconds:.0f} s")
    check_alone(weft, folder, data, told)


def check_alone(weft, folder, data, told):
    """A text for itself gives the same PTX: what is kept of the headers changes nothing."""
    path = glob.glob(os.path.join(data, "data", "*.jsonl"))[0]
    with open(path) as stream:
        record = json.loads(stream.readline())
    alone = os.path.join(folder, "alone.cu")
    with open(alone, "w") as stream:
        stream.write(record["cuda_ir_backward"])
    _, found = weft.ptx(alone, "--no-ptxas")
    wanted = next(t for t in told["texts"] if t["id"] == record["id"] and t["part"] == "backward")
    expect(found["texts"][0]["sha256"] == wanted["sha256"], "the PTX of a text alone is another one")


def check_programs(weft, folder):
    """A data set of programs of their own: NVRTC takes the kernels' half of each, for every architecture;
    metadata.ptx is of NAME.cu; the table has plain names."""
    data, again = os.path.join(folder, "programs"), os.path.join(folder, "programs2")
    words = ["generate", "--kind", "exercise", "--count", str(PROGRAMS), "--format", "standalone", "--no-verify", "-q", "-I", weft.site]
    made = weft.run(*words, "--with-ptx", "--jobs", "1", "-o", data)
    if made.returncode == 3 and "CUDA's own headers" in made.stderr:
        print("CUDA's own headers are not here: float16 and metadata.ptx of programs are not tested")
        made = weft.run(*words, "-o", data)
    else:
        weft.run(*words, "--with-ptx", "--jobs", "2", "-o", again)
        expect(same_programs(data, again), "programs with PTX depend on --jobs")
    expect(made.returncode == 0, f"generate --format standalone: {made.stderr}")
    valid = weft.run("validate", data, "--jobs", "1", "--checks", "schema,hash")
    expect(valid.returncode == 0 and valid.stdout, f"validate of programs: {valid.stdout[:1000]}")
    kept = os.path.join(folder, "programs_ptx")
    done, told = weft.ptx("--no-ptxas", "--arch", "sm_75,sm_80,sm_90", "-o", kept, data)
    for text in told["texts"] if told else []:
        check_program_text(text)
        if text["error"] is None:
            stem = os.path.relpath(text["file"], data)[: -len(".cu")].replace("/", "_")
            with open(os.path.join(kept, f"{stem}.{text['target']}.ptx")) as stream:
                again = count_again(stream.read())
            for kernel in text["kernels"]:
                compare(kernel, again[kernel["kernel"]])
    bad = sum(text["error"] is not None for text in told["texts"])
    expect(told["good"] + 3 * bad == 3 * PROGRAMS and (done.returncode != 0) == bool(bad), f"ptx of programs: {done.stderr}")
    print(f"{PROGRAMS} programs, three architectures: {told['good']} texts compile, {told['bad']} do not")
    one = told["texts"][0]["file"]
    table = weft.run("ptx", "--no-ptxas", "-I", weft.site, one).stdout.split("\n")
    expect(table[1].split()[0] == os.path.basename(one)[: -len(".cu")], f"names of the table: {table}")


def same_programs(one, other):
    paths = sorted(glob.glob(os.path.join(one, "*", "metadata.json")))
    return paths and all(open(p).read() == open(p.replace(one, other, 1)).read() for p in paths)


def check_program_text(text):
    """One program for one architecture: both kernels, the compiler, and what its metadata tell."""
    path, half = text["file"], "#include <cuda_fp16.h>" in open(text["file"]).read()
    name = os.path.basename(path)[: -len(".cu")]
    headers = r"( with headers of CUDA \d+\.\d+)?" if half else ""
    expect(re.fullmatch(r"NVRTC \d+\.\d+" + headers, text["compiler"]), f"{path}: made by {text['compiler']}")
    if text["error"] is not None:
        expect(half and "CUDA's own headers" in text["error"], f"{path}: {text['error']}")
        return
    for kernel, wanted in zip(text["kernels"], (name, f"{name}_backward"), strict=True):
        expect(wanted in kernel["kernel"] and kernel["instructions"]["total"], f"{wanted}: {kernel}")
    metadata = json.load(open(os.path.join(os.path.dirname(path), "metadata.json")))["metadata"]
    if "ptx" in metadata and text["target"] == "sm_75":
        expect(metadata["ptx"]["compiler"] == text["compiler"], f"{path}: {metadata['ptx']['compiler']}")
        for kernel, part in zip(text["kernels"], ("forward", "backward"), strict=True):
            compare_metadata(metadata["ptx"][part], text, kernel)


def check_nvcc(weft, folder):
    """A program that does not hide its host is for nvcc, and its text says so."""
    if not shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin"):
        print("no nvcc here: a program with host code is not compiled")
        return
    path = os.path.join(folder, "host.cu")
    with open(path, "w") as stream:
        stream.write("#include <cuda_runtime.h>\n#include <stdio.h>\n__global__ void k(int *x)\n{\n    x[0] = 1;\n}\n"
                     "int main()\n{\n    puts(\"k\");\n}\n")
    _, told = weft.ptx("--no-ptxas", path)
    expect(told["good"] == 1 and re.fullmatch(r"nvcc \d+\.\d+", told["texts"][0]["compiler"]), f"by nvcc: {told}")


def check_metadata(weft, folder, options):
    """generate --with-ptx: what weft ptx says of the same texts, in every record; other threads and
    parts give the same bytes, another compiler is refused."""
    words = ["generate", "--kind", "exercise", "--count", "4", "--seed", str(options.seed), "--with-ptx", "-q", "-I", weft.site]
    for name, more in (("a", ["--jobs", "2"]), ("p1", ["--shard", "1/2"]), ("p2", ["--shard", "2/2"])):
        done = weft.run(*words, *more, "-o", os.path.join(folder, name))
        expect(done.returncode == 0, f"generate --with-ptx {more}: {done.stderr}")
    a, parts = os.path.join(folder, "a"), [os.path.join(folder, name) for name in ("p1", "p2")]
    lines = [line for part in [a, *parts] for line in open(glob.glob(os.path.join(part, "data", "*.jsonl"))[0])]
    expect(lines[:4] == lines[4:], "parts and threads give other records")
    valid = weft.run("validate", a, "--jobs", "1")
    expect(valid.returncode == 0 and "4 records" in valid.stdout, f"validate: {valid.stdout[:1000]}")
    _, told = weft.ptx(a, "--no-ptxas")
    for line in lines[:4]:
        record = json.loads(line)
        for text in (t for t in told["texts"] if t["id"] == record["id"]):
            kernel = next(k for k in text["kernels"] if "kernel" in k)
            compare_metadata(record["metadata"]["ptx"][text["part"]], text, kernel)
    other = weft.run(*words, "--ptx-compiler", "NVRTC-1.0", "-o", os.path.join(folder, "z"))
    expect(other.returncode == 3 and "NVRTC-1.0" in other.stderr, "another compiler than the one asked for")
    other = weft.run(*words, "--no-backward", "-o", a, "--resume")
    expect(other.returncode == 2, "another command on the same folder")


def compare_metadata(found, text, kernel):
    wanted = {key: n for key, n in kernel["instructions"].items() if key != "total"}
    wanted["instructions"] = kernel["instructions"]["total"]
    wanted.update({f"registers_{kind}": n for kind, n in kernel["registers"].items()})
    for space in ("global", "local", "generic"):
        wanted[f"loads_{space}"] = kernel["loads"][space]
        wanted[f"stores_{space}"] = kernel["stores"][space]
    for key in ("branches", "conditional_branches", "calls", "shared_bytes", "local_bytes", "parameter_bytes"):
        wanted[key] = kernel[key]
    wanted["sha256"] = text["sha256"]
    expect({key: found.get(key) for key in wanted} == wanted, f"metadata.ptx of {text['file']}: {found}, not {wanted}")


def check_program(weft, folder):
    """A module from Python, several architectures, standard output and files."""
    source = os.path.join(oracle_env.REPO, "docs", "scale.py")
    cuda = os.path.join(folder, "scale.cu")
    weft.run("compile", "--emit", "cu", source, "-o", cuda)
    done, told = weft.ptx(cuda, "--arch", "sm_75,sm_80,sm_90")
    expect(done.returncode == 0 and [t["target"] for t in told["texts"]] == ["sm_75", "sm_80", "sm_90"], "three architectures")
    module = weft.run("compile", "--emit", "ptx", "--arch", "sm_80", "-I", weft.site, source)
    printed = weft.run("ptx", cuda, "--arch", "80", "-I", weft.site, "-o", "-")
    expect(module.returncode == 0 and module.stdout == printed.stdout, "compile --emit ptx and ptx -o - differ")
    expect(".target sm_80" in module.stdout, "the target")
    if told and any(k["assembled"] for t in told["texts"] for k in t["kernels"]):
        check_ptxas(weft, folder, module.stdout, told)
    else:
        print("no ptxas here: registers and spills are not compared")


def check_ptxas(weft, folder, ptx, told):
    path = os.path.join(folder, "scale.ptx")
    with open(path, "w") as stream:
        stream.write(ptx)
    ptxas = next(p for p in [*os.environ["PATH"].split(":"), "/usr/local/cuda/bin"] if os.path.exists(f"{p}/ptxas"))
    said = subprocess.run(
        [f"{ptxas}/ptxas", "-v", "-arch=sm_80", "-o", "/dev/null", path], capture_output=True, text=True
    ).stderr
    wanted = dict(zip(re.findall(r"entry function '(\w+)'", said), map(int, re.findall(r"Used (\d+) registers", said))))
    found = {k["kernel"]: k["assembled"][0]["registers"] for k in told["texts"][1]["kernels"]}
    expect(found == wanted and wanted, f"registers {found}, ptxas says {wanted}")


def check_errors(weft, folder):
    """What does not compile is told with its file and line, and the others go on."""
    cuda = "#include \"builtin.h\"\n" + "__global__ void k(int *x)\n{\n    x[0] = nothing;\n}\n"
    plain = cuda.split("\n", 1)[1]
    good = plain.replace("nothing", "1")
    for name, text in (("a.cu", plain), ("b.cu", good), ("part.cu", "// wp::\n" + plain)):
        with open(os.path.join(folder, name), "w") as stream:
            stream.write(text)
    paths = [os.path.join(folder, name) for name in ("a.cu", "b.cu", "part.cu")]
    done, told = weft.ptx(*paths)
    expect(done.returncode == 1 and told["good"] == 1 and told["bad"] == 2, f"one good, two bad: {told}")
    expect(f"{paths[0]}:3: error: identifier" in done.stderr, f"place of the error: {done.stderr}")
    expect(f"{paths[2]}:4: error: identifier" in done.stderr, f"place behind the header lines: {done.stderr}")
    empty = os.path.join(folder, "empty")
    os.makedirs(empty)
    expect(weft.run("ptx", empty).returncode in (1, 3), "an empty folder")


def check_outputs(weft, folder):
    """No text is replaced, and no two texts go to one file."""
    place = os.path.join(folder, "places")
    os.makedirs(os.path.join(place, "a"))
    text = "__global__ void f(float *x) { x[threadIdx.x] = 1; }\n"
    names = [os.path.join(place, name) for name in ("a.cu", "a_b.cu", "a/b.cu")]
    for name in names:
        with open(name, "w") as stream:
            stream.write(text)
    os.symlink("a.cu", os.path.join(place, "link"))
    for output in (names[0], os.path.join(place, "link")):
        done = weft.run("ptx", names[0], "-o", output, "-I", weft.site)
        expect(done.returncode == 2 and "reads that file" in done.stderr, f"-o an input: {done.returncode}: {done.stderr}")
    done = weft.run("ptx", place, "-o", place, "-I", weft.site)
    expect(done.returncode == 2 and "another output" in done.stderr, f"one name twice: {done.returncode}: {done.stderr}")
    ptx = os.path.join(place, "a.sm_75.ptx")
    with open(ptx) as stream:
        made = stream.read()
    done = weft.run("ptx", names[0], ptx, "-o", place, "-I", weft.site)
    expect(done.returncode == 2 and "reads that file" in done.stderr, f"PTX read later: {done.returncode}: {done.stderr}")
    for name, content in ((ptx, made), *((name, text) for name in names)):
        with open(name) as stream:
            expect(stream.read() == content, f"{name} has changed")


def check_interrupts(weft, folder):
    """Ctrl-C while NVRTC compiles ends the command, with nothing left in the folder of temporary files."""
    data = os.path.join(folder, "set")
    long = os.path.join(folder, "long")
    for words in (["ptx", "--json", data], ["generate", "--kind", "exercise", "--count", "400", "--with-ptx", "--jobs", "2", "--output", long]):
        with tempfile.TemporaryDirectory(prefix="weft-interrupt-") as temporary:
            environment = dict(weft.environment, TMPDIR=temporary)
            running = subprocess.Popen([weft.path, *words, "-I", weft.site], text=True, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=environment)
            while not os.listdir(temporary) and running.poll() is None:
                time.sleep(0.01)
            time.sleep(0.2)
            running.send_signal(signal.SIGINT)
            try:
                printed, said = running.communicate(timeout=300)
            except subprocess.TimeoutExpired:
                running.kill()
                printed, said = running.communicate()
            expect(running.returncode == 130, f"{words[0]}, interrupted, ends with {running.returncode}: {said}")
            whole = words[0] != "ptx" or not printed or json.loads(printed)["complete"] is False
            expect(whole, f"{words}, interrupted, prints {printed[-300:]}")
            expect(not os.listdir(temporary), f"{words[0]}, interrupted, leaves {os.listdir(temporary)}")
    expect(f"-I {weft.site}" in said and said.endswith("--resume\n"), f"the command to go on is told: {said}")


def check_closed_pipe(weft, folder):
    """Nobody reads the table: the command ends, quietly."""
    for words in (["--json"], []):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([weft.path, "ptx", "--no-ptxas", *words, "-I", weft.site, *10 * [os.path.join(folder, "b.cu")]],
                              stdout=writer, stderr=subprocess.PIPE, text=True, env=weft.environment, timeout=300)
        os.close(writer)
        expect(not done.stderr and done.returncode == 0, f"closed pipe: {done.returncode}: {done.stderr}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--records", type=int, default=120 if os.environ.get("CI") else 24)
    parser.add_argument("--seed", type=int, default=6)
    options = parser.parse_args()
    weft = Weft(options.weft, find_site(oracle_env.oracle_python()))
    check_odd(weft)
    with tempfile.TemporaryDirectory() as folder:
        check_errors(weft, folder)
        check_outputs(weft, folder)
        check_program(weft, folder)
        check_programs(weft, folder)
        check_nvcc(weft, folder)
        check_metadata(weft, folder, options)
        check_records(weft, folder, options)
        check_interrupts(weft, folder)
        check_closed_pipe(weft, folder)
    print(f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
