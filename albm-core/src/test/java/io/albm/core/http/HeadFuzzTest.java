// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.http.Head.Progress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Heads that are almost right: the parser must agree with a slow one that is easy to see through, and must not care how
 * the bytes come.
 */
class HeadFuzzTest {
    private static final int REQUESTS = 1_000_000;
    private static final int RESPONSES = 450_000;
    private static final int MAX_BYTES = 16 << 10;

    private final RequestHead request = new RequestHead(MAX_BYTES);
    private final ResponseHead response = new ResponseHead(MAX_BYTES);

    @Test
    void understandsRequestsAsTheReferenceDoes() {
        var mutations = new Mutations(1);
        for (int i = 0; i < REQUESTS; i++) {
            check(mutations.request(), request, mutations, ReferenceParser::request, this::requestVerdict);
        }
    }

    @Test
    void understandsResponsesAsTheReferenceDoes() {
        var mutations = new Mutations(2);
        for (int i = 0; i < RESPONSES; i++) {
            check(mutations.response(), response, mutations, ReferenceParser::response, this::responseVerdict);
        }
    }

    private interface Verdict {
        String of(Progress progress, int taken);
    }

    private static void check(
            String message, Head head, Mutations mutations, UnaryOperator<String> reference, Verdict verdict) {
        ByteBuf bytes = Unpooled.wrappedBuffer(message.getBytes(StandardCharsets.ISO_8859_1));
        String expected = reference.apply(message);
        String whole = feed(bytes, head, verdict, left -> left);
        String byteWise = feed(bytes, head, verdict, left -> 1);
        String inPieces = feed(bytes, head, verdict, mutations::piece);
        if (!expected.equals(whole) || !expected.equals(byteWise) || !expected.equals(inPieces)) {
            assertThat(whole).as("whole: %s", message).isEqualTo(expected);
            assertThat(byteWise).as("byte by byte: %s", message).isEqualTo(expected);
            assertThat(inPieces).as("in pieces: %s", message).isEqualTo(expected);
        }
    }

    private static String feed(ByteBuf bytes, Head head, Verdict verdict, IntUnaryOperator piece) {
        head.reset();
        Progress progress = Progress.INCOMPLETE;
        int end = bytes.capacity();
        bytes.setIndex(0, 0);
        while (progress == Progress.INCOMPLETE && bytes.writerIndex() < end) {
            bytes.writerIndex(bytes.writerIndex() + piece.applyAsInt(end - bytes.writerIndex()));
            progress = head.feed(bytes);
        }
        return verdict.of(progress, bytes.readerIndex());
    }

    private String requestVerdict(Progress progress, int taken) {
        return switch (progress) {
            case INCOMPLETE -> ReferenceParser.INCOMPLETE;
            case REFUSED -> ReferenceParser.REFUSED;
            case COMPLETE ->
                request.text(request.methodStart(), request.targetEnd()) + " " + request.framing() + " "
                        + ReferenceParser.lines(request) + " " + taken;
        };
    }

    private String responseVerdict(Progress progress, int taken) {
        return switch (progress) {
            case INCOMPLETE -> ReferenceParser.INCOMPLETE;
            case REFUSED -> ReferenceParser.REFUSED;
            case COMPLETE ->
                response.status() + " " + response.framing() + " " + ReferenceParser.lines(response) + " " + taken;
        };
    }
}
