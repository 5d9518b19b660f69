#!/bin/sh
# For a machine with an NVIDIA GPU: builds weft, runs the tests labelled gpu, builds standalone samples
# of all categories with nvcc and runs them, forward and backward; writes gpu_report.md.
#
# usage: sh scripts/run_on_gpu.sh [--samples N] [--seed S] [--output DIR]
#        sh scripts/run_on_gpu.sh --report FACTS RESULTS    prints the report of these two files
#
# N: 240; DIR: out/gpu, where the samples and the report are left.
# Exit status: 0 all passed; 1 something failed, the report names it; 2 wrong usage; 3 no GPU, no
# driver, no nvcc, or no place to write.
#
# FACTS has lines `name<TAB>value`, RESULTS a line for each sample:
# `outcome<TAB>category<TAB>id<TAB>build seconds<TAB>run seconds<TAB>last line it printed`;
# an outcome is pass, fail (wrong result), crash (any other end, a hang too) or build (nvcc refused it).
set -eu

samples=240
seed=1
out=out/gpu

stop() {
    status=$1
    shift
    printf 'run_on_gpu.sh: %s\n' "$*" >&2
    exit "$status"
}

usage() { stop 2 "$1; usage: sh scripts/run_on_gpu.sh [--samples N] [--seed S] [--output DIR]"; }

is_number() {
    case $1 in '' | *[!0-9]*) return 1 ;; esac
}

# The report of two files, as Markdown on stdout; false where something failed or nothing ran.
write_report() {
    awk -F '\t' -v facts="$1" '
        function row(name, n, good, bad, wrong, ended, built, ran) {
            printf "| %s | %d | %d | %d | %d | %d | %.1f | %.2f |\n", name, n, good, bad, wrong, ended, built, ran
        }
        BEGIN {
            print "# weft on a GPU\n"
            print "| what | value |\n| --- | --- |"
            while ((getline line < facts) > 0) {
                split(line, fact, "\t")
                printf "| %s | %s |\n", fact[1], fact[2]
                value[fact[1]] = fact[2]
            }
            broken = value["tests labelled gpu"] ~ /[1-9][0-9]* failed/
        }
        NF >= 5 {
            if (!($2 in count)) order[++categories] = $2
            count[$2]++; built[$2] += $4; ran[$2] += $5; outcome[$2, $1]++
            total++; all_built += $4; all_ran += $5; sum[$1]++
            if ($1 != "pass") failed[++failures] = $0
        }
        END {
            print "\n| category | samples | pass | not built | wrong | crashed | build s | run s |"
            print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
            for (i = 1; i <= categories; i++) {
                c = order[i]
                row(c, count[c], outcome[c, "pass"], outcome[c, "build"], outcome[c, "fail"], outcome[c, "crash"], built[c], ran[c])
            }
            row("all", total, sum["pass"], sum["build"], sum["fail"], sum["crash"], all_built, all_ran)
            if (failures) print "\n## Failures\n"
            for (i = 1; i <= failures; i++) {
                split(failed[i], part, "\t")
                printf "- %s, %s: %s: `%s`\n", part[3], part[2], part[1], part[6]
                printf "  again: `cd %s/%s_%s && make && for p in *.cu; do ./${p%%.cu}; done`\n", value["samples in"], part[3], part[2]
            }
            print ""
            if (!total) print "Nothing ran."
            else if (failures) printf "%d of %d samples failed.\n", failures, total
            else printf "All %d samples passed.\n", total
            if (broken) print "Tests labelled gpu failed: `ctest --preset release -L gpu` shows them."
            exit(failures || broken || !total)
        }' "$2"
}

