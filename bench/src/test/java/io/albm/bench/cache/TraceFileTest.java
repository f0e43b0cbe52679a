// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.cli.CliException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceFileTest {

    @TempDir
    private Path temp;

    /** {@code document:bytes} for every request, documents numbered by their first one. */
    private static String read(Path file) throws IOException {
        List<String> requests = TraceFile.read(file).requests().stream()
                .map(request -> request.document() + ":" + request.bytes())
                .toList();
        return String.join(" ", requests);
    }

    private static Path sample(String name) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(TraceFileTest.class.getResource("/traces/" + name), name)
                .toURI());
    }

    @ParameterizedTest
    @CsvSource({
        "access.log, 0:786 1:7000 0:786 1:7000",
        "libcachesim.csv, 0:1024 1:512 0:1024",
        "libcachesim-head.csv, 0:100 1:200 0:100",
        "twitter.csv, 0:213 1:110 0:213",
        "umass.spc, 0:3584 1:3072 0:3584",
        "arc.lis, 0:512 1:512 2:512 2:512",
        "wikipedia, 0:1 1:1 0:1",
        "lirs.trc, 0:1 1:1 0:1"
    })
    void recognizesFormats(String file, String requests) throws IOException, URISyntaxException {
        assertThat(read(sample(file))).isEqualTo(requests);
    }

    @Test
    void readsPlainAndGzipWithTheLargestSizeOfEachDocument() throws IOException {
        String text = "0 a 5\n1 b 7\n2 a 9\n";
        Path plain = Files.writeString(temp.resolve("plain"), text);
        Path zipped = temp.resolve("zipped");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(read(plain)).isEqualTo("0:9 1:7 0:9").isEqualTo(read(zipped));
    }

    @Test
    void namesTheFileTheLineAndWhatWasExpected() throws IOException {
        Path file = Files.writeString(temp.resolve("bad"), "0 a 5\nnonsense\n");

        assertThatThrownBy(() -> TraceFile.read(file))
                .isInstanceOf(CliException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("line 2")
                .hasMessageContaining("expected 'time id size'")
                .hasMessageContaining("nonsense");
    }

    @Test
    void namesAllFormatsWhenTheFirstLineIsInNone() throws IOException {
        Path file = Files.writeString(temp.resolve("bad"), "\nwhat is this\n");

        assertThatThrownBy(() -> TraceFile.read(file))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("'time id size'")
                .hasMessageContaining("libCacheSim");
    }

    @Test
    void refusesFilesThatAreEmptyBrokenOrNotThere() throws IOException {
        Path empty = Files.createFile(temp.resolve("empty"));
        Path broken = Files.write(temp.resolve("broken.gz"), new byte[] {0x1f, (byte) 0x8b, 1, 2, 3});

        assertThatThrownBy(() -> TraceFile.read(empty)).hasMessageContaining("no request");
        assertThatThrownBy(() -> TraceFile.read(broken)).isInstanceOf(CliException.class);
        assertThatThrownBy(() -> TraceFile.read(temp.resolve("none"))).hasMessageContaining("not there");
    }
}
