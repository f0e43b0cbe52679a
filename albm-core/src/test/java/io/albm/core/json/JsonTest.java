// SPDX-License-Identifier: Apache-2.0
package io.albm.core.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.type.TypeReference;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final CounterSample SAMPLE = new CounterSample(1 << 30, 1.5, 2, 0.25, 1e6, 42);

    @Test
    void memberSurvivesTheRoundTrip() {
        Member member = new Member(
                new NodeId("cache-1"),
                Role.CACHE_SERVER,
                Map.of("http", NodeAddress.parse("127.0.0.1:8101"), "admin", NodeAddress.parse("[::1]:9101")),
                Map.of("capacity-bytes", "1048576"),
                "0.1.0",
                NOW);
        assertThat(Json.read(Json.bytes(member), Member.class)).isEqualTo(member);
        assertThat(Json.text(member))
                .isEqualTo("{\"id\":\"cache-1\",\"role\":\"cache-server\","
                        + "\"endpoints\":{\"admin\":\"[::1]:9101\",\"http\":\"127.0.0.1:8101\"},"
                        + "\"attributes\":{\"capacity-bytes\":\"1048576\"},\"version\":\"0.1.0\","
                        + "\"started\":\"2026-01-02T03:04:05.678Z\"}");
    }

    @Test
    void everyHealthSurvivesTheRoundTrip() {
        for (HostHealth health : new HostHealth[] {
            new HostHealth.Serving(),
            new HostHealth.Relieved(NOW, "availableMemoryBytes", 9.5e7),
            new HostHealth.Draining()
        }) {
            CounterReport report = new CounterReport(new NodeId("agent-1"), SAMPLE, health, 7, NOW);
            assertThat(Json.read(Json.bytes(report), CounterReport.class)).isEqualTo(report);
        }
    }

    @Test
    void idsAreKeysOfObjects() {
        byte[] json = Json.bytes(Map.of(new NodeId("a"), SAMPLE));
        assertThat(Json.read(json, new TypeReference<Map<NodeId, CounterSample>>() {}))
                .isEqualTo(Map.of(new NodeId("a"), SAMPLE));
    }

    @Test
    void skipsFieldsOfNewerVersions() {
        assertThat(Json.read("{\"state\":\"draining\",\"by\":\"operator\"}", HostHealth.class))
                .isEqualTo(new HostHealth.Draining());
    }

    @Test
    void saysWhatWasExpectedOfBadInput() {
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> Json.read("{\"node\":\"NOT AN ID\"}".getBytes(UTF_8), CounterReport.class))
                .withMessageContaining("CounterReport")
                .withMessageContaining("NOT AN ID");
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> Json.tree("{"));
    }
}
