#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dumps warp-lang's text of every kernel of many files, each file in a process of its own.

usage: warp_dump.py [--jobs N] [--cache DIR] [--timeout SECONDS] FILE.py...

Writes one JSON file per source into the cache folder and prints "SOURCE<TAB>JSON" lines. A result
is used again while the source, warp-lang's version and this tool stay the same. warp-lang is
imported once; every file is then handled by a fork of that process.
"""

import argparse
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import traceback

import warp_text

HERE = os.path.dirname(os.path.abspath(__file__))


def tool_stamp():
    stamp = hashlib.sha256(warp_text.wp.config.version.encode())
    for name in ("warp_text.py", "warp_order.py"):
        with open(os.path.join(HERE, name), "rb") as tool:
            stamp.update(tool.read())
    return stamp.hexdigest()


def cache_path(cache, stamp, path):
    with open(path, "rb") as source:
        key = hashlib.sha256(source.read() + os.path.abspath(path).encode() + stamp.encode())
    return os.path.join(cache, key.hexdigest()[:32] + ".json")


def child(path, out):
    """Handles one file; never returns."""
    sink = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(sink, number)
    status = 1
    try:
        write_record(out, warp_text.file_record(path))
        status = 0
    except BaseException:
        write_record(out, {"file": path, "error": traceback.format_exc()[-400:], "kernels": []})
    finally:
        os._exit(status)


def write_record(out, record):
    mine = f"{out}.{os.getpid()}.tmp"  # tests that run side by side may want the same file
    with open(mine, "w") as stream:
        json.dump(record, stream)
    os.rename(mine, out)


def dump_afresh(path, out, timeout):
    """Handles a file in a new process: what launches kernels while imported may not live in a fork."""
    command = [sys.executable, __file__, "--into", out, path]
    try:
        subprocess.run(command, stdout=subprocess.DEVNULL, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        pass
    if not os.path.exists(out):
        write_record(out, {"file": path, "error": "the process died twice", "kernels": []})


def reap(running, timeout):
    """Collects a child that ended; ends those that took too long."""
    pid, _ = os.waitpid(-1, os.WNOHANG)
    if pid and pid not in running:
        return  # a helper that warp started
    if pid:
        path, out, _ = running.pop(pid)
        if not os.path.exists(out):
            dump_afresh(path, out, timeout)
        return
    for pid, (path, out, begun) in running.items():
        if time.monotonic() - begun > timeout and not os.path.exists(out):
            write_record(out, {"file": path, "error": "timeout", "kernels": []})
            os.kill(pid, signal.SIGKILL)
    time.sleep(0.01)


def dump_files(paths, cache, jobs, timeout):
    """Brings the cache up to date; returns {source: JSON file}."""
    os.makedirs(cache, exist_ok=True)
    stamp = tool_stamp()
    results = {path: cache_path(cache, stamp, path) for path in paths}
    waiting = [path for path, out in results.items() if not os.path.exists(out)]
    running = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            path = waiting.pop()
            pid = os.fork()
            if pid == 0:
                child(path, results[path])
            running[pid] = (path, results[path], time.monotonic())
        reap(running, timeout)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", help="sources; '-' reads their names from stdin")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--cache", default="build/oracle")
    parser.add_argument("--into", help="handle one file in this process; write this JSON file")
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds for one file")
    args = parser.parse_args()
    files = sys.stdin.read().split("\n") if args.files == ["-"] else args.files
    files = [name for name in files if name]
    warp_text.start(os.path.join(args.cache, "kernels"))
    if args.into:
        write_record(args.into, warp_text.file_record(files[0]))
        return
    for path, out in dump_files(files, args.cache, args.jobs, args.timeout).items():
        print(f"{path}\t{out}")


if __name__ == "__main__":
    main()
