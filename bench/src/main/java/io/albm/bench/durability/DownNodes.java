// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;

/** The nodes that are down, and how far each one's rebuild is. For one thread. */
final class DownNodes {
    /** 4 microseconds: what rounding may leave of a rebuild that is done. */
    private static final double ROUNDING_HOURS = 1e-9;

    private final Scenario scenario;
    private final List<Rebuild> rebuilds = new ArrayList<>();
    private final BitSet nodes = new BitSet();

    private static final class Rebuild {
        private final int node;
        private double ageHours;
        private double delayLeft;
        private double transferLeft;

        Rebuild(int node, double delayHours, double transferHours) {
            this.node = node;
            this.delayLeft = delayHours;
            this.transferLeft = transferHours;
        }

        boolean isWaiting() {
            return delayLeft > ROUNDING_HOURS;
        }

        boolean isDone() {
            return !isWaiting() && transferLeft <= ROUNDING_HOURS;
        }

        void advance(double hours, double speed) {
            ageHours += hours;
            if (isWaiting()) {
                delayLeft -= hours;
            } else {
                transferLeft -= hours * speed;
            }
        }
    }

    DownNodes(Scenario scenario) {
        this.scenario = scenario;
    }

    int count() {
        return rebuilds.size();
    }

    /** Changes with this. */
    BitSet nodes() {
        return nodes;
    }

    /** @param transfer how long its transfer takes, where 1 is the mean */
    void add(int node, double transfer) {
        nodes.set(node);
        rebuilds.add(new Rebuild(node, scenario.cluster().delayHours(), transfer * scenario.transferHours()));
    }

    /** Until the next rebuild begins or ends, if no node fails before; infinite if none is down. */
    double hoursToChange() {
        double speed = speed();
        double least = Double.POSITIVE_INFINITY;
        for (Rebuild rebuild : rebuilds) {
            least = Math.min(least, rebuild.isWaiting() ? rebuild.delayLeft : rebuild.transferLeft / speed);
        }
        return least;
    }

    /**
     * Lets time go by.
     *
     * @param hours no more than {@link #hoursToChange}
     * @param done gets the rebuilds that end
     */
    void advance(double hours, RebuildTimes done) {
        double speed = speed();
        for (Iterator<Rebuild> each = rebuilds.iterator(); each.hasNext(); ) {
            Rebuild rebuild = each.next();
            rebuild.advance(hours, speed);
            if (rebuild.isDone()) {
                each.remove();
                nodes.clear(rebuild.node);
                done.add(rebuild.ageHours);
            }
        }
    }

    private double speed() {
        int rebuilding = 0;
        for (Rebuild rebuild : rebuilds) {
            rebuilding += rebuild.isWaiting() ? 0 : 1;
        }
        int all = scenario.cluster().nodes();
        return rebuilding == 0 ? 1 : scenario.mode().speed(rebuilding, all - rebuilds.size(), all);
    }
}
