// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 0",
        "bytes=0-99, 0, 99",
        "bytes=90-, 90, 99",
        "bytes=90-1000, 90, 99",
        "bytes=-1, 99, 99",
        "bytes=-1000, 0, 99",
        "BYTES=5-6, 5, 6",
        "bytes= 5 - 6, 5, 6",
        "bytes=0-99999999999999999999999, 0, 99"
    })
    void readsAPartThatTheDocumentHas(String header, long first, long last) {
        assertThat(ByteRange.parse(header, 100)).isEqualTo(parts(new ByteRange.Part(first, last)));
    }

    private static ByteRange parts(ByteRange.Part... parts) {
        return new ByteRange.Parts(List.of(parts));
    }

    @Test
    void readsPartsInTheOrderAskedFor() {
        assertThat(ByteRange.parse("bytes=50-59, 0-9 ,200-,-1", 100))
                .isEqualTo(parts(new ByteRange.Part(50, 59), new ByteRange.Part(0, 9), new ByteRange.Part(99, 99)));
    }

    @Test
    void ignoresMorePartsThanTheLimit() {
        String many = "bytes=" + "0-0,".repeat(ByteRange.MOST_PARTS) + "2-2";
        assertThat(ByteRange.parse(many, 100)).isEqualTo(new ByteRange.Whole());
        assertThat(ByteRange.parse("bytes=" + ",".repeat(1_000_000), 100)).isEqualTo(new ByteRange.Whole());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-"})
    void findsNothingBeyondTheEnd(String header) {
        assertThat(ByteRange.parse(header, 100)).isEqualTo(new ByteRange.Unsatisfiable());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=-",
                "bytes=a-b",
                "bytes=6-5",
                "bytes=1-2,2-5",
                "bytes=0-,50-60",
                "bytes=1-2,x",
                "rows=1-2",
                "bytes=+1-2",
                "bytes=--1"
            })
    void ignoresWhatItMayIgnore(String header) {
        assertThat(ByteRange.parse(header, 100)).isEqualTo(new ByteRange.Whole());
    }

    @Test
    void ignoresRangesOfAnEmptyDocument() {
        assertThat(ByteRange.parse("bytes=0-", 0)).isEqualTo(new ByteRange.Whole());
        assertThat(ByteRange.parse("bytes=-5", 0)).isEqualTo(new ByteRange.Whole());
        assertThat(ByteRange.parse("bytes=5-9", 0)).isEqualTo(new ByteRange.Whole());
        assertThat(ByteRange.parse(null, 0)).isEqualTo(new ByteRange.Whole());
    }
}
