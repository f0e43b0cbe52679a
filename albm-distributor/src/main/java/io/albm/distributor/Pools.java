// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.node.CounterReport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.topology.PoolSpec;
import io.albm.core.topology.Topology;
import io.albm.distributor.routing.ReliefSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pools of this process. A pool that no topology names any more stays for {@link #LEAVING}, so that requests which
 * are under way there can be retried or wait as before, and one that is named again in that time goes on as if nothing
 * had been. Thread-safe; a change of topology may wait for the pools' event loop, the rest does not.
 */
final class Pools implements AutoCloseable {
    private static final Duration LEAVING = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(Pools.class);

    private final PoolParts parts;
    private final SortedMap<String, RunningPool> running = new TreeMap<>();
    private final Map<String, RunningPool> leaving = new HashMap<>();
    private ClusterView view = ClusterView.EMPTY;
    private volatile SortedMap<String, RunningPool> shown = Collections.emptySortedMap();

    Pools(PoolParts parts) {
        this.parts = parts;
    }

    // What the cluster says.

    synchronized void members(Map<NodeId, Member> members) {
        view = view.withMembers(members);
        running.values().forEach(pool -> pool.expect(members));
    }

    synchronized void reports(Map<NodeId, CounterReport> reports) {
        view = view.withReports(reports);
        running.values().forEach(pool -> pool.directory().report(reports));
    }

    synchronized void drained(Set<String> ids) {
        view = view.withDrained(ids);
        running.values().forEach(pool -> pool.directory().drain(ids));
    }

    synchronized void distributors(int count) {
        view = view.withDistributors(count);
        running.values().forEach(pool -> pool.directory().shareWith(count));
    }

    // What operators say.

    /**
     * Opens the pools that a topology needs beyond those that are there, and the policies of its frontends, and changes
     * nothing else yet.
     *
     * @return the names of those that were opened, for {@link #drop} if the topology is refused
     */
    synchronized List<String> open(Topology next, ReliefSettings relief) {
        List<String> opened = new ArrayList<>();
        for (PoolSpec spec : next.pools().values()) {
            if (!running.containsKey(spec.name())) {
                running.put(spec.name(), returned(spec, next, relief));
                opened.add(spec.name());
            }
            pool(spec.name()).offer(next.frontendPolicies(spec));
        }
        show();
        return opened;
    }

    private RunningPool returned(PoolSpec spec, Topology next, ReliefSettings relief) {
        RunningPool left = leaving.remove(spec.name());
        if (left == null) {
            LOG.info("pool {} begins", spec.name());
            return new RunningPool(spec, next, relief, view, parts);
        }
        settle(left, spec, next, relief);
        left.directory().drain(view.drained());
        left.directory().shareWith(view.distributors());
        left.directory().report(view.reports());
        return left;
    }

    private void settle(RunningPool pool, PoolSpec spec, Topology next, ReliefSettings relief) {
        pool.settle(spec, next, next.frontendPolicies(spec), relief);
        pool.expect(view.members());
    }

    /** Lets pools go that were opened for a topology that is refused. */
    synchronized void drop(List<String> names) {
        names.forEach(this::leave);
        show();
    }

    /** Goes on as the topology says, whose pools have all been opened. */
    synchronized void settle(Topology next, ReliefSettings relief) {
        next.pools().values().forEach(spec -> settle(pool(spec.name()), spec, next, relief));
        List.copyOf(running.keySet()).stream()
                .filter(name -> !next.pools().containsKey(name))
                .forEach(this::leave);
        show();
    }

    private void show() {
        shown = Collections.unmodifiableSortedMap(new TreeMap<>(running));
    }

    private void leave(String name) {
        RunningPool pool = Objects.requireNonNull(running.remove(name));
        LOG.info("pool {} ends; what is under way there goes on", name);
        leaving.put(name, pool);
        var _ = parts.control()
                .schedule(
                        () -> parts.blocking().execute(() -> end(name, pool)), LEAVING.toNanos(), TimeUnit.NANOSECONDS);
    }

    private synchronized void end(String name, RunningPool pool) {
        if (leaving.remove(name, pool)) {
            pool.close();
        }
    }

    /** The pool of that name, which has to be there. */
    synchronized RunningPool pool(String name) {
        return Objects.requireNonNull(running.get(name), name);
    }

    /** All that are in force, by name. Never blocks. */
    SortedMap<String, RunningPool> all() {
        return shown;
    }

    @Override
    public synchronized void close() {
        running.values().forEach(RunningPool::close);
        leaving.values().forEach(RunningPool::close);
    }
}
