// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.ProcessGroup;
import io.albm.core.cli.CliException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of the load, as processes, on the disk. */
class LoadProgramsTest {
    private static final Duration BOUND = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    private ProcessGroup processes;

    @BeforeEach
    void open(@TempDir Path base) throws IOException {
        processes = ProcessGroup.in(base);
    }

    @AfterEach
    void close() {
        processes.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "write-direct"})
    void aFileIsWrittenAndReadBack(String write) throws IOException {
        String file = directory.resolve("file").toString();
        assertThat(stream(write, file).amount()).isEqualTo(3 << 20);
        assertThat(Files.size(Path.of(file))).isEqualTo(3 << 20);
        assertThat(stream("read", file).amount()).isEqualTo(3 << 20);
    }

    @Test
    void aWrongByteDoesNotPass() throws IOException {
        Path file = directory.resolve("file");
        stream("write", file.toString());
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek((2 << 20) + 77);
            int right = bytes.read();
            bytes.seek((2 << 20) + 77);
            bytes.write(right ^ 1);
        }
        assertThatThrownBy(() -> stream("read", file.toString()))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("block 2 was read with wrong bytes");
    }

    @Test
    void processesMakeAndRemoveTheirOwnFilesPhaseByPhase() throws IOException {
        Map<String, List<String>> programs = new LinkedHashMap<>();
        for (int i = 0; i < 2; i++) {
            programs.put("names-" + i, command(EmptyFiles.class, directory.toString(), "" + i, "2", barrier(), "20"));
        }
        List<List<Tally>> tallies = processes.runAll(programs, BOUND).stream()
                .map(output -> output.lines().map(Tally::parse).toList())
                .toList();
        assertThat(tallies).allSatisfy(phases -> {
            assertThat(phases).hasSize(3);
            assertThat(phases.getFirst().amount()).isPositive();
            assertThat(phases)
                    .extracting(Tally::amount)
                    .containsOnly(phases.getFirst().amount());
        });
        Tally created =
                Tally.together(List.of(tallies.get(0).get(0), tallies.get(1).get(0)));
        assertThat(tallies)
                .allSatisfy(phases -> assertThat(phases.get(1).begin()).isGreaterThan(created.end()));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aDirectoryThatIsGoneFailsWithItsName() {
        String gone = directory.resolve("gone").toString();
        assertThatThrownBy(
                        () -> processes.run("names", command(EmptyFiles.class, gone, "0", "1", barrier(), "20"), BOUND))
                .isInstanceOf(CliException.class)
                .hasMessageContaining(gone);
    }

    @Test
    void theFileBehindAConnectionIsTheFileThatWasSent() throws IOException {
        ChildProcess server = processes.start("server", command(TcpDisk.class, "serve", directory.toString()));
        String port = server.awaitReady(BOUND);
        ChildProcess client = processes.startAsked("client", command(TcpDisk.class, "client", port));
        for (String question : List.of("write behind 3", "read behind 3")) {
            assertThat(Tally.parse(client.ask(question, BOUND)).amount()).isEqualTo(3 << 20);
        }
        assertThat(stream("read", directory.resolve("behind").toString()).amount())
                .isEqualTo(3 << 20);
        client.ask("remove behind 3", BOUND);
        assertThat(directory).isEmptyDirectory();
    }

    private String barrier() {
        return processes.directory().resolve("barrier").toString();
    }

    private Tally stream(String direction, String file) throws IOException {
        return Tally.parse(processes.run(direction, command(StreamFile.class, direction, file, "3"), BOUND));
    }

    private static List<String> command(Class<?> main, String... arguments) {
        return ProcessGroup.javaCommand(List.of(), List.of("-Xmx64m", "-XX:+UseSerialGC"), main, arguments);
    }
}
