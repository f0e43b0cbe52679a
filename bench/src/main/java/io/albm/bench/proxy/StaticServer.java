// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Payload;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The main of the servers behind the proxies: two HTTP servers in one process, which do as little as a server can, so
 * that the proxies get the machine. Answers are formatted once, with a length and a strong entity tag, as a good server
 * would; {@code Connection: close} is honoured.
 */
public final class StaticServer {
    /** How many servers there are. */
    static final int SERVERS = 2;

    private final Answer smallest = answer(Payload.BYTE);
    private final Map<String, Answer> answers = new HashMap<>();

    /** An answer in both forms, to be sent any number of times. */
    record Answer(ByteBuf keepAlive, ByteBuf close) {}

    private StaticServer() {
        for (Payload payload : Payload.values()) {
            answers.put(payload.path(), answer(payload));
        }
    }

    /** Serves until the process ends; prints READY with the addresses, a comma between them. */
    public static void main(String... arguments) throws IOException {
        StaticServer server = new StaticServer();
        Transport transport = Transport.open(SERVERS);
        System.out.println("READY " + server.listen(transport) + "," + server.listen(transport));
        while (true) {
            LockSupport.park();
        }
    }

    private NodeAddress listen(Transport transport) throws IOException {
        return Transport.localAddress(Transport.listen(
                transport.serverBootstrap().childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new StaticConnection(StaticServer.this::answer));
                    }
                }),
                new NodeAddress("127.0.0.1", 0)));
    }

    /** Every other path, such as a health check's, has the smallest content. */
    private Answer answer(String path) {
        return answers.getOrDefault(path, smallest);
    }

    private static Answer answer(Payload payload) {
        return new Answer(format(payload, "keep-alive"), format(payload, "close"));
    }

    private static ByteBuf format(Payload payload, String connection) {
        byte[] content = payload.content();
        String head = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\nETag: %s\r\n"
                .formatted(content.length, payload.etag());
        byte[] start = (head + "Connection: " + connection + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuf direct = Unpooled.directBuffer(start.length + content.length);
        direct.writeBytes(start).writeBytes(content);
        return Unpooled.unreleasableBuffer(direct);
    }
}
