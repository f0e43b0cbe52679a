// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.bench.lab.Lab;
import io.albm.bench.lab.LabHost;
import io.albm.bench.lab.LoadPattern;
import io.albm.bench.lab.UdpLoad;
import io.albm.checkpoint.strategy.BandwidthMeter;
import io.albm.checkpoint.strategy.Network;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Paper P3's Table 2: how often {@code multistriped} chooses which group size, while the load of the storage port rises. The paper's load
 * is Linpack with larger and larger problems; ours are datagrams at an uneven share of the port. Bandwidth is measured as the
 * coordinator does; nothing is stored.
 */
final class GroupSizes {
    private static final List<Integer> MEAN_PERCENTS = List.of(0, 20, 40, 60, 80, 95);
    private static final Duration BETWEEN_CHECKPOINTS = Duration.ofMillis(250);
    private static final long SEED = 11;

    private GroupSizes() {}

    /**
     * What was chosen at a load.
     *
     * @param meanPercent of the port, as far as it can carry that
     * @param share in percent, by group size, the largest first
     */
    record Row(int meanPercent, SortedMap<Integer, Double> share) {
        static final String HEADER = "mean_load_percent,group_size,share_percent";

        static Row of(int meanPercent, List<Integer> sizes) {
            SortedMap<Integer, Double> share = new TreeMap<>(Collections.reverseOrder());
            sizes.forEach(size -> share.merge(size, 100.0 / sizes.size(), Double::sum));
            return new Row(meanPercent, share);
        }

        List<String> lines() {
            return share.entrySet().stream()
                    .map(entry ->
                            String.format(Locale.ROOT, "%d,%d,%.1f", meanPercent, entry.getKey(), entry.getValue()))
                    .toList();
        }

        String text() {
            return share.entrySet().stream()
                    .map(entry -> String.format(Locale.ROOT, "%d: %.0f %%", entry.getKey(), entry.getValue()))
                    .collect(Collectors.joining(", "));
        }
    }

    static List<Row> measure(Lab lab, Scene scene, Scheme scheme, int checkpoints)
            throws IOException, InterruptedException {
        BandwidthMeter meter = SceneRuns.meter(lab, scene);
        Thread.sleep(BETWEEN_CHECKPOINTS);
        meter.sample(System.nanoTime());
        List<LabHost> ports =
                IntStream.of(scene.storageHosts()).mapToObj(lab::host).toList();
        List<Row> rows = new ArrayList<>();
        for (int percent : MEAN_PERCENTS) {
            List<Integer> sizes = new ArrayList<>();
            LoadPattern pattern =
                    percent == 0 ? LoadPattern.steady(0) : LoadPattern.uneven(percent / 100.0, SEED + percent);
            try (UdpLoad _ = UdpLoad.start(lab, ports, pattern)) {
                meter.sample(System.nanoTime());
                for (int i = 0; i < checkpoints; i++) {
                    Thread.sleep(BETWEEN_CHECKPOINTS);
                    meter.sample(System.nanoTime());
                    sizes.add(scheme.plan(i, 1, Network.unmeasured(meter.bandwidth()))
                            .groupSize());
                }
            }
            rows.add(Row.of(percent, sizes));
        }
        return rows;
    }

    static String csv(List<Row> rows) {
        return Row.HEADER + "\n"
                + rows.stream()
                        .flatMap(row -> row.lines().stream())
                        .map(line -> line + "\n")
                        .collect(Collectors.joining());
    }
}
