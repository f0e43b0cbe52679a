// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.core.web.WebRequest;
import io.albm.core.web.WebResponse;
import io.albm.distributor.stats.Csv;
import io.albm.distributor.stats.Page;
import io.albm.distributor.stats.Row;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What frontends, pools and backends have done, for those who know HAProxy: the admin routes {@code /stats} (a page),
 * {@code /stats;csv} and {@code /stats;json}, and the rows of which the meters are made. Thread-safe; blocks while a topology is
 * being changed.
 */
final class Statistics {
    /** Rates are over that time. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final String CSV = "text/plain; charset=utf-8";
    private static final String HTML = "text/html; charset=utf-8";

    private final Served served;
    private final int maxClients;
    private final NodeId self;
    private final MonotonicClock clock;
    private final long startNanos;

    /** @param maxClients client connections that all frontends together may have */
    Statistics(Served served, int maxClients, NodeId self, MonotonicClock clock) {
        this.served = served;
        this.maxClients = maxClients;
        this.self = self;
        this.clock = clock;
        this.startNanos = clock.nanoTime();
    }

    /** Takes what rates need; to be called every {@link #INTERVAL}, by one thread at a time. */
    void look() {
        long now = clock.nanoTime();
        served.frontends().values().forEach(entry -> entry.frontend().traffic().look(now));
        served.pools().values().forEach(pool -> pool.look(now));
    }

    /** A row for each frontend, each backend, and each pool behind its backends. */
    List<Row> rows() {
        var rows = new StatisticsRows(clock.nanoTime());
        served.frontends()
                .forEach((name, entry) -> rows.frontend(
                        name,
                        entry.frontend().terms().spec().mode().name().toLowerCase(Locale.ROOT),
                        maxClients,
                        entry.frontend().traffic()));
        served.pools().values().forEach(rows::pool);
        return rows.rows();
    }

    WebResponse page(WebRequest request) {
        long uptime = TimeUnit.NANOSECONDS.toSeconds(clock.nanoTime() - startNanos);
        return WebResponse.of(200, HTML, Page.of(self.value(), uptime, rows()));
    }

    WebResponse csv(WebRequest request) {
        return WebResponse.of(200, CSV, Csv.of(rows()));
    }

    WebResponse json(WebRequest request) {
        return WebResponse.json(200, rows().stream().map(Row::known).toList());
    }
}
