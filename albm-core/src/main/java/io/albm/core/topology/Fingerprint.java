// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import io.albm.core.json.Json;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** Tells settings apart by a short text, so that who wrote some can see who has taken them over. */
public final class Fingerprint {
    private static final int BYTES = 8;

    private Fingerprint() {}

    /** Sixteen hexadecimal digits of a SHA-256; the same for equal settings. */
    public static String of(Map<String, String> settings) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Json.bytes(new TreeMap<>(settings)));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
