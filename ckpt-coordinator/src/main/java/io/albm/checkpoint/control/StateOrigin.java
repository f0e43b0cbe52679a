// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

/**
 * Where the bytes of states came from; pages of zeros come from nowhere.
 *
 * @param local from copies that the rank itself had written
 * @param partner from copies of them, on this host or another one
 * @param stored from the striped store
 */
public record StateOrigin(long local, long partner, long stored) {
    public static final StateOrigin NONE = new StateOrigin(0, 0, 0);

    public StateOrigin plus(StateOrigin other) {
        return new StateOrigin(local + other.local, partner + other.partner, stored + other.stored);
    }
}
