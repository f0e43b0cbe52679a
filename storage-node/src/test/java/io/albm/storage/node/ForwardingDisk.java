// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** Another disk, for tests that disturb a part of it. */
class ForwardingDisk implements BlockDisk {
    private final BlockDisk to;

    ForwardingDisk(BlockDisk to) {
        this.to = to;
    }

    @Override
    public Written write(String name, ByteBuf head, ByteBuf body) throws IOException {
        return to.write(name, head, body);
    }

    @Override
    public BlockFile open(String name, Runnable closed) throws IOException {
        return to.open(name, closed);
    }

    @Override
    public boolean hasOtherNames(String name) throws IOException {
        return to.hasOtherNames(name);
    }

    @Override
    public void rename(String from, String newName) throws IOException {
        to.rename(from, newName);
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        to.syncDirectory(directory);
    }

    @Override
    public OptionalLong bytes(String name) throws IOException {
        return to.bytes(name);
    }

    @Override
    public void delete(String name) throws IOException {
        to.delete(name);
    }

    @Override
    public void deleteDirectory(String directory) throws IOException {
        to.deleteDirectory(directory);
    }

    @Override
    public List<Entry> files(String directory) throws IOException {
        return to.files(directory);
    }

    @Override
    public List<String> directories(String directory) throws IOException {
        return to.directories(directory);
    }

    @Override
    public long usableBytes() throws IOException {
        return to.usableBytes();
    }
}
