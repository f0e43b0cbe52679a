// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static io.albm.storage.node.StorageRig.UNIT;
import static io.albm.storage.node.StorageRig.content;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.net.Transport;
import io.albm.storage.PutMode;
import io.albm.storage.StripedStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that is reached but whose disk stands still, among others over real sockets and disks. */
class SlowNodeTest {
    private static final String SLOW = "n-3";
    private static final long AMPLE = 1L << 32;

    @TempDir
    Path dir;

    private final Transport transport = Transport.open(1);
    private final byte[] written = content(20 * UNIT + 5, 1);
    private StorageRig rig;
    private StripedStore store;
    private StandingDisk disk;

    /** Holds up whoever opens a block, from when it is told to until it is told to let go, or until a block is opened again. */
    private static final class StandingDisk extends ForwardingDisk {
        private final Set<String> held = ConcurrentHashMap.newKeySet();
        private final CountDownLatch goOn = new CountDownLatch(1);
        private volatile boolean stands;
        private volatile boolean untilOpenedAgain;

        private StandingDisk(Path path) throws IOException {
            super(new LocalDisk(path));
        }

        @Override
        public BlockFile open(String name, Runnable closed) throws IOException {
            if (stands) {
                if (!held.add(name) && untilOpenedAgain) {
                    goOn.countDown();
                }
                await();
            }
            return super.open(name, closed);
        }

        private void await() throws IOException {
            try {
                goOn.await();
            } catch (InterruptedException ended) {
                throw new IOException("interrupted", ended);
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        rig = StorageRig.start(dir, 5);
        rig.stopNode(SLOW);
        disk = new StandingDisk(rig.disk(SLOW));
        rig.startNode(SLOW, new BlockStore(disk, AMPLE, 0, transport.blocking()));
        store = rig.store(StorageRig.SETTINGS, blocks -> blocks);
        store.writeBytes("/f", written, PutMode.CREATE);
    }

    @AfterEach
    void close() throws IOException {
        disk.goOn.countDown();
        rig.close();
        transport.close();
    }

    @Test
    void isReadPast() throws IOException {
        disk.stands = true;
        assertThat(read()).isEqualTo(written);
        assertThat(disk.held).isNotEmpty();
        assertThat(store.counters().slow()).isPositive();
    }

    @Test
    void isWaitedForWhenTheOthersAreTooFew() throws IOException {
        for (Path block : rig.blockFiles("n-1")) {
            Files.delete(block);
        }
        disk.untilOpenedAgain = true;
        disk.stands = true;
        assertThat(read()).isEqualTo(written);
    }

    private byte[] read() throws IOException {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        store.readFile("/f", got);
        return got.toByteArray();
    }
}
