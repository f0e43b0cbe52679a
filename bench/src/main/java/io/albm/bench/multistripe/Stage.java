// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.bench.lab.Lab;
import io.albm.bench.process.ProcessGroup;
import io.albm.storage.FileTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Makes a lab for each scene, with storage nodes in it, one at a time. Not thread-safe. */
final class Stage {
    /** Fast links: what is warmed up is the JVM. The first round took a quarter to a third longer than the third. */
    private static final Scene WARM_UP = new Scene(4, 1000, 256, Load.NONE, 4 << 20, 3);

    private final ProcessGroup processes;
    private final Path home;
    private final Path blocks;
    private final FileTable table;
    private int labs;

    /** @param blocks where storage nodes keep theirs */
    Stage(ProcessGroup processes, Path home, Path blocks, FileTable table) {
        this.processes = processes;
        this.home = home;
        this.blocks = blocks;
        this.table = table;
    }

    /** What is measured first is not slower than the rest. */
    void warmUp(List<Scheme> schemes) throws IOException, InterruptedException {
        run(WARM_UP, schemes, line -> {});
    }

    List<StripeCell> run(Scene scene, List<Scheme> schemes, Consumer<String> progress)
            throws IOException, InterruptedException {
        try (Lab lab = lab(scene);
                StorageHosts hosts = StorageHosts.start(lab, scene, blocks.resolve("lab-" + labs))) {
            return new SceneRuns(lab, scene, hosts, table, progress).run(schemes);
        }
    }

    /** Of the paper's scheme, at the paper's port. */
    List<GroupSizes.Row> groupSizes(int checkpoints) throws IOException, InterruptedException {
        Scene scene = new Scene(1, 100, StripePlan.USUAL_BUFFER, Load.NONE, 1, 1);
        Scheme scheme = Scheme.all().stream()
                .filter(one -> one.name().equals(Scheme.MULTISTRIPED))
                .findFirst()
                .orElseThrow();
        try (Lab lab = lab(scene)) {
            return GroupSizes.measure(lab, scene, scheme, checkpoints);
        }
    }

    private Lab lab(Scene scene) throws IOException {
        return Lab.start(processes, home, "lab-" + ++labs, scene.shape());
    }
}
