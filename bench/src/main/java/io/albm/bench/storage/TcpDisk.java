// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.io.BufferedOutputStream;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a network storage cannot beat: a file of the disk behind a TCP connection, with no protocol to speak of. The
 * server fsyncs a written file before it answers, and leaves a read one to the kernel's {@code sendfile}.
 */
public final class TcpDisk {
    private static final int WRITE = 1;
    private static final int READ = 2;
    private static final int REMOVE = 3;

    private TcpDisk() {}

    /**
     * {@code serve DIRECTORY}, which prints READY and the port, or {@code client PORT}, which is asked
     * {@code write|read|remove NAME BLOCKS} and answers with a {@link Tally} of bytes.
     */
    public static void main(String... arguments) {
        System.exit(Program.status(() -> {
            if (arguments[0].equals("serve")) {
                serve(Path.of(arguments[1]));
            } else {
                int port = Integer.parseInt(arguments[1]);
                Program.answer(
                        question -> run(port, question.get(0), question.get(1), Integer.parseInt(question.get(2))));
            }
        }));
    }

    private static Tally run(int port, String operation, String name, int blocks) throws IOException {
        return switch (operation) {
            case "write" -> write(port, name, blocks);
            case "read" -> read(port, name, blocks);
            default -> remove(port, name, blocks);
        };
    }

    private static void serve(Path directory) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println("READY " + ((InetSocketAddress) server.getLocalAddress()).getPort());
            while (true) {
                try (SocketChannel client = server.accept()) {
                    answer(client, directory);
                }
            }
        }
    }

    private static void answer(SocketChannel client, Path directory) throws IOException {
        DataInputStream in = new DataInputStream(Channels.newInputStream(client));
        int operation = in.readInt();
        Path file = directory.resolve(in.readUTF());
        long bytes = in.readLong();
        switch (operation) {
            case WRITE -> store(client, file, bytes);
            case READ -> send(client, file, bytes);
            default -> Files.delete(file);
        }
        if (operation != READ) {
            new DataOutputStream(Channels.newOutputStream(client)).writeLong(bytes);
        }
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

    private static Tally write(int port, String name, int blocks) throws IOException {
        Content content = new Content();
        long bytes = (long) blocks * Content.BLOCK;
        long begin = System.nanoTime();
        try (SocketChannel server = ask(port, WRITE, name, bytes)) {
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

    private static Tally read(int port, String name, int blocks) throws IOException {
        Content content = new Content();
        ByteBuffer block = ByteBuffer.allocateDirect(Content.BLOCK);
        long bytes = (long) blocks * Content.BLOCK;
        long begin = System.nanoTime();
        try (SocketChannel server = ask(port, READ, name, bytes)) {
            for (int i = 0; i < blocks; i++) {
                receive(server, block.clear());
                content.check(block.flip(), i);
            }
        }
        return Tally.since(begin, bytes);
    }

    private static Tally remove(int port, String name, int blocks) throws IOException {
        long bytes = (long) blocks * Content.BLOCK;
        long begin = System.nanoTime();
        try (SocketChannel server = ask(port, REMOVE, name, bytes)) {
            new DataInputStream(Channels.newInputStream(server)).readLong();
        }
        return Tally.since(begin, bytes);
    }

    private static SocketChannel ask(int port, int operation, String name, long bytes) throws IOException {
        SocketChannel server = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(server)));
        out.writeInt(operation);
        out.writeUTF(name);
        out.writeLong(bytes);
        out.flush();
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
