// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.albm.core.cgroup.NotPermittedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes in a real control group, with windows too short for results; skipped where groups are not allowed. */
final class InterferenceExperimentTest {
    private static final long MIB = 1 << 20;
    private static final ExperimentSettings TINY =
            new ExperimentSettings(2, 24 * MIB, 256 * MIB, 2, 1, Duration.ofMillis(200), Duration.ofSeconds(2));

    @TempDir
    Path directory;

    private final List<String> progress = new ArrayList<>();

    @Test
    void memoryThatOverflowsPushesPagesOutAndMemoryThatFitsDoesNot() throws IOException {
        List<WindowPair> pairs;
        try (InterferenceExperiment experiment = experiment()) {
            prepare(experiment);
            pairs = experiment.run();
        }
        assertThat(pairs).hasSize(3).allSatisfy(pair -> {
            assertThat(pair.undisturbed().countMillis()).isPositive();
            assertThat(pair.disturbed().countMillis()).isPositive();
        });
        assertThat(refaults(pairs, Disturbance.OVERFLOWS))
                .isPositive()
                .isGreaterThan(10 * refaults(pairs, Disturbance.FITS));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void closedInTheMiddleItLeavesNothingBehind() throws Exception {
        Set<ProcessHandle> before = children();
        CompletableFuture<List<WindowPair>> run;
        try (InterferenceExperiment experiment = experiment()) {
            prepare(experiment);
            run = CompletableFuture.supplyAsync(() -> unchecked(experiment));
            await().until(() -> children().size() > before.size());
        }
        await().until(run::isDone);
        assertThat(run).isCompletedExceptionally();
        assertThat(directory).isEmptyDirectory();
        assertThat(children()).isEqualTo(before);
    }

    @Test
    void closedBeforeItBeginsItMakesNothing() throws IOException {
        InterferenceExperiment experiment = experiment();
        experiment.close();
        assertThatIOException().isThrownBy(experiment::prepare).withMessage("the experiment was interrupted");
        assertThat(directory).isEmptyDirectory();
    }

    private static List<WindowPair> unchecked(InterferenceExperiment experiment) {
        try {
            return experiment.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<ProcessHandle> children() {
        return ProcessHandle.current().children().collect(Collectors.toSet());
    }

    private static double refaults(List<WindowPair> pairs, Disturbance disturbance) {
        return pairs.stream()
                .filter(pair -> pair.disturbance() == disturbance)
                .mapToDouble(pair -> pair.disturbed().fileRefaultsPerSecond())
                .sum();
    }

    private InterferenceExperiment experiment() {
        return new InterferenceExperiment(TINY, directory, progress::add);
    }

    private static void prepare(InterferenceExperiment experiment) throws IOException {
        try {
            experiment.prepare();
        } catch (NotPermittedException e) {
            abort(e.getMessage());
        }
    }
}
