// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/**
 * Whom an I/O node grants credit to: a client, for one kind of its work.
 *
 * @param id chosen by the client at random; no other one's
 * @param background whether its blocks can wait for those of others
 */
public record Sender(long id, boolean background) {}
