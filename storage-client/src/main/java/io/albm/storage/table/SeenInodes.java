// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.FileInfo;
import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The inodes that an answer shows. The number of one whose making is not durable must not be seen: after a crash of the leader
 * another file may get it.
 */
final class SeenInodes {
    private SeenInodes() {}

    /** The highest number in an answer; 0 if there is none. */
    static long highest(@Nullable TableAnswer answer) {
        if (answer == null) {
            return 0;
        }
        return switch (answer) {
            case TableAnswer.Known known -> known.inode().number();
            case TableAnswer.Published published -> published.inode().number();
            case TableAnswer.Freed freed -> number(freed.inode());
            case TableAnswer.Entries entries ->
                entries.entries().stream()
                        .mapToLong(entry -> entry.inode().number())
                        .max()
                        .orElse(0);
            case TableAnswer.Files files ->
                files.files().stream().mapToLong(FileInfo::inode).max().orElse(0);
            case TableAnswer.Done _, TableAnswer.Value _, TableAnswer.Cancelled _ -> 0;
            case TableAnswer.Generations _, TableAnswer.Used _, TableAnswer.Reserved _ -> 0;
            case TableAnswer.Locks _, TableAnswer.Blocked _ -> 0;
        };
    }

    private static long number(@Nullable Inode inode) {
        return inode == null ? 0 : inode.number();
    }
}
