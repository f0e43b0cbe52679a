// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads a trace, plain or gzip, whose format its first line shows. */
final class TraceFile {

    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int MOST_SHOWN = 80;

    private final Path file;
    private final Trace.Builder trace = new Trace.Builder();

    private TraceFile(Path file) {
        this.file = file;
    }

    /**
     * Reads it wholly.
     *
     * @throws CliException if it is not there, a line is no request, or there is none
     */
    static Trace read(Path file) throws IOException {
        try {
            return new TraceFile(file).read();
        } catch (NoSuchFileException e) {
            throw new CliException(ExitCode.USAGE, file + " is not there; expected a file with a trace", e);
        } catch (ZipException e) {
            throw new CliException(ExitCode.FAILED, file + " is not a whole gzip file: " + e.getMessage(), e);
        }
    }

    private Trace read() throws IOException {
        TraceFormat format = null;
        int number = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(open(), StandardCharsets.ISO_8859_1))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                String request = line.strip();
                if (request.isEmpty() || request.startsWith("#")) {
                    continue;
                }
                if (format == null) {
                    format = recognize(request, number);
                }
                if (!format.add(request, trace)) {
                    throw unreadable(request, number, format.expectation());
                }
            }
        }
        return built();
    }

    private InputStream open() throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file));
        in.mark(2);
        int magic = (in.read() << 8) | in.read();
        in.reset();
        return magic == GZIP_MAGIC ? new GZIPInputStream(in) : in;
    }

    private TraceFormat recognize(String line, int number) {
        return TraceFormat.of(line)
                .orElseThrow(() -> unreadable(line, number, "one of " + String.join("; ", TraceFormat.expectations())));
    }

    private CliException unreadable(String line, int number, String expected) {
        String found = line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "..." : line;
        return new CliException(
                ExitCode.FAILED, file + " line " + number + ": expected " + expected + "; found '" + found + "'");
    }

    private Trace built() {
        Trace built = trace.build(name());
        if (built.requests().isEmpty()) {
            throw new CliException(ExitCode.FAILED, file + " has no request in it; expected at least one");
        }
        return built;
    }

    /** The file's name without what says how it is stored. */
    private String name() {
        return file.getFileName().toString().replaceFirst("\\.gz$", "").replaceFirst("\\.(csv|txt|log|trace)$", "");
    }
}
