// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.savings.PageSource;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DrainProgressTest {
    private final DrainProgress progress = new DrainProgress();
    private final PageSource state = PageSource.of(new byte[1000]);
    private final byte[] page = new byte[100];

    @Test
    void isTheBytesOfAllRanks() throws IOException {
        PageSource one = progress.ofTry(1, state);
        PageSource other = progress.ofTry(2, state);
        one.read(0, page, 100);
        one.read(0, page, 100);
        other.read(950, page, 100);
        assertThat(progress.bytes()).as("at the end there were 50").isEqualTo(250);
    }

    @Test
    void aTryThatGetsNoFurtherThanTheLastIsNone() throws IOException {
        PageSource first = progress.ofTry(1, state);
        first.read(0, page, 100);
        first.read(100, page, 100);
        PageSource second = progress.ofTry(1, state);
        second.readPage(0, page, 1000);
        second.readPage(100, page, 1000);
        assertThat(progress.bytes()).isEqualTo(200);
        second.readPage(200, page, 1000);
        assertThat(progress.bytes()).isEqualTo(300);
    }
}
