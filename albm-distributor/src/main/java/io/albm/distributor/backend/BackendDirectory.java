// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.CounterReport;
import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import io.albm.distributor.backend.CheckBook.Finding;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.routing.RoutedRequest;
import io.albm.distributor.routing.RoutingPolicies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pool: its backends, and the policies that spread requests over them. {@link BackendBook} keeps what is known of the
 * backends; a {@link Balancer} for each policy in use makes a page of it, which the data path reads.
 *
 * <p>Changes come from anywhere and are applied one by one on the given executor, which must run one task at a time. Each
 * makes new pages, published by one volatile write each; the data path reads a page and never waits. Old pages stay valid
 * for requests that hold them.
 *
 * <p>Making a page costs a pass over all backends. So what changes often and matters little at once, the hosts' reports,
 * makes one at most every {@link #REPORTS_INTERVAL}, and seldom enough to take no more than a twentieth of the thread's
 * time; a backend that goes down, is drained or changes its weight makes one at once.
 */
public final class BackendDirectory implements BackendChooser {
    /** How soon after a page the reports that came meanwhile make the next one, at the soonest. */
    static final Duration REPORTS_INTERVAL = Duration.ofMillis(10);

    /** How many times as long as reports took the next ones wait, so that they get a twentieth of the thread at most. */
    private static final int REST = 19;

    private static final Logger LOG = LoggerFactory.getLogger(BackendDirectory.class);

    private final String pool;
    private final ScheduledExecutorService control;
    private final MonotonicClock clock;
    private final BackendBook book;
    private final Map<String, Balancer> balancers = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Map<NodeId, CounterReport>> waitingReports = new AtomicReference<>();
    private ReliefSettings relief;
    private int distributors = 1;
    private long turnedNanos;
    private long restNanos = REPORTS_INTERVAL.toNanos();
    private Census census;
    private volatile Balancer main;

    /**
     * A directory without backends.
     *
     * @param pool its name, for messages
     * @param control runs one task at a time
     * @param policy how requests are spread, unless their frontend says otherwise
     * @param onRetired told about each backend that is taken out for good
     */
    public BackendDirectory(
            String pool,
            ScheduledExecutorService control,
            MonotonicClock clock,
            BackendSettings settings,
            String policy,
            ReliefSettings relief,
            Consumer<Backend> onRetired) {
        this.pool = pool;
        this.control = control;
        this.clock = clock;
        this.book = new BackendBook(clock, settings, this::connectFailed, onRetired);
        this.relief = relief;
        this.census = book.census(relief, distributors);
        this.main = balancer(policy);
    }

    @Override
    public @Nullable Backend choose(RoutedRequest request, RandomGenerator random) {
        return main.page().choose(request, random);
    }

    @Override
    public String whyNone() {
        List<BackendStatus> all = status().backends();
        if (all.isEmpty()) {
            return "no backend: pool " + pool + " has no member and no configured backend";
        }
        return "no backend of " + all.size() + " could take the request: "
                + String.join(
                        ", ",
                        all.stream().map(one -> one.id() + " " + one.health()).toList());
    }

    /** Who is there, who takes part, and why not; as of the last change or look. */
    public RoutingStatus status() {
        return main.page().status();
    }

    /** All backends with what is known of them, as of one moment. */
    public void forEach(BiConsumer<Backend, BackendStatus> visitor) {
        RoutingPage page = main.page();
        for (int i = 0; i < page.backends().size(); i++) {
            visitor.accept(page.backends().get(i), page.status().backends().get(i));
        }
    }

    /** All backends, those that are down included. */
    public List<Backend> backends() {
        return main.page().backends();
    }

    /** Sets who should be there, by id. */
    public void expect(Map<String, BackendSpec> specs) {
        change(() -> book.expect(specs));
    }

    /** Takes in what agents report, a moment later if much is reported. */
    public void report(Map<NodeId, CounterReport> latest) {
        if (waitingReports.getAndSet(latest) == null) {
            control.execute(this::reportsCame);
        }
    }

    private void reportsCame() {
        long early = restNanos - (clock.nanoTime() - turnedNanos);
        if (early > 0) {
            var _ = control.schedule(this::takeReports, early, TimeUnit.NANOSECONDS);
        } else {
            takeReports();
        }
    }

    private void takeReports() {
        long begunNanos = clock.nanoTime();
        book.report(Objects.requireNonNull(waitingReports.getAndSet(null)), relief);
        turn();
        restNanos = Math.max(REPORTS_INTERVAL.toNanos(), REST * (turnedNanos - begunNanos));
    }

    /** Sets which backends an operator has taken out. */
    public void drain(Set<String> ids) {
        Set<String> marked = Set.copyOf(ids);
        change(() -> book.drain(marked));
    }

    /** Judges backends by other settings from now on; how long reports are believed and ejections stay as they are. */
    public void judgeBy(BackendSettings changed) {
        change(() -> book.judgeBy(changed));
    }

    /**
     * Spreads requests by these policies from now on.
     *
     * @param policy for requests whose frontend names none
     * @param ofFrontends the others that are asked for by {@link #by}
     * @return done when they can be asked for
     * @throws IllegalArgumentException if there is no policy of such a name
     */
    public CompletableFuture<Void> routeBy(String policy, Set<String> ofFrontends) {
        RoutingPolicies.create(policy);
        ofFrontends.forEach(RoutingPolicies::create);
        return CompletableFuture.runAsync(() -> route(policy, Set.copyOf(ofFrontends)), control);
    }

    private void route(String policy, Set<String> ofFrontends) {
        if (!policy.equals(main.name())) {
            LOG.info("routing policy of pool {} changes from {} to {}", pool, main.name(), policy);
        }
        main = balancer(policy);
        ofFrontends.forEach(this::balancer);
        balancers.keySet().stream()
                .filter(name -> !name.equals(policy) && !ofFrontends.contains(name))
                .forEach(this::drop);
    }

    private Balancer balancer(String policy) {
        return balancers.computeIfAbsent(policy, name -> new Balancer(name, census, this));
    }

    private void drop(String policy) {
        Balancer unused = balancers.remove(policy);
        if (unused != null) {
            unused.retire();
        }
    }

    /** Who spreads requests by that policy; this pool's own where {@link #routeBy} has not been told of it. */
    public BackendChooser by(String policy) {
        Balancer balancer = balancers.get(policy);
        return balancer == null ? this : balancer;
    }

    /** Relieves by other levels from now on. */
    public void relieveBy(ReliefSettings changed) {
        change(() -> {
            if (!changed.equals(relief)) {
                LOG.info("thresholds of pool {} change from {} to {}", pool, text(relief), text(changed));
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

    /** How backends are judged. On the directory's thread. */
    BackendSettings settings() {
        return book.settings();
    }

    /** A health check was answered well. */
    void checkPassed(Backend backend) {
        judge(backend, Finding.PASSED, null, HealthTrack::passed);
    }

    /** A health check was answered badly. */
    void checkAnsweredBadly(Backend backend, String reason) {
        judge(backend, Finding.ANSWERED_BADLY, reason, track -> track.failed(reason, true, clock.nanoTime()));
    }

    /** A health check got no answer. */
    void checkUnanswered(Backend backend, String reason) {
        judge(backend, Finding.UNANSWERED, reason, track -> track.failed(reason, false, clock.nanoTime()));
    }

    private void connectFailed(Backend backend, String reason) {
        judge(backend, track -> track.unreachable(reason, clock.nanoTime()));
    }

    private void judge(Backend backend, Finding finding, @Nullable String text, Consumer<HealthTrack> verdict) {
        control.execute(() -> book.checked(backend, finding, text));
        judge(backend, verdict);
    }

    private void judge(Backend backend, Consumer<HealthTrack> verdict) {
        control.execute(() -> {
            if (book.judge(backend, verdict)) {
                turn();
            }
        });
    }

    private void change(Runnable change) {
        control.execute(() -> {
            change.run();
            turn();
        });
    }

    private void turn() {
        census = book.census(relief, distributors);
        balancers.values().forEach(balancer -> balancer.turn(census));
        turnedNanos = clock.nanoTime();
    }
}
