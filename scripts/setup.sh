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

# Makes sure that the named packages are there; else prints the one line to run and ends.
need_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian system: install the counterparts of $*"
        return 0
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    line="apt-get install -y --no-install-recommends $missing"
    if [ "$(id -u)" != 0 ] && ! { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }; then
        printf 'Some Debian packages are missing. Run this as root, then this script again:\n  %s\n' "$line"
        exit 1
    fi
    say "installing $missing"
    as_root apt-get update -q || true
    # shellcheck disable=SC2086 # the list is meant to be split
    if ! as_root env DEBIAN_FRONTEND=noninteractive $line; then
        printf 'The packages could not be installed. When there is a network, run:\n  %s\n' "$line"
        exit 1
    fi
}

# Configures and builds one preset.
build_preset() {
    say "building ($1)"
    cmake --preset "$1" >build-"$1".log 2>&1 || { cat build-"$1".log; rm -f build-"$1".log; exit 1; }
    rm -f build-"$1".log
    cmake --build --preset "$1"
}

# The virtual environment that holds warp-lang, the oracle of the tests. Without network it is
# missing, and the tests that need it are skipped (or fail, where CI is set).
make_venv() {
    venv=build/venv
    stamp=$venv/.installed
    want=$(cat tests/oracle/requirements.txt)
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ]; then
        return 0
    fi
    say "making the virtual environment $venv (warp-lang, numpy)"
    python3 -m venv "$venv" || return 0
    if "$venv/bin/pip" install -q --disable-pip-version-check -r tests/oracle/requirements.txt; then
        printf '%s\n' "$want" >"$stamp"
    else
        say "NO ORACLE: warp-lang could not be installed; the comparisons with it will be skipped"
        rm -rf "$venv"
    fi
}

build_packages="cmake ninja-build gcc libc6-dev libxxhash-dev libzstd-dev libcjson-dev libcmocka-dev python3"
test_packages="g++ clang clang-format-14 python3-venv libpython3.11-testsuite"
