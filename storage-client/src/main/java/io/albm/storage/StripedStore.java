// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.View;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.wire.FrameClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One I/O space over the disks of all storage nodes, for callers who may block: run them on virtual threads. A file
 * becomes visible, at once and wholly, when every unit of it is durable on every node of its stripes; it can be read with
 * as many nodes lost as it has parity units; a corrupt block is found and repaired by whoever reads it. {@link StripedFiles} is the same without
 * threads.
 *
 * <p>Memory of all streams is bounded by {@link StreamMemory}, whatever their number and the files' sizes. All methods fail
 * with {@link StorageException} for what the store cannot do, and pass on an {@link IOException} of the stream they were
 * given. Thread-safe.
 */
public final class StripedStore {
    /** How a storage node announces where it serves blocks, how much it takes, how safe files are to be, and what it fails with. */
    public static final String ENDPOINT = "storage";

    public static final String CAPACITY_ATTRIBUTE = "capacity-bytes";
    public static final String PARITY_ATTRIBUTE = "parity-units";
    public static final String DOMAIN_ATTRIBUTE = "failure-domain";

    /** Live settings whose keys are the nodes that are to leave, see {@link LiveNodes#retiring}. */
    public static final String RETIRING_SCOPE = "storage/retiring";

    /** How often a source that can be read again is written, while nodes fail it or sessions end on the way. */
    private static final int MAX_ATTEMPTS = 3;

    /** Bytes that are taken from a stream at a time. */
    private static final int COPY_BYTES = 64 * 1024;

    private final StripedFiles files;

    public StripedStore(StripedFiles files) {
        this.files = files;
    }

    /** The store of a cluster. Cluster and client stay the caller's, who closes them. */
    public static StripedStore open(FileTable table, Cluster cluster, FrameClient client, StripeSettings settings) {
        View<Map<NodeId, Member>> members = cluster.members(Role.STORAGE_NODE);
        View<Map<String, String>> retiring = cluster.configuration(RETIRING_SCOPE);
        WireBlockClient blocks = new WireBlockClient(
                client,
                node -> Optional.ofNullable(members.get().get(node)).flatMap(member -> member.endpoint(ENDPOINT)),
                settings.deadline());
        return new StripedStore(new StripedFiles(
                table, blocks, new MemberNodes(members::get, retiring::get), settings, new SecureRandom()));
    }

    /** The same store without blocking. */
    public StripedFiles files() {
        return files;
    }

    /** The same store for a writer that must stop when a newer one has taken over, with {@link StorageException.Fenced}. */
    public StripedStore withFence(Fence fence) {
        return new StripedStore(files.withFence(fence));
    }

    /** See {@link StripedFiles#over}. */
    public StripedStore over(UnaryOperator<BlockClient> way) {
        return new StripedStore(files.over(way));
    }

    /** See {@link StripedFiles#withRate}. */
    public StripedStore withRate(long bytesPerSecond) {
        return new StripedStore(files.withRate(bytesPerSecond));
    }

    /** Writes a stream. A node lost on the way fails the write, after which nothing of it is visible. */
    public FileInfo writeFile(String path, InputStream in, PutMode mode) throws IOException {
        return write(StoragePath.of(path), in, mode, Set.of(), Long.MAX_VALUE);
    }

    /** As {@link #writeFile(String, InputStream, PutMode)} with {@link PutMode#CREATE}. */
    public FileInfo writeFile(String path, InputStream in) throws IOException {
        return writeFile(path, in, PutMode.CREATE);
    }

    /**
     * Writes a source; if a node is lost on the way, again and over other nodes, and if the client's session ended meanwhile,
     * again in a new one: at most three times in all.
     */
    public FileInfo writeFile(String path, Source source, PutMode mode) throws IOException {
        return write(StoragePath.of(path), source, mode);
    }

