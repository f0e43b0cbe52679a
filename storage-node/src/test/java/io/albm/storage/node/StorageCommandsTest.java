// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The storage commands as a shell sees them: exit code, standard output, one line of error. */
class StorageCommandsTest {
    @TempDir
    static Path dir;

    static StorageRig rig;

    private Shell shell;

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
        shell = new Shell(rig);
    }

    @AfterEach
    void releaseOutput() {
        shell.close();
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
        assertThat(shell.bytes()).isEqualTo(Files.readAllBytes(source));
        assertThat(run("rm", "a/b")).isEqualTo(ExitCode.DONE);
        assertThat(run("get", "a/b", dir.resolve("gone").toString())).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("/a/b: no such file").hasLineCount(1);
        try (Stream<Path> left = Files.list(dir)) {
            assertThat(left).noneMatch(path -> path.toString().contains("gone"));
        }
    }

    @Test
    void refusesToReplaceWithoutBeingAsked() throws IOException {
        Path source = Files.writeString(dir.resolve("small"), "content");
        assertThat(run("put", source.toString(), "once")).isEqualTo(ExitCode.DONE);
        assertThat(run("put", source.toString(), "once")).isEqualTo(ExitCode.REFUSED);
        assertThat(shell.errors()).contains("/once: exists already");
        assertThat(run("put", source.toString(), "once", "--replace")).isEqualTo(ExitCode.DONE);
        assertThat(run("rm", "once")).isEqualTo(ExitCode.DONE);
    }

    @Test
    void saysWhatIsWrongWithAnArgument() throws IOException {
        Path source = Files.writeString(dir.resolve("some"), "content");
        assertThat(run("put", source.toString(), "a/../b")).isEqualTo(ExitCode.USAGE);
        assertThat(shell.errors()).contains("'/a/../b'", "no '..'");
        assertThat(run("put", source.toString(), "a", "--unit", "17")).isEqualTo(ExitCode.CONFIG);
        assertThat(run("put", dir.resolve("absent").toString(), "a")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("no such file or directory");
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
        assertThat(shell.errors()).contains("--parity", "from 0 to 2");
    }

    @Test
    void writesFilesToStandardOutputOneAfterTheOther() throws IOException {
        for (String name : new String[] {"one", "two"}) {
            assertThat(run("put", Files.writeString(dir.resolve(name), name).toString(), name))
                    .isEqualTo(ExitCode.DONE);
        }
        assertThat(run("cat", "one", "two")).isEqualTo(ExitCode.DONE);
        assertThat(text()).isEqualTo("onetwo");
        assertThat(run("cat", "one", "none")).isEqualTo(ExitCode.FAILED);
        assertThat(text()).isEqualTo("one");
        assertThat(shell.errors()).contains("/none: no such file").hasLineCount(1);
        assertThat(run("rm", "one", "two")).isEqualTo(ExitCode.DONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"get large -", "cat large"})
    void failsAtTheFirstBytesThatStandardOutputDoesNotTake(String command) throws IOException {
        Path source = Files.write(dir.resolve("large"), StorageRig.content(3_000_000, 3));
        assertThat(run("put", source.toString(), "large")).isEqualTo(ExitCode.DONE);
        shell.leaveRoom(1_000_000);
        assertThat(run(command.split(" ", -1))).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors())
                .contains("large: standard output takes no more")
                .hasLineCount(1);
        assertThat(shell.refused()).isEqualTo(1);
        assertThat(run("rm", "large")).isEqualTo(ExitCode.DONE);
    }

    @Test
    void makesRenamesAndRemovesDirectories() throws IOException {
        Path source = Files.writeString(dir.resolve("moved"), "content");
        assertThat(run("mkdir", "d/e")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("/d: no such file");
        assertThat(run("mkdir", "d")).isEqualTo(ExitCode.DONE);
        assertThat(run("mkdir", "d")).isEqualTo(ExitCode.REFUSED);
        assertThat(run("mkdir", "--parents", "d/e/f", "d")).isEqualTo(ExitCode.DONE);
        assertThat(run("put", source.toString(), "d/e/f/g")).isEqualTo(ExitCode.DONE);
        assertThat(run("mkdir", "--parents", "d/e/f/g/h")).isEqualTo(ExitCode.REFUSED);
        assertThat(run("mv", "d/e", "new", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(text()).get("to").asText()).isEqualTo("/new");
        assertThat(run("cat", "new/f/g")).isEqualTo(ExitCode.DONE);
        assertThat(run("mv", "new/f/g", "d/")).isEqualTo(ExitCode.DONE);
        assertThat(text()).isEqualTo("/new/f/g is /d/g now\n");
        assertThat(run("rmdir", "d")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("not empty");
        assertThat(run("rm", "d/g")).isEqualTo(ExitCode.DONE);
        assertThat(run("rmdir", "d", "new/f", "new")).isEqualTo(ExitCode.DONE);
        assertThat(run("rmdir", "new")).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void replacesByRenamingOnlyWhenAsked() throws IOException {
        for (String name : new String[] {"first", "second"}) {
            run("put", Files.writeString(dir.resolve(name), name).toString(), name);
        }
        assertThat(run("mv", "first", "second")).isEqualTo(ExitCode.REFUSED);
        assertThat(shell.errors()).contains("/second: exists already");
        assertThat(run("mv", "none", "second")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.errors()).contains("/none: no such file");
        assertThat(run("mv", "--replace", "first", "second")).isEqualTo(ExitCode.DONE);
        assertThat(run("cat", "second")).isEqualTo(ExitCode.DONE);
        assertThat(text()).isEqualTo("first");
        assertThat(run("rm", "second")).isEqualTo(ExitCode.DONE);
        assertThat(run("df", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(text()).get("nodes").findValues("blocks"))
                .as("blocks of what was replaced")
                .allMatch(blocks -> blocks.asLong() == 0);
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
        return shell.run(arguments);
    }

    private String text() {
        return shell.text();
    }
}
