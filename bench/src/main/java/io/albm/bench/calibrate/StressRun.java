// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import io.albm.core.node.Counter;
import io.albm.core.node.CounterSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs one experiment step by step and watches the host's counters meanwhile. Ends three steps after the server has turned, or when most requests fail: more would only hurt it. For one thread.
 */
final class StressRun {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int STEPS_PAST_KNEE = 3;

    private final Load load;
    private final Supplier<CounterSample> counters;
    private final Consumer<String> progress;

    /**
     * A run against one host.
     *
     * @param counters the host's last report, asked ten times a second
     */
    StressRun(Load load, Supplier<CounterSample> counters, Consumer<String> progress) {
        this.load = load;
        this.counters = counters;
        this.progress = progress;
    }

    Curve run(Plan plan) throws InterruptedException {
        List<Step> steps = new ArrayList<>();
        for (int size : plan.loads()) {
            steps.add(step(plan, size));
            if (isOver(new Curve(plan.experiment(), steps))) {
                break;
            }
        }
        return new Curve(plan.experiment(), steps);
    }

    private static boolean isOver(Curve curve) {
        int last = curve.steps().size() - 1;
        return curve.steps().getLast().isTheEnd()
                || curve.knee().stream().anyMatch(knee -> last - knee >= STEPS_PAST_KNEE);
    }

    private Step step(Plan plan, int size) throws InterruptedException {
        CompletableFuture<Load.Result> running = CompletableFuture.supplyAsync(
                () -> load.run(plan.uri(size), plan.clients(size), plan.duration()), Thread::startVirtualThread);
        CounterSample felt = watch(plan.duration());
        Load.Result result = running.join();
        progress.accept("%s, %d %s: %.0f/s, p99 %.1f ms"
                .formatted(
                        plan.experiment().title(),
                        size,
                        plan.experiment().load(),
                        result.goodput(),
                        result.p99Micros() / 1e3));
        return new Step(
                size, result.goodput(), result.p99Micros(), result.failedShare(), result.unreachableShare(), felt);
    }

    /** The medians of the second half: in the first one the counters still move. */
    private CounterSample watch(Duration duration) throws InterruptedException {
        Thread.sleep(duration.dividedBy(2));
        List<CounterSample> seen = new ArrayList<>();
        long looks = Math.max(1, duration.dividedBy(2).dividedBy(LOOK));
        for (long i = 0; i < looks; i++) {
            Thread.sleep(LOOK);
            seen.add(counters.get());
        }
        return CounterSample.of(counter -> median(seen, counter));
    }

    private static double median(List<CounterSample> seen, Counter counter) {
        double[] values = seen.stream()
                .mapToDouble(sample -> sample.value(counter))
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
        return values.length == 0 ? Double.NaN : values[values.length / 2];
    }
}
