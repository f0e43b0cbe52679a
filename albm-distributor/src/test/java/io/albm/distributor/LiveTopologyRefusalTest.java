// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A topology with a mistake is refused as a whole, and says why. */
class LiveTopologyRefusalTest extends LiveTopologyHarness {
    LiveTopologyRefusalTest() throws IOException {}

    @Test
    void refusesAChangeWithAMistakeAsAWholeAndSaysWhy() throws Exception {
        try (var distributor = start();
                var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            refuse(distributor, Map.of("frontend.web.pool", "dosc", "route.api.path", "api"));
            assertThat(distributor.admin("/frontends").at("/refused/mistakes"))
                    .extracting(mistake -> mistake.path("key").asText())
                    .containsExactlyInAnyOrder("frontend.web.pool", "route.api.path");
            assertThat(distributor.health.report().ready()).isTrue();
            assertThat(distributor.health.report().reasons())
                    .anySatisfy(reason -> assertThat(reason.message()).contains("did you mean 'docs'?"));
            assertThat(distributor.metrics.prometheusText()).contains("albm_live_settings_refused_total 1.0");

            refuse(
                    distributor,
                    Map.of(
                            "frontend.new.bind", "127.0.0.1:" + taken.getLocalPort(),
                            "frontend.new.pool", "fresh",
                            "frontend.also.bind", "127.0.0.1:0",
                            "frontend.also.pool", "fresh",
                            "frontend.tls.bind", "127.0.0.1:0",
                            "frontend.tls.pool", "docs",
                            "route.api.pool", "docs",
                            "pool.fresh.backends", api.address().toString()));
            JsonNode state = distributor.admin("/frontends");
            assertThat(state.at("/refused/mistakes/0/text").asText()).contains("the port is in use");
            assertThat(state.path("frontends")).hasSize(2);
            assertThat(state.path("pools")).hasSize(2);
            assertThat(get(address(distributor, "web"), "a.example", "/api/x")).endsWith("api");

            change(distributor, Map.of());
            assertThat(distributor.health.report().reasons()).isEmpty();
        }
    }

    @Test
    void refusesToListenWhereOthersCanReachItWithoutTls() throws Exception {
        try (var distributor = start()) {
            refuse(distributor, Map.of("frontend.web.bind", "0.0.0.0:0"));
            assertThat(distributor
                            .admin("/frontends")
                            .at("/refused/mistakes/0/text")
                            .asText())
                    .contains("--insecure");
        }
    }

    @Test
    void refusesCertificatesThatAreNotThere() throws Exception {
        try (var distributor = start()) {
            refuse(
                    distributor,
                    Map.of("frontend.web.tls-certificates", temp.resolve("none").toString()));
            assertThat(distributor
                            .admin("/frontends")
                            .at("/refused/mistakes/0/key")
                            .asText())
                    .isEqualTo("frontend.web.tls-certificates");
        }
    }

    @Test
    void refusesTwoFrontendsAtOneAddress() throws Exception {
        try (var distributor = start()) {
            String web = address(distributor, "web").toString();
            refuse(distributor, Map.of("frontend.side.bind", web));
            assertThat(distributor
                            .admin("/frontends")
                            .at("/refused/mistakes/0/text")
                            .asText())
                    .endsWith("is the address of frontend side");
        }
    }

    @Test
    void doesNotStartWithAFileThatHasAMistake() throws Exception {
        Path file =
                Files.writeString(temp.resolve("bad"), "frontend.web.bind = 127.0.0.1:0\nfrontend.web.pol = docs\n");
        assertThatThrownBy(() -> new RunningDistributor(join(), temp, Map.of("topology", file.toString())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("frontend.web.pol: no such field")
                .hasMessageContaining("did you mean 'pool'?")
                .hasMessageContaining("frontend.web.pool: is not set");
    }
}
