// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameHandler;
import io.albm.core.wire.Peer;
import io.albm.core.wire.Reply;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.GenerationPage;
import io.albm.storage.StorageReply;
import io.albm.storage.StorageRequest;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Serves a block store in storage frames. Headers are read on the event loop, disks are waited for on the executor; when
 * that is full the caller is told {@link WireCode#BUSY}. What can wait gets a {@link BackgroundShare}.
 */
public final class BlockService implements FrameHandler {
    private final BlockStore store;
    private final Executor blocking;
    private final ByteBufAllocator allocator;
    private final MonotonicClock clock = MonotonicClock.system();
    private final BackgroundShare share = new BackgroundShare(clock.nanoTime());
    private final BackgroundTurns background = new BackgroundTurns(share, clock);

    public BlockService(BlockStore store, Executor blocking, ByteBufAllocator allocator) {
        this.store = store;
        this.blocking = blocking;
        this.allocator = allocator;
    }

    @Override
    public CompletionStage<Reply> handle(Frame frame, Peer peer) {
        try {
            StorageRequest request = StorageRequest.read(frame);
            ByteBuf body = frame.body().retain();
            return run(request, body).whenComplete((reply, failure) -> body.release());
        } finally {
            frame.release();
        }
    }

    private CompletableFuture<Reply> run(StorageRequest request, ByteBuf body) {
        return switch (request) {
            case StorageRequest.Verify _ -> runWhenOthersLet(request, body);
            case StorageRequest.Read read when read.background() -> runWhenOthersLet(request, body);
            case StorageRequest.Write write when write.background() -> runWhenOthersLet(request, body);
            case StorageRequest.Read _ -> runAtOnce(request, body);
            case StorageRequest.Write write when write.mode() == WriteMode.NEW -> runAtOnce(request, body);
            case StorageRequest _ -> runBlocking(request, body);
        };
    }

    private CompletableFuture<Reply> runWhenOthersLet(StorageRequest request, ByteBuf body) {
        return busyIfRefused(() -> background.answer(() -> answer(request, body)));
    }

    /** What background work waits for. */
    private CompletableFuture<Reply> runAtOnce(StorageRequest request, ByteBuf body) {
        share.foregroundBegins();
        return runBlocking(request, body).whenComplete((reply, failure) -> share.foregroundEnds(clock.nanoTime()));
    }

    private CompletableFuture<Reply> runBlocking(StorageRequest request, ByteBuf body) {
        return busyIfRefused(() -> CompletableFuture.supplyAsync(() -> answer(request, body), blocking));
    }

    private static CompletableFuture<Reply> busyIfRefused(Supplier<CompletableFuture<Reply>> work) {
        try {
            return work.get();
        } catch (RejectedExecutionException full) {
            return CompletableFuture.failedFuture(
                    new WireException(WireCode.BUSY, "too many requests wait for the disk"));
        }
    }

    private Reply answer(StorageRequest request, ByteBuf body) {
        try {
            return switch (request) {
                case StorageRequest.Write write -> write(write, body);
                case StorageRequest.Read read -> read(read);
                case StorageRequest.Verify verify -> reply(new StorageReply.Found(store.verify(verify.block())));
                case StorageRequest.SetAside aside -> setAside(aside);
                case StorageRequest.Seal seal ->
                    reply(new StorageReply.Sealed(store.seal(seal.generation(), seal.fence())));
                case StorageRequest.Remove remove -> remove(remove);
                case StorageRequest.Generations generations -> list(generations);
                case StorageRequest.Space space -> reply(new StorageReply.Room(store.space()));
            };
        } catch (IOException failure) {
            throw new CompletionException(translate(failure));
        }
    }

    private Reply write(StorageRequest.Write write, ByteBuf body) throws IOException {
        store.write(write.block(), write.mode(), write.fence(), body);
        return reply(new StorageReply.Done());
    }

    private Reply read(StorageRequest.Read read) throws IOException {
        // Rebuilds and moves read everything once: what others keep stays.
        StoredPart part = read.background()
                ? store.readFromDisk(read.block(), read.from(), read.length())
                : store.read(read.block(), read.from(), read.length());
        return reply(new StorageReply.Part(part.header()), part.body());
    }

    private Reply setAside(StorageRequest.SetAside aside) throws IOException {
        store.setAside(aside.generation(), aside.blocks(), aside.bytes(), aside.fence());
        return reply(new StorageReply.Done());
    }

    private Reply remove(StorageRequest.Remove remove) throws IOException {
        store.remove(remove.generation(), remove.fence());
        return reply(new StorageReply.Done());
    }

    private Reply list(StorageRequest.Generations generations) throws IOException {
        GenerationPage page = store.generations(generations.after());
        ByteBuf body = allocator.buffer();
        StorageReply.writeGenerations(body, page.generations());
        return reply(new StorageReply.Listed(page.more()), body);
    }

    private Reply reply(StorageReply reply) {
        return reply(reply, Unpooled.EMPTY_BUFFER);
    }

    private Reply reply(StorageReply reply, ReferenceCounted body) {
        ByteBuf header = allocator.buffer();
        reply.write(header);
        return Reply.of(reply.type(), header, body);
    }

    private static WireException translate(IOException failure) {
        String reason = String.valueOf(failure.getMessage());
        return switch (failure) {
            case NoSuchFileException missing -> new WireException(WireCode.NOT_FOUND, "no file " + reason);
            case CorruptBlockException corrupt -> new WireException(WireCode.CORRUPT, reason);
            case NoSpaceException full -> new WireException(WireCode.NO_SPACE, reason);
            case StaleEpochException stale -> new WireException(WireCode.REFUSED, reason);
            default -> new WireException(WireCode.INTERNAL, failure.toString());
        };
    }
}
