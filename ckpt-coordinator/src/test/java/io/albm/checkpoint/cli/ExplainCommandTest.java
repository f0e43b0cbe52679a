// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.protocol.DrainRecord;
import io.albm.checkpoint.protocol.DrainSample;
import io.albm.checkpoint.strategy.PortState;
import io.albm.core.cli.Ansi;
import io.albm.core.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {
    @Test
    void saysWhyAndWhatItWasLikeOverTime() {
        assertThat(ExplainCommand.text("heat", record(""), Ansi.stdout())).isEqualTo("""
                checkpoint 12 of heat, credit-window: committed
                window 3: because
                6000000 bytes at step 400, by the coordinator with epoch 5
                bandwidth that others left: 80.00 MB/s when the drain began, 125.00 MB/s at the start
                Ratio_Checkpoint 0.0125; with a checkpoint in flight for 0.1000 of the time

                PHASE    MILLIS
                PREPARE       4
                DRAIN       750

                MILLIS  WRITERS   STORED    MB/S  SLOWEST  QUEUE MS  SENT AGAIN %
                     0        3        0  225.00   112.50      0.00          0.00
                   250        2  2000000       -        -      3.10          1.50

                I/O NODE    MB/S  ROUND TRIP MS  WITHOUT QUEUE MS
                n-1       112.50           3.30              0.20
                """);
    }

    @Test
    void saysWhyItWasAborted() {
        assertThat(ExplainCommand.text("heat", record("storage took too long"), Ansi.stdout()))
                .startsWith("checkpoint 12 of heat, credit-window: aborted, storage took too long\n");
    }

    @Test
    void aRecordIsTheSameAfterItWasKept() {
        assertThat(Json.read(Json.bytes(record("")), DrainRecord.class)).isEqualTo(record(""));
    }

    private static DrainRecord record(String failure) {
        Map<String, Long> phases = new LinkedHashMap<>();
        phases.put("PREPARE", 4L);
        phases.put("DRAIN", 750L);
        return new DrainRecord(
                12,
                failure,
                400,
                5,
                "credit-window",
                "window 3: because",
                3,
                6_000_000,
                125e6,
                80e6,
                phases,
                0.0125,
                0.1,
                List.of(
                        new DrainSample(0, 3, 0, 225e6, 112.5e6, 0, 0),
                        new DrainSample(250, 2, 2_000_000, 0, 0, 3100, 0.015)),
                List.of(new PortState("n-1", 112.5e6, 3300, 200)));
    }
}
