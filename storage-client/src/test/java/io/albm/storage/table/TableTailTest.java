// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableTailTest {
    private final TableTail tail = new TableTail();

    @BeforeEach
    void open() {
        tail.open(2);
    }

    private static TailAppend append(long epoch, long durable, long first, String... entries) {
        return new TailAppend(
                epoch,
                durable,
                first,
                Arrays.stream(entries)
                        .map(entry -> entry.getBytes(StandardCharsets.UTF_8))
                        .toList());
    }

    private List<String> collected(long epoch) {
        return tail.collect(epoch).entries().stream()
                .map(entry -> new String(entry, StandardCharsets.UTF_8))
                .toList();
    }

    private static void refused(WireCode code, Runnable work) {
        assertThatExceptionOfType(WireException.class)
                .isThrownBy(work::run)
                .extracting(WireException::code)
                .isEqualTo(code);
    }

    @Test
    void holdsWhatIsNotDurable() {
        assertThat(tail.append(append(3, 10, 11, "a", "b"))).isEqualTo(new Held(3, 12));
        assertThat(tail.append(append(3, 11, 13, "c"))).isEqualTo(new Held(3, 13));

        Tail held = tail.collect(4);
        assertThat(held.epoch()).isEqualTo(3);
        assertThat(held.first()).isEqualTo(12);
        assertThat(held.last()).isEqualTo(13);
        assertThat(collected(4)).containsExactly("b", "c");
    }

    @Test
    void takesNoneBehindAGap() {
        tail.append(append(3, 10, 11, "a"));

        assertThat(tail.append(append(3, 10, 13, "c"))).isEqualTo(new Held(3, 11));

        assertThat(tail.append(append(3, 10, 11, "a", "b", "c"))).isEqualTo(new Held(3, 13));
        assertThat(collected(4)).containsExactly("a", "b", "c");
    }

    @Test
    void whatStartsInTheMiddleOfATermHoldsNothingUntilItGetsAll() {
        assertThat(tail.append(append(3, 10, 13, "c"))).isEqualTo(new Held(3, 10));
        assertThat(collected(3)).isEmpty();

        assertThat(tail.append(append(3, 12, 13, "c"))).isEqualTo(new Held(3, 13));
    }

    @Test
    void anAppendThatComesLateChangesNothing() {
        tail.append(append(3, 10, 11, "a", "b"));
        tail.append(append(3, 12, 13, "c"));

        assertThat(tail.append(append(3, 10, 11, "a", "b"))).isEqualTo(new Held(3, 13));
        assertThat(collected(4)).containsExactly("c");
    }

    @Test
    void whoWasAskedForANewEpochTakesNothingOfAnOldOne() {
        tail.append(append(3, 10, 11, "a"));
        tail.collect(4);

        assertThat(tail.append(append(3, 10, 12, "b")).promised()).isEqualTo(4);
        assertThat(collected(4)).containsExactly("a");
        refused(WireCode.REFUSED, () -> tail.collect(3));
    }

    @Test
    void theFirstAppendOfANewEpochTakesThePlaceOfAllBefore() {
        tail.append(append(3, 10, 11, "a", "b"));

        assertThat(tail.append(append(4, 12, 13, "c"))).isEqualTo(new Held(4, 13));
        assertThat(collected(5)).containsExactly("c");
    }

    @Test
    void aProcessThatHasJustStartedTakesNothingBeforeItKnowsTheEpoch() {
        TableTail fresh = new TableTail();
        refused(WireCode.BUSY, () -> fresh.append(append(3, 0, 1, "a")));

        fresh.open(4);

        assertThat(fresh.append(append(3, 0, 1, "a"))).isEqualTo(new Held(4, 0));
        assertThat(fresh.append(append(4, 0, 1, "a"))).isEqualTo(new Held(4, 1));
    }

    @Test
    void holdsABoundedNumberOfBytes() {
        String much = "x".repeat(TableTail.MAX_BYTES / 2);
        tail.append(append(3, 0, 1, much, much));

        refused(WireCode.BUSY, () -> tail.append(append(3, 0, 3, "a")));
        assertThat(tail.append(append(3, 1, 3, "a"))).isEqualTo(new Held(3, 3));
    }
}
