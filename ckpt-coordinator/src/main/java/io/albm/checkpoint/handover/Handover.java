// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.web.WebRequest;
import io.albm.core.web.WebResponse;
import io.albm.core.web.WebServer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The hand-over of a job's ranks on this node, and the endpoint where their programs reach it: HTTP on the loopback
 * address. Each process has a URL of its own with a token in it, which only it knows: other users of the machine, and
 * processes of an earlier attempt, get nowhere. {@link WebServer} bounds requests and connections. Thread-safe.
 */
public final class Handover implements AutoCloseable {
    private static final String ROOT = "/rank/";
    private static final NodeAddress LOOPBACK = new NodeAddress("127.0.0.1", 0);

    private final HandoverSettings settings;
    private final Path directory;
    private final WebServer endpoint;
    private final Map<String, HandoverRank> byToken = new ConcurrentHashMap<>();

    /**
     * @param directory of the job on this node
     * @throws IOException if there is no port for the endpoint
     */
    public Handover(HandoverSettings settings, Path directory, Transport transport) throws IOException {
        this.settings = settings;
        this.directory = directory.resolve("handover");
        this.endpoint = new WebServer(transport, LOOPBACK, Map.of());
        endpoint.route(ROOT, this::answer);
    }

    /**
     * Makes all ready for the next process of a rank; who starts it calls {@link HandoverRank#begin}, and at its end
     * {@link #end}.
     *
     * @param notes gets what the job's user should know, a line each
     */
    public HandoverRank prepare(HandoverRank.Rank rank, Consumer<String> notes) throws IOException {
        HandoverRank prepared = new HandoverRank(rank, settings, directory.resolve("rank-" + rank.rank()), notes);
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String token = HexFormat.of().formatHex(random);
        prepared.reachedAt("http://" + endpoint.address() + ROOT + token);
        byToken.put(token, prepared);
        return prepared;
    }

    /** The process has ended. */
    public void end(HandoverRank ended) {
        byToken.values().remove(ended);
        ended.close();
    }

    private WebResponse answer(WebRequest request) {
        String[] parts = request.path().substring(ROOT.length()).split("/", 2);
        HandoverRank rank = byToken.get(parts[0]);
        return rank == null || parts.length < 2
                ? WebResponse.text(404, "no rank has this URL; it is in ALBM_ENDPOINT, anew for each process\n")
                : answer(rank, request, parts[1]);
    }

    private static WebResponse answer(HandoverRank rank, WebRequest request, String path) {
        String wanted = path.equals("handover") ? "POST" : "GET";
        if (!request.method().equals(wanted)) {
            return WebResponse.text(405, path + " is for " + wanted + ", not " + request.method() + "\n")
                    .with("allow", wanted);
        }
        return switch (path) {
            case "status" -> WebResponse.json(200, rank.status());
            case "need-checkpoint" -> needCheckpoint(rank);
            case "should-exit" -> shouldExit(rank);
            case "handover" -> handOver(rank, request);
            default ->
                WebResponse.text(
                        404, "there is no " + path + "; there are status, need-checkpoint, should-exit and handover\n");
        };
    }

    private static WebResponse needCheckpoint(HandoverRank rank) {
        rank.asksForCheckpoints();
        HandoverRank.Status status = rank.status();
        String step = status.wantedStep() == null ? "now" : Long.toString(status.wantedStep());
        return WebResponse.text(200, (status.checkpointWanted() ? step : "no") + "\n");
    }

    private static WebResponse shouldExit(HandoverRank rank) {
        rank.asksForTheEnd();
        return WebResponse.text(200, rank.status().shouldExit() ? "yes\n" : "no\n");
    }

    private static WebResponse handOver(HandoverRank rank, WebRequest request) {
        try {
            long step = Long.parseLong(parameter(request, "step"));
            Path state = Path.of(parameter(request, "path"));
            if (step < 0 || !state.isAbsolute()) {
                return WebResponse.text(400, "expected step=N, not negative, and path=P, absolute\n");
            }
            rank.take(step, state);
            return WebResponse.text(200, "taken\n");
        } catch (IllegalArgumentException e) {
            return WebResponse.text(400, "expected ?step=N&path=P: " + e.getMessage() + "\n");
        } catch (IOException e) {
            return WebResponse.text(409, "not taken: " + e.getMessage() + "\n");
        }
    }

    private static String parameter(WebRequest request, String name) {
        List<String> values = request.query().getOrDefault(name, List.of());
        if (values.size() != 1) {
            throw new IllegalArgumentException(name + " is given " + values.size() + " times");
        }
        return values.getFirst();
    }

    @Override
    public void close() {
        byToken.values().forEach(HandoverRank::close);
        byToken.clear();
        endpoint.close();
    }
}
