// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Permissions as sets, and as the nine lowest bits of {@code st_mode}. */
final class Permissions {
    static final String NAME = "posix:permissions";

    private static final int HIGHEST = 0400;

    /** {@code rwxrwxrwx}. */
    private static final List<PosixFilePermission> FROM_HIGHEST = List.of(PosixFilePermission.values());

    private Permissions() {}

    static Set<PosixFilePermission> of(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < FROM_HIGHEST.size(); i++) {
            if ((mode & HIGHEST >> i) != 0) {
                permissions.add(FROM_HIGHEST.get(i));
            }
        }
        return permissions;
    }

    static int bits(Collection<?> permissions) {
        int bits = 0;
        for (int i = 0; i < FROM_HIGHEST.size(); i++) {
            bits |= permissions.contains(FROM_HIGHEST.get(i)) ? HIGHEST >> i : 0;
        }
        return bits;
    }

    /**
     * The permissions of something that is made.
     *
     * @throws UnsupportedOperationException if other attributes are given
     */
    static int of(FileAttribute<?>[] attributes, int usual) {
        int bits = usual;
        for (FileAttribute<?> attribute : attributes) {
            if (!attribute.name().equals(NAME) || !(attribute.value() instanceof Collection<?> permissions)) {
                throw new UnsupportedOperationException(
                        "attribute " + attribute.name() + " of a new file: expected none but " + NAME);
            }
            bits = bits(permissions);
        }
        return bits;
    }
}
