// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import io.albm.core.node.Counter;
import io.albm.core.node.CounterSample;
import io.albm.core.node.OrcaReport;
import io.albm.core.web.WebHandler;
import io.albm.core.web.WebRequest;
import io.albm.core.web.WebResponse;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code /orca} of an agent's admin port: the host's load as ORCA reports it, as text, or with {@code ?format=json} as
 * JSON, both with the header that balancers read. Computed when asked. An agent sees no requests, so there are no rates.
 */
public final class OrcaRoute implements WebHandler {
    private static final List<String> TEXT = List.of("text");

    private final double memoryBytes;
    private final Supplier<CounterSample> sample;
    private final LiveThresholds thresholds;

    /**
     * Reports about one host.
     *
     * @param memoryBytes all the memory that it has
     */
    public OrcaRoute(long memoryBytes, Supplier<CounterSample> sample, LiveThresholds thresholds) {
        this.memoryBytes = memoryBytes;
        this.sample = sample;
        this.thresholds = thresholds;
    }

    @Override
    public WebResponse handle(WebRequest request) {
        OrcaReport report = report(sample.get());
        String format = request.query().getOrDefault("format", TEXT).getFirst();
        return switch (format) {
            case "text" -> WebResponse.text(200, report.text() + "\n").with(OrcaReport.HEADER, report.text());
            case "json" -> WebResponse.json(200, report.fields()).with(OrcaReport.HEADER, report.text());
            default -> WebResponse.text(400, "format = '" + format + "': expected text or json\n");
        };
    }

    /** Utilization of the application is what its thresholds leave: 0 far from all of them, 1 at the first. */
    private OrcaReport report(CounterSample now) {
        double available = now.value(Counter.AVAILABLE_MEMORY);
        return new OrcaReport(
                now.value(Counter.CPU_BUSY),
                Math.clamp(1 - available / memoryBytes, 0.0, 1.0),
                1 - Headroom.share(thresholds.get(), now),
                Double.NaN,
                Double.NaN);
    }
}
