// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cli.CliException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceSimulatorTest {

    @TempDir
    private Path temp;

    @Test
    void agreesWithAHandCountedRun() {
        Trace trace = new Trace(
                "hand",
                List.of(
                        new Trace.Request(1, 10),
                        new Trace.Request(2, 10),
                        new Trace.Request(1, 10),
                        new Trace.Request(3, 10),
                        new Trace.Request(2, 10)));

        TraceSimulator.HitRatio lru = TraceSimulator.run(trace, "lru", 20, 1);

        assertThat(lru.objects()).isEqualTo(0.2);
        assertThat(lru.bytes()).isEqualTo(0.2);
        assertThat(trace.uniqueBytes()).isEqualTo(30);
    }

    @Test
    void aWindowSavesWhatLruMissesInThePapersExample() {
        List<Trace.Request> fill = List.of(5, 4, 3, 2, 1, 6, 3, 7, 5).stream()
                .map(id -> new Trace.Request(id, 1))
                .toList();
        Trace trace = new Trace("paper", fill);

        assertThat(TraceSimulator.run(trace, "lru", 5, 4).objects()).isEqualTo(1 / 9.0);
        assertThat(TraceSimulator.run(trace, "window-lru", 5, 4).objects()).isEqualTo(2 / 9.0);
    }

    @Test
    void readsPlainAndGzipTracesWithTheLargestSizeOfEachDocument() throws IOException {
        String text = "0 a 5\n1 b 7\n2 a 9\n";
        Path plain = Files.writeString(temp.resolve("plain"), text);
        Path zipped = temp.resolve("zipped.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(Trace.read(plain).requests())
                .containsExactly(new Trace.Request(0, 9), new Trace.Request(1, 7), new Trace.Request(0, 9))
                .isEqualTo(Trace.read(zipped).requests());
    }

    @Test
    void namesTheLineThatIsNoRequest() throws IOException {
        Path file = Files.writeString(temp.resolve("bad"), "0 a 5\nnonsense\n");

        assertThatThrownBy(() -> Trace.read(file))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void drawsTheSameTraceForTheSameSeed() {
        assertThat(Trace.surge(1, 1000)).isEqualTo(Trace.surge(1, 1000)).isNotEqualTo(Trace.surge(2, 1000));
    }
}
