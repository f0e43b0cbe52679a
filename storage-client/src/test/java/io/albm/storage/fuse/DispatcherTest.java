// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as no kernel sends them. */
final class DispatcherTest {
    private static final long UNIQUE = 77;

    private final Interrupts interrupts = new Interrupts(_ -> true);
    private final Failures failures = new Failures();
    private final Queue<ByteBuffer> late = new ConcurrentLinkedQueue<>();
    private final Dispatcher dispatcher = new Dispatcher(
            new MemoryFileSystem(), interrupts, failures, new LateAnswers(interrupts, failures, this::takeLate));
    private final ByteBuffer answer = buffer(Negotiation.BUFFER_BYTES);

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private int takeLate(ByteBuffer message) {
        late.add(message);
        return 0;
    }

    private static ByteBuffer request(int opcode, byte[] body) {
        ByteBuffer request = buffer(RequestReader.HEADER_BYTES + body.length);
        request.putInt(request.capacity()).putInt(opcode).putLong(UNIQUE).putLong(InodeFileSystem.ROOT);
        return request.put(RequestReader.HEADER_BYTES, body).clear();
    }

    private int serve(ByteBuffer request) {
        return dispatcher.serve(new RequestReader(request), new ReplyWriter(answer, MemoryFileSystem.OPTIONS));
    }

    private int error() {
        return answer.getInt(ReplyWriter.ERROR_OFFSET);
    }

    @Test
    void saysThatItHasNoSuchOperation() {
        for (int opcode : new int[] {0, 7, 47, 52, 4096, -1, Integer.MIN_VALUE}) {
            assertThat(serve(request(opcode, new byte[64]))).isEqualTo(ReplyWriter.HEADER_BYTES);
            assertThat(error()).isEqualTo(-Errno.ENOSYS.code());
            assertThat(answer.getLong(8)).isEqualTo(UNIQUE);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"READLINK", "OPENDIR", "STATFS", "DESTROY", "FORGET", "BATCH_FORGET"},
            mode = EnumSource.Mode.EXCLUDE)
    void refusesARequestThatEndsTooEarly(Opcode opcode) {
        assertThat(serve(request(opcode.code(), new byte[0]))).isEqualTo(ReplyWriter.HEADER_BYTES);
        assertThat(error()).isEqualTo(-Errno.EINVAL.code());
    }

    @Test
    void refusesARequestOfAnotherLengthThanItSays() {
        ByteBuffer request = request(Opcode.STATFS.code(), new byte[0]);
        request.putInt(0, 4000);
        assertThat(serve(request)).isEqualTo(ReplyWriter.HEADER_BYTES);
        assertThat(error()).isEqualTo(-Errno.EINVAL.code());
    }

    @Test
    void refusesAKernelThatIsTooOld() {
        ByteBuffer body = buffer(64).putInt(7).putInt(30).clear();
        byte[] bytes = new byte[64];
        body.get(bytes);
        serve(request(Opcode.INIT.code(), bytes));
        assertThat(error()).isEqualTo(-Errno.EPROTO.code());
    }

    @Test
    void asksForAnInterruptAgainThatItCannotPlaceYet() {
        serve(request(Opcode.INTERRUPT.code(), new byte[8]));
        assertThat(error()).isEqualTo(-Errno.EAGAIN.code());
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void answersAnyBytesWithinItsBuffer(long seed) {
        Random random = new Random(seed);
        Opcode[] opcodes = Opcode.values();
        for (int round = 0; round < 50_000; round++) {
            byte[] body = new byte[random.nextInt(200)];
            random.nextBytes(body);
            for (int at = 0; at < body.length; at++) {
                body[at] = random.nextInt(3) == 0 ? body[at] : 0;
            }
            Opcode opcode = opcodes[random.nextInt(opcodes.length)];
            int length = serve(request(opcode.code(), body));
            assertThat(length).as("%s, seed %d", opcode, seed).isBetween(0, Negotiation.BUFFER_BYTES);
            if (length > 0) {
                assertThat(answer.getInt(0)).isEqualTo(length);
                assertThat(answer.getLong(8)).isEqualTo(UNIQUE);
                assertThat(error()).isBetween(-133, 0);
            } else {
                // An interrupt that happens to name a lock's request while that is served has no answer of its own.
                assertThat(opcode)
                        .isIn(Opcode.FORGET, Opcode.BATCH_FORGET, Opcode.SETLK, Opcode.SETLKW, Opcode.INTERRUPT);
            }
        }
        late.forEach(message -> {
            assertThat(message.getInt(0)).isEqualTo(message.remaining()).isEqualTo(ReplyWriter.HEADER_BYTES);
            assertThat(message.getInt(ReplyWriter.ERROR_OFFSET)).isEqualTo(-Errno.ENOSYS.code());
            assertThat(message.getLong(8)).isEqualTo(UNIQUE);
        });
    }
}
