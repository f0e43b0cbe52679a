// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cli.CliException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessGroupTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    @TempDir
    private Path base;

    @Test
    void leavesNoProcessAndNoFileBehind() throws IOException {
        ChildProcess child;
        try (ProcessGroup group = ProcessGroup.in(base)) {
            child = group.start("server", List.of("sh", "-c", "echo READY now; sleep 600"));
            child.awaitReady(BOUND);
            assertThat(child.isAlive()).isTrue();
        }
        assertThat(child.isAlive()).isFalse();
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void countsTheCpuTimeOfAProcessAndItsChildren() throws IOException {
        try (ProcessGroup group = ProcessGroup.in(base)) {
            String busyChild = "sh -c 'while true; do :; done' & echo READY now; wait";
            ChildProcess child = group.start("parent", List.of("sh", "-c", busyChild));
            child.awaitReady(BOUND);
            child.await("busy", BOUND, () -> child.cpuTime().toMillis() >= 50);
        }
    }

    @Test
    void startsNothingOnceItIsClosed() throws IOException {
        ProcessGroup group = ProcessGroup.in(base);
        assertThat(group.isClosed()).isFalse();
        group.close();
        assertThat(group.isClosed()).isTrue();
        assertThatThrownBy(() -> group.start("late", List.of("true")))
                .isInstanceOf(CliException.class)
                .hasMessage("interrupted");
    }

    @Test
    void aProcessIsAskedAndAnswers() throws IOException {
        try (ProcessGroup group = ProcessGroup.in(base)) {
            ChildProcess child = group.startAsked("asked", List.of("sh", "-c", "read a; echo got $a; read b; exit 3"));
            assertThat(child.ask("one", BOUND)).isEqualTo("got one");
            assertThatThrownBy(() -> child.ask("two", BOUND))
                    .isInstanceOf(CliException.class)
                    .hasMessageContaining("ended before it was done with 'two'");
        }
    }

    @Test
    void commandsRunSideBySide() throws IOException {
        String pipe = base.resolve("pipe").toString();
        try (ProcessGroup group = ProcessGroup.in(base)) {
            group.run("mkfifo", List.of("mkfifo", pipe), BOUND);
            Map<String, List<String>> commands = new LinkedHashMap<>();
            commands.put("reader", List.of("cat", pipe));
            commands.put("writer", List.of("sh", "-c", "echo met > " + pipe));
            assertThat(group.runAll(commands, BOUND)).containsExactly("met", "");
        }
    }

    @Test
    void aCommandGivesItsOutput() throws IOException {
        try (ProcessGroup group = ProcessGroup.in(base)) {
            assertThat(group.run("echo", List.of("echo", "hello"), BOUND)).isEqualTo("hello");
        }
    }

    @Test
    void anEarlyEndIsAnErrorWithTheLastWords() throws IOException {
        try (ProcessGroup group = ProcessGroup.in(base)) {
            ChildProcess child = group.start("server", List.of("sh", "-c", "echo no such port >&2; exit 3"));
            assertThatThrownBy(() -> child.awaitReady(BOUND))
                    .isInstanceOf(CliException.class)
                    .hasMessage("server ended before it was ready: no such port");
        }
    }

    @Test
    void aClosedGroupStartsNothing() throws IOException {
        ProcessGroup group = ProcessGroup.in(base);
        group.close();
        assertThatThrownBy(() -> group.start("late", List.of("true"))).isInstanceOf(CliException.class);
    }
}
