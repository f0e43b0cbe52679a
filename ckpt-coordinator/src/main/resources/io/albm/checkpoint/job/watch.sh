#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Starts a rank's program beside a watcher, which kills all that came of the program when the process that started it is
# gone, or when its lease ends. RankProcess starts this in a session of its own, as
#
#     ALBM_WATCH=MARK setsid sh watch.sh run UNTIL PROGRAM [ARGUMENT...]
#
# Standard input says a new UNTIL in each line; its end is the end of who starts. UNTIL is a time in hundredths of a
# second since the machine's start, as /proc/uptime has it, or 0 for no lease. The program takes this process's place.
# Standard error is the watcher's own: its end is the watcher's.
#
# The watcher is a pair: a reader of the lines, and a timer, which is made anew for each UNTIL. A reader that is dead or
# stopped makes no new timer, so the last one's time comes; a timer that is dead is made anew.
set -u

# In hundredths of a second since the machine's start.
look_at_the_clock() {
    read -r uptime _ </proc/uptime
    now=$((${uptime%.*} * 100 + 1${uptime#*.} - 100))
}

# All that came of the program and lives: what is in its session, and what has its mark in its environment, which stays
# with a process that has left the session. See RankFamily, which does the same.
find_alive() {
    alive=
    for stat in /proc/[0-9]*/stat; do
        { read -r line <"$stat"; } 2>/dev/null || continue
        pid=${line%% *}
        # After the name: state, parent, group, session.
        set -- ${line##*) }
        case $1$4 in
            Z* | X*) ;;
            ?"$session") alive="$alive $pid" ;;
        esac
    done
    for environment in $(grep -lsF "ALBM_WATCH=$mark" /proc/[0-9]*/environ); do
        pid=${environment#/proc/}
        alive="$alive ${pid%/environ}"
    done
}

# A process that is born or changes its program just now may be missed once, but not twice in a row.
kill_all() {
    trap '' TERM
    missed=0
    while [ $missed -lt 2 ]; do
        find_alive
        if [ -z "$alive" ]; then
            missed=$((missed + 1))
        else
            missed=0
            kill -9 $alive
        fi
        sleep 0.05
    done 2>/dev/null
}

has_come() { # UNTIL
    look_at_the_clock
    [ "$1" -ne 0 ] && [ "$now" -ge "$1" ]
}

timer() {
    nap=
    trap 'kill $nap 2>/dev/null; exit' TERM
    until has_come "$until"; do
        rest=$((until - now))
        sleep "$((rest / 100)).$((rest / 10 % 10))$((rest % 10))" &
        nap=$!
        wait $nap
    done
    kill_all
}

stop_timer() {
    if [ -n "$timer" ]; then
        # Goes on first, if somebody has stopped it.
        kill -TERM "$timer"
        kill -CONT "$timer"
        wait "$timer"
        timer=
    fi 2>/dev/null
}

start_timer() {
    if [ "$until" -ne 0 ]; then
        timer </dev/null >/dev/null 2>&1 &
        timer=$!
    fi
}

# Once the time has come, no later line counts.
watch() { # UNTIL SESSION MARK
    until=$1
    session=$2
    mark=$3
    timer=
    start_timer
    while read -r next; do
        stop_timer
        if has_come "$until"; then
            break
        fi
        until=$next
        start_timer
    done
    kill_all
    stop_timer
}

case $1 in
    run)
        until=$2
        mark=$ALBM_WATCH
        shift 2
        # Who starts this may have been stopped since it looked. What a subshell sets is not in the program's environment.
        if (has_come "$until"); then
            exit 137
        fi
        exec 3<&0
        # Nobody's child, so that the program does not meet a child that it has not started.
        (
            unset ALBM_WATCH
            setsid sh "$0" watch "$until" $$ "$mark" <&3 3<&- >/dev/null &
        )
        exec "$@" </dev/null 3<&- 2>&1
        ;;
    watch)
        watch "$2" "$3" "$4"
        ;;
esac
