// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.time.Instant;

/** The extended attributes of an inode. Part of {@link TableState}. */
final class ExtendedAttributes {
    /** Names and values of an inode, together; as much as Linux lists. */
    static final int MAX_BYTES = 64 * 1024;

    private ExtendedAttributes() {}

    static TableAnswer set(FileNode node, TableCommand.SetAttribute command, Instant now) {
        boolean there = node.attributes.containsKey(command.name());
        if (there && command.create()) {
            throw new TableRefusal(Reason.EXISTS, "attribute '" + command.name() + "' exists already");
        }
        if (!there && command.replace()) {
            throw absent(command.name());
        }
        checkRoom(node, command);
        node.attributes.put(command.name(), command.value());
        node.changed = now;
        return new TableAnswer.Done();
    }

    private static void checkRoom(FileNode node, TableCommand.SetAttribute command) {
        byte[] before = node.attributes.get(command.name());
        long after = node.attributeBytes()
                + command.value().length
                + (before == null ? command.name().length() : -before.length);
        if (after > MAX_BYTES) {
            throw new TableRefusal(
                    Reason.NO_ROOM,
                    "inode " + node.number + " would have " + after + " bytes of attributes; expected at most "
                            + MAX_BYTES);
        }
    }

    static TableAnswer remove(FileNode node, String name, Instant now) {
        if (node.attributes.remove(name) == null) {
            throw absent(name);
        }
        node.changed = now;
        return new TableAnswer.Done();
    }

    static TableAnswer value(FileNode node, String name) {
        byte[] value = node.attributes.get(name);
        if (value == null) {
            throw absent(name);
        }
        return new TableAnswer.Value(value);
    }

    private static TableRefusal absent(String name) {
        return new TableRefusal(Reason.NO_ATTRIBUTE, "no attribute '" + name + "'");
    }
}
