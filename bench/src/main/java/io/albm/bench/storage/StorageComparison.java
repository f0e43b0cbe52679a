// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.storage.Measure.Part;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Lets the file systems take turns, A B C C B A, part by part, so that whatever else happens on the machine and its disk
 * hits all alike. What cannot be measured is noted, and the rest goes on.
 */
final class StorageComparison {
    private static final int MOST_PROCESSES = 4;
    private static final List<NameMeasures> NAMES = List.of(
            new NameMeasures(1, List.of(Measure.CREATE_1, Measure.STAT_1, Measure.REMOVE_1)),
            new NameMeasures(MOST_PROCESSES, List.of(Measure.CREATE_4, Measure.STAT_4, Measure.REMOVE_4)));

    private final AlbmStorage ours;
    private final List<Volume> volumes;
    private final Load load;
    private final Map<String, ClientLoad> clients;
    private final Figures figures;
    private final Consumer<String> progress;

    /** What is measured by that many processes, phase by phase. */
    private record NameMeasures(int processes, List<Measure> measures) {}

    /** Something that may fail. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** A figure that may not be had. */
    @FunctionalInterface
    private interface Figure {
        double measure() throws IOException;
    }

    /**
     * Of those.
     *
     * @param volumes all, ours first
     * @param clients that have no mount between, by the name of what they use
     */
    StorageComparison(
            AlbmStorage ours,
            List<Volume> volumes,
            Load load,
            Map<String, ClientLoad> clients,
            Figures figures,
            Consumer<String> progress) {
        this.ours = ours;
        this.volumes = List.copyOf(volumes);
        this.load = load;
        this.clients = clients;
        this.figures = figures;
        this.progress = progress;
    }

    /** Measures those parts; returns how many rounds there was time for. */
    int run(Set<Part> parts, StorageScale scale) throws IOException {
        long begin = System.nanoTime();
        warmUp(parts);
        int round = 0;
        while (round < scale.rounds() && (round == 0 || !over(begin, scale.bound()))) {
            round++;
            progress.accept("round " + round + " of " + scale.rounds());
            round(parts, round % 2 == 0);
        }
        return round;
    }

    /** A turn of each that does not count: programs load, and JVMs compile. */
    private void warmUp(Set<Part> parts) {
        progress.accept("warm-up");
        for (Volume volume : volumes) {
            warmUp(volume.name(), () -> {
                if (volume.hasFiles()) {
                    load.write(volume);
                    load.read(volume);
                    load.remove(volume);
                }
                if (parts.contains(Part.NAMES)) {
                    load.names(volume, MOST_PROCESSES);
                }
            });
        }
        if (parts.contains(Part.CLIENT)) {
            clients.forEach((contender, client) -> warmUp(contender, () -> {
                client.write();
                client.read();
                client.remove();
            }));
        }
    }

    private void warmUp(String contender, Step step) {
        try {
            step.run();
        } catch (CliException | IOException e) {
            progress.accept("warm-up %s: %s".formatted(contender, e.getMessage()));
        }
    }

    private static boolean over(long begin, Duration bound) {
        return System.nanoTime() - begin > bound.toNanos();
    }

    /** @param reversed who comes first finds memory and a disk that others have not just used: it is to be everybody at times */
    private void round(Set<Part> parts, boolean reversed) throws IOException {
        List<Volume> volumes = inTurn(this.volumes, reversed);
        if (parts.contains(Part.STREAM) || parts.contains(Part.RANDOM)) {
            for (Volume volume : volumes.stream().filter(Volume::hasFiles).toList()) {
                files(volume, parts.contains(Part.RANDOM));
            }
        }
        if (parts.contains(Part.NAMES)) {
            for (NameMeasures names : NAMES) {
                volumes.forEach(volume -> names(volume, names));
            }
        }
        if (parts.contains(Part.DEGRADED)) {
            degraded();
        }
        if (parts.contains(Part.CLIENT)) {
            inTurn(List.copyOf(clients.keySet()), reversed).forEach(this::client);
        }
    }

    private static <T> List<T> inTurn(List<T> contenders, boolean reversed) {
        return reversed ? contenders.reversed() : contenders;
    }

    private void files(Volume volume, boolean random) {
        measure(Measure.WRITE, volume.name(), () -> Measure.WRITE.of(load.write(volume)));
        measure(Measure.READ, volume.name(), () -> Measure.READ.of(load.read(volume)));
        if (random) {
            measure(Measure.RANDOM_READ, volume.name(), () -> load.randomReads(volume));
            measure(Measure.RANDOM_WRITE, volume.name(), () -> load.randomWrites(volume));
        }
        step(Measure.WRITE, volume.name(), () -> load.remove(volume));
    }

    private void names(Volume volume, NameMeasures names) {
        step(names.measures().getFirst(), volume.name(), () -> {
            List<Tally> phases = load.names(volume, names.processes());
            for (int i = 0; i < phases.size(); i++) {
                Measure measure = names.measures().get(i);
                add(measure, volume.name(), measure.of(phases.get(i)));
            }
        });
    }

    /** The same file with all nodes and without one. */
    private void degraded() {
        Measure measure = Measure.DEGRADED_READ;
        Volume volume = ours.volume();
        step(measure, StorageTarget.ALL_NODES, () -> {
            load.write(volume);
            add(measure, StorageTarget.ALL_NODES, measure.of(load.read(volume)));
        });
        step(measure, AlbmStorage.NAME, () -> {
            ours.killNode();
            try {
                add(measure, AlbmStorage.NAME, measure.of(load.read(volume)));
            } finally {
                ours.restartNode();
            }
        });
        step(measure, AlbmStorage.NAME, () -> load.remove(volume));
    }

    private void client(String contender) {
        ClientLoad client = Objects.requireNonNull(clients.get(contender));
        measure(Measure.CLIENT_WRITE, contender, () -> Measure.CLIENT_WRITE.of(client.write()));
        measure(Measure.CLIENT_READ, contender, () -> Measure.CLIENT_READ.of(client.read()));
        step(Measure.CLIENT_WRITE, contender, client::remove);
    }

    private void measure(Measure measure, String contender, Figure figure) {
        step(measure, contender, () -> add(measure, contender, figure.measure()));
    }

    private void add(Measure measure, String contender, double figure) {
        figures.add(measure, contender, figure);
        progress.accept(
                String.format(Locale.ROOT, "%s %s: %.0f %s", measure.text(), contender, figure, measure.unit()));
    }

    private void step(Measure measure, String contender, Step step) {
        try {
            step.run();
        } catch (CliException | IOException e) {
            if (load.isOver()) {
                throw new CliException(ExitCode.FAILED, "interrupted");
            }
            figures.fail(measure, contender, String.valueOf(e.getMessage()));
            progress.accept("%s %s: does not count: %s".formatted(measure.text(), contender, e.getMessage()));
        }
    }
}
