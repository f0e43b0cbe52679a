// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.node.NodeAddress;
import io.albm.core.topology.PolicyNames;
import io.albm.distributor.proxy.RawBackend;
import io.albm.distributor.proxy.RawClient;
import java.io.IOException;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** No request suffers from a change of the topology that it meets under way. */
class LiveTopologyUnderLoadTest extends LiveTopologyHarness {
    LiveTopologyUnderLoadTest() throws IOException {}

    @Test
    void finishesWhatIsUnderWayAtAFrontendAndAPoolThatGo() throws Exception {
        var asked = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (var slow = new RawBackend(call -> {
                    asked.countDown();
                    call.await(goOn);
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow");
                });
                var distributor = start()) {
            change(
                    distributor,
                    Map.of(
                            "frontend.more.bind", "127.0.0.1:0",
                            "frontend.more.pool", "slow",
                            "pool.slow.check-path", "/",
                            "pool.slow.backends", slow.address().toString()));
            try (Socket client = RawClient.connect(address(distributor, "more"))) {
                send(client, "a.example", "/");
                asked.await();
                change(distributor, Map.of());
                goOn.countDown();

                assertThat(RawClient.readAll(client))
                        .startsWith("HTTP/1.1 200")
                        .containsIgnoringCase("connection: close")
                        .endsWith("slow");
            }
        }
    }

    @Test
    void answersEveryRequestWhileEverythingElseChanges() throws Exception {
        try (var distributor = start();
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            NodeAddress web = address(distributor, "web");
            var changing = new AtomicBoolean(true);
            List<Future<Integer>> answered = IntStream.range(0, 4)
                    .mapToObj(_ -> clients.submit(() -> askWhile(changing, web)))
                    .toList();
            for (int round = 0; round < 60; round++) {
                configure(round(round));
            }
            change(distributor, Map.of());
            changing.set(false);
            for (Future<Integer> client : answered) {
                assertThat(client.get()).isPositive();
            }
            assertThat(distributor.metrics.prometheusText()).contains("albm_live_settings_refused_total 0.0");
        }
    }

    /** Each round changes routes, pools, weights, policies, and other frontends. */
    private Map<String, String> round(int round) {
        Map<String, String> settings = new HashMap<>();
        settings.put(
                "frontend.web.policy",
                PolicyNames.all().get(round % PolicyNames.all().size()));
        settings.put("pool.docs.backends", docs.address() + ", " + api.address() + " weight=" + round % 3);
        settings.put("weight." + docs.address(), Integer.toString(1 + round % 5));
        settings.put("frontend.side.bind", round % 2 == 0 ? "off" : "127.0.0.1:0");
        if (round % 3 != 0) {
            settings.put("pool.extra-" + round % 3 + ".backends", api.address().toString());
            settings.put("route.x.path", "/");
            settings.put("route.x.pool", "extra-" + round % 3);
            settings.put("route.x.priority", "low");
        }
        return settings;
    }

    private static int askWhile(AtomicBoolean changing, NodeAddress frontend) throws IOException {
        int answered = 0;
        try (Socket client = RawClient.connect(frontend)) {
            while (changing.get()) {
                assertThat(ask(client, "a.example", "/x")).startsWith("HTTP/1.1 200 ");
                answered++;
            }
        }
        return answered;
    }

    @Test
    void movesAFrontendWithoutAMomentAtWhichNobodyListens() throws Exception {
        try (var distributor = start()) {
            NodeAddress web = address(distributor, "web");
            NodeAddress side = address(distributor, "side");
            change(distributor, Map.of("frontend.web.bind", side.toString(), "frontend.side.bind", "off"));

            assertThat(address(distributor, "web")).isEqualTo(side);
            assertThat(get(side, "a.example", "/api/x")).endsWith("api");
            await().until(() -> RawClient.isRefusedAt(web));
        }
    }

    @Test
    void servesRequestsOfHighRoutesFirstWhenTheyHaveToWait() throws Exception {
        var goOn = new CountDownLatch(1);
        List<String> order = new CopyOnWriteArrayList<>();
        try (var slow = new RawBackend(call -> {
                    if (call.target().length() > 1) {
                        order.add(call.target());
                        call.await(goOn);
                    }
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                });
                var distributor = start()) {
            change(
                    distributor,
                    Map.of(
                            "pool.docs.backends", slow.address().toString(),
                            "pool.docs.max-connections", "1",
                            "route.high.path", "/high",
                            "route.high.pool", "docs",
                            "route.high.priority", "high",
                            "route.low.path", "/low",
                            "route.low.pool", "docs",
                            "route.low.priority", "low"));
            NodeAddress web = address(distributor, "web");
            try (Socket first = RawClient.connect(web);
                    Socket second = RawClient.connect(web);
                    Socket third = RawClient.connect(web)) {
                send(first, "a.example", "/hold");
                await().until(() -> order.size(), Integer.valueOf(1)::equals);
                send(second, "a.example", "/low");
                await().until(() -> waiting(distributor, "docs"), Integer.valueOf(1)::equals);
                send(third, "a.example", "/high");
                await().until(() -> waiting(distributor, "docs"), Integer.valueOf(2)::equals);
                goOn.countDown();
                await().until(() -> order, List.of("/hold", "/high", "/low")::equals);
            }
        }
    }

    private static int waiting(RunningDistributor distributor, String pool) throws IOException {
        for (JsonNode one : distributor.admin("/frontends").path("pools")) {
            if (one.path("name").asText().equals(pool)) {
                return one.path("waiting").asInt();
            }
        }
        throw new AssertionError("no pool " + pool);
    }
}
