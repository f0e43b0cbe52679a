// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import io.albm.checkpoint.rank.RankRefusedException;
import io.albm.checkpoint.rank.SupervisorLines;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a rank to its supervisor, made and read on a thread of its own: a supervisor that is stopped is connected
 * to by its kernel and says nothing, and nobody else may wait for that, least of all who is to end this. Thread-safe.
 */
final class SupervisorCall implements AutoCloseable {
    /** Called on this call's thread; what comes after {@link #close} is for the receiver to ignore. */
    @FunctionalInterface
    interface Hearer {
        void heard(SupervisorCall call, String[] words);
    }

    /** As {@link Hearer}, at the end of what comes. */
    @FunctionalInterface
    interface Ender {
        /**
         * It is over.
         *
         * @param reason why the supervisor could not be reached; null if it was, or has refused this rank, which ends then
         */
        void ended(SupervisorCall call, @Nullable String reason);
    }

    private final Socket socket = new Socket();
    private final Hearer hearer;
    private final Ender ender;
    private volatile @Nullable SupervisorLines lines;

    private SupervisorCall(Hearer hearer, Ender ender) {
        this.hearer = hearer;
        this.ender = ender;
    }

    /**
     * Begins one; returns at once.
     *
     * @param control see {@link SupervisorLines#open}
     * @param greeting how long a supervisor may take to greet
     */
    static SupervisorCall begin(String control, int rank, Duration greeting, Hearer hearer, Ender ender) {
        SupervisorCall call = new SupervisorCall(hearer, ender);
        Thread.ofVirtual().name("handover-lines-" + rank).start(() -> call.run(control, rank, greeting));
        return call;
    }

    private void run(String control, int rank, Duration greeting) {
        String reason = null;
        try {
            listen(greeted(control, rank, greeting));
        } catch (RankRefusedException e) {
            // Its end comes, of which the user is told.
        } catch (IOException e) {
            reason = String.valueOf(e.getMessage());
        }
        ender.ended(this, reason);
    }

    private SupervisorLines greeted(String control, int rank, Duration greeting) throws IOException {
        socket.setSoTimeout(Math.toIntExact(greeting.toMillis()));
        SupervisorLines greeted = SupervisorLines.open(control, rank, socket);
        socket.setSoTimeout(0);
        lines = greeted;
        return greeted;
    }

    private void listen(SupervisorLines from) {
        try {
            for (String[] words = from.read(); words.length > 0; words = from.read()) {
                hearer.heard(this, words);
            }
        } catch (IOException e) {
            // The same as an orderly end: this connection is over.
        }
    }

    /** Says a line; nothing before the first is heard, and nothing after the end. */
    void say(String line) {
        SupervisorLines to = lines;
        try {
            if (to != null) {
                to.send(line);
            }
        } catch (IOException e) {
            // Its end is heard by who reads.
        }
    }

    /** Also while it is not connected yet. Does not wait. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is over all the same.
        }
    }
}
