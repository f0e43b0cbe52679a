// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Payload;
import io.albm.bench.compare.Scenario;
import java.util.Locale;

/** A load on proxies, and the bar for our CPU efficiency against haproxy under it. */
enum ProxyScenario implements Scenario {
    HTTP_1B(Mode.HTTP, Payload.BYTE, Connections.KEPT, 1.0),
    HTTP_10K(Mode.HTTP, Payload.TEN_KILOBYTES, Connections.KEPT, 1.0),
    HTTP_1M(Mode.HTTP, Payload.MEGABYTE, Connections.KEPT, 1.0),
    HTTP_CLOSE(Mode.HTTP, Payload.BYTE, Connections.ONE_PER_REQUEST, 0.75),
    TCP_1B(Mode.TCP, Payload.BYTE, Connections.KEPT, 0.8),
    TCP_10K(Mode.TCP, Payload.TEN_KILOBYTES, Connections.KEPT, 0),
    TCP_1M(Mode.TCP, Payload.MEGABYTE, Connections.KEPT, 1.0),
    TCP_CLOSE(Mode.TCP, Payload.BYTE, Connections.ONE_PER_REQUEST, 0),
    TLS_1B(Mode.TLS, Payload.BYTE, Connections.KEPT, 0);

    /** What becomes of a connection after its first answer. */
    enum Connections {
        KEPT,
        ONE_PER_REQUEST
    }

    private final Mode mode;
    private final Payload payload;
    private final Connections connections;
    private final double bar;

    ProxyScenario(Mode mode, Payload payload, Connections connections, double bar) {
        this.mode = mode;
        this.payload = payload;
        this.connections = connections;
        this.bar = bar;
    }

    /** As in the targets: {@code http-1b}. */
    @Override
    public String target() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Mode mode() {
        return mode;
    }

    @Override
    public String scheme() {
        return mode.scheme();
    }

    @Override
    public Payload payload() {
        return payload;
    }

    @Override
    public boolean connectionPerRequest() {
        return connections == Connections.ONE_PER_REQUEST;
    }

    /** Enough to keep a proxy busy, few large bodies. */
    @Override
    public int concurrency() {
        return payload == Payload.MEGABYTE ? 16 : 64;
    }

    /** Least efficiency against haproxy; 0 where it is only shown. */
    double bar() {
        return bar;
    }
}
