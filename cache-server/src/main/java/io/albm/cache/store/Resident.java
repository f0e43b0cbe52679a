// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

/** What its owner keeps in main memory under one key: a document, and whatever the owner knows of it. */
public interface Resident {

    /** The bytes. The {@link ResidentSet} holds one reference on them for as long as this is in it. */
    Document document();

    /** How many requests it has answered from memory. May be read without the lock, and be late then. */
    long requests();
}
