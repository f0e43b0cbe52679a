// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.restart;

import io.albm.bench.job.JobRun;
import io.albm.bench.lab.Lab;
import io.albm.bench.lab.LabHost;
import io.albm.bench.lab.LabShape;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.local.Installation;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A cluster of real processes over shaped links: the I/O nodes behind one port, the job behind another. ZooKeeper and the
 * coordinator are on the host that is not shaped.
 */
final class JobLab implements AutoCloseable {
    static final int MEGABITS = 100;

    private static final LabShape SHAPE = new LabShape(2, MEGABITS, 64 * 1024);
    private static final String CLUSTER = "albm";
    private static final int STORAGE = 1;
    private static final int JOB = 2;

    /** Four data units and a parity unit, as is usual. */
    private static final int NODES = 5;

    private final Lab lab;
    private final ProcessGroup processes;
    private final Installation installation;
    private final Roles roles;
    private final ZooKeeperCluster cluster;

    private JobLab(Lab lab, ProcessGroup processes, Installation installation, Roles roles) throws IOException {
        this.lab = lab;
        this.processes = processes;
        this.installation = installation;
        this.roles = roles;
        this.cluster = lab.host(0)
                .call(() -> ZooKeeperCluster.connect(roles.zooKeeper().toString(), CLUSTER));
    }

    static JobLab start(ProcessGroup processes, Installation installation) throws IOException {
        Lab lab = Lab.start(processes, installation.home(), "lab", SHAPE);
        try {
            Roles roles = lab.host(0).call(() -> Roles.start(processes, installation, reachable(lab.host(0))));
            for (int node = 1; node <= NODES; node++) {
                start(lab.host(STORAGE), roles, "storage-node", "s-" + node, List.of("--port", "0"));
            }
            String speed = Long.toString(Math.round(SHAPE.bytesPerSecond()));
            start(lab.host(0), roles, "coordinator", "c-1", List.of("--port", "0", "--link-speed", speed));
            return new JobLab(lab, processes, installation, roles);
        } catch (IOException | RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    private static void start(LabHost host, Roles roles, String role, String id, List<String> options)
            throws IOException {
        List<String> all = new ArrayList<>(options);
        all.addAll(reachable(host));
        Roles.endpoint(host.call(() -> roles.start(role, id, all)), "admin");
    }

    private static List<String> reachable(LabHost host) {
        return List.of("--bind", host.address().getHostAddress(), "--insecure");
    }

    /** Seconds that the job's link, or the storage's port, needs for so many bytes at least. */
    static double wireSeconds(long bytes) {
        return bytes / SHAPE.payloadPerSecond();
    }

    /**
     * Starts a job of {@link StateRank}s, or goes on with it.
     *
     * @param node a directory: another one is another node
     */
    JobRun run(String name, int ranks, long bytes, String node, List<String> options) throws IOException {
        Path data = processes.directory().resolve(node);
        List<String> command = new ArrayList<>();
        command.add(installation.home().resolve("albm").toString());
        command.addAll(List.of("job", "run", "--json", "--name", name, "--ranks", Integer.toString(ranks)));
        command.addAll(List.of("--zookeeper", roles.zooKeeper().toString(), "--data", data.toString()));
        command.addAll(reachable(lab.host(JOB)));
        command.addAll(options);
        command.add("--");
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), StateRank.class.getName()));
        command.add(Long.toString(bytes));
        Path log = processes.directory().resolve(name + ".log");
        return lab.host(JOB).call(() -> JobRun.start(command, Map.of(), log, progress -> {}));
    }

    JobStore records(String job) {
        return new JobStore(cluster.store(), job);
    }

    @Override
    public void close() {
        cluster.close();
        lab.close();
    }
}
