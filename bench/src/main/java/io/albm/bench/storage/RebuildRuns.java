// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.process.ProcessGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Loses a node's disk again and again, once while nobody uses the storage and once while somebody does. */
final class RebuildRuns {
    private final AlbmStorage ours;
    private final Volume mount;
    private final Volume disk;
    private final Load load;
    private final RebuildScale scale;
    private final Consumer<String> progress;
    private final Figures figures = new Figures();
    private double mostMoved;

    RebuildRuns(AlbmStorage ours, LostDisk disk, ProcessGroup processes, RebuildScale scale, Consumer<String> progress)
            throws IOException {
        this.ours = ours;
        this.mount = ours.volume();
        this.disk = disk.volume(Files.createDirectory(processes.directory().resolve("disk")));
        this.load = new Load(processes, scale.load());
        this.scale = scale;
        this.progress = progress;
    }

    /** Measures. */
    void run() throws IOException {
        for (int file = 0; file < scale.files(); file++) {
            load.fill(mount, "file-" + file);
        }
        for (int round = 1; round <= scale.rounds(); round++) {
            progress.accept("round " + round + " of " + scale.rounds());
            alone();
            beside();
        }
    }

    private void alone() throws IOException {
        add(RebuildMeasure.SPEED, RebuildMeasure.DISK, load.write(disk).megabytesPerSecond());
        load.remove(disk);
        long lost = new NodeRebuild(ours.victim()).bytes();
        NodeRebuild rebuild = begin();
        add(RebuildMeasure.SPEED, AlbmStorage.NAME, rebuild.run().megabytesPerSecond());
        mostMoved = Math.max(mostMoved, (double) rebuild.bytes() / lost);
    }

    /** The first pass finds programs that were not at work for a while. */
    private void beside() throws IOException {
        pass();
        for (double pass : passes(() -> true)) {
            add(RebuildMeasure.FOREGROUND, RebuildMeasure.NO_REBUILD, pass);
        }
        NodeRebuild rebuild = begin();
        for (double pass : passes(rebuild::isUnderWay)) {
            add(RebuildMeasure.FOREGROUND, AlbmStorage.NAME, pass);
        }
        rebuild.awaitEnd();
    }

    private NodeRebuild begin() throws IOException {
        ours.killNode();
        ours.replaceNode();
        NodeRebuild rebuild = new NodeRebuild(ours.victim());
        rebuild.awaitBegin();
        return rebuild;
    }

    /** Those at whose end it is still like that. */
    private List<Double> passes(BooleanSupplier condition) throws IOException {
        List<Double> passes = new ArrayList<>();
        for (int i = 0; i < scale.passes(); i++) {
            double pass = pass();
            if (!condition.getAsBoolean()) {
                return passes;
            }
            passes.add(pass);
        }
        return passes;
    }

    /** Writes a file, and reads it. */
    private double pass() throws IOException {
        Tally written = load.write(mount);
        Tally read = load.read(mount);
        load.remove(mount);
        long nanos = written.end() - written.begin() + read.end() - read.begin();
        return (written.amount() + read.amount()) * 1e3 / nanos;
    }

    private void add(RebuildMeasure measure, String who, double figure) {
        figures.add(measure, who, figure);
        progress.accept(String.format(Locale.ROOT, "%s %s: %.0f %s", measure.text(), who, figure, measure.unit()));
    }

    Figures figures() {
        return figures;
    }

    /** Of all rebuilds beside which nothing else was written: bytes that came to the node, over those that were lost. */
    double mostMoved() {
        return mostMoved;
    }
}
