// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/** What {@code setxattr(2)} does about an attribute that is there, or is not. */
public enum XattrMode {
    SET,
    /** One that is there is an error: {@link Errno#EEXIST}. */
    CREATE,
    /** One that is not there is an error: {@link Errno#ENODATA}. */
    REPLACE
}
