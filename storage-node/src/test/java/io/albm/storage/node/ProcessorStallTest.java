// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorStallTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    Path dir;

    private Path file;

    /** Near the end of the numbers: they may overflow. */
    private long now = Long.MAX_VALUE - SECOND / 2;

    @BeforeEach
    void name() {
        file = dir.resolve("cpu");
    }

    @Test
    void tellsForHowMuchOfTheTimeSinceTheLastLookSomeTaskWaited() throws IOException {
        write(7_000_000);
        ProcessorStall stall = ProcessorStall.of(file, now);
        assertThat(stall.share(now)).isZero();
        write(7_400_000);
        now += SECOND;
        assertThat(stall.share(now)).isCloseTo(0.4, within(1e-9));
        write(8_400_000);
        assertThat(stall.share(now + SECOND / 10)).as("too early to look again").isCloseTo(0.4, within(1e-9));
        now += SECOND;
        assertThat(stall.share(now)).isCloseTo(1, within(1e-9));
    }

    @Test
    void isNothingWhereTheKernelTellsNothing() throws IOException {
        assertThat(ProcessorStall.of(file, now).share(now)).isZero();
        write(0);
        ProcessorStall stall = ProcessorStall.of(file, now);
        stall.share(now);
        write(900_000);
        now += SECOND;
        assertThat(stall.share(now)).isPositive();
        Files.writeString(file, "full total=17\n");
        now += SECOND;
        assertThat(stall.share(now)).isZero();
    }

    private void write(long micros) throws IOException {
        Files.writeString(
                file,
                "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + micros
                        + "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=1\n");
    }
}
