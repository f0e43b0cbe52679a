// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.savings;

import io.albm.checkpoint.protocol.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.zip.CRC32C;

/** What a drain costs that saves nothing: both digests of every byte. */
record HashPass(long bytes, long nanos) {
    static HashPass of(List<Path> files) throws IOException {
        long bytes = 0;
        long nanos = 0;
        for (Path file : files) {
            long begun = CpuTime.nanos();
            bytes += read(file);
            nanos += CpuTime.nanos() - begun;
        }
        return new HashPass(bytes, nanos);
    }

    private static long read(Path file) throws IOException {
        MessageDigest sha256 = Digests.sha256();
        CRC32C crc = new CRC32C();
        long bytes = 0;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[1 << 18];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                sha256.update(buffer, 0, count);
                crc.update(buffer, 0, count);
                bytes += count;
            }
        }
        sha256.digest();
        return bytes;
    }
}
