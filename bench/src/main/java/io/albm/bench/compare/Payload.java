// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** The documents that are asked for. */
public enum Payload {
    BYTE("/1b", 1),
    KILOBYTE("/1k", 1 << 10),
    TEN_KILOBYTES("/10k", 10 << 10),
    MEGABYTE("/1m", 1 << 20);

    private final String path;
    private final int length;

    Payload(String path, int length) {
        this.path = path;
        this.length = length;
    }

    public String path() {
        return path;
    }

    /** The same bytes every time, as if drawn at random. */
    public byte[] content() {
        byte[] content = new byte[length];
        new SplittableRandom(length).nextBytes(content);
        return content;
    }

    /** A strong entity tag, made from the content. */
    public String etag() {
        CRC32 crc = new CRC32();
        crc.update(content());
        return "\"%08x\"".formatted(crc.getValue());
    }
}
