// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

/**
 * A container as a policy sees it.
 *
 * @param name what it is called
 * @param reservedBytes memory that is promised to it; the promises on a node never exceed its capacity
 * @param workingSetBytes memory that it was measured to keep in use, page cache included; may be more than its promise
 * @param memoryPressure share of its time that it was measured to wait for memory, 0 to 1
 */
public record Container(String name, long reservedBytes, long workingSetBytes, double memoryPressure) {
    /** Pressure says that demand exceeds what was measured, but not without bound by how much. */
    private static final double HIGHEST_COUNTED_PRESSURE = 0.5;

    public Container {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a container needs a name");
        }
        requireBytes(name, "reserved", reservedBytes);
        requireBytes(name, "working set", workingSetBytes);
        if (!(memoryPressure >= 0 && memoryPressure <= 1)) {
            throw new IllegalArgumentException(
                    "container " + name + ": memory pressure " + memoryPressure + " is not within 0 to 1");
        }
    }

    /** A container that has not been measured: it is taken to use what it is promised. */
    public static Container unmeasured(String name, long reservedBytes) {
        return new Container(name, reservedBytes, reservedBytes, 0);
    }

    private static void requireBytes(String name, String what, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("container " + name + ": " + what + " " + bytes + " bytes is negative");
        }
    }

    /**
     * Bytes that the container would keep in use if it got them. Its working set was measured where it ran; one that
     * waited for memory a share {@code p} of its time there had too little by about that share.
     */
    double demandBytes() {
        return workingSetBytes / (1 - Math.min(memoryPressure, HIGHEST_COUNTED_PRESSURE));
    }
}
