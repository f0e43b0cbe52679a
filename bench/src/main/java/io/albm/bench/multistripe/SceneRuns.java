// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.bench.lab.Bystander;
import io.albm.bench.lab.Lab;
import io.albm.bench.lab.LabHost;
import io.albm.checkpoint.strategy.Bandwidth;
import io.albm.checkpoint.strategy.BandwidthMeter;
import io.albm.checkpoint.strategy.DrainPlan;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.storage.FileTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** Lets all schemes take turns in one scene, plain TCP first, so that the machine's moods hit all alike. */
final class SceneRuns {
    /** Over how long available bandwidth is measured, before the load begins and under it. */
    private static final Duration SAMPLE = Duration.ofMillis(500);

    private final Lab lab;
    private final Scene scene;
    private final StorageHosts hosts;
    private final FileTable table;
    private final Consumer<String> progress;
    private long checkpoints;

    SceneRuns(Lab lab, Scene scene, StorageHosts hosts, FileTable table, Consumer<String> progress) {
        this.lab = lab;
        this.scene = scene;
        this.hosts = hosts;
        this.table = table;
        this.progress = progress;
    }

    /** One checkpoint; returns how long it took. */
    private interface Checkpoint {
        double store() throws IOException, InterruptedException;
    }

    List<StripeCell> run(List<Scheme> schemes) throws IOException, InterruptedException {
        List<StripeCell> cells = new ArrayList<>();
        for (int round = 1; round <= scene.rounds(); round++) {
            cells.add(plain(round));
            for (Scheme scheme : schemes) {
                cells.add(striped(scheme, round));
            }
        }
        return cells;
    }

    private StripeCell plain(int round) throws IOException, InterruptedException {
        try (Load.Running _ = scene.load().start(lab, ports())) {
            Thread.sleep(SAMPLE);
            return measured(PlainTcp.NAME, round, () -> 0, () -> PlainTcp.send(lab, scene));
        }
    }

    private StripeCell striped(Scheme scheme, int round) throws IOException, InterruptedException {
        BandwidthMeter meter = meter(lab, scene);
        Thread.sleep(SAMPLE);
        meter.sample(System.nanoTime());
        try (Ranks ranks = Ranks.connect(hosts, table, scene);
                Pacing pacing = Pacing.start(lab, scene, hosts, scheme);
                Load.Running _ = scene.load().start(lab, ports())) {
            meter.sample(System.nanoTime());
            Thread.sleep(SAMPLE);
            meter.sample(System.nanoTime());
            Bandwidth bandwidth = meter.bandwidth();
            DrainPlan plan = scheme.plan(++checkpoints, scene.rankBytes(), pacing.network(bandwidth));
            DrainTurns turns = new DrainTurns(plan, Scene.RANKS);
            StripeCell cell = measured(
                    scheme.name(), round, turns::widest, () -> ranks.drain(turns, () -> pacing.network(bandwidth)));
            ranks.delete();
            return cell;
        }
    }

    /** Of the storage ports together, by what the switch counts. */
    static BandwidthMeter meter(Lab lab, Scene scene) {
        return new BandwidthMeter(
                () -> throughPorts(lab, scene), lab.shape().bytesPerSecond() * scene.ports(), System.nanoTime());
    }

    private static long throughPorts(Lab lab, Scene scene) {
        long bytes = 0;
        for (int host : scene.storageHosts()) {
            try {
                bytes += lab.bytesTo(host);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return bytes;
    }

    private List<LabHost> ports() {
        return IntStream.of(scene.storageHosts()).mapToObj(lab::host).toList();
    }

    private StripeCell measured(String name, int round, IntSupplier groupSize, Checkpoint checkpoint)
            throws IOException, InterruptedException {
        TcpSegments segments = lab.segments();
        long bytes = throughPorts(lab, scene);
        Bystander bystander = new Bystander(lab.host(scene.bystander()), ports().getFirst());
        double seconds;
        try (bystander) {
            seconds = checkpoint.store();
        }
        TcpSegments sent = lab.segments().since(segments);
        StripeCell cell = new StripeCell(
                scene,
                name,
                round,
                groupSize.getAsInt(),
                seconds,
                throughPorts(lab, scene) - bytes,
                sent.sent(),
                sent.retransmitted(),
                bystander.millisAt(50),
                bystander.millisAt(99));
        progress.accept(cell.text());
        return cell;
    }
}
