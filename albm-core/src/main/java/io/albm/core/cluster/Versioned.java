// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

/**
 * A node's content with the version that a conditional change names.
 *
 * @param data not to be changed by the caller
 * @param version changes of the content since the node was created, from 0
 */
@SuppressWarnings("ArrayRecordComponent") // compared by version, never by content
public record Versioned(byte[] data, int version) {}
