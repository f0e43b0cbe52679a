// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

/**
 * One simulation of a trace.
 *
 * @param policy a name of the registry, or {@link BeladySize#NAME}
 * @param window how many requests wait at most
 * @param mode {@link InOrderSimulation#MODE} or that of a {@link ReadOrder}
 */
record Cell(String policy, CacheSize size, int window, String mode) {

    Cell of(String other) {
        return new Cell(other, size, window, mode);
    }

    /** As in the results. */
    String name() {
        return policy + "/" + place();
    }

    /** Where policies meet. */
    String place() {
        return size.label() + "/w" + window + "/" + mode;
    }
}
