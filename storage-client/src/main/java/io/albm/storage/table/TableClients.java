// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Which clients a leader takes changes from: those whose node was seen. A client makes its node before its first change and
 * never the same one again, so a node that is missing behind a write of the leader's own is gone for good.
 *
 * <p>Belongs to the lane of the term.
 */
final class TableClients {
    private final TableLog log;
    private final Set<String> admitted;
    private final Map<String, List<Waiter>> looking = new HashMap<>();
    private boolean sweeping;
    private boolean sweepAgain;

    /** One who waits for a client to be looked up. */
    record Waiter(Runnable admitted, CompletableFuture<?> reply) {}

    private final Lane lane;
    private final Consumer<String> onEnd;

    /**
     * @param known the clients that the recovered machine knows
     * @param onEnd gets each client whose session is over
     */
    TableClients(TableLog log, Set<String> known, Lane lane, Consumer<String> onEnd) {
        this.log = log;
        this.admitted = new HashSet<>(known);
        this.lane = lane;
        this.onEnd = onEnd;
    }

    boolean isAdmitted(String client) {
        return admitted.contains(client);
    }

    /** Goes on once the client is known to live, or fails the reply with {@link WireCode#NOT_FOUND}. */
    void admit(String client, Waiter waiter) {
        if (admitted.contains(client)) {
            waiter.admitted().run();
            return;
        }
        List<Waiter> waiters = looking.get(client);
        if (waiters == null) {
            looking.put(client, new ArrayList<>(List.of(waiter)));
            lane.then(log.isClient(client), alive -> looked(client, alive));
        } else {
            waiters.add(waiter);
        }
    }

    private void looked(String client, boolean alive) {
        List<Waiter> waiters = looking.remove(client);
        if (alive) {
            admitted.add(client);
        }
        if (waiters != null) {
            waiters.forEach(waiter -> {
                if (alive) {
                    waiter.admitted().run();
                } else {
                    waiter.reply().completeExceptionally(over(client));
                }
            });
        }
    }

    static WireException over(String client) {
        return new WireException(
                WireCode.NOT_FOUND, "the session of client " + client + " is over: begin again under another name");
    }

    /** Looks who is gone. */
    void sweep() {
        if (sweeping) {
            sweepAgain = true;
            return;
        }
        sweeping = true;
        Set<String> before = Set.copyOf(admitted);
        lane.then(log.clients(), alive -> swept(before, alive));
    }

    private void swept(Set<String> before, Set<String> alive) {
        sweeping = false;
        before.stream().filter(client -> !alive.contains(client)).sorted().forEach(client -> {
            admitted.remove(client);
            onEnd.accept(client);
        });
        if (sweepAgain) {
            sweepAgain = false;
            sweep();
        }
    }
}
