# SPDX-License-Identifier: Apache-2.0
# Shared by demo.sh and test.sh: Debian packages, the build, the virtual environment.
# Sourced, not run; works from the root of the repository with any POSIX shell.

say() { printf '\n== %s\n' "$*"; }

# Prints those of the named Debian packages that are not installed.
missing_packages() {
    for package in "$@"; do
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed' ||
            printf '%s ' "$package"
    done
}

# Runs a command as root where that needs no password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

# Whether this script may install packages.
may_install() {
    [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

install_packages() {
    say "installing $*"
    as_root apt-get update -q || true
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

# Makes sure that the named packages are there; else prints the one line to run and ends.
need_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian system: install the counterparts of $*"
        return 0
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    line="apt-get install -y --no-install-recommends $missing"
    if ! may_install; then
        printf 'Some Debian packages are missing. Run this as root, then this script again:\n  %s\n' "$line"
        exit 1
    fi
    # shellcheck disable=SC2086 # the list is meant to be split
    if ! install_packages $missing; then
        printf 'The packages could not be installed. When there is a network, run:\n  %s\n' "$line"
        exit 1
    fi
}

# Installs packages that widen a test, where it may; goes on without them otherwise.
try_packages() {
    missing=$(missing_packages "$@")
    # shellcheck disable=SC2086
    if [ -n "$missing" ] && may_install && ! install_packages $missing; then
        say "going on without $missing"
    fi
}

# Configures one preset; more arguments go to cmake.
configure_preset() {
    say "building ($1)"
    mkdir -p build
    cmake --preset "$@" >"build/configure-$1.log" 2>&1 || { cat "build/configure-$1.log"; exit 1; }
}

# Configures and builds all of one preset.
build_preset() {
    configure_preset "$@"
    cmake --build --preset "$1"
}

# The same of the program alone, without the libraries for others.
build_program() {
    configure_preset "$@"
    cmake --build --preset "$1" --target weft
}

# A virtual environment of tests: folder, file of requirements, what it is for. Without network it is
# missing, and the tests that need it are skipped (or fail, where CI is set).
make_one_venv() {
    venv=$1
    stamp=$venv/.installed
    want=$(cat "$2")
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ]; then
        return 0
    fi
    say "making the virtual environment $venv ($3)"
    if python3 -m venv "$venv" &&
        "$venv/bin/pip" install -q --disable-pip-version-check -r "$2"; then
        printf '%s\n' "$want" >"$stamp"
    else
        say "MISSING: $3 could not be installed; the tests that need it are skipped, or fail where CI is set"
        rm -rf "$venv"
    fi
}

# warp-lang, the oracle of the tests.
make_venv() {
    make_one_venv build/venv tests/oracle/requirements.txt "warp-lang, numpy"
}

# Other releases of warp-lang, whose text weft writes, too.
make_release_venvs() {
    for requirements in tests/oracle/requirements-*.txt; do
        release=${requirements##*-}
        release=${release%.txt}
        make_one_venv "build/venv-$release" "$requirements" "warp-lang $release, numpy"
    done
}

# What people load data sets with.
make_data_venv() {
    make_one_venv build/venv-data tests/python/requirements.txt "datasets, pandas, pyarrow"
}

# The engines that take weft.sources; Spark needs Java, too.
make_streams_venv() {
    make_one_venv build/venv-streams tests/python/requirements-streams.txt "datatrove, Ray, Spark, datasets"
}

build_packages="cmake ninja-build gcc libc6-dev libxxhash-dev libzstd-dev zlib1g-dev libcmocka-dev python3"
test_packages="g++ make clang libclang-rt-14-dev clang-format-14 python3-venv"
extra_packages="lld libpython3.11-testsuite chromium nodejs node-css-tree locales gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
  pkg-config dpkg-dev file fish zsh mmdebstrap openjdk-17-jre-headless"
