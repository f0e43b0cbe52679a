// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Content;
import io.albm.storage.Fence;
import io.albm.storage.Inode;
import io.albm.storage.PutMode;
import io.albm.storage.Segment;
import io.albm.storage.StoragePath;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The file table as a state machine: the same commands at the same times make the same table, wherever they are applied. It
 * reads no clock and rolls no dice. A command is done wholly, or refused with {@link TableRefusal} and nothing is changed.
 *
 * <p>Costs: a command or a question about one name O(log n) in the names of its directory; a page O(its size); about 500
 * bytes of memory per file, and those of the files that are in it. Not thread-safe: it has one owner.
 */
public final class TableState {
    /** Extents of a file. */
    static final int MAX_EXTENTS = 10_000;

    private static final int DIRECTORY = 0040755;
    private static final int REGULAR = 0100644;

    private final long maxInodes;
    private final Namespace names;
    private final Segments segments = new Segments();
    private final Announcements announced = new Announcements();
    private final Map<Long, Set<String>> kept = new HashMap<>();
    private final Map<String, Long> epochs = new HashMap<>();
    private final Reservations reserved;
    private final Overrulings overrulings = new Overrulings();
    private final LockTable locks = new LockTable();

    /**
     * An empty table.
     *
     * @param maxInodes files, directories and links at most; more are refused
     */
    public TableState(long maxInodes) {
        this.maxInodes = maxInodes;
        this.names = new Namespace(maxInodes);
        this.reserved = new Reservations(names, segments);
        names.plant(Instant.EPOCH);
    }

    private TableState(long maxInodes, Namespace names) {
        this.maxInodes = maxInodes;
        this.names = names;
        this.reserved = new Reservations(names, segments);
    }

    /**
     * Makes a change.
     *
     * @param client who asks; announcements and kept inodes are his
     */
    public TableAnswer apply(String client, TableCommand<?> command, Instant now) {
        return switch (command) {
            case TableCommand.Make make -> make(make, client, now);
            case TableCommand.Reserve reserve -> reserved.reserve(client, reserve);
            case TableCommand.Link link -> link(link, now);
            case TableCommand.Unlink unlink ->
                unlinked(names.unlink(names.directory(unlink.parent()), unlink.name(), now), unlink.keep(), client);
            case TableCommand.RemoveDirectory remove -> {
                names.removeDirectory(names.directory(remove.parent()), remove.name(), now);
                yield new TableAnswer.Done();
            }
            case TableCommand.Rename rename -> unlinked(names.rename(rename, now), rename.keep(), client);
            case TableCommand.SetAttributes set -> set(set, now);
            case TableCommand.SetAttribute set -> ExtendedAttributes.set(names.node(set.inode()), set, now);
            case TableCommand.RemoveAttribute remove ->
                ExtendedAttributes.remove(names.node(remove.inode()), remove.name(), now);
            case TableCommand.Release release -> release(release.inode(), client);
            case TableCommand.Begin begin -> {
                announced.begin(begin.generation(), client);
                yield new TableAnswer.Done();
            }
            case TableCommand.Cancel cancel -> new TableAnswer.Cancelled(announced.cancel(cancel.generation(), client));
            case TableCommand.Change change -> change(change, client, now);
            case TableCommand.Publish publish -> publish(publish, client, now);
            case TableCommand.Remove remove -> remove(remove, client, now);
            case TableCommand.Relocate relocate -> relocate(relocate, client);
            case TableCommand.Lock lock -> {
                locks.lock(client, regular(lock.inode()).number, lock.lock());
                yield new TableAnswer.Locks(client, true);
            }
            case TableCommand.Unlock unlock ->
                new TableAnswer.Locks(client, locks.unlock(client, unlock.inode(), unlock.owner(), unlock.range()));
        };
    }

    /** How many inodes there are, with those whose numbers are set aside. */
    long inodes() {
        return names.size();
    }

    /**
     * How many more there are after a change, if it is not refused; less than none if it sets fewer numbers aside. What is removed
     * does not count.
     *
     * @throws TableRefusal if it would be refused
     */
    long growth(String client, TableCommand<?> command) {
        return switch (command) {
            case TableCommand.Make make -> make.number() == 0 ? 1 : 0;
            case TableCommand.Reserve reserve -> reserve.count() - reserved.left(client);
            case TableCommand.Publish publish -> new PathWalk(names).missing(new StoragePath(publish.path()));
            default -> 0;
        };
    }

