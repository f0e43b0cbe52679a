// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FileHistoryTest {
    private static final byte[] OLD = {1};
    private static final byte[] NEW = {2};
    private final FileHistory file = new FileHistory("/f", true);

    private void make(byte[] content) {
        file.ask(content);
        file.made();
    }

    private int saw(int from, byte[] content) {
        return file.saw(from, file.last(), found -> Arrays.equals(found, content), "something");
    }

    @Test
    void allowsTheOldAndTheNewContentAsLongAsAChangeIsUnderWay() {
        make(OLD);
        file.ask(NEW);
        assertThat(file.allows(OLD)).isTrue();
        assertThat(file.allows(NEW)).isTrue();
        assertThat(file.allows(null)).isFalse();
        file.made();
        assertThat(file.allows(OLD)).isFalse();
    }

    @Test
    void allowsNoContentOfAChangeThatWasNotMade() {
        make(OLD);
        file.ask(NEW);
        file.notMade();
        assertThat(file.allows(NEW)).isFalse();
        assertThat(file.content()).isEqualTo(OLD);
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> saw(file.sure(), NEW));
    }

    @Test
    void doesNotGoBackBehindWhatAReaderHasSeen() {
        make(OLD);
        file.ask(NEW);
        int earlier = file.sure();
        assertThat(saw(earlier, NEW)).isEqualTo(file.last());
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> saw(file.sure(), OLD));
        assertThatExceptionOfType(AssertionError.class).isThrownBy(file::notMade);
    }

    @Test
    void letsAReaderSeeWhatWasThereWhenItBegan() {
        make(OLD);
        int began = file.sure();
        make(NEW);
        assertThat(saw(began, OLD)).isEqualTo(began);
    }

    @Test
    void goesBackBehindWhatAReaderHasSeenWhereThatCanBeUndone() {
        FileHistory fleeting = new FileHistory("/f", false);
        fleeting.ask(NEW);
        fleeting.saw(0, 1, found -> found != null, "something");
        fleeting.notMade();
        assertThat(fleeting.allows(null)).isTrue();
    }
}
