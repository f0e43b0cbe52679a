// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.proc.ProcFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every kernel file that the sources of a sampler keep open. Sources of several counters share a file, which is then
 * read once per sample. For one thread.
 */
final class KernelFiles implements Closeable {
    private final HostFiles host;
    private final Map<Path, SampledFile> files = new HashMap<>();
    private final List<Closeable> open = new ArrayList<>();

    KernelFiles(HostFiles host) {
        this.host = host;
    }

    /** Where this host's files are. */
    HostFiles host() {
        return host;
    }

    /** A file below {@code /proc} that this host must have. */
    SampledFile proc(String name) throws IOException {
        return share(name, ProcFile::open);
    }

    /** The same of which only the first {@code bytes} matter. */
    SampledFile procHead(String name, int bytes) throws IOException {
        return share(name, path -> ProcFile.head(path, bytes));
    }

    /** Whether a file below {@code /proc} is there and the kernel gives its content: it may refuse at the first read. */
    boolean canRead(String name) {
        try {
            return !Files.readString(host.proc().resolve(name)).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    /** Takes over something that is to be closed with the files. */
    <T extends Closeable> T keep(T closeable) {
        open.add(closeable);
        return closeable;
    }

    private SampledFile share(String name, Opening opening) throws IOException {
        Path path = host.proc().resolve(name);
        SampledFile shared = files.get(path);
        if (shared == null) {
            shared = new SampledFile(keep(opening.open(path)));
            files.put(path, shared);
        }
        return shared;
    }

    /** How a file is opened. */
    private interface Opening {
        ProcFile open(Path path) throws IOException;
    }

    @Override
    public void close() throws IOException {
        for (Closeable closeable : open) {
            closeable.close();
        }
    }
}
