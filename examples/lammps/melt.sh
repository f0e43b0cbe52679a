#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# One rank: a melt with a seed of its own, without MPI. LAMMPS replaces this shell, so that it is the rank's process.
cd "$(dirname "$0")" || exit
export OMP_NUM_THREADS=1
exec "${LMP:-lmp}" -in in.melt -log none -var states "$ALBM_HANDOVER" -var seed $((87287 + ALBM_RANK)) \
    ${ALBM_RESTORED:+-var restored "$ALBM_RESTORED"}
