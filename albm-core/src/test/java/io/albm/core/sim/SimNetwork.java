// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Messages between processes: delayed, reordered by unequal delays, lost, and cut by partitions.
 *
 * <p>A message is lost if the link is cut when it is sent or when it would arrive, or if the receiver is another
 * incarnation by then. A stopped receiver gets it when it continues.
 */
public final class SimNetwork {
    private final Simulation simulation;
    private final Duration least;
    private final Duration most;
    private final Set<Link> cut = new HashSet<>();
    private double loss;

    /** @param least shortest and {@code most} longest delay of one message, one way */
    public SimNetwork(Simulation simulation, Duration least, Duration most) {
        this.simulation = simulation;
        this.least = least;
        this.most = most;
    }

    /** Loses each message with this probability in [0, 1]. */
    public void loss(double probability) {
        this.loss = probability;
    }

    /** Sends: {@code delivery} runs in the receiver when the message arrives, if it does. */
    public void send(SimNode from, SimNode to, Object what, Runnable delivery) {
        if (!reaches(from, to) || simulation.chance(loss)) {
            return;
        }
        int receiver = to.incarnation();
        simulation.schedule(
                simulation.between(least, most),
                new Message(from.name(), to.name(), what),
                () -> deliver(from, to, receiver, delivery));
    }

    /** Cuts both directions between two processes. */
    public void cut(SimNode one, SimNode other) {
        cut.add(Link.between(one, other));
        simulation.note(one.name() + " and " + other.name() + " cut");
    }

    /** Mends all links. */
    public void heal() {
        cut.clear();
        simulation.note("network healed");
    }

    /** True if a message sent now would not be cut. */
    public boolean reaches(SimNode from, SimNode to) {
        return from.isUp() && !cut.contains(Link.between(from, to));
    }

    private void deliver(SimNode from, SimNode to, int receiver, Runnable delivery) {
        if (!cut.contains(Link.between(from, to)) && to.incarnation() == receiver) {
            to.execute(delivery);
        }
    }

    private record Message(String from, String to, Object what) {
        @Override
        public String toString() {
            return from + " → " + to + " " + what;
        }
    }

    private record Link(String one, String other) {
        static Link between(SimNode a, SimNode b) {
            return a.name().compareTo(b.name()) < 0 ? new Link(a.name(), b.name()) : new Link(b.name(), a.name());
        }
    }
}
