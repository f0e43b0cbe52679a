// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StreamMemoryTest {
    private static final StripeGeometry USUAL = new StripeGeometry(4, 1, 1 << 20);

    private final StreamMemory memory = new StreamMemory(ByteBufAllocator.DEFAULT, 10);

    @Test
    void writtenStreamsHaveShorterUnitsTheMoreTheyAre() {
        List<StreamMemory.Written> streams = begin(64);

        assertThat(streams.subList(0, 9)).allMatch(stream -> stream.geometry().equals(USUAL));
        assertThat(streams)
                .isSortedAccordingTo(
                        (a, b) -> b.geometry().unitBytes() - a.geometry().unitBytes());
        assertThat(streams.stream().mapToLong(StreamMemory.Written::bytes).sum())
                .isLessThanOrEqualTo(StreamMemory.MOST_WRITTEN_BYTES);
    }

    @Test
    void streamsBeyondThatHaveTheShortestUnits() {
        assertThat(begin(1000).getLast().geometry()).isEqualTo(new StripeGeometry(4, 1, StripeGeometry.MIN_UNIT_BYTES));
    }

    @Test
    void unitsAreAsUsualAgainWhenTheOthersHaveEnded() {
        begin(64).forEach(memory::end);

        assertThat(memory.begin(USUAL, Long.MAX_VALUE).geometry()).isEqualTo(USUAL);
    }

    @Test
    void whatIsNoLongerThanAUnitIsNotCut() {
        begin(1000);

        assertThat(memory.begin(USUAL, USUAL.unitBytes())).isEqualTo(new StreamMemory.Written(USUAL, 0));
    }

    @Test
    void unitsOfAnyLengthStayAllowedOnes() {
        StripeGeometry odd = new StripeGeometry(3, 2, 3 * 68 * 1024);
        Stream.generate(() -> memory.begin(odd, Long.MAX_VALUE).geometry())
                .limit(1000)
                .forEach(geometry ->
                        assertThat(geometry.unitBytes()).isBetween(StripeGeometry.MIN_UNIT_BYTES, odd.unitBytes()));
    }

    @Test
    void noMoreIsSharedThanThereIs() {
        assertThat(memory.take(6)).isTrue();
        assertThat(memory.take(5)).isFalse();
        assertThat(memory.take(4)).isTrue();
        memory.give(4);
        assertThat(memory.take(3)).isTrue();
    }

    private List<StreamMemory.Written> begin(int streams) {
        return Stream.generate(() -> memory.begin(USUAL, Long.MAX_VALUE))
                .limit(streams)
                .toList();
    }
}
