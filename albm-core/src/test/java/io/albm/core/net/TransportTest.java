// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeAddress;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.FrameServer;
import io.albm.core.wire.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransportTest {

    static Stream<Transport> transports() {
        return Stream.of(Transport.open(1), Transport.openPortable(1));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void carriesFramesOnEveryKindOfEventLoop(Transport transport) {
        var any = new NodeAddress("127.0.0.1", 0);
        try (transport;
                var server = FrameServer.bind(
                                transport, any, (frame, _) -> CompletableFuture.completedFuture(Reply.of(1)))
                        .join();
                var client = new FrameClient(transport)) {
            assertThat(client.ping(server.address(), Duration.ofSeconds(20))).succeedsWithin(Duration.ofSeconds(20));
        }
    }
}
