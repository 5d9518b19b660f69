# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel of weft with nothing but CMake and a C compiler (PEP 517).

The shared library is built from the sources two folders above this one and lies inside the wheel;
`pip install --config-settings library=PATH` takes one that is built already.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PACKAGES = "cmake, a C compiler (gcc or clang), and the headers of xxhash, zstd and zlib"
DEBIAN = "apt-get install cmake ninja-build gcc libc6-dev libxxhash-dev libzstd-dev zlib1g-dev"


def version():
    """The project's version, which CMakeLists.txt tells."""
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as stream:
        return re.search(r"project\(weft VERSION ([\d.]+)", stream.read())[1]


def fail(message):
    raise SystemExit(f"weft: {message}\nIt is built from source and needs {PACKAGES}. On Debian:\n    {DEBIAN}")


def check_tools():
    if not os.path.exists(os.path.join(ROOT, "include", "weft.h")):
        fail(f"the sources are not in {ROOT}: install from a checkout of the repository")
    if not shutil.which("cmake"):
        fail("cmake is not installed")
    compilers = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
    if not any(shutil.which(name.split()[0]) for name in compilers if name):
        fail("there is no C compiler")


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        fail(f"'{' '.join(command[:2])}' failed:\n{done.stdout[-4000:]}")


def build_library(folder):
    """Builds the shared library in a folder; returns its path."""
    check_tools()
    ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", "-S", ROOT, "-B", folder, *ninja, "-DCMAKE_BUILD_TYPE=Release", "-DWEFT_TESTS=OFF")
    jobs = str(os.cpu_count() or 1)
    run("cmake", "--build", folder, "--target", "weft_shared", "--parallel", jobs)
    return os.path.join(folder, "libweft.so")


def metadata():
    """{name: text} of the files that describe the package, below its .dist-info folder."""
    tag = f"py3-none-{re.sub(r'[-.]', '_', sysconfig.get_platform())}"
    about = [
        "Metadata-Version: 2.1",
        "Name: weft",
        f"Version: {version()}",
        "Summary: NVIDIA Warp kernels compiled to C++ and CUDA text, executed, and made into training pairs",
        "Requires-Python: >=3.9",
        "Provides-Extra: numpy",
        'Requires-Dist: numpy; extra == "numpy"',
        "Provides-Extra: parquet",
        'Requires-Dist: pyarrow; extra == "parquet"',
    ]
    wheel = ["Wheel-Version: 1.0", "Generator: weft", "Root-Is-Purelib: false", f"Tag: {tag}"]
    return tag, {"METADATA": "\n".join(about) + "\n", "WHEEL": "\n".join(wheel) + "\n"}


def contents(library):
    """{path in the wheel: bytes}"""
    package = os.path.join(HERE, "weft")
    paths = {f"weft/{name}": os.path.join(package, name) for name in os.listdir(package)}
    paths = {name: path for name, path in paths.items() if name.endswith((".py", ".typed"))}
    paths["weft/libweft.so"] = library
    files = {}
    for name, path in sorted(paths.items()):
        with open(path, "rb") as stream:
            files[name] = stream.read()
    return files


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """PEP 517's hook: describes the package without building it."""
    info = f"weft-{version()}.dist-info"
    os.makedirs(os.path.join(metadata_directory, info))
    for name, text in metadata()[1].items():
        with open(os.path.join(metadata_directory, info, name), "w", encoding="utf-8") as stream:
            stream.write(text)
    return info


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517's hook: writes the wheel and returns its name."""
    tag, about = metadata()
    info = f"weft-{version()}.dist-info"
    with tempfile.TemporaryDirectory() as folder:
        library = (config_settings or {}).get("library")
        files = contents(library or build_library(folder))
    files.update({f"{info}/{name}": text.encode() for name, text in about.items()})
    rows = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = ("".join(rows) + f"{info}/RECORD,,\n").encode()
    wheel = f"weft-{version()}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    """PEP 517 wants the hook; the sources lie outside of this folder."""
    raise SystemExit("weft: there is no source distribution: install from a checkout of the repository")
