// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

/** Whose an ephemeral node is that this process wants to own. */
sealed interface Claim {
    /** This session's: nothing to take. */
    record Ours() implements Claim {}

    /**
     * Its owner will never use it again: this process itself in an earlier session, or a process of this machine that has
     * ended. It would vanish with its session; taking its place at once is safe and spares the wait.
     */
    record Abandoned() implements Claim {}

    /**
     * Somebody else's.
     *
     * @param running the owner is known to run; otherwise it is on another machine and its session must show
     */
    record Held(boolean running) implements Claim {}

    /** Judges a node by the session and the process that own it. */
    static Claim judge(long ownerSession, ProcessToken owner, long session, ProcessToken self, ProcessTable processes) {
        if (ownerSession == session) {
            return new Ours();
        }
        if (owner.instance().equals(self.instance())) {
            return new Abandoned();
        }
        if (!self.canSee(owner)) {
            return new Held(false);
        }
        var startTicks = processes.startTicks(owner.pid());
        boolean running = startTicks.isPresent() && startTicks.getAsLong() == owner.startTicks();
        return running ? new Held(true) : new Abandoned();
    }
}
