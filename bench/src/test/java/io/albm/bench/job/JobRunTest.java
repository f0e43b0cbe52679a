// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.job;

import static org.awaitility.Awaitility.await;

import io.albm.bench.process.ProcessGroup;
import io.albm.core.local.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobRunTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    @TempDir
    private Path temp;

    /** {@code LOG}: starts a job that says its process id, and waits. */
    static final class Starter {
        private Starter() {}

        public static void main(String... arguments) throws Exception {
            JobRun.start(List.of("sh", "-c", "echo $$; exec sleep 60"), Map.of(), Path.of(arguments[0]), said -> {});
            TimeUnit.MINUTES.sleep(1);
        }
    }

    @Test
    void endsWithWhoStartedItAlsoIfThatIsKilled() throws Exception {
        Path log = Files.createFile(temp.resolve("log"));
        Process starter = new ProcessBuilder(
                        ProcessGroup.javaCommand(List.of(), List.of(), Starter.class, log.toString()))
                .inheritIO()
                .start();
        ProcessIdentity job;
        try {
            await().atMost(BOUND).until(() -> Files.readString(log).endsWith("\n"));
            job = process(log);
        } finally {
            starter.destroyForcibly().waitFor();
        }
        await().atMost(BOUND).until(() -> !job.isAlive());
    }

    private static ProcessIdentity process(Path log) throws IOException {
        return ProcessIdentity.of(Long.parseLong(Files.readString(log).strip())).orElseThrow();
    }
}
