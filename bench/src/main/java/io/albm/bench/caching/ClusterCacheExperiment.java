// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import io.albm.bench.compare.Surroundings;
import io.albm.bench.load.DocumentTree;
import io.albm.bench.load.Users;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.ExperimentFiles;
import io.albm.bench.report.Runs;
import io.albm.core.cluster.Cluster;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm experiment cluster-cache}. */
@Command(
        name = "cluster-cache",
        description = {
            "A second cache server behind the distributor: does the cluster find more in its memory?",
            "",
            "One and two cache servers, each with room for a twentieth of 2000 documents, behind one distributor, under the"
                    + " load of SURGE. By round-robin both servers come to hold the same documents; by bounded-load-hash each"
                    + " document's requests go to one of them, as long as that is not overloaded. Each run begins with servers"
                    + " that have just started; hit ratios are the cluster's, from the servers' metrics. Disks are slowed where"
                    + " the kernel lets us, each server's by itself."
        })
public final class ClusterCacheExperiment extends BenchCommand {
    private static final String CLUSTER = "albm";
    private static final int DOCUMENTS = 2000;
    private static final long SEED = 11;
    private static final int CACHED_SHARE = 20;

    @Option(
            names = "--users",
            paramLabel = "N",
            defaultValue = "400",
            description = "User equivalents (default: ${DEFAULT-VALUE}).")
    private int users;

    @Mixin
    private ExperimentFiles files = new ExperimentFiles();

    @Override
    protected BenchReport measure(boolean shorter) throws IOException, InterruptedException {
        Logging.quiet();
        Installation installation = Installation.find();
        Path base = installation.home().resolve("bench/target/experiment-cluster-cache");
        try (ProcessGroup processes = ProcessGroup.in(base)) {
            DocumentTree documents = DocumentTree.generate(processes.directory().resolve("documents"), SEED, DOCUMENTS);
            Roles roles = Roles.start(processes, installation);
            try (Cluster cluster = ZooKeeperCluster.connect(roles.zooKeeper().toString(), CLUSTER)) {
                CacheCluster caches =
                        new CacheCluster(processes, roles, cluster, documents, documents.totalBytes() / CACHED_SHARE);
                ClusterRuns runs = new ClusterRuns(
                        caches,
                        new Users(documents, SEED),
                        users,
                        Duration.ofSeconds(shorter ? 8 : 20),
                        Duration.ofSeconds(shorter ? 8 : 30),
                        ClusterCacheExperiment::say);
                Runs<ClusterCell> measured = runs.run(shorter ? 1 : 3);
                files.write(Map.of("runs.csv", measured.csv(ClusterCell.HEADER)));
                return ClusterVerdict.of(measured, surroundings(documents));
            }
        }
    }

    private static void say(String line) {
        System.err.println(line);
    }

    private Map<String, String> surroundings(DocumentTree documents) throws IOException {
        Map<String, String> all = Surroundings.machine();
        all.put(
                "documents",
                "%d of %.1f MB together, a twentieth of which fits into a server; %d user equivalents"
                        .formatted(documents.documents().size(), documents.totalBytes() / 1e6, users));
        return all;
    }
}
