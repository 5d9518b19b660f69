#!/bin/sh
# For a machine with an NVIDIA GPU: builds weft, runs the tests labelled gpu, builds standalone samples
# of all categories with nvcc and runs them, forward and backward; writes gpu_report.md.
#
# usage: sh scripts/run_on_gpu.sh [--samples N] [--seed S] [--output DIR] [--weft PROGRAM]
#        sh scripts/run_on_gpu.sh --report FACTS RESULTS    prints the report of these two files
#
# N: 240; DIR: out/gpu, where the samples and the report are left. With --weft nothing is built but the
# samples, and ctest is not run.
# Exit status: 0 all passed; 1 something failed, the report names it; 2 wrong usage; 3 no GPU, no
# driver, no nvcc, or no place to write.
#
# FACTS has lines `name<TAB>value`, RESULTS a line for each sample:
# `outcome<TAB>category<TAB>id<TAB>program<TAB>build seconds<TAB>run seconds<TAB>kernels' milliseconds<TAB>last line
# it printed`; an outcome is pass, fail (wrong result), crash (any other end, a hang too) or build (nvcc refused it).
set -eu

samples=240
seed=1
out=out/gpu
weft=

stop() {
    status=$1
    shift
    printf 'run_on_gpu.sh: %s\n' "$*" >&2
    exit "$status"
}

usage() { stop 2 "$1; usage: sh scripts/run_on_gpu.sh [--samples N] [--seed S] [--output DIR] [--weft PROGRAM]"; }

is_number() {
    case $1 in '' | *[!0-9]*) return 1 ;; esac
}

# The report of two files, as Markdown on stdout; false where something failed or nothing ran.
write_report() {
    awk -F '\t' -v facts="$1" '
        function row(name, n, good, bad, wrong, ended, built, ran, kernels) {
            printf "| %s | %d | %d | %d | %d | %d | %.1f | %.2f | %.3f |\n", name, n, good, bad, wrong, ended, built, ran, kernels
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
        NF >= 7 {
            if (!($2 in count)) order[++categories] = $2
            count[$2]++; built[$2] += $5; ran[$2] += $6; kernels[$2] += $7; outcome[$2, $1]++
            total++; all_built += $5; all_ran += $6; all_kernels += $7; sum[$1]++
            if ($1 != "pass") failed[++failures] = $0
        }
        END {
            print "\n| category | samples | pass | not built | wrong | crashed | build s | run s | kernels ms |"
            print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
            for (i = 1; i <= categories; i++) {
                c = order[i]
                row(c, count[c], outcome[c, "pass"], outcome[c, "build"], outcome[c, "fail"], outcome[c, "crash"], built[c], ran[c], kernels[c])
            }
            row("all", total, sum["pass"], sum["build"], sum["fail"], sum["crash"], all_built, all_ran, all_kernels)
            if (failures) print "\n## Failures\n"
            for (i = 1; i <= failures; i++) {
                split(failed[i], part, "\t")
                printf "- %s, %s: %s: `%s`\n", part[3], part[2], part[1], part[8]
                printf "  again: `cd %s/%s_%s && make ARCH=%s && ./%s`\n", value["samples in"], part[3], part[2], value["architecture"], part[4]
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
    --samples | --seed | --output | --weft)
        [ $# -ge 2 ] || usage "$1 takes a value"
        case $1 in
        --samples) is_number "$2" || usage "--samples takes a number, not '$2'"; samples=$2 ;;
        --seed) is_number "$2" || usage "--seed takes a number, not '$2'"; seed=$2 ;;
        --output) case $2 in /*) out=$2 ;; *) out=$PWD/$2 ;; esac ;;
        --weft) case $2 in /*) weft=$2 ;; *) weft=$PWD/$2 ;; esac ;;
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
knows=$(nvidia-smi | sed -n 's/.*CUDA Version: *\([0-9]*\)\..*/\1/p')
compiles=$(nvcc --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
if [ -n "$knows" ] && [ -n "$compiles" ] && [ "$compiles" -gt "$knows" ]; then
    stop 3 "nvcc is of CUDA $compiles, the driver only knows CUDA $knows: name an older toolkit by CUDA_HOME; nothing was run"
fi

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

# The device's architecture, or the oldest that the samples are for, where this nvcc does not know it.
pick_architecture() {
    arch=sm_$(printf '%s' "$listed" | head -n 1 | cut -d , -f 4 | tr -d ' .')
    nvcc --list-gpu-code 2>/dev/null | grep -qx "$arch" || arch=sm_75
}

collect_facts() {
    : >"$out/facts.tsv"
    fact "device" "$(printf '%s' "$listed" | head -n 1 | cut -d , -f 1)"
    fact "compute capability" "$(printf '%s' "$listed" | head -n 1 | cut -d , -f 4 | tr -d ' ')"
    fact "memory" "$(printf '%s' "$listed" | head -n 1 | cut -d , -f 3 | sed 's/^ //')"
    fact "driver" "$(printf '%s' "$listed" | head -n 1 | cut -d , -f 2 | tr -d ' ')"
    fact "architecture" "$arch"
    fact "nvcc" "$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
    fact "weft" "$("$weft" --version | head -n 1)"
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
    "$weft" generate --count "$samples" --seed "$seed" --format standalone --quiet --output "$out/samples"
    fact "samples" "$samples, seed $seed"
    fact "samples in" "$out/samples"
    fact "generation" "$(since "$start") s"
}

# Builds one sample; what nvcc says is kept beside it.
build_sample() {
    start=$(seconds_now)
    make -C "$1" ARCH="$arch" >"$1/build.log" 2>&1 || touch "$1/build.failed"
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
    took=0
    kernels=0
    if [ -e "$folder/build.failed" ]; then
        outcome=build
        said=$(grep -m 1 -i error "$folder/build.log" || tail -n 1 "$folder/build.log")
    else
        start=$(seconds_now)
        status=0
        (cd "$folder" && timeout 120 "./$program") >"$folder/run.log" 2>"$folder/run.err" || status=$?
        took=$(since "$start")
        said=$(tail -q -n 1 "$folder/run.log" "$folder/run.err" | tail -n 1)
        kernels=$(awk '/ took [0-9.]+ ms$/ { sum += $(NF - 1) } END { printf "%.3f", sum }' "$folder/run.log")
        case $status in 0) outcome=pass ;; 1) outcome=fail ;; *) outcome=crash said="status $status: $said" ;; esac
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$outcome" "$category" "${name%%_*}" "$program" \
        "$(cat "$folder/build.seconds")" "$took" "$kernels" "$(printf '%s' "$said" | tr '\t`' "  '")" >>"$out/results.tsv"
}

run_samples() {
    : >"$out/results.tsv"
    start=$(seconds_now)
    for folder in "$out"/samples/*/; do
        run_sample "${folder%/}"
    done
    fact "execution" "$(since "$start") s, one program after the other"
}

pick_architecture
if [ -n "$weft" ]; then
    collect_facts
else
    # shellcheck disable=SC2086,SC2154 # the list comes from setup.sh and is meant to be split
    need_packages $build_packages g++ make
    build_preset release
    weft=$PWD/build/weft
    collect_facts
    say "tests that need a device"
    run_tests
fi
say "$samples standalone samples: making, building, running"
make_samples
build_samples
run_samples
failed=0
write_report "$out/facts.tsv" "$out/results.tsv" >"$out/gpu_report.md" || failed=1
say "report: $out/gpu_report.md"
cat "$out/gpu_report.md"
exit $failed
