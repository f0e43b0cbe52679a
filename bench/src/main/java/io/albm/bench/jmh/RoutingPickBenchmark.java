// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.distributor.routing.BackendLoad;
import io.albm.distributor.routing.BackendView;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.routing.Rotation;
import io.albm.distributor.routing.RouteCosts;
import io.albm.distributor.routing.RoutedRequest;
import io.albm.distributor.routing.RoutingPolicies;
import io.albm.distributor.routing.RoutingView;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What does it cost a request to be given a backend, from a small cluster to a thousand backends? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RoutingPickBenchmark {

    @Param({
        "round-robin",
        "weighted-round-robin",
        "least-connections",
        "power-of-two",
        "peak-ewma",
        "prequal",
        "orca-weighted",
        "hash",
        "bounded-load-hash",
        "albm",
        "albm-threshold"
    })
    public String kind = "";

    @Param({"4", "1000"})
    public int backends;

    private static final RoutedRequest REQUEST = new RoutedRequest() {
        @Override
        public long hash() {
            return 0;
        }

        @Override
        public int route() {
            return DEFAULT_ROUTE;
        }

        @Override
        public boolean tried(String backendId) {
            return false;
        }

        @Override
        public long nowNanos() {
            return 0;
        }
    };

    private final SplittableRandom random = new SplittableRandom(1);
    private Rotation rotation = (_, _) -> Rotation.NONE;

    @Setup
    public void rotate() {
        List<BackendView> all = IntStream.range(0, backends)
                .mapToObj(i -> new BackendView("b" + i, true, 1, load(i % 7), null))
                .toList();
        rotation = RoutingPolicies.create(kind)
                .rotate(new RoutingView(all, ReliefSettings.DEFAULT, new RouteCosts(), 1, 0));
    }

    private static BackendLoad load(int inFlight) {
        var load = new BackendLoad();
        for (int i = 0; i < inFlight; i++) {
            load.began(0, 0);
        }
        return load;
    }

    @Benchmark
    public int pick() {
        return rotation.pick(REQUEST, random);
    }
}
