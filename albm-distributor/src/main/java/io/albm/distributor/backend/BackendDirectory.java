// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.CounterReport;
import io.albm.core.node.HostHealth;
import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.distributor.routing.BackendView;
import io.albm.distributor.routing.HostReport;
import io.albm.distributor.routing.Relief;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.routing.Rotation;
import io.albm.distributor.routing.RouteCosts;
import io.albm.distributor.routing.RoutedRequest;
import io.albm.distributor.routing.RoutingPolicies;
import io.albm.distributor.routing.RoutingPolicy;
import io.albm.distributor.routing.RoutingView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings together all that decides where a request may go: membership, health checks, the hosts' reports, drain marks,
 * policy and settings.
 *
 * <p>{@link Judge} says who takes part, the policy spreads the requests over them.
 *
 * <p>Changes come from anywhere and are applied one by one on the given executor, which must run one task at a time.
 * Each makes a new page (backends, rotation), published by one volatile write; the data path reads the page and never
 * waits. Old pages stay valid for requests that hold them.
 */
public final class BackendDirectory implements BackendChooser {
    private static final Logger LOG = LoggerFactory.getLogger(BackendDirectory.class);

    private final Executor control;
    private final MonotonicClock clock;
    private final BackendSettings settings;
    private final Judge judge;
    private final Consumer<Backend> onRetired;
    private final RouteCosts costs = new RouteCosts();
    private final Map<String, Entry> entries = new TreeMap<>();
    private final Map<NodeId, HostReport> reports = new HashMap<>();
    private Set<String> draining = Set.of();
    private Map<String, Relief> relieved = Map.of();
    private Map<String, Standing> standings = Map.of();
    private String policyName;
    private RoutingPolicy policy;
    private ReliefSettings relief;
    private int distributors = 1;
    private volatile RoutingPage page;

    /** One backend's line in the book. */
    private static final class Entry {
        final Backend backend;
        final HealthTrack track;

        @Nullable
        NodeId host;

        Entry(Backend backend, HealthTrack track, @Nullable NodeId host) {
            this.backend = backend;
            this.track = track;
            this.host = host;
        }
    }

    /**
     * A directory without backends.
     *
     * @param control runs one task at a time
     * @param onRetired told about each backend that is taken out for good
     */
    public BackendDirectory(
            Executor control,
            MonotonicClock clock,
            BackendSettings settings,
            String policyName,
            ReliefSettings relief,
            Consumer<Backend> onRetired) {
        this.control = control;
        this.clock = clock;
        this.settings = settings;
        this.judge = new Judge(settings.protection());
        this.onRetired = onRetired;
        this.policyName = policyName;
        this.policy = RoutingPolicies.create(policyName);
        this.relief = relief;
        this.page = turnPage();
    }

    @Override
    public @Nullable Backend choose(RoutedRequest request, RandomGenerator random) {
        return page.choose(request, random);
    }

    @Override
    public String whyNone() {
        List<BackendStatus> all = page.status().backends();
        if (all.isEmpty()) {
            return "no backend: no cache server has joined and none is configured";
        }
        return "no backend of " + all.size() + " could take the request: "
                + String.join(
                        ", ",
                        all.stream().map(one -> one.id() + " " + one.health()).toList());
    }

    /** Who is there, who takes part, and why not; as of the last change or look. */
    public RoutingStatus status() {
        return page.status();
    }

    /** All backends, those that are down included. */
    public List<Backend> backends() {
        return page.backends();
    }

    /** Sets who should be there, by id. */
    public void expect(Map<String, BackendSpec> specs) {
        change(() -> {
            List.copyOf(entries.keySet()).stream()
                    .filter(id -> !specs.containsKey(id))
                    .forEach(this::retire);
            specs.forEach(this::admit);
        });
    }

    private void admit(String id, BackendSpec spec) {
        Entry known = entries.get(id);
        if (known != null && known.backend.address().equals(spec.address())) {
            known.host = spec.host();
            return;
        }
        if (known != null) {
            retire(id);
        }
        var backend = new Backend(id, spec.address(), settings.connectFailures(), this::connectFailed, costs);
        entries.put(id, new Entry(backend, new HealthTrack(settings.rise(), settings.fall()), spec.host()));
        LOG.info("backend {} joins", backend);
    }

    private void retire(String id) {
        Entry gone = entries.remove(id);
        if (gone != null) {
            LOG.info("backend {} leaves with {} requests in flight", gone.backend, gone.backend.inFlight());
            onRetired.accept(gone.backend);
        }
    }

    /** Takes in what agents report; a report that was seen before keeps the time at which it came. */
    public void report(Map<NodeId, CounterReport> latest) {
        change(() -> {
            reports.keySet().retainAll(latest.keySet());
            latest.forEach(this::report);
        });
    }

    private void report(NodeId host, CounterReport latest) {
        HostReport known = reports.get(host);
        if (known == null
                || known.sequence() != latest.sequence()
                || !known.sample().equals(latest.sample())) {
            reports.put(host, received(latest));
            entries.values().stream().filter(entry -> host.equals(entry.host)).forEach(entry -> {
                entry.backend.load().reported();
                costs.reported(entry.backend.load(), latest.sample(), relief.thresholds());
            });
        }
    }

    private HostReport received(CounterReport report) {
        return new HostReport(report.sample(), report.health(), report.sequence(), clock.nanoTime());
    }

    /** Sets which backends an operator has taken out. */
    public void drain(Set<String> ids) {
        Set<String> marked = Set.copyOf(ids);
        change(() -> draining = marked);
    }

