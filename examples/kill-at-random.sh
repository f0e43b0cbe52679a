#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs a job again and again, kills one of its ranks at a random moment of each run, and holds the result against that of
# a run in which nobody was killed. Needs a cluster ('albm up --detach'), which 'albm job run' finds as always.
#
#   kill-at-random.sh KILLS RANKS RESULT [OPTION of 'albm job run']... -- CMD...
#
# RESULT is an extended regular expression for the lines of the ranks' output that are the result. Ends with 0 if all
# results are the same.
set -euo pipefail

kills=$1 ranks=$2 result=$3
shift 3
# Which cluster it is, 'albm ckpt' has to know, too.
cluster=()
for ((i = 1; i <= $#; i++)); do
    case ${!i} in
        --) break ;;
        --data | --cluster | --zookeeper) cluster+=("${@:i:2}") ;;
        --data=* | --cluster=* | --zookeeper=*) cluster+=("${!i}") ;;
    esac
done
albm=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/albm
longest=300 # seconds for one run
work=$(mktemp -d)
job=""
trap 'kill ${job:+"$job"} 2>/dev/null || :; rm -rf "$work"' EXIT

now() { date +%s%3N; }

# Who waits forever for a line proves nothing.
await() { # PATTERN FILE
    local end=$(($(now) + longest * 1000))
    until grep -Eq "$1" "$2"; do
        kill -0 "$job" 2>/dev/null || { cat "$2" >&2; return 1; }
        [ "$(now)" -lt $end ] || { echo "no '$1' within $longest s" >&2; return 1; }
        sleep 0.02
    done
}

# What ranks said, in their order, whichever was faster. A rank that was done before another one died says it again.
results() { # LOG
    grep -E '^\[[0-9]+\] ' "$1" | grep -E "^\[[0-9]+\] $result" | sort -V | uniq
}

start() { # NAME OPTION... -- CMD...
    log=$work/$1.log
    : >"$log"
    timeout $longest "$albm" job run --name "$1" --ranks "$ranks" --interval 500ms "${@:2}" >"$log" 2>&1 &
    job=$!
    await "ranks started" "$log"
    began=$(now)
}

finish() { # NAME
    wait "$job" || { cat "$log" >&2; return 1; }
    job=""
    "$albm" ckpt rm "$1" ${cluster[@]+"${cluster[@]}"} >/dev/null
}

prefix=random-$(now)
start "$prefix-0" "$@"
await "finished after" "$log"
lasts=$(($(now) - began))
finish "$prefix-0"
results "$log" >"$work/expected"
[ -s "$work/expected" ] || { echo "no line of the undisturbed run's output is a result: $result" >&2; cat "$log" >&2; exit 1; }
echo "undisturbed: $lasts ms, $(grep -c ' committed: ' "$log" || :) checkpoints, result:"
sed 's/^/    /' "$work/expected"

printf '%5s %9s %5s  %-42s %s\n' kill after rank 'rolled back to' result
killed=0 different=0
# A run that was over before the kill does not count; how often that may be is bounded.
for ((run = 1; killed < kills && run <= 3 * kills; run++)); do
    name=$prefix-$run
    start "$name" "$@"
    after=$((lasts / 4 + (RANDOM * 32768 + RANDOM) % (lasts * 65 / 100)))
    rank=$((RANDOM % ranks))
    pids=$(sed -n 's/.* ranks started .*pids \[\([^]]*\)\].*/\1/p' "$log" | head -n 1 | tr -d ,)
    victim=$(echo "$pids" | cut -d' ' -f$((rank + 1)))
    sleep "$((after / 1000)).$(printf %03d $((after % 1000)))"
    kill -9 "$victim" 2>/dev/null || victim=""
    finish "$name"
    back=$(sed -n 's/^rollback to \(.*\): [0-9]* ms.*/\1/p' "$log" | paste -sd';')
    if [ -z "$victim" ] || [ -z "$back" ]; then
        echo "    the rank had ended before: once more"
        continue
    fi
    killed=$((killed + 1))
    if results "$log" | cmp -s - "$work/expected"; then
        same=identical
    else
        same=DIFFERENT
        different=$((different + 1))
        results "$log" | diff "$work/expected" - || :
    fi
    printf '%5d %6d ms %5d  %-42s %s\n' $killed $after $rank "$back" $same
done
echo "$killed kills, $different different results"
[ $different -eq 0 ] && [ $killed -eq "$kills" ]
