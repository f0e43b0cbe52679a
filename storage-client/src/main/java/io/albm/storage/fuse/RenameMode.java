// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/** What {@code renameat2(2)} does with a file that has the new name already. */
public enum RenameMode {
    /** It is replaced, in one step. */
    REPLACE,
    /** It is an error: {@link Errno#EEXIST}. */
    NO_REPLACE,
    /** The two change names, in one step; both must be there. */
    EXCHANGE
}
