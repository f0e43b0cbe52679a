// SPDX-License-Identifier: Apache-2.0
package io.albm.core.admin;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why a process is not ready, or not at its best. Each component says one thing at a time: that it blocks serving, that
 * something is amiss while serving goes on, or nothing. The process is ready while nothing blocks. A change is logged
 * once. Thread-safe.
 */
public final class Health {

    private static final Logger log = LoggerFactory.getLogger(Health.class);

    /** How much a reason matters. */
    public enum Severity {
        /** The process serves, but somebody should know. */
        WARNING,
        /** The process must not get work. */
        BLOCKING
    }

    /**
     * What one component has to say.
     *
     * @param component such as {@code zookeeper}
     * @param severity whether it keeps the process from serving
     * @param message one line for people
     * @param since when it began to say so, by the wall clock
     */
    public record Reason(String component, Severity severity, String message, Instant since) {}

    /** Everything there is to say now, by component. */
    public record Report(boolean ready, List<Reason> reasons) {}

    private final InstantSource wallClock;
    private final Map<String, Reason> reasons = new TreeMap<>();

    public Health(InstantSource wallClock) {
        this.wallClock = wallClock;
    }

    /** The component keeps the process from serving. */
    public void block(String component, String message) {
        say(component, Severity.BLOCKING, message);
    }

    /** Something is amiss with the component; the process goes on serving. */
    public void warn(String component, String message) {
        say(component, Severity.WARNING, message);
    }

    /** The component has nothing to say any more. */
    public synchronized void clear(String component) {
        var before = reasons.remove(component);
        if (before != null) {
            log.info("{} is well again (was: {})", component, before.message());
        }
    }

    /** What holds now. */
    public synchronized Report report() {
        var now = List.copyOf(reasons.values());
        return new Report(now.stream().noneMatch(reason -> reason.severity() == Severity.BLOCKING), now);
    }

    private synchronized void say(String component, Severity severity, String message) {
        var before = reasons.get(component);
        if (before != null && before.severity() == severity && before.message().equals(message)) {
            return;
        }
        reasons.put(component, new Reason(component, severity, message, wallClock.instant()));
        log.warn("{}: {}", component, message);
    }
}
