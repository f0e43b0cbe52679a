// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, as manifests and entries write it. */
public final class Digests {
    private Digests() {}

    /** A fresh digest. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Lower-case hexadecimal of the digest of these bytes. */
    public static String sha256(byte[] bytes) {
        return hex(sha256().digest(bytes));
    }

    /** Lower-case hexadecimal. */
    public static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }
}
