// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import io.albm.core.config.Units;
import io.albm.core.node.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The servers that one kind of requests can go to. What is null holds as the distributor was started.
 *
 * @param members the role whose live members are backends; null for none
 * @param backends those that an operator named, each address once
 * @param policy how requests are spread, unless their frontend says otherwise; null for the default of all pools
 * @param maxConnections connections to one backend at once; a request beyond them waits in the queue
 * @param queueSize requests that may wait
 * @param queueTimeout how long one may wait
 * @param checkPath what a health check asks for
 * @param rise good checks in a row that bring a backend up
 * @param fall bad checks in a row that take it down
 * @param announceWaiting whether backends are told what waits for one of them
 */
public record PoolSpec(
        String name,
        @Nullable Role members,
        List<StaticBackend> backends,
        @Nullable String policy,
        @Nullable Integer maxConnections,
        @Nullable Integer queueSize,
        @Nullable Duration queueTimeout,
        @Nullable String checkPath,
        @Nullable Integer rise,
        @Nullable Integer fall,
        @Nullable Boolean announceWaiting) {
    static final String KIND = "pool";
    static final String MEMBERS = "members";
    static final String BACKENDS = "backends";
    static final String POLICY = "policy";
    static final String MAX_CONNECTIONS = "max-connections";
    static final String QUEUE_SIZE = "queue-size";
    static final String QUEUE_TIMEOUT = "queue-timeout";
    static final String CHECK_PATH = "check-path";
    static final String RISE = "rise";
    static final String FALL = "fall";
    static final String ANNOUNCE_WAITING = "announce-waiting";

    private static final Pattern CHECK_PATHS = Pattern.compile("/[\\x21-\\x7e&&[^#]]*");
    private static final int MANY = 1_000_000;
    private static final int MOST_CHECKS = 1_000;

    public PoolSpec {
        backends = List.copyOf(backends);
    }

    static PoolSpec read(Section section) {
        Role members = section.role(MEMBERS);
        List<StaticBackend> backends = section.backends(BACKENDS);
        section.check(
                members != null || section.text(BACKENDS).isPresent(),
                BACKENDS,
                "expected a list such as 10.0.0.1:80, 10.0.0.2:80, or the key members with a role");
        String checkPath = section.text(CHECK_PATH).orElse(null);
        section.check(
                checkPath == null || isCheckPath(checkPath),
                CHECK_PATH,
                "expected a path to ask for with GET, from its '/': printable ASCII without '#' and spaces");
        return new PoolSpec(
                section.name(),
                members,
                backends,
                section.policy(POLICY),
                section.integer(MAX_CONNECTIONS, 1, MANY),
                section.integer(QUEUE_SIZE, 0, MANY),
                section.duration(QUEUE_TIMEOUT),
                checkPath,
                section.integer(RISE, 1, MOST_CHECKS),
                section.integer(FALL, 1, MOST_CHECKS),
                section.decision(ANNOUNCE_WAITING));
    }

    /** Whether a health check can ask for that. */
    public static boolean isCheckPath(String text) {
        return CHECK_PATHS.matcher(text).matches();
    }

    void write(Map<String, String> settings) {
        var out = new Entries(KIND, name, settings);
        out.put(MEMBERS, Optional.ofNullable(members).map(Role::id));
        if (!backends.isEmpty()) {
            out.put(BACKENDS, backends.stream().map(StaticBackend::toString).collect(Collectors.joining(", ")));
        }
        out.put(POLICY, Optional.ofNullable(policy));
        out.put(MAX_CONNECTIONS, Optional.ofNullable(maxConnections).map(Object::toString));
        out.put(QUEUE_SIZE, Optional.ofNullable(queueSize).map(Object::toString));
        out.put(QUEUE_TIMEOUT, Optional.ofNullable(queueTimeout).map(Units::text));
        out.put(CHECK_PATH, Optional.ofNullable(checkPath));
        out.put(RISE, Optional.ofNullable(rise).map(Object::toString));
        out.put(FALL, Optional.ofNullable(fall).map(Object::toString));
        out.put(ANNOUNCE_WAITING, Optional.ofNullable(announceWaiting).map(Object::toString));
    }
}
