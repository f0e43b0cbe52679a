// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static io.albm.storage.node.StorageRig.content;

import io.albm.storage.FileInfo;
import io.albm.storage.ScrubReport;
import io.albm.storage.StripedStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store over five nodes, which each test finds running and with empty disks. */
abstract class StripedStoreHarness {
    @TempDir
    static Path dir;

    static StorageRig rig;
    StripedStore store;

    @BeforeAll
    static void startRig() throws IOException {
        rig = StorageRig.start(dir, 0);
    }

    @AfterAll
    static void closeRig() throws IOException {
        rig.close();
    }

    @BeforeEach
    void startNodes() throws IOException {
        for (int i = 1; i <= 5; i++) {
            rig.startNode("n-" + i);
        }
        store = rig.store();
    }

    @AfterEach
    void removeAll() throws IOException {
        for (FileInfo file : store.list("/")) {
            store.delete(file.path());
        }
        for (int i = 1; i <= 7; i++) {
            rig.stopNode("n-" + i);
            rig.wipeDisk("n-" + i);
        }
    }

    static Path generation(Path block) {
        return block.getName(block.getNameCount() - 2);
    }

    byte[] read(String path) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.readFile(path, out);
        return out.toByteArray();
    }

    ScrubReport scrub() throws IOException {
        return store.scrub(Set.copyOf(rig.nodes()), progress -> {});
    }

    interface Act {
        void run() throws IOException;
    }

    /** A stream of the content, with an act before the byte at the offset. */
    static InputStream doing(byte[] content, int offset, Act act) {
        return new SequenceInputStream(new ByteArrayInputStream(content, 0, offset), new InputStream() {
            private final InputStream rest = new ByteArrayInputStream(content, offset, content.length - offset);
            private boolean done;

            @Override
            public int read() throws IOException {
                actOnce();
                return rest.read();
            }

            @Override
            public int read(byte[] target, int at, int length) throws IOException {
                actOnce();
                return rest.read(target, at, length);
            }

            private void actOnce() throws IOException {
                if (!done) {
                    done = true;
                    act.run();
                }
            }
        });
    }
}
