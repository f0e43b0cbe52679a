// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.albm.core.node.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question to the {@link FileTable}, which changes nothing. The answer shows every change that was answered before the
 * question was asked, whoever made it.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "ask")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TableQuery.Lookup.class, name = "lookup"),
    @JsonSubTypes.Type(value = TableQuery.LookAhead.class, name = "look-ahead"),
    @JsonSubTypes.Type(value = TableQuery.Get.class, name = "get"),
    @JsonSubTypes.Type(value = TableQuery.GetAttribute.class, name = "get-attribute"),
    @JsonSubTypes.Type(value = TableQuery.Directory.class, name = "directory"),
    @JsonSubTypes.Type(value = TableQuery.Find.class, name = "find"),
    @JsonSubTypes.Type(value = TableQuery.Files.class, name = "files"),
    @JsonSubTypes.Type(value = TableQuery.Unneeded.class, name = "unneeded"),
    @JsonSubTypes.Type(value = TableQuery.Usage.class, name = "usage"),
    @JsonSubTypes.Type(value = TableQuery.Blocker.class, name = "blocker")
})
public sealed interface TableQuery<A extends TableAnswer> extends TableRequest<A> {
    /** The inode of a name; {@code .} and {@code ..} are names, too. */
    record Lookup(long parent, String name) implements TableQuery<TableAnswer.Known> {
        public Lookup {
            RequestFields.require(name, "name");
        }

        @Override
        public Class<TableAnswer.Known> answer() {
            return TableAnswer.Known.class;
        }
    }

    /**
     * The inode of a name, if it is there, and of those behind it, in the order of names. Of directories behind the first name,
     * only the names are what was answered last.
     *
     * @param limit names at most, 1 to {@link #MAX_PAGE}
     */
    record LookAhead(long parent, String name, int limit) implements TableQuery<TableAnswer.Entries> {
        public LookAhead {
            RequestFields.require(name, "name");
        }

        @Override
        public Class<TableAnswer.Entries> answer() {
            return TableAnswer.Entries.class;
        }
    }

    /** What is known of an inode. {@link TableRefusal.Reason#STALE} if it is gone. */
    record Get(long inode) implements TableQuery<TableAnswer.Known> {
        @Override
        public Class<TableAnswer.Known> answer() {
            return TableAnswer.Known.class;
        }
    }

    /** The value of an extended attribute. */
    record GetAttribute(long inode, String name) implements TableQuery<TableAnswer.Value> {
        public GetAttribute {
            RequestFields.require(name, "name");
        }

        @Override
        public Class<TableAnswer.Value> answer() {
            return TableAnswer.Value.class;
        }
    }

    /**
     * Names in a directory, in their order, without {@code .} and {@code ..}.
     *
     * @param after the last name of the page before; null for the first page
     * @param limit names at most, 1 to {@link #MAX_PAGE}
     */
    record Directory(long inode, @Nullable String after, int limit) implements TableQuery<TableAnswer.Entries> {
        @Override
        public Class<TableAnswer.Entries> answer() {
            return TableAnswer.Entries.class;
        }
    }

    /** The inode of a path; symbolic links are not followed. */
    record Find(String path) implements TableQuery<TableAnswer.Known> {
        public Find {
            RequestFields.require(path, "path");
            if (!path.equals("/")) {
                StoragePath _ = new StoragePath(path);
            }
        }

        @Override
        public Class<TableAnswer.Known> answer() {
            return TableAnswer.Known.class;
        }
    }

    /**
     * The regular files whose path starts with a prefix, by path.
     *
     * @param prefix with its leading slash
     * @param after the last path of the page before; null for the first page
     * @param limit files at most, 1 to {@link #MAX_PAGE}
     */
    record Files(String prefix, @Nullable String after, int limit) implements TableQuery<TableAnswer.Files> {
        public Files {
            RequestFields.require(prefix, "prefix");
        }

        @Override
        public Class<TableAnswer.Files> answer() {
            return TableAnswer.Files.class;
        }
    }

    /** Which of these generations no file needs on this node, and no write under way. What is answered is durable. */
    record Unneeded(NodeId node, List<String> generations) implements TableQuery<TableAnswer.Generations> {
        public Unneeded {
            RequestFields.require(node, "node");
            RequestFields.require(generations, "generations");
            generations = List.copyOf(generations);
        }

        @Override
        public Class<TableAnswer.Generations> answer() {
            return TableAnswer.Generations.class;
        }
    }

    record Usage() implements TableQuery<TableAnswer.Used> {
        @Override
        public Class<TableAnswer.Used> answer() {
            return TableAnswer.Used.class;
        }
    }

    /**
     * Which lock of another owner is in the way of one that is wanted.
     *
     * @param waitMillis how long the answer may wait until there is none, {@link #MOST_WAIT_MILLIS} at most
     */
    record Blocker(
            long inode,
            RangeLock wanted,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) int waitMillis) implements TableQuery<TableAnswer.Blocked> {
        public Blocker {
            RequestFields.require(wanted, "wanted");
        }

        @Override
        public Class<TableAnswer.Blocked> answer() {
            return TableAnswer.Blocked.class;
        }
    }

    /** A question that waits is asked again before anybody takes the leader for lost. */
    int MOST_WAIT_MILLIS = 2000;

    /** Names or files in one answer. */
    int MAX_PAGE = 1000;
}
