// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

/** Ends when closed; closing twice does nothing. A call that is under way when it is closed may still run to its end. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
    @Override
    void close();
}
