// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import io.albm.storage.FailureDomain;
import io.albm.storage.FileInfo;
import io.albm.storage.PutMode;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.fuse.OpenFlags;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All nodes of one failure domain are lost at once, more than there are parity units. */
class LostDomainTest {
    private static final int UNIT = 64 * 1024;
    private static final OpenFlags TRUNCATE = new OpenFlags(01002, false);
    private static final int DOMAINS = 3;
    private static final int NODES_IN_DOMAIN = 4;

    private final Map<NodeId, FailureDomain> domains = new HashMap<>();
    private final Random random = new Random(5);

    LostDomainTest() {
        for (int i = 0; i < DOMAINS * NODES_IN_DOMAIN; i++) {
            domains.put(new NodeId("n-" + i), new FailureDomain("rack-" + i % DOMAINS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatIsStoredIsRead(int parityUnits) throws IOException {
        LocalStorage storage = storage(parityUnits);
        StripedStore store = new StripedStore(storage.files());
        for (int length : new int[] {5000, UNIT, UNIT + 1, 40 * UNIT + 7}) {
            for (int i = 0; i < 8; i++) {
                byte[] content = content(length);
                store.writeBytes("/f", content, PutMode.REPLACE);
                for (FailureDomain lost : racks()) {
                    lose(storage, lost);
                    assertThat(read(store, "/f")).as("without " + lost).isEqualTo(content);
                    find(storage, lost);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void filesAreWrittenOverTheOthers(int parityUnits) throws IOException {
        LocalStorage storage = storage(parityUnits);
        StripedStore store = new StripedStore(storage.files());
        for (FailureDomain lost : racks()) {
            lose(storage, lost);
            for (int i = 0; i < 8; i++) {
                byte[] content = content(20 * UNIT);
                FileInfo written = store.writeBytes("/f", content, PutMode.REPLACE);
                assertThat(written.nodes().stream().map(domains::get)).doesNotContain(lost);
                assertThat(read(store, "/f")).isEqualTo(content);
            }
            find(storage, lost);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aMountGoesOnSendingAFileAhead(int parityUnits) throws Exception {
        LocalStorage storage = storage(parityUnits);
        StripedFileSystem mount = storage.mount();
        StripedStore store = new StripedStore(storage.files());
        byte[] content = content(7_000_000);
        for (FailureDomain lost : racks()) {
            store.writeBytes("/f", content(10), PutMode.REPLACE);
            long inode = store.stat("/f").orElseThrow().inode();
            long handle = LocalStorage.open(mount, inode, TRUNCATE);
            mount.write(inode, handle, 0, ByteBuffer.wrap(content, 0, 5_200_000), LocalStorage.WRITE);
            lose(storage, lost);
            mount.write(inode, handle, 5_200_000, ByteBuffer.wrap(content, 5_200_000, 1_800_000), LocalStorage.WRITE);
            mount.flush(inode, handle, LocalStorage.OWNER);
            mount.release(inode, handle);
            assertThat(read(store, "/f")).as("without " + lost).isEqualTo(content);
            find(storage, lost);
        }
    }

    private LocalStorage storage(int parityUnits) {
        return new LocalStorage(100, domains, new StripeSettings(UNIT, 4, parityUnits, 3, Duration.ofSeconds(5)));
    }

    private List<FailureDomain> racks() {
        return domains.values().stream().distinct().toList();
    }

    private void lose(LocalStorage storage, FailureDomain domain) {
        nodes(domain).forEach(storage.blocks()::lose);
        storage.blocks().setAway(nodes(domain).toArray(NodeId[]::new));
    }

    private void find(LocalStorage storage, FailureDomain domain) {
        nodes(domain).forEach(storage.blocks()::find);
        storage.blocks().setAway();
    }

    private List<NodeId> nodes(FailureDomain domain) {
        return domains.entrySet().stream()
                .filter(node -> node.getValue().equals(domain))
                .map(Map.Entry::getKey)
                .toList();
    }

    private byte[] content(int length) {
        byte[] content = new byte[length];
        random.nextBytes(content);
        return content;
    }

    private static byte[] read(StripedStore store, String path) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.readFile(path, out);
        return out.toByteArray();
    }
}