    /** As {@link #writeFile(String, Source, PutMode)} from a local file. */
    public FileInfo writeFile(String path, Path source, PutMode mode) throws IOException {
        return writeFile(path, Source.of(Files.size(source), () -> Files.newInputStream(source)), mode);
    }

    /** Writes bytes, as {@link #writeFile(String, Source, PutMode)} does. */
    public FileInfo writeBytes(String path, byte[] content, PutMode mode) throws IOException {
        return write(StoragePath.of(path), Source.of(content.length, () -> new ByteArrayInputStream(content)), mode);
    }

    /** Content that can be read more than once. */
    @FunctionalInterface
    public interface Source {
        /** From the start; closed by the caller. */
        InputStream open() throws IOException;

        /** How many bytes it has: nodes without room for them are found before the first; {@link Long#MAX_VALUE} if nobody knows. */
        default long bytes() {
            return Long.MAX_VALUE;
        }

        /** A source that says how many bytes it has. */
        static Source of(long bytes, Source content) {
            return new Source() {
                @Override
                public InputStream open() throws IOException {
                    return content.open();
                }

                @Override
                public long bytes() {
                    return bytes;
                }
            };
        }
    }

    private FileInfo write(StoragePath path, Source source, PutMode mode) throws IOException {
        Set<NodeId> avoided = new HashSet<>();
        StorageException first = null;
        for (int attempt = 1; ; attempt++) {
            try (InputStream in = source.open()) {
                return write(path, in, mode, avoided, source.bytes());
            } catch (StorageException failure) {
                if (first != null && failure instanceof StorageException.TooFewNodes) {
                    // They are too few without those that were avoided: what is wrong with those is the reason.
                    first.addSuppressed(failure);
                    throw first;
                }
                first = first == null ? failure : first;
                Optional<NodeId> culprit = failure.node();
                boolean mayGoBetter = culprit.isPresent() || failure instanceof StorageException.WriteExpired;
                if (!mayGoBetter || attempt == MAX_ATTEMPTS) {
                    throw failure;
                }
                culprit.ifPresent(avoided::add);
            }
        }
    }

    private FileInfo write(StoragePath path, InputStream in, PutMode mode, Set<NodeId> avoided, long bytes)
            throws IOException {
        StripedWriter writer = await(files.create(path, mode, avoided, bytes));
        try {
            appendAll(in, writer);
        } catch (IOException | RuntimeException failure) {
            await(writer.abort());
            throw failure;
        }
        return await(writer.commit());
    }

