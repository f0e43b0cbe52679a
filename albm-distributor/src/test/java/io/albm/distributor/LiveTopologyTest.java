// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.node.NodeAddress;
import io.albm.distributor.proxy.RawClient;
import java.io.IOException;
import java.net.Socket;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a topology says holds, and a change of it from the next request on. */
class LiveTopologyTest extends LiveTopologyHarness {
    LiveTopologyTest() throws IOException {}

    @Test
    void sendsRequestsByHostAndPathAsTheFileSays() throws Exception {
        try (var distributor = start()) {
            assertThat(get(address(distributor, "web"), "a.example", "/")).endsWith("docs");
            assertThat(get(address(distributor, "web"), "a.example", "/api/x")).endsWith("api");
            assertThat(get(address(distributor, "web"), "API.example:80", "/")).endsWith("api");
            assertThat(get(address(distributor, "side"), "a.example", "/api/x")).endsWith("docs");
            assertThat(distributor
                            .admin("/routing?pool=docs")
                            .at("/backends/0/id")
                            .asText())
                    .isEqualTo(docs.address().toString());
            assertThat(distributor.admin("/routing").at("/others/0/pool").asText())
                    .isEqualTo("docs");
        }
    }

    @Test
    void changesRoutesForTheNextRequestOfAConnection() throws Exception {
        try (var distributor = start();
                Socket client = RawClient.connect(address(distributor, "web"))) {
            assertThat(ask(client, "a.example", "/new/")).endsWith("docs");
            change(distributor, Map.of("route.new.path", "/new/", "route.new.pool", "api"));
            assertThat(ask(client, "a.example", "/new/")).endsWith("api");
            change(distributor, Map.of());
            assertThat(ask(client, "a.example", "/new/")).endsWith("docs");
        }
    }

    @Test
    void opensAndClosesFrontendsAndPoolsWhileOthersServe() throws Exception {
        try (var distributor = start();
                Socket client = RawClient.connect(address(distributor, "web"))) {
            assertThat(ask(client, "a.example", "/")).endsWith("docs");
            change(
                    distributor,
                    Map.of(
                            "frontend.more.bind", "127.0.0.1:0",
                            "frontend.more.pool", "other",
                            "frontend.more.policy", "hash",
                            "pool.other.backends", api.address().toString()));
            NodeAddress more = address(distributor, "more");
            assertThat(get(more, "a.example", "/")).endsWith("api");
            assertThat(distributor.metrics.prometheusText())
                    .contains("albm_backend_share{backend=\"" + api.address() + "\",pool=\"other\"} 1.0");

            change(distributor, Map.of());
            await().until(() -> RawClient.isRefusedAt(more));
            assertThat(distributor.metrics.prometheusText()).doesNotContain("pool=\"other\"");
            assertThat(ask(client, "a.example", "/")).endsWith("docs");
        }
    }

    @Test
    void spreadsEachFrontendsRequestsByItsOwnPolicy() throws Exception {
        try (var distributor = start()) {
            String both = docs.address() + "," + api.address();
            change(
                    distributor,
                    Map.of(
                            "pool.docs.backends", both,
                            "pool.docs.policy", "round-robin",
                            "frontend.side.policy", "hash"));
            await().until(() -> answers(address(distributor, "web"), 4), Set.of("docs", "api")::equals);
            assertThat(answers(address(distributor, "side"), 10)).hasSize(1);

            change(
                    distributor,
                    Map.of(
                            "pool.docs.backends",
                            both,
                            "pool.docs.policy",
                            "round-robin",
                            "weight." + docs.address(),
                            "0"));
            await().until(() -> answers(address(distributor, "side"), 4), Set.of("api")::equals);
            assertThat(answers(address(distributor, "web"), 4)).containsExactly("api");
        }
    }

    private static Set<String> answers(NodeAddress frontend, int requests) throws IOException {
        Set<String> answers = new HashSet<>();
        for (int i = 0; i < requests; i++) {
            String answer = get(frontend, "a.example", "/");
            answers.add(answer.substring(answer.lastIndexOf('\n') + 1));
        }
        return answers;
    }

    @Test
    void makesAFrontendOfAnyProtocolOfOneOfHttp() throws Exception {
        try (var distributor = start()) {
            change(distributor, Map.of("frontend.side.mode", "tcp"));
            assertThat(get(address(distributor, "side"), "a.example", "/")).endsWith("docs");
            await().until(
                            () -> distributor
                                    .admin("/frontends")
                                    .at("/frontends/0/mode")
                                    .asText(),
                            "tcp"::equals);
        }
    }
}
