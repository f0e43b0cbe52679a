// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.json.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A machine as bytes: gzip'd lines of {@link MachineLine} in JSON, cut into chunks that fit a node each. */
final class TableSnapshot {
    private static final int CHUNK_BYTES = 512 * 1024;

    private TableSnapshot() {}

    /** About a second for each hundred thousand inodes, and a tenth of their JSON in memory. */
    static List<byte[]> write(TableMachine machine) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Writer out =
                new BufferedWriter(new OutputStreamWriter(new GZIPOutputStream(bytes), StandardCharsets.UTF_8))) {
            machine.save(line -> append(out, line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cut(bytes.toByteArray());
    }

    private static void append(Writer out, MachineLine line) {
        try {
            out.write(Json.text(line));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<byte[]> cut(byte[] bytes) {
        List<byte[]> chunks = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += CHUNK_BYTES) {
            chunks.add(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + CHUNK_BYTES)));
        }
        return chunks;
    }

    /** @throws UncheckedIOException if the chunks are not all there or not what was written */
    static TableMachine read(long maxInodes, List<byte[]> chunks) {
        InputStream bytes = new SequenceInputStream(Collections.enumeration(
                chunks.stream().<InputStream>map(ByteArrayInputStream::new).toList()));
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(bytes), StandardCharsets.UTF_8))) {
            return TableMachine.load(
                    maxInodes,
                    lines.lines()
                            .map(line -> Json.read(line, MachineLine.class))
                            .iterator());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
