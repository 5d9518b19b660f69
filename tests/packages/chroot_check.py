#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""weft on a bare Debian: a minimal system in a folder, made by mmdebstrap from this machine's sources.

usage: chroot_check.py BUILD [--readme]

The .deb of BUILD is installed there by apt-get with what it depends on and nothing else. The program
then compiles, generates and validates; removing the package leaves nothing behind.

--readme does instead what README.md says: installs its packages, builds a copy of HEAD, runs all of its
examples, packs the .deb, and installs the Python package. That takes minutes and is for releases.

Skipped where there is no mmdebstrap, no root, no Debian, or where mmdebstrap cannot make the system.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "..", "docs"))

import document  # noqa: E402

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
SOURCES = ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list")
# Of this machine's settings those that lead to the network, and no others.
NETWORK = re.compile(r"(?i)(https?_proxy|no_proxy|PIP_\w+)$")
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
KERNEL = "import warp as wp\n\n\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n    a[wp.tid()] = 2.0\n"


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(SKIPPED)


def make_root(folder):
    """A minimal Debian of this machine's release in a new folder."""
    if not shutil.which("mmdebstrap") or not shutil.which("cpack"):
        skip("mmdebstrap or cpack is missing")
    if os.geteuid() != 0:
        skip("only root can make a system and enter it")
    with open("/etc/os-release", encoding="utf-8") as stream:
        release = dict(line.rstrip().replace('"', "").split("=", 1) for line in stream if "=" in line)
    sources = [path for path in SOURCES if os.path.exists(path) and os.path.getsize(path)][:1]
    if release.get("ID") != "debian" or not sources:
        skip("this is no Debian with sources for apt")
    root = os.path.join(folder, "root")
    done = subprocess.run(["mmdebstrap", "--mode=root", "--variant=minbase", "--skip=cleanup/apt",
                           release["VERSION_CODENAME"], root, *sources], capture_output=True, text=True)
    if done.returncode:
        skip(f"mmdebstrap cannot make a system here: {done.stderr.strip()[-300:]}")
    shutil.copy("/etc/resolv.conf", os.path.join(root, "etc"))
    with open(os.path.join(root, "etc/apt/apt.conf.d/yes"), "w", encoding="utf-8") as stream:
        stream.write('APT::Get::Assume-Yes "true";\n')
    return root


def enter(root, command):
    """Runs a command in the system: (exit status, what it prints)."""
    given = [f"{name}={value}" for name, value in os.environ.items() if NETWORK.match(name)]
    done = subprocess.run(["chroot", root, "env", "-i", "HOME=/root", "PATH=/root/.local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                           "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *given, "sh", "-ec", f"cd /root\n{command}"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def prints(root, command):
    """What a command prints that has to end well."""
    status, said = enter(root, command)
    if status:
        sys.exit(f"FAIL: status {status}: {command}\n{said[-3000:]}")
    print(f"ok   {command.strip().splitlines()[-1]}", flush=True)
    return said


def expect(right, sentence):
    if not right:
        sys.exit(f"FAIL: {sentence}")


def check_deb(root, build):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["cpack", "--config", os.path.join(build, "CPackConfig.cmake"), "-B", folder],
                              capture_output=True, text=True)
        expect(not done.returncode, f"cpack: {done.stdout[-1000:]}{done.stderr[-1000:]}")
        [package] = glob.glob(os.path.join(folder, "*.deb"))
        shutil.copy(package, os.path.join(root, "root", "weft.deb"))
    with open(os.path.join(root, "root", "k.py"), "w", encoding="utf-8") as stream:
        stream.write(KERNEL)
    prints(root, "apt-get install -q --no-install-recommends ./weft.deb")
    expect(re.fullmatch(r"weft \d+\.\d+\.\d+\n", prints(root, "weft --version")), "weft --version")
    expect("not found" not in prints(root, "ldd /usr/bin/weft /usr/lib/libweft.so"), "a library is missing")
    expect("__global__ void k(" in prints(root, "weft compile --emit standalone k.py"), "no kernel in the program")
    expect("24 good, 0 bad" in prints(root, "weft generate --count 24 --quiet --output set\nweft validate set"), "validate")
    listed = prints(root, "dpkg --listfiles weft").split()
    expect("Apache" in prints(root, "cat /usr/share/doc/weft/copyright"), "no licence")
    prints(root, "apt-get purge -q weft")
    left = [path for path in listed if "weft" in path and os.path.lexists(root + path)]
    expect(not left, f"left behind: {left}")


def check_readme(root):
    with open(os.path.join(REPO, "README.md"), encoding="utf-8") as stream:
        page = stream.read()
    archive = subprocess.run(["git", "-C", REPO, "archive", "HEAD"], stdout=subprocess.PIPE, check=True).stdout
    os.makedirs(os.path.join(root, "root/weft"))
    subprocess.run(["tar", "-x", "-C", os.path.join(root, "root/weft")], input=archive, check=True)
    build, packages = document.install_lines(page)
    for line in build:
        prints(root, f"cd weft\n{line}")
    os.makedirs(os.path.join(root, "root/empty"))
    for name, contents, block in document.PIECE.findall(page):
        if name:
            with open(os.path.join(root, "root/empty", name), "w", encoding="utf-8") as out:
                out.write(contents)
        for command, lines in document.commands(block):
            shown = [line.rstrip() for line in prints(root, f"cd empty\n{command}").splitlines() if line.strip()]
            expect(document.run.lines_match([line for line in lines if line.strip()], shown), f"{command} prints {shown}")
    if os.path.exists(f"/{CERTIFICATES}"):  # of a network with a certificate of its own
        shutil.copy(f"/{CERTIFICATES}", os.path.join(root, CERTIFICATES))
    for line in packages:
        prints(root, f"cd weft\n{line}")
    prints(root, "weft/env/bin/weft --version")
    prints(root, "apt-get install ./weft/weft_*.deb")


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = make_root(folder)
        if "--readme" in sys.argv[2:]:
            check_readme(root)
        else:
            check_deb(root, os.path.abspath(sys.argv[1]))


if __name__ == "__main__":
    main()
