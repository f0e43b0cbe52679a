// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.FileInfo;
import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.DirectorySink;
import io.albm.storage.fuse.FileMode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What was in a directory when it was opened: files, and as directories the beginnings of names that go on. */
final class Listing {
    private record Entry(String name, Attributes attributes) {
        boolean isDirectory() {
            return FileMode.isDirectory(attributes.mode());
        }

        boolean isDots() {
            return name.equals(".") || name.equals("..");
        }
    }

    private final String prefix;
    private final Shown shown;
    private final List<Entry> entries;

    /** @param prefix the directory's name and a slash, with which all names in {@code files} begin */
    Listing(String prefix, List<FileInfo> files, Collection<FileWriting> written, Shown shown) {
        this.prefix = prefix;
        this.shown = shown;
        Map<String, Entry> byName = new TreeMap<>();
        for (String dots : new String[] {".", ".."}) {
            byName.put(dots, new Entry(dots, shown.directory(Shown.UNKNOWN_INODE)));
        }
        files.forEach(file -> add(byName, file.path(), shown.file(file)));
        written.stream()
                .filter(writing -> writing.path().value().startsWith(prefix))
                .forEach(writing -> add(byName, writing.path().value(), shown.file(writing)));
        entries = List.copyOf(byName.values());
    }

    private void add(Map<String, Entry> byName, String path, Attributes file) {
        String rest = path.substring(prefix.length());
        int slash = rest.indexOf('/');
        if (slash < 0) {
            byName.put(rest, new Entry(rest, file));
        } else {
            String name = rest.substring(0, slash);
            byName.putIfAbsent(name, new Entry(name, shown.directory(Shown.UNKNOWN_INODE)));
        }
    }

    /** Gives the entries from a position on, and looks up those that the sink takes as such. */
    void give(long cookie, DirectorySink sink, NodeTable nodes) {
        boolean room = true;
        for (int next = (int) cookie; room && next < entries.size(); next++) {
            Entry entry = entries.get(next);
            room = entry.isDots()
                    ? sink.add(entry.name(), entry.attributes(), next + 1)
                    : give(entry, next + 1, sink, nodes);
        }
    }

    private boolean give(Entry entry, int cookie, DirectorySink sink, NodeTable nodes) {
        if (!sink.countsAsLookup()) {
            return sink.add(entry.name(), entry.attributes(), cookie);
        }
        long inode = nodes.look(prefix + entry.name(), entry.isDirectory()).inode();
        boolean taken = sink.add(entry.name(), shown.withInode(entry.attributes(), inode), cookie);
        if (!taken) {
            nodes.forget(inode, 1);
        }
        return taken;
    }
}
