// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The generations that are being written, and by whom. Not thread-safe. */
final class Announcements {
    /** Writes that may be announced at a time. */
    static final int MOST = 100_000;

    private final Map<String, String> clients = new HashMap<>();

    void begin(String generation, String client) {
        if (clients.containsKey(generation)) {
            throw new TableRefusal(Reason.NOT_ANNOUNCED, "generation " + generation + " is announced already");
        }
        if (clients.size() >= MOST) {
            throw new TableRefusal(Reason.FULL, MOST + " writes are under way; wait for some to end");
        }
        clients.put(generation, client);
    }

    /** @throws TableRefusal unless that client has announced it */
    void check(String generation, String client) {
        if (!client.equals(clients.get(generation))) {
            throw new TableRefusal(Reason.NOT_ANNOUNCED, "generation " + generation + " is not announced");
        }
    }

    void end(String generation) {
        clients.remove(generation);
    }

    /** Takes an announcement back. @return whether that client had made it */
    boolean cancel(String generation, String client) {
        return clients.remove(generation, client);
    }

    void endAll(String client) {
        clients.values().removeIf(client::equals);
    }

    boolean has(String generation) {
        return clients.containsKey(generation);
    }

    Set<String> generations() {
        return Set.copyOf(clients.keySet());
    }

    Collection<String> clients() {
        return Set.copyOf(clients.values());
    }

    void save(BiConsumer<String, String> lines) {
        clients.forEach(lines);
    }

    void load(String generation, String client) {
        clients.put(generation, client);
    }
}
