#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The job behind the array: joins the parts into the very bytes that one machine would have made.
#SBATCH --job-name=weft-merge
#SBATCH --cpus-per-task=8
#SBATCH --mem=4G
#SBATCH --time=04:00:00
#SBATCH --output=weft-merge-%j.log
set -eu

: "${WEFT:=weft}"
: "${SET:=data/full}"

exec "$WEFT" merge "$SET".parts/* --output "$SET"
