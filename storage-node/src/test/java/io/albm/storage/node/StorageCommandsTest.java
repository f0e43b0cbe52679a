// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.storage.command.StorageCommands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The storage commands as a shell sees them: exit code, standard output, one line of error. */
class StorageCommandsTest {
    @TempDir
    static Path dir;

    static StorageRig rig;

    private final PrintStream stdout = System.out;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void startRig() throws IOException {
        rig = StorageRig.start(dir, 5);
        rig.announce();
    }

    @AfterAll
    static void closeRig() throws IOException {
        rig.close();
    }

    @BeforeEach
    void catchOutput() {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void releaseOutput() {
        System.setOut(stdout);
    }

    @Test
    void storesListsFetchesAndRemovesAFile() throws IOException {
        Path source = dir.resolve("source");
        Files.write(source, StorageRig.content(300_000, 1));
        assertThat(run("put", source.toString(), "a/b", "--unit", "64 KiB")).isEqualTo(ExitCode.DONE);
        assertThat(run("ls", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(text()).get(0).get("length").asLong()).isEqualTo(300_000);
        assertThat(run("ls", "a/")).isEqualTo(ExitCode.DONE);
        assertThat(text()).contains("293.0 KiB", "4 + 1", "/a/b");
        Path target = dir.resolve("target");
        assertThat(run("get", "a/b", target.toString())).isEqualTo(ExitCode.DONE);
        assertThat(target).hasSameBinaryContentAs(source);
        assertThat(run("get", "a/b", "-")).isEqualTo(ExitCode.DONE);
        assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(source));
        assertThat(run("rm", "a/b")).isEqualTo(ExitCode.DONE);
        assertThat(run("get", "a/b", dir.resolve("gone").toString())).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("/a/b: no such file").hasLineCount(1);
        try (Stream<Path> left = Files.list(dir)) {
            assertThat(left).noneMatch(path -> path.toString().contains("gone"));
        }
    }

    @Test
    void refusesToReplaceWithoutBeingAsked() throws IOException {
        Path source = Files.writeString(dir.resolve("small"), "content");
        assertThat(run("put", source.toString(), "once")).isEqualTo(ExitCode.DONE);
        assertThat(run("put", source.toString(), "once")).isEqualTo(ExitCode.REFUSED);
        assertThat(err.toString()).contains("/once: exists already");
        assertThat(run("put", source.toString(), "once", "--replace")).isEqualTo(ExitCode.DONE);
        assertThat(run("rm", "once")).isEqualTo(ExitCode.DONE);
    }

    @Test
    void saysWhatIsWrongWithAnArgument() throws IOException {
        Path source = Files.writeString(dir.resolve("some"), "content");
        assertThat(run("put", source.toString(), "a/../b")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("'/a/../b'", "no '..'");
        assertThat(run("put", source.toString(), "a", "--unit", "17")).isEqualTo(ExitCode.CONFIG);
        assertThat(run("put", dir.resolve("absent").toString(), "a")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("no such file or directory");
    }

    @Test
    void storesWithAsMuchParityAsTold() throws IOException {
        Path source = Files.write(dir.resolve("safe"), StorageRig.content(300_000, 2));
        assertThat(run("put", source.toString(), "safe", "--unit", "64 KiB", "--parity", "2"))
                .isEqualTo(ExitCode.DONE);
        assertThat(run("stat", "safe")).isEqualTo(ExitCode.DONE);
        assertThat(text()).contains("300000 bytes, 3 + 2");
        assertThat(run("rm", "safe")).isEqualTo(ExitCode.DONE);
        assertThat(run("put", source.toString(), "safe", "--parity", "3")).isEqualTo(ExitCode.CONFIG);
        assertThat(err.toString()).contains("--parity", "from 0 to 2");
    }

    @Test
    void showsRoomAndScrubs() {
        assertThat(run("df", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(text()).get("nodes")).hasSize(5);
        assertThat(run("scrub")).isEqualTo(ExitCode.DONE);
        assertThat(text()).endsWith("clean\n");
        assertThat(run("rebuild", "n-1", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(text()).get("failures")).isEmpty();
    }

    private int run(String... arguments) {
        out.reset();
        err.getBuffer().setLength(0);
        CommandLine line = Commands.commandLine(StorageCommands.all());
        line.setErr(new PrintWriter(err, true));
        return line.execute(
                Stream.concat(Stream.of(arguments), Stream.of("--zookeeper", rig.zooKeeper(), "--cluster", "test"))
                        .toArray(String[]::new));
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
