// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** What the data path counts. Thread-safe; all but the gauges only grow. */
public final class ProxyStats {
    /** One thing that is counted. */
    public enum Event {
        RETRY("retries_total", "Requests sent again to another backend"),
        RESUME("resumes_total", "Response bodies continued from another backend"),
        CUT("cuts_total", "Responses ended early, so that the client sees it"),
        BUDGET_EMPTY("retry_budget_empty_total", "Retries and resumes given up because the retry budget was empty"),
        CONNECT_FAILURE("connect_failures_total", "Connections to a backend that could not be made"),
        REFUSED_REQUEST("refused_requests_total", "Requests refused because they were malformed or too slow"),
        EVICTED_CLIENT("evicted_clients_total", "Quiet client connections closed to make room for new ones"),
        REFUSED_CLIENT("refused_clients_total", "Client connections closed at once because there were too many"),
        HANDSHAKE_FAILURE("tls_handshake_failures_total", "TLS handshakes that failed"),
        QUEUED("queued_requests_total", "Requests that had to wait because every backend was tight"),
        QUEUE_FULL("queue_full_total", "Requests refused because too many waited already"),
        QUEUE_TIMEOUT("queue_timeouts_total", "Requests given up because they had waited too long"),
        MALFORMED_LOAD_REPORT("malformed_load_reports_total", "ORCA load reports of responses that could not be read"),
        NO_BACKEND("no_backend_total", "Requests that no backend could take");

        private final String metric;
        private final String help;

        Event(String metric, String help) {
            this.metric = metric;
            this.help = help;
        }
    }

    /** Where counters come from. */
    @FunctionalInterface
    public interface CounterSource {
        /** The counter of that name and those tags; the same one when asked twice. */
        LongAdder counter(String name, String help, String... tags);
    }

    private static final int STATUS_CLASSES = 6;

    private final LongAdder[] byStatusClass;
    private final Map<Event, LongAdder> byEvent = new EnumMap<>(Event.class);
    private final LongAdder inFlight = new LongAdder();
    private final LongAdder clients = new LongAdder();
    private final LongAdder splicedBytes;
    private final LongConsumer latencyNanos;

    /**
     * Counts on the given counters.
     *
     * @param latencyNanos gets the time from a request's head to the end of its response
     */
    public ProxyStats(CounterSource source, LongConsumer latencyNanos) {
        this.latencyNanos = latencyNanos;
        this.byStatusClass = IntStream.range(0, STATUS_CLASSES)
                .mapToObj(digit -> source.counter(
                        "requests_total", "Requests answered, by class of status", "status", digit + "xx"))
                .toArray(LongAdder[]::new);
        this.splicedBytes = source.counter(
                "spliced_bytes_total", "Bytes of bodies and tunnels that the kernel moved past this process");
        for (Event event : Event.values()) {
            byEvent.put(event, source.counter(event.metric, event.help));
        }
    }

    /** Responses sent in full, of a status class: 2 stands for 200 to 299. */
    public long responses(int statusClass) {
        return byStatusClass[statusClass].sum();
    }

    /** How often that happened. */
    public long count(Event event) {
        return adder(event).sum();
    }

    /** Requests that are not answered in full. */
    public long inFlight() {
        return inFlight.sum();
    }

    /** Open client connections. */
    public long clients() {
        return clients.sum();
    }

    /** Bytes of tunnels that the kernel moved past this process. */
    public long splicedBytes() {
        return splicedBytes.sum();
    }

    private LongAdder adder(Event event) {
        return Objects.requireNonNull(byEvent.get(event));
    }

    void note(Event event) {
        adder(event).increment();
    }

    void requestBegan() {
        inFlight.increment();
    }

    void requestEnded() {
        inFlight.decrement();
    }

    void responded(int status, long nanos) {
        byStatusClass[Math.clamp(status / 100, 0, STATUS_CLASSES - 1)].increment();
        latencyNanos.accept(nanos);
    }

    void spliced(long bytes) {
        splicedBytes.add(bytes);
    }

    void clientCame() {
        clients.increment();
    }

    void clientWent() {
        clients.decrement();
    }
}
