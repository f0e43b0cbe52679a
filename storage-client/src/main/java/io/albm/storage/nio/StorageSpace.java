// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.Space;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.jspecify.annotations.Nullable;

/** The room on all nodes. Of what is free, parity takes a part. */
final class StorageSpace extends FileStore {
    private final AlbmPath root;

    StorageSpace(AlbmPath root) {
        this.root = root;
    }

    private Space space() throws IOException {
        return root.getFileSystem().session().ask(root, InodeFileSystem::statfs);
    }

    @Override
    public String name() {
        return root.getFileSystem().toString();
    }

    @Override
    public String type() {
        return ClusterUri.SCHEME;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public long getTotalSpace() throws IOException {
        Space space = space();
        return space.blocks() * space.blockBytes();
    }

    @Override
    public long getUsableSpace() throws IOException {
        return getUnallocatedSpace();
    }

    @Override
    public long getUnallocatedSpace() throws IOException {
        Space space = space();
        return space.freeBlocks() * space.blockBytes();
    }

    @Override
    public long getBlockSize() throws IOException {
        return space().blockBytes();
    }

    @Override
    public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
        return AttributeView.NAMES.containsKey(type);
    }

    @Override
    public boolean supportsFileAttributeView(String name) {
        return NamedAttributes.VIEWS.contains(name);
    }

    @Override
    public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
        return null;
    }

    @Override
    public Object getAttribute(String attribute) throws IOException {
        return switch (attribute) {
            case "totalSpace" -> getTotalSpace();
            case "usableSpace" -> getUsableSpace();
            case "unallocatedSpace" -> getUnallocatedSpace();
            default ->
                throw new UnsupportedOperationException("attribute '" + attribute
                        + "' of a file store: expected totalSpace, usableSpace or unallocatedSpace");
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StorageSpace space && space.root.equals(root);
    }

    @Override
    public int hashCode() {
        return root.hashCode();
    }

    @Override
    public String toString() {
        return name();
    }
}
