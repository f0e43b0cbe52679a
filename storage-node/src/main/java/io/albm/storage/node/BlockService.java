// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameHandler;
import io.albm.core.wire.Peer;
import io.albm.core.wire.Reply;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.Credit;
import io.albm.storage.GenerationPage;
import io.albm.storage.Sender;
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
import org.jspecify.annotations.Nullable;

/**
 * Serves a block store in storage frames. Headers are read on the event loop, disks are waited for on the executor; when
 * that is full the caller is told {@link WireCode#BUSY}. What can wait gets a {@link BackgroundShare}. A block is let in only with
 * {@linkplain CreditDesk credit}, which is given back when it is written and its memory free.
 */
public final class BlockService implements FrameHandler {
    private final BlockStore store;
    private final CreditService credits;
    private final BackgroundTurns background;
    private final Executor blocking;
    private final ByteBufAllocator allocator;

    /** @param background shared with whoever else has the store do what can wait */
    BlockService(
            BlockStore store,
            CreditService credits,
            BackgroundTurns background,
            Executor blocking,
            ByteBufAllocator allocator) {
        this.store = store;
        this.credits = credits;
        this.background = background;
        this.blocking = blocking;
        this.allocator = allocator;
    }

    /** Work that waits for the disk. */
    @FunctionalInterface
    private interface Work {
        Reply run() throws IOException;
    }

    @Override
    public @Nullable WireException refusal(int type, ByteBuf header, int bodyBytes, Peer peer) {
        Sender sender = StorageRequest.Write.sender(type, header);
        if (sender != null) {
            return credits.begin(sender, Credit.cost(bodyBytes), peer)
                    ? null
                    : new WireException(WireCode.BUSY, "no credit for a block of " + bodyBytes + " bytes: ask for it");
        }
        if (bodyBytes > 0) {
            throw new WireException(
                    WireCode.MALFORMED, "a body of %d bytes in a frame of type %02x".formatted(bodyBytes, type));
        }
        return null;
    }

    @Override
    public void arriving(int missing, Peer peer) {
        credits.arriving(missing, peer);
    }

    @Override
    public void closed(Peer peer) {
        credits.closed(peer);
    }

    @Override
    public CompletionStage<Reply> handle(Frame frame, Peer peer) {
        try {
            return switch (StorageRequest.read(frame)) {
                case StorageRequest.Ask ask ->
                    credits.ask(ask.sender(), ask.bytes(), ask.first(), frame.deadline(), peer)
                            .thenApply(this::reply);
                case StorageRequest.Write write -> write(write, frame.body().retain(), peer);
                case StorageRequest.Read read ->
                    read.background() ? runWhenOthersLet(() -> read(read)) : runAtOnce(() -> read(read));
                case StorageRequest.Verify verify ->
                    runWhenOthersLet(() -> reply(new StorageReply.Found(store.verify(verify.block()))));
                case StorageRequest.SetAside aside -> runBlocking(() -> setAside(aside));
                case StorageRequest.Seal seal ->
                    runBlocking(() -> reply(new StorageReply.Sealed(store.seal(seal.generation(), seal.fence()))));
                case StorageRequest.Remove remove -> runBlocking(() -> remove(remove));
                case StorageRequest.Sweep sweep ->
                    runBlocking(() -> reply(new StorageReply.Sealed(store.sweep(sweep.generation(), sweep.listing()))));
                case StorageRequest.Generations generations -> runBlocking(() -> list(generations));
                case StorageRequest.Space _ -> runBlocking(() -> reply(new StorageReply.Room(store.space())));
                case StorageRequest.Pace pace -> runBlocking(() -> pace(pace));
            };
        } finally {
            frame.release();
        }
    }

    private CompletableFuture<Reply> write(StorageRequest.Write write, ByteBuf body, Peer peer) {
        IncomingBlock block = new IncomingBlock(write, body, credits);
        credits.arrived(write.sender(), block.cost(), peer);
        return run(write, () -> reply(new StorageReply.Written(block.store(store))))
                .whenComplete((reply, failure) -> block.drop());
    }

    private CompletableFuture<Reply> run(StorageRequest.Write write, Work work) {
        if (write.background()) {
            return runWhenOthersLet(work);
        }
        return write.mode() == WriteMode.NEW ? runAtOnce(work) : runBlocking(work);
    }

    private CompletableFuture<Reply> runWhenOthersLet(Work work) {
        return busyIfRefused(() -> background.answer(() -> answer(work)));
    }

    /** What background work waits for. */
    private CompletableFuture<Reply> runAtOnce(Work work) {
        background.foregroundBegins();
        return runBlocking(work).whenComplete((reply, failure) -> background.foregroundEnds());
    }

    private CompletableFuture<Reply> runBlocking(Work work) {
        return busyIfRefused(() -> CompletableFuture.supplyAsync(() -> answer(work), blocking));
    }

    private static CompletableFuture<Reply> busyIfRefused(Supplier<CompletableFuture<Reply>> work) {
        try {
            return work.get();
        } catch (RejectedExecutionException full) {
            return CompletableFuture.failedFuture(
                    new WireException(WireCode.BUSY, "too many requests wait for the disk"));
        }
    }

    private static Reply answer(Work work) {
        try {
            return work.run();
        } catch (IOException failure) {
            throw new CompletionException(translate(failure));
        }
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

    /** One at a time: a lower epoch that was let through just before must not be the last one to set the rate. */
    private synchronized Reply pace(StorageRequest.Pace pace) throws IOException {
        store.admit(pace.fence());
        credits.pace(pace.rate());
        return reply(new StorageReply.Done());
    }

    private Reply list(StorageRequest.Generations generations) throws IOException {
        GenerationPage page = store.generations(generations.after());
        ByteBuf body = allocator.buffer();
        StorageReply.writeGenerations(body, page.generations());
        return reply(new StorageReply.Listed(page.more(), page.listing()), body);
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
