// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/** One request: what it asked for, when it was due, and what has come back. Confined to the load's event loop. */
final class Fetch {
    private final Document document;
    private final long dueNanos;
    private final MessageDigest digest = DocumentTree.sha256();
    private long received;
    private int status;
    private boolean done;

    Fetch(Document document, long dueNanos) {
        this.document = document;
        this.dueNanos = dueNanos;
    }

    Document document() {
        return document;
    }

    long dueNanos() {
        return dueNanos;
    }

    void head(int newStatus) {
        status = newStatus;
    }

    int status() {
        return status;
    }

    void body(ByteBuf part) {
        received += part.readableBytes();
        for (ByteBuffer buffer : part.nioBuffers()) {
            digest.update(buffer);
        }
    }

    long received() {
        return received;
    }

    boolean bodyIsRight() {
        return received == document.length()
                && HexFormat.of().formatHex(digest.digest()).equals(document.sha256());
    }

    /** True for the first caller: an answer, a failure and a timeout may all want to end it. */
    boolean finish() {
        boolean first = !done;
        done = true;
        return first;
    }

    boolean isDone() {
        return done;
    }
}
