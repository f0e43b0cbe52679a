// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** The bytes of a file so short that the file table has them itself. Immutable. */
public final class InlineBytes {
    /** Bytes of a longest one: what a page of memory holds, so that a file has one piece of it. */
    public static final int MOST = 4096;

    private final byte[] bytes;

    /** @param bytes 1 to {@link #MOST} */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public InlineBytes(byte[] bytes) {
        if (bytes.length < 1 || bytes.length > MOST) {
            throw new IllegalArgumentException(bytes.length + " bytes in the file table: expected 1 to " + MOST);
        }
        this.bytes = bytes.clone();
    }

    /** How many there are. */
    public int length() {
        return bytes.length;
    }

    /** Appends a part of them to a buffer. */
    void copyTo(ByteBuf target, int from, int length) {
        target.writeBytes(bytes, from, length);
    }

    /** All of them. */
    @JsonValue
    public byte[] toArray() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InlineBytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
