// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.albm.core.node.NodeId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of the {@link FileTable}: one atomic step, done wholly or refused. Permissions are the caller's affair.
 *
 * <p>Where a name is given to something new, the parent must be a directory that still has a name. {@code keep} says that
 * the caller has the inode open: if its last name goes, it stays until {@link Release} or the end of the caller's session.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "do")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TableCommand.Make.class, name = "make"),
    @JsonSubTypes.Type(value = TableCommand.Link.class, name = "link"),
    @JsonSubTypes.Type(value = TableCommand.Unlink.class, name = "unlink"),
    @JsonSubTypes.Type(value = TableCommand.RemoveDirectory.class, name = "rmdir"),
    @JsonSubTypes.Type(value = TableCommand.Rename.class, name = "rename"),
    @JsonSubTypes.Type(value = TableCommand.Reserve.class, name = "reserve"),
    @JsonSubTypes.Type(value = TableCommand.SetAttributes.class, name = "set"),
    @JsonSubTypes.Type(value = TableCommand.SetAttribute.class, name = "set-attribute"),
    @JsonSubTypes.Type(value = TableCommand.RemoveAttribute.class, name = "remove-attribute"),
    @JsonSubTypes.Type(value = TableCommand.Release.class, name = "release"),
    @JsonSubTypes.Type(value = TableCommand.Begin.class, name = "begin"),
    @JsonSubTypes.Type(value = TableCommand.Cancel.class, name = "cancel"),
    @JsonSubTypes.Type(value = TableCommand.Change.class, name = "change"),
    @JsonSubTypes.Type(value = TableCommand.Publish.class, name = "publish"),
    @JsonSubTypes.Type(value = TableCommand.Remove.class, name = "remove"),
    @JsonSubTypes.Type(value = TableCommand.Relocate.class, name = "relocate"),
    @JsonSubTypes.Type(value = TableCommand.Lock.class, name = "lock"),
    @JsonSubTypes.Type(value = TableCommand.Unlock.class, name = "unlock")
})
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public sealed interface TableCommand<A extends TableAnswer> extends TableRequest<A> {
    /**
     * Makes a file, directory, symbolic link or device. In a directory with the set-group-id bit it gets that directory's
     * group, and a directory the bit, too.
     *
     * @param mode type and permissions, less the caller's umask
     * @param target what a symbolic link says; null for all others
     * @param number which inode it is, of those that the client has {@link Reserve}d; 0 for a new one
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
    record Make(long parent, String name, int mode, int uid, int gid, int device, byte @Nullable [] target, long number)
            implements TableCommand<TableAnswer.Known> {
        // Not the short form: NullAway forgets there that the target may be null.
        public Make(
                long parent,
                String name,
                int mode,
                int uid,
                int gid,
                int device,
                byte @Nullable [] target,
                long number) {
            RequestFields.requireName(name, "name");
            this.parent = parent;
            this.name = name;
            this.mode = mode;
            this.uid = uid;
            this.gid = gid;
            this.device = device;
            this.target = target;
            this.number = number;
        }

        /** Makes one with a new number. */
        public Make(long parent, String name, int mode, int uid, int gid, int device, byte @Nullable [] target) {
            this(parent, name, mode, uid, gid, device, target, 0);
        }

        /** The same as that inode. */
        public Make as(long inode) {
            return new Make(parent, name, mode, uid, gid, device, target, inode);
        }

        @Override
        public Class<TableAnswer.Known> answer() {
            return TableAnswer.Known.class;
        }
    }

    /**
     * Sets inode numbers aside for files that the client will make in their order, and room in the table for bytes of files. They
     * take the place of what it had left; what it has not used when its session ends is never used.
     *
     * @param count 1 to {@link #MOST_RESERVED}
     * @param bytes at least 0; less is given, or none, if the table has not much room
     */
    record Reserve(int count, long bytes) implements TableCommand<TableAnswer.Reserved> {

        @Override
        public Class<TableAnswer.Reserved> answer() {
            return TableAnswer.Reserved.class;
        }
    }

    /** Inode numbers that a client may have set aside. */
    int MOST_RESERVED = 4096;

    /** Gives an inode, no directory, one more name. */
    record Link(long inode, long parent, String name) implements TableCommand<TableAnswer.Known> {
        public Link {
            RequestFields.requireName(name, "name");
        }

        @Override
        public Class<TableAnswer.Known> answer() {
            return TableAnswer.Known.class;
        }
    }

    /** Takes a name away that is no directory's. */
    record Unlink(long parent, String name, boolean keep) implements TableCommand<TableAnswer.Freed> {
        public Unlink {
            RequestFields.requireName(name, "name");
        }

        @Override
        public Class<TableAnswer.Freed> answer() {
            return TableAnswer.Freed.class;
        }
    }

    /** Removes an empty directory. */
    record RemoveDirectory(long parent, String name) implements TableCommand<TableAnswer.Done> {
        public RemoveDirectory {
            RequestFields.requireName(name, "name");
        }

        @Override
        public Class<TableAnswer.Done> answer() {
            return TableAnswer.Done.class;
        }
    }

    /** What {@link Rename} does with an inode that has the new name already. */
    enum Renaming {
        /** It loses the name, in the same step. */
        REPLACE,
        /** It is refused with {@link TableRefusal.Reason#EXISTS}. */
        NO_REPLACE,
        /** The two change names. */
        EXCHANGE
    }

    /** Gives an inode another name. The answer tells what the one that had the name before leaves. */
    record Rename(long parent, String name, long newParent, String newName, Renaming how, boolean keep)
            implements TableCommand<TableAnswer.Freed> {
        public Rename {
            RequestFields.requireName(name, "name");
            RequestFields.requireName(newName, "newName");
            RequestFields.require(how, "how");
        }

        @Override
        public Class<TableAnswer.Freed> answer() {
            return TableAnswer.Freed.class;
        }
    }

    /**
     * Sets attributes; what is null stays.
     *
     * @param mode permissions with set-id and sticky bits
     * @param killSetIds the set-id bits go; a change of owner or group always takes them
     */
    @JsonInclude(JsonInclude.Include.NON_NULL) // zeros say something here
    record SetAttributes(
            long inode,
            @Nullable Integer mode,
            @Nullable Integer uid,
            @Nullable Integer gid,
            @Nullable Instant accessed,
            @Nullable Instant modified,
            boolean killSetIds)
            implements TableCommand<TableAnswer.Known> {
        @Override
        public Class<TableAnswer.Known> answer() {
            return TableAnswer.Known.class;
        }
    }

    /** Sets an extended attribute. {@code create}: only if it is not there; {@code replace}: only if it is. */
    @JsonInclude(JsonInclude.Include.NON_NULL) // a value may be empty
    @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
    record SetAttribute(long inode, String name, byte[] value, boolean create, boolean replace)
            implements TableCommand<TableAnswer.Done> {
        public SetAttribute {
            RequestFields.requireAttribute(name);
            RequestFields.require(value, "value");
        }

        @Override
        public Class<TableAnswer.Done> answer() {
            return TableAnswer.Done.class;
        }
    }

    record RemoveAttribute(long inode, String name) implements TableCommand<TableAnswer.Done> {
        public RemoveAttribute {
            RequestFields.requireAttribute(name);
        }

        @Override
        public Class<TableAnswer.Done> answer() {
            return TableAnswer.Done.class;
        }
    }

    /** Ends the keeping of an inode that lost its last name while the caller had it open. */
    record Release(long inode) implements TableCommand<TableAnswer.Freed> {
        @Override
        public Class<TableAnswer.Freed> answer() {
            return TableAnswer.Freed.class;
        }
    }

    /** Announces a generation that is about to be written; the announcement ends with the caller's session. */
    record Begin(String generation) implements TableCommand<TableAnswer.Done> {
        public Begin {
            RequestFields.requireGeneration(generation);
        }

        @Override
        public Class<TableAnswer.Done> answer() {
            return TableAnswer.Done.class;
        }
    }

    /** Takes an announcement back, after which the generation can never be written or published. */
    record Cancel(String generation) implements TableCommand<TableAnswer.Cancelled> {
        public Cancel {
            RequestFields.requireGeneration(generation);
        }

        @Override
        public Class<TableAnswer.Cancelled> answer() {
            return TableAnswer.Cancelled.class;
        }
    }

    /** A range that reads as zeros, from {@code start} to before {@code end}. */
    record Hole(long start, long end) {
        public Hole {
            if (start < 0 || end <= start) {
                throw new IllegalArgumentException(
                        "a hole from " + start + " to " + end + ": expected 0 or more, and an end behind that");
            }
        }
    }

    /**
     * Changes a file in part, in this order: cuts it off, makes holes, gives ranges of it to a new segment, whose announcement
     * ends, and sets its length. Ranges that others have changed meanwhile are overwritten, unless {@code base} says no.
     *
     * @param base the {@linkplain Content#fingerprint fingerprint} that the content must have still, or the change is refused; null
     *     if it may have changed
     * @param cut bytes that are left of what is there, if it has more; null leaves all
     * @param segment null if there are only holes and a length
     * @param ranges parts of the segment and where they are in the file
     * @param crc32c CRC32C of the segment, as an unsigned number
     * @param length bytes of the file from then on, or without a {@code cut} at least, as who only makes it longer takes nothing from
     *     others; null lets it be as long as its last range needs
     * @param killSetIds the set-id bits go
     * @param isAside the segment is in the table, in the room that the client has {@link Reserve}d
     * @param lockedBy the client whose locks the change rests on: it is refused if another makes it, because these are over
     *     then; null if it rests on none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL) // zeros say something here
    record Change(
            long inode,
            @Nullable Long base,
            @Nullable Long cut,
            List<Hole> holes,
            @Nullable Segment segment,
            List<Extent> ranges,
            long crc32c,
            @Nullable Long length,
            boolean killSetIds,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean isAside,
            @Nullable String lockedBy)
            implements TableCommand<TableAnswer.Published> {
        public Change {
            holes = holes == null ? List.of() : List.copyOf(holes);
            ranges = ranges == null ? List.of() : List.copyOf(ranges);
            if (segment != null) {
                RequestFields.requireSegment(segment);
            }
            RequestFields.requireParts(segment, ranges);
            RequestFields.requireCrc32c(crc32c);
            RequestFields.requireRange(cut == null ? 0 : cut, 0, Long.MAX_VALUE, "cut");
            RequestFields.requireRange(length == null ? 0 : length, 0, Long.MAX_VALUE, "length");
        }

        /** A change whose segment is on nodes, or takes what room the table has. */
        public Change(
                long inode,
                @Nullable Long base,
                @Nullable Long cut,
                List<Hole> holes,
                @Nullable Segment segment,
                List<Extent> ranges,
                long crc32c,
                @Nullable Long length,
                boolean killSetIds) {
            this(inode, base, cut, holes, segment, ranges, crc32c, length, killSetIds, false, null);
        }

        /** The same in the room that the client has set aside. */
        public Change aside() {
            return new Change(inode, base, cut, holes, segment, ranges, crc32c, length, killSetIds, true, lockedBy);
        }

        /** The same by a client that has locks on the file; null if it has none. */
        public Change lockedBy(@Nullable String client) {
            return new Change(inode, base, cut, holes, segment, ranges, crc32c, length, killSetIds, isAside, client);
        }

        /** Bytes that it brings to the table. */
        @JsonIgnore
        public long inlineBytes() {
            return segment == null ? 0 : segment.inlineBytes();
        }

        /** The content that becomes of a file's. */
        public Content applyTo(Content before) {
            Content after = cut == null || cut >= before.length() ? before : before.cutTo(cut);
            for (Hole hole : holes) {
                after = after.without(hole.start(), hole.end());
            }
            if (segment != null) {
                Content whole = Content.of(segment, crc32c);
                Content changed = after.with(segment, ranges);
                after = changed.extents().equals(whole.extents()) && changed.length() == whole.length()
                        ? whole
                        : changed;
            }
            return length == null ? after : sized(after, length);
        }

        private Content sized(Content content, long bytes) {
            boolean isLongEnough = cut == null ? content.length() >= bytes : content.length() == bytes;
            return isLongEnough ? content : content.cutTo(bytes);
        }

        /** Sets a file's length: cuts it off, or lets it end with a hole. */
        public static Change resize(long inode, long length) {
            return new Change(inode, null, length, List.of(), null, List.of(), 0, length, false);
        }

        @Override
        public Class<TableAnswer.Published> answer() {
            return TableAnswer.Published.class;
        }
    }

    /**
     * Makes a file of one segment visible under its path and ends the announcement of its generation. Directories that are
     * missing are made; they go when they are empty again. A file that is replaced keeps its inode, owner and permissions.
     *
     * @param crc32c CRC32C of the segment, as an unsigned number
     */
    record Publish(
            String path,
            Segment segment,
            long crc32c,
            PutMode mode,
            @Nullable Fence fence) implements TableCommand<TableAnswer.Published> {
        public Publish {
            RequestFields.require(path, "path");
            StoragePath _ = new StoragePath(path);
            RequestFields.requireSegment(segment);
            RequestFields.requireCrc32c(crc32c);
            RequestFields.require(mode, "mode");
        }

        @Override
        public Class<TableAnswer.Published> answer() {
            return TableAnswer.Published.class;
        }
    }

    /** Takes a file's path away, and the directories above it that {@link Publish} made and that are empty now. */
    record Remove(String path, @Nullable Fence fence) implements TableCommand<TableAnswer.Published> {
        public Remove {
            RequestFields.require(path, "path");
            StoragePath _ = new StoragePath(path);
        }

        @Override
        public Class<TableAnswer.Published> answer() {
            return TableAnswer.Published.class;
        }
    }

    /** Puts a node in the place of another for a segment that is announced for it and that the file still needs. */
    record Relocate(long inode, String generation, NodeId lost, NodeId replacement)
            implements TableCommand<TableAnswer.Done> {
        public Relocate {
            RequestFields.requireGeneration(generation);
            RequestFields.require(lost, "lost");
            RequestFields.require(replacement, "replacement");
        }

        @Override
        public Class<TableAnswer.Done> answer() {
            return TableAnswer.Done.class;
        }
    }

    /**
     * Takes a lock, which ends with {@link Unlock} or with the client's session; takes the place of what the owner had locked
     * there. Refused with {@link TableRefusal.Reason#LOCKED} if another owner has a lock in the way.
     */
    record Lock(long inode, RangeLock lock) implements TableCommand<TableAnswer.Locks> {
        public Lock {
            RequestFields.require(lock, "lock");
        }

        @Override
        public Class<TableAnswer.Locks> answer() {
            return TableAnswer.Locks.class;
        }
    }

    /** Ends what an owner has locked in a range, if anything. */
    record Unlock(long inode, LockOwner owner, LockRange range) implements TableCommand<TableAnswer.Locks> {
        public Unlock {
            RequestFields.require(owner, "owner");
            RequestFields.require(range, "range");
        }

        @Override
        public Class<TableAnswer.Locks> answer() {
            return TableAnswer.Locks.class;
        }
    }
}
