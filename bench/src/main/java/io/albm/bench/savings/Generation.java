// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.savings;

import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.Pack;
import io.albm.checkpoint.protocol.PackId;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.savings.CheckpointPages;
import io.albm.checkpoint.savings.PackSource;
import io.albm.checkpoint.savings.PageCheck;
import io.albm.checkpoint.savings.PageSource;
import io.albm.checkpoint.savings.PageTarget;
import io.albm.checkpoint.savings.StateIndex;
import io.albm.checkpoint.savings.StatePlan;
import io.albm.checkpoint.savings.StateRestore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/** One checkpoint of all ranks, stored in a directory by the classes that a supervisor uses. */
final class Generation {
    private static final JobPaths PATHS = new JobPaths("bench");

    private final Path directory;
    private final long checkpoint;
    private final List<StoredUnit> units = new ArrayList<>();
    private final List<byte[]> indexes = new ArrayList<>();
    private long planNanos;
    private long storeNanos;
    private long restoreNanos;
    private int wrong;

    private Generation(Path directory, long checkpoint) {
        this.directory = directory;
        this.checkpoint = checkpoint;
    }

    static Generation full(Path directory, long checkpoint, List<Path> images) throws IOException {
        Generation generation = new Generation(directory, checkpoint);
        generation.store(new CheckpointPages(checkpoint, PATHS), images);
        return generation;
    }

    /** With this one as the base. */
    Generation next(long number, List<Path> images) throws IOException {
        CheckpointPages pages = new CheckpointPages(number, PATHS);
        List<Pack> earlier = units.stream()
                .flatMap(unit -> unit.earlier().stream())
                .distinct()
                .toList();
        pages.addBase(new Manifest("bench", checkpoint, 1, 1, 1, units, earlier));
        for (int rank = 0; rank < ranks(); rank++) {
            pages.addBase(StateIndex.of(units.get(rank), indexes.get(rank)));
        }
        Generation next = new Generation(directory, number);
        next.store(pages, images);
        return next;
    }

    private void store(CheckpointPages pages, List<Path> images) throws IOException {
        for (int rank = 0; rank < images.size(); rank++) {
            store(pages, rank, images.get(rank));
        }
        for (int rank = 0; rank < images.size(); rank++) {
            restore(rank, images.get(rank));
        }
    }

    private void store(CheckpointPages pages, int rank, Path image) throws IOException {
        LocalCopy copy = copy(image);
        long begun = CpuTime.nanos();
        try (FileChannel file = FileChannel.open(image)) {
            PageSource state = PageSource.of(file);
            StatePlan plan = pages.plan(rank, state, file.size(), copy);
            planNanos += CpuTime.nanos() - begun;
            Path pack = pack(new PackId(checkpoint, rank));
            try (InputStream in = plan.pack(state);
                    OutputStream out = Files.newOutputStream(pack)) {
                in.transferTo(out);
            }
            byte[] index = plan.index().bytes();
            indexes.add(index);
            units.add(pages.stored(rank, plan.newBytes() == 0 ? 0 : Files.size(pack), index));
        }
        storeNanos += CpuTime.nanos() - begun;
    }

    private void restore(int rank, Path image) throws IOException {
        Path restored = directory.resolve("restored");
        long begun = CpuTime.nanos();
        StateIndex index = StateIndex.of(units.get(rank), indexes.get(rank));
        try (FileChannel file = FileChannel.open(
                restored, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(1), index.size() - 1);
            StateRestore restore = new StateRestore(index, PageTarget.of(file), PageCheck.byHash());
            for (PackId pack : restore.needed()) {
                try (FileChannel stored = FileChannel.open(pack(pack))) {
                    restore.takeFrom(pack, new StoredPack(stored, stored.size()));
                }
            }
        }
        restoreNanos += CpuTime.nanos() - begun;
        wrong += Files.mismatch(image, restored) < 0 ? 0 : 1;
    }

    private Path pack(PackId pack) {
        return directory.resolve("pack-" + pack.checkpoint() + "-" + pack.rank());
    }

    private static LocalCopy copy(Path image) throws IOException {
        CRC32C crc = new CRC32C();
        try (InputStream in = Files.newInputStream(image)) {
            byte[] buffer = new byte[1 << 18];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                crc.update(buffer, 0, count);
            }
        }
        return new LocalCopy(Files.size(image), crc.getValue());
    }

    int ranks() {
        return units.size();
    }

    long bytes() {
        return units.stream().mapToLong(StoredUnit::size).sum();
    }

    long newBytes() {
        return units.stream().mapToLong(unit -> unit.own().pageBytes()).sum();
    }

    long indexBytes() {
        return units.stream().mapToLong(StoredUnit::indexBytes).sum();
    }

    long storedBytes() {
        return indexBytes()
                + units.stream().mapToLong(unit -> unit.own().bytes()).sum();
    }

    double storedShare() {
        return (double) storedBytes() / bytes();
    }

    long planNanos() {
        return planNanos;
    }

    long storeNanos() {
        return storeNanos;
    }

    long restoreNanos() {
        return restoreNanos;
    }

    int wrong() {
        return wrong;
    }

    private record StoredPack(FileChannel file, long bytes) implements PackSource {
        @Override
        public CompletableFuture<byte[]> read(long offset, int length) {
            byte[] range = new byte[length];
            try {
                PageSource.of(file).read(offset, range, length);
                return CompletableFuture.completedFuture(range);
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }
}
