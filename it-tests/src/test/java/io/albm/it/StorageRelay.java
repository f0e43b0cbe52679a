// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import io.albm.core.node.NodeAddress;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;

/** Stands between the writer of checkpoints and one I/O node, and can stop a unit of a stripe in its middle. */
final class StorageRelay extends Relay {
    private static final int BUFFER = 4096;

    private final AtomicLong passed = new AtomicLong();
    private volatile Armed armed = new Armed(Long.MAX_VALUE, new Hold());

    StorageRelay(NodeAddress node) throws IOException {
        super(node);
    }

    private record Armed(long from, Hold hold) {}

    /** Stops what is sent to the node after so many more bytes. */
    void holdAfter(int bytes, Hold hold) {
        armed = new Armed(passed.get() + bytes, hold);
    }

    void disarm() {
        armed = new Armed(Long.MAX_VALUE, new Hold());
    }

    /** Bytes that were sent to the node. */
    long passed() {
        return passed.get();
    }

    @Override
    void requests(Link link, DataInputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            Armed now = armed;
            if (passed.addAndGet(read) > now.from()) {
                now.hold().stand();
            }
            to.write(buffer, 0, read);
        }
    }

    @Override
    void replies(Link link, DataInputStream from, OutputStream to) throws IOException {
        from.transferTo(to);
    }
}
