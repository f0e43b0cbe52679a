// SPDX-License-Identifier: Apache-2.0
package io.albm.console.web;

import io.albm.console.terminal.StatusReader;
import io.albm.core.config.CommonKeys;
import io.albm.core.json.Json;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.web.EventStream;
import io.albm.core.web.WebServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the state of the cluster once a second while somebody looks, and every ten seconds otherwise, and sends it to
 * every page that follows. All pages share one reading, so many of them cost the cluster no more than one.
 */
final class ConsoleService implements RoleService {

    private static final Logger log = LoggerFactory.getLogger(ConsoleService.class);
    private static final int MAX_PAGES = 64;
    private static final int UNWATCHED_EVERY = 10;

    private final RoleContext context;
    private final StatusReader reader;
    private final EventStream pages = new EventStream(MAX_PAGES);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("albm-console").factory());
    private @Nullable WebServer server;
    private long turn;

    ConsoleService(RoleContext context) {
        this.context = context;
        var zooKeeper = context.configuration().get(CommonKeys.ZOOKEEPER).stream()
                .map(NodeAddress::toString)
                .collect(Collectors.joining(","));
        this.reader = new StatusReader(context.cluster(), zooKeeper);
    }

    @Override
    public Member start() throws IOException {
        var http = new WebServer(
                context.transport(), context.bind(context.configuration().get(ConsoleRole.PORT)), PageFiles.HEADERS);
        server = http;
        PageFiles.serve(http);
        http.routeEvents("/events", pages);
        context.metrics().gauge("console_pages", "Pages that follow the cluster now.", pages::followers);
        timer.scheduleWithFixedDelay(this::step, 0, 1, TimeUnit.SECONDS);
        return context.member(Map.of("http", http.address()), Map.of());
    }

    @Override
    public void drain(Duration bound) {
        timer.shutdown();
        pages.close();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        if (server != null) {
            server.close();
        }
    }

    /** One reading, if it is due. */
    private void step() {
        if (pages.followers() == 0 && turn++ % UNWATCHED_EVERY != 0) {
            return;
        }
        try {
            pages.publish(Json.text(reader.read(Optional.empty())));
        } catch (RuntimeException e) {
            log.error("cannot read the state of the cluster", e);
        }
    }
}
