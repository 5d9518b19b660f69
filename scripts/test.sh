#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sets everything up and runs every test: first with the optimised build, then with the build that
# has the sanitizers on. Arguments go to ctest (-R NAME, for example).
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# shellcheck disable=SC2086
need_packages $build_packages $test_packages
# shellcheck disable=SC2086
try_packages $extra_packages
make_venv
make_release_venvs
make_data_venv
make_streams_venv
build_preset release -DWEFT_WERROR=ON -DWEFT_TESTS=ON
build_program debug -DWEFT_WERROR=ON -DWEFT_TESTS=OFF # generate.bytes compares what it writes
build_program asan -DWEFT_WERROR=ON -DWEFT_TESTS=ON

failed=0
say "tests with the sanitizers on"
ctest --preset asan -j 2 "$@" || failed=1
say "tests"
ctest --preset release -j 2 "$@" || failed=1
exit $failed
