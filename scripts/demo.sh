#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds weft on a Debian 12 machine and generates 1,200 training pairs into out/demo.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# shellcheck disable=SC2086
need_packages $build_packages
build_preset release

say "generating 1,200 pairs"
rm -rf out/demo
build/weft generate --count 1200 --seed 1 --device both --format files --quiet --output out/demo
python3 scripts/demo_summary.py out/demo
