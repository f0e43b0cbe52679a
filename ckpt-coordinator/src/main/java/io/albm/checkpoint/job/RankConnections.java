// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.SupervisorProtocol;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/** The ranks of the present attempt: what they say, and what they are told. All on the supervisor's loop. */
final class RankConnections implements RankServer.Handler {
    private static final long LONGEST_SILENCE = Duration.ofSeconds(1).toNanos();

    private final int ranks;
    private final Duration lease;
    private final Executor loop;
    private final SupervisorProtocol protocol;
    private final IntConsumer gone;
    private final Consumer<String> notices;
    private final Map<Integer, RankServer.Connection> connections = new HashMap<>();
    private final Set<RankServer.Connection> ending = new HashSet<>();
    private final Map<Integer, String> exchanged = new TreeMap<>();
    private IntFunction<Optional<Path>> restored = _ -> Optional.empty();
    private boolean open;
    private long pinged = System.nanoTime();

    /**
     * @param lease after which a rank that hears nothing ends; zero for never
     * @param gone gets a rank that had not said its end, when its connection is seen at its end
     */
    RankConnections(
            int ranks,
            Duration lease,
            Executor loop,
            SupervisorProtocol protocol,
            IntConsumer gone,
            Consumer<String> notices) {
        this.ranks = ranks;
        this.lease = lease;
        this.loop = loop;
        this.protocol = protocol;
        this.gone = gone;
        this.notices = notices;
    }

    /** A new attempt begins; who is still connected belongs to none. */
    void open(IntFunction<Optional<Path>> restoredState) {
        connections.clear();
        ending.clear();
        exchanged.clear();
        restored = restoredState;
        open = true;
    }

    /** The attempt is over: nobody gets in any more. */
    void shut() {
        open = false;
    }

    @Override
    public void connected(int rank, RankServer.Connection connection) {
        loop.execute(() -> {
            if (rank < 0 || rank >= ranks || !open) {
                connection.send("REFUSED");
                connection.cut();
                return;
            }
            connections.put(rank, connection);
            connection.send(
                    restored.apply(rank).map(file -> "WELCOME " + encoded(file)).orElse("WELCOME"));
            if (!lease.isZero()) {
                connection.send("LEASE " + lease.toMillis());
            }
            protocol.joined(rank);
        });
    }

    @Override
    public void said(int rank, RankServer.Connection connection, String[] words) {
        loop.execute(() -> {
            if (connections.get(rank) == connection) {
                hear(rank, connection, words);
            }
        });
    }

    @Override
    public void disconnected(int rank, RankServer.Connection connection) {
        loop.execute(() -> {
            if (connections.get(rank) == connection && !ending.contains(connection)) {
                gone.accept(rank);
            }
        });
    }

    private void hear(int rank, RankServer.Connection connection, String[] words) {
        try {
            switch (words[0]) {
                case "AT" -> protocol.begun(number(words, 1), rank, number(words, 2));
                case "SAVED" ->
                    protocol.saved(number(words, 1), rank, new LocalCopy(number(words, 2), number(words, 3)));
                case "FAILED" -> failed(rank, number(words, 1), words.length > 2 ? words[2] : "");
                case "EXCHANGE" -> exchange(rank, words[1]);
                case "END" -> {
                    ending.add(connection);
                    protocol.left(rank);
                }
                default -> notices.accept("rank " + rank + " said \"" + words[0] + "\"");
            }
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            notices.accept("rank " + rank + " said something malformed: " + words[0]);
        }
    }

    private void failed(int rank, long checkpoint, String reason) {
        String failure = "rank " + rank + " could not save: " + URLDecoder.decode(reason, UTF_8);
        notices.accept("checkpoint " + checkpoint + " is given up: " + failure);
        protocol.failed(checkpoint, failure);
    }

    private static long number(String[] words, int at) {
        return Long.parseLong(words[at]);
    }

    private void exchange(int rank, String value) {
        exchanged.put(rank, value);
        if (exchanged.size() == ranks) {
            String all = "ALL " + String.join(" ", exchanged.values());
            exchanged.clear();
            tellAll(all);
        }
    }

    void tellAll(String line) {
        connections.values().forEach(connection -> connection.send(line));
    }

    /** @param file where a rank's host wants its state */
    void save(long checkpoint, long step, boolean last, IntFunction<Path> file) {
        connections.forEach((rank, connection) -> connection.send(
                "SAVE " + checkpoint + " " + step + " " + encoded(file.apply(rank)) + (last ? " last" : "")));
    }

    /** Often enough for ranks to know that they are not cut off. */
    void ping(long now) {
        if (!lease.isZero() && open && now - pinged >= Math.min(LONGEST_SILENCE, lease.toNanos() / 4)) {
            pinged = now;
            tellAll("PING");
        }
    }

    /** These ranks end when they see the end of their connection. */
    void cut(Collection<Integer> cutOff) {
        for (int rank : cutOff) {
            Optional.ofNullable(connections.get(rank)).ifPresent(RankServer.Connection::cut);
        }
    }

    private static String encoded(Path path) {
        return URLEncoder.encode(path.toAbsolutePath().toString(), UTF_8);
    }
}
