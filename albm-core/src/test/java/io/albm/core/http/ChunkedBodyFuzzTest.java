// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Chunked bodies that are almost right: what is passed on must not depend on how the bytes come. */
class ChunkedBodyFuzzTest {
    private static final int CASES = 50_000;
    private static final String TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]++";
    private static final String VALUE = "[\\t\\x20-\\x7e\\x80-\\xff]";
    private static final String QUOTED = "\"(?:[\\t\\x20\\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\" + VALUE + ")*+\"";
    private static final String EXTENSIONS = "(?:;" + TOKEN + "(?:=(?:" + TOKEN + "|" + QUOTED + "))?+)*+";
    private static final Pattern CHUNK_LINE = Pattern.compile("([0-9a-fA-F]{1,15}+)" + EXTENSIONS + "\\r\\n");
    private static final Pattern TRAILERS = Pattern.compile("((?:" + TOKEN + ":" + VALUE + "*+\\r\\n)*+)\\r\\n");

    private final BodyReader reader = new BodyReader();

    @Test
    void passesOnAsMuchAsTheReferenceHoweverTheBytesCome() {
        var mutations = new Mutations(3);
        for (int i = 0; i < CASES; i++) {
            String body = mutations.chunked();
            check(body, reference(body, false), false, mutations);
            check(body, reference(body, true), true, mutations);
        }
    }

    private void check(String body, String expected, boolean decoded, Mutations mutations) {
        String whole = read(body, decoded, left -> left);
        String byteWise = read(body, decoded, left -> 1);
        String inPieces = read(body, decoded, mutations::piece);
        if (!expected.equals(whole) || !expected.equals(byteWise) || !expected.equals(inPieces)) {
            assertThat(whole).as("whole: %s", body).isEqualTo(expected);
            assertThat(byteWise).as("byte by byte: %s", body).isEqualTo(expected);
            assertThat(inPieces).as("in pieces: %s", body).isEqualTo(expected);
        }
    }

    /** What is passed on of a whole body and how many bytes it took; for any other, only that it is not whole. */
    private String read(String body, boolean decoded, IntUnaryOperator piece) {
        ByteBuf bytes = Unpooled.wrappedBuffer(body.getBytes(StandardCharsets.ISO_8859_1));
        var sink = new Collected();
        reader.begin(Framing.CHUNKED, 0, decoded);
        int taken = 0;
        while (taken < body.length() && reader.isOpen()) {
            int size = piece.applyAsInt(body.length() - taken);
            bytes.retain().setIndex(taken, taken + size);
            ByteBuf rest = reader.read(bytes, UnpooledByteBufAllocator.DEFAULT, sink);
            taken += size - (rest == null ? 0 : rest.readableBytes());
        }
        return sink.bad ? "bad" : reader.isOpen() ? "open" : taken + " " + sink.passed;
    }

    private static final class Collected implements BodyReader.Sink {
        final StringBuilder passed = new StringBuilder();
        boolean bad;

        @Override
        public void bodyBytes(ByteBuf bytes) {
            for (int at = bytes.readerIndex(); at < bytes.writerIndex(); at++) {
                passed.append((char) (bytes.getByte(at) & 0xff));
            }
            bytes.release();
        }

        @Override
        public void bodyEnd(boolean nothingFollows) {}

        @Override
        public void bodyMalformed(String reason) {
            bad = true;
        }
    }

    private static String reference(String body, boolean decoded) {
        var data = new StringBuilder();
        Matcher line = CHUNK_LINE.matcher(body);
        int at = 0;
        while (true) {
            line.region(at, body.length());
            if (!line.lookingAt()) {
                return ReferenceParser.mayStillMatch(line) ? "open" : "bad";
            }
            long size = Long.parseLong(line.group(1), 16);
            at = line.end();
            if (size == 0) {
                return trailers(body, at, decoded ? data.toString() : body.substring(0, at), decoded);
            }
            if (size >= body.length() - at) {
                return "open";
            }
            data.append(body, at, at + (int) size);
            at += (int) size;
            String end = body.substring(at, Math.min(body.length(), at + 2));
            if (!"\r\n".startsWith(end)) {
                return "bad";
            }
            if (end.length() < 2) {
                return "open";
            }
            at += 2;
        }
    }

    private static String trailers(String body, int at, String passed, boolean decoded) {
        Matcher trailers = TRAILERS.matcher(body).region(at, body.length());
        if (!trailers.lookingAt()) {
            return ReferenceParser.mayStillMatch(trailers) ? "open" : "bad";
        }
        String kept = trailers.group(1)
                .replaceAll("(?i)(?<=^|\n)(content-length|host|transfer-encoding|trailer|te)(?=:)[^\n]*\n", "");
        return trailers.end() + " " + passed + (decoded ? "" : kept + "\r\n");
    }
}
