#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scripts of docs/slurm under a real Slurm of one node: slurmctld and slurmd as ordinary processes
with a configuration of their own in a temporary folder. Slurm comes from Debian's packages, which are
unpacked there and not installed, so that no service of the machine starts or changes. For root, since
Debian's slurmd wants it. Not one of ctest's: it needs the network.

usage: real_slurm.py WEFT [--tasks N] [--count N]
"""

import argparse
import glob
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

from slurm_files import digest, parts_of

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "slurm")
PACKAGES = ("slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins", "liblua5.1-0", "libhwloc15", "libmunge2")
CONFIGURATION = """ClusterName=weft
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
PluginDir={library}/slurm-wlm
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MinJobAge=600
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=8000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def unpack(place):
    """Slurm's files, below place/root."""
    root = os.path.join(place, "root")
    subprocess.run(["apt-get", "download", "-qq", *PACKAGES], cwd=place, check=True, stderr=subprocess.DEVNULL)
    for package in glob.glob(os.path.join(place, "*.deb")):
        subprocess.run(["dpkg", "-x", package, root], check=True)
    return root


def copy_scripts(place):
    """As they are, but for one processor a task: this node has few."""
    scripts = os.path.join(place, "scripts")
    os.makedirs(scripts)
    for path in glob.glob(os.path.join(SCRIPTS, "*.sh")):
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        with open(os.path.join(scripts, os.path.basename(path)), "w", encoding="utf-8") as stream:
            stream.write(text.replace("--cpus-per-task=8", "--cpus-per-task=1"))
    return scripts


class Slurm:
    def __init__(self, place):
        self.place, self.root = place, unpack(place)
        self.host = socket.gethostname().split(".")[0]
        library = os.path.join(self.root, "usr/lib/x86_64-linux-gnu")
        for name in ("state", "spool"):
            os.makedirs(os.path.join(place, name))
        conf = os.path.join(place, "slurm.conf")
        with open(conf, "w", encoding="utf-8") as stream:
            stream.write(CONFIGURATION.format(host=self.host, library=library, place=place, cpus=os.cpu_count()))
        path = os.path.join(self.root, "usr/bin") + os.pathsep + os.environ["PATH"]
        libraries = os.path.join(library, "slurm-wlm") + os.pathsep + library
        self.environment = {**os.environ, "SLURM_CONF": conf, "PATH": path, "LD_LIBRARY_PATH": libraries}
        self.daemons = []

    def __enter__(self):
        tools = os.path.join(self.root, "usr/sbin")
        self.start(os.path.join(tools, "slurmctld-wlm"), "-D")
        time.sleep(2)
        self.start(os.path.join(tools, "slurmd-wlm"), "-D", "-N", self.host, "-d", os.path.join(tools, "slurmstepd-wlm"))
        for _ in range(30):
            if "idle" in self.ask("sinfo", "-h", "-o", "%t"):
                return self
            time.sleep(1)
        self.__exit__()
        sys.exit("the node does not come up: " + self.ask("sinfo"))

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait(20)

    def start(self, *words):
        null = subprocess.DEVNULL
        self.daemons.append(subprocess.Popen(words, env=self.environment, stdin=null, stdout=null, stderr=null))

    def ask(self, *words, **more):
        done = subprocess.run(words, env={**self.environment, **more}, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def wait(self, seconds):
        """Until no job is left; what is left then."""
        for _ in range(seconds):
            left = self.ask("squeue", "-h", "-o", "%i %t %r")
            if not left.strip():
                return ""
            time.sleep(1)
        return left


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weft")
    options.add_argument("--tasks", default="4")
    options.add_argument("--count", default="2000")
    options = options.parse_args()
    weft = os.path.abspath(options.weft)
    with tempfile.TemporaryDirectory() as place, Slurm(place) as slurm:
        whole, one = os.path.join(place, "whole"), os.path.join(place, "one")
        words = ["--count", options.count, "--seed", "3", "--quiet"]
        subprocess.run([weft, "generate", *words, "--output", one], check=True)
        scripts = copy_scripts(place)
        said = slurm.ask(
            "sh", os.path.join(scripts, "submit.sh"), WEFT=weft, SET=whole, COUNT=options.count, SEED="3",
            TASKS=options.tasks,
        )  # fmt: skip
        print(said.strip())
        left = slurm.wait(120)
        for path in sorted(glob.glob(os.path.join(scripts, "*.log"))):
            with open(path, encoding="utf-8") as stream:
                told = re.findall(r"weft: .*", stream.read())
            print(f"{os.path.basename(path)}: {'; '.join(told)}")
        print("parts:", parts_of(whole + ".parts"))
        same = os.path.exists(os.path.join(whole, "manifest.json")) and digest(whole) == digest(one)
        print("merged: " + ("the bytes of one run" if same else f"no, or not the same; jobs left: {left!r}"))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
