#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One task of a Slurm job array: one part of a data set, in a folder of its own. weft reads which part
# it is from Slurm's variables; docs/slurm.md explains the rest.
#SBATCH --job-name=weft
#SBATCH --array=1-64
#SBATCH --cpus-per-task=8
#SBATCH --mem-per-cpu=500M
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --output=weft-%A_%a.log
set -eu

: "${WEFT:=weft}"       # the program
: "${SET:=data/full}"   # where the whole set is to be; its parts lie in $SET.parts
: "${COUNT:=10000000}"  # records of the whole set
: "${SEED:=2000}"
: "${DEVICE:=cuda}"

# A single task that is started again needs the number of all parts: PARTS=64.
part=$SET.parts/$(printf '%05d' "$SLURM_ARRAY_TASK_ID")

# --resume: a task that was stopped goes on behind its last whole file.
exec "$WEFT" generate --count "$COUNT" --seed "$SEED" --device "$DEVICE" --resume \
    --jobs "${SLURM_CPUS_PER_TASK:-1}" ${PARTS:+--shard "$SLURM_ARRAY_TASK_ID/$PARTS"} \
    --output "$part"
