// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankTableTest {
    @TempDir
    private Path directory = Path.of("");

    @TempDir
    private Path recordings = Path.of("");

    /** The virtual machine tells what it syncs. */
    @Test
    void isDurableWithItsNameWhenItIsWritten() throws IOException {
        RankTable table = new RankTable(directory);
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
            recording.start();
            table.write(List.of(new RankFamily("a mark of no process", 1, 0)));
            recording.stop();
            recording.dump(recordings.resolve("syncs.jfr"));
        }
        assertThat(RecordingFile.readAllEvents(recordings.resolve("syncs.jfr")))
                .extracting(RankTableTest::synced)
                .containsSubsequence(directory.resolve("ranks.json.next"), directory);
        assertThat(directory).isDirectoryContaining("glob:**/ranks.json").isDirectoryNotContaining("glob:**.next");
        assertThat(table.killLeftOvers()).isZero();
    }

    private static Path synced(RecordedEvent event) {
        return Path.of(event.getString("path"));
    }
}
