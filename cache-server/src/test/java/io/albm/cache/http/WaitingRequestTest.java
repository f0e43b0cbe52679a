// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingRequestTest {

    private static Optional<List<WaitingRequest>> read(String value) {
        return WaitingRequest.of(Heads.get("Albm-Waiting: " + value));
    }

    @Test
    void readsAListOfReferences() {
        assertThat(read("\"/a?b=c,d\",\"//h:81/e\" ,\t \"/\""))
                .contains(List.of(
                        new WaitingRequest(null, "/a?b=c,d"),
                        new WaitingRequest("h:81", "/e"),
                        new WaitingRequest(null, "/")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "/a",
                "\"",
                "\"\"",
                "\"/a",
                "\"/a\",",
                ",\"/a\"",
                "\"/a\",,\"/b\"",
                "\"/a\" \"/b\"",
                "\"/a\"; x=1",
                "\"/a\\\"b\"",
                "\"/a b\"",
                "\"/a\u00e4\"",
                "\"a\"",
                "\"http://h/a\"",
                "\"//\"",
                "\"///a\"",
                "\"//h\"",
                "(\"/a\")",
            })
    void refusesWhatIsNoListOfReferences(String value) {
        assertThat(read(value)).isEmpty();
    }

    @Test
    void refusesTwoFields() {
        assertThat(WaitingRequest.of(Heads.get("Albm-Waiting: \"/a\"", "Albm-Waiting: \"/b\"")))
                .isEmpty();
    }

    @Test
    void refusesMoreThanItsBounds() {
        assertThat(read(list(WaitingRequest.MOST))).isPresent();
        assertThat(read(list(WaitingRequest.MOST + 1))).isEmpty();
        assertThat(read("\"/" + "x".repeat(WaitingRequest.MOST_BYTES - 3) + "\""))
                .isPresent();
        assertThat(read("\"/" + "x".repeat(WaitingRequest.MOST_BYTES - 2) + "\""))
                .isEmpty();
    }

    private static String list(int members) {
        return IntStream.range(0, members).mapToObj(i -> "\"/" + i + "\"").collect(Collectors.joining(", "));
    }
}
