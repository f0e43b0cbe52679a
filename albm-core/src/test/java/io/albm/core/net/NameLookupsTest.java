// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameLookupsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final EventExecutor loop = new DefaultEventExecutor();
    private final CountDownLatch answered = new CountDownLatch(1);

    @AfterEach
    void stop() {
        answered.countDown();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void theLoopServesOthersWhileANameIsLookedUp() throws Exception {
        try (NameLookups names = new NameLookups(this::slowly, LONG, 1)) {
            Future<InetSocketAddress> found = resolve(names, "slow.example");
            assertThat(loop.submit(() -> 7).get(10, TimeUnit.SECONDS)).isEqualTo(7);
            assertThat(found.isDone()).isFalse();
            answered.countDown();
            assertThat(found.get(10, TimeUnit.SECONDS)).isEqualTo(new InetSocketAddress("192.0.2.7", 80));
        }
    }

    private InetAddress[] slowly(String host) {
        try {
            answered.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
        return new InetAddress[] {InetAddress.ofLiteral("192.0.2.7")};
    }

    private Future<InetSocketAddress> resolve(NameLookups names, String host) {
        return names.getResolver(loop).resolve(InetSocketAddress.createUnresolved(host, 80));
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.9", "2001:db8::9", "::1"})
    void anAddressIsNotLookedUp(String literal) throws Exception {
        try (NameLookups names = new NameLookups(this::slowly, LONG, 1)) {
            assertThat(resolve(names, literal).get(10, TimeUnit.SECONDS).getAddress())
                    .isEqualTo(InetAddress.ofLiteral(literal));
        }
    }

    @Test
    void aNameThatNobodyKnowsIsNamed() {
        NameLookups.HostNames nobody = host -> {
            throw new UnknownHostException(host);
        };
        try (NameLookups names = new NameLookups(nobody, LONG, 1)) {
            assertThatFails(resolve(names, "nowhere.example"), "host 'nowhere.example': no address is known for it");
        }
    }

    @Test
    void aNameServerThatDoesNotAnswerIsNotWaitedForLong() {
        try (NameLookups names = new NameLookups(this::slowly, Duration.ofMillis(20), 1)) {
            assertThatFails(
                    resolve(names, "slow.example"), "host 'slow.example': no name server answered within 20 ms");
        }
    }

    @Test
    void tooManyNamesAtATimeAreRefused() {
        try (NameLookups names = new NameLookups(this::slowly, LONG, 1)) {
            for (int first = 1; first <= 5; first++) {
                resolve(names, "slow-" + first + ".example");
            }
            assertThatFails(
                    resolve(names, "more.example"), "host 'more.example': 1 other look-ups of names wait already");
        }
    }

    private static void assertThatFails(Future<?> lookup, String message) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> lookup.get(10, TimeUnit.SECONDS))
                .havingCause()
                .isInstanceOf(UnknownHostException.class)
                .withMessage(message);
    }

    @Test
    void clientsConnectToNames() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("localhost"));
                Transport transport = Transport.open(1)) {
            var connected = transport
                    .clientBootstrap()
                    .handler(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelActive(ChannelHandlerContext ctx) {
                            ctx.close();
                        }
                    })
                    .connect("localhost", server.getLocalPort());
            assertThat(connected.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(connected.isSuccess()).isTrue();
        }
    }
}
