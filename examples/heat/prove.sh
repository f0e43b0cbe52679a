#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The heat example ('albm build examples/heat'), killed at random: its hash must be that of an undisturbed run.
#
#   prove.sh [KILLS] [OPTION of 'albm job run']...
kills=${1:-20}
[ $# -eq 0 ] || shift
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../kill-at-random.sh" "$kills" 3 'heat: step 500 sha256 ' "$@" -- \
    java -Xmx32m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar "$here/target/heat-all.jar" \
    --size 96 --steps 500 --pause 8
