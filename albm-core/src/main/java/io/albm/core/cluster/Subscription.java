// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

/** Ends when closed; closing twice does nothing. No call begins after {@code close} returned. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
    @Override
    void close();
}
