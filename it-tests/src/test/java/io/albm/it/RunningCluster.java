// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cluster.Cluster;
import io.albm.core.json.Json;
import io.albm.core.local.ClusterProcess;
import io.albm.core.local.ClusterSpec;
import io.albm.core.local.Installation;
import io.albm.core.local.LocalCluster;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.it.Albm.Result;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.table.ClusterStorage;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * A whole cluster of real processes with two cache servers and four storage nodes, seen from outside: over HTTP, through
 * ZooKeeper, by a storage client of its own, and from a shell.
 */
final class RunningCluster implements AutoCloseable {
    private static final String NAME = "faults";
    static final String DOCUMENT = "/hello.txt";
    static final String CONTENT = "from main memory";
    private static final int CACHE_SERVERS = 2;
    private static final int STORAGE_NODES = 4;

    private final Path directory;
    private final LocalCluster processes;
    private final Transport transport = Transport.open(1);
    private final FrameClient frames = new FrameClient(transport);
    private final Cluster members;
    private final StripedStore store;

    RunningCluster(Path directory) throws IOException {
        this.directory = directory;
        Path docs = Files.createDirectories(directory.resolve("docs"));
        Files.writeString(docs.resolve(DOCUMENT.substring(1)), CONTENT);
        ClusterSpec spec = ClusterSpec.of(NAME, directory.resolve(".albm"), docs)
                .sized(CACHE_SERVERS, STORAGE_NODES)
                .onFreePorts();
        processes = LocalCluster.start(spec, new Installation(Albm.home()), process -> {});
        members = ZooKeeperCluster.connect(processes.zooKeeper(), NAME);
        store = ClusterStorage.open(members, frames, StripeSettings.DEFAULT);
        awaitWhole();
    }

    /** Puts one more document before the cache servers. */
    void addDocument(String name, byte[] content) throws IOException {
        Files.write(directory.resolve("docs").resolve(name), content);
    }

    void kill(String id) {
        processes.kill(id);
    }

    /** At the addresses that it had. */
    void restart(String id) throws IOException {
        Map<String, NodeAddress> before = processes.process(id).endpoints();
        processes.restart(id);
        assertThat(processes.awaitReady(id).endpoints()).isEqualTo(before);
    }

    /** Until every process is ready without reserve and a member, and every cache server gets requests. */
    void awaitWhole() {
        for (ClusterProcess process : processes.processes()) {
            await().alias(process.id() + " is ready and a member").until(() -> isReady(process) && isMember(process));
        }
        await().alias("all backends are up")
                .until(() -> backends().stream()
                                .filter(backend ->
                                        backend.path("health").asText().equals("up"))
                                .count()
                        == CACHE_SERVERS);
        await().alias("the storage client sees all nodes")
                .until(() -> store.nodes().size() == STORAGE_NODES);
    }

    private static boolean isReady(ClusterProcess process) {
        HttpResponse<String> health = RoleUnderTest.get(process.endpoint(Member.ADMIN), "/health/ready");
        return health.statusCode() == 200
                && Json.tree(health.body()).path("reasons").isEmpty();
    }

    private boolean isMember(ClusterProcess process) {
        Member member = members.members(process.role()).get().get(new NodeId(process.id()));
        return member != null
                && member.attribute("pid")
                        .filter(Long.toString(process.pid())::equals)
                        .isPresent();
    }

    /** Fails unless every one of many requests through the distributor gets the document. */
    void requireDocuments(int requests) {
        for (int n = 0; n < requests; n++) {
            requireDocument(endpoint("distributor", "http"));
        }
    }

    void requireDocument(NodeAddress server) {
        HttpResponse<String> response = RoleUnderTest.get(server, DOCUMENT);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(CONTENT);
    }

    NodeAddress endpoint(String id, String use) {
        return processes.process(id).endpoint(use);
    }

    String health(String id) {
        return RoleUnderTest.get(endpoint(id, Member.ADMIN), "/health/ready").body();
    }

    StripedStore store() {
        return store;
    }

    JsonNode routing() {
        return Json.tree(RoleUnderTest.get(endpoint("distributor", Member.ADMIN), "/routing")
                .body());
    }

    List<JsonNode> backends() {
        return StreamSupport.stream(routing().path("backends").spliterator(), false)
                .toList();
    }

    JsonNode backend(String id) {
        return backends().stream()
                .filter(backend -> backend.path("id").asText().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no backend " + id));
    }

    /** How many requests a cache server has answered with a document; health checks ask for none. */
    long answered(String cacheServer) {
        String metrics = RoleUnderTest.get(endpoint(cacheServer, Member.ADMIN), "/metrics")
                .body();
        return metrics.lines()
                .filter(line -> line.startsWith("albm_cache_requests_total"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** A command about this cluster. */
    Result albm(String... command) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--cluster", NAME));
        return Albm.in(directory).run(arguments.toArray(String[]::new));
    }

    @Override
    public void close() throws IOException {
        frames.close();
        members.close();
        transport.close();
        processes.close();
    }
}
