// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

/** This process's candidacy for the leadership of a role. Closing it steps down. Thread-safe. */
public interface Election extends AutoCloseable {
    /**
     * {@link Leadership.Leader} from the moment that the epoch was raised in the directory until it is known that
     * another process leads or that the session is over. A mere break of the connection changes nothing: a deposed
     * leader is stopped by its {@linkplain Leadership.Leader#fence fence}, not by this view.
     */
    View<Leadership> leadership();

    @Override
    void close();
}
