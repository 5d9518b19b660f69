#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# For a machine with an NVIDIA GPU: builds weft, runs the tests labelled gpu, runs records and standalone
# programs of all categories on the device, forward and backward; writes gpu_report.md.
#
# usage: sh scripts/run_on_gpu.sh [--samples N] [--records N] [--seed S] [--output DIR] [--weft PROGRAM]
#        sh scripts/run_on_gpu.sh --report FACTS SAMPLES RECORDS    prints the report of these three files
#
# samples: 240, records: 1200; 0: none of them. DIR: out/gpu, where all is left. With --weft nothing is built but the
# samples, and ctest is not run.
# Exit status: 0 all passed; 1 something failed, the report names it; 2 wrong usage; 3 nothing was run, or not all
# could be: one sentence says what is missing; 130 interrupted.
#
# FACTS has lines `name<TAB>value`. SAMPLES has a line for each sample:
# `outcome<TAB>category<TAB>id<TAB>program<TAB>build seconds<TAB>run seconds<TAB>kernels' milliseconds<TAB>last line
# it printed`; an outcome is pass, fail (wrong result), crash (any other end, a hang too) or build (nvcc refused it).
# RECORDS has a line for each category: `all<TAB>category<TAB>records<TAB>seconds to make<TAB>seconds to run`, and one
# for each record that did not pass: `fail|lost<TAB>category<TAB>id<TAB>file<TAB>line<TAB>reason`; lost: not run, since
# the device failed before.
set -eu

samples=240
records=1200
seed=1
out=
weft=
categories="arithmetic conditional loop math vector matrix atomic nested_loop multi_conditional combined scalar_param random_math"

tell() { printf 'run_on_gpu.sh: %s\n' "$*" >&2; }
stop() {
    status=$1
    shift
    tell "$*"
    exit "$status"
}

usage() { stop 2 "$1; usage: sh scripts/run_on_gpu.sh [--samples N] [--records N] [--seed S] [--output DIR] [--weft PROGRAM]"; }

is_number() {
    case $1 in '' | *[!0-9]* | ?????????*) return 1 ;; esac
}

# The report of three files, as Markdown on stdout; false where something failed or nothing ran.
write_report() {
    awk -F '\t' -v facts="$1" '
        function row(name, n, good, bad, wrong, ended, built, ran, kernels) {
            printf "| %s | %d | %d | %d | %d | %d | %.1f | %.2f | %.3f |\n", name, n, good, bad, wrong, ended, built, ran, kernels
        }
        function record_row(name, n, wrong, lost, made, ran) {
            printf "| %s | %d | %d | %d | %d | %.2f | %.2f |\n", name, n, n - wrong - lost, wrong, lost, made, ran
        }
        function quoted(path) {
            gsub(/\047/, "\047\\\047\047", path)
            return "\047" path "\047"
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
        $1 == "all" {
            record_order[++record_categories] = $2
            record_count[$2] = $3; record_made[$2] = $4; record_ran[$2] = $5
            all_records += $3; all_record_made += $4; all_record_ran += $5
            next
        }
        NF == 6 && ($1 == "fail" || $1 == "lost") {
            record_bad[$2, $1]++; record_sum[$1]++
            if ($1 == "fail") record_failed[++record_failures] = $0
            next
        }
        NF >= 7 {
            if (!($2 in count)) order[++categories] = $2
            count[$2]++; built[$2] += $5; ran[$2] += $6; kernels[$2] += $7; outcome[$2, $1]++
            total++; all_built += $5; all_ran += $6; all_kernels += $7; sum[$1]++
            if ($1 != "pass") failed[++failures] = $0
        }
        END {
            if (total) {
                print "\n## Standalone samples\n"
                print "| category | samples | pass | not built | wrong | crashed | build s | run s | kernels ms |"
                print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
                for (i = 1; i <= categories; i++) {
                    c = order[i]
                    row(c, count[c], outcome[c, "pass"], outcome[c, "build"], outcome[c, "fail"], outcome[c, "crash"], built[c], ran[c], kernels[c])
                }
                row("all", total, sum["pass"], sum["build"], sum["fail"], sum["crash"], all_built, all_ran, all_kernels)
            }
            if (all_records) {
                print "\n## Records\n"
                print "| category | records | pass | wrong | not run | generation s | execution s |"
                print "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
                for (i = 1; i <= record_categories; i++) {
                    c = record_order[i]
                    record_row(c, record_count[c], record_bad[c, "fail"], record_bad[c, "lost"], record_made[c], record_ran[c])
                }
                record_row("all", all_records, record_sum["fail"], record_sum["lost"], all_record_made, all_record_ran)
            }
            if (failures || record_failures) print "\n## Failures\n"
            for (i = 1; i <= failures; i++) {
                split(failed[i], part, "\t")
                printf "- %s, %s: %s: `%s`\n", part[3], part[2], part[1], part[8]
                printf "  again: `cd %s && make NVCC=%s ARCH=%s && ./%s`\n", quoted(value["samples in"] "/" part[3] "_" part[2]), quoted(value["nvcc program"]), value["architecture"], part[4]
            }
            for (i = 1; i <= record_failures; i++) {
                split(record_failed[i], part, "\t")
                printf "- record %s, %s: `%s`\n", part[3], part[2], part[6]
                printf "  again: `sed -n %dp %s >one.jsonl && %s validate one.jsonl --checks schema --device cuda`\n", part[5], quoted(part[4]), quoted(value["program"])
            }
            print ""
            lost = record_sum["lost"] + 0
            bad = failures + record_failures
            if (!total && !all_records) print "Nothing ran."
            if (total && failures) printf "%d of %d samples failed.\n", failures, total
            else if (total) printf "All %d samples passed.\n", total
            if (all_records && (record_failures || lost)) printf "%d of %d records failed, %d were not run.\n", record_failures, all_records, lost
            else if (all_records) printf "All %d records passed.\n", all_records
            if ("not run" in value) printf "Not run: %s.\n", value["not run"]
            if (broken) print "Tests labelled gpu failed: `ctest --preset release -L gpu` shows them."
            exit(bad || lost || broken || (!total && !all_records))
        }' "$2" "$3"
}

while [ $# -gt 0 ]; do
    case $1 in
    --report)
        [ $# -eq 4 ] || usage "--report takes three files"
        for file in "$2" "$3" "$4"; do
            [ -r "$file" ] || stop 3 "cannot read $file"
        done
        write_report "$2" "$3" "$4"
        exit
        ;;
    --samples | --records | --seed | --output | --weft)
        [ $# -ge 2 ] || usage "$1 takes a value"
        case $1 in
        --samples) is_number "$2" || usage "--samples takes a number, not '$2'"; samples=$2 ;;
        --records) is_number "$2" || usage "--records takes a number, not '$2'"; records=$2 ;;
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