    private static void appendAll(InputStream in, StripedWriter writer) throws IOException {
        byte[] bytes = new byte[COPY_BYTES];
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
            ByteBuffer source = ByteBuffer.wrap(bytes, 0, count);
            while (source.hasRemaining()) {
                await(writer.append(source));
            }
        }
    }

    /** Copies a file to a stream; what was copied is right even if the read fails later. */
    public FileInfo readFile(String path, OutputStream out) throws IOException {
        try (StripedInputStream in = open(path)) {
            in.transferTo(out);
            return in.file();
        }
    }

    /** Opens a file for reading from its start. */
    public StripedInputStream open(String path) throws IOException {
        StripedReader reader = await(files.open(StoragePath.of(path)));
        return new StripedInputStream(reader, files.memory(), files.settings().stripesInFlight());
    }

    public Optional<FileInfo> stat(String path) throws IOException {
        return await(files.stat(StoragePath.of(path)));
    }

    /** The files whose path starts with {@code prefix}, by path. */
    public List<FileInfo> list(String prefix) throws IOException {
        return await(files.list(prefix.startsWith("/") ? prefix : "/" + prefix));
    }

    /** Takes a file away, at once, and then removes its blocks. */
    public FileInfo delete(String path) throws IOException {
        return await(files.delete(StoragePath.of(path)));
    }

    /** See {@link StripedFiles#rename}. */
    public String rename(String from, String to, PutMode mode) throws IOException {
        return await(files.rename(StoragePath.of(from), StoragePath.of(to), mode))
                .value();
    }

    /** See {@link StripedFiles#makeDirectory}. */
    public void makeDirectory(String path, boolean parents) throws IOException {
        await(files.makeDirectory(StoragePath.of(path), parents));
    }

    /** Removes an empty directory. */
    public void removeDirectory(String path) throws IOException {
        await(files.removeDirectory(StoragePath.of(path)));
    }

    public SpaceInfo space() throws IOException {
        return await(files.space());
    }

    /** See {@link StripedFiles#nodes}. */
    public List<NodeInfo> nodeInfos() throws IOException {
        return await(files.nodes());
    }

    /** The storage nodes alive now. */
    public Set<NodeId> nodes() {
        return files.live().weights().keySet();
    }

    /**
     * How a file that is written now is cut.
     *
     * @throws StorageException.TooFewNodes if too few nodes are alive to write one
     */
    public StripeGeometry geometry() throws StorageException {
        return files.settings().geometry(files.takers(), files.live().parityUnits());
    }

    /** M of a file that is written now: how many nodes, or failure domains with one unit each, may be lost at once. */
    public int parityUnits() {
        return files.settings().parityUnits(files.live().parityUnits());
    }

    /** See {@link StripedFiles#scrub}. */
    public ScrubReport scrub(Set<NodeId> nodes, ScrubProgress.Listener listener) throws IOException {
        return await(files.scrub(nodes, listener));
    }

    /** See {@link StripedFiles#sweep}. */
    public long sweep(NodeId node) throws IOException {
        return await(files.sweep(node));
    }

    /**
     * Finds out whether a node can leave: whether as many nodes stay as files lie on and new ones need, with room enough, and none
     * of them bears the loss of fewer failure domains.
     *
     * @throws StorageException.CannotRetire if not
     */
    public void checkRetirement(NodeId node) throws IOException {
        await(new NodeChanges(files).checkRetirement(node));
    }

    /**
     * Finds out whether a node can take another one's place without a failure domain having more units of a stripe than may be lost.
     *
     * @throws StorageException.CannotReplace if not
     */
    public void checkReplacement(NodeId node, NodeId onto) throws IOException {
        await(new NodeChanges(files).checkReplacement(node, onto));
    }

    /** Moves to a node that has joined what rendezvous hashing gives it of what is stored, and nothing else. */
    public ScrubReport fill(NodeId node, ScrubProgress.Listener listener) throws IOException {
        return await(new NodeChanges(files).fill(node, listener));
    }

    /**
     * Moves units that are more than may be lost of a failure domain to others. What cannot be, is in the report. Can be cut off at
     * any time and done again.
     */
    public ScrubReport spread(ScrubProgress.Listener listener) throws IOException {
        return await(new NodeChanges(files).spread(listener));
    }

    /**
     * Moves what a node holds to other nodes; what it does not give, because it is gone, is made from the others. Can be cut off
     * at any time and done again.
     *
     * @param onto the node to move to; null chooses one for each segment
     */
    public ScrubReport replace(NodeId lost, @Nullable NodeId onto, ScrubProgress.Listener listener) throws IOException {
        return await(new NodeChanges(files).replace(lost, onto, listener));
    }

    /**
     * Looks whether the file table fits itself and the nodes have what it says. Changes nothing.
     *
     * @param deep whether each node reads and checks each of its blocks
     */
    public FsckReport check(boolean deep) throws IOException {
        return await(Fsck.run(files.background(), deep));
    }

    /** What the redundancy had to do for this store. */
    public StripeCounters counters() {
        return files.counters();
    }

    /** Waits for an operation of {@link StripedFiles}; fails as it did. */
    public static <T> T await(CompletableFuture<T> result) throws IOException {
        try {
            return result.join();
        } catch (CompletionException failure) {
            switch (StorageException.unwrap(failure)) {
                case IOException io -> throw io;
                case RuntimeException bug -> throw bug;
                case Error error -> throw error;
                case Throwable other -> throw new IOException(other);
            }
        }
    }
}
