// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.core.node.CounterReport;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.distributor.routing.BackendView;
import io.albm.distributor.routing.HostReport;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.routing.RouteCosts;
import io.albm.distributor.routing.RoutingView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of a pool's backends, whatever policy spreads requests over them: who should be there, health checks, the
 * hosts' reports, drain marks, weights, and the standing that {@link Judge} makes of all that. Confined to the directory's
 * thread.
 */
final class BackendBook {
    private static final Logger LOG = LoggerFactory.getLogger(BackendBook.class);

    private final MonotonicClock clock;
    private final Judge judge;
    private final Backend.ConnectFailures connectFailures;
    private final Consumer<Backend> onRetired;
    private final RouteCosts costs = new RouteCosts();
    private final Map<String, Entry> entries = new TreeMap<>();
    private final Map<NodeId, HostReport> reports = new HashMap<>();
    private final Map<NodeId, List<Entry>> byHost = new HashMap<>();
    private BackendSettings settings;
    private Set<String> draining = Set.of();
    private Map<String, Standing> standings = Map.of();

    /** One backend's line in the book. */
    private static final class Entry {
        final Backend backend;
        final HealthTrack track;
        final CheckBook checks;
        BackendSpec spec;

        Entry(Backend backend, HealthTrack track, CheckBook checks, BackendSpec spec) {
            this.checks = checks;
            this.backend = backend;
            this.track = track;
            this.spec = spec;
        }
    }

    /**
     * An empty book.
     *
     * @param connectFailures told when requests cannot connect
     * @param onRetired told about each backend that is taken out for good
     */
    BackendBook(
            MonotonicClock clock,
            BackendSettings settings,
            Backend.ConnectFailures connectFailures,
            Consumer<Backend> onRetired) {
        this.clock = clock;
        this.settings = settings;
        this.judge = new Judge(settings.protection());
        this.connectFailures = connectFailures;
        this.onRetired = onRetired;
    }

    void expect(Map<String, BackendSpec> specs) {
        List.copyOf(entries.keySet()).stream()
                .filter(id -> !specs.containsKey(id))
                .forEach(this::retire);
        specs.forEach(this::admit);
        byHost.clear();
        entries.values().forEach(this::index);
    }

    private void index(Entry entry) {
        NodeId host = entry.spec.host();
        if (host != null) {
            byHost.merge(host, List.of(entry), BackendBook::joined);
        }
    }

