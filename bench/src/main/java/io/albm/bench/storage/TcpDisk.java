// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a network storage cannot beat: one file of the disk behind one TCP connection, with no protocol to speak of. The
 * server fsyncs a written file before it answers, and leaves a read one to the kernel's {@code sendfile}.
 */
public final class TcpDisk {
    private static final int WRITE = 1;
    private static final int READ = 2;
    private static final int FILE = 0;
    private static final int WARM_UP = 1;

    private TcpDisk() {}

    /** {@code serve FILE}, which prints READY and the port, or {@code write|read PORT BLOCKS}. */
    public static void main(String... arguments) {
        System.exit(Program.status(() -> {
            switch (arguments[0]) {
                case "serve" -> serve(Path.of(arguments[1]));
                case "write" -> {
                    int port = Integer.parseInt(arguments[1]);
                    WarmUpPasses.run(() -> write(port, WARM_UP, WarmUpPasses.BLOCKS));
                    System.out.println(write(port, FILE, Integer.parseInt(arguments[2])));
                }
                default -> {
                    int port = Integer.parseInt(arguments[1]);
                    WarmUpPasses.run(() -> read(port, WARM_UP, WarmUpPasses.BLOCKS));
                    System.out.println(read(port, FILE, Integer.parseInt(arguments[2])));
                }
            }
        }));
    }

    private static void serve(Path file) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println("READY " + ((InetSocketAddress) server.getLocalAddress()).getPort());
            while (true) {
                try (SocketChannel client = server.accept()) {
                    answer(client, file);
                }
            }
        }
    }

    private static void answer(SocketChannel client, Path served) throws IOException {
        DataInputStream in = new DataInputStream(Channels.newInputStream(client));
        int operation = in.readInt();
        Path file = in.readInt() == WARM_UP ? warmUp(served) : served;
        long bytes = in.readLong();
        if (operation == WRITE) {
            store(client, file, bytes);
            new DataOutputStream(Channels.newOutputStream(client)).writeLong(bytes);
        } else {
            send(client, file, bytes);
        }
    }

    /** The smaller file that goes before. */
    static Path warmUp(Path file) {
        return file.resolveSibling(file.getFileName() + "-warm-up");
    }

    private static void store(SocketChannel client, Path file, long bytes) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(Content.BLOCK);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            while (channel.position() < bytes) {
                block.clear();
                receive(client, block);
                channel.write(block.flip());
            }
            channel.force(true);
        }
    }

    private static void send(SocketChannel client, Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long sent = 0;
            while (sent < bytes) {
                sent += channel.transferTo(sent, bytes - sent, client);
            }
        }
    }

    private static Tally write(int port, int file, int blocks) throws IOException {
        Content content = new Content();
        long bytes = (long) blocks * Content.BLOCK;
        long begin = System.nanoTime();
        try (SocketChannel server = ask(port, WRITE, file, bytes)) {
            for (int i = 0; i < blocks; i++) {
                ByteBuffer block = ByteBuffer.wrap(content.block(i));
                while (block.hasRemaining()) {
                    server.write(block);
                }
            }
            new DataInputStream(Channels.newInputStream(server)).readLong();
        }
        return Tally.since(begin, bytes);
    }

    private static Tally read(int port, int file, int blocks) throws IOException {
        Content content = new Content();
        byte[] block = new byte[Content.BLOCK];
        long bytes = (long) blocks * Content.BLOCK;
        long begin = System.nanoTime();
        try (SocketChannel server = ask(port, READ, file, bytes)) {
            for (int i = 0; i < blocks; i++) {
                receive(server, ByteBuffer.wrap(block));
                content.check(block, i);
            }
        }
        return Tally.since(begin, bytes);
    }

    private static SocketChannel ask(int port, int operation, int file, long bytes) throws IOException {
        SocketChannel server = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        ByteBuffer question = ByteBuffer.allocate(2 * Integer.BYTES + Long.BYTES);
        server.write(question.putInt(operation).putInt(file).putLong(bytes).flip());
        return server;
    }

    /** Fills the buffer. */
    private static void receive(SocketChannel from, ByteBuffer block) throws IOException {
        while (block.hasRemaining()) {
            if (from.read(block) < 0) {
                throw new IOException("the other side has ended the connection");
            }
        }
    }
}
