// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.participant;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** The parts of the state from which a rank goes on; their bytes have been verified. For one thread. */
public final class SavedParts implements AutoCloseable {
    private final ZipFile zip;

    private SavedParts(ZipFile zip) {
        this.zip = zip;
    }

    static SavedParts open(Path state) throws IOException {
        try {
            return new SavedParts(new ZipFile(state.toFile()));
        } catch (ZipException e) {
            throw new IOException("the state was saved by checkpoint(), not by checkpointParts()", e);
        }
    }

    /** In the order in which they were added. */
    public List<String> names() {
        return zip.stream().map(ZipEntry::getName).toList();
    }

    /**
     * Reads a part.
     *
     * @throws NoSuchFileException if the state has none of this name
     */
    public InputStream open(String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw new NoSuchFileException(name, null, "the state has the parts " + names());
        }
        return zip.getInputStream(entry);
    }

    /** Writes a part to a file, over what is there. */
    public void copyTo(String name, Path file) throws IOException {
        try (InputStream part = open(name)) {
            Files.copy(part, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
