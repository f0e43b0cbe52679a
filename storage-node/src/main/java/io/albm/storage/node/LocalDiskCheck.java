// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockId;
import io.albm.storage.Generation;
import io.albm.storage.command.DiskCheck;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads all that a storage node that does not run has on its disk, and holds it against its checksums and its place. Changes
 * nothing. For one thread.
 */
final class LocalDiskCheck {
    private static final Pattern BLOCK = Pattern.compile("(\\d{1,18})-(\\d{1,2})");

    private final BlockDisk disk;
    private final LongConsumer progress;
    private final List<String> damage = new ArrayList<>();
    private long blocks;
    private long bytes;

    private LocalDiskCheck(BlockDisk disk, LongConsumer progress) {
        this.disk = disk;
        this.progress = progress;
    }

    /** See {@link DiskCheck#run}. */
    static DiskCheck.Report run(Path data, LongConsumer progress) throws IOException {
        if (!Files.isDirectory(data.resolve(BlockStore.BLOCKS))) {
            throw new NotDirectoryException(data.resolve(BlockStore.BLOCKS).toString());
        }
        return new LocalDiskCheck(new LocalDisk(data), progress).run();
    }

    private DiskCheck.Report run() throws IOException {
        for (String generation : disk.directories(BlockStore.BLOCKS)) {
            check(generation);
        }
        for (BlockDisk.Entry stray : disk.files(BlockStore.BLOCKS)) {
            damaged(BlockStore.BLOCKS + "/" + stray.name() + ": stray file, expected directories of generations");
        }
        checkFences();
        return new DiskCheck.Report(
                blocks, bytes, disk.files(BlockStore.TEMPORARY).size(), damage);
    }

    private void check(String name) throws IOException {
        String directory = BlockStore.BLOCKS + "/" + name;
        try {
            Generation generation = Generation.parse(name);
            for (BlockDisk.Entry file : disk.files(directory)) {
                check(generation, directory + "/" + file.name(), file);
            }
        } catch (IllegalArgumentException stray) {
            damaged(directory + ": stray directory, its name is no generation");
        }
    }

    private void check(Generation generation, String path, BlockDisk.Entry file) {
        Matcher name = BLOCK.matcher(file.name());
        if (!name.matches()) {
            damaged(path + ": stray file, expected the name of a block, such as 7-4");
            return;
        }
        try {
            verify(path, new BlockId(generation, Long.parseLong(name.group(1)), Integer.parseInt(name.group(2))));
            blocks++;
            bytes += file.bytes();
            progress.accept(bytes);
        } catch (IOException | IllegalArgumentException wrong) {
            damaged(path + ": " + wrong.getMessage());
        }
    }

    private void verify(String path, BlockId id) throws IOException {
        try (BlockFile file = disk.open(path)) {
            BlockFormat.verify(file, id, ByteBufAllocator.DEFAULT);
        }
    }

    private void checkFences() {
        try {
            new Fences(disk);
        } catch (IOException wrong) {
            damaged(String.valueOf(wrong.getMessage()));
        }
    }

    private void damaged(String what) {
        if (damage.size() < DiskCheck.MAX_DAMAGE) {
            damage.add(what);
        }
    }
}
