// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.bench.load.Answers;
import io.albm.bench.process.ProcessGroup;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server process, without a control group, that may hold 10 MB. */
class MemoryServerTest {
    @TempDir
    private Path base;

    @Test
    void answersWhileThereIsMemoryAndRefusesWhenThereIsNone() throws IOException, InterruptedException {
        try (ProcessGroup processes = ProcessGroup.in(base)) {
            String ready = processes
                    .startJava(
                            "server",
                            List.of("-Xmx32m"),
                            MemoryServer.class,
                            processes.directory().resolve("documents").toString(),
                            Integer.toString(1 << 20),
                            Integer.toString(10_000_000))
                    .awaitReady(Duration.ofSeconds(30));
            Plan.Pace pace = new Plan.Pace(Duration.ZERO, Duration.ofMillis(1500));
            Answers answers = Clients.load(NodeAddress.parse(ready), 1, 1, pace);
            assertThat(answers.perSecond()).isPositive();
            assertThat(answers.failuresByReason().keySet()).contains("/hold15 HTTP/1.1 503 Out Of Memory");
        }
    }
}
