// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.http.HttpStats;
import io.albm.core.node.OrcaReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

final class LoadReporterTest {
    private static final long SECOND = 1_000_000_000;

    private final Map<String, LongAdder> counters = new HashMap<>();
    private final HttpStats stats =
            new HttpStats((name, help, tags) -> counters.computeIfAbsent(name, _ -> new LongAdder()));
    private final List<OrcaReport> reports = new ArrayList<>();
    private double memory = 0.75;

    private final LoadReporter reporter = new LoadReporter(stats, () -> 0.25, () -> memory, reports::add, 0);

    @Test
    void ratesAreThoseSinceTheLastReport() {
        add("http_responses_total", 100);
        add("http_server_errors_total", 10);
        reporter.step(2 * SECOND);
        add("http_responses_total", 7);
        reporter.step(3 * SECOND);

        assertThat(reports)
                .containsExactly(new OrcaReport(0.25, 0.75, 0.75, 50, 5), new OrcaReport(0.25, 0.75, 0.75, 7, 0));
    }

    @Test
    void withoutTimeThereIsNoReport() {
        reporter.step(0);
        assertThat(reports).isEmpty();
    }

    @Test
    void theTextHasOnlyNamesThatEnvoyKnowsAndWhatIsKnown() {
        reporter.step(SECOND);
        memory = Double.NaN;
        reporter.step(2 * SECOND);
        assertThat(reports)
                .extracting(OrcaReport::text)
                .containsExactly(
                        "TEXT cpu_utilization=0.250,mem_utilization=0.750,application_utilization=0.750,"
                                + "rps_fractional=0.000,eps=0.000",
                        "TEXT cpu_utilization=0.250,application_utilization=0.250,rps_fractional=0.000,eps=0.000");
    }

    @Test
    void readsTheLoadOfThisMachine() throws Exception {
        try (HostLoad host = HostLoad.open()) {
            assertThat(host.memory()).isBetween(0.0, 1.0);
        }
    }

    private void add(String counter, long count) {
        Objects.requireNonNull(counters.get(counter)).add(count);
    }
}
