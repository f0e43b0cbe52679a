// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * A counter report as a JSON array, about 80 bytes: it is written many times a second in a large cluster. The order is
 * sequence, time in ms, the six counters of paper P1's table 1, health; later versions append. The node is the path's.
 */
final class CounterCodec {
    private static final int FIELDS = 9;
    private static final String SERVING = "s";
    private static final String DRAINING = "d";
    private static final String RELIEVED = "r";

    private CounterCodec() {}

    static byte[] write(CounterReport report) {
        CounterSample sample = report.sample();
        return Json.bytes(List.of(
                report.sequence(),
                report.at().toEpochMilli(),
                sample.availableMemoryBytes(),
                rounded(sample.pageReadsPerSecond()),
                rounded(sample.runQueueLength()),
                rounded(sample.cpuBusyFraction()),
                rounded(sample.networkBytesPerSecond()),
                sample.establishedConnections(),
                health(report.health())));
    }

    private static List<Object> health(HostHealth health) {
        return switch (health) {
            case HostHealth.Serving() -> List.of(SERVING);
            case HostHealth.Draining() -> List.of(DRAINING);
            case HostHealth.Relieved(Instant since, String counter, double value) ->
                List.of(RELIEVED, since.toEpochMilli(), counter, rounded(value));
        };
    }

    /** A thousandth is finer than any counter is measured. */
    private static double rounded(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    static CounterReport read(NodeId node, byte[] content) {
        JsonNode fields = Json.tree(new String(content, StandardCharsets.UTF_8));
        if (!fields.isArray() || fields.size() < FIELDS) {
            throw new IllegalArgumentException("not a counter report: expected an array of " + FIELDS);
        }
        CounterSample sample = new CounterSample(
                fields.get(2).asLong(),
                fields.get(3).asDouble(),
                fields.get(4).asDouble(),
                fields.get(5).asDouble(),
                fields.get(6).asDouble(),
                fields.get(7).asInt());
        return new CounterReport(
                node, sample, health(fields.get(8)), fields.get(0).asLong(), time(fields.get(1)));
    }

    private static HostHealth health(JsonNode health) {
        return switch (health.path(0).asText()) {
            case SERVING -> new HostHealth.Serving();
            case DRAINING -> new HostHealth.Draining();
            case RELIEVED ->
                new HostHealth.Relieved(
                        time(health.path(1)),
                        health.path(2).asText(),
                        health.path(3).asDouble());
            default -> throw new IllegalArgumentException("unknown health " + health);
        };
    }

    private static Instant time(JsonNode millis) {
        return Instant.ofEpochMilli(millis.asLong());
    }
}
