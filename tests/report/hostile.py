# SPDX-License-Identifier: Apache-2.0
"""Data sets for the tests of `weft report`: a generated one, and one whose every string wants to run a
script in the page."""

import json
import os
import subprocess

ATTACKS = (
    '</script><script>window.pwned=1</script>',
    '"><img src=x onerror=window.pwned=1>',
    "' onmouseover='window.pwned=1",
    "</title></style><svg/onload=window.pwned=1>",
    "--></pre></code><script src=http://127.0.0.1:9/x.js></script>",
    "javascript:window.pwned=1 &lt; &amp; \u0001 \u202e \U0001f600",
    '*/ <L 5> """ \' // <L 7>',
)


def generate(weft, folder, *words):
    subprocess.run([weft, "generate", "--kind", "exercise", "--quiet", "--jobs", "1", "--output", folder, *words], check=True)


def spoil(value, number, keys=False):
    """The same value with an attack at the end of each string, and of each key."""
    attack = ATTACKS[number % len(ATTACKS)]
    if isinstance(value, str):
        return value + attack
    if isinstance(value, list):
        return [spoil(v, number + i, keys) for i, v in enumerate(value)]
    if isinstance(value, dict):
        return {k + attack if keys else k: spoil(v, number + i, keys) for i, (k, v) in enumerate(value.items())}
    return value


def make_hostile(folder, target):
    """A copy of the set in `folder` with attacks everywhere: records, statistics, manifest, names."""
    shard = sorted(os.listdir(os.path.join(folder, "data")))[0]
    with open(os.path.join(folder, "data", shard), encoding="utf-8") as stream:
        records = [json.loads(line) for line in stream]
    for i, record in enumerate(records):
        records[i] = spoil(record, i)
        records[i]["more" + ATTACKS[i % len(ATTACKS)]] = ATTACKS[i % len(ATTACKS)]
        records[i]["metadata"]["m" + ATTACKS[i % len(ATTACKS)]] = 1
        if i % 5 == 0:
            del records[i]["metadata"]
        if i % 7 == 0:
            records[i]["messages"] = [{"role": a, "content": a} for a in ATTACKS]
    os.makedirs(os.path.join(target, "data"))
    with open(os.path.join(target, "data", "a<b>&'.jsonl"), "w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(record) + "\n" for record in records)
    with open(os.path.join(folder, "stats.json"), encoding="utf-8") as stream:
        stats = spoil(json.load(stream), 0)
    for key in ("coverage", "rejected"):
        if key in stats:
            stats[key] = spoil(stats[key], 1, keys=True)
    stats["extra" + ATTACKS[0]] = {ATTACKS[1]: ATTACKS[2]}
    with open(os.path.join(target, "stats.json"), "w", encoding="utf-8") as stream:
        json.dump(stats, stream)
    manifest = {"command": ATTACKS[0], "shards": [{"file": "data/a<b>&'.jsonl", "rows": len(records)}]}
    with open(os.path.join(target, "manifest.json"), "w", encoding="utf-8") as stream:
        json.dump(manifest, stream)
