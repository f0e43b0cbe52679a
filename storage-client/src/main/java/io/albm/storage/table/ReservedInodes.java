// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Numbers of inodes that clients may give to files that they make. A client uses its own in their order, so that what is left of them
 * is one range. Part of {@link TableState}. Not thread-safe.
 */
final class ReservedInodes {
    private final Namespace names;
    private final Map<String, Range> byClient = new TreeMap<>();

    private record Range(long next, long end) {
        int left() {
            return (int) (end - next);
        }
    }

    ReservedInodes(Namespace names) {
        this.names = names;
    }

    TableAnswer.Reserved reserve(String client, int count) {
        if (count < 1 || count > TableCommand.MOST_RESERVED) {
            throw new TableRefusal(
                    Reason.INVALID, count + " inode numbers; expected 1 to " + TableCommand.MOST_RESERVED);
        }
        long first = names.reserve(count, left(client));
        byClient.put(client, new Range(first, first + count));
        return new TableAnswer.Reserved(first, count);
    }

    private int left(String client) {
        Range range = byClient.get(client);
        return range == null ? 0 : range.left();
    }

    FileNode make(String client, TableCommand.Make command, Instant now) {
        long number = command.number();
        Range range = byClient.get(client);
        if (range == null || number < range.next() || number >= range.end()) {
            throw new TableRefusal(Reason.INVALID, "inode " + number + " is not one that " + client + " has reserved");
        }
        FileNode made = names.make(number, command.parent(), command.name(), command.mode(), now);
        names.use((int) (number + 1 - range.next()));
        byClient.put(client, new Range(number + 1, range.end()));
        return made;
    }

    void end(String client) {
        names.use(left(client));
        byClient.remove(client);
    }

    Set<String> clients() {
        return byClient.keySet();
    }

    void save(Consumer<SavedLine> lines) {
        byClient.forEach((client, range) -> lines.accept(new SavedLine.Reserved(client, range.next(), range.end())));
    }

    void load(SavedLine.Reserved saved) {
        Range range = new Range(saved.next(), saved.end());
        byClient.put(saved.client(), range);
        names.load(range.left());
    }
}
