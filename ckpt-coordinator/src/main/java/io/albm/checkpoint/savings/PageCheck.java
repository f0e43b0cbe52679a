// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import io.albm.checkpoint.protocol.Digests;
import java.security.MessageDigest;

/** Whether a page that was read is the one that was stored. For one thread. */
@FunctionalInterface
public interface PageCheck {
    boolean isRight(StateIndex index, int page, byte[] bytes, int from);

    /** By the page's SHA-256. */
    static PageCheck byHash() {
        MessageDigest sha256 = Digests.sha256();
        return (index, page, bytes, from) -> {
            sha256.update(bytes, from, index.pageBytes());
            return index.hasHash(page, sha256.digest());
        };
    }
}
