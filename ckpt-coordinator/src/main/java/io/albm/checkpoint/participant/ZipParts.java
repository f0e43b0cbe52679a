// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.participant;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Parts as entries of a ZIP archive, which every language can read; not compressed, which is the storage's task. */
final class ZipParts implements StateParts {
    private final ZipOutputStream zip;

    private ZipParts(ZipOutputStream zip) {
        this.zip = zip;
    }

    static StateWriter written(Writer writer) {
        return out -> {
            ZipOutputStream zip = new ZipOutputStream(out);
            zip.setLevel(Deflater.NO_COMPRESSION);
            writer.write(new ZipParts(zip));
            zip.finish();
        };
    }

    @Override
    public void add(String name, Path file) throws IOException {
        entry(name, out -> Files.copy(file, out));
    }

    @Override
    public void add(String name, ByteBuffer content) throws IOException {
        entry(name, out -> {
            WritableByteChannel channel = Channels.newChannel(out);
            for (ByteBuffer left = content.duplicate(); left.hasRemaining(); ) {
                channel.write(left);
            }
        });
    }

    private void entry(String name, StateWriter content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        content.write(zip);
        zip.closeEntry();
    }
}