    private static List<Entry> joined(List<Entry> some, List<Entry> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private void admit(String id, BackendSpec spec) {
        Entry known = entries.get(id);
        if (known != null && known.backend.address().equals(spec.address())) {
            known.spec = spec;
            return;
        }
        if (known != null) {
            retire(id);
        }
        var backend = new Backend(id, spec.address(), settings.connectFailures(), connectFailures, costs);
        backend.load().limitTo(settings.maxConnections());
        entries.put(
                id,
                new Entry(
                        backend,
                        new HealthTrack(settings.rise(), settings.fall()),
                        new CheckBook(clock.nanoTime()),
                        spec));
        LOG.info("backend {} joins", backend);
    }

    private void retire(String id) {
        Entry gone = entries.remove(id);
        if (gone != null) {
            LOG.info("backend {} leaves with {} requests in flight", gone.backend, gone.backend.inFlight());
            onRetired.accept(gone.backend);
        }
    }

    /** Judges by other settings from now on. */
    void judgeBy(BackendSettings changed) {
        settings = changed;
        entries.values().forEach(entry -> {
            entry.track.judgeBy(changed.rise(), changed.fall());
            entry.backend.load().limitTo(changed.maxConnections());
        });
    }

    BackendSettings settings() {
        return settings;
    }

    /** Takes in reports; one that was seen before keeps the time at which it came. */
    void report(Map<NodeId, CounterReport> latest, ReliefSettings relief) {
        reports.keySet().retainAll(latest.keySet());
        latest.forEach((host, report) -> report(host, report, relief));
    }

    private void report(NodeId host, CounterReport latest, ReliefSettings relief) {
        HostReport known = reports.get(host);
        if (known == null
                || known.sequence() != latest.sequence()
                || !known.sample().equals(latest.sample())) {
            reports.put(host, received(latest));
            byHost.getOrDefault(host, List.of()).forEach(entry -> {
                costs.reported(entry.backend.load(), latest.sample(), relief.thresholds());
                entry.backend.load().reported(costs);
            });
        }
    }

    private HostReport received(CounterReport report) {
        return new HostReport(report.sample(), report.health(), report.sequence(), clock.nanoTime());
    }

    void drain(Set<String> ids) {
        draining = ids;
    }

    /** Counts a health check. */
    void checked(Backend backend, CheckBook.Finding finding, @Nullable String text) {
        Entry entry = entries.get(backend.id());
        if (entry != null && entry.backend == backend) {
            entry.checks.checked(finding, text);
        }
    }

    /**
     * Takes in a health check, or what requests saw.
     *
     * @return whether the backend's health is another one now
     */
    boolean judge(Backend backend, Consumer<HealthTrack> verdict) {
        Entry entry = entries.get(backend.id());
        if (entry == null || entry.backend != backend) {
            return false;
        }
        Health before = entry.track.health();
        verdict.accept(entry.track);
        if (before.equals(entry.track.health())) {
            return false;
        }
        log(entry, before);
        entry.backend.forgetConnectFailures();
        return true;
    }

    private static void log(Entry entry, Health before) {
        switch (entry.track.health()) {
            case Health.Down down
            when before.serves() -> LOG.warn("backend {} is down: {}", entry.backend, down.reason());
            case Health.Down down -> {}
            case Health.Up up when !before.serves() -> LOG.info("backend {} is up again", entry.backend);
            case Health.Up up -> LOG.info("backend {} is up", entry.backend);
            case Health.Unproven unproven -> throw new AssertionError("health never becomes unproven again");
        }
    }

    /** Everybody, as of now. */
    Census census(ReliefSettings relief, int distributors) {
        long now = clock.nanoTime();
        List<Entry> all = List.copyOf(entries.values());
        Map<String, Standing> judged =
                judge.judge(all.stream().map(entry -> seen(entry, now)).toList(), now);
        logStandings(judged);
        standings = judged;
        return new Census(
                all.stream().map(entry -> counted(entry, now)).toList(),
                new RoutingView(
                        all.stream().map(entry -> view(entry, now)).toList(), relief, costs, distributors, now));
    }

    private Judge.Seen seen(Entry entry, long now) {
        return new Judge.Seen(entry.backend.id(), entry.track.health(), drainedBy(entry, now), entry.backend.answers());
    }

    private @Nullable String drainedBy(Entry entry, long now) {
        if (draining.contains(entry.backend.id())) {
            return "an operator said so";
        }
        if (entry.spec.weight() == 0) {
            return "its weight is 0";
        }
        HostReport report = freshReport(entry, now);
        return report != null && report.health() instanceof HostHealth.Draining ? "its agent says so" : null;
    }

    private Census.Counted counted(Entry entry, long now) {
        Standing standing = standing(entry);
        entry.checks.look(standing instanceof Standing.Down || standing instanceof Standing.Ejected, now);
        return new Census.Counted(entry.backend, entry.track.health(), standing, entry.checks.status(settings, now));
    }

    private Standing standing(Entry entry) {
        return Objects.requireNonNull(standings.get(entry.backend.id()));
    }

    private BackendView view(Entry entry, long now) {
        return new BackendView(
                entry.backend.id(),
                standing(entry).takesRequests(),
                Math.max(1, entry.spec.weight()),
                entry.backend.load(),
                freshReport(entry, now));
    }

    private @Nullable HostReport freshReport(Entry entry, long now) {
        HostReport report = entry.spec.host() == null ? null : reports.get(entry.spec.host());
        return report != null
                        && now - report.receivedNanos()
                                <= settings.reportMaxAge().toNanos()
                ? report
                : null;
    }

    private void logStandings(Map<String, Standing> judged) {
        judged.forEach((id, standing) -> {
            Standing before = standings.get(id);
            if (standing instanceof Standing.Ejected ejected && !(before instanceof Standing.Ejected)) {
                LOG.warn("backend {} is ejected: {}", id, ejected.reason());
            }
            if (standing instanceof Standing.Panicking && !(before instanceof Standing.Panicking)) {
                LOG.error("too few backends can serve: {} gets requests although it should not", id);
            }
        });
    }
}