while [ $# -gt 0 ]; do
    case $1 in
    --report)
        [ $# -eq 3 ] || usage "--report takes two files"
        [ -r "$2" ] || stop 3 "cannot read $2"
        [ -r "$3" ] || stop 3 "cannot read $3"
        write_report "$2" "$3"
        exit
        ;;
    --samples | --seed | --output)
        [ $# -ge 2 ] || usage "$1 takes a value"
        case $1 in
        --samples) is_number "$2" || usage "--samples takes a number, not '$2'"; samples=$2 ;;
        --seed) is_number "$2" || usage "--seed takes a number, not '$2'"; seed=$2 ;;
        --output) case $2 in /*) out=$2 ;; *) out=$PWD/$2 ;; esac ;;
        esac
        shift 2
        ;;
    *) usage "what is '$1'?" ;;
    esac
done

# --- what has to be there -------------------------------------------------------------------------

command -v nvidia-smi >/dev/null ||
    stop 3 "no NVIDIA driver on this machine (there is no nvidia-smi): nothing was run"
listed=$(nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap --format=csv,noheader 2>&1) ||
    stop 3 "the NVIDIA driver does not answer: nothing was run; nvidia-smi says: $(printf '%s' "$listed" | head -n 1)"
[ -n "$listed" ] || stop 3 "the NVIDIA driver knows no GPU: nothing was run"
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
command -v nvcc >/dev/null ||
    stop 3 "a GPU is here, but no nvcc: install the CUDA toolkit, or name its folder by CUDA_HOME; nothing was run"

cd "$(dirname "$0")/.."
. scripts/setup.sh
mkdir -p "$out" || stop 3 "cannot write to $out"
if [ -e "$out/samples" ] && [ ! -e "$out/facts.tsv" ]; then
    stop 3 "$out/samples is not of an earlier run: name another folder by --output"
fi
out=$(cd "$out" && pwd)

# --- build, tests, samples ------------------------------------------------------------------------

seconds_now() { date +%s.%N; }
since() { awk -v from="$1" -v to="$(seconds_now)" 'BEGIN { printf "%.2f", to - from }'; }
fact() { printf '%s\t%s\n' "$1" "$2" >>"$out/facts.tsv"; }

collect_facts() {
    : >"$out/facts.tsv"
    fact "device" "$(printf '%s' "$listed" | head -n 1 | cut -d , -f 1)"
    fact "compute capability" "$(printf '%s' "$listed" | head -n 1 | cut -d , -f 4 | tr -d ' ')"
    fact "memory" "$(printf '%s' "$listed" | head -n 1 | cut -d , -f 3 | sed 's/^ //')"
    fact "driver" "$(printf '%s' "$listed" | head -n 1 | cut -d , -f 2 | tr -d ' ')"
    fact "nvcc" "$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
    fact "weft" "$(build/weft --version | head -n 1)"
    fact "commit" "$(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
    fact "system" "$(uname -sr)"
}

# The tests that need a device; they are skipped, and counted so, where weft finds none.
run_tests() {
    ctest --preset release -L gpu >"$out/tests.log" 2>&1 || true
    fact "tests labelled gpu" "$(awk '/Passed +[0-9.]+ sec/ { p++ } /\*\*\*Skipped/ { s++ } /\*\*\*(Failed|Timeout|Exception|Not Run)/ { f++ }
        END { printf "%d passed, %d skipped, %d failed", p, s, f }' "$out/tests.log")"
}

make_samples() {
    rm -rf "$out/samples"
    start=$(seconds_now)
    build/weft generate --count "$samples" --seed "$seed" --format standalone --quiet --output "$out/samples"
    fact "samples" "$samples, seed $seed"
    fact "samples in" "$out/samples"
    fact "generation" "$(since "$start") s"
}

# Builds one sample; what nvcc says is kept beside it.
build_sample() {
    start=$(seconds_now)
    make -C "$1" >"$1/build.log" 2>&1 || touch "$1/build.failed"
    since "$start" >"$1/build.seconds"
}

# Builds all, as many at a time as there are cores; a failure is seen by build.failed.
build_samples() {
    start=$(seconds_now)
    cores=$(nproc)
    running=0
    for folder in "$out"/samples/*/; do
        build_sample "${folder%/}" &
        running=$((running + 1))
        if [ "$running" -ge "$cores" ]; then
            wait
            running=0
        fi
    done
    wait
    fact "building" "$(since "$start") s on $cores cores"
}

# Runs one sample on the device and notes how it ended.
run_sample() {
    folder=$1
    name=$(basename "$folder")
    category=${name#*_}
    program=$(basename "$(ls "$folder"/*.cu)" .cu)
    if [ -e "$folder/build.failed" ]; then
        outcome=build
        took=0
        said=$(grep -m 1 -i error "$folder/build.log" || tail -n 1 "$folder/build.log")
    else
        start=$(seconds_now)
        status=0
        (cd "$folder" && timeout 120 "./$program") >"$folder/run.log" 2>&1 || status=$?
        took=$(since "$start")
        said=$(tail -n 1 "$folder/run.log")
        case $status in 0) outcome=pass ;; 1) outcome=fail ;; *) outcome=crash said="status $status: $said" ;; esac
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$outcome" "$category" "${name%%_*}" "$(cat "$folder/build.seconds")" "$took" \
        "$(printf '%s' "$said" | tr '\t`' "  '")" >>"$out/results.tsv"
}

run_samples() {
    : >"$out/results.tsv"
    start=$(seconds_now)
    for folder in "$out"/samples/*/; do
        run_sample "${folder%/}"
    done
    fact "execution" "$(since "$start") s, one program after the other"
}

# shellcheck disable=SC2086,SC2154 # the list comes from setup.sh and is meant to be split
need_packages $build_packages g++ make
build_preset release
collect_facts
say "tests that need a device"
run_tests
say "$samples standalone samples: making, building, running"
make_samples
build_samples
run_samples
failed=0
write_report "$out/facts.tsv" "$out/results.tsv" >"$out/gpu_report.md" || failed=1
say "report: $out/gpu_report.md"
cat "$out/gpu_report.md"
exit $failed
