// SPDX-License-Identifier: Apache-2.0
package io.albm.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Attribute;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsTest {

    private final Metrics metrics = new Metrics(Role.STORAGE_NODE, new NodeId("storage-7"));
    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void showsEachMeterUnderOneNameInBothPlaces() throws Exception {
        var bytes = new AtomicLong(4096);
        metrics.counter("reads_total", "Blocks read.", "from", "parity").increment();
        metrics.gauge("stored_bytes", "Bytes on disk.", bytes::get);

        assertThat(metrics.prometheusText())
                .contains("albm_reads_total{from=\"parity\"} 1.0")
                .contains("albm_stored_bytes 4096.0");
        assertThat(beans.getAttribute(name(), "albm_reads_total{from=\"parity\"}"))
                .isEqualTo(1.0);
        assertThat(beans.getAttribute(name(), "albm_stored_bytes")).isEqualTo(4096.0);
    }

    @Test
    void givesTheSameCounterForTheSameNameAndTags() {
        var counter = metrics.counter("reads_total", "Blocks read.", "from", "disk");

        assertThat(metrics.counter("reads_total", "Blocks read.", "from", "disk"))
                .isSameAs(counter);
        assertThat(metrics.counter("reads_total", "Blocks read.", "from", "parity"))
                .isNotSameAs(counter);
    }

    @Test
    void showsHowLongThingsTake() throws Exception {
        var latency = metrics.timer("write_seconds", "Time to make a block durable.");
        for (int i = 0; i < 100; i++) {
            latency.record(Duration.ofMillis(10).toNanos());
        }

        assertThat(metrics.prometheusText())
                .contains("albm_write_seconds_count 100")
                .contains("albm_write_seconds{quantile=\"0.99\"}");
        assertThat(beans.getAttribute(name(), "albm_write_seconds_count")).isEqualTo(100.0);
        assertThat((double) beans.getAttribute(name(), "albm_write_seconds_p99"))
                .isBetween(0.009, 0.012);
    }

    @Test
    void showsHowLongThingsTakeAsAHistogram() throws Exception {
        var latency = metrics.histogram(
                "read_seconds", "Time to read a block.", List.of(Duration.ofMillis(1), Duration.ofMillis(20)));
        for (int i = 0; i < 99; i++) {
            latency.record(Duration.ofMillis(10).toNanos());
        }
        latency.record(Duration.ofMillis(30).toNanos());

        assertThat(metrics.prometheusText())
                .contains("# TYPE albm_read_seconds histogram")
                .contains("albm_read_seconds_bucket{le=\"0.001\"} 0")
                .contains("albm_read_seconds_bucket{le=\"0.02\"} 99")
                .contains("albm_read_seconds_bucket{le=\"+Inf\"} 100")
                .contains("albm_read_seconds_count 100");
        assertThat(beans.getAttribute(name(), "albm_read_seconds_count")).isEqualTo(100.0);
        assertThat((double) beans.getAttribute(name(), "albm_read_seconds_p50")).isBetween(0.009, 0.012);
        assertThat((double) beans.getAttribute(name(), "albm_read_seconds_p99")).isBetween(0.009, 0.035);
    }

    @Test
    void cannotBeChangedOverJmx() {
        metrics.counter("reads_total", "Blocks read.");

        assertThatThrownBy(() -> beans.setAttribute(name(), new Attribute("albm_reads_total", 0.0)))
                .hasRootCauseMessage("meters are read-only");
    }

    @Test
    void showsOfAFamilyWhatIsThereWhenSomebodyReads() throws Exception {
        var values = new ArrayList<Family.Value>();
        metrics.families(() -> List.of(
                new Family("sent_total", "Requests sent.", values), new Family("absent_bytes", "Nothing.", List.of())));
        values.add(new Family.Value(new TreeMap<>(Map.of("pool", "docs", "backend", "b1")), 3));

        assertThat(metrics.prometheusText())
                .contains("albm_sent_total{backend=\"b1\",pool=\"docs\"} 3.0")
                .doesNotContain("absent")
                .doesNotContain("NaN");
        assertThat(beans.getAttribute(name(), "albm_sent_total{backend=\"b1\",pool=\"docs\"}"))
                .isEqualTo(3.0);
        assertThat(beans.getAttributes(name(), new String[] {"albm_sent_total{backend=\"b1\",pool=\"docs\"}"}))
                .hasSize(1);

        values.clear();
        assertThat(metrics.prometheusText()).doesNotContain("sent_total");
    }

    @Test
    void countsOnUnseenBeyondTheBoundOfMeters() throws Exception {
        for (int i = 0; i < 2_100; i++) {
            metrics.counter("reads_total", "Blocks read.", "block", Integer.toString(i))
                    .increment();
        }

        assertThat(Arrays.stream(beans.getMBeanInfo(name()).getAttributes()).map(MBeanAttributeInfo::getName))
                .hasSize(2_000);
    }

    @Test
    void refusesANameThatWouldChangeOnItsWay() {
        assertThatThrownBy(() -> metrics.counter("reads", "Blocks read."))
                .hasMessage("meter name 'reads': expected snake_case, and a counter's name ends in _total");
        assertThatThrownBy(() -> metrics.gauge("storedBytes", "Bytes.", () -> 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void leavesTheBeanServerWhenClosed() throws Exception {
        try (var other = new Metrics(Role.STORAGE_NODE, new NodeId("storage-8"))) {
            assertThat(other.prometheusText()).contains("jvm_memory_used_bytes");
        }
        assertThat(beans.isRegistered(new ObjectName("io.albm:type=StorageNode,id=storage-8")))
                .isFalse();
    }

    private static ObjectName name() throws Exception {
        return new ObjectName("io.albm:type=StorageNode,id=storage-7");
    }
}
