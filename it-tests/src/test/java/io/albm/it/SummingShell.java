// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A shell that knows nothing of checkpoints but to write a file and rename it, every fifth step. Its first process does not end
 * by itself, however late the fault comes.
 */
final class SummingShell {
    private static final int STEPS = 60;

    private SummingShell() {}

    /** @param beforehand a line that is run first */
    static List<String> command(String pauseSeconds, String beforehand) {
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
                while [ $ALBM_ATTEMPT -eq 1 ]; do sleep 0.1; done
                echo sum $sum
                """.formatted(beforehand, STEPS, pauseSeconds);
        return List.of("sh", "-c", script);
    }

    /** What a rank prints at its end. */
    static String result(int rank) {
        return "sum " + LongStream.rangeClosed(1, STEPS).reduce(0, (sum, step) -> (sum * 31 + step + rank) % 1_000_003);
    }

    /** What the ranks of a job printed; beside it are words of the platform's own. */
    static List<String> results(Job job) throws IOException {
        return job.printed().stream().filter(line -> line.startsWith("sum ")).toList();
    }
}
