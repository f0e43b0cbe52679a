// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import io.albm.storage.FileInfo;
import io.albm.storage.StorageException;
import io.albm.storage.StoragePath;
import io.albm.storage.StripedFiles;
import io.albm.storage.StripedReader;
import io.albm.storage.StripedStore;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Serves files of the striped storage whose path starts with a prefix, and nothing else. There are no directories. A
 * document in another coding is the file whose name ends with the coding's suffix ({@code a.css.gz}), if it was written
 * after the document.
 *
 * <p>What is stored there never changes, a file only gets other segments; so what is read through one {@link OpenDocument}
 * is of one version whatever happens meanwhile.
 *
 * <p>An open document holds the piece that it read last, outside the cache's books.
 */
public final class StripedSource implements DocumentSource {
    private final StripedFiles files;
    private final String prefix;

    /**
     * @param root under which the documents are, such as {@code /www}; {@code /} for all files
     * @throws IllegalArgumentException if nothing can be under that
     */
    public StripedSource(StripedFiles files, String root) {
        this.files = files;
        this.prefix = root.equals("/") ? "" : StoragePath.of(root).value();
    }

    @Override
    public Version version(DocumentPath path) throws IOException {
        return versionOf(current(path));
    }

    @Override
    public OpenDocument open(DocumentPath path) throws IOException {
        FileInfo current = current(path);
        StripedReader reader = await(path, files.open(new StoragePath(current.path())));
        return new OpenFile(path, reader);
    }

    private FileInfo current(DocumentPath path) throws IOException {
        FileInfo file = find(path);
        if (path.coding() != Coding.IDENTITY
                && file.modified().isBefore(find(path.in(Coding.IDENTITY)).modified())) {
            throw new MissingDocumentException(path + " is older than the document");
        }
        return file;
    }

    private FileInfo find(DocumentPath path) throws IOException {
        return await(path, files.stat(located(path))).orElseThrow(() -> missing(path));
    }

    private StoragePath located(DocumentPath path) throws MissingDocumentException {
        try {
            return new StoragePath(prefix + path.value() + path.coding().suffix());
        } catch (IllegalArgumentException tooLong) {
            throw missing(path);
        }
    }

    private static MissingDocumentException missing(DocumentPath path) {
        return new MissingDocumentException(path + " does not exist");
    }

    private static Version versionOf(FileInfo file) {
        return new Version(
                file.length(), file.modified(), file.modified(), file.content().fingerprint());
    }

    private static <T> T await(DocumentPath path, CompletableFuture<T> result) throws IOException {
        try {
            return StripedStore.await(result);
        } catch (StorageException.NoSuchFile e) {
            throw missing(path);
        } catch (StorageException.FileChanged e) {
            throw new ChangedDocumentException(path + " was replaced or removed while it was read");
        }
    }

    private static final class OpenFile implements OpenDocument {
        private final DocumentPath path;
        private final StripedReader reader;
        private final Version version;
        private ByteBuf content = Unpooled.EMPTY_BUFFER;
        private StripedReader.@Nullable Piece piece;

        OpenFile(DocumentPath path, StripedReader reader) {
            this.path = path;
            this.reader = reader;
            this.version = versionOf(reader.file());
        }

        @Override
        public Version version() {
            return version;
        }

        @Override
        public void read(ByteBuf into, long position, int bytes) throws IOException {
            long end = position + bytes;
            if (end > version.bytes()) {
                throw new ChangedDocumentException(path + " ends before byte " + end);
            }
            for (long at = position; at < end; ) {
                StripedReader.Piece here = turnTo(at);
                int from = (int) (at - here.at());
                int length = (int) Math.min(end - at, here.length() - from);
                into.writeBytes(content, content.readerIndex() + from, length);
                at += length;
            }
        }

        private StripedReader.Piece turnTo(long at) throws IOException {
            StripedReader.Piece here = reader.pieceAt(at);
            if (!here.equals(piece)) {
                close();
                content = await(path, reader.read(here));
                piece = here;
            }
            return here;
        }

        @Override
        public void close() {
            content.release();
            content = Unpooled.EMPTY_BUFFER;
            piece = null;
        }
    }
}
