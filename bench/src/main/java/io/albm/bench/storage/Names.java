// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Names of empty files in one directory. */
interface Names {
    /** Makes an empty file and closes it. */
    void create(String name) throws IOException;

    /** Looks at its attributes. */
    void stat(String name) throws IOException;

    /** Takes it away. */
    void remove(String name) throws IOException;

    /** Those at a {@link Volume}'s location. */
    static Names at(String location) throws IOException {
        return location.startsWith("nfs://") ? LibNfs.mount(location) : new InDirectory(location);
    }

    /** Through the kernel, a system call for each but the close. */
    record InDirectory(String directory) implements Names {
        @Override
        public void create(String name) throws IOException {
            Files.createFile(path(name));
        }

        @Override
        public void stat(String name) throws IOException {
            Files.readAttributes(path(name), BasicFileAttributes.class);
        }

        /** {@code Files.delete} would ask for the attributes first. */
        @Override
        public void remove(String name) throws IOException {
            if (!new File(directory, name).delete()) {
                throw new IOException(path(name) + " could not be removed");
            }
        }

        private Path path(String name) {
            return Path.of(directory, name);
        }
    }
}