    /** Bytes of files in the table, with the room for them that is set aside. */
    long inlineBytes() {
        return segments.inlineBytes() + reserved.bytes();
    }

    private TableAnswer make(TableCommand.Make command, String client, Instant now) {
        FileNode made = command.number() == 0
                ? names.make(command.parent(), command.name(), command.mode(), now)
                : reserved.make(client, command, now);
        made.take(command, names.node(command.parent()));
        return new TableAnswer.Known(made.inode());
    }

    private TableAnswer link(TableCommand.Link command, Instant now) {
        FileNode node = names.node(command.inode());
        names.link(node, command.parent(), command.name(), now);
        return new TableAnswer.Known(node.inode());
    }

    /** An inode that has lost a name stays while it has others, or while its client keeps it. */
    private TableAnswer.Freed unlinked(@Nullable FileNode node, boolean keep, String client) {
        if (node == null) {
            return new TableAnswer.Freed(null, List.of());
        }
        Inode inode = node.inode();
        if (node.links > 0) {
            return new TableAnswer.Freed(inode, List.of());
        }
        if (keep) {
            kept.computeIfAbsent(node.number, number -> new HashSet<>()).add(client);
            return new TableAnswer.Freed(inode, List.of());
        }
        return new TableAnswer.Freed(inode, drop(node));
    }

    /** Forgets an inode; the answer is what it leaves. */
    private List<Segment> drop(FileNode node) {
        names.drop(node);
        locks.drop(node.number);
        return segments.put(node, Content.EMPTY);
    }

    private TableAnswer set(TableCommand.SetAttributes command, Instant now) {
        FileNode node = names.node(command.inode());
        node.set(command, now);
        return new TableAnswer.Known(node.inode());
    }

    private TableAnswer release(long inode, String client) {
        FileNode node = names.node(inode);
        Inode last = node.inode();
        return new TableAnswer.Freed(last, release(node, client));
    }

    private List<Segment> release(FileNode node, String client) {
        Set<String> keepers = kept.get(node.number);
        if (keepers == null || !keepers.remove(client) || !keepers.isEmpty()) {
            return List.of();
        }
        kept.remove(node.number);
        return drop(node);
    }

    /** What is on nodes was announced before it was there; what comes along needs room here. */
    private void checkTaken(Segment segment, boolean isAside, String client) {
        if (segment.isInline() && isAside) {
            reserved.checkAside(segment, client);
        } else if (segment.isInline()) {
            reserved.checkRoom(segment);
        } else {
            announced.check(segment.generation(), client);
        }
    }

    private TableAnswer change(TableCommand.Change command, String client, Instant now) {
        FileNode node = regular(command.inode());
        if (command.lockedBy() != null && !command.lockedBy().equals(client)) {
            throw new TableRefusal(
                    Reason.LOCK_LOST,
                    "the locks of client " + command.lockedBy() + " on inode " + node.number + " are over");
        }
        Segment segment = command.segment();
        if (segment != null) {
            checkTaken(segment, command.isAside(), client);
        }
        if (command.base() != null && command.base() != node.content.fingerprint()) {
            throw new TableRefusal(Reason.CHANGED, "inode " + node.number + " has other content than was expected");
        }
        Content after = command.applyTo(node.content);
        if (after.extents().size() > MAX_EXTENTS) {
            throw new TableRefusal(
                    Reason.FRAGMENTED, "inode " + node.number + " would have more than " + MAX_EXTENTS + " extents");
        }
        if (command.isAside() && segment != null) {
            reserved.use(segment, client);
        } else if (segment != null) {
            announced.end(segment.generation());
        }
        return changed(node, segments.put(node, after), command.killSetIds(), now);
    }

    private FileNode regular(long inode) {
        FileNode node = names.node(inode);
        if (!node.isRegular()) {
            throw new TableRefusal(Reason.INVALID, "inode " + inode + " is no regular file");
        }
        return node;
    }

    private static TableAnswer changed(FileNode node, List<Segment> freed, boolean killSetIds, Instant now) {
        if (killSetIds) {
            node.killSetIds();
        }
        node.touch(now);
        return new TableAnswer.Published(node.inode(), freed);
    }

