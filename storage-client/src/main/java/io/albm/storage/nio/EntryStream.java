// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.DirectorySink;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A directory's entries in the order of their names, a page in memory at a time. An entry that stays is given once, whatever
 * comes and goes meanwhile. Thread-safe.
 */
final class EntryStream implements DirectoryStream<Path> {
    private static final int PAGE = 256;

    private final Session session;
    private final AlbmPath directory;
    private final long inode;
    private final long handle;
    private final Filter<? super Path> filter;
    private boolean given;
    private boolean closed;

    EntryStream(Session session, AlbmPath directory, long inode, long handle, Filter<? super Path> filter) {
        this.session = session;
        this.directory = directory;
        this.inode = inode;
        this.handle = handle;
        this.filter = filter;
    }

    @Override
    public synchronized Iterator<Path> iterator() {
        if (given || closed) {
            throw new IllegalStateException(
                    directory + (closed ? ": the stream is closed" : ": a stream has one iterator"));
        }
        given = true;
        return new Entries();
    }

    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            session.closed(this);
            session.release(directory, files -> files.releasedir(inode, handle));
        }
    }

    private final class Entries implements Iterator<Path>, DirectorySink {
        private final Queue<String> page = new ArrayDeque<>();
        private long cookie;
        private boolean full;
        private boolean ended;
        private @Nullable Path next;

        @Override
        public boolean hasNext() {
            synchronized (EntryStream.this) {
                try {
                    while (next == null && !closed && hasName()) {
                        Path entry = directory.resolve(page.remove());
                        next = filter.accept(entry) ? entry : null;
                    }
                } catch (IOException failure) {
                    throw new DirectoryIteratorException(failure);
                }
                return next != null;
            }
        }

        @Override
        public Path next() {
            synchronized (EntryStream.this) {
                if (!hasNext() || next == null) {
                    throw new NoSuchElementException(directory + ": no more entries");
                }
                Path entry = next;
                next = null;
                return entry;
            }
        }

        /** Reads on if the page is used up. */
        private boolean hasName() throws IOException {
            while (page.isEmpty() && !ended) {
                full = false;
                session.change(directory, files -> files.readdir(inode, handle, cookie, this));
                ended = !full;
            }
            return !page.isEmpty();
        }

        @Override
        public boolean add(String name, Attributes attributes, long place) {
            full = page.size() == PAGE;
            if (!full) {
                cookie = place;
                if (!name.equals(".") && !name.equals("..")) {
                    page.add(name);
                }
            }
            return !full;
        }

        @Override
        public boolean countsAsLookup() {
            return false;
        }
    }
}
