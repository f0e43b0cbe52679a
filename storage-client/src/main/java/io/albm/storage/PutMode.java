// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/** What a put does when a file with its path is there already. */
public enum PutMode {
    /** Fails with {@link StorageException.FileExists}. */
    CREATE,
    /** Takes its place in one step: readers see the old file or the new one, never a mixture. */
    REPLACE
}
