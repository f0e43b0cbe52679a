// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

/** A host does not answer any more; {@link RankHost.Listener#lost} says so, too. */
public final class HostLostException extends RuntimeException {
    public HostLostException(String message) {
        super(message);
    }
}
