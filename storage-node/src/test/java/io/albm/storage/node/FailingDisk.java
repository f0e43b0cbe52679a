// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.Path;

/** Takes everything and makes nothing durable. */
final class FailingDisk extends ForwardingDisk {
    private int syncs;

    FailingDisk(Path root) throws IOException {
        super(new LocalDisk(root));
    }

    /** How often somebody has tried. */
    int syncs() {
        return syncs;
    }

    @Override
    public Written write(String name, ByteBuf head, ByteBuf body) throws IOException {
        Written written = super.write(name, head, body);
        return new Written() {
            @Override
            public void sync() throws IOException {
                syncs++;
                throw new IOException("the disk has failed");
            }

            @Override
            public void close() throws IOException {
                written.close();
            }
        };
    }
}
