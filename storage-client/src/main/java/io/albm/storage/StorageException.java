// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Why the striped store could not do what it was asked. Every operation either does what it says or fails with one of
 * these; none gives wrong bytes. The kinds that concern one block on one node ({@link BlockMissing}, {@link BlockCorrupt},
 * {@link NodeUnreachable}) are healed from parity where there is one, and show only inside {@link DataLost}.
 */
public abstract sealed class StorageException extends IOException {
    private final @Nullable NodeId node;

    private StorageException(String message) {
        super(message);
        this.node = null;
    }

    private StorageException(NodeId node, String message) {
        super("storage node " + node + message);
        this.node = node;
    }

    private StorageException(String message, Throwable cause) {
        super(message, cause);
        this.node = null;
    }

    /** The I/O node that could not do its part, if it is the fault of one. */
    public Optional<NodeId> node() {
        return Optional.ofNullable(node);
    }

    /** No file has this path. */
    public static final class NoSuchFile extends StorageException {
        public NoSuchFile(String path) {
            super(path + ": no such file; 'albm storage ls' lists what is there");
        }
    }

    /** A file with this path is there, and the caller did not ask to replace it. */
    public static final class FileExists extends StorageException {
        public FileExists(String path) {
            super(path + ": exists already; remove it first, or ask to replace it");
        }
    }

    /** The file was replaced or removed while it was read. */
    public static final class FileChanged extends StorageException {
        public FileChanged(String path) {
            super(path + ": was replaced or removed while it was in use; open it again");
        }
    }

    /** Too few I/O nodes are alive to keep a file as redundant as the settings ask. */
    public static final class TooFewNodes extends StorageException {
        public TooFewNodes(int alive, int parityUnits) {
            super("storage has " + alive + " nodes alive, expected at least " + (1 + parityUnits) + " for parity of "
                    + parityUnits + "; start storage nodes, or write with less parity");
        }
    }

    /** No live node can take a lost node's blocks of a file without holding two units of one stripe. */
    public static final class NoReplacement extends StorageException {
        public NoReplacement(String path, NodeId lost) {
            super(path + ": no live storage node can take the place of " + lost + "; start " + lost
                    + " again with an empty disk, or another storage node");
        }
    }

    /** A segment of a file was to move, and others have moved it each time before that could be done. */
    public static final class MovedByOthers extends StorageException {
        public MovedByOthers(String path, Segment segment) {
            super(path + ": others have moved segment " + segment.generation()
                    + " each time before it could be moved; run this again when they are done");
        }
    }

    /** A node cannot take another one's place without files being less safe than they are. */
    public static final class CannotReplace extends StorageException {
        public CannotReplace(NodeId node, NodeId replacement, String reason) {
            super("storage node " + node + " cannot be replaced by " + replacement + ": " + reason
                    + "; name a node in another one, or let 'albm storage retire' choose, or 'rebuild' if " + node
                    + " is gone");
        }
    }

    /** A failure domain has more units of a segment than may be lost, and no node of another one can take one. */
    public static final class CannotSpread extends StorageException {
        public CannotSpread(String path, FailureDomain domain) {
            super(path + ": failure domain " + domain
                    + " has more units than may be lost, and no storage node of another one"
                    + " can take one; start some in other domains, or store the file again, in narrower stripes");
        }
    }

    /** A node cannot leave now without files being less safe than they are, or not fitting any more. */
    public static final class CannotRetire extends StorageException {
        public CannotRetire(NodeId node, String reason) {
            super("storage node " + node + " cannot be retired: " + reason + "; start another storage node first");
        }
    }

    /** The file table is used, or something is in its way. It stays where it is. */
    public static final class CannotMoveTable extends StorageException {
        public CannotMoveTable(String reason) {
            super("the file table cannot be moved: " + reason);
        }
    }

