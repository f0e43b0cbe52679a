// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.Role;
import io.albm.core.web.WebResponse;
import io.albm.core.web.WebServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The command against a real ZooKeeper; for each distributor stands an admin port that says what a real one would. */
class StatsCommandTest extends CommandHarness {
    private static final String CSV = "# pxname,svname,status,\nweb,FRONTEND,OPEN,\n";

    private Transport transport;
    private WebServer admin;

    @BeforeEach
    void start() throws IOException {
        transport = Transport.open(1);
        admin = new WebServer(transport, ANY_PORT, Map.of());
        admin.route("/stats;csv", _ -> WebResponse.text(200, CSV));
        admin.route(
                "/stats;json",
                _ -> WebResponse.json(200, List.of(Map.of("pxname", "web", "svname", "FRONTEND", "status", "OPEN"))));
    }

    @AfterEach
    void stop() {
        admin.close();
        transport.close();
    }

    private void join(String id) {
        join(Role.DISTRIBUTOR, id, Map.of(Member.ADMIN, admin.address()), Map.of());
    }

    private int run(String... args) {
        return run(new StatsCommand(), args);
    }

    @Test
    void showsPeopleATableAndProgramsJsonOrCsv() {
        join("lb-1");
        assertThat(run()).isEqualTo(ExitCode.DONE);
        assertThat(takeOutput()).contains("PROXY  SERVER    STATUS", "web    FRONTEND  OPEN");
        assertThat(run("--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(takeOutput()).at("/lb-1/0/svname").asText()).isEqualTo("FRONTEND");
        assertThat(run("--csv")).isEqualTo(ExitCode.DONE);
        assertThat(takeOutput()).isEqualTo(CSV);
    }

    @Test
    void wantsToKnowWhichDistributorIfTheFormHasNoPlaceForSeveral() {
        assertThat(run()).isEqualTo(ExitCode.DEGRADED);
        join("lb-1");
        join("lb-2");
        assertThat(run("--csv")).isEqualTo(ExitCode.USAGE);
        assertThat(run("--csv", "--distributor", "lb-3")).isEqualTo(ExitCode.USAGE);
        assertThat(errors())
                .contains(
                        "no distributor runs",
                        "expected --distributor with one of lb-1, lb-2",
                        "no distributor 'lb-3'");
        assertThat(run("--csv", "--distributor", "lb-2")).isEqualTo(ExitCode.DONE);
        assertThat(output()).isEqualTo(CSV);
    }
}
