// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

/** Bytes for people. */
final class Mebibytes {
    private Mebibytes() {}

    static String of(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}
