// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import io.albm.core.node.NodeAddress;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Stands between one process and ZooKeeper, and reads as much of its requests as it takes to hold back one of them, or the
 * reply to it: a length, and then the number and the type of the request (ZooKeeper's {@code RequestHeader}).
 */
final class ZooKeeperRelay extends Relay {
    private static final int WATCH_EVENT = -1;
    private static final Armed NOTHING = new Armed(_ -> false, false, new Hold());

    private final Map<NodeAddress, NodeAddress> moved = new ConcurrentHashMap<>();
    private final Map<Link, AtomicInteger> unanswered = new ConcurrentHashMap<>();
    private volatile Armed armed = NOTHING;
    private volatile Optional<HeldReply> heldReply = Optional.empty();

    ZooKeeperRelay(NodeAddress server) throws IOException {
        super(server);
    }

    /** What a process asks of ZooKeeper. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Request(int number, int type, byte[] body) {
        private static final int READ = 4;
        private static final int TRANSACTION = 14;

        boolean isTransaction() {
            return type == TRANSACTION;
        }

        boolean isRead() {
            return type == READ;
        }

        /** Whether this text is in it: a path, or the end of one. */
        boolean has(String text) {
            return new String(body, StandardCharsets.ISO_8859_1).contains(text);
        }
    }

    private record Armed(Predicate<Request> wanted, boolean afterIt, Hold hold) {}

    private record HeldReply(Hold hold, int number, Link link) {}

    /** Holds back the first such request. */
    Hold holdBefore(Predicate<Request> wanted) {
        return arm(wanted, false);
    }

    /** Lets the first such request pass, and holds back the reply to it. */
    Hold holdReply(Predicate<Request> wanted) {
        return arm(wanted, true);
    }

    private Hold arm(Predicate<Request> wanted, boolean reply) {
        Hold hold = new Hold();
        armed = new Armed(wanted, reply, hold);
        return hold;
    }

    /** Lets the client read another address, as long as the true one, wherever ZooKeeper says it. */
    void move(NodeAddress from, NodeAddress to) {
        moved.put(from, to);
    }

    /** Whether the client waits for an answer. */
    boolean isAwaited() {
        return unanswered.values().stream().anyMatch(count -> count.get() > 0);
    }

    @Override
    void requests(Link link, DataInputStream from, OutputStream to) throws IOException {
        AtomicInteger sent = unansweredOn(link);
        try {
            sent.incrementAndGet();
            write(to, read(from));
            while (true) {
                byte[] frame = read(from);
                ByteBuffer header = ByteBuffer.wrap(frame);
                sent.incrementAndGet();
                hold(link, new Request(header.getInt(), header.getInt(), frame));
                write(to, frame);
            }
        } finally {
            unanswered.remove(link);
        }
    }

    private AtomicInteger unansweredOn(Link link) {
        return unanswered.computeIfAbsent(link, _ -> new AtomicInteger());
    }

    private void hold(Link link, Request request) {
        Armed now = armed;
        if (now.wanted().test(request)) {
            armed = NOTHING;
            if (now.afterIt()) {
                heldReply = Optional.of(new HeldReply(now.hold(), request.number(), link));
            } else {
                now.hold().stand();
            }
        }
    }

    @Override
    void replies(Link link, DataInputStream from, OutputStream to) throws IOException {
        AtomicInteger sent = unansweredOn(link);
        write(to, read(from));
        sent.decrementAndGet();
        while (true) {
            byte[] frame = read(from);
            int number = ByteBuffer.wrap(frame).getInt();
            if (number != WATCH_EVENT) {
                sent.decrementAndGet();
            }
            Optional<HeldReply> held = heldReply.filter(
                    wanted -> wanted.number() == number && wanted.link().equals(link));
            if (held.isPresent()) {
                heldReply = Optional.empty();
                held.get().hold().stand();
            }
            moved.forEach((away, here) -> replace(frame, away.toString(), here.toString()));
            write(to, frame);
        }
    }

    private static void replace(byte[] in, String text, String by) {
        byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
        byte[] given = by.getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at + wanted.length <= in.length; at++) {
            if (Arrays.equals(in, at, at + wanted.length, wanted, 0, wanted.length)) {
                System.arraycopy(given, 0, in, at, given.length);
            }
        }
    }

    private static byte[] read(DataInputStream from) throws IOException {
        byte[] frame = new byte[from.readInt()];
        from.readFully(frame);
        return frame;
    }

    private static void write(OutputStream to, byte[] frame) throws IOException {
        to.write(ByteBuffer.allocate(Integer.BYTES + frame.length)
                .putInt(frame.length)
                .put(frame)
                .array());
    }
}
