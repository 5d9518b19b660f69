#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Submits the array and, behind it, the job that joins its parts. From the folder of these scripts:
#   SET=/scratch/full COUNT=10000000 TASKS=64 sh submit.sh
set -eu
cd "$(dirname "$0")"

array=$(sbatch --parsable --export=ALL --array="1-${TASKS:-64}" generate.sh)
merge=$(sbatch --parsable --export=ALL --dependency="afterok:${array%%;*}" merge.sh)
echo "array ${array%%;*}, then ${merge%%;*}"