# nvidia-smi and CUDA are to number the devices in one way, and to mean the same one.
CUDA_DEVICE_ORDER=PCI_BUS_ID
CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES-0}
export CUDA_DEVICE_ORDER CUDA_VISIBLE_DEVICES
[ -n "$CUDA_VISIBLE_DEVICES" ] || stop 3 "CUDA_VISIBLE_DEVICES is empty, which hides every GPU: nothing was run"
command -v nvidia-smi >/dev/null ||
    stop 3 "no NVIDIA driver on this machine (there is no nvidia-smi): nothing was run"
asked=name,driver_version,memory.total,compute_cap
listed=$(nvidia-smi -i "${CUDA_VISIBLE_DEVICES%%,*}" --query-gpu=$asked --format=csv,noheader 2>&1) ||
    listed=$(nvidia-smi --query-gpu=$asked --format=csv,noheader 2>&1) ||
    stop 3 "the NVIDIA driver does not answer: nothing was run; nvidia-smi says: $(printf '%s' "$listed" | head -n 1)"
[ -n "$listed" ] || stop 3 "the NVIDIA driver knows no GPU: nothing was run"
listed=$(printf '%s' "$listed" | head -n 1)
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
knows=$(nvidia-smi | sed -n 's/.*CUDA Version: *\([0-9]*\)\..*/\1/p')
missing=
nvcc=$(command -v nvcc) || nvcc=
if [ -z "$nvcc" ]; then
    missing="there is no nvcc (install the CUDA toolkit, or name its folder by CUDA_HOME)"
else
    compiles=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
    if [ -n "$knows" ] && [ -n "$compiles" ] && [ "$compiles" -gt "$knows" ]; then
        missing="nvcc is of CUDA $compiles, the driver only knows CUDA $knows (name an older toolkit by CUDA_HOME)"
    fi
fi
if [ -n "$missing" ] && [ "$records" -eq 0 ]; then
    stop 3 "a GPU is here, but $missing: nothing was run"
fi

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
. scripts/setup.sh
out=${out:-$root/out/gpu}
mkdir -p "$out" 2>/dev/null && [ -w "$out" ] || stop 3 "cannot write to $out"
if { [ -e "$out/samples" ] || [ -e "$out/records" ]; } && [ ! -e "$out/facts.tsv" ]; then
    stop 3 "$out is not of an earlier run: name another folder by --output"
