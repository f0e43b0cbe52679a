// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.Set;

/** One storage as this process has it open. Thread-safe. */
final class AlbmFileSystem extends FileSystem {
    private final AlbmFileSystemProvider provider;
    private final ClusterUri uri;
    private final Session session;
    private final Tree tree;

    AlbmFileSystem(AlbmFileSystemProvider provider, ClusterUri uri, StorageOptions options, StorageLink link) {
        this.provider = provider;
        this.uri = uri;
        session = new Session(link);
        tree = new Tree(session, options.caller());
    }

    Tree tree() {
        return tree;
    }

    Session session() {
        return session;
    }

    ClusterUri uri() {
        return uri;
    }

    AlbmPath root() {
        return AlbmPath.parse(this, getSeparator());
    }

    @Override
    public AlbmFileSystemProvider provider() {
        return provider;
    }

    /** Closes what is open in it, and stores what was written. */
    @Override
    public void close() throws IOException {
        try {
            session.close();
        } finally {
            provider.closed(this);
        }
    }

    @Override
    public boolean isOpen() {
        return session.isOpen();
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(root());
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of(new StorageSpace(root()));
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return NamedAttributes.VIEWS;
    }

    @Override
    public AlbmPath getPath(String first, String... more) {
        StringBuilder joined = new StringBuilder(first);
        for (String part : more) {
            if (!part.isEmpty()) {
                joined.append(joined.isEmpty() ? "" : getSeparator()).append(part);
            }
        }
        return AlbmPath.parse(this, joined.toString());
    }

    /** The default file system's, which looks at a path's text and nothing else. */
    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        return FileSystems.getDefault().getPathMatcher(syntaxAndPattern);
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return new Owner.Lookup();
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException("the storage does not tell of changes");
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
