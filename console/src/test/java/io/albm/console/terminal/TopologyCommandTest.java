// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.Role;
import io.albm.core.topology.Fingerprint;
import io.albm.core.web.WebResponse;
import io.albm.core.web.WebServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real ZooKeeper; for a distributor stands an admin port that says what a real one would. */
final class TopologyCommandTest extends CommandHarness {
    private static final Map<String, String> START = Map.of(
            "frontend.main.bind", "127.0.0.1:8080",
            "frontend.main.pool", "main",
            "pool.main.members", "cache-server");

    private static Transport transport;

    private WebServer admin;

    /** Keys that the distributor refuses. */
    private volatile Set<String> refused = Set.of();

    @BeforeAll
    static void openTransport() {
        transport = Transport.open(1);
    }

    @AfterAll
    static void closeTransport() {
        transport.close();
    }

    @BeforeEach
    void startDistributor() throws IOException {
        admin = new WebServer(transport, ANY_PORT, Map.of());
        var settings = cluster.configuration("distributor");
        admin.route("/frontends", _ -> WebResponse.json(200, frontends(settings.get())));
        join(Role.DISTRIBUTOR, "d-1", Map.of(Member.ADMIN, admin.address()), Map.of("policies", "albm,hash"));
    }

    @AfterEach
    void stopDistributor() {
        admin.close();
    }

    private Map<String, Object> frontends(Map<String, String> settings) {
        Map<String, Object> answer = new HashMap<>();
        answer.put("start", START);
        answer.put("frontends", List.of(Map.of("name", "main", "address", "127.0.0.1:8080", "mode", "http")));
        answer.put("pools", List.of(Map.of("name", "main", "ids", List.of("cache-1", "10.0.0.1:80"))));
        String fingerprint = Fingerprint.of(settings);
        List<Map<String, String>> mistakes = settings.keySet().stream()
                .filter(refused::contains)
                .map(key -> Map.of("key", key, "text", "not on this machine"))
                .toList();
        if (mistakes.isEmpty()) {
            answer.put("settings", fingerprint);
        } else {
            answer.put("refused", Map.of("settings", fingerprint, "mistakes", mistakes));
        }
        return answer;
    }

    @Test
    void setsSeveralKeysAtOnceAndSaysWhoAppliedThem() {
        assertThat(run(
                        new TopologyCommand(),
                        "set",
                        "pool.api.backends=10.0.0.1:80",
                        "route.a.path=/a",
                        "route.a.pool=api"))
                .isEqualTo(ExitCode.DONE);
        assertThat(output()).contains("d-1: in force");
        assertThat(settings())
                .isEqualTo(Map.of("pool.api.backends", "10.0.0.1:80", "route.a.path", "/a", "route.a.pool", "api"));
        assertThat(run(new TopologyCommand(), "unset", "route.a.path")).isEqualTo(ExitCode.DONE);
        assertThat(settings()).doesNotContainKey("route.a.path");
    }

