// SPDX-License-Identifier: Apache-2.0
package io.albm.core.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * The values of one meter at one moment, for meters whose tags come and go: a value that is not there is not shown.
 *
 * @param name as of {@link Metrics#counter} and {@link Metrics#gauge}; one that ends in {@code _total} only grows
 * @param help one sentence
 * @param values what is known now
 */
public record Family(String name, String help, List<Value> values) {
    private static final String TOTAL = "_total";

    public Family {
        values = List.copyOf(values);
    }

    /** One value; the same tags only once in a family. */
    public record Value(SortedMap<String, String> tags, double value) {
        private Labels labels() {
            return Labels.of(List.copyOf(tags.keySet()), tags.values().stream().toList());
        }

        private String key(String name) {
            return tags.isEmpty()
                    ? name
                    : tags.entrySet().stream()
                            .map(tag -> tag.getKey() + "=\"" + tag.getValue() + '"')
                            .collect(Collectors.joining(",", name + "{", "}"));
        }
    }

    private boolean isCounter() {
        return name.endsWith(TOTAL);
    }

    /** For Prometheus. */
    MetricSnapshot snapshot(String prefix) {
        if (isCounter()) {
            var counter = CounterSnapshot.builder()
                    .name(prefix + name.substring(0, name.length() - TOTAL.length()))
                    .help(help);
            values.forEach(one -> counter.dataPoint(CounterDataPointSnapshot.builder()
                    .labels(one.labels())
                    .value(one.value)
                    .build()));
            return counter.build();
        }
        var gauge = GaugeSnapshot.builder().name(prefix + name).help(help);
        values.forEach(one -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(one.labels())
                .value(one.value)
                .build()));
        return gauge.build();
    }

    /** For JMX. */
    void addTo(Map<String, Double> attributes, String prefix) {
        values.forEach(one -> attributes.put(one.key(prefix + name), one.value));
    }
}
