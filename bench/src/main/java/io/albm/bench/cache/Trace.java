// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.bench.load.SurgeSizes;
import io.albm.bench.load.Zipf;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;

/**
 * A sequence of requests, in memory.
 *
 * @param requests in order; requests for one document all carry its largest size
 */
record Trace(String name, List<Request> requests) {

    /** Asks for a document of so many bytes. */
    record Request(int document, long bytes) {}

    private static final int SURGE_DOCUMENTS = 2000;
    private static final int SURGE_LARGEST_BYTES = 64 << 20;

    /** Requests as SURGE makes them (the load of paper P2): 2000 documents, popular by Zipf's law, independent. */
    static Trace surge(long seed, int requests) {
        SplittableRandom random = new SplittableRandom(seed);
        SurgeSizes sizes = new SurgeSizes(random, SURGE_LARGEST_BYTES);
        long[] bytes = new long[SURGE_DOCUMENTS];
        for (int document = 0; document < bytes.length; document++) {
            bytes[document] = sizes.next();
        }
        Zipf popularity = new Zipf(bytes.length);
        List<Request> drawn = new ArrayList<>(requests);
        for (int i = 0; i < requests; i++) {
            int document = popularity.next(random);
            drawn.add(new Request(document, bytes[document]));
        }
        return new Trace("surge", drawn);
    }

    /** Reads {@code time id size} a line, plain or gzip. */
    static Trace read(Path file) throws IOException {
        List<Request> requests = new ArrayList<>();
        Map<String, Integer> documents = new HashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                requests.add(parse(line, documents, file, requests.size() + 1));
            }
        }
        return new Trace(file.getFileName().toString().replaceFirst("\\.gz$", ""), withLargestSizes(requests));
    }

    private static InputStream open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file));
        return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
    }

    private static Request parse(String line, Map<String, Integer> documents, Path file, int number) {
        String[] fields = line.strip().split(" +", -1);
        try {
            int document = documents.computeIfAbsent(fields[1], id -> documents.size());
            return new Request(document, Long.parseLong(fields[2]));
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new CliException(
                    ExitCode.FAILED, file + " line " + number + ": expected 'time id size', found '" + line + "'", e);
        }
    }

    private static List<Request> withLargestSizes(List<Request> requests) {
        Map<Integer, Long> largest = new HashMap<>();
        requests.forEach(request -> largest.merge(request.document(), request.bytes(), Math::max));
        return requests.stream()
                .map(request -> new Request(request.document(), largest.getOrDefault(request.document(), 0L)))
                .toList();
    }

    /** Bytes of all different documents together. */
    long uniqueBytes() {
        return requests.stream().distinct().mapToLong(Request::bytes).sum();
    }
}