    @Test
    void writesNothingThatMakesNoTopology() {
        assertThat(run(new TopologyCommand(), "set", "route.a.pool=mian")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new TopologyCommand(), "set", "route.a.pol=main")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new TopologyCommand(), "set", "frontend.main.bind")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new TopologyCommand(), "set", "threshold.cpu-busy.relieve=1"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run(new TopologyCommand(), "unset", "route.a.pool")).isEqualTo(ExitCode.USAGE);
        assertThat(errors())
                .contains("route.a.pool: no pool 'mian': expected one of main; did you mean 'main'?")
                .contains("did you mean 'pool'?", "expected KEY=VALUE", "albm threshold")
                .contains("there is no live setting 'route.a.pool': there is none");
        assertThat(settings()).isEmpty();
    }

    @Test
    void saysWhoRefusesAChangeAndWhy() {
        refused = Set.of("frontend.web.bind");
        assertThat(run(new TopologyCommand(), "set", "frontend.web.bind=127.0.0.1:1", "frontend.web.pool=main"))
                .isEqualTo(ExitCode.REFUSED);
        assertThat(errors()).contains("d-1 refuses it and goes on as before: frontend.web.bind: not on this machine");
        assertThat(run(new TopologyCommand(), "show")).isEqualTo(ExitCode.DONE);
        assertThat(output()).contains("refused", "not on this machine", "frontend.web.bind = 127.0.0.1:1");
    }

    /** A distributor takes live settings as a whole or not at all. */
    @Test
    void saysThatAThresholdIsNotInForceBesideARefusedKey() {
        refused = Set.of("frontend.web.bind");
        run(new TopologyCommand(), "set", "frontend.web.bind=127.0.0.1:1", "frontend.web.pool=main");

        assertThat(run(new ThresholdCommand(), "set", "cpu-busy", "95%", "80%")).isEqualTo(ExitCode.REFUSED);
        assertThat(errors()).contains("d-1 refuses it and goes on as before: frontend.web.bind: not on this machine");
        assertThat(output()).doesNotContain("relieve past");

        refused = Set.of();
        assertThat(run(new ThresholdCommand(), "reset")).isEqualTo(ExitCode.DONE);
        assertThat(output()).contains("d-1: in force", "all thresholds: as each distributor was started");
    }

    @Test
    void replacesAllKeysByThoseOfAFileAndNoOthers(@TempDir Path directory) throws IOException {
        cluster.configure("distributor", settings -> Map.of("threshold.cpu-busy.relieve", "1", "weight.cache-1", "3"))
                .join();
        Path file = Files.writeString(directory.resolve("web.topology"), "frontend.main.policy = hash # for now\n");
        assertThat(run(new TopologyCommand(), "apply", file.toString())).isEqualTo(ExitCode.DONE);
        assertThat(settings()).isEqualTo(Map.of("threshold.cpu-busy.relieve", "1", "frontend.main.policy", "hash"));
    }

    @Test
    void checksAFileWithoutACluster(@TempDir Path directory) throws IOException {
        Path good = Files.writeString(directory.resolve("good"), "pool.api.backends = h:80\nroute.a.pool = api\n");
        Path bad = Files.writeString(directory.resolve("bad"), "pool.api.backends = h\nroute.a.pool = apj\n");

        assertThat(runAlone(new TopologyCommand(), "check", good.toString())).isEqualTo(ExitCode.DONE);
        assertThat(output()).contains("well-formed: 1 frontends, 1 routes, 2 pools");
        assertThat(runAlone(new TopologyCommand(), "check", bad.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(errors()).contains("pool.api.backends: address 'h'", "no pool 'apj'");
    }

    @Test
    void showsWhatIsServedToPeopleAndPrograms() throws IOException {
        assertThat(run(new TopologyCommand(), "show")).isEqualTo(ExitCode.DONE);
        assertThat(output().lines())
                .anyMatch(line -> line.matches("main +127.0.0.1:8080 +http .*"))
                .contains("no live settings: each serves as it was started");
        forgetOutput();
        assertThat(run(new TopologyCommand(), "show", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(Json.tree(output()).at("/distributors/d-1/frontends/0/name").asText())
                .isEqualTo("main");
    }

    @Test
    void changesThePolicyOfOneFrontendOrPool() {
        assertThat(run(new PolicyCommand(), "set", "hash", "--frontend", "main"))
                .isEqualTo(ExitCode.DONE);
        assertThat(run(new PolicyCommand(), "albm", "--pool", "main")).isEqualTo(ExitCode.DONE);
        assertThat(settings()).isEqualTo(Map.of("frontend.main.policy", "hash", "pool.main.policy", "albm"));
        assertThat(run(new PolicyCommand(), "--reset", "--frontend", "main")).isEqualTo(ExitCode.DONE);
        assertThat(settings()).isEqualTo(Map.of("pool.main.policy", "albm"));
        assertThat(run(new PolicyCommand(), "hash", "--frontend", "mian")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new PolicyCommand(), "--reset", "--pool", "nowhere")).isEqualTo(ExitCode.USAGE);
        assertThat(errors())
                .contains("there is no frontend 'mian': expected one of main; did you mean 'main'?")
                .contains("there is no pool 'nowhere': expected one of main");
        forgetOutput();
        assertThat(run(new PolicyCommand(), "--pool", "main")).isEqualTo(ExitCode.DONE);
        assertThat(output()).contains("pool.main.policy: albm");
    }

    @Test
    void takesBackTheWeightOfABackendThatHasGone() {
        cluster.configure("distributor", settings -> Map.of("weight.gone", "3")).join();

        assertThat(run(new WeightCommand(), "set", "gone", "1")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new WeightCommand(), "reset", "gone")).isEqualTo(ExitCode.DONE);
        assertThat(run(new WeightCommand(), "reset", "gone")).isEqualTo(ExitCode.USAGE);
        assertThat(errors()).contains("there is no backend 'gone': expected one of 10.0.0.1:80, cache-1");
        assertThat(settings()).isEmpty();
    }

    @Test
    void changesTheWeightOfABackendThatADistributorKnows() {
        assertThat(run(new WeightCommand(), "set", "10.0.0.1:80", "0")).isEqualTo(ExitCode.DONE);
        assertThat(run(new WeightCommand())).isEqualTo(ExitCode.DONE);
        assertThat(output().lines()).anyMatch(line -> line.matches("10.0.0.1:80 +0"));
        assertThat(run(new WeightCommand(), "set", "cache-1", "257")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new WeightCommand(), "set", "cache-2", "1")).isEqualTo(ExitCode.USAGE);
        assertThat(errors()).contains("expected a whole number of 0 to 256", "did you mean 'cache-1'?");
        assertThat(run(new WeightCommand(), "reset", "10.0.0.1:80")).isEqualTo(ExitCode.DONE);
        assertThat(settings()).isEmpty();
    }

    /** What is written, read past the caches of views. */
    private Map<String, String> settings() {
        try (var other = connect()) {
            return other.configuration("distributor").loaded().join();
        }
    }
}