    /** An I/O node did not answer; whether it did what was asked is unknown. */
    public static final class NodeUnreachable extends StorageException {
        public NodeUnreachable(NodeId node, String reason) {
            super(node, " cannot be reached: " + reason);
        }
    }

    /** An I/O node takes much longer to answer than nodes do, and what it was asked for can be had from others. */
    public static final class NodeSlow extends StorageException {
        public NodeSlow(NodeId node, Duration waited) {
            super(node, " has not answered for " + waited.toMillis() + " ms");
        }
    }

    /** An I/O node answers but failed, or had too much to do until the deadline. */
    public static final class NodeFailed extends StorageException {
        public NodeFailed(NodeId node, String reason) {
            super(node, " failed: " + reason);
        }
    }

    /** An I/O node has no room for the block. */
    public static final class NoSpace extends StorageException {
        public NoSpace(NodeId node, String reason) {
            super(node, " is full: " + reason + "; remove files or add storage nodes");
        }
    }

    /** The node does not have the block. */
    public static final class BlockMissing extends StorageException {
        public BlockMissing(NodeId node, BlockId block) {
            super(node, " has no block " + block);
        }
    }

    /** The node's block does not match its checksum, or is not the block that was asked for. */
    public static final class BlockCorrupt extends StorageException {
        public BlockCorrupt(NodeId node, BlockId block, String reason) {
            super(node, ": block " + block + " is corrupt: " + reason);
        }
    }

    /** More units of a stripe are lost than it has parity. Later, when a node is back, the same read may succeed. */
    public static final class DataLost extends StorageException {
        private final List<StorageException> causes;

        public DataLost(String path, long stripe, List<StorageException> causes) {
            super(
                    path + ": stripe " + stripe + " cannot be read, " + causes.size() + " of its units are lost: "
                            + String.join(
                                    "; ",
                                    causes.stream().map(Throwable::getMessage).toList()),
                    causes.getFirst());
            this.causes = List.copyOf(causes);
        }

        /** What is wrong with each lost unit. */
        public List<StorageException> causes() {
            return causes;
        }

        /** Whether a node did not give what it may have: it may do so when it is asked again. */
        public boolean mayPass() {
            return !causes.stream().allMatch(cause -> cause instanceof BlockMissing || cause instanceof BlockCorrupt);
        }
    }

    /** What was read is not what was written, although every block matches its own checksum. */
    public static final class FileCorrupt extends StorageException {
        public FileCorrupt(String path) {
            super(path + ": the checksum of the whole file does not match; do not use what was read");
        }
    }

    /** The file table refuses what cannot be: a file below a file, a name that is too long, a table that is full. */
    public static final class Refused extends StorageException {
        public Refused(String reason) {
            super("refused: " + reason);
        }
    }

    /** A newer holder of the fence has been seen: this writer must stop. */
    public static final class Fenced extends StorageException {
        public Fenced(String reason) {
            super("refused, a newer writer has taken over: " + reason);
        }
    }

    /** The file table cannot be reached. Nothing was changed. */
    public static final class TableUnavailable extends StorageException {
        public TableUnavailable(String reason) {
            super("the file table cannot be reached: " + reason);
        }
    }

    /** The connection broke while the file table decided: whether the change was made is unknown. */
    public static final class OutcomeUnknown extends StorageException {
        public OutcomeUnknown(String what, String reason) {
            super(what + ": it is unknown whether the change was made (" + reason + "); look before trying again");
        }
    }

    /** Names that were answered before they were durable are gone: too many nodes were lost at a time. */
    public static final class AnswersLost extends StorageException {
        public AnswersLost(String reason) {
            super("some of the latest changes of names may be lost: " + reason + "; look what is there");
        }
    }

    /** The write was announced by a session that is over: its blocks may be gone. */
    public static final class WriteExpired extends StorageException {
        public WriteExpired(String what) {
            super(what + ": the session in which the write began is over; write it again");
        }
    }

    /** The failure inside the wrappers that futures put around it. */
    static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        while (inner instanceof CompletionException && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }
}
