// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.LockOwner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may have locks on a file that is open here, and by which handles. An owner is known before he asks for his first lock, and until
 * the table has said that he has none, so that nothing is forgotten whose outcome nobody knows. Thread-safe.
 */
final class Lockers {
    private final Map<LockOwner, Locker> byOwner = new HashMap<>();
    private @Nullable String client;

    private static final class Locker {
        private final Set<Long> handles = new HashSet<>();
        private int asking;
        private long asked;
        private boolean holds;
    }

    /** An owner is about to ask for a lock; {@link #answered} follows. */
    synchronized void ask(LockOwner owner, long handle) {
        Locker locker = byOwner.computeIfAbsent(owner, first -> new Locker());
        locker.handles.add(handle);
        locker.asking++;
        locker.asked++;
    }

    /** @param session of the client with which the lock ends that was given; null if none was */
    synchronized void answered(LockOwner owner, @Nullable String session) {
        Locker locker = byOwner.get(owner);
        if (locker == null) {
            return;
        }
        locker.asking--;
        if (session != null) {
            locker.holds = true;
            client = session;
        }
    }

    synchronized boolean has(LockOwner owner) {
        return byOwner.containsKey(owner);
    }

    /** How often an owner has asked, to be told to {@link #unlocked}. */
    synchronized long asked(LockOwner owner) {
        Locker locker = byOwner.get(owner);
        return locker == null ? 0 : locker.asked;
    }

    /** An owner has no locks any more, unless he has asked for others meanwhile. */
    synchronized void unlocked(LockOwner owner, long asked) {
        byOwner.computeIfPresent(owner, (same, locker) -> locker.asking > 0 || locker.asked != asked ? locker : null);
        client = byOwner.values().stream().anyMatch(locker -> locker.holds) ? client : null;
    }

    /** A handle is closed. @return who has asked by no other */
    synchronized List<LockOwner> close(long handle) {
        List<LockOwner> closed = new ArrayList<>();
        byOwner.forEach((owner, locker) -> {
            if (locker.handles.remove(handle) && locker.handles.isEmpty()) {
                closed.add(owner);
            }
        });
        return closed;
    }

    /** The client whose locks changes of the file rest on; null if there are none. */
    synchronized @Nullable String client() {
        return client;
    }

    /** Another session has begun. @return whether there were locks of one before, which are over */
    synchronized boolean areLost(String session) {
        return client != null && !client.equals(session);
    }
}
