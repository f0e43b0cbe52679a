// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * ICMP echo (RFC 792): the other host's kernel answers by itself, so that a round trip is the network's time and not that of
 * a process there. Belongs to one thread, in whose network namespace it is opened.
 */
final class Echo implements AutoCloseable {
    private static final byte REQUEST = 8;
    private static final byte REPLY = 0;
    private static final int BYTES = 64;
    private static final int HEAD_BYTES = 8;
    private static final int IP_HEAD_BYTES_AT_MOST = 60;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment request = arena.allocate(BYTES);
    private final MemorySegment reply = arena.allocate(IP_HEAD_BYTES_AT_MOST + BYTES);
    private final int socket;
    private final Duration patience;
    private final short identifier;
    private short sequence;

    /**
     * To an address.
     *
     * @param identifier tells its echoes from those of others on the same host
     * @param patience after which an echo counts as lost
     */
    Echo(InetAddress to, int identifier, Duration patience) throws IOException {
        this.socket = LinuxCalls.openEcho(to.getAddress(), patience);
        this.patience = patience;
        this.identifier = (short) identifier;
    }

    /** One echo. @return nanoseconds until it was back; empty if it was lost */
    OptionalLong nanos() throws IOException {
        sequence++;
        fill();
        long began = System.nanoTime();
        LinuxCalls.send(socket, request);
        while (System.nanoTime() - began < patience.toNanos()) {
            int received = LinuxCalls.receive(socket, reply);
            long now = System.nanoTime();
            if (received > 0 && isAnswer(received)) {
                return OptionalLong.of(now - began);
            }
        }
        return OptionalLong.empty();
    }

    private void fill() {
        ByteBuffer head = LinuxCalls.bytes(request);
        head.put(0, REQUEST).putShort(2, (short) 0).putShort(4, identifier).putShort(6, sequence);
        head.putShort(2, checksum(head));
    }

    /** RFC 1071: the complement of the sum in ones' complement. */
    private static short checksum(ByteBuffer packet) {
        int sum = 0;
        for (int i = 0; i < packet.limit(); i += Short.BYTES) {
            sum += packet.getShort(i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (short) ~(sum + (sum >>> 16));
    }

    /** A raw socket gets the IP head, too, and what else comes by ICMP. */
    private boolean isAnswer(int received) {
        ByteBuffer packet = LinuxCalls.bytes(reply);
        int head = (packet.get(0) & 0xf) * Integer.BYTES;
        return received >= head + HEAD_BYTES
                && packet.get(head) == REPLY
                && packet.getShort(head + 4) == identifier
                && packet.getShort(head + 6) == sequence;
    }

    @Override
    public void close() throws IOException {
        LinuxCalls.close(socket);
        arena.close();
    }
}
