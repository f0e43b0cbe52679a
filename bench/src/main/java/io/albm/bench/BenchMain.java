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
import io.albm.core.cli.Commands;
import io.albm.placement.interference.InterferenceCommand;
import picocli.CommandLine.Model.CommandSpec;

/** The main of the bench fat JAR. */
public final class BenchMain {
    private BenchMain() {}

    /** Runs the command line and ends this process with its exit code. */
    public static void main(String[] args) {
        Commands.main(root(), args);
    }

    /** All commands of this JAR: a new one is a line here or in its group. */
    static CommandSpec root() {
        CommandSpec root = Commands.group("albm", "Measure, and prove on this machine.");
        root.addSubcommand("demo", CommandSpec.forAnnotatedObject(new DemoCommand()));
        root.addSubcommand("calibrate", CommandSpec.forAnnotatedObject(new CalibrateCommand()));
        root.addSubcommand("bench", benches());
        root.addSubcommand("experiment", experiments());
        return root;
    }

    private static CommandSpec benches() {
        CommandSpec group = Commands.group("bench", "Measure against a bar or a peer, both in the same run.");
        group.addSubcommand("cache-hit", CommandSpec.forAnnotatedObject(new CacheHitBench()));
        group.addSubcommand("cache-memory", CommandSpec.forAnnotatedObject(new MemoryBench()));
        group.addSubcommand("cache-serve", CommandSpec.forAnnotatedObject(new ServeBench()));
        group.addSubcommand("checkpoint-restart", CommandSpec.forAnnotatedObject(new RestartBench()));
        group.addSubcommand("checkpoint-savings", CommandSpec.forAnnotatedObject(new SavingsBench()));
        group.addSubcommand("checkpoint-scale", CommandSpec.forAnnotatedObject(new ScaleBench()));
        group.addSubcommand("connections", CommandSpec.forAnnotatedObject(new ConnectionsBench()));
        group.addSubcommand("jmh", CommandSpec.forAnnotatedObject(new JmhBench()));
        group.addSubcommand("proxy", CommandSpec.forAnnotatedObject(new ProxyBench()));
        group.addSubcommand("routing", CommandSpec.forAnnotatedObject(new RoutingBench()));
        group.addSubcommand("storage", CommandSpec.forAnnotatedObject(new StorageBench()));
        group.addSubcommand("storage-durability", CommandSpec.forAnnotatedObject(new DurabilityBench()));
        group.addSubcommand("storage-rebuild", CommandSpec.forAnnotatedObject(new RebuildBench()));
        return group;
    }

    private static CommandSpec experiments() {
        CommandSpec group = Commands.group("experiment", "An experiment of the papers on this machine.");
        group.addSubcommand("albm", CommandSpec.forAnnotatedObject(new AlbmExperiment()));
        group.addSubcommand("cluster-cache", CommandSpec.forAnnotatedObject(new ClusterCacheExperiment()));
        group.addSubcommand("interference", CommandSpec.forAnnotatedObject(new InterferenceCommand()));
        group.addSubcommand("multistripe", CommandSpec.forAnnotatedObject(new MultistripeExperiment()));
        group.addSubcommand("storage", CommandSpec.forAnnotatedObject(new StorageExperiment()));
        group.addSubcommand("window-cache", CommandSpec.forAnnotatedObject(new WindowCacheExperiment()));
        return group;
    }
}
