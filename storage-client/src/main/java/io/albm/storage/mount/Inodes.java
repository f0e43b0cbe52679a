// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Inode;
import io.albm.storage.TableQuery;
import io.albm.storage.fuse.Attributes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What inodes show: what the file table says of them and, of files that are written here, what they are by now. Thread-safe. */
final class Inodes {
    private final Answers answers;
    private final Versions versions;
    private final OpenFiles open;
    private final ShownSizes sizes;

    Inodes(Answers answers, Versions versions, OpenFiles open, ShownSizes sizes) {
        this.answers = answers;
        this.versions = versions;
        this.open = open;
        this.sizes = sizes;
    }

    /** To be called before the table is asked for what is to be shown. */
    Versions.Seen before() {
        return versions.now();
    }

    Inode get(long inode) throws IOException, InterruptedException {
        return answers.ask(new TableQuery.Get(inode)).inode();
    }

    Inode lookup(long parent, String name) throws IOException, InterruptedException {
        return answers.ask(new TableQuery.Lookup(parent, name)).inode();
    }

    /** What an answer of the table shows; asks again if the file has been stored from here in between. */
    Attributes shown(Inode answer, Versions.Seen before) throws IOException, InterruptedException {
        Inode inode = answer;
        Versions.Seen seen = before;
        while (true) {
            Unsaved unsaved = open.find(inode.number()).map(OpenFile::unsaved).orElse(null);
            if (unsaved != null || seen.isStillTrueOf(inode.number())) {
                return attributes(inode, unsaved);
            }
            seen = versions.now();
            inode = get(inode.number());
        }
    }

    private Attributes attributes(Inode inode, @Nullable Unsaved unsaved) {
        long size = unsaved == null ? inode.size() : unsaved.size();
        sizes.show(inode.number(), size);
        return new Attributes(
                inode.number(),
                size,
                unsaved == null ? inode.allocatedBytes() : size,
                inode.accessed(),
                unsaved == null ? inode.modified() : unsaved.modified(),
                unsaved == null ? inode.changed() : unsaved.modified(),
                inode.mode(),
                inode.links(),
                inode.uid(),
                inode.gid(),
                inode.device());
    }
}
