// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import io.albm.core.access.ClusterConnection;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.CounterReport;
import io.albm.core.node.CounterSample;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.text.Nearest;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The host whose counters are watched while its server is loaded: what its agent last reported. */
record ObservedHost(NodeId id, Supplier<Map<NodeId, CounterReport>> reports) {

    /**
     * Finds the host of a server.
     *
     * @param named the id under which its agent publishes; null takes the host of the member that listens there
     * @throws CliException if there is no such host, or no agent reports for it
     */
    static ObservedHost find(ClusterConnection connection, URI backend, @Nullable String named) {
        Map<NodeId, CounterReport> known =
                connection.loaded(connection.cluster().counters());
        String id = Optional.ofNullable(named)
                .or(() -> hostOf(
                        backend,
                        connection
                                .loaded(connection.cluster().members(Role.CACHE_SERVER))
                                .values()))
                .orElseThrow(() -> new CliException(
                        ExitCode.USAGE,
                        "--backend '" + backend + "' is no member of the cluster: name the host whose agent watches it,"
                                + " --host " + names(known)));
        if (!known.containsKey(node(id))) {
            throw new CliException(
                    ExitCode.REFUSED,
                    "no agent reports for host '" + id + "'" + Nearest.hint(id, labels(known)) + "; reports come from: "
                            + names(known));
        }
        return new ObservedHost(node(id), connection.cluster().counters()::get);
    }

    private static NodeId node(String id) {
        try {
            return new NodeId(id);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, "--host: " + e.getMessage(), e);
        }
    }

    private static Optional<String> hostOf(URI backend, Collection<Member> members) {
        return members.stream()
                .filter(member -> member.endpoint("http")
                        .filter(address -> (address.host() + ":" + address.port()).equals(backend.getAuthority()))
                        .isPresent())
                .map(member -> member.attribute("host").orElse(member.id().value()))
                .findFirst();
    }

    private static String names(Map<NodeId, CounterReport> known) {
        return known.isEmpty() ? "nobody" : String.join(", ", labels(known));
    }

    private static List<String> labels(Map<NodeId, CounterReport> known) {
        return known.keySet().stream().map(NodeId::value).sorted().toList();
    }

    /** Its last report; the counters are absent while there is none. */
    CounterSample sample() {
        CounterReport report = reports.get().get(id);
        return report == null ? CounterSample.of(counter -> Double.NaN) : report.sample();
    }
}