fi
builds=
# shellcheck disable=SC2086 # a list of process ids
trap '[ -z "$builds" ] || kill $builds 2>/dev/null || true; stop 130 "interrupted; what there is lies in $out"' INT TERM

# --- build, tests, samples ------------------------------------------------------------------------

seconds_now() { date +%s.%N; }
since() { awk -v from="$1" -v to="$(seconds_now)" 'BEGIN { printf "%.2f", to - from }'; }
fact() { printf '%s\t%s\n' "$1" "$2" >>"$out/facts.tsv"; }
listed_field() { printf '%s' "$listed" | cut -d , -f "$1" | sed 's/^ *//; s/ *$//'; }

# The device's architecture, or the oldest that the samples are for, where this nvcc does not know it.
pick_architecture() {
    arch=sm_$(listed_field 4 | tr -d '.')
    [ -n "$nvcc" ] && "$nvcc" --list-gpu-code 2>/dev/null | grep -qx "$arch" || arch=sm_75
}

collect_facts() {
    : >"$out/facts.tsv"
    fact "device" "$(listed_field 1)"
    fact "compute capability" "$(listed_field 4)"
    fact "memory" "$(listed_field 3)"
    fact "driver" "$(listed_field 2)"
    fact "CUDA_VISIBLE_DEVICES" "$CUDA_VISIBLE_DEVICES"
    fact "architecture" "$arch"
    if [ -n "$nvcc" ]; then
        fact "nvcc" "$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
        fact "nvcc program" "$nvcc"
    fi
    fact "weft" "$("$weft" --version | head -n 1)"
    fact "program" "$weft"
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
    "$weft" generate --kind exercise --count "$samples" --seed "$seed" --format standalone --quiet --output "$out/samples" ||
        stop 1 "the samples cannot be made"
    fact "samples" "$samples, seed $seed"
    fact "samples in" "$out/samples"
    fact "generation of samples" "$(since "$start") s"
}

# Builds one sample; what nvcc says is kept beside it.
build_sample() {
    start=$(seconds_now)
    make -C "$1" NVCC="'$nvcc'" ARCH="$arch" >"$1/build.log" 2>&1 || touch "$1/build.failed"
    since "$start" >"$1/build.seconds"
}

# Builds all, as many at a time as there are cores; a failure is seen by build.failed.
build_samples() {
    start=$(seconds_now)
    cores=$(nproc)
    running=0
    for folder in "$out"/samples/*_*/; do
        build_sample "${folder%/}" &
        builds="$builds $!"
        running=$((running + 1))
        if [ "$running" -ge "$cores" ]; then
            wait
            running=0 builds=
        fi
    done
    wait
    builds=
    fact "building of samples" "$(since "$start") s on $cores cores"
}

one_line() { printf '%s' "$1" | tr '\t`\n' "  ' " | cut -c 1-300; }

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
        (cd "$folder" && timeout -k 10 120 "./$program") >"$folder/run.log" 2>"$folder/run.err" || status=$?
        took=$(since "$start")
        said=$(tail -q -n 1 "$folder/run.log" "$folder/run.err" | tail -n 1)
        kernels=$(awk '/ took [0-9.]+ ms$/ { sum += $(NF - 1) } END { printf "%.3f", sum }' "$folder/run.log")
        case $status in 0) outcome=pass ;; 1) outcome=fail ;; *) outcome=crash said="status $status: $said" ;; esac
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$outcome" "$category" "${name%%_*}" "$program" \
        "$(cat "$folder/build.seconds")" "$took" "$kernels" "$(one_line "$said")" >>"$out/samples.tsv"
}

run_samples() {
    began=$(seconds_now)
    for folder in "$out"/samples/*_*/; do
        run_sample "${folder%/}"
    done
    fact "execution of samples" "$(since "$began") s, one program after the other"
}

# --- records --------------------------------------------------------------------------------------

# Where the Python packages of the tests have NVRTC, if there is none elsewhere.
set_sites() {
    set -- "$root"/build/venv/lib/python3*/site-packages
    site=
    [ -d "$1" ] && site=$1
    return 0
}

on_device() {
    if [ -n "$site" ]; then
        "$weft" "$@" --device cuda -I "$site"
    else
        "$weft" "$@" --device cuda
    fi
}

