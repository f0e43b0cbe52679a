// SPDX-License-Identifier: Apache-2.0
package io.albm.core.file;

import java.io.IOException;
import java.nio.file.OpenOption;

/**
 * Opens files so that what is read and written goes past the kernel's page cache ({@code O_DIRECT}): in places, lengths and
 * memory that are multiples of the file system's block.
 */
public final class DirectOption {
    private DirectOption() {}

    /**
     * By name: the compiler takes the package of the option, which is exported, for the JDK's own.
     *
     * @throws IOException if this Java has none
     */
    public static OpenOption get() throws IOException {
        try {
            Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            return (OpenOption) options.getField("DIRECT").get(null);
        } catch (ReflectiveOperationException e) {
            throw new IOException("this Java cannot read and write past the page cache", e);
        }
    }
}
