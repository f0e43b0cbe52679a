// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Segment;
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
 * What is set aside for clients who make changes in advance, so that the table does not refuse them later: numbers of inodes that
 * they may give to files, and room for bytes of files. A client uses its numbers in their order, so that what is left of them is
 * one range. Part of {@link TableState}. Not thread-safe.
 */
final class Reservations {
    /** Of the room that is left one in so many parts is given at most: others want some, too. */
    static final int SHARES = 8;

    private final Namespace names;
    private final Segments segments;
    private final Map<String, Aside> byClient = new TreeMap<>();
    private long bytes;

    private record Aside(long next, long end, long bytes) {
        static final Aside NOTHING = new Aside(0, 0, 0);

        int left() {
            return (int) (end - next);
        }
    }

    Reservations(Namespace names, Segments segments) {
        this.names = names;
        this.segments = segments;
    }

    private Aside of(String client) {
        return byClient.getOrDefault(client, Aside.NOTHING);
    }

    private void put(String client, Aside aside) {
        bytes += aside.bytes() - of(client).bytes();
        byClient.put(client, aside);
    }

    TableAnswer.Reserved reserve(String client, TableCommand.Reserve command) {
        int count = command.count();
        if (count < 1 || count > TableCommand.MOST_RESERVED) {
            throw new TableRefusal(
                    Reason.INVALID, count + " inode numbers; expected 1 to " + TableCommand.MOST_RESERVED);
        }
        Aside before = of(client);
        long first = names.reserve(count, before.left());
        long room = segments.room() - bytes + before.bytes();
        long given = Math.clamp(command.bytes(), 0, Math.max(0, room / SHARES));
        put(client, new Aside(first, first + count, given));
        return new TableAnswer.Reserved(first, count, given);
    }

    FileNode make(String client, TableCommand.Make command, Instant now) {
        long number = command.number();
        Aside aside = of(client);
        if (number < aside.next() || number >= aside.end()) {
            throw new TableRefusal(Reason.INVALID, "inode " + number + " is not one that " + client + " has reserved");
        }
        FileNode made = names.make(number, command.parent(), command.name(), command.mode(), now);
        names.use((int) (number + 1 - aside.next()));
        put(client, new Aside(number + 1, aside.end(), aside.bytes()));
        return made;
    }

    /** @throws TableRefusal if there is no room for the bytes of a segment */
    void checkRoom(Segment segment) {
        if (segment.inlineBytes() > segments.room() - bytes) {
            throw new TableRefusal(
                    Reason.NO_ROOM,
                    "the file table has " + segments.inlineBytes() + " bytes of files, and " + bytes + " set aside");
        }
    }

    /** @throws TableRefusal if the client has not set aside the room for the bytes of a segment */
    void checkAside(Segment segment, String client) {
        if (segment.inlineBytes() > of(client).bytes()) {
            throw new TableRefusal(
                    Reason.INVALID,
                    segment.inlineBytes() + " bytes; " + client + " has set aside "
                            + of(client).bytes());
        }
    }

    /** Uses room that is set aside. */
    void use(Segment segment, String client) {
        Aside aside = of(client);
        put(client, new Aside(aside.next(), aside.end(), aside.bytes() - segment.inlineBytes()));
    }

    /** Numbers that a client has set aside. */
    int left(String client) {
        return of(client).left();
    }

    /** Room that is set aside, in bytes. */
    long bytes() {
        return bytes;
    }

    void end(String client) {
        Aside aside = of(client);
        names.use(aside.left());
        bytes -= aside.bytes();
        byClient.remove(client);
    }

    Set<String> clients() {
        return byClient.keySet();
    }

    void save(Consumer<SavedLine> lines) {
        byClient.forEach((client, aside) ->
                lines.accept(new SavedLine.Reserved(client, aside.next(), aside.end(), aside.bytes())));
    }

    void load(SavedLine.Reserved saved) {
        Aside aside = new Aside(saved.next(), saved.end(), saved.bytes());
        put(saved.client(), aside);
        names.load(aside.left());
    }
}
