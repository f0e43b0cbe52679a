// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import java.util.Arrays;
import java.util.Optional;

/** Content codings (RFC 9110, 8.4.1) that a document may be kept in, the best for text first. */
public enum Coding {
    BROTLI("br", ".br"),
    ZSTD("zstd", ".zst"),
    GZIP("gzip", ".gz"),
    /** As it is. */
    IDENTITY("identity", "");

    private final String token;
    private final String suffix;

    Coding(String token, String suffix) {
        this.token = token;
        this.suffix = suffix;
    }

    /** The coding that is called so in {@code Content-Encoding}. */
    static Optional<Coding> of(String token) {
        return Arrays.stream(values())
                .filter(coding -> coding.token.equals(token))
                .findFirst();
    }

    /** As in {@code Content-Encoding}. */
    public String token() {
        return token;
    }

    /** What the name of a file in this coding ends with. */
    public String suffix() {
        return suffix;
    }
}
