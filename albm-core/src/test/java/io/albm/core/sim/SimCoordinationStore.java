// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationException.OutcomeUnknown;
import io.albm.core.cluster.CoordinationException.Unavailable;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One process's session with the {@link SimDirectory}. Requests arrive in the order in which they were made; answers and
 * watches reach the process as events of its own.
 */
public final class SimCoordinationStore implements CoordinationStore {
    private static final Duration LEAST_DELAY = Duration.ofMillis(1);
    private static final Duration MOST_DELAY = Duration.ofMillis(5);
    private static final Duration GIVES_UP = Duration.ofSeconds(1);

    private final Simulation simulation;
    private final SimDirectory directory;
    private final SimNode node;
    private final int incarnation;
    private final List<Watch> watches = new ArrayList<>();
    private long lastArrival;
    private boolean ended;

    SimCoordinationStore(Simulation simulation, SimDirectory directory, SimNode node) {
        this.simulation = simulation;
        this.directory = directory;
        this.node = node;
        this.incarnation = node.incarnation();
    }

    @Override
    public CompletableFuture<Optional<Versioned>> read(String path) {
        return ask("read " + path, () -> directory.peek(path));
    }

    @Override
    public CompletableFuture<List<String>> children(String path) {
        return ask("children " + path, () -> directory.peekChildren(path));
    }

    @Override
    public CompletableFuture<Void> commit(List<Operation> operations) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        String what = "commit " + summary(operations);
        if (!usable()) {
            fail(result, GIVES_UP, new Unavailable("directory unreachable: " + what));
        } else {
            arrive(what, () -> serve(operations, what, result));
        }
        return result;
    }

    @Override
    public Subscription watch(String path, Runnable onChange) {
        Watch watch = new Watch(path, onChange);
        watches.add(watch);
        return () -> watches.remove(watch);
    }

    SimNode node() {
        return node;
    }

    int incarnation() {
        return incarnation;
    }

    void ended() {
        ended = true;
        watches.clear();
    }

    boolean isEnded() {
        return ended;
    }

    void reconnected() {
        List.copyOf(watches).forEach(this::call);
    }

    void changed(Set<String> paths) {
        for (Watch watch : List.copyOf(watches)) {
            if (paths.stream().anyMatch(watch::sees)) {
                call(watch);
            }
        }
    }

    private <T> CompletableFuture<T> ask(String what, Supplier<T> answer) {
        CompletableFuture<T> result = new CompletableFuture<>();
        if (!usable()) {
            fail(result, GIVES_UP, new Unavailable("directory unreachable: " + what));
            return result;
        }
        arrive(what, () -> {
            if (usable()) {
                T value = answer.get();
                tell(delay(), "answer to " + what, () -> result.complete(value));
            } else {
                fail(result, GIVES_UP, new Unavailable("directory unreachable: " + what));
            }
        });
        return result;
    }

    private void serve(List<Operation> operations, String what, CompletableFuture<Void> result) {
        boolean broken = directory.breaksNow() || !usable();
        if (!broken) {
            applyAndAnswer(operations, what, result);
            return;
        }
        double fate = simulation.random().nextDouble();
        if (fate < 0.4) {
            applyQuietly(operations);
        } else if (fate < 0.6) {
            Duration late = simulation.between(Duration.ZERO, Duration.ofSeconds(2));
            simulation.schedule(late, "late " + what, () -> applyQuietly(operations));
        }
        fail(result, delay(), new OutcomeUnknown("connection lost under " + what));
    }

    private void applyAndAnswer(List<Operation> operations, String what, CompletableFuture<Void> result) {
        try {
            directory.apply(operations, this);
            tell(delay(), "done: " + what, () -> result.complete(null));
        } catch (CoordinationException refused) {
            fail(result, delay(), refused);
        }
    }

    private void applyQuietly(List<Operation> operations) {
        try {
            directory.apply(operations, this);
        } catch (CoordinationException refused) {
            simulation.note("unseen refusal: " + refused.getMessage());
        }
    }

    private void arrive(String what, Runnable action) {
        long now = simulation.clock().nanoTime();
        lastArrival = Math.max(lastArrival, now + delay().toNanos());
        simulation.schedule(Duration.ofNanos(lastArrival - now), node.name() + " " + what, action);
    }

    private void fail(CompletableFuture<?> result, Duration after, CoordinationException cause) {
        tell(after, "failure: " + cause.getMessage(), () -> result.completeExceptionally(cause));
    }

    /** For the process that has the session, and not for one that was started in its place. */
    private void tell(Duration after, String what, Runnable heard) {
        if (node.incarnation() == incarnation) {
            node.after(after, what, heard);
        }
    }

    private boolean usable() {
        return !ended && directory.reaches(node);
    }

    private Duration delay() {
        return simulation.between(LEAST_DELAY, MOST_DELAY);
    }

    /** Changes that come before the callback ran are joined, as the contract says. */
    private void call(Watch watch) {
        if (!watch.due && directory.reaches(node)) {
            watch.due = true;
            tell(delay(), "watch " + watch.path, () -> {
                watch.due = false;
                if (watches.contains(watch)) {
                    watch.onChange.run();
                }
            });
        }
    }

    private static String summary(List<Operation> operations) {
        return String.join(
                ", ",
                operations.stream()
                        .map(operation -> operation.getClass().getSimpleName() + " " + operation.path())
                        .toList());
    }

    private static final class Watch {
        private final String path;
        private final Runnable onChange;
        private boolean due;

        Watch(String path, Runnable onChange) {
            this.path = path;
            this.onChange = onChange;
        }

        boolean sees(String changed) {
            return changed.equals(path)
                    || changed.substring(0, changed.lastIndexOf('/')).equals(path);
        }
    }
}
