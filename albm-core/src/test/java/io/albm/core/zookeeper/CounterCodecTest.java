// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.Counter;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CounterCodecTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final NodeId NODE = new NodeId("cache-1");

    static final List<HostHealth> EVERY_HEALTH = List.of(
            new HostHealth.Serving(),
            new HostHealth.Draining(),
            new HostHealth.Relieved(AT, "available-memory", 98_000_000));

    @ParameterizedTest
    @FieldSource("EVERY_HEALTH")
    void whatIsWrittenIsRead(HostHealth health) {
        CounterReport report = new CounterReport(
                NODE, new CounterSample(123_456_789_012L, 0.5, 2, 0.25, 12_500_000, 42), health, 99, AT);
        assertThat(CounterCodec.read(NODE, CounterCodec.write(report))).isEqualTo(report);
    }

    @Test
    void isShort() {
        CounterReport report = new CounterReport(
                NODE,
                new CounterSample(123_456_789_012L, 1.0 / 3, 2.0 / 3, 0.123456789, 1e9 / 7, 42),
                new HostHealth.Serving(),
                99,
                AT);
        assertThat(new String(CounterCodec.write(report), UTF_8))
                .isEqualTo("[99,1767323045678,123456789012,0.333,0.667,0.123,1.42857142857E8,42,[\"s\"]]");
    }

    @Test
    void whatTheHostDoesNotHaveStaysAbsent() {
        CounterSample sample = new CounterSample(1, 2, 3, 0.5, 5, 6).with(Counter.IO_PRESSURE, 0.25);
        CounterReport report = new CounterReport(NODE, sample, new HostHealth.Serving(), 1, AT);
        assertThat(CounterCodec.read(NODE, CounterCodec.write(report))).isEqualTo(report);
    }

    @Test
    void readsWhatAnOlderAgentWrote() {
        CounterReport report = CounterCodec.read(NODE, "[7,1767323045678,1,2,3,0.5,5,6,[\"s\"]]".getBytes(UTF_8));
        assertThat(report.sample()).isEqualTo(new CounterSample(1, 2, 3, 0.5, 5, 6));
    }

    @Test
    void skipsWhatANewerAgentAppends() {
        CounterReport report =
                new CounterReport(NODE, CounterSample.of(counter -> 0.5), new HostHealth.Serving(), 1, AT);
        String longer = new String(CounterCodec.write(report), UTF_8).replaceFirst("]$", ",17,18]");
        assertThat(CounterCodec.read(NODE, longer.getBytes(UTF_8))).isEqualTo(report);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[1,2]", "[1,2,3,4,5,0.5,7,8,[\"x\"]]", "[1,2,-3,4,5,0.5,7,8,[\"s\"]]"})
    void refusesWhatIsNoReport(String content) {
        assertThatThrownBy(() -> CounterCodec.read(NODE, content.getBytes(UTF_8)))
                .isInstanceOf(RuntimeException.class);
    }
}
