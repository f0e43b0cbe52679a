// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

/**
 * Two levels of a resource of which more is better. One level would flap: a relieved server frees the resource at once.
 *
 * @param relieve below this a backend is short of the resource
 * @param recover above this it has enough again; at least {@code relieve}
 */
public record Threshold(long relieve, long recover) {
    public Threshold {
        if (relieve < 0 || recover < relieve) {
            throw new IllegalArgumentException("threshold relieve=" + relieve + " recover=" + recover
                    + ": expected 0 <= relieve <= recover; raise recover or lower relieve");
        }
    }
}
