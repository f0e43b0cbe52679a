// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.storage.PutMode;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A store whose nodes are all there, and full. */
final class FullStoreTest {
    private static final int UNIT = 64 * 1024;

    /** Without the full ones too few are left to try again with, but more nodes are not what is wanted. */
    @Test
    void whoPutsAFileIsToldThatItIsFull() {
        LocalStorage storage = new LocalStorage(10, 2, new StripeSettings(UNIT, 4, 1, 3, Duration.ofSeconds(5)));
        storage.blocks().setFull(true);
        StripedStore store = new StripedStore(storage.files());
        assertThatExceptionOfType(StorageException.NoSpace.class)
                .isThrownBy(() -> store.writeBytes("/f", new byte[3 * UNIT], PutMode.CREATE));
    }
}
