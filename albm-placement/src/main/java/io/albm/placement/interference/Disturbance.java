// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

/** What the neighbour does during a window. */
public enum Disturbance {
    /** Memory that fits beside the word counters. */
    FITS("fits", "memory stress that fits"),
    /** Memory that pushes pages out that the word counters read: the sum no longer fits the node. */
    OVERFLOWS("overflows", "memory stress that overflows"),
    /** As much CPU time as the overflowing stress takes, and no memory. */
    CPU("cpu", "CPU stress, no memory");

    private final String id;
    private final String title;

    Disturbance(String id, String title) {
        this.id = id;
        this.title = title;
    }

    /** Its name in files. */
    public String id() {
        return id;
    }

    /** Its name for people. */
    public String title() {
        return title;
    }
}
