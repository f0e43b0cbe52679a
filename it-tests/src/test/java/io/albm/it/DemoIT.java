// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import io.albm.it.Albm.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code albm demo}, as a user types it: all holds, and each check breaks if what it looks at is broken. */
@Order(1)
class DemoIT {
    private static final String FEW_STEPS = "800";

    @TempDir
    private Path directory;

    @Test
    void allChecksHoldAndNothingIsKept() throws Exception {
        Result demo = demo().run("demo", "--json", "--steps", FEW_STEPS);

        assertThat(demo.exitCode()).as(demo.lastWords()).isZero();
        assertThat(Json.tree(demo.out()).path("ok").asBoolean()).isTrue();
        assertThat(broken(demo)).isEmpty();
        try (Stream<Path> kept = Files.list(directory.resolve(".albm"))) {
            assertThat(kept).isEmpty();
        }
    }

    @Test
    void wrongBytesAWrongResultARottenBitAndAStrayProcessAreSeen() throws Exception {
        Result demo = demo().run(
                        "demo",
                        "--json",
                        "--steps",
                        FEW_STEPS,
                        "--sabotage",
                        "bodies,hash,degraded-read,scrub,processes");

        assertThat(demo.exitCode()).as(demo.lastWords()).isEqualTo(1);
        assertThat(broken(demo)).containsExactlyInAnyOrder("bodies", "hash", "degraded-read", "scrub", "processes");
    }

    @Test
    void failedRequestsAMissingRollbackAndALostNodeAreSeen() throws Exception {
        Result demo = demo().run("demo", "--json", "--steps", FEW_STEPS, "--sabotage", "requests,rollback,rebuild");

        assertThat(demo.exitCode()).as(demo.lastWords()).isEqualTo(1);
        assertThat(broken(demo)).containsExactlyInAnyOrder("requests", "rollback", "rebuild", "scrub");
        assertThat(demo.lastWords())
                .startsWith("albm: does not hold: requests (")
                .contains("failed; first: ", "), rollback (", "), rebuild (0 lost blocks made again");
    }

    @Test
    void whoInterruptsItIsToldAndLeavesNothingRunning() throws Exception {
        Path err = directory.resolve("err");
        Process demo = demo().start(directory.resolve("out"), err, "demo");
        await().until(() -> Files.readString(err).contains(" is ready, pid "));

        Signal.TERM.to(demo.pid());

        await().until(() -> !demo.isAlive());
        assertThat(demo.exitValue()).isEqualTo(143);
        assertThat(err).content().containsPattern("interrupted: stopped [1-9][0-9]* processes; their logs are in ");
        await().until(() -> ProcessHandle.allProcesses()
                .noneMatch(process -> process.info()
                        .commandLine()
                        .orElse("")
                        .contains(directory.resolve(".albm").toString())));
    }

    private Albm demo() {
        return Albm.in(directory).with("ALBM_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    }

    private static Stream<String> broken(Result demo) {
        JsonNode checks = Json.tree(demo.out()).path("checks");
        return StreamSupport.stream(checks.spliterator(), false)
                .filter(check -> !check.path("ok").asBoolean())
                .map(check -> check.path("name").asText());
    }
}
