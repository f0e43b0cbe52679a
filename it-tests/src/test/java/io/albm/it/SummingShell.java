// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import java.util.List;
import java.util.stream.LongStream;

/** A shell that knows nothing of checkpoints but to write a file and rename it, every fifth step. */
final class SummingShell {
    private SummingShell() {}

    /** @param beforehand a line that is run first */
    static List<String> command(int steps, String pauseSeconds, String beforehand) {
        String script = """
                step=${ALBM_RESTORED_STEP:-0}; sum=0
                [ -z "$ALBM_RESTORED" ] || sum=$(cat "$ALBM_RESTORED")
                %s
                while [ $step -lt %d ]; do
                    step=$((step + 1)); sum=$(((sum * 31 + step + ALBM_RANK) %% 1000003))
                    if [ $((step %% 5)) -eq 0 ]; then
                        echo $sum > $ALBM_HANDOVER/$step.tmp; mv $ALBM_HANDOVER/$step.tmp $ALBM_HANDOVER/$step
                    fi
                    sleep %s
                done
                echo sum $sum
                """.formatted(beforehand, steps, pauseSeconds);
        return List.of("sh", "-c", script);
    }

    /** What a rank prints at its end. */
    static String result(int steps, int rank) {
        return "sum " + LongStream.rangeClosed(1, steps).reduce(0, (sum, step) -> (sum * 31 + step + rank) % 1_000_003);
    }
}
