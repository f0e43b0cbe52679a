// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.albm.storage.Inode;
import io.albm.storage.RangeLock;
import java.util.Map;

/** A line of a snapshot of the table. Nodes come before the names that lead to them; {@link LineWriter} writes both, JSON the rest. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "line")
@JsonSubTypes({
    @JsonSubTypes.Type(value = SavedLine.Next.class, name = "next"),
    @JsonSubTypes.Type(value = SavedLine.Announced.class, name = "announced"),
    @JsonSubTypes.Type(value = SavedLine.Kept.class, name = "kept"),
    @JsonSubTypes.Type(value = SavedLine.Fenced.class, name = "fenced"),
    @JsonSubTypes.Type(value = SavedLine.Reserved.class, name = "reserved"),
    @JsonSubTypes.Type(value = SavedLine.Locked.class, name = "locked"),
    @JsonSubTypes.Type(value = SavedLine.Overruled.class, name = "overruled"),
    @JsonSubTypes.Type(value = SavedLine.Past.class, name = "past")
})
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
sealed interface SavedLine {
    /** The number of the next inode. */
    record Next(long inode) implements SavedLine {}

    record Node(Inode inode, Map<String, byte[]> attributes, boolean implied) implements SavedLine {}

    record Name(long parent, String name, long inode) implements SavedLine {}

    record Announced(String generation, String client) implements SavedLine {}

    /** An inode without a name that a client has open. */
    record Kept(long inode, String client) implements SavedLine {}

    record Fenced(String scope, long epoch) implements SavedLine {}

    /** Numbers of inodes from {@code next} to before {@code end} are the client's, and room for so many bytes of files. */
    record Reserved(String client, long next, long end, long bytes) implements SavedLine {}

    record Locked(long inode, String client, RangeLock lock) implements SavedLine {}

    /** What is left of {@link LogEntry.Overruled}. */
    record Overruled(String client, long directory, Grant last) implements SavedLine {}

    /** The last {@link LogEntry.Past}. */
    record Past(long epoch) implements SavedLine {}
}
