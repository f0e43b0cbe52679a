// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.Extent;
import io.albm.storage.Segment;
import io.albm.storage.TableCommand;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A change of a file in part, and what it makes of bytes. Pure.
 *
 * @param cut bytes that are left of the file, if it has more; null leaves all
 * @param pieces bytes that are written, and where
 * @param length bytes of the file in the end; null lets it be as long as its last piece needs
 */
record PartialChange(
        @Nullable Long cut,
        List<TableCommand.Hole> holes,
        List<Piece> pieces,
        @Nullable Long length) {
    private static final int MOST_PIECES = 4;

    /** Bytes at a place of the file. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Piece(int at, byte[] bytes) {}

    /**
     * Any change of a file: overwrites, appends, gaps, truncations, in one step.
     *
     * @param most bytes of a piece
     */
    static PartialChange random(SplittableRandom random, int fileBytes, int most) {
        Long cut = random.nextInt(4) == 0 ? Long.valueOf(random.nextInt(fileBytes + 1)) : null;
        List<TableCommand.Hole> holes = new ArrayList<>();
        while (random.nextInt(4) == 0) {
            int start = random.nextInt(fileBytes + 1);
            holes.add(new TableCommand.Hole(start, start + 1L + random.nextInt(most)));
        }
        List<Piece> pieces = new ArrayList<>();
        int end = 0;
        for (int left = random.nextInt(MOST_PIECES + 1); left > 0; left--) {
            int at = end + random.nextInt(fileBytes / 2 + 2);
            byte[] bytes = bytes(random, 1 + random.nextInt(most));
            pieces.add(new Piece(at, bytes));
            end = at + bytes.length;
        }
        Long length = random.nextInt(4) == 0 ? Long.valueOf(random.nextInt(2 * fileBytes + 2)) : null;
        return new PartialChange(cut, holes, pieces, length);
    }

    /** Other content, which a short file has in the file table. */
    static PartialChange whole(byte[] content) {
        return new PartialChange(0L, List.of(), List.of(new Piece(0, content)), (long) content.length);
    }

    /** Whether the file is what is written, whatever it was. */
    boolean isWhole() {
        return Long.valueOf(0).equals(cut)
                && pieces.size() == 1
                && pieces.getFirst().at() == 0
                && length != null
                && length == pieces.getFirst().bytes().length;
    }

    static byte[] bytes(SplittableRandom random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** What becomes of a file. */
    byte[] applyTo(byte[] before) {
        byte[] after = cut == null || cut >= before.length ? before.clone() : Arrays.copyOf(before, cut.intValue());
        for (TableCommand.Hole hole : holes) {
            int start = (int) Math.min(hole.start(), after.length);
            Arrays.fill(after, start, (int) Math.min(hole.end(), after.length), (byte) 0);
        }
        for (Piece piece : pieces) {
            after = Arrays.copyOf(after, Math.max(after.length, piece.at() + piece.bytes().length));
            System.arraycopy(piece.bytes(), 0, after, piece.at(), piece.bytes().length);
        }
        return length == null || (cut == null && length < after.length)
                ? after
                : Arrays.copyOf(after, length.intValue());
    }

    /** All that is written, piece after piece. */
    byte[] written() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        pieces.forEach(piece -> all.writeBytes(piece.bytes()));
        return all.toByteArray();
    }

    /** The command for it, with what is {@link #written} in a segment. */
    TableCommand.Change command(long inode, @Nullable Long base, @Nullable Segment segment, long crc32c) {
        List<Extent> ranges = segment == null ? List.of() : ranges(segment.generation());
        return new TableCommand.Change(inode, base, cut, holes, segment, ranges, crc32c, length, false);
    }

    private List<Extent> ranges(String generation) {
        List<Extent> ranges = new ArrayList<>();
        long from = 0;
        for (Piece piece : pieces) {
            ranges.add(new Extent(piece.at(), piece.bytes().length, generation, from));
            from += piece.bytes().length;
        }
        return ranges;
    }
}
