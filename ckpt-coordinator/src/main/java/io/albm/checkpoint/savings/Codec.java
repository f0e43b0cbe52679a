// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.albm.checkpoint.protocol.LostDataException;
import java.util.Arrays;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;

/** How a batch of pages is stored. */
enum Codec {
    RAW(0) {
        @Override
        byte[] compress(byte[] raw, int length) {
            return Arrays.copyOf(raw, length);
        }

        @Override
        byte[] expand(byte[] stored, int offset, int length, int rawLength) {
            return Arrays.copyOfRange(stored, offset, offset + length);
        }
    },

    LZ4(1) {
        @Override
        byte[] compress(byte[] raw, int length) {
            return LZ4Factory.fastestInstance().fastCompressor().compress(raw, 0, length);
        }

        @Override
        byte[] expand(byte[] stored, int offset, int length, int rawLength) {
            return LZ4Factory.fastestInstance().safeDecompressor().decompress(stored, offset, length, rawLength);
        }
    },

    ZSTD(2) {
        @Override
        byte[] compress(byte[] raw, int length) {
            return Zstd.compress(length == raw.length ? raw : Arrays.copyOf(raw, length), ZSTD_LEVEL);
        }

        @Override
        byte[] expand(byte[] stored, int offset, int length, int rawLength) {
            byte[] raw = new byte[rawLength];
            long count = Zstd.decompressByteArray(raw, 0, rawLength, stored, offset, length);
            if (Zstd.isError(count)) {
                throw new ZstdException(count);
            }
            return Arrays.copyOf(raw, (int) count);
        }
    };

    /** The lowest: a checkpoint has to keep up with the network. */
    private static final int ZSTD_LEVEL = 1;

    private static final int SAMPLE_BYTES = 16 << 10;
    private static final int SAMPLE_PIECES = 4;

    /** Less than this share gained is not worth the reader's time. */
    private static final double LEAST_GAIN = 0.05;

    /** What packs say for it. */
    final int number;

    Codec(int number) {
        this.number = number;
    }

    abstract byte[] compress(byte[] raw, int length);

    abstract byte[] expand(byte[] stored, int offset, int length, int rawLength);

    /**
     * Undoes {@link #compress}.
     *
     * @throws LostDataException if the bytes are no such batch
     */
    final byte[] read(byte[] stored, int offset, int length, int rawLength) {
        try {
            byte[] raw = expand(stored, offset, length, rawLength);
            if (raw.length == rawLength) {
                return raw;
            }
        } catch (LZ4Exception | ZstdException e) {
            throw new LostDataException("a batch of pages is damaged: " + e.getMessage(), e);
        }
        throw new LostDataException("a batch of pages has not the length that its directory says");
    }

    /** What gains enough on a sample: the fastest that does. */
    static Codec suited(byte[] raw, int length) {
        byte[] sample = sample(raw, length);
        double zstd = gain(ZSTD, sample);
        if (zstd < LEAST_GAIN) {
            return RAW;
        }
        return zstd - gain(LZ4, sample) < LEAST_GAIN ? LZ4 : ZSTD;
    }

    private static double gain(Codec codec, byte[] sample) {
        return 1 - (double) codec.compress(sample, sample.length).length / sample.length;
    }

    private static byte[] sample(byte[] raw, int length) {
        if (length <= SAMPLE_BYTES) {
            return Arrays.copyOf(raw, length);
        }
        byte[] sample = new byte[SAMPLE_BYTES];
        int piece = SAMPLE_BYTES / SAMPLE_PIECES;
        for (int i = 0; i < SAMPLE_PIECES; i++) {
            System.arraycopy(raw, (int) ((long) (length - piece) * i / (SAMPLE_PIECES - 1)), sample, i * piece, piece);
        }
        return sample;
    }

    static Codec of(int number) {
        for (Codec codec : values()) {
            if (codec.number == number) {
                return codec;
            }
        }
        throw new LostDataException("codec " + number + " of a batch of pages is unknown");
    }
}
