#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# LAMMPS (Debian: apt-get install lammps), killed at random: its last thermo line must be that of an undisturbed run.
#
#   prove.sh [KILLS] [OPTION of 'albm job run']...
kills=${1:-20}
[ $# -eq 0 ] || shift
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../kill-at-random.sh" "$kills" 2 ' *4000 ' --handover --handover-names 'restart.*' --handover-in-place "$@" \
    -- "$here/melt.sh"