    private TableAnswer publish(TableCommand.Publish command, String client, Instant now) {
        StoragePath path = new StoragePath(command.path());
        checkTaken(command.segment(), false, client);
        checkFence(command.fence());
        FileNode there = new PathWalk(names).lookAlong(path);
        if (there == null) {
            there = new PathWalk(names).make(path, DIRECTORY, REGULAR, now);
        } else if (command.mode() == PutMode.CREATE) {
            throw new TableRefusal(Reason.EXISTS, path + ": exists already");
        } else if (!there.isRegular()) {
            throw new TableRefusal(
                    there.isDirectory() ? Reason.IS_DIRECTORY : Reason.INVALID, path + ": is no regular file");
        }
        admit(command.fence());
        announced.end(command.segment().generation());
        return changed(there, segments.put(there, Content.of(command.segment(), command.crc32c())), false, now);
    }

    private TableAnswer remove(TableCommand.Remove command, String client, Instant now) {
        StoragePath path = new StoragePath(command.path());
        checkFence(command.fence());
        PathWalk walk = new PathWalk(names);
        FileNode node = walk.find(path);
        Content content = node.content;
        names.unlink(walk.parent(), path.name(), now);
        admit(command.fence());
        TableAnswer.Freed freed = unlinked(node, false, client);
        walk.prune(now);
        Inode last = node.inode();
        return new TableAnswer.Published(last.withContent(content), freed.freed());
    }

    private void checkFence(@Nullable Fence fence) {
        if (fence != null && epochs.getOrDefault(fence.scope(), -1L) > fence.epoch()) {
            throw new TableRefusal(
                    Reason.FENCED,
                    "epoch " + fence.epoch() + " of " + fence.scope() + " is older than " + epochs.get(fence.scope()));
        }
    }

    private void admit(@Nullable Fence fence) {
        if (fence != null) {
            epochs.put(fence.scope(), fence.epoch());
        }
    }

    private TableAnswer relocate(TableCommand.Relocate command, String client) {
        FileNode node = names.node(command.inode());
        announced.check(command.generation(), client);
        Segment segment = node.content
                .segment(command.generation())
                .filter(found ->
                        found.nodes().contains(command.lost()) && !found.nodes().contains(command.replacement()))
                .orElseThrow(() -> new TableRefusal(
                        Reason.CHANGED, "inode " + node.number + " does not need " + command.generation()));
        announced.end(segment.generation());
        segments.put(node, node.content.movedTo(segment.generation(), command.lost(), command.replacement()));
        return new TableAnswer.Done();
    }

    /** Whether clients may have changed in advance what is not here yet. */
    boolean isChangedInAdvance() {
        return !reserved.clients().isEmpty();
    }

    /** Whether that client may. */
    boolean isChangedInAdvance(String client) {
        return reserved.clients().contains(client);
    }

    /** Which of that is not taken any more. */
    Overrulings overrulings() {
        return overrulings;
    }

    /** The directories whose leases an answer concerns, see {@link LeaseScope}. */
    Set<Long> leaseScope(TableQuery<?> query, Set<Long> leased) {
        return LeaseScope.of(query, leased, names);
    }

    /** The directories whose leases a change concerns, see {@link LeaseScope}. */
    Set<Long> leaseScope(TableCommand<?> command) {
        return LeaseScope.of(command, names);
    }

    /** An inode; null if it is gone. */
    @Nullable
    Inode inode(long number) {
        FileNode node = names.nodes().get(number);
        return node == null ? null : node.inode();
    }

    /** Whether there is such a directory, and it has a name. */
    boolean isDirectory(long number) {
        FileNode node = names.nodes().get(number);
        return node != null && node.isDirectory() && node.links > 0;
    }

    /** All names of a directory that is there and the inodes they stand for; null if it has more than {@code most}. */
    @Nullable
    Map<String, Long> listing(long directory, int most) {
        FileNode node = names.directory(directory);
        if (node.names.size() > most) {
            return null;
        }
        Map<String, Long> listing = HashMap.newHashMap(node.names.size());
        node.names.forEach((name, child) -> listing.put(name, child.number));
        return listing;
    }

    /** Answers a question of somebody who has no locks. */
    public TableAnswer answer(TableQuery<?> query) {
        return answer(null, query);
    }

