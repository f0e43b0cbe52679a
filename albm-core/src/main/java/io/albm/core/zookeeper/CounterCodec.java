// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import io.albm.core.node.Counter;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A counter report as a JSON array, 80 to 120 bytes: it is written many times a second in a large cluster. The order is
 * sequence, time in ms, the six counters of paper P1's table 1, health, then the counters that came later in the
 * registry's order; null for one that the host does not have. A reader skips what a newer writer appends, and takes as
 * absent what an older one does not have. The node is the path's.
 */
final class CounterCodec {
    private static final List<Counter> COUNTERS = List.of(Counter.values());
    private static final int FIRST = 2;
    private static final int HEALTH = FIRST + Counter.OF_PAPER.size();
    private static final String SERVING = "s";
    private static final String DRAINING = "d";
    private static final String RELIEVED = "r";

    private CounterCodec() {}

    static byte[] write(CounterReport report) {
        List<@Nullable Object> fields = new ArrayList<>();
        fields.add(report.sequence());
        fields.add(report.at().toEpochMilli());
        for (Counter counter : COUNTERS) {
            if (fields.size() == HEALTH) {
                fields.add(health(report.health()));
            }
            fields.add(number(report.sample().value(counter)));
        }
        while (fields.getLast() == null) {
            fields.removeLast();
        }
        return Json.bytes(fields);
    }

    private static int position(Counter counter) {
        int position = FIRST + counter.position();
        return position < HEALTH ? position : position + 1;
    }

    private static @Nullable Number number(double value) {
        double rounded = rounded(value);
        long whole = (long) rounded;
        if (Double.isNaN(value)) {
            return null;
        }
        return whole == rounded ? (Number) whole : (Number) rounded;
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
        if (!fields.isArray() || fields.size() <= HEALTH) {
            throw new IllegalArgumentException("not a counter report: expected an array of at least " + (HEALTH + 1));
        }
        CounterSample sample =
                CounterSample.of(counter -> fields.path(position(counter)).asDouble(Double.NaN));
        return new CounterReport(
                node, sample, health(fields.get(HEALTH)), fields.get(0).asLong(), time(fields.get(1)));
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
