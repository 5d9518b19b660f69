# SPDX-License-Identifier: Apache-2.0
"""What lies in the folders that the Slurm scripts fill."""

import hashlib
import json
import os


def parts_of(folder):
    found = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name, "manifest.json"), encoding="utf-8") as stream:
            manifest = json.load(stream)
        found.append((manifest["first_index"], manifest["rows"]))
    return found


def digest(folder):
    data = hashlib.sha256()
    where = os.path.join(folder, "data")
    for name in sorted(os.listdir(where)):
        with open(os.path.join(where, name), "rb") as stream:
            data.update(name.encode() + stream.read())
    return data.hexdigest()
