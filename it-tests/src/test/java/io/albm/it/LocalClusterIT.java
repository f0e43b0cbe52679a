// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import io.albm.core.local.ClusterProcess;
import io.albm.core.local.ClusterSpec;
import io.albm.core.local.Installation;
import io.albm.core.local.LocalCluster;
import io.albm.it.Albm.Result;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes, and what the terminal commands say about it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalClusterIT {
    private static final String NAME = "it";

    private final LocalCluster cluster;
    private final Path directory;

    LocalClusterIT(@TempDir Path directory) throws Exception {
        this.directory = directory;
        Path docs = Files.createDirectories(directory.resolve("docs"));
        Files.writeString(docs.resolve("hello.txt"), "from main memory");
        ClusterSpec spec = ClusterSpec.of(NAME, directory.resolve(".albm"), docs)
                .sized(2, 3)
                .onFreePorts();
        cluster = LocalCluster.start(spec, new Installation(Albm.home()), process -> {});
    }

    @AfterAll
    void stop() throws Exception {
        cluster.close();
        assertThat(cluster.processes())
                .extracting(process -> process.identity().isAlive())
                .containsOnly(false);
    }

    @Test
    void servesDocumentsThroughTheDistributor() throws Exception {
        URI uri = URI.create("http://" + cluster.process("distributor").endpoint("http") + "/hello.txt");
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("from main memory");
        }
    }

    @Test
    void aKilledProcessIsGoneAndTheClusterDegradedUntilItIsBack() throws Exception {
        assertThat(status().exitCode()).isZero();
        cluster.kill("cache-1");
        Result degraded = status("--json");
        assertThat(degraded.exitCode()).isEqualTo(3);
        JsonNode status = Json.tree(degraded.out());
        assertThat(status.path("healthy").asBoolean()).isFalse();
        assertThat(status.path("processes"))
                .filteredOn(process -> process.path("state").asText().equals("gone"))
                .extracting(process -> process.path("id").asText())
                .containsExactly("cache-1");

        ClusterProcess killed = cluster.process("cache-1");
        cluster.restart("cache-1");
        ClusterProcess back = cluster.awaitReady("cache-1");
        assertThat(back.endpoints()).isEqualTo(killed.endpoints());
        assertThat(back.pid()).isNotEqualTo(killed.pid());
        assertThat(status().exitCode()).isZero();
    }

    @Test
    void statusShowsEveryProcessAndTheRoutingPolicy() throws Exception {
        Result result = status("--json");
        JsonNode status = Json.tree(result.out());
        assertThat(status.path("processes"))
                .extracting(process -> process.path("id").asText())
                .containsAll(
                        cluster.processes().stream().map(ClusterProcess::id).toList());
        assertThat(status.path("counters"))
                .extracting(report -> report.path("node").asText())
                .containsExactlyInAnyOrder("cache-1", "cache-2");
        assertThat(status.at("/routing/policy").asText()).isNotEmpty();
    }

    @Test
    void upWhileUpIsRefused() throws Exception {
        Result result = albm().run("up", "--cluster", NAME, "--ports", "auto", "--detach");
        assertThat(result.exitCode()).isEqualTo(4);
        assertThat(result.err())
                .contains("'" + NAME + "' is up")
                .contains("'albm down --cluster " + NAME + "'")
                .hasLineCount(1);
    }

    @Test
    void statusOfAnUnreachableZooKeeperSaysSo() throws Exception {
        Result result = albm().run("status", "--zookeeper", "127.0.0.1:1");
        assertThat(result.exitCode()).isEqualTo(69);
        assertThat(result.err()).contains("127.0.0.1:1 does not answer").hasLineCount(1);
    }

    private Result status(String... options) throws Exception {
        String[] arguments = Stream.concat(Stream.of("status", "--cluster", NAME), Arrays.stream(options))
                .toArray(String[]::new);
        return albm().run(arguments);
    }

    private Albm albm() {
        return Albm.in(directory);
    }
}
