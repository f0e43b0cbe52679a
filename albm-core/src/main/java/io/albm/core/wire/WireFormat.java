// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

/** The constants of the frame format; {@code docs/wire.md} draws them. All numbers are big-endian. */
final class WireFormat {

    static final int MAGIC = 0x414C;
    static final int VERSION = 1;

    /** Offsets from the first byte of a frame. */
    static final int LENGTH_AT = 0;

    static final int MAGIC_AT = 4;
    static final int VERSION_AT = 6;
    static final int TYPE_AT = 7;
    static final int REQUEST_ID_AT = 8;
    static final int DEADLINE_AT = 16;
    static final int HEADER_LENGTH_AT = 20;
    static final int PRELUDE = 24;

    static final int LENGTH_FIELD = 4;
    static final int CHECKSUM = 4;

    /** What a frame without header and body has after its length field. */
    static final int MIN_LENGTH = PRELUDE - LENGTH_FIELD + CHECKSUM;

    static final int MAX_HEADER = 64 * 1024;
    static final int MAX_BODY = 16 * 1024 * 1024;
    static final int MAX_TYPE = 0xFF;

    /** The first type of those whose header brings checksums of the body. */
    static final int BODY_UNCHECKED_FROM = 0x80;

    private WireFormat() {}
}
