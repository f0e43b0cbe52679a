// SPDX-License-Identifier: Apache-2.0
package io.albm.core.metrics;

import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of one process. A name is written once, as {@code requests_total}, and is the same everywhere: Prometheus
 * text shows {@code albm_requests_total{policy="round-robin"}}, and so is the attribute called on the MXBean
 * {@code io.albm:type=<Role>,id=<id>}.
 *
 * <p>Counting costs one {@link LongAdder} addition; everything else happens when somebody reads. Asking twice for the same
 * name and tags gives the same meter. At most {@value #MAX_METERS} meters are published; further ones count unseen, with
 * one warning, so that a tag with too many values cannot eat the memory of a monitoring system. Thread-safe.
 */
public final class Metrics implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Metrics.class);
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
    private static final String PREFIX = "albm_";
    private static final int MAX_METERS = 2_000;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, LongAdder> counters = new LinkedHashMap<>();
    private final Map<String, Latency> timers = new LinkedHashMap<>();
    private final MeterBean bean;
    private boolean full;

    public Metrics(Role role, NodeId id) {
        bindProcessMeters();
        bean = MeterBean.register(role, id);
    }

    /**
     * Something that only grows.
     *
     * @param name snake_case, ends in {@code _total}
     * @param help one sentence
     * @param tags name, value, name, value…; few values each
     */
    public synchronized LongAdder counter(String name, String help, String... tags) {
        check(name, name.endsWith("_total"), "a counter's name ends in _total");
        return counters.computeIfAbsent(key(name, tags), key -> {
            var adder = new LongAdder();
            if (publish(key, adder::sum)) {
                FunctionCounter.builder(PREFIX + name, adder, LongAdder::sum)
                        .description(help)
                        .tags(tags)
                        .register(registry);
            }
            return adder;
        });
    }

    /**
     * Something that goes up and down, read when asked for.
     *
     * @param name snake_case with its unit, such as {@code cache_bytes}
     */
    public synchronized void gauge(String name, String help, DoubleSupplier value, String... tags) {
        check(name, !name.endsWith("_total"), "a gauge's name does not end in _total");
        if (publish(key(name, tags), value)) {
            Gauge.builder(PREFIX + name, value::getAsDouble)
                    .description(help)
                    .tags(tags)
                    .register(registry);
        }
    }

    /**
     * How long something takes; published as count, sum, and the median and 99th percentile of the last two minutes.
     *
     * @param name snake_case, ends in {@code _seconds}
     */
    public synchronized Latency timer(String name, String help, String... tags) {
        return latency(Timer.builder(PREFIX + name).description(help).tags(tags), name, tags);
    }

    /**
     * How long something takes, for who adds up processes, which quantiles do not allow: Prometheus gets a histogram with
     * these bounds, the MXBean what {@link #timer} gives it.
     *
     * @param name snake_case, ends in {@code _seconds}
     * @param bounds upper ends of the buckets, rising; a last bucket without end is added
     */
    public synchronized Latency histogram(String name, String help, List<Duration> bounds, String... tags) {
        return latency(
                Timer.builder(PREFIX + name)
                        .description(help)
                        .tags(tags)
                        .serviceLevelObjectives(bounds.toArray(Duration[]::new)),
                name,
                tags);
    }

    private Latency latency(Timer.Builder builder, String name, String... tags) {
        check(name, name.endsWith("_seconds"), "a timer's name ends in _seconds");
        return timers.computeIfAbsent(key(name, tags), key -> {
            var timer = builder.publishPercentiles(Latency.MEDIAN, Latency.P99).register(registry);
            var latency = new Latency(timer);
            publish(key(name + "_count", tags), timer::count);
            publish(key(name + "_sum", tags), latency::sumSeconds);
            publish(key(name + "_p50", tags), () -> latency.percentileSeconds(Latency.MEDIAN));
            publish(key(name + "_p99", tags), () -> latency.percentileSeconds(Latency.P99));
            return latency;
        });
    }

    /**
     * Meters whose tags come and go, such as one for each backend, or that may be absent. They are all made anew when
     * somebody reads, and are not counted among the {@value #MAX_METERS}: whoever gives them bounds them.
     */
    public void families(Supplier<List<Family>> now) {
        registry.getPrometheusRegistry().register((MultiCollector) () -> new MetricSnapshots(now.get().stream()
                .filter(family -> !family.values().isEmpty())
                .map(family -> family.snapshot(PREFIX))
                .toList()));
        bean.add(attributes -> now.get().forEach(family -> family.addTo(attributes, PREFIX)));
    }

    /** All meters in the text format of Prometheus. */
    public String prometheusText() {
        return registry.scrape();
    }

    @Override
    public void close() {
        bean.unregister();
        registry.close();
    }

    private boolean publish(String key, DoubleSupplier value) {
        if (bean.size() < MAX_METERS) {
            bean.add(key, value);
            return true;
        }
        if (!full) {
            full = true;
            log.warn("{} is not published: {} meters are the most a process shows", key, MAX_METERS);
        }
        return false;
    }

    private static void check(String name, boolean ending, String rule) {
        if (!NAME.matcher(name).matches() || !ending) {
            throw new IllegalArgumentException("meter name '" + name + "': expected snake_case, and " + rule);
        }
    }

    private static String key(String name, String... tags) {
        var text = new StringBuilder(PREFIX).append(name);
        Tags.of(tags).stream()
                .forEach(tag -> text.append(text.indexOf("{") < 0 ? '{' : ',')
                        .append(tag.getKey())
                        .append("=\"")
                        .append(tag.getValue())
                        .append('"'));
        return text.append(text.indexOf("{") < 0 ? "" : "}").toString();
    }

    private void bindProcessMeters() {
        new UptimeMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
    }
}
