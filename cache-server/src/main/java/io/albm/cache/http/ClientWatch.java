// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.net.SendProgress;
import io.albm.core.net.Watchdog;
import io.albm.core.net.WatchdogQueue;

/**
 * Watches that a client does what is expected of it: sends a head to its end, sends the next request, sends a body at no
 * less than a least rate, takes what was written. Armed anew with each event, for a few stores. Confined to its event loop.
 */
final class ClientWatch {
    private enum Awaited {
        NOTHING,
        REQUEST,
        BODY,
        TAKING
    }

    private final LoopContext loop;
    private final Connection connection;
    private final SendProgress sending;
    private final Watchdog head;
    private final Watchdog other;
    private Awaited awaited = Awaited.NOTHING;
    private long bodyBytes;

    ClientWatch(LoopContext loop, Connection connection, SendProgress sending) {
        this.loop = loop;
        this.connection = connection;
        this.sending = sending;
        head = new Watchdog(loop.headTimeouts(), connection::headTooSlow);
        other = new Watchdog(loop.idleTimeouts(), this::nothingMoves);
    }

    /** The first bytes of a head came. */
    void headBegan() {
        head.arm();
    }

    /** Whether this server reads on in a head that has begun: the client has its time anew when it does again. */
    void headIsRead(boolean reads) {
        if (reads) {
            head.arm();
        } else {
            head.disarm();
        }
    }

    /** The head is whole, or is no longer awaited. */
    void headEnded() {
        head.disarm();
    }

    void stop() {
        head.disarm();
        expectNothing();
    }

    /** It is not the client's turn. */
    void expectNothing() {
        awaited = Awaited.NOTHING;
        other.disarm();
    }

    /** The next request. */
    void expectRequest() {
        await(Awaited.REQUEST, loop.idleTimeouts());
    }

    /** More of a body. A byte now and then is not enough: the time begins anew with so many bytes only. */
    void expectBody(long soFar) {
        boolean moves =
                soFar < bodyBytes || soFar - bodyBytes >= loop.settings().minProgressBytes();
        if (awaited != Awaited.BODY || moves) {
            bodyBytes = soFar;
            await(Awaited.BODY, loop.idleTimeouts());
        }
    }

    /** That it takes what was written. */
    void expectTaking() {
        sending.watch();
        await(Awaited.TAKING, loop.writeTimeouts());
    }

    private void await(Awaited what, WatchdogQueue timeouts) {
        awaited = what;
        other.arm(timeouts);
    }

    private void nothingMoves() {
        Awaited missing = awaited;
        awaited = Awaited.NOTHING;
        switch (missing) {
            case NOTHING -> {}
            case REQUEST -> connection.idledTooLong();
            case BODY -> connection.bodyTooSlow();
            case TAKING -> takenTooLong();
        }
    }

    private void takenTooLong() {
        if (sending.isDone()) {
            connection.taken();
        } else if (sending.takenBytes() >= Math.max(1, loop.settings().minProgressBytes())) {
            await(Awaited.TAKING, loop.writeTimeouts());
        } else {
            connection.cut();
        }
    }
}
