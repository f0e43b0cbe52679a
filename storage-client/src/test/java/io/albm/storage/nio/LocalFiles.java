// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.mount.LocalStorage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.FileSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A storage in this process, whatever servers a URI names, for as many file systems as a test wants. */
final class LocalFiles {
    static final URI FIRST = URI.create("albm://127.0.0.1:2181/");
    static final URI SECOND = URI.create("albm://other@127.0.0.1:2181/");

    final LocalStorage storage = new LocalStorage(1000);
    final List<StorageLink> closed = new ArrayList<>();
    final AlbmFileSystemProvider provider =
            new AlbmFileSystemProvider((uri, options) -> new Link(waiting(storage.mount())));

    FileSystem open(URI uri) throws IOException {
        return provider.newFileSystem(uri, Map.of("uid", 7, "gid", "8"));
    }

    /** What is in this process answers without waiting; so an interrupt is heard of here, as it is while waiting. */
    private static InodeFileSystem waiting(InodeFileSystem files) {
        return (InodeFileSystem) Proxy.newProxyInstance(
                LocalFiles.class.getClassLoader(),
                new Class<?>[] {InodeFileSystem.class},
                (proxy, method, arguments) -> {
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    try {
                        return method.invoke(files, arguments);
                    } catch (InvocationTargetException failure) {
                        throw Objects.requireNonNull(failure.getCause());
                    }
                });
    }

    private final class Link implements StorageLink {
        private final InodeFileSystem files;

        Link(InodeFileSystem files) {
            this.files = files;
        }

        @Override
        public InodeFileSystem files() {
            return files;
        }

        @Override
        public void close() {
            closed.add(this);
        }
    }
}
