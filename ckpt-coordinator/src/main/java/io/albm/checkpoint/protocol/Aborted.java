// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/**
 * The checkpoint of a job that was given up last, in {@code aborted}: for whoever waits for one.
 *
 * @param number 0 if none ever was
 * @param reason for people
 */
public record Aborted(long number, String reason) {
    static final Aborted NONE = new Aborted(0, "");
}
