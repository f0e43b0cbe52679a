// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.readResponse;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeAddress;
import io.albm.core.topology.Priority;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
import io.albm.distributor.http.RouteTable;
import io.albm.distributor.routing.RoutedRequest;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A backend dies while a request is on its way to it, so that the write of the request's head is what finds it out. */
@Timeout(30)
class BackendBreaksUnseenTest {
    private static final String GET = head("GET / HTTP/1.1", "Host: a");
    private static final String PUT = head("PUT / HTTP/1.1", "Host: a", "Content-Length: 4");
    private static final Duration QUEUE_TIMEOUT = Duration.ofMillis(400);

    /** Picks the backend twice, the second time too late; then there is no place. */
    private record DiesWhenPickedAgain(RawBackend server, Backend backend, AtomicInteger picks)
            implements BackendChooser {
        @Override
        public @Nullable Backend choose(RoutedRequest request, RandomGenerator random) {
            return switch (picks.getAndIncrement()) {
                case 0 -> backend;
                case 1 -> {
                    server.kill();
                    yield backend;
                }
                default -> Backend.FULL;
            };
        }

        @Override
        public String whyNone() {
            return "there is one";
        }
    }

    private static NodeAddress listen(ProxyHarness harness, TestSettings settings, RawBackend server)
            throws IOException {
        Backend backend = harness.directory.backends().getFirst();
        var chooser = new DiesWhenPickedAgain(server, backend, new AtomicInteger());
        var destination = new Destination(harness.pool, chooser, Priority.NORMAL);
        var terms = new Frontend.Terms(settings.frontend(), null, new RouteTable<>(List.of(), destination));
        return harness.proxy.listen(ProxyHarness.LOOPBACK, new Frontend(terms)).address();
    }

    @Test
    void aClientWhoWaitsForAnotherIsNotTakenForOneWhoStalls() throws Exception {
        TestSettings settings = new TestSettings().queue(10, QUEUE_TIMEOUT);
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(settings, backend);
                Socket client = RawClient.connect(listen(harness, settings, backend))) {
            send(client, GET);
            assertThat(readResponse(client)).endsWith("ok");
            send(client, PUT);

            assertThat(readResponse(client)).startsWith("HTTP/1.1 503 ").contains("no room was made");
        }
    }

    @Test
    void aClientWhoHasHisAnswerIsNotTakenForOneWhoStalls() throws Exception {
        TestSettings settings = new TestSettings().queue(10, QUEUE_TIMEOUT).retries(0, 0);
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(settings, backend)) {
            NodeAddress address = listen(harness, settings, backend);
            try (Socket client = RawClient.connect(address);
                    Socket other = RawClient.connect(address)) {
                send(client, GET);
                assertThat(readResponse(client)).endsWith("ok");
                send(client, PUT);
                assertThat(readResponse(client)).startsWith("HTTP/1.1 502 ");
                send(other, GET);
                assertThat(readResponse(other)).startsWith("HTTP/1.1 503 ");

                assertThat(harness.stats.count(ProxyStats.Event.CUT)).isZero();
            }
        }
    }
}
