// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the {@link FileTable} answers to a {@link TableRequest} that it does not refuse. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "answer")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TableAnswer.Done.class, name = "done"),
    @JsonSubTypes.Type(value = TableAnswer.Known.class, name = "known"),
    @JsonSubTypes.Type(value = TableAnswer.Value.class, name = "value"),
    @JsonSubTypes.Type(value = TableAnswer.Entries.class, name = "entries"),
    @JsonSubTypes.Type(value = TableAnswer.Files.class, name = "files"),
    @JsonSubTypes.Type(value = TableAnswer.Freed.class, name = "freed"),
    @JsonSubTypes.Type(value = TableAnswer.Published.class, name = "published"),
    @JsonSubTypes.Type(value = TableAnswer.Cancelled.class, name = "cancelled"),
    @JsonSubTypes.Type(value = TableAnswer.Generations.class, name = "generations"),
    @JsonSubTypes.Type(value = TableAnswer.Used.class, name = "used"),
    @JsonSubTypes.Type(value = TableAnswer.Reserved.class, name = "reserved"),
    @JsonSubTypes.Type(value = TableAnswer.Locks.class, name = "locks"),
    @JsonSubTypes.Type(value = TableAnswer.Blocked.class, name = "blocked")
})
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public sealed interface TableAnswer {
    record Done() implements TableAnswer {}

    record Known(Inode inode) implements TableAnswer {}

    @JsonInclude(JsonInclude.Include.NON_NULL) // it may be empty
    @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
    record Value(byte[] value) implements TableAnswer {}

    record Entry(String name, Inode inode) {}

    /** A page of names; {@code more} says whether there are names behind these. */
    record Entries(List<Entry> entries, boolean more) implements TableAnswer {
        public Entries {
            entries = entries == null ? List.of() : List.copyOf(entries);
        }
    }

    record Files(List<FileInfo> files, boolean more) implements TableAnswer {
        public Files {
            files = files == null ? List.of() : List.copyOf(files);
        }
    }

    /**
     * A name went.
     *
     * @param inode what had it, as it is now; null if nothing had the new name of a rename
     * @param freed segments that nobody needs any more
     */
    record Freed(@Nullable Inode inode, List<Segment> freed) implements TableAnswer {
        public Freed {
            freed = freed == null ? List.of() : List.copyOf(freed);
        }
    }

    /**
     * A file as it is now, or was when it was removed.
     *
     * @param freed segments that nobody needs any more
     */
    record Published(Inode inode, List<Segment> freed) implements TableAnswer {
        public Published {
            freed = freed == null ? List.of() : List.copyOf(freed);
        }
    }

    /** Whether there was an announcement to take back. */
    record Cancelled(boolean announced) implements TableAnswer {}

    record Generations(List<String> generations) implements TableAnswer {
        public Generations {
            generations = generations == null ? List.of() : List.copyOf(generations);
        }
    }

    /** Inode numbers from the first on are the client's, and room for so many bytes of files. */
    record Reserved(long first, int count, long bytes) implements TableAnswer {}

    /**
     * An owner's locks on a file were changed.
     *
     * @param client whose session they end with
     * @param any whether the owner has locks on the file now
     */
    record Locks(String client, boolean any) implements TableAnswer {}

    /** The first lock that is in the way, and the client that has it; null if there is none. */
    record Blocked(@Nullable RangeLock by, @Nullable String client) implements TableAnswer {}

    /** Inodes that there are, and that there may be. */
    record Used(long inodes, long limit) implements TableAnswer {}
}
