// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.PutMode;
import io.albm.storage.StripedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SIGKILL to one process of every role: what goes on without it, and that it comes back under its name. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.SAME_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KillEveryRoleIT {
    private static final int REQUESTS = 100;

    /** More than a stream reads ahead, so that an open one still has to ask the nodes. */
    private static final int FILE_BYTES = 24 << 20;

    private static final String FILE = "/faults/file";

    private final RunningCluster cluster;
    private final byte[] content = new byte[FILE_BYTES];

    KillEveryRoleIT(RunningCluster cluster) throws IOException {
        this.cluster = cluster;
        new Random(1).nextBytes(content);
        cluster.store().writeBytes(FILE, content, PutMode.REPLACE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache-1", "agent-1", "coordinator", "console"})
    void everyRequestIsServedWithout(String id) throws Exception {
        whileDead(id, () -> cluster.requireDocuments(REQUESTS));
    }

    @Test
    void withoutTheDistributorCacheServersAnswerAndFilesAreRead() throws Exception {
        whileDead("distributor", () -> {
            cluster.requireDocument(cluster.endpoint("cache-1", "http"));
            cluster.requireDocument(cluster.endpoint("cache-2", "http"));
            assertThat(fileRead()).isEqualTo(content);
        });
        cluster.requireDocuments(REQUESTS);
    }

    @Test
    void withoutAStorageNodeFilesAreReadAndWritten() throws Exception {
        byte[] small = {1, 2, 3};
        whileDead("storage-1", () -> {
            assertThat(fileRead()).isEqualTo(content);
            cluster.store().writeBytes("/faults/meanwhile", small, PutMode.REPLACE);
            cluster.requireDocuments(REQUESTS);
        });
        assertThat(cluster.store().open("/faults/meanwhile").readAllBytes()).isEqualTo(small);
    }

    @Test
    void withoutZooKeeperRequestsAreServedAndAnOpenFileIsReadOn() throws Exception {
        try (StripedInputStream open = cluster.store().open(FILE)) {
            byte[] begin = open.readNBytes(1);
            whileDead("zookeeper", () -> {
                await().until(() -> cluster.health("distributor").contains("serving with the last view"));
                cluster.requireDocuments(REQUESTS);
                ByteArrayOutputStream all = new ByteArrayOutputStream(FILE_BYTES);
                all.write(begin);
                open.transferTo(all);
                assertThat(all.toByteArray()).isEqualTo(content);
            });
        }
        assertThat(fileRead()).isEqualTo(content);
    }

    /** What must hold meanwhile. */
    @FunctionalInterface
    private interface Meanwhile {
        void check() throws Exception;
    }

    private void whileDead(String id, Meanwhile meanwhile) throws Exception {
        cluster.kill(id);
        try {
            meanwhile.check();
        } finally {
            cluster.restart(id);
            cluster.awaitWhole();
        }
    }

    private byte[] fileRead() throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream(FILE_BYTES);
        cluster.store().readFile(FILE, read);
        return read.toByteArray();
    }
}
