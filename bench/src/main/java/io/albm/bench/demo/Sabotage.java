// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import java.util.Locale;

/** Ways to break what the demo checks, so that anybody can see that each check fails when it should. */
enum Sabotage {
    /** The distributor is killed under load. */
    REQUESTS,
    /** A byte of every document is changed after its digest was taken. */
    BODIES,
    /** The disturbed job computes a step more than the undisturbed one. */
    HASH,
    /** No rank is killed, so that nothing rolls back. */
    ROLLBACK,
    /** The striped file is written with another byte than it is compared with. */
    DEGRADED_READ,
    /** The lost storage node stays away. */
    REBUILD,
    /** A bit rots on a storage node's disk. */
    SCRUB,
    /** A process stays behind. */
    PROCESSES;

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
