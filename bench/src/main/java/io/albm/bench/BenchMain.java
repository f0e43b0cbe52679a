// SPDX-License-Identifier: Apache-2.0
package io.albm.bench;

import io.albm.bench.bounds.MemoryBench;
import io.albm.bench.cache.CacheHitBench;
import io.albm.bench.caching.ClusterCacheExperiment;
import io.albm.bench.caching.WindowCacheExperiment;
import io.albm.bench.calibrate.CalibrateCommand;
import io.albm.bench.demo.DemoCommand;
import io.albm.bench.durability.DurabilityBench;
import io.albm.bench.experiment.AlbmExperiment;
import io.albm.bench.jmh.JmhBench;
import io.albm.bench.multistripe.MultistripeExperiment;
import io.albm.bench.proxy.ConnectionsBench;
import io.albm.bench.proxy.ProxyBench;
import io.albm.bench.restart.RestartBench;
import io.albm.bench.routing.RoutingBench;
import io.albm.bench.savings.SavingsBench;
import io.albm.bench.scale.ScaleBench;
import io.albm.bench.serve.ServeBench;
import io.albm.bench.storage.RebuildBench;
import io.albm.bench.storage.StorageBench;
import io.albm.bench.storage.StorageExperiment;
import io.albm.core.cli.CommandGroup;
import io.albm.core.cli.Commands;
import io.albm.placement.interference.InterferenceCommand;
import picocli.CommandLine.Model.CommandSpec;

/** The main of the bench fat JAR. */
public final class BenchMain {
    private BenchMain() {}

    /** Runs the command line and ends this process with its exit code. */
    public static void main(String[] args) {
        Commands.main(root(args), args);
    }

    /** Commands of this JAR for a command line, all of them for none: a new one is a line here or in its group. */
    static CommandSpec root(String... args) {
        return CommandGroup.of("albm", "Measure, and prove on this machine.")
                .with("demo", DemoCommand::new)
                .with("calibrate", CalibrateCommand::new)
                .with(benches())
                .with(experiments())
                .spec(args);
    }

    private static CommandGroup benches() {
        return CommandGroup.of("bench", "Measure against a bar or a peer, both in the same run.")
                .with("cache-hit", CacheHitBench::new)
                .with("cache-memory", MemoryBench::new)
                .with("cache-serve", ServeBench::new)
                .with("checkpoint-restart", RestartBench::new)
                .with("checkpoint-savings", SavingsBench::new)
                .with("checkpoint-scale", ScaleBench::new)
                .with("connections", ConnectionsBench::new)
                .with("jmh", JmhBench::new)
                .with("proxy", ProxyBench::new)
                .with("routing", RoutingBench::new)
                .with("storage", StorageBench::new)
                .with("storage-durability", DurabilityBench::new)
                .with("storage-rebuild", RebuildBench::new);
    }

    private static CommandGroup experiments() {
        return CommandGroup.of("experiment", "An experiment of the papers on this machine.")
                .with("albm", AlbmExperiment::new)
                .with("cluster-cache", ClusterCacheExperiment::new)
                .with("interference", InterferenceCommand::new)
                .with("multistripe", MultistripeExperiment::new)
                .with("storage", StorageExperiment::new)
                .with("window-cache", WindowCacheExperiment::new);
    }
}
