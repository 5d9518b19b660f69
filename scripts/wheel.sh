#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the source distribution and the wheel of the Python package, in the folder given (out/dist if
# none is): build makes the first, pip the second from it, as `pip install weft-0.1.0.tar.gz` does, and
# auditwheel puts the libraries beside the program and sets the tag.
#
#     $ sh scripts/wheel.sh
#     the wheel of the source distribution: 55 s
#     out/dist/weft-0.1.0.tar.gz
#     out/dist/weft-0.1.0-py3-none-manylinux_2_34_x86_64.whl
#
# The tag is the oldest glibc that has what the files call. 2.34, on Debian 12: threads and dlopen moved
# into libc.so there, and programs linked since then bind to them by that version. A wheel for older
# systems has to be built on one. More arguments go to `pip wheel`: -C cmake.build-type=Debug.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
folder=${1:-out/dist}
[ $# = 0 ] || shift

# shellcheck disable=SC2086
need_packages $build_packages python3-venv
make_data_venv
PATH=$PWD/build/venv-data/bin:$PATH
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
pyproject-build --no-isolation --sdist --outdir "$raw" . >"$raw/log" 2>&1 || { tail -n 40 "$raw/log"; exit 1; }
begun=$(date +%s)
python -m pip wheel --disable-pip-version-check --no-index --no-build-isolation --no-deps --wheel-dir "$raw" "$@" "$raw"/*.tar.gz \
  >"$raw/log" 2>&1 || { tail -n 40 "$raw/log"; exit 1; }
echo "the wheel of the source distribution: $(($(date +%s) - begun)) s"
mkdir -p "$folder"
auditwheel repair --strip --wheel-dir "$folder" "$raw"/*.whl >"$raw/log" 2>&1 || { tail -n 40 "$raw/log"; exit 1; }
mv "$raw"/*.tar.gz "$folder"
ls "$folder"/weft-*
