// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

/**
 * One stretch of time in which the word counters were watched.
 *
 * @param countMillis mean time in which a counter counts its text once
 * @param fileRefaultsPerSecond pages read again that had just been pushed out
 * @param majorFaultsPerSecond page faults that waited for the disk
 * @param stressProcessors CPU time that the neighbour took, in processors
 * @param workingSetBytes of the whole node at the window's end
 */
public record Window(
        double countMillis,
        double fileRefaultsPerSecond,
        double majorFaultsPerSecond,
        double stressProcessors,
        long workingSetBytes) {}