    /**
     * Answers a question.
     *
     * @param client who asks, whose own locks are in nobody's way; null if it has none
     */
    public TableAnswer answer(@Nullable String client, TableQuery<?> query) {
        return switch (query) {
            case TableQuery.Lookup lookup -> known(names.child(names.directory(lookup.parent()), lookup.name()));
            case TableQuery.LookAhead ahead -> Listings.from(names.directory(ahead.parent()), ahead);
            case TableQuery.Get get -> known(names.node(get.inode()));
            case TableQuery.GetAttribute get -> ExtendedAttributes.value(names.node(get.inode()), get.name());
            case TableQuery.Directory directory -> Listings.directory(names.directory(directory.inode()), directory);
            case TableQuery.Find find -> known(find(find.path()));
            case TableQuery.Files files -> Listings.files(names.root(), files);
            case TableQuery.Unneeded unneeded ->
                new TableAnswer.Generations(unneeded.generations().stream()
                        .filter(generation ->
                                !announced.has(generation) && !segments.isNeeded(generation, unneeded.node()))
                        .toList());
            case TableQuery.Usage usage -> new TableAnswer.Used(names.nodes().size(), maxInodes);
            case TableQuery.Blocker blocker -> locks.blocker(client, regular(blocker.inode()).number, blocker.wanted());
        };
    }

    private FileNode find(String path) {
        return path.equals("/") ? names.root() : new PathWalk(names).find(new StoragePath(path));
    }

    private static TableAnswer known(FileNode node) {
        return new TableAnswer.Known(node.inode());
    }

    /** Ends what a client has announced, locked and keeps. The blocks of what it kept are for the sweep. */
    public void endSession(String client) {
        announced.endAll(client);
        reserved.end(client);
        overrulings.end(client);
        locks.endAll(client);
        for (Long inode : Set.copyOf(kept.keySet())) {
            release(names.node(inode), client);
        }
    }

    /** The clients that have announced or locked something, keep an inode or have numbers of inodes. */
    public Set<String> clients() {
        Set<String> clients = new HashSet<>(announced.clients());
        clients.addAll(reserved.clients());
        clients.addAll(locks.clients());
        kept.values().forEach(clients::addAll);
        return clients;
    }

    /** The generations that are announced. */
    public Set<String> announced() {
        return announced.generations();
    }

    /** Gives the whole table, line by line. */
    public void save(Consumer<SavedLine> lines) {
        lines.accept(new SavedLine.Next(names.next()));
        names.nodes()
                .values()
                .forEach(node -> lines.accept(new SavedLine.Node(node.inode(), node.attributes, node.implied)));
        names.nodes()
                .values()
                .forEach(directory -> directory.names.forEach(
                        (name, node) -> lines.accept(new SavedLine.Name(directory.number, name, node.number))));
        announced.save((generation, client) -> lines.accept(new SavedLine.Announced(generation, client)));
        kept.forEach((inode, clients) -> clients.forEach(client -> lines.accept(new SavedLine.Kept(inode, client))));
        epochs.forEach((scope, epoch) -> lines.accept(new SavedLine.Fenced(scope, epoch)));
        reserved.save(lines);
        overrulings.save(lines);
        locks.save(lines);
    }

    /** The table that {@link #save} gave. */
    public static TableState load(long maxInodes, Iterator<SavedLine> lines) {
        TableState table = new TableState(maxInodes, new Namespace(maxInodes));
        lines.forEachRemaining(table::load);
        return table;
    }

    private void load(SavedLine line) {
        switch (line) {
            case SavedLine.Next next -> names.setNext(next.inode());
            case SavedLine.Node saved -> load(saved);
            case SavedLine.Name name -> names.bind(name.parent(), name.name(), name.inode());
            case SavedLine.Announced write -> announced.load(write.generation(), write.client());
            case SavedLine.Kept keep ->
                kept.computeIfAbsent(keep.inode(), number -> new HashSet<>()).add(keep.client());
            case SavedLine.Fenced fenced -> epochs.put(fenced.scope(), fenced.epoch());
            case SavedLine.Reserved saved -> reserved.load(saved);
            case SavedLine.Locked saved -> locks.load(saved);
            case SavedLine.Overruled saved -> overrulings.load(saved);
            case SavedLine.Past saved -> overrulings.pass(saved.epoch());
        }
    }

    private void load(SavedLine.Node saved) {
        FileNode node = FileNode.of(saved.inode());
        Content content = node.content;
        node.attributes.putAll(saved.attributes());
        node.implied = saved.implied();
        node.parent = node.number == Inode.ROOT ? node : null;
        names.nodes().put(node.number, node);
        node.content = Content.EMPTY;
        segments.put(node, content);
    }
}