    /**
     * Routes by another policy from now on.
     *
     * @throws IllegalArgumentException if there is no policy of that name
     */
    public void routeBy(String name) {
        RoutingPolicy chosen = RoutingPolicies.create(name);
        change(() -> {
            if (!name.equals(policyName)) {
                LOG.info("routing policy changes from {} to {}", policyName, name);
                policyName = name;
                policy = chosen;
                entries.values().forEach(entry -> entry.backend.load().unfollow());
            }
        });
    }

    /** Relieves by other levels from now on. */
    public void relieveBy(ReliefSettings changed) {
        change(() -> {
            if (!changed.equals(relief)) {
                LOG.info("thresholds change from {} to {}", text(relief), text(changed));
                relief = changed;
            }
        });
    }

    private static String text(ReliefSettings settings) {
        return ThresholdSettings.text(settings.thresholds());
    }

    /** Sets how many distributors send to these backends, this one included; fewer than 1 counts as 1. */
    public void shareWith(int count) {
        change(() -> distributors = Math.max(1, count));
    }

    /** Looks at the time: reports grow old, relieved backends come back. To be called some times a second. */
    public void look() {
        change(() -> {});
    }

    /** A health check was answered well. */
    void checkPassed(Backend backend) {
        judge(backend, HealthTrack::passed);
    }

    /** A health check was answered badly. */
    void checkAnsweredBadly(Backend backend, String reason) {
        judge(backend, track -> track.failed(reason, true, clock.nanoTime()));
    }

    /** A health check got no answer. */
    void checkUnanswered(Backend backend, String reason) {
        judge(backend, track -> track.failed(reason, false, clock.nanoTime()));
    }

    private void connectFailed(Backend backend, String reason) {
        judge(backend, track -> track.unreachable(reason, clock.nanoTime()));
    }

    private void judge(Backend backend, Consumer<HealthTrack> verdict) {
        control.execute(() -> {
            Entry entry = entries.get(backend.id());
            if (entry == null || entry.backend != backend) {
                return;
            }
            Health before = entry.track.health();
            verdict.accept(entry.track);
            if (!before.equals(entry.track.health())) {
                healthChanged(entry, before);
            }
        });
    }

    private void healthChanged(Entry entry, Health before) {
        switch (entry.track.health()) {
            case Health.Down down
            when before.serves() -> LOG.warn("backend {} is down: {}", entry.backend, down.reason());
            case Health.Down down -> {}
            case Health.Up up when !before.serves() -> LOG.info("backend {} is up again", entry.backend);
            case Health.Up up -> LOG.info("backend {} is up", entry.backend);
            case Health.Unproven unproven -> throw new AssertionError("health never becomes unproven again");
        }
        entry.backend.forgetConnectFailures();
        page = turnPage();
    }

    private void change(Runnable change) {
        control.execute(() -> {
            change.run();
            page = turnPage();
        });
    }

    private RoutingPage turnPage() {
        List<Entry> all = List.copyOf(entries.values());
        long now = clock.nanoTime();
        Map<String, Standing> judged = judge.judge(all.stream().map(this::seen).toList(), now);
        logStandings(judged);
        var view = new RoutingView(all.stream().map(this::view).toList(), relief, costs, distributors, now);
        Rotation rotation = policy.rotate(view);
        logRelief(rotation.relieved());
        return new RoutingPage(
                all.stream().map(entry -> entry.backend).toList(),
                all.stream().map(this::standing).toList(),
                rotation,
                status(all, view));
    }

    private Judge.Seen seen(Entry entry) {
        return new Judge.Seen(entry.backend.id(), entry.track.health(), drainedBy(entry), entry.backend.answers());
    }

    private @Nullable String drainedBy(Entry entry) {
        if (draining.contains(entry.backend.id())) {
            return "an operator said so";
        }
        HostReport report = freshReport(entry);
        return report != null && report.health() instanceof HostHealth.Draining ? "its agent says so" : null;
    }

    private Standing standing(Entry entry) {
        return Objects.requireNonNull(standings.get(entry.backend.id()));
    }

    private BackendView view(Entry entry) {
        return new BackendView(
                entry.backend.id(), standing(entry).takesRequests(), 1, entry.backend.load(), freshReport(entry));
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
        standings = judged;
    }

    private @Nullable HostReport freshReport(Entry entry) {
        HostReport report = entry.host == null ? null : reports.get(entry.host);
        return report != null
                        && clock.nanoTime() - report.receivedNanos()
                                <= settings.reportMaxAge().toNanos()
                ? report
                : null;
    }

    private void logRelief(Map<String, Relief> now) {
        now.forEach((id, why) -> {
            if (!relieved.containsKey(id)) {
                LOG.warn("backend {} is relieved: {} = {}", id, why.counter(), why.value());
            }
        });
        relieved.keySet().stream()
                .filter(id -> !now.containsKey(id))
                .forEach(id -> LOG.info("backend {} is no longer relieved", id));
        relieved = now;
    }

    private RoutingStatus status(List<Entry> all, RoutingView view) {
        var backends = new ArrayList<BackendStatus>();
        for (int i = 0; i < all.size(); i++) {
            backends.add(BackendStatus.of(
                    all.get(i).backend,
                    all.get(i).track.health(),
                    standing(all.get(i)),
                    view.backends().get(i),
                    relieved.get(all.get(i).backend.id()),
                    view.nowNanos()));
        }
        boolean panic = standings.values().stream().anyMatch(Standing.Panicking.class::isInstance);
        return new RoutingStatus(policyName, relief.thresholds().levels(), panic, backends);
    }
}
