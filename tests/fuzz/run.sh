#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one fuzzer over its seeds and over what it found before, in the sanitizer build.
#
# usage: tests/fuzz/run.sh TARGET [SECONDS [BUILD]]
#
# A finding ends the run with a status other than 0 and lies in BUILD/fuzz; the corpus that grows
# lies in BUILD/fuzz/corpus_TARGET.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=$1 seconds=${2:-60} build=${3:-$root/build/asan}
found=$build/fuzz
program=$build/tests/fuzz/fuzz_$target

[ -x "$program" ] || cmake --build "$build" --target fuzz_programs
[ -d "$found/seeds" ] || python3 "$here/make_seeds.py" "$build/weft" "$found/seeds"
case $target in
compile)
    set -- -max_len=4096 -dict="$here/python.dict" "$here/corpus" "$root/tests/kernels"
    for folder in errors programs syntax trees unsupported; do
        set -- "$@" "$root/tests/cases/$folder"
    done
    ;;
validate) set -- -max_len=32768 -dict="$here/record.dict" "$found/seeds/validate" ;;
text) set -- -max_len=16384 -dict="$here/text.dict" "$found/seeds/text" ;;
native) set -- -max_len=1024 -dict="$here/native.dict" "$found/seeds/native" ;;
cuda) set -- -max_len=8192 -dict="$here/text.dict" "$found/seeds/cuda" "$root/docs/samples" "$root/tests/cases/cuda" "$root/tests/cases/ptx" ;;
standalone) set -- -max_len=4096 -dict="$here/python.dict" "$root/tests/standalone/programs" "$root/docs/samples" ;;
npy) set -- -max_len=1024 "$found/seeds/npy" ;;
*)
    echo "run.sh: unknown target $target" >&2
    exit 2
    ;;
esac
[ ! -d "$here/corpus_$target" ] || set -- "$@" "$here/corpus_$target"
mkdir -p "$found/corpus_$target"
exec "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$found/$target-" "$found/corpus_$target" "$@"
