// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a process announces itself to the cluster.
 *
 * @param id unique among the processes of the role
 * @param role what the process does
 * @param endpoints where it listens, by use: {@code http}, {@code admin}, {@code storage}, {@code control}
 * @param attributes what else others need to know, such as {@code host}, {@code capacity-bytes}, {@code pid}
 * @param version of the software
 * @param started when the process started, by its own wall clock
 */
public record Member(
        NodeId id,
        Role role,
        Map<String, NodeAddress> endpoints,
        Map<String, String> attributes,
        String version,
        Instant started) {
    /** The endpoint that every role has: health, metrics and JMX. */
    public static final String ADMIN = "admin";

    public Member {
        // Sorted, so that one member always has one text form.
        endpoints = Collections.unmodifiableMap(new TreeMap<>(endpoints));
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
    }

    /** Where the member listens for that use, if it does. */
    public Optional<NodeAddress> endpoint(String use) {
        return Optional.ofNullable(endpoints.get(use));
    }

    /** What the member says about that name, if anything. */
    public Optional<String> attribute(String name) {
        return Optional.ofNullable(attributes.get(name));
    }
}
