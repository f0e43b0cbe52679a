// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import io.albm.core.text.Nearest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The admin ports of the running processes of a role, for commands that ask each of them. */
final class AdminPorts {
    private static final Duration BOUND = Duration.ofSeconds(2);

    private final SortedMap<String, NodeAddress> ports;

    private AdminPorts(SortedMap<String, NodeAddress> ports) {
        this.ports = ports;
    }

    /**
     * Those of a role.
     *
     * @param one id of the only one that is meant, or null for all
     * @throws CliException if none runs, or not that one
     */
    static AdminPorts of(LiveCluster cluster, Role role, @Nullable String one) {
        SortedMap<String, NodeAddress> running = new TreeMap<>();
        cluster.members(role)
                .forEach((id, member) ->
                        member.endpoint(Member.ADMIN).ifPresent(admin -> running.put(id.value(), admin)));
        if (running.isEmpty()) {
            throw new CliException(ExitCode.DEGRADED, "no " + role.id() + " runs");
        }
        if (one == null) {
            return new AdminPorts(running);
        }
        NodeAddress address = running.get(one);
        if (address == null) {
            throw new CliException(
                    ExitCode.USAGE,
                    "no " + role.id() + " '" + one + "': expected one of " + String.join(", ", running.keySet())
                            + Nearest.hint(one, running.keySet()));
        }
        return new AdminPorts(new TreeMap<>(Map.of(one, address)));
    }

    /** By id. */
    SortedMap<String, NodeAddress> ports() {
        return ports;
    }

    /**
     * Asks each; the answers by id.
     *
     * @throws CliException if one does not answer, after all have been asked
     */
    <T> SortedMap<String, T> ask(Function<NodeAddress, T> question) {
        SortedMap<String, T> answers = new TreeMap<>();
        List<CliException> failures = new ArrayList<>();
        ports.forEach((id, admin) -> {
            try {
                answers.put(id, question.apply(admin));
            } catch (CliException e) {
                failures.add(e);
            }
        });
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
        return answers;
    }

    /**
     * GETs a text.
     *
     * @throws CliException if there is none
     */
    static String text(NodeAddress admin, String path) {
        return body(admin, path, () -> AdminProbe.get(admin, path, BOUND));
    }

    /** GETs JSON, in the same manner. */
    static JsonNode json(NodeAddress admin, String path) {
        return tree(admin, path, text(admin, path));
    }

    /**
     * POSTs lines and reads JSON.
     *
     * @param bound of the answer, which is given when the work is done
     */
    static JsonNode post(NodeAddress admin, String path, String lines, Duration bound) {
        return tree(admin, path, body(admin, path, () -> AdminProbe.post(admin, path, lines, bound)));
    }

    private interface Question {
        AdminProbe ask() throws IOException;
    }

    private static String body(NodeAddress admin, String path, Question question) {
        try {
            AdminProbe answer = question.ask();
            if (answer.status() == 200) {
                return answer.body();
            }
            throw new CliException(
                    ExitCode.FAILED,
                    "http://" + admin + path + ": status " + answer.status() + ", "
                            + answer.body().strip());
        } catch (IOException e) {
            throw new CliException(ExitCode.DEGRADED, "http://" + admin + path + ": " + e.getMessage(), e);
        }
    }

    private static JsonNode tree(NodeAddress admin, String path, String text) {
        try {
            return Json.tree(text);
        } catch (JsonException e) {
            throw new CliException(
                    ExitCode.FAILED, "http://" + admin + path + " answers, but not in JSON: " + e.getMessage(), e);
        }
    }
}