# Why weft cannot run anything on the device; empty: it can.
ask_device() {
    set_sites
    reason=$(on_device run docs/scale.py --dim 4 --arg x=zeros:4 --arg s=2 2>&1) && reason= || {
        [ $? -eq 3 ] || reason=
    }
    reason=$(printf '%s\n' "$reason" | sed -n 's/^weft: error: \(--device cuda: \)\{0,1\}//p' | head -n 1)
}

# weft's answer in JSON to rows of RECORDS: each problem stands in a line of its own.
read_problems() {
    awk -v category="$1" '
        function text(key,    from, s, i, c, said) {
            from = index($0, "\"" key "\": ")
            if (!from) return ""
            s = substr($0, from + length(key) + 4)
            if (substr(s, 1, 1) != "\"") { match(s, /^[0-9]*/); return substr(s, 1, RLENGTH) }
            for (i = 2; i <= length(s); i++) {
                c = substr(s, i, 1)
                if (c == "\"") break
                if (c == "\\") { i++; c = substr(s, i, 1) == "n" ? " " : substr(s, i, 1) }
                said = said c
            }
            return said
        }
        /^\{"file": / {
            reason = text("reason")
            gsub(/[\t`]/, " ", reason)
            printf "%s\t%s\t%s\t%s\t%s\t%s\n", reason ~ /^not run, / ? "lost" : "fail", category, text("id"), text("file"), text("line"), substr(reason, 1, 300)
        }' "$2"
}

# A set of its own for each category: a device that is lost takes no more than that with it.
run_category() {
    folder=$out/records/$1
    start=$(seconds_now)
    "$weft" generate --kind exercise --count "$2" --seed "$seed" --categories "$1" --device cuda --quiet --output "$folder" ||
        stop 1 "the records of '$1' cannot be made"
    made=$(since "$start")
    start=$(seconds_now)
    status=0
    on_device validate "$folder" --checks schema --json --quiet >"$folder.json" 2>"$folder.err" || status=$?
    printf 'all\t%s\t%s\t%s\t%s\n' "$1" "$2" "$made" "$(since "$start")" >>"$out/records.tsv"
    read_problems "$1" "$folder.json" >>"$out/records.tsv"
    if [ "$status" -gt 1 ] && ! grep -q '^{"file": ' "$folder.json"; then
        printf 'lost\t%s\t\t\t\t%s\n' "$1" "$(one_line "$(cat "$folder.err")")" |
            awk -v n="$2" '{ for (i = 0; i < n; i++) print }' >>"$out/records.tsv"
    fi
}

run_records() {
    rm -rf "$out/records"
    mkdir -p "$out/records"
    began=$(seconds_now)
    at=0
    for category in $categories; do
        count=$(((records + 11 - at) / 12))
        at=$((at + 1))
        [ "$count" -eq 0 ] || run_category "$category" "$count"
    done
    fact "records" "$records, seed $seed"
    fact "records in" "$out/records"
    fact "records took" "$(since "$began") s, generation and execution"
}

# --- all of it ------------------------------------------------------------------------------------

pick_architecture
if [ -n "$weft" ]; then
    [ -x "$weft" ] || stop 3 "$weft is no program"
    collect_facts
else
    # shellcheck disable=SC2086,SC2154 # the list comes from setup.sh and is meant to be split
    (need_packages $build_packages g++ make && build_preset release) ||
        stop 3 "weft could not be built, for the reason above: nothing was run"
    weft=$root/build/weft
    collect_facts
    say "tests that need a device"
    run_tests
fi
: >"$out/samples.tsv"
: >"$out/records.tsv"
left=
if [ "$records" -gt 0 ]; then
    ask_device
    if [ -n "$reason" ]; then
        left="records, since $reason"
    else
        say "$records records: making, running"
        run_records
    fi
fi
if [ "$samples" -gt 0 ] && [ -n "$missing" ]; then
    left="${left:+$left; }standalone samples, since $missing"
elif [ "$samples" -gt 0 ]; then
    say "$samples standalone samples: making, building, running"
    make_samples
    build_samples
    run_samples
fi
[ -z "$left" ] || fact "not run" "$left"
failed=0
write_report "$out/facts.tsv" "$out/samples.tsv" "$out/records.tsv" >"$out/gpu_report.md" || failed=1
say "report: $out/gpu_report.md"
cat "$out/gpu_report.md"
if [ -n "$left" ]; then
    tell "not run: $left"
    [ -s "$out/samples.tsv" ] || [ -s "$out/records.tsv" ] || failed=3
    [ "$failed" -ne 0 ] || failed=3
fi
exit $failed
